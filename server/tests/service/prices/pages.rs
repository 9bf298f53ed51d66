//! `/cards/{marketplaceId}`.

use super::Shop;
use super::shop::{CHARIZARD, FIRST_EDITION, UMBREON, UNPRICED};
use crate::client::{Call, Reply};
use crate::support::{Database, on_each_database};
use titledex_server::config::Page;

fn page(shop: &Shop, id: &str) -> Reply {
    shop.service.send(&Call::new("GET", format!("/cards/{id}")))
}

#[test]
fn card_page_needs_no_key() {
    on_each_database(|database| {
        let shop = Shop::with_settings(database, "free", |settings| {
            settings.market.page = Page {
                shown: true,
                days: 90,
                sales: true,
                population: true,
            };
        });
        let reply = page(&shop, CHARIZARD);
        assert_eq!(
            (reply.status, reply.header("content-type")),
            (200, Some("text/html; charset=utf-8"))
        );
        let policy = reply.header("content-security-policy").expect("it has one");
        assert!(
            policy.contains("default-src 'none'") && !policy.contains("unsafe"),
            "{policy}"
        );
        let text = reply.text();
        for part in [
            "<h1>Charizard</h1>",
            "4/102",
            "$100",
            "polyline",
            "Pristine",
            "Smart price",
            "Grader A 10",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        // a link to the other printing, bars of both graders, and nothing of a script or a style
        // within
        assert!(
            text.contains(&format!("href=\"/cards/{FIRST_EDITION}\""))
                && text.matches("class=\"plot bars\"").count() == 2,
            "{text}"
        );
        assert!(
            !text.contains("<script") && !text.contains("style=") && !text.contains("{{"),
            "{text}"
        );
        assert!(page(&shop, UMBREON).text().contains("ブラッキーVMAX"));
        let unpriced = page(&shop, UNPRICED);
        assert!(
            unpriced.text().contains("not known")
                && unpriced.text().contains("No history is known"),
            "{}",
            unpriced.text()
        );
        assert_eq!(page(&shop, "nobody").status, 404);
    });
}

/// Without settings a page has nothing that a plan sells: three days of history, as the smallest
/// plan has, no graded sales and no populations. It can be switched off.
#[test]
fn card_page_gives_away_nothing_that_a_plan_sells() {
    on_each_database(|database| {
        let shop = Shop::on(database, "free");
        let reply = page(&shop, CHARIZARD);
        let text = reply.text();
        assert!(
            text.contains("$100") && text.contains("last 3 days"),
            "{text}"
        );
        for sold in ["Graded sales", "Population", "Grader A", "plot bars"] {
            assert!(!text.contains(sold), "{sold}: {text}");
        }
    });
    let database = Database::sqlite();
    let shop = Shop::with_settings(&database, "free", |settings| {
        settings.market.page.shown = false
    });
    assert_eq!(page(&shop, CHARIZARD).status, 404);
}

#[test]
fn card_pages_are_limited_by_address() {
    let shop = Shop::open("free");
    for _ in 0..120 {
        assert_eq!(page(&shop, "nobody").status, 404);
    }
    let refused = page(&shop, CHARIZARD);
    assert_eq!(
        (refused.status, refused.code()),
        (429, "page_limit".to_owned())
    );
    assert!(refused.number("retry-after") > 0);
}
