//! The comparison of a title with a card: one [`Feature`] for each kind of agreement, difference or
//! silence.
//!
//! A feature has a value for a candidate (1 for plain facts; for agreements the information in nats
//! that agreeing by chance would need, so that a shared `4` says less than `TG12/TG30`) and a
//! weight (`dictionaries/weights.csv`). Their products are log-odds and add up.

mod table;

pub use table::FEATURES;

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
    SubjectAgrees,
    TotalDiffers,
    TotalUnprinted,
    TotalAgrees,
    NumberDiffers,
    PrefixedDiffers,
    SubjectDiffers,
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
    ReverseDiffers,
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
    /// Words of the title name its game.
    GameAgrees,
    /// Words of the title hint at its game.
    GameHinted,
    /// Words of the title name another game.
    GameDiffers,
    NumberSlip,
    TotalSlip,
    BareSlip,
    YearSlip,
    ArtAgrees,
    ArtDiffers,
    NamePrinted,
    MarkSlip,
    SetSlip,
    /// The print differs from the plain one in what the title does not say.
    PrintUnsaid,
    /// It has a printing with the stamp or treatment that the title states.
    StampAgrees,
    /// A word that nothing explains is a part of the name of its set or product.
    WordAgrees,
    /// Of a card that keeps its number in other sets, a printing is of the set that the title names.
    SetPrinted,
    /// Such a card has no printing with the treatment that the title states.
    StampDiffers,
    /// Its name prints in capitals a mark that the title writes in small letters: `Gengar-EX`.
    MarkInCapitals,
}

/// A set of features.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Features(u128);

impl Features {
    /// These features.
    pub(crate) const fn of(features: &[Feature]) -> Features {
        let (mut bits, mut at) = (0, 0);
        while at < features.len() {
            bits |= 1 << features[at] as u32;
            at += 1;
        }
        Features(bits)
    }

    /// Whether one of them is among `others`.
    #[inline]
    pub(crate) fn any_of(self, others: Features) -> bool {
        self.0 & others.0 != 0
    }
}

impl<'e> FromIterator<&'e (Feature, f32)> for Features {
    fn from_iter<I: IntoIterator<Item = &'e (Feature, f32)>>(evidence: I) -> Features {
        let bits = evidence
            .into_iter()
            .map(|(feature, _)| 1 << *feature as u32);
        Features(bits.fold(0, |all, bit: u128| all | bit))
    }
}

// each has a bit
const _: () = assert!(FEATURES.len() <= u128::BITS as usize);

/// Those which say that the card's name agrees, even if misspelt or as a nickname.
pub(crate) const NAMED: Features = Features::of(&[
    Feature::NameAgrees,
    Feature::NameFuzzy,
    Feature::NicknameCard,
]);

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

    /// Whether it says that the title states a number, a set or a year wrongly: the slips of which
    /// `titledex-lab corpus generate --slips` makes titles.
    #[must_use]
    pub fn slips(self) -> bool {
        matches!(
            self,
            Feature::NumberSlip | Feature::SetSlip | Feature::YearSlip
        )
    }

    /// Its text for people.
    #[must_use]
    pub fn note(self) -> &'static str {
        FEATURES[self as usize].4
    }
}
