//! The arguments and the help text of `titledex parse`.

use crate::args::Matching;
use clap::builder::RangedU64ValueParser;
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;
use titledex_command::source::Kind;

pub(crate) const HELP: &str = "\
Inputs, by --from or the ending of the file's name (.csv .tsv .jsonl .ndjson .parquet,
otherwise lines); `.gz` after it is allowed, gzip is recognised by content:
  lines    one title a line
  csv      with a header; quoted cells may contain line breaks. tsv: tabs for commas
  jsonl    one object a line
  parquet  from a file only, and only if titledex was installed with
           `cargo install --locked --path cli --features parquet`
The title is in the column, member or field named by --column. The others are carried
through: in JSON as the member `row`, the last one, with JSON values byte for byte as
they were, CSV cells as text and Parquet values by type; in CSV as further columns,
named `row.` and their name (from JSON Lines a single column `row`).
A row without a title, or one that cannot be read, gets an answer with `error`.

Formats:
  jsonl  one JSON object a line, in the order of the input
  json   the same objects in one array
  csv    a header and a row for each title, with the columns
           title kind game name number total set setId year language
           edition finish pattern stamps treatment errors size rarity
           grader graderCode grade gradeLabel qualifier certNumber autograph
           condition quantity unread
           outcome outcomeConfidence ambiguousOn notInCatalogue
           cardId marketplaceId cardName cardSet cardSetId cardNumber
           cardRarity cardLanguage printing cardConfidence otherCards
           error errorMessage
         Columns up to `unread` are what the title states; those from `cardId` on
         describe the likeliest card; `otherCards` has the ids of the next ones.
         Several values in a column are joined by `|`; what is not stated is empty.
         Titles are those of others: with --csv-safe no cell is a formula to a spreadsheet.
  table  for people: outcome, likeliest card, grade or condition, title

Examples:
  titledex parse 'Pikachu 58/102 Base Set' 'PSA 10 リザードンex 201/165'
  titledex parse < titles.txt > answers.jsonl
  titledex parse --input titles.txt --format csv > answers.csv
  titledex parse --input listings.csv --column name -o answers.jsonl
  titledex parse --input listings.csv -o answers.jsonl --resume
  zcat titles.gz | titledex parse | jq -r '.matches[0].cardId // \"-\"'

Exit codes:
  0 done  1 a file or catalogue was refused  2 usage
  3 done, but some title could not be read as given: its answer has an `error`
    with the code invalid_utf8, too_long or bad_row";

/// How answers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// One JSON array.
    Json,
    /// One JSON object on each line.
    Jsonl,
    /// One row for each title.
    Csv,
    /// A table for people.
    Table,
}

/// The options of `titledex parse`.
#[derive(Debug, Args)]
pub(crate) struct Parse {
    /// Titles [default: read from standard input, one a line].
    #[arg(value_name = "TITLE")]
    pub(crate) titles: Vec<OsString>,
    /// Read titles from a file; `-` is standard input.
    #[arg(long, short, value_name = "FILE", conflicts_with = "titles")]
    pub(crate) input: Option<PathBuf>,
    /// What the input is [default: by its name].
    #[arg(long, value_enum, value_name = "KIND", conflicts_with = "titles")]
    pub(crate) from: Option<Kind>,
    /// The column of the titles [default: title].
    #[arg(long, value_name = "NAME", conflicts_with = "titles")]
    pub(crate) column: Option<String>,
    /// Write the answers to a file instead of standard output, which is `-`. The file appears when
    /// it is complete.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Resume an interrupted run, or start if there was none. The output is that of an
    /// uninterrupted run; a file of another run is refused.
    #[arg(long, requires = "output", conflicts_with = "titles")]
    pub(crate) resume: bool,
    /// How often to record progress, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 1000, hide = true)]
    pub(crate) checkpoint_millis: u64,
    /// How to write the answers.
    #[arg(
        long,
        short,
        value_enum,
        value_name = "FORMAT",
        default_value = "jsonl"
    )]
    pub(crate) format: Format,
    /// Make CSV safe to open in a spreadsheet: cells that it would run as formulas get an
    /// apostrophe in front. Numbers stay as they are.
    #[arg(long)]
    pub(crate) csv_safe: bool,
    /// Number of threads [default: the number of processors]. The answers keep the order of the
    /// input.
    #[arg(long, short, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=512))]
    pub(crate) jobs: Option<usize>,
    #[command(flatten)]
    pub(crate) matching: Matching,
}
