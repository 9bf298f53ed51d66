//! The comparison of a title with a card: one [`Feature`] for each kind of agreement, difference or
//! silence.
//!
//! A feature has a value for a candidate (1 for plain facts; for agreements the information in nats
//! that agreeing by chance would need, so that a shared `4` says less than `TG12/TG30`) and a
//! weight (`dictionaries/weights.csv`). Their products are log-odds and add up.

use crate::parsed::Field;

/// A kind of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the table of texts describes each")]
pub enum Feature {
    NameAgrees,
    NameMisspelt,
    NameNickname,
    NameFuzzy,
    NamePart,
    NameAlternative,
    NameDiffers,
    ThingDiffers,
    MarkMissing,
    MarkExtra,
    MarkDoubted,
    RestMissing,
    RestAgrees,
    RestExtra,
    NumberTotalAgree,
    NumberAgrees,
    BareAgrees,
    DigitsAgree,
    DexAgrees,
    TotalDiffers,
    TotalUnprinted,
    TotalAgrees,
    NumberDiffers,
    PrefixedDiffers,
    DexDiffers,
    NumberUnprinted,
    SetAgrees,
    CodeAgrees,
    FamilyAgrees,
    SetDiffers,
    CodeDiffers,
    FamilyDiffers,
    SetAlsoNamed,
    YearAgrees,
    YearNear,
    YearDiffers,
    LanguageAgrees,
    LanguageDiffers,
    LanguageUnsaid,
    RarityAgrees,
    RarityDiffers,
    FinishAgrees,
    FinishDiffers,
    EditionAgrees,
    EditionDiffers,
    SecretAgrees,
    SecretDiffers,
    AltAgrees,
    AltDiffers,
    HpAgrees,
    HpDiffers,
    PromoAgrees,
    PromoDiffers,
    ArtistAgrees,
    OriginAgrees,
    NicknameCard,
    NameAndNumber,
    NumberAndSet,
    AllAgree,
    OnlyNumberDiffers,
    OnlySetDiffers,
    OnlyNameDiffers,
    BareDiffers,
    TotalNear,
    AllButTotal,
    LanguageAlone,
    OriginDiffers,
    LanguageHinted,
}

/// All features: whether it speaks for a card, the field that evidence names, the word in
/// `weights.csv`, and the note for people.
pub const FEATURES: [(Feature, bool, Field, &str, &str); 68] = [
    (
        Feature::NameAgrees,
        true,
        Field::Name,
        "name_agrees",
        "the name agrees",
    ),
    (
        Feature::NameMisspelt,
        false,
        Field::Name,
        "name_misspelt",
        "by a known misspelling",
    ),
    (
        Feature::NameNickname,
        false,
        Field::Name,
        "name_nickname",
        "by a nickname",
    ),
    (
        Feature::NameFuzzy,
        true,
        Field::Name,
        "name_fuzzy",
        "the name is spelt much like it",
    ),
    (
        Feature::NamePart,
        true,
        Field::Name,
        "name_part",
        "one of the card's names stands in the title",
    ),
    (
        Feature::NameAlternative,
        false,
        Field::Name,
        "name_alternative",
        "the words are read otherwise",
    ),
    (
        Feature::NameDiffers,
        false,
        Field::Name,
        "name_differs",
        "the title names another",
    ),
    (
        Feature::ThingDiffers,
        false,
        Field::Name,
        "thing_differs",
        "the title names another thing",
    ),
    (
        Feature::MarkMissing,
        false,
        Field::Name,
        "mark_missing",
        "the title lacks a mark of the name",
    ),
    (
        Feature::MarkExtra,
        false,
        Field::Name,
        "mark_extra",
        "the title has a mark that the name lacks",
    ),
    (
        Feature::MarkDoubted,
        false,
        Field::Name,
        "mark_doubted",
        "a word may be a mark that the name lacks",
    ),
    (
        Feature::RestMissing,
        false,
        Field::Name,
        "rest_missing",
        "the title lacks a part of the name",
    ),
    (
        Feature::RestAgrees,
        true,
        Field::Name,
        "rest_agrees",
        "a further part of the name agrees",
    ),
    (
        Feature::RestExtra,
        false,
        Field::Name,
        "rest_extra",
        "the title has a further part that the name lacks",
    ),
    (
        Feature::NumberTotalAgree,
        true,
        Field::Number,
        "number_total_agree",
        "number and total agree",
    ),
    (
        Feature::NumberAgrees,
        true,
        Field::Number,
        "number_agrees",
        "the number agrees",
    ),
    (
        Feature::BareAgrees,
        true,
        Field::Number,
        "bare_agrees",
        "digits in the title agree",
    ),
    (
        Feature::DigitsAgree,
        true,
        Field::Number,
        "digits_agree",
        "the digits of the number agree",
    ),
    (
        Feature::DexAgrees,
        true,
        Field::Number,
        "dex_agrees",
        "the Pokédex number agrees",
    ),
    (
        Feature::TotalDiffers,
        false,
        Field::Total,
        "total_differs",
        "the total differs",
    ),
    (
        Feature::TotalUnprinted,
        false,
        Field::Total,
        "total_unprinted",
        "no total is printed on it",
    ),
    (
        Feature::TotalAgrees,
        true,
        Field::Total,
        "total_agrees",
        "the total agrees",
    ),
    (
        Feature::NumberDiffers,
        false,
        Field::Number,
        "number_differs",
        "the number differs",
    ),
    (
        Feature::PrefixedDiffers,
        false,
        Field::Number,
        "prefixed_differs",
        "a number with letters differs",
    ),
    (
        Feature::DexDiffers,
        false,
        Field::Number,
        "dex_differs",
        "the Pokédex number differs",
    ),
    (
        Feature::NumberUnprinted,
        false,
        Field::Number,
        "number_unprinted",
        "no number is printed on it",
    ),
    (
        Feature::SetAgrees,
        true,
        Field::Set,
        "set_agrees",
        "the set agrees",
    ),
    (
        Feature::CodeAgrees,
        true,
        Field::Set,
        "code_agrees",
        "the set code agrees",
    ),
    (
        Feature::FamilyAgrees,
        true,
        Field::Set,
        "family_agrees",
        "the era agrees",
    ),
    (
        Feature::SetDiffers,
        false,
        Field::Set,
        "set_differs",
        "the title names another set",
    ),
    (
        Feature::CodeDiffers,
        false,
        Field::Set,
        "code_differs",
        "a set code in the title is another's",
    ),
    (
        Feature::FamilyDiffers,
        false,
        Field::Set,
        "family_differs",
        "the era differs",
    ),
    (
        Feature::SetAlsoNamed,
        false,
        Field::Set,
        "set_also_named",
        "the title names another set too",
    ),
    (
        Feature::YearAgrees,
        true,
        Field::Year,
        "year_agrees",
        "the year agrees",
    ),
    (
        Feature::YearNear,
        true,
        Field::Year,
        "year_near",
        "the year is one off",
    ),
    (
        Feature::YearDiffers,
        false,
        Field::Year,
        "year_differs",
        "the year differs",
    ),
    (
        Feature::LanguageAgrees,
        true,
        Field::Language,
        "language_agrees",
        "the language agrees",
    ),
    (
        Feature::LanguageDiffers,
        false,
        Field::Language,
        "language_differs",
        "the language differs",
    ),
    (
        Feature::LanguageUnsaid,
        false,
        Field::Language,
        "language_unsaid",
        "the title does not say that it is not English",
    ),
    (
        Feature::RarityAgrees,
        true,
        Field::Rarity,
        "rarity_agrees",
        "the rarity agrees",
    ),
    (
        Feature::RarityDiffers,
        false,
        Field::Rarity,
        "rarity_differs",
        "the rarity differs",
    ),
    (
        Feature::FinishAgrees,
        true,
        Field::Finish,
        "finish_agrees",
        "it exists in this finish",
    ),
    (
        Feature::FinishDiffers,
        false,
        Field::Finish,
        "finish_differs",
        "it is not known in this finish",
    ),
    (
        Feature::EditionAgrees,
        true,
        Field::Edition,
        "edition_agrees",
        "it exists in this edition",
    ),
    (
        Feature::EditionDiffers,
        false,
        Field::Edition,
        "edition_differs",
        "it is not known in this edition",
    ),
    (
        Feature::SecretAgrees,
        true,
        Field::Rarity,
        "secret_agrees",
        "special art, and a number above the total",
    ),
    (
        Feature::SecretDiffers,
        false,
        Field::Rarity,
        "secret_differs",
        "special art, but a plain number",
    ),
    (
        Feature::AltAgrees,
        true,
        Field::Rarity,
        "alt_agrees",
        "alternate art, and another hand than the plain card's",
    ),
    (
        Feature::AltDiffers,
        false,
        Field::Rarity,
        "alt_differs",
        "alternate art, but drawn by the plain card's hand",
    ),
    (
        Feature::HpAgrees,
        true,
        Field::Hp,
        "hp_agrees",
        "the hit points agree",
    ),
    (
        Feature::HpDiffers,
        false,
        Field::Hp,
        "hp_differs",
        "the hit points differ",
    ),
    (
        Feature::PromoAgrees,
        true,
        Field::Set,
        "promo_agrees",
        "a promo, as the title says",
    ),
    (
        Feature::PromoDiffers,
        false,
        Field::Set,
        "promo_differs",
        "no promo, as the title says",
    ),
    (
        Feature::ArtistAgrees,
        true,
        Field::Illustrator,
        "artist_agrees",
        "the illustrator agrees",
    ),
    (
        Feature::OriginAgrees,
        true,
        Field::Origin,
        "origin_agrees",
        "what it came with agrees",
    ),
    (
        Feature::NicknameCard,
        true,
        Field::Name,
        "nickname_card",
        "collectors call this card so",
    ),
    (
        Feature::NameAndNumber,
        true,
        Field::Number,
        "name_and_number",
        "name, number and total agree together",
    ),
    (
        Feature::NumberAndSet,
        true,
        Field::Set,
        "number_and_set",
        "number and set agree together",
    ),
    (
        Feature::AllAgree,
        true,
        Field::Set,
        "all_agree",
        "name, number and set agree together",
    ),
    (
        Feature::OnlyNumberDiffers,
        false,
        Field::Number,
        "only_number_differs",
        "name and set agree, but another card of them has the number",
    ),
    (
        Feature::OnlySetDiffers,
        false,
        Field::Set,
        "only_set_differs",
        "name and number agree, but in another set",
    ),
    (
        Feature::OnlyNameDiffers,
        false,
        Field::Name,
        "only_name_differs",
        "number and set agree, but the card has another name",
    ),
    (
        Feature::BareDiffers,
        false,
        Field::Number,
        "bare_differs",
        "digits beside the name or the set are not its number",
    ),
    (
        Feature::TotalNear,
        false,
        Field::Total,
        "total_near",
        "the total is one digit off",
    ),
    (
        Feature::AllButTotal,
        true,
        Field::Number,
        "all_but_total",
        "name, number and set agree, and only the total does not",
    ),
    (
        Feature::LanguageAlone,
        false,
        Field::Language,
        "language_alone",
        "the title does not say that it is not English, but fits no English card",
    ),
    (
        Feature::OriginDiffers,
        false,
        Field::Origin,
        "origin_differs",
        "the title says that it came with something else",
    ),
    (
        Feature::LanguageHinted,
        true,
        Field::Language,
        "language_hinted",
        "the title hints that it is Japanese",
    ),
];

impl Feature {
    /// Whether it speaks for a card; otherwise it speaks against it.
    #[must_use]
    pub fn speaks_for(self) -> bool {
        FEATURES[self as usize].1
    }

    /// The attribute that it is about.
    #[must_use]
    pub fn field(self) -> Field {
        FEATURES[self as usize].2
    }

    /// Its name in `weights.csv`.
    #[must_use]
    pub fn name(self) -> &'static str {
        FEATURES[self as usize].3
    }

    /// Whether it says that the card's name agrees, even if misspelt or as a nickname.
    #[must_use]
    pub(crate) fn names(self) -> bool {
        matches!(
            self,
            Feature::NameAgrees | Feature::NameFuzzy | Feature::NicknameCard
        )
    }

    /// Its text for people.
    #[must_use]
    pub fn note(self) -> &'static str {
        FEATURES[self as usize].4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_is_in_the_order_of_the_enum() {
        for (at, row) in FEATURES.iter().enumerate() {
            assert_eq!(row.0 as usize, at, "{}", row.3);
        }
    }
}
