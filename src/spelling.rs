//! How far apart two spellings are, and which names of the catalogue a misspelt word may mean.
//!
//! The distance is that of Damerau and Levenshtein in its restricted form (insert, delete, replace, transpose neighbours), where slips that
//! people and scanners make often cost less: a neighbour on the keyboard, a vowel for another, a doubled letter, a letter that looks alike,
//! a spelling that sounds alike (`dictionaries/confusions.csv`).

use crate::catalogue::{Columns, EntryKind};
use crate::dictionary::load::rows;
use crate::error::{Error, ErrorKind};
use once_cell::sync::OnceCell;

/// Words longer than this are compared with nothing.
const LONGEST: usize = 24;
/// What a replaced, inserted or deleted letter costs.
const SLIP: f32 = 1.0;
/// A neighbour on the keyboard, a letter that looks alike, a vowel for another; two letters in the wrong order; a letter twice or not twice.
const LIGHT: f32 = 0.6;
/// A spelling that sounds the same.
const SOUND: f32 = 0.6;
/// The first letter is hardly ever wrong.
const FIRST: f32 = 0.5;

/// Which slips are light.
#[derive(Debug, Clone)]
pub(crate) struct Confusions {
    /// For each letter or digit: those that stand for it by a light slip, a bit each.
    light: [u64; 36],
    /// Spelling, and the one that it sounds like; the longest first of those with the same first byte, and these together.
    sounds: Vec<(String, String)>,
    /// For each ASCII byte where in `sounds` the spellings that begin with it lie.
    beginning: [(u16, u16); 128],
}

static BUILTIN: OnceCell<Confusions> = OnceCell::new();

/// The place of an ASCII letter or digit among 36.
fn place(letter: u8) -> Option<usize> {
    match letter {
        b'a'..=b'z' => Some(usize::from(letter - b'a')),
        b'0'..=b'9' => Some(26 + usize::from(letter - b'0')),
        _ => None,
    }
}

impl Confusions {
    /// Those of this build.
    ///
    /// # Errors
    /// Of kind [`ErrorKind::Dictionary`]; a test reads the file, so a released build has none.
    pub(crate) fn builtin() -> Result<&'static Confusions, Error> {
        BUILTIN.get_or_try_init(|| Confusions::load(include_str!("../dictionaries/confusions.csv")))
    }

    fn load(text: &str) -> Result<Confusions, Error> {
        let mut confusions = Confusions {
            light: [0; 36],
            sounds: Vec::new(),
            beginning: [(0, 0); 128],
        };
        for row in rows(
            "confusions.csv",
            text,
            &["canonical", "written", "kind", "note"],
        )? {
            let bad = |what: &str| {
                Error::new(
                    ErrorKind::Dictionary,
                    format!("dictionaries/confusions.csv:{}: {what}", row.line),
                )
            };
            if row.cell(2) == "sound" {
                confusions.sounds.extend(
                    row.list(1)
                        .map(|alias| (alias.to_owned(), row.cell(0).to_owned())),
                );
                continue;
            }
            let letter = |text: &str| {
                text.bytes()
                    .next()
                    .filter(|_| text.len() == 1)
                    .and_then(place)
            };
            let one =
                letter(row.cell(0)).ok_or_else(|| bad("`canonical` is no letter or digit"))?;
            for alias in row.list(1) {
                let other = letter(alias).ok_or_else(|| bad("an alias is no letter or digit"))?;
                confusions.light[one] |= 1 << other;
                confusions.light[other] |= 1 << one;
            }
        }
        let first = |spelling: &str| spelling.bytes().next().unwrap_or(0);
        confusions.sounds.sort_by(|a, b| {
            first(&a.0)
                .cmp(&first(&b.0))
                .then(b.0.len().cmp(&a.0.len()))
                .then_with(|| a.cmp(b))
        });
        for (byte, range) in (0u8..).zip(&mut confusions.beginning) {
            let place = |byte: u8| {
                confusions
                    .sounds
                    .partition_point(|(spelling, _)| first(spelling) < byte) as u16
            };
            *range = (place(byte), place(byte + 1));
        }
        Ok(confusions)
    }

    /// The letters that stand for `letter` by a light slip, a bit each.
    fn light(&self, letter: char) -> u64 {
        u8::try_from(letter)
            .ok()
            .and_then(place)
            .map_or(0, |place| self.light[place])
    }

    /// `word`, which is ASCII, as it sounds, letter by letter.
    fn sound<'w>(&'w self, word: &'w str) -> impl Iterator<Item = char> + 'w {
        let mut rest = word;
        let mut spoken = "".chars();
        std::iter::from_fn(move || {
            loop {
                if let Some(c) = spoken.next() {
                    return Some(c);
                }
                let first = rest.chars().next()?;
                let (from, to) = self
                    .beginning
                    .get(first as usize)
                    .copied()
                    .unwrap_or((0, 0));
                let mut sounds = self.sounds[usize::from(from)..usize::from(to)].iter();
                let Some((spelling, sound)) =
                    sounds.find(|(spelling, _)| rest.starts_with(spelling.as_str()))
                else {
                    rest = &rest[first.len_utf8()..];
                    return Some(first);
                };
                spoken = sound.chars();
                rest = &rest[spelling.len()..];
            }
        })
    }

    /// How many slips lead from `name` to `word`; none where it is more than `most`.
    #[cfg(test)]
    fn slips(&self, word: &str, name: &str, most: f32) -> Option<f32> {
        self.between(&Spelling::of(self, word), &Spelling::of(self, name), most)
    }

    /// How many slips lead from one spelling to another; none where it is more than `most`.
    pub(crate) fn between(&self, word: &Spelling, name: &Spelling, most: f32) -> Option<f32> {
        let plain = if word.letters.far(&name.letters, most) {
            None
        } else {
            self.distance(word.letters.text(), name.letters.text(), most)
        };
        if plain.is_some_and(|slips| slips <= SOUND) {
            return plain;
        }
        let rest = most - SOUND;
        let alike = if rest < 0.0 || word.sound.far(&name.sound, rest) {
            None
        } else {
            self.distance(word.sound.text(), name.sound.text(), rest)
        };
        match (plain, alike.map(|slips| slips + SOUND)) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// What the slips from `a` to `b` cost; none where it is more than `most`.
    fn distance(&self, a: &[char], b: &[char], most: f32) -> Option<f32> {
        // each letter more or less costs a light slip at least, so cheap ways keep near the diagonal; what is off it is never reached
        let off = slips(most) as usize;
        if a.len().abs_diff(b.len()) > off {
            return None;
        }
        // what costs nothing is the same
        if off == 0 {
            return (a == b).then_some(0.0);
        }
        let mut before = [f32::INFINITY; LONGEST + 1];
        let mut above = [f32::INFINITY; LONGEST + 1];
        let mut row = [f32::INFINITY; LONGEST + 1];
        let mut bits = [0u64; LONGEST];
        for (bits, &c) in bits.iter_mut().zip(b) {
            // letters that are not ASCII have no light slips
            *bits = u8::try_from(c)
                .ok()
                .and_then(place)
                .map_or(0, |place| 1 << place);
        }
        above[0] = 0.0;
        // a letter that repeats the one before it comes and goes easily
        let single = |word: &[char], at: usize| {
            if at > 0 && word[at] == word[at - 1] {
                LIGHT
            } else {
                SLIP
            }
        };
        for j in 0..b.len().min(off) {
            above[j + 1] = above[j] + single(b, j);
        }
        for i in 0..a.len() {
            let (from, to) = (i.saturating_sub(off), b.len().min(i + off + 1));
            let light = self.light(a[i]);
            // left of the first column that is reached stands what an older row left
            row[from] = if from == 0 {
                above[0] + single(a, i)
            } else {
                f32::INFINITY
            };
            let mut nearest = row[from];
            for j in from..to {
                let first = if i == 0 && j == 0 && a[0] != b[0] {
                    FIRST
                } else {
                    0.0
                };
                let replaced = if a[i] == b[j] {
                    0.0
                } else if light & bits[j] != 0 {
                    LIGHT
                } else {
                    SLIP
                };
                let mut least = above[j] + replaced + first;
                least = least
                    .min(above[j + 1] + single(a, i))
                    .min(row[j] + single(b, j));
                if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] && a[i] != a[i - 1] {
                    least = least.min(before[j - 1] + LIGHT);
                }
                row[j + 1] = least;
                nearest = nearest.min(least);
            }
            // what is further than this on a whole row comes no nearer, but for the swap of two letters
            if nearest > most + LIGHT {
                return None;
            }
            (before, above, row) = (above, row, before);
        }
        Some(above[b.len()]).filter(|&slips| slips <= most)
    }
}

/// The letters of a word, as far as they are compared.
#[derive(Debug, Clone, Copy)]
struct Letters {
    first: [char; LONGEST],
    /// How many letters the word has, those that are not compared among them.
    len: u32,
    /// Which letters, a bit each.
    bits: u64,
    /// Which letters stand for one of them by a light slip.
    light: u64,
}

impl Letters {
    fn of(confusions: &Confusions, word: impl Iterator<Item = char>) -> Letters {
        let mut letters = Letters {
            first: ['\0'; LONGEST],
            len: 0,
            bits: 0,
            light: 0,
        };
        for c in word {
            if let Some(place) = letters.first.get_mut(letters.len as usize) {
                *place = c;
            }
            letters.len += 1;
            letters.bits |= bit(c);
            letters.light |= confusions.light(c);
        }
        letters
    }

    fn text(&self) -> &[char] {
        &self.first[..LONGEST.min(self.len as usize)]
    }

    /// Whether the letters alone show that more than `most` lies between.
    fn far(&self, other: &Letters, most: f32) -> bool {
        self.apart(other.bits, other.len, most) || dear(self.bits & !other.bits, other.light, most)
    }

    /// As [`Letters::far`] from a word of so many letters, these bits among them.
    fn apart(&self, bits: u64, len: u32, most: f32) -> bool {
        let (mine, others) = (self.bits & !bits, bits & !self.bits);
        // a slip takes one kind of letter away at most and brings one, and those that make the word shorter bring none
        let (gone, come) = (
            mine.count_ones() + len.saturating_sub(self.len),
            others.count_ones() + self.len.saturating_sub(len),
        );
        gone.max(come) > slips(most) || dear(others, self.light, most)
    }

    /// Half as many bits as tell letters apart: words that differ in more of these differ in more of those.
    fn folded(&self) -> u32 {
        self.bits as u32 ^ (self.bits >> 32) as u32
    }
}

/// So many slips at most cost `most`: each changes at most two kinds of letters, and one in length.
fn slips(most: f32) -> u32 {
    (most / LIGHT) as u32
}

/// Whether the letters of `bits`, which one of two words lacks, cost more than `most`: a light slip each where the word has a letter that
/// stands for it, which `light` holds, else a whole one.
fn dear(bits: u64, light: u64, most: f32) -> bool {
    // in tenths, of which all slips are made
    let tenths = |cost: f32| (cost * 10.0).round() as u32;
    (bits & light).count_ones() * tenths(LIGHT) + (bits & !light).count_ones() * tenths(SLIP)
        > tenths(most)
}

/// The bit of a letter; those that are not ASCII share the high ones.
fn bit(c: char) -> u64 {
    1 << u8::try_from(c)
        .ok()
        .and_then(place)
        .unwrap_or(36 + (c as usize) % 28)
}

/// A word as it is written and as it sounds, ready to be compared.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spelling {
    letters: Letters,
    sound: Letters,
}

impl Spelling {
    pub(crate) fn of(confusions: &Confusions, word: &str) -> Spelling {
        let letters = Letters::of(confusions, word.chars());
        Spelling {
            letters,
            sound: if word.is_ascii() {
                Letters::of(confusions, confusions.sound(word))
            } else {
                letters
            },
        }
    }

    /// How many letters it has.
    pub(crate) fn len(&self) -> usize {
        self.letters.len as usize
    }
}

/// So many slips may lead from a name to a word of so many letters.
pub(crate) fn allowed(letters: usize) -> f32 {
    match letters {
        0..=3 => 0.0,
        4 => 0.6,
        5..=6 => 1.0,
        7..=8 => 1.6,
        _ => 2.2,
    }
}

/// What of a [`Spelling`] shows that others are far from it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sketch {
    bits: u64,
    sound_bits: u64,
    len: u32,
    sound_len: u32,
}

impl Sketch {
    fn of(spelling: &Spelling) -> Sketch {
        let Spelling { letters, sound } = spelling;
        Sketch {
            bits: letters.bits,
            sound_bits: sound.bits,
            len: letters.len,
            sound_len: sound.len,
        }
    }

    /// How many letters the name has.
    pub(crate) fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether more than `most` lies between; where it says no, [`Confusions::between`] finds out.
    pub(crate) fn far(&self, word: &Spelling, most: f32) -> bool {
        word.letters.apart(self.bits, self.len, most)
            && (most < SOUND
                || word
                    .sound
                    .apart(self.sound_bits, self.sound_len, most - SOUND))
    }
}

/// What misspelt words are compared with, each made when the first word asks for it.
#[derive(Debug, Clone)]
pub(crate) struct Spellings {
    names: OnceCell<Names>,
    /// Of each core of the catalogue.
    cores: Box<[OnceCell<Sketch>]>,
}

impl Spellings {
    /// Room for the names of `catalogue`, none of which is looked at yet.
    pub(crate) fn of(catalogue: &Columns<'_>) -> Spellings {
        Spellings {
            names: OnceCell::new(),
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

    /// Finds the names that `word` may be a misspelling of.
    pub(crate) fn search(
        &self,
        catalogue: &Columns<'_>,
        confusions: &Confusions,
        word: &str,
        memory: &mut Misspelt,
    ) {
        self.names
            .get_or_init(|| Names::of(catalogue, confusions))
            .search(confusions, word, memory);
    }
}

/// The names that misspelt words are compared with: species in all languages, trainers and things.
#[derive(Debug, Clone, Default)]
struct Names {
    /// Each name with the place of its meanings in the lexicon.
    names: Vec<(Spelling, u32)>,
    written: Shelf,
    spoken: Shelf,
}

/// Names by length: what can be near a word lies together, and is told from the rest by a few bits each.
#[derive(Debug, Clone, Default)]
struct Shelf {
    /// [`Letters::folded`] of each name.
    bits: Vec<u32>,
    /// Its place in [`Names::names`].
    names: Vec<u32>,
    /// Where the names of each length begin.
    starts: Vec<u32>,
}

/// So many names are compared at once.
const LANES: usize = 16;

impl Shelf {
    fn of(names: &[(Spelling, u32)], letters: impl Fn(&Spelling) -> Letters) -> Shelf {
        let mut shelf = Shelf::default();
        let mut sorted: Vec<(u32, u32, u32)> = (0..)
            .zip(names)
            .map(|(at, (name, _))| (letters(name).len, letters(name).folded(), at))
            .collect();
        sorted.sort_unstable();
        for (len, bits, at) in sorted {
            shelf.starts.resize(
                shelf.starts.len().max(len as usize + 1),
                shelf.bits.len() as u32,
            );
            shelf.bits.push(bits);
            shelf.names.push(at);
        }
        shelf
    }

    /// Adds the names to `out` that may lie within `most` of `word`: all that do, and some that do not.
    fn near(&self, word: &Letters, most: f32, out: &mut Vec<u32>) {
        if most < 0.0 {
            return;
        }
        let start = |len: u32| {
            self.starts
                .get(len as usize)
                .map_or(self.bits.len(), |&start| start as usize)
        };
        let range = start(word.len.saturating_sub(slips(most)))..start(word.len + slips(most) + 1);
        let (bits, limit) = (word.folded(), 2 * slips(most));
        let mut at = range.start;
        for lanes in self.bits[range].chunks(LANES) {
            let least = lanes
                .iter()
                .map(|name| (name ^ bits).count_ones())
                .fold(u32::MAX, u32::min);
            if least <= limit {
                let near = lanes
                    .iter()
                    .zip(&self.names[at..])
                    .filter(|(name, _)| (*name ^ bits).count_ones() <= limit);
                out.extend(near.map(|(_, name)| *name));
            }
            at += lanes.len();
        }
    }
}

/// Memory for [`Spellings::search`], and what it found.
#[derive(Debug, Clone, Default)]
pub(crate) struct Misspelt {
    near: Vec<u32>,
    /// The names that the word may mean, nearest first: place in the lexicon, and slips.
    pub(crate) found: Vec<(u32, f32)>,
}

impl Names {
    /// Collects the names of `catalogue`: one walk through its lexicon.
    fn of(catalogue: &Columns<'_>, confusions: &Confusions) -> Names {
        let mut names = Vec::new();
        catalogue.lexicon().for_each(|key, place| {
            let Ok(key) = std::str::from_utf8(key) else {
                return;
            };
            if (4..=LONGEST).contains(&key.chars().count())
                && catalogue
                    .entries(place)
                    .any(|e| e.kind() == EntryKind::Core)
            {
                names.push((Spelling::of(confusions, key), place));
            }
        });
        let (written, spoken) = (
            Shelf::of(&names, |name| name.letters),
            Shelf::of(&names, |name| name.sound),
        );
        Names {
            names,
            written,
            spoken,
        }
    }

    /// As [`Spellings::search`].
    fn search(&self, confusions: &Confusions, word: &str, memory: &mut Misspelt) {
        let Misspelt { near, found } = memory;
        near.clear();
        found.clear();
        let word = Spelling::of(confusions, word);
        let most = allowed(word.len());
        if most == 0.0 || word.len() > LONGEST {
            return;
        }
        // few of them are left to be put in order
        let bound = |at: u32| most.min(allowed(self.names[at as usize].0.len()));
        self.written.near(&word.letters, most, near);
        near.retain(|&at| {
            !word
                .letters
                .far(&self.names[at as usize].0.letters, bound(at))
        });
        let written = near.len();
        self.spoken.near(&word.sound, most - SOUND, near);
        let mut place = 0;
        near.retain(|&at| {
            place += 1;
            place <= written
                || bound(at) >= SOUND
                    && !word
                        .sound
                        .far(&self.names[at as usize].0.sound, bound(at) - SOUND)
        });
        near.sort_unstable();
        near.dedup();
        for (name, place) in near.iter().filter_map(|&at| self.names.get(at as usize)) {
            if let Some(slips) = confusions.between(&word, name, most.min(allowed(name.len()))) {
                found.push((*place, slips));
            }
        }
        found.sort_unstable_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slips(word: &str, name: &str) -> Option<f32> {
        Confusions::builtin()
            .expect("the file of this build loads")
            .slips(word, name, allowed(word.chars().count()))
    }

    #[test]
    fn common_slips_are_light() {
        for (word, name) in [
            ("charzard", "charizard"),
            ("charizrad", "charizard"),
            ("chatizard", "charizard"),
            ("charizzard", "charizard"),
            ("char1zard", "charizard"),
            ("garados", "gyarados"),
            ("raquaza", "rayquaza"),
            ("jigglepuff", "jigglypuff"),
            ("pickachoo", "pikachu"),
            ("mewtoo", "mewtwo"),
            ("リザードソ", "リザードン"),
        ] {
            assert!(slips(word, name).is_some(), "{word} for {name}");
        }
        assert!(slips("chatizard", "charizard") < slips("chabizard", "charizard"));
    }

    #[test]
    fn other_words_are_no_slips() {
        for (word, name) in [
            ("mint", "mew"),
            ("rare", "raichu"),
            ("holo", "hoopa"),
            ("base", "abra"),
            ("gem", "gengar"),
            ("raichu", "pichu"),
        ] {
            assert_eq!(slips(word, name), None, "{word} for {name}");
        }
    }

    /// What [`Confusions::distance`] promises, by every way from one word to the other.
    fn by_all_ways(confusions: &Confusions, a: &[char], b: &[char]) -> f32 {
        let single = |word: &[char], at: usize| {
            if at > 0 && word[at] == word[at - 1] {
                LIGHT
            } else {
                SLIP
            }
        };
        let mut costs = vec![vec![0f32; b.len() + 1]; a.len() + 1];
        for (i, j) in (0..=a.len())
            .flat_map(|i| (0..=b.len()).map(move |j| (i, j)))
            .skip(1)
        {
            let mut least = f32::INFINITY;
            if i > 0 {
                least = least.min(costs[i - 1][j] + single(a, i - 1));
            }
            if j > 0 {
                least = least.min(costs[i][j - 1] + single(b, j - 1));
            }
            if i > 0 && j > 0 {
                let light = u8::try_from(b[j - 1])
                    .ok()
                    .and_then(place)
                    .is_some_and(|bit| confusions.light(a[i - 1]) & (1 << bit) != 0);
                let replaced = match a[i - 1] == b[j - 1] {
                    true => 0.0,
                    false if light => LIGHT,
                    false => SLIP,
                };
                let first = if (i, j) == (1, 1) && a[0] != b[0] {
                    FIRST
                } else {
                    0.0
                };
                least = least.min(costs[i - 1][j - 1] + replaced + first);
            }
            if i > 1
                && j > 1
                && a[i - 1] == b[j - 2]
                && a[i - 2] == b[j - 1]
                && a[i - 1] != a[i - 2]
            {
                least = least.min(costs[i - 2][j - 2] + LIGHT);
            }
            costs[i][j] = least;
        }
        costs[a.len()][b.len()]
    }

    #[test]
    fn ways_near_the_diagonal_are_all_that_count() {
        let confusions = Confusions::builtin().expect("the file of this build loads");
        let words = [
            "charizard",
            "charzard",
            "hcarizard",
            "charizrad",
            "ccharizardd",
            "raichu",
            "riachu",
            "pichu",
            "aab",
            "abba",
            "aaaabbbb",
            "",
        ];
        let words = words.map(|word| word.chars().collect::<Vec<char>>());
        for (a, b) in words.iter().flat_map(|a| words.iter().map(move |b| (a, b))) {
            let cost = by_all_ways(confusions, a, b);
            for most in [0.0, 0.4, 0.6, 1.0, 1.6, 2.2] {
                assert_eq!(
                    confusions.distance(a, b, most),
                    Some(cost).filter(|&cost| cost <= most),
                    "{a:?} {b:?} {most}"
                );
            }
        }
    }

    #[test]
    fn a_sketch_is_far_only_where_the_word_is() {
        let confusions = Confusions::builtin().expect("the file of this build loads");
        let words = [
            "charizard",
            "charzard",
            "pickachoo",
            "pikachu",
            "mewtoo",
            "mewtwo",
            "raichu",
            "pichu",
            "リザードソ",
            "リザードン",
            "kwik",
            "quick",
        ];
        let words = words.map(|word| Spelling::of(confusions, word));
        for (a, b) in words.iter().flat_map(|a| words.iter().map(move |b| (a, b))) {
            let most = allowed(a.len().min(b.len()));
            assert!(!Sketch::of(b).far(a, most) || confusions.between(a, b, most).is_none());
        }
    }

    #[test]
    fn a_word_is_no_slip_of_itself() {
        assert_eq!(slips("charizard", "charizard"), Some(0.0));
    }
}
