//! Wall-clock time, for the reader's own curiosity: never scored.
lab_kit::time!(tlb_reach::TlbReach);
