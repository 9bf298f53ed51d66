//! Evidence of the number: its shape, its total, and what of it a card prints.

use super::features::Feature;
use super::{Scorer, Sink};
use crate::attributes::number::NumberClue;
use crate::attributes::number::{NumberKind, Refuted, digits_of};
use crate::catalogue::format::{CardRecord, NONE, card_flag, may_end_in, set_flag};
use crate::dictionary::one_slip;
use crate::short::{self, Short};
use crate::stats::SetFacts;

/// The information, in nats, in the letters of a series of promos, beside another number: as much as
/// in a total and a set.
const SERIES: f32 = 2.5;

/// A total that agrees says so much of what it says alone beside a number that differs, and beside one
/// that can only be a slip.
const TOTAL_OF_OTHER: f32 = 0.2;
const TOTAL_OF_SLIP: f32 = 0.4;

/// A number with the code of a set that differs says so much more than one with other letters: it is
/// the whole name of one card.
const CODED: f32 = 2.5;
/// No number with the code of a set has more digits.
const MOST_DIGITS: usize = 8;

/// How the numbers of a title and a card fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum NumberFit {
    /// One of them has none, or the title's is too vague.
    #[default]
    Silent,
    /// The same; with the total or without one.
    Agrees { total: bool },
    /// The same number with another total.
    TotalOff,
    /// Another number, but no other card that the title may mean has it.
    Slips,
    /// Another number.
    Differs,
}

/// What of a number a title may state wrongly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slip {
    No,
    /// One digit of the total.
    NearTotal,
    /// The total, but not the number.
    Total,
    Any,
}

/// The comparison of one number of the title with that of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
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
    /// Another number than one with the code of a set, as the card's game writes them.
    OtherCoded,
    /// Bare digits that agree.
    Bare,
    /// Bare digits next to name or set that differ.
    OtherBare,
    /// The Pokédex number of a card that prints no other.
    Subject,
    /// The Pokédex number of a card that prints its number too.
    SubjectBesideNumber,
    /// Another than the Pokédex number.
    OtherSubject,
    /// The card prints no number.
    Unprinted,
}

impl Case {
    /// Hands its evidence on; returns how it fits.
    #[inline(always)]
    fn play(self, clue: &NumberClue, slip: Slip, sink: &mut impl Sink) -> NumberFit {
        if slip != Slip::No && self.slips(clue, slip, sink) {
            return self.fit_of_refuted();
        }
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
                sink.add(Feature::TotalAgrees, clue.idf_total * TOTAL_OF_OTHER);
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
            Case::OtherCoded => sink.add(Feature::PrefixedDiffers, CODED),
            Case::Bare => sink.add(Feature::BareAgrees, clue.idf),
            Case::OtherBare => sink.add(Feature::BareDiffers, 1.0),
            Case::Subject => sink.add(Feature::SubjectAgrees, 1.0),
            Case::SubjectBesideNumber => sink.add(Feature::SubjectAgrees, 0.5),
            Case::OtherSubject => sink.add(Feature::SubjectDiffers, 1.0),
            Case::Unprinted => sink.add(Feature::NumberUnprinted, 1.0),
        }
        self.fit()
    }

    /// Hands on what a difference is worth as a slip of the title. Whether it can be one.
    fn slips(self, clue: &NumberClue, slip: Slip, sink: &mut impl Sink) -> bool {
        if slip == Slip::NearTotal && self != Case::NumberNearTotal {
            return false;
        }
        match self {
            Case::NumberNearTotal | Case::NumberOnly => {
                sink.add(Feature::NumberAgrees, clue.idf);
                sink.add(Feature::TotalSlip, 1.0);
            }
            // what no set can have is no slip, but a card that is missing
            _ if slip == Slip::Total => return false,
            Case::TotalOnly => {
                sink.add(Feature::TotalAgrees, clue.idf_total * TOTAL_OF_SLIP);
                sink.add(Feature::NumberSlip, 1.0);
            }
            Case::Neither => {
                sink.add(Feature::NumberSlip, 1.0);
                sink.add(Feature::TotalSlip, 0.5);
            }
            Case::Other => sink.add(Feature::NumberSlip, 1.0),
            Case::OtherPrefixed | Case::OtherCoded => {
                sink.add(Feature::TotalAgrees, SERIES);
                sink.add(Feature::NumberSlip, 1.0);
            }
            Case::OtherBare => sink.add(Feature::BareSlip, 1.0),
            _ => return false,
        }
        true
    }

    /// The fit of a difference from a number that is refuted.
    fn fit_of_refuted(self) -> NumberFit {
        match self {
            Case::NumberNearTotal | Case::NumberOnly => NumberFit::TotalOff,
            Case::OtherBare => NumberFit::Silent,
            _ => NumberFit::Slips,
        }
    }

    /// The fit that it means.
    fn fit(self) -> NumberFit {
        match self {
            Case::Both => NumberFit::Agrees { total: true },
            Case::Number | Case::Digits | Case::Subject | Case::SubjectBesideNumber => {
                NumberFit::Agrees { total: false }
            }
            Case::NumberNearTotal | Case::NumberOnly | Case::OtherTotal => NumberFit::TotalOff,
            Case::TotalOnly
            | Case::Neither
            | Case::Other
            | Case::OtherPrefixed
            | Case::OtherCoded
            | Case::OtherBare
            | Case::OtherSubject => NumberFit::Differs,
            Case::Nothing | Case::NumberUntotalled | Case::Total | Case::Bare | Case::Unprinted => {
                NumberFit::Silent
            }
        }
    }
}

/// A number of the title compared with a card.
#[derive(Clone, Copy)]
pub(super) struct Numbered {
    /// Its place among the numbers of the title, which has no more of them than bytes.
    place: u16,
    case: Case,
    slip: Slip,
}

impl Numbered {
    /// A number of 23 bits for it, which is not 0.
    #[inline]
    pub(super) fn key(self) -> u32 {
        u32::from(self.place) << 7 | (self.slip as u32) << 5 | (self.case as u32 + 1)
    }

    /// Whether the card has this number: then nothing of it is a slip.
    #[inline]
    pub(super) fn agrees(self) -> bool {
        matches!(self.case.fit(), NumberFit::Agrees { .. })
    }
}

impl Scorer<'_, '_> {
    /// The number of the title that says most of the card, and how they compare. `named`: the name
    /// agrees; `member`: the title names the card's set.
    // it runs for each candidate, and a call would cost a fiftieth of all scoring; left to itself
    // the compiler inlines it or not by chance
    #[inline(always)]
    pub(super) fn number(
        &self,
        record: &CardRecord,
        set: SetFacts,
        named: bool,
        member: bool,
    ) -> Option<Numbered> {
        match &self.query.numbers[..] {
            [] => None,
            [clue] => Some(Numbered {
                place: 0,
                case: self.case(record, set, clue, member),
                slip: self.slip(record, set, clue, named, member),
            }),
            _ => self.best_number(record, set, named, member),
        }
    }

    /// The first of those numbers that are worth most.
    fn best_number(
        &self,
        record: &CardRecord,
        set: SetFacts,
        named: bool,
        member: bool,
    ) -> Option<Numbered> {
        let mut best: Option<(Numbered, f32)> = None;
        for (place, clue) in (0..).zip(&self.query.numbers) {
            let case = self.case(record, set, clue, member);
            if case == Case::Nothing {
                continue;
            }
            let slip = self.slip(record, set, clue, named, member);
            let mut sum = self.nothing();
            case.play(clue, slip, &mut sum);
            if best.is_none_or(|(_, worth)| sum.total > worth) {
                best = Some((Numbered { place, case, slip }, sum.total));
            }
        }
        best.map(|(number, _)| number)
    }

    /// Hands on the evidence of a number; returns how it fits.
    #[inline]
    pub(super) fn play_number(&self, number: Numbered, sink: &mut impl Sink) -> NumberFit {
        number.case.play(self.clue_of(number), number.slip, sink)
    }

    /// The number of the title that was compared.
    #[inline]
    pub(super) fn clue_of(&self, number: Numbered) -> &NumberClue {
        &self.query.numbers[usize::from(number.place)]
    }

    /// The slips that a title may have made in a number, if this card, whose name it states, is
    /// meant: where the catalogue refutes the number, no card of the name can be missing in its
    /// place. `named`: the name agrees; `member`: the title names the card's set; without a set a
    /// number is refuted only among the international cards, of whose sets none is missing.
    #[inline(always)]
    fn slip(
        &self,
        record: &CardRecord,
        set: SetFacts,
        clue: &NumberClue,
        named: bool,
        member: bool,
    ) -> Slip {
        if !named || clue.refuted == Refuted::No {
            return Slip::No;
        }
        let coded = clue.patterns & set.game_bit() != 0;
        let near = || {
            let printed = self.catalogue.number_text(record);
            if record.number.get() == NONE {
                false
            } else if coded {
                let digits = printed.bytes().filter(u8::is_ascii_digit);
                let digits: Short<MOST_DIGITS> = digits.take(MOST_DIGITS).collect();
                one_digit_off(digits.text(), clue.digits)
            } else {
                one_digit_off(printed, clue.digits)
            }
        };
        let of_total = || !set.is_regional() && clue.total == Some(record.total.get());
        match clue.refuted {
            // `OP09-020` beside `Shanks`, who is OP09-004: a number in full, and no slip; nor is one
            // that only another game has
            Refuted::Taken if coded && (clue.known_in & set.game_bit() == 0 || !near()) => Slip::No,
            Refuted::Taken if member || clue.kind == NumberKind::Bare => Slip::Any,
            Refuted::Taken if of_total() || self.of_series(record, clue) => Slip::Any,
            Refuted::Above | Refuted::Beyond if (member || of_total()) && near() => Slip::Any,
            // `Sai OP15-245`, who is OP15-045
            Refuted::Beyond if coded && near() => Slip::Any,
            Refuted::Taken | Refuted::Beyond if member || !set.is_regional() => Slip::Total,
            Refuted::NoTotal if !set.is_regional() => Slip::NearTotal,
            _ => Slip::No,
        }
    }

    /// Whether the number of the card begins with the letters of the title's: `SM39` and `SM29`.
    fn of_series(&self, record: &CardRecord, clue: &NumberClue) -> bool {
        let stated = clue
            .number
            .map_or(&[][..], |n| self.catalogue.cards_of_number(n));
        let stated = stated
            .first()
            .and_then(|card| self.catalogue.card_record(card.get()));
        let letters = |record: &CardRecord| {
            let text = self.catalogue.number_text(record);
            let digits = text.bytes().position(|byte| byte.is_ascii_digit());
            text.get(..digits.unwrap_or(0)).unwrap_or("")
        };
        clue.kind == NumberKind::Prefixed
            && record.number.get() != NONE
            && stated.is_some_and(|stated| {
                let own = letters(record);
                !own.is_empty() && own.eq_ignore_ascii_case(letters(stated))
            })
    }

    /// Compares one number of the title with a card. `member`: the title names the card's set.
    #[inline(always)]
    fn case(&self, record: &CardRecord, set: SetFacts, clue: &NumberClue, member: bool) -> Case {
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
            NumberKind::Prefixed | NumberKind::Hash | NumberKind::Subject if same => Case::Number,
            // `OP18-004` is another card's, though no card of the game has it
            NumberKind::Prefixed if clue.patterns & set.game_bit() != 0 => Case::OtherCoded,
            // a word of this game that is a number of another; `BT6-109` is no word
            NumberKind::Prefixed
                if clue.games == u32::MAX
                    && clue.patterns == 0
                    && clue.known_in & set.game_bit() == 0 =>
            {
                Case::Nothing
            }
            NumberKind::Prefixed => Case::OtherPrefixed,
            NumberKind::Hash | NumberKind::Subject => self.other_number(record, clue),
            NumberKind::Total if clue.total == Some(total) => Case::Total,
            NumberKind::Total => Case::OtherTotal,
            NumberKind::Bare if same => Case::Bare,
            NumberKind::Bare
                // `PR-SW 67` is SWSH067
                if (set.flags & set_flag::CODED != 0
                    || member && set.flags & set_flag::PROMO != 0)
                    && self.other_number(record, clue) == Case::Digits =>
            {
                Case::Digits
            }
            NumberKind::Bare
                if self.query.bare_beside
                    && clue.beside
                    && clue.refuted != Refuted::Beyond
                    && !self.catalogue.is_subject(record, clue.digits) =>
            {
                Case::OtherBare
            }
            NumberKind::Bare => Case::Nothing,
        }
    }

    /// The card prints no number.
    fn unprinted(&self, record: &CardRecord, clue: &NumberClue) -> Case {
        match clue.kind {
            _ if !clue.has_total && self.catalogue.is_subject(record, clue.digits) => Case::Subject,
            NumberKind::Fraction => Case::Unprinted,
            NumberKind::Bare | NumberKind::Total => Case::Nothing,
            NumberKind::Prefixed => Case::OtherPrefixed,
            NumberKind::Hash | NumberKind::Subject => Case::OtherSubject,
        }
    }

    /// The same number with another total.
    fn other_total(&self, record: &CardRecord, set: SetFacts, clue: &NumberClue) -> Case {
        // promos and the cards of a subset, by the count of the set: `49/53`, `H4/147`
        if set.official == clue.total_digits && clue.total_digits != 0 {
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
        let may_end = self.catalogue.packed_number(record.number.get());
        if !may_end.is_some_and(|packed| may_end_in(packed, clue.digits)) {
            return self.no_digits(record, clue);
        }
        let printed = self.catalogue.number_text(record);
        let digits = digits_of(printed);
        let same = digits.len() < printed.len() && digits.parse::<u16>() == Ok(clue.digits);
        if same && !self.has_plain_twin(record, clue) && !self.has_letters(clue) {
            Case::Digits
        } else {
            self.no_digits(record, clue)
        }
    }

    /// Whether the set has a card of the same name that prints the title's number itself: `19`
    /// beside `H19`, whose letter nobody leaves out.
    fn has_plain_twin(&self, record: &CardRecord, clue: &NumberClue) -> bool {
        let Some((number, name)) = clue.number.zip(self.catalogue.name_record(record)) else {
            return false;
        };
        let mut twins = self
            .catalogue
            .cards_of_core_numbered(name.core.get(), number)
            .iter()
            .filter_map(|card| self.catalogue.card_record(card.get()));
        twins.any(|twin| twin.set.get() == record.set.get())
    }

    /// Whether the title states letters before the digits, with which the catalogue has a number:
    /// `#BW01` is no `RC1`.
    fn has_letters(&self, clue: &NumberClue) -> bool {
        let cards = clue.number.map(|n| self.catalogue.cards_of_number(n));
        let card = cards.and_then(|cards| self.catalogue.card_record(cards.first()?.get()));
        let letter = |byte: &u8| byte.is_ascii_alphabetic();
        card.is_some_and(|card| {
            self.catalogue
                .number_text(card)
                .as_bytes()
                .first()
                .is_some_and(letter)
        })
    }

    /// Another number, of which the title does not state the digits.
    #[inline]
    fn no_digits(&self, record: &CardRecord, clue: &NumberClue) -> Case {
        if clue.kind == NumberKind::Subject && self.catalogue.is_subject(record, clue.digits) {
            Case::SubjectBesideNumber
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
    let stated = short::digits_of(stated);
    one_slip(
        printed.trim_start_matches('0').as_bytes(),
        stated.text().as_bytes(),
    )
}

/// Whether a printed number of two digits or more becomes `stated` by one digit, or by turning two.
fn one_digit_off(printed: &str, stated: u16) -> bool {
    let digits = printed.trim_start_matches('0');
    if stated <= 9 || digits.len() <= 1 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return false;
    }
    let stated = short::digits_of(stated);
    let stated = stated.text().as_bytes();
    stated.len() == digits.len() && one_slip(digits.as_bytes(), stated)
}
