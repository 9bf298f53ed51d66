//! Lists of games in texts for users.

use crate::support::repository;
use std::fs;
use std::ops::Range;
use std::path::Path;
use titledex::Engine;

/// Texts for users that may list games: files, and folders with all that is in them.
const TEXTS: [&str; 12] = [
    "README.md",
    "docs",
    "cli/src",
    "command/src",
    "lab/src",
    "server/src",
    "server/pages",
    "server/openapi.json",
    "python/README.md",
    "python/titledex",
    "wasm/package/README.md",
    "wasm/playground",
];
/// Pages that say which games were measured.
const MEASURED: [&str; 2] = ["ACCURACY.md", "PERFORMANCE.md"];
/// Characters between two games of one list, blanks counted once.
const BETWEEN: usize = 24;

/// The files below a path, with their texts.
fn texts(path: &Path, found: &mut Vec<(String, String)>) {
    if path.is_dir() {
        let mut entries: Vec<_> = fs::read_dir(path)
            .expect("the folder can be read")
            .map(|entry| entry.expect("an entry").path())
            .collect();
        entries.sort();
        entries.iter().for_each(|entry| texts(entry, found));
    } else if let Ok(text) = fs::read_to_string(path)
        && !MEASURED.iter().any(|page| path.ends_with(page))
    {
        found.push((path.display().to_string(), text));
    }
}

/// The places of games in a text, as ids or as names: `yugioh`, `Yu-Gi-Oh!`.
fn games_in<'g>(text: &str, games: &[&'g str]) -> Vec<(Range<usize>, &'g str)> {
    // words in small letters, as far as ids have letters
    let mut words: Vec<(Range<usize>, String)> = Vec::new();
    for (at, letter) in text.char_indices().filter(|(_, c)| c.is_alphanumeric()) {
        let end = at + letter.len_utf8();
        let letter = if letter == 'é' { 'e' } else { letter };
        match words.last_mut() {
            Some((range, word)) if range.end == at => {
                range.end = end;
                word.extend(letter.to_lowercase());
            }
            _ => words.push((at..end, letter.to_lowercase().collect())),
        }
    }
    let mut found: Vec<(Range<usize>, &str)> = Vec::new();
    for at in 0..words.len() {
        let mut joined = String::new();
        for (next, (range, word)) in words[at..].iter().take(3).enumerate() {
            let before = &words[(at + next).saturating_sub(1)].0;
            if next > 0 && !matches!(&text[before.end..range.start], " " | "-") {
                break;
            }
            joined.push_str(word);
            if let Some(game) = games.iter().find(|game| **game == joined) {
                found.push((words[at].0.start..range.end, game));
            }
        }
    }
    found
}

/// A text that lists games lists all of the program: a list with more than half of them is meant to
/// be whole.
#[test]
fn texts_that_list_games_list_all() {
    let catalogue = titledex_embedded::all_games().expect("it opens");
    let engine = Engine::new(catalogue);
    let games = engine.games();
    let mut found = Vec::new();
    for path in TEXTS {
        texts(&repository(path), &mut found);
    }
    let mut whole = 0;
    for (path, text) in &found {
        let mut list: Vec<(Range<usize>, &str)> = Vec::new();
        let mut end_list = |list: &mut Vec<(Range<usize>, &str)>| {
            let missing: Vec<&&str> = games
                .iter()
                .filter(|game| !list.iter().any(|(_, listed)| listed == *game))
                .collect();
            let listed = games.len() - missing.len();
            if listed > games.len() / 2 {
                let (from, to) = (list[0].0.start, list[list.len() - 1].0.end);
                let line = text[..from].matches('\n').count() + 1;
                let said = &text[from..to];
                assert!(
                    missing.is_empty(),
                    "{path}:{line}: `{said}` lacks {missing:?}"
                );
                whole += 1;
            }
            list.clear();
        };
        for (range, game) in games_in(text, &games) {
            if let Some((last, _)) = list.last() {
                let between = &text[last.end.min(range.start)..range.start];
                let between = between
                    .split_whitespace()
                    .map(|word| 1 + word.chars().count());
                if between.sum::<usize>() > BETWEEN {
                    end_list(&mut list);
                }
            }
            list.push((range, game));
        }
        end_list(&mut list);
    }
    assert!(whole > 15, "only {whole} lists were found");
}
