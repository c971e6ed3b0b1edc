//! Counts under Valgrind what the lab is scored by.
lab_kit::instructions!(the_deque::TheDeque);
