use super::*;
use crate::tracer::scratch::Scratch;
use std::fs;

fn executable(scratch: &Scratch, name: &str, content: &[u8]) -> PathBuf {
    let path = scratch.path().join(name);
    fs::write(&path, content).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

fn find(path: &Path) -> Result<Program, TracerError> {
    Program::find(path.as_os_str(), Vec::new())
}

/// A header of 20 bytes for `machine`, of the 64-bit class or the 32-bit one.
fn elf(machine: u16, class: u8) -> Vec<u8> {
    let mut header = b"\x7fELF".to_vec();
    header.push(class);
    header.resize(18, 0);
    header.extend(machine.to_le_bytes());
    header
}

#[test]
fn missing_program_says_how_to_name_one_in_this_folder() {
    let error = Program::find("no-such-program".as_ref(), Vec::new()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "looked for the program `no-such-program` and found no such file in PATH; for one in this \
         folder, write ./ before its name"
    );
    assert!(error.is_usage());
}

#[test]
fn missing_path_is_usage() {
    let error = Program::find("./no/such/program".as_ref(), Vec::new()).unwrap_err();
    assert!(matches!(error, TracerError::NoProgram { .. }));
}

#[test]
fn file_without_permission_is_not_executable() {
    let scratch = Scratch::new().unwrap();
    let path = scratch.path().join("plain");
    fs::write(&path, elf(X86_64, 2)).unwrap();
    let error = find(&path).unwrap_err();
    assert!(matches!(
        error,
        TracerError::NotExecutable {
            found: "not executable",
            ..
        }
    ));
}

#[test]
fn folder_is_not_executable() {
    let scratch = Scratch::new().unwrap();
    let error = find(scratch.path()).unwrap_err();
    assert!(matches!(
        error,
        TracerError::NotExecutable {
            found: "a folder",
            ..
        }
    ));
}

#[test]
fn text_without_interpreter_is_not_executable() {
    let scratch = Scratch::new().unwrap();
    let path = executable(&scratch, "text", b"just some text that nothing can run");
    assert!(matches!(
        find(&path),
        Err(TracerError::NotExecutable { .. })
    ));
}

#[test]
fn program_for_another_machine_is_named() {
    let scratch = Scratch::new().unwrap();
    for (header, machine) in [
        (elf(183, 2), "64-bit Arm"),
        (elf(3, 1), "32-bit x86"),
        (elf(62, 1), "the x32 ABI"),
        (elf(9999, 2), "machine number 9999"),
    ] {
        let path = executable(&scratch, "foreign", &header);
        match find(&path) {
            Err(TracerError::WrongArchitecture { found, .. }) => assert_eq!(found, machine),
            other => panic!("expected {machine}, got {other:?}"),
        }
    }
}

#[test]
fn script_names_its_interpreter() {
    let scratch = Scratch::new().unwrap();
    let path = executable(&scratch, "script", b"#!/bin/sh -e\necho hello\n");
    let program = find(&path).unwrap();
    assert_eq!(program.interpreter.as_deref(), Some("/bin/sh -e"));
}

#[test]
fn program_in_path_is_found() {
    let program = Program::find("true".as_ref(), Vec::new()).unwrap();
    assert!(program.path.is_absolute());
    assert_eq!(program.interpreter, None);
}
