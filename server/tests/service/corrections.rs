//! What administrators correct in the market: sales, prices and populations that are deleted, cards
//! that are merged, decisions in bulk; and that all of it can be undone.

use crate::market::money;
use crate::merged::with_duplicate;
use crate::support::{Service, cases, on_each_database};
use crate::undo::{CARDS, Shelf, at_now, row};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use titledex_server::market::load::Kind;
use titledex_server::market::{Day, Grader};
use titledex_server::store::Actor;
use titledex_server::store::market::{
    BulkDecided, BulkVerdict, Deleted, KnownPrices, MarketplaceId, Merge, Merged, PriceName,
    QuoteName, ReviewFilter, Undone, Verdict,
};

const SOURCES: [&str; 2] = ["two", "one"];

pub(crate) fn sources() -> Vec<String> {
    SOURCES.map(str::to_owned).to_vec()
}

pub(crate) fn day(text: &str) -> i64 {
    Day::parse(text).expect("it is a day").0
}

impl Shelf {
    pub(crate) fn known_prices(&self, id: &str) -> KnownPrices {
        let known = self.runtime.block_on(self.store.known_prices(id));
        known.expect("it answers").expect("it is there")
    }

    fn delete_price(
        &self,
        id: &str,
        date: &str,
        quote: Option<(&str, &str)>,
        eur: bool,
    ) -> Deleted {
        let price = PriceName {
            item: id.to_owned(),
            day: day(date),
            quote: quote.map(|(source, condition)| QuoteName {
                source: source.to_owned(),
                condition: condition.to_owned(),
            }),
            eur,
        };
        let sources = sources();
        let deleted = self
            .store
            .delete_price(&price, &sources, Actor::Operator, at_now());
        self.runtime.block_on(deleted).expect("it answers")
    }

    pub(crate) fn sales(&self, id: &str) -> Vec<i64> {
        let own = [id.to_owned()];
        let sales = self.store.sales_of(&own, 0, 100);
        let sales = self.runtime.block_on(sales).expect("it answers");
        sales.iter().map(|sale| sale.id).collect()
    }

    fn delete_sale(&self, id: i64) -> Option<i64> {
        let deleted = self.store.delete_sale(id, Actor::Operator, at_now());
        let deleted = self.runtime.block_on(deleted).expect("it answers");
        deleted.map(|(_, change)| change)
    }

    pub(crate) fn merge(&self, from: &str, into: &str) -> Merged {
        let merge = Merge {
            from: from.to_owned(),
            into: into.to_owned(),
            printings: Vec::new(),
        };
        let sources = sources();
        let merged = self
            .store
            .merge_cards(&merge, &sources, Actor::Operator, at_now());
        self.runtime.block_on(merged).expect("it answers")
    }

    fn open(&self) -> Vec<i64> {
        let filter = ReviewFilter::default();
        let page = self.store.reviews(&filter, 0, 100);
        let page = self.runtime.block_on(page).expect("it answers");
        page.rows.iter().map(|row| row.id).collect()
    }

    /// Does something random; the number of the change, if anything was done.
    fn perform(&self, deed: &Deed) -> Option<i64> {
        let store = &self.store;
        let by = Actor::Operator;
        match deed {
            Deed::Import(kind, numbers) => {
                let rows: Vec<String> = numbers.iter().map(|of| row(*kind, *of)).collect();
                self.try_import(*kind, &rows)
            }
            Deed::DeleteSale(which) => {
                let sales = CARDS.map(|(id, _)| self.sales(id)).concat();
                let sale = sales.get(which % sales.len().max(1))?;
                self.delete_sale(*sale)
            }
            Deed::DeletePrice(card, date, quote, eur) => {
                let date = format!("2026-11-{}", 10 + date % 4);
                let quote = [None, Some(("one", "")), Some(("two", "Near Mint"))][quote % 3];
                let deleted = self.delete_price(CARDS[card % CARDS.len()].0, &date, quote, *eur);
                change_of(deleted)
            }
            Deed::DeletePopulation(card, grader) => {
                let grader = [None, Some(Grader::A), Some(Grader::B)][grader % 3];
                let card = CARDS[card % CARDS.len()].0;
                let deleted = store.delete_population(card, grader, by, at_now());
                change_of(self.runtime.block_on(deleted).expect("it answers"))
            }
            Deed::Merge(from, into) => {
                let card = |at: &usize| CARDS[at % CARDS.len()].0.split(':').next();
                match self.merge(card(from)?, card(into)?) {
                    Merged::Done(report) => Some(report.change),
                    _ => None,
                }
            }
            Deed::Decide(which, accept) => {
                let open = self.open();
                let id = *open.get(which % open.len().max(1))?;
                let verdict = if *accept {
                    let called = [CARDS[0].0];
                    let own = store.own_ids(&called, MarketplaceId::Own);
                    let own = self.runtime.block_on(own).expect("it answers").concat();
                    Verdict::Accept {
                        marketplace_id: own.first()?.clone(),
                        grade: "GRADER_A_9".to_owned(),
                    }
                } else {
                    Verdict::Reject
                };
                let decided = self
                    .runtime
                    .block_on(store.decide(id, &verdict, by, at_now()));
                match decided.expect("it answers") {
                    titledex_server::store::market::Decided::Done(row) => row.decision,
                    _ => None,
                }
            }
            Deed::DecideAll(accept) => {
                let filter = ReviewFilter::default();
                let page = self
                    .runtime
                    .block_on(store.reviews(&filter, 0, 1))
                    .expect("it answers");
                let verdict = if *accept {
                    BulkVerdict::Accept {
                        marketplace_id: None,
                        grade: None,
                    }
                } else {
                    BulkVerdict::Reject
                };
                let decided = store.decide_all(&filter, &verdict, &page.snapshot.id, by, at_now());
                match self.runtime.block_on(decided).expect("it answers") {
                    BulkDecided::Done { change, .. } => change,
                    refused => panic!("{refused:?}"),
                }
            }
        }
    }
}

fn change_of(deleted: Deleted) -> Option<i64> {
    match deleted {
        Deleted::Done(change) => Some(change),
        Deleted::Nothing | Deleted::OtherDay(_) => None,
    }
}

#[derive(Clone, Debug)]
enum Deed {
    Import(Kind, Vec<[usize; 4]>),
    DeleteSale(usize),
    DeletePrice(usize, usize, usize, bool),
    DeletePopulation(usize, usize),
    Merge(usize, usize),
    Decide(usize, bool),
    DecideAll(bool),
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let kinds = vec![
        Kind::Cards,
        Kind::Prices,
        Kind::Prices,
        Kind::Sales,
        Kind::Sales,
        Kind::Population,
        Kind::Sealed,
    ];
    let rows = prop::collection::vec(prop::array::uniform4(0_usize..6), 1..6);
    let import = (prop::sample::select(kinds), rows);
    let deed = prop_oneof![
        6 => import.prop_map(|(kind, rows)| Deed::Import(kind, rows)),
        1 => (0_usize..6).prop_map(Deed::DeleteSale),
        2 => (0_usize..3, 0_usize..4, 0_usize..3, any::<bool>())
            .prop_map(|(card, day, quote, eur)| Deed::DeletePrice(card, day, quote, eur)),
        1 => (0_usize..3, 0_usize..3).prop_map(|(card, of)| Deed::DeletePopulation(card, of)),
        1 => (0_usize..3, 0_usize..3).prop_map(|(from, into)| Deed::Merge(from, into)),
        1 => (0_usize..6, any::<bool>()).prop_map(|(which, accept)| Deed::Decide(which, accept)),
        1 => any::<bool>().prop_map(Deed::DecideAll),
    ];
    prop::collection::vec(deed, 3..10)
}

/// Whatever is imported, deleted, merged and decided: undone one after another, newest first, each
/// leaves everything as it was before, byte for byte, exports included.
#[test]
fn undone_changes_leave_everything_as_before() {
    on_each_database(|database| {
        let shelf = Shelf::on(database);
        let cards: Vec<String> = (0..CARDS.len())
            .map(|at| row(Kind::Cards, [at, 0, 0, 0]))
            .collect();
        shelf.import(Kind::Cards, &cards);
        let mut runner = TestRunner::new(cases(24));
        let result = runner.run(&deeds(), |deeds| {
            let mut done = Vec::new();
            let mut now = shelf.everything();
            for deed in &deeds {
                if let Some(change) = shelf.perform(deed) {
                    let before = std::mem::replace(&mut now, shelf.everything());
                    done.push((change, before, deed));
                }
            }
            for (change, before, deed) in done.into_iter().rev() {
                let undone = shelf.undo(change);
                prop_assert!(matches!(undone, Undone::Done(_)), "{deed:?}: {undone:?}");
                prop_assert_eq!(before, shelf.everything(), "{:?}", deed);
            }
            Ok(())
        });
        assert!(result.is_ok(), "{result:?}");
    });
}

/// A feed's price that is deleted leaves headline, history and the source's last price as they would
/// be had it never been imported.
#[test]
fn deleted_price_leaves_what_the_other_rows_make() {
    on_each_database(|database| {
        let shelf = Shelf::on(database);
        let cards: Vec<String> = CARDS
            .iter()
            .map(|(id, rest)| format!("{id}|{rest}"))
            .collect();
        shelf.import(Kind::Cards, &cards);
        let mut runner = TestRunner::new(cases(32));
        let prices = prop::collection::btree_map(1_u32..28, 1_u32..999, 1..8);
        let feed = prop::sample::select(vec!["||", "two|", "two|Near Mint", "zebra|"]);
        let all = (prices, feed, any::<prop::sample::Index>(), any::<bool>());
        let result = runner.run(&all, |(prices, feed, which, named)| {
            let rows = |id: &str, without: Option<u32>| -> Vec<String> {
                let kept = prices.iter().filter(|(day, _)| Some(**day) != without);
                kept.map(|(day, price)| format!("{id}|2026-11-{day:02}|{price}|||{feed}"))
                    .collect()
            };
            let days: Vec<u32> = prices.keys().copied().collect();
            let gone = days[which.index(days.len())];
            let date = format!("2026-11-{gone:02}");
            let [one, other] = [CARDS[0].0, CARDS[1].0];
            let mut changes = vec![
                shelf.import(Kind::Prices, &rows(one, None)),
                shelf.import(Kind::Prices, &rows(other, Some(gone))),
            ];
            // of the last day the source's last price is the same thing
            let is_last = days.last() == Some(&gone);
            let quote = feed
                .split_once('|')
                .filter(|(source, _)| !source.is_empty());
            let quote = quote.filter(|_| named && is_last);
            let deleted = change_of(shelf.delete_price(one, &date, quote, false));
            prop_assert!(deleted.is_some(), "{quote:?}");
            let mut found = shelf.known_prices(one);
            let wanted = shelf.known_prices(other);
            (found.item.key, found.item.card) = (wanted.item.key, wanted.item.card);
            found
                .item
                .marketplace_id
                .clone_from(&wanted.item.marketplace_id);
            found
                .quotes
                .iter_mut()
                .for_each(|quote| quote.item = wanted.item.key);
            prop_assert_eq!(found, wanted);
            let again = shelf.delete_price(one, &date, None, false);
            prop_assert_eq!(again, Deleted::Nothing);
            changes.extend(deleted);
            for change in changes.into_iter().rev() {
                let undone = shelf.undo(change);
                prop_assert!(matches!(undone, Undone::Done(_)), "{undone:?}");
            }
            Ok(())
        });
        assert!(result.is_ok(), "{result:?}");
    });
}

/// What a deleted price outranked counts again; a price that is no headline goes alone.
#[test]
fn deleted_price_gives_way_to_the_next_source() {
    on_each_database(|database| {
        let shelf = Shelf::on(database);
        let id = CARDS[0].0;
        shelf.import(Kind::Cards, &[format!("{id}|{}", CARDS[0].1)]);
        let rows = [
            "2026-11-09|8|||zebra",
            "2026-11-11|6|||two",
            "2026-11-12|7|||one",
            "2026-11-12|9|||one|Played",
            "2026-11-12|4||||Near Mint|EUR",
            "2026-11-10|3|||one||EUR",
            "2026-11-13|5|||two||EUR",
        ];
        for row in rows {
            shelf.import(Kind::Prices, &[format!("{id}|{row}")]);
        }
        let headline = || {
            let item = shelf.known_prices(id).item;
            (
                item.market,
                item.source,
                item.updated.map(|at| at / 86_400_000),
            )
        };
        let known = |price: &str, source: &str, date: &str| {
            (Some(money(price)), Some(source.to_owned()), Some(day(date)))
        };
        assert_eq!(headline(), known("6", "two", "2026-11-11"));
        // a price for a condition, and one of a source that is outranked
        let gone = shelf.delete_price(id, "2026-11-12", Some(("one", "Played")), false);
        assert!(matches!(gone, Deleted::Done(_)));
        assert_eq!(headline(), known("6", "two", "2026-11-11"));
        assert_eq!(
            shelf.delete_price(id, "2026-11-12", Some(("two", "")), false),
            Deleted::OtherDay(day("2026-11-11"))
        );
        assert_eq!(
            shelf.delete_price(id, "2026-11-11", Some(("three", "")), false),
            Deleted::Nothing
        );
        let gone = shelf.delete_price(id, "2026-11-11", None, false);
        assert!(matches!(gone, Deleted::Done(_)));
        assert_eq!(headline(), known("7", "one", "2026-11-12"));
        let days: Vec<i64> = shelf
            .known_prices(id)
            .points
            .iter()
            .map(|p| p.day)
            .collect();
        assert_eq!(days, [day("2026-11-09"), day("2026-11-12")]);
        // the newest price in EUR that is left
        let gone = shelf.delete_price(id, "2026-11-13", None, true);
        assert!(matches!(gone, Deleted::Done(_)));
        let item = shelf.known_prices(id).item;
        assert_eq!(item.eur_market, Some(money("3")));
        for (date, left) in [("2026-11-12", Some("8")), ("2026-11-09", None)] {
            let gone = shelf.delete_price(id, date, None, false);
            assert!(matches!(gone, Deleted::Done(_)), "{date}");
            assert_eq!(headline().0, left.map(money));
        }
        let known = shelf.known_prices(id);
        assert_eq!((known.item.first_day, known.points.len()), (None, 0));
    });
}

/// A deleted sale counts nowhere and is not counted again by a later file; the import that it came
/// with can still be undone.
#[test]
fn deleted_sale_stays_away() {
    on_each_database(|database| {
        let shelf = Shelf::on(database);
        let cards: Vec<String> = (0..2).map(|at| row(Kind::Cards, [at, 0, 0, 0])).collect();
        shelf.import(Kind::Cards, &cards);
        let empty = shelf.everything();
        let rows = [
            row(Kind::Sales, [0, 0, 0, 1]),
            row(Kind::Sales, [1, 1, 1, 2]),
        ];
        let alone = shelf.import(Kind::Sales, &rows[1..]);
        let wanted = sold(&shelf);
        shelf.undo(alone);
        let import = shelf.import(Kind::Sales, &rows);
        let before = shelf.everything();
        let sales = shelf.sales(CARDS[0].0);
        assert_eq!(sales.len(), 1);
        let change = shelf.delete_sale(sales[0]).expect("it is there");
        assert_eq!(shelf.delete_sale(sales[0]), None);
        assert_eq!(sold(&shelf), wanted);
        let again = shelf.import(Kind::Sales, &rows);
        assert_eq!(sold(&shelf), wanted);
        assert!(matches!(shelf.undo(again), Undone::Done(_)));
        assert!(matches!(shelf.undo(change), Undone::Done(_)));
        assert_eq!(shelf.everything(), before);
        // the import goes with what was deleted of it, and the deletion cannot bring it back
        let change = shelf.delete_sale(shelf.sales(CARDS[0].0)[0]);
        assert!(matches!(shelf.undo(import), Undone::Done(_)));
        let change = change.expect("it was there");
        assert!(matches!(shelf.undo(change), Undone::Done(_)));
        assert_eq!(shelf.everything(), empty);
        // a sale that a person accepted: its listing is decided otherwise
        let import = shelf.import(Kind::Sales, &[row(Kind::Sales, [2, 0, 0, 0])]);
        let accepted = shelf.perform(&Deed::Decide(0, true)).expect("it waits");
        let before = shelf.everything();
        let deleted = shelf.perform(&Deed::DeleteSale(0)).expect("it is a sale");
        assert_eq!(shelf.undo(accepted), Undone::Later(vec![deleted]));
        assert!(matches!(shelf.undo(deleted), Undone::Done(_)));
        assert_eq!(shelf.everything(), before);
        assert!(matches!(shelf.undo(import), Undone::Done(_)));
        assert!(matches!(shelf.undo(accepted), Undone::Done(_)));
        assert_eq!(shelf.everything(), empty);
    });
}

/// What statistics and exports are made of, without the numbers of rows.
fn sold(shelf: &Shelf) -> String {
    let all = shelf.everything();
    let lines = all
        .lines()
        .filter(|line| !line.contains("status: ") && *line != "[]");
    lines.collect::<Vec<_>>().join("\n")
}

/// Over HTTP: sales, prices and populations are shown, deleted and brought back, and each deed is
/// recorded with who did it.
#[test]
fn corrections_over_http_are_recorded() {
    on_each_database(|database| {
        let shelf = with_duplicate(database);
        let id = CARDS[0].0;
        shelf.import(Kind::Sales, &[row(Kind::Sales, [0, 0, 0, 1])]);
        shelf.import(Kind::Prices, &[format!("{id}|2026-11-10|10|||two")]);
        let counts = format!("{id}|GRADER_A{}5|||||high", "|".repeat(21));
        shelf.import(Kind::Population, &[counts]);
        let before = shelf.everything();
        let service = Service::on(database);
        let ask = |method, path: &str| service.ask(method, path, &Value::Null);
        let of = format!("marketplaceId={id}");
        let sales = ask("GET", &format!("/sales?{of}")).json();
        let sale = &sales["data"][0];
        assert_eq!(
            (&sale["marketplaceId"], &sale["grade"]),
            (&json!(id), &json!("GRADER_A_10"))
        );
        let prices = ask("GET", &format!("/prices?{of}")).json();
        assert_eq!(prices["data"]["headline"]["source"], "two");
        assert_eq!(prices["data"]["history"][0]["date"], "2026-11-10");
        for (wrong, status) in [
            ("/sales/99", 404),
            ("/sales/x", 404),
            ("/prices?marketplaceId=nobody&date=2026-11-10", 404),
            (&format!("/prices?{of}&date=2026-11-09") as &str, 404),
            (&format!("/prices?{of}&date=soon"), 400),
            (&format!("/prices?{of}"), 400),
            (&format!("/prices?{of}&date=2026-11-10&currency=JPY"), 400),
            (&format!("/population?{of}&grader=GRADER_D"), 404),
            (&format!("/population?{of}&grader=GRADER_E"), 400),
            ("/population", 400),
        ] {
            assert_eq!(ask("DELETE", wrong).status, status, "{wrong}");
        }
        let merge = |body: Value| service.ask("POST", "/cards/merge", &body);
        let same = merge(json!({"from": "own-1", "into": "own-1"}));
        assert_eq!((same.status, same.code().as_str()), (409, "not_mergeable"));
        let missing = merge(json!({"from": "own-2", "into": "own-1"}));
        assert_eq!(missing.status, 404);
        let printing =
            json!({"from": "own-1", "into": "swsh7-218", "printings": {"x": "holofoil"}});
        assert_eq!(merge(printing).status, 400);
        assert_eq!(shelf.everything(), before);
        let mut changes = Vec::new();
        for path in [
            format!("/sales/{}", sale["id"]),
            format!("/prices?{of}&date=2026-11-10&source=two"),
            format!("/population?{of}&grader=GRADER_A"),
        ] {
            let done = ask("DELETE", &path);
            assert_eq!(done.status, 200, "{path}: {done:?}");
            changes.push(done.json()["data"]["change"].clone());
        }
        let merged = merge(json!({"from": "own-1", "into": "swsh7-218"})).json();
        changes.push(merged["data"]["change"].clone());
        assert_eq!(
            ask("GET", &format!("/prices?{of}")).json()["data"]["headline"],
            Value::Null
        );
        assert_eq!(
            ask("GET", &format!("/sales?{of}")).json()["data"],
            json!([])
        );
        for change in changes.iter().rev() {
            assert_eq!(ask("POST", &format!("/changes/{change}/undo")).status, 200);
        }
        assert_eq!(shelf.everything(), before);
        let audit = service
            .runtime()
            .block_on(service.server().app.store.audit(0, 100));
        let audit = audit.expect("it answers");
        let deeds: Vec<&str> = audit
            .iter()
            .filter(|row| row.by != Actor::Operator)
            .map(|row| row.deed.as_str())
            .collect();
        assert_eq!(
            deeds,
            [
                "delete sale",
                "delete price",
                "delete population",
                "merge cards",
                "undo change",
                "undo change",
                "undo change",
                "undo change"
            ]
        );
        assert_eq!(
            audit.last().map(|row| row.subject),
            Some(changes[0].as_i64())
        );
        service.stop();
    });
}
