//! What tells cards of one character or kind apart, where it stands away from their name:
//! `King of DunBroch Fergus`, `Iceberg DON!! Card`.

use super::name::NameClue;
use super::query::Query;
use crate::catalogue::{Columns, NameQuality};
use crate::math::information;
use crate::token::{Cut, Line};

/// An epithet of fewer bytes stands in titles by chance.
const LEAST: usize = 3;

/// Of names whose first part the title has, finds the one whose rest stands elsewhere in it: the
/// title then has the whole name, and the others lack a part of theirs.
pub(crate) fn find(catalogue: &Columns<'_>, line: &Line, query: &mut Query) {
    let head = |clue: &NameClue| {
        let short = matches!(clue.quality, NameQuality::Derived | NameQuality::Nickname);
        clue.rest && !clue.subject && short
    };
    let Some(first) = query.names.iter().find(|clue| head(clue)) else {
        return;
    };
    let words = (first.at, first.end);
    let names = || {
        let clues = query.names.iter().filter(|clue| head(clue));
        clues.filter(|clue| (clue.at, clue.end) == words)
    };
    let rest = |clue: &NameClue| {
        let name = catalogue.names.get(clue.name? as usize)?;
        let rest = catalogue.string(name.rest);
        stands(line, rest, words).then_some((rest.len(), name.cards.get()))
    };
    // `Nami Gold` says more than `Nami`
    let Some((longest, _)) = names().filter_map(rest).max() else {
        return;
    };
    let cards = catalogue.card_count().max(1) as f32;
    for clue in &mut query.names {
        if !head(clue) || (clue.at, clue.end) != words {
            continue;
        }
        match rest(clue) {
            Some((length, bearing)) if length == longest => {
                clue.whole_idf = information(cards, bearing);
                clue.quality = NameQuality::Derived;
            }
            _ => (clue.name, clue.rest) = (None, false),
        }
    }
}

/// Whether the title has `rest` as words of its own, apart from `words`.
fn stands(line: &Line, rest: &str, (at, end): (u32, u32)) -> bool {
    let whole = |from: usize| {
        let to = from + rest.len();
        let apart = to <= at as usize || end as usize <= from;
        apart && line.cut(from) > Cut::None && line.cut(to) > Cut::None
    };
    rest.len() >= LEAST && line.places_of(rest.as_bytes()).any(whole)
}
