//! The origin of a card: words of a product's name, and Japanese terms for campaigns and magazines.

use super::hit::Hit;
use super::number::{NumberClue, NumberKind};
use super::rarity;
use super::writer::Writer;
use crate::attributes::query::Query;
use crate::catalogue::format::set_flag;
use crate::catalogue::{Columns, EntryKind};
use crate::dictionary::Tag;
use crate::math::information;
use crate::parsed::Field;
use crate::reading::{Chosen, Proposal, Value};
use crate::reference::Reference;

/// Confidence in a word of a product's name: most are everyday words.
pub(crate) const WORD: f32 = 0.6;
/// Confidence in a Japanese term.
pub(crate) const TERM: f32 = 0.9;

/// Shorter words of a product are none where they begin or end inside another reading.
const LEAST_TORN: u32 = 4;

/// Adds clues for the product words and the illustrators that the proposal may name.
pub(crate) fn ask(
    reference: &Reference<'_, '_>,
    hit: &Hit,
    proposal: &Proposal,
    proposals: &[Proposal],
    query: &mut Query,
) {
    // `glossy` in `non-glossy`
    let in_longer = proposals.iter().any(|c| {
        matches!(c.value, Value::Hit(_))
            && c.field == proposal.field
            && proposal.inside(c)
            && c.end - c.at > proposal.end - proposal.at
    });
    // `フクオカのピカチュウ` is a name
    let inside = |field: Field| {
        let mut chosen = proposals.iter().filter(|c| c.chosen && c.field == field);
        chosen.any(|c| proposal.inside(c))
    };
    // `Japanese` is of `Japanese 2nd Anniversary Set` where the title says more of it
    let language = || {
        let mut chosen = proposals.iter().filter(|c| c.chosen);
        inside(Field::Language) && !chosen.any(|c| c.field == Field::Origin)
    };
    // `F NM` of `Reg Mark F NM` is no `FNM`
    let torn = proposal.end - proposal.at < LEAST_TORN && {
        let mut chosen = proposals.iter().filter(|c| c.chosen);
        let overlaps = |c: &Proposal| c.at < proposal.end && proposal.at < c.end;
        chosen.any(|c| overlaps(c) && !proposal.inside(c) && !c.inside(proposal))
    };
    // `ポケモンセンター購入` tells where it was bought
    let in_noise = || {
        let longer = |c: &Proposal| c.end - c.at > proposal.end - proposal.at;
        let mut chosen = proposals
            .iter()
            .filter(|c| c.chosen && c.field == Field::Noise);
        chosen.any(|c| proposal.inside(c) && longer(c))
    };
    if in_longer || torn || in_noise() || inside(Field::Name) || hit.means.name || language() {
        return;
    }
    let in_set = inside(Field::Set);
    let catalogue = reference.catalogue;
    let cards = catalogue.card_count().max(1) as f32;
    for entry in catalogue.entries(hit.place) {
        match entry.kind() {
            EntryKind::Word => {
                let word = entry.id() as u16;
                if entry.quality() != 0 && !in_set {
                    query.campaign = true;
                    query.campaign_games |= reference.stats.games_of_campaign(catalogue, word);
                }
                query.campaign_unheld |= catalogue.is_unheld_word(word);
                let words = if in_set {
                    &mut query.set_words
                } else {
                    &mut query.words
                };
                words.push(word);
            }
            EntryKind::Artist => {
                let artist = entry.id() as u16;
                let count = catalogue.artist_count(artist);
                query.artists.push((artist, information(cards, count)));
            }
            _ => {}
        }
    }
}

/// Writes the term with number `word` of the dictionary.
pub(crate) fn write_term(writer: &mut Writer<'_, '_, '_>, proposal: &Proposal, word: u16) {
    let term = writer.dictionary().terms[word as usize].as_str();
    writer.chosen(Field::Origin, term, proposal);
}

/// The series of the set whose product a promo came with: without a number by words (`Champion's Path
/// ETB promo`, `Hidden Fates tin promo`), else by the number, which no card of the name has in that
/// set (`Prismatic Evolutions Umbreon ex #176`); 0 if the title says none.
pub(crate) fn series_of_promo(
    reference: &Reference<'_, '_>,
    chosen: &Chosen,
    query: &Query,
) -> u32 {
    if let [number] = &query.numbers[..] {
        return series_of_numbered(reference.catalogue, number, query).unwrap_or(0);
    }
    if !query.promo || !query.numbers.is_empty() {
        return 0;
    }
    let is_promo = |p: &Proposal| match p.value {
        Value::Word(Tag::Rarity(at)) => rarity::is_promo(reference.dictionary, at),
        _ => false,
    };
    let is_product = |p: &Proposal| matches!(p.value, Value::Word(Tag::Sealed(_)));
    let behind_product = |promo: &Proposal| {
        let mut products = chosen.iter().filter(|p| is_product(p));
        is_promo(promo) && products.any(|product| product.end == promo.at)
    };
    let mut sets = query.sets.iter().filter(|set| set.is_named());
    let series = sets.find_map(|set| {
        let mut named = reference.catalogue.sets_named(set.place);
        named.next().map(|set| set.series.get())
    });
    series
        .filter(|_| chosen.iter().any(behind_product))
        .unwrap_or(0)
}

/// The series of the set that the title names, if not in that set, but among the promos of the series
/// a card of the title's names has the number.
fn series_of_numbered(catalogue: &Columns<'_>, clue: &NumberClue, query: &Query) -> Option<u32> {
    let number = clue.number?;
    if !matches!(clue.kind, NumberKind::Hash | NumberKind::Prefixed) {
        return None;
    }
    let mut named = query.sets.iter().filter(|set| set.is_named());
    let set = catalogue.sets_named(named.next()?.place).next()?;
    // where no number is printed it is the subject's
    let otherwise = set_flag::PROMO | set_flag::UNPRINTED;
    if set.flags & otherwise != 0 || named.next().is_some() {
        return None;
    }
    let names = query.names.iter().filter(|name| name.chosen);
    let bearers = names.flat_map(|name| catalogue.cards_of_core_numbered(name.core, number));
    let mut sets = bearers.filter_map(|card| {
        let card = catalogue.card_record(card.get())?;
        catalogue.set_record(card)
    });
    let mut promo = false;
    let of_set = sets.any(|of| {
        promo |= of.flags & set_flag::PROMO != 0 && of.series == set.series;
        of.id == set.id
    });
    (promo && !of_set).then(|| set.series.get())
}

/// Writes words of a product's name, or an illustrator's, as the title has them.
pub(crate) fn write_words(writer: &mut Writer<'_, '_, '_>, proposal: &Proposal) {
    let line = writer.readings.context.line;
    let text = line.text(proposal.at as usize, proposal.end as usize);
    writer.chosen(proposal.field, text.to_owned(), proposal);
}
