//! [`Listing`]: answers as a table.

use super::{paint, state};
use crate::colour::{Colours, Paint};
use crate::table::{Column, Table};
use titledex::Answer;

/// The columns. What tells two cards of one name and number apart, set and language, comes before
/// what tells its printings apart. At 60 columns there is no title.
const COLUMNS: [Column; 10] = [
    Column::new("OUTCOME", (9, 16), 0, Paint::For),
    Column::new("SURE", (4, 4), 5, Paint::Faint),
    Column::new("NAME", (11, 22), 1, Paint::Name),
    Column::new("NUMBER", (7, 9), 2, Paint::Number),
    Column::new("SET", (10, 24), 3, Paint::Origin),
    Column::new("LANGUAGE", (8, 10), 4, Paint::Origin),
    Column::new("STATE", (6, 9), 7, Paint::State),
    Column::new("PRINTING", (16, 20), 8, Paint::Printing),
    Column::new("CARD", (12, 16), 9, Paint::Faint),
    Column::new("TITLE", (16, usize::MAX), 6, Paint::Plain),
];

/// The table of answers.
#[derive(Clone, Debug)]
pub(super) struct Listing(Table<10>);

impl Listing {
    /// A table as wide as `room`.
    pub(super) fn new(room: Option<usize>, colours: Colours) -> Self {
        Self(Table::new(&COLUMNS, room, colours))
    }

    /// The line of headings.
    pub(super) fn heading(&self) -> String {
        self.0.heading(&COLUMNS)
    }

    /// The line of an answer.
    pub(super) fn row(&self, answer: &Answer<'_>) -> String {
        let outcome = &answer.outcome;
        let first = answer.matches.first();
        let (kind, paint) = match &answer.error {
            Some(error) => (&*error.code, Paint::Against),
            None => (outcome.kind.as_str(), paint(outcome.kind)),
        };
        // rounded down: nothing is certain
        let sure = (outcome.confidence.get() * 100.0).floor().min(99.0) / 100.0;
        let sure = format!("{sure:.2}");
        let of = |value: Option<&'_ str>| value.unwrap_or_default().to_owned();
        let [name, number, set, language, printing, card] = [
            of(first.map(|card| &*card.name)),
            of(first.map(|card| &*card.card_number)),
            of(first.map(|card| &*card.set_name)),
            of(first.map(|card| &*card.language)),
            of(first.and_then(|card| card.printing.as_deref())),
            of(first.map(|card| &*card.card_id)),
        ];
        let state = state(&answer.parsed);
        let cells = [
            kind,
            &sure,
            &name,
            &number,
            &set,
            &language,
            &state,
            &printing,
            &card,
            &answer.title,
        ];
        self.0.row(paint, cells)
    }
}
