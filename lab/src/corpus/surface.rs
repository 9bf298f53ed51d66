//! The surface of a title, without reading it: letter case, emoji, widths, entities, script.

use strsim::osa_distance;

/// How the letters of a title are written.
pub(crate) fn case(title: &str) -> &'static str {
    let (mut upper, mut lower) = (0, 0);
    for c in title.chars().filter(char::is_ascii_alphabetic) {
        if c.is_ascii_uppercase() {
            upper += 1
        } else {
            lower += 1
        }
    }
    match (upper, lower) {
        (6.., 0) => "upper",
        (0, 6..) => "lower",
        _ => "mixed",
    }
}

/// A decorative pictograph; stars and marks that are parts of names do not count.
pub(crate) fn is_emoji(c: char) -> bool {
    matches!(c, '\u{1f300}'..='\u{1faff}' | '\u{1f1e6}'..='\u{1f1ff}' | '\u{2700}'..='\u{27bf}' | '\u{2b50}' | '\u{2b55}' | '\u{26a0}'..='\u{26ff}')
}

/// The pictographs of a title; two letters of a flag are one.
pub(crate) fn emoji(title: &str) -> Vec<&str> {
    let flag = |c: char| matches!(c, '\u{1f1e6}'..='\u{1f1ff}');
    let mut out = Vec::new();
    let mut chars = title.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if !is_emoji(c) {
            continue;
        }
        let mut end = at + c.len_utf8();
        if flag(c) {
            match chars.next_if(|(_, next)| flag(*next)) {
                Some((next, c)) => end = next + c.len_utf8(),
                // Half a flag does not count.
                None => continue,
            }
        }
        out.extend(title.get(at..end));
    }
    out
}

/// Kana, or kanji: a title of a Japanese venue.
pub(crate) fn is_japanese(title: &str) -> bool {
    title.contains(|c| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{ff66}'..='\u{ff9d}' | '\u{4e00}'..='\u{9fff}'))
}

/// Letters and digits as wide as kana.
pub(crate) fn has_full_width(title: &str) -> bool {
    title.contains(|c| matches!(c, '\u{ff10}'..='\u{ff19}' | '\u{ff21}'..='\u{ff3a}' | '\u{ff41}'..='\u{ff5a}'))
}

/// Kana as narrow as letters.
pub(crate) fn has_half_width_kana(title: &str) -> bool {
    title.contains(|c| matches!(c, '\u{ff66}'..='\u{ff9d}'))
}

/// `&amp;` for `&`.
pub(crate) fn has_entity(title: &str) -> bool {
    [
        "&amp;", "&#39;", "&quot;", "&#x27;", "&lt;", "&gt;", "&nbsp;",
    ]
    .iter()
    .any(|entity| title.contains(entity))
}

/// A letter O among digits.
pub(crate) fn has_o_for_zero(title: &str) -> bool {
    let chars: Vec<char> = title.chars().collect();
    chars
        .windows(3)
        .any(|w| matches!(w[1], 'O' | 'o') && w[0].is_ascii_digit() && w[2].is_ascii_digit())
}

/// Letters and digits in full width.
pub(crate) fn widen(text: &str) -> String {
    text.chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() {
                char::from_u32(c as u32 + 0xfee0).unwrap_or(c)
            } else {
                c
            }
        })
        .collect()
}

/// The rows of the keyboard.
const KEYBOARD: [&str; 3] = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];

/// The neighbours of a key.
pub(crate) fn neighbours(c: char) -> Vec<char> {
    for row in KEYBOARD {
        if let Some(at) = row.find(c) {
            let beside = [at.checked_sub(1), Some(at + 1)];
            return beside
                .into_iter()
                .flatten()
                .filter_map(|at| row.as_bytes().get(at))
                .map(|b| char::from(*b))
                .collect();
        }
    }
    Vec::new()
}

/// The one slip that turns `right` into `wrong`, if there is one.
pub(crate) fn slip(right: &str, wrong: &str) -> Option<&'static str> {
    if right == wrong || osa_distance(right, wrong) != 1 {
        return None;
    }
    let (r, w): (Vec<char>, Vec<char>) = (right.chars().collect(), wrong.chars().collect());
    let at = r.iter().zip(&w).take_while(|(a, b)| a == b).count();
    Some(match w.len().cmp(&r.len()) {
        std::cmp::Ordering::Less => "deletion",
        std::cmp::Ordering::Greater if at > 0 && w.get(at) == w.get(at - 1) => "doubled letter",
        std::cmp::Ordering::Greater => "insertion",
        std::cmp::Ordering::Equal if r.get(at) == w.get(at + 1) && r.get(at + 1) == w.get(at) => {
            "transposition"
        }
        std::cmp::Ordering::Equal
            if w.get(at)
                .is_some_and(|c| r.get(at).is_some_and(|o| neighbours(*o).contains(c))) =>
        {
            "keyboard neighbour"
        }
        std::cmp::Ordering::Equal => "replacement",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_distinguished() {
        let found = [
            "chraizard",
            "chaizard",
            "charrizard",
            "charizarx",
            "charizsrd",
            "chaorizard",
            "charizard",
            "blastoise",
        ]
        .map(|w| slip("charizard", w));
        let expected = [
            Some("transposition"),
            Some("deletion"),
            Some("doubled letter"),
            Some("replacement"),
            Some("keyboard neighbour"),
            Some("insertion"),
            None,
            None,
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn looks() {
        assert_eq!(
            [
                case("POKEMON PSA 10"),
                case("pokemon 4"),
                case("Pokemon"),
                case("リザードン")
            ],
            ["upper", "lower", "mixed", "mixed"]
        );
        assert!(is_japanese("ﾋﾟｶ") && !is_japanese("Pokémon"));
        assert_eq!(widen("sv2a 201/165"), "ｓｖ２ａ ２０１/１６５");
        assert!(has_full_width("ＰＳＡ") && !has_full_width("PSA") && has_half_width_kana("ﾋﾟｶ"));
        assert!(
            has_o_for_zero("1O2/165") && !has_o_for_zero("10 of 20") && has_entity("a &amp; b")
        );
        assert_eq!(emoji("🔥 🇯🇵 Pikachu ⭐ 🇯"), ["🔥", "🇯🇵", "⭐"]);
        assert!(is_emoji('🔥') && is_emoji('⭐') && !is_emoji('★') && !is_emoji('♀'));
    }
}
