//! `titledex search`: cards of the catalogue that a query means, best first.

use crate::colour::{Colours, Paint};
use crate::text::{columns, cut, fit};
use clap::builder::RangedU64ValueParser;
use clap::{Args, ValueEnum};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use titledex::CardView;
use titledex::{Catalogue, MAX_TITLE_BYTES, Scratch, Within};
use titledex_command::catalogue::{CatalogueFile, engine};
use titledex_command::{Failure, say};

pub(crate) const HELP: &str = "\
A query is any mixture of names, numbers, sets, artists and rarities, in any language
that titles are read in. It may be misspelt or unfinished. A name alone finds all its
cards, the newest first.

Formats:
  table  for people: id, name, number, language, year, rarity, set
  jsonl  one JSON object a line, as `titledex catalogue show` prints it

Examples:
  titledex search charizard base set
  titledex search 'umbreon 215/203' --format jsonl
  titledex search pikachu --region asia --max 100

Exit codes: 0 done, 1 the query or the catalogue was refused, 2 usage";

/// Columns of the table but for the set, which takes what is left, with their widths.
const TABLE: [(&str, usize); 6] = [
    ("CARD", 18),
    ("NAME", 24),
    ("NUMBER", 9),
    ("LANGUAGE", 10),
    ("YEAR", 4),
    ("RARITY", 16),
];

/// The options of `titledex search`.
#[derive(Debug, Args)]
pub(crate) struct Search {
    /// The query; its words need no quotes.
    #[arg(value_name = "QUERY", required = true)]
    query: Vec<String>,
    /// Show at most this many cards, 1 to 10000.
    #[arg(long, value_name = "N", default_value = "20", value_parser = RangedU64ValueParser::<usize>::new().range(1..=10_000))]
    max: usize,
    /// Only cards of this set, by its id; may be given several times.
    #[arg(long, value_name = "ID")]
    set: Vec<String>,
    /// Only cards of one part of the catalogue.
    #[arg(long, value_enum, value_name = "REGION")]
    region: Option<Region>,
    /// How the cards are written.
    #[arg(
        long,
        short,
        value_enum,
        value_name = "FORMAT",
        default_value = "table"
    )]
    format: Format,
    #[command(flatten)]
    from: CatalogueFile,
}

/// A part of the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Region {
    /// Cards in English and other western languages.
    International,
    /// Cards first printed in Japanese and other Asian languages.
    Asia,
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
        return Err(Failure::new(
            "the query is empty: name a card, a number, a set or an artist",
        ));
    }
    if query.len() > MAX_TITLE_BYTES {
        return Err(Failure::new(format!(
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
    if let Some(region) = args.region {
        within = within.asian(region == Region::Asia);
    }
    let found = engine.search(&mut Scratch::default(), &query, &within);
    if found.is_empty() {
        say(&format!("no card matches {query:?}"));
    }
    let mut out = io::BufWriter::new(io::stdout().lock());
    let terminal = io::stdout().is_terminal().then(columns);
    if args.format == Format::Table && !found.is_empty() {
        out.write_all(heading(colours).as_bytes())?;
    }
    for card in found.into_iter().filter_map(|id| catalogue.card(id)) {
        match args.format {
            Format::Table => out.write_all(line(&card, colours, terminal).as_bytes())?,
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

fn heading(colours: Colours) -> String {
    let cells = TABLE.map(|(title, width)| fit(title, width)).join("  ");
    format!(
        "{}\n",
        colours.paint(Paint::Strong, &format!("{cells}  SET"))
    )
}

/// One line of the table, cut to the columns of the terminal if there is one.
fn line(card: &CardView<'_>, colours: Colours, terminal: Option<usize>) -> String {
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
    ];
    let paints = [
        Paint::Faint,
        Paint::Name,
        Paint::Number,
        Paint::Origin,
        Paint::Origin,
        Paint::Faint,
    ];
    let mut out = String::new();
    let mut used = 0;
    for ((cell, (_, width)), paint) in cells.into_iter().zip(TABLE).zip(paints) {
        let _ = write!(out, "{}  ", colours.paint(paint, &fit(cell, width)));
        used += width + 2;
    }
    let left = terminal.map_or(usize::MAX, |columns| columns.saturating_sub(used).max(12));
    out.push_str(&colours.paint(Paint::Origin, &cut(card.set_name, left)));
    format!("{}\n", out.trim_end())
}
