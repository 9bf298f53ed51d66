//! `/cards/{marketplaceId}`, `/sets`, `/search`, and what browsers are told of missing pages.

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
                links: true,
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
            "<h1>Charizard ",
            "4/102",
            "$100",
            "polyline",
            "Pristine",
            "Smart price",
            "PSA 10",
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
            text.matches("<script").count() == text.matches("src=\"/assets/").count() - 1
                && !text.contains("style=")
                && !text.contains("{{"),
            "{text}"
        );
        assert!(page(&shop, UMBREON).text().contains("ブラッキーVMAX"));
        let unpriced = page(&shop, UNPRICED);
        assert!(
            unpriced.text().contains("No price and no sale")
                && !unpriced.text().contains("Price history"),
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
        for sold in ["Graded sales", "Population", "PSA 10", "plot bars"] {
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

/// A request as a browser sends it.
fn browse(shop: &Shop, path: &str) -> Reply {
    shop.service
        .send(&Call::new("GET", path).header("accept", "text/html,*/*;q=0.8"))
}

#[test]
fn sets_and_searches_lead_to_cards() {
    on_each_database(|database| {
        let shop = Shop::on(database, "free");
        let sets = browse(&shop, "/sets");
        assert!(
            sets.text().contains("href=\"/sets/base1\""),
            "{}",
            sets.text()
        );
        let set = browse(&shop, "/sets/base1");
        assert!(
            set.status == 200 && set.text().contains("href=\"/cards/base1-4\""),
            "{}",
            set.text()
        );
        let found = browse(&shop, "/search?q=charizard+4/102");
        assert!(
            found.text().contains("href=\"/cards/base1-4\""),
            "{}",
            found.text()
        );
        let named = browse(&shop, "/search?q=base+set");
        assert!(
            named.text().contains("href=\"/sets/base1\""),
            "{}",
            named.text()
        );
        assert!(
            browse(&shop, "/search?q=%3Cb%3Eqqqq")
                .text()
                .contains("&lt;b&gt;qqqq")
        );
        assert_eq!(browse(&shop, "/search").status, 200);
        // a card by its own id, not its printing's
        assert_eq!(page(&shop, "base1-4").status, 200);
        let map = browse(&shop, "/sitemap.xml");
        let map = map.text();
        assert!(
            map.starts_with("<?xml") && map.contains("/sets/base1</loc>"),
            "{map}"
        );
        let robots = browse(&shop, "/robots.txt");
        let robots = robots.text();
        assert!(
            robots.contains("Disallow: /api/") && robots.contains("/sitemap.xml"),
            "{robots}"
        );
        assert_eq!(browse(&shop, "/favicon.ico").status, 200);
    });
}

/// People get a page with a search, programs the error as JSON.
#[test]
fn missing_page_is_html_for_browsers_and_json_for_programs() {
    let shop = Shop::open("free");
    for path in ["/nowhere", "/cards/nobody", "/sets/nowhere", "/sets/%00"] {
        let shown = browse(&shop, path);
        assert_eq!(
            (shown.status, shown.header("content-type")),
            (404, Some("text/html; charset=utf-8")),
            "{path}"
        );
        assert!(
            shown.text().contains("action=\"/search\"") && !shown.text().contains("{{"),
            "{path}"
        );
        let plain = shop.service.send(&Call::new("GET", path));
        assert_eq!(
            (plain.status, plain.code()),
            (404, "not_found".to_owned()),
            "{path}"
        );
        let unwanted = Call::new("GET", path).header("Accept", "application/json, text/html;q=0");
        assert_eq!(shop.service.send(&unwanted).code(), "not_found", "{path}");
    }
    assert_eq!(
        browse(&shop, "/api/v3/nothing").header("content-type"),
        Some("application/json")
    );
}

#[test]
fn shops_are_linked_unless_the_settings_say_no() {
    let database = Database::sqlite();
    let shop = Shop::with_settings(&database, "free", |settings| {
        settings.market.page.links = false;
    });
    assert!(!page(&shop, CHARIZARD).text().contains("tcgplayer.com"));
}
