//! Imports that are undone.

use crate::market::{NOW, begin, feed, money};
use crate::support::{Database, cases, first_game, on_each_database};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::fmt::Write;
use std::io::Read;
use titledex_server::catalogue::Reader;
use titledex_server::clock::Moment;
use titledex_server::market::export::storage::{Storage, StorageSettings};
use titledex_server::market::export::{Dataset, export};
use titledex_server::market::load::Kind;
use titledex_server::store::market::{
    MarketplaceId, PopulationQuery, ReviewFilter, ReviewStatus, SealedQuery, Undoing, Undone,
    Verdict,
};
use titledex_server::store::{Actor, Store};
use tokio::runtime::Runtime;

pub(crate) const CARDS: [(&str, &str); 3] = [
    (
        "swsh7-218:holofoil",
        "Rayquaza VMAX|Evolving Skies|swsh7|218/203||english|Holofoil",
    ),
    (
        "swsh7-189:holofoil",
        "Umbreon V|Evolving Skies|swsh7|189/203||english|Holofoil",
    ),
    (
        "own-1:plain",
        "Glitterzard|Home Made|own|1/9||english|Plain",
    ),
];
const TITLES: [&str; 5] = [
    "Rayquaza VMAX 218/203 Evolving Skies PSA 10",
    "Umbreon V 189/203 Evolving Skies Near Mint",
    "Rayquaza VMAX PSA 9",
    "Evolving Skies Booster Box sealed",
    "Rayquaza VMAX 218/203 Evolving Skies PSA 10 refunded",
];

/// Rows of a kind, from a few numbers: of cards, days and prices that meet again and again.
pub(crate) fn row(kind: Kind, [which, day, price, more]: [usize; 4]) -> String {
    let (card, rest) = CARDS[which % CARDS.len()];
    let (day, price) = (10 + day % 4, 5 + price % 4);
    match kind {
        Kind::Cards => format!("{card}|{rest}|{price}.5|{price}|{more}|2026-11-{day}"),
        Kind::Sets => format!("own|Home Made {price}|english"),
        Kind::Sealed => format!(
            "sealed:box|Box|Evolving Skies|swsh7|Booster Box|english|{price}|||2026-11-{day}"
        ),
        Kind::Prices => {
            let source = ["", "one", "two", "synthetic"][more % 4];
            let condition = ["", "Near Mint", "Played"][price % 3];
            let currency = ["USD", "EUR"][usize::from(which > 2)];
            format!("{card}|2026-11-{day}|{price}|||{source}|{condition}|{currency}")
        }
        Kind::Sales => {
            let title = TITLES[which % TITLES.len()];
            let url = match more % 3 {
                0 => String::new(),
                more => format!("https://www.ebay.com/itm/40040000000{more}"),
            };
            format!("{title}|{price}|USD|2026-11-{day}|{url}")
        }
        Kind::Population => {
            let grader = ["GRADER_A", "GRADER_B"][more % 2];
            format!("{card}|{grader}|||||||||||||||||||||||{price}||||||high")
        }
        Kind::Rates => format!("2026-11-{day}|JPY|0.00{price}"),
    }
}

/// The moment of all that is done.
pub(crate) fn at_now() -> Moment {
    Moment::from_millis(NOW)
}

fn imports() -> impl Strategy<Value = Vec<(Kind, Vec<String>)>> {
    let kind = prop::sample::select(vec![
        Kind::Cards,
        Kind::Sets,
        Kind::Sealed,
        Kind::Prices,
        Kind::Prices,
        Kind::Sales,
        Kind::Sales,
        Kind::Population,
        Kind::Rates,
    ]);
    let numbers = prop::collection::vec(prop::array::uniform4(0_usize..6), 1..6);
    let file = (kind, numbers).prop_map(|(kind, rows)| {
        (
            kind,
            rows.into_iter().map(|numbers| row(kind, numbers)).collect(),
        )
    });
    prop::collection::vec(file, 1..4)
}

pub(crate) struct Shelf {
    pub(crate) runtime: Runtime,
    pub(crate) store: Store,
    reader: Reader,
    storage: Storage,
    folder: tempfile::TempDir,
}

impl Shelf {
    pub(crate) fn on(database: &Database) -> Self {
        let runtime = Runtime::new().expect("a runtime can be made");
        let store = runtime
            .block_on(Store::open(&database.address))
            .expect("it opens");
        let folder = tempfile::tempdir().expect("a folder can be made");
        let settings = StorageSettings {
            folder: folder.path().to_owned(),
            ..StorageSettings::default()
        };
        Self {
            storage: Storage::new(&settings, &store),
            runtime,
            store,
            reader: Reader::open(None, &first_game()).expect("it opens"),
            folder,
        }
    }

    /// Imports a file with right rows, leaving out what is wrong; the number of the import.
    pub(crate) fn import(&self, kind: Kind, rows: &[String]) -> i64 {
        self.try_import(kind, rows).expect("it has a right row")
    }

    /// Imports a file, leaving out what is wrong; the number of the import if a row is right.
    pub(crate) fn try_import(&self, kind: Kind, rows: &[String]) -> Option<i64> {
        self.runtime.block_on(async {
            let mut import = begin(&self.store, &self.reader, kind).await;
            import.set_lenient();
            import.set_sources(&["two".to_owned(), "one".to_owned()]);
            // some of a file is written before the rest is read
            feed(&mut import, kind, rows, 3).await;
            import.finish(false).await.expect("it ends").import
        })
    }

    pub(crate) fn undo(&self, import: i64) -> Undone {
        self.runtime
            .block_on(
                self.store
                    .undo(import, Undoing::Any, Actor::Operator, at_now()),
            )
            .expect("it answers")
    }

    /// Accepts the newest open listing, as a person would.
    fn accept(&self) {
        self.runtime.block_on(async {
            let open = self.store.reviews(&ReviewFilter::default(), 0, 100).await;
            if let Some(row) = open.expect("it answers").rows.last() {
                let verdict = Verdict::Accept {
                    marketplace_id: CARDS[0].0.to_owned(),
                    grade: "GRADER_A_9".to_owned(),
                };
                self.store
                    .decide(row.id, &verdict, Actor::Operator, at_now())
                    .await
                    .expect("it answers");
            }
        });
    }

    /// Everything that statistics, pages and the interface are made of, and the exports.
    pub(crate) fn everything(&self) -> String {
        self.runtime.block_on(async {
            let store = &self.store;
            let mut all = String::new();
            let mut items = Vec::new();
            let ids: Vec<&str> = CARDS.iter().map(|(id, _)| *id).collect();
            let own = store.own_ids(&ids, MarketplaceId::Own).await;
            writeln!(all, "{own:?}").expect("memory");
            for card in store
                .cards_with_marketplace_ids(&ids)
                .await
                .expect("it answers")
            {
                writeln!(all, "{card:?}").expect("memory");
                items.extend(card.printings);
            }
            let (count, sealed) = store
                .sealed(&SealedQuery {
                    limit: 9,
                    ..SealedQuery::default()
                })
                .await
                .expect("it answers");
            writeln!(all, "{count} {sealed:?}").expect("memory");
            items.extend(sealed.into_iter().map(|product| product.item));
            let refs: Vec<_> = items.iter().collect();
            let keys: Vec<i64> = items.iter().map(|item| item.key).collect();
            let history = store.history(&refs, 0, 30_000).await.expect("it answers");
            for source in ["one", "two", "synthetic"] {
                let history = store.history_of_source(&keys, source, 0, 30_000).await;
                writeln!(all, "{source} {:?}", history.expect("it answers")).expect("memory");
            }
            let quotes = store.quotes(&keys).await.expect("it answers");
            let graded = store
                .graded_sales(&keys, 0, 30_000)
                .await
                .expect("it answers");
            let plain = store
                .plain_sales(&keys, 0, 30_000)
                .await
                .expect("it answers");
            writeln!(all, "{history:?} {quotes:?} {graded:?} {plain:?}").expect("memory");
            for status in [
                ReviewStatus::Open,
                ReviewStatus::Accepted,
                ReviewStatus::Rejected,
            ] {
                let filter = ReviewFilter {
                    status,
                    ..ReviewFilter::default()
                };
                let page = store.reviews(&filter, 0, 1_000).await.expect("it answers");
                writeln!(all, "{:?}", page.rows).expect("memory");
            }
            let sets = store.sets(None).await.expect("it answers");
            let query = PopulationQuery {
                limit: 9,
                ..PopulationQuery::default()
            };
            let counts = store.populations(&query).await.expect("it answers");
            let fact = store.fact("synthetic").await.expect("it answers");
            writeln!(all, "{sets:?} {counts:?} {fact:?}").expect("memory");
            for dataset in Dataset::ALL {
                let row = export(store, &self.storage, dataset, Moment::from_millis(NOW))
                    .await
                    .expect("it can be written");
                let file =
                    std::fs::File::open(self.folder.path().join(&row.file)).expect("it is there");
                flate2::read::GzDecoder::new(file)
                    .read_to_string(&mut all)
                    .expect("it is text");
            }
            all
        })
    }
}

/// Whatever was imported before: undoing imports, the last one first, brings everything back, byte
/// for byte.
#[test]
fn undone_imports_leave_everything_as_before() {
    on_each_database(|database| {
        let shelf = Shelf::on(database);
        let cards: Vec<String> = (0..CARDS.len())
            .map(|at| row(Kind::Cards, [at, 0, 0, 0]))
            .collect();
        shelf.import(Kind::Cards, &cards[..2]);
        let mut runner = TestRunner::new(cases(24));
        let result = runner.run(
            &(imports(), imports(), any::<bool>()),
            |(base, undone, accepted)| {
                for (kind, rows) in &base {
                    shelf.try_import(*kind, rows);
                }
                let before = shelf.everything();
                let numbers: Vec<i64> = undone
                    .iter()
                    .filter_map(|(kind, rows)| shelf.try_import(*kind, rows))
                    .collect();
                let open = before.contains("status: Open");
                if accepted && !open {
                    shelf.accept();
                }
                for import in numbers.into_iter().rev() {
                    let mut done = shelf.undo(import);
                    // a decision about a listing that this import corrected is undone before it
                    if let Undone::Later(later) = &done {
                        prop_assert_eq!(later.len(), 1);
                        prop_assert!(matches!(shelf.undo(later[0]), Undone::Done(_)));
                        done = shelf.undo(import);
                    }
                    prop_assert!(matches!(done, Undone::Done(_)), "{done:?}");
                }
                prop_assert_eq!(before, shelf.everything());
                Ok(())
            },
        );
        assert!(result.is_ok(), "{result:?}");
    });
}

/// What cannot be undone is refused, and changes nothing.
#[test]
fn imports_that_others_build_on_are_not_undone() {
    on_each_database(|database| {
        let shelf = Shelf::on(database);
        let price = |day: usize| vec![row(Kind::Prices, [0, day, 1, 1])];
        let cards = shelf.import(Kind::Cards, &[row(Kind::Cards, [0, 0, 0, 0])]);
        let first = shelf.import(Kind::Prices, &price(0));
        let second = shelf.import(Kind::Prices, &price(1));
        let sold = shelf.import(Kind::Sales, &[row(Kind::Sales, [0, 0, 0, 1])]);
        let before = shelf.everything();
        assert_eq!(shelf.undo(99), Undone::NoChange);
        assert_eq!(shelf.undo(first), Undone::Later(vec![second]));
        assert_eq!(shelf.undo(cards), Undone::Later(vec![second, first]));
        assert_eq!(before, shelf.everything());
        for import in [second, first] {
            assert!(matches!(shelf.undo(import), Undone::Done(_)));
        }
        assert_eq!(shelf.undo(cards), Undone::Used("sales"));
        assert!(matches!(shelf.undo(sold), Undone::Done(_)));
        assert!(matches!(shelf.undo(cards), Undone::Done(row) if row.undone == Some(NOW)));
        assert_eq!(shelf.undo(cards), Undone::Already);
        let listed = shelf
            .runtime
            .block_on(shelf.store.imports(i64::MAX, 10))
            .expect("it answers");
        let said: Vec<_> = listed
            .iter()
            .map(|row| (row.id, row.kind.as_str(), row.records))
            .collect();
        assert_eq!(
            said,
            [
                (sold, "sales", 1),
                (second, "prices", 1),
                (first, "prices", 1),
                (cards, "cards", 1)
            ]
        );
    });
}

/// The headline price is of the first source in the order of the settings, of its newest day; a
/// price for Near Mint counts where there is no other.
#[test]
fn headline_prices_follow_the_order_of_sources() {
    on_each_database(|database| {
        let shelf = Shelf::on(database);
        let id = CARDS[0].0;
        let bare = format!("{id}|{}", CARDS[0].1);
        shelf.import(Kind::Cards, &[bare]);
        let headline = |rows: &[&str]| {
            let rows: Vec<String> = rows.iter().map(|row| format!("{id}|{row}")).collect();
            shelf.try_import(Kind::Prices, &rows);
            shelf.runtime.block_on(async {
                let cards = shelf
                    .store
                    .cards_with_marketplace_ids(&[id])
                    .await
                    .expect("it answers");
                let item = &cards[0].printings[0];
                let history = shelf
                    .store
                    .history(&[item], 0, 30_000)
                    .await
                    .expect("it answers");
                let quotes = shelf
                    .store
                    .quotes(&[item.key])
                    .await
                    .expect("it answers")
                    .len();
                (
                    item.market,
                    item.source.clone(),
                    item.condition.clone(),
                    history[0].len(),
                    quotes,
                )
            })
        };
        let source = |name: &str| Some(name.to_owned());
        // a condition other than Near Mint is no headline
        assert_eq!(
            headline(&["2026-11-10|7|||one|Played"]),
            (None, None, None, 0, 1)
        );
        assert_eq!(
            headline(&["2026-11-10|9|||one|Near Mint"]),
            (Some(money("9")), source("one"), source("Near Mint"), 1, 2)
        );
        // any price without a condition comes first, of an unlisted source too, and if it is older
        assert_eq!(
            headline(&["2026-11-09|8|||zebra"]),
            (Some(money("8")), source("zebra"), None, 2, 3)
        );
        // `two` comes before `one` in the settings; the order of rows and files changes nothing
        assert_eq!(
            headline(&["2026-11-11|6|||two", "2026-11-11|5|||one"]),
            (Some(money("6")), source("two"), None, 3, 5)
        );
        assert_eq!(headline(&["2026-11-12|4|||one"]).0, Some(money("6")));
        assert_eq!(
            headline(&["2026-11-12|3|||two", "2026-11-10|2|||two"]).0,
            Some(money("3"))
        );
        // a day ahead of today and a price of nothing are set aside
        assert_eq!(
            headline(&["2027-01-17|1|||two", "2026-11-13|0|||two"]).0,
            Some(money("3"))
        );
    });
}
