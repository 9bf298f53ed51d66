//! `titledex parse` on files of CSV and JSON Lines, with the other columns carried through.

use crate::support::{Ran, run, run_on, small_index};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const CHARIZARD: &str = "1999 Pokemon Base Set Charizard 4/102 Holo PSA 9";

/// Parses a file of this name and content.
pub(crate) fn parse_file(name: &str, content: &[u8], args: &[&str]) -> Ran {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    fs::write(&path, content).expect("writable");
    run(&[
        &[
            "parse",
            "--catalogue",
            small_index(),
            "--input",
            path.to_str().expect("UTF-8"),
        ],
        args,
    ]
    .concat())
}

/// Title, `row` and message of each answer.
pub(crate) fn seen(ran: &Ran) -> Vec<(String, Value, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let answers = ran.answers();
    answers
        .iter()
        .map(|answer| {
            (
                text(&answer["title"]),
                answer["row"].clone(),
                text(&answer["error"]["message"]),
            )
        })
        .collect()
}

fn gzip(content: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(content).expect("memory");
    packer.finish().expect("memory")
}

#[test]
fn columns_of_csv_are_carried_as_text() {
    let input = format!(
        "\u{feff}id,title,note\r\n007,\"{CHARIZARD}\",\"two\nlines, \"\"quoted\"\"\"\r\n\r\n8,Pikachu 58/102,\r\n9,last,é"
    );
    let ran = parse_file("listings.csv", input.as_bytes(), &[]).ended(0);
    assert_eq!(
        seen(&ran),
        [
            (
                CHARIZARD.to_owned(),
                json!({"id": "007", "note": "two\nlines, \"quoted\""}),
                String::new()
            ),
            (
                "Pikachu 58/102".to_owned(),
                json!({"id": "8", "note": ""}),
                String::new()
            ),
            (
                "last".to_owned(),
                json!({"id": "9", "note": "é"}),
                String::new()
            ),
        ]
    );
    assert_eq!(
        parse_file("packed.csv.gz", &gzip(input.as_bytes()), &[])
            .ended(0)
            .out,
        ran.out
    );
    assert_eq!(
        run_on(
            &["parse", "--from", "csv", "--catalogue", small_index()],
            input.as_bytes()
        )
        .ended(0)
        .out,
        ran.out
    );
    let tabs = "title\tid\na, b\t1\n";
    assert_eq!(
        seen(&parse_file("listings.tsv", tabs.as_bytes(), &[]).ended(0))[0].1,
        json!({"id": "1"})
    );
}

#[test]
fn members_of_json_are_carried_byte_for_byte_after_the_answer() {
    let alone = run(&["parse", "--catalogue", small_index(), CHARIZARD])
        .ended(0)
        .out;
    let input =
        format!(r#"{{"price":12.50, "name":"{CHARIZARD}","tags": ["a", {{"b":null}}],"n":1e400}}"#);
    let ran = parse_file("listings.jsonl", input.as_bytes(), &["--column", "name"]).ended(0);
    let answer = alone.trim_end().strip_suffix('}').expect("an object");
    assert_eq!(
        ran.out,
        format!(
            "{answer},\"row\":{{\"price\":12.50,\"tags\":[\"a\", {{\"b\":null}}],\"n\":1e400}}}}\n"
        )
    );

    let without = format!("{{\"title\":\"{CHARIZARD}\"}}\n");
    assert_eq!(
        parse_file("listings.ndjson", without.as_bytes(), &[])
            .ended(0)
            .out,
        alone
    );
    assert_eq!(
        parse_file(
            "titles.csv",
            format!("title\n{CHARIZARD}\n").as_bytes(),
            &[]
        )
        .ended(0)
        .out,
        alone
    );
    assert_eq!(
        parse_file("titles.txt", CHARIZARD.as_bytes(), &[])
            .ended(0)
            .out,
        alone
    );
    assert_eq!(
        parse_file("titles.csv", CHARIZARD.as_bytes(), &["--from", "lines"])
            .ended(0)
            .out,
        alone
    );
}

#[test]
fn csv_answers_have_the_carried_columns_last() {
    let table = |ran: Ran| {
        let mut reader = csv::Reader::from_reader(ran.out.as_bytes());
        let header: Vec<String> = reader
            .headers()
            .expect("a header")
            .iter()
            .map(str::to_owned)
            .collect();
        let rows: Vec<_> = reader
            .records()
            .collect::<Result<_, _>>()
            .expect("rows as wide as the header");
        let cut = rows
            .iter()
            .map(|row| {
                row.iter()
                    .skip(header.len() - 2)
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
            })
            .collect::<Vec<_>>();
        (header[header.len() - 2..].to_vec(), cut)
    };
    let input = "title,\"a, b\",title_2\nx,1,\"q\"\"\\\nr\"\ny\n";
    let (header, rows) =
        table(parse_file("listings.csv", input.as_bytes(), &["--format", "csv"]).ended(3));
    assert_eq!(header, ["row.a, b", "row.title_2"]);
    assert_eq!(rows, [["1", "q\"\\\nr"], ["", ""]]);
    let (header, rows) = table(
        parse_file(
            "listings.jsonl",
            b"{\"title\":\"x\",\"a\":[1, 2]}\n{}\n",
            &["--format", "csv"],
        )
        .ended(3),
    );
    assert_eq!(header, ["errorMessage", "row"]);
    assert_eq!(rows[0], ["", "{\"a\":[1, 2]}"]);
    assert_eq!(
        rows[1],
        [
            "line 2 has no member `title`: name the member of the titles with --column",
            ""
        ]
    );
}

#[test]
fn bad_rows_get_answers_and_the_run_continues() {
    let input: &[u8] = b"title,n\ngood,1\ntoo,many,cells\nfew\n\xff bad,2\nbytes,\xfe\nnul \0,3\nopen,\"never closed\n";
    let ran = parse_file("listings.csv", input, &[]).ended(3);
    let answers = seen(&ran);
    let messages: Vec<&str> = answers
        .iter()
        .map(|(_, _, message)| message.as_str())
        .collect();
    assert_eq!(messages.len(), 7);
    assert_eq!(messages[0], "");
    assert!(
        messages[1].starts_with("row 2, which begins in line 3, has 3 cells and the header 2"),
        "{}",
        messages[1]
    );
    assert!(
        messages[2].starts_with("row 3, which begins in line 4, has 1 cells"),
        "{}",
        messages[2]
    );
    assert!(
        messages[3].starts_with("byte 0 is not UTF-8"),
        "{}",
        messages[3]
    );
    assert!(
        messages[4].starts_with("row 5, which begins in line 6, is not UTF-8 in column 2"),
        "{}",
        messages[4]
    );
    assert_eq!((answers[5].0.as_str(), messages[5]), ("nul \0", ""));
    assert!(
        messages[6].contains("a quote that is never closed"),
        "{}",
        messages[6]
    );
    assert!(
        ran.err
            .contains("5 of 7 titles could not be read as given, the first in row 2 (bad_row)"),
        "{}",
        ran.err
    );

    let long = format!("{{\"title\":\"{}\"}}", "a".repeat(5_000));
    let huge = format!("{{\"title\":\"a\",\"b\":\"{}\"}}", "b".repeat(2 << 20));
    let lines = [
        r#"{"title":"a"}"#,
        "",
        "[1]",
        r#"{"title":null,"id":7}"#,
        r#"{"title":"a","title":"b"}"#,
        &long,
        &huge,
        "{\"title\":\"\\u0041\"}",
    ];
    let ran = parse_file("listings.jsonl", lines.join("\r\n").as_bytes(), &[]).ended(3);
    let answers = seen(&ran);
    let starts = [
        "",
        "line 3, column 1, is not a JSON object",
        "line 4 has null as `title`",
        "line 5 has the member `title` twice",
        "the title has 5000 bytes",
        "line 7 has 20971",
        "",
    ];
    assert_eq!(answers.len(), starts.len());
    for ((_, _, message), start) in answers.iter().zip(starts) {
        assert!(
            message.starts_with(start) && message.is_empty() == start.is_empty(),
            "{message}"
        );
    }
    assert_eq!(
        answers[2].1,
        json!({"id": 7}),
        "a row that could be read is carried"
    );
    assert_eq!(answers[6].0, "A");
    let codes: Vec<_> = ran
        .answers()
        .iter()
        .filter_map(|answer| answer["error"]["code"].as_str().map(str::to_owned))
        .collect();
    assert_eq!(
        codes,
        ["bad_row", "bad_row", "bad_row", "too_long", "bad_row"]
    );
}

#[test]
fn input_without_titles_is_refused_by_name() {
    let says = |name: &str, content: &[u8], args: &[&str], what: &[&str]| {
        let ran = parse_file(name, content, args).ended(1);
        assert_eq!(ran.out, "");
        assert!(
            ran.err.contains(name) && what.iter().all(|what| ran.err.contains(what)),
            "{}",
            ran.err
        );
    };
    says("a.csv", b"", &[], &["empty", "`title`"]);
    says(
        "a.csv",
        b"id,name\n1,x\n",
        &[],
        &["no column `title`", "`id`, `name`", "--column"],
    );
    says(
        "a.csv",
        b"title,title\n1,x\n",
        &[],
        &["more than one column"],
    );
    says(
        "a.txt",
        b"x\n",
        &["--column", "title"],
        &["lines", "--from"],
    );
    says("a.parquet", b"PAR1 but no more", &[], &["Parquet"]);
    // What could be unpacked of a file that is cut short is answered.
    let ran = parse_file("a.csv.gz", &gzip(b"title\nx\n")[..20], &[]).ended(1);
    assert!(
        ran.err.contains("cannot read")
            && ran.err.contains("a.csv.gz")
            && ran.out.lines().count() <= 1,
        "{}",
        ran.err
    );
    assert_eq!(parse_file("a.jsonl", b"", &[]).ended(0).out, "");
    assert_eq!(parse_file("a.csv", b"title", &[]).ended(0).out, "");
}

#[test]
fn output_does_not_depend_on_the_number_of_threads() {
    let mut input = "title,\"the note\"\n".to_owned();
    for number in 0..3_000 {
        input += &format!(
            "\"{number} Charizard\n4/102\",\"{}\"\n",
            "x".repeat(number % 97)
        );
    }
    let one = parse_file("a.csv", input.as_bytes(), &["--jobs", "1"]).ended(0);
    let three = parse_file("a.csv", input.as_bytes(), &["--jobs", "3"]).ended(0);
    assert!(
        one.out == three.out,
        "the output depends on the number of threads"
    );
    assert_eq!(one.out.lines().count(), 3_000);
}

#[test]
fn commands_of_the_batch_page_work() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/BATCH.md");
    let page = fs::read_to_string(page).expect("the page is there");
    let commands: Vec<&str> = page
        .lines()
        .filter(|line| line.starts_with("titledex parse --input listings"))
        .collect();
    assert!(commands.len() >= 3, "{commands:?}");
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(
        folder.path().join("listings.csv"),
        format!("price,name\n9,{CHARIZARD}\n"),
    )
    .expect("writable");
    fs::write(
        folder.path().join("listings.jsonl.gz"),
        gzip(format!("{{\"title\":\"{CHARIZARD}\",\"id\":7}}\n").as_bytes()),
    )
    .expect("writable");
    #[cfg(feature = "parquet")]
    fs::write(
        folder.path().join("listings.parquet"),
        crate::parquet::parquet_file(&[Some(CHARIZARD)]),
    )
    .expect("writable");
    for command in commands {
        if command.contains("parquet") && !cfg!(feature = "parquet") {
            continue;
        }
        let words = command
            .split('#')
            .next()
            .unwrap_or_default()
            .split_whitespace()
            .skip(1);
        let mut process = crate::support::titledex();
        let output = process
            .args(words)
            .args(["--catalogue", small_index()])
            .current_dir(folder.path())
            .output()
            .expect("the binary runs");
        let ran = Ran::from(output).ended(0);
        assert_eq!(ran.out, "", "{command}");
        let written = fs::read_to_string(folder.path().join("answers.jsonl")).expect("written");
        let answer: Value = serde_json::from_str(&written).expect("one answer");
        assert_eq!(answer["matches"][0]["cardId"], "base1-4", "{command}");
        assert!(answer["row"].is_object(), "{command}");
        fs::remove_file(folder.path().join("answers.jsonl")).expect("it is there");
    }
}

#[cfg(not(feature = "parquet"))]
#[test]
fn parquet_is_refused_with_how_to_install_it() {
    for (name, args) in [("a.parquet", &[][..]), ("a.bin", &["--from", "parquet"])] {
        let ran = parse_file(name, b"PAR1", args).ended(1);
        assert!(
            ran.err.contains(name)
                && ran
                    .err
                    .contains("cargo install --locked --path cli --features parquet"),
            "{}",
            ran.err
        );
    }
}

#[test]
fn json_lines_that_are_not_utf8_say_so() {
    let ran = parse_file(
        "titles.jsonl",
        b"{\"title\":\"Charizard 4/102 \xff\",\"id\":1}\n{\"title\":\"Pikachu\",\"note\":\"\xe9\"}\n",
        &[],
    )
    .ended(3);
    let answers = ran.answers();
    for answer in &answers {
        assert_eq!(answer["error"]["code"], "invalid_utf8", "{answer}");
    }
    assert_eq!(answers[0]["title"], "Charizard 4/102 \u{fffd}");
    assert_eq!(answers[0]["row"]["id"], 1);
    assert_eq!(answers[1]["row"]["note"], "\u{fffd}");
}

#[test]
fn csv_answers_are_safe_for_spreadsheets_unless_they_must_be_exact() {
    let input = "title,=note,price\n=cmd|' /C calc'!A0,@SUM(A1),-1.5\nCharizard 4/102,\"\tx\",+3\n";
    let of = |args: &[&str]| {
        let args = [&["--format", "csv"], args].concat();
        let text = parse_file("titles.csv", input.as_bytes(), &args)
            .ended(0)
            .out;
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .from_reader(text.as_bytes());
        let records = reader.records().map(|record| record.expect("it is CSV"));
        records
            .map(|record| record.iter().map(str::to_owned).collect())
            .collect::<Vec<Vec<String>>>()
    };
    let (exact, safe) = (of(&["--csv-exact"]), of(&[]));
    assert_eq!(exact[1][0], "=cmd|' /C calc'!A0");
    assert_eq!(safe[1][0], "'=cmd|' /C calc'!A0");
    let last = |row: &[String]| row[row.len() - 2..].to_vec();
    assert_eq!(last(&safe[1]), ["'@SUM(A1)", "-1.5"]);
    assert_eq!(last(&safe[2]), ["'\tx", "+3"]);
    for (exact, safe) in exact.iter().flatten().zip(safe.iter().flatten()) {
        assert!(
            safe == exact || *safe == format!("'{exact}"),
            "{exact} {safe}"
        );
    }
    let ran = parse_file("titles.csv", input.as_bytes(), &["--csv-exact"]).ended(2);
    assert!(ran.err.contains("--format csv"), "{}", ran.err);
}
