//! Wall-clock time of the simulation, for curiosity: never scored.
lab_kit::time!(false_sharing::FalseSharing);
