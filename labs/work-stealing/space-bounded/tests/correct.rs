//! The gate: the scheduler on small machines and the metered programs, and wrong answers refused.

use space_bounded::SpaceBoundedLab;

lab_kit::gate!(SpaceBoundedLab, make, wrong: {
    loses_what_it_cannot_place = "../wrong/loses_what_it_cannot_place.rs",
    returns_a_job_twice = "../wrong/returns_a_job_twice.rs",
    starves_all_but_two = "../wrong/starves_all_but_two.rs",
});
