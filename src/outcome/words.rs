//! [`Words`]: what the words for kinds of listings, products, games and printings say together.

use super::counts::{FEW, MOST_COPIES};
use super::facts::{CERTAIN, Facts};
use super::products::DECK;
use super::questions::SET;
use super::table::Sign;
use crate::attributes::companion::{Companions, is_given};
use crate::dictionary::{Absent, GameKind, Tag};
use crate::parsed::Field;
use crate::reading::{Proposal, Value};
use crate::word_lists::{
    GOODS_EXTRA, GOODS_GIVEN, KINDS_HOLLOW, KINDS_SAID, PRODUCTS_OF_CARDS, PRODUCTS_WITH_STAMPS,
};

/// The cards of a deck that a player puts together.
const DECK_OF_CARDS: std::ops::RangeInclusive<u32> = 50..=61;

/// Words for the wrapping of what is sold.
const WRAPPED: &str = "wrapped";

/// The kinds of listing that are cards of another maker; of the second the words may also say where
/// a promo of ours comes from.
const OTHER_CARDS: [&str; 2] = [NO_GAME, OTHER_MAKER];
const NO_GAME: &str = "non_tcg_card";
const OTHER_MAKER: &str = "other_maker";

/// What the words for kinds of listings say together.
#[derive(Default)]
pub(super) struct Words {
    /// Words of other games, sports and their goods.
    pub(super) others: Count,
    /// Those of them that are not goods.
    pub(super) games: Count,
    /// Words for goods and for cards of other makers.
    pub(super) things: Count,
    /// The latter.
    pub(super) other_cards: Count,
    /// Words that may mean goods that come with cards.
    pub(super) extras: u16,
    /// Another card game shows what the title's game does: `One Piece Carddass`.
    pub(super) sister: bool,
    pub(super) sealed: Count,
    /// Those that name a sealed product, not only its wrapping.
    pub(super) products: Count,
    pub(super) lots: Count,
    /// `Set`, which may be one of cards.
    pub(super) set: bool,
    /// A pack, in a slab.
    pub(super) slab: bool,
    /// What is sold is various.
    pub(super) various: bool,
    pub(super) outside: Count,
    /// Codes, empty boxes: what is named beside them is not sold.
    pub(super) hollow: Count,
    /// Those of `lots` that count cards: `10枚`.
    pub(super) counts: u16,
    /// Words for a pack of a shop's own: `オリパ`.
    pub(super) repacks: u16,
    /// One of them is hardly used otherwise.
    pub(super) repack: bool,
    /// Chances to draw a card are counted: `1口500円`.
    pub(super) draws: bool,
    /// The title asks for what it names.
    pub(super) wanted: bool,
    /// The title says a size of which the catalogue has no print.
    pub(super) jumbo: bool,
    /// Something that is no card's copies is counted.
    pub(super) counted: Option<Sign>,
}

/// How many words of a kind there are.
#[derive(Clone, Copy, Default)]
pub(super) struct Count {
    pub(super) strong: u16,
    pub(super) weak: u16,
}

impl Count {
    pub(super) fn add(&mut self, weak: bool) {
        let count = if weak {
            &mut self.weak
        } else {
            &mut self.strong
        };
        // a title has far fewer words than bytes, and those fit (MAX_TITLE_BYTES)
        *count += 1;
    }

    pub(super) fn any(self) -> bool {
        self.strong > 0 || self.weak > 0
    }

    /// Three weak words are worth a strong one.
    pub(super) fn worth(self) -> u32 {
        u32::from(self.strong) * 3 + u32::from(self.weak)
    }
}

impl Words {
    /// Counts what one of the chosen readings says.
    pub(super) fn add(&mut self, facts: &Facts<'_>, proposal: &Proposal) {
        match proposal.value {
            Value::Word(Tag::Kind(at)) => self.add_kind(facts, proposal, at),
            Value::Word(Tag::Sealed(at)) => self.add_product(facts, proposal, at),
            Value::Word(tag @ Tag::Game(at)) => {
                let held = facts.stats.is_held_game(tag);
                let kind = facts.dictionary.games[at as usize].kind;
                self.add_game(facts, proposal, (kind, held));
            }
            Value::Word(Tag::Printing(at)) => self.add_printing(facts, proposal, at),
            Value::Count(count) => self.add_count(facts, proposal, count),
            _ => {}
        }
    }

    /// Counts a word for a kind of listing.
    fn add_kind(&mut self, facts: &Facts<'_>, proposal: &Proposal, at: u16) {
        // `GFTP-EN056 Hieratic Seal of Banihsment`
        if facts.is_of_coded_name(proposal) || facts.is_of_named_set(proposal) {
            return;
        }
        let (kind, outcome) = &facts.dictionary.kinds[usize::from(at)];
        match outcome.as_str() {
            "lot" => self.add_lot(facts, proposal, kind),
            "sealed" => self.add_sealed(facts, proposal, kind),
            "not_a_card" => self.add_thing(facts, proposal, kind),
            "other_game" => {
                self.things.add(proposal.weak);
                self.other_cards.add(proposal.weak);
                self.sister = true;
            }
            // `Shock M11 149 + free token`
            "not_in_catalogue"
                if facts.one_card() && facts.beside(proposal, Companions::accompany) => {}
            "not_in_catalogue" => self.outside.add(proposal.weak),
            _ => {}
        }
    }

    /// Counts a word for several cards.
    fn add_lot(&mut self, facts: &Facts<'_>, proposal: &Proposal, kind: &str) {
        let weak = proposal.weak;
        match kind {
            // several copies of one card
            "playset" | "pair" if facts.one_card() || facts.one_thing() => {}
            // `5枚セット`, of one thing, or of one print of a name
            "playset" | "pair" | "multi_card"
                if facts.counts_copies(proposal, MOST_COPIES)
                    && (facts.one_thing() || facts.one_print()) => {}
            "multi_card"
                if facts.one_card()
                    && (facts.solid && facts.counts(proposal)
                        || facts.counts_copies(proposal, FEW)) => {}
            // `かがやくイーブイ 3枚セット`, of the only print of a name or of one thing
            "multi_card"
                if weak && (facts.one_known_print() || facts.one_thing()) && facts.copies() => {}
            // `Lombre Primal Clash Singles`: a shop's shelf
            "pick_your_card" if weak && facts.one_card() => {}
            // `lot of 3`, of one card
            "lot"
                if facts.one_card()
                    && (facts.solid || facts.top > CERTAIN)
                    && facts.copies()
                    && !facts.are_from_set() => {}
            // `from a 20 year old collection`, `+ free random card`
            _ if facts.one_card()
                && (facts.is_from(proposal) || is_given(facts.line, proposal.at)) => {}
            // `Complete Jungle set 64/64`
            "near_complete" if facts.counts_set() => self.lots.add(false),
            // `ギャラドス 022/071 デッキパーツ`: what a card is good for; `Bulbasaur 44/102 bulk`
            "deck_parts" | "bulk"
                if facts.solid && facts.one_card() && (facts.fraction || facts.any_coded()) =>
            {
                self.lots.add(true);
            }
            // `Slowbro 14/112 complete your set!`
            "near_complete" if facts.solid && facts.fraction && facts.one_card() => {
                self.lots.add(true);
            }
            // `Kaido ST09-004 complete your set!`
            "pick_your_card"
                if facts.solid && facts.one_card() && (facts.fraction || facts.any_coded()) =>
            {
                self.lots.add(true);
            }
            kind => {
                self.various |= kind == "pick_your_card";
                self.lots.add(weak);
                self.counts += u16::from(kind == "multi_card" && facts.counts(proposal));
            }
        }
    }

    /// Counts a word for a listing of sealed products.
    fn add_sealed(&mut self, facts: &Facts<'_>, proposal: &Proposal, kind: &str) {
        let repack = kind == "repack";
        // `with free mystery card`, `pulled from mystery box`
        if repack
            && facts.one_card()
            && (is_given(facts.line, proposal.at) || facts.beside(proposal, Companions::yield_card))
        {
            return;
        }
        self.sealed.add(proposal.weak);
        self.repack |= repack && !proposal.weak;
        self.repacks += u16::from(repack);
        self.draws |= repack && facts.counts_draws(proposal);
    }

    /// Counts a word for what is no card.
    fn add_thing(&mut self, facts: &Facts<'_>, proposal: &Proposal, kind: &str) {
        let weak = proposal.weak;
        let given = GOODS_GIVEN.contains(&kind);
        match kind {
            "accessory" | "extended_case" | "product_part"
                if facts.solid && facts.grades > 0
                    || (facts.solid || facts.one_card()) && facts.is_from(proposal) => {}
            // `binder with 300 cards`
            "accessory" if facts.holds_cards(proposal) => self.lots.add(false),
            // `and code card`, `+ free sticker`, `300 cards with binder`
            _ if given
                && (facts.solid || facts.one_card() || facts.counts_many())
                && facts.beside(proposal, Companions::accompany) => {}
            // `Labrynth deck with sleeves and deck box`: what somebody has put together
            _ if given && facts.sells_deck() && facts.beside(proposal, Companions::accompany) => {
                self.lots.add(false);
            }
            // `from my pack opening`, `from opened booster box`
            "break_slot" | "display_only"
                if facts.one_card() && facts.beside(proposal, Companions::yield_card) => {}
            // what a buyer asks for stands behind it, or before it: `Granbull 116/264 suche`
            "wanted" | "trade" if proposal.at == 0 || kind == "wanted" && facts.ends(proposal) => {
                self.things.add(false);
                self.wanted = true;
            }
            // `Set Break #74`, `Bandai One Piece`, `Wanted` art: what else is said of a card
            kind if weak
                && facts.solid
                && facts.placed
                && KINDS_SAID.contains(&kind)
                && (kind != NO_GAME || facts.fraction || facts.any_coded()) => {}
            kind => {
                // no other maker's card has our name, number and total
                let ours = kind == OTHER_MAKER && facts.solid && facts.fraction;
                let weak = (weak || ours) && !facts.is_head(proposal, kind);
                self.things.add(weak);
                if OTHER_CARDS.contains(&kind) {
                    self.other_cards.add(weak);
                }
                self.extras += u16::from(weak && GOODS_EXTRA.contains(&kind));
                if KINDS_HOLLOW.contains(&kind) {
                    self.hollow.add(weak);
                }
            }
        }
    }

    /// Counts a word for a sealed product.
    fn add_product(&mut self, facts: &Facts<'_>, proposal: &Proposal, at: u16) {
        let kind = facts.dictionary.sealed[usize::from(at)].as_str();
        // `Mu Yanling, Celestial Wind (Planeswalker Deck)`
        if facts.one_at_most() && facts.names_whole_card() && facts.is_in_brackets(proposal) {
            return;
        }
        // `Enel deck OP15-118 leader + 50 cards`, `Merfolk deck MTG foils 60 cards`; `Deck 60 cards`,
        // `デッキ 60枚`; `Charizard deck`: what somebody put together
        let of_cards = || {
            (facts.one_card() || proposal.weak)
                && facts.has_count(|_, count| DECK_OF_CARDS.contains(&count))
        };
        if kind == DECK && (of_cards() || facts.is_deck_of_name(proposal))
            || facts.is_put_together(proposal, at)
            || facts.bundles_names(proposal, at)
        {
            self.lots.add(false);
            return;
        }
        // `Pawmot S-Chinese gift box promo`
        let unheld = facts.unheld && facts.named && facts.beside(proposal, Companions::yield_card);
        // `pulled from ETB`, `with free booster pack`, `Absolute Justice starter deck`, `25 Cracked
        // Ice Holo theme deck`
        let of_card = || {
            (facts.numbered || facts.found) && facts.placed && facts.chosen.has(Field::Pattern)
                || facts.named
                    && PRODUCTS_WITH_STAMPS.contains(&kind)
                    && facts.chosen.has(Field::Stamp)
                || facts.beside(proposal, Companions::yield_card)
                || facts.beside(proposal, Companions::accompany)
                || facts.is_of_product(proposal, at)
        };
        // `player guide from ETB`
        let of_thing = || self.things.strong > 0 && facts.beside(proposal, Companions::yield_card);
        // `Ivorytusk Fortress Intro Pack`: the whole name of a card says which deck or box it is of
        let of_whole = || PRODUCTS_OF_CARDS.contains(&kind) && facts.names_long_thing();
        if unheld
            || of_thing()
            || facts.one_card() && (of_card() || of_whole())
            // `Crocodile DON!! card double pack`
            || facts.names_a_card()
            // `Roselia - Legend Maker Set`
            || facts.is_set_of_name(proposal)
        {
            return;
        }
        if facts.is_graded_pack(proposal, at) {
            self.slab = true;
            self.sealed.add(false);
            self.products.add(false);
            return;
        }
        let (at, end) = (proposal.at as usize, proposal.end as usize);
        // `Snorlax promo card (unopened)`
        let card = facts.rarity && facts.named;
        let weak = proposal.weak || card && kind == WRAPPED;
        self.set |= facts.line.text(at, end) == SET;
        self.sealed.add(weak);
        self.products.add(weak);
    }

    /// Counts a word for a game, a sport or goods of this kind; of a game that is `held`, the catalogue
    /// has cards.
    fn add_game(&mut self, facts: &Facts<'_>, proposal: &Proposal, (kind, held): (GameKind, bool)) {
        // `Atraxa Commander Deck`: the words for the game name a deck, too; beside the full name of a
        // card they say only which deck it comes from
        let deck = || {
            facts
                .deck_in(proposal)
                .is_some_and(|deck| facts.is_deck_of_name(deck))
        };
        if held && !facts.numbered && !facts.names_whole_card() && deck() {
            self.lots.add(false);
            return;
        }
        let goods = kind == GameKind::Goods;
        // `Charizard CD promo`: where the card comes from
        let origin =
            goods && facts.rarity && facts.named && facts.beside(proposal, Companions::yield_card);
        if held || origin {
            return;
        }
        // `Cool Porygon 15 Black Star Promo N64`: where the card comes from
        let weak = proposal.weak || goods && facts.solid && facts.placed;
        self.others.add(weak);
        if !goods {
            self.games.add(weak);
        }
    }

    /// Counts a word for a printing that the best candidate does not have.
    fn add_printing(&mut self, facts: &Facts<'_>, proposal: &Proposal, at: u16) {
        let word = &facts.dictionary.printings[usize::from(at)];
        if word.absent == Absent::Same || facts.is_printed(word) {
            return;
        }
        let said = || {
            let number = facts.chosen.has(Field::Number);
            facts.rarity || facts.condition || facts.graded || number
        };
        match word.absent {
            // `Espeon 225 Build-A-Bear`, `Espeon Build-A-Bear promo`: a card, of whose stamp the
            // catalogue does not know
            Absent::NotACard if word.field == Field::Stamp && said() => {}
            // some sets have such a card, of which the catalogue does not know
            Absent::NotACard => {
                let weak = proposal.weak || facts.solid || facts.placed;
                self.things.add(weak);
            }
            _ if word.field == Field::Size => self.jumbo = true,
            _ => self.outside.add(proposal.weak),
        }
    }

    /// Counts a year or a count.
    fn add_count(&mut self, facts: &Facts<'_>, proposal: &Proposal, count: u32) {
        match proposal.field {
            // `Hawks 2023-24 #12`
            Field::Year if facts.all_subjects == 0 && facts.is_season(proposal, count) => {
                let weak = facts.solid || facts.placed;
                self.others.add(weak);
                self.games.add(weak);
            }
            Field::Quantity if count > 1 && !facts.are_copies(proposal, count) => {
                // `Pluto - Friendly Pooch + Simba 72/204 lot of 2`
                if facts.all_subjects > 1 && facts.says_lot(proposal) {
                    self.lots.add(false);
                }
                self.counted = Some(if count > FEW {
                    Sign::HighCount
                } else {
                    Sign::Count
                });
            }
            _ => {}
        }
    }
}
