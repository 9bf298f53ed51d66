//! `titledex explain`: a page for people.

use crate::support::{Ran, run, small_index, titledex};

const TITLE: &str = "1999 Pokemon Base Set Charizard #4/102 Holo PSA 9";

fn with_environment(variables: &[(&str, &str)], options: &[&str]) -> Ran {
    let mut command = titledex();
    command
        .args(["explain", "--catalogue", small_index()])
        .args(options)
        .arg(TITLE)
        .envs(variables.iter().copied());
    command.output().expect("the binary runs").into()
}

#[test]
fn the_page_shows_the_title_the_cards_and_the_verdict() {
    let ran = run(&["explain", "--catalogue", small_index(), TITLE]).ended(0);
    let lines: Vec<_> = ran.out.lines().collect();
    assert_eq!(lines[0], TITLE);
    assert!(lines[1].contains("┬───"), "{}", ran.out);
    for text in ["name", "1. Charizard", "base1-4", "█", "runner-up"] {
        assert!(ran.out.contains(text), "no {text} in\n{}", ran.out);
    }
}

#[test]
fn every_page_mentions_the_runner_up() {
    for title in [
        "🔥",
        "Charizard",
        "Charizard 4/102",
        "nothing of the kind",
        "リザードンex 201/165",
    ] {
        let ran = run(&[
            "explain",
            "--max-suggestions",
            "1",
            "--catalogue",
            small_index(),
            title,
        ])
        .ended(0);
        assert!(
            ran.out.contains("runner-up") || ran.out.contains("No card"),
            "{title}:\n{}",
            ran.out
        );
        assert!(!ran.out.contains("\n2. "), "{title}:\n{}", ran.out);
    }
}

#[test]
fn colours_follow_the_option_then_the_environment() {
    let coloured = |variables: &[(&str, &str)], options: &[&str]| {
        with_environment(variables, options)
            .ended(0)
            .out
            .contains('\x1b')
    };
    assert!(!coloured(&[], &[]), "a pipe is not a terminal");
    assert!(coloured(&[("CLICOLOR_FORCE", "1")], &[]));
    assert!(!coloured(
        &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")],
        &[]
    ));
    assert!(coloured(&[("NO_COLOR", "1")], &["--color", "always"]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "1")], &["--color", "never"]));
}

#[test]
fn titles_cannot_move_the_cursor() {
    let ran = run(&[
        "explain",
        "--catalogue",
        small_index(),
        "Charizard\x1b[2J\u{9b}31m\u{202e}\r\n4/102\u{7}",
    ])
    .ended(0);
    assert!(
        !ran.out.contains(|c: char| c.is_control() && c != '\n'),
        "{:?}",
        ran.out
    );
    assert!(!ran.out.contains('\u{202e}'));
}

#[test]
fn too_long_title_is_reported_and_exits_3() {
    let ran = run(&["explain", "--catalogue", small_index(), &"x ".repeat(5_000)]).ended(3);
    assert!(
        ran.err.contains("10000") && ran.err.contains("4096"),
        "{}",
        ran.err
    );
}
