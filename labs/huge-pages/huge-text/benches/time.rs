//! Wall-clock time, for the reader's own curiosity: never scored.
lab_kit::time!(huge_text::HugeText);
