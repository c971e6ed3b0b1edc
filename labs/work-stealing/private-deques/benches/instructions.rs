//! Counts what the lab is scored by: makespan on the model.
lab_kit::model_counts!(private_deques::PrivateDeques);
