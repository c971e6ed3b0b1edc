//! The gate: the choice of victim on small machines and the metered ones, wrong ones refused.

use hierarchy_aware_stealing::{HierarchyAwareStealing, Neighbourhood, Prng};

lab_kit::gate!(HierarchyAwareStealing, victim, wrong: {
    counts_sockets_from_one = "../wrong/counts_sockets_from_one.rs",
    never_leaves_the_socket = "../wrong/never_leaves_the_socket.rs",
    robs_its_neighbour = "../wrong/robs_its_neighbour.rs",
});
