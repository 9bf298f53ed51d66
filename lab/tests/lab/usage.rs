//! Help and version.

use crate::support::run;

#[test]
fn version_names_the_program() {
    let ran = run(&["--version"]).ended(0);
    assert_eq!(
        ran.out,
        format!("titledex-lab {}\n", env!("CARGO_PKG_VERSION"))
    );
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
fn commands_show_examples() {
    for command in [
        &["train"][..],
        &["held-out"],
        &["corpus"],
        &["corpus", "fit"],
        &["corpus", "generate"],
        &["catalogue", "tables"],
    ] {
        let ran = run(&[command, &["--help"]].concat()).ended(0);
        assert!(ran.out.contains("Example"), "{command:?}:\n{}", ran.out);
    }
}

#[test]
fn messages_begin_with_the_name_of_the_program() {
    let ran = run(&["train"]).ended(2);
    assert!(ran.err.starts_with("titledex-lab: "), "{}", ran.err);
}
