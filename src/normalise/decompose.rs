//! What characters are made of, and what is put together of two.
//!
//! The library that knows it carries tables of 55 kB as a browser fetches them, made to be searched
//! as they lie. The build script asks it once, and what titles need of it is 8 kB.

use once_cell::sync::OnceCell;

/// For each character that decomposes, ascending: the step from the one before, how many pieces it
/// has, and the pieces; numbers are characters, too.
const TABLE: &str = include_str!(concat!(env!("OUT_DIR"), "/decompositions.txt"));
/// Characters are found by blocks of so many.
const BLOCK: usize = 256;
/// Blocks of all characters of Unicode.
const BLOCKS: usize = 0x11_0000 / BLOCK;

static BUILTIN: OnceCell<Decompositions> = OnceCell::new();

/// The compatibility decompositions of Unicode, but for Hangul syllables, and without marks on
/// letters behind the first piece, which folding drops.
pub(super) struct Decompositions {
    /// For each block its place in `cells`; the first is of those of which nothing decomposes.
    blocks: Vec<u8>,
    /// For each character of these blocks where its pieces begin and end.
    cells: Vec<[(u16, u16); BLOCK]>,
    pieces: Vec<char>,
}

impl Decompositions {
    /// Those of this build; read when the first title needs them.
    pub(super) fn builtin() -> &'static Decompositions {
        BUILTIN.get_or_init(|| Decompositions::read(TABLE))
    }

    fn read(table: &str) -> Decompositions {
        let mut all = Decompositions {
            blocks: vec![0; BLOCKS],
            cells: vec![[(0, 0); BLOCK]],
            pieces: Vec::new(),
        };
        let mut chars = table.chars();
        let mut at = 0;
        while let (Some(step), Some(count)) = (chars.next(), chars.next()) {
            at += step as usize;
            let from = all.pieces.len();
            all.pieces.extend(chars.by_ref().take(count as usize));
            let Some(block) = all.blocks.get_mut(at / BLOCK) else {
                break;
            };
            if *block == 0 {
                *block = all.cells.len() as u8;
                all.cells.push([(0, 0); BLOCK]);
            }
            let cell = &mut all.cells[usize::from(*block)][at % BLOCK];
            *cell = (from as u16, all.pieces.len() as u16);
        }
        all
    }

    /// The pieces of a character; empty if it is one itself.
    pub(super) fn of(&self, c: char) -> &[char] {
        let block = self.blocks[c as usize / BLOCK];
        let (from, to) = self.cells[usize::from(block)][c as usize % BLOCK];
        &self.pieces[usize::from(from)..usize::from(to)]
    }
}

/// Katakana that take a voicing mark, and stand right before the kana with it.
const VOICED: &str = "カキクケコサシスセソタチツテトハヒフヘホヽ";
/// The others, and the kana with the mark.
const OTHERS_VOICED: [(char, char); 5] = [
    ('ウ', 'ヴ'),
    ('ワ', 'ヷ'),
    ('ヰ', 'ヸ'),
    ('ヱ', 'ヹ'),
    ('ヲ', 'ヺ'),
];
/// Katakana that take the mark of a half voicing, and stand two before the kana with it.
const HALF_VOICED: &str = "ハヒフヘホ";

// Hangul syllables stand in the order of their first consonants, vowels and last consonants (The
// Unicode Standard, 3.12).
const SYLLABLES: u32 = 0xac00;
const FIRST_CONSONANTS: u32 = 0x1100;
const VOWELS: u32 = 0x1161;
/// One before the first of them: no last consonant.
const LAST_CONSONANTS: u32 = 0x11a7;
const MOST_FIRST: u32 = 19;
const MOST_VOWELS: u32 = 21;
const MOST_LAST: u32 = 28;

/// A katakana and its voicing mark, or two parts of a Hangul syllable, as one character.
pub(super) fn compose(letter: char, mark: char) -> Option<char> {
    let after = |steps: u32| char::from_u32(letter as u32 + steps);
    match mark {
        '\u{3099}' if VOICED.contains(letter) => after(1),
        '\u{3099}' => {
            let pair = OTHERS_VOICED.iter().find(|(plain, _)| *plain == letter);
            pair.map(|&(_, voiced)| voiced)
        }
        '\u{309a}' if HALF_VOICED.contains(letter) => after(2),
        _ => {
            let place = |c: char, first: u32, most: u32| {
                (c as u32).checked_sub(first).filter(|place| *place < most)
            };
            if let Some(consonant) = place(letter, FIRST_CONSONANTS, MOST_FIRST) {
                let vowel = place(mark, VOWELS, MOST_VOWELS)?;
                let syllable = (consonant * MOST_VOWELS + vowel) * MOST_LAST;
                return char::from_u32(SYLLABLES + syllable);
            }
            let syllable = place(letter, SYLLABLES, MOST_FIRST * MOST_VOWELS * MOST_LAST)?;
            let last = place(mark, LAST_CONSONANTS, MOST_LAST).filter(|last| *last > 0)?;
            if syllable % MOST_LAST == 0 {
                after(last)
            } else {
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_normalization::char as unicode;

    #[test]
    fn characters_have_the_pieces_that_unicode_gives_them() {
        let all = Decompositions::builtin();
        for c in (0..=0x10_ffff).filter_map(char::from_u32) {
            let mut pieces = Vec::new();
            unicode::decompose_compatible(c, |piece| {
                if pieces.is_empty() || !('\u{300}'..='\u{36f}').contains(&piece) {
                    pieces.push(piece);
                }
            });
            let hangul = (SYLLABLES..SYLLABLES + 11_172).contains(&(c as u32));
            match all.of(c) {
                [] => assert!(hangul || pieces == [c], "{c:?}"),
                own => assert_eq!(own, pieces, "{c:?}"),
            }
        }
    }

    #[test]
    fn kana_and_hangul_are_put_together_as_unicode_does() {
        let marks = ['\u{3099}', '\u{309a}']
            .into_iter()
            .chain('\u{1161}'..='\u{11ff}');
        for mark in marks {
            let letters = ('\u{30a1}'..='\u{30ff}').chain('\u{1100}'..='\u{11ff}');
            for letter in letters
                .chain('\u{ac00}'..='\u{ac80}')
                .chain(['a', '가', '각'])
            {
                let joined = unicode::compose(letter, mark);
                assert_eq!(compose(letter, mark), joined, "{letter:?} {mark:?}");
            }
        }
    }
}
