//! [`Fit`]: the agreement of a card with a query.

use super::terms::Term;
use crate::attributes::query::Query;
use crate::catalogue::format::CardRecord;
use crate::dictionary::Tag;
use crate::engine::{Matcher, Scratch};
use crate::parsed::Field;
use crate::reading::Value;
use crate::score::features::Feature;
use crate::token::{Line, key_of};

/// How a query and a card agree and contradict each other.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fit {
    pub(super) shared: u16,
    pub(super) against: u32,
    pub(super) score: f32,
}

pub(super) const NAME: u16 = 1;
pub(super) const NUMBER: u16 = 2;
pub(super) const SET: u16 = 4;
pub(super) const RARITY: u16 = 8;
pub(super) const PROMO: u16 = 16;
pub(super) const ARTIST: u16 = 32;
pub(super) const ORIGIN: u16 = 64;
pub(super) const REST: u16 = 128;
/// A card that has the words which nothing else explains in its name.
const WORDS: u16 = 256;
/// Bits of [`Fit::against`]: only a part of the name agrees; not of the kind that is asked for.
const NAME_PART: u32 = 16;
const KIND_DIFFERS: u32 = 17;

// What people type says more than the same words of a title, in log-odds.
/// Of the kind that a term asks for.
const KIND: f32 = 6.0;
/// The name is exactly the one that was typed.
const EXACT: f32 = 1.0;
/// A word that nothing else explains stands in the name.
const WORD: f32 = 3.0;
/// The rarity's name has the words of the stated one: `Special illustration rare`.
const NEAR_RARITY: f32 = 1.0;
/// Shorter words, in bytes, stand in names by chance.
const SHORTEST_WORD: usize = 3;

impl Fit {
    /// The fit of a card with this evidence; `terms`: the query asks for some art.
    pub(super) fn of(
        pieces: &[(Feature, f32)],
        query: &Query,
        terms: bool,
        weight: impl Fn(Feature) -> f32,
    ) -> Fit {
        use Feature as F;
        // words of a set's name are words of its products' names too
        let product = !query.sets.iter().any(|set| set.chosen);
        let mut fit = Fit::default();
        for &(feature, value) in pieces {
            // a term says more of the art
            let art = matches!(
                feature,
                F::AltAgrees | F::AltDiffers | F::SecretAgrees | F::SecretDiffers
            );
            if terms && art || feature == F::LanguageHinted {
                continue;
            }
            fit.score += weight(feature) * value;
            fit.shared |= match feature {
                F::NameAgrees | F::NameFuzzy | F::NicknameCard => NAME,
                F::NumberTotalAgree | F::NumberAgrees | F::BareAgrees | F::SubjectAgrees => NUMBER,
                F::SetAgrees | F::CodeAgrees | F::FamilyAgrees => SET,
                F::RarityAgrees if !query.rarity_vague => RARITY,
                F::PromoAgrees => PROMO,
                F::ArtistAgrees => ARTIST,
                F::OriginAgrees if product => ORIGIN,
                F::RestAgrees => REST,
                _ => 0,
            };
            let against = match feature {
                F::NameDiffers | F::ThingDiffers => 0,
                F::MarkExtra => 1,
                F::RestExtra => 2,
                F::NumberDiffers | F::PrefixedDiffers | F::BareDiffers => 3,
                F::TotalDiffers => 4,
                F::SetDiffers | F::CodeDiffers | F::FamilyDiffers => 5,
                F::SetAlsoNamed => 6,
                F::YearDiffers => 7,
                F::RarityDiffers if !query.rarity_vague => 8,
                F::FinishDiffers | F::ReverseDiffers => 9,
                F::EditionDiffers => 10,
                F::SecretDiffers => 11,
                F::AltDiffers => 12,
                F::HpDiffers => 13,
                F::PromoDiffers => 14,
                F::OriginDiffers => 15,
                F::NamePart => NAME_PART,
                _ => continue,
            };
            fit.against |= 1 << against;
        }
        fit
    }

    /// Whether a card of this fit answers the query as the best fit does.
    pub(super) fn answers(&self, best: &Fit) -> bool {
        self.shared & best.shared == best.shared && self.against & !best.against == 0
    }
}

/// What was typed, to compare cards with.
pub(super) struct Typed<'q> {
    /// The names that were read, folded.
    names: Vec<&'q str>,
    /// The words that nothing explains, folded.
    words: Vec<&'q str>,
    terms: &'q [&'static Term],
    /// The rarities that were read, in small letters.
    rarities: &'q [String],
}

impl<'q> Typed<'q> {
    pub(super) fn of(
        line: &'q Line,
        query: &Query,
        terms: &'q [&'static Term],
        rarities: &'q [String],
    ) -> Typed<'q> {
        let text = |at: u32, end: u32| line.text(at as usize, end as usize);
        Typed {
            names: query
                .names
                .iter()
                .filter(|name| name.chosen)
                .map(|name| text(name.at, name.end))
                .collect(),
            words: query
                .unread
                .iter()
                .map(|&(at, end)| text(at, end))
                .filter(|word| word.len() >= SHORTEST_WORD)
                .collect(),
            terms,
            rarities,
        }
    }
}

impl Matcher<'_, '_> {
    /// The fit of a card with what a title's evidence does not weigh.
    pub(super) fn compare_as_typed(
        &self,
        typed: &Typed<'_>,
        card: u32,
        record: &CardRecord,
        mut fit: Fit,
    ) -> Fit {
        for term in typed.terms {
            if self.meets(term, card, record) {
                fit.score += KIND;
            } else {
                fit.against |= 1 << KIND_DIFFERS;
            }
        }
        if !typed.names.is_empty() || !typed.words.is_empty() {
            let names = self.names_of(record);
            if typed
                .names
                .iter()
                .any(|typed| names.iter().any(|name| name == typed))
            {
                fit.score += EXACT;
            }
            let stands = |word: &&&str| names.iter().any(|name| name.contains(**word));
            let words = typed.words.iter().filter(stands).count();
            fit.score += WORD * words as f32;
            fit.shared |= if words > 0 { WORDS } else { 0 };
        }
        let rarity = || self.catalogue.rarity(record.rarity).to_ascii_lowercase();
        if !typed.rarities.is_empty() {
            let rarity = rarity();
            let near = |typed: &String| rarity != *typed && rarity.contains(typed.as_str());
            if typed.rarities.iter().any(near) {
                fit.score += NEAR_RARITY;
            }
        }
        fit
    }

    /// The names of a card, folded: English, and as printed in each language.
    fn names_of(&self, record: &CardRecord) -> Vec<String> {
        let locals = self.catalogue.locals(record).iter().map(|local| local.name);
        std::iter::once(record.text)
            .chain(locals)
            .map(|name| key_of(self.catalogue.string(name)))
            .collect()
    }

    /// Keeps the cards of the names that some card bears exactly, where one does.
    pub(super) fn keep_names(&self, typed: &Typed<'_>, fits: &mut Vec<(u32, Fit)>) {
        let name = |card: u32| {
            let record = self.catalogue.card_record(card)?;
            Some((record, self.catalogue.name_record(record)?.core.get()))
        };
        let mut cores: Vec<u32> = Vec::new();
        for (card, _) in fits.iter() {
            if let Some((record, core)) = name(*card)
                && !cores.contains(&core)
                && self
                    .names_of(record)
                    .iter()
                    .any(|name| typed.names.contains(&name.as_str()))
            {
                cores.push(core);
            }
        }
        if !cores.is_empty() {
            fits.retain(|(card, _)| name(*card).is_some_and(|(_, core)| cores.contains(&core)));
        }
    }

    /// The rarities that the query states, in small letters.
    pub(super) fn rarities_wanted(&self, scratch: &Scratch) -> Vec<String> {
        let stated = scratch.cover.chosen.iter().filter_map(|reading| {
            match (reading.field, reading.value) {
                (Field::Rarity, Value::Word(Tag::Rarity(word))) => {
                    let word = &self.dictionary().rarities[word as usize];
                    Some(word.value.to_ascii_lowercase())
                }
                _ => None,
            }
        });
        stated.collect()
    }
}
