//! Counts under Valgrind what the lab is scored by.
lab_kit::instructions!(independent_streams::IndependentStreams);
