//! A loop pasted as text: assembled, its loop found, executed into a stream of steps.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use iced_x86::Instruction;

use super::assembler::{AsmError, AsmLine, BASE_ADDRESS, assemble};
use super::build::{Built, build_program};
use super::interpreter::{Interpreter, MemoryFill};
use crate::pipeline::inst::Step;
use crate::pipeline::machine::Machine;

/// Instructions of one iteration above which we give up: an inner loop that does not end.
const MAX_ITERATION_STEPS: usize = 100_000;

/// Where the memory of `@ring` starts.
const RING: u64 = 0x7000_0000;

/// Where a loop's head is put: at a multiple of this many bytes.
const ALIGNMENT: u64 = 64;

/// Why a text is not a loop that can be simulated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LoopError {
    /// It cannot be assembled.
    Assembly(AsmError),
    /// The text has no instruction.
    Empty,
    /// Nothing jumps back.
    NoLoop,
    /// A jump leaves the loop.
    JumpOutside(AsmError),
    /// A call, a return or a computed jump: a loop is needed, not a program.
    NotALoop(AsmError),
    /// An inner loop runs too long.
    TooLong,
    /// A `@` directive is not understood.
    Directive(AsmError),
}

impl core::fmt::Display for LoopError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Assembly(error)
            | Self::JumpOutside(error)
            | Self::NotALoop(error)
            | Self::Directive(error) => error.fmt(f),
            Self::Empty => f.write_str("there is no instruction in the text; add the loop's body"),
            Self::NoLoop => f.write_str(
                "nothing jumps back, so there is no loop; put a label such as `loop:` before the \
                 first instruction and a jump to it, such as `jnz loop`, after the last",
            ),
            Self::TooLong => write!(
                f,
                "one iteration took more than {MAX_ITERATION_STEPS} instructions, so an inner loop \
                 does not end; give its counter a value with a comment such as `# @set rcx 10`"
            ),
        }
    }
}

impl core::error::Error for LoopError {}

/// A loop, ready to be simulated on any machine.
#[derive(Clone, Debug)]
pub struct TextLoop {
    /// The lines of the loop's body, the closing jump last.
    pub body: Vec<AsmLine>,
    /// What stands before the loop; executed once, not simulated.
    pub setup: Vec<AsmLine>,
    start: Interpreter,
}

impl TextLoop {
    /// Assembles `text` and finds its loop: from the target of the last backward jump to that jump.
    ///
    /// # Errors
    /// See [`LoopError`]; each says where and what to do.
    pub fn parse(text: &str) -> Result<Self, LoopError> {
        let mut assembly = assemble(text).map_err(LoopError::Assembly)?;
        if assembly.lines.is_empty() {
            return Err(LoopError::Empty);
        }
        // The loop's head is put at the start of a line of every cache, as alignment would.
        let backward = |line: &AsmLine| {
            let instruction = &line.instruction;
            is_jump(instruction) && instruction.near_branch_target() <= instruction.ip()
        };
        let closing = assembly
            .lines
            .iter()
            .rfind(|line| backward(line))
            .ok_or(LoopError::NoLoop)?;
        let past_a_line = closing.instruction.near_branch_target() % ALIGNMENT;
        if past_a_line != 0 {
            let base = BASE_ADDRESS + ALIGNMENT - past_a_line;
            assembly = assembly.moved(base).map_err(LoopError::Assembly)?;
        }
        let fill = fill_of(&assembly.directives)?;
        let mut start = Interpreter::new(fill);
        for (line, name, words) in &assembly.directives {
            if let ("ring", [bytes]) = (name.as_str(), &words[..]) {
                let bytes = bytes.parse().ok().filter(|&bytes| bytes > 0);
                let bytes = bytes.ok_or_else(|| not_bytes(*line, &words[0]))?;
                start.keep_to_ring(RING, bytes);
            } else if name == "set" {
                set_register(&mut start, *line, words)?;
            }
        }
        let mut setup = assembly.lines;
        let last = setup.iter().rposition(backward).ok_or(LoopError::NoLoop)?;
        let target = setup[last].instruction.near_branch_target();
        let first = setup
            .iter()
            .position(|line| line.instruction.ip() == target);
        let first = first.ok_or(LoopError::NoLoop)?;
        setup.truncate(last + 1);
        let body = setup.split_off(first);
        check_body(&body)?;
        for line in &setup {
            start.step(&line.instruction);
        }
        Ok(Self { body, setup, start })
    }

    /// The loop `body`, its closing jump last, with registers and memory as in `start`.
    pub(super) fn with_start(body: Vec<AsmLine>, start: Interpreter) -> Self {
        Self {
            body,
            setup: Vec::new(),
            start,
        }
    }

    /// The body split for `machine`.
    #[must_use]
    pub fn build(&self, machine: &'static Machine) -> Built {
        let instructions: Vec<Instruction> =
            self.body.iter().map(|line| line.instruction).collect();
        build_program(machine, &instructions)
    }

    /// Executes `iterations` iterations. Also returns how many branches had unknown flags.
    ///
    /// # Errors
    /// [`LoopError::TooLong`] when an inner loop does not end.
    pub fn steps(&self, iterations: u64) -> Result<(Vec<Step>, u64), LoopError> {
        let mut state = self.start.clone();
        let mut steps = Vec::new();
        let first = self.body.first().map_or(0, |line| line.instruction.ip());
        let closing = self.body.len() - 1;
        for _ in 0..iterations {
            let mut at = 0;
            for count in 0.. {
                if count == MAX_ITERATION_STEPS {
                    return Err(LoopError::TooLong);
                }
                let instruction = &self.body[at].instruction;
                let memory_address = state.memory_address(instruction);
                let mut next_address = state.step(instruction);
                if at == closing {
                    // The loop goes on for as long as asked, whatever its counter says.
                    next_address = first;
                }
                let inst = u32::try_from(at).unwrap_or(u32::MAX);
                steps.push(Step {
                    inst,
                    memory_address,
                    next_address,
                });
                if at == closing {
                    break;
                }
                at = match self
                    .body
                    .iter()
                    .position(|line| line.instruction.ip() == next_address)
                {
                    Some(next) => next,
                    None => closing,
                };
            }
        }
        let unknown = state.unknown_branches;
        Ok((steps, unknown))
    }
}

fn is_jump(instruction: &Instruction) -> bool {
    instruction.is_jcc_short_or_near() || instruction.is_jmp_short_or_near()
}

fn error_at(line: &AsmLine, what: &str, hint: &str) -> AsmError {
    AsmError {
        line: line.line,
        column: line.column,
        what: what.to_string(),
        hint: hint.to_string(),
    }
}

fn check_body(body: &[AsmLine]) -> Result<(), LoopError> {
    use iced_x86::FlowControl as F;
    let inside = |address: u64| body.iter().any(|line| line.instruction.ip() == address);
    for line in body {
        let instruction = &line.instruction;
        match instruction.flow_control() {
            F::Next => {}
            _ if is_jump(instruction) => {
                if !inside(instruction.near_branch_target()) {
                    let what = format!("`{}` jumps out of the loop", line.text);
                    let hint = "put its target before the jump that closes the loop";
                    return Err(LoopError::JumpOutside(error_at(line, &what, hint)));
                }
            }
            _ => {
                let what = format!("`{}` leaves the loop", line.text);
                let hint = "a pasted loop has no calls; profile the function with --function";
                return Err(LoopError::NotALoop(error_at(line, &what, hint)));
            }
        }
    }
    Ok(())
}

fn directive_error(line: usize, what: String, hint: &str) -> LoopError {
    LoopError::Directive(AsmError {
        line,
        column: 1,
        what,
        hint: hint.to_string(),
    })
}

fn not_bytes(line: usize, word: &str) -> LoopError {
    let what = format!("`{word}` is not a number of bytes");
    directive_error(line, what, "write it in decimal")
}

fn fill_of(directives: &[(usize, String, Vec<String>)]) -> Result<MemoryFill, LoopError> {
    let mut fill = MemoryFill::default();
    for (line, name, words) in directives {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        fill = match (name.as_str(), &words[..]) {
            ("set", _) | ("ring", [_]) => continue,
            ("memory", ["self"]) => MemoryFill::OwnAddress,
            ("memory", ["zero"]) => MemoryFill::Zero,
            ("memory", ["numbers"]) => MemoryFill::RandomNumbers,
            ("memory", ["lines", bytes]) => match bytes.parse() {
                Ok(bytes) => MemoryFill::RandomLines(bytes),
                Err(_) => return Err(not_bytes(*line, bytes)),
            },
            _ => {
                let what = format!("`@{name} {}` is not understood", words.join(" "));
                let hint = "there are `@set REGISTER VALUE`, `@ring BYTES` and \
                            `@memory self|zero|numbers|lines BYTES`";
                return Err(directive_error(*line, what, hint));
            }
        };
    }
    Ok(fill)
}

fn set_register(start: &mut Interpreter, line: usize, words: &[String]) -> Result<(), LoopError> {
    let [name, value] = words else {
        let what = "`@set` takes a register and a value".to_string();
        return Err(directive_error(line, what, "write it as `# @set rcx 10`"));
    };
    let register = iced_x86::Register::values()
        .find(|r| r.is_gpr64() && format!("{r:?}").eq_ignore_ascii_case(name));
    let value = super::assembler::parse_value(value);
    let (Some(register), Some(value)) = (register, value) else {
        let what = format!("`@set {} …` is not understood", name);
        return Err(directive_error(line, what, "write it as `# @set rcx 10`"));
    };
    start.set(register, value.cast_unsigned());
    Ok(())
}
