//! Prices of several sources, what an import takes back, and addresses of pictures.

use super::cards::{V2, only};
use super::shop::{CHARIZARD, UMBREON, UNPRICED};
use super::{Shop, each};
use crate::client::Call;
use crate::support::on_each_database;
use serde_json::{Value, json};
use std::sync::Arc;
use titledex_server::images::Images;

impl Shop {
    /// Imports a CSV file.
    pub(super) fn import(&self, kind: &str, rows: &str) {
        let path = format!("/api/admin/import/{kind}");
        let call = Call::new("POST", path).key(&self.service.admin);
        let mut call = call.header("Content-Type", "text/csv");
        call.body = rows.into();
        let reply = self.service.send(&call);
        assert_eq!(reply.status, 201, "{}", reply.text());
    }

    /// Days and market prices of a history, and the source that it names.
    fn points(&self, id: &str, query: &str) -> (Vec<(String, f64)>, Option<String>) {
        let path = format!("{V2}?marketplaceId={id}&includeHistory=true&{query}");
        let (body, cost) = self.ok(&path);
        assert_eq!(cost, 2);
        let history = &only(&body)["priceHistory"];
        let points = history["points"].as_array().expect("a list");
        let points = points.iter().map(|point| {
            let date = point["date"].as_str().unwrap_or_default();
            (date.to_owned(), point["market"].as_f64().unwrap_or(0.0))
        });
        let source = history["source"].as_str().map(str::to_owned);
        (points.collect(), source)
    }
}

/// Prices by day, as [`Shop::points`] has them.
fn days(points: &[(u32, f64)]) -> Vec<(String, f64)> {
    points
        .iter()
        .map(|(day, price)| (format!("2024-10-{day:02}"), *price))
        .collect()
}

#[test]
fn each_source_has_a_history_of_its_own() {
    on_each_database(|database| {
        let shop = Shop::with_settings(database, "business", |settings| {
            settings.market.sources = vec!["TCGplayer".to_owned()];
        });
        let head = "marketplaceId,date,marketPrice,source,condition";
        let import = |rows: &[&str]| {
            let rows: Vec<String> = rows.iter().map(|row| format!("{UNPRICED},{row}")).collect();
            shop.import("prices", &format!("{head}\n{}\n", rows.join("\n")));
        };
        import(&[
            "2024-10-02,410,TCGplayer,",
            "2024-10-02,390,eBay,",
            "2024-10-03,400,TCGplayer,Near Mint",
            "2024-10-03,380,eBay,Played",
            "2024-10-02,405,TCGplayer,NM",
        ]);
        // in another order of files; a day is replaced, another added
        import(&["2024-10-01,370,eBay,", "2024-10-02,392,ebay,"]);
        import(&["2024-10-04,420,TCGplayer,", "2024-10-04,395,eBay,"]);
        let history = |source: &str| shop.points(UNPRICED, &format!("historySource={source}"));
        // a price for Near Mint counts on the day without another
        assert_eq!(
            history("tcgplayer"),
            (
                days(&[(2, 410.0), (3, 400.0), (4, 420.0)]),
                Some("tcgplayer".to_owned())
            )
        );
        assert_eq!(
            history("eBay").0,
            days(&[(1, 370.0), (2, 392.0), (4, 395.0)])
        );
        // what a source has no price of has no history of it, and none is charged
        for (query, cost, histories) in [
            (
                format!("marketplaceId={UNPRICED}&historySource=nobody"),
                1,
                0,
            ),
            (
                format!("marketplaceId={UNPRICED}&historySource=nobody&maxDataPoints=366"),
                1,
                0,
            ),
            (
                format!("marketplaceId={UNPRICED}&historySource=EBAY&maxDataPoints=366"),
                3,
                1,
            ),
            ("setId=base1&limit=100&historySource=ebay".to_owned(), 27, 1),
            (
                "setId=base1&limit=100&historySource=ebay&includeEur=true".to_owned(),
                53,
                1,
            ),
        ] {
            let (body, charged) = shop.ok(&format!("{V2}?includeHistory=true&{query}"));
            let consumed = &body["metadata"]["apiCallsConsumed"];
            assert_eq!(
                (
                    charged,
                    &consumed["total"],
                    &consumed["breakdown"]["history"]
                ),
                (cost, &json!(cost), &json!(histories)),
                "{query}"
            );
            let with_points = |card: &Value| card["priceHistory"]["points"] != json!([]);
            let cards = body["data"].as_array().expect("a list");
            let with_points = cards.iter().filter(|card| with_points(card)).count();
            assert_eq!(i64::try_from(with_points), Ok(histories), "{query}");
        }
        // the headline follows the order of sources, whatever the others say
        let (headline, source) = shop.points(UNPRICED, "days=30");
        assert_eq!(source, None);
        assert_eq!(headline.last(), days(&[(4, 420.0)]).last());
        assert!(headline.contains(&("2024-10-02".to_owned(), 410.0)));
        // both sources of one condition are shown
        let (body, _) = shop.ok(&format!("{V2}?marketplaceId={UNPRICED}"));
        let quotes = only(&body)["prices"]["quotes"].as_array().expect("a list");
        let plain = quotes.iter().filter(|quote| quote["condition"] == "");
        let of: Vec<(&Value, &Value)> = plain.map(|of| (&of["source"], &of["market"])).collect();
        assert!(of.contains(&(&json!("TCGplayer"), &json!(420))), "{of:?}");
        assert!(of.contains(&(&json!("eBay"), &json!(395))), "{of:?}");
        assert_eq!(
            shop.points(UNPRICED, "historySource=eBay&days=2").0,
            days(&[(4, 395.0)])
        );
    });
}

#[test]
fn plan_limits_the_history_of_a_source() {
    let shop = Shop::open("free");
    let row = |day: u32| {
        format!(
            "{UNPRICED},2024-{:02}-{:02},5,shop\n",
            9 + day / 30,
            day % 30 + 1
        )
    };
    let rows: String = (0..33).map(row).collect();
    shop.import(
        "prices",
        &format!("marketplaceId,date,marketPrice,source\n{rows}"),
    );
    let (points, _) = shop.points(UNPRICED, "historySource=shop&days=30");
    assert_eq!(points.len(), 2, "{points:?}");
}

#[test]
fn sealed_products_have_histories_by_source() {
    let shop = Shop::open("business");
    let rows = "box:base1,2024-10-03,700,one\nbox:base1,2024-10-03,600,two\n";
    shop.import(
        "prices",
        &format!("marketplaceId,date,marketPrice,source\n{rows}"),
    );
    let path = "/v2/sealed-products?marketplaceId=box:base1&includeHistory=true&historySource=two";
    let (body, _) = shop.ok(path);
    assert_eq!(
        only(&body)["priceHistory"]["points"],
        json!([{"date": "2024-10-03", "market": 600, "low": null, "sellers": null}])
    );
    let (body, cost) = shop.ok(&path.replace("=two", "=nobody"));
    assert_eq!(
        (&only(&body)["priceHistory"]["points"], cost),
        (&json!([]), 1)
    );
}

#[test]
fn grader_without_counts_has_no_data() {
    on_each_database(|database| {
        let shop = Shop::on(database, "business");
        let population = |query: &str| shop.ok(&format!("/v2/population?{query}")).0;
        let import = |rows: &str| {
            let head = "marketplaceId,grader,g9,g10,matchConfidence";
            shop.import("population", &format!("{head}\n{rows}\n"));
        };
        import(&format!(
            "{UNPRICED},GRADER_C,0,,high\n{CHARIZARD},GRADER_B,0,0,high\n{CHARIZARD},GRADER_D,,4,high"
        ));
        let data = &population(&format!("marketplaceId={CHARIZARD}"))["data"];
        assert_eq!(data["gradersTracked"], json!(["GRADER_A", "GRADER_D"]));
        assert_eq!(data["populationByGrader"]["GRADER_D"]["g10"], 4);
        assert_eq!(
            population(&format!("marketplaceId={UNPRICED}"))["data"],
            Value::Null
        );
        assert_eq!(
            each(&population("grader=GRADER_B"), "marketplaceId"),
            [] as [&str; 0]
        );
        // and so is a card whose graders count none any more
        import(&format!(
            "{UMBREON},GRADER_C,0,0,high\n{UMBREON},GRADER_D,,0,high"
        ));
        assert_eq!(population("language=japanese")["metadata"]["total"], 0);
    });
}

#[test]
fn population_by_id_says_the_language_of_the_card() {
    let shop = Shop::open("business");
    let population = |query: &str| shop.ok(&format!("/v2/population?{query}")).0;
    let found = population(&format!("marketplaceId={UMBREON}"));
    assert_eq!(found["metadata"]["language"], "japanese");
    assert_eq!(found["data"]["populationByGrader"]["GRADER_C"]["g9_5"], 3);
    // a language beside the id filters what it names
    assert_eq!(
        population(&format!("marketplaceId={UNPRICED}"))["metadata"]["language"],
        "english"
    );
    let other = population(&format!("marketplaceId={CHARIZARD}&language=japanese"));
    assert_eq!(
        (&other["data"], &other["metadata"]["language"]),
        (&Value::Null, &json!("japanese"))
    );
    let both = population(&format!("marketplaceIds={CHARIZARD},{UMBREON}"));
    assert_eq!(both["metadata"]["count"], 2);
    assert!(both["metadata"].get("language").is_none(), "{both}");
    let one = population(&format!(
        "marketplaceIds={CHARIZARD},{UMBREON}&language=english"
    ));
    assert_eq!(each(&one, "marketplaceId"), [CHARIZARD]);
}

#[test]
fn settings_say_where_pictures_lie() {
    let database = crate::support::Database::sqlite();
    let shop = Shop::with_settings(&database, "api", |settings| {
        let cards = "https://images.example/{setId}/{number}.png";
        let sets = "https://images.example/{setId}/logo.png";
        let images = Images::read(Some(cards), Some(sets)).expect("they are right");
        settings.market.images = Arc::new(images);
    });
    let (body, _) = shop.ok(&format!("{V2}?marketplaceId={UMBREON}"));
    assert_eq!(
        only(&body)["images"],
        json!({"front": "https://images.example/asia%3AS6a/095.png"})
    );
    let (v1, _) = shop.ok("/v1/prices?id=base1-4");
    assert_eq!(
        v1["data"][0]["images"]["front"],
        "https://images.example/base1/4.png"
    );
    let (sets, _) = shop.ok("/v2/sets?language=japanese");
    assert_eq!(
        sets["data"][0]["images"],
        json!({"logo": "https://images.example/asia%3AS6a/logo.png"})
    );
    // what an import has said stands
    let (sets, _) = shop.ok("/v2/sets?search=Base+Set");
    assert_eq!(
        sets["data"][0]["images"]["logo"],
        "https://pictures.example/base1.png"
    );
    // without the settings there is no such member
    let plain = Shop::open("api");
    let (body, _) = plain.ok(&format!("{V2}?marketplaceId={UMBREON}"));
    assert!(only(&body).get("images").is_none(), "{body}");
}

/// The order of a list is not that of a database's locale.
#[test]
fn quotes_are_ordered_by_the_bytes_of_their_texts() {
    on_each_database(|database| {
        let shop = Shop::on(database, "api");
        let head = "marketplaceId,date,marketPrice,source,condition";
        for of in ["alpha,B", "Beta,a", "Zeta,", "Beta,B", "alpha,a"] {
            shop.import("prices", &format!("{head}\n{UNPRICED},2024-10-02,4,{of}\n"));
        }
        let (body, _) = shop.ok(&format!("{V2}?marketplaceId={UNPRICED}"));
        let quotes = only(&body)["prices"]["quotes"].as_array().expect("a list");
        let text = |quote: &Value, of: &str| quote[of].as_str().unwrap_or_default().to_owned();
        let texts = |quote| format!("{},{}", text(quote, "source"), text(quote, "condition"));
        let ordered: Vec<String> = quotes.iter().map(texts).collect();
        assert_eq!(ordered, ["Beta,B", "Beta,a", "Zeta,", "alpha,B", "alpha,a"]);
    });
}
