//! `titledex search`: cards of the catalogue that a query means, best first.

use crate::colour::{Colours, Paint};
use crate::table::{Column, Table};
use crate::text::room;
use clap::builder::RangedU64ValueParser;
use clap::{Args, ValueEnum};
use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use titledex::CardView;
use titledex::{Catalogue, Engine, MAX_TITLE_BYTES, Scratch, Within};
use titledex_command::catalogue::{CatalogueFile, engine};
use titledex_command::{Failure, say};

pub(crate) const HELP: &str = "\
A query is any mixture of names, numbers, sets, artists and rarities, in any language
that titles are read in. It may be misspelt or unfinished. A name alone finds all its
cards, the newest first.

Formats:
  table  for people: id, name, number, set, language, year, rarity, as wide as the
         terminal
  jsonl  one JSON object a line, as `titledex catalogue show` prints it
On a terminal the format is a table, elsewhere JSON Lines.

Examples:
  titledex search charizard base set
  titledex search 'umbreon 215/203' | jq -r .id
  titledex search pikachu --language japanese --max 100
  titledex search luffy --games onepiece --set onepiece:OP01

Exit codes: 0 done, 1 a catalogue was refused, or lacks what an option names, 2 usage";

/// The columns of the table.
const TABLE: [Column; 7] = [
    Column::new("CARD", (12, 18), 0, Paint::Faint),
    Column::new("NAME", (14, 24), 1, Paint::Name),
    Column::new("NUMBER", (7, 9), 2, Paint::Number),
    Column::new("LANGUAGE", (8, 10), 4, Paint::Origin),
    Column::new("YEAR", (4, 4), 5, Paint::Origin),
    Column::new("RARITY", (10, 16), 6, Paint::Faint),
    Column::new("SET", (10, usize::MAX), 3, Paint::Origin),
];

/// The options of `titledex search`.
#[derive(Debug, Args)]
pub(crate) struct Search {
    /// The query; its words need no quotes.
    #[arg(value_name = "QUERY", required = true)]
    query: Vec<String>,
    /// Show at most this many cards, 1 to 8192.
    #[arg(long, value_name = "N", default_value = "20", allow_negative_numbers = true, value_parser = RangedU64ValueParser::<usize>::new().range(1..=Within::MOST as u64))]
    max: usize,
    /// Only cards of this set, by its id; may be given several times.
    #[arg(long, value_name = "ID")]
    set: Vec<String>,
    /// Only cards of this region, as their game calls it: international, asia.
    #[arg(long, value_name = "REGION")]
    region: Option<String>,
    /// Only cards of this language, as answers write it: english, japanese. A card that stands
    /// for the prints of all languages is english.
    #[arg(long, value_name = "LANGUAGE")]
    language: Option<String>,
    /// How the cards are written [default: a table on a terminal, else jsonl].
    #[arg(long, short, value_enum, value_name = "FORMAT")]
    format: Option<Format>,
    #[command(flatten)]
    from: CatalogueFile,
}

/// How cards are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table for people.
    Table,
    /// One JSON object on each line.
    Jsonl,
}

/// Searches and prints the cards.
pub(crate) fn run(args: &Search, colours: Colours) -> Result<(), Failure> {
    let query = args.query.join(" ");
    if query.trim().is_empty() {
        return Err(Failure::usage(
            "the query is empty: name a card, a number, a set or an artist",
        ));
    }
    if query.len() > MAX_TITLE_BYTES {
        return Err(Failure::usage(format!(
            "the query has {} bytes, and at most {MAX_TITLE_BYTES} are read: shorten it",
            query.len()
        )));
    }
    let engine = engine(&args.from)?;
    let catalogue = engine.catalogue();
    let sets: Vec<&str> = args.set.iter().map(String::as_str).collect();
    check_sets(catalogue, &sets)?;
    let mut within = Within::new().most(args.max);
    if !sets.is_empty() {
        within = within.sets(&sets);
    }
    if let Some(region) = &args.region {
        within = within.region(region);
    }
    if let Some(language) = &args.language {
        within = within.language(language);
    }
    let found = engine.search(&mut Scratch::default(), &query, &within);
    if found.is_empty() {
        check_language(catalogue, args.language.as_deref())?;
        check_region(&engine, args.region.as_deref())?;
        say(&format!("no card matches {query:?}"));
    }
    let terminal = io::stdout().is_terminal();
    let format = args.format.unwrap_or(if terminal {
        Format::Table
    } else {
        Format::Jsonl
    });
    let table = Table::new(&TABLE, room(terminal), colours);
    let mut out = io::BufWriter::new(io::stdout().lock());
    if format == Format::Table && !found.is_empty() {
        out.write_all(table.heading(&TABLE).as_bytes())?;
    }
    for card in found.into_iter().filter_map(|id| catalogue.card(id)) {
        match format {
            Format::Table => out.write_all(line(&card, &table).as_bytes())?,
            Format::Jsonl => {
                serde_json::to_writer(&mut out, &card).map_err(io::Error::from)?;
                out.write_all(b"\n")?;
            }
        }
    }
    Ok(out.flush()?)
}

/// Refuses sets that the catalogue does not have.
fn check_sets(catalogue: &Catalogue, sets: &[&str]) -> Result<(), Failure> {
    if sets.is_empty() {
        return Ok(());
    }
    let known: BTreeSet<&str> = catalogue.sets().map(|set| set.id).collect();
    match sets.iter().find(|set| !known.contains(**set)) {
        Some(unknown) => Err(Failure::new(format!(
            "the catalogue has no set {unknown}: give the id of a set, such as {}",
            known.iter().next().unwrap_or(&"base1")
        ))),
        None => Ok(()),
    }
}

/// Refuses a language that no card of the catalogue has.
fn check_language(catalogue: &Catalogue, language: Option<&str>) -> Result<(), Failure> {
    let Some(language) = language else {
        return Ok(());
    };
    let known: BTreeSet<&str> = catalogue.facts().map(|facts| facts.card.language).collect();
    if known.contains(language) {
        return Ok(());
    }
    let known: Vec<_> = known.into_iter().collect();
    Err(Failure::new(format!(
        "the catalogue has no cards in {language}: give one of {}",
        known.join(", ")
    )))
}

/// Refuses a region that no opened game has.
fn check_region(engine: &Engine, region: Option<&str>) -> Result<(), Failure> {
    let named = |name: &str| {
        let mut games = engine.games().into_iter();
        games.any(|id| {
            engine
                .dictionary()
                .game(id)
                .is_some_and(|game| game.region_called(name).is_some())
        })
    };
    match region {
        Some(name) if name.is_empty() || !named(name) => Err(Failure::new(format!(
            "no game that is opened has the region {name:?}: give one of {}",
            engine.regions().join(", ")
        ))),
        _ => Ok(()),
    }
}

/// One line of the table.
fn line(card: &CardView<'_>, table: &Table<7>) -> String {
    let number = match (card.number, card.total) {
        (Some(number), Some(total)) => format!("{number}/{total}"),
        (number, _) => number.unwrap_or_default().to_owned(),
    };
    let year = card.released.as_deref().unwrap_or_default();
    let cells = [
        card.id,
        card.name,
        &number,
        card.language,
        year.get(..4).unwrap_or(year),
        card.rarity.unwrap_or_default(),
        card.set_name,
    ];
    table.row(Paint::Faint, cells)
}
