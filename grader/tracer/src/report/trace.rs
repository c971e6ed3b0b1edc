//! The lines of a trace.

use super::Json;
use crate::{code::Instruction, trace::Trace, valgrind::symbols};
use core::fmt::{self, Write};

/// Bytes as pairs of hexadecimal digits.
struct Hexadecimal<'a>(&'a [u8]);

impl fmt::Display for Hexadecimal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Writes the text that the trace has gathered, and forgets it.
pub(crate) fn steps(out: &mut dyn Write, trace: &mut Trace) -> fmt::Result {
    if trace.text.is_empty() {
        return Ok(());
    }
    writeln!(out, "{{\"steps\":\"{}\"}}", trace.text)?;
    trace.text.clear();
    Ok(())
}

/// Writes the instructions of the trace, and what it covers.
pub(crate) fn code(out: &mut dyn Write, trace: &Trace, names: bool) -> fmt::Result {
    for (number, instruction) in trace.code.used() {
        write!(
            out,
            "{{\"code\":{{\"number\":{number},\"address\":{},\"bytes\":\"{}\"",
            instruction.address,
            Hexadecimal(instruction.bytes())
        )?;
        write_object(out, instruction)?;
        if names {
            write_frames(out, instruction)?;
        }
        out.write_str("}}\n")?;
    }
    writeln!(
        out,
        "{{\"trace\":{{\"instructions\":{},\"calls\":{}}}}}",
        trace.recorded, trace.entries
    )
}

fn write_object(out: &mut dyn Write, instruction: &Instruction) -> fmt::Result {
    let &Instruction { epoch, address, .. } = instruction;
    if let Some(object) = symbols::object(epoch, address) {
        write!(out, ",\"object\":{}", Json(&object))?;
    }
    if let Some(in_object) = symbols::address_in_object(epoch, address) {
        write!(out, ",\"object_address\":{in_object}")?;
    }
    Ok(())
}

fn write_frames(out: &mut dyn Write, instruction: &Instruction) -> fmt::Result {
    out.write_str(",\"frames\":[")?;
    let frames = symbols::frames(instruction.epoch, instruction.address);
    for (index, frame) in frames.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        write!(out, "{comma}{}", Json(frame))?;
    }
    out.write_char(']')
}
