//! The command line: every command, option and help text.

use crate::colour::When;
use crate::failure::say;
use crate::train::Missing;
use clap::builder::RangedU64ValueParser;
use clap::{Args as Options, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

const EXIT_CODES: &str = "\
Exit codes:
  0  done; also when the reader of the output closed it
  1  a file could not be read or written, a catalogue was refused
  2  the command line was not understood
  3  done, but some title could not be read as given (invalid UTF-8, too long, or a bad row)";

const EXAMPLES: &str = "\
Examples:
  titledex parse '1999 Pokemon Base Set Shadowless Charizard #4 Holo PSA 9 MINT'
  titledex parse < titles.txt > answers.jsonl
  titledex explain 'Umbreon VMAX 215/203 Evolving Skies NM'
  titledex catalogue build cards.csv.gz -o cards.index
  titledex parse --catalogue cards.index --input titles.txt --format csv
  titledex score labels.jsonl --slice venue";

const PARSE_HELP: &str = "\
Inputs, by --from or by the end of the file's name (.csv .tsv .jsonl .ndjson
.parquet, else lines; .gz behind it is fine, the content tells):
  lines    a title a line
  csv      with a header; quoted cells may hold line ends. tsv: tabs for commas
  jsonl    an object a line
  parquet  from a file only
Titles stand in the column, member or field that --column names. All others are
carried through: in JSON as the member `row`, the last one, with JSON values as
they were written, cells of CSV as text and Parquet by type; in CSV as columns
behind the others, `row.` before their names (from JSON Lines one column, `row`).
A row without a title, or that cannot be read, gets an answer with `error`.

Formats:
  jsonl  one JSON object a line, a line for each title, in input order
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
         Columns up to `unread` are what the title states; from `cardId` the
         likeliest card; `otherCards` are the ids of the next ones. Several
         values in one column are joined by `|`; what is not stated is empty.
  table  for people: outcome, likeliest card, grade or condition, title

Examples:
  titledex parse 'Pikachu 58/102 Base Set' 'PSA 10 リザードンex 201/165'
  titledex parse < titles.txt > answers.jsonl
  titledex parse --input titles.txt --format csv > answers.csv
  titledex parse --input listings.csv --column name -o answers.jsonl
  titledex parse --input listings.parquet -o answers.jsonl --resume
  zcat titles.gz | titledex parse | jq -r '.matches[0].cardId // \"-\"'

Exit codes:
  0 done  1 a file or catalogue was refused  2 usage
  3 done, but some title could not be read as given: its answer has `error`
    with the code invalid_utf8, too_long or bad_row";

const EXPLAIN_HELP: &str = "\
Weights are log-odds: +2.3 multiplies the odds for a card by ten, -2.3 divides
them by ten.

Examples:
  titledex explain 'Umbreon VMAX 215/203 Evolving Skies NM'
  titledex explain --color always 'リザードンex 201/165 SAR PSA10' | less -R

Exit codes:
  0 done  1 a catalogue was refused  2 usage
  3 the title could not be read as given (invalid UTF-8, or too long)";

const TRAIN_HELP: &str = "\
Weights are numbers of the program (`dictionaries/weights.csv`): review the file,
put it there, and build again.

Example:
  titledex train labels.jsonl fixtures/golden/*.jsonl -o weights.csv

Exit codes:
  0 done  1 a file or catalogue was refused  2 usage";

const BUILD_HELP: &str = "\
Inputs are told apart by their content, packed with gzip or not:
  CSV         the price service's export, with the columns marketplaceId name
              setName setId cardNumber rarity language printing (others are
              passed over); a row is a printing, rows of one set, number, name
              and language are one card
  JSON Lines  one card a line with id, set, number, names, and more where it is
              known; their sets come with --sets

Where an input has a missing column, a bad row, a duplicate key or another
encoding than UTF-8, nothing is written; the message names the place.

Examples:
  titledex catalogue build cards_en.csv.gz cards_ja.csv.gz -o cards.index
  titledex catalogue build cards.jsonl.gz --sets sets.jsonl.gz -o cards.index";

const CATALOGUE_HELP: &str = "\
Examples:
  titledex catalogue info
  titledex catalogue show base1-4 asia:SV2a-201
  titledex catalogue build cards.csv -o cards.index";

const PACK_HELP: &str = "\
A pack is not compressed itself: serve it with `Content-Encoding: br` or gzip, or
pack it with gzip; both are read. Every --catalogue takes a pack too.

Examples:
  titledex catalogue pack -o all.pack
  titledex catalogue pack --languages english --since 2016 -o recent.pack
  titledex catalogue pack cards.csv.gz --languages english,japanese -o cards.pack";

const TABLES_HELP: &str = "\
Example:
  titledex catalogue tables --cards cards.jsonl.gz --sets sets.jsonl.gz \\
    -o embedded/tables";

const CORPUS_HELP: &str = "\
Examples:
  titledex corpus generate --seed 1 --titles 20000 -o titles.jsonl
  titledex score titles.jsonl
  titledex corpus fit pool.jsonl.gz -o noise.csv";

const FIT_HELP: &str = "\
Titles are JSON Lines, packed with gzip or not: `title`, `venue`, and `lang` where
it is known. What is written are counts and words of the dictionaries, never a
title or a piece of one.

Examples:
  titledex corpus fit pool.jsonl.gz -o noise.csv
  titledex corpus fit pool.jsonl.gz --compare titles.jsonl

Exit codes:
  0 done  1 a file or catalogue was refused  2 usage";

const GENERATE_HELP: &str = "\
The same seed, catalogue and counts make the same bytes on every platform, and the
first titles of a longer file are those of a shorter one. A row is a label as
`titledex score` and `titledex train` read it; its cards are found by comparing
the attributes that were written with the catalogue, never by reading the title.

Examples:
  titledex corpus generate --seed 1 --titles 20000 -o titles.jsonl
  titledex corpus generate --seed 2 --titles 1000 --catalogue cards.index --uniform
  titledex corpus generate --seed 3 --titles 500 --venue carousell --refusals 0

Exit codes:
  0 done  1 a file or catalogue was refused  2 usage";

const SCORE_HELP: &str = "\
Labels are JSON Lines, packed with gzip or not: `title`, `outcome`, `cards`, and
the attributes to judge. Without PREDICTIONS the titles of the labels are parsed
here; else the answers of `titledex parse` are read from that file and joined on
the exact title.

Examples:
  titledex score dev.jsonl --slice venue --slice script --errors 20
  titledex score labels.jsonl predictions.jsonl --json";

#[cfg(feature = "server")]
const SERVE_HELP: &str = "\
Without a database file there, one is made, and the first administrator's key is
printed on standard output, once. Logs go to standard error; RUST_LOG filters
them. SIGTERM and Ctrl-C end the service when what began is answered, SIGHUP opens
the catalogue anew. docs/SERVICE.md has the endpoints, plans and configuration.

Examples:
  titledex serve
  titledex serve --listen 0.0.0.0:8080 --database postgres://td@db/td --config td.toml

Exit codes:
  0 stopped as asked  1 it could not start  2 usage";

#[cfg(feature = "server")]
const ADMIN_HELP: &str = "\
Works on the database of a service that runs, or of one that does not. Answers are
JSON, an object a line. A key is shown when it is made and never again.

Examples:
  titledex admin account create 'Price site' --plan api --key laptop
  titledex admin key create --account 1 server
  titledex admin key revoke 3
  titledex admin usage 1 --days 7

Exit codes:
  0 done  1 refused, or the database did not answer  2 usage";

/// Reads collectible-card listing titles: what is being sold, and which catalogue card it is.
///
/// Titles go in, one a line; answers come out, one a line and in the same order: the attributes that each title states with the bytes
/// that state them, and the cards of the catalogue that it can be, ranked, with probabilities and the evidence for them. A catalogue of
/// international and Asian Pokémon cards is built in; `--catalogue` replaces it.
#[derive(Debug, Parser)]
#[command(
    name = "titledex",
    version,
    arg_required_else_help = true,
    max_term_width = 132
)]
#[command(after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub(crate) struct Args {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
    /// When to colour: by NO_COLOR, CLICOLOR_FORCE and the terminal, always, or never.
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t)]
    pub(crate) color: When,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Read titles, from the arguments or one a line from standard input.
    #[command(after_help = PARSE_HELP)]
    Parse(Parse),
    /// Show how one title was read, which cards it can be, and why the second lost.
    #[command(after_help = EXPLAIN_HELP)]
    Explain(Explain),
    /// Build, inspect and convert catalogues.
    #[command(subcommand, after_help = CATALOGUE_HELP)]
    Catalogue(Catalogue),
    /// Measure answers against labelled titles.
    #[command(after_help = SCORE_HELP)]
    Score(Score),
    /// Fit the weights of the evidence to labelled titles.
    #[command(after_help = TRAIN_HELP)]
    Train(Train),
    /// Make labelled titles from a catalogue, and count how real ones are written.
    #[command(subcommand, after_help = CORPUS_HELP)]
    Corpus(Corpus),
    /// Answer titles over HTTP, with accounts, keys and credits.
    #[cfg(feature = "server")]
    #[command(after_help = SERVE_HELP)]
    Serve(Serve),
    /// Accounts, keys, plans and usage of the service, in its database.
    #[cfg(feature = "server")]
    #[command(after_help = ADMIN_HELP)]
    Admin(Admin),
    /// Load cards, prices, sales and populations into the service's database.
    #[cfg(feature = "server")]
    #[command(after_help = crate::market::args::IMPORT_HELP)]
    Import(crate::market::args::Import),
    /// Invent a market for tests and demonstrations.
    #[cfg(feature = "server")]
    #[command(subcommand)]
    Market(crate::market::args::Market),
    /// Decide about sold listings that were not matched surely enough.
    #[cfg(feature = "server")]
    #[command(after_help = crate::market::args::REVIEW_HELP)]
    Review(crate::market::args::Review),
    /// Make the files of the daily export now.
    #[cfg(feature = "server")]
    #[command(after_help = crate::market::args::EXPORT_HELP)]
    Export(crate::market::args::Export),
}

/// How answers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// One JSON array.
    Json,
    /// One JSON object a line.
    Jsonl,
    /// One row a title.
    Csv,
    /// For people.
    Table,
}

/// How rows are written that have the titles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// A title a line.
    Lines,
    /// Cells between commas, under a header.
    Csv,
    /// Cells between tabs, under a header.
    Tsv,
    /// A JSON object a line.
    Jsonl,
    /// Apache Parquet.
    Parquet,
}

/// Which catalogue to match against.
#[derive(Debug, Options)]
pub(crate) struct From {
    /// An index that `titledex catalogue build` wrote, or a pack, instead of the built-in one. It is mapped: replace such a file, never alter it in place.
    #[arg(long, value_name = "FILE")]
    pub(crate) catalogue: Option<PathBuf>,
}

/// How to match.
#[derive(Debug, Options)]
pub(crate) struct Matching {
    /// At most this many cards for a title, 1 to 50.
    #[arg(long, value_name = "N", default_value = "5", value_parser = RangedU64ValueParser::<usize>::new().range(1..=50))]
    pub(crate) max_suggestions: usize,
    /// Match names as spelled only: no misspellings, no names that merely sound alike.
    #[arg(long)]
    pub(crate) no_fuzzy: bool,
    /// Which catalogue.
    #[command(flatten)]
    pub(crate) from: From,
}

impl Matching {
    /// The same for the core, with room for at least `least` cards.
    pub(crate) fn options(&self, least: usize) -> titledex::Options {
        titledex::Options::new()
            .max_suggestions(self.max_suggestions.max(least))
            .fuzzy(!self.no_fuzzy)
    }
}

/// Read titles.
#[derive(Debug, Options)]
pub(crate) struct Parse {
    /// Titles; without any they are read from standard input, one a line.
    #[arg(value_name = "TITLE")]
    pub(crate) titles: Vec<OsString>,
    /// Read titles from a file; `-` is standard input.
    #[arg(long, short, value_name = "FILE", conflicts_with = "titles")]
    pub(crate) input: Option<PathBuf>,
    /// What the input is, where its name does not say.
    #[arg(long, value_enum, value_name = "KIND", conflicts_with = "titles")]
    pub(crate) from: Option<Kind>,
    /// The column of the titles; `title` where not given.
    #[arg(long, value_name = "NAME", conflicts_with = "titles")]
    pub(crate) column: Option<String>,
    /// Write the answers to a file.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Go on where a killed run stopped; from the beginning where there was none. The output is what an unbroken run writes.
    #[arg(long, requires = "output", conflicts_with = "titles")]
    pub(crate) resume: bool,
    /// How often to note progress beside the output.
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
    /// Threads; as many as there are processors where not given. The order of the answers does not depend on it.
    #[arg(long, short, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=512))]
    pub(crate) jobs: Option<usize>,
    /// How to match.
    #[command(flatten)]
    pub(crate) matching: Matching,
}

/// Show how one title was read.
#[derive(Debug, Options)]
pub(crate) struct Explain {
    /// The title, quoted: it has spaces and often a `#`.
    #[arg(value_name = "TITLE")]
    pub(crate) title: OsString,
    /// How to match.
    #[command(flatten)]
    pub(crate) matching: Matching,
}

/// Build, inspect and convert catalogues.
#[derive(Debug, Subcommand)]
pub(crate) enum Catalogue {
    /// Make an index of cards.
    #[command(after_help = BUILD_HELP)]
    Build {
        /// Files of cards: the export CSV or JSON Lines, packed with gzip or not.
        #[arg(value_name = "CARDS", required = true)]
        cards: Vec<PathBuf>,
        /// Sets as JSON Lines, packed or not: names, codes, dates and counts that the cards do not state.
        #[arg(long, value_name = "FILE")]
        sets: Option<PathBuf>,
        /// The index to write; it is replaced whole, or left as it was.
        #[arg(long, short, value_name = "INDEX")]
        output: PathBuf,
        /// What `catalogue info` calls it; the file's name where not given.
        #[arg(long)]
        name: Option<String>,
    },
    /// Make a pack: a catalogue as it travels to a browser, a quarter of the index and made for compression.
    #[command(after_help = PACK_HELP)]
    Pack {
        /// Files of cards, as for `build`; the built-in catalogue where none is given.
        #[arg(value_name = "CARDS")]
        cards: Vec<PathBuf>,
        /// Sets as JSON Lines, packed or not.
        #[arg(long, value_name = "FILE", requires = "cards")]
        sets: Option<PathBuf>,
        /// Only cards first printed in these languages, with their names in these: english, japanese, chinese, indonesian, thai.
        #[arg(long, value_name = "LANGUAGES", value_delimiter = ',')]
        languages: Vec<String>,
        /// Only cards of sets of this year and later.
        #[arg(long, value_name = "YEAR")]
        since: Option<u16>,
        /// Only cards of sets of these series, as the sets have them: base, swsh, SV.
        #[arg(long, value_name = "SERIES", value_delimiter = ',')]
        eras: Vec<String>,
        /// The pack to write; it is replaced whole, or left as it was.
        #[arg(long, short, value_name = "PACK")]
        output: PathBuf,
        /// What `catalogue info` calls it; the file's name where not given.
        #[arg(long)]
        name: Option<String>,
    },
    /// Say what a catalogue holds.
    Info(From),
    /// Print cards as JSON.
    Show {
        /// Ids of cards (`base1-4`) or of printings (`base1-4:shadowless-holofoil`).
        #[arg(value_name = "ID", required = true)]
        ids: Vec<String>,
        /// Which catalogue.
        #[command(flatten)]
        from: From,
    },
    /// Write the sorted text tables from which the built-in catalogue is made: cards.csv and sets.csv.
    #[command(after_help = TABLES_HELP)]
    Tables {
        /// Cards as JSON Lines, packed or not.
        #[arg(long, value_name = "FILE")]
        cards: PathBuf,
        /// Sets as JSON Lines, packed or not.
        #[arg(long, value_name = "FILE")]
        sets: PathBuf,
        /// The folder to write into; made where it does not exist.
        #[arg(long, short, value_name = "DIR")]
        output: PathBuf,
    },
}

/// By what titles are told apart for further figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Slice {
    /// The label's `venue`.
    Venue,
    /// Japanese script, or none.
    Script,
    /// Slabs and raw cards.
    Graded,
    /// With or without a number.
    Numbered,
    /// The label's `language`.
    Language,
    /// 1996 base set, other Japanese, international, no card.
    Family,
}

/// Measure answers.
#[derive(Debug, Options)]
pub(crate) struct Score {
    /// Labelled titles.
    #[arg(value_name = "LABELS")]
    pub(crate) labels: PathBuf,
    /// Answers of `titledex parse` to the same titles; without it the titles are parsed here.
    #[arg(value_name = "PREDICTIONS", conflicts_with = "catalogue")]
    pub(crate) predictions: Option<PathBuf>,
    /// Also the figures for each part of the titles; may be given several times.
    #[arg(long, value_enum, value_name = "SLICE")]
    pub(crate) slice: Vec<Slice>,
    /// Print the first N wrong titles.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) errors: usize,
    /// Write the figures as JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// Answer each title with the weights that were fitted without it: the folder of `titledex train --held-out`.
    #[arg(long, value_name = "DIR", conflicts_with = "predictions")]
    pub(crate) held_out: Option<PathBuf>,
    /// Also write the answers, one JSON object a line.
    #[arg(long, value_name = "FILE")]
    pub(crate) answers: Option<PathBuf>,
    /// Which catalogue.
    #[command(flatten)]
    pub(crate) from: From,
}

/// Fit weights.
#[derive(Debug, Options)]
pub(crate) struct Train {
    /// Labelled titles, or rows of fixtures.
    #[arg(value_name = "LABELS", required = true)]
    pub(crate) labels: Vec<PathBuf>,
    /// Where the weights go.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Parts of the titles that take turns to be kept out of a fit and checked; 0 for none.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) folds: u64,
    /// Also write the weights of each fold, fitted to the other folds, as 0.csv, 1.csv … for `titledex score --held-out`.
    #[arg(long, value_name = "DIR")]
    pub(crate) held_out: Option<PathBuf>,
    /// Labels for a catalogue that lacks cards, and its index; may be given several times.
    #[arg(long, value_name = "LABELS=INDEX")]
    pub(crate) missing: Vec<Missing>,
    /// Share of each title that counts with its right card taken away.
    #[arg(long, value_name = "SHARE", default_value_t = 0.07)]
    pub(crate) holes: f64,
    /// Pull of neutral weights on the fitted ones.
    #[arg(long, value_name = "STRENGTH", default_value_t = 0.15)]
    pub(crate) pull: f64,
    /// Which catalogue.
    #[command(flatten)]
    pub(crate) from: From,
}

/// Make labelled titles.
#[derive(Debug, Subcommand)]
pub(crate) enum Corpus {
    /// Count how titles are written, or compare two files of titles.
    #[command(after_help = FIT_HELP)]
    Fit(CorpusFit),
    /// Write titles with labels.
    #[command(after_help = GENERATE_HELP)]
    Generate(CorpusGenerate),
}

/// Count.
#[derive(Debug, Options)]
pub(crate) struct CorpusFit {
    /// Titles without labels.
    #[arg(value_name = "POOL")]
    pub(crate) pool: PathBuf,
    /// Where the counts go.
    #[arg(long, short, value_name = "FILE", required_unless_present = "compare")]
    pub(crate) output: Option<PathBuf>,
    /// Instead of counting, print what these titles and those of POOL look like, side by side.
    #[arg(long, value_name = "TITLES", conflicts_with = "output")]
    pub(crate) compare: Option<PathBuf>,
    /// Which catalogue.
    #[command(flatten)]
    pub(crate) from: From,
}

/// Write.
#[derive(Debug, Options)]
pub(crate) struct CorpusGenerate {
    /// Other seeds make other titles.
    #[arg(long, value_name = "N")]
    pub(crate) seed: u64,
    /// How many titles.
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub(crate) titles: u64,
    /// Where they go; standard output where not given.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Titles of this kind of venue alone, such as `ebay` or `japanese market`; may be given several times. Else the mix as counted.
    #[arg(long, value_name = "VENUE")]
    pub(crate) venue: Vec<String>,
    /// Share of titles that are no card of the catalogue: cards that do not exist, lots, sealed products, other things.
    #[arg(long, value_name = "SHARE", default_value = "0.15")]
    pub(crate) refusals: Share,
    /// Draw each card as often as any other, instead of languages and years as often as venues offer them.
    #[arg(long)]
    pub(crate) uniform: bool,
    /// Counts that `titledex corpus fit` wrote, instead of the built-in ones.
    #[arg(long, value_name = "FILE")]
    pub(crate) noise: Option<PathBuf>,
    /// Which catalogue.
    #[command(flatten)]
    pub(crate) from: From,
}

/// A share from 0 to 1, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Share(u16);

impl Share {
    /// How many in a thousand.
    pub(crate) fn thousandths(self) -> u64 {
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

/// Prints what clap has to say: help and version on standard output (exit 0), a refused command line on standard error (exit 2).
pub(crate) fn refuse(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let text = error.to_string();
    match text.strip_prefix("error: ") {
        Some(message) => say(message.trim_end()),
        None => drop(std::io::stderr().lock().write_all(text.as_bytes())),
    }
    ExitCode::from(2)
}

#[cfg(test)]
mod tests {
    use super::Args;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }
}

/// Where the service finds what it needs; the command line goes before the file.
#[cfg(feature = "server")]
#[derive(Debug, Options)]
pub(crate) struct Service {
    /// The database: `sqlite:FILE` or `postgres://USER@HOST/DATABASE`; `sqlite:titledex.db` where nothing says otherwise.
    #[arg(long, value_name = "URL", global = true)]
    pub(crate) database: Option<String>,
    /// A file of settings: plans, limits and all that options say.
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) config: Option<PathBuf>,
}

/// Answer titles over HTTP.
#[cfg(feature = "server")]
#[derive(Debug, Options)]
pub(crate) struct Serve {
    /// Address and port; 127.0.0.1:8080 where nothing says otherwise.
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) listen: Option<String>,
    /// Address and port where /metrics is read without a key; none where nothing says otherwise.
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) metrics_listen: Option<String>,
    /// An index that `titledex catalogue build` wrote, instead of the built-in one.
    #[arg(long, value_name = "FILE")]
    pub(crate) catalogue: Option<PathBuf>,
    /// The folder of the built playground, served at /; none where nothing says otherwise.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) playground: Option<PathBuf>,
    /// Write logs as JSON, an object a line.
    #[arg(long)]
    pub(crate) log_json: bool,
    /// Where the rest is.
    #[command(flatten)]
    pub(crate) service: Service,
}

/// Accounts, keys, plans and usage.
#[cfg(feature = "server")]
#[derive(Debug, Options)]
pub(crate) struct Admin {
    /// What about.
    #[command(subcommand)]
    pub(crate) about: About,
    /// Where it is.
    #[command(flatten)]
    pub(crate) service: Service,
}

/// What to administer.
#[cfg(feature = "server")]
#[derive(Debug, Subcommand)]
pub(crate) enum About {
    /// Accounts.
    #[command(subcommand)]
    Account(AboutAccount),
    /// Keys.
    #[command(subcommand)]
    Key(AboutKey),
    /// Plans.
    #[command(subcommand)]
    Plan(AboutPlan),
    /// What an account used, by day.
    Usage {
        /// The account's number.
        account: i64,
        /// So many days, today included.
        #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(i64).range(1..=366))]
        days: i64,
    },
}

/// What to do with accounts.
#[cfg(feature = "server")]
#[derive(Debug, Subcommand)]
pub(crate) enum AboutAccount {
    /// Make one.
    Create {
        /// Its name; no two bear the same.
        name: String,
        /// Its plan.
        #[arg(long, default_value = "free")]
        plan: String,
        /// Make a key of this name for it.
        #[arg(long, value_name = "NAME")]
        key: Option<String>,
    },
    /// Show all.
    List,
    /// Show one.
    Show {
        /// Its number.
        account: i64,
    },
    /// Put one on another plan.
    SetPlan {
        /// Its number.
        account: i64,
        /// The plan.
        plan: String,
    },
}

/// What to do with keys.
#[cfg(feature = "server")]
#[derive(Debug, Subcommand)]
pub(crate) enum AboutKey {
    /// Make one, of an account or of an administrator.
    Create {
        /// What it is called.
        name: String,
        /// The account's number.
        #[arg(
            long,
            value_name = "NUMBER",
            required_unless_present = "admin",
            conflicts_with = "admin"
        )]
        account: Option<i64>,
        /// An administrator's.
        #[arg(long)]
        admin: bool,
    },
    /// Show an account's, or the administrators'.
    List {
        /// The account's number; the administrators' where not given.
        #[arg(long, value_name = "NUMBER")]
        account: Option<i64>,
    },
    /// Revoke one.
    Revoke {
        /// Its number.
        key: i64,
    },
}

/// What to do with plans.
#[cfg(feature = "server")]
#[derive(Debug, Subcommand)]
pub(crate) enum AboutPlan {
    /// Show what each allows.
    List,
}
