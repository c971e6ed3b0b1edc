//! A row of a table, and rows in groups.

/// 32 B: a key and what belongs to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Record {
    /// What the row is looked up by.
    pub key: u64,
    /// Its number.
    pub row: u64,
    /// Two more columns.
    pub columns: (u64, u64),
}

lab_kit::compare_fields!(Record: key, row, columns);

impl Record {
    /// A row with columns that follow from its number.
    pub fn new(key: u64, row: u64) -> Self {
        Self {
            key,
            row,
            columns: (row.wrapping_mul(3), !row),
        }
    }

    /// The group of the row: the first `bits` bits of its key, 1 to 63 of them.
    pub fn group(&self, bits: u32) -> usize {
        usize::try_from(self.key >> (u64::BITS - bits)).expect("a group's number is small")
    }
}

/// Records in groups, one group after the other.
#[derive(Debug, PartialEq, Eq)]
pub struct Grouped {
    /// Where each group starts in `records`, and at the end how many records there are.
    pub starts: Vec<usize>,
    /// All records, by group.
    pub records: Vec<Record>,
}

lab_kit::compare_fields!(Grouped: starts, records);
