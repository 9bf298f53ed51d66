//! [`Parsed`]: what the title states, with the bytes that state it.

mod values;

use crate::span::Span;
use serde::{Deserialize, Deserializer, Serialize};
use std::borrow::Cow;
pub use values::{Condition, Finish, GraderCode};

/// A text that outlives what it was read from.
pub(crate) fn owned(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}

pub(crate) fn all_owned(texts: Vec<Cow<'_, str>>) -> Vec<Cow<'static, str>> {
    texts.into_iter().map(owned).collect()
}

/// What is being sold.
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
    DexNumber,
    Illustrator,
    Origin,
    Population,
    Wish,
    Noise,
    // of cards alone: what evidence is about, and what settles an ambiguity
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
            Field::DexNumber => "dexNumber",
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

/// What a title states. What it does not state is `None` and left out of JSON: never a default, never what the catalogue would add.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Parsed<'t> {
    /// What is being sold.
    pub kind: Kind,
    /// `pokemon`, or another game that the title names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<Cow<'t, str>>,
    /// Card name: canonical English where one exists, else as printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<Cow<'t, str>>,
    /// Collector number as printed, without `#`: `4`, `TG12`, `SWSH020`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<Cow<'t, str>>,
    /// What stands after the slash: `102`, `TG30`, `SV-P`.
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
    /// Where each attribute was read, in the order of the title.
    pub spans: Vec<Reading<'t>>,
    /// Readings of words that another reading explains better.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<Reading<'t>>,
    /// Words that no rule explains.
    pub unread: Vec<Unread<'t>>,
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
        }
    }
}

/// The set that a title names.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct SetReading<'t> {
    /// Its name in the catalogue, English where one exists.
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

/// What tells printings of one card apart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct PrintingReading<'t> {
    /// `1st edition`, `unlimited`, `shadowless`, `4th print`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edition: Option<Cow<'t, str>>,
    /// `holo`, `reverse holo`, `non-holo`.
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

/// The grade on a slab.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Grade<'t> {
    /// `PSA`, `BGS`, `CGC`, `SGC`, `TAG`, `ACE`, …
    pub grader: Cow<'t, str>,
    /// `GRADER_A` = PSA, `GRADER_B` = BGS, `GRADER_C` = CGC, `GRADER_D` = SGC; absent for the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
    pub grader_code: Option<GraderCode>,
    /// The number on the label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<GradeValue>,
    /// The word on the label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<Cow<'t, str>>,
    /// `OC`, `MK`, `MC`, `ST`, `PD`, `OF`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub qualifier: Option<Cow<'t, str>>,
    /// Certificate number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cert_number: Option<Cow<'t, str>>,
    /// Grade of the signature.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub autograph: Option<GradeValue>,
}

impl Grade<'_> {
    /// The same, free of the title and the engine.
    #[must_use]
    pub fn into_owned(self) -> Grade<'static> {
        Grade {
            grader: owned(self.grader),
            grader_code: self.grader_code,
            value: self.value,
            label: self.label.map(owned),
            qualifier: self.qualifier.map(owned),
            cert_number: self.cert_number.map(owned),
            autograph: self.autograph,
        }
    }
}

/// A grade in halves: `9.5` is 19. Written to JSON as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(value_type = f32, minimum = 0.5, maximum = 10, multiple_of = 0.5))]
pub struct GradeValue(u8);

impl GradeValue {
    /// A grade of `halves` halves: 20 for 10.
    #[must_use]
    pub fn from_halves(halves: u8) -> Self {
        Self(halves)
    }

    /// Reads `10`, `9.5`, `8,5`, `8½`, down to the `0.5` of CGC; other fractions and values over 10 are no grades.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (whole, half) = match text.strip_suffix('½') {
            Some(whole) => (whole, true),
            None => match text.split_once(['.', ',']) {
                Some((whole, "5")) => (whole, true),
                Some((whole, "0")) => (whole, false),
                Some(_) => return None,
                None => (text, false),
            },
        };
        if whole.len() > 2 || !whole.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let halves = whole.parse::<u8>().ok()?.checked_mul(2)? + u8::from(half);
        (1..=20).contains(&halves).then_some(Self(halves))
    }

    /// The grade in halves.
    #[must_use]
    pub fn halves(self) -> u8 {
        self.0
    }
}

impl std::fmt::Display for GradeValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{}{}",
            self.0 / 2,
            if self.0 % 2 == 1 { ".5" } else { "" }
        )
    }
}

impl Serialize for GradeValue {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_multiple_of(2) {
            serializer.serialize_u8(self.0 / 2)
        } else {
            serializer.serialize_f32(f32::from(self.0) / 2.0)
        }
    }
}

impl<'de> Deserialize<'de> for GradeValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let halves = f64::deserialize(deserializer)? * 2.0;
        if halves.fract() == 0.0 && (0.0..=f64::from(u8::MAX)).contains(&halves) {
            Ok(Self(halves as u8))
        } else {
            let what = format!("{} is no grade: grades are halves", halves / 2.0);
            Err(serde::de::Error::custom(what))
        }
    }
}

/// One reading of some bytes of the title.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct Reading<'t> {
    /// What it is read as.
    pub field: Field,
    /// The canonical value.
    pub value: Cow<'t, str>,
    /// Where in the title.
    #[serde(flatten)]
    pub span: Span,
    /// The bytes of the title.
    pub text: Cow<'t, str>,
    /// How sure this reading is beside the others of the same bytes, 0 to 1.
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
    /// Where in the title.
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
