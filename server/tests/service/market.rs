//! The store of the market: filled, loaded and read, the same on both databases.

use crate::support::{Database, on_each_database};
use titledex_server::catalogue::Reader;
use titledex_server::clock::Moment;
use titledex_server::market::day::Day;
use titledex_server::market::fill::fill;
use titledex_server::market::load::{Cells, Import, Kind, Matching, Report};
use titledex_server::market::{Companies, Money, Point};
use titledex_server::store::Store;
use titledex_server::store::market::{
    CardOrder, CardQuery, Decided, Language, PopulationQuery, ReviewStatus, SealedQuery, Verdict,
};
use tokio::runtime::Runtime;

const NOW: i64 = 1_800_000_000_000;

fn money(text: &str) -> Money {
    text.parse().expect("it is an amount")
}

/// A store, and the reader that it was filled from.
struct Market {
    runtime: Runtime,
    store: Store,
    reader: Reader,
}

impl Market {
    fn on(database: &Database) -> Self {
        let runtime = Runtime::new().expect("a runtime can be made");
        let reader = Reader::open(None).expect("it opens");
        let store = runtime.block_on(async {
            let store = Store::open(&database.address).await.expect("it opens");
            fill(&store, &reader.now()).await.expect("it can be filled");
            store
        });
        Self {
            runtime,
            store,
            reader,
        }
    }

    /// Loads rows of cells between bars, as a file would have them.
    fn load(&self, kind: Kind, rows: &[&str]) -> Report {
        self.load_with(kind, rows, false, 1)
    }

    fn load_with(&self, kind: Kind, rows: &[&str], dry: bool, flush_every: u64) -> Report {
        let matching = Matching {
            reader: self.reader.now(),
            confidence: 9_500,
            companies: Companies::default(),
        };
        self.runtime.block_on(async {
            let mut import = Import::begin(&self.store, kind, NOW, Some(matching))
                .await
                .expect("it begins");
            for (row, number) in rows.iter().zip(2..) {
                let mut cells: Vec<&[u8]> = row.split('|').map(str::as_bytes).collect();
                cells.resize(kind.columns().len(), b"");
                import.row(
                    number,
                    &Cells {
                        columns: kind.columns(),
                        cells: &cells,
                    },
                );
                if number % flush_every == 0 {
                    import.flush().await.expect("it can be written");
                }
            }
            import.finish(dry).await.expect("it ends")
        })
    }

    fn right(&self, kind: Kind, rows: &[&str]) -> Report {
        let report = self.load(kind, rows);
        assert_eq!(report.errors, [], "{kind:?}");
        report
    }

    /// The snapshots of an item of a card.
    fn history(&self, id: &str) -> Vec<Point> {
        self.runtime.block_on(async {
            let cards = self
                .store
                .cards_with_marketplace_ids(&[id])
                .await
                .expect("it answers");
            let item = cards[0]
                .printings
                .iter()
                .find(|item| item.marketplace_id == id)
                .expect("it is there");
            self.store
                .history(&[item], 0, i64::MAX / 2)
                .await
                .expect("it answers")
                .remove(0)
        })
    }
}

/// An empty store has the sets and cards of the catalogue at once, without prices, and is not filled again.
#[test]
fn an_empty_store_has_the_catalogue() {
    on_each_database(|database| {
        let market = Market::on(database);
        market.runtime.block_on(async {
            let (store, loaded) = (&market.store, market.reader.now());
            assert!(!fill(store, &loaded).await.expect("it answers"));
            let (english, japanese) = (
                store
                    .sets(Some(Language::English))
                    .await
                    .expect("it answers"),
                store
                    .sets(Some(Language::Japanese))
                    .await
                    .expect("it answers"),
            );
            let base = english
                .iter()
                .find(|set| set.id == "base1")
                .expect("it is there");
            assert_eq!(
                (
                    base.name.as_str(),
                    base.slug.as_str(),
                    base.printed_total,
                    base.total
                ),
                ("Base Set", "base-set", Some(102), Some(102))
            );
            assert_eq!(base.released.as_deref(), Some("1999-01-09"));
            assert!(
                japanese
                    .iter()
                    .all(|set| set.language == Language::Japanese)
                    && japanese.len() > 100
            );
            assert_eq!(
                store.sets(None).await.expect("it answers").len(),
                english.len() + japanese.len()
            );
            let query = |language| CardQuery {
                language,
                limit: 1,
                ..CardQuery::default()
            };
            let count = store
                .count_cards(&query(Language::English))
                .await
                .expect("it answers")
                + store
                    .count_cards(&query(Language::Japanese))
                    .await
                    .expect("it answers");
            assert_eq!(count, i64::try_from(loaded.cards()).expect("it is small"));
            let cards = store
                .cards_with_ids(&["base1-4", "no-such", "asia:S6a-095"])
                .await
                .expect("it answers");
            assert_eq!(cards.len(), 2);
            let charizard = &cards[0];
            assert_eq!(
                (
                    charizard.card.name.as_str(),
                    charizard.card.number.as_deref()
                ),
                ("Charizard", Some("4/102"))
            );
            assert_eq!(
                (charizard.set_name.as_str(), charizard.set_slug.as_str()),
                ("Base Set", "base-set")
            );
            assert_eq!(
                charizard.printings[0].marketplace_id,
                "base1-4:unlimited-holofoil"
            );
            assert!(
                charizard
                    .printings
                    .iter()
                    .zip(0..)
                    .all(|(item, place)| item.place == place && item.market.is_none())
            );
            assert!(cards[1].card.printed_name.is_some());
        });
    });
}

/// Prices become headlines and history; what comes again changes nothing, what is newer replaces.
#[test]
fn prices_are_kept_by_day() {
    on_each_database(|database| {
        let market = Market::on(database);
        let id = "base1-4:unlimited-holofoil";
        let rows = [
            "base1-4:unlimited-holofoil|2026-11-18|300.50|250|12",
            "base1-4:unlimited-holofoil|2026-11-20T06:00:00Z|310|260.25|",
            "base1-4:unlimited-holofoil|2026-11-19|305||11",
            "base1-4:unlimited-holofoil|2024-01-01|100||",
            "base1-4:unlimited-holofoil|2026-11-20|280|240|3|shop|Lightly Played|USD",
            "base1-4:unlimited-holofoil|2026-11-20|290|255|4|market||EUR",
        ];
        for flush_every in [1, 100] {
            let report = market.load_with(Kind::Prices, &rows, false, flush_every);
            assert_eq!((report.rows, report.errors.len()), (6, 0));
            let history = market.history(id);
            let day = |text: &str| Day::parse(text).expect("it is a day").0;
            assert_eq!(
                history.iter().map(|point| point.day).collect::<Vec<_>>(),
                [
                    day("2024-01-01"),
                    day("2026-11-18"),
                    day("2026-11-19"),
                    day("2026-11-20")
                ]
            );
            assert_eq!(
                (history[1].market, history[1].low, history[1].sellers),
                (Some(money("300.5")), Some(money("250")), Some(12))
            );
            assert_eq!((history[2].low, history[3].sellers), (None, None));
        }
        market.right(
            Kind::Prices,
            &["base1-4:unlimited-holofoil|2026-11-19|306||"],
        );
        assert_eq!(market.history(id)[2].market, Some(money("306")));
        market.runtime.block_on(async {
            let cards = market
                .store
                .cards_with_ids(&["base1-4"])
                .await
                .expect("it answers");
            let item = &cards[0].printings[0];
            assert_eq!(
                (item.market, item.low, item.sellers),
                (Some(money("310")), Some(money("260.25")), None)
            );
            assert_eq!(
                (item.eur_market, item.first_day),
                (Some(money("290")), Some(19_723))
            );
            let quotes = market.store.quotes(&[item.key]).await.expect("it answers");
            let said: Vec<_> = quotes
                .iter()
                .map(|quote| {
                    (
                        quote.source.as_str(),
                        quote.condition.as_str(),
                        quote.currency.as_str(),
                    )
                })
                .collect();
            assert_eq!(
                said,
                [("market", "", "EUR"), ("shop", "Lightly Played", "USD")]
            );
            let between = market
                .store
                .history(&[item], 20_775, 20_776)
                .await
                .expect("it answers")
                .remove(0);
            assert_eq!(between.len(), 2);
            let dear = CardQuery {
                order: CardOrder::Dearest,
                min_price: Some(money("200")),
                limit: 10,
                ..CardQuery::default()
            };
            let found = market.store.cards(&dear).await.expect("it answers");
            assert_eq!(
                found
                    .iter()
                    .map(|card| card.card.id.as_str())
                    .collect::<Vec<_>>(),
                ["base1-4"]
            );
            assert_eq!(
                market.store.count_cards(&dear).await.expect("it answers"),
                1
            );
            assert_eq!(
                market.store.fact("synthetic").await.expect("it answers"),
                None
            );
        });
    });
}

/// A file with wrong rows is not kept, and each of them is named.
#[test]
fn a_file_is_taken_whole_or_not_at_all() {
    on_each_database(|database| {
        let market = Market::on(database);
        let report = market.load(
            Kind::Prices,
            &[
                "base1-4:unlimited-holofoil|2026-11-18|300.50",
                "base1-4:gone|2026-11-18|1",
                "base1-4:unlimited-holofoil|yesterday|1",
                "base1-4:unlimited-holofoil|2026-11-18|1,50",
                "base1-4:unlimited-holofoil|2026-11-18|1.00001",
                "base1-4:unlimited-holofoil|2026-11-18|-3",
                "base1-4:unlimited-holofoil|2026-11-18||",
                "base1-4:unlimited-holofoil|2026-11-18|1||many",
                "base1-4:unlimited-holofoil|2026-11-18|1||||| GBP",
                "base1-4:unlimited-holofoil|9999-12-31|1",
            ],
        );
        let said: Vec<_> = report.errors.iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            [
                "row 3: marketplaceId \"base1-4:gone\" is not in the store: import its card or product first",
                "row 4: date \"yesterday\" is no day or moment in UTC: write 2026-11-20 or 2026-11-20T06:00:00Z",
                "row 5: marketPrice \"1,50\" is no amount: write digits with a point before the decimals, as 12.50",
                "row 6: marketPrice \"1.00001\" has more than four decimals: round it",
                "row 7: marketPrice \"-3\" is below zero: leave it empty where no price is known",
                "row 8: marketPrice \"\" is empty, and lowPrice too: write one of them or leave the row out",
                "row 9: sellers \"many\" is no count: write digits, at most 999999999",
                "row 10: currency \"GBP\" is no currency that prices are kept in: write USD or EUR",
            ]
        );
        assert_eq!(market.history("base1-4:unlimited-holofoil"), []);
        let dry = market.load_with(
            Kind::Prices,
            &["base1-4:unlimited-holofoil|2026-11-18|300.50"],
            true,
            1,
        );
        assert_eq!((dry.rows, dry.errors.len()), (1, 0));
        assert_eq!(market.history("base1-4:unlimited-holofoil"), []);
    });
}

/// Cards, sets and sealed products in the columns of the export, new ones and those of the catalogue.
#[test]
fn cards_sets_and_products_are_loaded() {
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
            let words = ["OWN", "box"].map(str::to_owned).to_vec();
            let (count, found) = sealed(SealedQuery {
                words,
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
                    words: vec!["%".to_owned()],
                    ..SealedQuery::default()
                })
                .await
                .0,
                0
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

/// A population has its graders' counts; a grader that comes again replaces its own alone.
#[test]
fn populations_are_loaded_by_grader() {
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
                .populations_of(&["base1-4:unlimited-holofoil", "base1-5:x"])
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

/// Listings that are surely one card become sales by grade, others wait for a person; nothing comes twice.
#[test]
fn sold_listings_become_sales_or_wait() {
    on_each_database(|database| {
        let market = Market::on(database);
        let rows = [
            "Charizard 4/102 Base Set PSA 9|1200|USD|2026-11-10|https://example.com/1",
            "Umbreon VMAX 215/203 Evolving Skies BGS 9.5|900.50||2026-11-11T10:00:00Z|",
            "Charizard PSA 10|5000|USD|2026-11-12|",
            "Pokemon card lot of 50 cards bulk|20|USD|2026-11-12|",
            "Evolving Skies Booster Box sealed|600|USD|2026-11-12|",
            "Charizard 4/102 Base Set PSA 9|1100|EUR|2026-11-13|",
        ];
        let report = market.right(Kind::Sales, &rows);
        assert_eq!(
            (report.matched, report.review, report.known, report.lots),
            (3, 2, 0, 1),
            "{report:?}"
        );
        let again = market.right(Kind::Sales, &rows);
        assert_eq!(
            (again.matched, again.review, again.known, again.lots),
            (0, 0, 5, 1),
            "{again:?}"
        );
        market.runtime.block_on(async {
            let store = &market.store;
            let cards = store.cards_with_ids(&["base1-4", "swsh7-215"]).await.expect("it answers");
            let items: Vec<i64> = cards.iter().map(|card| card.printings[0].key).collect();
            let sales = store.graded_sales(&items, 0, 30_000).await.expect("it answers");
            let said: Vec<_> = sales.iter().map(|sale| (sale.key.to_string(), sale.price.to_string())).collect();
            // the sale in EUR is kept, and not summed up with those in USD
            assert_eq!(said, [("GRADER_A_9".to_owned(), "1200".to_owned()), ("GRADER_B_9_5".to_owned(), "900.5".to_owned())]);
            let (open, listings) = store.reviews(ReviewStatus::Open, 0, 10).await.expect("it answers");
            assert_eq!((open, listings.len()), (2, 2));
            let unsure = &listings[0];
            assert_eq!((unsure.listing.title.as_str(), unsure.listing.grade.as_str()), ("Charizard PSA 10", "GRADER_A_10"));
            assert!(!unsure.listing.candidates.is_empty());
            assert_eq!(listings[1].listing.reason, "sealed");
            let now = Moment::from_millis(NOW);
            let accept = |id: &str| Verdict::Accept { marketplace_id: id.to_owned(), grade: "GRADER_A_10".to_owned() };
            assert_eq!(store.decide(unsure.id, &accept("nothing"), now).await.expect("it answers"), Decided::NoItem);
            let done = store.decide(unsure.id, &accept("base1-4:unlimited-holofoil"), now).await.expect("it answers");
            assert!(matches!(&done, Decided::Done(row) if row.status == ReviewStatus::Accepted && row.decided == Some(NOW)), "{done:?}");
            let twice = store.decide(unsure.id, &Verdict::Reject, now).await.expect("it answers");
            assert_eq!(twice, Decided::Already(ReviewStatus::Accepted));
            assert_eq!(store.decide(77, &Verdict::Reject, now).await.expect("it answers"), Decided::NoListing);
            assert!(matches!(store.decide(listings[1].id, &Verdict::Reject, now).await, Ok(Decided::Done(_))));
            let sales = store.graded_sales(&items[..1], 0, 30_000).await.expect("it answers");
            assert_eq!(sales.len(), 2);
            assert_eq!(store.reviews(ReviewStatus::Open, 0, 10).await.expect("it answers").0, 0);
        });
        let report = market.load(
            Kind::Sales,
            &[
                "|1|USD|2026-11-10",
                "x|1|dollars|2026-11-10",
                "x||USD|2026-11-10",
            ],
        );
        assert_eq!(
            report
                .errors
                .iter()
                .map(|error| error.wrong.column)
                .collect::<Vec<_>>(),
            ["title", "currency", "price"]
        );
    });
}

/// Sales in other currencies count by the rate of their day, or the last one within a week before it; without one they count nowhere.
#[test]
fn sales_in_other_currencies_count_by_loaded_rates() {
    on_each_database(|database| {
        let market = Market::on(database);
        let sale = |price: &str, day: i64| {
            format!("Charizard 4/102 Base Set PSA 9|{price}|2026-11-{day:02}")
        };
        let rows = [
            sale("1200|USD", 9),
            sale("150000|JPY", 10),
            sale("150000|JPY", 17),
            sale("150000|JPY", 18),
            sale("1000.50|EUR", 10),
            sale("900|GBP", 10),
            "Charizard 4/102 Base Set|30000|JPY|2026-11-10".to_owned(),
        ];
        let report = market.right(
            Kind::Sales,
            &rows.iter().map(String::as_str).collect::<Vec<_>>(),
        );
        assert_eq!(report.matched, 7, "{report:?}");
        let counted = || {
            market.runtime.block_on(async {
                let store = &market.store;
                let cards = store
                    .cards_with_ids(&["base1-4"])
                    .await
                    .expect("it answers");
                let items: Vec<i64> = cards[0].printings.iter().map(|item| item.key).collect();
                let graded = store
                    .graded_sales(&items, 0, 30_000)
                    .await
                    .expect("it answers");
                let exported = store
                    .graded_between(0, i64::MAX, 0, 30_000)
                    .await
                    .expect("it answers");
                assert_eq!(
                    exported
                        .into_iter()
                        .map(|(_, sale)| sale)
                        .collect::<Vec<_>>(),
                    graded
                );
                let raw = store
                    .plain_sales(&items, 0, 30_000)
                    .await
                    .expect("it answers");
                (
                    graded
                        .iter()
                        .map(|sale| sale.price.to_string())
                        .collect::<Vec<_>>(),
                    raw.iter()
                        .map(|sale| Money(sale.2).to_string())
                        .collect::<Vec<_>>(),
                )
            })
        };
        assert_eq!(counted(), (vec!["1200".to_owned()], vec![]));
        // of the tenth and of the ninth; the eleventh's is of no use to what was sold before
        market.right(
            Kind::Rates,
            &[
                "2026-11-10|JPY|0.0066",
                "2026-11-09|EUR|1.15",
                "2026-11-11|GBP|1.3",
                "2026-11-10T12:00:00Z|JPY|0.00665",
            ],
        );
        let by_rate = ["1200", "997.5", "1150.575", "997.5"]
            .map(str::to_owned)
            .to_vec();
        let (graded, raw) = counted();
        // by day; the eighteenth is more than a week behind the tenth
        assert_eq!((graded, raw), (by_rate, vec!["199.5".to_owned()]));
        // what comes again replaces its day
        market.right(Kind::Rates, &["2026-11-10|JPY|0.007"]);
        assert_eq!(counted().1, ["210"]);
        let wrong = [
            "2026-11-10|USD|1",
            "2026-11-10|yen|0.007",
            "2026-11-10|JPY|0",
            "2026-11-10|JPY|-1",
            "|JPY|1",
            "2026-11-10|JPY|",
        ];
        let report = market.load(Kind::Rates, &wrong);
        let columns: Vec<_> = report
            .errors
            .iter()
            .map(|error| error.wrong.column)
            .collect();
        assert_eq!(
            columns,
            [
                "currency",
                "currency",
                "usdPerUnit",
                "usdPerUnit",
                "date",
                "usdPerUnit"
            ]
        );
        assert_eq!(counted().1, ["210"]);
    });
}

/// A store with an invented market says so.
#[test]
fn an_invented_market_is_marked() {
    let database = Database::sqlite();
    let market = Market::on(&database);
    market.right(
        Kind::Prices,
        &["base1-4:unlimited-holofoil|2026-11-18|1|||synthetic"],
    );
    assert!(
        market
            .runtime
            .block_on(market.store.fact("synthetic"))
            .expect("it answers")
            .is_some()
    );
}
