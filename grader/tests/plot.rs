//! The recorded footprints of the book: they can be read, and the committed pictures are theirs.

use std::{fs, path::Path, process::Command};

fn plot(recorded: &Path, picture: &Path) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_grader"))
        .arg("plot")
        .args([recorded, picture])
        .output()
        .expect("the grader starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), said)
}

#[test]
fn the_books_pictures_are_drawn_from_the_recordings_beside_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../book/src/memory/four-programs");
    let scratch = tempfile::tempdir().unwrap();
    for program in ["stockfish", "rustc", "povray", "xz"] {
        let picture = scratch.path().join(program);
        let (code, said) = plot(&folder.join(program).with_extension("json"), &picture);
        assert_eq!(code, Some(0), "{said}");
        let committed = fs::read_to_string(folder.join(program).with_extension("svg")).unwrap();
        let drawn = fs::read_to_string(&picture).unwrap();
        assert_eq!(drawn, committed, "{program}: `cargo make figures` draws it");
    }
}

#[test]
fn a_file_that_holds_no_footprint_is_named_and_the_old_picture_stays() {
    let scratch = tempfile::tempdir().unwrap();
    let recorded = scratch.path().join("other.json");
    let picture = scratch.path().join("old.svg");
    fs::write(&recorded, "{\"labs\": []}").unwrap();
    fs::write(&picture, "old").unwrap();
    let (code, said) = plot(&recorded, &picture);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("other.json holds no footprint"), "{said}");
    assert!(said.contains("footprint --json"), "{said}");
    assert_eq!(fs::read_to_string(&picture).unwrap(), "old");
}
