//! [`Spellings`]: the names of the catalogue that a misspelt word may mean.

use super::confusions::Confusions;
use super::letters::{CLASSES, Letters, Places, Sketch, Spelling, class, slips};
use super::{LEAST_OF_CUT, LONGEST, SOUND, allowed, is_cut_off};
use crate::catalogue::{AliasKind, Columns, Entry, EntryKind, Marks, NameQuality};
use crate::keep::keep;
use crate::sort::sort_in_place;
use crate::token::key_of;
use once_cell::sync::OnceCell;
use std::ops::RangeInclusive;

/// Shorter names are compared with nothing: a slip in them leaves too little.
const SHORTEST: usize = 4;
/// Shorter names that are no subject's, in letters, are compared with nothing: of so many names in so
/// many languages one is near most short words.
const SHORTEST_WHOLE: usize = 10;
/// Shorter names of sets, and phrases that may be one, are compared with nothing: they are words that
/// a title may well mean.
pub(crate) const SHORTEST_SET: usize = 6;

/// The names that misspelt words are compared with, each prepared when the first word needs it.
#[derive(Debug, Clone)]
pub(crate) struct Spellings {
    /// Subjects in all languages, and names in English without what tells their cards apart.
    names: OnceCell<Index>,
    /// The others without marks: names in all languages, and with what tells their cards apart.
    whole: OnceCell<Index>,
    sets: OnceCell<SetNames>,
    /// The key of the name of each product of the catalogue.
    products: OnceCell<Vec<String>>,
    /// Of each core of the catalogue.
    cores: Box<[OnceCell<Sketch>]>,
}

impl Spellings {
    /// An empty index for the names of `catalogue`; none is prepared yet.
    pub(crate) fn of(catalogue: &Columns<'_>) -> Spellings {
        Spellings {
            names: OnceCell::new(),
            whole: OnceCell::new(),
            sets: OnceCell::new(),
            products: OnceCell::new(),
            cores: std::iter::repeat_with(OnceCell::new)
                .take(catalogue.cores.len())
                .collect(),
        }
    }

    /// The sketch of the name of a core.
    pub(crate) fn core(
        &self,
        catalogue: &Columns<'_>,
        confusions: &Confusions,
        core: u32,
    ) -> Option<&Sketch> {
        let record = catalogue.cores.get(core as usize)?;
        let sketch = || Sketch::of(&Spelling::of(confusions, catalogue.string(record.key)));
        self.cores
            .get(core as usize)
            .map(|cell| cell.get_or_init(sketch))
    }

    /// Finds the names that `word` may be a misspelling of; whole names and those of other languages
    /// only if `whole` is set and it is near no other.
    pub(crate) fn search(
        &self,
        catalogue: &Columns<'_>,
        confusions: &Confusions,
        (word, whole): (&str, bool),
        memory: &mut Misspelt,
    ) {
        let word = Spelling::of(confusions, word);
        self.names
            .get_or_init(|| Index::of_cores(catalogue, confusions))
            .search(confusions, &word, memory);
        // a letter of a name may be missing
        if whole && memory.found.is_empty() && word.len() >= SHORTEST_WHOLE - 1 {
            self.whole
                .get_or_init(|| Index::of_whole_names(catalogue, confusions))
                .search(confusions, &word, memory);
        }
    }

    /// The keys of the names of products, by product.
    pub(crate) fn products(&self, catalogue: &Columns<'_>) -> &[String] {
        self.products
            .get_or_init(|| catalogue.product_names().map(key_of).collect())
    }

    /// The names of sets, by set.
    pub(crate) fn sets(&self, catalogue: &Columns<'_>, confusions: &Confusions) -> &SetNames {
        self.sets
            .get_or_init(|| SetNames::of(catalogue, confusions))
    }
}

/// Hands on the keys of the lexicon that name what is `wanted` and have so many `letters`, with the
/// places of their meanings: one walk through the lexicon.
fn for_each_name(
    catalogue: &Columns<'_>,
    letters: RangeInclusive<usize>,
    wanted: impl Fn(&Entry) -> bool,
    mut found: impl FnMut(&str, u32),
) {
    let places = catalogue.places_of(wanted);
    let wanted = |place: u32| places.get(place as usize).is_some_and(|&wanted| wanted);
    catalogue.lexicon().for_each_of(wanted, |key, place| {
        let Ok(key) = std::str::from_utf8(key) else {
            return;
        };
        if letters.contains(&key.chars().count()) {
            found(key, place);
        }
    });
}

/// Names that misspelt words are compared with.
#[derive(Debug, Clone, Default)]
struct List {
    names: Vec<Name>,
    /// Their letters, one name behind the other.
    texts: String,
}

/// A name of a [`List`].
#[derive(Debug, Clone, Copy)]
struct Name {
    /// Number of its letters.
    len: u32,
    /// The place of its meanings in the lexicon.
    place: u32,
    /// Where it stands in [`List::texts`].
    text: (u32, u32),
}

impl List {
    /// The name `key`, for [`List::names`].
    fn name(&mut self, spelling: &Spelling, key: &str, place: u32) -> Name {
        let from = self.texts.len() as u32;
        self.texts.push_str(key);
        Name {
            len: spelling.len() as u32,
            place,
            text: (from, self.texts.len() as u32),
        }
    }

    /// The letters of a name.
    fn text(&self, name: u32) -> &str {
        let (from, to) = self.names[name as usize].text;
        &self.texts[from as usize..to as usize]
    }

    /// The most slips that `word`, which may have `most`, may be away from a name.
    fn bound(&self, name: u32, most: f32) -> f32 {
        most.min(allowed(self.names[name as usize].len as usize))
    }

    /// The slips between a name and `word`, which may have `most`; `None` if there are more.
    fn between(
        &self,
        confusions: &Confusions,
        name: u32,
        word: &Spelling,
        most: f32,
    ) -> Option<f32> {
        confusions.between(
            word,
            &Spelling::of(confusions, self.text(name)),
            self.bound(name, most),
        )
    }
}

/// Names that misspelt words are compared with, found by their letters and by their sounds.
#[derive(Debug, Clone, Default)]
struct Index {
    list: List,
    written: Shelf,
    spoken: Shelf,
}

impl Index {
    /// As [`Spellings::names`].
    fn of_cores(catalogue: &Columns<'_>, confusions: &Confusions) -> Index {
        let core = |entry: &Entry| entry.kind() == EntryKind::Core;
        Index::of(catalogue, confusions, SHORTEST..=LONGEST, core)
    }

    /// As [`Spellings::whole`].
    fn of_whole_names(catalogue: &Columns<'_>, confusions: &Confusions) -> Index {
        let whole = |entry: &Entry| {
            let name = || catalogue.names.get(entry.id() as usize);
            entry.kind() == EntryKind::Name
                && entry.name_quality() == NameQuality::Printed
                && name().is_some_and(|name| name.marks() == Marks::default())
        };
        Index::of(catalogue, confusions, SHORTEST_WHOLE..=LONGEST, whole)
    }

    /// The names of `catalogue` that are `wanted` and have so many `letters`.
    fn of(
        catalogue: &Columns<'_>,
        confusions: &Confusions,
        letters: RangeInclusive<usize>,
        wanted: impl Fn(&Entry) -> bool,
    ) -> Index {
        let mut names = Index::default();
        for_each_name(catalogue, letters, wanted, |key, place| {
            names.push(confusions, key, place);
        });
        names.index();
        names
    }

    fn push(&mut self, confusions: &Confusions, key: &str, place: u32) {
        let number = self.list.names.len() as u32;
        let spelling = Spelling::of(confusions, key);
        if spelling.len() <= LONGEST {
            self.written.push(number, &spelling.letters);
            self.spoken.push(number, &spelling.sound);
        }
        let name = self.list.name(&spelling, key, place);
        self.list.names.push(name);
    }

    /// Makes the names ready to be found.
    fn index(&mut self) {
        self.written.index();
        self.spoken.index();
    }

    /// Collects the names that `word`, which may have `most` slips, may be near: all that are, each
    /// once, and few that are not.
    fn near(&self, word: &Spelling, most: f32, near: &mut Vec<u32>) {
        near.clear();
        let written = |len| most.min(allowed(len as usize));
        self.written.near(&word.letters, &written, near);
        self.spoken.near(&word.sound, &|_| most - SOUND, near);
        near.sort_unstable();
        near.dedup();
    }

    /// As [`Spellings::search`], of these names.
    fn search(&self, confusions: &Confusions, word: &Spelling, memory: &mut Misspelt) {
        let Misspelt { near, found, .. } = memory;
        found.clear();
        let most = allowed(word.len());
        if most == 0.0 || word.len() > LONGEST {
            return;
        }
        self.near(word, most, near);
        found.extend(near.iter().filter_map(|&name| {
            let slips = self.list.between(confusions, name, word, most)?;
            Some((self.list.names[name as usize].place, slips))
        }));
        sort_in_place(found, |a, b| {
            a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)).is_lt()
        });
    }
}

/// The names of sets that misspelt words are compared with.
#[derive(Debug, Clone)]
pub(crate) struct SetNames {
    list: List,
    /// For each set its names.
    of_set: Vec<Vec<NameOfSet>>,
}

/// The first bytes of a name: most names that words do not begin are told apart by them, without a
/// look at their letters.
type Head = [u8; LEAST_OF_CUT];

/// A name of a set.
#[derive(Debug, Clone, Copy)]
struct NameOfSet {
    head: Head,
    sketch: Sketch,
    /// Its place in [`SetNames::list`].
    name: u32,
    set: u32,
}

impl SetNames {
    fn of(catalogue: &Columns<'_>, confusions: &Confusions) -> SetNames {
        let names_set = |entry: &Entry| {
            entry.kind() == EntryKind::Set && entry.quality() < AliasKind::Code as u8
        };
        let mut list = List::default();
        let mut of_set = vec![Vec::new(); catalogue.set_count()];
        let letters = SHORTEST_SET..=usize::MAX;
        for_each_name(catalogue, letters, names_set, |key, place| {
            // the end of a shorter name is no letters
            let mut head = Head::default();
            for (first, byte) in head.iter_mut().zip(key.bytes()) {
                *first = byte;
            }
            let spelling = Spelling::of(confusions, key);
            let name = list.names.len() as u32;
            let listed = list.name(&spelling, key, place);
            list.names.push(listed);
            for entry in catalogue.entries(place).filter(names_set) {
                if let Some(of_set) = of_set.get_mut(entry.id() as usize) {
                    of_set.push(NameOfSet {
                        head,
                        sketch: Sketch::of(&spelling),
                        name,
                        set: entry.id(),
                    });
                }
            }
        });
        SetNames { list, of_set }
    }

    /// Notes the names of `sets`, which may stand there several times, for [`SetNames::nearest`].
    pub(crate) fn gather(&self, sets: impl Iterator<Item = u32>, memory: &mut Misspelt) {
        let Misspelt { held, names, .. } = memory;
        held.clear();
        for set in sets {
            let (word, bit) = (set as usize / 64, 1 << (set % 64));
            if held.len() <= word {
                held.resize(word + 1, 0);
            }
            held[word] |= bit;
        }
        names.clear();
        for set in all_bits(held) {
            names.extend_from_slice(self.of_set.get(set).map_or(&[], Vec::as_slice));
        }
    }

    /// The nearest of the names that [`SetNames::gather`] has noted that `words` may be a
    /// misspelling of, or the beginning: the place of its meanings in the lexicon.
    pub(crate) fn nearest(
        &self,
        confusions: &Confusions,
        memory: &mut Misspelt,
        words: &str,
    ) -> Option<u32> {
        let word = Spelling::of(confusions, words);
        let most = allowed(word.len());
        if most == 0.0 || word.len() > LONGEST {
            return None;
        }
        let Misspelt {
            names,
            near: places,
            ..
        } = memory;
        // hardly any is near, and which is nearly so cannot be guessed
        let most_slips = (slips(most), slips(most - SOUND));
        let sketch = |place: u32| names.get(place as usize).map(|name| &name.sketch);
        let as_long = |place| sketch(place).is_some_and(|name| name.is_as_long(&word, most_slips));
        let about = |place| sketch(place).is_some_and(|name| name.is_about(&word, most_slips));
        places.clear();
        places.extend(0..names.len() as u32);
        keep(places, 0, as_long);
        keep(places, 0, about);
        let between = |held: &NameOfSet| {
            let slips = self.list.between(confusions, held.name, &word, most)?;
            Some((slips, self.list.names[held.name as usize].place))
        };
        let near =
            |held: &&NameOfSet| held.sketch.len() <= LONGEST && !held.sketch.far(&word, most);
        // of those that are as near, the first in the lexicon
        let order = |a: &(f32, u32), b: &(f32, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        let about = places.iter().filter_map(|&place| names.get(place as usize));
        let nearest = about.filter(near).filter_map(between).min_by(order);
        nearest
            .map(|(_, place)| place)
            .or_else(|| self.begun(words, names))
    }

    /// Hands on those of the sets whose names [`SetNames::gather`] has noted of a name of which
    /// `word` is a part: `Masquerade` of Twilight Masquerade.
    pub(crate) fn for_each_with(
        &self,
        confusions: &Confusions,
        memory: &Misspelt,
        word: &str,
        mut found: impl FnMut(u32),
    ) {
        let letters = Spelling::of(confusions, word).letters;
        let holds = |held: &NameOfSet| {
            held.sketch.has(&letters) && self.list.text(held.name).contains(word)
        };
        let mut before = None;
        for held in &memory.names {
            if before != Some(held.set) && holds(held) {
                before = Some(held.set);
                found(held.set);
            }
        }
    }

    /// The name that `words` begin, if one set alone of those of `names` has such names: `Paldea
    /// Evo`.
    fn begun(&self, words: &str, names: &[NameOfSet]) -> Option<u32> {
        let begins: &Head = words.as_bytes().first_chunk()?;
        let mut found: Option<(u32, u32)> = None;
        for held in names {
            if held.head != *begins || !is_cut_off(words, self.list.text(held.name)) {
                continue;
            }
            let place = self.list.names[held.name as usize].place;
            match found {
                Some((first, named)) if first != held.set && named != place => return None,
                Some(_) => {}
                None => found = Some((held.set, place)),
            }
        }
        found.map(|(_, place)| place)
    }
}

/// Names by length, of which only those of about a word's length can be near it.
#[derive(Debug, Clone, Default)]
struct Shelf(Vec<Length>);

/// The names of one length.
#[derive(Debug, Clone, Default)]
struct Length {
    /// Their places in [`Index::list`].
    names: Vec<u32>,
    /// For each span of the names, and in it for each class of letters, a bit for each name: set if
    /// the name has such a letter there. Spans are the zones and, between them, each two neighbours
    /// together. What does not fill the last words belongs to no name.
    letters: Vec<u64>,
    /// For each name the classes of its letters.
    classes: Vec<u8>,
}

/// Words of bits that are compared at once: 256 names.
const LANES: usize = 4;
/// Letters of a zone. A letter of a word is sought in a name among [`ZONE`] + 1 neighbours at most,
/// and so in one span: a zone, or two.
const ZONE: usize = 4;

impl Length {
    /// Number of words of each letter.
    fn words(&self) -> usize {
        self.names.len().div_ceil(64).next_multiple_of(LANES)
    }

    fn push(&mut self, name: u32, letters: &Letters) {
        self.names.push(name);
        let classes = letters.text().iter().map(|&c| class(c) as u8);
        self.classes.extend(classes);
    }

    /// Number of letters of a name that are compared.
    fn compared(&self) -> usize {
        self.classes.len() / self.names.len().max(1)
    }

    /// Fills [`Length::letters`], when all names are there.
    fn index(&mut self) {
        let (words, len) = (self.words(), self.compared());
        let (zones, size) = (len.div_ceil(ZONE), words * CLASSES);
        self.letters.resize(size * (2 * zones).saturating_sub(1), 0);
        for (at, name) in self.classes.chunks_exact(len.max(1)).enumerate() {
            let (word, bit) = (at / 64, 1 << (at % 64));
            for (zone, classes) in name.chunks(ZONE).enumerate() {
                let zone = &mut self.letters[2 * zone * size..][..size];
                for &class in classes {
                    zone[usize::from(class) * words + word] |= bit;
                }
            }
        }
        for zone in 1..zones {
            let (before, rest) = self.letters.split_at_mut((2 * zone - 1) * size);
            let (both, behind) = rest.split_at_mut(size);
            let zones = before[(2 * zone - 2) * size..].iter().zip(behind);
            for (both, (before, behind)) in both.iter_mut().zip(zones) {
                *both = *before | *behind;
            }
        }
    }

    /// Adds the names to `out` that may be `slips` away from `word`: all that are, and few that are
    /// not.
    fn near(
        &self,
        (word, places): (&Letters, &Places),
        (len, slips): (u32, u32),
        out: &mut Vec<u32>,
    ) {
        let compared = self.compared();
        self.lacking(word, (len, slips), |at| {
            let name = &self.classes[at * compared..(at + 1) * compared];
            if places.slips(name, slips).is_some() {
                out.push(self.names[at]);
            }
        });
    }

    /// Hands on the places of names in which few letters of `word` are missing where they should be.
    ///
    /// A slip takes away one letter of the word at most, and one that lengthens the word takes none.
    /// Of `slips` slips that make a word longer by `d` letters, (`slips` + `d`) / 2 add a letter at
    /// most, and two letters that change places move by one, so a letter is found at most
    /// (`slips` + 1 + `d`) / 2 places behind its own, and (`slips` + 1 - `d`) / 2 before it.
    ///
    /// The letters that each name lacks are counted in binary, with a word for each digit of 64
    /// counts: some ten operations for a letter of 64 names.
    fn lacking(&self, word: &Letters, (len, slips): (u32, u32), mut found: impl FnMut(usize)) {
        let words = self.words();
        let most = slips - len.saturating_sub(word.len);
        let last = self.compared() as isize - 1;
        let longer = last + 1 - word.text().len() as isize;
        let (before, behind) = (
            (slips as isize + 1 - longer) / 2,
            (slips as isize + 1 + longer) / 2,
        );
        // where the column of each letter begins; of one that has no place in such names none
        let mut sought = [None; LONGEST];
        for ((place, &c), sought) in (0..).zip(word.text()).zip(&mut sought) {
            let (from, to) = ((place - before).max(0), (place + behind).min(last));
            let zone = |place: isize| place as usize / ZONE;
            let column = || ((zone(from) + zone(to)) * CLASSES + class(c)) * words;
            *sought = (from <= to).then(column);
        }
        let sought = &sought[..word.text().len()];
        for from in (0..words).step_by(LANES) {
            let part = |column: usize| self.letters[column + from..].first_chunk::<LANES>();
            let [mut ones, mut twos, mut fours] = [[0u64; LANES]; 3];
            for column in sought {
                let has = column.and_then(part).unwrap_or(&[0; LANES]);
                let counts = ones.iter_mut().zip(&mut twos).zip(&mut fours);
                for (((ones, twos), fours), has) in counts.zip(has) {
                    let lacks = !has;
                    let two = *ones & lacks;
                    *ones ^= lacks;
                    *fours |= *twos & two;
                    *twos ^= two;
                }
            }
            let counts = ones.into_iter().zip(twos).zip(fours);
            for (lane, ((ones, twos), fours)) in counts.enumerate() {
                let more = match most {
                    0 => ones | twos | fours,
                    1 => twos | fours,
                    2 => (ones & twos) | fours,
                    3 => fours,
                    _ => 0,
                };
                let first = (from + lane) * 64;
                let names = self.names.len().saturating_sub(first).min(64);
                let those = u64::MAX.checked_shr(64 - names as u32).unwrap_or(0);
                bits(!more & those).for_each(|bit| found(first + bit));
            }
        }
    }
}

/// The places of the bits of a word, ascending.
fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros() as usize;
        (word != 0).then(|| {
            word &= word - 1;
            bit
        })
    })
}

/// The same of several words, the lowest first.
fn all_bits(words: &[u64]) -> impl Iterator<Item = usize> {
    let words = words.iter().zip((0..).step_by(64));
    words.flat_map(|(&word, from)| bits(word).map(move |bit| from + bit))
}

impl Shelf {
    fn push(&mut self, name: u32, letters: &Letters) {
        let len = letters.len as usize;
        if self.0.len() <= len {
            self.0.resize(len + 1, Length::default());
        }
        self.0[len].push(name, letters);
    }

    /// Makes the names ready to be found.
    fn index(&mut self) {
        self.0.iter_mut().for_each(Length::index);
    }

    /// Adds the names to `out` that may be near `word`: all that are, and few that are not. `most`:
    /// the slips that it may be away from names of a length.
    fn near(&self, word: &Letters, most: &dyn Fn(u32) -> f32, out: &mut Vec<u32>) {
        let places = Places::of(word);
        for (len, length) in (0..).zip(&self.0) {
            let most = most(len);
            if most >= 0.0 && len.abs_diff(word.len) <= slips(most) {
                length.near((word, &places), (len, slips(most)), out);
            }
        }
    }
}

/// Memory for [`Spellings::search`] and [`SetNames::nearest`], and what the first found.
#[derive(Debug, Clone, Default)]
pub(crate) struct Misspelt {
    near: Vec<u32>,
    /// The sets whose names are compared, a bit each, and these names.
    held: Vec<u64>,
    names: Vec<NameOfSet>,
    /// The names that the word may mean, nearest first: place in the lexicon, and slips.
    pub(crate) found: Vec<(u32, f32)>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn no_name_is_passed_over_that_is_near(
            names in proptest::collection::vec("[a-f]{1,9}|[ア-ン]{1,6}|[ab]{9,14}|[a-c]{20,26}", 0..150),
            word in "[a-f]{1,9}|[ア-ン]{1,6}|[ab]{9,14}|[a-c]{20,26}",
            most in prop_oneof![Just(0.6f32), Just(1.0), Just(1.6), Just(2.2)],
        ) {
            let confusions = Confusions::builtin().expect("the file of this build loads");
            let names: Vec<Spelling> = names.iter().map(|name| Spelling::of(confusions, name)).collect();
            let word = Spelling::of(confusions, &word).letters;
            let mut shelf = Shelf::default();
            for (at, name) in (0..).zip(&names) {
                shelf.push(at, &name.letters);
            }
            shelf.index();
            let mut found = Vec::new();
            shelf.near(&word, &|_| most, &mut found);
            for (at, name) in (0..).zip(&names) {
                let distance = confusions.distance(word.text(), name.letters.text(), most);
                // of longer ones the rest is not compared
                let near = distance.is_some() && !word.far(&name.letters, most);
                prop_assert!(!near || found.contains(&at), "{:?}", name.letters.text());
            }
        }

        /// Letters of ASCII have classes of their own, so nothing is the same that is not.
        #[test]
        fn slips_are_those_of_plain_distance(
            word in "[a-d]{0,24}",
            name in "[a-d]{0,24}",
            most in 0u32..26,
        ) {
            let letters = |word: &str| {
                let confusions = Confusions::builtin().expect("the file of this build loads");
                Spelling::of(confusions, word).letters
            };
            let classes: Vec<u8> = letters(&name).text().iter().map(|&c| class(c) as u8).collect();
            let slips = Places::of(&letters(&word)).slips(&classes, most);
            let distance = strsim::osa_distance(&word, &name) as u32;
            prop_assert_eq!(slips, (distance <= most).then_some(distance));
        }
    }

    /// [`Length::lacking`] looks into one span for each letter.
    #[test]
    fn letter_is_sought_in_two_neighbouring_zones_at_most() {
        let most = slips(allowed(LONGEST)) as usize;
        assert!(most + 2 <= ZONE + 1);
    }

    /// What sounds alike is a slip by itself, and is left to every word that may have one.
    #[test]
    fn name_that_sounds_alike_has_one_slip_less() {
        for most in (0..=LONGEST).map(allowed).filter(|&most| most > 0.0) {
            assert_eq!(slips(most - SOUND), slips(most) - 1);
        }
    }

    #[test]
    fn name_without_letters_is_as_far_as_the_word_is_long() {
        let confusions = Confusions::builtin().expect("the file of this build loads");
        let places = Places::of(&Spelling::of(confusions, "abc").letters);
        assert_eq!(
            (places.slips(&[], 2), places.slips(&[], 3)),
            (None, Some(3))
        );
    }
}
