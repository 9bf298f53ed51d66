//! Words that nothing explains → the names that they may be misspellings of.

use crate::attributes::hit::{Hit, Means};
use crate::attributes::name::NameClue;
use crate::attributes::query::{Query, UNREAD_WORDS};
use crate::attributes::set::{LEAST_CODE, SetClue, SetPart};
use crate::attributes::{name, set};
use crate::catalogue::format::CardRecord;
use crate::catalogue::{AliasKind, Columns, Entry, NameQuality};
use crate::error::Error;
use crate::math::information;
use crate::reference::Reference;
use crate::sort::sort_in_place;
use crate::spelling::{Confusions, Misspelt, SHORTEST_SET, Spelling, Spellings, allowed};
use crate::token::{Class, Line, OneKey, Token};
use once_cell::sync::OnceCell;

/// The most words of a title that are looked up as misspellings, and the most names that are tried
/// for each.
const MISSPELT_WORDS: usize = 6;
const MISSPELT_NAMES: usize = 8;

/// Words that are a misspelt name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Misnamed {
    /// Where they stand in the key.
    pub(crate) at: (u32, u32),
    /// The place of the name in the lexicon.
    pub(crate) place: u32,
    pub(crate) slips: f32,
}

impl Misnamed {
    /// Whether cards with this core bear the name.
    pub(crate) fn is_of(&self, catalogue: &Columns<'_>, core: Option<u32>) -> bool {
        let hit = Hit::whole(self.at, self.place, Means::SUBJECT);
        hit.cores(catalogue).any(|named| Some(named) == core)
    }
}

/// The index of names that misspelt words are compared with.
#[derive(Clone, Debug)]
pub(crate) struct Speller {
    pub(crate) confusions: &'static Confusions,
    /// The names of the catalogue; made when the first misspelt word is met.
    names: OnceCell<Spellings>,
}

impl Speller {
    /// With the confusions of this build.
    ///
    /// # Errors
    /// As [`Confusions::builtin`].
    pub(crate) fn builtin() -> Result<Speller, Error> {
        Ok(Speller {
            confusions: Confusions::builtin()?,
            names: OnceCell::new(),
        })
    }

    fn names(&self, catalogue: &Columns<'_>) -> &Spellings {
        self.names.get_or_init(|| Spellings::of(catalogue))
    }

    /// Finds the names that `words` may be a misspelling of; if `whole` is set, and they are near no
    /// other, among whole names and those of other languages, too.
    pub(crate) fn search(
        &self,
        catalogue: &Columns<'_>,
        (words, whole): (&str, bool),
        misspelt: &mut Misspelt,
    ) {
        let names = self.names(catalogue);
        names.search(catalogue, self.confusions, (words, whole), misspelt);
    }

    /// The letters of a core, by its place; `None` if it is far from all of `words`.
    pub(super) fn near<'w>(
        &self,
        catalogue: &Columns<'_>,
        core: u32,
        words: impl IntoIterator<Item = &'w Spelling>,
    ) -> Option<Spelling> {
        let sketch = self
            .names(catalogue)
            .core(catalogue, self.confusions, core)?;
        let far = |word: &Spelling| sketch.far(word, allowed(word.len().min(sketch.len())));
        if words.into_iter().all(far) {
            return None;
        }
        let key = catalogue.cores.get(core as usize)?.key;
        Some(Spelling::of(self.confusions, catalogue.string(key)))
    }

    /// The slips between words and a longer name that begin and end with the same letters, each given as
    /// what stands between; `None` if they are more than `most`.
    pub(super) fn slips_between(&self, words: &str, name: &str, most: f32) -> Option<f32> {
        let spelling = |text: &str| Spelling::of(self.confusions, text);
        self.confusions
            .between(&spelling(words), &spelling(name), most)
    }

    /// The slips between a word and a name; `None` if they are more than such a word allows.
    pub(super) fn slips(&self, word: &Spelling, name: &Spelling) -> Option<f32> {
        let most = allowed(word.len().min(name.len()));
        self.confusions.between(word, name, most)
    }
}

/// The cores of the names of `cards` but those of `named`, each once.
pub(super) fn gather<'c>(
    catalogue: &Columns<'c>,
    cards: impl Iterator<Item = &'c CardRecord>,
    named: &[NameClue],
    cores: &mut Vec<u32>,
) {
    cores.clear();
    // the cards of a name stand one after another
    let mut before = None;
    for name in cards.filter_map(|card| catalogue.name_record(card)) {
        let core = name.core.get();
        if before.replace(core) != Some(core) && !named.iter().any(|name| name.core == core) {
            cores.push(core);
        }
    }
    cores.sort_unstable();
    cores.dedup();
}

/// Names that words which nothing explains may be misspellings of.
pub(crate) fn search_fuzzily(
    catalogue: &Columns<'_>,
    speller: &Speller,
    line: &Line,
    query: &mut Query,
    misspelt: &mut Misspelt,
) {
    for word in 0..query.unread.len().min(MISSPELT_WORDS) {
        if ask_plural(catalogue, line, query.unread[word], query) {
            continue;
        }
        // `Koga's Traap`, `Brilliat Blender`: words beside it belong to the name, whatever they mean
        let mut phrases = phrases(line, &query.unread, word, &AROUND, SHORTEST_PHRASE);
        let near = phrases.find(|&(at, end)| {
            let text = line.text(at as usize, end as usize);
            // so many whole names are compared with the word alone
            let alone = (at, end) == query.unread[word];
            speller.search(catalogue, (text, alone), misspelt);
            !misspelt.found.is_empty()
        });
        let Some((at, end)) = near else {
            continue;
        };
        for &found in misspelt.found.iter().take(MISSPELT_NAMES) {
            ask_misspelt(catalogue, (at, end), found, query);
        }
    }
}

/// A shorter word that ends in `s` is no plural of a name.
const LEAST_PLURAL: usize = 5;

/// Adds the clue of a subject of which a word is the plural: `3 Pikachus`; whether it is one.
fn ask_plural(
    catalogue: &Columns<'_>,
    line: &Line,
    (at, end): (u32, u32),
    query: &mut Query,
) -> bool {
    let text = line.text(at as usize, end as usize);
    let one = text
        .strip_suffix('s')
        .filter(|one| one.len() >= LEAST_PLURAL);
    let place = one.and_then(|one| catalogue.lexicon().get(one.as_bytes()));
    let Some(place) = place.filter(|&place| Means::of(catalogue, place, u32::MAX).subject) else {
        return false;
    };
    name::ask(
        catalogue,
        &Hit::whole((at, end), place, Means::SUBJECT),
        true,
        query,
    );
    true
}

/// Finds a name of several words of which those that nothing explains are a part, whatever the words
/// beside them mean by themselves: `Rystic Study` is no card called Study. Such a name takes the
/// place of those inside it.
pub(crate) fn search_whole_names(
    reference: &Reference<'_, '_>,
    speller: &Speller,
    line: &Line,
    query: &mut Query,
    misspelt: &mut Misspelt,
) -> Option<Misnamed> {
    let catalogue = reference.catalogue;
    let (from, to) = name_like(line, query)?;
    let tokens = line.tokens();
    // `Archanegl of Thune IMA foil`: a card is called `Foil`
    let unread = query
        .unread
        .iter()
        .filter(|word| word.1 <= tokens[to - 1].end);
    let last = unread.map(|word| tokens.partition_point(|token| token.end <= word.1));
    let unread = last.max().filter(|last| last + 1 < to);
    // the first or the last word may be no part of the name: `Lightening Bolt extra`
    let spans = [(from, to), (from, to - 1), (from + 1, to)];
    let spans = spans.into_iter().chain(unread.map(|last| (from, last)));
    let spans = spans.filter(|(from, to)| *to > from + 1);
    for (from, to) in spans {
        let (at, end) = (tokens[from].at, tokens[to - 1].end);
        let inside = |at_of: u32, end_of: u32| at <= at_of && end_of <= end;
        if ((end - at) as usize) < SHORTEST_PHRASE
            || !query.unread.iter().any(|&(at, end)| inside(at, end))
        {
            continue;
        }
        let text = line.text(at as usize, end as usize);
        speller.search(catalogue, (text, true), misspelt);
        if misspelt.found.is_empty() {
            continue;
        }
        let known = query.names.len();
        for &found in misspelt.found.iter().take(MISSPELT_NAMES) {
            ask_misspelt(catalogue, (at, end), found, query);
        }
        name::keep_games(reference, query, known);
        if query.names.len() > known {
            let mut seen = 0;
            query.names.retain(|name| {
                seen += 1;
                seen > known || !inside(name.at, name.end)
            });
            let at = (at, end);
            // of those that are left
            let named = |core: u32| {
                let mut names = query.names.iter();
                names.any(|name| (name.at, name.end) == at && name.core == core)
            };
            let left = |&&(place, _): &&(u32, f32)| {
                let hit = Hit::whole(at, place, Means::SUBJECT);
                hit.cores(catalogue).any(named)
            };
            let &(place, slips) = misspelt.found.iter().find(left)?;
            return Some(Misnamed { at, place, slips });
        }
    }
    None
}

/// The tokens that may be one name with the first word that nothing explains: other such words, names,
/// and short words between them (`of the`).
fn name_like(line: &Line, query: &Query) -> Option<(usize, usize)> {
    let tokens = line.tokens();
    let &(at, end) = query.unread.first()?;
    let covers = |token: usize, (at, end): (u32, u32)| {
        let token = &tokens[token];
        at <= token.at && token.end <= end
    };
    let belongs = |token: usize| {
        let mut names = query.names.iter().filter(|name| name.chosen);
        query.unread.iter().any(|&word| covers(token, word))
            || names.any(|name| covers(token, (name.at, name.end)))
    };
    let between = |token: usize| (tokens[token].end - tokens[token].at) as usize <= LONGEST_BETWEEN;
    let mut from = line.token_at(at as usize);
    let mut to = (tokens.partition_point(|token| token.end < end) + 1).min(tokens.len());
    // the next token that belongs to the name, with few short ones before it
    let reached = |places: &mut dyn Iterator<Item = usize>| {
        let mut places = places.take(MOST_BETWEEN + 1);
        places
            .find(|&at| belongs(at) || !between(at))
            .filter(|&at| belongs(at))
    };
    while let Some(next) = reached(&mut (to..tokens.len())) {
        to = next + 1;
    }
    while let Some(before) = reached(&mut (0..from).rev()) {
        from = before;
    }
    // `Birds of Paradice`, where `Birds` is read as something else
    let joins = |token: &Token| {
        token.class == Class::Latin && (token.end - token.at) as usize <= LONGEST_JOINING
    };
    if to - from == 1 && from > 1 && joins(&tokens[from - 1]) {
        from -= 2;
    }
    (2..=MOST_WORDS_OF_NAME)
        .contains(&(to - from))
        .then_some((from, to))
}

/// The most words between those of a name, and the most bytes of each: `of the`, `Black`.
const MOST_BETWEEN: usize = 2;
const LONGEST_BETWEEN: usize = 5;
/// The most bytes of a word that joins the last word of a name to others: `of`, `the`.
const LONGEST_JOINING: usize = 3;
/// More words than these are no name.
const MOST_WORDS_OF_NAME: usize = 7;

/// Adds the clues of a misspelt name, by its place in the lexicon.
pub(super) fn ask_misspelt(
    catalogue: &Columns<'_>,
    (at, end): (u32, u32),
    (place, slips): (u32, f32),
    query: &mut Query,
) {
    let before = query.names.len();
    let hit = Hit::whole((at, end), place, Means::SUBJECT);
    name::ask(catalogue, &hit, true, query);
    for clue in &mut query.names[before..] {
        (clue.quality, clue.slips) = (NameQuality::Fuzzy, slips);
    }
}

/// The least letters of a word beside a set that may be a slip of the name of a longer one.
const LEAST_BESIDE_SET: u32 = 3;

/// Whether a word that nothing explains stands right beside the name of a set, in a title that states no
/// number with a total: the two may be a slip of a longer name, `Expediton Base Set`.
pub(crate) fn is_beside_set(line: &Line, query: &Query) -> bool {
    let beside = |&(at, end): &(u32, u32)| {
        let mut sets = query.sets.iter();
        let letters = || line.text(at as usize, end as usize).bytes();
        end - at >= LEAST_BESIDE_SET
            && letters().all(|byte| byte.is_ascii_lowercase())
            && sets.any(|set| {
                let named = set.chosen && set.is_named() && set.kind < AliasKind::Code as u8;
                named && (set.end == at || set.at == end)
            })
    };
    let named = || query.names.iter().any(|name| name.chosen);
    let numbered = query.numbers.iter().any(|number| number.has_total);
    !numbered && query.unread.iter().any(beside) && named()
}

/// Names of sets that words which nothing explains may be misspellings or parts of. Only a set of
/// which some candidate is becomes a clue, so only the names of those are compared; whether one
/// does.
pub(crate) fn search_sets(
    catalogue: &Columns<'_>,
    speller: &Speller,
    line: &Line,
    candidates: &[u32],
    query: &mut Query,
    misspelt: &mut Misspelt,
) -> bool {
    // a name without a set, or the set would be of nothing
    if query.unread.is_empty() || !query.names.iter().any(|name| name.chosen) {
        return false;
    }
    if ask_code(catalogue, line, query)
        || search_names_of_sets(
            catalogue,
            (speller, &mut |_, _| true),
            (line, candidates),
            query,
            misspelt,
        )
    {
        return true;
    }
    let products = search_product_words(catalogue, speller, line, candidates, query);
    search_set_words(catalogue, speller, line, query, misspelt) || products
}

/// Names of sets, as long as the words that are a slip of them, that take the place of all sets which the
/// title names; whether there is one.
pub(crate) fn search_longer_sets(
    catalogue: &Columns<'_>,
    speller: &Speller,
    line: &Line,
    candidates: &[u32],
    query: &mut Query,
    (misspelt, one_key): (&mut Misspelt, &mut OneKey),
) -> bool {
    // `Base Set Holoo` is near `Base Set ll`
    let mut as_long = |place: u32, words: &str| {
        catalogue.sets_named(place).any(|set| {
            let mut names = [set.name, set.local_name].into_iter();
            names.any(|name| {
                let key = one_key.key_of(catalogue.string(name));
                key.len().abs_diff(words.len()) <= 1
            })
        })
    };
    search_names_of_sets(
        catalogue,
        (speller, &mut as_long),
        (line, candidates),
        query,
        misspelt,
    )
}

/// Whether the place of a name in the lexicon fits words.
type Fits<'f> = &'f mut dyn FnMut(u32, &str) -> bool;

/// The same of the sets of candidates alone, where the place of a name and the words `fit`.
fn search_names_of_sets(
    catalogue: &Columns<'_>,
    (speller, fit): (&Speller, Fits<'_>),
    (line, candidates): (&Line, &[u32]),
    query: &mut Query,
    misspelt: &mut Misspelt,
) -> bool {
    let spellings = speller.names(catalogue);
    let spellings = spellings.sets(catalogue, speller.confusions);
    let cards = candidates.iter();
    let cards = cards.filter_map(|&card| catalogue.card_record(card));
    spellings.gather(cards.map(|card| card.set.get()), misspelt);
    for word in 0..query.unread.len().min(PHRASES) {
        // `Sky Promos` are no misspelt `SM Promos`; `Neo Discoverys`
        let (from, to) = query.unread[word];
        let text = line.text(from as usize, to as usize);
        let alone = query.unread.get(word + 1).is_none_or(|next| next.0 != to);
        if alone && text.is_ascii() && text.len() < LEAST_MISSPELT {
            continue;
        }
        for (at, end) in phrases(line, &query.unread, word, &AROUND_OF_SET, SHORTEST_SET) {
            // `Prismatc Evolutions`: `Evolutions` is a set by itself
            let inside = |set: &SetClue| at <= set.at && set.end <= end;
            if query.sets.iter().any(|set| set.chosen && !inside(set)) {
                continue;
            }
            let mut nearest = |end: u32| {
                let text = line.text(at as usize, end as usize);
                let place = spellings.nearest(speller.confusions, misspelt, text);
                place.filter(|&place| fit(place, text))
            };
            let Some(place) = nearest(end) else {
                continue;
            };
            // `Baae Set 2`
            let longer = with_digit(line, end).and_then(|end| Some((end, nearest(end)?)));
            let longer = longer.filter(|longer| longer.1 != place);
            let (end, place) = longer.unwrap_or((end, place));
            let inside = |set: &SetClue| at <= set.at && set.end <= end;
            query.sets.retain(|set| !inside(set));
            let hit = Hit::whole((at, end), place, Means::SET);
            set::ask(catalogue, &hit, true, query);
            return true;
        }
    }
    false
}

/// The end of the one digit that stands by itself behind byte `end` of the key, as in `Base Set 2`.
fn with_digit(line: &Line, end: u32) -> Option<u32> {
    let next = line.token_at(end as usize);
    let digit = line.tokens().get(next)?;
    let alone = line.tokens().get(next + 1).is_none_or(|token| !token.glued);
    let one = digit.class == Class::Digit && digit.end - digit.at == 1;
    (one && !digit.glued && alone).then_some(digit.end)
}

/// Adds the clue of the set whose code a word is that nothing explains, in small letters or far from
/// the name, if the set has a card of a name of the title; whether there is one: `baerage tyrant bfz`.
fn ask_code(catalogue: &Columns<'_>, line: &Line, query: &mut Query) -> bool {
    let named = |set: &SetClue| set.chosen && set.is_named();
    if query.sets.iter().any(named) {
        return false;
    }
    let chosen = || query.names.iter().filter(|name| name.chosen);
    let cores = || chosen().map(|name| name.core);
    let code = |&(at, end): &(u32, u32)| {
        let text = line.text(at as usize, end as usize);
        let long = text.len() >= LEAST_CODE;
        let place = catalogue.lexicon().get(text.as_bytes()).filter(|_| long)?;
        let hit = Hit::whole((at, end), place, Means::SET);
        let mut sets = hit.sets(catalogue);
        let of_name = |set: Entry| {
            set.quality() == AliasKind::Code as u8
                && cores().any(|core| catalogue.has_core(set.id(), core))
        };
        sets.any(of_name).then_some(hit)
    };
    let Some(hit) = query.unread.iter().find_map(code) else {
        return false;
    };
    set::ask(catalogue, &hit, true, query);
    true
}

/// Shorter words of Latin letters that nothing explains are no misspelt part of a set's name.
const LEAST_MISSPELT: usize = 4;

/// The first words that nothing explains, and where they stand, of those that are long enough to be
/// a part of a name: in Latin letters of [`LEAST_PART`] bytes, in others of `least`.
fn long_words<'l>(
    unread: &'l [(u32, u32)],
    line: &'l Line,
    least: usize,
) -> impl Iterator<Item = ((u32, u32), &'l str)> {
    let words = unread.iter().take(MISSPELT_WORDS);
    let words = words.map(|&(at, end)| ((at, end), line.text(at as usize, end as usize)));
    let least = move |word: &str| if word.is_ascii() { LEAST_PART } else { least };
    words.filter(move |(_, word)| word.len() >= least(word))
}

/// The products of candidates of whose names words that nothing explains are a part; whether there
/// are any: `参加賞`.
fn search_product_words(
    catalogue: &Columns<'_>,
    speller: &Speller,
    line: &Line,
    candidates: &[u32],
    query: &mut Query,
) -> bool {
    let cards = candidates
        .iter()
        .filter_map(|&card| catalogue.card_record(card));
    let products = cards
        .map(|card| card.product.get())
        .filter(|product| *product != 0);
    let parts = &mut query.product_parts;
    parts.clear();
    parts.extend(products.map(|product| (product, 0.0)));
    sort_in_place(parts, |a, b| a.0 < b.0);
    parts.dedup_by_key(|part| part.0);
    if parts.is_empty() {
        return false;
    }
    let names = speller.names(catalogue).products(catalogue);
    let sets = catalogue.set_count() as f32;
    for (_, word) in long_words(&query.unread, line, LEAST_PART_OF_PRODUCT) {
        let has = |product: u16| {
            let name = names.get(usize::from(product));
            name.is_some_and(|name| name.contains(word))
        };
        let found = parts.iter().filter(|part| has(part.0)).count();
        let nats = information(sets, found as u32);
        let found = parts.iter_mut().filter(|part| found > 0 && has(part.0));
        found.for_each(|part| part.1 = part.1.max(nats));
    }
    parts.retain(|part| part.1 > 0.0);
    !parts.is_empty()
}

/// The sets of candidates of whose names words that nothing explains are a part, where no set is
/// named in full; whether there are any.
fn search_set_words(
    catalogue: &Columns<'_>,
    speller: &Speller,
    line: &Line,
    query: &mut Query,
    misspelt: &Misspelt,
) -> bool {
    if query.sets.iter().any(|set| set.is_named()) {
        return false;
    }
    let names = speller.names(catalogue).sets(catalogue, speller.confusions);
    let sets = catalogue.set_count() as f32;
    for ((at, end), word) in long_words(&query.unread, line, LEAST_PART_OF_ASIA) {
        let from = query.set_parts.len();
        names.for_each_with(speller.confusions, misspelt, word, |set| {
            query.set_parts.push(SetPart {
                set,
                nats: 0.0,
                at,
                end,
            });
        });
        let found = &mut query.set_parts[from..];
        let nats = information(sets, found.len() as u32).max(0.0);
        found.iter_mut().for_each(|part| part.nats = nats);
    }
    // of a set that several words tell, the one that tells most
    sort_in_place(&mut query.set_parts, |a, b| {
        let sets = a.set.cmp(&b.set);
        let told = sets.then(b.nats.total_cmp(&a.nats));
        told.then(a.at.cmp(&b.at)).is_lt()
    });
    query.set_parts.dedup_by_key(|part| part.set);
    !query.set_parts.is_empty()
}

/// A word of fewer bytes is a part of some name by chance.
const LEAST_PART: usize = 5;
/// The same of one that is not of Latin letters, which have three bytes or more.
const LEAST_PART_OF_ASIA: usize = 9;
/// The same of the name of a product, which is compared for the cards of a name alone: two kanji.
const LEAST_PART_OF_PRODUCT: usize = 6;
/// A shorter phrase, in bytes, is near some name by chance.
const SHORTEST_PHRASE: usize = 9;
/// Words before and behind a misspelt one that are looked up together with it, the nearest first.
const AROUND: [(usize, usize); 3] = [(0, 0), (0, 1), (1, 0)];

/// The same in a set, whose names are few: `Preium Power Pro`, `Rare Cady`.
pub(super) const SHORTEST_IN_SET: usize = 6;
const AROUND_IN_SET: &[(usize, usize)] = AROUND_OF_SET.split_at(6).0;
/// The same of the names of sets, whose last word may be misspelt: `Wings of the Captian`.
const AROUND_OF_SET: [(usize, usize); 8] = [
    (0, 0),
    (0, 1),
    (1, 0),
    (1, 1),
    (0, 2),
    (2, 0),
    (0, 3),
    (3, 0),
];
/// The most words of a title that are looked up with their neighbours.
pub(super) const PHRASES: usize = 3;

/// An unread word, and the phrases of the title that contain it and at least `shortest` bytes; they
/// have so many words before and behind it as `around` says.
pub(super) fn phrases<'l>(
    line: &'l Line,
    unread: &[(u32, u32)],
    word: usize,
    around: &'static [(usize, usize)],
    shortest: usize,
) -> impl Iterator<Item = (u32, u32)> + use<'l> {
    let (at, end) = unread[word];
    let tokens = line.tokens();
    let first = line.token_at(at as usize);
    let last = tokens.partition_point(|token| token.end < end);
    // the phrase with an unread word before it was looked up with that word
    let after_unread = word > 0 && unread[word - 1].1 == at;
    around.iter().filter_map(move |&(before, behind)| {
        let from = tokens.get(first.checked_sub(before)?)?.at;
        let to = tokens.get(last + behind)?.end;
        let phrase = before + behind > 0;
        let fits =
            word < PHRASES && (to - from) as usize >= shortest && !(before > 0 && after_unread);
        (!phrase || fits).then_some((from, to))
    })
}

/// Compares the words that nothing explains with the names of the candidates, each name once.
pub(crate) fn compare_spellings(
    catalogue: &Columns<'_>,
    speller: &Speller,
    line: &Line,
    candidates: &[u32],
    query: &mut Query,
    cores: &mut Vec<u32>,
) {
    query.alike.clear();
    // `Professor Turo's Secnario`: the words beside it may be of the name, too
    let around = (0..query.unread.len().min(PHRASES)).flat_map(|word| {
        phrases(
            line,
            &query.unread,
            word,
            &AROUND_IN_SET[1..],
            SHORTEST_PHRASE,
        )
    });
    let unread = query.unread.iter().copied().chain(around);
    let unread = unread.map(|(at, end)| line.text(at as usize, end as usize));
    let unread = unread.filter(|word| allowed(word.chars().count()) > 0.0);
    let mut unread = unread.peekable();
    if unread.peek().is_none() {
        return;
    }
    let cards = candidates.iter();
    let cards = cards.filter_map(|&card| catalogue.card_record(card));
    // of names that are read the slips are known
    gather(catalogue, cards, &query.names, cores);
    if cores.is_empty() {
        return;
    }
    let mut words = [None; UNREAD_WORDS + PHRASES * (AROUND_IN_SET.len() - 1)];
    for (slot, word) in words.iter_mut().zip(unread) {
        *slot = Some(Spelling::of(speller.confusions, word));
    }
    for &core in cores.iter() {
        let Some(name) = speller.near(catalogue, core, words.iter().flatten()) else {
            continue;
        };
        let slips = words.iter().flatten();
        let slips = slips.filter_map(|word| speller.slips(word, &name));
        // a slip in a short word leaves less of it
        if let Some(slips) = slips.min_by(f32::total_cmp) {
            let alike = 1.0 - slips / name.len().max(1) as f32;
            query.alike.push((core, alike));
        }
    }
}
