//! Tables that fit the terminal.

use crate::colour::{Colours, Paint};
use crate::text::{cut, fit};

/// A column of a table.
pub(crate) struct Column {
    /// Its heading.
    pub(crate) heading: &'static str,
    /// Less room than this is worth nothing: the column is left out.
    pub(crate) least: usize,
    /// More room than this is empty.
    pub(crate) most: usize,
    /// Which columns get room first: the lowest.
    pub(crate) rank: usize,
    /// Its colour.
    pub(crate) paint: Paint,
}

/// Spaces between columns.
const GAP: usize = 2;

/// A table whose columns have their widths.
#[derive(Clone, Debug)]
pub(crate) struct Table<const N: usize> {
    /// 0 for a column that is left out.
    widths: [usize; N],
    paints: [Paint; N],
    colours: Colours,
}

impl<const N: usize> Table<N> {
    /// A table as wide as `room`, or as its columns like if there is no limit.
    pub(crate) fn new(columns: &[Column; N], room: Option<usize>, colours: Colours) -> Self {
        Self {
            widths: room.map_or(columns.each_ref().map(|column| column.most), |room| {
                widths(columns, room)
            }),
            paints: columns.each_ref().map(|column| column.paint),
            colours,
        }
    }

    /// The line of headings.
    pub(crate) fn heading(&self, columns: &[Column; N]) -> String {
        let line = self.line(
            columns.each_ref().map(|column| column.heading),
            |_, text| text.to_owned(),
        );
        format!("{}\n", self.colours.paint(Paint::Strong, &line))
    }

    /// A line of cells, with its end. `paint` is the colour of the first.
    pub(crate) fn row(&self, paint: Paint, cells: [&str; N]) -> String {
        let line = self.line(cells, |at, text| {
            let paint = if at == 0 { paint } else { self.paints[at] };
            self.colours.paint(paint, text)
        });
        format!("{line}\n")
    }

    fn line(&self, cells: [&str; N], painted: impl Fn(usize, &str) -> String) -> String {
        let shown: Vec<usize> = (0..N).filter(|at| self.widths[*at] > 0).collect();
        // nothing is padded after the last cell that holds something
        let last = shown.iter().rposition(|at| !cells[*at].is_empty());
        let mut line = String::new();
        for (place, &at) in shown
            .iter()
            .enumerate()
            .take(last.map_or(0, |last| last + 1))
        {
            if place > 0 {
                line.push_str(&" ".repeat(GAP));
            }
            let width = self.widths[at];
            let text = if Some(place) == last {
                cut(cells[at], width)
            } else {
                fit(cells[at], width)
            };
            line.push_str(&painted(at, &text));
        }
        line
    }
}

/// The widths of columns that fit into `room`: those of the lowest ranks, each as wide as it must
/// be, and then all wider by turns.
fn widths<const N: usize>(columns: &[Column; N], room: usize) -> [usize; N] {
    let mut order: Vec<usize> = (0..N).collect();
    order.sort_by_key(|at| columns[*at].rank);
    let (mut widths, mut used) = ([0; N], 0);
    for &at in &order {
        let needs = columns[at].least + if used == 0 { 0 } else { GAP };
        if used + needs <= room {
            widths[at] = columns[at].least;
            used += needs;
        }
    }
    loop {
        let before = used;
        for &at in &order {
            if used < room && (1..columns[at].most).contains(&widths[at]) {
                widths[at] += 1;
                used += 1;
            }
        }
        if used == before {
            return widths;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Column, Table};
    use crate::colour::{Colours, Paint};
    use crate::text::width;

    const COLUMNS: [Column; 3] = [
        Column {
            heading: "ONE",
            least: 4,
            most: 8,
            rank: 0,
            paint: Paint::Faint,
        },
        Column {
            heading: "TWO",
            least: 6,
            most: 6,
            rank: 2,
            paint: Paint::Faint,
        },
        Column {
            heading: "THREE",
            least: 5,
            most: usize::MAX,
            rank: 1,
            paint: Paint::Faint,
        },
    ];

    fn lines(room: Option<usize>) -> String {
        let table = Table::new(&COLUMNS, room, Colours::none());
        let row = table.row(Paint::Faint, ["リザードンex", "4/102", "a longer text"]);
        table.heading(&COLUMNS) + &row
    }

    #[test]
    fn columns_take_turns_and_the_last_ranks_give_way() {
        assert_eq!(lines(Some(12)), "ONE    THREE\nリザ…  a lo…\n");
        assert_eq!(
            lines(Some(20)),
            "ONE    TWO     THREE\nリザ…  4/102   a lo…\n"
        );
        assert_eq!(
            lines(None),
            "ONE       TWO     THREE\nリザー…   4/102   a longer text\n"
        );
    }

    #[test]
    fn no_line_is_wider_than_the_room() {
        for room in 1..200 {
            for line in lines(Some(room)).lines() {
                assert!(width(line) <= room, "{room}: {line}");
            }
        }
    }
}
