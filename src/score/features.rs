//! What is compared between a title and a card: one [`Feature`] for each kind of agreement, difference or silence.
//!
//! A feature has a value for a candidate (1 for plain facts; for agreements the information in nats that agreeing by chance would need,
//! so that a shared `4` says less than `TG12/TG30`) and a weight (`dictionaries/weights.csv`). Their products are log-odds and add up.

/// A kind of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs, reason = "each is described where its text is")]
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

/// All features: whether it speaks for a card, the field that evidence names, the word in `weights.csv`, and the note for people.
pub const FEATURES: [(Feature, bool, &str, &str, &str); 68] = [
    (
        Feature::NameAgrees,
        true,
        "name",
        "name_agrees",
        "the name agrees",
    ),
    (
        Feature::NameMisspelt,
        false,
        "name",
        "name_misspelt",
        "by a known misspelling",
    ),
    (
        Feature::NameNickname,
        false,
        "name",
        "name_nickname",
        "by a nickname",
    ),
    (
        Feature::NameFuzzy,
        true,
        "name",
        "name_fuzzy",
        "the name is spelt much like it",
    ),
    (
        Feature::NamePart,
        true,
        "name",
        "name_part",
        "one of the card's names stands in the title",
    ),
    (
        Feature::NameAlternative,
        false,
        "name",
        "name_alternative",
        "the words are read otherwise",
    ),
    (
        Feature::NameDiffers,
        false,
        "name",
        "name_differs",
        "the title names another",
    ),
    (
        Feature::ThingDiffers,
        false,
        "name",
        "thing_differs",
        "the title names another thing",
    ),
    (
        Feature::MarkMissing,
        false,
        "name",
        "mark_missing",
        "the title lacks a mark of the name",
    ),
    (
        Feature::MarkExtra,
        false,
        "name",
        "mark_extra",
        "the title has a mark that the name lacks",
    ),
    (
        Feature::MarkDoubted,
        false,
        "name",
        "mark_doubted",
        "a word may be a mark that the name lacks",
    ),
    (
        Feature::RestMissing,
        false,
        "name",
        "rest_missing",
        "the title lacks a part of the name",
    ),
    (
        Feature::RestAgrees,
        true,
        "name",
        "rest_agrees",
        "a further part of the name agrees",
    ),
    (
        Feature::RestExtra,
        false,
        "name",
        "rest_extra",
        "the title has a further part that the name lacks",
    ),
    (
        Feature::NumberTotalAgree,
        true,
        "number",
        "number_total_agree",
        "number and total agree",
    ),
    (
        Feature::NumberAgrees,
        true,
        "number",
        "number_agrees",
        "the number agrees",
    ),
    (
        Feature::BareAgrees,
        true,
        "number",
        "bare_agrees",
        "digits in the title agree",
    ),
    (
        Feature::DigitsAgree,
        true,
        "number",
        "digits_agree",
        "the digits of the number agree",
    ),
    (
        Feature::DexAgrees,
        true,
        "number",
        "dex_agrees",
        "the Pokédex number agrees",
    ),
    (
        Feature::TotalDiffers,
        false,
        "total",
        "total_differs",
        "the total differs",
    ),
    (
        Feature::TotalUnprinted,
        false,
        "total",
        "total_unprinted",
        "no total is printed on it",
    ),
    (
        Feature::TotalAgrees,
        true,
        "total",
        "total_agrees",
        "the total agrees",
    ),
    (
        Feature::NumberDiffers,
        false,
        "number",
        "number_differs",
        "the number differs",
    ),
    (
        Feature::PrefixedDiffers,
        false,
        "number",
        "prefixed_differs",
        "a number with letters differs",
    ),
    (
        Feature::DexDiffers,
        false,
        "number",
        "dex_differs",
        "the Pokédex number differs",
    ),
    (
        Feature::NumberUnprinted,
        false,
        "number",
        "number_unprinted",
        "no number is printed on it",
    ),
    (
        Feature::SetAgrees,
        true,
        "set",
        "set_agrees",
        "the set agrees",
    ),
    (
        Feature::CodeAgrees,
        true,
        "set",
        "code_agrees",
        "the set code agrees",
    ),
    (
        Feature::FamilyAgrees,
        true,
        "set",
        "family_agrees",
        "the era agrees",
    ),
    (
        Feature::SetDiffers,
        false,
        "set",
        "set_differs",
        "the title names another set",
    ),
    (
        Feature::CodeDiffers,
        false,
        "set",
        "code_differs",
        "a set code in the title is another's",
    ),
    (
        Feature::FamilyDiffers,
        false,
        "set",
        "family_differs",
        "the era differs",
    ),
    (
        Feature::SetAlsoNamed,
        false,
        "set",
        "set_also_named",
        "the title names another set too",
    ),
    (
        Feature::YearAgrees,
        true,
        "year",
        "year_agrees",
        "the year agrees",
    ),
    (
        Feature::YearNear,
        true,
        "year",
        "year_near",
        "the year is one off",
    ),
    (
        Feature::YearDiffers,
        false,
        "year",
        "year_differs",
        "the year differs",
    ),
    (
        Feature::LanguageAgrees,
        true,
        "language",
        "language_agrees",
        "the language agrees",
    ),
    (
        Feature::LanguageDiffers,
        false,
        "language",
        "language_differs",
        "the language differs",
    ),
    (
        Feature::LanguageUnsaid,
        false,
        "language",
        "language_unsaid",
        "the title does not say that it is not English",
    ),
    (
        Feature::RarityAgrees,
        true,
        "rarity",
        "rarity_agrees",
        "the rarity agrees",
    ),
    (
        Feature::RarityDiffers,
        false,
        "rarity",
        "rarity_differs",
        "the rarity differs",
    ),
    (
        Feature::FinishAgrees,
        true,
        "finish",
        "finish_agrees",
        "it exists in this finish",
    ),
    (
        Feature::FinishDiffers,
        false,
        "finish",
        "finish_differs",
        "it is not known in this finish",
    ),
    (
        Feature::EditionAgrees,
        true,
        "edition",
        "edition_agrees",
        "it exists in this edition",
    ),
    (
        Feature::EditionDiffers,
        false,
        "edition",
        "edition_differs",
        "it is not known in this edition",
    ),
    (
        Feature::SecretAgrees,
        true,
        "rarity",
        "secret_agrees",
        "special art, and a number above the total",
    ),
    (
        Feature::SecretDiffers,
        false,
        "rarity",
        "secret_differs",
        "special art, but a plain number",
    ),
    (
        Feature::AltAgrees,
        true,
        "rarity",
        "alt_agrees",
        "alternate art, and another hand than the plain card's",
    ),
    (
        Feature::AltDiffers,
        false,
        "rarity",
        "alt_differs",
        "alternate art, but drawn by the plain card's hand",
    ),
    (
        Feature::HpAgrees,
        true,
        "hp",
        "hp_agrees",
        "the hit points agree",
    ),
    (
        Feature::HpDiffers,
        false,
        "hp",
        "hp_differs",
        "the hit points differ",
    ),
    (
        Feature::PromoAgrees,
        true,
        "set",
        "promo_agrees",
        "a promo, as the title says",
    ),
    (
        Feature::PromoDiffers,
        false,
        "set",
        "promo_differs",
        "no promo, as the title says",
    ),
    (
        Feature::ArtistAgrees,
        true,
        "illustrator",
        "artist_agrees",
        "the illustrator agrees",
    ),
    (
        Feature::OriginAgrees,
        true,
        "origin",
        "origin_agrees",
        "what it came with agrees",
    ),
    (
        Feature::NicknameCard,
        true,
        "name",
        "nickname_card",
        "collectors call this card so",
    ),
    (
        Feature::NameAndNumber,
        true,
        "number",
        "name_and_number",
        "name, number and total agree together",
    ),
    (
        Feature::NumberAndSet,
        true,
        "set",
        "number_and_set",
        "number and set agree together",
    ),
    (
        Feature::AllAgree,
        true,
        "set",
        "all_agree",
        "name, number and set agree together",
    ),
    (
        Feature::OnlyNumberDiffers,
        false,
        "number",
        "only_number_differs",
        "name and set agree, but another card of them has the number",
    ),
    (
        Feature::OnlySetDiffers,
        false,
        "set",
        "only_set_differs",
        "name and number agree, but in another set",
    ),
    (
        Feature::OnlyNameDiffers,
        false,
        "name",
        "only_name_differs",
        "number and set agree, but the card has another name",
    ),
    (
        Feature::BareDiffers,
        false,
        "number",
        "bare_differs",
        "digits beside the name or the set are not its number",
    ),
    (
        Feature::TotalNear,
        false,
        "total",
        "total_near",
        "the total is one digit off",
    ),
    (
        Feature::AllButTotal,
        true,
        "number",
        "all_but_total",
        "name, number and set agree, and only the total does not",
    ),
    (
        Feature::LanguageAlone,
        false,
        "language",
        "language_alone",
        "the title does not say that it is not English, but fits no English card",
    ),
    (
        Feature::OriginDiffers,
        false,
        "origin",
        "origin_differs",
        "the title says that it came with something else",
    ),
    (
        Feature::LanguageHinted,
        true,
        "language",
        "language_hinted",
        "the title hints that it is Japanese",
    ),
];

impl Feature {
    /// Whether it speaks for a card; else against it.
    #[must_use]
    pub fn speaks_for(self) -> bool {
        FEATURES[self as usize].1
    }

    /// The attribute that it is about.
    #[must_use]
    pub fn field(self) -> &'static str {
        FEATURES[self as usize].2
    }

    /// Its name in `weights.csv`.
    #[must_use]
    pub fn name(self) -> &'static str {
        FEATURES[self as usize].3
    }

    /// Whether it says that the card's name agrees, if misspelt or as a nickname.
    #[must_use]
    pub(crate) fn names(self) -> bool {
        matches!(
            self,
            Feature::NameAgrees | Feature::NameFuzzy | Feature::NicknameCard
        )
    }

    /// What it says, for people.
    #[must_use]
    pub fn note(self) -> &'static str {
        FEATURES[self as usize].4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_enum() {
        for (at, row) in FEATURES.iter().enumerate() {
            assert_eq!(row.0 as usize, at, "{}", row.3);
        }
    }
}
