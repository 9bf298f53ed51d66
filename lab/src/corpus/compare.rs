//! Compares the titles of two files, side by side.

use super::surface;
use std::fmt::Write as _;
use titledex::{Answer, OutcomeType};

/// Counts of one file, or of one group in it.
#[derive(Clone, Debug, Default)]
pub(super) struct Looks {
    titles: u64,
    lengths: Vec<usize>,
    counts: [u64; SHARES.len()],
}

/// The shares that are compared.
const SHARES: [&str; 16] = [
    "number",
    "number and total",
    "year",
    "grader and grade",
    "set",
    "name",
    "edition",
    "finish",
    "condition",
    "language “Japanese”",
    "emoji",
    "all capitals",
    "Japanese script",
    "full width",
    "one card",
    "unread words",
];

impl Looks {
    /// Counts a title and how it was read.
    pub(super) fn add(&mut self, title: &str, answer: &Answer) {
        let parsed = &answer.parsed;
        let printing = parsed.printing.as_ref();
        let said_japanese = parsed
            .spans
            .iter()
            .any(|r| r.field == titledex::Field::Language && r.value == "japanese");
        let single = matches!(
            answer.outcome.kind,
            OutcomeType::Match | OutcomeType::Ambiguous | OutcomeType::NotInCatalogue
        );
        let has = [
            parsed.number.is_some(),
            parsed.number.is_some() && parsed.total.is_some(),
            parsed.year.is_some(),
            parsed
                .grade
                .as_ref()
                .is_some_and(|grade| grade.value.is_some()),
            parsed.set.is_some(),
            parsed.name.is_some(),
            printing.is_some_and(|printing| printing.edition.is_some()),
            printing.is_some_and(|printing| printing.finish.is_some()),
            parsed.condition.is_some(),
            said_japanese,
            title.contains(surface::is_emoji),
            surface::case(title) == "upper",
            surface::is_japanese(title),
            surface::has_full_width(title),
            single,
            !parsed.unread.is_empty(),
        ];
        self.titles += 1;
        self.lengths.push(title.chars().count());
        for (count, has) in self.counts.iter_mut().zip(has) {
            *count += u64::from(has);
        }
    }

    fn share(&self, at: usize) -> String {
        if self.titles == 0 {
            return "–".to_owned();
        }
        format!(
            "{:.1}%",
            self.counts[at] as f64 * 100.0 / self.titles as f64
        )
    }

    fn length(&self, part: usize) -> String {
        let mut lengths = self.lengths.clone();
        lengths.sort_unstable();
        lengths
            .get(lengths.len() * part / 100)
            .map_or("–".to_owned(), ToString::to_string)
    }
}

/// A table with a row for each figure and a column for each file.
pub(super) fn table(name: &str, columns: [(&str, &Looks); 2]) -> String {
    let mut out = format!(
        "\n{name}\n\n| figure | {} | {} |\n|---|---:|---:|\n",
        columns[0].0, columns[1].0
    );
    let mut row = |figure: &str, cell: &dyn Fn(&Looks) -> String| {
        let _ = writeln!(
            out,
            "| {figure} | {} | {} |",
            cell(columns[0].1),
            cell(columns[1].1)
        );
    };
    row("titles", &|looks| looks.titles.to_string());
    for (at, figure) in SHARES.into_iter().enumerate() {
        row(figure, &|looks| looks.share(at));
    }
    for (figure, part) in [
        ("length, a tenth is shorter", 10),
        ("length, median", 50),
        ("length, a tenth is longer", 90),
    ] {
        row(figure, &|looks| looks.length(part));
    }
    out
}
