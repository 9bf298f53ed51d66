//! `titledex parse`: an answer for each title, in input order.

mod args;

pub(crate) use args::{Format, HELP, Parse};

use crate::colour::Colours;
use crate::input::csv::Records;
use crate::input::lines::Lines;
use crate::input::{Input, Mark, Room, Row, Rows, Title, decode};
use crate::output::{Carried, Sheet};
use crate::resume::{Counts, Partial, Plan, Run, Standing};
use crate::stream;
use crate::target::{Recording, Target, complete};
use clap::ValueEnum;
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::time::Duration;
use titledex::{Answer, Engine, Options, Scratch, TitleError};
use titledex_command::catalogue::{engine, fingerprint};
use titledex_command::files;
use titledex_command::output::{Destination, refuse_inputs};
use titledex_command::progress::Bar;
use titledex_command::source::{Kind, Source};
use titledex_command::{Failure, say};

/// The default of `--column`.
const COLUMN: &str = "title";

/// Reads the titles and writes the answers; returns how many titles could not be read as given.
pub(crate) fn run(args: &Parse, colours: Colours) -> Result<u64, Failure> {
    refuse_parquet_output(args)?;
    if args.csv_safe && args.format != Format::Csv {
        return Err(Failure::new(
            "--csv-safe is about answers as CSV: add --format csv, or leave it out",
        ));
    }
    if !args.titles.is_empty() {
        return answer_arguments(args, colours);
    }
    let source = Source::of(args.input.as_deref())?;
    let kind = args.from.unwrap_or_else(|| source.kind());
    if kind == Kind::Lines && args.column.is_some() {
        return Err(Failure::new(format!(
            "{} is read as lines, which have no columns: name its format with --from",
            source.name()
        )));
    }
    let destination = destination(args)?;
    let run = begin(args, &destination, &source, kind)?;
    let mut standing = Standing::default();
    if let Some((run, paths)) = &run {
        match Plan::of(run, paths, args.resume)? {
            Plan::Start => {}
            Plan::Resume(reached) => standing = reached,
            Plan::Rename(reached) => {
                let part = File::open(&paths.part);
                let part = part.map_err(|error| Failure::file("read", &paths.part, &error))?;
                complete(&part, paths, args.resume)?;
                return Ok(reached.counts.refused);
            }
            Plan::Finished(reached) => {
                say(&format!(
                    "{} exists and is complete: nothing to do; remove it and its .progress to start again",
                    files::name(&paths.output)
                ));
                return Ok(reached.counts.refused);
            }
        }
    }
    let job = Job {
        args,
        colours,
        kind,
        source,
        destination,
        run: run.map(|(run, _)| run),
        standing,
    };
    let column = args.column.as_deref().unwrap_or(COLUMN);
    let (name, at) = (job.source.name(), job.standing.at);
    match kind {
        Kind::Lines => job.answer(
            Lines::new(job.source.open(at.bytes)?, &name, None, at),
            Carried::Nothing,
        ),
        Kind::Jsonl => job.answer(
            Lines::new(job.source.open(at.bytes)?, &name, Some(column), at),
            Carried::Object,
        ),
        Kind::Csv | Kind::Tsv => {
            let separator = if kind == Kind::Csv { b',' } else { b'\t' };
            let mut records = Records::open(job.source.open(0)?, &name, separator, column)?;
            if at != Mark::default() {
                records.resume(job.source.open(at.bytes)?, at);
            }
            let carried = Carried::Columns(records.carried());
            job.answer(records, carried)
        }
        Kind::Parquet => job.answer_parquet(&name, column),
    }
}

/// Where the answers go: never one of the files that are read.
fn destination(args: &Parse) -> Result<Destination, Failure> {
    let standard = Path::new("-");
    let output = args.output.as_deref().unwrap_or(standard);
    let titles = args.input.as_deref().unwrap_or(standard);
    let titles = args.titles.is_empty().then_some(titles);
    let inputs = || {
        titles
            .into_iter()
            .chain(args.matching.from.catalogue.as_deref())
    };
    refuse_inputs(output, inputs())?;
    let destination = Destination::of(output)?;
    if let Destination::File(path) = &destination {
        for path in Partial::of(path).all() {
            refuse_inputs(path, inputs())?;
        }
    }
    Ok(destination)
}

/// The run and the files of its output, if it can be resumed after an interruption; an error if
/// that was requested and is impossible.
fn begin(
    args: &Parse,
    destination: &Destination,
    source: &Source,
    kind: Kind,
) -> Result<Option<(Run, Partial)>, Failure> {
    let (Destination::File(output), Some(input)) = (destination, source.identity()) else {
        return if args.resume {
            Err(Failure::new(
                "--resume needs a file as input and a file as output: name them with --input and --output",
            ))
        } else {
            Ok(None)
        };
    };
    let run = Run {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        input: input.clone(),
        from: name_of(&kind),
        column: args.column.clone().unwrap_or_else(|| COLUMN.to_owned()),
        format: name_of(&args.format),
        csv_safe: args.csv_safe,
        catalogue: fingerprint(&args.matching.from)?,
        max_suggestions: args.matching.max_suggestions,
        fuzzy: !args.matching.no_fuzzy,
    };
    Ok(Some((run, Partial::of(output))))
}

/// Refuses an output whose name promises Parquet, which is never written.
fn refuse_parquet_output(args: &Parse) -> Result<(), Failure> {
    let named = |path: &&Path| {
        path.extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("parquet"))
    };
    match args.output.as_deref().filter(named) {
        Some(output) => Err(Failure::new(format!(
            "cannot write {}: answers are not written as Parquet: choose json, jsonl, csv or table with --format, and another name",
            files::name(output)
        ))),
        None => Ok(()),
    }
}

/// The value as written on the command line.
fn name_of(value: &impl ValueEnum) -> String {
    value
        .to_possible_value()
        .map_or_else(String::new, |value| value.get_name().to_owned())
}

/// Answers the titles of the command line.
fn answer_arguments(args: &Parse, colours: Colours) -> Result<u64, Failure> {
    let engine = engine(&args.matching.from)?;
    let options = args.matching.options(1);
    let target = Target::create(&destination(args)?)?;
    let sheet = Sheet::new(args.format, colours, Carried::Nothing, target.is_terminal());
    let sheet = if args.csv_safe { sheet.safe() } else { sheet };
    let mut writer = Writer::new(&sheet, target, Standing::default(), None, "argument")?;
    let mut done = Done::default();
    let mut page = sheet.page(&mut done.bytes);
    let mut scratch = Scratch::default();
    for (number, title) in (1..).zip(&args.titles) {
        let row = Row {
            number,
            title: Ok(Title::of(title.as_encoded_bytes())),
            carried: &[],
            altered: None,
        };
        answer_row(&engine, &mut scratch, &row, &options, |answer| {
            done.counts.count(number, answer);
            page.add(answer, &[]);
        });
    }
    page.end();
    writer.write(&done, Mark::default(), 0)?;
    writer.finish()
}

/// Everything that a run needs besides its input.
struct Job<'a> {
    args: &'a Parse,
    colours: Colours,
    kind: Kind,
    source: Source,
    destination: Destination,
    run: Option<Run>,
    standing: Standing,
}

impl Job<'_> {
    /// Starts the output, or resumes it.
    fn target(&self) -> Result<Target, Failure> {
        let (Some(run), Destination::File(path)) = (&self.run, &self.destination) else {
            return Target::create(&self.destination);
        };
        if self.standing != Standing::default() {
            say(&format!(
                "resuming {} after {} titles",
                files::name(path),
                self.standing.counts.answers
            ));
        }
        let recording = Recording {
            run: run.clone(),
            every: Duration::from_millis(self.args.checkpoint_millis),
            kept: self.args.resume,
        };
        Target::resumable(path, &self.standing, recording)
    }

    /// Answers all rows of `input`, which carries `carried`.
    fn answer<I: Input>(&self, input: I, carried: Carried) -> Result<u64, Failure> {
        let length = self.source.length();
        self.answer_up_to(input, carried, length, |at| at.bytes)
    }

    #[cfg(feature = "parquet")]
    fn answer_parquet(&self, name: &str, column: &str) -> Result<u64, Failure> {
        let Some(path) = self.source.path() else {
            return Err(Failure::new(
                "Parquet can only be read from a file, because its index is at the end: name it with --input",
            ));
        };
        let file = File::open(path).map_err(|error| Failure::file("read", path, &error))?;
        let columns = crate::input::parquet::Columns::open(file, name, column, self.standing.at)?;
        let (carried, length) = (Carried::Columns(columns.carried()), Some(columns.rows));
        self.answer_up_to(columns, carried, length, |at| at.rows)
    }

    #[cfg(not(feature = "parquet"))]
    fn answer_parquet(&self, name: &str, _: &str) -> Result<u64, Failure> {
        Err(Failure::new(format!(
            "cannot read {name}: this titledex was built without Parquet: install it with `cargo install --locked --path cli --features parquet`, or convert the file to CSV or JSON Lines"
        )))
    }

    /// Answers all rows of `input`; progress is `position` of `length`, if that is known.
    fn answer_up_to<I: Input>(
        &self,
        input: I,
        carried: Carried,
        length: Option<u64>,
        position: fn(Mark) -> u64,
    ) -> Result<u64, Failure> {
        let engine = engine(&self.args.matching.from)?;
        let options = self.args.matching.options(1);
        let target = self.target()?;
        let terminal = target.is_terminal();
        let sheet = Sheet::new(self.args.format, self.colours, carried, terminal);
        let sheet = if self.args.csv_safe {
            sheet.safe()
        } else {
            sheet
        };
        let watched = io::stderr().is_terminal()
            && !terminal
            && !matches!(self.source, Source::Standard { typed: true });
        let bar = watched.then(|| Bar::new(position(self.standing.at), length));
        let place = if matches!(self.kind, Kind::Lines | Kind::Jsonl) {
            "line"
        } else {
            "row"
        };
        let mut writer = Writer::new(&sheet, target, self.standing.clone(), bar, place)?;
        let work = |state: &mut (Scratch, Room), batch: &I::Batch, done: &mut Done| {
            answer_batch(&engine, state, batch, &options, &sheet, done);
        };
        let jobs = self.args.jobs.unwrap_or_else(cores);
        let ended = stream::run(input, jobs, work, |batch, done| {
            let at = batch.end();
            match writer.write(done, at, position(at)) {
                Err(failure) => writer.leave(failure),
                written => written,
            }
        });
        match ended {
            Ok(()) => writer.finish(),
            Err(failure) => {
                writer.clear();
                Err(failure)
            }
        }
    }
}

/// The default of `--jobs`.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The answers to one batch, written out.
#[derive(Debug, Default)]
struct Done {
    bytes: Vec<u8>,
    counts: Counts,
}

impl Counts {
    /// Counts the answer to the row `number`.
    fn count(&mut self, number: u64, answer: &Answer<'_>) {
        self.answers += 1;
        if let Some(error) = &answer.error {
            self.refused += 1;
            self.first_refused
                .get_or_insert_with(|| (number, error.code.to_string()));
        }
    }

    /// Adds the counts of a later batch.
    fn add(&mut self, later: &Self) {
        self.answers += later.answers;
        self.refused += later.refused;
        if self.first_refused.is_none() {
            self.first_refused.clone_from(&later.first_refused);
        }
    }
}

fn answer_batch<B: Rows>(
    engine: &Engine,
    (scratch, room): &mut (Scratch, Room),
    batch: &B,
    options: &Options,
    sheet: &Sheet,
    done: &mut Done,
) {
    done.bytes.clear();
    done.counts = Counts::default();
    let (counts, mut page) = (&mut done.counts, sheet.page(&mut done.bytes));
    batch.each(room, |row| {
        answer_row(engine, scratch, &row, options, |answer| {
            counts.count(row.number, answer);
            page.add(answer, row.carried);
        });
    });
    page.end();
}

/// Passes the answer to one row on. The title may be missing, not UTF-8, or too long.
fn answer_row(
    engine: &Engine,
    scratch: &mut Scratch,
    row: &Row<'_>,
    options: &Options,
    hand_on: impl FnOnce(&Answer<'_>),
) {
    let (text, bad) = row
        .title
        .as_ref()
        .map_or((Cow::Borrowed(""), None), |title| decode(title.bytes));
    let mut answer = engine.answer_with(scratch, &text, options);
    match &row.title {
        Ok(title) => note(&mut answer, *title, bad),
        Err(why) => answer.error = Some(TitleError::new("bad_row", why.as_str())),
    }
    if let (None, Some(altered)) = (&answer.error, &row.altered) {
        answer.error = Some(TitleError::new("invalid_utf8", altered.as_str()));
    }
    hand_on(&answer);
}

/// Records in the answer why the title could not be read as given.
pub(crate) fn note(answer: &mut Answer<'_>, title: Title<'_>, bad: Option<usize>) {
    if title.is_cut() {
        answer.error = Some(TitleError::too_long(title.length));
    } else if let (None, Some(at)) = (&answer.error, bad) {
        answer.error = Some(TitleError::new(
            "invalid_utf8",
            format!("byte {at} is not UTF-8; it was read as U+FFFD"),
        ));
    }
}

/// Writes batches of answers, counts them, and shows progress.
struct Writer<'s> {
    sheet: &'s Sheet,
    target: Target,
    counts: Counts,
    /// Answers that an earlier run wrote.
    before: u64,
    /// How far the input is answered.
    at: Mark,
    bar: Option<Bar>,
    /// The name of a row: `line`, `row`.
    place: &'static str,
}

impl<'s> Writer<'s> {
    /// Writes to `target`, which is at `standing`.
    fn new(
        sheet: &'s Sheet,
        mut target: Target,
        standing: Standing,
        bar: Option<Bar>,
        place: &'static str,
    ) -> Result<Self, Failure> {
        if standing.written == 0 {
            target.write(sheet.head().as_bytes())?;
        }
        Ok(Self {
            sheet,
            target,
            before: standing.counts.answers,
            at: standing.at,
            counts: standing.counts,
            bar,
            place,
        })
    }

    /// Writes one batch, which ends at `at`.
    fn write(&mut self, done: &Done, at: Mark, position: u64) -> Result<(), Failure> {
        if !done.bytes.is_empty() {
            if self.counts.answers > 0 {
                self.target.write(self.sheet.between().as_bytes())?;
            }
            self.target.write(&done.bytes)?;
        }
        self.at = at;
        self.counts.add(&done.counts);
        self.target.hear(at, &self.counts)?;
        if let Some(bar) = &mut self.bar {
            bar.show(position, self.counts.answers - self.before);
        }
        Ok(())
    }

    /// Ends the process after a failure to write: the reading thread may be waiting for a line that
    /// never comes.
    fn leave(&mut self, failure: Failure) -> ! {
        self.clear();
        self.target.discard();
        std::process::exit(match failure {
            Failure::Closed => 0,
            Failure::Said(message) => {
                say(&message);
                1
            }
        })
    }

    fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.clear();
        }
    }

    fn finish(mut self) -> Result<u64, Failure> {
        self.clear();
        self.target.write(self.sheet.tail().as_bytes())?;
        self.target.end(self.at, &self.counts)?;
        if let Some((number, code)) = self.counts.first_refused {
            let Counts {
                refused, answers, ..
            } = self.counts;
            let place = self.place;
            say(&format!(
                "{refused} of {answers} titles could not be read as given, the first in {place} {number} ({code}): see `error` in the answer"
            ));
        }
        Ok(self.counts.refused)
    }
}
