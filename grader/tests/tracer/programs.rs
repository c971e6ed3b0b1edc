//! Compiles the committed programs, each once per test run.

use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::Mutex,
};

/// Programs whose whole run is compared with other tools: one thread, no randomness,
/// nothing that depends on the tool that looks on.
pub(crate) const SMALL: [&str; 10] = [
    "sequential",
    "strided",
    "columns",
    "tree",
    "random",
    "sorting",
    "copying",
    "unaligned",
    "counters",
    "strings",
];

static COMPILING: Mutex<()> = Mutex::new(());

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs")
}

fn compiled(compiler: &str, source: &Path, options: &[&str], name: &str) -> PathBuf {
    let output = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // One at a time: the tests of this binary share the files.
    let _one = COMPILING
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let status = Command::new(compiler)
        .args(options)
        .arg("-o")
        .arg(&output)
        .arg(source)
        .status()
        .unwrap_or_else(|why| panic!("cannot run {compiler}: {why}"));
    assert!(
        status.success(),
        "{compiler} could not compile {}",
        source.display()
    );
    output
}

const RUST_OPTIONS: [&str; 4] = [
    "--edition=2024",
    "-O",
    "-Cdebuginfo=1",
    "-Ctarget-cpu=x86-64-v2",
];

/// A Rust program of `tests/programs`, optimised and with line numbers.
pub(crate) fn rust(name: &str) -> PathBuf {
    let source = sources().join(format!("{name}.rs"));
    compiled("rustc", &source, &RUST_OPTIONS, name)
}

/// The same without the dynamic loader, every access of which two runs can be compared.
///
/// The loader of glibc 2.36 looks up each character of `LD_PRELOAD`, and up to three bytes behind
/// it, in a table on the stack. Those bytes are the random ones that the kernel gives every program,
/// so in one run of ten or so an interval touches another line of the table.
pub(crate) fn static_rust(name: &str) -> PathBuf {
    let source = sources().join(format!("{name}.rs"));
    let mut options = RUST_OPTIONS.to_vec();
    options.push("-Ctarget-feature=+crt-static");
    compiled("rustc", &source, &options, &format!("{name}-static"))
}

/// A C program of `tests/programs`, with more options.
pub(crate) fn c(name: &str, options: &[&str], output: &str) -> PathBuf {
    compiled("cc", &sources().join(format!("{name}.c")), options, output)
}

/// The listing of the tracer's examples.
pub(crate) fn listing() -> PathBuf {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("tracer/examples");
    let options = ["-O2", "-fno-tree-vectorize", "-fno-unroll-loops", "-g"];
    compiled("cc", &examples.join("listing.c"), &options, "listing")
}
