//! Words for what is sold other than one card: lots, sealed products, accessories.

use super::companion::is_given;
use super::hit::{Hit, number_card_of_set};
use super::set::{is_code_of_total, is_of_other_total};
use super::word::Word;
use super::writer::Writer;
use crate::catalogue::{AliasKind, Columns, Entry};
use crate::dictionary::{GameKind, Tag, Tagged, When};
use crate::parsed::Field;
use crate::reading::Proposal;
use crate::reading::context::Context;
use crate::reference::Reference;
use crate::token::Line;
use crate::word_lists::{
    ASKING, BUYERS, CARDS_COUNTED, CARDS_IN_CONTAINER, CONTAINED, CONTAINERS, OTHER_CARDS,
    PIECE_COUNTERS,
};

/// Confidence in such words.
pub(crate) const QUALITY: f32 = 1.1;

/// All the copies of a card that a deck may have: four, unless the game says otherwise.
const PLAYSET: &str = "playset";
const COPIES_OF_PLAYSET: u32 = 4;
/// Two copies.
const PAIR: &str = "pair";

/// The fewest cards that are no gift with the container that they are in.
const LEAST_IN_CONTAINER: u32 = 20;

/// Whether a word for a kind of listing means something else, or what it names holds what is sold.
pub(crate) fn means_other(word: &Word<'_>) -> bool {
    // `Classeur avec 300 cartes`; `SL10 carte` counts no cards
    if is_filled(word) || word.is_digits_behind_letters() {
        return true;
    }
    // `BUY 4 GET 1`
    if ASKING.contains(&word.text()) {
        return !word.is_at_head();
    }
    word.is_in_noise()
}

/// Whether a word for a sealed product means something else.
pub(crate) fn product_means_other(word: &Word<'_>) -> bool {
    // `Bloomburrow Bundle`: a game's own word for a product that elsewhere is one for a lot
    word.is_in_noise() || is_also_lot(word) && !(word.around.behind_set)(word.tag)
}

/// Whether words for a product of some games mean several cards in others.
fn is_also_lot(product: &Word<'_>) -> bool {
    let lot = |tag: &Tagged| product.dictionary.says_lot(tag.tag);
    product.tag.games != u32::MAX && product.meanings().any(lot)
}

/// Whether a word for a container stands before cards that are in it, or before many of them: `Classeur
/// avec cartes`, `Raccoglitore con 200 carte`.
fn is_filled(word: &Word<'_>) -> bool {
    if !CONTAINERS.contains(&word.text()) {
        return false;
    }
    let context = word.context;
    let cards = |token: usize| CARDS_IN_CONTAINER.contains(&context.word(token));
    let counted = |token: usize| CARDS_COUNTED.contains(&context.word(token));
    let many = |token: usize| {
        let number = context.word(token).parse::<u32>();
        number.is_ok_and(|number| number >= LEAST_IN_CONTAINER)
    };
    let mut tokens = context.line.token_at(word.end())..context.line.tokens().len();
    tokens.any(|token| {
        let next = token + 1;
        CONTAINED.contains(&context.word(token)) && (cards(next) || many(next) && counted(next + 1))
    })
}

/// Takes from hits what words of the dictionary rule out: the name of a trainer or a thing inside the
/// words of a product (`Pokemon Center Elite Trainer Box`) or of a rarity of the game that the title
/// names (`Starlight Rare`), a set inside such a rarity (`20th Secret Rare`), the code of a set that is
/// written as such a word (`lot 5`) or as a grader and a grade (`PCG 9`), a set that begins such words
/// (`Evolution line`), the name of a thing that is a word for a print, beside a longer name or a
/// subject (`Vampiric Tutor Foil`, `Pikachu Pokemon Center`), or a finish beside such words (`foil
/// lot`), a set that ends with a part of a game's name (`Structure Deck Yu-Gi-Oh`), and what stands in
/// the name of a game that the catalogue lacks (`ドラゴン` in `ドラゴンボール`, `Final Fantasy TCG`).
pub(crate) fn rule_out(
    reference: &Reference<'_, '_>,
    context: &Context<'_>,
    tags: &[Tagged],
    hits: &mut [Hit],
) {
    let (catalogue, dictionary) = (reference.catalogue, reference.dictionary);
    let sold = |tag: &Tagged| {
        tag.when == When::default() && matches!(tag.tag, Tag::Sealed(_) | Tag::Kind(_))
    };
    let stats = reference.stats;
    let stated = hits.first().map_or(u32::MAX, |hit| hit.games);
    // where there is one game, none is named that needs telling apart
    let folders = if stated == u32::MAX || !stats.several_games {
        0
    } else {
        stats.folders_of_games(stated)
    };
    for tag in tags {
        let always = tag.when == When::default();
        match tag.tag {
            Tag::Sealed(_) | Tag::Rarity(_)
                if always && (tag.games & folders != 0 || matches!(tag.tag, Tag::Sealed(_))) =>
            {
                let rarity = matches!(tag.tag, Tag::Rarity(_));
                for hit in hits.iter_mut().filter(|hit| is_part(hit, tag)) {
                    // `20TH` of `20th Secret Rare`
                    hit.means.set &= !rarity;
                    if !hit.means.subject || !hit.whole {
                        no_name(hit);
                    }
                }
            }
            Tag::Kind(_) if always => {
                let code = |hit: &Hit| hit.spans(tag.at, tag.end) && hit.means.set;
                let begins = |hit: &Hit| hit.at == tag.at && hit.end < tag.end;
                // `silcoon lot 25`
                let next = || context.line.token_at(tag.end as usize);
                let numbered =
                    hits.iter().any(code) && number_card_of_set(catalogue, context, hits, next());
                let is_set = |hit: &Hit| numbered || names_set(catalogue, context, hit);
                for hit in hits.iter_mut() {
                    if begins(hit) || code(hit) && !is_set(hit) {
                        hit.means.set = false;
                    }
                    // `Penny sleeve`
                    if !hit.means.subject && is_part(hit, tag) {
                        no_name(hit);
                    }
                }
                if follows_buyer(context.line, tag) {
                    rule_out_buyer(tag, hits);
                }
            }
            Tag::Printing(at) => {
                let field = dictionary.printings[at as usize].field;
                let (finish, shop) = (field == Field::Finish, field == Field::Stamp);
                let thing =
                    |hit: &Hit| hit.spans(tag.at, tag.end) && hit.means.name && !hit.means.subject;
                let longer = |hit: &Hit| {
                    let whole = hit.means.name && hit.whole && hit.is_apart(tag.at, tag.end);
                    whole && (shop && hit.means.subject || hit.end - hit.at > tag.end - tag.at)
                };
                if hits.iter().any(thing)
                    && (hits.iter().any(longer) || finish && tags.iter().any(sold))
                {
                    hits.iter_mut()
                        .filter(|hit| thing(hit))
                        .for_each(|hit| hit.means.name = false);
                }
            }
            Tag::Grader(_) if tag.when.has(When::GRADE) && !context.japanese => {
                rule_out_grade(catalogue, context, tag, hits);
            }
            Tag::Game(at) if always => {
                let held = stats.is_held_game(tag.tag);
                let goods = dictionary.games[at as usize].kind == GameKind::Goods;
                for hit in hits.iter_mut().filter(|hit| hit.end <= tag.end) {
                    if hit.at >= tag.at {
                        if !held && is_part(hit, tag) {
                            no_name(hit);
                            hit.means.set &= goods;
                        }
                    } else if hit.end > tag.at && hit.end < tag.end {
                        let dash = context.before(context.line.token_at(hit.end as usize));
                        hit.means.set &= !dash.starts_with('-');
                    }
                }
            }
            _ => {}
        }
    }
}

/// Says of the code of a set that it is a grader and its grade, which are written apart, if the title
/// states a total that the set has not, or names another set in full: `Nickit 119/182 PCG 9`.
#[inline(never)]
fn rule_out_grade(
    catalogue: &Columns<'_>,
    context: &Context<'_>,
    grader: &Tagged,
    hits: &mut [Hit],
) {
    if context.before(context.line.token_at(grader.end as usize)) != " " {
        return;
    }
    let code = |hit: &Hit| hit.at == grader.at && hit.end > grader.end && hit.means.set;
    let other = |hit: &Hit| {
        let full = |set: &Hit| names_other_set(catalogue, set, hit);
        is_of_other_total(catalogue, context, hit) || hits.iter().any(full)
    };
    if let Some(at) = hits.iter().position(|hit| code(hit) && other(hit)) {
        hits[at].means.set = false;
    }
}

/// Whether words keep a card for the one whose name stands before them.
fn follows_buyer(line: &Line, tag: &Tagged) -> bool {
    let text = line.text(tag.at as usize, tag.end as usize);
    BUYERS.iter().any(|buyer| text.starts_with(buyer))
}

/// Says of the names right before the words `kept` that they are a buyer's, if the title names
/// something else: `たけし様専用 ゴースト`.
#[inline(never)]
fn rule_out_buyer(kept: &Tagged, hits: &mut [Hit]) {
    let card = |hit: &Hit| hit.whole && hit.means.name && hit.at >= kept.end;
    if hits.iter().any(card) {
        let buyers = hits.iter_mut().filter(|hit| hit.end == kept.at);
        buyers.for_each(no_name);
    }
}

/// Whether a hit is a part of the words of the dictionary.
fn is_part(hit: &Hit, words: &Tagged) -> bool {
    let longer = hit.end - hit.at < words.end - words.at;
    words.at <= hit.at && hit.end <= words.end && longer
}

/// Says of a hit that it names no card.
fn no_name(hit: &mut Hit) {
    (hit.means.name, hit.means.subject) = (false, false);
}

/// Whether the words name a set in full, or write its code in the capitals of a code.
fn names_set(catalogue: &Columns<'_>, context: &Context<'_>, hit: &Hit) -> bool {
    let mut sets = hit.sets(catalogue);
    let (at, end) = (hit.at as usize, hit.end as usize);
    sets.any(|set| set.quality() < AliasKind::Code as u8)
        || is_code_of_total(catalogue, context, hit)
        || context.capitals_say_code() && context.line.is_upper(context.normalised, at, end)
}

/// Whether `words` name a set in full that `code` does not mean.
fn names_other_set(catalogue: &Columns<'_>, words: &Hit, code: &Hit) -> bool {
    let same = |set: &Entry| code.sets(catalogue).any(|other| other.id() == set.id());
    let other = |set: Entry| set.quality() < AliasKind::Code as u8 && !same(&set);
    words.whole
        && words.means.set
        && words.is_apart(code.at, code.end)
        && words.sets(catalogue).all(other)
}

/// Whether words count further cards, and not all that is sold: `他4枚`.
pub(crate) fn counts_others(text: &str) -> bool {
    OTHER_CARDS.iter().any(|others| text.starts_with(others))
}

/// Writes the kind with number `word` of the dictionary, and a count inside its words: `2枚セット`,
/// `Lot of 4`.
pub(crate) fn write(writer: &mut Writer<'_, '_, '_>, proposal: &Proposal, word: u16) {
    let kind = writer.dictionary().kinds[word as usize].0.as_str();
    writer.chosen(Field::Kind, kind, proposal);
    let line = writer.readings.context.line;
    let text = line.text(proposal.at as usize, proposal.end as usize);
    // `6点セット`
    let before = line.key()[..proposal.at as usize].iter().rev();
    let digits = if PIECE_COUNTERS.iter().any(|word| text.starts_with(word)) {
        before.take_while(|byte| byte.is_ascii_digit()).count()
    } else {
        0
    };
    let counted = line.text(proposal.at as usize - digits, proposal.end as usize);
    let count: String = counted.chars().filter(char::is_ascii_digit).collect();
    let count = count.parse::<u32>().ok();
    let count = count.filter(|_| !counts_others(text));
    // `Playset x3` says how many
    let said = || writer.readings.chosen.has(Field::Quantity);
    let playset = || writer.game.and_then(|game| game.playset);
    let copies = || match kind {
        PLAYSET => Some(playset().unwrap_or(COPIES_OF_PLAYSET)),
        PAIR => Some(2),
        _ => None,
    };
    let count = count.or_else(|| copies().filter(|_| !said()));
    let count = count.filter(|_| !is_given(line, proposal.at));
    writer.parsed.quantity = writer.parsed.quantity.or(count);
}

/// Writes the sealed product with number `word` of the dictionary.
pub(crate) fn write_sealed(writer: &mut Writer<'_, '_, '_>, proposal: &Proposal, word: u16) {
    let product = writer.dictionary().sealed[word as usize].as_str();
    writer.chosen(Field::Kind, product, proposal);
}
