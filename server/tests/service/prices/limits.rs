//! The bounds of what a request is answered: defaults, largest values, and what the plan does not
//! cut.

use super::cards::{V2, only};
use super::shop::{CHARIZARD, TODAY};
use super::{Shop, each};
use serde_json::{Value, json};
use titledex_server::market::Money;
use titledex_server::plans::Plans;
use titledex_server::store::market::{CardRecord, ItemRecord, NewSale, SetRecord};

impl Shop {
    /// Adds a set of so many cards, each with a printing, and so many empty sets.
    fn add_sets(&self, cards: i64, sets: i64) {
        let set = |key: i64, name: String| SetRecord {
            game: "pokemon".to_owned(),
            key,
            id: name.clone(),
            slug: name.clone(),
            name,
            ..SetRecord::default()
        };
        let card = |place: i64| CardRecord {
            key: 500_000 + place,
            id: format!("huge-{place}"),
            set_key: 500,
            place,
            name: format!("Huge {place}"),
            number: Some(place.to_string()),
            ..CardRecord::default()
        };
        let item = |place: i64| ItemRecord {
            key: 2_000_000 + place,
            marketplace_id: format!("huge-{place}:card"),
            card: Some(500_000 + place),
            ..ItemRecord::default()
        };
        let store = &self.service.server().app.store;
        self.service.runtime().block_on(async {
            let mut loader = store.load().await.expect("it begins");
            let mut all = vec![set(500, "huge".to_owned())];
            all.extend((0..sets).map(|at| set(501 + at, format!("empty-{at}"))));
            loader.put_sets(&all).await.expect("written");
            let cards: Vec<_> = (1..=cards).map(card).collect();
            loader.put_cards(&cards).await.expect("written");
            let items: Vec<_> = cards.iter().map(|card| item(card.place)).collect();
            loader.put_items(&items).await.expect("written");
            loader.commit().await.expect("kept");
        });
    }
}

#[test]
fn whole_set_is_bounded_by_what_is_added() {
    let shop = Shop::open("enterprise");
    shop.add_sets(1_001, 0);
    for (additions, most) in [
        ("", 1_000),
        ("&includeHistory=true", 500),
        ("&includeBoth=true", 300),
    ] {
        let (body, cost) = shop.ok(&format!("{V2}?setId=huge&fetchAllInSet=true{additions}"));
        let metadata = &body["metadata"];
        assert_eq!(
            (&metadata["count"], &metadata["total"], &metadata["hasMore"]),
            (&json!(most), &json!(1_001), &json!(true)),
            "{additions}"
        );
        let additions = i64::try_from(additions.len())
            .expect("it is short")
            .signum();
        assert!(cost >= most * (1 + additions), "{cost}");
        assert_eq!(
            body["data"].as_array().map(Vec::len),
            usize::try_from(most).ok()
        );
    }
}

#[test]
fn sets_are_a_hundred_by_default_and_a_thousand_at_most() {
    let shop = Shop::open("api");
    shop.add_sets(1, 1_100);
    for (query, limit) in [("", 100), ("?limit=1000", 1_000), ("?limit=1001", 1_000)] {
        let (body, cost) = shop.ok(&format!("/v2/sets{query}"));
        assert_eq!(cost, 1);
        assert_eq!(body["metadata"]["limit"], limit, "{query}");
        assert_eq!(each(&body, "id").len(), limit, "{query}");
    }
}

#[test]
fn plan_does_not_cut_graded_sales() {
    let shop = Shop::open("free");
    let path = format!("{V2}?marketplaceId={CHARIZARD}&includeBoth=true&days=365");
    let (body, _) = shop.ok(&path);
    let card = only(&body);
    assert_eq!(card["auction"]["GRADER_A_10"]["salesCount"], 4);
    // as it cuts the history beside them
    assert_eq!(
        card["priceHistory"]["points"].as_array().map(Vec::len),
        Some(3)
    );
}

#[test]
fn points_of_a_history_are_bounded() {
    let shop = Shop::open("business");
    assert_eq!(
        shop.refused(&format!("{V2}?includeHistory=true&maxDataPoints=3651")),
        (400, "out_of_range".to_owned(), "maxDataPoints".to_owned())
    );
    let path = format!("{V2}?marketplaceId={CHARIZARD}&includeHistory=true&maxDataPoints=3650");
    assert_eq!(shop.ok(&path).1, 3);
}

#[test]
fn recent_sales_are_the_newest_fifty() {
    let shop = Shop::open("api");
    let sale = |at: i64| NewSale {
        fingerprint: format!("box {at}").into_bytes(),
        item: 90_000,
        day: TODAY - at / 3,
        price: Money((100 + at) * 10_000),
        currency: "USD".to_owned(),
        title: "made up".to_owned(),
        ..NewSale::default()
    };
    let store = &shop.service.server().app.store;
    shop.service.runtime().block_on(async {
        let mut loader = store.load().await.expect("it begins");
        let sales: Vec<_> = (0..60).map(sale).collect();
        loader.put_sales(&sales).await.expect("written");
        loader.commit().await.expect("kept");
    });
    let (body, _) = shop.ok("/v2/sealed-products?marketplaceId=box:base1");
    let sales = only(&body)["recentSales"]
        .as_array()
        .expect("a list")
        .clone();
    assert_eq!(sales.len(), 50);
    let days: Vec<&str> = sales
        .iter()
        .filter_map(|sale| sale["date"].as_str())
        .collect();
    assert!(days.is_sorted_by(|one, other| one >= other), "{days:?}");
    assert_eq!(days.first(), Some(&"2024-10-04"));
}

#[test]
fn sales_and_populations_of_all_graders_are_shown() {
    let shop = Shop::open("business");
    let sale = |at: i64, grade: &str| NewSale {
        fingerprint: format!("graded {at}").into_bytes(),
        item: 2_008,
        grade: grade.to_owned(),
        day: TODAY - at,
        price: Money(50 * 10_000),
        currency: "USD".to_owned(),
        title: "made up".to_owned(),
        ..NewSale::default()
    };
    let store = &shop.service.server().app.store;
    shop.service.runtime().block_on(async {
        let mut loader = store.load().await.expect("it begins");
        let sales = [sale(1, "GRADER_C_9_5"), sale(2, "GRADER_D_10")];
        loader.put_sales(&sales).await.expect("written");
        loader.commit().await.expect("kept");
    });
    let rows = format!("{CHARIZARD},GRADER_C,1,6,high\n{CHARIZARD},GRADER_D,,2,high");
    let head = "marketplaceId,grader,g9_5,g10,matchConfidence";
    shop.import("population", &format!("{head}\n{rows}\n"));
    let (body, _) = shop.ok(&format!(
        "{V2}?marketplaceId={CHARIZARD}&includeAuction=true"
    ));
    let auction = only(&body)["auction"].clone();
    for grade in ["GRADER_A_10", "GRADER_B_9_5", "GRADER_C_9_5", "GRADER_D_10"] {
        assert!(auction[grade]["avg"].is_number(), "{grade}: {auction}");
    }
    let (body, _) = shop.ok(&format!("/v2/population?marketplaceId={CHARIZARD}"));
    let graders = &body["data"]["populationByGrader"];
    assert_eq!(
        (
            &graders["GRADER_C"]["g9_5"],
            &graders["GRADER_C"]["gemRate"]
        ),
        (&json!(1), &json!(85.7143))
    );
    assert_eq!(graders["GRADER_D"]["g10"], 2);
    assert!(graders["GRADER_D"].get("g9_5").is_none(), "{graders}");
}

#[test]
fn reverse_foil_has_a_price_of_its_own() {
    let shop = Shop::open("api");
    let head = "marketplaceId,name,setName,setId,cardNumber,rarity,language,printing,marketPrice,lastPriceUpdate";
    let row = |id: &str, printing: &str, price: &str| {
        format!(
            "own-1:{id},Glitterzard,Home Made,own,1/9,Rare,english,{printing},{price},2024-10-03\n"
        )
    };
    let rows = row("holo", "Holofoil", "9.5") + &row("reverse", "Reverse Holofoil", "12");
    shop.import("cards", &format!("{head}\n{rows}"));
    let (body, _) = shop.ok(&format!("{V2}?marketplaceId=own-1:reverse"));
    let card = only(&body);
    assert_eq!(
        (&card["printing"], &card["prices"]["market"]),
        (&json!("Reverse Holofoil"), &json!(12))
    );
    let printings = card["printings"].as_array().expect("a list");
    let of: Vec<&Value> = printings.iter().map(|of| &of["market"]).collect();
    assert_eq!(of, [&json!(9.5), &json!(12)]);
}

/// The table of `docs/SERVICE.md` has the figures of the plans.
#[test]
fn documented_plans_are_those_of_the_service() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/SERVICE.md");
    let text = std::fs::read_to_string(path).expect("it is there");
    let row = |name: &str| -> Vec<String> {
        let line = text
            .lines()
            .find(|line| line.starts_with(&format!("| {name} |")));
        let cells = line
            .unwrap_or_else(|| panic!("no row {name}"))
            .split('|')
            .skip(2);
        let plain = |cell: &str| cell.replace([',', '*'], "").trim().to_owned();
        cells.map(plain).take(4).collect()
    };
    let plans = Plans::default();
    let of = |value: &dyn Fn(&titledex_server::plans::Plan) -> String| -> Vec<String> {
        ["free", "api", "business", "enterprise"]
            .iter()
            .map(|name| value(plans.get(name).expect("it is a plan")))
            .collect()
    };
    let most = |most: Option<String>| most.unwrap_or_else(|| "unlimited".to_owned());
    assert_eq!(
        row("credits per UTC day (v2)"),
        of(&|plan| plan.daily_credits.to_string())
    );
    assert_eq!(
        row("calls per minute (v2)"),
        of(&|plan| plan.minute_calls.to_string())
    );
    assert_eq!(
        row("requests per UTC day (v1)"),
        of(&|plan| plan.v1_daily_requests.to_string())
    );
    assert_eq!(
        row("requests per minute (v1)"),
        of(&|plan| plan.v1_minute_requests.to_string())
    );
    assert_eq!(
        row("keys"),
        of(&|plan| most(plan.keys.map(|keys| keys.to_string())))
    );
    assert_eq!(
        row("days of price history"),
        of(&|plan| most(plan.history_days.map(|days| days.to_string())))
    );
    assert_eq!(
        row("points of one history"),
        of(&|plan| plan.history_points.to_string())
    );
    let yes = |yes: bool| if yes { "yes" } else { "no" };
    assert_eq!(
        row("population"),
        of(&|plan| yes(plan.population).to_owned())
    );
    assert_eq!(
        row("exports per day"),
        of(&|plan| plan.export_downloads.to_string())
    );
}
