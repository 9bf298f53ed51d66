//! Evidence of the set: by name, code or era, and of sets that are parts of others.

use super::features::Feature;
use super::{Scorer, Sink};
use crate::attributes::set::SetClue;
use crate::catalogue::format::CardRecord;
use crate::catalogue::{AliasKind, EntryKind};
use crate::math::information;
use crate::stats::{are_promos, is_part};

/// A set that is a part of the one named agrees by so much of what the named one does.
const PART: f32 = 0.9;
/// A card of the set that the named one is a part of: the title would not name the part.
const WHOLE: f32 = 0.5;

/// Whether a card agrees with an era that the title names, and differs from another that is told set
/// by set: an era within the first. `differs` is what differs most.
fn within_era(agrees: Feature, differs: Option<(f32, Feature, bool)>) -> bool {
    let listed = |(_, feature, listed)| feature == Feature::FamilyDiffers && listed;
    agrees == Feature::FamilyAgrees && differs.is_some_and(listed)
}

impl Scorer<'_, '_> {
    /// Evidence of the set, and whether it agrees, if the title names one.
    pub(super) fn set(&self, record: &CardRecord, sink: &mut impl Sink) -> Option<bool> {
        let mut parts = self.query.set_parts.iter();
        if let Some(part) = parts.find(|part| part.set == record.set.get()) {
            sink.add(Feature::WordAgrees, part.nats);
        }
        let mut agrees: Option<(f32, Feature, f32, &SetClue)> = None;
        let mut differs: Option<(f32, Feature, bool)> = None;
        let sets = self.catalogue.set_count().max(1) as f32;
        for clue in &self.query.sets {
            if let Some(entry) = self.catalogue.set_entry(clue.place, record) {
                let (feature, count) = match entry.quality() {
                    0..=2 => (Feature::SetAgrees, clue.sets),
                    3 => (Feature::CodeAgrees, clue.sets),
                    _ => (Feature::FamilyAgrees, clue.all),
                };
                let value =
                    information(sets, u32::from(count)) * if clue.chosen { 1.0 } else { 0.6 };
                let worth = self.weights.of(feature) * value;
                if agrees.as_ref().is_none_or(|(w, ..)| worth > *w) {
                    agrees = Some((worth, feature, value, clue));
                }
            } else if clue.chosen
                && !(clue.family && !clue.listed && self.set_series(record).is_empty())
            {
                let feature = match clue.kind {
                    _ if clue.family => Feature::FamilyDiffers,
                    0..=2 => Feature::SetDiffers,
                    3 => Feature::CodeDiffers,
                    _ => Feature::FamilyDiffers,
                };
                let worth = self.weights.of(feature);
                if differs.is_none_or(|(w, ..)| worth < w) {
                    differs = Some((worth, feature, clue.listed));
                }
            }
        }
        match (agrees, differs) {
            // words that another reading has taken do not outweigh a set that is named
            // `neo 旧裏`: an era within another
            (Some((_, feature, value, clue)), _)
                if differs.is_none() || clue.chosen && !within_era(feature, differs) =>
            {
                sink.add(feature, value);
                // the same words may name several: only others contradict, and a code only where it says
                // which of the sets of one name is meant: `SV2a 121/165 Pokemon Card 151`
                let regional = self.query.regional_set;
                let named = |c: &&SetClue| {
                    let tells = c.kind < 3 || c.kind == 3 && regional;
                    c.chosen && tells && !c.family && (c.end <= clue.at || clue.end <= c.at)
                };
                let others = self
                    .query
                    .sets
                    .iter()
                    .filter(named)
                    .filter(|c| self.catalogue.set_entry(c.place, record).is_none())
                    .filter(|c| !self.is_whole(record, c))
                    .count();
                if others > 0 {
                    sink.add(Feature::SetAlsoNamed, others as f32);
                }
                (feature != Feature::FamilyAgrees).then_some(true)
            }
            (_, Some((_, feature, _))) => {
                if let Some((feature, value)) = self.related(record) {
                    if value > 0.0 {
                        sink.add(feature, value);
                    }
                    return Some(true);
                }
                sink.add(feature, 1.0);
                Some(false)
            }
            _ => None,
        }
    }

    /// Whether the words name the set that the card's set is a part of.
    fn is_whole(&self, record: &CardRecord, clue: &SetClue) -> bool {
        let related = self.stats.related(record.set.get());
        let own = self.catalogue.set_record(record);
        let mut named = self.catalogue.entries(clue.place);
        !related.is_empty()
            && named.any(|e| {
                let set = self.catalogue.sets.get(e.id() as usize);
                let parts = own.zip(set);
                e.kind() == EntryKind::Set
                    && related.contains(&e.id())
                    && parts.is_some_and(|(own, set)| is_part(self.catalogue, own, set))
            })
    }

    /// The series of the card's set; empty if the source has none.
    fn set_series(&self, record: &CardRecord) -> &str {
        self.catalogue
            .set_record(record)
            .map_or("", |s| self.catalogue.string(s.series))
    }

    /// Information of agreeing with a set that is a part of the card's, or that the card's is a
    /// part of.
    fn related(&self, record: &CardRecord) -> Option<(Feature, f32)> {
        let sets = self.catalogue.set_count().max(1) as f32;
        let related = self.stats.related(record.set.get());
        if related.is_empty() {
            return None;
        }
        let own = self.catalogue.set_record(record)?;
        // a title means a promo only where it says so
        let promo = self.query.promo || self.query.campaign;
        let promos = are_promos(self.catalogue, own);
        if !promo && promos {
            return None;
        }
        self.query
            .sets
            .iter()
            .filter(|c| c.chosen)
            .find_map(|clue| {
                let mut named = self
                    .catalogue
                    .entries(clue.place)
                    .filter(|e| e.kind() == EntryKind::Set);
                let named = named.find(|e| related.contains(&e.id()))?;
                let set = self.catalogue.sets.get(named.id() as usize)?;
                let share = if is_part(self.catalogue, set, own) {
                    WHOLE
                } else {
                    PART
                };
                // a code says the set that is meant, or whose promos: `Farewell NEO promo`
                let share = if clue.kind == AliasKind::Code as u8 && !promos {
                    0.0
                } else {
                    share
                };
                let value = information(sets, u32::from(clue.sets)) * share;
                Some((Feature::SetAgrees, value))
            })
    }
}
