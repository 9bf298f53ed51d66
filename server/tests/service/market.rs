//! The store of the market: filled, loaded and read, the same on both databases.

use crate::few_sets;
use crate::support::{Database, first_game, on_each_database};
use std::collections::BTreeMap;
use titledex_server::catalogue::Reader;
use titledex_server::market::day::Day;
use titledex_server::market::load::{Cells, Import, Kind, Matching, Report};
use titledex_server::market::seed_store::seed_store;
use titledex_server::market::{Companies, Money, Point};
use titledex_server::store::Store;
use titledex_server::store::market::{CardOrder, CardQuery, CardSort, CardWithPrintings, Language};
use tokio::runtime::Runtime;

pub(crate) const NOW: i64 = 1_800_000_000_000;

pub(crate) fn money(text: &str) -> Money {
    text.parse().expect("it is an amount")
}

/// Begins an import, whose sold listings are matched by this reader.
pub(crate) async fn begin(store: &Store, reader: &Reader, kind: Kind) -> Import {
    let matching = Matching {
        reader: reader.now(),
        confidence: 9_500,
        companies: Companies::default(),
    };
    Import::begin(store, kind, NOW, Some(matching))
        .await
        .expect("it begins")
}

/// Gives an import rows of cells between bars, from line 2 on; writes after every so many lines.
pub(crate) async fn feed(
    import: &mut Import,
    kind: Kind,
    rows: &[impl AsRef<str>],
    flush_every: u64,
) {
    let columns = kind.columns();
    for (row, number) in rows.iter().zip(2..) {
        let mut cells: Vec<&[u8]> = row.as_ref().split('|').map(str::as_bytes).collect();
        cells.resize(columns.len(), b"");
        let cells = &cells;
        import.row(number, &Cells { columns, cells });
        if number % flush_every == 0 {
            import.flush().await.expect("it can be written");
        }
    }
}

/// A store, and the reader of the default catalogue.
pub(crate) struct Market {
    pub(crate) runtime: Runtime,
    pub(crate) store: Store,
    pub(crate) reader: Reader,
}

impl Market {
    /// A store with the cards of a few sets.
    pub(crate) fn on(database: &Database) -> Self {
        let few = Reader::open(Some(few_sets::index()), &[]).expect("it opens");
        Self::seeded(database, Some(&few))
    }

    /// A store with all cards of the reader.
    pub(crate) fn whole(database: &Database) -> Self {
        Self::seeded(database, None)
    }

    /// A store with the cards of `few`, or of the reader.
    fn seeded(database: &Database, few: Option<&Reader>) -> Self {
        let runtime = Runtime::new().expect("a runtime can be made");
        let reader = Reader::open(None, &first_game()).expect("it opens");
        let store = runtime.block_on(async {
            let store = Store::open(&database.address).await.expect("it opens");
            seed_store(&store, &few.unwrap_or(&reader).now())
                .await
                .expect("it can be filled");
            store
        });
        Self {
            runtime,
            store,
            reader,
        }
    }

    /// The card with an id, and its printings.
    pub(crate) fn card(&self, id: &str) -> CardWithPrintings {
        let cards = self.runtime.block_on(self.store.cards_with_ids(&[id]));
        cards.expect("it answers").remove(0)
    }

    /// Loads rows of cells between bars, as a file would have them.
    pub(crate) fn load(&self, kind: Kind, rows: &[&str]) -> Report {
        self.load_with(kind, rows, false, 1)
    }

    pub(crate) fn load_with(
        &self,
        kind: Kind,
        rows: &[&str],
        dry: bool,
        flush_every: u64,
    ) -> Report {
        self.import(kind, rows, [dry, false], flush_every)
    }

    /// Loads the right rows of a file and sets the others aside.
    pub(crate) fn load_right(&self, kind: Kind, rows: &[&str]) -> Report {
        self.import(kind, rows, [false, true], u64::MAX)
    }

    fn import(
        &self,
        kind: Kind,
        rows: &[&str],
        [dry, lenient]: [bool; 2],
        flush_every: u64,
    ) -> Report {
        self.runtime.block_on(async {
            let mut import = begin(&self.store, &self.reader, kind).await;
            if lenient {
                import.set_lenient();
            }
            feed(&mut import, kind, rows, flush_every).await;
            import.finish(dry).await.expect("it ends")
        })
    }

    pub(crate) fn right(&self, kind: Kind, rows: &[&str]) -> Report {
        let report = self.load(kind, rows);
        assert_eq!(report.errors, [], "{kind:?}");
        report
    }

    /// The snapshots of an item of a card.
    pub(crate) fn history(&self, id: &str) -> Vec<Point> {
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

/// An empty store has the sets and cards of the catalogue at once, in their languages, without
/// prices, and is not filled again.
#[test]
fn empty_store_is_seeded_from_the_catalogue() {
    on_each_database(|database| {
        let market = Market::whole(database);
        market.runtime.block_on(async {
            let (store, loaded) = (&market.store, market.reader.now());
            assert!(!seed_store(store, &loaded).await.expect("it answers"));
            let sets = store.sets(None).await.expect("it answers");
            let base = sets
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
            let mut wanted: BTreeMap<&str, i64> = BTreeMap::new();
            for facts in loaded.catalogue().facts() {
                *wanted.entry(facts.card.language).or_default() += 1;
            }
            assert_eq!(
                wanted.keys().copied().collect::<Vec<_>>(),
                ["chinese", "english", "indonesian", "japanese", "thai"]
            );
            let mut of_languages = 0;
            for language in Language::ALL {
                let query = CardQuery {
                    language: Some(language),
                    limit: 1,
                    ..CardQuery::default()
                };
                let of_language = store.sets(Some(language)).await.expect("it answers");
                assert!(of_language.iter().all(|set| set.language == language));
                of_languages += of_language.len();
                let count = store.count_cards(&query).await.expect("it answers");
                let name = language.name();
                assert_eq!(count, wanted.get(name).copied().unwrap_or(0), "{name}");
            }
            assert_eq!(of_languages, sets.len());
            let stated = include_str!("../../../docs/SPEC-COVERAGE.md");
            let english = store.sets(Some(Language::English)).await;
            let english = english.expect("it answers").len();
            let others = of_languages - english;
            let mut figures = vec![format!("{english} English and {others} Asian sets")];
            figures.extend(wanted.iter().map(|(language, count)| {
                let (first, rest) = language.split_at(1);
                let language = first.to_uppercase() + rest;
                match count {
                    1_000.. => format!(" {},{:03} {language}", count / 1_000, count % 1_000),
                    _ => format!(" {count} {language}"),
                }
            }));
            for figure in figures {
                assert!(stated.contains(&figure), "SPEC-COVERAGE.md: {figure}");
            }
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
                order: CardOrder {
                    by: CardSort::Price,
                    descending: true,
                },
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
fn import_keeps_a_whole_file_or_nothing() {
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
                "base1-4:unlimited-holofoil|1900-01-01|1",
            ],
        );
        let said: Vec<_> = report.errors.iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            [
                "row 3: marketplaceId \"base1-4:gone\" is not in the store: import its card or product first",
                "row 4: date \"yesterday\" is not a day or moment in UTC from 1970-01-01 on: write 2026-11-20 or 2026-11-20T06:00:00Z",
                "row 5: marketPrice \"1,50\" is not an amount: write digits with a point before the decimals, as 12.50",
                "row 6: marketPrice \"1.00001\" has more than four decimals: round it",
                "row 7: marketPrice \"-3\" is below zero: leave it empty where no price is known",
                "row 8: marketPrice \"\" is empty, and lowPrice too: write one of them or leave the row out",
                "row 9: sellers \"many\" is not a count: write digits, at most 999999999",
                "row 10: currency \"GBP\" is not a currency that prices are kept in: write USD or EUR",
                "row 11: date \"9999-12-31\" is ahead of today (UTC): write the day of the price",
                "row 12: date \"1900-01-01\" is not a day or moment in UTC from 1970-01-01 on: write 2026-11-20 or 2026-11-20T06:00:00Z",
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

/// A store with an invented market is marked as such.
#[test]
fn invented_market_is_marked() {
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
