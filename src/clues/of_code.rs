//! Words beside a number with the code of a set → the name of its card that they may be a misspelling of.

use super::misspelt::{Misnamed, Speller, ask_misspelt};
use crate::attributes::query::Query;
use crate::catalogue::Columns;
use crate::catalogue::format::CardRecord;
use crate::spelling::{LONGEST, allowed};
use crate::token::{Line, OneKey};

/// No more cards bear a number with the code of a set, but for reprints of other arts.
const MOST_CARDS: usize = 8;
/// A shorter name is near other words by chance, in letters.
const SHORTEST: usize = 9;

/// Finds the whole name of the card whose number the title states with the code of its set, which
/// words of the title are a misspelling of, whatever some of them mean by themselves: `Starving Venom
/// Fusion Drsgon MP17-EN147`. It takes the place of the names inside it. All names of so few cards
/// are compared, in all languages and as long as they are.
pub(crate) fn search_name_of_code(
    catalogue: &Columns<'_>,
    speller: &Speller,
    line: &Line,
    query: &mut Query,
    one_key: &mut OneKey,
) -> Option<Misnamed> {
    let coded = query.numbers.iter().filter(|number| number.coded);
    let numbers = coded.filter_map(|clue| clue.number);
    let cards = numbers
        .flat_map(|number| catalogue.cards_of_number(number))
        .take(MOST_CARDS)
        .filter_map(|card| catalogue.card_record(card.get()));
    let mut found: Option<Misnamed> = None;
    for card in cards {
        let core = catalogue.name_record(card).map(|name| name.core.get());
        if query
            .names
            .iter()
            .any(|name| name.chosen && Some(name.core) == core)
        {
            return None;
        }
        for name in names(catalogue, card) {
            let key = one_key.key_of(name);
            let most = found.as_ref().map_or(f32::INFINITY, |found| found.slips);
            let near = nearest(speller, line, query, key);
            let place = || catalogue.lexicon().get(key.as_bytes());
            if let Some((at, slips)) = near.filter(|near| near.1 < most)
                && let Some(place) = place()
            {
                found = Some(Misnamed { at, place, slips });
            }
        }
    }
    let found = found?;
    let (at, end) = found.at;
    let inside = |from: u32, to: u32| at <= from && to <= end;
    query.names.retain(|name| !inside(name.at, name.end));
    query.unread.retain(|word| !inside(word.0, word.1));
    ask_misspelt(catalogue, found.at, (found.place, found.slips), query);
    Some(found)
}

/// The names of a card, in all languages.
fn names<'c>(catalogue: &Columns<'c>, card: &'c CardRecord) -> impl Iterator<Item = &'c str> {
    let own = catalogue.name_record(card).map(|name| name.text);
    let locals = catalogue.locals(card).iter().map(|local| local.name);
    let catalogue = *catalogue;
    own.into_iter()
        .chain(locals)
        .map(move |name| catalogue.string(name))
}

/// The words of the title, one of them unread, that are nearest to a name, and the slips in them.
fn nearest(speller: &Speller, line: &Line, query: &Query, key: &str) -> Option<((u32, u32), f32)> {
    let letters = key.chars().count();
    if letters < SHORTEST {
        return None;
    }
    let most = allowed(letters);
    let tokens = line.tokens();
    // a letter of Latin is a byte, one of kana three
    let off = (most.ceil() as usize) * if key.is_ascii() { 1 } else { 3 };
    let mut nearest: Option<((u32, u32), f32)> = None;
    for (first, token) in tokens.iter().enumerate() {
        let ends = tokens[first..].iter().map(|last| last.end);
        let long = |end: &u32| key.len().abs_diff((end - token.at) as usize) <= off;
        for end in ends.filter(long) {
            let unread = |word: &(u32, u32)| token.at <= word.0 && word.1 <= end;
            if !query.unread.iter().any(unread) {
                continue;
            }
            let words = line.text(token.at as usize, end as usize);
            let (words, name) = differing(words, key);
            let short = |text: &str| text.chars().count() <= LONGEST;
            if !short(words) || !short(name) {
                continue;
            }
            let slips = speller.slips_between(words, name, most);
            let nearer = |slips: &f32| nearest.is_none_or(|nearest| *slips < nearest.1);
            if let Some(slips) = slips.filter(nearer) {
                nearest = Some(((token.at, end), slips));
            }
        }
    }
    nearest
}

/// What is left of two texts without the letters that both begin and end with.
fn differing<'t>(a: &'t str, b: &'t str) -> (&'t str, &'t str) {
    let same = |(a, b): &(char, char)| a == b;
    let letters = a.chars().zip(b.chars()).take_while(same);
    let begin: usize = letters.map(|(letter, _)| letter.len_utf8()).sum();
    let (a, b) = (&a[begin..], &b[begin..]);
    let letters = a.chars().rev().zip(b.chars().rev()).take_while(same);
    let end: usize = letters.map(|(letter, _)| letter.len_utf8()).sum();
    (&a[..a.len() - end], &b[..b.len() - end])
}

#[cfg(test)]
mod tests {
    use super::differing;

    #[test]
    fn letters_at_both_ends_are_left_out() {
        assert_eq!(differing("fusiondrsgon", "fusiondragon"), ("s", "a"));
        assert_eq!(differing("fusiondragon", "fusiondragon"), ("", ""));
        assert_eq!(differing("aab", "ab"), ("a", ""));
        assert_eq!(differing("サブテラ", "サブテラー"), ("", "ー"));
    }
}
