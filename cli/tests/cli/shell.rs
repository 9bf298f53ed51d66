//! `titledex completions` and `titledex man`.

use crate::support::{Ran, run};
use std::process::Command;

#[test]
fn completions_name_commands_and_options() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = run(&["completions", shell]).ended(0).out;
        for word in ["catalogue", "search", "min-confidence", "delimiter"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    run(&["completions", "csh"]).ended(2);
}

#[cfg(unix)]
#[test]
fn bash_completes_a_command_and_its_values() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("titledex.bash");
    std::fs::write(&path, run(&["completions", "bash"]).ended(0).out).expect("writable");
    let complete = |words: &[&str]| {
        let script = format!(
            ". {}; COMP_WORDS=({}); COMP_CWORD={}; _titledex titledex '{}' '{}'; echo \"${{COMPREPLY[*]}}\"",
            path.display(),
            words.join(" "),
            words.len() - 1,
            words[words.len() - 1],
            words[words.len() - 2],
        );
        let output = Command::new("bash").args(["-c", &script]).output();
        Ran::from(output.expect("bash runs")).ended(0).out
    };
    assert_eq!(complete(&["titledex", "sea"]).trim(), "search");
    assert_eq!(
        complete(&["titledex", "parse", "--format", "par"]).trim(),
        "parquet"
    );
}

#[test]
fn each_command_has_a_page() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let pages = folder.path().join("man1");
    let ran = run(&["man", pages.to_str().expect("UTF-8")]).ended(0);
    for name in [
        "titledex",
        "titledex-parse",
        "titledex-search",
        "titledex-catalogue",
        "titledex-catalogue-build",
    ] {
        let page = std::fs::read_to_string(pages.join(format!("{name}.1"))).expect("written");
        assert!(page.contains(".TH") && page.contains(name), "{name}");
    }
    let page = std::fs::read_to_string(pages.join("titledex-parse.1")).expect("written");
    assert!(
        page.contains("min\\-confidence") && page.contains("Examples:"),
        "{page}"
    );
    let count = std::fs::read_dir(&pages).expect("readable").count();
    assert!(ran.err.contains(&format!("{count} pages")), "{}", ran.err);
}
