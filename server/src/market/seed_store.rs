//! Seeds the store with the sets, cards and printings of the opened catalogue, without prices. So
//! `/api/v2/sets` and `/cards` answer before anything is imported.

use super::load_index::LoadIndex;
use crate::catalogue::Loaded;
use crate::store::market::{CardKind, CardRecord, Language, SetRecord};
use crate::store::{Store, StoreError};
use std::collections::HashMap;
use titledex::Catalogue;
use titledex::internals::build::rows::FIRST_GAME;

/// Printings that are written at once. All of six games would be some hundred MB.
const HELD: usize = 1 << 15;
/// The fact that names the catalogue that the store was seeded from.
pub const FACT: &str = "catalogue";

/// Adds what the store lacks of the open games of a catalogue and updates what the catalogue says
/// differently. Prices stay.
///
/// Returns whether anything was done: nothing is, if the store was seeded from this catalogue
/// before. Of several processes that start at once, one does it.
///
/// # Errors
/// If the database fails.
pub async fn seed_store(store: &Store, loaded: &Loaded) -> Result<bool, StoreError> {
    if store.fact(FACT).await?.as_deref() == Some(&loaded.version) {
        return Ok(false);
    }
    let mut loader = store.load().await?;
    if loader.fact(FACT).await?.as_deref() == Some(&loaded.version) {
        loader.rollback().await?;
        return Ok(false);
    }
    let mut known = LoadIndex::read(&mut loader).await?;
    let catalogue = loaded.catalogue();
    let languages = set_languages(catalogue);
    let sets = sets(&mut known, loaded, &languages);
    let moved: Vec<(i64, Language, String)> = sets
        .iter()
        .filter_map(|set| {
            let code = set.code.as_deref().unwrap_or_default();
            let slug = known.move_set(&set.id, set.language, code)?;
            Some((set.key, set.language, slug))
        })
        .collect();
    loader.put_sets(&sets).await?;
    loader.move_sets(&moved).await?;
    let (mut cards, mut items) = (Vec::new(), Vec::new());
    let (mut card_count, mut item_count) = (0, 0);
    let (mut of_set, mut place) = ("", 0);
    for facts in catalogue.facts() {
        if !loaded.games().is_open(facts.game) {
            continue;
        }
        if items.len() >= HELD {
            card_count += cards.len();
            item_count += items.len();
            loader.put_cards(&std::mem::take(&mut cards)).await?;
            loader.put_items(&std::mem::take(&mut items)).await?;
        }
        let view = &facts.card;
        place = if view.set_id == of_set { place + 1 } else { 0 };
        of_set = view.set_id;
        if known.is_former(view.id) {
            continue;
        }
        let language = language(view.language, facts.is_regional());
        let card = known.card(view.id, view.set_id, Some(place));
        let printed = view
            .names
            .iter()
            .map(|local| local.name)
            .find(|_| facts.is_regional())
            .filter(|name| *name != view.name);
        cards.push(CardRecord {
            key: card.key,
            id: view.id.to_owned(),
            set_key: card.set_key,
            place: card.place,
            language,
            name: view.name.to_owned(),
            printed_name: printed.map(str::to_owned),
            number: view.number.map(|number| {
                view.total
                    .map_or_else(|| number.to_owned(), |total| format!("{number}/{total}"))
            }),
            rarity: view.rarity.map(str::to_owned),
            kind: (facts.game == FIRST_GAME).then(|| CardKind::of(facts.category)),
        });
        for (at, printing) in (0..).zip(&view.printings) {
            let mut item = known.printing(
                &printing.marketplace_id,
                (view.id, card),
                language,
                printing.printing,
                Some(at),
            );
            item.ids = printing.ids;
            items.push(item);
        }
    }
    card_count += cards.len();
    item_count += items.len();
    loader.put_cards(&cards).await?;
    loader.put_items(&items).await?;
    loader.order_numbers().await?;
    loader.move_populations().await?;
    loader.set_fact(FACT, &loaded.version).await?;
    loader.commit().await?;
    tracing::info!(
        cards = card_count,
        printings = item_count,
        catalogue = loaded.version,
        "the store was seeded from the catalogue"
    );
    Ok(true)
}

/// The sets with cards. Those of the first game come first, so that their slugs and their order are
/// the same whatever other games are open.
fn sets(
    known: &mut LoadIndex,
    loaded: &Loaded,
    languages: &HashMap<&str, Language>,
) -> Vec<SetRecord> {
    let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let all = loaded.catalogue().sets();
    let mut open: Vec<_> = all
        .filter(|set| set.cards > 0 && loaded.games().is_open(set.game))
        .collect();
    open.sort_by_key(|set| set.game != FIRST_GAME);
    let mut sets = Vec::with_capacity(open.len());
    for set in open {
        let language = languages.get(set.id).copied().unwrap_or_default();
        let (key, slug, _) = known.set(set.id, language, set.name, set.code);
        sets.push(SetRecord {
            key,
            id: set.id.to_owned(),
            game: set.game.to_owned(),
            language,
            slug,
            name: set.name.to_owned(),
            printed_name: some(set.local_name),
            code: some(set.code),
            series: some(set.series),
            released: released(set.released),
            printed_total: Some(i64::from(set.official)).filter(|count| *count > 0),
            total: Some(i64::from(set.cards)),
            legality: None,
            images: None,
        });
    }
    sets
}

/// The language of most cards of each set. Of two that are as many, the first one's.
pub(super) fn set_languages(catalogue: &Catalogue) -> HashMap<&str, Language> {
    let mut counts: HashMap<&str, [usize; Language::ALL.len()]> = HashMap::new();
    for facts in catalogue.facts() {
        let language = language(facts.card.language, facts.is_regional());
        counts.entry(facts.card.set_id).or_default()[language as usize] += 1;
    }
    let most = |counts: [usize; Language::ALL.len()]| {
        let counted = Language::ALL
            .into_iter()
            .rev()
            .zip(counts.into_iter().rev());
        counted.max_by_key(|(_, count)| *count)
    };
    counts
        .into_iter()
        .filter_map(|(id, counts)| Some((id, most(counts)?.0)))
        .collect()
}

/// The language of a card, by its name. One that the store does not know counts as Japanese if the
/// card is Asian, else as English.
fn language(name: &str, asia: bool) -> Language {
    let usual = if asia {
        Language::Japanese
    } else {
        Language::English
    };
    Language::of_name(name).unwrap_or(usual)
}

/// A release date, as precise as it is known.
fn released((year, month, day): (u16, u8, u8)) -> Option<String> {
    match (year, month, day) {
        (0, ..) => None,
        (_, 0, _) => Some(format!("{year:04}")),
        (_, _, 0) => Some(format!("{year:04}-{month:02}")),
        _ => Some(format!("{year:04}-{month:02}-{day:02}")),
    }
}
