//! [`Column`]: the columns of CSV, TSV and Parquet, as the help text of `parse` documents them.

use std::borrow::Cow;
use std::collections::HashSet;
use titledex::{
    Answer, Condition, Field, Finish, GradeValue, GraderCode, Match, Parsed, PrintingReading,
};
use titledex_command::Failure;

/// A candidate that is less likely than this share of the first does not count where the title fits
/// several cards: it is there because there was room for it.
const FITS_TOO: f32 = 0.1;

/// A column.
pub(crate) struct Column {
    /// Its heading.
    pub(crate) name: &'static str,
    /// What its values are.
    #[cfg_attr(
        not(feature = "parquet"),
        allow(dead_code, reason = "Parquet has types")
    )]
    pub(crate) kind: Type,
    /// Whether it needs what a brief answer leaves out ([`titledex::Options::brief`]).
    pub(crate) detailed: bool,
    /// Its value of an answer.
    pub(crate) of: for<'a> fn(&'a Answer<'a>) -> Value<'a>,
}

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Text,
    Whole,
    Decimal,
    Texts,
}

/// A value of a column.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value<'a> {
    Nothing,
    Text(Cow<'a, str>),
    Whole(u32),
    Decimal(f32),
    Texts(Vec<&'a str>),
}

impl<'a> Value<'a> {
    /// As a cell of CSV: several texts are joined by `|`.
    pub(crate) fn cell(self) -> Cow<'a, str> {
        match self {
            Self::Nothing => Cow::default(),
            Self::Text(text) => text,
            Self::Whole(number) => number.to_string().into(),
            Self::Decimal(number) => number.to_string().into(),
            Self::Texts(texts) => texts.join("|").into(),
        }
    }

    /// As JSON.
    pub(crate) fn json(&self, out: &mut Vec<u8>) {
        let written = match self {
            Self::Nothing => serde_json::to_writer(out, &()),
            Self::Text(text) => serde_json::to_writer(out, text),
            Self::Whole(number) => serde_json::to_writer(out, number),
            Self::Decimal(number) => serde_json::to_writer(out, number),
            Self::Texts(texts) => serde_json::to_writer(out, texts),
        };
        written.expect("text and numbers are JSON, and memory takes it");
    }
}

const fn column(
    name: &'static str,
    kind: Type,
    of: for<'a> fn(&'a Answer<'a>) -> Value<'a>,
) -> Column {
    Column {
        name,
        kind,
        detailed: false,
        of,
    }
}

/// A column that needs what a brief answer leaves out.
const fn detailed(mut column: Column) -> Column {
    column.detailed = true;
    column
}

/// All columns of an answer, in their order.
pub(crate) const COLUMNS: [Column; 48] = [
    column("title", Type::Text, |a| text(Some(&a.title))),
    column("kind", Type::Text, |a| text(Some(a.parsed.kind.as_str()))),
    column("game", Type::Text, |a| text(a.parsed.game.as_deref())),
    column("name", Type::Text, |a| text(a.parsed.name.as_deref())),
    column("number", Type::Text, |a| text(a.parsed.number.as_deref())),
    column("total", Type::Text, |a| text(a.parsed.total.as_deref())),
    column("set", Type::Text, |a| {
        text(a.parsed.set.as_ref().map(|set| &*set.name))
    }),
    column("setId", Type::Text, |a| {
        text(a.parsed.set.as_ref().map(|set| &*set.id))
    }),
    column("year", Type::Whole, |a| whole(a.parsed.year.map(u32::from))),
    column("language", Type::Text, |a| {
        text(a.parsed.language.as_deref())
    }),
    column("edition", Type::Text, |a| {
        text(printing(&a.parsed).and_then(|p| p.edition.as_deref()))
    }),
    column("finish", Type::Text, |a| {
        text(
            printing(&a.parsed)
                .and_then(|p| p.finish)
                .map(Finish::as_str),
        )
    }),
    column("pattern", Type::Text, |a| {
        text(printing(&a.parsed).and_then(|p| p.pattern.as_deref()))
    }),
    column("stamps", Type::Texts, |a| {
        texts(printing(&a.parsed).map(|p| &*p.stamps))
    }),
    column("treatment", Type::Texts, |a| {
        texts(printing(&a.parsed).map(|p| &*p.treatment))
    }),
    column("errors", Type::Texts, |a| {
        texts(printing(&a.parsed).map(|p| &*p.errors))
    }),
    column("size", Type::Text, |a| {
        text(printing(&a.parsed).and_then(|p| p.size.as_deref()))
    }),
    column("rarity", Type::Text, |a| text(a.parsed.rarity.as_deref())),
    column("grader", Type::Text, |a| {
        text(a.parsed.grade.as_ref().map(|grade| &*grade.grader))
    }),
    column("graderCode", Type::Text, |a| {
        text(
            a.parsed
                .grade
                .as_ref()
                .and_then(|grade| grade.grader_code)
                .map(GraderCode::as_str),
        )
    }),
    column("grade", Type::Decimal, |a| {
        graded(a.parsed.grade.as_ref().and_then(|grade| grade.value))
    }),
    column("gradeLabel", Type::Text, |a| {
        text(
            a.parsed
                .grade
                .as_ref()
                .and_then(|grade| grade.label.as_deref()),
        )
    }),
    column("qualifier", Type::Text, |a| {
        text(
            a.parsed
                .grade
                .as_ref()
                .and_then(|grade| grade.qualifier.as_deref()),
        )
    }),
    column("certNumber", Type::Text, |a| {
        text(
            a.parsed
                .grade
                .as_ref()
                .and_then(|grade| grade.cert_number.as_deref()),
        )
    }),
    column("autograph", Type::Decimal, |a| {
        graded(a.parsed.grade.as_ref().and_then(|grade| grade.autograph))
    }),
    column("condition", Type::Text, |a| {
        text(a.parsed.condition.map(Condition::as_str))
    }),
    column("quantity", Type::Whole, |a| whole(a.parsed.quantity)),
    detailed(column("unread", Type::Texts, |a| {
        Value::Texts(a.parsed.unread.iter().map(|unread| &*unread.text).collect())
    })),
    column("outcome", Type::Text, |a| {
        text(Some(a.outcome.kind.as_str()))
    }),
    column("outcomeConfidence", Type::Decimal, |a| {
        Value::Decimal(a.outcome.confidence.get())
    }),
    column("ambiguousOn", Type::Texts, |a| {
        Value::Texts(
            a.outcome
                .ambiguous_on
                .iter()
                .map(|field| field.as_str())
                .collect(),
        )
    }),
    column("notInCatalogue", Type::Decimal, |a| {
        Value::Decimal(a.outcome.not_in_catalogue.get())
    }),
    column("cardId", Type::Text, |a| {
        text(first(a).map(|card| &*card.card_id))
    }),
    column("marketplaceId", Type::Text, |a| {
        text(first(a).map(|card| &*card.marketplace_id))
    }),
    column("cardName", Type::Text, |a| {
        text(first(a).map(|card| &*card.name))
    }),
    column("cardSet", Type::Text, |a| {
        text(first(a).map(|card| &*card.set_name))
    }),
    column("cardSetId", Type::Text, |a| {
        text(first(a).map(|card| &*card.set_id))
    }),
    column("cardNumber", Type::Text, |a| {
        text(first(a).map(|card| &*card.card_number))
    }),
    column("cardRarity", Type::Text, |a| {
        text(first(a).and_then(|card| card.rarity.as_deref()))
    }),
    column("cardLanguage", Type::Text, |a| {
        text(first(a).map(|card| &*card.language))
    }),
    column("printing", Type::Text, |a| {
        text(first(a).and_then(|card| card.printing.as_deref()))
    }),
    column("cardConfidence", Type::Decimal, |a| {
        first(a).map_or(Value::Nothing, |card| Value::Decimal(card.confidence.get()))
    }),
    column("otherCards", Type::Texts, |a| {
        Value::Texts(
            a.matches
                .iter()
                .skip(1)
                .map(|card| &*card.card_id)
                .collect(),
        )
    }),
    column("tcgplayerId", Type::Whole, |a| {
        whole(first(a).and_then(|card| card.ids.tcgplayer))
    }),
    column("cardmarketId", Type::Whole, |a| {
        whole(first(a).and_then(|card| card.ids.cardmarket))
    }),
    detailed(column("settledBy", Type::Text, |a| {
        settled_by(a).map_or(Value::Nothing, |text| Value::Text(text.into()))
    })),
    column("error", Type::Text, |a| {
        text(a.error.as_ref().map(|error| &*error.code))
    }),
    column("errorMessage", Type::Text, |a| {
        text(a.error.as_ref().map(|error| &*error.message))
    }),
];

fn text(value: Option<&str>) -> Value<'_> {
    value.map_or(Value::Nothing, |text| Value::Text(text.into()))
}

fn whole(value: Option<u32>) -> Value<'static> {
    value.map_or(Value::Nothing, Value::Whole)
}

fn graded(value: Option<GradeValue>) -> Value<'static> {
    value.map_or(Value::Nothing, |grade| {
        Value::Decimal(f32::from(grade.halves()) / 2.0)
    })
}

fn texts<'a>(values: Option<&'a [Cow<'a, str>]>) -> Value<'a> {
    Value::Texts(
        values
            .unwrap_or_default()
            .iter()
            .map(|text| &**text)
            .collect(),
    )
}

fn printing<'a>(parsed: &'a Parsed<'a>) -> Option<&'a PrintingReading<'a>> {
    parsed.printing.as_ref()
}

fn first<'a>(answer: &'a Answer<'a>) -> Option<&'a Match<'a>> {
    answer.matches.first()
}

/// What would settle an ambiguous title, with the words to choose among: `set: Base Set | Base Set 2`.
pub(crate) fn settled_by(answer: &Answer<'_>) -> Option<String> {
    let fields: Vec<String> = answer
        .outcome
        .ambiguous_on
        .iter()
        .map(|field| {
            let values = values_of(*field, &answer.matches);
            if values.len() > 1 {
                format!("{}: {}", field.as_str(), values.join(" | "))
            } else {
                field.as_str().to_owned()
            }
        })
        .collect();
    (!fields.is_empty()).then(|| fields.join("; "))
}

/// The values of a field that the cards have which the title fits.
fn values_of<'a>(field: Field, cards: &'a [Match<'_>]) -> Vec<&'a str> {
    let Some(best) = cards.first() else {
        return Vec::new();
    };
    let mut values: Vec<&str> = Vec::new();
    let fitting = cards
        .iter()
        .filter(|card| card.confidence.get() >= FITS_TOO * best.confidence.get());
    for card in fitting {
        let value = match field {
            Field::Set => Some(&*card.set_name),
            Field::Number => Some(&*card.card_number),
            Field::Name => Some(&*card.name),
            Field::Language => Some(&*card.language),
            Field::Rarity => card.rarity.as_deref(),
            Field::Printing => card.printing.as_deref(),
            _ => None,
        };
        values.extend(value);
    }
    if field == Field::Printing {
        values.extend(best.printings.iter().map(|printing| &*printing.printing));
    }
    let mut seen: Vec<&str> = Vec::new();
    values.retain(|value| {
        let new = !value.is_empty() && !seen.contains(value);
        seen.push(value);
        new
    });
    values
}

/// What a column that is written holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Chosen {
    /// The column of [`COLUMNS`] at this place.
    Answer(usize),
    /// All that the row carries, as one object.
    Row,
    /// One column that the row carries.
    Member(String),
}

impl Chosen {
    /// The columns with these names.
    ///
    /// # Errors
    /// If an answer has no such column, or one is there twice: objects have each member once.
    pub(crate) fn named(names: &[String]) -> Result<Vec<Self>, Failure> {
        let mut seen = HashSet::new();
        if let Some(twice) = names.iter().find(|name| !seen.insert(name.as_str())) {
            return Err(Failure::usage(format!(
                "--columns has `{twice}` twice: name each column once"
            )));
        }
        names
            .iter()
            .map(|name| {
                let known = COLUMNS.iter().position(|column| column.name == name);
                match (known, name.strip_prefix("row.")) {
                    (Some(at), _) => Ok(Self::Answer(at)),
                    (None, Some(member)) => Ok(Self::Member(member.to_owned())),
                    (None, None) if name == "row" => Ok(Self::Row),
                    (None, None) => Err(Failure::usage(format!(
                        "answers have no column `{name}`: choose among {}, `row`, and `row.` with the name of a column of the input",
                        COLUMNS.map(|column| column.name).join(" ")
                    ))),
                }
            })
            .collect()
    }

    /// The heading.
    pub(crate) fn heading(&self) -> String {
        match self {
            Self::Answer(at) => COLUMNS[*at].name.to_owned(),
            Self::Row => "row".to_owned(),
            Self::Member(name) => format!("row.{name}"),
        }
    }
}
