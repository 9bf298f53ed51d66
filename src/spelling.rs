//! How far apart two spellings are, and which names of the catalogue a misspelt word may mean.
//!
//! The distance is that of Damerau and Levenshtein in its restricted form (insert, delete, replace, transpose neighbours), where slips that
//! people and scanners make often cost less: a neighbour on the keyboard, a vowel for another, a doubled letter, a letter that looks alike,
//! a spelling that sounds alike (`dictionaries/confusions.csv`).

use crate::catalogue::{Catalogue, EntryKind};
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
    /// Spelling, and the one that it sounds like; the longest first.
    sounds: Vec<(String, String)>,
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
        let mut confusions = Confusions { light: [0; 36], sounds: Vec::new() };
        for row in rows("confusions.csv", text, &["canonical", "written", "kind", "note"])? {
            let bad = |what: &str| Error::new(ErrorKind::Dictionary, format!("dictionaries/confusions.csv:{}: {what}", row.line));
            if row.cell(2) == "sound" {
                confusions.sounds.extend(row.list(1).map(|alias| (alias.to_owned(), row.cell(0).to_owned())));
                continue;
            }
            let letter = |text: &str| text.bytes().next().filter(|_| text.len() == 1).and_then(place);
            let one = letter(row.cell(0)).ok_or_else(|| bad("`canonical` is no letter or digit"))?;
            for alias in row.list(1) {
                let other = letter(alias).ok_or_else(|| bad("an alias is no letter or digit"))?;
                confusions.light[one] |= 1 << other;
                confusions.light[other] |= 1 << one;
            }
        }
        confusions.sounds.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.cmp(b)));
        Ok(confusions)
    }

    fn replacing(&self, a: char, b: char) -> f32 {
        let bit = |c: char| u8::try_from(c).ok().and_then(place);
        match (bit(a), bit(b)) {
            _ if a == b => 0.0,
            (Some(a), Some(b)) if self.light[a] & (1 << b) != 0 => LIGHT,
            _ => SLIP,
        }
    }

    /// `word` as it sounds.
    fn sound(&self, word: &str) -> String {
        let mut out = String::with_capacity(word.len());
        let mut rest = word;
        while let Some(first) = rest.chars().next() {
            match self.sounds.iter().find(|(spelling, _)| rest.starts_with(spelling.as_str())) {
                Some((spelling, sound)) => {
                    out.push_str(sound);
                    rest = &rest[spelling.len()..];
                }
                None => {
                    out.push(first);
                    rest = &rest[first.len_utf8()..];
                }
            }
        }
        out
    }

    /// How many slips lead from `name` to `word`; none where it is more than `most`.
    #[cfg(test)]
    fn slips(&self, word: &str, name: &str, most: f32) -> Option<f32> {
        self.between(&Spelling::of(self, word), &Spelling::of(self, name), most)
    }

    /// How many slips lead from one spelling to another; none where it is more than `most`.
    pub(crate) fn between(&self, word: &Spelling, name: &Spelling, most: f32) -> Option<f32> {
        let plain = if word.far(name, most) { None } else { self.distance(&word.letters, &name.letters, most) };
        if plain.is_some_and(|slips| slips <= SOUND) {
            return plain;
        }
        let rest = most - SOUND;
        let alike = if rest < 0.0 || word.sounds_far(name, rest) { None } else { self.distance(&word.sound, &name.sound, rest) };
        match (plain, alike.map(|slips| slips + SOUND)) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    fn distance(&self, a: &[char], b: &[char], most: f32) -> Option<f32> {
        let mut before = [0f32; LONGEST + 1];
        let mut above = [0f32; LONGEST + 1];
        let mut row = [0f32; LONGEST + 1];
        let (a, b) = (&a[..a.len().min(LONGEST)], &b[..b.len().min(LONGEST)]);
        // a letter that repeats the one before it comes and goes easily
        let single = |word: &[char], at: usize| if at > 0 && word[at] == word[at - 1] { LIGHT } else { SLIP };
        for j in 0..b.len() {
            above[j + 1] = above[j] + single(b, j);
        }
        for i in 0..a.len() {
            row[0] = above[0] + single(a, i);
            let mut nearest = row[0];
            for j in 0..b.len() {
                let first = if i == 0 && j == 0 && a[0] != b[0] { FIRST } else { 0.0 };
                let mut least = above[j] + self.replacing(a[i], b[j]) + first;
                least = least.min(above[j + 1] + single(a, i)).min(row[j] + single(b, j));
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

/// A word as it is written and as it sounds, ready to be compared.
#[derive(Debug, Clone, Default)]
pub(crate) struct Spelling {
    letters: Vec<char>,
    bits: u64,
    sound: Vec<char>,
    sound_bits: u64,
}

impl Spelling {
    pub(crate) fn of(confusions: &Confusions, word: &str) -> Spelling {
        let sound = if word.is_ascii() { confusions.sound(word) } else { word.to_owned() };
        Spelling { letters: word.chars().collect(), bits: letters(word), sound: sound.chars().collect(), sound_bits: letters(&sound) }
    }

    /// How many letters it has.
    pub(crate) fn len(&self) -> usize {
        self.letters.len()
    }

    /// Whether the letters alone show that more than `most` lies between: a slip changes at most two kinds of letters, and one in length.
    fn far(&self, other: &Spelling, most: f32) -> bool {
        let slips = (most / LIGHT) as u32;
        (self.bits ^ other.bits).count_ones() > 2 * slips || self.letters.len().abs_diff(other.letters.len()) > slips as usize
    }

    fn sounds_far(&self, other: &Spelling, most: f32) -> bool {
        let slips = (most / LIGHT) as u32;
        (self.sound_bits ^ other.sound_bits).count_ones() > 2 * slips || self.sound.len().abs_diff(other.sound.len()) > slips as usize
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

/// The names that misspelt words are compared with: species in all languages, trainers and things.
#[derive(Debug, Clone, Default)]
pub(crate) struct Spellings {
    /// Each name with the place of its meanings in the lexicon.
    names: Vec<(Spelling, u32)>,
}

/// The letters of a word, a bit each; those that are not ASCII share the high ones.
fn letters(word: &str) -> u64 {
    word.chars().fold(0, |bits, c| bits | 1 << u8::try_from(c).ok().and_then(place).unwrap_or(36 + (c as usize) % 28))
}

impl Spellings {
    /// Collects the names of `catalogue`: one walk through its lexicon.
    pub(crate) fn of(catalogue: &Catalogue<'_>, confusions: &Confusions) -> Spellings {
        let mut all = Spellings::default();
        catalogue.lexicon().for_each(|key, place| {
            let Ok(key) = std::str::from_utf8(key) else { return };
            if (4..=LONGEST).contains(&key.chars().count()) && catalogue.entries(place).any(|e| e.kind() == EntryKind::Core) {
                all.names.push((Spelling::of(confusions, key), place));
            }
        });
        all
    }

    /// The names that `word` may be a misspelling of, nearest first: place in the lexicon, and slips.
    pub(crate) fn search(&self, confusions: &Confusions, word: &str, out: &mut Vec<(u32, f32)>) {
        out.clear();
        let word = Spelling::of(confusions, word);
        let most = allowed(word.len());
        if most == 0.0 || word.len() > LONGEST {
            return;
        }
        for (name, place) in &self.names {
            if let Some(slips) = confusions.between(&word, name, most.min(allowed(name.len()))) {
                out.push((*place, slips));
            }
        }
        out.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slips(word: &str, name: &str) -> Option<f32> {
        Confusions::builtin().expect("the file of this build loads").slips(word, name, allowed(word.chars().count()))
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
        for (word, name) in
            [("mint", "mew"), ("rare", "raichu"), ("holo", "hoopa"), ("base", "abra"), ("gem", "gengar"), ("raichu", "pichu")]
        {
            assert_eq!(slips(word, name), None, "{word} for {name}");
        }
    }

    #[test]
    fn a_word_is_no_slip_of_itself() {
        assert_eq!(slips("charizard", "charizard"), Some(0.0));
    }
}
