//! Names that a subject has in other languages only.

use super::words::words_of;
use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

// a link to the file in the dictionaries of the repository: a crate is packed with what is in its folder
const SUBJECTS: &str = include_str!("../../../dictionaries/subjects.csv");
/// Columns of languages whose prints the store's items are not.
const FOREIGN: [&str; 5] = ["fr", "de", "es", "it", "pt"];
/// Columns of the names that English and Japanese prints have.
const OWN: [&str; 3] = ["en", "ja", "romaji"];

/// Names by language, without those that English has too.
fn names() -> &'static HashMap<String, &'static str> {
    static READ: OnceLock<HashMap<String, &'static str>> = OnceLock::new();
    READ.get_or_init(|| read(SUBJECTS))
}

fn read(text: &str) -> HashMap<String, &'static str> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let columns: Vec<String> = reader
        .headers()
        .map(|header| header.iter().map(str::to_owned).collect())
        .unwrap_or_default();
    let (mut names, mut own) = (HashMap::new(), HashSet::new());
    for record in reader.records().flatten() {
        for (column, name) in columns.iter().zip(&record) {
            let folded = words_of(name).concat();
            if OWN.contains(&column.as_str()) {
                own.insert(folded);
            } else if let Some(language) = FOREIGN.iter().find(|known| *known == column)
                && !folded.is_empty()
            {
                names.entry(folded).or_insert(*language);
            }
        }
    }
    names.retain(|name, _| !own.contains(name));
    names
}

/// Whether a name has a word that is a subject in another language, and in neither English nor
/// Japanese: `Glurak VMAX`.
#[must_use]
pub(super) fn is_foreign(name: &str) -> bool {
    let words = words_of(name);
    let whole = words.concat();
    names().contains_key(&whole) || words.iter().any(|word| names().contains_key(word))
}

#[cfg(test)]
mod tests {
    use super::is_foreign;

    #[test]
    fn only_names_of_other_languages_are_foreign() {
        for name in [
            "Glurak",
            "Dracaufeu ex",
            "Bisasam",
            "Tortank VMAX",
            "Nachtara",
        ] {
            assert!(is_foreign(name), "{name}");
        }
        for name in [
            "Charizard",
            "Pikachu",
            "Lizardon",
            "リザードン",
            "Boss's Orders",
            "Mew ex",
        ] {
            assert!(!is_foreign(name), "{name}");
        }
    }
}
