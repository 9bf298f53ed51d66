//! The price service's export CSV.

use super::{MOST_NUMBER, MOST_PRINTINGS, check_id, check_text, line_of, row_error, utf8};
use crate::build::rows::{CardRow, LANGUAGES, Printing, Rows, SetRow, is_latin, language_code};
use crate::error::{Error, ErrorKind};
use crate::token::key_of;
use std::collections::{HashMap, HashSet};

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
/// language are one card, those of files that were read before among them. A set has one name in
/// each language.
///
/// # Errors
/// [`ErrorKind::Source`] for a missing column or another encoding, [`ErrorKind::Row`] for a row
/// without id, name or set, [`ErrorKind::Duplicate`] for a repeated `marketplaceId`, and for an id
/// of two cards or a set of two names; each names file and line.
pub fn export_csv(file: &str, bytes: &[u8], rows: &mut Rows) -> Result<(), Error> {
    let text = utf8(file, bytes)?;
    refuse_nul(file, text)?;
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
    let places = places(file, &header)?;
    let before = rows.sets.len();
    let mut export = Export::of(rows);
    for record in reader.records() {
        let row = Row {
            file,
            text,
            header: &header,
            places: &places,
            record: &record.map_err(csv_error)?,
        };
        row.check()?;
        export.add(&row)?;
    }
    rows.sets[before..].sort_by(|a, b| a.id.cmp(&b.id));
    Ok(())
}

/// Refuses a file with the character NUL, which no text has.
fn refuse_nul(file: &str, text: &str) -> Result<(), Error> {
    let Some(at) = text.find('\0') else {
        return Ok(());
    };
    let line = 1 + text[..at].matches('\n').count();
    let column = 1 + at - text[..at].rfind('\n').map_or(0, |end| end + 1);
    let message = format!(
        "{file}:{line}:{column}: the character NUL; the file is damaged, or no CSV: write it again"
    );
    Err(Error::new(ErrorKind::Row, message))
}

/// A row of the file, with what its cells are called.
struct Row<'r> {
    file: &'r str,
    text: &'r str,
    header: &'r [String],
    places: &'r HashMap<&'static str, usize>,
    record: &'r csv::StringRecord,
}

impl<'r> Row<'r> {
    /// What stands in a column.
    fn cell(&self, column: &str) -> &'r str {
        let place = self.places.get(column);
        let cell = place.and_then(|&place| self.record.get(place));
        cell.unwrap_or("").trim()
    }

    /// The line that it begins in.
    fn line(&self) -> u64 {
        line_of(self.text, self.record.position())
    }

    fn wrong(&self, column: &str, what: &str) -> Error {
        row_error(self.file, self.line(), column, what)
    }

    /// What another row has given already.
    fn twice(&self, column: &str, what: &str) -> Error {
        let message = format!("{}:{}: column `{column}`: {what}", self.file, self.line());
        Error::new(ErrorKind::Duplicate, message)
    }

    /// Refuses cells that no row can have.
    fn check(&self) -> Result<(), Error> {
        let refused = |(column, what): (&str, String)| self.wrong(column, &what);
        check_cells(self.header, self.record).map_err(refused)?;
        for column in EXPORT_COLUMNS {
            check_text(self.cell(column)).map_err(|what| self.wrong(column, &what))?;
        }
        for column in ["marketplaceId", "setId"] {
            check_id(self.cell(column)).map_err(|what| self.wrong(column, &what))?;
        }
        if self.cell("name").is_empty() {
            return Err(self.wrong("name", "is empty; every row needs it"));
        }
        let length = self.cell("cardNumber").len();
        if length > MOST_NUMBER {
            let what = format!("has {length} bytes; write at most {MOST_NUMBER}");
            return Err(self.wrong("cardNumber", &what));
        }
        Ok(())
    }

    fn language(&self) -> Result<String, Error> {
        let language = self.cell("language").to_lowercase();
        if language.is_empty() {
            return Ok("english".to_owned());
        }
        if LANGUAGES.contains(&language.as_str()) {
            return Ok(language);
        }
        let what = format!("is not one of {}", LANGUAGES.join(", "));
        Err(self.wrong("language", &what))
    }

    /// The collector number, and what follows the slash.
    fn number(&self) -> (&'r str, &'r str) {
        let cell = self.cell("cardNumber");
        let (number, total) = cell.split_once('/').unwrap_or((cell, ""));
        (number.trim(), total.trim())
    }
}

/// What makes rows one card: set, number, total, name and language.
type Key = [String; 5];

/// The rows that are read, found again by what makes them one.
struct Export<'r> {
    rows: &'r mut Rows,
    /// The sets of a file of sets.
    given: Option<HashSet<String>>,
    cards: HashMap<Key, usize>,
    /// Ids of cards, and of printings.
    ids: HashSet<String>,
    printings: HashSet<String>,
    /// Where the sets stand among the rows, by their ids.
    sets: HashMap<String, usize>,
    /// Where this file names a set first in a language.
    named: HashMap<(usize, String), csv::Position>,
}

impl<'r> Export<'r> {
    /// After the rows of other files.
    fn of(rows: &'r mut Rows) -> Self {
        let mut cards = HashMap::new();
        let (mut ids, mut printings) = (HashSet::new(), HashSet::new());
        for (at, card) in rows.cards.iter().enumerate() {
            ids.insert(card.id.clone());
            let slugs = card.printings.iter().map(|printing| &printing.slug);
            printings.extend(slugs.map(|slug| marketplace_id(&card.id, slug)));
            let names = card.names.iter().map(|(_, name)| name);
            for name in names.chain([&card.english]).filter(|name| !name.is_empty()) {
                let key = [&card.set, &card.number, &card.total, name, &card.language];
                cards.entry(key.map(String::clone)).or_insert(at);
            }
        }
        let sets = rows.sets.iter().enumerate();
        Export {
            given: rows.known_sets(),
            cards,
            ids,
            printings,
            sets: sets.map(|(at, set)| (set.id.clone(), at)).collect(),
            named: HashMap::new(),
            rows,
        }
    }

    fn add(&mut self, row: &Row<'_>) -> Result<(), Error> {
        let set = row.cell("setId");
        if self.given.as_ref().is_some_and(|sets| !sets.contains(set)) {
            let what = format!("`{set}` is in no file of sets; add it there");
            return Err(row.wrong("setId", &what));
        }
        let marketplace = row.cell("marketplaceId");
        if !self.printings.insert(marketplace.to_owned()) {
            let what = format!("`{marketplace}` is given twice");
            return Err(row.twice("marketplaceId", &what));
        }
        let language = row.language()?;
        if self.given.is_none() {
            self.name_set(row, &language)?;
        }
        let (id, slug) = parted(marketplace);
        let (number, total) = row.number();
        let key = [set, number, total, row.cell("name"), &language].map(str::to_owned);
        let card = match self.cards.get(&key) {
            Some(&card) => card,
            None => self.add_card(row, key, id)?,
        };
        let card = &mut self.rows.cards[card];
        if card.printings.len() == MOST_PRINTINGS {
            let what = format!("card `{id}` has more than {MOST_PRINTINGS} printings");
            return Err(row.wrong("marketplaceId", &what));
        }
        let own = !slug.is_empty() && card.id == id;
        card.printings.push(Printing {
            label: row.cell("printing").to_owned(),
            slug: if own { slug } else { marketplace }.to_owned(),
        });
        Ok(())
    }

    /// Adds the card of a row; returns its place.
    fn add_card(&mut self, row: &Row<'_>, key: Key, id: &str) -> Result<usize, Error> {
        if !self.ids.insert(id.to_owned()) {
            let what = format!("card `{id}` has two names, numbers, sets or languages");
            return Err(row.twice("marketplaceId", &what));
        }
        let place = self.rows.cards.len();
        self.cards.insert(key.clone(), place);
        let [set, number, total, name, language] = key;
        let (names, english) = named(&language, &name);
        self.rows.cards.push(CardRow {
            id: id.to_owned(),
            set,
            number,
            total,
            names,
            english,
            language,
            rarity: row.cell("rarity").to_owned(),
            ..CardRow::default()
        });
        Ok(place)
    }

    /// Adds the set of a row, or what the row calls it in another language.
    fn name_set(&mut self, row: &Row<'_>, language: &str) -> Result<(), Error> {
        let id = row.cell("setId");
        let place = *self.sets.entry(id.to_owned()).or_insert_with(|| {
            self.rows.sets.push(SetRow {
                id: id.to_owned(),
                code: id.rsplit(':').next().unwrap_or("").to_owned(),
                ..SetRow::default()
            });
            self.rows.sets.len() - 1
        });
        let name = row.cell("setName");
        if name.is_empty() {
            return Ok(());
        }
        let set = &mut self.rows.sets[place];
        let (code, held) = if named(language, name).0.is_empty() {
            ("", &mut set.english)
        } else {
            let code = language_code(language);
            let known = set.names.iter().position(|(of, _)| of == code);
            if known.is_none() {
                set.names.push((code.to_owned(), String::new()));
            }
            let at = known.unwrap_or(set.names.len() - 1);
            (code, &mut set.names[at].1)
        };
        if held.is_empty() {
            name.clone_into(held);
            if let Some(position) = row.record.position() {
                self.named
                    .insert((place, code.to_owned()), position.clone());
            }
        } else if held != name && key_of(held) != key_of(name) {
            let first = self.named.get(&(place, code.to_owned()));
            let first = first.map(|first| format!("line {}", line_of(row.text, Some(first))));
            let first = first.as_deref().unwrap_or("a file before");
            let what = format!(
                "set `{id}` has two names: `{name}`, and in {first} `{held}`; write the same, or give one of them another id"
            );
            return Err(row.twice("setName", &what));
        }
        Ok(())
    }
}

/// The id of the card of a printing, and the rest, which is empty where the id has no colon.
fn parted(marketplace: &str) -> (&str, &str) {
    match marketplace.rfind(':') {
        Some(colon) if colon > 0 && colon + 1 < marketplace.len() => marketplace.split_at(colon),
        _ => (marketplace, ""),
    }
}

/// The id of a printing, which a card's own begins.
fn marketplace_id(card: &str, slug: &str) -> String {
    if slug.starts_with(':') {
        format!("{card}{slug}")
    } else {
        slug.to_owned()
    }
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
