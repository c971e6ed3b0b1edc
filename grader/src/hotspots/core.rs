//! Reads the cycles of the critical path by instruction, as the meter `cycles` leaves them.

use super::callgrind::Cost;
use crate::pipeline::recorded::PathCost;

/// The costs in `text`.
pub(super) fn costs(text: &str) -> Result<Vec<Cost>, String> {
    let costs: Vec<PathCost> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let cost = |cost: PathCost| Cost {
        function: format!("{:#x} in {}", cost.address, cost.object),
        file: cost.object.clone(),
        object: cost.object,
        address: cost.address,
        line: 0,
        count: cost.cycles,
    };
    Ok(costs.into_iter().map(cost).collect())
}
