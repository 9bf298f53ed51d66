//! `titledex-lab catalogue tables`.

use crate::support::{fixture, run};
use std::fs;
use std::path::Path;

fn text(path: &Path) -> &str {
    path.to_str().expect("the path is UTF-8")
}

#[test]
fn tables_are_written_and_stable() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = folder.path().join("new/tables");
    let (cards, sets) = (fixture("cards.jsonl"), fixture("sets.jsonl"));
    let arguments = [
        "catalogue",
        "tables",
        "--cards",
        text(&cards),
        "--sets",
        text(&sets),
        "-o",
        text(&output),
    ];
    run(&arguments).ended(0);
    let read = |name: &str| fs::read_to_string(output.join(name)).expect("readable");
    let first = (read("cards.csv"), read("sets.csv"));
    assert!(
        first.0.lines().count() == 12 && first.1.lines().count() == 7,
        "{} {}",
        first.0,
        first.1
    );
    run(&arguments).ended(0);
    assert!(first == (read("cards.csv"), read("sets.csv")));
    assert_eq!(fs::read_dir(&output).expect("readable").count(), 2);
}

#[test]
fn supplements_add_what_is_lacking_and_leave_the_rest() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("writable");
        path.to_str().expect("the path is UTF-8").to_owned()
    };
    let card = |id: &str, number: &str, name: &str, rest: &str| {
        format!(
            r#"{{"id":"{id}","region":"international","set":"s","number":"{number}","printedNumber":"{number}/90","denominator":"90","names":{{"en":"{name}"}}{rest}}}"#
        )
    };
    let sets = r#"{"id":"s","region":"international","names":{"en":"Old"},"officialCount":90}"#;
    let held = [
        card("s-1", "1", "Pikachu", r#","tcgplayerIds":[7]"#),
        card("s-2", "2", "Mew", r#","variants":[{"type":"normal"}]"#),
    ];
    let more = [
        card("s-2", "2", "Mewtwo", ""),
        r#"{"id":"c-3","region":"asia","set":"c","number":"003","names":{"zh-cn":"梦幻"},"englishName":" Mew\t","rarity":"Super Rare","variants":[{"type":"pikachu-stamp"}]}"#.to_owned(),
    ];
    let product = |words: &str, number: &str| {
        format!(
            r#"{{"setName":"League","printedNumber":"{number}","names":{{"en":"Mew"}},"productName":"Mew{words}","tcgplayerIds":[9]}}"#
        )
    };
    let products = [
        product(" (Cosmos Holo)", "002/090"),
        product(" (Painted Blue)", "2/90"),
        product(" (Staff)", "2/90"),
        product(" (Cosmos Holo)", "3/90"),
    ];
    let output = folder.path().join("tables");
    let set =
        r#"{"id":"c","region":"asia","serie":"SunMoon","names":{"zh-cn":"新"},"officialCount":50}"#;
    run(&[
        "catalogue",
        "tables",
        "--sets",
        &file("sets.jsonl", sets),
        "--sets",
        &file("more_sets.jsonl", &format!("{sets}\n{set}")),
        "--cards",
        &file("cards.jsonl", &held.join("\n")),
        "--cards",
        &file("more.jsonl", &more.join("\n")),
        "--printings",
        &file(
            "printings.csv",
            "id,name,printings\ns-1,Pikachu,Normal;Reverse Holofoil\ns-2,Mew,Holofoil\n",
        ),
        "--illustrators",
        &file(
            "illustrators.csv",
            "id,name,illustrator\ns-1,Pikachu,A. Painter\ns-2,Mewtwo,B. Painter\n",
        ),
        "--special-prints",
        &file("products.jsonl", &products.join("\n")),
        "-o",
        text(&output),
    ])
    .ended(0);
    let cards = fs::read_to_string(output.join("cards.csv")).expect("readable");
    let lines: Vec<&str> = cards.lines().skip(1).collect();
    assert_eq!(
        lines,
        [
            "c,c-3,003,050,,chinese,,151,Ultra Rare,,,,,Mew,Normal [pikachu stamp],,,梦幻",
            "s,,1,90,,english,,,,,,A. Painter,,,Normal|Reverse Holofoil,7/0|7/0,Pikachu,",
            "s,,2,90,,english,,,,,,,,,Normal|Holofoil [cosmos foil],|9/0,Mew,",
        ]
    );
    let sets = fs::read_to_string(output.join("sets.csv")).expect("readable");
    assert!(sets.contains("c,,asia,SM,"), "{sets}");
}
