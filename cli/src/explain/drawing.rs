//! A title with its spans underlined and labelled.
//!
//! ```text
//! Charizard #4 Holo PSA 9
//! ┬──────── ┬─ ┬─── ┬── ┬
//! name      │  │    │   grade
//!           │  │    grader
//!           │  finish
//!           number
//! ```

use crate::colour::{Colours, Paint};
use crate::text::{char_width, cut, visible, width};
use std::cmp::Ordering;
use std::ops::Range;

/// Columns kept free at the right edge for the label of a reading that begins there; a longer label
/// is cut.
const LABEL: usize = 12;

/// A part of the title that is underlined.
pub(super) struct Word {
    /// Its bytes in the title.
    pub(super) bytes: Range<usize>,
    /// The label under it; without one the line is dotted.
    pub(super) label: Option<String>,
    /// Its colour.
    pub(super) paint: Paint,
}

/// A character as shown.
struct Cell<'w> {
    shown: char,
    width: usize,
    /// The word that it belongs to.
    word: Option<&'w Word>,
    /// Whether the word begins here.
    begins: bool,
}

/// The title and its labels, wrapped to `columns`. Of overlapping words the first in the list is
/// drawn.
pub(super) fn draw(title: &str, words: &[Word], colours: Colours, columns: usize) -> String {
    let cells = cells(title, words);
    let mut out = String::new();
    for row in rows(&cells, columns.saturating_sub(LABEL)) {
        out.push_str(&title_line(row, colours));
        out.push_str(&underline(row, colours));
        out.push_str(&labels(row, colours, columns));
    }
    out
}

/// The title alone, in the colours of its words and wrapped to `columns`.
pub(super) fn title(title: &str, words: &[Word], colours: Colours, columns: usize) -> String {
    let cells = cells(title, words);
    let rows = rows(&cells, columns);
    rows.into_iter()
        .map(|row| title_line(row, colours))
        .collect()
}

fn cells<'w>(title: &str, words: &'w [Word]) -> Vec<Cell<'w>> {
    let mut cells = Vec::new();
    let mut begun = vec![false; words.len()];
    for (at, c) in title.char_indices() {
        let Some(shown) = visible(c) else { continue };
        let word = words.iter().position(|word| word.bytes.contains(&at));
        let begins = word.is_some_and(|word| !std::mem::replace(&mut begun[word], true));
        cells.push(Cell {
            shown,
            width: char_width(shown),
            word: word.and_then(|word| words.get(word)),
            begins,
        });
    }
    cells
}

/// Splits the cells into rows of at most `columns`, after a space outside of any reading if
/// possible.
fn rows<'c, 'w>(cells: &'c [Cell<'w>], columns: usize) -> Vec<&'c [Cell<'w>]> {
    let mut rows = Vec::new();
    let mut rest = cells;
    while !rest.is_empty() {
        let mut used = 0;
        let fits = rest.iter().take_while(|cell| {
            used += cell.width;
            used <= columns
        });
        let fits = fits.count().max(1);
        let end = if fits == rest.len() {
            fits
        } else {
            let space = rest[..fits]
                .iter()
                .rposition(|cell| cell.shown == ' ' && cell.word.is_none());
            space.map_or(fits, |at| at + 1)
        };
        let (row, next) = rest.split_at(end);
        rows.push(row);
        rest = next;
    }
    rows
}

/// One line of pieces, each painted as a whole, without trailing spaces.
struct Painter {
    colours: Colours,
    line: String,
    piece: String,
    paint: Option<Paint>,
}

impl Painter {
    fn new(colours: Colours) -> Self {
        Self {
            colours,
            line: String::new(),
            piece: String::new(),
            paint: None,
        }
    }

    fn add(&mut self, paint: Option<Paint>, text: &str) {
        if paint != self.paint {
            self.flush();
            self.paint = paint;
        }
        self.piece.push_str(text);
    }

    fn flush(&mut self) {
        let piece = std::mem::take(&mut self.piece);
        match self.paint {
            Some(paint) => self.line.push_str(&self.colours.paint(paint, &piece)),
            None => self.line.push_str(&piece),
        }
    }

    fn end(mut self) -> String {
        self.flush();
        let mut line = self.line.trim_end_matches(' ').to_owned();
        line.push('\n');
        line
    }
}

fn title_line(row: &[Cell<'_>], colours: Colours) -> String {
    let mut line = Painter::new(colours);
    for cell in row {
        line.add(
            cell.word.map(|word| word.paint),
            cell.shown.encode_utf8(&mut [0; 4]),
        );
    }
    line.end()
}

fn underline(row: &[Cell<'_>], colours: Colours) -> String {
    let mut line = Painter::new(colours);
    for cell in row {
        let (first, other) = match cell.word {
            None => (" ", " "),
            Some(word) if word.label.is_none() => ("┄", "┄"),
            Some(_) if cell.begins => ("┬", "─"),
            Some(_) => ("─", "─"),
        };
        let text: String = std::iter::once(first)
            .chain(std::iter::repeat(other))
            .take(cell.width)
            .collect();
        line.add(cell.word.map(|word| word.paint), &text);
    }
    line.end()
}

/// A label, the column where it begins, and its row.
struct Label {
    column: usize,
    row: usize,
    text: String,
    width: usize,
    paint: Paint,
}

impl Label {
    /// Whether `self` in `row`, which begins left of `right`, would cover that label or the line
    /// that leads down to it.
    fn covers(&self, row: usize, right: &Label) -> bool {
        let end = self.column + self.width;
        match right.row.cmp(&row) {
            Ordering::Less => right.column == self.column,
            Ordering::Equal | Ordering::Greater => end >= right.column,
        }
    }
}

/// Lines of labels: from the last word to the first, each as high as the labels to its right allow.
fn labels(row: &[Cell<'_>], colours: Colours, columns: usize) -> String {
    let mut labels: Vec<Label> = Vec::new();
    let mut column = 0;
    for cell in row {
        if let Some((word, label)) = cell
            .word
            .filter(|_| cell.begins)
            .and_then(|word| word.label.as_ref().map(|label| (word, label)))
        {
            let text = cut(label, columns.saturating_sub(column).max(LABEL));
            labels.push(Label {
                column,
                row: 0,
                width: width(&text),
                text,
                paint: word.paint,
            });
        }
        column += cell.width;
    }
    for at in (0..labels.len()).rev() {
        let (left, right) = labels.split_at_mut(at + 1);
        let label = &mut left[at];
        label.row = (0..=right.len())
            .find(|row| !right.iter().any(|other| label.covers(*row, other)))
            .unwrap_or(right.len());
    }
    let deepest = labels
        .iter()
        .map(|label| label.row + 1)
        .max()
        .unwrap_or_default();
    (0..deepest)
        .map(|row| label_line(&labels, row, colours))
        .collect()
}

fn label_line(labels: &[Label], row: usize, colours: Colours) -> String {
    let mut line = Painter::new(colours);
    let mut at = 0;
    for label in labels.iter().filter(|label| label.row >= row) {
        if label.column < at {
            continue;
        }
        line.add(None, &" ".repeat(label.column - at));
        let (text, width) = if label.row == row {
            (label.text.as_str(), label.width)
        } else {
            ("│", 1)
        };
        line.add(Some(label.paint), text);
        at = label.column + width;
    }
    line.end()
}

#[cfg(test)]
mod tests {
    use super::{Word, draw};
    use crate::colour::{Colours, Paint};
    use crate::text::width;

    /// The words of `title` that are listed, with their labels; those without are unread.
    fn drawn(title: &str, words: &[(&str, &str)], columns: usize) -> String {
        let mut from = 0;
        let words: Vec<Word> = words
            .iter()
            .map(|(text, label)| {
                let start = from + title[from..].find(text).expect("the word is there");
                from = start + text.len();
                Word {
                    bytes: start..from,
                    label: (!label.is_empty()).then(|| (*label).to_owned()),
                    paint: Paint::Name,
                }
            })
            .collect();
        draw(title, &words, Colours::none(), columns)
    }

    #[test]
    fn labels_that_would_overlap_step_down() {
        let words = [
            ("Charizard", "name"),
            ("#4", "number 4"),
            ("Holo", "finish"),
            ("PSA", "grader"),
            ("9", "grade"),
        ];
        let expected = "\
Charizard #4 Holo PSA 9
┬──────── ┬─ ┬─── ┬── ┬
name      │  │    │   grade
          │  │    grader
          │  finish
          number 4
";
        assert_eq!(drawn("Charizard #4 Holo PSA 9", &words, 100), expected);
    }

    #[test]
    fn wide_characters_take_two_columns() {
        let words = [
            ("リザードンex", "name"),
            ("美品", ""),
            ("PSA", "grader"),
            ("10", "grade"),
        ];
        let expected = "\
リザードンex 美品 PSA10鑑定
┬─────────── ┄┄┄┄ ┬──┬─
name              │  grade
                  grader
";
        assert_eq!(drawn("リザードンex 美品 PSA10鑑定", &words, 100), expected);
    }

    #[test]
    fn combining_marks_take_no_column_and_controls_one() {
        let expected = "Pokémon␀ 4\n         ┬\n         number\n";
        assert_eq!(width("e\u{301}"), 1);
        assert_eq!(
            drawn("Poke\u{301}mon\0 4", &[("4", "number")], 100),
            expected.replace('é', "e\u{301}")
        );
    }

    #[test]
    fn long_titles_wrap_between_words() {
        let page = drawn(
            "one two three four five six seven",
            &[
                ("four", "fourth"),
                ("seven", "a label that is too long for the line"),
            ],
            30,
        );
        let expected = "\
one two three
four five six
┬───
fourth
seven
┬────
a label that is too long for …
";
        assert_eq!(page.replace("\n\n", "\n"), expected);
        assert!(
            drawn(&"x".repeat(1_000), &[], 40)
                .lines()
                .all(|line| width(line) <= 40)
        );
    }

    #[test]
    fn spans_outside_the_title_are_not_drawn() {
        let word = |bytes| Word {
            bytes,
            label: Some("name".to_owned()),
            paint: Paint::Name,
        };
        assert_eq!(
            draw(
                "é",
                &[word(1..2), word(7..9), word(0..0)],
                Colours::none(),
                80
            ),
            "é\n\n"
        );
        assert_eq!(draw("", &[word(0..1)], Colours::none(), 80), "");
    }
}
