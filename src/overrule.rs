//! The catalogue's opinion of the readings: those that agree with the best candidate gain weight.

use crate::attributes::hit::Hit;
use crate::attributes::number::{NumberKind, NumberReading};
use crate::catalogue::format::{CardRecord, NameRecord, may_end_in, set_flag};
use crate::catalogue::{AliasKind, Columns, EntryKind};
use crate::dictionary::Tag;
use crate::parsed::Field;
use crate::reading::{Proposal, Value};

// What a reading gains or loses, in bytes explained: see `reading::weight`.
/// The whole name of the candidate; its core, with no more marks than it has; its core, with other
/// marks; the card by nickname.
const SAME_NAME: f32 = 3.5;
const SAME_CORE: f32 = 2.0;
const OTHER_MARKS: f32 = -2.0;
const SAME_CARD: f32 = 4.0;
/// The candidate's set, for short words at most this much per byte; only its era; another set.
const SAME_SET: f32 = 3.0;
const SAME_SET_BYTE: f32 = 0.6;
const SAME_ERA: f32 = 1.0;
const OTHER_SET: f32 = -0.5;
/// Sets of other games than the candidate's: `Unlimited Edition`.
const SET_OF_OTHER_GAME: f32 = -100.0;
/// The candidate's number with its total, with another total, and without one.
const SAME_NUMBER_AND_TOTAL: f32 = 4.0;
const SAME_NUMBER_OTHER_TOTAL: f32 = 2.0;
const SAME_NUMBER: f32 = 3.0;
/// A mark that the candidate's name has, and one that it lacks.
const SAME_MARK: f32 = 1.5;
const STRANGE_MARK: f32 = -1.0;

/// Adds the catalogue's opinion to the readings: what agrees with the best candidate gains, what
/// contradicts it loses. Returns whether other readings may explain the title best now: while those
/// that were chosen lose nothing, and no other gains, they stay the best.
pub(crate) fn overrule(
    catalogue: &Columns<'_>,
    card: u32,
    hits: &[Hit],
    numbers: &[NumberReading],
    proposals: &mut [Proposal],
) -> bool {
    let Some(record) = catalogue.card_record(card) else {
        return false;
    };
    let Some(name) = catalogue.name_record(record) else {
        return false;
    };
    let edition = proposals.iter().find(|p| p.field == Field::Edition);
    let card = Best {
        catalogue,
        card,
        record,
        name,
        edition: edition.map(|p| (p.at, p.end)),
    };
    let mut unsettled = false;
    for proposal in proposals.iter_mut() {
        let gain = card.gain(proposal, hits, numbers);
        unsettled |= if proposal.chosen {
            gain < 0.0
        } else {
            gain > 0.0
        };
        proposal.weight += gain;
    }
    unsettled
}

/// The best candidate, which has an opinion of each reading.
struct Best<'c, 'a> {
    catalogue: &'c Columns<'a>,
    card: u32,
    record: &'a CardRecord,
    name: &'a NameRecord,
    /// Where the title states an edition.
    edition: Option<(u32, u32)>,
}

impl Best<'_, '_> {
    /// What a reading gains, or loses.
    fn gain(&self, proposal: &Proposal, hits: &[Hit], numbers: &[NumberReading]) -> f32 {
        match proposal.value {
            Value::Hit(at) if proposal.field == Field::Name => self.name(&hits[at as usize]),
            Value::Hit(_) if proposal.field != Field::Set => 0.0,
            Value::Hit(at) => self.set(&hits[at as usize], proposal.end - proposal.at),
            Value::Number(at) => self.number(&numbers[at as usize], proposal),
            Value::Word(Tag::Affix(bit)) => {
                if self.name.marks().0 >> bit.min(127) & 1 == 1 {
                    SAME_MARK
                } else {
                    STRANGE_MARK
                }
            }
            _ => 0.0,
        }
    }

    /// A name: of what it may mean, that which says most.
    fn name(&self, hit: &Hit) -> f32 {
        let gains = self.catalogue.entries(hit.place).map(|e| match e.kind() {
            EntryKind::Name if e.id() == self.record.name.get() => SAME_NAME,
            EntryKind::Name => match self.catalogue.names.get(e.id() as usize) {
                Some(other) if other.core == self.name.core => {
                    if other.marks().minus(self.name.marks()).count() > 0 {
                        OTHER_MARKS
                    } else {
                        SAME_CORE
                    }
                }
                _ => 0.0,
            },
            EntryKind::Core if e.id() == self.name.core.get() => SAME_CORE,
            EntryKind::Card if e.id() == self.card => SAME_CARD,
            _ => 0.0,
        });
        let more = |best: f32, gain: f32| {
            if gain.abs() > best.abs() || gain > best {
                gain
            } else {
                best
            }
        };
        gains.reduce(more).unwrap_or(0.0)
    }

    /// A set in so many bytes.
    fn set(&self, hit: &Hit, bytes: u32) -> f32 {
        match self.catalogue.set_entry(hit.place, self.record) {
            // `Sword & Shield` is the series, `Sword & Shield Promo` the set
            Some(entry) if entry.quality() == AliasKind::Family as u8 => SAME_ERA,
            // a word of two letters does not buy a set for all that
            Some(_) => SAME_SET.min(bytes as f32 * SAME_SET_BYTE),
            None if is_of_other_game(self.catalogue, hit.place, self.record) => SET_OF_OTHER_GAME,
            None => OTHER_SET,
        }
    }

    /// A number.
    fn number(&self, reading: &NumberReading, proposal: &Proposal) -> f32 {
        let number = self.catalogue.packed_number(self.record.number.get());
        let same = number == Some(reading.number);
        let same_total = || {
            let total = self.catalogue.packed_number(self.record.total.get());
            reading.total != 0 && total == Some(reading.total)
        };
        // the digit of `1ED`
        let of_edition = || {
            self.edition
                .is_some_and(|(at, end)| at <= proposal.at && proposal.end <= end)
        };
        match reading.kind {
            NumberKind::Fraction if same && same_total() => SAME_NUMBER_AND_TOTAL,
            NumberKind::Fraction if same => SAME_NUMBER_OTHER_TOTAL,
            NumberKind::Bare if of_edition() => 0.0,
            _ if same => SAME_NUMBER,
            NumberKind::Bare if self.ends_in(reading.digits) => SAME_NUMBER,
            _ => 0.0,
        }
    }

    /// Whether the card's number ends in these digits, behind letters that sellers leave out:
    /// `PR-SW 67` is SWSH067.
    fn ends_in(&self, digits: u16) -> bool {
        let lettered = (self.catalogue.set_record(self.record))
            .is_some_and(|set| set.flags & (set_flag::CODED | set_flag::PROMO) != 0);
        let number = || self.catalogue.packed_number(self.record.number.get());
        lettered && number().is_some_and(|packed| may_end_in(packed, digits))
    }
}

/// Whether the entries at `place` of the lexicon are sets of other games than a card's.
fn is_of_other_game(catalogue: &Columns<'_>, place: u32, card: &CardRecord) -> bool {
    let Some(own) = catalogue
        .set_record(card)
        .filter(|_| catalogue.game_count() > 1)
    else {
        return false;
    };
    let mut sets = catalogue.sets_named(place);
    sets.all(|set| set.game_bit() & own.game_bit() == 0)
}
