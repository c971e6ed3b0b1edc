//! A copy of the course with one lab, and the grader run in it.

use std::fmt;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, MutexGuard, OnceLock};
use std::time::{Duration, Instant};

const LAB: &str = "labs/memory/loop-interchange";

/// The copy, as it was committed; dropped, it is free for the next test.
pub(crate) struct CourseCopy {
    root: PathBuf,
    tools: tempfile::TempDir,
    _turn: MutexGuard<'static, ()>,
}

/// How the grader ended.
pub(crate) struct Run {
    pub(crate) exit: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl CourseCopy {
    /// Waits for its turn and puts everything back to its committed state.
    pub(crate) fn fresh() -> Self {
        static TURN: Mutex<()> = Mutex::new(());
        static ROOT: OnceLock<PathBuf> = OnceLock::new();
        // A test that failed in its turn leaves nothing that the next does not reset.
        let turn = TURN
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let root = ROOT.get_or_init(copy_course).clone();
        git(
            &root,
            &["checkout", "--quiet", "--force", "HEAD", "--", "."],
        );
        git(&root, &["clean", "-fdxq"]);
        let tools = tempfile::tempdir().unwrap();
        Self {
            root,
            tools,
            _turn: turn,
        }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn lab(&self, file: &str) -> PathBuf {
        self.root.join(LAB).join(file)
    }

    pub(crate) fn read(&self, file: &str) -> String {
        fs::read_to_string(self.lab(file)).unwrap()
    }

    pub(crate) fn write_solution(&self, text: &str) {
        fs::write(self.lab("src/solution.rs"), text).unwrap();
    }

    pub(crate) fn progress(&self) -> String {
        fs::read_to_string(self.root.join(".cyclewise/progress.json")).unwrap_or_default()
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        run_in(&self.root, arguments)
    }

    pub(crate) fn grade(&self, arguments: &[&str]) -> Run {
        self.run(&[&["grade"], arguments].concat())
    }

    pub(crate) fn grade_json(&self, arguments: &[&str]) -> Run {
        self.run(&[&["grade", "--format", "json"], arguments].concat())
    }

    /// Grades with more in the environment.
    pub(crate) fn grade_json_with(&self, name: &str, value: &str) -> Run {
        let arguments = ["grade", "--format", "json", "--no-cache"];
        ended(grader(&self.root, &arguments).env(name, value))
    }

    pub(crate) fn run_with_path(&self, arguments: &[&str], path: &Path) -> Run {
        ended(
            grader(&self.root, arguments)
                .env("PATH", path)
                .env("HOME", home()),
        )
    }

    /// A folder with links to all that a grade needs but Valgrind.
    pub(crate) fn tools_without_valgrind(&self) -> PathBuf {
        for tool in [
            "cargo", "rustc", "cc", "gcc", "ld", "as", "ar", "git", "tar", "sh", "setarch", "true",
        ] {
            let path = std::env::var_os("PATH").unwrap();
            let found = std::env::split_paths(&path)
                .map(|folder| folder.join(tool))
                .find(|f| f.is_file());
            let link = self.tools.path().join(tool);
            if let Some(found) = found.filter(|_| !link.exists()) {
                // rustup's programs look at the name by which they are called.
                let script = format!("#!/bin/sh\nexec {} \"$@\"\n", found.display());
                if tool == "sh" {
                    std::os::unix::fs::symlink(found, link).unwrap();
                } else {
                    fs::write(&link, script).unwrap();
                    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
                    fs::set_permissions(&link, mode).unwrap();
                }
            }
        }
        self.tools.path().to_path_buf()
    }

    /// Grades where no file may grow, as on a full disk.
    pub(crate) fn grade_without_room(&self) -> Run {
        let program = env!("CARGO_BIN_EXE_grader");
        let script = format!("trap '' XFSZ; ulimit -f 0; exec {program} grade");
        let mut command = Command::new("bash");
        ended(
            command
                .args(["-c", &script])
                .current_dir(&self.root)
                .envs(environment()),
        )
    }

    /// Starts a grade, waits until it says `word` and a moment longer, and presses Ctrl-C.
    pub(crate) fn interrupt_grade(&self, moment: Duration, word: &str) -> Run {
        let mut command = grader(&self.root, &["grade"]);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stderr = child.stderr.take().unwrap();
        let mut said = Vec::new();
        while !String::from_utf8_lossy(&said).contains(word) {
            let mut byte = [0];
            assert_eq!(
                stderr.read(&mut byte).unwrap(),
                1,
                "{}",
                String::from_utf8_lossy(&said)
            );
            said.push(byte[0]);
        }
        std::thread::sleep(moment);
        let pid = child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-INT", &pid])
                .status()
                .unwrap()
                .success()
        );
        stderr.read_to_end(&mut said).unwrap();
        let output = child.wait_with_output().unwrap();
        Run {
            exit: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&said).into_owned(),
        }
    }

    /// Whether a gate of the copy is still running; it is given a moment to end.
    pub(crate) fn is_anything_running(&self) -> bool {
        let deadline = Instant::now() + Duration::from_secs(5);
        let is_running = || {
            let found = Command::new("pgrep")
                .args(["-f", "correct-[0-9a-f]+ gate"])
                .output();
            found.is_ok_and(|output| output.status.success())
        };
        while is_running() {
            if Instant::now() > deadline {
                return true;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        false
    }
}

/// Runs the grader in a folder.
pub(crate) fn run_in(folder: &Path, arguments: &[&str]) -> Run {
    ended(&mut grader(folder, arguments))
}

impl Run {
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub(crate) fn only_grade(&self) -> serde_json::Value {
        self.json()["labs"][0].clone()
    }

    #[track_caller]
    pub(crate) fn assert_exit(&self, code: i32) {
        assert_eq!(self.exit, Some(code), "{self:?}");
    }

    #[track_caller]
    pub(crate) fn assert_says(&self, words: &[&str]) {
        for word in words {
            assert!(self.stdout.contains(word), "no `{word}` in {self:?}");
        }
    }

    #[track_caller]
    pub(crate) fn assert_complains(&self, words: &[&str]) {
        for word in words {
            assert!(self.stderr.contains(word), "no `{word}` in {self:?}");
        }
    }

    #[track_caller]
    pub(crate) fn assert_detail(&self, words: &[&str]) {
        let detail = self.only_grade()["detail"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        for word in words {
            assert!(detail.contains(word), "no `{word}` in {detail}");
        }
    }
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            exit,
            stdout,
            stderr,
        } = self;
        write!(
            f,
            "exit {exit:?}\n--- stdout\n{stdout}\n--- stderr\n{stderr}"
        )
    }
}

fn grader(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grader"));
    command
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .envs(environment());
    command
}

/// The workspace's target folder, so that other people's crates are built once.
fn environment() -> [(&'static str, PathBuf); 3] {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .parent()
        .unwrap()
        .to_path_buf();
    [
        ("CARGO_TARGET_DIR", target),
        ("NO_COLOR", "1".into()),
        ("CARGO_NET_OFFLINE", "true".into()),
    ]
}

fn home() -> std::ffi::OsString {
    std::env::var_os("HOME").unwrap_or_default()
}

fn ended(command: &mut Command) -> Run {
    let output = command.output().unwrap();
    Run {
        exit: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Copies what one lab needs and commits it.
fn copy_course() -> PathBuf {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("course");
    if root.exists() {
        fs::remove_dir_all(&root).unwrap();
    }
    for folder in ["labs/kit", LAB, "grader/runner"] {
        copy_folder(&workspace.join(folder), &root.join(folder));
    }
    for file in ["Cargo.lock", "rust-toolchain.toml"] {
        fs::copy(workspace.join(file), root.join(file)).unwrap();
    }
    let manifest = fs::read_to_string(workspace.join("Cargo.toml")).unwrap();
    let mut manifest: toml::Table = manifest.parse().unwrap();
    let section = manifest["workspace"].as_table_mut().unwrap();
    section["members"] = vec!["labs/kit", "labs/memory/*", "grader/runner"].into();
    section["package"]["version"] = "0.1.0+test".into();
    let profiles = manifest["profile"].as_table_mut().unwrap();
    // Settings for packages that the copy does not hold only make cargo complain.
    for (_, profile) in profiles.iter_mut() {
        if let Some(packages) = profile
            .get_mut("package")
            .and_then(toml::Value::as_table_mut)
        {
            packages.retain(|name, _| name == "*");
        }
    }
    fs::write(root.join("Cargo.toml"), manifest.to_string()).unwrap();
    fs::write(root.join(".gitignore"), "*.kept-*\n.cyclewise\n").unwrap();
    // Cargo drops from the lock file what the copy does not need; that is no reader's edit.
    let mut metadata = Command::new("cargo");
    metadata
        .args(["metadata", "--format-version=1", "--offline"])
        .current_dir(&root);
    assert!(metadata.output().unwrap().status.success());
    git(&root, &["init", "--quiet"]);
    git(&root, &["add", "--all"]);
    let author = ["-c", "user.name=Test", "-c", "user.email=test@localhost"];
    git(
        &root,
        &[&author[..], &["commit", "--quiet", "-m", "course"]].concat(),
    );
    root
}

fn git(root: &Path, arguments: &[&str]) {
    let status = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(arguments)
        .status()
        .unwrap();
    assert!(status.success(), "git {arguments:?}");
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let into = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy_folder(&path, &into);
        } else {
            fs::copy(&path, into).unwrap();
        }
    }
    // What a reader edited is no part of the tests: the lab starts untouched.
    let baseline = to.join("baseline.rs");
    if baseline.exists() {
        let fresh = grader::course::fresh_solution(&fs::read_to_string(baseline).unwrap());
        fs::write(to.join("solution.rs"), fresh).unwrap();
    }
}
