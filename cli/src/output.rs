//! [`Sheet`]: answers as JSON, JSON Lines, CSV or a table.

use crate::colour::{Colours, Paint};
use crate::parse::Format;
use crate::text::{columns, cut, fit};
use serde::Deserializer as _;
use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use titledex::{Answer, Condition, Finish, GraderCode, OutcomeType, Parsed};
use titledex_command::spreadsheet::defused;

/// The columns of the CSV format, as the help text of `parse` documents them.
const COLUMNS: [&str; 43] = [
    "title",
    "kind",
    "game",
    "name",
    "number",
    "total",
    "set",
    "setId",
    "year",
    "language",
    "edition",
    "finish",
    "pattern",
    "stamps",
    "treatment",
    "errors",
    "size",
    "rarity",
    "grader",
    "graderCode",
    "grade",
    "gradeLabel",
    "qualifier",
    "certNumber",
    "autograph",
    "condition",
    "quantity",
    "unread",
    "outcome",
    "outcomeConfidence",
    "ambiguousOn",
    "notInCatalogue",
    "cardId",
    "marketplaceId",
    "cardName",
    "cardSet",
    "cardSetId",
    "cardNumber",
    "cardRarity",
    "cardLanguage",
    "printing",
    "cardConfidence",
    "otherCards",
];

/// The columns after [`COLUMNS`]: empty unless the title could not be read as given.
const ERROR_COLUMNS: [&str; 2] = ["error", "errorMessage"];

/// The columns that rows carry besides the title.
#[derive(Clone, Debug)]
pub(crate) enum Carried {
    /// Nothing.
    Nothing,
    /// An object that differs from row to row.
    Object,
    /// The same columns in every row.
    Columns(Vec<String>),
}

impl Carried {
    /// Their headings in CSV, which never collide with those of the answer.
    fn headings(&self) -> Vec<String> {
        match self {
            Self::Nothing => Vec::new(),
            Self::Object => vec!["row".to_owned()],
            Self::Columns(columns) => columns
                .iter()
                .map(|column| format!("row.{column}"))
                .collect(),
        }
    }
}

/// The format of the answers, with the text before, between and after them.
#[derive(Clone, Debug)]
pub(crate) struct Sheet {
    format: Format,
    colours: Colours,
    carried: Carried,
    /// Whether cells of CSV are made safe for spreadsheets.
    safe: bool,
    /// Width of the table; `None` if lines are not cut.
    columns: Option<usize>,
}

impl Sheet {
    /// A sheet of `format`. Only the table has colours, and on a terminal its lines are cut to the
    /// width.
    pub(crate) fn new(format: Format, colours: Colours, carried: Carried, terminal: bool) -> Self {
        Self {
            format,
            colours,
            carried,
            safe: false,
            columns: terminal.then(columns),
        }
    }

    /// The same, with cells of CSV that no spreadsheet runs as formulas.
    pub(crate) fn safe(self) -> Self {
        Self { safe: true, ..self }
    }

    /// The text before all answers.
    pub(crate) fn head(&self) -> String {
        match self.format {
            Format::Json => "[".to_owned(),
            Format::Jsonl => String::new(),
            Format::Csv => {
                let mut writer = csv::Writer::from_writer(Vec::new());
                let carried = self.carried.headings();
                let columns = COLUMNS
                    .into_iter()
                    .chain(ERROR_COLUMNS)
                    .chain(carried.iter().map(String::as_str));
                writer.write_record(columns).expect("memory takes it");
                String::from_utf8(writer.into_inner().expect("memory takes it"))
                    .expect("headings are text")
            }
            Format::Table => {
                let cells = TABLE.map(|(title, width)| fit(title, width)).join("  ");
                format!(
                    "{}\n",
                    self.colours
                        .paint(Paint::Strong, &format!("{cells}  TITLE"))
                )
            }
        }
    }

    /// The text between two pages.
    pub(crate) fn between(&self) -> &'static str {
        if self.format == Format::Json {
            ",\n"
        } else {
            ""
        }
    }

    /// The text after all answers.
    pub(crate) fn tail(&self) -> &'static str {
        if self.format == Format::Json {
            "]\n"
        } else {
            ""
        }
    }

    /// Some consecutive answers, written to `out`.
    pub(crate) fn page<'o>(&'o self, out: &'o mut Vec<u8>) -> Page<'o> {
        match self.format {
            Format::Json | Format::Jsonl => Page::Json {
                out,
                array: self.format == Format::Json,
            },
            Format::Csv => Page::Csv {
                writer: Box::new(csv::Writer::from_writer(out)),
                sheet: self,
            },
            Format::Table => Page::Table { out, sheet: self },
        }
    }
}

/// Some consecutive answers.
pub(crate) enum Page<'o> {
    /// JSON, one object a line, with commas between them in an array.
    Json { out: &'o mut Vec<u8>, array: bool },
    /// Rows of CSV.
    Csv {
        writer: Box<csv::Writer<&'o mut Vec<u8>>>,
        sheet: &'o Sheet,
    },
    /// Lines of the table.
    Table {
        out: &'o mut Vec<u8>,
        sheet: &'o Sheet,
    },
}

impl Page<'_> {
    /// Adds an answer and the JSON object that its row carries; an empty one is omitted.
    pub(crate) fn add(&mut self, answer: &Answer, carried: &[u8]) {
        match self {
            Self::Json { out, array } => {
                if *array && !out.is_empty() {
                    out.extend_from_slice(b",\n");
                }
                answer.write_json(out);
                if !carried.is_empty() {
                    // After all other members, so that it changes nothing before it.
                    out.pop();
                    out.extend_from_slice(b",\"row\":");
                    out.extend_from_slice(carried);
                    out.push(b'}');
                }
                if !*array {
                    out.push(b'\n');
                }
            }
            Self::Csv { writer, sheet } => {
                let mut cells = row(answer);
                match &sheet.carried {
                    Carried::Nothing => {}
                    Carried::Object => cells.push(String::from_utf8_lossy(carried)),
                    Carried::Columns(columns) => {
                        let width = cells.len() + columns.len();
                        cells.extend(values(carried));
                        cells.resize(width, Cell::default());
                    }
                }
                if sheet.safe {
                    for cell in &mut cells {
                        if let Cow::Owned(safe) = defused(cell) {
                            *cell = safe.into();
                        }
                    }
                }
                writer
                    .write_record(cells.iter().map(|cell| cell.as_bytes()))
                    .expect("every row has the same columns, and memory takes it");
            }
            Self::Table { out, sheet } => {
                out.extend_from_slice(sheet.table_line(answer).as_bytes())
            }
        }
    }

    /// Ends the page.
    pub(crate) fn end(self) {
        if let Self::Csv { mut writer, .. } = self {
            writer.flush().expect("memory takes it");
        }
    }
}

/// The values of a JSON object as cells: strings without quotes, null as empty, anything else as
/// JSON.
fn values(object: &[u8]) -> Vec<Cell<'_>> {
    struct Values;

    impl<'j> Visitor<'j> for Values {
        type Value = Vec<Cell<'j>>;

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            out.write_str("an object")
        }

        fn visit_map<A: MapAccess<'j>>(self, mut members: A) -> Result<Self::Value, A::Error> {
            let mut cells = Vec::new();
            while let Some((_, value)) = members.next_entry::<&'j RawValue, &'j RawValue>()? {
                let json = value.get();
                cells.push(match json.as_bytes().first() {
                    Some(b'n') => Cell::default(),
                    Some(b'"') if !json.contains('\\') => json[1..json.len() - 1].into(),
                    Some(b'"') => serde_json::from_str::<String>(json)
                        .map_or_else(|_| json.into(), Cell::from),
                    _ => json.into(),
                });
            }
            Ok(cells)
        }
    }

    if object.is_empty() {
        return Vec::new();
    }
    serde_json::Deserializer::from_slice(object)
        .deserialize_map(Values)
        .expect("an input writes an object, or nothing")
}

type Cell<'a> = Cow<'a, str>;

/// The answer under [`COLUMNS`] and [`ERROR_COLUMNS`].
fn row<'a>(answer: &'a Answer<'_>) -> Vec<Cell<'a>> {
    let mut row = Vec::with_capacity(COLUMNS.len() + ERROR_COLUMNS.len());
    row.push(Cell::from(&*answer.title));
    state_columns(&answer.parsed, &mut row);
    let outcome = &answer.outcome;
    row.push(outcome.kind.as_str().into());
    row.push(outcome.confidence.get().to_string().into());
    row.push(joined(
        outcome.ambiguous_on.iter().map(|field| field.as_str()),
    ));
    row.push(outcome.not_in_catalogue.get().to_string().into());
    match answer.matches.split_first() {
        Some((first, others)) => {
            let (printing, number) = (&first.marketplace_id, &first.card_number);
            row.extend(
                [
                    &*first.card_id,
                    printing,
                    &*first.name,
                    &*first.set_name,
                    &*first.set_id,
                    number,
                ]
                .map(Cell::from),
            );
            row.push(text(first.rarity.as_deref()));
            row.push((&*first.language).into());
            row.push(text(first.printing.as_deref()));
            row.push(first.confidence.get().to_string().into());
            row.push(joined(others.iter().map(|card| &*card.card_id)));
        }
        None => row.extend(std::iter::repeat_n(Cell::default(), 11)),
    }
    let error = answer.error.as_ref();
    row.push(error.map(|error| &*error.code).unwrap_or_default().into());
    row.push(
        error
            .map(|error| error.message.as_str())
            .unwrap_or_default()
            .into(),
    );
    row
}

/// The columns from `kind` to `unread`: what the title states.
fn state_columns<'a>(parsed: &'a Parsed<'_>, row: &mut Vec<Cell<'a>>) {
    let kind = serde_json::to_value(parsed.kind).ok();
    row.push(
        kind.as_ref()
            .and_then(|kind| kind.as_str())
            .unwrap_or_default()
            .to_owned()
            .into(),
    );
    row.push(text(parsed.game.as_deref()));
    row.extend([&parsed.name, &parsed.number, &parsed.total].map(|value| text(value.as_deref())));
    row.push(text(parsed.set.as_ref().map(|set| &*set.name)));
    row.push(text(parsed.set.as_ref().map(|set| &*set.id)));
    row.push(number(parsed.year));
    row.push(text(parsed.language.as_deref()));
    match &parsed.printing {
        Some(printing) => {
            row.push(text(printing.edition.as_deref()));
            row.push(text(printing.finish.map(Finish::as_str)));
            row.push(text(printing.pattern.as_deref()));
            row.extend(
                [&printing.stamps, &printing.treatment, &printing.errors]
                    .map(|values| joined(values.iter().map(|value| &**value))),
            );
            row.push(text(printing.size.as_deref()));
        }
        None => row.extend(std::iter::repeat_n(Cell::default(), 7)),
    }
    row.push(text(parsed.rarity.as_deref()));
    match &parsed.grade {
        Some(grade) => {
            row.push((&*grade.grader).into());
            row.push(text(grade.grader_code.map(GraderCode::as_str)));
            row.push(number(grade.value));
            row.extend(
                [&grade.label, &grade.qualifier, &grade.cert_number]
                    .map(|value| text(value.as_deref())),
            );
            row.push(number(grade.autograph));
        }
        None => row.extend(std::iter::repeat_n(Cell::default(), 7)),
    }
    row.push(text(parsed.condition.map(Condition::as_str)));
    row.push(number(parsed.quantity));
    row.push(joined(parsed.unread.iter().map(|unread| &*unread.text)));
}

fn text(value: Option<&str>) -> Cell<'_> {
    value.unwrap_or_default().into()
}

fn number<T: std::fmt::Display>(value: Option<T>) -> Cell<'static> {
    value
        .map(|value| value.to_string())
        .unwrap_or_default()
        .into()
}

fn joined<'a>(values: impl Iterator<Item = &'a str>) -> Cell<'static> {
    values.collect::<Vec<_>>().join("|").into()
}

/// Headings and widths of the table's columns, except the title, which takes the rest.
const TABLE: [(&str, usize); 7] = [
    ("OUTCOME", 16),
    ("SURE", 4),
    ("CARD", 16),
    ("NAME", 22),
    ("NUMBER", 9),
    ("PRINTING", 20),
    ("STATE", 9),
];

impl Sheet {
    fn table_line(&self, answer: &Answer) -> String {
        let outcome = &answer.outcome;
        let first = answer.matches.first();
        let mut cells = [
            outcome.kind.as_str().into(),
            format!("{:.2}", outcome.confidence.get()),
            first.map_or("", |card| &card.card_id).to_owned(),
            first.map_or("", |card| &card.name).to_owned(),
            first.map_or("", |card| &card.card_number).to_owned(),
            first
                .and_then(|card| card.printing.as_deref())
                .unwrap_or_default()
                .to_owned(),
            state(&answer.parsed),
        ];
        for (cell, (_, width)) in cells.iter_mut().zip(TABLE) {
            *cell = fit(cell, width);
        }
        let paints = [
            paint(outcome.kind),
            Paint::Faint,
            Paint::Faint,
            Paint::Name,
            Paint::Number,
            Paint::Printing,
            Paint::State,
        ];
        let cells = cells
            .iter()
            .zip(paints)
            .map(|(cell, paint)| self.colours.paint(paint, cell))
            .collect::<Vec<_>>()
            .join("  ");
        let used: usize = TABLE.iter().map(|(_, width)| width + 2).sum();
        let title = cut(
            &answer.title,
            self.columns
                .map_or(usize::MAX, |columns| columns.saturating_sub(used).max(20)),
        );
        let error = answer
            .error
            .as_ref()
            .map(|error| {
                self.colours
                    .paint(Paint::Against, &format!("  [{}]", error.code))
            })
            .unwrap_or_default();
        let line = format!("{cells}  {title}{error}");
        format!("{}\n", line.trim_end())
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
