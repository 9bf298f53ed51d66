//! `titledex-lab corpus`: counts how titles are written, and generates such titles with labels that
//! are right by construction.
//!
//! `fit` reads titles ([`fit`](mod@fit), [`surface`]) and writes counts ([`noise`]). `generate` draws cards
//! ([`deck`]), writes the fields of each ([`render`], [`copy`], [`spoil`]), puts them into a row
//! ([`layout`]), and finds the cards that agree with what was written ([`label`]); [`falsify`]
//! states one attribute wrongly, and [`refuse`] writes titles of things outside the catalogue.
//! `docs/CORPUS.md` says what is counted and why labels are right.

mod compare;
mod copy;
mod counts;
mod deck;
mod falsify;
mod fit;
mod generate;
mod label;
mod layout;
mod noise;
mod random;
mod refuse;
mod render;
mod slot;
mod spoil;
mod surface;
mod venues;
mod words;

use clap::{Args, Subcommand};
use compare::Looks;
use counts::Counts;
use fit::Fitter;
use generate::{Generator, Order};
use noise::Noise;
use render::Sources;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use titledex::{Engine, Options, Scratch};
use titledex_command::catalogue::{self, CatalogueFile};
use titledex_command::output::{refuse_inputs, write_whole};
use titledex_command::score::read_lines;
use titledex_command::{Failure, files, say};
use venues::Venues;
use words::{COUNTED, Words};

pub(crate) const HELP: &str = "\
Examples:
  titledex-lab corpus generate --seed 1 --titles 20000 -o titles.jsonl
  titledex score titles.jsonl
  titledex-lab corpus fit pool.jsonl.gz -o noise.csv";

const FIT_HELP: &str = "\
Titles are JSON Lines, gzip or not: `title`, `venue`, and `lang` if it is known. Only
counts and words of the dictionaries are written, never a title or a part of one.

Examples:
  titledex-lab corpus fit pool.jsonl.gz -o noise.csv
  titledex-lab corpus fit pool.jsonl.gz --compare titles.jsonl

Exit codes: 0 done, 1 a file or catalogue was refused, 2 usage";

const GENERATE_HELP: &str = "\
The same seed, catalogue and counts give the same bytes on every platform, and a
longer file begins with the titles of a shorter one. Each row is a label as
`titledex score` and `titledex-lab train` read it. Its cards are found by comparing the
attributes that were written with the catalogue, never by reading the title.

Examples:
  titledex-lab corpus generate --seed 1 --titles 20000 -o titles.jsonl
  titledex-lab corpus generate --seed 2 --titles 1000 --catalogue cards.index --uniform
  titledex-lab corpus generate --seed 3 --titles 500 --venue carousell --refusals 0
  titledex-lab corpus generate --seed 4 --titles 4000 --games yugioh --uniform --refusals 0

Exit codes: 0 done, 1 a file or catalogue was refused, 2 usage";

/// Commands for corpora of titles.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Count how titles are written, or compare two files of titles.
    #[command(after_help = FIT_HELP)]
    Fit(Fit),
    /// Write titles with labels.
    #[command(after_help = GENERATE_HELP)]
    Generate(Generate),
}

/// The options of `titledex-lab corpus fit`.
#[derive(Debug, Args)]
pub(crate) struct Fit {
    /// Titles without labels.
    #[arg(value_name = "POOL")]
    pool: PathBuf,
    /// Where to write the counts.
    #[arg(long, short, value_name = "FILE", required_unless_present = "compare")]
    output: Option<PathBuf>,
    /// Instead of counting, show what these titles and those of POOL look like, side by side.
    #[arg(long, value_name = "TITLES", conflicts_with = "output")]
    compare: Option<PathBuf>,
    #[command(flatten)]
    from: CatalogueFile,
}

/// The options of `titledex-lab corpus generate`.
#[derive(Debug, Args)]
pub(crate) struct Generate {
    /// Seed: another number gives other titles.
    #[arg(long, value_name = "N")]
    seed: u64,
    /// Number of titles.
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    titles: u64,
    /// Where to write them [default: standard output].
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Only titles of this kind of venue, such as `ebay` or `japanese market`; may be given several
    /// times [default: the mix that was counted].
    #[arg(long, value_name = "VENUE")]
    venue: Vec<String>,
    /// Share of titles that are not a card of the catalogue: cards that do not exist, lots, sealed
    /// products, other things.
    #[arg(long, value_name = "SHARE", default_value = "0.15")]
    refusals: Share,
    /// Share of the titles of a card that state one attribute of it wrongly, while all else names
    /// it: a digit of the number or of its total, or the name, set, year, rarity or edition of
    /// another card. `slip` in the label says which.
    #[arg(long, value_name = "SHARE", default_value = "0")]
    slips: Share,
    /// Draw every card equally often, instead of languages and years as often as venues offer them.
    #[arg(long)]
    uniform: bool,
    /// Counts that `titledex-lab corpus fit` wrote, instead of the built-in ones.
    #[arg(long, value_name = "FILE")]
    noise: Option<PathBuf>,
    #[command(flatten)]
    from: CatalogueFile,
}

/// A share from 0 to 1, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Share(u16);

impl Share {
    /// How many in a thousand.
    fn thousandths(self) -> u64 {
        u64::from(self.0)
    }
}

impl std::str::FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let share: f64 = text
            .parse()
            .map_err(|_| "a number from 0 to 1 is expected".to_owned())?;
        if (0.0..=1.0).contains(&share) {
            Ok(Self((share * 1000.0).round() as u16))
        } else {
            Err("a number from 0 to 1 is expected".to_owned())
        }
    }
}

/// The counts compiled into the program.
const BUILTIN: (&str, &str) = ("lab/data/noise.csv", include_str!("../../data/noise.csv"));
/// Defaults for what cannot be counted.
const DEFAULTS: (&str, &str) = (
    "lab/data/noise_defaults.csv",
    include_str!("../../data/noise_defaults.csv"),
);

/// Runs one of the commands.
pub(crate) fn run(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Fit(args) => fit(args),
        Command::Generate(args) => generate(args),
    }
}

/// The titles of a file, each with venue and language.
fn titles(path: &Path) -> Result<Vec<[String; 3]>, Failure> {
    let mut out = Vec::new();
    for (line, row) in read_lines(path)? {
        let Some(title) = row["title"].as_str() else {
            return Err(Failure::new(format!(
                "{}:{line}: a row without `title`: add it as text",
                files::name(path)
            )));
        };
        let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
        out.push([title.to_owned(), text("venue"), text("lang")]);
    }
    Ok(out)
}

fn fit(args: &Fit) -> Result<(), Failure> {
    let engine = catalogue::engine(&args.from.or_first_game())?;
    let venues = Venues::builtin()?;
    let pool = titles(&args.pool)?;
    if let Some(other) = &args.compare {
        let other = titles(other)?;
        return compare(&engine, &venues, &pool, &other);
    }
    let words = Words::builtin(&[COUNTED.to_owned()])?;
    let mut fitter = Fitter {
        engine: &engine,
        words: &words,
        counts: Counts::default(),
        scratch: Scratch::default(),
    };
    let mut read = 0;
    for [title, venue, language] in &pool {
        if let Some(group) = venues.group(venue, language) {
            fitter.title(group, venue, title);
            read += 1;
        }
    }
    let mut noise = fitter.counts.noise();
    noise.fill(&Noise::read(DEFAULTS.0, DEFAULTS.1.as_bytes())?);
    let Some(output) = &args.output else {
        return Err(Failure::new(
            "say with -o where to write the counts, or with --compare what to compare",
        ));
    };
    refuse_inputs(output, [args.pool.as_path()])?;
    write_whole(output, &noise.write())?;
    say(&format!(
        "{}: {read} of {} titles counted",
        files::name(output),
        pool.len()
    ));
    Ok(())
}

fn compare(
    engine: &Engine,
    venues: &Venues,
    pool: &[[String; 3]],
    other: &[[String; 3]],
) -> Result<(), Failure> {
    let mut tables: BTreeMap<String, [Looks; 2]> = BTreeMap::new();
    let mut scratch = Scratch::default();
    for (column, titles) in [pool, other].into_iter().enumerate() {
        for [title, venue, language] in titles {
            let Some(group) = venues.group(venue, language) else {
                continue;
            };
            let answer = engine.answer_with(&mut scratch, title, &Options::default());
            let script = if surface::is_japanese(title) {
                "Japanese script"
            } else {
                "Latin letters"
            };
            for key in ["all", script, group] {
                tables.entry(key.to_owned()).or_default()[column].add(title, &answer);
            }
        }
    }
    let mut out = io::stdout().lock();
    for (name, [pool, other]) in &tables {
        out.write_all(compare::table(name, [("pool", pool), ("titles", other)]).as_bytes())?;
    }
    Ok(out.flush()?)
}

fn generate(args: &Generate) -> Result<(), Failure> {
    let (file, bytes) = match &args.noise {
        Some(path) => (files::name(path), files::read(path)?),
        None => (BUILTIN.0.to_owned(), BUILTIN.1.as_bytes().to_vec()),
    };
    let noise = Noise::read(&file, &bytes)?;
    for group in &args.venue {
        if !noise.groups().any(|own| own == group) {
            let known: Vec<&str> = noise.groups().collect();
            return Err(Failure::new(format!(
                "no venue {group:?} in {file}: it has {}",
                known.join(", ")
            )));
        }
    }
    let from = args.from.or_first_game();
    let catalogue = catalogue::open(&from)?;
    // of a catalogue of one's own, whatever its games, the words are those that were counted
    let counted = vec![COUNTED.to_owned()];
    let words = Words::builtin(if from.games.is_empty() {
        &counted
    } else {
        &from.games
    })?;
    let deck = deck::Deck::new(&catalogue, &words, &from.games);
    let sources = Sources {
        noise,
        words,
        deck,
        catalogue: catalogue.clone(),
    };
    let order = Order {
        seed: args.seed,
        groups: args.venue.clone(),
        refusals: args.refusals.thousandths(),
        slips: args.slips.thousandths(),
        uniform: args.uniform,
    };
    let generator = Generator::new(&sources, order);
    let mut out = Vec::new();
    let mut missing = 0;
    for index in 0..args.titles {
        match generator.title(index) {
            Some(row) => {
                serde_json::to_writer(&mut out, &row).map_err(io::Error::from)?;
                out.push(b'\n');
            }
            None => missing += 1,
        }
    }
    if missing > 0 {
        say(&format!(
            "{missing} of {} titles could not be written: the catalogue has no card that their venue's habits fit",
            args.titles
        ));
    }
    match &args.output {
        Some(path) => write_whole(path, &out),
        None => {
            let mut stdout = io::stdout().lock();
            stdout.write_all(&out)?;
            Ok(stdout.flush()?)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BUILTIN, DEFAULTS, Noise, Venues};

    #[test]
    fn built_in_counts_are_canonical() {
        for (file, text) in [BUILTIN, DEFAULTS] {
            let noise =
                Noise::read(file, text.as_bytes()).unwrap_or_else(|error| panic!("{error:?}"));
            assert_eq!(
                String::from_utf8(noise.write()).expect("UTF-8"),
                text,
                "{file}"
            );
        }
    }

    #[test]
    fn every_group_has_the_parameters_that_titles_need() {
        let noise = Noise::read(BUILTIN.0, BUILTIN.1.as_bytes())
            .unwrap_or_else(|error| panic!("{error:?}"));
        Venues::builtin().unwrap_or_else(|error| panic!("{error:?}"));
        assert!(noise.groups().count() > 5);
        for group in noise.groups() {
            for parameter in [
                "venue",
                "draw",
                "fields international",
                "next",
                "number",
                "name",
                "set",
                "refusal",
            ] {
                assert!(
                    !noise.table(group, parameter).is_empty(),
                    "{group}: {parameter}"
                );
            }
        }
    }
}
