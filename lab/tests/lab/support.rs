//! Running the program, and fixtures.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use titledex_command::catalogue::{Bound, read_rows, write_index};

/// The result of a run.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    /// Fails unless the run ended with this exit code.
    #[track_caller]
    pub(crate) fn ended(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "standard error: {}", self.err);
        self
    }
}

/// Runs the program.
pub(crate) fn run(args: &[&str]) -> Ran {
    let output = Command::new(env!("CARGO_BIN_EXE_titledex-lab"))
        .args(args)
        .output()
        .expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("the output is UTF-8");
    Ran {
        code: output.status.code(),
        out: text(output.stdout),
        err: text(output.stderr),
    }
}

/// A file of the small catalogue.
pub(crate) fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../fixtures/catalogue-small")
        .join(name)
}

/// The small catalogue as an index, built once.
pub(crate) fn small_index() -> &'static str {
    static INDEX: OnceLock<(tempfile::TempDir, String)> = OnceLock::new();
    let (_, path) = INDEX.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("small.index");
        let (cards, sets) = (fixture("cards.jsonl"), fixture("sets.jsonl"));
        let rows = read_rows(&[cards], Some(&sets), &[], &path, &Bound::default())
            .unwrap_or_else(|failure| panic!("{failure:?}"));
        write_index(&rows, &path, None).unwrap_or_else(|failure| panic!("{failure:?}"));
        let path = path.to_str().expect("the path is UTF-8").to_owned();
        (folder, path)
    });
    path
}
