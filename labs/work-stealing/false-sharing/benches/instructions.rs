//! Counts what the lab is scored by: line transfers in the model.
lab_kit::model_counts!(false_sharing::FalseSharing);
