//! Going on after a kill: how far a run has come, in a small file beside its output.
//!
//! Before a run writes `FILE`, it writes `FILE.progress`: which input it reads, with which settings, up to where, and how long `FILE` is
//! with the answers up to there. Again and again that file is replaced by a newer one, after the output that it speaks of is on the
//! disk; at the end it is removed. So at whatever point the process is killed, `FILE.progress` tells of a beginning of `FILE` that is
//! whole, and `--resume` cuts `FILE` to that beginning and goes on from there: nothing is lost and nothing doubled. Answers depend on
//! nothing but the title, so the end is byte for byte what it would have been.

use crate::failure::Failure;
use crate::files;
use crate::input::Mark;
use crate::input::source::Identity;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// What a run does: the same run on the same input writes the same output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Run {
    /// The version of the program.
    pub(crate) version: String,
    /// The input.
    pub(crate) input: Identity,
    /// How the input is written.
    pub(crate) from: String,
    /// The column of the titles.
    pub(crate) column: String,
    /// How the answers are written.
    pub(crate) format: String,
    /// A hash of the catalogue.
    pub(crate) catalogue: u64,
    /// At most how many cards an answer has.
    pub(crate) max_suggestions: usize,
    /// Whether misspelt names are read.
    pub(crate) fuzzy: bool,
}

/// How many titles were answered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Counts {
    /// All of them.
    pub(crate) answers: u64,
    /// Those that could not be read as given.
    pub(crate) refused: u64,
    /// Where the first of these stands, and its error's code.
    pub(crate) first_refused: Option<(u64, String)>,
}

/// How far a run has come.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Standing {
    /// Up to where the input is answered.
    pub(crate) at: Mark,
    /// Bytes of the output with these answers.
    pub(crate) written: u64,
    /// How many answers they are.
    pub(crate) counts: Counts,
}

/// What the file of progress holds.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Record {
    run: Run,
    standing: Standing,
}

/// What is to be done about an output.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    /// Write it from the beginning.
    Anew,
    /// Go on from here.
    GoOn(Standing),
    /// Nothing: it is written.
    Finished,
}

impl Plan {
    /// What to do where `run` is to write `output`, and `resume` says that it may have begun before.
    pub(crate) fn of(run: &Run, output: &Path, resume: bool) -> Result<Self, Failure> {
        let beside = beside(output);
        let (name, beside_name) = (files::name(output), files::name(&beside));
        let bytes = match fs::read(&beside) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Ok(if resume && output.exists() {
                    Self::Finished
                } else {
                    Self::Anew
                });
            }
            Err(error) => return Err(Failure::file("read", &beside, &error)),
        };
        if !resume {
            return Err(Failure::new(format!(
                "{beside_name} says that a run which writes {name} has not ended: add --resume to go on where it was, \
                 or remove {beside_name} to start anew"
            )));
        }
        let record: Record = serde_json::from_slice(&bytes).map_err(|error| {
            Failure::new(format!(
                "{beside_name} is not what titledex {} writes ({error}): remove it to start anew",
                run.version
            ))
        })?;
        let differences = differences(&record.run, run);
        if !differences.is_empty() {
            return Err(Failure::new(format!(
                "cannot go on with {name}, because {} since it was begun: repeat the command on the input as it was, \
                 or remove {beside_name} to start anew",
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
                "{name} has {length} bytes and {beside_name} tells of {}: put the longer file back, or remove {beside_name} to start anew",
                standing.written
            )));
        }
        Ok(if standing == Standing::default() {
            Self::Anew
        } else {
            Self::GoOn(standing)
        })
    }
}

/// What of `now` is not as it was, in words.
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

/// The file of progress of `output`.
fn beside(output: &Path) -> PathBuf {
    with_ending(output, ".progress")
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}

/// The file of progress of an output that is being written.
#[derive(Debug)]
pub(crate) struct Progress {
    run: Run,
    path: PathBuf,
}

impl Progress {
    /// The one of `output`, which `run` writes.
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

    /// Removes it: the output is whole.
    fn remove(&self) -> Result<(), Failure> {
        let _ = fs::remove_file(with_ending(&self.path, ".new"));
        fs::remove_file(&self.path).map_err(|error| Failure::file("remove", &self.path, &error))
    }
}

/// Notes progress from time to time, on a thread of its own: to wait for a disk would hold up the answers.
#[derive(Debug)]
pub(crate) struct Checkpoints {
    offer: SyncSender<Standing>,
    thread: JoinHandle<Result<Progress, Failure>>,
    every: Duration,
    due: Instant,
}

impl Checkpoints {
    /// Notes in `progress`, each `every`, how far `output` is.
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

    /// Hears how far the output is, and takes it down if it is time to. `false` where that has become impossible.
    pub(crate) fn hear(&mut self, standing: impl FnOnce() -> Standing) -> bool {
        let now = Instant::now();
        if now < self.due {
            return true;
        }
        match self.offer.try_send(standing()) {
            Ok(()) => self.due = now + self.every,
            // The disk is still busy with the one before.
            Err(TrySendError::Full(_)) => {}
            Err(TrySendError::Disconnected(_)) => return false,
        }
        true
    }

    /// Ends, with the output whole or not; returns why progress could not be noted, if it could not.
    pub(crate) fn end(self, whole: bool) -> Result<(), Failure> {
        drop(self.offer);
        let ended = self.thread.join();
        let progress = ended.unwrap_or_else(|_| {
            Err(Failure::new(
                "the progress of the output could not be noted",
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
    use crate::failure::Failure;
    use crate::input::source::Identity;
    use std::fs;

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
    fn goes_on_only_with_the_same_run() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let output = folder.path().join("out.jsonl");
        assert!(matches!(Plan::of(&a_run(), &output, true), Ok(Plan::Anew)));
        let progress = Progress::new(a_run(), &output);
        progress.note(Standing::default()).expect("writable");
        assert!(
            matches!(Plan::of(&a_run(), &output, true), Ok(Plan::Anew)),
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
            Plan::GoOn(standing)
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
            said(Plan::of(&a_run(), &output, true)).contains("is not what titledex 1.2.3 writes")
        );
        progress.remove().expect("it is there");
        assert!(matches!(
            Plan::of(&a_run(), &output, true),
            Ok(Plan::Finished)
        ));
        assert!(matches!(Plan::of(&a_run(), &output, false), Ok(Plan::Anew)));
    }
}
