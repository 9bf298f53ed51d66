//! Where sold listings belong: `fixtures/sold.jsonl`, against a store with sealed products.

use crate::market::{Market, NOW, begin, feed};
use crate::support::{Database, cases, on_each_database};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestRunner;
use serde::Deserialize;
use serde_json::Value;
use std::cell::Cell;
use titledex::Options;
use titledex_server::market::Companies;
use titledex_server::market::listing::products::Products;
use titledex_server::market::listing::{Placing, Rules};
use titledex_server::market::load::{Kind, Report};
use titledex_server::market::load_index::LoadIndex;
use titledex_server::store::Actor;
use titledex_server::store::market::{KnownListing, ReviewFilter, ReviewStatus, Verdict};

/// A sold listing and where it belongs: an item and grade, `review`, `out` (left out), or `none`:
/// no sale, whether a person looks or not.
#[derive(Deserialize)]
struct Sold {
    title: String,
    expect: Value,
    why: String,
}

const PRODUCTS: [&str; 6] = [
    "sealed:sparks-box|Surging Sparks Booster Box|Surging Sparks|sv08|Booster Box|english",
    "sealed:sparks-etb|Surging Sparks Elite Trainer Box|Surging Sparks|sv08|Elite Trainer Box|english",
    "sealed:sparks-pack|Surging Sparks Booster Pack|Surging Sparks|sv08|Booster Pack|english",
    "sealed:sparks-bundle|Surging Sparks Booster Bundle|Surging Sparks|sv08|Booster Bundle|english",
    "sealed:151-upc|151 Ultra-Premium Collection|151|sv03.5|Ultra-Premium Collection|english",
    "sealed:climax-box|VMAX Climax Booster Box|VMAX Climax|asia:S8b|Booster Box|japanese",
];

#[test]
fn listings_count_for_what_was_sold() {
    let rows = include_str!("../../../fixtures/sold.jsonl");
    let rows: Vec<Sold> = rows
        .lines()
        .map(|line| serde_json::from_str(line).expect("it is a row"))
        .collect();
    // rules take cards and products from the store, and ask it for nothing else: one database shows
    // them
    let database = Database::sqlite();
    let market = Market::whole(&database);
    market.right(Kind::Sealed, &PRODUCTS);
    let reader = market.reader.now();
    let (known, products) = market.runtime.block_on(async {
        let mut loader = market.store.load().await.expect("it begins");
        let known = LoadIndex::read(&mut loader).await.expect("it answers");
        let products = loader.products().await.expect("it answers");
        loader.rollback().await.expect("it ends");
        (known, Products::new(products, &reader))
    });
    let companies = Companies::default();
    let rules = Rules {
        known: &known,
        products: &products,
        companies: &companies,
        enough: 9_500,
    };
    let mut wrong = Vec::new();
    for row in &rows {
        let answer = reader.answer(&row.title, &Options::default());
        let placing = rules.place(&row.title, &answer);
        let right = match (&placing, &row.expect) {
            (Placing::Kept(kept), Value::Object(expect)) if kept.reason.is_none() => {
                let wanted = expect["item"].as_str().expect("it is an id");
                let ids = answer.matches.iter().flat_map(|found| {
                    std::iter::once(&found.marketplace_id)
                        .chain(found.printings.iter().map(|p| &p.marketplace_id))
                });
                let id = ids
                    .map(String::as_str)
                    .chain(PRODUCTS.map(|line| line.split('|').next().unwrap_or_default()))
                    .find(|id| known.item(id).map(|item| item.key) == kept.item);
                let fits = |id: &str| id == wanted || id.starts_with(&format!("{wanted}:"));
                id.is_some_and(fits) && expect["grade"] == kept.grade
            }
            (Placing::Kept(kept), Value::String(word)) => {
                kept.reason.is_some() && matches!(&**word, "review" | "none")
            }
            (Placing::LeftOut(_), Value::String(word)) => {
                matches!(&**word, "out" | "none")
            }
            _ => false,
        };
        if !right {
            wrong.push(format!(
                "{:?} ({}): {} expected, {placing:?}",
                row.title, row.why, row.expect
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const ONE: &str = "Rayquaza VMAX 218/203 Evolving Skies PSA 10";

impl Market {
    /// What is stored of the listings in addresses.
    fn listings(&self, numbers: &[&str]) -> Vec<KnownListing> {
        self.runtime.block_on(async {
            let mut loader = self.store.load().await.expect("it begins");
            let found = loader
                .known_listings(numbers, &[])
                .await
                .expect("it answers");
            loader.rollback().await.expect("it ends");
            found
        })
    }

    /// Imports sold listings of this source, each row on its own if they come `one_by_one`.
    fn sell(&self, rows: &[String], source: Option<&str>, one_by_one: bool) -> Report {
        self.runtime.block_on(async {
            let mut import = begin(&self.store, &self.reader, Kind::Sales).await;
            if let Some(source) = source {
                import.set_source(source);
            }
            feed(
                &mut import,
                Kind::Sales,
                rows,
                if one_by_one { 1 } else { u64::MAX },
            )
            .await;
            import.finish(false).await.expect("it ends")
        })
    }

    /// Days and prices of the graded sales of an item's card.
    fn sold(&self, card: &str) -> Vec<(i64, String)> {
        let printings = self.card(card).printings;
        let items: Vec<i64> = printings.iter().map(|item| item.key).collect();
        self.runtime.block_on(async {
            let sales = self
                .store
                .graded_sales(&items, 0, 30_000)
                .await
                .expect("it answers");
            sales
                .iter()
                .map(|sale| (sale.day, sale.price.to_string()))
                .collect()
        })
    }
}

#[test]
fn a_listing_counts_once_and_later_rows_correct_it() {
    on_each_database(|database| {
        let market = Market::on(database);
        let row =
            |price: &str, day: u8, url: &str| format!("{ONE}|{price}|USD|2026-11-{day:02}|{url}");
        let counts = |rows: &[String]| {
            let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
            let report = market.right(Kind::Sales, &rows);
            (report.matched, report.known, report.no_sales)
        };
        let address = "https://www.ebay.com/itm/400300000001";
        assert_eq!(counts(&[row("900", 10, address)]), (1, 0, 0));
        let again = [
            row(
                "900.00",
                10,
                "https://www.ebay.co.uk/itm/Words-218-203/400300000001?hash=x",
            ),
            row("850", 11, address),
        ];
        assert_eq!(counts(&again), (0, 2, 0));
        // the last row has the price and the day
        assert_eq!(market.sold("swsh7-218"), [(20_768, "850".to_owned())]);
        assert_eq!(market.listings(&["ebay:400300000001"]).len(), 1);
        // another number is another sale, in one file too
        let two = [
            row("850", 11, "https://www.ebay.com/itm/400300000002"),
            row("850", 11, "https://www.ebay.com/itm/400300000003"),
        ];
        assert_eq!(counts(&two), (2, 0, 0));
        // without an address, alike within a day; ids tell them apart
        let plain = [
            row("700", 2, ""),
            row("700", 3, ""),
            row("700", 6, ""),
            row("700", 6, "|a"),
            row("700", 6, "|b"),
            row("700", 6, "|a"),
        ];
        assert_eq!(counts(&plain), (3, 3, 0));
        // a row that is alike to two of them is one of them
        let apart = [row("640", 14, ""), row("640", 16, "")];
        assert_eq!(counts(&apart), (2, 0, 0));
        let between = "https://www.ebay.com/itm/400300000010";
        assert_eq!(counts(&[row("640", 15, between)]), (0, 1, 0));
        assert_eq!(market.listings(&["ebay:400300000010"]).len(), 1);
        // a sale that is undone later is taken back, in its own file too
        let title = format!("{ONE} refunded");
        let undone = [
            format!("{title}|850|USD|2026-11-12|{address}"),
            format!("{ONE}|850|USD|2026-11-12|https://www.ebay.com/itm/400300000002||cancelled"),
        ];
        assert_eq!(counts(&undone), (0, 0, 2));
        assert!(
            market
                .listings(&["ebay:400300000001", "ebay:400300000002"])
                .is_empty()
        );
        let before = market.sold("swsh7-218");
        let both = [
            row("500", 1, "https://www.ebay.com/itm/400300000009"),
            format!("{ONE}|500|USD|2026-11-01|https://www.ebay.com/itm/400300000009||refunded"),
        ];
        assert_eq!(counts(&both), (1, 0, 1));
        assert_eq!(market.sold("swsh7-218"), before);
    });
}

#[test]
fn rows_that_cannot_be_sales_are_refused() {
    on_each_database(|database| {
        let market = Market::on(database);
        let today = titledex_server::market::Day(NOW / 86_400_000);
        let tomorrow = titledex_server::market::Day(today.0 + 1);
        let report = market.load(
            Kind::Sales,
            &[
                &format!("{ONE}|5|USD|{tomorrow}"),
                &format!("{ONE}|0|USD|2026-11-01"),
                &format!("{ONE}|5|USD|2026-11-01|||perhaps"),
                &format!("{ONE}|5|USD|2026-11-01||||0.00"),
                &format!("{ONE}|5|USD|2026-11-01||||many"),
            ],
        );
        let columns: Vec<_> = report
            .errors
            .iter()
            .map(|error| error.wrong.column)
            .collect();
        assert_eq!(
            columns,
            ["date", "price", "status", "bestOffer", "bestOffer"]
        );
        let report = market.right(Kind::Sales, &[&format!("{ONE}|5|USD|{today}||||4.50")]);
        assert_eq!(report.matched, 1);
        assert_eq!(market.sold("swsh7-218"), [(today.0, "4.5".to_owned())]);
    });
}

#[test]
fn an_accepted_listing_is_corrected_and_taken_back_like_a_sale() {
    on_each_database(|database| {
        let market = Market::on(database);
        let row = |price: &str, more: &str| {
            format!(
                "Rayquaza PSA 10|{price}|USD|2026-11-05|https://www.ebay.com/itm/400300000004{more}"
            )
        };
        assert_eq!(market.right(Kind::Sales, &[&row("90", "")]).review, 1);
        let now = titledex_server::clock::Moment::from_millis(NOW);
        let accept = Verdict::Accept {
            marketplace_id: "swsh7-218:holofoil".to_owned(),
            grade: "GRADER_A_10".to_owned(),
        };
        market
            .runtime
            .block_on(async { market.store.decide(1, &accept, Actor::Operator, now).await })
            .expect("it answers");
        assert_eq!(market.right(Kind::Sales, &[&row("95", "")]).known, 1);
        assert_eq!(market.sold("swsh7-218"), [(20_762, "95".to_owned())]);
        assert_eq!(
            market
                .right(Kind::Sales, &[&row("95", "||returned")])
                .no_sales,
            1
        );
        assert!(market.sold("swsh7-218").is_empty());
    });
}

const OTHER: &str = "Umbreon VMAX 215/203 Evolving Skies PSA 10";

/// What an address or a feed calls many listings tells none from another: two cards that are sold on
/// one day, in one category, on one page or under one number of two feeds are two sales.
#[test]
fn listings_that_share_a_part_of_their_names_are_counted_each() {
    let row = |title: &str, price: u32, day: u8, url: &str, id: &str| {
        format!("{title}|{price}|USD|2026-11-{day:02}|{url}|{id}")
    };
    let both = |urls: [&str; 2], ids: [&str; 2]| {
        vec![
            row(ONE, 1700, 20, urls[0], ids[0]),
            row(OTHER, 900, 20, urls[1], ids[1]),
        ]
    };
    let page = "https://shop.example/sold?year=all";
    let named = [
        (
            "a day in the path",
            vec![(
                None,
                both(
                    [
                        "https://a.example/20261120/lot-17",
                        "https://a.example/20261120/lot-18",
                    ],
                    ["", ""],
                ),
            )],
        ),
        (
            "a category in the path",
            vec![(
                None,
                both(
                    [
                        "https://s.example/category/100234/one-8",
                        "https://s.example/category/100234/two",
                    ],
                    ["", ""],
                ),
            )],
        ),
        (
            "one address, ids",
            vec![(None, both([page, page], ["1", "2"]))],
        ),
        (
            "ids of two sources",
            vec![
                (Some("one"), vec![row(ONE, 1700, 20, "", "1")]),
                (Some("two"), vec![row(OTHER, 900, 29, "", "1")]),
            ],
        ),
        (
            "ids of two sources, of the same card",
            vec![
                (Some("one"), vec![row(ONE, 1700, 20, "", "1")]),
                (
                    Some("two"),
                    vec![row(ONE, 900, 29, "", "1"), row(OTHER, 900, 29, "", "2")],
                ),
            ],
        ),
    ];
    for (why, files) in &named {
        on_each_database(|database| {
            let market = Market::on(database);
            let rows: usize = files.iter().map(|(_, rows)| rows.len()).sum();
            for _ in 0..2 {
                for (source, rows) in files {
                    assert_eq!(market.sell(rows, *source, false).errors, [], "{why}");
                }
            }
            let sold = market.sold("swsh7-218").len() + market.sold("swsh7-215").len();
            assert_eq!(sold, rows, "{why}");
        });
    }
}

/// A row whose number another card's or grade's listing has alters nothing of that one, and waits
/// for a person, once.
#[test]
fn a_number_of_another_listing_is_for_a_person_to_judge() {
    on_each_database(|database| {
        let market = Market::on(database);
        let row = |title: &str, price: &str, day: u8, status: &str| {
            vec![format!("{title}|{price}|USD|2026-11-{day:02}||1|{status}")]
        };
        let sell = |rows: Vec<String>| {
            let report = market.sell(&rows, None, false);
            assert_eq!(report.errors, []);
            (report.matched, report.review, report.known)
        };
        assert_eq!(sell(row(ONE, "1700", 20, "")), (1, 0, 0));
        let nine = ONE.replace("PSA 10", "PSA 9");
        for other in [OTHER, &nine] {
            assert_eq!(sell(row(other, "25", 26, "")), (0, 1, 0), "{other}");
            assert_eq!(sell(row(other, "25", 26, "")), (0, 0, 1), "{other}");
            assert_eq!(sell(row(other, "25", 26, "refunded")), (0, 0, 0), "{other}");
        }
        // the same card in other words is the same listing
        let mint = format!("{ONE} gem mint");
        assert_eq!(sell(row(&mint, "1750", 21, "")), (0, 0, 1));
        assert_eq!(market.sold("swsh7-218"), [(20_778, "1750".to_owned())]);
        assert!(market.sold("swsh7-215").is_empty());
        let rejected = ReviewFilter {
            status: ReviewStatus::Rejected,
            ..ReviewFilter::default()
        };
        let page = market
            .runtime
            .block_on(market.store.reviews(&rejected, 0, 9));
        let reasons: Vec<String> = page
            .expect("it answers")
            .rows
            .into_iter()
            .map(|row| row.listing.reason)
            .collect();
        assert_eq!(reasons, ["other_item", "other_item"]);
    });
}

/// It makes no difference which rows come in one file, nor how many are written at once.
#[test]
fn any_cut_of_a_list_of_listings_gives_the_same_sales() {
    let (gem, unsure) = (
        "Rayquaza VMAX 218/203 Evolving Skies PSA 10 gem",
        "Rayquaza PSA 10",
    );
    // a correction, and a row that is alike to what was corrected; a listing for review that is
    // taken back, and comes again
    let examples = [
        vec![
            (ONE, 0, 10, "1", ""),
            (ONE, 1, 10, "1", ""),
            (ONE, 0, 10, "", ""),
        ],
        vec![
            (unsure, 0, 10, "1", ""),
            (unsure, 0, 10, "1", "refunded"),
            (unsure, 0, 10, "1", ""),
        ],
        vec![
            (ONE, 0, 10, "1", ""),
            (ONE, 0, 11, "", ""),
            (ONE, 0, 10, "1", "refunded"),
            (gem, 0, 11, "1", ""),
        ],
    ];
    let row = (
        select(vec![ONE, ONE, gem, OTHER, unsure]),
        0..2_u64,
        10..12_u8,
        select(vec!["", "", "1", "1", "2", "id-1", "shop-id-1"]),
        select(vec!["", "", "", "refunded"]),
    );
    let lists = (proptest::collection::vec(row, 1..8), 0..8_usize);
    on_each_database(|database| {
        let market = Market::on(database);
        let turn = Cell::new(0);
        let run = |rows: &[(&str, u64, u8, &str, &str)], parts: &[usize], one_by_one: bool| {
            turn.set(turn.get() + 1);
            let (turn, price) = (turn.get(), 100 + 10 * turn.get());
            let lines: Vec<String> = rows
                .iter()
                .map(|(title, more, day, number, status)| {
                    let name = match number.split_once("id-") {
                        Some(("", id)) => format!("|{id}-{turn}"),
                        Some((shop, id)) => format!("https://{shop}.example/sold|{id}-{turn}"),
                        None if number.is_empty() => "|".to_owned(),
                        None => format!("https://www.ebay.com/itm/4{turn:09}{number}|"),
                    };
                    format!("{title}|{}|USD|2026-11-{day}|{name}|{status}", price + more)
                })
                .collect();
            let mut counts = [0; 4];
            let mut from = 0;
            for to in parts.iter().copied().chain([lines.len()]) {
                let part = lines.get(from..to).unwrap_or_default();
                let report = market.sell(part, None, one_by_one);
                let of = [report.matched, report.review, report.known, report.no_sales];
                counts = std::array::from_fn(|at| counts[at] + of[at]);
                from = from.max(to);
            }
            let mut sold = Vec::new();
            for card in ["swsh7-218", "swsh7-215"] {
                for (day, paid) in market.sold(card) {
                    let more = paid.parse::<u64>().unwrap_or_default().wrapping_sub(price);
                    if more < 10 {
                        sold.push((card, day, more));
                    }
                }
            }
            sold.sort_unstable();
            (sold, counts)
        };
        let same = |rows: &[_], cut: usize| {
            let whole = run(rows, &[], false);
            let cut = cut.min(rows.len());
            prop_assert_eq!(&run(rows, &[], true), &whole, "one by one");
            prop_assert_eq!(&run(rows, &[cut], false), &whole, "cut at {}", cut);
            Ok(())
        };
        for rows in &examples {
            same(rows, 1).unwrap_or_else(|failure| panic!("{rows:?}: {failure}"));
        }
        let any = TestRunner::new(cases(48)).run(&lists, |(rows, cut)| same(&rows, cut));
        any.unwrap_or_else(|failure| panic!("{failure}"));
    });
}
