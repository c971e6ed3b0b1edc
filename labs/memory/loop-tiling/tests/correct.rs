//! The gate: the solution against the baseline and the snapshots, and each wrong answer refused.

use loop_tiling::{LoopTiling, Matrix};

lab_kit::gate!(LoopTiling, transpose, wrong: {
    drops_the_partial_tiles = "../wrong/drops_the_partial_tiles.rs",
    returns_the_last_result = "../wrong/returns_the_last_result.rs",
    thinks_all_matrices_square = "../wrong/thinks_all_matrices_square.rs",
});
