//! Which compare and jump become one.

use iced_x86::{ConditionCode, Instruction, Mnemonic, OpKind};

use crate::pipeline::machine::Machine;

/// Whether `machine` fuses `first` with the conditional jump `jump` right after it.
///
/// Source: Intel, Optimization Reference Manual, macro-fusion; Agner Fog, microarchitecture manual,
/// the tables of fusible pairs; AMD, Software Optimization Guide for Zen 4, branch fusion.
pub(super) fn fuses(machine: &Machine, first: &Instruction, jump: &Instruction) -> bool {
    use Mnemonic as M;
    let condition = jump.condition_code();
    let is_near = jump.is_jcc_short_or_near();
    if first.next_ip() != jump.ip()
        || !machine.fuses_compare_and_branch
        || !is_near
        || condition == ConditionCode::None
    {
        return false;
    }
    let memory = (0..first.op_count()).any(|i| first.op_kind(i) == OpKind::Memory);
    let immediate = (0..first.op_count())
        .any(|i| !matches!(first.op_kind(i), OpKind::Memory | OpKind::Register));
    if memory && (immediate || !matches!(first.mnemonic(), M::Cmp | M::Test)) {
        return false;
    }
    let reads_carry = matches!(
        condition,
        ConditionCode::b | ConditionCode::ae | ConditionCode::be | ConditionCode::a
    );
    let reads_rare_flag = matches!(
        condition,
        ConditionCode::o
            | ConditionCode::no
            | ConditionCode::s
            | ConditionCode::ns
            | ConditionCode::p
            | ConditionCode::np
    );
    match first.mnemonic() {
        M::Test => true,
        M::And => machine.fuses_arithmetic_and_branch,
        M::Cmp => !reads_rare_flag,
        M::Add | M::Sub => machine.fuses_arithmetic_and_branch && !reads_rare_flag,
        M::Inc | M::Dec => machine.fuses_arithmetic_and_branch && !reads_rare_flag && !reads_carry,
        _ => false,
    }
}
