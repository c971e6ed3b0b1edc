//! The textbook's way: a binary indexed tree over time slots, compacted when it is full.

/// One slot per last use, counted by a Fenwick tree.
pub(crate) struct Fenwick {
    /// Tree over slots, 1-based.
    tree: Vec<u32>,
    /// The line of each slot, to move lines when the axis is compacted.
    line_of: Vec<u32>,
    /// Slot of each line's last use; 0 is never.
    last_use: Vec<u32>,
    newest: u32,
    live: u32,
}

impl Fenwick {
    /// A tree with four slots for each line there will be.
    pub(crate) fn new(distinct_lines: u32) -> Self {
        let slots = (distinct_lines * 4).next_power_of_two() as usize;
        Self {
            tree: vec![0; slots + 1],
            line_of: vec![u32::MAX; slots + 1],
            last_use: vec![0; distinct_lines as usize],
            newest: 0,
            live: 0,
        }
    }

    /// Distinct lines since the line's last use.
    pub(crate) fn access(&mut self, line: u32) -> Option<u64> {
        if self.newest as usize + 1 == self.tree.len() {
            self.compact();
        }
        let last = self.last_use[line as usize];
        let distance = (last != 0).then(|| u64::from(self.live - self.up_to(last)));
        if last != 0 {
            self.add(last, u32::MAX);
            self.line_of[last as usize] = u32::MAX;
            self.live -= 1;
        }
        self.push(line);
        distance
    }

    fn push(&mut self, line: u32) {
        self.newest += 1;
        self.add(self.newest, 1);
        self.line_of[self.newest as usize] = line;
        self.last_use[line as usize] = self.newest;
        self.live += 1;
    }

    fn up_to(&self, mut slot: u32) -> u32 {
        let mut count = 0u32;
        while slot > 0 {
            count = count.wrapping_add(self.tree[slot as usize]);
            slot &= slot - 1;
        }
        count
    }

    /// Adds `amount`, modulo 2³², to a slot.
    fn add(&mut self, mut slot: u32, amount: u32) {
        while (slot as usize) < self.tree.len() {
            self.tree[slot as usize] = self.tree[slot as usize].wrapping_add(amount);
            slot += slot & slot.wrapping_neg();
        }
    }

    fn compact(&mut self) {
        self.tree.fill(0);
        (self.newest, self.live) = (0, 0);
        for slot in 1..self.line_of.len() {
            let line = std::mem::replace(&mut self.line_of[slot], u32::MAX);
            if line != u32::MAX {
                self.push(line);
            }
        }
    }
}
