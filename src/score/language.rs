//! Evidence of the language.

use super::features::Feature;
use super::{Scorer, Sink};
use crate::attributes::language::Language;
use crate::catalogue::format::{CardRecord, set_flag};
use crate::stats::SetFacts;

/// A card of another further region than Japan's differs from one by so much of its language.
pub(crate) const OTHER_FURTHER_REGION: f32 = 0.6;
/// So does one of a set that the title names: `青眼の白龍 LOB`, a set that was printed in Korean alone.
const OF_NAMED_SET: f32 = 0.1;
/// So does an international one whose number and total the title states, and no Japanese card prints.
const REFUTED_BY_NUMBER: f32 = 0.65;
/// So does a Japanese card that is known in no other language, where the title states one: `拉普拉斯 繁中`.
/// Which cards were printed in Korean hardly any source says, so it is little.
const OF_JAPAN_ALONE: f32 = 0.08;
/// Other cards of its set are known in one: what is missing is the source's, most often of secret rares.
const GAP_ABROAD: f32 = 0.02;
/// So does one that is known in another language of its region, and not in Japanese: `유희왕`, and a card
/// in Simplified Chinese.
const OTHER_FURTHER_LANGUAGE: f32 = 0.15;

impl Scorer<'_, '_> {
    /// Evidence of the language. `member`: the title names the card's set.
    #[inline(always)]
    pub(super) fn language(
        &self,
        record: &CardRecord,
        set: SetFacts,
        member: bool,
        sink: &mut impl Sink,
    ) {
        let regional = set.is_regional();
        let agrees = |agrees: bool| {
            if agrees {
                Feature::LanguageAgrees
            } else {
                Feature::LanguageDiffers
            }
        };
        match self.query.language {
            // `Gengar Nihil Zero`: no set of another language is called so
            Language::Unsaid if regional && member && self.query.regional_set => {}
            Language::Unsaid if regional => {
                if self.query.hinted {
                    sink.add(Feature::LanguageHinted, 1.0);
                }
                let alone = self.query.alone;
                sink.add(
                    if alone {
                        Feature::LanguageAlone
                    } else {
                        Feature::LanguageUnsaid
                    },
                    1.0,
                );
            }
            Language::Unsaid => {}
            Language::International => sink.add(agrees(!regional), 1.0),
            Language::Japanese if regional && self.stats.japanese == Some(record.language) => {
                sink.add(Feature::LanguageAgrees, 1.0);
            }
            Language::Japanese if set.flags & set_flag::JAPANESE_TOO != 0 => {}
            Language::Japanese => {
                let share = if regional && member {
                    OF_NAMED_SET
                } else if regional {
                    OTHER_FURTHER_REGION
                } else if self.query.japanese_refuted {
                    REFUTED_BY_NUMBER
                } else {
                    1.0
                };
                sink.add(Feature::LanguageDiffers, share);
            }
            // a Korean print of Magic, which has one region
            Language::Regional if set.flags & set_flag::JAPANESE_TOO != 0 => {}
            Language::Regional if regional && self.is_known_in_japan_alone(record) => {
                let set = record.set.get();
                let gap = self.stats.is_known_abroad(self.catalogue, set);
                sink.add(
                    Feature::LanguageDiffers,
                    if gap { GAP_ABROAD } else { OF_JAPAN_ALONE },
                );
            }
            Language::Regional if regional && self.is_of_other_language(record) => {
                sink.add(Feature::LanguageDiffers, OTHER_FURTHER_LANGUAGE);
            }
            Language::Regional => sink.add(agrees(regional), 1.0),
        }
    }

    /// Whether a card is of another language of a further region than the title: Japanese cards may have
    /// prints in all of them, others have them in their own.
    fn is_of_other_language(&self, record: &CardRecord) -> bool {
        let other =
            |further| record.language != further && self.stats.japanese != Some(record.language);
        self.query.further.is_some_and(other)
    }

    /// Whether a card is Japanese, and no name of it in another language is known.
    fn is_known_in_japan_alone(&self, record: &CardRecord) -> bool {
        self.stats.japanese == Some(record.language) && self.catalogue.locals(record).len() < 2
    }
}
