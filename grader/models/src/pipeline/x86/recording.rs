//! Recorded executions of real code: from addresses, bytes and touched addresses to a program and its
//! steps.
//!
//! Data pages are renumbered in the order in which they are first touched, so that the outcome does
//! not depend on where the system put stack and heap. That also spreads pages over the sets of the
//! caches beyond the first one, as the system's own choice of physical pages does.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use iced_x86::{Decoder, DecoderOptions, Formatter, Instruction, IntelFormatter};

use super::build::{Built, build_program};
use crate::pipeline::inst::{BranchKind, Program, Step};
use crate::pipeline::machine::Machine;

const PAGE_BITS: u32 = 12;
/// Where the renumbered pages start: nothing of a program lies in the first page.
const FIRST_PAGE: u64 = 1;

/// One recorded execution, or the boundary between two calls of the recorded function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recorded {
    /// The function is entered from outside.
    Entry,
    /// An instruction was executed.
    Step {
        /// Its number in the recording.
        number: u32,
        /// The first address that it touched, 0 if it touched none.
        memory_address: u64,
    },
}

/// The instructions of a recording, decoded.
#[derive(Clone, Debug)]
pub struct RecordedCode {
    /// In order of their addresses.
    pub instructions: Vec<Instruction>,
    /// From numbers in the recording to places in `instructions`.
    places: BTreeMap<u32, u32>,
}

impl RecordedCode {
    /// Decodes `(number, address, bytes)` of every recorded instruction.
    ///
    /// Bytes that are no instruction become one without figures.
    #[must_use]
    pub fn decode(code: &[(u32, u64, &[u8])]) -> Self {
        let mut sorted = code.to_vec();
        sorted.sort_by_key(|&(_, address, _)| address);
        let places = (0..)
            .zip(&sorted)
            .map(|(place, &(number, ..))| (number, place));
        Self {
            places: places.collect(),
            instructions: sorted
                .iter()
                .map(|&(_, address, bytes)| {
                    Decoder::with_ip(64, bytes, address, DecoderOptions::NONE).decode()
                })
                .collect(),
        }
    }

    /// The instructions split for `machine`.
    #[must_use]
    pub fn build(&self, machine: &'static Machine) -> Built {
        build_program(machine, &self.instructions)
    }

    /// Each instruction as a person reads it, in Intel's syntax. A jump names its target as assemblers
    /// let one write it, by the distance from itself (`.-0x2c`), which is the same wherever the code is.
    #[must_use]
    pub fn texts(&self) -> Vec<String> {
        let mut formatter = IntelFormatter::new();
        let options = formatter.options_mut();
        options.set_space_after_operand_separator(true);
        options.set_hex_prefix("0x");
        options.set_hex_suffix("");
        options.set_uppercase_hex(false);
        options.set_branch_leading_zeros(false);
        options.set_show_branch_size(false);
        options.set_rip_relative_addresses(true);
        let text = |instruction: &Instruction| {
            let mut text = String::new();
            formatter.format(instruction, &mut text);
            if instruction.is_jcc_short_or_near() || instruction.is_jmp_short_or_near() {
                let mnemonic = text.split(' ').next().unwrap_or_default();
                return format!("{mnemonic} {}", distance(instruction));
            }
            text.replace(" ptr [", " [")
        };
        self.instructions.iter().map(text).collect()
    }

    /// Turns a recording into steps of `program`, which [`Self::build`] made.
    ///
    /// The return that ends a call of the recorded function is left out: its caller was not recorded,
    /// so nothing says whether it would have been predicted.
    #[must_use]
    pub fn steps(&self, program: &Program, recorded: &[Recorded]) -> Vec<Step> {
        let mut pages = Pages::default();
        let mut last_addresses = alloc::vec![0; self.instructions.len()];
        let mut steps: Vec<Step> = Vec::new();
        for item in recorded {
            let &Recorded::Step {
                number,
                memory_address,
            } = item
            else {
                self.end_call(program, &mut steps);
                continue;
            };
            let Some(&place) = self.places.get(&number) else {
                continue;
            };
            let at = place as usize;
            if let Some(before) = steps.last_mut()
                && before.next_address == 0
            {
                before.next_address = self.instructions[at].ip();
            }
            // A load whose value nobody uses is not recorded; it touched about what it did before.
            if memory_address != 0 {
                last_addresses[at] = pages.renumbered(memory_address);
            }
            steps.push(Step {
                inst: place,
                memory_address: last_addresses[at],
                next_address: 0,
            });
        }
        self.end_call(program, &mut steps);
        steps
    }

    /// The recorded function has returned, or the recording ends.
    fn end_call(&self, program: &Program, steps: &mut Vec<Step>) {
        let Some(&last) = steps.last() else { return };
        let at = last.inst as usize;
        if last.next_address == 0 && program.insts[at].branch == BranchKind::Return {
            steps.pop();
        }
        if let Some(last) = steps.last_mut()
            && last.next_address == 0
        {
            last.next_address = self.instructions[last.inst as usize].next_ip();
        }
    }
}

/// Numbers pages in the order in which they are first touched.
#[derive(Default)]
struct Pages(BTreeMap<u64, u64>);

impl Pages {
    fn renumbered(&mut self, address: u64) -> u64 {
        let next = FIRST_PAGE + self.0.len() as u64;
        let page = *self.0.entry(address >> PAGE_BITS).or_insert(next);
        page << PAGE_BITS | address & ((1 << PAGE_BITS) - 1)
    }
}

/// The target of a jump, counted from the jump.
fn distance(jump: &Instruction) -> String {
    let (from, to) = (jump.ip(), jump.near_branch_target());
    if to < from {
        format!(".-{:#x}", from - to)
    } else {
        format!(".+{:#x}", to - from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::machines::SKYLAKE;
    use proptest::prelude::*;

    /// `add rax, [rsi]; dec rcx; jnz -10; ret` at `base`.
    fn code(base: u64) -> RecordedCode {
        RecordedCode::decode(&[
            (7, base + 3, &[0x48, 0xff, 0xc9]),
            (4, base, &[0x48, 0x03, 0x06]),
            (8, base + 6, &[0x75, 0xf8]),
            (9, base + 8, &[0xc3]),
        ])
    }

    fn step(number: u32, memory_address: u64) -> Recorded {
        Recorded::Step {
            number,
            memory_address,
        }
    }

    #[test]
    fn instructions_stand_in_order_of_addresses_and_can_be_read() {
        let texts = code(0x1000).texts();
        assert_eq!(texts, ["add rax, [rsi]", "dec rcx", "jne .-0x6", "ret"]);
    }

    #[test]
    fn a_step_leads_to_the_next_and_the_last_return_is_left_out() {
        let code = code(0x1000);
        let built = code.build(&SKYLAKE);
        let recorded = [
            Recorded::Entry,
            step(4, 0x7000),
            step(7, 0),
            step(8, 0),
            step(4, 0x7008),
            step(7, 0),
            step(8, 0),
            step(9, 0x9000),
        ];
        let steps = code.steps(&built.program, &recorded);
        let nexts: Vec<u64> = steps.iter().map(|step| step.next_address).collect();
        assert_eq!(nexts, [0x1003, 0x1006, 0x1000, 0x1003, 0x1006, 0x1008]);
        let addresses: Vec<u64> = steps.iter().map(|step| step.memory_address).collect();
        assert_eq!(addresses[0] + 8, addresses[3]);
    }

    #[test]
    fn a_load_that_was_not_recorded_touches_what_it_did_before() {
        let code = code(0x1000);
        let built = code.build(&SKYLAKE);
        let steps = code.steps(&built.program, &[step(4, 0x7010), step(4, 0)]);
        assert_eq!(steps[0].memory_address, steps[1].memory_address);
    }

    #[test]
    fn bytes_that_are_no_instruction_have_no_figures() {
        let code = RecordedCode::decode(&[(0, 0x1000, &[0x06])]);
        assert_eq!(code.build(&SKYLAKE).unknown.len(), 1);
    }

    proptest! {
        #[test]
        fn moving_data_by_whole_pages_changes_nothing(
            addresses in prop::collection::vec(0x10_0000_u64..0x14_0000, 1..60),
            pages in 1_u64..1_000_000,
        ) {
            let code = code(0x1000);
            let built = code.build(&SKYLAKE);
            let at = |shift: u64| {
                let recorded: Vec<Recorded> =
                    addresses.iter().map(|&address| step(4, address + shift)).collect();
                code.steps(&built.program, &recorded)
            };
            prop_assert_eq!(at(0), at(pages << PAGE_BITS));
        }
    }
}
