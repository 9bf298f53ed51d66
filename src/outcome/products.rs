//! What a product of a title holds, and what is sold with it.

use super::counts::{FEW, MOST_COPIES};
use super::facts::{Facts, PACK};
use super::lists::is_cards;
use super::questions::{A_NAME, LOT, SET};
use crate::attributes::companion::{Companions, is_use};
use crate::dictionary::Tag;
use crate::parsed::Field;
use crate::reading::{Proposal, Value};
use crate::token::Token;
use crate::word_lists::{PRODUCTS_NAMED_AFTER_CARDS, PRODUCTS_PUT_TOGETHER};

/// Between goods and what fills them, and so many words that say of what kind this is.
const OF: &str = "of";
const FEW_WORDS: usize = 4;
/// No deck that is played has fewer cards.
const LEAST_OF_DECK: u32 = 40;
/// The kind of listing of which nothing is missing.
const COMPLETE: &str = "near_complete";
/// The kind of a product that is a deck.
pub(super) const DECK: &str = "theme_deck";
/// The kind of products that are collections.
const COLLECTION: &str = "premium_collection";
/// The kind of words for a bundle, and the word for what most of them are of.
const BUNDLE: &str = "booster_bundle";
const BOOSTER: &str = "booster";
/// What is said right before a pack.
const PACK_OF: [Field; 2] = [Field::Set, Field::Edition];
/// The kind of words for pictures, which are said of a card's, too: `Japanese print`.
pub(super) const ART: &str = "art_print";

impl Facts<'_> {
    /// Whether the last word that is read is a box called after a card, but for the card in it, and no
    /// number stands before it: `Paldea Partners Tin Quaquaval ex`, `Mega Charizard Y ex UPC`.
    pub(super) fn ends_with_box(&self) -> bool {
        let within = |p: &&Proposal| !matches!(p.field, Field::Name | Field::Noise);
        let named = self
            .chosen
            .iter()
            .rfind(within)
            .is_some_and(|p| match p.value {
                Value::Word(Tag::Sealed(at)) => {
                    PRODUCTS_NAMED_AFTER_CARDS.contains(&&*self.dictionary.sealed[at as usize])
                        && !self.beside(p, Companions::yield_card)
                }
                _ => false,
            });
        named && !self.numbered
    }

    /// Whether a count of many cards that the goods come with stands behind them, or words for cards
    /// that fill them: `binder full of cards`, `binder of old vintage cards`.
    pub(super) fn holds_cards(&self, goods: &Proposal) -> bool {
        let full = |p: &Proposal| match p.value {
            Value::Word(Tag::Kind(at)) => {
                p.at == goods.end && !p.weak && self.dictionary.kinds[at as usize].0 == LOT
            }
            _ => false,
        };
        if self.chosen.iter().any(full) || self.are_of_cards(goods) {
            return true;
        }
        // one word stands between
        let next = self.line.token_at(goods.end as usize) + 1;
        let behind = |p: &Proposal| p.at > goods.end && self.line.token_at(p.at as usize) == next;
        self.has_count(|p, count| count > FEW && behind(p) && self.beside(p, Companions::accompany))
    }

    /// Whether `of` stands behind the goods, and a few words on cards: `album of 90s holo cards`.
    fn are_of_cards(&self, goods: &Proposal) -> bool {
        let word = |token: &Token| self.line.text(token.at as usize, token.end as usize);
        let next = self.line.token_at(goods.end as usize);
        let mut behind = self.line.tokens().get(next..).unwrap_or_default().iter();
        behind
            .next()
            .is_some_and(|of| of.at == goods.end && word(of) == OF)
            && behind.take(FEW_WORDS).any(|token| is_cards(word(token)))
    }

    /// Whether words that may mean a product stand beside a count of more cards than are copies, and
    /// nothing else says that it is sealed: `Deck 60 cards`, `Pack 30 cartas`, `Binder Collection 25
    /// cards`.
    pub(super) fn is_put_together(&self, product: &Proposal, word: u16) -> bool {
        let kind = self.dictionary.sealed[usize::from(word)].as_str();
        // of the others only weak words are said of cards of one's own choice
        let any_words = [COLLECTION, BUNDLE].contains(&kind);
        if !PRODUCTS_PUT_TOGETHER.contains(&kind) || !product.weak && !any_words {
            return false;
        }
        let counted = |p: &Proposal, count: u32| {
            let beside = p.at == product.end || p.end == product.at;
            // `Deck Yugioh 40 carte`
            let whole = || kind == DECK && count >= LEAST_OF_DECK;
            (beside || whole()) && count > MOST_COPIES && !self.counted_with_x(p)
        };
        // `65pcs Deck Sleeves`
        let other = |p: &Proposal| match p.value {
            Value::Word(Tag::Sealed(_)) => p.at != product.at,
            Value::Word(Tag::Kind(_)) => p.at == product.end,
            _ => false,
        };
        self.has_count(counted) && !self.chosen.iter().any(other)
    }

    /// Whether words for a bundle stand beside several names, and for no bundle of boosters: `A and B
    /// bundle`.
    pub(super) fn bundles_names(&self, product: &Proposal, word: u16) -> bool {
        let text = self.line.text(product.at as usize, product.end as usize);
        self.dictionary.sealed[usize::from(word)] == BUNDLE
            && !text.contains(BOOSTER)
            && match self.chosen.of(Field::Name).take(3).count() {
                // `A, B and C Gatecrash bundle`
                3 => true,
                2 => !self.chosen.has(Field::Set),
                _ => false,
            }
    }

    /// Whether words inside a name may mean what is sold: `Surprise Box`.
    pub(super) fn name_may_be_product(&self) -> bool {
        self.proposals.iter().any(|p| {
            matches!(p.value, Value::Word(Tag::Kind(_) | Tag::Sealed(_)))
                && self.chosen.of(Field::Name).any(|name| p.inside(name))
        })
    }

    /// The words for a deck inside those that name a game.
    pub(super) fn deck_in(&self, game: &Proposal) -> Option<&Proposal> {
        self.proposals.iter().find(|p| match p.value {
            Value::Word(Tag::Sealed(at)) => {
                self.dictionary.sealed[at as usize] == DECK && p.inside(game)
            }
            _ => false,
        })
    }

    /// Whether the title says that a deck is sold, in words that somebody's own may be called by.
    pub(super) fn sells_deck(&self) -> bool {
        self.chosen.iter().any(|p| match p.value {
            Value::Word(Tag::Sealed(at)) => self.dictionary.sealed[at as usize] == DECK && p.weak,
            Value::Word(Tag::Game(_)) => self.deck_in(p).is_some_and(|deck| deck.weak),
            _ => false,
        })
    }

    /// Whether words that may mean a deck are all that the title says beside one name of several cards:
    /// it is called after one of its cards.
    pub(super) fn is_deck_of_name(&self, deck: &Proposal) -> bool {
        const OF_CARD: [Field; 6] = [
            Field::Number,
            Field::Set,
            Field::Finish,
            Field::Pattern,
            Field::Quantity,
            Field::Year,
        ];
        let of_card = self.graded || self.condition || self.rarity;
        let complete = |p: &Proposal| match p.value {
            Value::Word(Tag::Kind(at)) => self.dictionary.kinds[at as usize].0 == COMPLETE,
            _ => false,
        };
        let other = |p: &Proposal| match p.value {
            Value::Word(Tag::Sealed(_)) => p.at != deck.at,
            // `deck complet`, `deck with sleeves`
            Value::Word(Tag::Kind(_)) => !complete(p) && !self.beside(p, Companions::accompany),
            _ => false,
        };
        let used = || {
            let mut names = self.chosen.of(Field::Name);
            is_use(self.line, deck.at) || names.any(|name| is_use(self.line, name.at))
        };
        deck.weak
            && (self.unread <= A_NAME || self.chosen.iter().any(complete))
            && self.any_name
            && self.one_at_most()
            && !self.one_known_print()
            && !of_card
            && !OF_CARD.iter().any(|&field| self.chosen.has(field))
            && !self.chosen.iter().any(other)
            && !used()
    }

    /// Whether words for a product are `set` right behind the name of the set that the one card is of.
    pub(super) fn is_set_of_name(&self, product: &Proposal) -> bool {
        let text = self.line.text(product.at as usize, product.end as usize);
        let behind = |set: &Proposal| set.end == product.at;
        text == SET && self.placed && self.one_card() && self.chosen.of(Field::Set).any(behind)
    }

    /// Whether words mean a graded pack of the set that is named right before them: `Jungle Pack 1st
    /// Edition-Scyther Foil PSA 8`.
    pub(super) fn is_graded_pack(&self, product: &Proposal, word: u16) -> bool {
        let before = |p: &Proposal| p.end == product.at && PACK_OF.contains(&p.field);
        self.grades > 0
            && self.set
            && !self.numbered
            && self.dictionary.sealed[usize::from(word)] == PACK
            && (!product.weak || self.chosen.iter().any(before))
    }
}

/// Whether words for a sealed product are part of the name of a set that is read.
pub(super) fn is_product_of_set(facts: &Facts<'_>) -> bool {
    is_in_set(facts, |product, _| !product.weak)
}

/// Whether a Japanese title has the name of a set that is a product before the only name that it has.
pub(super) fn is_product_before_name(facts: &Facts<'_>) -> bool {
    let mut names = facts.chosen.of(Field::Name);
    let Some(name) = names.next().filter(|_| !facts.latin) else {
        return false;
    };
    names.next().is_none() && is_in_set(facts, |product, set| !product.weak && set.end <= name.at)
}

/// Whether words that may mean a sealed product begin the name of a set that is read, and say more
/// than it.
pub(super) fn is_pack_of_set(facts: &Facts<'_>) -> bool {
    is_in_set(facts, |product, set| {
        product.weak && product.at == set.at && product.end < set.end
    })
}

/// Whether words for a product are such a part of the name of a set that is read.
fn is_in_set(facts: &Facts<'_>, part: impl Fn(&Proposal, &Proposal) -> bool) -> bool {
    let sets = || facts.chosen.of(Field::Set);
    let product = |p: &&Proposal| matches!(p.value, Value::Word(Tag::Sealed(_)));
    let mut products = facts.proposals.iter().filter(product);
    products.any(|product| sets().any(|set| product.inside(set) && part(product, set)))
}
