//! Counts what the lab is scored by: misses and makespan on the model.
lab_kit::model_counts!(space_bounded::SpaceBoundedLab);
