//! Counts under Valgrind what the lab is scored by.
lab_kit::instructions!(critical_path::CriticalPath);
