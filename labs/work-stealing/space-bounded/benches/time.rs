//! Wall-clock time of the simulation, for the reader's own curiosity: never scored.
lab_kit::time!(space_bounded::SpaceBoundedLab);
