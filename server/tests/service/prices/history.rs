//! Additions to a card by query: history, graded sales, and prices in EUR.

use super::Shop;
use super::cards::{V2, only};
use super::shop::{CHARIZARD, HISTORY};
use crate::support::{Database, on_each_database};
use serde_json::json;
use titledex_server::config::Settings;

#[test]
fn history_is_daily_within_query_and_plan() {
    on_each_database(|database| {
        let shop = Shop::on(database, "business");
        let history = |query: &str| {
            only(
                &shop
                    .ok(&format!(
                        "{V2}?marketplaceId={CHARIZARD}&includeHistory=true&{query}"
                    ))
                    .0,
            )["priceHistory"]
                .clone()
        };
        let month = history("");
        assert_eq!(
            (&month["from"], &month["to"], &month["snapshots"]),
            (&json!("2024-09-05"), &json!("2024-10-04"), &json!(30))
        );
        let points = month["points"].as_array().expect("a list");
        assert_eq!(points.len(), 30);
        assert_eq!(
            points[29],
            json!({"date": "2024-10-04", "market": 100, "low": 90, "sellers": null})
        );
        assert_eq!(
            (&points[0]["date"], &points[0]["market"]),
            (&json!("2024-09-05"), &json!(129))
        );
        assert_eq!(
            history("days=1")["points"].as_array().map(Vec::len),
            Some(1)
        );
        // 365 points by default, all of them on request
        let year = history("days=1000");
        assert_eq!(
            (year["points"].as_array().map(Vec::len), &year["snapshots"]),
            (Some(365), &json!(HISTORY))
        );
        assert_eq!(
            (&year["points"][0]["market"], &year["points"][364]["market"]),
            (&json!(1099), &json!(100))
        );
        assert_eq!(
            history("days=3650&maxDataPoints=3650")["points"]
                .as_array()
                .map(Vec::len),
            Some(1000)
        );
        assert_eq!(
            history("days=1000&maxDataPoints=10")["points"]
                .as_array()
                .map(Vec::len),
            Some(10)
        );
        for (query, code) in [
            ("days=0", "out_of_range"),
            ("days=3651", "out_of_range"),
            ("days=x", "invalid_value"),
            ("maxDataPoints=1", "out_of_range"),
        ] {
            assert_eq!(shop.refused(&format!("{V2}?{query}")).1, code, "{query}");
        }
    });
}

#[test]
fn plan_limits_the_history() {
    for (plan, days) in [
        ("free", 3),
        ("api", 183),
        ("business", 365),
        ("enterprise", 365),
    ] {
        let shop = Shop::open(plan);
        let (body, _) = shop.ok(&format!(
            "{V2}?marketplaceId={CHARIZARD}&includeHistory=true&days=365"
        ));
        assert_eq!(
            only(&body)["priceHistory"]["points"]
                .as_array()
                .map(Vec::len),
            Some(days),
            "{plan}"
        );
        let many = shop.get(&format!(
            "{V2}?marketplaceId={CHARIZARD}&includeHistory=true&maxDataPoints=366"
        ));
        let (status, code) = if matches!(plan, "free" | "api") {
            (403, "plan_too_small")
        } else {
            (200, "")
        };
        assert_eq!(
            (
                many.status,
                many.json()["error"]["code"].as_str().unwrap_or_default()
            ),
            (status, code),
            "{plan}"
        );
    }
}

/// A plan may allow fewer points than are the default elsewhere.
#[test]
fn points_of_a_plan_are_the_default_below_365() {
    let database = Database::sqlite();
    let shop = Shop::with_settings(&database, "business", |settings| {
        settings.plans = Settings::parse("[plans.business]\nhistory-points = 30\n")
            .expect("it is right")
            .plans;
    });
    let path = format!("{V2}?marketplaceId={CHARIZARD}&includeHistory=true&days=365");
    for (query, points) in [("", 30), ("&maxDataPoints=30", 30), ("&maxDataPoints=2", 2)] {
        let (body, cost) = shop.ok(&format!("{path}{query}"));
        let shown = &only(&body)["priceHistory"]["points"];
        assert_eq!(
            (shown.as_array().map(Vec::len), cost),
            (Some(points), 2),
            "{query}"
        );
    }
    let refused = shop.get(&format!("{path}&maxDataPoints=31"));
    assert_eq!(
        (refused.status, refused.code()),
        (403, "plan_too_small".to_owned())
    );
    assert!(refused.text().contains("allows 30"), "{refused:?}");
}

#[test]
fn graded_sales_are_keyed_by_grade() {
    on_each_database(|database| {
        let shop = Shop::on(database, "api");
        let auction = |query: &str| {
            only(
                &shop
                    .ok(&format!(
                        "{V2}?marketplaceId={CHARIZARD}&includeAuction=true{query}"
                    ))
                    .0,
            )["auction"]
                .clone()
        };
        let month = auction("");
        assert_eq!(
            month
                .as_object()
                .map(|grades| grades.keys().cloned().collect::<Vec<_>>()),
            Some(vec!["GRADER_A_10".to_owned(), "GRADER_B_9_5".to_owned()])
        );
        assert_eq!(
            (
                &month["GRADER_A_10"]["avg"],
                &month["GRADER_A_10"]["median"],
                &month["GRADER_A_10"]["salesCount"]
            ),
            (&json!(1100), &json!(1100), &json!(3))
        );
        assert_eq!(month["GRADER_A_10"]["lastSale"], "2024-10-03");
        assert_eq!(auction("&days=3")["GRADER_A_10"]["salesCount"], 2);
        // the columns of the export too
        let ten = &month["GRADER_A_10"];
        assert!(
            ten["smartMarketPrice"].is_number() && ten["smartMarketConfidence"].is_string(),
            "{ten}"
        );
        // 1050 in the last seven days, 1200 in the seven before: 12.5 per cent less
        assert_eq!(
            (
                &ten["marketPrice7Day"],
                &ten["marketTrend"],
                &ten["salesVelocityWeekly"]
            ),
            (&json!(1050), &json!(-12.5), &json!(0.7))
        );
        // they are of their weeks, whatever the window
        for days in [3, 7, 10, 365] {
            let ten = auction(&format!("&days={days}"))["GRADER_A_10"].clone();
            assert_eq!(
                (&ten["marketPrice7Day"], &ten["marketTrend"]),
                (&json!(1050), &json!(-12.5)),
                "{days} {ten}"
            );
        }
        let few = auction("&days=3")["GRADER_A_10"].clone();
        assert_eq!(
            (&few["low"], &few["high"]),
            (&json!(1000), &json!(1100)),
            "{few}"
        );
        assert_eq!(auction("&days=365")["GRADER_A_10"]["avg"], 2075);
        assert_eq!(auction("&days=1"), json!({}));
    });
}

#[test]
fn prices_in_eur_are_an_addition() {
    let shop = Shop::open("free");
    let (body, cost) = shop.ok(&format!("{V2}?marketplaceId={CHARIZARD}&includeEur=true"));
    let prices = &only(&body)["prices"];
    assert_eq!(
        (cost, &prices["eur"]),
        (
            2,
            &json!({"market": 91.5, "low": 80, "updatedAt": "2024-10-04T00:00:00Z"})
        )
    );
    assert!(
        prices["quotes"]
            .as_array()
            .is_some_and(|quotes| quotes.iter().any(|quote| quote["currency"] == "EUR")),
        "{prices}"
    );
}
