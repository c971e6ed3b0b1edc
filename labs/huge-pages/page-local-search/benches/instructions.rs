//! Counts under Valgrind what the lab is scored by.
lab_kit::instructions!(page_local_search::PageLocalSearch);
