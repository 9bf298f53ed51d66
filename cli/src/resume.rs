//! Resuming an interrupted run: its progress is recorded in a small file next to its output.
//!
//! A run that writes `FILE` writes `FILE.part`, and before that `FILE.progress`: the input, the
//! settings, how far the input is answered, how long the part is with those answers, and a hash of
//! its end. That record is replaced at intervals, each time after what it describes is on the disk.
//! So wherever the process is killed, the record describes a prefix of the part that is complete;
//! `--resume` truncates the part to it and continues: nothing is lost or repeated. Answers depend
//! only on the title, so the result is byte for byte the same.
//!
//! Two runs of one output would each cut off what the other writes, so a run holds the lock on
//! `FILE.progress.lock` from before it reads the record until the file is in its place. The system releases
//! it when a process ends, however it ends.
//!
//! At the end the record says so, and the part is renamed to `FILE`, which is therefore complete or
//! what it was before. The record of a run with `--resume` stays, and tells the same command, given
//! again, that the file is its own; any other file it refuses.

mod checkpoints;
mod lock;
pub(crate) mod open;

pub(crate) use checkpoints::Checkpoints;
pub(crate) use lock::Lock;

use crate::counts::Counts;
use crate::input::Mark;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use titledex_command::Failure;
use titledex_command::files;
use titledex_command::output::options_for;
use titledex_command::source::{Identity, hash_before};

/// The parameters that determine the output of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Run {
    /// Version of the program.
    pub(crate) version: String,
    /// The input.
    pub(crate) input: Identity,
    /// Format of the input.
    pub(crate) from: String,
    /// The column of the titles.
    pub(crate) column: String,
    /// Format of the answers.
    pub(crate) format: String,
    /// Between the cells of the input.
    pub(crate) delimiter: Option<char>,
    /// The columns of the answers, if they are chosen.
    pub(crate) columns: Option<Vec<String>>,
    /// The outcomes of the answers that are written; all if there are none.
    pub(crate) only: Vec<String>,
    /// The least confidence of an answer that is written, in its shortest digits.
    pub(crate) min_confidence: Option<String>,
    /// Whether cells of CSV stay formulas.
    pub(crate) csv_exact: bool,
    /// Hash of the catalogue.
    pub(crate) catalogue: u64,
    /// Most cards in an answer.
    pub(crate) max_suggestions: usize,
    /// Whether misspelt names are matched.
    pub(crate) fuzzy: bool,
    /// Whether JSON is without how titles were read; a run of an earlier build says nothing of it.
    #[serde(default)]
    pub(crate) brief: bool,
}

/// How far a run has got.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Standing {
    /// How far the input is answered.
    pub(crate) at: Mark,
    /// Length of the output with these answers, in bytes.
    pub(crate) written: u64,
    /// Counts of these answers.
    pub(crate) counts: Counts,
}

/// The content of the progress file.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Record {
    run: Run,
    standing: Standing,
    /// Hash of the end of what is written.
    tail: u64,
    /// Whether that is everything.
    complete: bool,
}

/// The files of an output that is on its way.
#[derive(Clone, Debug)]
pub(crate) struct Partial {
    /// The output.
    pub(crate) output: PathBuf,
    /// What is written of it.
    pub(crate) part: PathBuf,
    /// The progress file.
    progress: PathBuf,
    /// The next progress file.
    new: PathBuf,
    /// The file whose lock a run holds.
    lock: PathBuf,
}

impl Partial {
    /// Those of `output`.
    pub(crate) fn of(output: &Path) -> Self {
        let ending = |ending: &str| {
            let mut name = OsString::from(output);
            name.push(ending);
            PathBuf::from(name)
        };
        Self {
            output: output.to_owned(),
            part: ending(".part"),
            progress: ending(".progress"),
            new: ending(".progress.new"),
            lock: ending(".progress.lock"),
        }
    }

    /// All of them.
    pub(crate) fn all(&self) -> [&Path; 5] {
        [
            &self.output,
            &self.part,
            &self.progress,
            &self.new,
            &self.lock,
        ]
        .map(PathBuf::as_path)
    }

    /// Removes the record.
    pub(crate) fn forget(&self) -> Result<(), Failure> {
        let _ = fs::remove_file(&self.new);
        fs::remove_file(&self.progress)
            .map_err(|error| Failure::file("remove", &self.progress, &error))
    }
}

/// What to do about an output.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    /// Write it from the beginning.
    Start,
    /// Continue from here.
    Resume(Standing),
    /// Rename its part, which is complete.
    Rename(Standing),
    /// Nothing: it is complete.
    Finished(Standing),
}

impl Plan {
    /// What to do about the output of `run`; `resume` says that an earlier run may have begun it.
    pub(crate) fn of(run: &Run, paths: &Partial, resume: bool) -> Result<Self, Failure> {
        let [output, part, progress, ..] = paths.all().map(files::name);
        let bytes = match fs::read(&paths.progress) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let is_there = |path: &PathBuf| path.symlink_metadata().is_ok();
                return match [&paths.part, &paths.output].map(is_there) {
                    [true, _] => Err(Failure::new(format!(
                        "{part} exists, and there is no {progress} that says which run wrote it: \
                         give -o another name, or remove it"
                    ))),
                    [false, true] if resume => Err(Failure::new(format!(
                        "cannot resume {output}: it exists, and there is no {progress} that says \
                         that it is of this run: give -o another name, or remove it to start again"
                    ))),
                    _ => Ok(Self::Start),
                };
            }
            Err(error) => return Err(Failure::file("read", &paths.progress, &error)),
        };
        let record: Record = serde_json::from_slice(&bytes).map_err(|error| {
            Failure::new(format!(
                "{progress} is not a progress file of titledex {} ({error}): give -o another name, or remove it",
                run.version
            ))
        })?;
        let renamed = record.complete && !paths.part.exists();
        if !resume {
            return if renamed {
                Ok(Self::Start)
            } else {
                Err(Failure::new(format!(
                    "{progress} says that a run which writes {output} was interrupted: add --resume to continue it, \
                     or remove {progress} and {part} to start again"
                )))
            };
        }
        let (held, again) = if renamed {
            (&paths.output, format!("{output} and {progress}"))
        } else {
            (&paths.part, format!("{progress} and {part}"))
        };
        let differences = differences(&record.run, run);
        if !differences.is_empty() {
            return Err(Failure::new(format!(
                "cannot resume {output}, because {} since it was begun: repeat the command on the input as it was, \
                 give -o another name, or remove {again} to start again",
                differences.join(", ")
            )));
        }
        let standing = record.standing;
        if standing == Standing::default() && !record.complete {
            return Ok(Self::Start);
        }
        let length = match fs::metadata(held) {
            Ok(metadata) => metadata.len(),
            Err(error) if error.kind() == ErrorKind::NotFound => 0,
            Err(error) => return Err(Failure::file("read", held, &error)),
        };
        let written = standing.written;
        if length < written || renamed && length != written {
            return Err(Failure::new(format!(
                "cannot resume {output}: {} has {length} bytes, but {progress} records {written}: \
                 restore the file, or remove {again} to start again",
                files::name(held)
            )));
        }
        let tail = hash_of(held, written).map_err(|error| Failure::file("read", held, &error))?;
        if tail != record.tail {
            return Err(Failure::new(format!(
                "cannot resume {output}: {} is not what the run of {progress} wrote: \
                 restore the file, or remove {again} to start again",
                files::name(held)
            )));
        }
        Ok(match record.complete {
            true if renamed => Self::Finished(standing),
            true => Self::Rename(standing),
            false => Self::Resume(standing),
        })
    }
}

/// Hash of the end of the first `written` bytes of a file; nothing is read of none.
fn hash_of(path: &Path, written: u64) -> io::Result<u64> {
    if written == 0 {
        return Ok(0);
    }
    hash_before(path, written)
}

/// The differences between `then` and `now`, in words.
fn differences(then: &Run, now: &Run) -> Vec<String> {
    let members = |run: &Run| match serde_json::to_value(run) {
        Ok(Value::Object(members)) => members,
        _ => serde_json::Map::new(),
    };
    let (then, now) = (members(then), members(now));
    let changed = then.iter().filter(|(key, was)| now.get(*key) != Some(*was));
    changed
        .map(|(key, was)| match now.get(key) {
            Some(is) if !is.is_object() && key != "catalogue" => {
                format!("`{key}` has changed from {was} to {is}")
            }
            _ => format!("the {key} has changed"),
        })
        .collect()
}

/// The progress file of an output that is being written.
#[derive(Debug)]
pub(crate) struct Progress {
    run: Run,
    paths: Partial,
}

impl Progress {
    /// The progress file among `paths`, of the output that `run` writes.
    pub(crate) fn new(run: Run, paths: &Partial) -> Self {
        Self {
            run,
            paths: paths.clone(),
        }
    }

    /// Replaces the file, after what `standing` describes is on the disk. `complete` says that it
    /// is everything.
    pub(crate) fn note(&self, standing: Standing, complete: bool) -> Result<(), Failure> {
        let write = || -> io::Result<()> {
            let record = Record {
                run: self.run.clone(),
                tail: hash_of(&self.paths.part, standing.written)?,
                standing,
                complete,
            };
            let mut bytes = serde_json::to_vec(&record)?;
            bytes.push(b'\n');
            let mut file = open::new(&options_for(&self.paths.output), &self.paths.new)?;
            file.write_all(&bytes)?;
            file.sync_all()?;
            fs::rename(&self.paths.new, &self.paths.progress)
        };
        write().map_err(|error| Failure::file("write", &self.paths.progress, &error))
    }
}

#[cfg(test)]
mod tests {
    use super::{Counts, Mark, Partial, Plan, Progress, Run, Standing};
    use std::fs;
    use titledex_command::Failure;
    use titledex_command::source::Identity;

    fn a_run() -> Run {
        Run {
            version: "1.2.3".to_owned(),
            input: Identity {
                length: 100,
                changed: 5,
                beginning: u64::MAX,
            },
            from: "csv".to_owned(),
            column: "title".to_owned(),
            format: "jsonl".to_owned(),
            delimiter: None,
            columns: None,
            only: Vec::new(),
            min_confidence: None,
            csv_exact: false,
            catalogue: 7,
            max_suggestions: 5,
            fuzzy: true,
            brief: false,
        }
    }

    fn said(plan: Result<Plan, Failure>) -> String {
        match plan {
            Err(Failure::Said(message)) => message,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn only_the_same_run_is_resumed() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let paths = Partial::of(&folder.path().join("out.jsonl"));
        let plan = |run: &Run, resume| Plan::of(run, &paths, resume);
        assert!(matches!(plan(&a_run(), true), Ok(Plan::Start)));
        let progress = Progress::new(a_run(), &paths);
        progress.note(Standing::default(), false).expect("writable");
        assert!(
            matches!(plan(&a_run(), true), Ok(Plan::Start)),
            "killed before the part was there"
        );

        let counts = Counts {
            answers: 3,
            refused: 1,
            first_refused: Some((2, "bad_row".to_owned())),
            ..Counts::default()
        };
        let standing = Standing {
            at: Mark {
                bytes: 50,
                lines: 4,
                rows: 3,
            },
            written: 9,
            counts,
        };
        fs::write(&paths.part, "nine bytes and more").expect("writable");
        progress.note(standing.clone(), false).expect("writable");
        assert_eq!(
            plan(&a_run(), true).expect("the same run"),
            Plan::Resume(standing.clone())
        );
        fs::write(&paths.part, "nine bits and more").expect("writable");
        assert!(said(plan(&a_run(), true)).contains("is not what the run of"));
        fs::remove_file(&paths.part).expect("there");
        assert!(said(plan(&a_run(), true)).contains("has 0 bytes"));

        fs::write(&paths.part, "nine bytes and more").expect("writable");
        let message = said(plan(&a_run(), false));
        assert!(
            message.contains("--resume") && message.contains("out.jsonl.progress"),
            "{message}"
        );
        let other = Run {
            max_suggestions: 9,
            version: "1.2.4".to_owned(),
            input: Identity {
                length: 101,
                ..a_run().input
            },
            ..a_run()
        };
        let message = said(plan(&other, true));
        for difference in [
            "the input has changed",
            "`max_suggestions` has changed from 5 to 9",
            "`version` has changed from \"1.2.3\" to \"1.2.4\"",
        ] {
            assert!(message.contains(difference), "{message}");
        }

        fs::write(&paths.progress, "{").expect("writable");
        assert!(said(plan(&a_run(), true)).contains("is not a progress file of titledex 1.2.3"));
    }

    #[test]
    fn output_is_complete_only_by_the_record_of_its_run() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let paths = Partial::of(&folder.path().join("out.jsonl"));
        let plan = |resume| Plan::of(&a_run(), &paths, resume);
        let progress = Progress::new(a_run(), &paths);
        let standing = Standing {
            written: 4,
            ..Standing::default()
        };
        fs::write(&paths.part, "all\n").expect("writable");
        progress.note(standing.clone(), true).expect("writable");
        assert_eq!(
            plan(true).expect("the same run"),
            Plan::Rename(standing.clone()),
            "killed before the part was renamed"
        );
        assert!(said(plan(false)).contains("--resume"));
        fs::rename(&paths.part, &paths.output).expect("writable");
        assert_eq!(plan(true).expect("the same run"), Plan::Finished(standing));
        assert!(matches!(plan(false), Ok(Plan::Start)));
        for other in ["all\nand more", "alt\n", ""] {
            fs::write(&paths.output, other).expect("writable");
            assert!(said(plan(true)).contains("out.jsonl"), "{other}");
        }
        paths.forget().expect("it is there");
        assert!(said(plan(true)).contains("no "));
        assert!(matches!(plan(false), Ok(Plan::Start)));
        fs::write(&paths.part, "of something else").expect("writable");
        assert!(said(plan(false)).contains("out.jsonl.part exists"));
    }
}
