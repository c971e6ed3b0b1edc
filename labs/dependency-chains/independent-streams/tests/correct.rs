//! The gate: the solution against the baseline and the snapshots, and each wrong answer refused.

use independent_streams::{IndependentStreams, Streams, is_inside, next_random};

lab_kit::gate!(IndependentStreams, hits, wrong: {
    draws_from_one_stream = "../wrong/draws_from_one_stream.rs",
    forgets_the_last_streams = "../wrong/forgets_the_last_streams.rs",
    shifts_the_second_chain = "../wrong/shifts_the_second_chain.rs",
});
