//! Imports of sold listings and of exchange rates.

use crate::market::{Market, NOW};
use crate::support::on_each_database;
use titledex_server::clock::Moment;
use titledex_server::market::Money;
use titledex_server::market::load::Kind;
use titledex_server::store::Actor;
use titledex_server::store::market::{Decided, ReviewFilter, ReviewStatus, Verdict};

/// Listings that are surely one card become sales by grade, others wait for a person; nothing comes
/// twice.
#[test]
fn sold_listings_become_sales_or_go_to_review() {
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
            let page = store.reviews(&ReviewFilter::default(), 0, 10).await.expect("it answers");
            let (open, listings) = (page.total, page.rows);
            assert_eq!((open, listings.len()), (2, 2));
            let unsure = &listings[0];
            assert_eq!((unsure.listing.title.as_str(), unsure.listing.grade.as_str()), ("Charizard PSA 10", "GRADER_A_10"));
            assert!(!unsure.listing.candidates.is_empty());
            assert_eq!(listings[1].listing.reason, "sealed");
            let now = Moment::from_millis(NOW);
            let accept = |id: &str| Verdict::Accept { marketplace_id: id.to_owned(), grade: "GRADER_A_10".to_owned() };
            assert_eq!(store.decide(unsure.id, &accept("nothing"), Actor::Operator, now).await.expect("it answers"), Decided::NoItem);
            let done = store.decide(unsure.id, &accept("base1-4:unlimited-holofoil"), Actor::Operator, now).await.expect("it answers");
            assert!(matches!(&done, Decided::Done(row) if row.status == ReviewStatus::Accepted && row.decided == Some(NOW)), "{done:?}");
            let twice = store.decide(unsure.id, &Verdict::Reject, Actor::Operator, now).await.expect("it answers");
            assert_eq!(twice, Decided::Already(ReviewStatus::Accepted));
            assert_eq!(store.decide(77, &Verdict::Reject, Actor::Operator, now).await.expect("it answers"), Decided::NoListing);
            assert!(matches!(store.decide(listings[1].id, &Verdict::Reject, Actor::Operator, now).await, Ok(Decided::Done(_))));
            let sales = store.graded_sales(&items[..1], 0, 30_000).await.expect("it answers");
            assert_eq!(sales.len(), 2);
            assert_eq!(store.reviews(&ReviewFilter::default(), 0, 10).await.expect("it answers").total, 0);
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

/// Sales in other currencies count by the rate of their day, or the last one within a week before
/// it; without one they count nowhere.
#[test]
fn sales_in_other_currencies_count_by_loaded_rates() {
    on_each_database(|database| {
        let market = Market::on(database);
        let sale = |price: &str, day: i64| {
            // an id: two of them are alike, a day apart
            format!(
                "Charizard 4/102 Base Set PSA 9|{price}|2026-11-{day:02}||{}-{day}",
                price.replace('|', "-")
            )
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
