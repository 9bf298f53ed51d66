//! The catalogue's opinion of the readings: those that agree with the best candidate gain weight.

use crate::catalogue::{AliasKind, Columns, EntryKind};
use crate::dictionary::Tag;
use crate::extract::lookup::Hit;
use crate::extract::number::{NumberKind, NumberReading};
use crate::extract::{Proposal, Value};
use crate::parsed::Field;

/// Adds the catalogue's opinion to the readings: what agrees with the best candidate gains, what contradicts it loses.
pub(crate) fn overrule(
    catalogue: &Columns<'_>,
    card: u32,
    hits: &[Hit],
    numbers: &[NumberReading],
    proposals: &mut [Proposal],
) {
    let Some(record) = catalogue.card_record(card) else {
        return;
    };
    let Some(name) = catalogue.name_record(record) else {
        return;
    };
    let (number, total) = (record.number.get(), record.total.get());
    for proposal in proposals.iter_mut() {
        let gain = match proposal.value {
            Value::Hit(at) if proposal.field == Field::Name => {
                let entries = catalogue.entries(hits[at as usize].place);
                entries
                    .map(|e| match e.kind() {
                        EntryKind::Name if e.id() == record.name.get() => 3.5,
                        EntryKind::Name => {
                            let other = catalogue.names.get(e.id() as usize);
                            match other {
                                Some(o) if o.core == name.core => {
                                    if o.marks().minus(name.marks()).count() > 0 {
                                        -2.0
                                    } else {
                                        2.0
                                    }
                                }
                                _ => 0.0,
                            }
                        }
                        EntryKind::Core if e.id() == name.core.get() => 2.0,
                        EntryKind::Card if e.id() == card => 4.0,
                        _ => 0.0,
                    })
                    .fold(None, |best: Option<f32>, gain| {
                        Some(best.map_or(gain, |b| {
                            if gain.abs() > b.abs() || gain > b {
                                gain
                            } else {
                                b
                            }
                        }))
                    })
                    .unwrap_or(0.0)
            }
            Value::Hit(_) if proposal.field != Field::Set => 0.0,
            Value::Hit(at) => {
                match catalogue.set_entry(hits[at as usize].place, record) {
                    // `Sword & Shield` is the series, `Sword & Shield Promo` the set
                    Some(entry) if entry.quality() == AliasKind::Family as u8 => 1.0,
                    // a word of two letters does not buy a set for all that
                    Some(_) => 3.0f32.min((proposal.end - proposal.at) as f32 * 0.6),
                    None => -0.5,
                }
            }
            Value::Number(at) => {
                let reading = &numbers[at as usize];
                let same = catalogue.number(reading.number) == Some(number);
                match reading.kind {
                    NumberKind::Fraction
                        if same
                            && (reading.total != 0
                                && catalogue.number(reading.total) == Some(total)) =>
                    {
                        4.0
                    }
                    NumberKind::Fraction if same => 2.0,
                    _ if same => 3.0,
                    _ => 0.0,
                }
            }
            Value::Word(Tag::Affix(bit)) => {
                if name.marks().0 >> bit.min(127) & 1 == 1 {
                    1.5
                } else {
                    -1.0
                }
            }
            _ => 0.0,
        };
        proposal.weight += gain;
    }
}
