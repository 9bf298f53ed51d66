//! [`Sheet`]: answers as JSON, JSON Lines, CSV, TSV, Parquet, a table or summaries.

mod columns;
#[cfg(feature = "parquet")]
pub(crate) mod parquet;
mod summary;
mod table;

pub(crate) use columns::Chosen;
use columns::{COLUMNS, Value};

use crate::colour::{Colours, Paint};
use crate::parse::Format;
use serde::Deserializer as _;
use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use table::Listing;
use titledex::{Answer, Condition, OutcomeType, Parsed};
use titledex_command::spreadsheet::defused;

/// The columns that rows carry besides the title.
#[derive(Clone, Debug)]
pub(crate) enum Carried {
    /// Nothing.
    Nothing,
    /// An object that differs from row to row.
    Object,
    /// The same columns in every row, with texts.
    Columns(Vec<String>),
    /// The same columns in every row, of these types.
    #[cfg(feature = "parquet")]
    Typed(Vec<arrow_schema::FieldRef>),
}

impl Carried {
    /// The names of the columns; `None` if they differ from row to row.
    pub(crate) fn names(&self) -> Option<Vec<&str>> {
        match self {
            Self::Nothing => Some(Vec::new()),
            Self::Object => None,
            Self::Columns(names) => Some(names.iter().map(String::as_str).collect()),
            #[cfg(feature = "parquet")]
            Self::Typed(fields) => Some(fields.iter().map(|field| field.name().as_str()).collect()),
        }
    }
}

/// How answers are to be written.
#[derive(Clone, Debug)]
pub(crate) struct Style {
    pub(crate) format: Format,
    pub(crate) colours: Colours,
    /// The columns that were asked for.
    pub(crate) columns: Option<Vec<Chosen>>,
    /// Whether cells of CSV stay as they are, formulas too.
    pub(crate) exact: bool,
    /// Width of what is for people; `None` if lines are not cut.
    pub(crate) room: Option<usize>,
}

/// The format of the answers, with the text before, between and after them.
#[derive(Clone, Debug)]
pub(crate) struct Sheet {
    style: Style,
    carried: Carried,
    /// The columns that are written, each with the place of what is carried in it.
    columns: Vec<(Chosen, Option<usize>)>,
    listing: Listing,
}

impl Sheet {
    /// A sheet for answers to rows that carry `carried`.
    pub(crate) fn new(style: Style, carried: Carried) -> Self {
        let names = carried.names();
        let place = |chosen: &Chosen| match (chosen, &names) {
            (Chosen::Member(name), Some(names)) => names.iter().position(|known| known == name),
            _ => None,
        };
        let columns = match (&style.columns, &names) {
            (Some(columns), _) => columns.clone(),
            (None, names) => {
                let own = (0..COLUMNS.len()).map(Chosen::Answer);
                let members = names.iter().flatten();
                let members = members.map(|name| Chosen::Member((*name).to_owned()));
                let row = names.is_none().then_some(Chosen::Row);
                own.chain(members).chain(row).collect()
            }
        };
        Self {
            columns: columns
                .into_iter()
                .map(|chosen| (chosen.clone(), place(&chosen)))
                .collect(),
            listing: Listing::new(style.room, style.colours),
            style,
            carried,
        }
    }

    /// Whether it shows nothing that a brief answer leaves out ([`titledex::Options::brief`]).
    pub(crate) fn is_brief(&self) -> bool {
        let cells = matches!(
            self.style.format,
            Format::Csv | Format::Tsv | Format::Parquet
        );
        let flat = matches!(self.style.format, Format::Json | Format::Jsonl)
            && self.style.columns.is_some();
        let detailed = |(chosen, _): &(Chosen, Option<usize>)| match chosen {
            Chosen::Answer(at) => COLUMNS[*at].detailed,
            Chosen::Row | Chosen::Member(_) => false,
        };
        (cells || flat) && !self.columns.iter().any(detailed)
    }

    /// The text before all answers.
    pub(crate) fn head(&self) -> String {
        match self.style.format {
            Format::Json => "[".to_owned(),
            Format::Jsonl | Format::Parquet | Format::Pretty => String::new(),
            Format::Csv | Format::Tsv => {
                let mut writer = self.writer(Vec::new());
                let headings = self.columns.iter().map(|(chosen, _)| chosen.heading());
                let headings = headings.map(|heading| self.safe(heading.into()).into_owned());
                writer.write_record(headings).expect("memory takes it");
                String::from_utf8(writer.into_inner().expect("memory takes it"))
                    .expect("headings are text")
            }
            Format::Table => self.listing.heading(),
        }
    }

    /// The text between two pages.
    pub(crate) fn between(&self) -> &'static str {
        match self.style.format {
            Format::Json => ",\n",
            Format::Pretty => "\n",
            _ => "",
        }
    }

    /// The text after all answers.
    pub(crate) fn tail(&self) -> &'static str {
        if self.style.format == Format::Json {
            "]\n"
        } else {
            ""
        }
    }

    /// Some consecutive answers, written to `out`.
    pub(crate) fn page<'o>(&'o self, out: &'o mut Vec<u8>) -> Page<'o> {
        let rows = match self.style.format {
            Format::Csv | Format::Tsv => Rows::Cells(Box::new(self.writer(out))),
            _ => Rows::Text(out),
        };
        Page { sheet: self, rows }
    }

    /// A writer of CSV or TSV.
    fn writer<W: std::io::Write>(&self, out: W) -> csv::Writer<W> {
        let separator = if self.style.format == Format::Tsv {
            b'\t'
        } else {
            b','
        };
        csv::WriterBuilder::new()
            .delimiter(separator)
            .from_writer(out)
    }

    /// The cell as it is written: no formula to a spreadsheet, unless that is wanted.
    fn safe<'c>(&self, cell: Cow<'c, str>) -> Cow<'c, str> {
        if self.style.exact {
            return cell;
        }
        match defused(&cell) {
            Cow::Owned(safe) => safe.into(),
            Cow::Borrowed(_) => cell,
        }
    }

    /// The answer and what its row carries as cells.
    fn cells<'a>(&self, answer: &'a Answer<'a>, carried: &'a [u8]) -> Vec<Cow<'a, str>> {
        let members = self.members(carried);
        let cells = self.columns.iter().map(|(chosen, place)| match chosen {
            Chosen::Answer(at) => (COLUMNS[*at].of)(answer).cell(),
            Chosen::Row => String::from_utf8_lossy(carried),
            Chosen::Member(name) => member(&members, name, *place).map_or_else(Cow::default, cell),
        });
        cells.map(|cell| self.safe(cell)).collect()
    }

    /// The answer and what its row carries as a flat JSON object.
    fn object(&self, answer: &Answer<'_>, carried: &[u8], out: &mut Vec<u8>) {
        let members = self.members(carried);
        // a column of Parquet has one type, and members of JSON Lines have any
        let parquet = self.style.format == Format::Parquet;
        let as_text = parquet && self.carried.names().is_none();
        for (at, (chosen, place)) in self.columns.iter().enumerate() {
            out.push(if at == 0 { b'{' } else { b',' });
            Value::Text(chosen.heading().into()).json(out);
            out.push(b':');
            match chosen {
                Chosen::Answer(at) => (COLUMNS[*at].of)(answer).json(out),
                Chosen::Row if carried.is_empty() => Value::Nothing.json(out),
                Chosen::Row if parquet => Value::Text(String::from_utf8_lossy(carried)).json(out),
                Chosen::Row => out.extend_from_slice(carried),
                Chosen::Member(name) => match member(&members, name, *place) {
                    None => Value::Nothing.json(out),
                    Some("null") => Value::Nothing.json(out),
                    Some(json) if as_text => Value::Text(cell(json)).json(out),
                    Some(json) => out.extend_from_slice(json.as_bytes()),
                },
            }
        }
        out.extend_from_slice(if self.columns.is_empty() { b"{}" } else { b"}" });
    }

    /// The members that are carried, if a column needs them.
    fn members<'c>(&self, carried: &'c [u8]) -> Vec<(&'c str, &'c str)> {
        let needed = |(chosen, _): &(Chosen, Option<usize>)| matches!(chosen, Chosen::Member(_));
        if self.columns.iter().any(needed) {
            members(carried)
        } else {
            Vec::new()
        }
    }
}

/// Some consecutive answers.
pub(crate) struct Page<'o> {
    sheet: &'o Sheet,
    rows: Rows<'o>,
}

/// Where the answers of a page are written.
enum Rows<'o> {
    Text(&'o mut Vec<u8>),
    Cells(Box<csv::Writer<&'o mut Vec<u8>>>),
}

impl Page<'_> {
    /// Adds an answer and the JSON object that its row carries; an empty one is omitted.
    pub(crate) fn add(&mut self, answer: &Answer, carried: &[u8]) {
        let sheet = self.sheet;
        let out = match &mut self.rows {
            Rows::Cells(writer) => {
                let cells = sheet.cells(answer, carried);
                return writer
                    .write_record(cells.iter().map(|cell| cell.as_bytes()))
                    .expect("every row has the same columns, and memory takes it");
            }
            Rows::Text(out) => out,
        };
        let style = &sheet.style;
        if !out.is_empty() {
            out.extend_from_slice(sheet.between().as_bytes());
        }
        match style.format {
            Format::Table => out.extend_from_slice(sheet.listing.row(answer).as_bytes()),
            Format::Pretty => {
                let columns = style.room.unwrap_or(usize::MAX);
                let text = summary::summary(answer, style.colours, columns);
                out.extend_from_slice(text.as_bytes());
            }
            Format::Parquet => sheet.object(answer, carried, out),
            _ if style.columns.is_some() => sheet.object(answer, carried, out),
            _ => {
                answer.write_json(out);
                if !carried.is_empty() {
                    // After all other members, so that it changes nothing before it.
                    out.pop();
                    out.extend_from_slice(b",\"row\":");
                    out.extend_from_slice(carried);
                    out.push(b'}');
                }
            }
        }
        if matches!(style.format, Format::Jsonl | Format::Parquet) {
            out.push(b'\n');
        }
    }

    /// Ends the page.
    pub(crate) fn end(self) {
        if let Rows::Cells(mut writer) = self.rows {
            writer.flush().expect("memory takes it");
        }
    }
}

/// The members of a JSON object: keys and values as JSON.
fn members(object: &[u8]) -> Vec<(&str, &str)> {
    struct Members;

    impl<'j> Visitor<'j> for Members {
        type Value = Vec<(&'j str, &'j str)>;

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            out.write_str("an object")
        }

        fn visit_map<A: MapAccess<'j>>(self, mut members: A) -> Result<Self::Value, A::Error> {
            let mut found = Vec::new();
            while let Some((key, value)) = members.next_entry::<&'j RawValue, &'j RawValue>()? {
                found.push((key.get(), value.get()));
            }
            Ok(found)
        }
    }

    if object.is_empty() {
        return Vec::new();
    }
    serde_json::Deserializer::from_slice(object)
        .deserialize_map(Members)
        .expect("an input writes an object, or nothing")
}

/// The value of a member as JSON, by its place if that is known.
fn member<'c>(members: &[(&'c str, &'c str)], name: &str, place: Option<usize>) -> Option<&'c str> {
    match place {
        Some(place) => members.get(place).map(|(_, value)| *value),
        None => members
            .iter()
            .find(|(key, _)| cell(key) == name)
            .map(|(_, value)| *value),
    }
}

/// JSON as a cell: strings without quotes, null as empty, anything else as it is.
fn cell(json: &str) -> Cow<'_, str> {
    match json.as_bytes().first() {
        Some(b'n') => Cow::default(),
        Some(b'"') if !json.contains('\\') => json[1..json.len() - 1].into(),
        Some(b'"') => serde_json::from_str::<String>(json).map_or_else(|_| json.into(), Cow::from),
        _ => json.into(),
    }
}

/// The colour of an outcome.
pub(crate) fn paint(kind: OutcomeType) -> Paint {
    match kind {
        OutcomeType::Match => Paint::For,
        OutcomeType::Ambiguous => Paint::Unsure,
        _ => Paint::Against,
    }
}

/// Grade or condition in few characters: `PSA 9`, `NM`.
fn state(parsed: &Parsed<'_>) -> String {
    match &parsed.grade {
        Some(grade) => {
            let value = grade
                .value
                .map(|value| value.to_string())
                .or_else(|| grade.label.as_deref().map(str::to_owned))
                .unwrap_or_default();
            format!("{} {value}", grade.grader).trim().to_owned()
        }
        None => parsed.condition.map_or("", Condition::as_str).to_owned(),
    }
}
