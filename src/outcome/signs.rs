//! [`Signs`]: the weight of the signs of a lot, a sealed product or other goods, against one card.

use super::facts::Facts;
use crate::attributes::number::{NumberKind, NumberReading};
use crate::dictionary::{GameKind, Tag};
use crate::parsed::Field;
use crate::reading::{Proposal, Value};

// All in log-odds.
/// A word for a kind of listing, and one that the dictionary marks as weak.
const STRONG: f32 = 3.5;
const WEAK: f32 = 1.2;
/// Another game's name says more than other words.
const OTHER_GAME: f32 = STRONG + 1.0;
/// `jumbo`, of a card that the catalogue has in no such size.
const JUMBO: f32 = 2.2;

// Signs of a lot.
/// A count of more than one, and of more than [`FEW`].
const COUNT: f32 = 2.0;
const HIGH_COUNT: f32 = 2.5;
const FEW: u32 = 3;
/// Each number with a total after the first.
const ANOTHER_NUMBER: f32 = 2.5;
/// Added for several numbers that begin with the code of a set: no total or year looks like one.
const ANOTHER_CODE: f32 = 2.0;
/// Several numbers and several names or slabs are several cards; with one name and one grade they
/// are one card with a wrong number.
const NUMBERS_AND_NAMES: f32 = 1.0;
const ONE_SLAB: f32 = -1.5;
/// Each species after the first that the best candidate does not explain; added if no candidate is
/// solid.
const ANOTHER_SPECIES: f32 = 1.2;
const SPECIES_UNEXPLAINED: f32 = 1.0;
/// One such species among others, without numbers and with them.
const STRANGE_SPECIES: f32 = 1.6;
const STRANGE_SPECIES_BESIDE_NUMBER: f32 = 0.8;
/// Each slab after the first, of several species.
const ANOTHER_SLAB: f32 = 1.5;

// Signs of a sealed product.
/// A set, but neither a card's name nor a number.
const SET_ALONE: f32 = 1.8;
/// A word for a sealed product, but neither a card's name nor a number.
const SEALED_ALONE: f32 = 0.8;
/// Shops call a box by its kind and the card that is in it, and nothing else.
const SEALED_WITH_NAME: f32 = 1.5;
/// Several words for sealed products.
const SEALED_AGAIN: f32 = 0.5;

// Signs of one card.
/// The weight of a number, with a grade and a condition at one.
const NUMBER_COUNTS: u8 = 2;
/// Taken by each of these from the signs of a lot, and from those of a sealed product.
const CARD_AGAINST_LOT: f32 = 0.3;
const CARD_AGAINST_SEALED: f32 = 1.3;
/// Taken by a solid candidate from those of a lot, a sealed product, and other goods.
const SOLID_AGAINST_LOT: f32 = 0.8;
const SOLID_AGAINST_SEALED: f32 = 1.5;
const SOLID_AGAINST_OTHER: f32 = 1.2;
/// Taken by a candidate that is more likely than not from those of other goods.
const LIKELY_AGAINST_OTHER: f32 = 0.5;
const LIKELY: f64 = 0.5;
/// Taken by this game's name from those of another game.
const OWN_GAME: f32 = 2.5;

// Signs of another thing.
/// A candidate more likely than this is a sign of this game.
const SIGN_OF_GAME: f64 = 0.4;
/// Nothing is a sign of this game.
const NO_SIGN_OF_GAME: f32 = 3.5;
/// Another game is named, this one is not, and no candidate is solid.
const ONLY_OTHER_GAME: f32 = 1.5;
/// The game is not named, and no candidate is more likely than [`UNLIKELY`]; the share of unread
/// words is added.
const GAME_UNNAMED: f32 = 0.6;
const UNLIKELY: f64 = 0.3;

/// The kind of listing that is a card of another maker.
const OTHER_CARDS: &str = "non_tcg_card";

/// Signs of each kind, in log-odds against "one card".
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Signs {
    pub(super) lot: f32,
    pub(super) sealed: f32,
    pub(super) other: f32,
    /// The words for another thing name a game or a sport, and no goods.
    pub(super) other_game: bool,
    /// A thing that the catalogue cannot hold, though it is one card: championship decks, sheets,
    /// jumbo cards.
    pub(super) outside: f32,
    /// The game is named, or something that only it has.
    pub(super) own_game: bool,
    /// A name or a number is read.
    pub(super) named: bool,
    /// The title is in Latin letters.
    pub(super) latin: bool,
}

/// Totals of the words for kinds of listing; they become part of [`Signs`].
#[derive(Default)]
struct Words {
    /// Other games, sports and goods.
    others: f32,
    /// Of those other games and sports.
    games: f32,
    things: f32,
    /// Of those cards of other makers, as sports and wafers have them.
    other_cards: f32,
    sealed: usize,
    /// At least one of the words for sealed products is not weak.
    sealed_strong: bool,
}

impl Signs {
    /// Weighs the signs.
    pub(super) fn of(facts: &Facts<'_>) -> Signs {
        let mut signs = Signs {
            latin: facts.latin,
            named: facts.any_name || facts.numbered,
            own_game: facts
                .proposals
                .iter()
                .any(|p| matches!(p.value, Value::Word(tag) if facts.stats.is_held_game(tag))),
            ..Signs::default()
        };
        let mut words = Words::default();
        for proposal in facts.chosen {
            signs.word(facts, proposal, &mut words);
        }
        let numbers = different_numbers(facts);
        signs.several_cards(facts, numbers);
        // neither a card's name nor a number
        let nothing = !facts.named && numbers == 0 && !facts.numbered;
        if facts.set && nothing && signs.lot <= 0.0 {
            signs.sealed += SET_ALONE;
        } else if nothing && words.sealed > 0 {
            signs.sealed += SEALED_ALONE;
        }
        let card = u8::from(facts.graded)
            + u8::from(numbers != 0) * NUMBER_COUNTS
            + u8::from(facts.condition);
        let card = f32::from(card);
        let solid = |against: f32| if facts.solid { against } else { 0.0 };
        signs.lot -= card * CARD_AGAINST_LOT + solid(SOLID_AGAINST_LOT);
        signs.sealed -= card * CARD_AGAINST_SEALED + solid(SOLID_AGAINST_SEALED);
        if words.sealed_strong
            && words.things <= 0.0
            && !facts.numbered
            && numbers == 0
            && card == 0.0
            && !facts.rarity
        {
            signs.sealed += SEALED_WITH_NAME;
        }
        if words.sealed > 1 {
            signs.sealed += SEALED_AGAIN;
        }
        signs.other_thing(facts, &words);
        signs
    }

    /// Adds what one of the chosen readings says.
    fn word(&mut self, facts: &Facts<'_>, proposal: &Proposal, words: &mut Words) {
        let weight = if proposal.weak { WEAK } else { STRONG };
        match proposal.value {
            Value::Word(Tag::Kind(at)) => {
                let (kind, outcome) = &facts.dictionary.kinds[at as usize];
                match (outcome.as_str(), kind.as_str()) {
                    ("lot", _) => self.lot += weight,
                    ("sealed", _) => self.sealed += weight,
                    ("not_a_card", "accessory" | "extended_case")
                        if facts.graded && facts.solid => {}
                    ("not_a_card", kind) => {
                        words.things += weight;
                        if kind == OTHER_CARDS {
                            words.other_cards += weight;
                        }
                    }
                    ("not_in_catalogue", _) => self.outside += weight,
                    _ => {}
                }
            }
            Value::Word(Tag::Sealed(_)) => {
                self.sealed += weight;
                words.sealed += 1;
                words.sealed_strong |= !proposal.weak;
            }
            Value::Word(tag @ Tag::Game(at)) if !facts.stats.is_held_game(tag) => {
                let weight = if proposal.weak { WEAK } else { OTHER_GAME };
                words.others += weight;
                if facts.dictionary.games[at as usize].kind != GameKind::Goods {
                    words.games += weight;
                }
            }
            Value::Word(Tag::Printing(at))
                if facts.dictionary.printings[at as usize].value == "jumbo" && !facts.jumbo =>
            {
                self.outside += JUMBO;
            }
            Value::Count(count) if proposal.field == Field::Quantity && count > 1 => {
                self.lot += if count > FEW { HIGH_COUNT } else { COUNT };
            }
            _ => {}
        }
    }

    /// Adds what speaks for several cards, of which the title has `numbers` numbers.
    fn several_cards(&mut self, facts: &Facts<'_>, numbers: usize) {
        let coded = facts.numbers.iter().filter(|number| number.coded).count();
        if numbers > 1 && coded > 1 {
            self.lot += ANOTHER_CODE;
        }
        if numbers > 1 {
            self.lot += ANOTHER_NUMBER * (numbers - 1) as f32;
            self.lot += match (facts.all_species, facts.grades) {
                (2.., _) => NUMBERS_AND_NAMES,
                (_, 1) => ONE_SLAB,
                (_, 0) => 0.0,
                (_, 2..) => NUMBERS_AND_NAMES,
            };
        }
        if facts.species >= 2 {
            let unexplained = if facts.solid {
                0.0
            } else {
                SPECIES_UNEXPLAINED
            };
            self.lot += ANOTHER_SPECIES * (facts.species - 1) as f32 + unexplained;
        } else if facts.species == 1 && !facts.solid && facts.all_species >= 2 {
            self.lot += if numbers == 0 {
                STRANGE_SPECIES
            } else {
                STRANGE_SPECIES_BESIDE_NUMBER
            };
        }
        if facts.grades > 1 && facts.all_species > 1 {
            self.lot += ANOTHER_SLAB * (facts.grades - 1) as f32;
        }
    }

    /// Weighs what speaks for another game or thing.
    fn other_thing(&mut self, facts: &Facts<'_>, words: &Words) {
        let games = words.others - if self.own_game { OWN_GAME } else { 0.0 };
        self.other = games.max(0.0) + words.things.max(0.0);
        let goods = words.others - words.games + words.things.max(0.0) - words.other_cards;
        // a proxy, a sleeve or a figure of another game is no card of it either; the maker of cards
        // of sports is enough where no species is named
        let others = words.games > goods || words.other_cards > 0.0 && facts.all_species == 0;
        self.other_game = others && goods < STRONG && !self.own_game;
        let slab = facts.numbered && (facts.graded || facts.condition);
        let evidence = self.own_game
            || facts.set
            || facts.top.max(facts.of_names) > SIGN_OF_GAME
            || facts.fraction
            || (slab || facts.own_script) && games <= 0.0;
        self.other -= if facts.solid {
            SOLID_AGAINST_OTHER
        } else if facts.top > LIKELY {
            LIKELY_AGAINST_OTHER
        } else {
            0.0
        };
        if !evidence && !facts.solid && facts.all_species == 0 {
            self.other += NO_SIGN_OF_GAME;
        } else if !self.own_game && !facts.solid && games > 0.0 {
            self.other += ONLY_OTHER_GAME;
        } else if !self.own_game && !facts.solid && facts.top.max(facts.of_names) < UNLIKELY {
            self.other += GAME_UNNAMED + facts.unread;
        }
    }
}

/// Counts the different numbers with totals in a title that the catalogue has, and those with the
/// code of a set.
fn different_numbers(facts: &Facts<'_>) -> usize {
    let fractions = || {
        facts
            .numbers
            .iter()
            .filter(|n| matches!(n.kind, NumberKind::Fraction) && n.total_known || n.coded)
    };
    let same = |a: &NumberReading, b: &NumberReading| (a.number, a.total) == (b.number, b.total);
    fractions()
        .enumerate()
        .filter(|(at, n)| !fractions().take(*at).any(|before| same(before, n)))
        .count()
}
