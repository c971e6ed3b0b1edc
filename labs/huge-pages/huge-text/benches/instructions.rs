//! Counts under Valgrind what the lab is scored by.
lab_kit::instructions!(huge_text::HugeText);
