//! Help, version and refused command lines.

use crate::support::{run, start_on, titledex};
use std::process::Stdio;

#[test]
fn version_names_the_program() {
    let ran = run(&["--version"]).ended(0);
    assert_eq!(ran.out, format!("titledex {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn help_has_examples_and_exit_codes() {
    let ran = run(&["--help"]).ended(0);
    for text in ["Examples:", "titledex parse", "Exit codes:", " 3 "] {
        assert!(ran.out.contains(text), "{text}\n{}", ran.out);
    }
    for command in [
        &["parse"][..],
        &["explain"],
        &["search"],
        &["score"],
        &["catalogue"],
        &["catalogue", "build"],
        &["catalogue", "import"],
        &["catalogue", "pack"],
        &["completions"],
        &["man"],
    ] {
        let ran = run(&[command, &["--help"]].concat()).ended(0);
        assert!(
            ran.out.contains("Example"),
            "{command:?} shows no example:\n{}",
            ran.out
        );
    }
}

#[test]
fn help_fits_a_screen() {
    let ran = run(&["--help"]).ended(0);
    assert!(ran.out.lines().count() <= 24, "{}", ran.out);
    assert!(
        ran.out.lines().all(|line| line.chars().count() <= 100),
        "{}",
        ran.out
    );
}

#[test]
fn commands_of_the_other_programs_are_unknown() {
    for command in ["serve", "admin", "import", "train", "corpus", "market"] {
        let ran = run(&[command]).ended(2);
        assert!(ran.err.contains("unrecognized subcommand"), "{}", ran.err);
    }
}

#[test]
fn title_without_a_command_is_told_how_it_is_read() {
    let hint = |args: &[&str]| run(args).ended(2).err;
    for (args, written) in [
        (&["Charizard 4/102"][..], "titledex parse 'Charizard 4/102'"),
        (&["Charizard", "4/102"], "titledex parse 'Charizard 4/102'"),
        (&["Farfetch'd 27"], r"titledex parse 'Farfetch'\''d 27'"),
    ] {
        assert!(hint(args).ends_with(&format!("{written}\n")), "{args:?}");
    }
    assert!(!hint(&["pasre"]).contains("titledex parse"));
}

#[test]
fn csv_columns_are_those_of_the_help_text() {
    let help = run(&["parse", "--help"]).ended(0).out;
    let header = run(&[
        "parse",
        "--format",
        "csv",
        "--catalogue",
        crate::support::small_index(),
    ])
    .ended(0)
    .out;
    let documented = help
        .split("with the columns")
        .nth(1)
        .and_then(|rest| rest.split("Columns up to").next())
        .expect("the help lists columns");
    assert_eq!(
        documented.split_whitespace().collect::<Vec<_>>().join(","),
        header.trim_end()
    );
}

#[test]
fn usage_errors_exit_2_with_a_message() {
    let cases: [&[&str]; 12] = [
        &["parse", "--bad"],
        &["parse", "--format", "xml", "x"],
        &["parse", "--max-suggestions", "0", "x"],
        &["parse", "--max-suggestions", "51", "x"],
        &["parse", "--jobs", "0", "x"],
        &["parse", "--jobs", "two", "x"],
        &["parse", "--input", "titles.txt", "x"],
        &["explain"],
        &["explain", "two", "titles"],
        &["search"],
        &["catalogue", "build", "cards.csv"],
        &["unknown"],
    ];
    for case in cases {
        let ran = run(case).ended(2);
        assert!(ran.err.starts_with("titledex: "), "{case:?}: {}", ran.err);
        assert_eq!(ran.out, "", "{case:?}");
    }
    let ran = run(&[]).ended(2);
    assert!(ran.err.contains("Usage: titledex"), "{}", ran.err);
}

#[test]
fn options_that_do_not_go_together_are_usage_errors() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let answers = folder.path().join("answers.xlsx");
    let answers = answers.to_str().expect("the path is UTF-8");
    let lines = crate::support::fixture("cards.jsonl");
    let cases: [(&[&str], &str); 13] = [
        (&["parse", "--csv-exact", "x"], "--csv-exact is about"),
        (
            &["parse", "--columns", "title", "--format", "table", "x"],
            "--columns is about",
        ),
        (
            &["parse", "--brief", "--format", "pretty", "x"],
            "--brief is about",
        ),
        (&["parse", "--columns", "nosuch", "x"], "no column `nosuch`"),
        (&["parse", "-o", answers, "x"], "workbooks are not written"),
        (
            &["parse", "-i", &lines, "--from", "jsonl", "--delimiter", ";"],
            "has no delimiter",
        ),
        (
            &["parse", "--from", "lines", "--column", "name"],
            "have no columns",
        ),
        (
            &["parse", "-i", &lines, "--resume", "-o", "-"],
            "--resume needs a file",
        ),
        (
            &["parse", "--min-confidence", "-0.1", "x"],
            "a number from 0 to 1",
        ),
        (&["parse", "--jobs", "-1", "x"], "-1"),
        (&["explain", ""], "the title is empty"),
        (&["search", " "], "the query is empty"),
        (&["search", &"x".repeat(5000)], "shorten it"),
    ];
    for (args, said) in cases {
        let ran = run(args).ended(2);
        assert!(ran.err.contains(said), "{args:?}: {}", ran.err);
        assert!(!ran.err.contains("unexpected argument"), "{}", ran.err);
        assert_eq!(ran.out, "", "{args:?}");
    }
    // what the file is, and not how it is called, decides
    let args = ["parse", "-i", &lines, "--delimiter", ";"];
    run(&args).ended(1);
}

#[test]
fn slips_are_answered_as_titles_with_a_hint() {
    let index = crate::support::small_index();
    let file = crate::support::fixture("cards.jsonl");
    let cases: [(&[&str], usize, &str); 4] = [
        (&[&file], 1, "titledex parse --input "),
        (&["no-such-listings.csv"], 1, "titledex parse --input "),
        (&["-"], 1, "for standard input use titledex parse --input -"),
        (&["Charizard", "4/102"], 2, "quote a title"),
    ];
    for (titles, answers, hint) in cases {
        let args = [&["parse", "--catalogue", index], titles].concat();
        let ran = run(&args).ended(0);
        assert_eq!(ran.answers().len(), answers, "{titles:?}");
        assert!(ran.err.contains(hint), "{titles:?}: {}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    }
    let ran = run(&["explain", "--catalogue", index, &file]).ended(0);
    assert!(ran.err.contains("reading the file name"), "{}", ran.err);
    let ran = run(&["explain", "two", "titles"]).ended(2);
    assert!(ran.err.contains("in quotes"), "{}", ran.err);
    let ran = run(&["parse", "--catalogue", index, "Charizard 4/102"]).ended(0);
    assert_eq!(ran.err, "");
}

#[test]
fn missing_files_exit_1_and_are_named() {
    let missing = "/no/such/file";
    let cases: [&[&str]; 8] = [
        &["parse", "--input", missing],
        &["parse", "--catalogue", missing, "x"],
        &["explain", "--catalogue", missing, "x"],
        &["search", "--catalogue", missing, "x"],
        &["catalogue", "info", "--catalogue", missing],
        &["catalogue", "info", missing],
        &["catalogue", "build", missing, "-o", "/tmp/never.index"],
        &["score", missing],
    ];
    for case in cases {
        let ran = run(case).ended(1);
        assert!(
            ran.err.starts_with("titledex: ") && ran.err.contains(missing),
            "{case:?}: {}",
            ran.err
        );
        assert_eq!(ran.err.lines().count(), 1, "{case:?}: {}", ran.err);
    }
    let ran = run(&["parse", "--input", "https://localhost/titles.txt"]).ended(1);
    assert!(ran.err.contains("it is an address"), "{}", ran.err);
    let ran = run(&["parse", "--input", "/"]).ended(1);
    assert!(ran.err.contains("folder"), "{}", ran.err);
}

#[test]
fn closed_output_ends_every_command_quietly() {
    let index = crate::support::small_index();
    let labels = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(labels.path(), "{\"title\":\"x\",\"outcome\":\"lot\"}\n").expect("writable");
    let labels = labels.path().to_str().expect("the path is UTF-8");
    let cases: [&[&str]; 9] = [
        &["--help"],
        &["parse", "--catalogue", index, "x"],
        &["parse", "--catalogue", index, "--format", "json", "x"],
        &["parse", "--catalogue", index, "--format", "table", "x"],
        &["parse", "--catalogue", index, "--format", "csv"],
        &["explain", "--catalogue", index, "Charizard 4/102"],
        &["search", "--catalogue", index, "charizard"],
        &["catalogue", "info", "--catalogue", index],
        &["score", labels, "--catalogue", index],
    ];
    for case in cases {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let child = titledex()
            .args(case)
            .stdin(Stdio::null())
            .stdout(writer)
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let output = child.wait_with_output().expect("the process ends");
        assert_eq!(
            (output.status.code(), output.stderr.as_slice()),
            (Some(0), &b""[..]),
            "{case:?}"
        );
    }
}

#[test]
fn pipe_closed_midway_ends_quietly() {
    let index = crate::support::small_index();
    let input = "1999 Pokemon Base Set Charizard 4/102 Holo PSA 9\n".repeat(20_000);
    for format in ["jsonl", "json", "csv", "table"] {
        let (mut child, feeding) = start_on(
            &["parse", "--catalogue", index, "--format", format],
            input.as_bytes(),
        );
        let mut stdout = child.stdout.take().expect("standard output is piped");
        let mut first = [0; 100];
        std::io::Read::read_exact(&mut stdout, &mut first).expect("some output");
        drop(stdout);
        let output = child.wait_with_output().expect("the process ends");
        feeding.join().expect("feeding ends");
        assert_eq!(
            (
                output.status.code(),
                String::from_utf8_lossy(&output.stderr).as_ref()
            ),
            (Some(0), ""),
            "{format}"
        );
    }
}
