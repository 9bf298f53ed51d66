//! Evidence of the number: its shape, its total, and what of it a card prints.

use super::features::Feature;
use super::{Scorer, Sink, Sum};
use crate::attributes::number::NumberClue;
use crate::attributes::number::{NumberKind, digits_of};
use crate::catalogue::format::{CardRecord, NONE, SetRecord, card_flag, set_flag};

/// How the numbers of a title and a card fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NumberFit {
    /// One of them has none, or the title's is too vague.
    Silent,
    /// The same; with the total or without one.
    Agrees { total: bool },
    /// The same number with another total.
    TotalOff,
    /// Another number.
    Differs,
}

/// The comparison of one number of the title with that of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Case {
    Nothing,
    /// Number and total.
    Both,
    /// The number, if a title states no total or one that the card may well print.
    Number,
    /// The number, and a total that is a digit off.
    NumberNearTotal,
    /// The number of a card that prints no total.
    NumberUntotalled,
    /// The number, and another total.
    NumberOnly,
    /// Only the total: most cards of a set share it, so with another number it says little.
    TotalOnly,
    /// Another number and another total.
    Neither,
    /// The total of a title that states no number.
    Total,
    /// Another total than a title states that has no number.
    OtherTotal,
    /// The digits of a number with letters.
    Digits,
    /// Another number.
    Other,
    /// Another number than one with letters.
    OtherPrefixed,
    /// Bare digits that agree.
    Bare,
    /// Bare digits next to name or set that differ.
    OtherBare,
    /// The Pokédex number of a card that prints no other.
    Dex,
    /// The Pokédex number of a card that prints its number too.
    DexBesideNumber,
    /// Another than the Pokédex number.
    OtherDex,
    /// The card prints no number.
    Unprinted,
}

impl Case {
    /// Hands its evidence on; returns its sum.
    #[inline(always)]
    pub(super) fn play(self, clue: &NumberClue, sink: &mut impl Sink) -> NumberFit {
        match self {
            Case::Nothing => {}
            Case::Both => sink.add(Feature::NumberTotalAgree, clue.idf_pair),
            Case::Number => sink.add(Feature::NumberAgrees, clue.idf),
            Case::NumberNearTotal => {
                sink.add(Feature::NumberAgrees, clue.idf);
                sink.add(Feature::TotalNear, 1.0);
            }
            Case::NumberUntotalled => {
                sink.add(Feature::NumberAgrees, clue.idf);
                sink.add(Feature::TotalUnprinted, 1.0);
            }
            Case::NumberOnly => {
                sink.add(Feature::NumberAgrees, clue.idf);
                sink.add(Feature::TotalDiffers, 1.0);
            }
            Case::TotalOnly => {
                sink.add(Feature::TotalAgrees, clue.idf_total * 0.2);
                sink.add(Feature::NumberDiffers, 1.0);
            }
            Case::Neither => {
                sink.add(Feature::NumberDiffers, 1.0);
                sink.add(Feature::TotalDiffers, 0.5);
            }
            Case::Total => sink.add(Feature::TotalAgrees, clue.idf_total),
            Case::OtherTotal => sink.add(Feature::TotalDiffers, 1.0),
            Case::Digits => sink.add(Feature::DigitsAgree, clue.idf),
            Case::Other => sink.add(Feature::NumberDiffers, 1.0),
            Case::OtherPrefixed => sink.add(Feature::PrefixedDiffers, 1.0),
            Case::Bare => sink.add(Feature::BareAgrees, clue.idf),
            Case::OtherBare => sink.add(Feature::BareDiffers, 1.0),
            Case::Dex => sink.add(Feature::DexAgrees, 1.0),
            Case::DexBesideNumber => sink.add(Feature::DexAgrees, 0.5),
            Case::OtherDex => sink.add(Feature::DexDiffers, 1.0),
            Case::Unprinted => sink.add(Feature::NumberUnprinted, 1.0),
        }
        self.fit()
    }

    /// The fit that it means.
    fn fit(self) -> NumberFit {
        match self {
            Case::Both => NumberFit::Agrees { total: true },
            Case::Number | Case::Digits | Case::Dex | Case::DexBesideNumber => {
                NumberFit::Agrees { total: false }
            }
            Case::NumberNearTotal | Case::NumberOnly | Case::OtherTotal => NumberFit::TotalOff,
            Case::TotalOnly
            | Case::Neither
            | Case::Other
            | Case::OtherPrefixed
            | Case::OtherBare
            | Case::OtherDex => NumberFit::Differs,
            Case::Nothing | Case::NumberUntotalled | Case::Total | Case::Bare | Case::Unprinted => {
                NumberFit::Silent
            }
        }
    }
}

impl Scorer<'_, '_> {
    /// The number of the title that says most of the card, and how they compare.
    #[inline]
    pub(super) fn number(
        &self,
        record: &CardRecord,
        set: &SetRecord,
    ) -> Option<(Case, &NumberClue)> {
        match &self.query.numbers[..] {
            [] => None,
            [clue] => Some((self.case(record, set, clue), clue)),
            clues => {
                let worth = |(case, clue): (Case, &NumberClue)| {
                    let mut sum = Sum {
                        weights: self.weights,
                        total: 0.0,
                    };
                    case.play(clue, &mut sum);
                    sum.total
                };
                let cases = clues
                    .iter()
                    .map(|clue| (self.case(record, set, clue), clue))
                    .filter(|(case, _)| *case != Case::Nothing);
                // the first of those worth most
                cases.reduce(|best, next| {
                    if worth(next) > worth(best) {
                        next
                    } else {
                        best
                    }
                })
            }
        }
    }

    /// Compares one number of the title with a card.
    // it runs for each candidate, and a call would cost a fiftieth of all scoring; left to itself
    // the compiler inlines it or not by chance
    #[inline(always)]
    fn case(&self, record: &CardRecord, set: &SetRecord, clue: &NumberClue) -> Case {
        let (number, total) = (record.number.get(), record.total.get());
        if number == NONE || record.flags.get() & card_flag::UNPRINTED != 0 {
            return self.unprinted(record, clue);
        }
        let same = clue.number == Some(number) && clue.games & set.game_bit() != 0;
        match clue.kind {
            NumberKind::Fraction => match (same, clue.total == Some(total) && total != NONE) {
                (true, true) => Case::Both,
                (true, false) => self.other_total(record, set, clue),
                (false, true) => Case::TotalOnly,
                // most candidates: another card of the same name
                (false, false) => Case::Neither,
            },
            NumberKind::Prefixed | NumberKind::Hash | NumberKind::Dex if same => Case::Number,
            // a word of this game that is a number of another
            NumberKind::Prefixed
                if clue.games == u32::MAX && clue.known_in & set.game_bit() == 0 =>
            {
                Case::Nothing
            }
            NumberKind::Prefixed => Case::OtherPrefixed,
            NumberKind::Hash | NumberKind::Dex => self.other_number(record, clue),
            NumberKind::Total if clue.total == Some(total) => Case::Total,
            NumberKind::Total => Case::OtherTotal,
            NumberKind::Bare if same => Case::Bare,
            NumberKind::Bare
                if set.flags & set_flag::CODED != 0
                    && self.other_number(record, clue) == Case::Digits =>
            {
                Case::Digits
            }
            NumberKind::Bare
                if self.query.bare_beside && clue.beside && !self.is_dex(record, clue) =>
            {
                Case::OtherBare
            }
            NumberKind::Bare => Case::Nothing,
        }
    }

    /// Whether the number is a Pokédex number of the card's species.
    fn is_dex(&self, record: &CardRecord, clue: &NumberClue) -> bool {
        let core = self
            .catalogue
            .name_record(record)
            .and_then(|n| self.catalogue.cores.get(n.core.get() as usize));
        clue.digits != 0 && core.is_some_and(|c| c.dex.iter().any(|d| d.get() == clue.digits))
    }

    /// The card prints no number.
    fn unprinted(&self, record: &CardRecord, clue: &NumberClue) -> Case {
        match clue.kind {
            _ if !clue.has_total && self.is_dex(record, clue) => Case::Dex,
            NumberKind::Fraction => Case::Unprinted,
            NumberKind::Bare | NumberKind::Total => Case::Nothing,
            NumberKind::Prefixed => Case::OtherPrefixed,
            NumberKind::Hash | NumberKind::Dex => Case::OtherDex,
        }
    }

    /// The same number with another total.
    fn other_total(&self, record: &CardRecord, set: &SetRecord, clue: &NumberClue) -> Case {
        // promos and the cards of a subset, by the count of the set: `49/53`, `H4/147`
        if set.official.get() == clue.total_digits && clue.total_digits != 0 {
            Case::Number
        } else if near(self.catalogue.total_text(record), clue.total_digits) {
            Case::NumberNearTotal
        } else if record.total.get() == NONE {
            Case::NumberUntotalled
        } else {
            Case::NumberOnly
        }
    }

    /// Another number, which may be the digits of the card's own or its Pokédex number.
    fn other_number(&self, record: &CardRecord, clue: &NumberClue) -> Case {
        let printed = self.catalogue.number_text(record);
        let digits = digits_of(printed);
        if digits.len() < printed.len() && digits.parse::<u16>() == Ok(clue.digits) {
            Case::Digits
        } else if clue.kind == NumberKind::Dex && self.is_dex(record, clue) {
            Case::DexBesideNumber
        } else {
            Case::Other
        }
    }
}

/// Whether a total is one slip of a finger away from the one that is printed.
fn near(printed: &str, stated: u16) -> bool {
    // of one digit any other is a slip away
    if stated <= 9 || printed.len() <= 1 || !printed.bytes().all(|b| b.is_ascii_digit()) {
        return false;
    }
    let mut digits = [0; 5];
    let mut from = digits.len();
    let mut rest = stated;
    while rest > 0 {
        from -= 1;
        digits[from] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    one_slip(printed.trim_start_matches('0').as_bytes(), &digits[from..])
}

/// Whether `a` becomes `b` by replacing, inserting, deleting or swapping one byte.
fn one_slip(a: &[u8], b: &[u8]) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let same = short.iter().zip(long).take_while(|(x, y)| x == y).count();
    match long.len() - short.len() {
        0 if same == long.len() => false,
        0 if short[same + 1..] == long[same + 1..] => true,
        0 => {
            let swapped = short.get(same + 1) == Some(&long[same])
                && long.get(same + 1) == Some(&short[same]);
            swapped && short[same + 2..] == long[same + 2..]
        }
        1 => short[same..] == long[same + 1..],
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn one_slip_means_distance_one(a in "[0-3]{0,5}", b in "[0-3]{0,5}") {
            prop_assert_eq!(one_slip(a.as_bytes(), b.as_bytes()), strsim::osa_distance(&a, &b) == 1);
        }
    }
}
