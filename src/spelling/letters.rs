//! [`Spelling`]: a word ready to be compared, with the facts that quickly show others to be far
//! from it.

use super::confusions::Confusions;
use super::{LIGHT, LONGEST, SLIP, SOUND};

/// The place of an ASCII letter or digit among 36.
pub(super) const fn place(letter: u8) -> Option<usize> {
    match letter {
        b'a'..=b'z' => Some((letter - b'a') as usize),
        b'0'..=b'9' => Some(26 + (letter - b'0') as usize),
        _ => None,
    }
}

/// The letters of a word, as far as they are compared.
#[derive(Debug, Clone, Copy)]
pub(super) struct Letters {
    pub(super) first: [char; LONGEST],
    /// Number of letters of the word, including those that are not compared.
    pub(super) len: u32,
    /// The letters, one bit each.
    pub(super) bits: u64,
    /// The letters that a light slip makes of one of them.
    pub(super) light: u64,
}

impl Letters {
    const NONE: Letters = Letters {
        first: ['\0'; LONGEST],
        len: 0,
        bits: 0,
        light: 0,
    };

    #[inline]
    fn push(&mut self, confusions: &Confusions, c: char) {
        if let Some(place) = self.first.get_mut(self.len as usize) {
            *place = c;
        }
        self.len += 1;
        self.bits |= bit(c);
        self.light |= confusions.light(c);
    }

    pub(super) fn text(&self) -> &[char] {
        &self.first[..LONGEST.min(self.len as usize)]
    }

    /// Whether the letters by themselves show a distance of more than `most`.
    pub(super) fn far(&self, other: &Letters, most: f32) -> bool {
        self.apart(other.bits, other.len, most)
            || cost_more(self.bits & !other.bits, other.light, most)
    }

    /// As [`Letters::far`], from a word of this length with these bits.
    pub(super) fn apart(&self, bits: u64, len: u32, most: f32) -> bool {
        let slips = slips(most);
        let (shorter, longer) = (self.len.saturating_sub(len), len.saturating_sub(self.len));
        if shorter.max(longer) > slips {
            return true;
        }
        // a slip removes at most one kind of letter and adds one, and a slip that shortens the word
        // adds none
        let (mine, others) = (self.bits & !bits, bits & !self.bits);
        more_than(mine, slips - longer)
            || more_than(others, slips - shorter)
            || cost_more(others, self.light, most)
    }
}

/// Whether more than `most` bits are set, of which there are a few: fewer instructions than
/// counting all.
pub(super) fn more_than(mut bits: u64, most: u32) -> bool {
    for _ in 0..most {
        bits &= bits.wrapping_sub(1);
    }
    bits != 0
}

/// The most slips that cost `most`: each changes at most two kinds of letters, and the length by
/// one.
pub(super) fn slips(most: f32) -> u32 {
    (most / LIGHT) as u32
}

/// Whether the letters of `bits`, which one of two words lacks, cost more than `most`: a light slip
/// each if the word has a letter that replaces it (in `light`), else a whole one.
fn cost_more(bits: u64, light: u64, most: f32) -> bool {
    // in tenths, of which all slips are made
    let tenths = |cost: f32| (cost * 10.0).round() as u32;
    (bits & light).count_ones() * tenths(LIGHT) + (bits & !light).count_ones() * tenths(SLIP)
        > tenths(most)
}

/// The bit of a letter in [`Letters::bits`].
#[inline]
pub(super) fn bit(c: char) -> u64 {
    1 << class(c)
}

/// Number of classes of letters.
pub(super) const CLASSES: usize = 64;

/// Number of classes of ASCII letters and digits: [`place`].
const PLACES: usize = 36;

/// The class of a letter, below [`CLASSES`]: those that are no ASCII letters and digits share the
/// high ones.
#[inline]
pub(super) fn class(c: char) -> usize {
    match OF_ASCII.get(c as usize) {
        Some(&class) => usize::from(class),
        None => shared(c as usize),
    }
}

const fn shared(c: usize) -> usize {
    PLACES + c % (CLASSES - PLACES)
}

/// The class of each ASCII character.
const OF_ASCII: [u8; 128] = {
    let mut classes = [0; 128];
    let mut c = 0;
    while c < classes.len() {
        classes[c] = match place(c as u8) {
            Some(place) => place,
            None => shared(c),
        } as u8;
        c += 1;
    }
    classes
};

/// The places of each class of letters in a word, a bit each.
#[derive(Debug, Clone, Copy)]
pub(super) struct Places {
    of: [u32; 64],
    len: u32,
}

impl Places {
    pub(super) fn of(letters: &Letters) -> Places {
        let mut places = Places {
            of: [0; 64],
            len: letters.text().len() as u32,
        };
        for (at, &c) in letters.text().iter().enumerate() {
            places.of[class(c)] |= 1 << at;
        }
        places
    }

    /// The least number of slips to a name, which is given by the classes of its letters: letters of
    /// one class count as the same, and all slips as one. `None` if there are more than `most`.
    ///
    /// The columns of the table of distances are kept as the steps between neighbours, a bit each
    /// (Hyyrö 2003, with swaps): some twenty operations for each letter of the name.
    pub(super) fn slips(&self, name: &[u8], most: u32) -> Option<u32> {
        let mut left = name.len() as u32;
        let Some(last) = self.len.checked_sub(1) else {
            return (left <= most).then_some(left);
        };
        let mut slips = self.len;
        let (mut up, mut down, mut diagonal, mut before) = (u32::MAX, 0u32, 0u32, 0u32);
        for &class in name {
            let same = self.of[usize::from(class & 63)];
            let swapped = ((!diagonal & same) << 1) & before;
            diagonal = ((same & up).wrapping_add(up) ^ up) | same | down | swapped;
            let (more, less) = (down | !(diagonal | up), diagonal & up);
            slips = (slips + (more >> last & 1)).wrapping_sub(less >> last & 1);
            let (more, less) = (more << 1 | 1, less << 1);
            (up, down) = (less | !(diagonal | more), more & diagonal);
            before = same;
            // each letter that is left takes one away at most
            left -= 1;
            if slips > most + left {
                return None;
            }
        }
        (slips <= most).then_some(slips)
    }
}

/// A word with its spelling and its sound, ready to be compared.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spelling {
    pub(super) letters: Letters,
    pub(super) sound: Letters,
}

impl Spelling {
    pub(crate) fn of(confusions: &Confusions, word: &str) -> Spelling {
        let mut letters = Letters::NONE;
        word.chars().for_each(|c| letters.push(confusions, c));
        if !word.is_ascii() {
            return Spelling {
                letters,
                sound: letters,
            };
        }
        let mut sound = Letters::NONE;
        confusions.speak(word, |c| sound.push(confusions, c));
        Spelling { letters, sound }
    }

    /// Number of letters.
    pub(crate) fn len(&self) -> usize {
        self.letters.len as usize
    }
}

/// The part of a [`Spelling`] that shows that others are far from it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sketch {
    bits: u64,
    sound_bits: u64,
    len: u32,
    sound_len: u32,
}

impl Sketch {
    pub(super) fn of(spelling: &Spelling) -> Sketch {
        let Spelling { letters, sound } = spelling;
        Sketch {
            bits: letters.bits,
            sound_bits: sound.bits,
            len: letters.len,
            sound_len: sound.len,
        }
    }

    /// Whether the name, as it is written and as it sounds, may be so many slips away from a word by
    /// the number of its letters.
    #[inline]
    fn as_long(&self, word: &Spelling, (written, spoken): (u32, u32)) -> (bool, bool) {
        (
            self.len.abs_diff(word.letters.len) <= written,
            self.sound_len.abs_diff(word.sound.len) <= spoken,
        )
    }

    /// Whether one of both may.
    #[inline]
    pub(super) fn is_as_long(&self, word: &Spelling, most: (u32, u32)) -> bool {
        let (written, spoken) = self.as_long(word, most);
        written | spoken
    }

    /// The same, by the letters that one of them lacks as well.
    #[inline]
    pub(super) fn is_about(&self, word: &Spelling, most: (u32, u32)) -> bool {
        let lack_few = |word: &Letters, bits: u64, most: u32| {
            !more_than(word.bits & !bits, most) & !more_than(bits & !word.bits, most)
        };
        let (written, spoken) = self.as_long(word, most);
        written & lack_few(&word.letters, self.bits, most.0)
            | spoken & lack_few(&word.sound, self.sound_bits, most.1)
    }

    /// Whether the name has all the letters of a word.
    pub(super) fn has(&self, word: &Letters) -> bool {
        word.bits & !self.bits == 0
    }

    /// Number of letters of the name.
    pub(crate) fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether the distance is certainly more than `most`; if not, [`Confusions::between`] finds
    /// out.
    pub(crate) fn far(&self, word: &Spelling, most: f32) -> bool {
        word.letters.apart(self.bits, self.len, most)
            && (most < SOUND
                || word
                    .sound
                    .apart(self.sound_bits, self.sound_len, most - SOUND))
    }
}
