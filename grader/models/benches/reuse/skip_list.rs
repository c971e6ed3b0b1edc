//! The LRU stack as a linked list, with pointers into it that let a walk skip ahead.

const NONE: u32 = u32::MAX;

/// A doubly linked list of lines, the latest first, with a skip pointer every `spacing` nodes.
///
/// A depth is found by walking from the node towards the front until a node that a skip pointer
/// points to, whose depth is known. When a node moves to the front, each skip pointer before its
/// old place slips to the next newer node.
pub(crate) struct SkipList {
    /// By line.
    nodes: Vec<Node>,
    /// The nodes at depth 0, `spacing`, twice `spacing`, ….
    skips: Vec<u32>,
    spacing: u32,
    length: u32,
    oldest: u32,
}

#[derive(Clone, Copy)]
struct Node {
    newer: u32,
    older: u32,
    /// Number of the skip pointer that points here.
    skip: u32,
    listed: bool,
}

impl SkipList {
    /// An empty list for lines below `distinct_lines`; `spacing` is two or more.
    pub(crate) fn new(distinct_lines: u32, spacing: u32) -> Self {
        let unlisted = Node {
            newer: NONE,
            older: NONE,
            skip: NONE,
            listed: false,
        };
        Self {
            nodes: vec![unlisted; distinct_lines as usize],
            skips: Vec::new(),
            spacing,
            length: 0,
            oldest: NONE,
        }
    }

    /// Distinct lines since the line's last use.
    pub(crate) fn access(&mut self, line: u32) -> Option<u64> {
        if self.skips.first() == Some(&line) {
            return Some(0);
        }
        if !self.nodes[line as usize].listed {
            self.slip(self.skips.len());
            self.link_first(line);
            return None;
        }
        let depth = self.depth(line);
        self.slip((depth / self.spacing) as usize + 1);
        self.unlink(line);
        self.link_first(line);
        Some(u64::from(depth))
    }

    fn depth(&self, line: u32) -> u32 {
        let (mut node, mut steps) = (self.nodes[line as usize], 0);
        while node.skip == NONE {
            node = self.nodes[node.newer as usize];
            steps += 1;
        }
        node.skip * self.spacing + steps
    }

    /// Moves the skip pointers below `end`, but for the first, to the next newer node.
    fn slip(&mut self, end: usize) {
        for (number, skip) in (0..).zip(&mut self.skips[..end]).skip(1) {
            let newer = self.nodes[*skip as usize].newer;
            self.nodes[*skip as usize].skip = NONE;
            self.nodes[newer as usize].skip = number;
            *skip = newer;
        }
    }

    fn unlink(&mut self, line: u32) {
        let Node { newer, older, .. } = self.nodes[line as usize];
        self.length -= 1;
        self.nodes[newer as usize].older = older;
        match older {
            NONE => self.oldest = newer,
            older => self.nodes[older as usize].newer = newer,
        }
    }

    fn link_first(&mut self, line: u32) {
        self.length += 1;
        let first = self.skips.first().copied().unwrap_or(NONE);
        self.nodes[line as usize] = Node {
            newer: NONE,
            older: first,
            skip: 0,
            listed: true,
        };
        if first == NONE {
            self.oldest = line;
            self.skips.push(line);
            return;
        }
        self.nodes[first as usize].newer = line;
        self.nodes[first as usize].skip = NONE;
        self.skips[0] = line;
        let number = (self.length - 1) / self.spacing;
        if number as usize == self.skips.len() {
            self.nodes[self.oldest as usize].skip = number;
            self.skips.push(self.oldest);
        }
    }
}
