//! The gate: the policy on few and many workers, and wrong ones refused.

use private_deques::{JobId, Policy, PrivateDeques, Prng, Queues, Seat};

lab_kit::gate!(PrivateDeques, policy, wrong: {
    copies_what_it_steals = "../wrong/copies_what_it_steals.rs",
    forgets_the_rest_of_its_loot = "../wrong/forgets_the_rest_of_its_loot.rs",
    never_robs_the_first = "../wrong/never_robs_the_first.rs",
    pushes_into_a_full_ring = "../wrong/pushes_into_a_full_ring.rs",
    shares_nothing = "../wrong/shares_nothing.rs",
});
