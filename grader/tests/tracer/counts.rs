//! Instruction counts against Callgrind's.

use crate::programs;
use grader::tracer::{
    Program, Request, Tool, request::Analysis, self_check::callgrind_instructions,
};

#[test]
fn instructions_are_within_ten_millionths_of_callgrinds() {
    let tool = Tool::prepare().unwrap();
    for name in programs::SMALL {
        let path = programs::rust(name);
        let program = Program::find(path.as_os_str(), Vec::new()).unwrap();
        let outcome = tool.run(&program, &Request::new(Analysis::Count)).unwrap();
        let ours = outcome.main().end.as_ref().unwrap().instructions;
        let theirs = callgrind_instructions(&tool, &program).unwrap();
        assert!(
            ours.abs_diff(theirs) * 100_000 <= theirs,
            "{name}: {ours} instructions, Callgrind {theirs}"
        );
    }
}
