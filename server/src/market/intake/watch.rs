//! [`Watch`]: imports the files of a folder, in order, and moves them to `done` or `failed` with
//! their reports.

use super::folder::{DONE, FAILED, Folder, Settled, Stamp};
use super::{Held, Intake, IntakeError, Job, Options};
use crate::clock::Moment;
use crate::market::load::summary::Summary;
use crate::market::load::table::Words;
use crate::market::load::{FileError, Kind, Receipt};
use crate::store::Actor;
use rustix::fs::OFlags;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::fs::{self, DirBuilder, File};
use std::io::{self, Read, Seek};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use titledex_command::output::write_whole;
use titledex_command::source::Kind as Format;
use tokio::runtime::Handle;

/// How often the folder is looked at.
const LOOK: Duration = Duration::from_secs(1);
/// The longest pause after a failure of the database or the folder. It doubles each time.
const AGAIN_AT_MOST: Duration = Duration::from_secs(60);
/// Rounds for which an export waits while files are left that another process imports.
const ROUNDS: usize = 600;

/// What a round found.
#[derive(Debug, Default)]
pub struct Round {
    /// The files that were taken, and what became of each.
    pub taken: Vec<Summary>,
    /// Files that are complete and not taken yet: another process imports.
    pub left: usize,
    /// Entries that are not taken, and why.
    pub refused: Vec<(String, &'static str)>,
    /// Files that stay where they are: they cannot be read or moved now, or were changed.
    pub stay: Vec<String>,
    /// The folder could not be read, or the database failed.
    pub failed: bool,
}

/// A watched folder and what imports its files.
#[derive(Debug)]
pub struct Watch {
    intake: Arc<Intake>,
    folder: Mutex<Folder>,
    /// What was logged last about the folder, so that it is logged once.
    complaint: Mutex<String>,
}

/// What became of a file.
enum Taken {
    /// It was imported or refused, and moved.
    Moved(Box<Summary>),
    /// It stays: it was changed, or cannot be read or moved now.
    Stays,
    /// Another process imports.
    Busy,
    /// The database failed.
    Failed,
}

impl Watch {
    /// A folder whose files `intake` imports.
    #[must_use]
    pub fn new(intake: Arc<Intake>, folder: &Path) -> Self {
        let settle = i64::try_from(intake.settings.settle.as_millis()).unwrap_or(i64::MAX);
        Self {
            folder: Mutex::new(Folder::new(folder, settle)),
            complaint: Mutex::default(),
            intake,
        }
    }

    /// Imports what is complete, for as long as the service runs.
    pub async fn keep(self: Arc<Self>) {
        let mut pause = LOOK;
        loop {
            pause = if self.round().await.failed {
                (pause * 2).min(AGAIN_AT_MOST)
            } else {
                LOOK
            };
            tokio::time::sleep(pause).await;
        }
    }

    /// Imports what is complete now, and waits for what other processes import of it.
    pub async fn drain(self: &Arc<Self>) {
        for _ in 0..ROUNDS {
            let round = self.round().await;
            if round.left == 0 {
                return;
            }
            tokio::time::sleep(LOOK).await;
        }
        tracing::warn!("files of the watched folder are left: the export is made without them");
    }

    /// Imports what is complete by now, and what becomes so within the time that a file must be
    /// unchanged.
    pub async fn once(self: &Arc<Self>) -> Round {
        let mut all = self.round().await;
        tokio::time::sleep(self.intake.settings.settle + LOOK).await;
        for _ in 0..ROUNDS {
            let round = self.round().await;
            all.taken.extend(round.taken);
            all.refused.extend(round.refused);
            all.stay.extend(round.stay);
            (all.left, all.failed) = (round.left, round.failed);
            if round.failed || round.left == 0 {
                break;
            }
            tokio::time::sleep(LOOK).await;
        }
        all
    }

    /// Looks once, and imports what is complete, on a thread of its own.
    pub async fn round(self: &Arc<Self>) -> Round {
        let (watch, handle) = (Arc::clone(self), Handle::current());
        let round = tokio::task::spawn_blocking(move || watch.take_all(&handle));
        round.await.unwrap_or_else(|error| {
            tracing::error!(%error, "the watched folder could not be looked at");
            Round {
                failed: true,
                ..Round::default()
            }
        })
    }

    fn take_all(&self, handle: &Handle) -> Round {
        let mut folder = self.folder.lock().unwrap_or_else(PoisonError::into_inner);
        let counts = &self.intake.counts;
        let mut round = Round::default();
        let look = match folder.look(self.intake.clock.now()) {
            Ok(look) => look,
            Err(error) => {
                self.complain(&format!(
                    "the watched folder {} cannot be read: {error}: check the path and its permissions",
                    folder.path().display()
                ));
                round.failed = true;
                return round;
            }
        };
        for (name, why) in &look.refused {
            tracing::warn!(file = name, "not imported: it {why}");
        }
        round.refused = look.refused;
        counts.stuck.store(look.stuck, Ordering::Relaxed);
        counts.waiting.store(look.waiting, Ordering::Relaxed);
        let home = folder.path().to_owned();
        for (at, file) in look.settled.iter().enumerate() {
            match self.take(handle, &home, file) {
                Taken::Moved(summary) => {
                    counts.waiting.fetch_sub(1, Ordering::Relaxed);
                    round.taken.push(*summary);
                }
                Taken::Stays => {
                    counts.waiting.fetch_sub(1, Ordering::Relaxed);
                    counts.stuck.fetch_add(1, Ordering::Relaxed);
                    round.stay.push(file.name.clone());
                    folder.put_off(&file.name, self.intake.clock.now());
                }
                stopped @ (Taken::Busy | Taken::Failed) => {
                    round.left = look.settled.len() - at;
                    round.failed = matches!(stopped, Taken::Failed);
                    break;
                }
            }
        }
        if !round.failed && round.left == 0 && round.stay.is_empty() && look.stuck == 0 {
            self.complaint
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .clear();
        }
        round
    }

    /// What failed last; empty if nothing did since all was well.
    #[must_use]
    pub fn complaint(&self) -> String {
        self.complaint
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Logs and counts a failure; the same one, time after time, is logged once.
    fn complain(&self, what: &str) {
        let errors = &self.intake.counts.folder_errors;
        errors.fetch_add(1, Ordering::Relaxed);
        let mut before = self
            .complaint
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if *before != what {
            tracing::error!("{what}");
            what.clone_into(&mut before);
        }
    }

    /// Takes a file, if it is this process's turn.
    fn take(&self, handle: &Handle, home: &Path, file: &Settled) -> Taken {
        let held: Held = match handle.block_on(self.intake.claim()) {
            Ok(held) => held,
            Err(IntakeError::Busy) => return Taken::Busy,
            Err(error) => {
                self.complain(&format!("{} waits: {}", file.name, sentence(&error)));
                return Taken::Failed;
            }
        };
        let taken = match self.import(handle, home, file) {
            Ok(Some(summary)) => Taken::Moved(Box::new(summary)),
            Ok(None) => Taken::Stays,
            Err(IntakeError::File(FileError::Store(error))) => {
                self.complain(&format!("{} waits: {error}", file.name));
                Taken::Failed
            }
            Err(error) => {
                self.complain(&format!("{} stays: {}", file.name, sentence(&error)));
                Taken::Stays
            }
        };
        handle.block_on(held.release());
        taken
    }

    /// Imports a file and moves it; `None` if it is no longer what it was.
    fn import(
        &self,
        handle: &Handle,
        home: &Path,
        file: &Settled,
    ) -> Result<Option<Summary>, IntakeError> {
        let path = home.join(&file.name);
        let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits();
        let opened = File::options()
            .read(true)
            .custom_flags(i32::try_from(flags).unwrap_or_default())
            .open(&path);
        let mut opened = match opened {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened.map_err(FileError::Read)?,
        };
        let metadata = opened.metadata().map_err(FileError::Read)?;
        if !metadata.is_file() || Stamp::of(&metadata) != file.stamp {
            return Ok(None);
        }
        let now = self.intake.clock.now();
        let (kind, format) = match file.named {
            Ok(named) => named,
            Err(why) => return self.refuse(home, file, "", why.to_owned(), now).map(Some),
        };
        let most = self.intake.settings.file_bytes;
        if file.stamp.length > most {
            let why = format!(
                "has more than {} MiB: divide it, or set imports.file-mib higher",
                most >> 20
            );
            return self.refuse(home, file, kind.name(), why, now).map(Some);
        }
        let digest = digest(&mut opened).map_err(FileError::Read)?;
        let aside = place(home, DONE)?.join(format!(".{}.{}.part", file.name, hex(&digest[..8])));
        let job = self.job(kind, format, file, &digest, aside.clone());
        let done = self.intake.run(handle, &job, opened);
        match done {
            Ok(summary) => {
                let outcome = if summary.rows > 0 && summary.right == 0 {
                    FAILED
                } else {
                    DONE
                };
                tracing::info!(
                    file = file.name,
                    import = summary.import,
                    rows = summary.rows,
                    wrong = summary.wrong,
                    "imported"
                );
                shelve(home, outcome, &file.name, &summary, Some(&aside))?;
                Ok(Some(summary))
            }
            Err(IntakeError::File(error @ (FileError::TooLarge(_) | FileError::Refused(_)))) => {
                let _ = fs::remove_file(&aside);
                let why = error.about("the file");
                self.refuse(home, file, kind.name(), why, now).map(Some)
            }
            Err(IntakeError::Changed) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn job(
        &self,
        kind: Kind,
        format: Format,
        file: &Settled,
        digest: &[u8],
        aside: PathBuf,
    ) -> Job {
        let mut identity = Sha256::new();
        identity.update(digest);
        identity.update(file.stamp.bytes());
        identity.update(&file.name);
        let receipt = Receipt {
            name: format!("file:{}", hex(&identity.finalize())),
            digest: digest.to_vec(),
            by: Actor::Operator,
            even_with_wrong_rows: true,
        };
        Job {
            words: Words::FOLDER,
            rejected: Some(aside),
            stamp: Some(file.stamp.clone()),
            ..Job::new(kind, format, file.name.clone(), Options::default(), receipt)
        }
    }

    /// Moves a file that cannot be imported to `failed`, with the reason.
    fn refuse(
        &self,
        home: &Path,
        file: &Settled,
        kind: &str,
        why: String,
        now: Moment,
    ) -> Result<Summary, IntakeError> {
        tracing::warn!(file = file.name, why, "refused");
        let summary = Summary::unread(kind, &file.name, why, now.millis());
        shelve(home, FAILED, &file.name, &summary, None)?;
        Ok(summary)
    }
}

/// An error as a sentence, for the log.
fn sentence(error: &IntakeError) -> String {
    match error {
        IntakeError::Busy => "another import runs".to_owned(),
        IntakeError::KeyReused => "another file has its receipt".to_owned(),
        IntakeError::Changed => "it was changed while it was read".to_owned(),
        IntakeError::File(error) => error.to_string(),
    }
}

/// The SHA-256 of a file, which is then at its beginning again.
fn digest(file: &mut File) -> io::Result<Vec<u8>> {
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 18];
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        hash.update(&buffer[..read]);
    }
    file.rewind()?;
    Ok(hash.finalize().to_vec())
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // writing to a string cannot fail
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// A folder beside the files, made if it is missing. A link in its place is not followed.
fn place(home: &Path, name: &str) -> Result<PathBuf, FileError> {
    let path = home.join(name);
    let failed = |error| FileError::Write(path.clone(), error);
    match path.symlink_metadata() {
        Ok(metadata) if metadata.is_dir() => {}
        Ok(_) => return Err(failed(io::Error::other("it is not a folder"))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let made = DirBuilder::new().mode(0o700).create(&path);
            made.map_err(failed)?;
        }
        Err(error) => return Err(failed(error)),
    }
    Ok(path)
}

/// Moves a file to `done` or `failed`, with its report and its wrong rows. Done again after a
/// crash, it comes to the same.
fn shelve(
    home: &Path,
    outcome: &str,
    name: &str,
    summary: &Summary,
    aside: Option<&Path>,
) -> Result<(), FileError> {
    let shelf = place(home, outcome)?;
    let moment = summary.at.replace(['-', ':'], "");
    let mut base = format!("{moment}-{name}");
    for number in 2.. {
        if shelf.join(&base).symlink_metadata().is_err() {
            break;
        }
        base = format!("{moment}-{number}-{name}");
    }
    if let Some(aside) = aside.filter(|aside| aside.symlink_metadata().is_ok()) {
        let target = shelf.join(format!("{base}.rejected.csv"));
        fs::rename(aside, &target).map_err(|error| FileError::Write(target, error))?;
    }
    let report = shelf.join(format!("{base}.report.json"));
    let text = serde_json::to_string_pretty(summary).unwrap_or_default() + "\n";
    write_whole(&report, text.as_bytes())
        .map_err(|failure| FileError::Write(report, io::Error::other(format!("{failure:?}"))))?;
    let target = shelf.join(&base);
    fs::rename(home.join(name), &target).map_err(|error| FileError::Write(target, error))?;
    // so that the move survives a loss of power; some file systems cannot
    let _ = File::open(home).and_then(|folder| folder.sync_all());
    Ok(())
}
