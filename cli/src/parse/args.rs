//! The arguments and the help text of `titledex parse`.

use crate::args::Matching;
use clap::builder::{PossibleValuesParser, RangedU64ValueParser, TypedValueParser};
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;
use titledex::OutcomeType;
use titledex_command::source::Kind;

pub(crate) const HELP: &str = "\
Inputs, by --from, or by the ending of the file's name, or where that does not tell by
their first line:
  lines    one title a line
  csv      with a header; quoted cells may contain line breaks. Commas, semicolons,
           tabs or bars are recognised in the header. tsv: tabs
  jsonl    one object a line
  json     an array of objects or texts, or objects that span lines
  parquet  from a file only, and only if titledex was installed with
           `cargo install --locked --path cli --features parquet`
gzip, UTF-16 and, with that feature, zstd are recognised by content, on standard input
too; other compressed files and workbooks are refused.
The title is in the column, member or field named by --column. The others are carried
through: in JSON as the member `row`, the last one, with JSON values byte for byte as
they were, CSV cells as text and Parquet values by type; in CSV as further columns,
named `row.` and their name (from JSON Lines a single column `row`).
A row without a title, or one that cannot be read, gets an answer with `error`.

Formats, by --format or the ending of the output's name; `.gz` after it compresses:
  jsonl    one JSON object a line, in the order of the input
  json     the same objects in one array
  csv      a header and a row for each title, with the columns
             title kind game name number total set setId year language
             edition finish pattern stamps treatment errors size rarity
             grader graderCode grade gradeLabel qualifier certNumber autograph
             condition quantity unread
             outcome outcomeConfidence ambiguousOn notInCatalogue
             cardId marketplaceId cardName cardSet cardSetId cardNumber
             cardRarity cardLanguage printing cardConfidence otherCards
             tcgplayerId cardmarketId settledBy
             error errorMessage
           Columns up to `unread` are what the title states; those from `cardId` on
           describe the likeliest card; `otherCards` has the ids of the next ones, and
           `settledBy` what would settle an ambiguous title. Several values in a
           column are joined by `|`; what is not stated is empty.
           Cells that a spreadsheet would run as formulas get an apostrophe in front,
           unless --csv-exact is given.
  tsv      the same with tabs
  parquet  the same columns by type (with the feature parquet)
  table    for people: a line for each title, as wide as the terminal
  pretty   for people: some lines for each title
Without either, answers are JSON Lines; on a terminal they are pretty for titles that
are typed, and a table for those of a file.

Examples:
  titledex parse 'Pikachu 58/102 Base Set' 'PSA 10 リザードンex 201/165'
  titledex parse < titles.txt > answers.jsonl
  titledex parse --input listings.csv --column name -o answers.csv
  titledex parse --input listings.csv -o answers.jsonl --resume
  titledex parse -i listings.csv --only ambiguous --columns title,settledBy -o ask.csv
  titledex parse < titles.txt.gz | jq -r '.matches[0].cardId // \"-\"'

Exit codes:
  0 done  1 a file or catalogue was refused  2 usage
  3 done, but some title could not be read as given: its answer has an `error`
    with the code invalid_utf8, too_long or bad_row
  4 another run writes the same output now";

/// The names of outcomes.
const OUTCOMES: [OutcomeType; 7] = [
    OutcomeType::Match,
    OutcomeType::Ambiguous,
    OutcomeType::NotInCatalogue,
    OutcomeType::Lot,
    OutcomeType::Sealed,
    OutcomeType::OtherGame,
    OutcomeType::NotACard,
];

/// How answers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// One JSON array.
    Json,
    /// One JSON object on each line.
    Jsonl,
    /// One row for each title.
    Csv,
    /// The same with tabs.
    Tsv,
    /// The same by type.
    Parquet,
    /// A table for people.
    Table,
    /// Some lines for each title, for people.
    Pretty,
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
    /// What the input is [default: by its name or its first line].
    #[arg(long, value_enum, value_name = "KIND", conflicts_with = "titles")]
    pub(crate) from: Option<Kind>,
    /// The column of the titles [default: title].
    #[arg(long, value_name = "NAME", conflicts_with = "titles")]
    pub(crate) column: Option<String>,
    /// What separates the cells of a CSV input: a character, or `tab` [default: by its header].
    #[arg(long, value_name = "CHAR", conflicts_with = "titles", value_parser = delimiter)]
    pub(crate) delimiter: Option<u8>,
    /// Write the answers to a file instead of standard output, which is `-`. The file appears when
    /// it is complete.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Resume an interrupted run, or start if there was none. The output is that of an
    /// uninterrupted run; a file of another run is refused.
    #[arg(long, requires = "output", conflicts_with = "titles")]
    pub(crate) resume: bool,
    /// How often to record progress, in milliseconds: so often that little is left to sync at the
    /// end, when nothing else is done beside it.
    #[arg(long, value_name = "MS", default_value_t = 200, hide = true)]
    pub(crate) checkpoint_millis: u64,
    /// How to write the answers [default: by the name of the output].
    #[arg(long, short, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,
    /// Write these columns, in this order, with commas between them: those of CSV below, and `row.`
    /// with the name of a column of the input. JSON has them as members of one level.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) columns: Option<Vec<String>>,
    /// Write JSON without how titles were read and weighed: spans, alternatives, unread words,
    /// printings other than the likeliest and evidence are empty. A fifth faster.
    #[arg(long, conflicts_with = "columns")]
    pub(crate) brief: bool,
    /// Write only answers with these outcomes, with commas between them: match, ambiguous,
    /// not_in_catalogue, lot, sealed, other_game, not_a_card.
    #[arg(long, value_name = "OUTCOMES", value_delimiter = ',', value_parser = outcomes(), hide_possible_values = true)]
    pub(crate) only: Vec<OutcomeType>,
    /// Write only answers whose outcome has at least this confidence, 0 to 1.
    #[arg(long, value_name = "P", value_parser = probability, allow_negative_numbers = true)]
    pub(crate) min_confidence: Option<f32>,
    /// Leave cells of CSV as they are, those too that a spreadsheet would run as formulas.
    #[arg(long)]
    pub(crate) csv_exact: bool,
    /// Number of threads [default: the number of processors]. The answers keep the order of the
    /// input.
    #[arg(long, short, value_name = "N", allow_negative_numbers = true, value_parser = RangedU64ValueParser::<usize>::new().range(1..=512))]
    pub(crate) jobs: Option<usize>,
    #[command(flatten)]
    pub(crate) matching: Matching,
}

/// Outcomes by their names.
fn outcomes() -> impl TypedValueParser<Value = OutcomeType> {
    PossibleValuesParser::new(OUTCOMES.map(OutcomeType::as_str)).map(|name| {
        let named = OUTCOMES.into_iter().find(|kind| kind.as_str() == name);
        named.expect("the parser accepts these names only")
    })
}

fn probability(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(value) if (0.0..=1.0).contains(&value) => Ok(value),
        _ => Err("write a number from 0 to 1".to_owned()),
    }
}

fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\r' | b'\n') => Ok(*byte),
        _ => Err("write one character of ASCII, such as ';', or tab".to_owned()),
    }
}
