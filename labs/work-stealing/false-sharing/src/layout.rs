//! Where a worker's fields lie.

/// Bytes of each field.
pub const FIELD_BYTES: usize = 8;
/// Bytes of a cache line.
pub const LINE_BYTES: usize = 64;
/// A worker's state may take this much: four lines.
pub const MOST_BYTES: usize = 256;

/// The layout of one worker's state; the workers follow each other in one vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Bytes from one worker's state to the next: `size_of`.
    pub stride_bytes: usize,
    /// What the address of the first is a multiple of: `align_of`.
    pub align_bytes: usize,
    /// Offset of the index where the owner pushes and pops. The owner reads and writes it at
    /// every fork and join; thieves read it.
    pub bottom: usize,
    /// Offset of the index where thieves take. They write it, and the owner reads it at every join.
    pub top: usize,
    /// Offset of the number of forks so far. Only the owner reads and writes it.
    pub forks: usize,
    /// Offset of the state of the generator that picks victims. Only its owner uses it.
    pub random: usize,
}

impl Layout {
    /// Why this cannot be a struct with these fields, or is too large for one.
    pub fn fault(&self) -> Option<String> {
        let Self {
            stride_bytes,
            align_bytes,
            ..
        } = *self;
        if stride_bytes > MOST_BYTES {
            return Some(format!(
                "a worker takes {stride_bytes} bytes; {MOST_BYTES} are allowed"
            ));
        }
        if !align_bytes.is_power_of_two() || !stride_bytes.is_multiple_of(align_bytes) {
            return Some(format!(
                "{stride_bytes} bytes are no multiple of an alignment of {align_bytes}"
            ));
        }
        let mut fields = [
            (self.bottom, "bottom"),
            (self.top, "top"),
            (self.forks, "forks"),
            (self.random, "random"),
        ];
        fields.sort_unstable();
        for pair in fields.windows(2) {
            if pair[0].0 + FIELD_BYTES > pair[1].0 {
                return Some(format!("{} and {} overlap", pair[0].1, pair[1].1));
            }
        }
        let (last, name) = fields[3];
        let outside = last + FIELD_BYTES > stride_bytes;
        outside.then(|| format!("{name} ends past the {stride_bytes} bytes of a worker"))
    }

    /// Where a vector of such states begins. Allocators align to 16 bytes and put their own
    /// bookkeeping in front; a larger alignment is kept.
    pub(crate) fn base(&self) -> usize {
        if self.align_bytes >= LINE_BYTES {
            0
        } else {
            16
        }
    }
}
