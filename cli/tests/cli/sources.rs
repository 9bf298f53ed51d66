//! What `titledex catalogue build` refuses in files of cards and sets, by place.

use crate::support::{fixture, run, titledex};
use std::fs;
use std::io::Write;
use std::path::Path;

/// The path of a file with this content.
fn file(folder: &Path, name: &str, content: &[u8]) -> String {
    let path = folder.join(name);
    fs::write(&path, content).expect("writable");
    path.to_str().expect("the path is UTF-8").to_owned()
}

/// Builds an index of the files, which is refused, and returns the message.
#[track_caller]
fn refused(folder: &Path, arguments: &[&str]) -> String {
    let index = folder.join("never.index");
    let output = index.to_str().expect("the path is UTF-8");
    let ran = run(&[&["catalogue", "build"], arguments, &["-o", output]].concat());
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(!index.exists());
    ran.err
}

const HEADER: &str = "marketplaceId,name,setName,setId,cardNumber,rarity,language,printing";

#[test]
fn bad_cells_of_csv_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let good = "a-1:normal,Abra,Base,a,1/9,Common,english,Normal";
    let long = "x".repeat(70_000);
    let printings: String = (0..1_001)
        .map(|number| format!("a-1:p{number},Abra,Base,a,1/9,Common,english,P{number}\n"))
        .collect();
    let cases: [(String, &[&str]); 14] = [
        (
            good.replace("a-1:normal", "  "),
            &[":2: column `marketplaceId`: is empty"],
        ),
        (
            good.replace(",a,1/9", ",,1/9"),
            &[":2: column `setId`: is empty"],
        ),
        (
            good.replace("a-1:normal", "a\u{202e}-1:normal"),
            &["`marketplaceId`", "U+202E"],
        ),
        (
            good.replace("a-1:normal", "\"a\n-1:normal\""),
            &["`marketplaceId`", "U+000A"],
        ),
        (
            good.replace(",a,1/9", ",a\u{7},1/9"),
            &["`setId`", "U+0007"],
        ),
        (good.replace("Abra", "\"Ab\nra\""), &["`name`", "U+000A"]),
        (
            good.replace("english", "klingon"),
            &[":2: column `language`: is not one of english, "],
        ),
        (
            good.replace("Abra", "Ab\0ra"),
            &[":2:14: the character NUL"],
        ),
        (
            good.replace("Abra", &long),
            &[":2: column `name`: has 70000 bytes"],
        ),
        (
            good.replace("1/9", &"9".repeat(65)),
            &["`cardNumber`: has 65 bytes"],
        ),
        (
            good.replace("a-1:normal", &"i".repeat(257)),
            &["`marketplaceId`: has 257 bytes"],
        ),
        (
            good.replace(",Normal", ""),
            &[":2: column `printing`: is missing", "7 cells"],
        ),
        (
            format!("{good},more"),
            &[":2: column `printing`: the row has 9 cells"],
        ),
        (
            printings,
            &[":1002: column `marketplaceId`: card `a-1` has more than 1000"],
        ),
    ];
    for (row, expected) in cases {
        let path = file(
            folder.path(),
            "bad.csv",
            format!("{HEADER}\n{row}\n").as_bytes(),
        );
        let message = refused(folder.path(), &[&path]);
        for part in expected {
            assert!(message.contains(part), "no {part} in {message:.300}");
        }
        assert!(message.len() < 1_000, "{message:.300}");
    }
    let twice = format!("{HEADER},note,name\n{good},x,Kadabra\n");
    let path = file(folder.path(), "twice.csv", twice.as_bytes());
    assert!(refused(folder.path(), &[&path]).contains("twice.csv:1: column `name` is there twice"));
}

#[test]
fn bad_members_of_json_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let good = r#"{"id":"base1-1","set":"base1","number":"1","names":{"en":"Abra"},"hp":30}"#;
    let with = |member: &str| good.replacen('{', &format!("{{{member},"), 1);
    let variants = vec![r#"{"type":"holo"}"#; 1_001].join(",");
    let editions = [r#""1st""#; 9].join(",");
    let doubled = vec![r#"{"editions":["1st","unlimited"]}"#; 501].join(",");
    let cases: [(String, &str); 26] = [
        (good.replace("base1-1", ""), "column `id`: is empty"),
        (
            good.replace(r#""set":"base1""#, r#""set":"""#),
            "column `set`: is empty",
        ),
        (
            good.replace("base1-1", r"base1\n1"),
            "column `id`: has the character U+000A",
        ),
        (
            good.replace("base1-1", r"\u0000"),
            "column `id`: has the character U+0000",
        ),
        (
            good.replace("base1-1", "b\u{2066}1"),
            "column `id`: has the character U+2066",
        ),
        (
            good.replace("Abra", r"A\u001b[31m"),
            "column `names.en`: has the character U+001B",
        ),
        (
            good.replace("\"en\"", "\"tlh\""),
            "column `names.tlh`: is not a language code",
        ),
        (with(r#""id":"base1-2""#), "the member `id` is there twice"),
        (
            with(r#""x":{"y":[{"z":1,"z":1}]}"#),
            "the member `z` is there twice",
        ),
        (
            good.replace("30", "\"ninety\""),
            "column `hp`: is a string; a number is expected",
        ),
        (
            good.replace("30", "-1"),
            "column `hp`: is not a whole number",
        ),
        (
            good.replace("30", "30.5"),
            "column `hp`: is not a whole number",
        ),
        (
            good.replace("30", "99999"),
            "column `hp`: is not a whole number",
        ),
        (
            good.replace("30", &"9".repeat(1_000_000)),
            "number out of range",
        ),
        (good.replace("30", "thirty"), ":2:72: not JSON from here on"),
        (good.replace('}', ""), "the line ends within its JSON"),
        (
            good.replace("30", &"9".repeat(1_100_000)),
            "the line has 1100071 bytes",
        ),
        (
            good.replace("\"1\"", "1"),
            "column `number`: is a number; a string is expected",
        ),
        (
            good.replace("\"1\"", &format!("\"{}\"", "1".repeat(65))),
            "`number`: has 65 bytes",
        ),
        (
            with(r#""rarity":7"#),
            "column `rarity`: is a number; a string is expected",
        ),
        (
            with(r#""dexId":"x""#),
            "column `dexId`: is a string; a list is expected",
        ),
        (
            with(r#""variants":5"#),
            "column `variants`: is a number; a list is expected",
        ),
        (
            with(r#""variants":[{"stamp":[7]}]"#),
            "`variants.stamp`: is a number",
        ),
        (
            with(&format!(r#""variants":[{variants}]"#)),
            "`variants`: has 1001 printings",
        ),
        (
            with(&format!(r#""variants":[{{"editions":[{editions}]}}]"#)),
            "`variants.editions`: has 9 editions",
        ),
        (
            with(&format!(r#""variants":[{doubled}]"#)),
            "`variants`: has 1002 printings",
        ),
    ];
    for (line, expected) in cases {
        let path = file(folder.path(), "bad.jsonl", format!("\n{line}\n").as_bytes());
        let message = refused(folder.path(), &[&path]);
        assert!(message.contains("bad.jsonl:2:"), "{message:.300}");
        assert!(
            message.contains(expected),
            "no {expected} in {message:.300}"
        );
        assert!(message.len() < 1_000, "{message:.300}");
    }
    let long = with(&format!(r#""illustrator":"{}""#, "x".repeat(70_000)));
    let path = file(folder.path(), "bad.jsonl", long.as_bytes());
    assert!(refused(folder.path(), &[&path]).contains("`illustrator`: has 70000 bytes"));
}

#[test]
fn card_of_a_set_that_the_sets_lack_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let sets = fixture("sets.jsonl");
    let card = r#"{"id":"base9-1","set":"base9","number":"1","names":{"en":"Abra"}}"#;
    let lines = file(folder.path(), "cards.jsonl", card.as_bytes());
    let message = refused(folder.path(), &[&lines, "--sets", &sets]);
    assert!(
        message.contains("cards.jsonl:1: column `set`: `base9` is in no file of sets"),
        "{message}"
    );
    let row = format!("{HEADER}\nbase9-1:normal,Abra,Base 9,base9,1,Common,english,Normal\n");
    let table = file(folder.path(), "cards.csv", row.as_bytes());
    let message = refused(folder.path(), &[&table, "--sets", &sets]);
    assert!(
        message.contains("cards.csv:2: column `setId`: `base9` is in no file of sets"),
        "{message}"
    );
    // Without a file of sets, the cards name them.
    for cards in [&lines, &table] {
        let mut command = titledex();
        command.args(["catalogue", "build", cards, "-o", "-"]);
        let built = command.output().expect("the binary runs");
        let said = String::from_utf8_lossy(&built.stderr);
        assert!(said.contains("1 cards, 1 sets"), "{said}");
        assert!(
            built.stdout.starts_with(b"TITLEDEX"),
            "an index on standard output"
        );
    }
}

#[test]
fn content_is_bounded() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packer.write_all(HEADER.as_bytes()).expect("memory");
    let lines = vec![b'\n'; 1 << 20];
    for _ in 0..3 {
        packer.write_all(&lines).expect("memory");
    }
    let card = b"a-1:normal,Abra,Base,a,1/9,Common,english,Normal\n";
    packer.write_all(card).expect("memory");
    let bomb = file(
        folder.path(),
        "bomb.csv.gz",
        &packer.finish().expect("memory"),
    );
    let message = refused(folder.path(), &[&bomb, "--max-mib", "3"]);
    assert!(
        message.contains("more than 3 MiB when decompressed") && message.contains("--max-mib"),
        "{message}"
    );
    let index = folder.path().join("small.index");
    let output = index.to_str().expect("the path is UTF-8");
    run(&["catalogue", "build", &bomb, "--max-mib", "4", "-o", output]).ended(0);
}
