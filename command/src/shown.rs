//! Text of others on a terminal: which characters are shown.

/// The character shown on a terminal for `c` from a title, a file or a name: never a control
/// character, an escape or a mark that reverses the line.
#[must_use]
pub fn visible(c: char) -> Option<char> {
    match c {
        '\0'..='\x1f' => char::from_u32(0x2400 + c as u32),
        '\x7f' => Some('\u{2421}'),
        '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => None,
        '\u{80}'..='\u{9f}'
        | '\u{ad}'
        | '\u{61c}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}' => Some('·'),
        c => Some(c),
    }
}

/// `text` with each character as in [`visible`].
#[must_use]
pub fn shown(text: &str) -> String {
    text.chars().filter_map(visible).collect()
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn control_characters_never_reach_the_terminal() {
        assert_eq!(
            shown("a\x1b[31m\0b\u{202e}c\u{200b}d\u{fe0f}\n"),
            "a␛[31m␀b·c·d␊"
        );
        assert!(!shown("\u{9b}31m\u{7f}").contains(|c: char| c.is_control()));
    }
}
