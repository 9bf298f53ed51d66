//! [`Confusions`]: the light slips of spelling, and the cost of the slips between two spellings.

use super::letters::{Spelling, place, slips};
use super::{FIRST, LIGHT, LONGEST, SLIP, SOUND};
use crate::dictionary::load::rows;
use crate::error::{Error, ErrorKind};
use crate::sort::sort_by;
use once_cell::sync::OnceCell;

/// Which slips are light.
#[derive(Debug, Clone)]
pub(crate) struct Confusions {
    /// For each letter or digit, the ones that a light slip replaces it by, one bit each.
    light: [u64; 36],
    /// Spelling, and the one that it sounds like; the longest first of those with the same first
    /// byte, and these together.
    sounds: Vec<(String, String)>,
    /// For each ASCII byte, the range in `sounds` of the spellings that begin with it.
    beginning: [(u16, u16); 128],
}

static BUILTIN: OnceCell<Confusions> = OnceCell::new();

impl Confusions {
    /// Those of this build.
    ///
    /// # Errors
    /// [`ErrorKind::Dictionary`]. A test reads the file, so a released build never fails.
    pub(crate) fn builtin() -> Result<&'static Confusions, Error> {
        BUILTIN.get_or_try_init(|| {
            Confusions::load(include_str!("../../dictionaries/common/confusions.csv"))
        })
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
                    format!("dictionaries/common/confusions.csv:{}: {what}", row.line),
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
                letter(row.cell(0)).ok_or_else(|| bad("`canonical` is not a letter or digit"))?;
            for alias in row.list(1) {
                let other =
                    letter(alias).ok_or_else(|| bad("an alias is not a letter or digit"))?;
                confusions.light[one] |= 1 << other;
                confusions.light[other] |= 1 << one;
            }
        }
        let first = |spelling: &str| spelling.bytes().next().unwrap_or(0);
        sort_by(&mut confusions.sounds, |a, b| {
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

    /// The letters that `letter` becomes by a light slip, one bit each.
    pub(super) fn light(&self, letter: char) -> u64 {
        u8::try_from(letter)
            .ok()
            .and_then(place)
            .map_or(0, |place| self.light[place])
    }

    /// `word`, which is ASCII, as it sounds, letter by letter.
    pub(super) fn sound<'w>(&'w self, word: &'w str) -> impl Iterator<Item = char> + 'w {
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

    /// Slips from `name` to `word`; `None` if there are more than `most`.
    #[cfg(test)]
    pub(super) fn slips(&self, word: &str, name: &str, most: f32) -> Option<f32> {
        self.between(&Spelling::of(self, word), &Spelling::of(self, name), most)
    }

    /// Slips from one spelling to another; `None` if there are more than `most`.
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

    /// Cost of the slips from `a` to `b`; `None` if it is more than `most`.
    pub(super) fn distance(&self, a: &[char], b: &[char], most: f32) -> Option<f32> {
        // each letter more or less costs a light slip at least, so cheap ways keep near the
        // diagonal; what is off it is never reached
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
            // the cells left of the first reached column are from an older row
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
            // what is further than this on a whole row comes no nearer, but for the swap of two
            // letters
            if nearest > most + LIGHT {
                return None;
            }
            (before, above, row) = (above, row, before);
        }
        Some(above[b.len()]).filter(|&slips| slips <= most)
    }
}
