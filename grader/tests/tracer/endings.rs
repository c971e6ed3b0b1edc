//! Programs that cannot run, that end badly, or that are none; options that make no sense.

use crate::{
    command::{Printed, grader, json, run},
    programs,
};
use std::{
    ffi::OsStr,
    fs,
    os::unix::{fs::PermissionsExt as _, process::CommandExt as _},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

const USAGE: Option<i32> = Some(2);
const NOT_MEASURED: Option<i32> = Some(3);

fn footprint(program: &Path) -> Printed {
    run(&["footprint".as_ref(), "--".as_ref(), program.as_os_str()])
}

fn temporary(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn program_that_does_not_exist_is_usage() {
    let printed = footprint(Path::new("./no/such/program"));
    assert_eq!(printed.code, USAGE);
    assert!(
        printed.err.contains("found no such file"),
        "{}",
        printed.err
    );
    assert_eq!(printed.out, "");
}

#[test]
fn file_that_is_not_executable_is_usage() {
    let path = temporary("plain.txt");
    fs::write(&path, "text").unwrap();
    let printed = footprint(&path);
    assert_eq!(printed.code, USAGE);
    assert!(printed.err.contains("chmod +x"), "{}", printed.err);
}

#[test]
fn program_for_another_machine_is_named() {
    let path = temporary("foreign");
    let mut header = b"\x7fELF\x02\x01\x01".to_vec();
    header.resize(18, 0);
    header.extend(183u16.to_le_bytes());
    fs::write(&path, header).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let printed = footprint(&path);
    assert_eq!(printed.code, USAGE);
    assert!(printed.err.contains("64-bit Arm"), "{}", printed.err);
}

#[test]
fn static_program_is_measured() {
    let source = temporary("static.c");
    fs::write(&source, "int main(void) { return 0; }").unwrap();
    let program = temporary("static");
    let cc = Command::new("cc")
        .arg("-static")
        .arg("-o")
        .arg(&program)
        .arg(&source)
        .status();
    assert!(cc.is_ok_and(|status| status.success()));
    let printed = footprint(&program);
    assert_eq!(printed.code, Some(0), "{}", printed.err);
    assert!(
        printed.out.contains("instructions touched"),
        "{}",
        printed.out
    );
}

#[test]
fn script_says_that_its_interpreter_is_measured() {
    let path = temporary("script.sh");
    fs::write(&path, "#!/bin/sh\nexit 0\n").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let printed = footprint(&path);
    assert_eq!(printed.code, Some(0), "{}", printed.err);
    assert!(
        printed.err.contains("its interpreter, /bin/sh"),
        "{}",
        printed.err
    );
}

#[test]
fn avx_512_is_named_with_the_flag_that_avoids_it() {
    let program = programs::c("avx512", &["-O1"], "avx512");
    let printed = footprint(&program);
    assert_eq!(printed.code, NOT_MEASURED);
    assert!(printed.err.contains("AVX-512"), "{}", printed.err);
    assert!(
        printed.err.contains("target-cpu=x86-64-v3"),
        "{}",
        printed.err
    );
}

#[test]
fn crash_shows_what_was_seen() {
    let printed = footprint(&programs::rust("crashing"));
    assert_eq!(printed.code, NOT_MEASURED);
    assert!(printed.err.contains("SIGSEGV"), "{}", printed.err);
    assert!(
        printed.out.contains("instructions touched"),
        "{}",
        printed.out
    );
}

#[test]
fn kill_shows_the_intervals_until_then() {
    let program = programs::rust("killed");
    let program = program.as_os_str();
    let arguments = ["footprint", "--interval=1k", "--"].map(OsStr::new);
    let printed = run(&[arguments[0], arguments[1], arguments[2], program]);
    assert_eq!(printed.code, NOT_MEASURED, "{}", printed.err);
    assert!(printed.err.contains("SIGKILL"), "{}", printed.err);
    assert!(printed.out.lines().count() > 20, "{}", printed.out);
}

#[test]
fn fork_does_not_disturb_the_result() {
    let printed = footprint(&programs::rust("forking"));
    assert_eq!(printed.code, Some(0), "{}", printed.err);
    assert_eq!(
        printed.out.matches("whole run").count(),
        1,
        "{}",
        printed.out
    );
}

#[test]
fn interrupt_prints_what_was_seen_so_far() {
    let program = programs::rust("endless");
    for command in ["footprint", "reuse"] {
        let mut grader = grader(&[command.as_ref(), "--".as_ref(), program.as_os_str()]);
        // A group of its own, so that the signal reaches the grader and the program alone, as a
        // terminal would send it.
        let grader = grader
            .process_group(0)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let child = grader.spawn().unwrap();
        wait_for(&program);
        thread::sleep(Duration::from_millis(300));
        let group = format!("-{}", child.id());
        let kill = Command::new("sh")
            .args(["-c", "kill -s INT -- $0", &group])
            .status();
        assert!(kill.is_ok_and(|status| status.success()));
        let printed: Printed = child.wait_with_output().unwrap().into();
        assert_eq!(printed.code, Some(130), "{}", printed.err);
        assert!(printed.err.contains("Ctrl-C"), "{}", printed.err);
        assert!(printed.out.contains("instructions"), "{}", printed.out);
    }
}

/// Waits until the tool that runs `program` has begun its result.
fn wait_for(program: &Path) {
    let patience = Instant::now() + Duration::from_secs(300);
    while !has_begun(program) {
        assert!(Instant::now() < patience, "the program was never started");
        thread::sleep(Duration::from_millis(20));
    }
}

fn has_begun(program: &Path) -> bool {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    processes.into_iter().any(|process| {
        let words = fs::read(process.path().join("cmdline")).unwrap_or_default();
        let words = String::from_utf8_lossy(&words);
        let mut words = words.split('\0');
        let prefix = words.find_map(|word| word.strip_prefix("--result-prefix="));
        let runs = words.any(|word| Path::new(word) == program);
        let folder = prefix.and_then(|prefix| Path::new(prefix).parent());
        let files = folder
            .into_iter()
            .flat_map(fs::read_dir)
            .flatten()
            .flatten();
        runs && files.into_iter().any(|file| {
            let name = file.file_name();
            let is_result = name.to_string_lossy().starts_with("result");
            is_result && file.metadata().is_ok_and(|data| data.len() > 0)
        })
    })
}

#[test]
fn output_of_the_program_does_not_mix_with_the_json() {
    let report = json(&["footprint", "--json", "--", "echo", "from the program"]);
    assert!(report["totals"]["instructions"].as_u64().unwrap() > 0);
    let printed = run(&["footprint", "--json", "--", "echo", "from the program"]);
    assert!(printed.err.contains("from the program"), "{}", printed.err);
}

#[test]
fn interval_of_zero_is_usage() {
    let printed = run(&["footprint", "--interval", "0", "--", "true"]);
    assert_eq!(printed.code, USAGE);
    assert!(printed.err.contains("at least 1"), "{}", printed.err);
}

#[test]
fn unit_that_is_no_power_of_two_is_usage() {
    let printed = run(&["footprint", "--unit", "100", "--", "true"]);
    assert_eq!(printed.code, USAGE);
    assert!(printed.err.contains("power of two"), "{}", printed.err);
}

#[test]
fn plot_that_cannot_be_written_stops_before_the_program_runs() {
    let printed = run(&[
        "footprint",
        "--plot",
        "/no/such/folder/plot.svg",
        "--",
        "echo",
        "ran",
    ]);
    assert_eq!(printed.code, NOT_MEASURED);
    assert!(
        printed.err.contains("/no/such/folder/plot.svg"),
        "{}",
        printed.err
    );
    assert!(!printed.err.contains("ran"), "{}", printed.err);
}

#[test]
fn function_that_is_never_called_is_not_measured() {
    let printed = run(&["footprint", "--function", "no_such_function", "--", "true"]);
    assert_eq!(printed.code, NOT_MEASURED);
    assert!(printed.err.contains("never called"), "{}", printed.err);
}

#[test]
fn exit_code_of_the_program_is_noted() {
    let printed = run(&["footprint", "--", "false"]);
    assert_eq!(printed.code, Some(0));
    assert!(printed.err.contains("exit code 1"), "{}", printed.err);
}

#[test]
fn missing_archives_name_the_package() {
    let printed: Printed = grader(&["footprint", "--", "true"])
        .env("VALGRIND_PREFIX", "/no/such/folder")
        .env("CARGO_TARGET_DIR", temporary("without-valgrind"))
        .output()
        .unwrap()
        .into();
    assert_eq!(printed.code, NOT_MEASURED, "{}", printed.err);
    assert!(
        printed.err.contains("apt install valgrind"),
        "{}",
        printed.err
    );
    assert!(!printed.err.contains("cargo failed"), "{}", printed.err);
}

#[test]
fn missing_valgrind_names_the_package() {
    let printed: Printed = grader(&["footprint", "--", "/bin/true"])
        .env("PATH", "/no/such/folder")
        .output()
        .unwrap()
        .into();
    assert_eq!(printed.code, NOT_MEASURED, "{}", printed.err);
    assert!(
        printed.err.contains("apt install valgrind"),
        "{}",
        printed.err
    );
}

#[test]
fn unknown_lab_is_usage() {
    let printed = run(&["reuse", "no-such-lab"]);
    assert_eq!(printed.code, USAGE);
    assert!(
        printed.err.contains("no lab of this name"),
        "{}",
        printed.err
    );
}
