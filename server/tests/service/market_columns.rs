//! Imports in the columns of the export: cards, sets, sealed products and populations.

use crate::market::{Market, NOW, begin, feed, money};
use crate::support::on_each_database;
use titledex_server::market::Money;
use titledex_server::market::load::Kind;
use titledex_server::store::market::{
    CardQuery, Language, PopulationQuery, PopulationRecord, SealedQuery,
};

/// Cards, sets and sealed products in the columns of the export, new ones and those of the
/// catalogue.
#[test]
fn cards_sets_and_products_are_imported() {
    on_each_database(|database| {
        let market = Market::on(database);
        market.right(
            Kind::Sets,
            &[
                "own1|Own Set|english||OWN|own|2026-05|10|11|{\"standard\":true}|{\"logo\":\"https://example.com/l.png\"}",
                "base1|Base Set|english||||1999-01-09|||{\"standard\":false}|",
            ],
        );
        for _ in 0..2 {
            market.right(
                Kind::Cards,
                &[
                    "own1-1:normal|Own Card|Own Set|own1|1/10|Rare|english|Normal|||| ",
                    "own1-1:foil|Own Card|Own Set|own1|1/10|Rare|english|Foil|2.5|2||2026-11-20T00:00:00Z",
                    "other-1:normal|Other|Other Set|other|1|||||||",
                ]
                .map(|row| if row.starts_with("other") { "other-1:normal|Other|Other Set|other|1||japanese|" } else { row }),
            );
            market.right(
                Kind::Sealed,
                &["own:box|Own Set Booster Box|Own Set|own1|Booster Box|english|120|110|5|2026-11-20", "own:tin|Tin|||Tin|japanese||||"],
            );
        }
        market.runtime.block_on(async {
            let store = &market.store;
            let sets = store
                .sets(Some(Language::English))
                .await
                .expect("it answers");
            let own = sets
                .iter()
                .find(|set| set.id == "own1")
                .expect("it is there");
            assert_eq!(
                (own.slug.as_str(), own.total, own.released.as_deref()),
                ("own-set", Some(11), Some("2026-05"))
            );
            let base = sets
                .iter()
                .find(|set| set.id == "base1")
                .expect("it is there");
            assert_eq!(
                (base.legality.as_deref(), base.printed_total),
                (Some("{\"standard\":false}"), Some(102))
            );
            let query = CardQuery {
                set: Some(own.key),
                limit: 9,
                ..CardQuery::default()
            };
            let cards = store.cards(&query).await.expect("it answers");
            assert_eq!(cards.len(), 1);
            let labels: Vec<_> = cards[0]
                .printings
                .iter()
                .map(|item| (item.label.as_str(), item.market))
                .collect();
            assert_eq!(labels, [("Normal", None), ("Foil", Some(money("2.5")))]);
            let sealed = |query: SealedQuery| async move {
                store
                    .sealed(&SealedQuery { limit: 9, ..query })
                    .await
                    .expect("it answers")
            };
            assert_eq!(sealed(SealedQuery::default()).await.0, 2);
            let (count, found) = sealed(SealedQuery {
                product_type: Some("booster box".to_owned()),
                language: Some(Language::English),
                ..SealedQuery::default()
            })
            .await;
            assert_eq!(
                (count, found[0].item.market, found[0].set_id.as_deref()),
                (1, Some(money("120")), Some("own1"))
            );
            assert_eq!(
                sealed(SealedQuery {
                    product_type: Some("TIN".to_owned()),
                    ..SealedQuery::default()
                })
                .await
                .0,
                1
            );
            assert_eq!(
                sealed(SealedQuery {
                    set: Some(own.key),
                    ..SealedQuery::default()
                })
                .await
                .0,
                1
            );
        });
        let report = market.load(
            Kind::Sealed,
            &[
                "base1-4:unlimited-holofoil|x|||Tin|english",
                "new|x||nowhere|Tin|english",
                "new|x|||Tin|klingon",
            ],
        );
        assert_eq!(
            report
                .errors
                .iter()
                .map(|error| error.wrong.column)
                .collect::<Vec<_>>(),
            ["marketplaceId", "setId", "language"]
        );
    });
}

/// A population has its graders' counts; a grader that is imported again replaces only its own.
#[test]
fn populations_are_imported_by_grader() {
    on_each_database(|database| {
        let market = Market::on(database);
        let row = |grader: &str, nine: &str, nine_half: &str, ten: &str, confidence: &str| {
            format!(
                "base1-4:unlimited-holofoil|{grader}|||||||||||||||||||{nine}|{nine_half}|{ten}|||||{confidence}|0.93|2026-11-19T01:02:03Z"
            )
        };
        let rows = [
            row("GRADER_A", "80", "", "20", "high"),
            row("GRADER_B", "3", "5", "2", "medium"),
        ];
        market.right(Kind::Population, &rows.each_ref().map(String::as_str));
        market.right(Kind::Population, &[&row("GRADER_A", "70", "", "20", "low")]);
        market.runtime.block_on(async {
            let found = market
                .store
                .populations_of(&["base1-4:unlimited-holofoil", "base1-5:x"], None)
                .await
                .expect("it answers");
            assert_eq!(
                (
                    found.len(),
                    found[0].total(),
                    found[0].gems(),
                    found[0].counts.len()
                ),
                (1, 100, 22, 2)
            );
            assert_eq!(
                (found[0].confidence.as_str(), found[0].score),
                ("low", Some(money("0.93")))
            );
            assert_eq!(
                (found[0].fetched, found[0].updated),
                (
                    titledex_server::market::day::moment("2026-11-19T01:02:03Z"),
                    NOW
                )
            );
            let query = |grader, total, rate: Option<&str>| PopulationQuery {
                grader,
                min_total: total,
                min_gem_rate: rate.map(money),
                limit: 9,
                ..PopulationQuery::default()
            };
            use titledex_server::market::Grader;
            for (query, count) in [
                (query(None, None, None), 1),
                (query(Some(Grader::B), Some(100), Some("22")), 1),
                (query(Some(Grader::C), None, None), 0),
                (query(None, Some(101), None), 0),
                (query(None, None, Some("22.0001")), 0),
            ] {
                let (total, page) = market.store.populations(&query).await.expect("it answers");
                assert_eq!(
                    (total, page.len()),
                    (count, usize::try_from(count).expect("it is small")),
                    "{query:?}"
                );
            }
        });
        // a total alone says nothing of the grades: what is known of them stays
        let total_alone =
            "base1-4:unlimited-holofoil|GRADER_A|5000".to_owned() + &"|".repeat(25) + "high||";
        let kept = |market: &Market| {
            let of = ["base1-4:unlimited-holofoil"];
            let found = market.store.populations_of(&of, None);
            let found = market.runtime.block_on(found).expect("it answers");
            found.iter().map(PopulationRecord::total).sum::<i64>()
        };
        let report = market.load_right(Kind::Population, &[&total_alone]);
        assert_eq!(report.errors[0].wrong.column, "totalPopulation");
        assert_eq!(kept(&market), 100);
        // one that counts none takes it back, whether it states that or not
        let none = total_alone.replace("5000", "0");
        market.right(Kind::Population, &[&none]);
        assert_eq!(kept(&market), 10);
        let report = market.load(
            Kind::Population,
            &[
                &row("GRADER_A", "", "1", "", "high"),
                &row("GRADER_E", "", "", "", "high"),
                &row("GRADER_A", "1", "", "", "sure"),
            ],
        );
        assert_eq!(
            report
                .errors
                .iter()
                .map(|error| error.wrong.column)
                .collect::<Vec<_>>(),
            ["g9_5", "grader", "matchConfidence"]
        );
    });
}

impl Market {
    /// Imports rows where these sources come first. Returns the columns of the wrong ones.
    fn with_sources(&self, kind: Kind, rows: &[&str], sources: &[&str]) -> Vec<&'static str> {
        self.runtime.block_on(async {
            let mut import = begin(&self.store, &self.reader, kind).await;
            let sources: Vec<String> = sources.iter().map(|&source| source.to_owned()).collect();
            import.set_sources(&sources);
            import.set_lenient();
            feed(&mut import, kind, rows, u64::MAX).await;
            let report = import.finish(false).await.expect("it ends");
            let wrong = report.errors.iter().map(|error| error.wrong.column);
            wrong.collect()
        })
    }

    /// Market price, source and condition of the headline of a card's printing and of a product.
    fn headlines(&self, card: &str) -> [(Option<Money>, Option<String>, Option<String>); 2] {
        let card = self.card(card);
        let sealed = SealedQuery {
            limit: 1,
            ..SealedQuery::default()
        };
        let products = self.runtime.block_on(self.store.sealed(&sealed));
        let (_, products) = products.expect("it answers");
        [&card.printings[0], &products[0].item]
            .map(|item| (item.market, item.source.clone(), item.condition.clone()))
    }
}

const CARD: &str = "base1-4:unlimited-holofoil|Charizard||base1|4/102||english|Unlimited Holofoil";
const BOX: &str = "own:box|Base Set Booster Box|Base Set|base1|Booster Box|english";

/// The prices of cards and products are of no source: they follow the rule of all prices, and those
/// of an export, which is imported again, change nothing.
#[test]
fn prices_of_cards_and_products_are_ranked_as_others_are() {
    // sources, the source and the condition of the first price, and whether another replaces it
    let cases: [(&[&str], &str, &str, bool); 4] = [
        (&["shop"], "shop", "", false),
        (&["shop"], "other", "", true),
        (&[], "shop", "", true),
        (&[], "shop", "Near Mint", true),
    ];
    for (sources, source, condition, replaced) in cases {
        on_each_database(|database| {
            let market = Market::on(database);
            market.right(Kind::Sealed, &[BOX]);
            let rows = ["base1-4:unlimited-holofoil", "own:box"]
                .map(|id| format!("{id}|2026-11-28T06:00:00.500Z|100|90|3|{source}|{condition}"));
            let rows = rows.each_ref().map(String::as_str);
            assert!(market.with_sources(Kind::Prices, &rows, sources).is_empty());
            let before = market.headlines("base1-4");
            assert_eq!(before[0].0, Some(money("100")));
            let import = |price: &str| {
                for (kind, of) in [(Kind::Cards, CARD), (Kind::Sealed, BOX)] {
                    let row = format!("{of}|{price}");
                    assert!(market.with_sources(kind, &[&row], sources).is_empty());
                }
                market.headlines("base1-4")
            };
            assert_eq!(import("100|90|3|2026-11-28T06:00:00Z"), before);
            let other = (Some(money("7")), None, None);
            let after = if replaced {
                [other.clone(), other]
            } else {
                before
            };
            assert_eq!(import("7|||2026-11-29"), after, "{sources:?} {source}");
        });
    }
}

/// Marketplaces write 0 where there is no price.
#[test]
fn a_price_of_nothing_is_wrong_in_every_kind() {
    on_each_database(|database| {
        let market = Market::on(database);
        market.right(Kind::Sealed, &[BOX]);
        let prices = [
            "0|||2026-11-28",
            "1|0||2026-11-28",
            "1|||",
            "1|||2999-01-01",
        ];
        let of = |row: &str| prices.map(|price| format!("{row}|{price}"));
        for (kind, rows) in [(Kind::Cards, of(CARD)), (Kind::Sealed, of(BOX))] {
            let rows = rows.each_ref().map(String::as_str);
            assert_eq!(
                market.with_sources(kind, &rows, &[]),
                [
                    "marketPrice",
                    "lowPrice",
                    "lastPriceUpdate",
                    "lastPriceUpdate"
                ]
            );
        }
        assert!(
            market
                .headlines("base1-4")
                .iter()
                .all(|(price, ..)| price.is_none())
        );
    });
}

/// A row that states the printed name of an Asian card leaves the English one that is known.
#[test]
fn a_printed_name_leaves_the_english_one() {
    on_each_database(|database| {
        let market = Market::on(database);
        let names = |id: &str| {
            let card = market.card(id).card;
            (card.name, card.printed_name)
        };
        let (english, printed) = names("asia:S6a-095");
        let local = printed.as_deref().expect("it has one");
        let row = format!("asia:S6a-095:holofoil|{local}||asia:S6a|||japanese|Holofoil");
        market.right(Kind::Cards, &[&row]);
        assert_eq!(names("asia:S6a-095"), (english, printed));
        let own = |name: &str, language: &str| {
            let row = format!("own-1:plain|{name}||own|1||{language}|Plain");
            market.right(Kind::Cards, &[&row]);
            names("own-1")
        };
        let known = |name: &str, printed: &str| (name.to_owned(), Some(printed.to_owned()));
        assert_eq!(own("ริ", "thai"), known("ริ", "ริ"));
        // a name that is no English one either is corrected
        assert_eq!(own("ริซาร์", "thai"), known("ริซาร์", "ริซาร์"));
        assert_eq!(own("Own Card", "thai"), known("Own Card", "ริซาร์"));
        assert_eq!(own("ริซาร์ด", "thai"), known("Own Card", "ริซาร์ด"));
    });
}
