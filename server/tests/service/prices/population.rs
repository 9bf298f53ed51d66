//! `GET /api/v2/population`.

use super::shop::{CHARIZARD, UMBREON, UNPRICED};
use super::{Shop, each};
use crate::support::on_each_database;
use serde_json::json;

const V2: &str = "/v2/population";

#[test]
fn population_is_shown_by_grader() {
    on_each_database(|database| {
        let shop = Shop::on(database, "business");
        let (body, cost) = shop.ok(&format!("{V2}?marketplaceId={CHARIZARD}"));
        assert_eq!(cost, 2);
        let data = &body["data"];
        assert_eq!(
            (
                &data["marketplaceId"],
                &data["totalPopulation"],
                &data["totalGems"]
            ),
            (&json!(CHARIZARD), &json!(41), &json!(8))
        );
        assert_eq!(data["gradersTracked"], json!(["GRADER_A", "GRADER_B"]));
        let a = &data["populationByGrader"]["GRADER_A"];
        assert_eq!(
            (
                &a["g10"],
                &a["auth"],
                &a["qualifiers"],
                &a["totalPopulation"]
            ),
            (&json!(5), &json!(2), &json!(1), &json!(30))
        );
        // no key for a grade without data, nor for a grader
        assert!(
            a.get("g7").is_none()
                && a.get("g9_5").is_none()
                && data["populationByGrader"].get("GRADER_C").is_none(),
            "{data}"
        );
        let b = &data["populationByGrader"]["GRADER_B"];
        assert_eq!(
            (&b["g9_5"], &b["pristine"], &b["perfect"]),
            (&json!(6), &json!(1), &json!(1))
        );
        let rate = b["gemRate"].as_f64().expect("a number");
        assert!((rate - 300.0 / 11.0).abs() < 0.01, "{rate}");
        assert_eq!(
            (
                &data["combinedTotals"]["g9"],
                &data["combinedTotals"]["g10"]
            ),
            (&json!(14), &json!(6))
        );
        let higher = data["percentHigher"]["g9"].as_f64().expect("a number");
        assert!((higher - 1400.0 / 41.0).abs() < 0.01, "{higher}");
        assert_eq!(
            (&data["matchConfidence"], &data["matchScore"]),
            (&json!("high"), &json!(0.97))
        );
        assert_eq!(
            (&data["lastFetchedDate"], &data["updatedAt"]),
            (
                &json!("2024-10-04T00:00:00Z"),
                &json!("2024-10-04T00:00:01Z")
            )
        );
        let consumed = &body["metadata"]["apiCallsConsumed"];
        assert_eq!(
            consumed,
            &json!({"total": 2, "breakdown": {"cards": 1, "population": 1}, "costPerCard": 2})
        );
    });
}

#[test]
fn card_without_population_is_null_for_one_credit() {
    let shop = Shop::open("enterprise");
    for id in [UNPRICED, "nobody"] {
        let (body, cost) = shop.ok(&format!("{V2}?marketplaceId={id}"));
        assert!(
            body["data"].is_null() && body.get("data").is_some() && cost == 1,
            "{body}"
        );
        assert_eq!(
            body["metadata"]["apiCallsConsumed"],
            json!({"total": 1, "breakdown": {"cards": 1, "population": 0}, "costPerCard": 2})
        );
    }
}

#[test]
fn every_requested_id_is_charged() {
    let shop = Shop::open("business");
    let (body, cost) = shop.ok(&format!(
        "{V2}?marketplaceIds={UMBREON},nobody,{CHARIZARD},{CHARIZARD}"
    ));
    // in the order of the request; an id that is repeated counts once
    assert_eq!(
        (each(&body, "marketplaceId"), cost),
        (vec![UMBREON.to_owned(), CHARIZARD.to_owned()], 6)
    );
    let ids = |count: usize| {
        (0..count)
            .map(|at| format!("x{at}"))
            .collect::<Vec<_>>()
            .join(",")
    };
    assert_eq!(shop.ok(&format!("{V2}?marketplaceIds={}", ids(50))).1, 100);
    assert_eq!(
        shop.refused(&format!("{V2}?marketplaceIds={}", ids(51))),
        (400, "too_many_ids".to_owned(), "marketplaceIds".to_owned())
    );
    for wrong in ["", ",", "a,,b", "a,"] {
        assert_eq!(
            shop.refused(&format!("{V2}?marketplaceIds={wrong}")).1,
            "invalid_value",
            "{wrong}"
        );
    }
}

#[test]
fn populations_are_filtered_and_paged() {
    on_each_database(|database| {
        let shop = Shop::on(database, "business");
        let (body, cost) = shop.ok(V2);
        assert_eq!((body["data"].as_array().map(Vec::len), cost), (Some(2), 4));
        let metadata = &body["metadata"];
        assert_eq!(
            (
                &metadata["limit"],
                &metadata["offset"],
                &metadata["total"],
                &metadata["hasMore"]
            ),
            (&json!(20), &json!(0), &json!(2), &json!(false))
        );
        assert_eq!(
            (&metadata["count"], &metadata["language"]),
            (&json!(2), &json!("english"))
        );
        let ids = |query: &str| each(&shop.ok(&format!("{V2}?{query}")).0, "marketplaceId");
        assert_eq!(ids("language=japanese"), [UMBREON]);
        assert_eq!(ids("minPopulation=100"), ["base1-2:unlimited-holofoil"]);
        assert_eq!(ids("grader=GRADER_B"), [CHARIZARD]);
        assert_eq!(ids("grader=GRADER_D"), Vec::<String>::new());
        assert_eq!(ids("minGemRate=19.5"), [CHARIZARD]);
        assert_eq!(ids("minGemRate=19.6"), Vec::<String>::new());
        let (one, cost) = shop.ok(&format!("{V2}?limit=1&offset=1"));
        assert_eq!(
            (
                one["data"].as_array().map(Vec::len),
                cost,
                &one["metadata"]["hasMore"]
            ),
            (Some(1), 2, &json!(false))
        );
        assert_eq!(shop.ok(&format!("{V2}?offset=10")).1, 1);
        // limits change nothing beside ids, and filters filter
        let of = |query: &str| {
            shop.ok(&format!("{V2}?marketplaceIds={CHARIZARD}&{query}"))
                .0
        };
        assert_eq!(of("limit=50&offset=0")["metadata"]["total"], 1);
        assert_eq!(of("minPopulation=1")["metadata"]["total"], 1);
        assert_eq!(of("minPopulation=1000000")["metadata"]["total"], 0);
        let (none, cost) = shop.ok(&format!(
            "{V2}?marketplaceId={CHARIZARD}&minPopulation=1000000&limit=1"
        ));
        assert_eq!((&none["data"], cost), (&json!(null), 1));
        for (query, code, field) in [
            ("limit=0", "out_of_range", "limit"),
            ("offset=-1", "out_of_range", "offset"),
            ("grader=PSA", "invalid_value", "grader"),
            ("minGemRate=101", "out_of_range", "minGemRate"),
            ("minGemRate=many", "invalid_value", "minGemRate"),
            ("minPopulation=-1", "out_of_range", "minPopulation"),
            ("language=klingon", "invalid_value", "language"),
            (
                "marketplaceId=a&marketplaceIds=b",
                "conflicting_parameters",
                "marketplaceId",
            ),
        ] {
            assert_eq!(
                shop.refused(&format!("{V2}?{query}")),
                (400, code.to_owned(), field.to_owned()),
                "{query}"
            );
        }
    });
}

#[test]
fn plans_without_populations_get_403() {
    for (plan, status) in [
        ("free", 403),
        ("api", 403),
        ("business", 200),
        ("enterprise", 200),
    ] {
        let shop = Shop::open(plan);
        let reply = shop.get(&format!("{V2}?marketplaceId={CHARIZARD}"));
        assert_eq!(reply.status, status, "{plan}");
        if status == 403 {
            assert_eq!(
                (reply.code().as_str(), reply.number("x-ratelimit-cost")),
                ("plan_too_small", 0)
            );
            let named = reply
                .text()
                .contains("take the plan business or enterprise");
            assert!(named, "{reply:?}");
        }
    }
}

/// Of ids the service decides what the database decides of a list: each filter leaves the same.
#[test]
fn filters_of_ids_and_of_lists_agree() {
    on_each_database(|database| {
        let shop = Shop::on(database, "business");
        let mut rows = "marketplaceId,grader,g8,g9,g10,matchConfidence\n".to_owned();
        let id = |at: u32| format!("base1-{at}:unlimited-holofoil");
        // thirds, sevenths and others, whose rates are rounded up and down
        for at in 1..=26 {
            let graders = ["GRADER_A", "GRADER_B", "GRADER_C", "GRADER_D"];
            let grader = graders[at as usize % 4];
            rows += &format!(
                "{},{grader},{},{},{},high\n",
                id(at),
                at % 2,
                at % 5,
                at % 3
            );
            if at % 3 == 0 {
                rows += &format!("{},{},,7,{},high\n", id(at), graders[0], at % 7);
            }
        }
        // a grader without a single slab has no population
        let rows: Vec<&str> = rows
            .lines()
            .filter(|row| !row.contains(",0,0,0,"))
            .collect();
        shop.import("population", &(rows.join("\n") + "\n"));
        let ids: Vec<String> = (1..=26).map(id).collect();
        let ids = ids.join(",");
        let ids_of = |query: &str| {
            let mut ids = each(&shop.ok(&format!("{V2}?{query}")).0, "marketplaceId");
            ids.sort();
            ids
        };
        // the rates that answers show are among those that are asked for
        let (all, _) = shop.ok(&format!("{V2}?limit=100"));
        let all = all["data"].as_array().expect("a list");
        let shown = all.iter().map(|of| of["combinedGemRate"].to_string());
        let mut rates: Vec<String> = shown.collect();
        rates.extend(["66.6668", "33.3332"].map(str::to_owned));
        rates.sort();
        rates.dedup();
        let rates = rates.iter().map(|rate| format!("&minGemRate={rate}"));
        let rates: Vec<String> = rates.chain([String::new()]).collect();
        for grader in ["", "&grader=GRADER_A", "&grader=GRADER_C"] {
            for least in [
                "",
                "&minPopulation=0",
                "&minPopulation=4",
                "&minPopulation=12",
            ] {
                for rate in &rates {
                    let query = format!("language=english{grader}{least}{rate}");
                    let listed = ids_of(&format!("limit=100&{query}"));
                    let named = ids_of(&format!("marketplaceIds={ids}&{query}"));
                    assert_eq!(listed, named, "{query}");
                }
            }
        }
        // what an answer shows as a card's rate finds the card
        for of in all {
            let query = format!("limit=100&minGemRate={}", of["combinedGemRate"]);
            let id = of["marketplaceId"].as_str().expect("it is text");
            assert!(
                ids_of(&query).iter().any(|found| found == id),
                "{query}: {id}"
            );
        }
    });
}
