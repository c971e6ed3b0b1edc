//! Wall-clock time, for the reader's own curiosity: never scored.
lab_kit::time!(interleaved_lists::InterleavedLists);
