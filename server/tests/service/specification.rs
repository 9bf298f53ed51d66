//! The specification sentence by sentence, in our words, and the tests that hold each; for what it leaves open, what we chose and why.
//! `docs/SPEC-COVERAGE.md` is made of it.

mod chosen;
mod sentences;

use chosen::CHOSEN;
use sentences::SENTENCES;
use std::fmt::Write;

/// Where tests stand.
const SOURCES: &[&str] = &[
    include_str!("accounts.rs"),
    include_str!("authentication.rs"),
    include_str!("credits.rs"),
    include_str!("export.rs"),
    include_str!("hostile.rs"),
    include_str!("market.rs"),
    include_str!("openapi.rs"),
    include_str!("parse_title.rs"),
    include_str!("prices/cards.rs"),
    include_str!("market_sales.rs"),
    include_str!("prices/cost.rs"),
    include_str!("prices/history.rs"),
    include_str!("prices/lists.rs"),
    include_str!("prices/pages.rs"),
    include_str!("prices/population.rs"),
    include_str!("prices/v1.rs"),
    include_str!("../../src/market/export/storage.rs"),
    include_str!("../../src/market/stats.rs"),
    include_str!("../../src/thinning.rs"),
    include_str!("../../../tests/search.rs"),
    include_str!("../../../tests/api_surface.rs"),
    include_str!("../../src/market/grades.rs"),
    include_str!("../../src/routes/charging.rs"),
    include_str!("../../src/routes/market/population.rs"),
];

/// Every test that is named is there.
#[test]
fn each_sentence_has_its_test() {
    let tests = SENTENCES
        .iter()
        .map(|(section, sentence, tests)| (*section, *sentence, *tests));
    let chosen = CHOSEN
        .iter()
        .map(|(section, gap, _, _, tests)| (*section, *gap, *tests));
    for (section, sentence, tests) in tests.chain(chosen) {
        for test in tests {
            let there = SOURCES
                .iter()
                .any(|source| source.contains(&format!("fn {test}(")));
            assert!(there, "{section} {sentence}: there is no test {test}");
        }
    }
    for (section, sentence, tests) in SENTENCES {
        assert!(!tests.is_empty(), "{section} {sentence}: name its test");
    }
}

/// The document says what the tables say; UPDATE=1 writes it.
#[test]
fn the_coverage_document_is_made_of_the_tables() {
    let mut text = String::from(
        "# The specification, sentence by sentence\n\n\
         Made by `UPDATE=1 cargo test -p titledex-server --test service specification` of `server/tests/service/specification/`; a test holds it to them, and\n\
         that each test that is named is there. § is the section of the specification. Sentences are in our words.\n\n\
         ## What it says\n\n| § | sentence | held by |\n|---|---|---|\n",
    );
    let cell = |text: &str| text.replace('|', "\\|");
    let list = |tests: &[&str]| {
        tests
            .iter()
            .map(|test| format!("`{test}`"))
            .collect::<Vec<_>>()
            .join(" ")
    };
    for (section, sentence, tests) in SENTENCES {
        let _ = writeln!(text, "| {section} | {} | {} |", cell(sentence), list(tests));
    }
    text.push_str("\n## What it does not show\n\n| § | open | chosen | why | held by |\n|---|---|---|---|---|\n");
    for (section, gap, choice, why, tests) in CHOSEN {
        let _ = writeln!(
            text,
            "| {section} | {} | {} | {} | {} |",
            cell(gap),
            cell(choice),
            cell(why),
            list(tests)
        );
    }
    let file =
        std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/SPEC-COVERAGE.md");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&file, &text).expect("it can be written");
    }
    let stands = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        stands == text,
        "docs/SPEC-COVERAGE.md is not what the tables make: UPDATE=1 cargo test -p titledex-server --test service specification"
    );
}
