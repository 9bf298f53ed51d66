//! Running the binary and finding fixtures.

use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::thread;

/// The result of a run.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    /// Standard output as JSON Lines.
    pub(crate) fn answers(&self) -> Vec<Value> {
        self.out
            .lines()
            .map(|line| {
                serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
            })
            .collect()
    }

    /// Fails unless the run ended with this exit code.
    #[track_caller]
    pub(crate) fn ended(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "standard error: {}", self.err);
        self
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("the output is UTF-8");
        Self {
            code: output.status.code(),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }
}

/// The binary, with an environment that does not set colours.
pub(crate) fn titledex() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_titledex"));
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
        command.env_remove(variable);
    }
    command
}

/// Runs the binary with an empty standard input.
pub(crate) fn run(args: &[&str]) -> Ran {
    run_on(args, b"")
}

/// Runs the binary on `input`.
pub(crate) fn run_on(args: &[&str], input: &[u8]) -> Ran {
    let (child, feeding) = start_on(args, input);
    let output = child.wait_with_output().expect("the process ends");
    feeding.join().expect("feeding ends");
    output.into()
}

/// Starts the binary with a thread that feeds it `input`.
pub(crate) fn start_on(args: &[&str], input: &[u8]) -> (Child, thread::JoinHandle<()>) {
    let mut command = titledex();
    command
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("standard input is piped");
    let input = input.to_vec();
    // Fails if the process ends before it has read all, as it may.
    let feeding = thread::spawn(move || drop(stdin.write_all(&input)));
    (child, feeding)
}

/// Runs lines of a page in `folder`, as they are printed.
pub(crate) fn shell(lines: &str, folder: &Path) -> Ran {
    let program = Path::new(env!("CARGO_BIN_EXE_titledex"));
    let programs = program.parent().expect("it is in a folder");
    let others = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(programs.to_owned()).chain(std::env::split_paths(&others));
    let path = std::env::join_paths(paths).expect("no path has a colon");
    let mut bash = Command::new("bash");
    bash.args(["-euo", "pipefail", "-c", lines]);
    bash.current_dir(folder).env("PATH", &path);
    bash.env("PYTHONIOENCODING", "utf-8");
    Ran::from(bash.output().expect("bash runs"))
}

/// A file of the small catalogue.
pub(crate) fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../fixtures/catalogue-small")
        .join(name);
    path.to_str().expect("the path is UTF-8").to_owned()
}

/// The small catalogue as an index, built once.
pub(crate) fn small_index() -> &'static str {
    static INDEX: OnceLock<(tempfile::TempDir, String)> = OnceLock::new();
    let (_, path) = INDEX.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder
            .path()
            .join("small.index")
            .to_str()
            .expect("the path is UTF-8")
            .to_owned();
        run(&[
            "catalogue",
            "build",
            &fixture("cards.jsonl"),
            "--sets",
            &fixture("sets.jsonl"),
            "-o",
            &path,
        ])
        .ended(0);
        (folder, path)
    });
    path
}

/// A file or folder of the repository.
pub(crate) fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// The data next to a developer's checkout, if it is there.
pub(crate) fn shared(name: &str) -> Option<PathBuf> {
    let path = repository("../shared").join(name);
    path.exists().then_some(path)
}
