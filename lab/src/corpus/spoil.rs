//! Typing errors: slips in names, joined and split words, letter case, widths, entities, O for 0.

use super::deck::{PlainKey, letters};
use super::random::Random;
use super::render::Sources;
use super::surface;
use titledex::internals::token::key_of;

/// Shorter words are not misspelt: one letter more or less makes another word.
const LEAST_LETTERS: usize = 6;
/// Most attempts to find a slip that does not make a known word.
const TRIES: usize = 12;

/// A name with one slip, which is not a known name, word or alias, and closer to this name than to
/// any other.
pub(crate) fn misspell(
    from: &Sources<'_>,
    random: &mut Random,
    name: &str,
    kind: &str,
) -> Option<String> {
    let words: Vec<&str> = name
        .split(' ')
        .filter(|word| word.len() >= LEAST_LETTERS && word.bytes().all(|b| b.is_ascii_alphabetic()))
        .collect();
    for _ in 0..TRIES {
        let word = *random.pick(&words)?;
        let Some(wrong) = slip(random, word, kind) else {
            continue;
        };
        let text = name.replacen(word, &wrong, 1);
        let (right_key, word_key, key) = (key_of(name), key_of(&wrong), key_of(&text));
        let known = |key: &str| from.catalogue.knows(key) || from.words.knows(key);
        if known(&word_key) || known(&key) || word_key == key_of(word) {
            continue;
        }
        if is_far(from, &key, &right_key) && is_far(from, &word_key, &key_of(word)) {
            return Some(text);
        }
    }
    None
}

/// A word at most so many slips from a name may be a misspelling of it.
const NEAR: usize = 2;

/// Whether every name but `right` is more than [`NEAR`] slips from `key`.
fn is_far(from: &Sources<'_>, key: &str, right: &str) -> bool {
    let (length, own) = (key.chars().count(), letters(key));
    let lengths = length.saturating_sub(NEAR)..=length + NEAR;
    // a slip takes away one letter at most, and adds one
    let near = |other: &PlainKey| {
        (other.letters ^ own).count_ones() as usize <= 2 * NEAR
            && other.key != right
            && strsim::osa_distance(&other.key, key) <= NEAR
    };
    !lengths
        .flat_map(|length| from.deck.plain_keys(length))
        .any(near)
}

/// An invented word that no dictionary has.
pub(crate) fn invented(from: &Sources<'_>, random: &mut Random) -> Option<String> {
    const VOWELS: [char; 5] = ['a', 'e', 'i', 'o', 'u'];
    const CONSONANTS: [char; 14] = [
        'b', 'd', 'f', 'g', 'h', 'k', 'l', 'm', 'n', 'p', 'r', 's', 't', 'v',
    ];
    let mut word = String::new();
    for _ in 0..2 + random.index(2) {
        word.push(*random.pick(&CONSONANTS)?);
        word.push(*random.pick(&VOWELS)?);
    }
    word.push(*random.pick(&CONSONANTS)?);
    let key = key_of(&word);
    let far = !from.catalogue.knows(&key) && !from.words.knows(&key) && is_far(from, &key, "");
    far.then(|| word.replacen(|_: char| true, &word[..1].to_uppercase(), 1))
}

/// A name without the marks that keyboards lack, and without the `'s` of an owner; `None` if it has
/// neither.
pub(crate) fn bare(name: &str) -> Option<String> {
    let plain: String = name
        .chars()
        .filter(|c| !matches!(c, 'δ' | '☆' | '★' | '◇'))
        .collect();
    let plain = plain.replacen("'s ", " ", 1).replacen("’s ", " ", 1);
    let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    (plain != name && !plain.is_empty()).then_some(plain)
}

/// One slip of the keyboard.
fn slip(random: &mut Random, word: &str, kind: &str) -> Option<String> {
    let mut chars: Vec<char> = word.chars().collect();
    // The first letter is rarely wrong.
    let at = 1 + random.index(chars.len() - 1);
    match kind {
        "transposition" if at + 1 < chars.len() => chars.swap(at, at + 1),
        "deletion" => drop(chars.remove(at)),
        "doubled letter" => chars.insert(at, chars[at]),
        "insertion" => chars.insert(
            at,
            *random.pick(&surface::neighbours(chars[at].to_ascii_lowercase()))?,
        ),
        "keyboard neighbour" => {
            chars[at] = *random.pick(&surface::neighbours(chars[at].to_ascii_lowercase()))?
        }
        "replacement" => {
            let vowels = ['a', 'e', 'i', 'o', 'u'];
            if !vowels.contains(&chars[at]) {
                return None;
            }
            chars[at] = *random.pick(&vowels)?;
        }
        _ => return None,
    }
    Some(chars.into_iter().collect())
}

/// A name with its words joined or a compound split at its hyphen.
pub(crate) fn words(random: &mut Random, name: &str, how: &str) -> String {
    match how {
        "joined" if name.contains(' ') => {
            let at: Vec<usize> = name.match_indices(' ').map(|hit| hit.0).collect();
            let at = random.pick(&at).copied().unwrap_or(0);
            let mark = if random.chance(1, 2) { "-" } else { "" };
            format!("{}{mark}{}", &name[..at], &name[at + 1..])
        }
        "split" => name.replacen('-', " ", 1),
        _ => name.to_owned(),
    }
}
