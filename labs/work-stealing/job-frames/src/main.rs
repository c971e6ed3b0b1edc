//! One variant on the metered input: `cargo run --release -p job-frames -- solution`

lab_kit::main!(job_frames::JobFrames);
