//! [`Answer`]: all that titledex says about one title, in the shape that every surface writes as
//! JSON.

use crate::options::MAX_TITLE_BYTES;
use crate::parsed::{Field, Parsed, owned};
use crate::sort::sort_few;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;

/// All that titledex says about one title.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct Answer<'t> {
    /// The title as given.
    pub title: Cow<'t, str>,
    /// The attributes that the title states.
    pub parsed: Parsed<'t>,
    /// The decision: a match or a refusal.
    pub outcome: Outcome,
    /// What the title states and the first card contradicts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<Conflict<'t>>,
    /// The catalogue's cards that it can be, best first, one a card.
    pub matches: Vec<Match<'t>>,
    /// The reason why the title was not read, or not as given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<TitleError>,
}

impl Answer<'_> {
    /// The same answer, without borrowing from the title and the engine.
    ///
    /// Read back from its own JSON an answer is owned and equal:
    ///
    /// ```
    /// use titledex::{Answer, Engine, Options};
    /// let engine = Engine::new(titledex_embedded::catalogue()?);
    /// let kept: Answer<'static> = engine.answer("Glurak 4/102", &Options::new()).into_owned();
    /// drop(engine);
    /// let json = serde_json::to_string(&kept)?;
    /// assert_eq!(serde_json::from_str::<Answer<'static>>(&json)?, kept);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn into_owned(self) -> Answer<'static> {
        Answer {
            title: owned(self.title),
            parsed: self.parsed.into_owned(),
            outcome: self.outcome,
            conflicts: self
                .conflicts
                .into_iter()
                .map(Conflict::into_owned)
                .collect(),
            matches: self.matches.into_iter().map(Match::into_owned).collect(),
            error: self.error,
        }
    }
}

/// The type of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum OutcomeType {
    /// One card fits clearly better than all others.
    Match,
    /// The title fits several cards equally, states another language than its card has, or names no
    /// card.
    Ambiguous,
    /// One card, not among ours.
    NotInCatalogue,
    /// Several different cards.
    Lot,
    /// A sealed product of a game that the catalogue holds.
    Sealed,
    /// A card or a product of a game or sport that the catalogue does not hold.
    OtherGame,
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
            OutcomeType::OtherGame => "other_game",
            OutcomeType::NotACard => "not_a_card",
        }
    }
}

/// The answer's type and confidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Outcome {
    /// The type of the answer.
    #[serde(rename = "type")]
    pub kind: OutcomeType,
    /// Probability that `type` is right.
    pub confidence: Probability,
    /// For `ambiguous`: the fewest attributes that tell the cards apart that the title fits, of
    /// `set`, `language`, `number`, `name`, `printing` (holo, reverse holo or neither), `rarity`,
    /// `year`, `product` and `illustrator`; `language` if the title states another one than its card
    /// has, and `name` if it names no card.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
    pub ambiguous_on: Vec<Field>,
    /// Probability that the catalogue lacks the card.
    pub not_in_catalogue: Probability,
    /// The reasons for an outcome that the words of the title decide, and against it, in log-odds
    /// against one card: of `lot`, `sealed`, `other_game`, `not_a_card`, and of
    /// `not_in_catalogue` if no catalogue holds such cards.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
}

/// An attribute that the title states and the first card contradicts.
///
/// ```
/// use titledex::{Engine, Options};
/// let engine = Engine::new(titledex_embedded::catalogue()?);
/// let answer = engine.answer("1999 Charizard Base Set 4/103 Holo", &Options::new());
/// assert_eq!((&*answer.conflicts[0].stated, &*answer.conflicts[0].held), ("103", "102"));
/// # Ok::<(), titledex::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct Conflict<'t> {
    /// The attribute.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub field: Field,
    /// Its value in the title.
    pub stated: Cow<'t, str>,
    /// The card's, or that of its printing: `none` if it has no such stamp, pattern or error, and
    /// `standard` of a size.
    pub held: Cow<'t, str>,
}

impl Conflict<'_> {
    /// The same conflict, free of the engine.
    #[must_use]
    pub fn into_owned(self) -> Conflict<'static> {
        Conflict {
            field: self.field,
            stated: owned(self.stated),
            held: owned(self.held),
        }
    }
}

/// A card of the catalogue that the title can be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Match<'t> {
    /// The card's id.
    pub card_id: Cow<'t, str>,
    /// Its name: English if one is known, else as printed.
    pub name: Cow<'t, str>,
    /// How certain the English name is if the catalogue's source does not give it: `derived`, made
    /// of the subject and its modifiers; `unsure`, the likeliest of several.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
    pub name_source: Option<NameSource>,
    /// Its name as printed, if that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub printed_name: Option<Cow<'t, str>>,
    /// Name of its set.
    pub set_name: Cow<'t, str>,
    /// Id of its set.
    pub set_id: Cow<'t, str>,
    /// Its number as printed: `4/102`.
    pub card_number: String,
    /// Its rarity as the catalogue names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rarity: Option<Cow<'t, str>>,
    /// Language of the region whose print it is: `english` where one card stands for the prints of all
    /// languages.
    pub language: Cow<'t, str>,
    /// Probability that this is the card.
    pub confidence: Probability,
    /// The printing that fits best.
    pub marketplace_id: String,
    /// Label of that printing; absent if the catalogue knows none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub printing: Option<Cow<'t, str>>,
    /// The card's other printings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub printings: Vec<PrintingMatch<'t>>,
    /// The reasons for and against the card, in log-odds.
    pub evidence: Vec<Evidence>,
    /// What marketplaces call `printing`; absent if the catalogue knows of none that sells it.
    #[serde(default, skip_serializing_if = "MarketIds::is_empty")]
    pub ids: MarketIds,
    /// The game that the card is of: `pokemon`.
    pub game: Cow<'t, str>,
}

impl Match<'_> {
    /// The same match, free of the engine.
    #[must_use]
    pub fn into_owned(self) -> Match<'static> {
        Match {
            card_id: owned(self.card_id),
            name: owned(self.name),
            name_source: self.name_source,
            printed_name: self.printed_name.map(owned),
            set_name: owned(self.set_name),
            set_id: owned(self.set_id),
            card_number: self.card_number,
            rarity: self.rarity.map(owned),
            language: owned(self.language),
            confidence: self.confidence,
            marketplace_id: self.marketplace_id,
            printing: self.printing.map(owned),
            ids: self.ids,
            printings: self
                .printings
                .into_iter()
                .map(PrintingMatch::into_owned)
                .collect(),
            evidence: self.evidence,
            game: owned(self.game),
        }
    }
}

/// The numbers that marketplaces give a printing in their catalogues.
///
/// Several printings may share one: marketplaces sell a card's editions, or its languages, as one
/// product in places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct MarketIds {
    /// Its product at TCGplayer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tcgplayer: Option<u32>,
    /// Its product at Cardmarket.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cardmarket: Option<u32>,
}

impl MarketIds {
    /// The ids given; 0 is no id.
    ///
    /// ```
    /// let ids = titledex::MarketIds::new(42382, 0);
    /// assert_eq!((ids.tcgplayer, ids.cardmarket), (Some(42382), None));
    /// ```
    #[must_use]
    pub fn new(tcgplayer: u32, cardmarket: u32) -> MarketIds {
        let some = |id: u32| Some(id).filter(|&id| id != 0);
        MarketIds {
            tcgplayer: some(tcgplayer),
            cardmarket: some(cardmarket),
        }
    }

    /// The id that a text with its marketplace's name is: `tcgplayer:42382`, `cardmarket:273700`.
    ///
    /// ```
    /// use titledex::MarketIds;
    /// assert_eq!(MarketIds::named("tcgplayer:42382"), Some(MarketIds::new(42382, 0)));
    /// assert_eq!(MarketIds::named("base1-4:unlimited-holofoil"), None);
    /// ```
    #[must_use]
    pub fn named(text: &str) -> Option<MarketIds> {
        let (marketplace, id) = text.split_once(':')?;
        let digits = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
        let id = id.parse().ok().filter(|&id: &u32| digits && id != 0)?;
        match marketplace {
            "tcgplayer" => Some(MarketIds::new(id, 0)),
            "cardmarket" => Some(MarketIds::new(0, id)),
            _ => None,
        }
    }

    /// Whether no marketplace's id is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == MarketIds::default()
    }
}

/// How certain an English name is that the catalogue's source does not give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum NameSource {
    /// Made of the card's subject and its modifiers.
    Derived,
    /// The likeliest of several.
    Unsure,
}

impl NameSource {
    /// The name as JSON has it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            NameSource::Derived => "derived",
            NameSource::Unsure => "unsure",
        }
    }
}

/// A printing of a matched card.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PrintingMatch<'t> {
    /// Its id.
    pub marketplace_id: String,
    /// Its label.
    pub printing: Cow<'t, str>,
    /// Probability that it is this printing, given the card.
    pub confidence: Probability,
}

impl PrintingMatch<'_> {
    /// The same printing, free of the engine.
    #[must_use]
    pub fn into_owned(self) -> PrintingMatch<'static> {
        PrintingMatch {
            marketplace_id: self.marketplace_id,
            printing: owned(self.printing),
            confidence: self.confidence,
        }
    }
}

/// One reason for or against a card, in log-odds: +2.3 multiplies the odds by ten.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct Evidence {
    /// The attribute that it is about.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub field: Field,
    /// Log-odds, natural logarithm, rounded to two digits.
    #[cfg_attr(feature = "schema", schema(value_type = f32))]
    pub weight: LogOdds,
    /// The attribute that agrees, differs or is missing.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub note: Cow<'static, str>,
}

impl Evidence {
    /// Puts the strongest first, for or against; of equals the one that came first.
    pub(crate) fn sort(evidence: &mut [Evidence]) {
        let strength = |one: &Evidence| one.weight.get().abs();
        sort_few(evidence, |a, b| strength(a).total_cmp(&strength(b)).is_gt());
    }
}

/// Log-odds, natural logarithm: what evidence adds. +0.7 doubles the odds, +2.3 multiplies them by
/// ten, and 0 says nothing.
///
/// Rounded to two digits, so that every platform writes the same.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Default)]
pub struct LogOdds(f32);

impl LogOdds {
    /// Rounds `value`.
    #[must_use]
    pub fn new(value: f32) -> Self {
        Self(round(value * 100.0) / 100.0)
    }

    /// As it was added up, to be put in order before it is rounded.
    pub(crate) fn unrounded(value: f32) -> Self {
        Self(value)
    }

    /// The value.
    #[must_use]
    pub fn get(self) -> f32 {
        self.0
    }
}

/// As [`f32::round`], without the call of a mathematical library on processors that have no
/// instruction for it.
#[inline]
pub(crate) fn round(value: f32) -> f32 {
    /// The largest number below a half.
    const HALF: f32 = 0.499_999_97;
    /// From here on all numbers are whole.
    const WHOLE: f32 = 8_388_608.0;
    if value.abs() < WHOLE {
        ((value + HALF.copysign(value)) as i32 as f32).copysign(value)
    } else {
        value
    }
}

impl Serialize for LogOdds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f32(self.0)
    }
}

impl<'de> Deserialize<'de> for LogOdds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        f32::deserialize(deserializer).map(Self::new)
    }
}

/// The reason why a title was not read, or not as given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct TitleError {
    /// `too_long`, `invalid_utf8`; of the command's files also `bad_row`.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub code: Cow<'static, str>,
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
    pub fn new(code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            message: message.into(),
        }
    }
}

/// A probability in 0..=1, rounded to four digits so that every platform writes the same.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Default)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(value_type = f32, minimum = 0, maximum = 1))]
pub struct Probability(f32);

impl Probability {
    /// Rounds and clamps `value`; NaN becomes 0.
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

impl<'de> Deserialize<'de> for Probability {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        f64::deserialize(deserializer).map(Self::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn rounds_halves_away_from_zero() {
        for number in -4_000_000i32..=4_000_000 {
            let value = number as f32 / 8.0;
            assert_eq!(round(value).to_bits(), value.round().to_bits(), "{value}");
        }
    }

    proptest! {
        #[test]
        fn rounds_like_the_standard_library(bits in any::<u32>()) {
            let value = f32::from_bits(bits);
            prop_assert!(value.is_nan() || round(value).to_bits() == value.round().to_bits());
        }

        #[test]
        fn rounding_twice_changes_nothing(value in -100f32..100.0) {
            let once = LogOdds::new(value);
            prop_assert_eq!(LogOdds::new(once.get()), once);
        }
    }
}
