//! The gate: the solution against the baseline and the snapshots, and each wrong answer refused.

use job_frames::{Frame, JobFrames, MOST_KEPT, System};

/// A wrong answer is a supply of frames; the kit wants the function that plays events against it.
macro_rules! answers {
    ($($name:ident = $file:literal,)+) => {$(
        #[path = $file]
        mod $name;
    )+};
}

answers! {
    forgets_to_unmap = "../wrong/forgets_to_unmap.rs",
    keeps_everything = "../wrong/keeps_everything.rs",
    maps_ahead = "../wrong/maps_ahead.rs",
}

fn judge(play: job_frames::Play) -> Result<(), lab_kit::gate::Refusal> {
    lab_kit::gate::judge::<JobFrames>(play, |name, output| {
        lab_kit::insta::assert_debug_snapshot!(name, output);
    })
}

#[test]
fn gate() {
    if let Err(refusal) = judge(<JobFrames as lab_kit::Lab>::SOLUTION) {
        panic!("{refusal}");
    }
}

mod wrong {
    use super::judge;

    #[test]
    fn forgets_to_unmap() {
        refused(job_frames::play!(super::forgets_to_unmap::Frames));
    }

    #[test]
    fn keeps_everything() {
        refused(job_frames::play!(super::keeps_everything::Frames));
    }

    #[test]
    fn maps_ahead() {
        refused(job_frames::play!(super::maps_ahead::Frames));
    }

    fn refused(play: job_frames::Play) {
        let refusal = judge(play).expect_err("this wrong answer passes the gate");
        eprintln!("{refusal}");
    }
}
