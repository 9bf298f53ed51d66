//! The commands that the documents print, asked of the market that they invent.

use crate::client::Call;
use crate::few_sets;
use crate::support::{Database, NOON, Service};
use serde_json::Value;
use titledex_server::catalogue::Reader;
use titledex_server::market::load::{Cells, Import, Kind, Matching};
use titledex_server::market::synthetic::{Plan, generate};
use titledex_server::market::{Companies, Day};
use titledex_server::store::Store;

/// The sets of which all is sold.
const SHOWN: [&str; 3] = ["base1", "swsh7", "sv03.5"];

/// Imports an invented market as `titledex-server import` does, a file of each kind.
async fn invent(store: &Store, reader: &Reader) {
    let plan = Plan {
        seed: 1,
        days: 5,
        until: Day(20_000),
        cards: Some(900),
        others: true,
        printings: 1,
        sales: 400,
    };
    let mut files: Vec<(Kind, Vec<Vec<Vec<u8>>>)> = Vec::new();
    let catalogue = reader.now();
    let made = generate(&plan, catalogue.catalogue(), &mut |kind, cells| {
        if files.last().is_none_or(|(before, _)| *before != kind) {
            files.push((kind, Vec::new()));
        }
        let row = cells.iter().map(|cell| cell.to_vec()).collect();
        files.last_mut().expect("it was pushed").1.push(row);
        Ok::<_, std::convert::Infallible>(())
    });
    made.expect("nothing fails");
    for (kind, rows) in files {
        let matching = Matching {
            reader: reader.now(),
            confidence: 9_500,
            companies: Companies::default(),
        };
        let mut import = Import::begin(store, kind, NOON, Some(matching))
            .await
            .expect("it begins");
        let columns = kind.columns();
        for (row, number) in rows.iter().zip(2..) {
            let cells: Vec<&[u8]> = row.iter().map(Vec::as_slice).collect();
            import.row(
                number,
                &Cells {
                    columns,
                    cells: &cells,
                },
            );
            if import.is_full() {
                import.flush().await.expect("it can be written");
            }
        }
        let report = import.finish(false).await.expect("it ends");
        assert_eq!(report.errors, [], "{kind:?}");
    }
}

/// The paths of all requests that a page prints for `curl`.
fn printed(page: &str) -> Vec<String> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(page);
    let text = std::fs::read_to_string(path).expect("the page is there");
    let of_line = |line: &str| {
        let address = line.strip_prefix("curl \"http://127.0.0.1:8080")?;
        Some(address.split('"').next()?.to_owned())
    };
    text.lines().filter_map(of_line).collect()
}

/// Whether something is known where a person looks: prices of each card and product, points of
/// each history, grades of each card's sales, sales of each product.
fn shows(body: &Value) -> Result<(), String> {
    let all = match &body["data"] {
        Value::Array(all) if !all.is_empty() => all.iter().collect(),
        one @ Value::Object(_) => vec![one],
        other => return Err(format!("no data: {other}")),
    };
    for one in all {
        let empty = |member: &str, at: &str| {
            let value = one.pointer(&format!("/{member}{at}"));
            let nothing = value.is_none_or(|value| {
                value.is_null()
                    || value.as_array().is_some_and(Vec::is_empty)
                    || value.as_object().is_some_and(serde_json::Map::is_empty)
            });
            // of other sets one box is sold, and what names two products waits for a person
            let asked = member != "recentSales" || SHOWN.iter().any(|set| one["setId"] == *set);
            asked && one.get(member).is_some() && nothing
        };
        for (member, at) in [
            ("prices", "/market"),
            ("prices", "/source"),
            ("priceHistory", "/points/0/market"),
            ("recentSales", "/0/price"),
            ("auction", ""),
            ("populationByGrader", ""),
        ] {
            if empty(member, at) {
                return Err(format!("{member}{at} of {one}"));
            }
        }
    }
    Ok(())
}

#[test]
fn printed_commands_show_prices_sales_and_populations() {
    let database = Database::sqlite();
    let service = Service::with(&database, |settings| {
        settings.catalogue = Some(few_sets::index());
        settings.market.fill = true;
    });
    let app = &service.server().app;
    service.runtime().block_on(invent(&app.store, &app.reader));
    let holder = service.account("reader", "enterprise");
    let mut paths = printed("docs/SERVICE.md");
    assert!(paths.len() >= 8, "{paths:?}");
    for words in [
        "evolving+skies+booster",
        "base+set+booster+box",
        "151+booster+box",
    ] {
        paths.push(format!(
            "/api/v2/sealed-products?search={words}&includeHistory=true"
        ));
    }
    for path in paths {
        let reply = service.send(&Call::new("GET", path.clone()).key(&holder.key));
        assert_eq!(reply.status, 200, "{path}: {reply:?}");
        shows(&reply.json()).unwrap_or_else(|what| panic!("{path}: {what}"));
    }
    let store = &service.server().app.store;
    let fact = service.runtime().block_on(store.fact("synthetic"));
    assert!(fact.expect("it answers").is_some());
}
