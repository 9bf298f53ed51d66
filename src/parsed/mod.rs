//! [`Parsed`]: the attributes that the title states, with their bytes.

mod grade;
mod values;

pub use grade::{Grade, GradeValue};
pub use values::{Condition, Finish, GraderCode};

use crate::span::Span;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A text that outlives what it was read from.
pub(crate) fn owned(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}

pub(crate) fn all_owned(texts: Vec<Cow<'_, str>>) -> Vec<Cow<'static, str>> {
    texts.into_iter().map(owned).collect()
}

/// The kind of thing that is sold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Kind {
    /// One card, graded or not.
    #[default]
    Single,
    /// Several cards, or a choice among cards.
    Lot,
    /// A sealed product.
    Sealed,
    /// Anything else.
    Other,
}

impl Kind {
    /// The name as JSON has it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Single => "single",
            Kind::Lot => "lot",
            Kind::Sealed => "sealed",
            Kind::Other => "other",
        }
    }
}

/// An attribute of a title or a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
#[allow(
    missing_docs,
    reason = "the names are those of the attributes of `Parsed` and `Match`"
)]
pub enum Field {
    Name,
    Number,
    Set,
    Year,
    Language,
    Edition,
    Finish,
    Pattern,
    Stamp,
    Treatment,
    Error,
    Size,
    Rarity,
    Grader,
    Grade,
    Label,
    Qualifier,
    CertNumber,
    Autograph,
    Condition,
    Quantity,
    Kind,
    Game,
    Hp,
    Level,
    #[serde(rename = "dexNumber")]
    SubjectNumber,
    Illustrator,
    Origin,
    Population,
    Wish,
    Noise,
    // only of cards: fields of evidence, and fields that settle an ambiguity
    Total,
    Printing,
    Product,
}

impl Field {
    /// The name of the field as JSON has it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Field::Name => "name",
            Field::Number => "number",
            Field::Set => "set",
            Field::Year => "year",
            Field::Language => "language",
            Field::Edition => "edition",
            Field::Finish => "finish",
            Field::Pattern => "pattern",
            Field::Stamp => "stamp",
            Field::Treatment => "treatment",
            Field::Error => "error",
            Field::Size => "size",
            Field::Rarity => "rarity",
            Field::Grader => "grader",
            Field::Grade => "grade",
            Field::Label => "label",
            Field::Qualifier => "qualifier",
            Field::CertNumber => "certNumber",
            Field::Autograph => "autograph",
            Field::Condition => "condition",
            Field::Quantity => "quantity",
            Field::Kind => "kind",
            Field::Game => "game",
            Field::Hp => "hp",
            Field::Level => "level",
            Field::SubjectNumber => "dexNumber",
            Field::Illustrator => "illustrator",
            Field::Origin => "origin",
            Field::Population => "population",
            Field::Wish => "wish",
            Field::Noise => "noise",
            Field::Total => "total",
            Field::Printing => "printing",
            Field::Product => "product",
        }
    }
}

/// The attributes that a title states. One that it does not state is `None` and left out of JSON:
/// there are no defaults, and the catalogue adds nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Parsed<'t> {
    /// The kind of thing that is sold.
    pub kind: Kind,
    /// The game or sport that the title names, else the game of the likeliest card: `pokemon`,
    /// `onepiece`, `baseball`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<Cow<'t, str>>,
    /// Card name: canonical English if one exists, else as printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<Cow<'t, str>>,
    /// Collector number as printed, without `#`: `4`, `TG12`, `SWSH020`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<Cow<'t, str>>,
    /// The text after the slash: `102`, `TG30`, `SV-P`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<Cow<'t, str>>,
    /// The set that the words name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set: Option<SetReading<'t>>,
    /// The year stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub year: Option<u16>,
    /// Language of the card, stated or carried by the script of the title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<Cow<'t, str>>,
    /// Edition, finish and all else that tells printings of one card apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub printing: Option<PrintingReading<'t>>,
    /// Rarity as stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rarity: Option<Cow<'t, str>>,
    /// The grade on the slab.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grade: Option<Grade<'t>>,
    /// Condition of a raw card: `M`, `NM`, `EX`, `LP`, `GD`, `PL`, `MP`, `HP`, `PO`, `DMG`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
    pub condition: Option<Condition>,
    /// Copies or cards in the lot, when stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quantity: Option<u32>,
    /// The readings of words with their places, in the order of the title. A word is in one: the
    /// total is in that of the number, and what follows from another reading has none.
    pub spans: Vec<Reading<'t>>,
    /// Readings of words that another reading explains better.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<Reading<'t>>,
    /// Words that no rule explains.
    pub unread: Vec<Unread<'t>>,
    /// No word names `game`: it is that of the likeliest card.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub game_inferred: bool,
}

impl Parsed<'_> {
    /// The same reading, free of the title and the engine.
    #[must_use]
    pub fn into_owned(self) -> Parsed<'static> {
        Parsed {
            kind: self.kind,
            game: self.game.map(owned),
            name: self.name.map(owned),
            number: self.number.map(owned),
            total: self.total.map(owned),
            set: self.set.map(SetReading::into_owned),
            year: self.year,
            language: self.language.map(owned),
            printing: self.printing.map(PrintingReading::into_owned),
            rarity: self.rarity.map(owned),
            grade: self.grade.map(Grade::into_owned),
            condition: self.condition,
            quantity: self.quantity,
            spans: self.spans.into_iter().map(Reading::into_owned).collect(),
            alternatives: self
                .alternatives
                .into_iter()
                .map(Reading::into_owned)
                .collect(),
            unread: self.unread.into_iter().map(Unread::into_owned).collect(),
            game_inferred: self.game_inferred,
        }
    }
}

/// The set that a title names.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct SetReading<'t> {
    /// Its name in the catalogue, English if one exists.
    pub name: Cow<'t, str>,
    /// Its id in the catalogue.
    pub id: Cow<'t, str>,
    /// Other sets that the same words name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<Cow<'t, str>>,
}

impl SetReading<'_> {
    /// The same, free of the engine.
    #[must_use]
    pub fn into_owned(self) -> SetReading<'static> {
        SetReading {
            name: owned(self.name),
            id: owned(self.id),
            alternatives: all_owned(self.alternatives),
        }
    }
}

/// The attributes that distinguish printings of one card.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct PrintingReading<'t> {
    /// `1st edition`, `unlimited`, `shadowless`, `4th print`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edition: Option<Cow<'t, str>>,
    /// `holo`, `reverse holo`, `non-holo`, and of games whose foils are not called holo, `foil` and
    /// `non-foil` as stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
    pub finish: Option<Finish>,
    /// `poke ball`, `master ball`, `cosmos`, `cracked ice`, …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<Cow<'t, str>>,
    /// `prerelease`, `staff`, `pokemon center`, …
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stamps: Vec<Cow<'t, str>>,
    /// `full art`, `alternate art`, `gold`, `no rarity`, …
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub treatment: Vec<Cow<'t, str>>,
    /// `miscut`, `misprint`, `no symbol`, …
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<Cow<'t, str>>,
    /// `jumbo`, `mini`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<Cow<'t, str>>,
}

impl PrintingReading<'_> {
    /// Whether nothing is stated.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The same, free of the engine.
    #[must_use]
    pub fn into_owned(self) -> PrintingReading<'static> {
        PrintingReading {
            edition: self.edition.map(owned),
            finish: self.finish,
            pattern: self.pattern.map(owned),
            stamps: all_owned(self.stamps),
            treatment: all_owned(self.treatment),
            errors: all_owned(self.errors),
            size: self.size.map(owned),
        }
    }
}

/// One reading of some bytes of the title.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct Reading<'t> {
    /// The field that it is read as.
    pub field: Field,
    /// The canonical value.
    pub value: Cow<'t, str>,
    /// Its place in the title.
    #[serde(flatten)]
    pub span: Span,
    /// The bytes of the title.
    pub text: Cow<'t, str>,
    /// Confidence in this reading against the others of the same bytes, 0 to 1.
    #[cfg_attr(feature = "schema", schema(minimum = 0, maximum = 1))]
    pub confidence: f32,
}

impl Reading<'_> {
    /// The same, free of the title and the engine.
    #[must_use]
    pub fn into_owned(self) -> Reading<'static> {
        Reading {
            field: self.field,
            value: owned(self.value),
            span: self.span,
            text: owned(self.text),
            confidence: self.confidence,
        }
    }
}

/// Words that no rule explains.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct Unread<'t> {
    /// Its place in the title.
    #[serde(flatten)]
    pub span: Span,
    /// The bytes of the title.
    pub text: Cow<'t, str>,
}

impl Unread<'_> {
    /// The same, free of the title.
    #[must_use]
    pub fn into_owned(self) -> Unread<'static> {
        Unread {
            span: self.span,
            text: owned(self.text),
        }
    }
}
