//! The text tables of the embedded catalogue.

use super::{NAME_LANGUAGES, row_error, slug_of, utf8};
use crate::answer::MarketIds;
use crate::build::rows::{CardRow, Printing, Rows, SetRow};
use crate::error::{Error, ErrorKind};
use crate::sort::{sort_by, sort_by_key};
use std::collections::HashSet;

const CARD_COLUMNS: [&str; 16] = [
    "set",
    "id",
    "number",
    "total",
    "flags",
    "language",
    "category",
    "dex",
    "rarity",
    "mark",
    "hp",
    "illustrator",
    "product",
    "english",
    "printings",
    "market_ids",
];
const SET_COLUMNS: [&str; 10] = [
    "id",
    "code",
    "region",
    "series",
    "released",
    "official",
    "abbreviation",
    "english",
    "game",
    "kind",
];

/// What the `kind` of a set is whose cards are promos.
const PROMO: &str = "promo";

/// Writes the text tables of the embedded catalogue, `cards.csv` and `sets.csv`: sorted, one card
/// or set a line.
///
/// `id` is left empty if it is set + `-` + number. `flags` has `x` for a number that is not printed
/// and `?` for an English name that is only a candidate. `printings` are labels separated by `|`,
/// with their slug after `=` if it does not follow from the label. `market_ids` has for each
/// printing its products at TCGplayer and Cardmarket, as `42382/273700`; `0` is unknown, and so is
/// what is left out at the end. Names have a column for each language that there are any in.
#[must_use]
pub fn write_tables(rows: &Rows) -> (Vec<u8>, Vec<u8>) {
    let mut cards: Vec<&CardRow> = rows.cards.iter().collect();
    sort_by(&mut cards, |a, b| (&a.set, &a.id).cmp(&(&b.set, &b.id)));
    let languages = languages_of(rows.cards.iter().map(|card| &card.names));
    let mut card_table = line(&head(&CARD_COLUMNS, &languages));
    for card in cards {
        let flags = format!(
            "{}{}",
            if card.number_unprinted { "x" } else { "" },
            if card.english_unsure { "?" } else { "" }
        );
        let printings: Vec<String> = card
            .printings
            .iter()
            .map(|p| {
                if slug_of(&p.label) == p.slug {
                    p.label.clone()
                } else {
                    format!("{}={}", p.label, p.slug)
                }
            })
            .collect();
        let market_ids: Vec<String> = card
            .market_ids
            .iter()
            .map(|ids| match (ids.tcgplayer, ids.cardmarket) {
                (None, None) => String::new(),
                (a, b) => format!("{}/{}", a.unwrap_or(0), b.unwrap_or(0)),
            })
            .collect();
        let made = format!("{}-{}", card.set, card.number);
        let mut cells = vec![
            card.set.clone(),
            if made == card.id {
                String::new()
            } else {
                card.id.clone()
            },
            card.number.clone(),
            card.total.clone(),
            flags,
            card.language.clone(),
            card.category.clone(),
            card.subjects
                .iter()
                .map(u16::to_string)
                .collect::<Vec<_>>()
                .join("|"),
            card.rarity.clone(),
            card.mark.clone(),
            if card.hp == 0 {
                String::new()
            } else {
                card.hp.to_string()
            },
            card.illustrator.clone(),
            card.product.clone(),
            card.english.clone(),
            printings.join("|"),
            market_ids.join("|"),
        ];
        cells.extend(named(&card.names, &languages));
        card_table.extend(line(&cells));
    }
    let mut sets: Vec<&SetRow> = rows.sets.iter().collect();
    sort_by(&mut sets, |a, b| a.id.cmp(&b.id));
    let languages = languages_of(rows.sets.iter().map(|set| &set.names));
    let mut set_table = line(&head(&SET_COLUMNS, &languages));
    for set in sets {
        let mut cells = vec![
            set.id.clone(),
            set.code.clone(),
            set.region.clone(),
            set.series.clone(),
            set.released.clone(),
            set.official.to_string(),
            set.abbreviation.clone(),
            set.english.clone(),
            set.game.clone(),
            (if set.promos { PROMO } else { "" }).to_owned(),
        ];
        cells.extend(named(&set.names, &languages));
        set_table.extend(line(&cells));
    }
    (card_table, set_table)
}

/// Names by language code.
type Names = Vec<(String, String)>;

/// The languages in which there are names, in the order of their columns.
fn languages_of<'r>(all: impl Iterator<Item = &'r Names>) -> Vec<&'static str> {
    let codes: HashSet<&str> = all.flatten().map(|(code, _)| code.as_str()).collect();
    let known = NAME_LANGUAGES.iter().copied();
    known.filter(|code| codes.contains(code)).collect()
}

/// The head of a table with a column for each language behind the others.
fn head(columns: &[&str], languages: &[&str]) -> Vec<String> {
    let columns = columns.iter().map(|column| (*column).to_owned());
    columns
        .chain(languages.iter().map(|code| format!("name_{code}")))
        .collect()
}

/// The cells of those columns.
fn named(names: &Names, languages: &[&str]) -> Vec<String> {
    let of = |language: &&str| names.iter().find(|(code, _)| code == language);
    let names = languages.iter().map(of);
    names
        .map(|name| name.map_or_else(String::new, |(_, name)| name.clone()))
        .collect()
}

/// A row of CSV.
pub(super) fn line(cells: &[String]) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
    // writing to memory cannot fail, and every row has as many cells as the header
    let _ = writer.write_record(cells);
    writer.into_inner().unwrap_or_default()
}

/// Reads the text tables that [`write_tables`] writes, each given as file name and bytes.
///
/// # Errors
/// As [`super::export_csv`].
pub fn tables(cards: (&str, &[u8]), sets: (&str, &[u8])) -> Result<Rows, Error> {
    let mut rows = Rows::default();
    each_row(sets.0, sets.1, &SET_COLUMNS, |line, cell, names| {
        rows.sets.push(SetRow {
            id: cell("id"),
            code: cell("code"),
            region: cell("region"),
            series: cell("series"),
            released: cell("released"),
            official: cell("official")
                .parse()
                .map_err(|_| row_error(sets.0, line, "official", "is not a number"))?,
            abbreviation: cell("abbreviation"),
            english: cell("english"),
            names,
            game: cell("game"),
            promos: cell("kind") == PROMO,
        });
        Ok(())
    })?;
    each_row(cards.0, cards.1, &CARD_COLUMNS, |line, cell, mut names| {
        let number = cell("number");
        let id = match cell("id") {
            id if id.is_empty() => format!("{}-{number}", cell("set")),
            id => id,
        };
        if cell("language") != "english" {
            sort_by_key(&mut names, |n| (n.0 != "ja", n.0 == "en"));
        }
        let number_of = |text: &str, column: &str| match text {
            "" => Ok(0),
            text => text
                .parse::<u16>()
                .map_err(|_| row_error(cards.0, line, column, "is not a number")),
        };
        let market_ids = cell("market_ids");
        let market_ids = market_ids
            .split('|')
            // an empty cell has no ids, and not one that is unknown
            .filter(|_| !market_ids.is_empty())
            .map(|ids| match ids.split_once('/') {
                None if ids.is_empty() => Some(MarketIds::default()),
                None => None,
                Some((a, b)) => Some(MarketIds::new(a.parse().ok()?, b.parse().ok()?)),
            })
            .collect::<Option<_>>()
            .ok_or_else(|| {
                row_error(
                    cards.0,
                    line,
                    "market_ids",
                    "is not two numbers and a slash for each printing, as 42382/273700",
                )
            })?;
        rows.cards.push(CardRow {
            market_ids,
            id,
            set: cell("set"),
            number,
            total: cell("total"),
            number_unprinted: cell("flags").contains('x'),
            english_unsure: cell("flags").contains('?'),
            english_derived: String::new(),
            names,
            english: cell("english"),
            language: cell("language"),
            category: cell("category"),
            subjects: cell("dex")
                .split('|')
                .filter(|d| !d.is_empty())
                .map(|d| number_of(d, "dex"))
                .collect::<Result<_, _>>()?,
            rarity: cell("rarity"),
            mark: cell("mark"),
            hp: number_of(&cell("hp"), "hp")?,
            illustrator: cell("illustrator"),
            product: cell("product"),
            game: String::new(),
            printings: cell("printings")
                .split('|')
                .map(|p| match p.split_once('=') {
                    Some((label, slug)) => Printing {
                        label: label.to_owned(),
                        slug: slug.to_owned(),
                    },
                    None => Printing {
                        label: p.to_owned(),
                        slug: slug_of(p),
                    },
                })
                .collect(),
        });
        Ok(())
    })?;
    Ok(rows)
}

/// Calls `each` with line, cells by column, and names by language.
pub(super) fn each_row(
    file: &str,
    bytes: &[u8],
    columns: &[&str],
    mut each: impl FnMut(u64, &dyn Fn(&str) -> String, Vec<(String, String)>) -> Result<(), Error>,
) -> Result<(), Error> {
    let text = utf8(file, bytes)?;
    let mut reader = csv::ReaderBuilder::new().from_reader(text.as_bytes());
    let csv_error = |e: csv::Error| {
        Error::new(
            ErrorKind::Row,
            format!(
                "{file}:{}: {e}",
                e.position().map_or(0, csv::Position::line)
            ),
        )
    };
    let header: Vec<String> = reader
        .headers()
        .map_err(csv_error)?
        .iter()
        .map(str::to_owned)
        .collect();
    for column in columns {
        if !header.iter().any(|h| h == column) {
            return Err(Error::new(
                ErrorKind::Source,
                format!("{file}:1: column `{column}` is missing"),
            ));
        }
    }
    for record in reader.records() {
        let record = record.map_err(csv_error)?;
        let line = record.position().map_or(0, csv::Position::line);
        let cell = |column: &str| {
            header
                .iter()
                .position(|h| h == column)
                .and_then(|i| record.get(i))
                .unwrap_or("")
                .to_owned()
        };
        let names = NAME_LANGUAGES
            .iter()
            .map(|l| ((*l).to_owned(), cell(&format!("name_{l}"))))
            .filter(|n| !n.1.is_empty())
            .collect();
        each(line, &cell, names)?;
    }
    Ok(())
}
