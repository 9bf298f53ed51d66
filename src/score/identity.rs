//! Evidence of name, number and set together: once for all cards of which it is the same.

use super::features::Feature;
use super::memory::{self, Memory, Place};
use super::number::{NumberFit, Numbered};
use super::{Fit, Scorer, Sink};
use crate::attributes::number::{NumberKind, Refuted};
use crate::catalogue::format::{CardRecord, SetRecord, set_flag};
use crate::stats::SetFacts;

/// What a set that the title names, and that is not the card's, says against the card.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Excuse {
    /// All that another set says.
    No,
    /// That the title errs: the named set has another card of the number.
    Slip,
    /// Nothing.
    Whole,
    /// Nothing, as a printing of the card is of that set.
    Printed,
}

/// How a card compares in name, number and set: of all cards of which it is the same, the evidence
/// is the same.
#[derive(Clone, Copy)]
pub(super) struct Identity {
    /// The place of the evidence of its name in [`Memory`].
    name: Place,
    /// The place of the evidence of its set.
    set: Place,
    number: Option<Numbered>,
    /// What it says against the card that the title names another set.
    excuse: Excuse,
}

impl Identity {
    /// A number for it, which is not 0; `None` for a card whose name or set has evidence of its own.
    #[inline]
    fn key(&self) -> Option<u64> {
        if !memory::is_shared(self.name, self.set) {
            return None;
        }
        // names have 24 bits; the sets that a title names, and its numbers, far fewer than 13
        let number = self.number.map_or(0, Numbered::key);
        let set = self.set.number() << 3 | self.excuse as u32;
        Some(
            u64::from(self.name.number()) << 40 ^ u64::from(set) << 24 ^ u64::from(number) << 1 | 1,
        )
    }
}

impl Scorer<'_, '_> {
    /// How a card compares in name, number and set.
    #[inline(always)]
    pub(super) fn identity(
        &self,
        record: &CardRecord,
        set: SetFacts,
        memory: &mut Memory,
    ) -> Identity {
        let named_set = memory.set(self, record, set.series);
        let name = memory.name(self, record, named_set.is_member());
        let number = self.number(record, set, name.agrees(), named_set.agrees());
        let excuse = if self.query.series_of_promo != 0 {
            self.excuse_of_product(record, set)
        } else if named_set.differs() {
            self.excuse(record, set, name.agrees(), number)
        } else {
            Excuse::No
        };
        Identity {
            name,
            set: named_set,
            number,
            excuse,
        }
    }

    /// The set whose product a promo came with says of a card no more than its series: the promo is
    /// not of the set.
    #[inline(never)]
    fn excuse_of_product(&self, record: &CardRecord, set: SetFacts) -> Excuse {
        let series = self
            .catalogue
            .set_record(record)
            .map(|set| set.series.get());
        let of_series = series == Some(self.query.series_of_promo);
        if of_series || set.flags & set_flag::PROMO == 0 {
            Excuse::Whole
        } else {
            Excuse::No
        }
    }

    /// How far the set that a title names does not speak against a card of another. `named`: the
    /// name agrees.
    #[inline]
    fn excuse(
        &self,
        record: &CardRecord,
        set: SetFacts,
        named: bool,
        number: Option<Numbered>,
    ) -> Excuse {
        // `McDonald's` is a series of sets, and where promos of others come from
        let promo = set.flags & set_flag::PROMO != 0;
        if promo && named && !self.query.set_words.is_empty() {
            let from = self.catalogue.shared_words(record, &self.query.set_words);
            if from.is_some() && self.query.sets.iter().all(|set| set.family || !set.chosen) {
                return Excuse::Whole;
            }
        }
        // `Pokemon promo SWSH020`: the letters of its number tell a promo's set, whatever promos are named
        let lettered =
            |number: Numbered| number.agrees() && self.clue_of(number).kind == NumberKind::Prefixed;
        if promo && number.is_some_and(lettered) && self.names_promos() {
            return Excuse::Whole;
        }
        if named && self.is_sold_in_named_set(record) {
            return Excuse::Printed;
        }
        // `Lysandre Labs Cosmic Eclipse`: that set lacks no card, so the title errs in the set
        if named && self.query.set_lacks_names {
            return Excuse::Slip;
        }
        let number = number.filter(|number| number.agrees());
        if number.is_none() && self.query.set_mark.is_none() {
            return Excuse::No;
        }
        // `Delta Species` is a set, and a mark of cards of other sets
        let marked = self.query.set_mark.is_some_and(|mark| {
            let name = self.catalogue.name_record(record);
            name.is_some_and(|name| name.marks() == name.marks().with(mark))
        });
        // a card that keeps its number is sold in sets other than its own
        let reprinted = set.flags & set_flag::REPRINTED != 0 && number.is_some();
        let taken = |number: Numbered| self.clue_of(number).refuted == Refuted::Taken;
        if marked || reprinted {
            Excuse::Whole
        } else if named && self.query.set_mark.is_none() && number.is_some_and(taken) {
            Excuse::Slip
        } else {
            Excuse::No
        }
    }

    /// Whether all sets that the title names are of promos.
    fn names_promos(&self) -> bool {
        let mut named = self.query.sets.iter().filter(|set| set.is_named());
        let promos = |set: &SetRecord| set.flags & set_flag::PROMO != 0;
        named.all(|set| self.catalogue.sets_named(set.place).all(promos))
    }

    /// Whether a printing of a card that keeps its number is of a set that the title names.
    fn is_sold_in_named_set(&self, record: &CardRecord) -> bool {
        !self.query.sold.is_empty() && self.has_printing(record, &self.query.sold)
    }

    /// Hands on the evidence of name, number and set.
    pub(super) fn play(&self, identity: Identity, memory: &Memory, sink: &mut impl Sink) -> Fit {
        let of_name = memory.name_of(identity.name);
        let name = of_name.begin(sink);
        let number = match identity.number {
            Some(number) => self.play_number(number, sink),
            None => NumberFit::Silent,
        };
        let set = match identity.excuse {
            Excuse::No => memory.set_of(identity.set).play(sink),
            Excuse::Slip => {
                sink.add(Feature::SetSlip, 1.0);
                None
            }
            Excuse::Whole => None,
            Excuse::Printed => {
                sink.add(Feature::SetPrinted, 1.0);
                None
            }
        };
        if name == Some(true) && number == (NumberFit::Agrees { total: true }) {
            sink.add(Feature::NameAndNumber, 1.0);
        }
        // chance agreements do not come together, and neither do differences if all else agrees
        let together = match (name, number, set) {
            (Some(true), NumberFit::Agrees { .. }, Some(true)) => Some(Feature::AllAgree),
            (Some(true), NumberFit::TotalOff, Some(true)) => Some(Feature::AllButTotal),
            (Some(true), NumberFit::Agrees { .. }, Some(false)) => Some(Feature::OnlySetDiffers),
            (Some(true), NumberFit::Differs, Some(true)) => Some(Feature::OnlyNumberDiffers),
            (Some(false), NumberFit::Agrees { .. }, Some(true)) => Some(Feature::OnlyNameDiffers),
            (None, NumberFit::Agrees { .. }, Some(true)) => Some(Feature::NumberAndSet),
            _ => None,
        };
        if let Some(feature) = together {
            sink.add(feature, 1.0);
        }
        let named =
            name == Some(true) || name.is_none() && matches!(number, NumberFit::Agrees { .. });
        let off = matches!(
            number,
            NumberFit::Differs | NumberFit::Slips | NumberFit::TotalOff
        );
        Fit {
            bears: name == Some(true),
            number,
            member: set == Some(true),
            marked: of_name.marked,
            whole: named && !off && set != Some(false),
        }
    }

    /// The sum of the evidence of name, number and set: once for all cards of which it is the same.
    #[inline(always)]
    pub(super) fn sum_identity(
        &self,
        card: u32,
        record: &CardRecord,
        set: SetFacts,
        memory: &mut Memory,
    ) -> (f32, Fit) {
        let identity = self.identity(record, set, memory);
        // few titles have a nickname
        let nickname = !self.query.cards.is_empty() && self.query.cards.contains(&card);
        let key = if nickname { None } else { identity.key() };
        match key.and_then(|key| memory.groups.get(key)) {
            Some(known) => known,
            None => self.add_up(identity, key, nickname, memory),
        }
    }

    /// As [`Scorer::sum_identity`], of what is not remembered.
    #[inline(never)]
    fn add_up(
        &self,
        identity: Identity,
        key: Option<u64>,
        nickname: bool,
        memory: &mut Memory,
    ) -> (f32, Fit) {
        let mut sum = self.nothing();
        if nickname {
            sum.add(Feature::NicknameCard, 1.0);
        }
        let fit = self.play(identity, memory, &mut sum);
        if let Some(key) = key {
            memory.groups.keep(key, sum.total, fit);
        }
        (sum.total, fit)
    }
}
