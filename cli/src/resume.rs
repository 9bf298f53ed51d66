//! Resuming an interrupted run: its progress is recorded in a small file next to its output.
//!
//! Before a run writes `FILE`, it writes `FILE.progress`: the input, the settings, how far the
//! input is answered, and how long `FILE` is with those answers. That record is replaced at
//! intervals, each time after the output that it describes is on the disk, and removed at the end.
//! So wherever the process is killed, `FILE.progress` describes a prefix of `FILE` that is
//! complete; `--resume` truncates `FILE` to it and continues: nothing is lost or repeated. Answers
//! depend only on the title, so the result is byte for byte the same.

use crate::input::Mark;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use titledex_command::Failure;
use titledex_command::files;
use titledex_command::source::Identity;

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
    /// Hash of the catalogue.
    pub(crate) catalogue: u64,
    /// Most cards in an answer.
    pub(crate) max_suggestions: usize,
    /// Whether misspelt names are matched.
    pub(crate) fuzzy: bool,
}

/// How many titles were answered, and how many of them could not be read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Counts {
    /// All titles.
    pub(crate) answers: u64,
    /// Those that could not be read as given.
    pub(crate) refused: u64,
    /// The position of the first of these, and the code of its error.
    pub(crate) first_refused: Option<(u64, String)>,
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
}

/// What to do about an output.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    /// Write it from the beginning.
    Start,
    /// Continue from here.
    Resume(Standing),
    /// Nothing: it is complete.
    Finished,
}

impl Plan {
    /// What to do about `output`, which `run` is to write; `resume` says that an earlier run may
    /// have begun it.
    pub(crate) fn of(run: &Run, output: &Path, resume: bool) -> Result<Self, Failure> {
        let beside = beside(output);
        let (name, beside_name) = (files::name(output), files::name(&beside));
        let bytes = match fs::read(&beside) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Ok(if resume && output.exists() {
                    Self::Finished
                } else {
                    Self::Start
                });
            }
            Err(error) => return Err(Failure::file("read", &beside, &error)),
        };
        if !resume {
            return Err(Failure::new(format!(
                "{beside_name} says that a run which writes {name} was interrupted: add --resume to continue it, \
                 or remove {beside_name} to start again"
            )));
        }
        let record: Record = serde_json::from_slice(&bytes).map_err(|error| {
            Failure::new(format!(
                "{beside_name} is not a progress file of titledex {} ({error}): remove it to start again",
                run.version
            ))
        })?;
        let differences = differences(&record.run, run);
        if !differences.is_empty() {
            return Err(Failure::new(format!(
                "cannot resume {name}, because {} since it was begun: repeat the command on the input as it was, \
                 or remove {beside_name} to start again",
                differences.join(", ")
            )));
        }
        let standing = record.standing;
        let length = match fs::metadata(output) {
            Ok(metadata) => metadata.len(),
            Err(error) if error.kind() == ErrorKind::NotFound => 0,
            Err(error) => return Err(Failure::file("read", output, &error)),
        };
        if length < standing.written {
            return Err(Failure::new(format!(
                "{name} has {length} bytes, but {beside_name} records {}: restore the longer file, or remove {beside_name} to start again",
                standing.written
            )));
        }
        Ok(if standing == Standing::default() {
            Self::Start
        } else {
            Self::Resume(standing)
        })
    }
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

/// The progress file of `output`.
fn beside(output: &Path) -> PathBuf {
    with_ending(output, ".progress")
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}

/// The progress file of an output that is being written.
#[derive(Debug)]
pub(crate) struct Progress {
    run: Run,
    path: PathBuf,
}

impl Progress {
    /// The progress file of `output`, which `run` writes.
    pub(crate) fn new(run: Run, output: &Path) -> Self {
        Self {
            run,
            path: beside(output),
        }
    }

    /// Replaces the file.
    pub(crate) fn note(&self, standing: Standing) -> Result<(), Failure> {
        let record = Record {
            run: self.run.clone(),
            standing,
        };
        let new = with_ending(&self.path, ".new");
        let write = || -> io::Result<()> {
            let mut file = File::create(&new)?;
            serde_json::to_writer(&mut file, &record)?;
            file.write_all(b"\n")?;
            file.sync_all()?;
            fs::rename(&new, &self.path)
        };
        write().map_err(|error| Failure::file("write", &self.path, &error))
    }

    /// Removes it: the output is complete.
    fn remove(&self) -> Result<(), Failure> {
        let _ = fs::remove_file(with_ending(&self.path, ".new"));
        fs::remove_file(&self.path).map_err(|error| Failure::file("remove", &self.path, &error))
    }
}

/// Records progress at intervals, on a thread of its own so that answers do not wait for the disk.
#[derive(Debug)]
pub(crate) struct Checkpoints {
    offer: SyncSender<Standing>,
    thread: JoinHandle<Result<Progress, Failure>>,
    every: Duration,
    due: Instant,
}

impl Checkpoints {
    /// Records the progress of `output` at this interval.
    pub(crate) fn start(progress: Progress, output: File, every: Duration) -> Self {
        let (offer, offered) = sync_channel(0);
        let thread = thread::spawn(move || keep(progress, &output, &offered));
        Self {
            offer,
            thread,
            every,
            due: Instant::now() + every,
        }
    }

    /// Offers the current standing, and records it if the interval has passed; `false` if that has
    /// become impossible.
    pub(crate) fn hear(&mut self, standing: impl FnOnce() -> Standing) -> bool {
        let now = Instant::now();
        if now < self.due {
            return true;
        }
        match self.offer.try_send(standing()) {
            Ok(()) => self.due = now + self.every,
            // The disk is still busy with the previous record.
            Err(TrySendError::Full(_)) => {}
            Err(TrySendError::Disconnected(_)) => return false,
        }
        true
    }

    /// Ends, with the output complete or not.
    ///
    /// # Errors
    /// If progress could not be recorded.
    pub(crate) fn end(self, whole: bool) -> Result<(), Failure> {
        drop(self.offer);
        let ended = self.thread.join();
        let progress = ended.unwrap_or_else(|_| {
            Err(Failure::new(
                "the progress of the output could not be recorded",
            ))
        })?;
        if whole { progress.remove() } else { Ok(()) }
    }
}

fn keep(
    progress: Progress,
    output: &File,
    offered: &Receiver<Standing>,
) -> Result<Progress, Failure> {
    while let Ok(standing) = offered.recv() {
        output.sync_data()?;
        progress.note(standing)?;
    }
    Ok(progress)
}

#[cfg(test)]
mod tests {
    use super::{Counts, Mark, Plan, Progress, Run, Standing};
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
            catalogue: 7,
            max_suggestions: 5,
            fuzzy: true,
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
        let output = folder.path().join("out.jsonl");
        assert!(matches!(Plan::of(&a_run(), &output, true), Ok(Plan::Start)));
        let progress = Progress::new(a_run(), &output);
        progress.note(Standing::default()).expect("writable");
        assert!(
            matches!(Plan::of(&a_run(), &output, true), Ok(Plan::Start)),
            "killed before the output was there"
        );

        let counts = Counts {
            answers: 3,
            refused: 1,
            first_refused: Some((2, "bad_row".to_owned())),
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
        progress.note(standing.clone()).expect("writable");
        assert!(said(Plan::of(&a_run(), &output, true)).contains("has 0 bytes"));
        fs::write(&output, "nine bytes and more").expect("writable");
        assert_eq!(
            Plan::of(&a_run(), &output, true).expect("the same run"),
            Plan::Resume(standing)
        );

        let message = said(Plan::of(&a_run(), &output, false));
        assert!(
            message.contains("--resume") && message.contains("out.jsonl.progress"),
            "{message}"
        );
        let other = Run {
            max_suggestions: 9,
            input: Identity {
                length: 101,
                ..a_run().input
            },
            ..a_run()
        };
        let message = said(Plan::of(&other, &output, true));
        assert!(
            message.contains("the input has changed")
                && message.contains("`max_suggestions` has changed from 5 to 9"),
            "{message}"
        );

        fs::write(folder.path().join("out.jsonl.progress"), "{").expect("writable");
        assert!(
            said(Plan::of(&a_run(), &output, true))
                .contains("is not a progress file of titledex 1.2.3")
        );
        progress.remove().expect("it is there");
        assert!(matches!(
            Plan::of(&a_run(), &output, true),
            Ok(Plan::Finished)
        ));
        assert!(matches!(
            Plan::of(&a_run(), &output, false),
            Ok(Plan::Start)
        ));
    }
}
