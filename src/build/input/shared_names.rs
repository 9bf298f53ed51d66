//! Names in all languages, once for each English name: what the tables of a large game have in
//! place of the names of each print.

use super::tables::{each_row, line};
use super::{NAME_LANGUAGES, row_error};
use crate::build::rows::Rows;
use crate::error::Error;
use crate::sort::sort_by_key;
use std::collections::{BTreeMap, HashMap};

/// Takes the names of all cards that have an English one, and returns them as a table with a column
/// for each language: of each language the one that most prints have. The cards keep the English
/// name as [`crate::build::rows::CardRow::english`], by which [`give_names`] finds the others.
#[must_use]
pub fn take_names(rows: &mut Rows) -> Vec<u8> {
    let mut found: BTreeMap<String, HashMap<String, HashMap<String, usize>>> = BTreeMap::new();
    for card in &mut rows.cards {
        let Some(at) = card.names.iter().position(|(code, _)| code == "en") else {
            continue;
        };
        card.english.clone_from(&card.names[at].1);
        let languages = found.entry(card.english.clone()).or_default();
        for (code, name) in card.names.drain(..) {
            *languages.entry(code).or_default().entry(name).or_default() += 1;
        }
    }
    let head: Vec<String> = NAME_LANGUAGES
        .iter()
        .map(|code| format!("name_{code}"))
        .collect();
    let mut table = line(&head);
    for languages in found.values() {
        let most = |code: &&str| {
            let names = languages.get(*code)?;
            let most = names
                .iter()
                .max_by_key(|(name, prints)| (**prints, std::cmp::Reverse(*name)));
            most.map(|(name, _)| name.clone())
        };
        let cells: Vec<String> = NAME_LANGUAGES
            .iter()
            .map(|code| most(code).unwrap_or_default())
            .collect();
        table.extend(line(&cells));
    }
    table
}

/// Gives the cards without names those of the table that [`take_names`] returned.
///
/// # Errors
/// As [`super::tables()`]; and if a card's English name is not in the table.
pub fn give_names(file: &str, table: &[u8], rows: &mut Rows) -> Result<(), Error> {
    let mut of: HashMap<String, Vec<(String, String)>> = HashMap::new();
    each_row(file, table, &["name_en"], |_, cell, names| {
        of.insert(cell("name_en"), names);
        Ok(())
    })?;
    for card in rows.cards.iter_mut().filter(|card| card.names.is_empty()) {
        let Some(names) = of.get(&card.english) else {
            let what = format!("`{}` of card `{}` is missing", card.english, card.id);
            return Err(row_error(file, 1, "name_en", &what));
        };
        card.names.clone_from(names);
        if card.language != "english" {
            sort_by_key(&mut card.names, |(code, _)| (code != "ja", code == "en"));
        }
        card.english.clear();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::rows::CardRow;

    #[test]
    fn names_that_are_taken_are_given_back() {
        let card = |id: &str, language: &str, names: &[(&str, &str)]| CardRow {
            id: id.to_owned(),
            language: language.to_owned(),
            names: names
                .iter()
                .map(|(code, name)| ((*code).to_owned(), (*name).to_owned()))
                .collect(),
            ..CardRow::default()
        };
        let mut rows = Rows {
            cards: vec![
                card(
                    "a",
                    "english",
                    &[("en", "Island"), ("ja", "島"), ("de", "Insel")],
                ),
                card(
                    "b",
                    "japanese",
                    &[("ja", "島"), ("de", "Insel"), ("en", "Island")],
                ),
                card("c", "japanese", &[("ja", "無名")]),
            ],
            ..Rows::default()
        };
        let before = rows.clone();
        let table = take_names(&mut rows);
        assert_eq!(rows.cards[0].names, []);
        assert_eq!(rows.cards[1].english, "Island");
        give_names("names.csv", &table, &mut rows).expect("every name is in the table");
        assert_eq!(rows, before);
        rows.cards[0].names.clear();
        rows.cards[0].english = "Swamp".to_owned();
        let error = give_names("names.csv", &table, &mut rows).expect_err("there is no such name");
        assert!(error.to_string().contains("`Swamp` of card `a`"), "{error}");
    }
}
