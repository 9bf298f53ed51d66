//! [`Confusions`]: the light slips of spelling, and the cost of the slips between two spellings.

use super::letters::{Spelling, bit, place, slips};
use super::{FIRST, LIGHT, LONG_VOWEL, LONGEST, SLIP, SOUND};
use crate::dictionary::load::rows;
use crate::error::{Error, ErrorKind};
use crate::sort::sort_by;
use once_cell::sync::OnceCell;

/// Which slips are light.
#[derive(Debug, Clone)]
pub(crate) struct Confusions {
    /// For each ASCII byte, the letters and digits that a light slip replaces it by, one bit each.
    light: [u64; 128],
    /// Spelling, and the one that it sounds like; the longest first of those with the same first
    /// byte, and these together.
    sounds: Vec<(String, String)>,
    /// For each ASCII byte, the spellings that begin with it.
    beginning: [Beginning; 128],
}

/// The spellings that begin with a byte.
#[derive(Debug, Clone, Copy)]
struct Beginning {
    /// Their range in [`Confusions::sounds`].
    from: u16,
    to: u16,
    /// The classes of the letters that stand second in one of them, a bit each; all if one has no
    /// second letter.
    second: u64,
}

static BUILTIN: OnceCell<Confusions> = OnceCell::new();

impl Confusions {
    /// Those of this build.
    ///
    /// # Errors
    /// [`ErrorKind::Dictionary`]. A test reads the file, so a released build never fails.
    pub(crate) fn builtin() -> Result<&'static Confusions, Error> {
        BUILTIN.get_or_try_init(|| {
            Confusions::load(include_str!(concat!(env!("OUT_DIR"), "/confusions.csv")))
        })
    }

    fn load(text: &str) -> Result<Confusions, Error> {
        let mut confusions = Confusions {
            light: [0; 128],
            sounds: Vec::new(),
            beginning: [Beginning {
                from: 0,
                to: 0,
                second: 0,
            }; 128],
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
            let letter = |text: &str| match *text.as_bytes() {
                [letter] => place(letter).map(|place| (usize::from(letter), place)),
                _ => None,
            };
            let one =
                letter(row.cell(0)).ok_or_else(|| bad("`canonical` is not a letter or digit"))?;
            for alias in row.list(1) {
                let other =
                    letter(alias).ok_or_else(|| bad("an alias is not a letter or digit"))?;
                confusions.light[one.0] |= 1 << other.1;
                confusions.light[other.0] |= 1 << one.1;
            }
        }
        let first = |spelling: &str| spelling.bytes().next().unwrap_or(0);
        sort_by(&mut confusions.sounds, |a, b| {
            first(&a.0)
                .cmp(&first(&b.0))
                .then(b.0.len().cmp(&a.0.len()))
                .then_with(|| a.cmp(b))
        });
        for (byte, beginning) in (0u8..).zip(&mut confusions.beginning) {
            let sounds = &confusions.sounds;
            let place = |byte: u8| sounds.partition_point(|(spelling, _)| first(spelling) < byte);
            let (from, to) = (place(byte), place(byte + 1));
            let second =
                |(spelling, _): &(String, String)| spelling.chars().nth(1).map_or(u64::MAX, bit);
            *beginning = Beginning {
                from: from as u16,
                to: to as u16,
                second: sounds[from..to]
                    .iter()
                    .map(second)
                    .fold(0, |all, bit| all | bit),
            };
        }
        Ok(confusions)
    }

    /// The letters that `letter` becomes by a light slip, one bit each, or that come beside it.
    #[inline]
    pub(super) fn light(&self, letter: char) -> u64 {
        let light = self.light.get(letter as usize).copied();
        light.unwrap_or(bit(LONG_VOWEL))
    }

    /// Hands on `word`, which is ASCII, as it sounds, letter by letter.
    pub(super) fn speak(&self, word: &str, mut say: impl FnMut(char)) {
        let mut rest = word.as_bytes();
        while let Some((&first, behind)) = rest.split_first() {
            let second = bit(behind.first().map_or('\0', |&byte| char::from(byte)));
            let beginning = self.beginning.get(usize::from(first));
            let sounds = beginning
                .filter(|beginning| beginning.second & second != 0)
                .and_then(|of| self.sounds.get(usize::from(of.from)..usize::from(of.to)));
            let mut sounds = sounds.unwrap_or(&[]).iter();
            match sounds.find(|(spelling, _)| rest.starts_with(spelling.as_bytes())) {
                Some((spelling, sound)) => {
                    sound.chars().for_each(&mut say);
                    rest = &rest[spelling.len()..];
                }
                None => {
                    say(char::from(first));
                    rest = behind;
                }
            }
        }
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
            if at > 0 && word[at] == word[at - 1] || word[at] == LONG_VOWEL {
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
