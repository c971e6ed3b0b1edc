//! Counts under Valgrind what the lab is scored by.
lab_kit::instructions!(tlb_reach::TlbReach);
