//! How `titledex parse` writes answers: by the name of the output, chosen columns, filters, and for
//! people on a terminal.

use crate::support::{Ran, run, run_on, small_index, titledex};
use serde_json::{Value, json};
use std::fs;
use std::io::Read;
use std::path::Path;

const LISTINGS: &str = "title,price\nCharizard 4/102 Base Set Holo PSA 9,4200\nCharizard,5\nPokemon booster box,120\n,1\n";

/// Runs `parse` in a folder that has `listings.csv`.
fn parse_in(folder: &Path, args: &[&str]) -> Ran {
    fs::write(folder.join("listings.csv"), LISTINGS).expect("writable");
    let mut command = titledex();
    command
        .current_dir(folder)
        .args(["parse", "--catalogue", small_index(), "-i", "listings.csv"])
        .args(args);
    command.output().expect("the binary runs").into()
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

#[test]
fn name_of_the_output_decides_the_form() {
    let folder = folder();
    let read = |name: &str| {
        parse_in(folder.path(), &["-o", name]).ended(0);
        fs::read(folder.path().join(name)).expect("written")
    };
    let printed = |format: &str| parse_in(folder.path(), &["--format", format]).ended(0).out;
    for (name, format) in [
        ("a.csv", "csv"),
        ("a.tsv", "tsv"),
        ("a.jsonl", "jsonl"),
        ("a.ndjson", "jsonl"),
        ("a.json", "json"),
        ("answers", "jsonl"),
    ] {
        assert_eq!(read(name), printed(format).into_bytes(), "{name}");
    }
    assert!(printed("tsv").starts_with("title\tkind\t"));
    let mut unpacked = String::new();
    flate2::read::MultiGzDecoder::new(&read("a.csv.gz")[..])
        .read_to_string(&mut unpacked)
        .expect("gzip");
    assert_eq!(unpacked, printed("csv"));
    // --format decides over the name, and the ending .gz still compresses
    parse_in(folder.path(), &["-o", "b.csv", "-f", "jsonl"]).ended(0);
    assert_eq!(
        fs::read(folder.path().join("b.csv")).expect("written"),
        printed("jsonl").into_bytes()
    );
    let ran = parse_in(folder.path(), &["-o", "a.csv.gz", "--resume"]).ended(2);
    assert!(ran.err.contains("cannot resume a.csv.gz"), "{}", ran.err);
    let left = fs::read_dir(folder.path()).expect("readable").count();
    assert_eq!(left, 9, "a temporary file is left");
}

#[test]
fn names_that_promise_what_is_not_written_are_refused() {
    let folder = folder();
    for (name, says) in [("a.xlsx", "name it .csv"), ("a.jsonl.zst", "by gzip alone")] {
        let ran = parse_in(folder.path(), &["-o", name]).ended(2);
        assert!(ran.err.contains(says), "{}", ran.err);
        assert!(!folder.path().join(name).exists());
        // who names the form as well means it
        parse_in(folder.path(), &["-o", name, "-f", "jsonl"]).ended(0);
    }
}

#[cfg(not(feature = "parquet"))]
#[test]
fn parquet_output_names_the_feature() {
    let folder = folder();
    let ran = parse_in(folder.path(), &["-o", "a.parquet"]).ended(1);
    assert!(ran.err.contains("--features parquet"), "{}", ran.err);
    assert!(!folder.path().join("a.parquet").exists());
}

#[test]
fn brief_answers_have_empty_lists_and_the_same_columns() {
    let folder = folder();
    let answers = |args: &[&str]| -> Vec<Value> {
        let out = parse_in(folder.path(), args).ended(0).out;
        let lines = out.lines();
        lines
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect()
    };
    let mut full = answers(&["-f", "jsonl"]);
    assert!(full[0]["matches"][0]["evidence"][0].is_object());
    for answer in &mut full {
        for list in ["spans", "unread"] {
            answer["parsed"][list] = json!([]);
        }
        let parsed = answer["parsed"].as_object_mut().expect("an object");
        parsed.remove("alternatives");
        let outcome = answer["outcome"].as_object_mut().expect("an object");
        outcome.remove("evidence");
        for card in answer["matches"].as_array_mut().expect("a list") {
            card["evidence"] = json!([]);
            card.as_object_mut().expect("an object").remove("printings");
        }
    }
    assert_eq!(full, answers(&["-f", "jsonl", "--brief"]));
    // columns that need no more than a brief answer are as among all of them
    let all = parse_in(folder.path(), &["-f", "csv"]).ended(0).out;
    let names = all.lines().next().expect("a header");
    let names: Vec<&str> = names.split(',').collect();
    let chosen: Vec<&str> = (names.iter().copied())
        .filter(|name| !["unread", "settledBy"].contains(name))
        .collect();
    let some = parse_in(
        folder.path(),
        &["-f", "csv", "--columns", &chosen.join(",")],
    );
    let read = |text: &str| -> Vec<Vec<String>> {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let headings = reader.headers().expect("a header").clone();
        let kept = |row: &csv::StringRecord| {
            let cells = headings.iter().zip(row);
            let cells = cells.filter(|(name, _)| chosen.contains(name));
            cells.map(|(_, cell)| cell.to_owned()).collect()
        };
        let rows = reader.records();
        rows.map(|row| kept(&row.expect("a row"))).collect()
    };
    assert_eq!(read(&some.ended(0).out), read(&all));
    let refused = parse_in(folder.path(), &["-f", "csv", "--brief"]).ended(2);
    assert!(
        refused.err.contains("--brief is about JSON"),
        "{}",
        refused.err
    );
}

#[test]
fn columns_are_chosen_and_ordered() {
    let folder = folder();
    let columns = "row.price,cardId,outcome,unread,grade";
    let csv = parse_in(folder.path(), &["--columns", columns, "-f", "csv"])
        .ended(0)
        .out;
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], columns);
    assert_eq!(lines[1], "4200,base1-4,match,,9");
    let flat = parse_in(folder.path(), &["--columns", columns])
        .ended(0)
        .answers();
    assert_eq!(
        flat[0],
        json!({"row.price": "4200", "cardId": "base1-4", "outcome": "match", "unread": [], "grade": 9.0})
    );
    assert_eq!(flat[3]["cardId"], Value::Null);
    let array = parse_in(folder.path(), &["--columns", "title", "-f", "json"])
        .ended(0)
        .out;
    assert_eq!(
        serde_json::from_str::<Value>(&array).expect("JSON")[1],
        json!({"title": "Charizard"})
    );
    let of_lines = |input: &[u8], columns: &str| {
        let args = ["parse", "--catalogue", small_index(), "--columns", columns];
        run_on(&args, input)
    };
    let ran = of_lines(
        b"{\"title\":\"x\",\"a\":[1],\"b\":null}\n",
        "row,row.a,row.b,row.c",
    )
    .ended(0);
    assert_eq!(
        ran.answers(),
        [json!({"row": {"a": [1], "b": null}, "row.a": [1], "row.b": null, "row.c": null})]
    );
    let ran = parse_in(folder.path(), &["--columns", "cardid"]).ended(2);
    assert!(
        ran.err.contains("no column `cardid`") && ran.err.contains(" cardId "),
        "{}",
        ran.err
    );
    for columns in ["title,cardId,title", "row.price,row.price", "row,row"] {
        let ran = parse_in(folder.path(), &["--columns", columns, "-f", "jsonl"]).ended(2);
        assert!(
            ran.out.is_empty() && ran.err.contains("twice: name each column once"),
            "{columns}: {}",
            ran.err
        );
    }
    let ran = parse_in(folder.path(), &["--columns", "row.prize"]).ended(1);
    assert!(
        ran.err.contains("no column `prize` (it has price)"),
        "{}",
        ran.err
    );
    let ran = parse_in(folder.path(), &["--columns", "title", "-f", "table"]).ended(2);
    assert!(ran.err.contains("--columns is about csv"), "{}", ran.err);
}

#[test]
fn answers_are_filtered_by_outcome_and_confidence() {
    let folder = folder();
    let all = parse_in(folder.path(), &[]).ended(0).answers();
    let of = |args: &[&str]| {
        let ran = parse_in(folder.path(), args).ended(0);
        let said = ran.err.lines().next().unwrap_or_default().to_owned();
        (ran.answers(), said)
    };
    let kind = |answer: &&Value| answer["outcome"]["type"].as_str().map(str::to_owned);
    for only in [
        "match",
        "ambiguous",
        "sealed",
        "match,ambiguous",
        "not_in_catalogue",
    ] {
        let expected: Vec<Value> = all
            .iter()
            .filter(|answer| {
                only.split(',')
                    .any(|word| kind(answer).as_deref() == Some(word))
            })
            .cloned()
            .collect();
        let (found, said) = of(&["--only", only]);
        assert_eq!(found, expected, "{only}");
        assert!(
            said.contains(&format!("{} of 4 answers", expected.len())),
            "{said}"
        );
    }
    let least = 0.9;
    let sure = |answer: &&Value| answer["outcome"]["confidence"].as_f64() >= Some(least);
    let (found, _) = of(&["--min-confidence", "0.9"]);
    assert_eq!(found, all.iter().filter(sure).cloned().collect::<Vec<_>>());
    assert!(found.len() < all.len() && !found.is_empty(), "{all:?}");
    let none = parse_in(folder.path(), &["--only", "lot", "-f", "json"]).ended(0);
    assert_eq!(none.out, "[]\n");
    // many batches of which most are empty make one array
    let many = format!(
        "{}Charizard 4/102 Base Set Holo\n",
        "Pokemon booster box\n".repeat(2_000)
    )
    .repeat(3);
    let args = [
        "parse",
        "--catalogue",
        small_index(),
        "--only",
        "match",
        "-f",
        "json",
    ];
    let ran = run_on(&args, many.as_bytes()).ended(0);
    let array: Vec<Value> = serde_json::from_str(&ran.out).expect("one array");
    assert_eq!(array.len(), 3);
    parse_in(folder.path(), &["--only", "maybe"]).ended(2);
    parse_in(folder.path(), &["--min-confidence", "2"]).ended(2);
}

#[test]
fn ambiguous_titles_come_with_the_words_that_settle_them() {
    let args = [
        "parse",
        "--catalogue",
        small_index(),
        "-f",
        "csv",
        "--columns",
        "outcome,settledBy",
    ];
    let ran = run_on(&args, b"Charizard\nCharizard 4/102 Base Set Holo\n").ended(0);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(
        lines[1].starts_with("ambiguous,") && lines[1].contains(" | "),
        "{}",
        ran.out
    );
    assert_eq!(lines[2], "match,");
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_has_the_columns_of_csv_by_type() {
    use ::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use arrow_array::Array;
    use arrow_array::cast::AsArray;
    use arrow_array::types::{Float64Type, Int64Type};
    let folder = folder();
    let open = |name: &str| {
        let file = fs::File::open(folder.path().join(name)).expect("written");
        let reader = ParquetRecordBatchReaderBuilder::try_new(file)
            .expect("Parquet")
            .build();
        let batches: Vec<_> = reader
            .expect("readable")
            .collect::<Result<_, _>>()
            .expect("batches");
        batches
    };
    parse_in(folder.path(), &["-o", "a.parquet"]).ended(0);
    let batch = open("a.parquet").remove(0);
    let header = parse_in(folder.path(), &["-f", "csv"]).ended(0).out;
    let names: Vec<&str> = header
        .lines()
        .next()
        .expect("a header")
        .split(',')
        .collect();
    let schema = batch.schema();
    assert_eq!(
        schema
            .fields()
            .iter()
            .map(|field| field.name().as_str())
            .collect::<Vec<_>>(),
        names
    );
    assert_eq!(batch.num_rows(), 4);
    let column = |name: &str| batch.column_by_name(name).expect("it is there");
    assert_eq!(column("cardId").as_string::<i32>().value(0), "base1-4");
    assert_eq!(column("grade").as_primitive::<Float64Type>().value(0), 9.0);
    assert!(column("grade").is_null(1));
    assert_eq!(column("row.price").as_string::<i32>().value(0), "4200");
    assert!(!column("ambiguousOn").as_list::<i32>().value(1).is_empty());
    // from Parquet to Parquet types stay, through many batches
    let titles: Vec<_> = (0..9_000)
        .map(|_| Some("Charizard 4/102 Base Set"))
        .collect();
    let input = crate::parquet::parquet_file(&titles);
    fs::write(folder.path().join("in.parquet"), input).expect("writable");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let args = [
        "parse",
        "--catalogue",
        small_index(),
        "-i",
        &path("in.parquet"),
        "-o",
        &path("out.parquet"),
    ];
    run(&[&args[..], &["--columns", "outcomeConfidence,row.id"]].concat()).ended(0);
    let mut expected = 0;
    for batch in open("out.parquet") {
        let ids = batch.column(1).as_primitive::<Int64Type>();
        for at in 0..batch.num_rows() {
            assert_eq!(ids.value(at), expected);
            expected += 1;
        }
    }
    assert_eq!(expected, 9_000);
    // members of JSON Lines are texts
    fs::write(
        folder.path().join("in.jsonl"),
        "{\"title\":\"x\",\"a\":[1]}\n{\"title\":\"y\",\"a\":2}\n",
    )
    .expect("writable");
    let args = [
        "parse",
        "--catalogue",
        small_index(),
        "-i",
        &path("in.jsonl"),
        "-o",
        &path("lines.parquet"),
    ];
    run(&[&args[..], &["--columns", "row,row.a"]].concat()).ended(0);
    let batch = open("lines.parquet").remove(0);
    assert_eq!(batch.column(0).as_string::<i32>().value(0), "{\"a\":[1]}");
    assert_eq!(batch.column(1).as_string::<i32>().value(1), "2");
}

/// What the command prints on a terminal of this width.
#[cfg(target_os = "linux")]
fn on_terminal(columns: usize, args: &str) -> String {
    let program = titledex().get_program().to_owned();
    let line = format!(
        "stty cols {columns} rows 40 -opost; exec 2>/dev/null; {} {args}",
        program.to_str().expect("UTF-8")
    );
    let mut script = std::process::Command::new("script");
    script.env("NO_COLOR", "1").env("TERM", "xterm");
    let script = script.args(["-qec", &line, "/dev/null"]);
    let output = script.stdin(std::process::Stdio::null()).output();
    let ran = Ran::from(output.expect("util-linux has `script`"));
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    ran.out
}

#[cfg(target_os = "linux")]
fn width(line: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(line)
}

#[cfg(target_os = "linux")]
#[test]
fn tables_fit_the_terminal_and_show_set_and_language() {
    let folder = folder();
    let titles = folder.path().join("titles.txt");
    let text = "1999 Pokemon Base Set Charizard 4/102 Holo Shadowless PSA 9 and a very long rest of the title\nリザードン 旧裏 かいりきリザードン 006 とても長いタイトルです PSA10\nCharizard\nPokemon booster box\n";
    fs::write(&titles, text).expect("writable");
    let titles = titles.to_str().expect("UTF-8");
    let index = small_index();
    for columns in [60, 80, 120, 200] {
        let shown = on_terminal(columns, &format!("parse --catalogue {index} -i {titles}"));
        assert_eq!(shown.lines().count(), 5, "{shown}");
        assert!(
            shown.lines().all(|line| width(line) <= columns),
            "{columns}:\n{shown}"
        );
        let rows: Vec<&str> = shown.lines().collect();
        assert!(
            rows[0].contains("SET") && rows[0].contains("LANGUAGE"),
            "{shown}"
        );
        assert!(
            rows[1].contains("Base") && rows[1].contains("english"),
            "{shown}"
        );
        assert_eq!(rows[0].contains("TITLE"), columns >= 80, "{shown}");
        let found = on_terminal(columns, &format!("search --catalogue {index} charizard"));
        assert!(found.starts_with("CARD"), "{found}");
        assert!(
            found.lines().all(|line| width(line) <= columns),
            "{columns}:\n{found}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_gets_what_people_read_and_a_pipe_json() {
    let index = small_index();
    let title = "Charizard 4/102 Base Set Holo PSA 9";
    for columns in [40, 80] {
        let shown = on_terminal(
            columns,
            &format!("parse --catalogue {index} '{title}' Charizard ''"),
        );
        for words in [
            "outcome    match",
            "Charizard  4/102",
            "PSA 9",
            "settled by",
            "the title is empty",
        ] {
            assert!(shown.contains(words), "no {words}:\n{shown}");
        }
        assert!(
            !shown.contains('{') && shown.lines().all(|line| width(line) <= columns),
            "{shown}"
        );
    }
    // --format and a pipe decide over the terminal
    let json = on_terminal(
        80,
        &format!("parse --catalogue {index} --format jsonl '{title}'"),
    );
    let piped = run(&["parse", "--catalogue", index, title]).ended(0).out;
    assert_eq!(json, piped);
    assert_eq!(
        on_terminal(80, &format!("parse --catalogue {index} '{title}' | cat")),
        piped
    );
    let found = on_terminal(
        80,
        &format!("search --catalogue {index} charizard 4/102 | head -n 1"),
    );
    assert!(found.starts_with('{'), "{found}");
}

#[test]
fn colours_are_those_of_the_readings() {
    let args = [
        "parse",
        "--catalogue",
        small_index(),
        "--color",
        "always",
        "-f",
        "pretty",
        "Charizard 4/102 x",
    ];
    let ran = run(&args).ended(0);
    assert!(
        ran.out.starts_with("\u{1b}[1;32mCharizard\u{1b}[0m"),
        "{}",
        ran.out
    );
}
