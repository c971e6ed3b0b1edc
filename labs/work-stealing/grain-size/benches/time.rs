//! Wall-clock time of the simulation, for curiosity: never scored.
lab_kit::time!(grain_size::GrainSize);
