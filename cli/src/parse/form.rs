//! [`Form`]: how answers are written, by `--format`, the name of the output, or who reads it.

use super::args::{Format, Parse};
use crate::output::Chosen;
use std::io::{self, IsTerminal};
use std::path::Path;
use titledex_command::output::Destination;
use titledex_command::{Failure, files};

/// How answers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Form {
    pub(super) format: Format,
    /// Whether they are compressed by gzip.
    pub(super) packed: bool,
    /// Whether people read them on a terminal.
    pub(super) terminal: bool,
}

impl Form {
    /// The form that is asked for. `few` says that titles are typed, so that there are few.
    ///
    /// # Errors
    /// If other options do not go with it.
    pub(super) fn of(args: &Parse, destination: &Destination, few: bool) -> Result<Self, Failure> {
        let terminal = *destination == Destination::Standard && io::stdout().is_terminal();
        let (named, packed) = args.output.as_deref().map_or((None, false), of_name);
        let usual = || match () {
            () if !terminal => Format::Jsonl,
            () if args.columns.is_some() => Format::Csv,
            () if few => Format::Pretty,
            () => Format::Table,
        };
        if let (None, Some(output)) = (args.format, &args.output)
            && let Some(why) = unwritten(output)
        {
            return Err(Failure::usage(format!(
                "cannot write {}: {why}",
                files::name(output)
            )));
        }
        let form = Self {
            format: args.format.or(named).unwrap_or_else(usual),
            packed,
            terminal,
        };
        form.refuse(args).map_or(Ok(form), Err)
    }

    /// Whether a later run can continue a file of this form.
    pub(super) fn is_resumable(self) -> bool {
        !self.packed && self.format != Format::Parquet
    }

    /// Why these options do not go with it, or it is not written.
    fn refuse(self, args: &Parse) -> Option<Failure> {
        let output = args
            .output
            .as_deref()
            .map_or_else(|| "answers".to_owned(), files::name);
        let cells = matches!(self.format, Format::Csv | Format::Tsv);
        let people = matches!(self.format, Format::Table | Format::Pretty);
        if self.format == Format::Parquet && cfg!(not(feature = "parquet")) {
            return Some(Failure::new(format!(
                "cannot write {output}: this titledex was built without Parquet: install it with `cargo install --locked --path cli --features parquet`, or name the file .csv or .jsonl"
            )));
        }
        let why = match self.format {
            Format::Parquet if self.packed => format!(
                "cannot write {output}: Parquet is compressed already: end the name in .parquet"
            ),
            Format::Parquet if self.terminal => {
                "Parquet is not for a terminal: name a file with -o".to_owned()
            }
            _ if args.resume && !self.is_resumable() => format!(
                "cannot resume {output}: only files of text that are not compressed can be continued: name it .csv or .jsonl, or leave out --resume"
            ),
            _ if args.csv_exact && !cells => {
                "--csv-exact is about answers as CSV or TSV: add --format csv, or leave it out"
                    .to_owned()
            }
            _ if args.brief && !matches!(self.format, Format::Json | Format::Jsonl) => {
                "--brief is about JSON: add --format jsonl, or leave it out; --columns is brief by itself"
                    .to_owned()
            }
            _ if args.columns.is_some() && people => {
                "--columns is about csv, tsv, jsonl, json and parquet: name one with --format, or leave it out"
                    .to_owned()
            }
            _ => return None,
        };
        Some(Failure::usage(why))
    }
}

/// The columns that are asked for.
///
/// # Errors
/// As [`Chosen::named`].
pub(super) fn columns(args: &Parse) -> Result<Option<Vec<Chosen>>, Failure> {
    args.columns.as_deref().map(Chosen::named).transpose()
}

/// Why nothing is written to a file of this name, whose ending promises what it would not hold.
fn unwritten(path: &Path) -> Option<&'static str> {
    let ending = path.extension()?.to_string_lossy().to_ascii_lowercase();
    Some(match ending.as_str() {
        "xlsx" | "xls" | "ods" => "workbooks are not written: name it .csv, which they open",
        "zst" | "xz" | "bz2" | "lz4" | "zip" | "7z" => {
            "answers are compressed by gzip alone: end the name in .gz"
        }
        _ => return None,
    })
}

/// What the ending of a name promises, and whether that is compressed.
fn of_name(path: &Path) -> (Option<Format>, bool) {
    let name = path.to_string_lossy().to_ascii_lowercase();
    let inner = name.strip_suffix(".gz");
    let ending = Path::new(inner.unwrap_or(&name)).extension();
    let format = match ending.and_then(|ending| ending.to_str()) {
        Some("csv") => Some(Format::Csv),
        Some("tsv" | "tab") => Some(Format::Tsv),
        Some("jsonl" | "ndjson") => Some(Format::Jsonl),
        Some("json") => Some(Format::Json),
        Some("parquet") => Some(Format::Parquet),
        _ => None,
    };
    (format, inner.is_some())
}

#[cfg(test)]
mod tests {
    use super::{Format, of_name};
    use std::path::Path;

    #[test]
    fn endings_name_formats() {
        for (name, format, packed) in [
            ("x.csv", Some(Format::Csv), false),
            ("a/x.CSV.gz", Some(Format::Csv), true),
            ("x.tsv", Some(Format::Tsv), false),
            ("x.y.jsonl", Some(Format::Jsonl), false),
            ("x.json", Some(Format::Json), false),
            ("x.parquet", Some(Format::Parquet), false),
            ("x.gz", None, true),
            ("x.txt", None, false),
            ("csv", None, false),
        ] {
            assert_eq!(of_name(Path::new(name)), (format, packed), "{name}");
        }
    }
}
