//! A title with its spans underlined, and a label under each.
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
use titledex::{Field, Parsed, Reading};

/// Columns that a value takes in a label.
const VALUE: usize = 28;

/// What a character of the title belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    None,
    /// A reading, by its place in the list of spans.
    Read(usize),
    Unread,
}

/// A character as shown.
struct Cell {
    shown: char,
    width: usize,
    mark: Mark,
    /// A reading begins here.
    begins: Option<usize>,
}

/// The title and its labels, on as many lines as `columns` asks for.
pub(super) fn draw(title: &str, parsed: &Parsed, colours: Colours, columns: usize) -> String {
    let cells = cells(title, parsed);
    let mut out = String::new();
    for row in rows(&cells, columns) {
        out.push_str(&title_line(row, parsed, colours));
        out.push_str(&underline(row, parsed, colours));
        out.push_str(&labels(row, parsed, colours, columns));
    }
    out
}

fn cells(title: &str, parsed: &Parsed) -> Vec<Cell> {
    let mut cells = Vec::new();
    let mut begun = vec![false; parsed.spans.len()];
    for (at, c) in title.char_indices() {
        let Some(shown) = visible(c) else { continue };
        let inside = |start: u32, end: u32| (start as usize..end as usize).contains(&at);
        let read = parsed.spans.iter().position(|reading| inside(reading.span.start, reading.span.end));
        let mark = match read {
            Some(reading) => Mark::Read(reading),
            None if parsed.unread.iter().any(|unread| inside(unread.span.start, unread.span.end)) => Mark::Unread,
            None => Mark::None,
        };
        let begins = read.filter(|reading| !std::mem::replace(&mut begun[*reading], true));
        cells.push(Cell { shown, width: char_width(shown), mark, begins });
    }
    cells
}

/// Cuts the cells into rows of at most `columns`, behind a space outside of readings where there is one.
fn rows(cells: &[Cell], columns: usize) -> Vec<&[Cell]> {
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
            let space = rest[..fits].iter().rposition(|cell| cell.shown == ' ' && cell.mark == Mark::None);
            space.map_or(fits, |at| at + 1)
        };
        let (row, next) = rest.split_at(end);
        rows.push(row);
        rest = next;
    }
    rows
}

fn paint(mark: Mark, parsed: &Parsed) -> Option<Paint> {
    match mark {
        Mark::None => None,
        Mark::Unread => Some(Paint::Unsure),
        Mark::Read(reading) => parsed.spans.get(reading).map(|reading| paint_of(reading.field)),
    }
}

fn paint_of(field: Field) -> Paint {
    match field {
        Field::Name => Paint::Name,
        Field::Number => Paint::Number,
        Field::Set | Field::Year | Field::Language | Field::Origin => Paint::Origin,
        Field::Edition
        | Field::Finish
        | Field::Pattern
        | Field::Stamp
        | Field::Treatment
        | Field::Error
        | Field::Size
        | Field::Rarity => Paint::Printing,
        Field::Grader
        | Field::Grade
        | Field::Label
        | Field::Qualifier
        | Field::CertNumber
        | Field::Autograph
        | Field::Condition => Paint::State,
        _ => Paint::Faint,
    }
}

/// One line of pieces, each painted as a whole; spaces at its end are left out.
struct Painter {
    colours: Colours,
    line: String,
    piece: String,
    paint: Option<Paint>,
}

impl Painter {
    fn new(colours: Colours) -> Self {
        Self { colours, line: String::new(), piece: String::new(), paint: None }
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

fn title_line(row: &[Cell], parsed: &Parsed, colours: Colours) -> String {
    let mut line = Painter::new(colours);
    for cell in row {
        line.add(paint(cell.mark, parsed), cell.shown.encode_utf8(&mut [0; 4]));
    }
    line.end()
}

fn underline(row: &[Cell], parsed: &Parsed, colours: Colours) -> String {
    let mut line = Painter::new(colours);
    for cell in row {
        let (first, other) = match cell.mark {
            Mark::None => (" ", " "),
            Mark::Unread => ("┄", "┄"),
            Mark::Read(_) if cell.begins.is_some() => ("┬", "─"),
            Mark::Read(_) => ("─", "─"),
        };
        let text: String = std::iter::once(first).chain(std::iter::repeat(other)).take(cell.width).collect();
        line.add(paint(cell.mark, parsed), &text);
    }
    line.end()
}

/// A label, the column it begins in and the row it stands in.
struct Label {
    column: usize,
    row: usize,
    text: String,
    width: usize,
    paint: Paint,
}

impl Label {
    /// Whether both cannot stand as they do: `self` begins left of `right` and would cover it, or the line that leads down to it.
    fn covers(&self, row: usize, right: &Label) -> bool {
        let end = self.column + self.width;
        match right.row.cmp(&row) {
            std::cmp::Ordering::Less => right.column == self.column,
            std::cmp::Ordering::Equal => end >= right.column,
            std::cmp::Ordering::Greater => end > right.column,
        }
    }
}

/// Lines of labels: from the last reading to the first, each as high as those at its right let it.
fn labels(row: &[Cell], parsed: &Parsed, colours: Colours, columns: usize) -> String {
    let mut labels: Vec<Label> = Vec::new();
    let mut column = 0;
    for cell in row {
        if let Some(reading) = cell.begins.and_then(|reading| parsed.spans.get(reading)) {
            let text = label(reading);
            let width = width(&text);
            labels.push(Label { column: column.min(columns.saturating_sub(width)), row: 0, text, width, paint: paint_of(reading.field) });
            // A label moved left from the edge would part from its line; it stays where the reading begins.
            if let Some(last) = labels.last_mut() {
                last.column = column;
            }
        }
        column += cell.width;
    }
    for at in (0..labels.len()).rev() {
        let (left, right) = labels.split_at_mut(at + 1);
        let label = &mut left[at];
        label.row = (0..=right.len()).find(|row| !right.iter().any(|other| label.covers(*row, other))).unwrap_or(right.len());
    }
    let deepest = labels.iter().map(|label| label.row + 1).max().unwrap_or_default();
    (0..deepest).map(|row| label_line(&labels, row, colours)).collect()
}

fn label_line(labels: &[Label], row: usize, colours: Colours) -> String {
    let mut line = Painter::new(colours);
    let mut at = 0;
    for label in labels.iter().filter(|label| label.row >= row && label.column >= at) {
        if label.column < at {
            continue;
        }
        line.add(None, &" ".repeat(label.column - at));
        let (text, width) = if label.row == row { (label.text.as_str(), label.width) } else { ("│", 1) };
        line.add(Some(label.paint), text);
        at = label.column + width;
    }
    line.end()
}

/// `name`, or `name Charizard` where the title spells it otherwise.
fn label(reading: &Reading) -> String {
    let field = reading.field.as_str();
    let same = reading.value.is_empty() || reading.value.to_lowercase() == reading.text.to_lowercase();
    if same { field.to_owned() } else { format!("{field} {}", cut(&reading.value, VALUE)) }
}
