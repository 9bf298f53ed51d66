//! `titledex parse`: a line out for each line in, whatever the line.

use crate::support::{fixture, run, run_on, small_index, start_on, titledex};
use serde_json::Value;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

fn parse(input: &[u8]) -> (Vec<Value>, Option<i32>) {
    let ran = run_on(&["parse", "--catalogue", small_index()], input);
    (ran.answers(), ran.code)
}

#[test]
fn empty_and_blank_lines_get_answers() {
    let (answers, code) = parse(b"\n   \n\t\r\n\n");
    assert_eq!(code, Some(0));
    assert_eq!(
        answers
            .iter()
            .map(|answer| answer["title"].as_str())
            .collect::<Vec<_>>(),
        [Some(""), Some("   "), Some("\t"), Some("")]
    );
    for answer in answers {
        assert_eq!(answer["outcome"]["type"], "not_a_card");
        assert!(answer.get("error").is_none());
    }
    let ran = run_on(&["parse", "--catalogue", small_index()], b"").ended(0);
    assert_eq!(ran.out, "");
}

#[test]
fn every_line_has_an_answer_in_its_place() {
    let input = b"first\r\ninvalid \xff\xfe here\nnul \0 inside\n\xe2\x80\xae bidi \x1b[31m\nlast without end";
    let (answers, code) = parse(input);
    assert_eq!(code, Some(3));
    let titles: Vec<_> = answers
        .iter()
        .map(|answer| answer["title"].as_str().unwrap_or_default())
        .collect();
    assert_eq!(
        titles,
        [
            "first",
            "invalid \u{fffd}\u{fffd} here",
            "nul \0 inside",
            "\u{202e} bidi \x1b[31m",
            "last without end"
        ]
    );
    let codes: Vec<_> = answers
        .iter()
        .map(|answer| answer["error"]["code"].as_str())
        .collect();
    assert_eq!(codes, [None, Some("invalid_utf8"), None, None, None]);
    assert!(
        answers[1]["error"]["message"]
            .as_str()
            .is_some_and(|message| message.contains("byte 8 "))
    );
}

#[test]
fn long_lines_name_the_limit_and_their_size() {
    let mut input = b"before\n".to_vec();
    input.extend(std::iter::repeat_n(b'a', 1 << 20));
    input.extend_from_slice(b"\nbetween\n");
    input.extend("e".bytes().chain("\u{301}".repeat(10_000).bytes()));
    input.extend_from_slice(b"\nafter\n");
    let (answers, code) = parse(&input);
    assert_eq!((answers.len(), code), (5, Some(3)));
    for (at, size) in [(1, "1048576"), (3, "20001")] {
        let error = &answers[at]["error"];
        let message = error["message"].as_str().unwrap_or_default();
        assert_eq!(error["code"], "too_long");
        assert!(
            message.contains(size) && message.contains("4096"),
            "{message}"
        );
        assert!(
            answers[at]["title"]
                .as_str()
                .is_some_and(|title| title.len() <= 256)
        );
    }
    assert_eq!(
        (&answers[2]["title"], &answers[4]["title"]),
        (&"between".into(), &"after".into())
    );
}

#[test]
fn odd_titles_get_answers() {
    let marks = format!("e{}", "\u{301}".repeat(1_000));
    let titles = [
        "🔥🔥🔥",
        "👨‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿",
        "0123456789",
        "&amp;quot;&#39;",
        &marks,
        "\u{200b}\u{feff}\u{202e}",
        "½",
        "#/#/#",
    ];
    let (answers, code) = parse(titles.join("\n").as_bytes());
    assert_eq!(code, Some(0));
    assert_eq!(
        answers
            .iter()
            .map(|answer| answer["title"].as_str().unwrap_or_default())
            .collect::<Vec<_>>(),
        titles
    );
    assert_eq!(answers[0]["outcome"]["type"], "not_a_card");
}

#[test]
fn order_is_kept_on_several_threads() {
    let mut input = String::new();
    for number in 0..5_000 {
        let _ = writeln!(
            input,
            "{}title {number} Charizard 4/102",
            "Base Set ".repeat(number % 7)
        );
    }
    let one = run_on(
        &["parse", "--jobs", "1", "--catalogue", small_index()],
        input.as_bytes(),
    )
    .ended(0);
    let two = run_on(
        &["parse", "--jobs", "2", "--catalogue", small_index()],
        input.as_bytes(),
    )
    .ended(0);
    assert!(
        one.out == two.out,
        "the output depends on the number of threads"
    );
    let titles: Vec<String> = two
        .answers()
        .iter()
        .map(|answer| answer["title"].as_str().unwrap_or_default().to_owned())
        .collect();
    assert!(
        titles.iter().map(String::as_str).eq(input.lines()),
        "a line was lost or moved"
    );
}

#[test]
fn each_line_is_answered_before_the_next_is_read() {
    for (from, head, rows) in [
        ("lines", "", ["one", "two"]),
        ("csv", "id,title\r\n", ["1,one\r", "2,\"two\"\r"]),
        ("jsonl", "", ["{\"title\":\"one\"}", "{\"title\":\"two\"}"]),
    ] {
        let mut command = titledex();
        command
            .args(["parse", "--from", from, "--catalogue", small_index()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = command.spawn().expect("the binary starts");
        let mut stdin = child.stdin.take().expect("standard input is piped");
        let mut answers =
            BufReader::new(child.stdout.take().expect("standard output is piped")).lines();
        write!(stdin, "{head}").expect("the process reads");
        for (row, title) in rows.into_iter().zip(["one", "two"]) {
            writeln!(stdin, "{row}").expect("the process reads");
            let answer: Value =
                serde_json::from_str(&answers.next().expect("an answer").expect("UTF-8"))
                    .expect("JSON");
            assert_eq!(answer["title"], title, "{from}");
        }
        drop(stdin);
        assert!(child.wait().expect("the process ends").success());
    }
}

#[test]
fn closed_output_ends_the_process_while_it_waits_for_input() {
    let mut command = titledex();
    command
        .args(["parse", "--catalogue", small_index()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("standard input is piped");
    drop(child.stdout.take());
    writeln!(stdin, "one").expect("the process reads");
    // `stdin` stays open: the end must not depend on it.
    assert!(child.wait().expect("the process ends").success());
    drop(stdin);
}

#[test]
fn titles_come_from_arguments_or_a_file() {
    let index = small_index();
    let ran = run(&["parse", "--catalogue", index, "one", "", "three\nlines"]).ended(0);
    assert_eq!(
        ran.answers()
            .iter()
            .map(|answer| answer["title"].as_str())
            .collect::<Vec<_>>(),
        [Some("one"), Some(""), Some("three\nlines")]
    );

    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("titles.txt");
    std::fs::write(&path, "\u{feff}one\r\ntwo").expect("writable");
    let ran = run(&[
        "parse",
        "--catalogue",
        index,
        "--input",
        path.to_str().expect("UTF-8"),
    ])
    .ended(0);
    assert_eq!(
        ran.answers()
            .iter()
            .map(|answer| answer["title"].as_str())
            .collect::<Vec<_>>(),
        [Some("one"), Some("two")]
    );
    let ran = run_on(&["parse", "--catalogue", index, "--input", "-"], b"x\n").ended(0);
    assert_eq!(ran.answers().len(), 1);
}

#[cfg(unix)]
#[test]
fn argument_that_is_not_utf8_gets_an_answer() {
    use std::os::unix::ffi::OsStrExt;
    let title = std::ffi::OsStr::from_bytes(b"a\xff");
    let output = titledex()
        .args(["parse", "--catalogue", small_index()])
        .arg(title)
        .output()
        .expect("the binary runs");
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stdout).contains("invalid_utf8"));
    let output = titledex()
        .args(["explain", "--catalogue", small_index()])
        .arg(title)
        .output()
        .expect("the binary runs");
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn json_is_one_array() {
    let index = small_index();
    let array = |input: &[u8]| -> Vec<Value> {
        let ran = run_on(&["parse", "--format", "json", "--catalogue", index], input).ended(0);
        serde_json::from_str(&ran.out).expect("one JSON array")
    };
    assert!(array(b"").is_empty());
    assert_eq!(array(b"one\ntwo\n").len(), 2);
    assert_eq!(array("x\n".repeat(3_000).as_bytes()).len(), 3_000);
}

#[test]
fn csv_has_a_row_for_each_title_and_every_column() {
    let input = "1999 Pokemon Base Set Charizard 4/102 Holo PSA 9\n\n\"quoted, with comma\"\n";
    let ran = run_on(
        &["parse", "--format", "csv", "--catalogue", small_index()],
        input.as_bytes(),
    )
    .ended(0);
    let mut reader = csv::Reader::from_reader(ran.out.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let rows: Vec<_> = reader
        .records()
        .collect::<Result<_, _>>()
        .expect("rows as wide as the header");
    let cell = |row: usize, column: &str| {
        let at = header
            .iter()
            .position(|name| name == column)
            .unwrap_or_else(|| panic!("no column {column}"));
        rows[row][at].to_owned()
    };
    assert_eq!(rows.len(), 3);
    assert_eq!(
        (cell(0, "cardId").as_str(), cell(0, "outcome").as_str()),
        ("base1-4", "match")
    );
    assert_eq!(cell(0, "marketplaceId").split(':').next(), Some("base1-4"));
    assert_eq!(
        (cell(1, "title").as_str(), cell(1, "cardId").as_str()),
        ("", "")
    );
    assert_eq!(cell(2, "title"), "\"quoted, with comma\"");
}

#[test]
fn table_has_a_line_for_each_title_and_no_control_characters() {
    let input =
        b"1999 Pokemon Base Set Charizard 4/102 Holo PSA 9\n\n\x1b[2J\x07 \xe2\x80\xae \r x\n";
    let ran = run_on(
        &["parse", "--format", "table", "--catalogue", small_index()],
        input,
    )
    .ended(0);
    let lines: Vec<_> = ran.out.lines().collect();
    assert_eq!(lines.len(), 4);
    assert!(lines[0].starts_with("OUTCOME"));
    assert!(lines[1].starts_with("match") && lines[1].contains("base1-4"));
    assert!(
        !ran.out.contains(|c: char| c.is_control() && c != '\n') && !ran.out.contains('\u{202e}')
    );
}

#[test]
fn suggestions_are_limited() {
    let title = "Charizard";
    let count = |n: &str| {
        run(&[
            "parse",
            "--max-suggestions",
            n,
            "--catalogue",
            small_index(),
            title,
        ])
        .ended(0)
        .answers()[0]["matches"]
            .as_array()
            .map(Vec::len)
    };
    assert_eq!(count("1"), Some(1));
    assert!(count("50") >= Some(2));
}

#[test]
fn answers_come_only_from_the_given_catalogue() {
    let ran = run(&[
        "parse",
        "--catalogue",
        small_index(),
        "1999 Pokemon Base Set Charizard 4/102 Holo PSA 9",
    ])
    .ended(0);
    let answer = &ran.answers()[0];
    assert_eq!(answer["outcome"]["type"], "match");
    assert_eq!(answer["matches"][0]["cardId"], "base1-4");
    let ran = run(&["parse", "--catalogue", &fixture("export.csv"), "x"]).ended(1);
    assert!(
        ran.err.contains("export.csv") && ran.err.contains("catalogue build"),
        "{}",
        ran.err
    );
}

#[test]
fn built_in_catalogue_answers() {
    let title = "1999 Pokemon Base Set Shadowless Charizard #4 Holo PSA 9 MINT";
    let (child, feeding) = start_on(&["parse"], format!("{title}\n").as_bytes());
    let output = child.wait_with_output().expect("the process ends");
    feeding.join().expect("feeding ends");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("one answer");
    assert_eq!(answer["matches"][0]["cardId"], "base1-4", "{answer}");
}
