//! [`extend_catalogue`]: adds the store's own cards to the rows of a catalogue, so that an index of
//! both can be built.
//!
//! `search` and the reading of titles find what the index has. The store has the cards of the
//! catalogue and those of imports.

use crate::store::market::{CardWithPrintings, Language, SetRecord};
use crate::store::{Store, StoreError};
use std::collections::{HashMap, HashSet};
use titledex::internals::build::name_subjects;
use titledex::internals::build::rows::{CardRow, FIRST_GAME, Printing, Rows, SetRow};

/// Items of a page.
const PAGE: i64 = 4_096;

/// Adds to `rows` the cards of the store that they lack, with their sets. Returns the number of
/// cards added.
///
/// # Errors
/// If the database fails.
pub async fn extend_catalogue(store: &Store, rows: &mut Rows) -> Result<usize, StoreError> {
    let known: HashSet<&str> = rows.cards.iter().map(|card| card.id.as_str()).collect();
    // the printings of a card need not be adjacent
    let mut places: HashMap<i64, usize> = HashMap::new();
    let mut cards: Vec<CardRow> = Vec::new();
    let last = store.last_item().await?;
    let mut after = 0;
    while after < last {
        for card in store.cards_between(after, after + PAGE).await? {
            if known.contains(card.card.id.as_str()) {
                continue;
            }
            let place = *places.entry(card.card.key).or_insert_with(|| {
                cards.push(row(&card));
                cards.len() - 1
            });
            cards[place]
                .printings
                .extend(card.printings.iter().map(|item| {
                    let slug = item
                        .marketplace_id
                        .strip_prefix(&card.card.id)
                        .filter(|slug| slug.starts_with(':'));
                    Printing {
                        label: item.label.clone(),
                        slug: slug.unwrap_or(&item.marketplace_id).to_owned(),
                    }
                }));
        }
        after += PAGE;
    }
    let wanted: HashSet<&str> = cards.iter().map(|card| card.set.as_str()).collect();
    let there: HashSet<String> = rows.sets.iter().map(|set| set.id.clone()).collect();
    let sets = store.sets(None).await?;
    rows.sets.extend(
        sets.iter()
            .filter(|set| wanted.contains(set.id.as_str()) && !there.contains(&set.id))
            .map(set_row),
    );
    let count = cards.len();
    name_subjects(&mut cards);
    rows.cards.append(&mut cards);
    Ok(count)
}

/// A name in the languages in which it is known, and the English one of an Asian card.
fn names(language: Language, name: &str, printed: Option<&str>) -> (Vec<(String, String)>, String) {
    let own = if language.is_international() {
        name
    } else {
        printed.unwrap_or(name)
    };
    let english = if !language.is_international()
        && (printed.is_some_and(|printed| printed != name) || name.is_ascii())
    {
        name
    } else {
        ""
    };
    (
        vec![(language.code().to_owned(), own.to_owned())],
        english.to_owned(),
    )
}

fn row(card: &CardWithPrintings) -> CardRow {
    let of = &card.card;
    let (names, english) = names(of.language, &of.name, of.printed_name.as_deref());
    let printed = of.number.as_deref().unwrap_or_default();
    let (number, total) = printed.split_once('/').unwrap_or((printed, ""));
    CardRow {
        id: of.id.clone(),
        set: card.set_id.clone(),
        number: number.trim().to_owned(),
        total: total.trim().to_owned(),
        names,
        english,
        language: of.language.name().to_owned(),
        game: Some(card.game.clone())
            .filter(|game| game != FIRST_GAME)
            .unwrap_or_default(),
        rarity: of.rarity.clone().unwrap_or_default(),
        ..CardRow::default()
    }
}

fn set_row(set: &SetRecord) -> SetRow {
    let (names, english) = names(set.language, &set.name, set.printed_name.as_deref());
    let code = set.code.as_deref().filter(|code| !code.is_empty());
    SetRow {
        id: set.id.clone(),
        game: set.game.clone(),
        code: code
            .unwrap_or_else(|| set.id.rsplit(':').next().unwrap_or_default())
            .to_owned(),
        // the builder takes that of its cards' language, which each game calls as it likes
        region: String::new(),
        series: set.series.clone().unwrap_or_default(),
        names,
        english,
        released: set.released.clone().unwrap_or_default(),
        official: set
            .printed_total
            .and_then(|total| u16::try_from(total).ok())
            .unwrap_or_default(),
        ..SetRow::default()
    }
}

#[cfg(test)]
mod tests {
    use super::set_row;
    use crate::store::market::{Language, SetRecord};
    use titledex::internals::build::build;
    use titledex::internals::build::rows::{CardRow, Rows};
    use titledex::{Catalogue, Error};

    #[test]
    fn sets_are_of_the_region_that_their_game_has_for_the_language() {
        let regions = |game: &str, set: &str| -> Result<Vec<u8>, Error> {
            let record = SetRecord {
                id: set.to_owned(),
                game: game.to_owned(),
                language: Language::Japanese,
                name: "Velvet Orbit".to_owned(),
                ..SetRecord::default()
            };
            let card = CardRow {
                id: format!("{set}-001"),
                set: set.to_owned(),
                number: "001".to_owned(),
                names: vec![("ja".to_owned(), "ムーンサークル".to_owned())],
                language: "japanese".to_owned(),
                game: game.to_owned(),
                ..CardRow::default()
            };
            let rows = Rows {
                cards: vec![card],
                sets: vec![set_row(&record)],
                ..Rows::default()
            };
            let catalogue = Catalogue::open(build(&rows, "own")?)?;
            let sets = catalogue.sets();
            Ok(sets.map(|set| set.region).collect())
        };
        // one has a region for its Japanese cards, one has not
        assert_eq!(regions("", "asia:M7").expect("it is built"), [1]);
        let of_digimon = regions("digimon", "digimon:BT30").expect("it is built");
        assert_eq!(of_digimon, [0]);
    }
}
