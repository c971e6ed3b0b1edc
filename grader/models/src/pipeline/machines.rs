//! The cores that the book uses, each number with its source.

mod golden_cove;
mod skylake;
mod zen4;

pub use golden_cove::GOLDEN_COVE;
pub use skylake::SKYLAKE;
pub use zen4::ZEN4;

use super::machine::Machine;

/// All cores, in the order in which help texts name them.
pub const MACHINES: &[&Machine] = &[&SKYLAKE, &ZEN4, &GOLDEN_COVE];

/// The core called `name` on the command line.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Machine> {
    MACHINES
        .iter()
        .find(|machine| machine.name == name)
        .copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_machine_is_found_by_its_name_and_names_all_its_ports() {
        for machine in MACHINES {
            assert_eq!(by_name(machine.name), Some(*machine));
            assert_eq!(
                machine.ports.chars().count(),
                machine.port_names.len(),
                "{}",
                machine.name
            );
        }
    }

    #[test]
    fn every_port_belongs_to_exactly_one_scheduler_group() {
        for machine in MACHINES {
            for port in 0..machine.port_names.len() {
                let groups = machine
                    .schedulers
                    .iter()
                    .filter(|group| group.ports.contains(u8::try_from(port).unwrap()))
                    .count();
                assert_eq!(groups, 1, "{} port {port}", machine.name);
            }
        }
    }

    #[test]
    fn caches_grow_and_slow_down_with_their_level() {
        for machine in MACHINES {
            for pair in machine.caches.windows(2) {
                assert!(pair[0].size_bytes < pair[1].size_bytes, "{}", machine.name);
                assert!(
                    pair[0].latency_cycles < pair[1].latency_cycles,
                    "{}",
                    machine.name
                );
            }
            assert!(machine.caches[2].latency_cycles < machine.memory_cycles);
        }
    }
}
