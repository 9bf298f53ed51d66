//! Text on a terminal: how wide its characters are, and how lines are cut or wrapped.

pub(crate) use titledex_command::{shown, visible};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Width if neither the terminal nor COLUMNS states one.
const DEFAULT_COLUMNS: usize = 100;

/// Width of the terminal on standard output, else COLUMNS, else 100.
pub(crate) fn columns() -> usize {
    let terminal = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    let variable = || {
        std::env::var("COLUMNS")
            .ok()
            .and_then(|value| value.parse::<usize>().ok())
    };
    terminal
        .or_else(variable)
        .unwrap_or(DEFAULT_COLUMNS)
        .clamp(40, 400)
}

/// Width of what is written for people: that of the terminal if `terminal`, else COLUMNS if it is
/// set; `None` if neither limits it.
pub(crate) fn room(terminal: bool) -> Option<usize> {
    (terminal || std::env::var_os("COLUMNS").is_some()).then(columns)
}

/// Width of `c` in columns.
pub(crate) fn char_width(c: char) -> usize {
    c.width().unwrap_or(0)
}

/// Width of `text` in columns.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// `text` cut to `columns`, with `…` at the end if anything was cut.
pub(crate) fn cut(text: &str, columns: usize) -> String {
    let text = shown(text);
    if width(&text) <= columns {
        return text;
    }
    let mut out = String::new();
    let mut used = 0;
    for c in text.chars() {
        if used + char_width(c) + 1 > columns {
            break;
        }
        used += char_width(c);
        out.push(c);
    }
    out.push('…');
    out
}

/// `text` cut or padded to exactly `columns`.
pub(crate) fn fit(text: &str, columns: usize) -> String {
    let mut out = cut(text, columns);
    let used = width(&out);
    out.extend(std::iter::repeat_n(' ', columns.saturating_sub(used)));
    out
}

/// Breaks `text` at spaces into lines of at most `columns`; a longer word gets its own line.
pub(crate) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        if !line.is_empty() && width(&line) + 1 + width(word) > columns {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{cut, fit, width, wrap};

    #[test]
    fn text_is_cut_by_columns_not_characters() {
        assert_eq!(cut("リザードン", 10), "リザードン");
        assert_eq!(cut("リザードン", 9), "リザード…");
        assert_eq!(cut("リザードン", 8), "リザー…");
        assert_eq!(width(&fit("リザードン", 8)), 8);
        assert_eq!(fit("ab", 4), "ab  ");
    }

    #[test]
    fn text_wraps_at_spaces() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("", 7), Vec::<String>::new());
        assert_eq!(
            wrap("incomprehensible it is", 5),
            ["incomprehensible", "it is"]
        );
    }
}
