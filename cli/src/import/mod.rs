//! `titledex catalogue import`: the public forms in which facts of cards are kept → our JSON Lines
//! or an index, and what that changes.

mod compare;
mod elements;
mod facts;
mod pokemon_tcg_data;
mod scryfall;
mod tcgdex;
mod words;
mod ygojson;

use clap::{Args, ValueEnum};
use compare::Held;
use facts::{Facts, lines};
use std::path::{Path, PathBuf};
use titledex::internals::build::input;
use titledex::internals::build::rows::Rows;
use titledex_command::catalogue::{Bound, refused, rows_of, stem, write_index};
use titledex_command::output::{refuse_outputs, write_whole};
use titledex_command::{Failure, files, say};
use words::Words;

pub(crate) const HELP: &str = "\
Forms (--from), each from files or whole folders, gzip or not:
  tcgdex            the compiled cards.json and sets.json of each language, in a
                    folder named by it (en/cards.json), or answers of the API
  pokemon-tcg-data  cards/en/*.json and sets/en.json
  scryfall          a bulk file, as default_cards; it is streamed
  ygojson           the individual files, cards/*.json and sets/*.json

An --output that ends in .jsonl gets the cards as JSON Lines, and --sets their sets;
any other is an index. With --against, cards that the catalogue has keep its ids,
and the changes are reported; --merge adds them to that catalogue, which wins where
they contradict.

Examples:
  titledex catalogue import --from tcgdex generated/ --against default -o new.index
  titledex catalogue import --from scryfall default-cards.json -o magic.jsonl --sets sets.jsonl
  titledex catalogue import --from pokemon-tcg-data cards/en/me1.json sets/en.json \\
    --against default --merge --report changes.csv -o catalogue.index";

/// What to import, and where to.
#[derive(Debug, Args)]
pub(crate) struct Import {
    /// The form of the files.
    #[arg(long, value_name = "FORM")]
    from: Form,
    /// Files, or folders whose files of cards and sets are taken.
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// The JSON Lines or the index to write; it is replaced whole, or left as it was.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Where to write the sets as JSON Lines.
    #[arg(long, value_name = "FILE")]
    sets: Option<PathBuf>,
    /// Compare with a catalogue: `default`, or a file of cards as JSON Lines or CSV.
    #[arg(long, value_name = "CATALOGUE")]
    against: Option<PathBuf>,
    /// The sets of --against, if it is a file.
    #[arg(long, value_name = "FILE", requires = "against")]
    against_sets: Option<PathBuf>,
    /// Write an index of the catalogue of --against with what is new.
    #[arg(long, requires = "against")]
    merge: bool,
    /// Write each change as CSV: card, kind, fact, ours, theirs.
    #[arg(long, value_name = "FILE", requires = "against")]
    report: Option<PathBuf>,
    /// The language of TCGdex's files whose path names none.
    #[arg(long, value_name = "CODE", default_value = "en")]
    language: String,
    #[command(flatten)]
    bound: Bound,
}

/// A form of facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    Tcgdex,
    PokemonTcgData,
    Scryfall,
    Ygojson,
}

impl Form {
    /// Its name in `data/import.csv`.
    fn name(self) -> &'static str {
        match self {
            Form::Tcgdex => "tcgdex",
            Form::PokemonTcgData => "pokemon-tcg-data",
            Form::Scryfall => "scryfall",
            Form::Ygojson => "ygojson",
        }
    }

    /// Whether a file of a folder has cards or sets, by its name and the folders above it.
    fn takes(self, path: &Path) -> bool {
        let is = |part: Option<&std::ffi::OsStr>| {
            part.and_then(std::ffi::OsStr::to_str)
                .and_then(|part| part.split('.').next())
                .is_some_and(|part| part == "cards" || part == "sets")
        };
        let above = |levels: usize| path.ancestors().nth(levels).and_then(Path::file_name);
        match self {
            Form::Scryfall => true,
            Form::Tcgdex => is(path.file_name()) || is(above(1)),
            Form::PokemonTcgData => is(above(1)) || is(above(2)),
            Form::Ygojson => is(above(1)),
        }
    }
}

/// The most files of a folder: three times as many as the largest source has.
const MOST_FILES: usize = 100_000;

/// Runs the command.
pub(crate) fn run(args: &Import) -> Result<(), Failure> {
    let as_lines = args.output.extension().is_some_and(|end| end == "jsonl");
    if as_lines && args.merge {
        return Err(Failure::new(
            "--merge writes an index: give --output a name without .jsonl",
        ));
    }
    let inputs = inputs(args)?;
    let held = args.against.iter().chain(&args.against_sets);
    let read_from = inputs.iter().chain(held).map(PathBuf::as_path);
    let outputs = args.sets.iter().chain(&args.report).chain([&args.output]);
    let outputs: Vec<&Path> = outputs.map(PathBuf::as_path).collect();
    refuse_outputs(&outputs, read_from)?;
    let mut facts = read(args, &inputs)?;
    if facts.cards.is_empty() {
        return Err(Failure::new(format!(
            "no card found in {} files: is it of the form {}?",
            inputs.len(),
            args.from.name()
        )));
    }
    say(&format!(
        "{} cards and {} sets read from {} files",
        facts.cards.len(),
        facts.sets.len(),
        inputs.len()
    ));
    facts.clean();
    facts.name_sets();
    for (what, count) in &facts.left {
        say(&format!("{count} {what}"));
    }
    let held = args
        .against
        .as_deref()
        .map(|path| against(args, path))
        .transpose()?;
    if let Some(held) = &held {
        Held::of(held)?.adopt(&mut facts);
    }
    let (cards, sets) = (lines(facts.cards.values())?, lines(facts.sets.values())?);
    let rows = rows(&facts, &cards, &sets)?;
    let mut changed = None;
    if let Some(held) = &held {
        let changes = Held::of(held)?.changes(&rows);
        changes.say();
        if let Some(report) = &args.report {
            write_whole(report, &changes.table()?)?;
        }
        changed = Some(changes);
    }
    if let Some(path) = &args.sets {
        write_whole(path, &sets)?;
    }
    match (held, changed) {
        _ if as_lines => {
            write_whole(&args.output, &cards)?;
            say(&format!(
                "{}: {} cards",
                files::name(&args.output),
                facts.cards.len()
            ));
            Ok(())
        }
        (Some(held), Some(changes)) if args.merge => {
            write_index(&changes.merged(held, rows), &args.output, None)
        }
        _ => write_index(&rows, &args.output, Some(&stem(&args.output))),
    }
}

/// The files that are read: those named, and those of the folders named.
fn inputs(args: &Import) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    let mut typescript = false;
    let mut folders: Vec<PathBuf> = Vec::new();
    for path in &args.paths {
        if path.is_dir() {
            folders.push(path.clone());
        } else {
            files.push(path.clone());
        }
    }
    while let Some(folder) = folders.pop() {
        let failed = |error: std::io::Error| Failure::file("read", &folder, &error);
        let mut entries = std::fs::read_dir(&folder)
            .map_err(failed)?
            .collect::<Result<Vec<_>, _>>()
            .map_err(failed)?;
        // the same order on every machine
        entries.sort_by_key(std::fs::DirEntry::path);
        for entry in entries {
            let path = entry.path();
            let name = entry.file_name();
            let name = name.to_string_lossy();
            typescript |= name.ends_with(".ts");
            if entry.file_type().map_err(failed)?.is_dir() {
                folders.push(path);
            } else if (name.ends_with(".json") || name.ends_with(".json.gz"))
                && args.from.takes(&path)
            {
                files.push(path);
            }
            if files.len() > MOST_FILES {
                return Err(Failure::new(format!(
                    "more than {MOST_FILES} files: name the folder of the cards alone"
                )));
            }
        }
    }
    if files.is_empty() {
        let remedy = if typescript {
            "its cards are TypeScript: compile the database first, or fetch the API's JSON"
        } else {
            "name the folder or the files of the cards"
        };
        return Err(Failure::new(format!(
            "no file of cards or sets in the folders given: {remedy}"
        )));
    }
    Ok(files)
}

/// Reads all files.
fn read(args: &Import, inputs: &[PathBuf]) -> Result<Facts, Failure> {
    let words = Words::of(args.from.name())?;
    let mut facts = Facts::default();
    let mut joined = ygojson::Files::default();
    for path in inputs {
        let language = tcgdex::language_of(path, &words);
        let language = language.as_deref().unwrap_or(&args.language);
        elements::each(path, |element| match args.from {
            Form::Tcgdex => tcgdex::read(element, language, &words, &mut facts),
            Form::PokemonTcgData => pokemon_tcg_data::read(element, &words, &mut facts),
            Form::Scryfall => scryfall::read(element, &words, &mut facts),
            Form::Ygojson => joined.read(element, &words),
        })?;
    }
    match args.from {
        Form::PokemonTcgData => pokemon_tcg_data::complete(&mut facts),
        Form::Ygojson => joined.join(&words, &mut facts)?,
        Form::Tcgdex | Form::Scryfall => {}
    }
    Ok(facts)
}

/// The rows of the catalogue to compare with.
fn against(args: &Import, path: &Path) -> Result<Rows, Failure> {
    let files: &[PathBuf] = if path == Path::new("default") {
        &[]
    } else {
        &[path.to_owned()]
    };
    rows_of(
        files,
        args.against_sets.as_deref(),
        &[titledex_embedded::FIRST_GAME.to_owned()],
        &args.output,
        &args.bound,
    )
}

/// The rows that are written, as every reader of them has them. What the reader refuses is refused
/// at the place that the source states it.
fn rows(facts: &Facts, cards: &[u8], sets: &[u8]) -> Result<Rows, Failure> {
    const CARDS: &str = "cards";
    const SETS: &str = "sets";
    let mut rows = Rows::default();
    let placed = |error: titledex::Error| {
        let message = error.to_string();
        let of_line = |file: &str, places: Vec<&str>| {
            let (line, what) = message
                .strip_prefix(file)?
                .strip_prefix(':')?
                .split_once(':')?;
            let line: usize = line.parse().ok()?;
            let place = places.get(line.checked_sub(1)?)?;
            Some(Failure::new(format!("{place}:{what}")))
        };
        let places = facts
            .cards
            .values()
            .map(|card| card.place.as_str())
            .collect();
        let of_sets = facts.sets.values().map(|set| set.place.as_str()).collect();
        of_line(CARDS, places)
            .or_else(|| of_line(SETS, of_sets))
            .unwrap_or_else(|| refused(error))
    };
    input::jsonl_sets(SETS, sets, &mut rows).map_err(placed)?;
    input::jsonl_cards(CARDS, cards, &mut rows).map_err(placed)?;
    Ok(rows)
}
