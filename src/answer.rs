//! [`Answer`]: all that titledex says about one title, in the shape that every surface writes as JSON.

use crate::options::MAX_TITLE_BYTES;
use crate::parsed::Parsed;
use serde::{Serialize, Serializer};
use std::borrow::Cow;

/// All that titledex says about one title. It borrows from the title and the catalogue.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct Answer<'t> {
    /// The title as given.
    pub title: Cow<'t, str>,
    /// What the title states.
    pub parsed: Parsed<'t>,
    /// What the answer is.
    pub outcome: Outcome,
    /// The catalogue's cards that it can be, best first, one a card.
    pub matches: Vec<Match<'t>>,
    /// Why the title was not read, or not as given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<TitleError>,
}

/// What the answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum OutcomeType {
    /// One card stands out.
    Match,
    /// The title fits several cards equally.
    Ambiguous,
    /// One card, not among ours.
    NotInCatalogue,
    /// Several different cards.
    Lot,
    /// A sealed product of the game.
    Sealed,
    /// Anything else.
    NotACard,
}

impl OutcomeType {
    /// The name as JSON has it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            OutcomeType::Match => "match",
            OutcomeType::Ambiguous => "ambiguous",
            OutcomeType::NotInCatalogue => "not_in_catalogue",
            OutcomeType::Lot => "lot",
            OutcomeType::Sealed => "sealed",
            OutcomeType::NotACard => "not_a_card",
        }
    }
}

/// What the answer is, and how sure.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Outcome {
    /// What the answer is.
    #[serde(rename = "type")]
    pub kind: OutcomeType,
    /// Probability that `type` is right.
    pub confidence: Probability,
    /// For `ambiguous`: the fewest attributes that tell the cards apart that the title fits, of `set`, `language`, `number`, `name`, `printing`
    /// (holo, reverse holo or neither), `rarity`, `year`, `product` and `illustrator`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ambiguous_on: Vec<&'static str>,
    /// Probability that the card is none of the catalogue's.
    pub not_in_catalogue: Probability,
}

/// A card of the catalogue that the title can be.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Match<'t> {
    /// The card's id.
    pub card_id: &'t str,
    /// Its name: English where one is known, else as printed.
    pub name: &'t str,
    /// How sure an English name is that the catalogue's source does not give outright: `derived`, made of its species and the marks beside it;
    /// `unsure`, the likeliest of several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name_source: Option<&'static str>,
    /// Its name as printed, where that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub printed_name: Option<&'t str>,
    /// Name of its set.
    pub set_name: &'t str,
    /// Id of its set.
    pub set_id: &'t str,
    /// Its number as printed: `4/102`.
    pub card_number: String,
    /// Its rarity as the catalogue names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rarity: Option<&'t str>,
    /// Language it was first printed in.
    pub language: &'t str,
    /// Probability that this is the card.
    pub confidence: Probability,
    /// The printing that fits best.
    pub marketplace_id: String,
    /// Label of that printing; absent where the catalogue knows none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub printing: Option<&'t str>,
    /// The card's other printings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub printings: Vec<PrintingMatch<'t>>,
    /// Why, in log-odds.
    pub evidence: Vec<Evidence>,
}

/// A printing of a matched card.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PrintingMatch<'t> {
    /// Its id.
    pub marketplace_id: String,
    /// Its label.
    pub printing: &'t str,
    /// Probability that it is this printing, given the card.
    pub confidence: Probability,
}

/// One reason for or against a card, in log-odds: +2.3 multiplies the odds by ten.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct Evidence {
    /// The attribute that it is about.
    pub field: &'static str,
    /// Log-odds, natural logarithm, rounded to two digits.
    #[serde(serialize_with = "rounded")]
    pub weight: f32,
    /// What agrees, differs or is missing.
    pub note: &'static str,
}

/// Why a title was not read, or not as given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct TitleError {
    /// `too_long`, `invalid_utf8`.
    pub code: &'static str,
    /// The limit and what was met.
    pub message: String,
}

impl TitleError {
    /// The error of a title of `bytes` bytes, more than are read.
    #[must_use]
    pub fn too_long(bytes: u64) -> Self {
        Self::new(
            "too_long",
            format!(
                "the title has {bytes} bytes and at most {} are read: shorten it",
                MAX_TITLE_BYTES
            ),
        )
    }

    /// An error with its code and sentence.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }
}

/// A probability in 0..=1, rounded to four digits so that every platform writes the same.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Default)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(value_type = f32, minimum = 0, maximum = 1))]
pub struct Probability(f32);

impl Probability {
    /// Rounds and clamps `value`; what is no number is 0.
    #[must_use]
    pub fn new(value: f64) -> Self {
        if value.is_nan() {
            Self(0.0)
        } else {
            Self((value.clamp(0.0, 1.0) * 10_000.0).round() as f32 / 10_000.0)
        }
    }

    /// The value, 0 to 1.
    #[must_use]
    pub fn get(self) -> f32 {
        self.0
    }
}

impl Serialize for Probability {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f32(self.0)
    }
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature is serde's"
)]
fn rounded<S: Serializer>(value: &f32, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f32((value * 100.0).round() / 100.0)
}
