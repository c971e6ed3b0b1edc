//! Wall-clock time of the simulation, for curiosity: never scored.
lab_kit::time!(private_deques::PrivateDeques);
