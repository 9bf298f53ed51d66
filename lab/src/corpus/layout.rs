//! Arranges the fields of a title: their order, brackets, separators, emoji, letter case, widths.

use super::render::Writer;
use super::slot::Slot;
use super::surface;

/// A field as it was written.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) slot: Slot,
    pub(crate) text: String,
}

/// Weight of a step that was never counted, so that a title can always be finished.
const UNSEEN: u64 = 1;

impl Writer<'_, '_> {
    /// The pieces in an order drawn from the group's steps from field to field.
    pub(crate) fn order(&mut self, mut left: Vec<Piece>) -> Vec<Piece> {
        let table = self.from.noise.table(self.group, "next");
        let count = |before: &str, after: &str| {
            table
                .iter()
                .find(|(step, _)| step.split_once('>') == Some((before, after)))
                .map_or(UNSEEN, |row| row.1.max(UNSEEN))
        };
        let mut row: Vec<Piece> = Vec::new();
        while !left.is_empty() {
            let before = row.last().map_or("start", |piece| piece.slot.name());
            let last = left.len() == 1;
            let weights: Vec<(usize, u64)> = left
                .iter()
                .enumerate()
                .map(|(at, piece)| {
                    (
                        at,
                        count(before, piece.slot.name()) * if last { 1 } else { 16 },
                    )
                })
                .collect();
            let at = self
                .random
                .weighted(&weights, |entry| entry.1)
                .map_or(0, |entry| entry.0);
            row.push(left.swap_remove(at));
        }
        row
    }

    /// The row as text.
    pub(crate) fn join(&mut self, row: &[Piece]) -> String {
        let style = self.draw("separator").unwrap_or_default().replace('␣', " ");
        let style = if style.is_empty() {
            " ".to_owned()
        } else {
            style
        };
        let case = self.draw("case").unwrap_or_default();
        let mut out = String::new();
        for piece in row {
            let text = in_case(
                &piece.text,
                if piece.slot == Slot::Set && piece.text.contains('-') {
                    "mixed"
                } else {
                    &case
                },
            );
            let pair = self
                .draw(&format!("bracket {}", piece.slot.name()))
                .filter(|pair| pair != "none")
                .unwrap_or_default();
            let mut marks = pair.chars();
            let (open, close) = (marks.next(), marks.next());
            let text: String = match (open, close) {
                (Some(open), Some(close)) if !text.contains(['(', '[']) => {
                    format!("{open}{text}{close}")
                }
                _ => text,
            };
            if !out.is_empty() {
                let styled = style.trim() != "" && self.yes("separator used");
                let separator = if styled { style.as_str() } else { " " };
                out.push_str(
                    if tight(&out, &text, self.japanese)
                        && style.trim().is_empty()
                        && self.random.chance(1, 2)
                    {
                        ""
                    } else {
                        separator
                    },
                );
            }
            out.push_str(&text);
        }
        self.decorate(out)
    }

    /// Emoji, entities and widths.
    fn decorate(&mut self, mut title: String) -> String {
        let count: usize = self
            .draw("emoji count")
            .and_then(|count| count.parse().ok())
            .unwrap_or(0);
        for _ in 0..count {
            let Some(emoji) = self.draw("emoji") else {
                break;
            };
            if self.random.chance(1, 2) {
                title = if title.starts_with(surface::is_emoji) {
                    format!("{emoji}{title}")
                } else {
                    format!("{emoji} {title}")
                };
            } else {
                title = if title.ends_with(surface::is_emoji) {
                    format!("{title}{emoji}")
                } else {
                    format!("{title} {emoji}")
                };
            }
        }
        if title.contains('&') && self.yes("entity") {
            title = title.replace('&', "&amp;");
        }
        if self.japanese && self.yes("full width") {
            title = surface::widen(&title);
        }
        title
    }
}

/// Whether a word may follow without a space, because the script changes there and nothing is read
/// across it.
fn tight(before: &str, after: &str, japanese: bool) -> bool {
    let (Some(one), Some(other)) = (before.chars().next_back(), after.chars().next()) else {
        return false;
    };
    let bracket = |c: char| "【】〔〕（）()[]{}".contains(c);
    japanese
        && (bracket(one)
            || bracket(other)
            || one.is_ascii_alphanumeric() != other.is_ascii_alphanumeric())
}

/// A text in the letter case of its title. Short codes stay as they are: many are read only in
/// capitals.
fn in_case(text: &str, case: &str) -> String {
    let code = text.chars().count() <= 4 && text.chars().all(|c| c.is_ascii_uppercase());
    match case {
        "upper" => text.to_uppercase(),
        "lower" if !code => text.to_lowercase(),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{in_case, tight};

    #[test]
    fn letter_case() {
        assert_eq!(in_case("Pikachu ex", "upper"), "PIKACHU EX");
        assert_eq!(in_case("NM", "lower"), "NM");
        assert_eq!(in_case("Pikachu", "lower"), "pikachu");
    }

    #[test]
    fn no_words_grow_together() {
        assert!(tight("リザードン", "SAR", true) && tight("PSA10】", "PSA", true));
        assert!(
            !tight("Charizard", "4/102", true)
                && !tight("リザードン", "SAR", false)
                && !tight("", "SAR", true)
        );
        assert!(!tight("リザードン", "美品", true));
    }
}
