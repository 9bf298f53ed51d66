//! [`Selection`]: some of the cards of a catalogue, if all of them would be too many.

use crate::build::rows::{CardRow, Rows, SetRow, language_name};
use crate::build::vocabulary::Vocabulary;
use std::collections::BTreeSet;

/// A selection of cards. The empty one selects all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Languages as answers write them (`english`, `japanese`): cards of one of them, with their
    /// names in these languages. Empty for all.
    pub languages: Vec<String>,
    /// Cards of sets of this year and later; those of sets without a date stay.
    pub since: Option<u16>,
    /// Cards of sets of these series (`swsh`, `SV`). Empty for all.
    pub series: Vec<String>,
}

impl Selection {
    /// Whether it selects all cards.
    #[must_use]
    pub fn is_all(&self) -> bool {
        *self == Selection::default()
    }

    fn speaks(&self, code: &str) -> bool {
        self.languages.is_empty()
            || self
                .languages
                .iter()
                .any(|wanted| wanted == language_name(code))
    }

    fn names(&self, names: &mut Vec<(String, String)>) {
        if names.iter().any(|name| self.speaks(&name.0)) {
            names.retain(|name| self.speaks(&name.0));
        } else {
            // a card needs at least one name
            names.truncate(1);
        }
    }

    fn wants_set(&self, set: &SetRow) -> bool {
        let year: Option<u16> = set.released.get(..4).and_then(|year| year.parse().ok());
        let late = self
            .since
            .zip(year)
            .is_none_or(|(since, year)| year >= since);
        late && (self.series.is_empty() || self.series.contains(&set.series))
    }

    /// The rows that are wanted, and the sets that have any.
    #[must_use]
    pub fn of(&self, rows: &Rows) -> Rows {
        let refused: BTreeSet<&str> = rows
            .sets
            .iter()
            .filter(|set| !self.wants_set(set))
            .map(|set| set.id.as_str())
            .collect();
        let unknown = self.series.is_empty();
        let known: BTreeSet<&str> = rows.sets.iter().map(|set| set.id.as_str()).collect();
        let wanted = |card: &&CardRow| {
            (self.languages.is_empty() || self.languages.contains(&card.language))
                && !refused.contains(card.set.as_str())
                && (unknown || known.contains(card.set.as_str()))
        };
        let mut cards: Vec<CardRow> = rows.cards.iter().filter(wanted).cloned().collect();
        cards
            .iter_mut()
            .for_each(|card| self.names(&mut card.names));
        let held: BTreeSet<&str> = cards.iter().map(|card| card.set.as_str()).collect();
        let mut sets: Vec<SetRow> = rows
            .sets
            .iter()
            .filter(|set| held.contains(set.id.as_str()))
            .cloned()
            .collect();
        sets.iter_mut().for_each(|set| self.names(&mut set.names));
        Rows {
            cards,
            sets,
            ..Rows::default()
        }
    }

    /// The vocabulary without the names of subjects in languages that are not wanted, and without nicknames
    /// in kana where Japanese is not.
    #[must_use]
    pub fn vocabulary(&self, mut vocabulary: Vocabulary) -> Vocabulary {
        for subject in &mut vocabulary.subjects {
            // the English name is the subject's own; Latin spellings of Japanese names go with them
            subject.names.retain(|(language, _)| {
                *language == "en"
                    || self.speaks(if *language == "romaji" {
                        "ja"
                    } else {
                        language
                    })
            });
        }
        if !self.speaks("ja") {
            let kana = |alias: &String| alias.contains(|c| matches!(c, 'ぁ'..='ヿ'));
            for nickname in &mut vocabulary.nicknames {
                nickname.aliases.retain(|alias| !kana(alias));
            }
        }
        vocabulary
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(set: &str, language: &str, names: &[(&str, &str)]) -> CardRow {
        let names = names
            .iter()
            .map(|(code, name)| ((*code).to_owned(), (*name).to_owned()))
            .collect();
        CardRow {
            id: format!("{set}-1"),
            set: set.into(),
            language: language.into(),
            names,
            ..CardRow::default()
        }
    }

    #[test]
    fn languages_years_and_series_are_chosen() {
        let set = |id: &str, series: &str, released: &str| SetRow {
            id: id.into(),
            series: series.into(),
            released: released.into(),
            ..SetRow::default()
        };
        let rows = Rows {
            cards: vec![
                card("base", "english", &[("en", "Snivy"), ("fr", "Vipélierre")]),
                card("new", "english", &[("fr", "Évoli")]),
                card("old", "japanese", &[("ja", "ツタージャ")]),
                card("none", "english", &[("en", "Mew")]),
            ],
            sets: vec![
                set("base", "base", "1999-01-09"),
                set("new", "swsh", "2021"),
                set("old", "base", "1996"),
                set("empty", "base", ""),
            ],
            ..Rows::default()
        };
        let ids = |selection: &Selection| {
            selection
                .of(&rows)
                .cards
                .iter()
                .map(|card| card.set.clone())
                .collect::<Vec<_>>()
        };
        assert!(Selection::default().is_all());
        assert_eq!(ids(&Selection::default()), ["base", "new", "old", "none"]);
        let english = Selection {
            languages: vec!["english".into()],
            ..Selection::default()
        };
        assert_eq!(ids(&english), ["base", "new", "none"]);
        let chosen = english.of(&rows);
        assert_eq!(
            chosen.cards[0].names,
            [("en".to_owned(), "Snivy".to_owned())]
        );
        assert_eq!(chosen.cards[1].names.len(), 1, "a card keeps a name");
        assert_eq!(chosen.sets.len(), 2, "sets without cards are left out");
        assert_eq!(
            ids(&Selection {
                since: Some(1999),
                ..Selection::default()
            }),
            ["base", "new", "none"]
        );
        assert_eq!(
            ids(&Selection {
                series: vec!["swsh".into()],
                ..Selection::default()
            }),
            ["new"]
        );
    }
}
