//! What the command says about texts that are not loops: where, why, and what to do.

#![allow(clippy::unwrap_used, reason = "a helper of tests may fail like a test")]

use grader::pipeline::{Analysis, Request, analyze};
use models::pipeline::machines::SKYLAKE;

fn analyze_text(text: &str) -> Result<Analysis, String> {
    let request = Request {
        name: "text",
        text,
        machine: &SKYLAKE,
        iterations: 60,
        followed: 0..0,
    };
    analyze(&request).map_err(|error| error.to_string())
}

#[track_caller]
fn refused(text: &str, parts: &[&str]) {
    let message = analyze_text(text).unwrap_err();
    for part in parts {
        assert!(message.contains(part), "`{part}` is not in: {message}");
    }
}

#[test]
fn an_unknown_mnemonic_is_pointed_at() {
    refused(
        "loop:\n  adx rax, rbx\n jnz loop",
        &["line 2, column 3", "`adx`", "spelling"],
    );
}

#[test]
fn a_bad_operand_is_pointed_at() {
    refused(
        "loop: add rax, [rsi+rqx]\n jnz loop",
        &["line 1, column 21", "`rqx`", "registers are"],
    );
    refused(
        "loop: add rax, xmm0\n jnz loop",
        &["line 1, column 7", "operands"],
    );
}

#[test]
fn an_empty_text_is_refused() {
    refused(
        "# nothing but a comment",
        &["no instruction", "add the loop's body"],
    );
}

#[test]
fn a_text_without_a_loop_is_told_how_to_close_it() {
    refused("add rax, rbx", &["nothing jumps back", "jnz loop"]);
}

#[test]
fn a_jump_outside_is_pointed_at() {
    let text = "loop:\n add rax, 1\n jz out\n dec rcx\n jnz loop\nout:\n nop";
    refused(
        text,
        &[
            "line 3",
            "jumps out of the loop",
            "before the jump that closes",
        ],
    );
}

#[test]
fn a_jump_to_nowhere_is_pointed_at() {
    refused(
        "loop: jz nowhere\n jnz loop",
        &["column 10", "no label `nowhere`", "add the line"],
    );
}

#[test]
fn a_call_is_not_part_of_a_pasted_loop() {
    refused(
        "loop:\n call loop\n jnz loop",
        &["line 2", "leaves the loop", "--function"],
    );
}

#[test]
fn an_inner_loop_that_does_not_end_is_noticed() {
    let text = "loop:\ninner: add rax, 1\n test rbx, rbx\n jnz inner\n dec rcx\n jnz loop";
    refused(text, &["inner loop does not end", "@set"]);
}

#[test]
fn an_instruction_without_figures_is_named_and_counted() {
    let analysis = analyze_text("loop: cpuid\n dec rcx\n jnz loop").unwrap();
    assert_eq!(analysis.unknown.len(), 1);
    assert!(
        analysis.unknown[0].contains("line 1: cpuid"),
        "{:?}",
        analysis.unknown
    );
}

#[test]
fn a_directive_that_is_not_understood_is_refused() {
    refused(
        "# @memory cloud\nloop: nop\n jnz loop",
        &["line 1", "@memory cloud", "there are"],
    );
}
