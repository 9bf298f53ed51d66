//! Slips of the command line that are answered as they stand: a file's name, or the words of a title
//! without quotes, read as titles. Each gets a hint on standard error.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use titledex_command::files;
use titledex_command::source::Kind;

/// What was probably meant by `titles`, if it was something else. `input` is what reads a file:
/// `titledex parse --input`.
pub(crate) fn hint(titles: &[OsString], input: &str) -> Option<String> {
    if titles.iter().any(|title| title == "-") {
        return Some(format!(
            "reading `-` as a title; for standard input use {input} -"
        ));
    }
    let file = |title: &&OsString| Path::new(title).is_file();
    if let Some(path) = titles.iter().find(file) {
        let name = files::name(Path::new(path));
        return Some(format!(
            "reading the file name `{name}` as a title; to read the file use {input} {name}"
        ));
    }
    if let Some(path) = titles.iter().find(|title| is_file_name(title)) {
        let name = files::name(Path::new(path));
        return Some(format!(
            "reading `{name}` as a title; for a file use {input} (no such file here)"
        ));
    }
    let words = titles.len();
    let word = |title: &OsString| {
        title
            .to_str()
            .is_some_and(|text| text.is_ascii() && !text.contains(' '))
    };
    (words > 1 && titles.iter().all(word)).then(|| {
        format!("reading {words} words as {words} titles; quote a title to have it read as one")
    })
}

/// Whether a title looks like the name of a file of rows or lines.
fn is_file_name(title: &OsStr) -> bool {
    let lines = || Path::new(title).extension().is_some_and(|end| end == "txt");
    let spaced = title.to_string_lossy().contains(char::is_whitespace);
    !spaced && (Kind::named(Path::new(title)).is_some() || lines())
}

#[cfg(test)]
mod tests {
    use super::hint;
    use std::ffi::OsString;

    fn hinted(titles: &[&str]) -> Option<String> {
        let titles: Vec<OsString> = titles.iter().map(OsString::from).collect();
        hint(&titles, "titledex parse --input")
    }

    #[test]
    fn names_of_files_and_loose_words_are_hinted_at() {
        for (titles, says) in [
            (&["Cargo.toml"][..], "titledex parse --input Cargo.toml"),
            (&["Charizard 4/102", "Cargo.toml"], "the file name"),
            (&["no-such-listings.csv"], "no such file"),
            (&["no-such-titles.txt"], "no such file"),
            (&["no-such.jsonl.gz"], "no such file"),
            (&["-"], "--input -"),
            (&["Charizard", "4/102", "Holo"], "3 words"),
        ] {
            let hint = hinted(titles).unwrap_or_else(|| panic!("no hint for {titles:?}"));
            assert!(hint.contains(says), "{hint}");
        }
    }

    #[test]
    fn titles_are_left_alone() {
        for titles in [
            &["Charizard"][..],
            &["Charizard 4/102", "Pikachu"],
            &["リザードンex", "ピカチュウ"],
            &["Pokemon lot see listings.csv"],
            &["Mr. Mime"],
            &["Base Set vol.2"],
            &[""],
            &["."],
        ] {
            assert_eq!(hinted(titles), None, "{titles:?}");
        }
    }
}
