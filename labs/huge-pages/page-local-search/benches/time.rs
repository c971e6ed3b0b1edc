//! Wall-clock time, for the reader's own curiosity: never scored.
lab_kit::time!(page_local_search::PageLocalSearch);
