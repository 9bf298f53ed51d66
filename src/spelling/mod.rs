//! The distance between two spellings, and the names of the catalogue that a misspelt word may
//! mean.
//!
//! The distance is that of Damerau and Levenshtein in its restricted form (insert, delete, replace,
//! transpose neighbours), but slips that people and scanners often make cost less: a neighbour on
//! the keyboard, a vowel for another, a doubled letter, a letter that looks alike, a spelling that
//! sounds alike (`dictionaries/common/confusions.csv`).

mod confusions;
mod letters;
mod names;

pub(crate) use confusions::Confusions;
pub(crate) use letters::Spelling;
pub(crate) use names::{Misspelt, SHORTEST_SET, Spellings};

/// Words longer than this are compared with nothing.
pub(crate) const LONGEST: usize = 32;
/// Cost of a replaced, inserted or deleted letter.
const SLIP: f32 = 1.0;
/// A neighbour on the keyboard, a letter that looks alike, a vowel for another; two letters in the
/// wrong order; a letter twice or not twice, a long vowel or a short one.
const LIGHT: f32 = 0.6;
/// It makes the vowel before it long, and is lost as easily as a letter that repeats one: `ゾロアク`.
const LONG_VOWEL: char = 'ー';
/// A spelling that sounds the same.
const SOUND: f32 = 0.6;
/// The first letter is hardly ever wrong.
const FIRST: f32 = 0.5;

/// A name that is cut off has at least so many bytes left.
const LEAST_OF_CUT: usize = 8;

/// Whether `text` is how a name begins, and most of it: `Paldea Evo`.
pub(crate) fn is_cut_off(text: &str, name: &str) -> bool {
    text.len() >= LEAST_OF_CUT && name.starts_with(text) && text.len() * 5 >= name.len() * 3
}

/// The most slips that a word of this many letters may have.
pub(crate) fn allowed(letters: usize) -> f32 {
    match letters {
        0..=3 => 0.0,
        4 => 0.6,
        5..=6 => 1.0,
        7..=8 => 1.6,
        _ => 2.2,
    }
}

#[cfg(test)]
mod tests {
    use super::letters::{Sketch, place};
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
            ("レントラ", "レントラー"),
            ("ドンファーン", "ドンファン"),
        ] {
            assert!(slips(word, name).is_some(), "{word} for {name}");
        }
        assert!(slips("chatizard", "charizard") < slips("chabizard", "charizard"));
    }

    #[test]
    fn different_words_are_far() {
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

    /// The result that [`Confusions::distance`] promises, found by trying every way from one word
    /// to the other.
    fn by_all_ways(confusions: &Confusions, a: &[char], b: &[char]) -> f32 {
        let single = |word: &[char], at: usize| {
            if at > 0 && word[at] == word[at - 1] || word[at] == LONG_VOWEL {
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
    fn banded_distance_equals_the_full_one() {
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
            "ゾロアーク",
            "ゾロアク",
            "ゾーロアアク",
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
    fn sketch_never_overstates_the_distance() {
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
            "リザドン",
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
    fn word_has_distance_zero_to_itself() {
        assert_eq!(slips("charizard", "charizard"), Some(0.0));
    }
}
