//! The price service's export CSV.

use super::{MOST_NUMBER, MOST_PRINTINGS, check_id, check_text, line_of, row_error, utf8};
use crate::build::rows::{CardRow, LANGUAGES, Printing, Rows, SetRow, is_latin, language_code};
use crate::error::{Error, ErrorKind};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Columns of the price service's export that a catalogue needs. Others are ignored.
const EXPORT_COLUMNS: [&str; 8] = [
    "marketplaceId",
    "name",
    "setName",
    "setId",
    "cardNumber",
    "rarity",
    "language",
    "printing",
];

/// Reads the price service's export: a row is a printing, rows of one set, number, name and
/// language are one card.
///
/// # Errors
/// [`ErrorKind::Source`] for a missing column or another encoding, [`ErrorKind::Row`] for a row
/// without id, name or set, [`ErrorKind::Duplicate`] for a repeated `marketplaceId`; each names
/// file and line.
pub fn export_csv(file: &str, bytes: &[u8], rows: &mut Rows) -> Result<(), Error> {
    let text = utf8(file, bytes)?;
    if let Some(at) = text.find('\0') {
        let line = 1 + text[..at].matches('\n').count();
        let column = 1 + at - text[..at].rfind('\n').map_or(0, |end| end + 1);
        let message = format!(
            "{file}:{line}:{column}: the character NUL; the file is damaged, or no CSV: write it again"
        );
        return Err(Error::new(ErrorKind::Row, message));
    }
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .from_reader(text.as_bytes());
    let csv_error = |e: csv::Error| {
        let line = line_of(text, e.position());
        Error::new(ErrorKind::Row, format!("{file}:{line}: {e}"))
    };
    let header: Vec<String> = reader
        .headers()
        .map_err(csv_error)?
        .iter()
        .map(|h| h.trim().to_owned())
        .collect();
    let at = places(file, &header)?;
    let given = rows.known_sets();
    let mut cards: HashMap<(String, String, String, String), usize> = HashMap::new();
    let mut seen: HashSet<String> = HashSet::new();
    let mut ids: HashSet<String> = rows.cards.iter().map(|c| c.id.clone()).collect();
    let mut sets: BTreeMap<String, SetRow> = BTreeMap::new();
    for record in reader.records() {
        let record = record.map_err(csv_error)?;
        let line = || line_of(text, record.position());
        let wrong = |column: &str, what: String| row_error(file, line(), column, &what);
        check_cells(&header, &record).map_err(|(column, what)| wrong(column, what))?;
        let cell = |column: &str| {
            at.get(column)
                .and_then(|&i| record.get(i))
                .unwrap_or("")
                .trim()
        };
        for column in EXPORT_COLUMNS {
            check_text(cell(column)).map_err(|what| wrong(column, what))?;
        }
        for column in ["marketplaceId", "setId"] {
            check_id(cell(column)).map_err(|what| wrong(column, what))?;
        }
        if cell("name").is_empty() {
            return Err(wrong("name", "is empty; every row needs it".to_owned()));
        }
        if cell("cardNumber").len() > MOST_NUMBER {
            let length = cell("cardNumber").len();
            let what = format!("has {length} bytes; write at most {MOST_NUMBER}");
            return Err(wrong("cardNumber", what));
        }
        let set = cell("setId");
        if given.as_ref().is_some_and(|sets| !sets.contains(set)) {
            let what = format!("`{set}` is in no file of sets; add it there");
            return Err(wrong("setId", what));
        }
        let marketplace = cell("marketplaceId");
        if !seen.insert(marketplace.to_owned()) {
            let message = format!(
                "{file}:{}: column `marketplaceId`: `{marketplace}` is given twice",
                line()
            );
            return Err(Error::new(ErrorKind::Duplicate, message));
        }
        let language = match cell("language").to_lowercase() {
            l if l.is_empty() => "english".to_owned(),
            l if LANGUAGES.contains(&l.as_str()) => l,
            _ => {
                let what = format!("is not one of {}", LANGUAGES.join(", "));
                return Err(wrong("language", what));
            }
        };
        let key = (
            cell("setId").to_owned(),
            cell("cardNumber").to_owned(),
            cell("name").to_owned(),
            language.clone(),
        );
        let (id, slug) = match marketplace.rfind(':') {
            Some(colon)
                if colon > 0
                    && !marketplace[..colon].is_empty()
                    && colon + 1 < marketplace.len() =>
            {
                (
                    marketplace[..colon].to_owned(),
                    marketplace[colon..].to_owned(),
                )
            }
            _ => (marketplace.to_owned(), String::new()),
        };
        let card = match cards.get(&key) {
            Some(&card) => card,
            None => {
                if !ids.insert(id.clone()) {
                    let message = format!(
                        "{file}:{}: column `marketplaceId`: card `{id}` has two names, numbers or sets",
                        line()
                    );
                    return Err(Error::new(ErrorKind::Duplicate, message));
                }
                let (number, total) = cell("cardNumber")
                    .split_once('/')
                    .unwrap_or((cell("cardNumber"), ""));
                let (names, english) = named(&language, cell("name"));
                rows.cards.push(CardRow {
                    id: id.clone(),
                    set: key.0.clone(),
                    number: number.trim().to_owned(),
                    total: total.trim().to_owned(),
                    names,
                    english,
                    language: language.clone(),
                    rarity: cell("rarity").to_owned(),
                    ..CardRow::default()
                });
                cards.insert(key.clone(), rows.cards.len() - 1);
                sets.entry(key.0.clone()).or_insert_with(|| {
                    let (names, english) = named(&language, cell("setName"));
                    SetRow {
                        id: key.0.clone(),
                        code: key.0.rsplit(':').next().unwrap_or("").to_owned(),
                        names,
                        english,
                        ..SetRow::default()
                    }
                });
                rows.cards.len() - 1
            }
        };
        let slug = if slug.is_empty() || rows.cards[card].id != id {
            marketplace.to_owned()
        } else {
            slug
        };
        if rows.cards[card].printings.len() == MOST_PRINTINGS {
            let what = format!("card `{id}` has more than {MOST_PRINTINGS} printings");
            return Err(wrong("marketplaceId", what));
        }
        rows.cards[card].printings.push(Printing {
            label: cell("printing").to_owned(),
            slug,
        });
    }
    let known: HashSet<String> = rows.sets.iter().map(|s| s.id.clone()).collect();
    rows.sets
        .extend(sets.into_values().filter(|s| !known.contains(&s.id)));
    Ok(())
}

/// A name of a card or set of a language, by its code, and its English name. The export gives the
/// English one where it is known, which Latin letters show where the language has others.
fn named(language: &str, name: &str) -> (Vec<(String, String)>, String) {
    if name.is_empty() {
        (Vec::new(), String::new())
    } else if !is_latin(language) && name.chars().all(is_of_english) {
        (Vec::new(), name.to_owned())
    } else {
        let code = language_code(language).to_owned();
        (vec![(code, name.to_owned())], String::new())
    }
}

/// Whether an English name may have a character: accents and the Greek δ of some are among them, the
/// letters from Cyrillic on are not.
fn is_of_english(character: char) -> bool {
    character < '\u{400}' || !character.is_alphabetic()
}

/// The place of each column that is read.
fn places(file: &str, header: &[String]) -> Result<HashMap<&'static str, usize>, Error> {
    let refused = |what: String| Error::new(ErrorKind::Source, format!("{file}:1: {what}"));
    let mut named = HashSet::new();
    if let Some(twin) = header
        .iter()
        .find(|name| !name.is_empty() && !named.insert(name.as_str()))
    {
        return Err(refused(format!(
            "column `{twin}` is there twice; rename or remove one"
        )));
    }
    let place = |column: &'static str| {
        let place = header.iter().position(|name| name == column);
        place.map(|place| (column, place)).ok_or_else(|| {
            refused(format!(
                "column `{column}` is missing; the export has {}",
                EXPORT_COLUMNS.join(", ")
            ))
        })
    };
    EXPORT_COLUMNS.into_iter().map(place).collect()
}

/// Refuses a row of another length than the header, by the column that it lacks or the cell that
/// none has.
fn check_cells<'h>(
    header: &'h [String],
    record: &csv::StringRecord,
) -> Result<(), (&'h str, String)> {
    let (cells, columns) = (record.len(), header.len());
    if let Some(missing) = header.get(cells) {
        let what = format!("is missing: the row has {cells} cells and the header {columns}");
        return Err((missing, what));
    }
    if cells > columns {
        let what = format!(
            "the row has {cells} cells and the header {columns}: quote cells that hold a comma, or take out what follows this column"
        );
        let last = header.last().map_or("", String::as_str);
        return Err((last, what));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{LANGUAGES, Rows, export_csv, language_code};
    use crate::build::rows::language_name;

    /// What is read of a card with this name and language: its names, and its English name.
    fn read(name: &str, language: &str) -> (Vec<(String, String)>, String) {
        let text = format!(
            "marketplaceId,name,setName,setId,cardNumber,rarity,language,printing\n\
             own-1:card,{name},,own,1/10,,{language},\n"
        );
        let mut rows = Rows::default();
        export_csv("cards.csv", text.as_bytes(), &mut rows).expect("it can be read");
        let card = rows.cards.swap_remove(0);
        assert_eq!(card.language, language);
        (card.names, card.english)
    }

    #[test]
    fn name_is_of_the_language_of_its_card() {
        for (name, language, code) in [
            ("Bulbasaur", "english", "en"),
            ("フシギダネ", "japanese", "ja"),
            ("Bisasam", "german", "de"),
            ("Bulbizarre", "french", "fr"),
            ("Bulbasaur di Erika", "italian", "it"),
            ("Bulbasaur de Erika", "spanish", "es"),
            ("Bulbasaur da Erika", "portuguese", "pt"),
            ("이상해씨", "korean", "ko"),
            ("妙蛙種子", "chinese", "zh-tw"),
            ("ฟูชิกิดาเนะ", "thai", "th"),
            ("Energi Api", "indonesian", "id"),
            ("Bulbasaur van Erika", "dutch", "nl"),
            ("Bulbasaur Eriki", "polish", "pl"),
            ("Бульбазавр", "russian", "ru"),
        ] {
            let names = vec![(code.to_owned(), name.to_owned())];
            assert_eq!(read(name, language), (names, String::new()), "{language}");
        }
    }

    /// The service's own export has the English names of cards in other scripts.
    #[test]
    fn latin_name_of_a_card_in_another_script_is_english() {
        for language in ["japanese", "korean", "chinese", "thai", "russian"] {
            for name in ["Kyogre ex", "Poké Ball", "Kyogre δ ☆"] {
                let english = (Vec::new(), name.to_owned());
                assert_eq!(read(name, language), english, "{language}");
            }
        }
    }

    #[test]
    fn every_language_has_a_code() {
        for language in LANGUAGES {
            assert_eq!(language_name(language_code(language)), language);
        }
    }
}
