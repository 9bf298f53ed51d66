//! `titledex parse`: an answer for each title, in input order.

mod answers;
mod args;
mod form;

pub(crate) use answers::note;
pub(crate) use args::{Format, HELP, Parse};

use crate::colour::Colours;
use crate::input::csv::Records;
use crate::input::lines::{Json, Lines};
use crate::input::separator::separator;
use crate::input::values::Values;
use crate::input::{Input, Mark, Room, Row, Title};
use crate::output::{Carried, Chosen, Sheet, Style};
use crate::resume::{Lock, Partial, Plan, Run, Standing};
use crate::slip;
use crate::stream;
use crate::target::{Recording, Target, complete};
use crate::text;
use answers::{Answering, Done, Filter, Writer};
use clap::ValueEnum;
use form::Form;
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::Path;
use std::time::Duration;
use titledex::{Options, Scratch};
use titledex_command::catalogue::{engine, fingerprint};
use titledex_command::files;
use titledex_command::output::{Destination, refuse_inputs};
use titledex_command::progress::Bar;
use titledex_command::source::{Kind, Source};
use titledex_command::{Failure, say};

/// The default of `--column`.
const COLUMN: &str = "title";
/// What reads a file, in hints.
pub(crate) const INPUT: &str = "titledex parse --input";

/// Reads the titles and writes the answers; returns how many titles could not be read as given.
pub(crate) fn run(args: &Parse, colours: Colours) -> Result<u64, Failure> {
    let columns = form::columns(args)?;
    let destination = destination(args)?;
    if !args.titles.is_empty() {
        let form = Form::of(args, &destination, true)?;
        if let Some(hint) = slip::hint(&args.titles, INPUT) {
            say(&hint);
        }
        return answer_arguments(
            args,
            &style(args, form, columns, colours),
            form,
            &destination,
        );
    }
    let mut source = Source::of(args.input.as_deref())?;
    let form = Form::of(args, &destination, source.is_typed())?;
    let column = args.column.as_deref().unwrap_or(COLUMN);
    let kind = kind(args, &source, column)?;
    let cells = match kind {
        Kind::Csv => Some(b','),
        Kind::Tsv => Some(b'\t'),
        _ => None,
    };
    let sniffed = || cells.map(|usual| separator(source.beginning(), usual, column));
    let delimiter = args.delimiter.or_else(sniffed);
    let run = begin(args, &destination, &source, (kind, delimiter), form)?;
    let mut standing = Standing::default();
    // held to the end of the run
    let lock = run.as_ref().map(|(_, paths)| Lock::take(paths));
    let _lock = lock.transpose()?;
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
    let at = standing.at;
    let name = source.name();
    let job = Job {
        args,
        style: style(args, form, columns, colours),
        form,
        kind,
        typed: source.is_typed(),
        length: source.length(),
        destination,
        run: run.map(|(run, _)| run),
        standing,
    };
    let json = |place| Json {
        field: column.into(),
        place,
    };
    match kind {
        Kind::Lines => job.answer(
            Lines::new(source.open(at.bytes)?, &name, None, at),
            Carried::Nothing,
        ),
        Kind::Jsonl => job.answer(
            Lines::new(source.open(at.bytes)?, &name, Some(json("line")), at),
            Carried::Object,
        ),
        Kind::Json => {
            let mut values = Values::new(source.open(0)?, column);
            let read = io::copy(&mut values.by_ref().take(at.bytes), &mut io::sink());
            read.map_err(|error| Failure::file("read", Path::new(&name), &error))?;
            let lines = Lines::new(values, &name, Some(json("value")), at);
            job.answer(lines, Carried::Object)
        }
        Kind::Csv | Kind::Tsv => {
            let separator = delimiter.unwrap_or(b',');
            let mut records = Records::open(source.open(0)?, &name, separator, column)?;
            if at != Mark::default() {
                records.resume(source.open(at.bytes)?, at);
            }
            let carried = Carried::Columns(records.carried());
            job.answer(records, carried)
        }
        Kind::Parquet => job.answer_parquet(source.path(), &name, column),
    }
}

/// What the input holds.
fn kind(args: &Parse, source: &Source, column: &str) -> Result<Kind, Failure> {
    let kind = args.from.unwrap_or_else(|| match source.holds(column) {
        // who names a separator means cells
        Kind::Lines if args.delimiter.is_some() => Kind::Csv,
        kind => kind,
    });
    let name = source.name();
    // without --from, what the input holds does not fit the option
    let refused = if args.from.is_some() {
        Failure::Usage
    } else {
        Failure::Said
    };
    if kind == Kind::Lines && args.column.is_some() {
        return Err(refused(format!(
            "{name} is read as lines, which have no columns: name its format with --from"
        )));
    }
    if args.delimiter.is_some() && !matches!(kind, Kind::Csv | Kind::Tsv) {
        return Err(refused(format!(
            "{name} is read as {}, which has no delimiter: leave out --delimiter, or add --from csv",
            name_of(&kind)
        )));
    }
    Ok(kind)
}

/// The options of the core: what the sheet does not show is not made.
fn options(args: &Parse, sheet: &Sheet) -> Options {
    let options = args.matching.options(1);
    options.brief(args.brief || sheet.is_brief())
}

/// How the answers are written.
fn style(args: &Parse, form: Form, columns: Option<Vec<Chosen>>, colours: Colours) -> Style {
    Style {
        format: form.format,
        colours,
        columns,
        exact: args.csv_exact,
        room: text::room(form.terminal),
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
    (kind, delimiter): (Kind, Option<u8>),
    form: Form,
) -> Result<Option<(Run, Partial)>, Failure> {
    let (Destination::File(output), Some(input)) = (destination, source.identity()) else {
        return if args.resume {
            Err(Failure::usage(
                "--resume needs a file as input and a file as output: name them with --input and --output",
            ))
        } else {
            Ok(None)
        };
    };
    if !form.is_resumable() {
        return Ok(None);
    }
    let run = Run {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        input: input.clone(),
        from: name_of(&kind),
        column: args.column.clone().unwrap_or_else(|| COLUMN.to_owned()),
        format: name_of(&form.format),
        delimiter: delimiter.map(char::from),
        columns: args.columns.clone(),
        only: args
            .only
            .iter()
            .map(|kind| kind.as_str().to_owned())
            .collect(),
        min_confidence: args.min_confidence.map(|least| least.to_string()),
        csv_exact: args.csv_exact,
        catalogue: fingerprint(&args.matching.from)?,
        max_suggestions: args.matching.max_suggestions,
        fuzzy: !args.matching.no_fuzzy,
        brief: args.brief,
    };
    Ok(Some((run, Partial::of(output))))
}

/// The value as written on the command line.
fn name_of(value: &impl ValueEnum) -> String {
    value
        .to_possible_value()
        .map_or_else(String::new, |value| value.get_name().to_owned())
}

/// Starts an output that no later run can complete.
fn whole(form: Form, destination: &Destination, sheet: &Sheet) -> Result<Target, Failure> {
    match form.format {
        #[cfg(feature = "parquet")]
        Format::Parquet => Target::parquet(destination, sheet.schema()),
        _ => {
            let _ = sheet;
            Target::create(destination, form.packed)
        }
    }
}

/// Answers the titles of the command line.
fn answer_arguments(
    args: &Parse,
    style: &Style,
    form: Form,
    destination: &Destination,
) -> Result<u64, Failure> {
    let engine = engine(&args.matching.from)?;
    let (sheet, filter) = (
        Sheet::new(style.clone(), Carried::Nothing),
        Filter::of(args),
    );
    let options = options(args, &sheet);
    let target = whole(form, destination, &sheet)?;
    let standing = Standing::default();
    let mut writer = Writer::new((&sheet, &filter), target, standing, None, "argument")?;
    let answering = Answering {
        engine: &engine,
        options: &options,
        filter: &filter,
        sheet: &sheet,
    };
    let mut done = Done::default();
    answering.rows(&mut Scratch::default(), &mut done, |answer| {
        for (number, title) in (1..).zip(&args.titles) {
            answer(Row {
                number,
                title: Ok(Title::of(title.as_encoded_bytes())),
                carried: &[],
                altered: None,
            });
        }
    });
    writer.write(&done, Mark::default(), 0)?;
    writer.finish()
}

/// Everything that a run needs besides its input.
struct Job<'a> {
    args: &'a Parse,
    style: Style,
    form: Form,
    kind: Kind,
    /// Whether the input is typed.
    typed: bool,
    /// Length of the input, if it is known.
    length: Option<u64>,
    destination: Destination,
    run: Option<Run>,
    standing: Standing,
}

impl Job<'_> {
    /// Starts the output, or resumes it.
    fn target(&self, sheet: &Sheet) -> Result<Target, Failure> {
        let (Some(run), Destination::File(path)) = (&self.run, &self.destination) else {
            return whole(self.form, &self.destination, sheet);
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
        self.answer_up_to(input, carried, self.length, |at| at.bytes)
    }

    #[cfg(feature = "parquet")]
    fn answer_parquet(
        &self,
        path: Option<&Path>,
        name: &str,
        column: &str,
    ) -> Result<u64, Failure> {
        let Some(path) = path else {
            return Err(Failure::new(
                "Parquet can only be read from a file, because its index is at the end: name it with --input",
            ));
        };
        let file = File::open(path).map_err(|error| Failure::file("read", path, &error))?;
        let columns = crate::input::parquet::Columns::open(file, name, column, self.standing.at)?;
        let (carried, length) = (Carried::Typed(columns.carried()), Some(columns.rows));
        self.answer_up_to(columns, carried, length, |at| at.rows)
    }

    #[cfg(not(feature = "parquet"))]
    fn answer_parquet(&self, _: Option<&Path>, name: &str, _: &str) -> Result<u64, Failure> {
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
        refuse_unknown(self.style.columns.as_deref(), &carried)?;
        let engine = engine(&self.args.matching.from)?;
        let (sheet, filter) = (
            Sheet::new(self.style.clone(), carried),
            Filter::of(self.args),
        );
        let options = options(self.args, &sheet);
        let target = self.target(&sheet)?;
        let watched = io::stderr().is_terminal() && !target.is_terminal() && !self.typed;
        let bar = watched.then(|| Bar::new(position(self.standing.at), length));
        let place = match self.kind {
            Kind::Lines | Kind::Jsonl => "line",
            Kind::Json => "value",
            _ => "row",
        };
        let standing = self.standing.clone();
        let mut writer = Writer::new((&sheet, &filter), target, standing, bar, place)?;
        let answering = Answering {
            engine: &engine,
            options: &options,
            filter: &filter,
            sheet: &sheet,
        };
        let work = |state: &mut (Scratch, Room), batch: &I::Batch, done: &mut Done| {
            answering.batch(state, batch, done);
        };
        let jobs = self.args.jobs.unwrap_or_else(cores);
        let ended = stream::run(input, jobs, work, |batch, done| {
            use crate::input::Rows;
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

/// Refuses columns of the input that it does not have.
fn refuse_unknown(columns: Option<&[Chosen]>, carried: &Carried) -> Result<(), Failure> {
    let (Some(columns), Some(names)) = (columns, carried.names()) else {
        return Ok(());
    };
    for chosen in columns {
        match chosen {
            Chosen::Member(name) if !names.contains(&name.as_str()) => {
                let has = if names.is_empty() {
                    "none besides the titles".to_owned()
                } else {
                    names.join(", ")
                };
                return Err(Failure::new(format!(
                    "the input has no column `{name}` (it has {has}): leave `row.{name}` out of --columns"
                )));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The default of `--jobs`.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
