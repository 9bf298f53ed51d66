//! `titledex parse`: an answer for each title, in input order.

use crate::args::Parse;
use crate::catalogue::engine;
use crate::colour::Colours;
use crate::failure::{Failure, say};
use crate::output::Sheet;
use crate::stream::{self, Batch, Line, Lines};
use indicatif::{ProgressBar, ProgressStyle};
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::time::{Duration, Instant};
use titledex::{Answer, Engine, Options, Scratch, TitleError};

/// No progress bar before this: most input is done by then.
const QUIET: Duration = Duration::from_secs(1);

/// Reads the titles and writes the answers; returns how many titles could not be read as given.
pub(crate) fn run(args: &Parse, colours: Colours) -> Result<u64, Failure> {
    let source = Source::of(args)?;
    let engine = engine(args.matching.from.catalogue.as_deref())?;
    let options = args.matching.options(1);
    let sheet = Sheet::new(args.format, colours);
    let work = |scratch: &mut Scratch, batch: &Batch| answer_batch(&engine, scratch, batch, &options, &sheet);
    let mut writer = Writer::new(&sheet, &source)?;
    match source {
        Source::Arguments => {
            let batch = Batch::of(args.titles.iter().map(|title| title.as_encoded_bytes()));
            let done = work(&mut Scratch::default(), &batch);
            writer.write(&done)?;
        }
        Source::Stream { input, name, .. } => {
            let unreadable = |error| Failure::file("read", Path::new(&name), &error);
            let ended =
                stream::run(Lines::new(input), args.jobs.unwrap_or_else(cores), work, |done| writer.write_or_leave(&done), unreadable);
            if let Err(failure) = ended {
                writer.clear();
                return Err(failure);
            }
        }
    }
    writer.finish()
}

/// Threads where `--jobs` does not say.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Where titles come from.
enum Source {
    Arguments,
    Stream { input: Box<dyn io::Read + Send>, name: String, length: Option<u64>, typed: bool },
}

impl Source {
    fn of(args: &Parse) -> Result<Self, Failure> {
        if !args.titles.is_empty() {
            return Ok(Self::Arguments);
        }
        if let Some(path) = args.input.as_deref().filter(|path| *path != Path::new("-")) {
            let file = File::open(path).map_err(|error| Failure::file("read", path, &error))?;
            let metadata = file.metadata().map_err(|error| Failure::file("read", path, &error))?;
            if metadata.is_dir() {
                return Err(Failure::new(format!("cannot read {}: it is a folder: name a file of titles, one a line", path.display())));
            }
            let length = metadata.is_file().then_some(metadata.len());
            return Ok(Self::Stream { input: Box::new(file), name: path.to_string_lossy().into_owned(), length, typed: false });
        }
        let typed = io::stdin().is_terminal();
        if typed {
            say("reading titles from the terminal, one a line; Ctrl-D ends, `titledex parse --help` explains");
        }
        Ok(Self::Stream { input: Box::new(io::stdin()), name: "standard input".to_owned(), length: stdin_length(), typed })
    }
}

/// Length of the file that standard input is, where it is one.
#[cfg(unix)]
fn stdin_length() -> Option<u64> {
    use std::os::fd::AsFd;
    let file = File::from(io::stdin().as_fd().try_clone_to_owned().ok()?);
    let metadata = file.metadata().ok()?;
    metadata.is_file().then_some(metadata.len())
}

/// Length of the file that standard input is: not asked for here.
#[cfg(not(unix))]
fn stdin_length() -> Option<u64> {
    None
}

/// The answers to one batch, written out.
struct Done {
    bytes: Vec<u8>,
    lines: u64,
    consumed: u64,
    refused: u64,
    first_refused: Option<(u64, &'static str)>,
}

fn answer_batch(engine: &Engine<'_>, scratch: &mut Scratch, batch: &Batch, options: &Options, sheet: &Sheet) -> Done {
    let mut done = Done { bytes: Vec::new(), lines: batch.len() as u64, consumed: batch.consumed, refused: 0, first_refused: None };
    let mut page = sheet.page(&mut done.bytes);
    for line in batch.lines() {
        let answer = answer_line(engine, scratch, line, options);
        if let Some(error) = &answer.error {
            done.refused += 1;
            done.first_refused = done.first_refused.or(Some((line.number, error.code)));
        }
        page.add(&answer);
    }
    page.end();
    done
}

/// The answer to one line, which need be neither UTF-8 nor short.
pub(crate) fn answer_line(engine: &Engine<'_>, scratch: &mut Scratch, line: Line<'_>, options: &Options) -> Answer {
    let (text, bad) = decode(line.bytes);
    let mut answer = engine.answer_with(scratch, &text, options);
    note(&mut answer, line, bad);
    answer
}

/// The text of some bytes, and where they are not UTF-8.
pub(crate) fn decode(bytes: &[u8]) -> (Cow<'_, str>, Option<usize>) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (Cow::Borrowed(text), None),
        Err(error) => (String::from_utf8_lossy(bytes), Some(error.valid_up_to())),
    }
}

/// Notes in the answer what kept the line from being read as given.
pub(crate) fn note(answer: &mut Answer, line: Line<'_>, bad: Option<usize>) {
    if line.is_cut() {
        answer.error = Some(TitleError::too_long(line.length));
    } else if let (None, Some(at)) = (&answer.error, bad) {
        answer.error = Some(TitleError::new("invalid_utf8", format!("byte {at} is not UTF-8; it was read as U+FFFD")));
    }
}

/// Writes batches of answers, counts, and shows how far it is.
struct Writer<'s> {
    sheet: &'s Sheet,
    begun: bool,
    lines: u64,
    refused: u64,
    first_refused: Option<(u64, &'static str)>,
    started: Instant,
    /// Whether there may be a bar, and the length of the input where it is known.
    watched: Option<Option<u64>>,
    bar: Option<ProgressBar>,
}

impl<'s> Writer<'s> {
    fn new(sheet: &'s Sheet, source: &Source) -> Result<Self, Failure> {
        let watched = match source {
            Source::Stream { length, typed: false, .. } if io::stderr().is_terminal() && !io::stdout().is_terminal() => Some(*length),
            _ => None,
        };
        io::stdout().lock().write_all(sheet.head().as_bytes())?;
        Ok(Self { sheet, begun: false, lines: 0, refused: 0, first_refused: None, started: Instant::now(), watched, bar: None })
    }

    fn write(&mut self, done: &Done) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        if self.begun {
            out.write_all(self.sheet.between().as_bytes())?;
        }
        self.begun = true;
        out.write_all(&done.bytes)?;
        out.flush()?;
        self.lines += done.lines;
        self.refused += done.refused;
        self.first_refused = self.first_refused.or(done.first_refused);
        self.progress(done.consumed);
        Ok(())
    }

    /// As [`Writer::write`], but a closed output ends the process: the reader may wait for a line that never comes.
    fn write_or_leave(&mut self, done: &Done) -> Result<(), Failure> {
        match self.write(done) {
            Err(Failure::Closed) => {
                self.clear();
                std::process::exit(0)
            }
            other => other,
        }
    }

    fn progress(&mut self, consumed: u64) {
        let Some(length) = self.watched else { return };
        if self.bar.is_none() && self.started.elapsed() >= QUIET {
            self.bar = Some(bar(length));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(consumed);
            bar.set_message(format!("{} titles", self.lines));
        }
    }

    fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn finish(self) -> Result<u64, Failure> {
        self.clear();
        let mut out = io::stdout().lock();
        out.write_all(self.sheet.tail().as_bytes())?;
        out.flush()?;
        if let Some((line, code)) = self.first_refused {
            let (refused, lines) = (self.refused, self.lines);
            say(&format!(
                "{refused} of {lines} titles could not be read as given, the first in line {line} ({code}): see `error` in the answer"
            ));
        }
        Ok(self.refused)
    }
}

fn bar(length: Option<u64>) -> ProgressBar {
    let (bar, template) = match length {
        Some(length) => (ProgressBar::new(length), "{bar:30} {percent:>3} %  {msg}  {bytes_per_sec}  {eta} left"),
        None => (ProgressBar::new_spinner(), "{spinner} {bytes} read  {msg}  {bytes_per_sec}"),
    };
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
