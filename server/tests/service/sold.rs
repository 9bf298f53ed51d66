//! Where sold listings belong: `fixtures/sold.jsonl`, against a store with sealed products.

use crate::market::{Market, NOW};
use crate::support::{Database, on_each_database};
use serde::Deserialize;
use serde_json::Value;
use titledex::Options;
use titledex_server::market::Companies;
use titledex_server::market::listing::products::Products;
use titledex_server::market::listing::{Placing, Rules};
use titledex_server::market::load::Kind;
use titledex_server::market::load_index::LoadIndex;
use titledex_server::store::Actor;
use titledex_server::store::market::{KnownListing, Verdict};

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

    /// Days and prices of the graded sales of an item's card.
    fn sold(&self, card: &str) -> Vec<(i64, String)> {
        self.runtime.block_on(async {
            let cards = self
                .store
                .cards_with_ids(&[card])
                .await
                .expect("it answers");
            let items: Vec<i64> = cards[0].printings.iter().map(|item| item.key).collect();
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
