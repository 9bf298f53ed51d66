//! A small market: ids of the catalogue, prices that were made up.

use crate::support::Service;
use std::collections::BTreeMap;
use titledex_server::market::history::{chunk_of, pack};
use titledex_server::market::{Counts, Grader, Money, Point};
use titledex_server::store::StoreError;
use titledex_server::store::market::{
    CardKind, CardRecord, Headline, ItemRecord, Language, Loader, NewSale, PopulationRecord, Quote,
    SealedRecord, SetRecord, chunk_key,
};

/// The day of the tests' clock.
pub(crate) const TODAY: i64 = 20_000;
/// Charizard's leading printing, and another.
pub(crate) const CHARIZARD: &str = "base1-4:unlimited-holofoil";
pub(crate) const FIRST_EDITION: &str = "base1-4:1st-edition-holofoil";
/// Without any price.
pub(crate) const UNPRICED: &str = "base1-26:unlimited-holofoil";
/// A Japanese card.
pub(crate) const UMBREON: &str = "asia:S6a-095:card";
/// Days of Charizard's history; on day `n` before today its market price is `100 + n`.
pub(crate) const HISTORY: i64 = 1_000;

fn money(text: &str) -> Money {
    text.parse().expect("it is an amount")
}

fn set(key: i64, id: &str, slug: &str, name: &str, released: &str) -> SetRecord {
    let language = if id.starts_with("asia:") {
        Language::Japanese
    } else {
        Language::English
    };
    SetRecord {
        key,
        id: id.to_owned(),
        game: "pokemon".to_owned(),
        language,
        slug: slug.to_owned(),
        name: name.to_owned(),
        code: Some(id.trim_start_matches("asia:").to_owned()),
        released: Some(released.to_owned()),
        ..SetRecord::default()
    }
}

/// A card's key: the set's, and its number within it.
fn key(set: i64, number: i64) -> i64 {
    set * 1_000 + number
}

/// The key of a card's printing.
fn item(card: i64, place: i64) -> i64 {
    card * 2 + place
}

/// Fills the store of a service.
pub(crate) fn stock(service: &Service) {
    service
        .runtime()
        .block_on(fill(service))
        .expect("the store takes it");
}

async fn fill(service: &Service) -> Result<(), StoreError> {
    let mut loader = service.server().app.store.load().await?;
    put_sets(&mut loader).await?;
    put_cards(&mut loader).await?;
    put_sealed(&mut loader).await?;
    put_prices(&mut loader).await?;
    put_history(&mut loader).await?;
    put_sales(&mut loader).await?;
    put_populations(&mut loader).await?;
    loader.commit().await
}

/// The first printing of Charizard, of which most is known.
fn charizard() -> i64 {
    item(key(1, 4), 0)
}

async fn put_sets(loader: &mut Loader) -> Result<(), StoreError> {
    let mut sets = vec![
        set(1, "base1", "base-set", "Base Set", "1999-01-09"),
        set(2, "base2", "jungle", "Jungle", "1999-06-16"),
        set(3, "swsh7", "evolving-skies", "Evolving Skies", "2021-08-27"),
        set(4, "asia:S6a", "eevee-heroes", "Eevee Heroes", "2021-05-28"),
    ];
    sets[0].printed_total = Some(102);
    sets[0].total = Some(102);
    sets[0].images = Some(r#"{"logo":"https://pictures.example/base1.png"}"#.to_owned());
    sets[0].legality = Some(r#"{"unlimited":"legal"}"#.to_owned());
    sets[3].printed_name = Some("イーブイヒーローズ".to_owned());
    loader.put_sets(&sets).await
}

/// Cards, their printings and the headline prices of these.
async fn put_cards(loader: &mut Loader) -> Result<(), StoreError> {
    let names = BTreeMap::from([(2, "Blastoise"), (4, "Charizard"), (15, "Venusaur")]);
    let mut cards: Vec<(String, i64, i64, String, String)> = (1..=26)
        .map(|number| {
            let name = names
                .get(&number)
                .map_or_else(|| format!("Card {number}"), |name| (*name).to_owned());
            (
                format!("base1-{number}"),
                1,
                number,
                name,
                format!("{number}/102"),
            )
        })
        .collect();
    let more = [
        ("base2-60", 2, 60, "Pikachu", "60/64"),
        ("swsh7-189", 3, 189, "Umbreon V", "189/203"),
        ("swsh7-214", 3, 214, "Umbreon VMAX", "214/203"),
        ("swsh7-215", 3, 215, "Umbreon VMAX", "215/203"),
        ("asia:S6a-095", 4, 95, "Umbreon VMAX", "095/069"),
    ];
    cards.extend(more.map(|(id, set, number, name, printed)| {
        (
            id.to_owned(),
            set,
            number,
            name.to_owned(),
            printed.to_owned(),
        )
    }));
    let (mut records, mut items, mut headlines) = (Vec::new(), Vec::new(), Vec::new());
    for (id, of_set, number, name, printed) in cards {
        let language = if of_set == 4 {
            Language::Japanese
        } else {
            Language::English
        };
        let card = key(of_set, number);
        let labels: &[(&str, &str)] = if of_set == 1 {
            &[
                ("unlimited-holofoil", "Unlimited Holofoil"),
                ("1st-edition-holofoil", "1st Edition Holofoil"),
            ]
        } else {
            &[("card", "")]
        };
        for (place, (slug, label)) in (0..).zip(labels) {
            let marketplace_id = format!("{id}:{slug}");
            items.push(ItemRecord {
                key: item(card, place),
                marketplace_id,
                language,
                card: Some(card),
                place,
                label: (*label).to_owned(),
                ..ItemRecord::default()
            });
            // Charizard 100, 1st edition ten times as much; card n of the base set n; the last one
            // nothing
            let units = match (of_set, number) {
                (1, 26) => continue,
                (1, 4) => 100,
                (1, _) => number,
                _ => 1_000 + number,
            };
            let market = Some(Money(units * 10_000 * if place == 1 { 10 } else { 1 }));
            let updated = TODAY * 86_400_000;
            headlines.push(Headline {
                item: item(card, place),
                market,
                low: market.map(|market| market.scaled(9, 10)),
                sellers: Some(7),
                updated,
                source: None,
                ..Headline::default()
            });
        }
        let printed_name = (of_set == 4).then(|| "ブラッキーVMAX".to_owned());
        records.push(CardRecord {
            key: card,
            id,
            set_key: of_set,
            place: number,
            language,
            name,
            printed_name,
            number: Some(printed),
            rarity: Some("Rare".to_owned()),
            kind: Some(CardKind::Pokemon),
        });
    }
    loader.put_cards(&records).await?;
    loader.put_items(&items).await?;
    loader.put_headlines(&headlines).await
}

/// Sealed products and their headline prices.
async fn put_sealed(loader: &mut Loader) -> Result<(), StoreError> {
    let boxes = [
        (
            "box:base1",
            "Base Set Booster Box",
            Some(1),
            "Base Set",
            "Booster Box",
            Language::English,
        ),
        ("tin:eevee", "Eevee Tin", None, "", "Tin", Language::English),
        (
            "box:s6a",
            "Eevee Heroes Booster Box",
            Some(4),
            "Eevee Heroes",
            "Booster Box",
            Language::Japanese,
        ),
    ];
    let (mut sealed, mut headlines) = (Vec::new(), Vec::new());
    for (at, (id, name, set_key, set_name, product_type, language)) in (90_000..).zip(boxes) {
        sealed.push(SealedRecord {
            item: ItemRecord {
                key: at,
                marketplace_id: id.to_owned(),
                language,
                ..ItemRecord::default()
            },
            name: name.to_owned(),
            set_key,
            set_id: None,
            set_name: set_name.to_owned(),
            game: "pokemon".to_owned(),
            product_type: product_type.to_owned(),
        });
        headlines.push(Headline {
            item: at,
            market: Some(Money(at * 10_000)),
            updated: TODAY * 86_400_000,
            ..Headline::default()
        });
    }
    loader.put_sealed(&sealed).await?;
    loader.put_headlines(&headlines).await
}

/// Prices in EUR, and by condition.
async fn put_prices(loader: &mut Loader) -> Result<(), StoreError> {
    let charizard = charizard();
    loader
        .put_eur(&[Headline {
            item: charizard,
            market: Some(money("91.5")),
            low: Some(money("80")),
            updated: TODAY * 86_400_000,
            ..Headline::default()
        }])
        .await?;
    let quote = |condition: &str, currency: &str, market: &str| Quote {
        item: charizard,
        source: "shop".to_owned(),
        condition: condition.to_owned(),
        currency: currency.to_owned(),
        market: Some(money(market)),
        low: None,
        sellers: Some(2),
        day: TODAY,
    };
    loader
        .put_quotes(&[
            quote("Near Mint", "USD", "120"),
            quote("Played", "USD", "60.25"),
            quote("Near Mint", "EUR", "95"),
        ])
        .await
}

async fn put_history(loader: &mut Loader) -> Result<(), StoreError> {
    let charizard = charizard();
    let mut chunks: BTreeMap<i64, Vec<Point>> = BTreeMap::new();
    for (of, days) in [(charizard, HISTORY), (90_000, 40)] {
        for before in 0..days {
            let day = TODAY - before;
            let point = Point {
                day,
                market: Some(Money((100 + before) * 10_000)),
                low: Some(Money(90 * 10_000)),
                sellers: None,
            };
            chunks
                .entry(chunk_key(of, chunk_of(day)))
                .or_default()
                .insert(0, point);
        }
    }
    let chunks: Vec<(i64, Vec<u8>)> = chunks
        .into_iter()
        .map(|(key, points)| (key, pack(&points)))
        .collect();
    loader.put_chunks(&chunks).await?;
    loader
        .put_spans(&[
            (charizard, TODAY - HISTORY + 1, TODAY),
            (90_000, TODAY - 39, TODAY),
        ])
        .await
}

async fn put_sales(loader: &mut Loader) -> Result<(), StoreError> {
    let charizard = charizard();
    let sale = |of: i64, grade: &str, before: i64, price: &str| NewSale {
        fingerprint: format!("{of} {grade} {before} {price}").into_bytes(),
        item: of,
        grade: grade.to_owned(),
        day: TODAY - before,
        price: money(price),
        currency: "USD".to_owned(),
        confidence: Some(9_900),
        title: "made up".to_owned(),
        ..NewSale::default()
    };
    let sales = [
        sale(charizard, "GRADER_A_10", 1, "1000"),
        sale(charizard, "GRADER_A_10", 2, "1100"),
        sale(charizard, "GRADER_A_10", 12, "1200"),
        sale(charizard, "GRADER_A_10", 100, "5000"),
        sale(charizard, "GRADER_B_9_5", 3, "700"),
        sale(charizard, "", 3, "95"),
        sale(90_000, "", 2, "8000"),
        sale(90_000, "", 40, "7000"),
    ];
    loader.put_sales(&sales).await.map(drop)
}

async fn put_populations(loader: &mut Loader) -> Result<(), StoreError> {
    let counts = |text: &str| serde_json::from_str::<Counts>(text).expect("they are counts");
    let population = |item: i64, language: Language, of: &[(Grader, &str)]| PopulationRecord {
        item,
        language,
        counts: of
            .iter()
            .map(|(grader, text)| (*grader, counts(text)))
            .collect(),
        confidence: "high".to_owned(),
        score: Some(money("0.97")),
        fetched: Some(TODAY * 86_400_000),
        updated: TODAY * 86_400_000 + 1_000,
        ..PopulationRecord::default()
    };
    let populations = [
        population(
            charizard(),
            Language::English,
            &[
                (
                    Grader::A,
                    r#"{"auth":2,"qualifiers":1,"g8":10,"g9":12,"g10":5}"#,
                ),
                (
                    Grader::B,
                    r#"{"g9":2,"g9_5":6,"g10":1,"pristine":1,"perfect":1}"#,
                ),
            ],
        ),
        population(
            item(key(1, 2), 0),
            Language::English,
            &[(Grader::A, r#"{"g9":100,"g10":1}"#)],
        ),
        population(
            item(key(4, 95), 0),
            Language::Japanese,
            &[
                (Grader::C, r#"{"g9_5":3,"g10":7}"#),
                (Grader::D, r#"{"g10":2}"#),
            ],
        ),
    ];
    loader.put_populations(&populations).await
}
