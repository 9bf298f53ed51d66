//! [`Slice`]: the parts of the labelled titles that have figures of their own.

use super::norm::{plain, truthy};
use super::title;
use clap::ValueEnum;
use serde_json::Value;

/// How the titles are divided into parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Slice {
    /// The label's `venue`.
    Venue,
    /// Whether the title has Japanese script.
    Script,
    /// Graded or raw cards.
    Graded,
    /// Whether the label has a number.
    Numbered,
    /// The label's `language`.
    Language,
    /// 1996 base set, other Japanese, international, no card.
    Family,
}

impl Slice {
    /// Its name on the command line and in the report.
    pub(super) fn name(self) -> &'static str {
        match self {
            Slice::Venue => "venue",
            Slice::Script => "script",
            Slice::Graded => "graded",
            Slice::Numbered => "numbered",
            Slice::Language => "language",
            Slice::Family => "family",
        }
    }

    /// The part that a label belongs to.
    pub(super) fn part_of(self, label: &Value) -> String {
        let japanese = |c: char| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}');
        let stated = |key: &str| label.get(key).is_some_and(truthy);
        let cards = || {
            label["cards"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
        };
        match self {
            Slice::Venue => label.get("venue").map_or_else(|| "?".to_owned(), plain),
            Slice::Script if title(label).contains(japanese) => "japanese".to_owned(),
            Slice::Script => "latin".to_owned(),
            Slice::Graded => if stated("grader") { "graded" } else { "raw" }.to_owned(),
            Slice::Numbered => if stated("number") {
                "numbered"
            } else {
                "no number"
            }
            .to_owned(),
            Slice::Language => plain(&label["language"]),
            // One search for 1996 "no rarity" cards makes up a large part of the Japanese labels:
            // it must not hide the rest.
            Slice::Family if cards().any(|card| card.starts_with("asia:PMCG1-")) => {
                "1996 base".to_owned()
            }
            Slice::Family
                if cards().any(|card| card.starts_with("asia:") || card.starts_with("ja:")) =>
            {
                "japanese".to_owned()
            }
            Slice::Family if cards().next().is_some() => "international".to_owned(),
            Slice::Family => "no card".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Slice;
    use serde_json::json;

    #[test]
    fn parts_are_named_as_the_reference_names_them() {
        let label = json!({"title": "リザードン", "venue": null, "grader": ["PSA"], "number": "", "language": ["japanese", "korean"], "cards": ["ja:X-1"]});
        let parts = [
            Slice::Venue,
            Slice::Script,
            Slice::Graded,
            Slice::Numbered,
            Slice::Language,
            Slice::Family,
        ]
        .map(|slice| slice.part_of(&label));
        assert_eq!(
            parts,
            [
                "None",
                "japanese",
                "graded",
                "no number",
                "['japanese', 'korean']",
                "japanese"
            ]
        );
        let bare = json!({"title": "x"});
        let parts = [
            Slice::Venue,
            Slice::Script,
            Slice::Graded,
            Slice::Language,
            Slice::Family,
        ]
        .map(|slice| slice.part_of(&bare));
        assert_eq!(parts, ["?", "latin", "raw", "None", "no card"]);
    }
}
