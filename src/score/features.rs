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
    SetRelated,
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
}

/// All features, with the field that evidence names, the word in `weights.csv`, and the note for people.
pub const FEATURES: [(Feature, &str, &str, &str); 60] = [
    (Feature::NameAgrees, "name", "name_agrees", "the name agrees"),
    (Feature::NameMisspelt, "name", "name_misspelt", "by a known misspelling"),
    (Feature::NameNickname, "name", "name_nickname", "by a nickname"),
    (Feature::NameFuzzy, "name", "name_fuzzy", "the name is spelt much like it"),
    (Feature::NamePart, "name", "name_part", "one of the card's names stands in the title"),
    (Feature::NameAlternative, "name", "name_alternative", "the words are read otherwise"),
    (Feature::NameDiffers, "name", "name_differs", "the title names another"),
    (Feature::ThingDiffers, "name", "thing_differs", "the title names another thing"),
    (Feature::MarkMissing, "name", "mark_missing", "the title lacks a mark of the name"),
    (Feature::MarkExtra, "name", "mark_extra", "the title has a mark that the name lacks"),
    (Feature::MarkDoubted, "name", "mark_doubted", "a word may be a mark that the name lacks"),
    (Feature::RestMissing, "name", "rest_missing", "the title lacks a part of the name"),
    (Feature::RestAgrees, "name", "rest_agrees", "a further part of the name agrees"),
    (Feature::RestExtra, "name", "rest_extra", "the title has a further part that the name lacks"),
    (Feature::NumberTotalAgree, "number", "number_total_agree", "number and total agree"),
    (Feature::NumberAgrees, "number", "number_agrees", "the number agrees"),
    (Feature::BareAgrees, "number", "bare_agrees", "digits in the title agree"),
    (Feature::DigitsAgree, "number", "digits_agree", "the digits of the number agree"),
    (Feature::DexAgrees, "number", "dex_agrees", "the Pokédex number agrees"),
    (Feature::TotalDiffers, "total", "total_differs", "the total differs"),
    (Feature::TotalUnprinted, "total", "total_unprinted", "no total is printed on it"),
    (Feature::TotalAgrees, "total", "total_agrees", "the total agrees"),
    (Feature::NumberDiffers, "number", "number_differs", "the number differs"),
    (Feature::PrefixedDiffers, "number", "prefixed_differs", "a number with letters differs"),
    (Feature::DexDiffers, "number", "dex_differs", "the Pokédex number differs"),
    (Feature::NumberUnprinted, "number", "number_unprinted", "no number is printed on it"),
    (Feature::SetAgrees, "set", "set_agrees", "the set agrees"),
    (Feature::CodeAgrees, "set", "code_agrees", "the set code agrees"),
    (Feature::FamilyAgrees, "set", "family_agrees", "the era agrees"),
    (Feature::SetRelated, "set", "set_related", "the set is of the same series"),
    (Feature::SetDiffers, "set", "set_differs", "the title names another set"),
    (Feature::CodeDiffers, "set", "code_differs", "a set code in the title is another's"),
    (Feature::FamilyDiffers, "set", "family_differs", "the era differs"),
    (Feature::SetAlsoNamed, "set", "set_also_named", "the title names another set too"),
    (Feature::YearAgrees, "year", "year_agrees", "the year agrees"),
    (Feature::YearNear, "year", "year_near", "the year is one off"),
    (Feature::YearDiffers, "year", "year_differs", "the year differs"),
    (Feature::LanguageAgrees, "language", "language_agrees", "the language agrees"),
    (Feature::LanguageDiffers, "language", "language_differs", "the language differs"),
    (Feature::LanguageUnsaid, "language", "language_unsaid", "the title does not say that it is not English"),
    (Feature::RarityAgrees, "rarity", "rarity_agrees", "the rarity agrees"),
    (Feature::RarityDiffers, "rarity", "rarity_differs", "the rarity differs"),
    (Feature::FinishAgrees, "finish", "finish_agrees", "it exists in this finish"),
    (Feature::FinishDiffers, "finish", "finish_differs", "it is not known in this finish"),
    (Feature::EditionAgrees, "edition", "edition_agrees", "it exists in this edition"),
    (Feature::EditionDiffers, "edition", "edition_differs", "it is not known in this edition"),
    (Feature::SecretAgrees, "rarity", "secret_agrees", "special art, and a number above the total"),
    (Feature::SecretDiffers, "rarity", "secret_differs", "special art, but a plain number"),
    (Feature::AltAgrees, "rarity", "alt_agrees", "alternate art, and another hand than the plain card's"),
    (Feature::AltDiffers, "rarity", "alt_differs", "alternate art, but drawn by the plain card's hand"),
    (Feature::HpAgrees, "hp", "hp_agrees", "the hit points agree"),
    (Feature::HpDiffers, "hp", "hp_differs", "the hit points differ"),
    (Feature::PromoAgrees, "set", "promo_agrees", "a promo, as the title says"),
    (Feature::PromoDiffers, "set", "promo_differs", "no promo, as the title says"),
    (Feature::ArtistAgrees, "illustrator", "artist_agrees", "the illustrator agrees"),
    (Feature::OriginAgrees, "origin", "origin_agrees", "what it came with agrees"),
    (Feature::NicknameCard, "name", "nickname_card", "collectors call this card so"),
    (Feature::NameAndNumber, "number", "name_and_number", "name, number and total agree together"),
    (Feature::NumberAndSet, "set", "number_and_set", "number and set agree together"),
    (Feature::AllAgree, "set", "all_agree", "name, number and set agree together"),
];

impl Feature {
    /// The attribute that it is about.
    #[must_use]
    pub fn field(self) -> &'static str {
        FEATURES[self as usize].1
    }

    /// Its name in `weights.csv`.
    #[must_use]
    pub fn name(self) -> &'static str {
        FEATURES[self as usize].2
    }

    /// What it says, for people.
    #[must_use]
    pub fn note(self) -> &'static str {
        FEATURES[self as usize].3
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_enum() {
        for (at, row) in FEATURES.iter().enumerate() {
            assert_eq!(row.0 as usize, at, "{}", row.2);
        }
    }
}
