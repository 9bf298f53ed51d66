//! `titledex-server market sales`, `prices`, `delete`, `merge`, `changes` and `undo`, and all of
//! `titledex-server review`, as an administrator types them.

use super::{folder, server, write};
use serde_json::{Value, json};
use tempfile::TempDir;

const CHARIZARD: &str = "base1-4:unlimited-holofoil";

/// A store with two prices, two sales, three listings under review, two graders and a second
/// Charizard.
fn store() -> TempDir {
    let folder = folder();
    let prices = format!(
        "marketplaceId,date,marketPrice,source,condition\n{CHARIZARD},2026-11-18,400,shop,\n\
         {CHARIZARD},2026-11-19,410,shop,\n{CHARIZARD},2026-11-19,60,shop,Played\n"
    );
    let listing = |title: &str, price: &str, number: u32| {
        format!(
            "{title},{price},USD,2026-11-1{number},https://www.ebay.com/itm/40040000000{number}\n"
        )
    };
    let sales = [
        "title,price,currency,date,url\n".to_owned(),
        listing("Charizard 4/102 Base Set PSA 9", "2500", 1),
        listing("Charizard 4/102 Base Set PSA 9", "2600", 2),
        listing("Charizard PSA 10", "9000", 3),
        listing("Charizard PSA 8", "900", 4),
        listing("Dark something nobody knows lot", "15", 5),
    ];
    let population = format!(
        "marketplaceId,grader,g9,g10,matchConfidence\n{CHARIZARD},GRADER_A,12,3,high\n\
         {CHARIZARD},GRADER_B,4,1,high\n"
    );
    let cards = "marketplaceId,name,setName,setId,cardNumber,language,printing,marketPrice,lastPriceUpdate\n\
                 own-4:plain,Charizard,Home Made,own,4/102,english,Plain,5,2026-11-10\n";
    for (kind, rows) in [
        ("prices", prices.as_str()),
        ("sales", &sales.concat()),
        ("population", &population),
        ("cards", cards),
    ] {
        let file = format!("{kind}.csv");
        write(&folder, &file, rows);
        let ran = server(&folder, &["import", kind, &file]);
        assert_eq!(ran.code, Some(0), "{}", ran.said);
    }
    folder
}

/// The lines that a command prints.
fn lines(folder: &TempDir, arguments: &[&str]) -> Vec<Value> {
    let ran = server(folder, arguments);
    assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.said);
    let json = |line: &str| serde_json::from_str(line).expect("it is JSON");
    ran.out.lines().map(json).collect()
}

/// The only line that a command prints.
fn line(folder: &TempDir, arguments: &[&str]) -> Value {
    let mut lines = lines(folder, arguments);
    assert_eq!(lines.len(), 1, "{arguments:?}: {lines:?}");
    lines.remove(0)
}

/// What a command says that is refused, and prints nothing.
fn refused(folder: &TempDir, arguments: &[&str], code: i32) -> String {
    let ran = server(folder, arguments);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(code), ""),
        "{arguments:?}"
    );
    ran.said
}

fn change(made: &Value) -> String {
    made["change"]
        .as_i64()
        .expect("it has a number")
        .to_string()
}

fn values(lines: &[Value], name: &str) -> Vec<Value> {
    lines.iter().map(|line| line[name].clone()).collect()
}

#[test]
fn sale_is_deleted_and_comes_back() {
    let folder = store();
    let sales = ["market", "sales", CHARIZARD];
    let before = lines(&folder, &sales);
    assert_eq!(values(&before, "price"), [2500, 2600]);
    let sale = before[0]["id"].to_string();
    let deleted = line(&folder, &["market", "delete", "sale", &sale]);
    assert_eq!(lines(&folder, &sales), before[1..]);
    let again = refused(&folder, &["market", "delete", "sale", &sale], 1);
    assert!(
        again.contains(&format!("there is no sale {sale}")),
        "{again}"
    );
    let changes = lines(&folder, &["market", "changes", "--limit", "1"]);
    assert_eq!(changes[0]["id"], deleted["change"]);
    assert_eq!(changes[0]["kind"], "delete sale");
    let older = format!("{}", deleted["change"]);
    let before_it = lines(&folder, &["market", "changes", "--before", &older]);
    assert_eq!(
        values(&before_it, "kind"),
        ["cards", "population", "sales", "prices"]
    );
    let undone = line(&folder, &["market", "undo", &change(&deleted)]);
    assert!(undone["undoneAt"].is_string(), "{undone}");
    assert_eq!(lines(&folder, &sales), before);
    let twice = refused(&folder, &["market", "undo", &change(&deleted)], 1);
    assert!(twice.contains("it was undone before"), "{twice}");
    let unknown = refused(&folder, &["market", "undo", "99"], 1);
    assert!(unknown.contains("there is no change 99"), "{unknown}");
}

#[test]
fn price_is_deleted_by_day_or_by_source() {
    let folder = store();
    let prices = ["market", "prices", CHARIZARD];
    let before = line(&folder, &prices);
    let delete = |rest: &[&'static str]| [&["market", "delete", "price", CHARIZARD], rest].concat();
    let played = ["2026-11-19", "--source", "shop", "--condition", "Played"];
    line(&folder, &delete(&played));
    let conditions = |known: &Value| {
        let sources = known["sources"].as_array().expect("a list");
        values(sources, "condition")
    };
    let after = line(&folder, &prices);
    assert_eq!(conditions(&after), [Value::Null]);
    assert_eq!(after["headline"], before["headline"]);
    let gone = line(&folder, &delete(&["2026-11-19"]));
    let after = line(&folder, &prices);
    assert_eq!(
        (&after["headline"]["market"], &after["headline"]["date"]),
        (&json!(400), &json!("2026-11-18"))
    );
    assert_eq!(after["history"].as_array().map(Vec::len), Some(1));
    for (rest, code, why) in [
        (&["2026-11-19"][..], 1, "there is no price of this day"),
        (&["2026-11-18", "--currency", "eur"], 1, "there is no price"),
        (&["yesterday"], 2, "write a day as 2026-11-20"),
    ] {
        let said = refused(&folder, &delete(rest), code);
        assert!(said.contains(why), "{rest:?}: {said}");
    }
    line(&folder, &["market", "undo", &change(&gone)]);
    assert_eq!(line(&folder, &prices)["headline"], before["headline"]);
}

#[test]
fn population_is_deleted_by_grader_or_whole() {
    let folder = store();
    let delete =
        |rest: &[&'static str]| [&["market", "delete", "population", CHARIZARD], rest].concat();
    let one = line(&folder, &delete(&["--grader", "GRADER_B"]));
    let again = refused(&folder, &delete(&["--grader", "GRADER_B"]), 1);
    assert!(again.contains("population"), "{again}");
    line(&folder, &delete(&[]));
    refused(&folder, &delete(&[]), 1);
    let wrong = refused(&folder, &delete(&["--grader", "PSA"]), 2);
    assert!(wrong.contains("write GRADER_A"), "{wrong}");
    // the later deletion changed the same row
    let said = refused(&folder, &["market", "undo", &change(&one)], 1);
    assert!(
        said.contains("later changes altered the same rows"),
        "{said}"
    );
}

#[test]
fn card_is_merged_and_its_ids_go_on_to_answer() {
    let folder = store();
    let merge = ["market", "merge", "own-4", "base1-4", "--printing"];
    let wrong = refused(&folder, &[&merge[..], &["plain"]].concat(), 2);
    assert!(wrong.contains("write FROM=INTO"), "{wrong}");
    let unknown = refused(&folder, &["market", "merge", "own-9", "base1-4"], 1);
    assert!(unknown.contains("there is no card own-9"), "{unknown}");
    let merged = line(
        &folder,
        &[&merge[..], &["plain=unlimited-holofoil"]].concat(),
    );
    assert_eq!(
        (&merged["printingsMerged"], &merged["printingsMoved"]),
        (&json!(1), &json!(0))
    );
    let of = |id: &str| line(&folder, &["market", "prices", id])["marketplaceId"].clone();
    assert_eq!(of("own-4:plain"), CHARIZARD);
    line(&folder, &["market", "undo", &change(&merged)]);
    assert_eq!(of("own-4:plain"), "own-4:plain");
}

#[test]
fn listings_are_shown_and_decided_one_by_one() {
    let folder = store();
    let open = lines(&folder, &["review", "list"]);
    assert_eq!(values(&open, "price"), [9000, 900, 15]);
    let [first, second] = [0, 1].map(|at: usize| open[at]["id"].to_string());
    assert_eq!(line(&folder, &["review", "show", &first]), open[0]);
    let unknown = refused(&folder, &["review", "show", "99"], 1);
    assert!(unknown.contains("there is no listing 99"), "{unknown}");
    for (filter, found) in [
        (&["--reason", "lot"][..], &[15][..]),
        (&["--min-price", "100"], &[9000, 900]),
        (&["--max-price", "1000", "--set", "base1"], &[900]),
        (&["--kind", "sealed"], &[]),
        (&["--currency", "EUR"], &[]),
        (&["--min-confidence", "0.5"], &[]),
        (&["--max-confidence", "0.5"], &[9000, 900]),
        (&["--after", first.as_str(), "--limit", "1"], &[900]),
    ] {
        let listed = lines(&folder, &[&["review", "list"], filter].concat());
        assert_eq!(values(&listed, "price"), found, "{filter:?}");
    }
    // the best guess, as it was read
    let accepted = line(&folder, &["review", "accept", &first]);
    assert_eq!(
        (
            &accepted["status"],
            &accepted["grade"],
            &accepted["marketplaceId"]
        ),
        (&json!("accepted"), &json!("GRADER_A_10"), &json!(CHARIZARD))
    );
    let sales = lines(&folder, &["market", "sales", CHARIZARD]);
    assert!(values(&sales, "price").contains(&json!(9000)), "{sales:?}");
    let wrong = ["review", "accept", &second, "--card", "nowhere-1:plain"];
    let said = refused(&folder, &wrong, 1);
    assert!(said.contains("no card or product"), "{said}");
    assert_eq!(lines(&folder, &["review", "list"]).len(), 2);
    let rejected = line(&folder, &["review", "reject", &second]);
    assert_eq!(rejected["status"], "rejected");
    let listed = lines(&folder, &["review", "list", "--status", "accepted"]);
    assert_eq!(values(&listed, "id"), [open[0]["id"].clone()]);
    let decision = change(&rejected);
    let by_change = [
        "review", "list", "--status", "rejected", "--change", &decision,
    ];
    assert_eq!(
        values(&lines(&folder, &by_change), "id"),
        [open[1]["id"].clone()]
    );
    line(&folder, &["review", "undo", &decision]);
    assert_eq!(lines(&folder, &["review", "list"]).len(), 2);
    // an import is no decision
    let import = refused(&folder, &["review", "undo", "1"], 1);
    assert!(import.contains("there is no decision 1"), "{import}");
}

#[test]
fn listings_are_decided_at_once_and_only_as_many_as_expected() {
    let folder = store();
    let said = refused(
        &folder,
        &[
            "review",
            "reject-all",
            "--min-price",
            "100",
            "--expect",
            "9",
        ],
        1,
    );
    assert!(said.contains("2 listings fit, not 9"), "{said}");
    assert_eq!(lines(&folder, &["review", "list"]).len(), 3);
    let accept = [
        "review",
        "accept-all",
        "--min-price",
        "100",
        "--expect",
        "2",
    ];
    let card = ["--card", CHARIZARD, "--grade", "GRADER_A_9"];
    let accepted = line(&folder, &[&accept[..], &card].concat());
    let sales = || lines(&folder, &["market", "sales", CHARIZARD]);
    assert_eq!(sales().len(), 4);
    assert!(sales().iter().all(|sale| sale["grade"] == "GRADER_A_9"));
    let rejected = line(&folder, &["review", "reject-all", "--expect", "1"]);
    assert_eq!(lines(&folder, &["review", "list"]), [Value::Null; 0]);
    for decided in [&rejected, &accepted] {
        line(&folder, &["review", "undo", &change(decided)]);
    }
    assert_eq!(
        (sales().len(), lines(&folder, &["review", "list"]).len()),
        (2, 3)
    );
}
