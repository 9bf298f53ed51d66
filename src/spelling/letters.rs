//! [`Spelling`]: a word ready to be compared, with the facts that quickly show others to be far
//! from it.

use super::confusions::Confusions;
use super::{LIGHT, LONGEST, SLIP, SOUND};

/// The place of an ASCII letter or digit among 36.
pub(super) fn place(letter: u8) -> Option<usize> {
    match letter {
        b'a'..=b'z' => Some(usize::from(letter - b'a')),
        b'0'..=b'9' => Some(26 + usize::from(letter - b'0')),
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
    pub(super) fn of(confusions: &Confusions, word: impl Iterator<Item = char>) -> Letters {
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
        let (mine, others) = (self.bits & !bits, bits & !self.bits);
        // a slip removes at most one kind of letter and adds one, and a slip that shortens the word
        // adds none
        let (gone, come) = (
            mine.count_ones() + len.saturating_sub(self.len),
            others.count_ones() + self.len.saturating_sub(len),
        );
        gone.max(come) > slips(most) || cost_more(others, self.light, most)
    }
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

/// The bit of a letter; those that are not ASCII share the high ones.
fn bit(c: char) -> u64 {
    1 << u8::try_from(c)
        .ok()
        .and_then(place)
        .unwrap_or(36 + (c as usize) % 28)
}

/// A word with its spelling and its sound, ready to be compared.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spelling {
    pub(super) letters: Letters,
    pub(super) sound: Letters,
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
