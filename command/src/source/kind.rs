//! [`Kind`]: how the rows of an input are written, known by its name or its beginning.

use super::BYTE_ORDER_MARK;
use clap::ValueEnum;
use std::path::Path;

/// How the rows of an input are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// One title on each line.
    Lines,
    /// Comma-separated cells, with a header.
    Csv,
    /// Tab-separated cells, with a header.
    Tsv,
    /// One JSON object on each line.
    Jsonl,
    /// A JSON array of objects or texts, or objects that span lines.
    Json,
    /// Apache Parquet.
    Parquet,
}

/// Separators of cells that a header is looked at with.
const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];

impl Kind {
    /// What the ending of a file's name says, before that of a compressor.
    pub fn named(path: &Path) -> Option<Self> {
        let extension = |path: &Path| {
            path.extension()
                .map(|end| end.to_string_lossy().to_ascii_lowercase())
        };
        let inner = match extension(path).as_deref() {
            Some("gz" | "zst") => path.file_stem().and_then(|stem| extension(Path::new(stem))),
            _ => extension(path),
        };
        Some(match inner.as_deref()? {
            "csv" => Self::Csv,
            "tsv" | "tab" => Self::Tsv,
            "jsonl" | "ndjson" => Self::Jsonl,
            "json" => Self::Json,
            "parquet" => Self::Parquet,
            _ => return None,
        })
    }

    /// What an input that begins so holds, whose titles are in the column `column`: nothing where
    /// the beginning could be titles.
    pub(super) fn of_beginning(beginning: &[u8], column: &str) -> Option<Self> {
        let text = beginning.strip_prefix(BYTE_ORDER_MARK).unwrap_or(beginning);
        let first = text.trim_ascii_start();
        let kind = match first {
            [b'P', b'A', b'R', b'1', ..] => Some(Self::Parquet),
            [b'[', rest @ ..] => is_array(rest).then_some(Self::Json),
            [b'{', rest @ ..]
                if matches!(rest.trim_ascii_start().first(), None | Some(b'"' | b'}')) =>
            {
                let end = first.iter().position(|byte| *byte == b'\n');
                let line = serde_json::from_slice::<serde::de::IgnoredAny>(
                    &first[..end.unwrap_or(first.len())],
                );
                let spans = end.is_some() && line.is_err_and(|error| error.is_eof());
                Some(if spans { Self::Json } else { Self::Jsonl })
            }
            _ => None,
        };
        kind.or_else(|| names_column(text, column).then_some(Self::Csv))
    }
}

/// Whether what follows `[` makes it the start of a JSON array of objects or texts, rather than of
/// a title such as `[Holo] Charizard`.
fn is_array(rest: &[u8]) -> bool {
    match rest.trim_ascii_start() {
        [] | [b'{', ..] => true,
        [b']', after @ ..] => after.trim_ascii().is_empty(),
        [b'"', text @ ..] => {
            let mut escaped = false;
            let end = text.iter().position(|byte| {
                let ends = *byte == b'"' && !escaped;
                escaped = *byte == b'\\' && !escaped;
                ends
            });
            match end.map(|end| text[end + 1..].trim_ascii_start()) {
                Some([b',', ..]) => true,
                Some([b']', after @ ..]) => after.trim_ascii().is_empty(),
                _ => false,
            }
        }
        _ => false,
    }
}

/// Whether the first line is a header of several columns with this one.
fn names_column(text: &[u8], column: &str) -> bool {
    let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    SEPARATORS.iter().any(|separator| {
        let cells = || line.split(|byte| byte == separator);
        cells().count() > 1
            && cells().any(|cell| {
                let cell = cell.trim_ascii();
                let quoted = cell
                    .strip_prefix(b"\"")
                    .and_then(|cell| cell.strip_suffix(b"\""));
                quoted
                    .unwrap_or(cell)
                    .eq_ignore_ascii_case(column.as_bytes())
            })
    })
}

#[cfg(test)]
mod tests {
    use super::Kind;
    use std::path::Path;

    #[test]
    fn endings_name_kinds() {
        let of = |name: &str| Kind::named(Path::new(name));
        for (name, kind) in [
            ("a.csv", Some(Kind::Csv)),
            ("a.CSV.gz", Some(Kind::Csv)),
            ("a.b.tsv.zst", Some(Kind::Tsv)),
            ("a.ndjson", Some(Kind::Jsonl)),
            ("a.json.gz", Some(Kind::Json)),
            ("a.parquet", Some(Kind::Parquet)),
            ("a.txt", None),
            ("csv", None),
            ("a.gz", None),
        ] {
            assert_eq!(of(name), kind, "{name}");
        }
    }

    #[test]
    fn beginnings_tell_json_and_headers_from_titles() {
        let of = |text: &str| Kind::of_beginning(text.as_bytes(), "title");
        for json in [
            "[\n",
            "[{\"title\":",
            " [ {",
            "\u{feff}[{",
            "[\"Charizard 4/102\",",
            "[\"a \\\" b\"]\n",
            "[]",
            "{\n  \"title\": \"x\"\n}\n",
            "{\"title\":\n",
        ] {
            assert_eq!(of(json), Some(Kind::Json), "{json}");
        }
        for lines in [
            "{\"title\":\"x\"}\n{\"title\":\"y\"}",
            "{\"title\":\"a long one",
            "{}",
            "{ \"a\":1}",
        ] {
            assert_eq!(of(lines), Some(Kind::Jsonl), "{lines}");
        }
        for header in [
            "id,title\n1,x",
            "\u{feff}id;\"title\"\r\n",
            "title\tprice",
            "a|title|b",
            "Title,Price",
        ] {
            assert_eq!(of(header), Some(Kind::Csv), "{header}");
        }
        for titles in [
            "",
            "title\nx",
            "Charizard, title deed, PSA 10",
            "[PSA 10] Charizard",
            "[\"Holo\"] Charizard 4/102",
            "{Holo} Charizard",
            "[Lot] {",
            "titles,price",
        ] {
            assert_eq!(of(titles), None, "{titles}");
        }
        assert_eq!(Kind::of_beginning(b"name,price", "name"), Some(Kind::Csv));
    }
}
