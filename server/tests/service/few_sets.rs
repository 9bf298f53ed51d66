//! A catalogue of a few sets, for tests that need some cards: the default one has fifty thousand,
//! which take seconds to write to a store, and as long to read in every import.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use titledex::internals::build::build;
use titledex::internals::build::rows::{FIRST_GAME, Rows};
use titledex_command::catalogue::{Bound, rows_of};

/// The sets whose cards tests name.
const SETS: [&str; 12] = [
    "base1",
    "base4",
    "ecard1",
    "xy12",
    "swsh7",
    "sv03.5",
    "sv08",
    "asia:S6a",
    "asia:S7R",
    "asia:S8b",
    "asia:SC1a",
    "magic:lea",
];

/// The file of an index of these sets.
pub(crate) fn index() -> PathBuf {
    made("few-sets", &[FIRST_GAME], |_, _, set| SETS.contains(&set))
}

/// The file of an index of these sets, of all cards of One Piece and Digimon, and of the first sets
/// of Lorcana and Yu-Gi-Oh.
#[allow(dead_code, reason = "tests of the service alone have several games")]
pub(crate) fn index_of_games() -> PathBuf {
    let games = [
        FIRST_GAME, "onepiece", "digimon", "lorcana", "magic", "yugioh",
    ];
    made("few-sets-of-games", &games, |game, at, set| match game {
        "onepiece" | "digimon" => true,
        "lorcana" | "yugioh" => at == 0,
        _ => SETS.contains(&set),
    })
}

/// The file of an index of the sets of these games that are wanted, by game, place and id. The
/// first test that needs it makes it; its name has the checksum of the catalogue that it is made
/// from.
fn made(name: &str, games: &[&str], wanted: impl Fn(&str, usize, &str) -> bool) -> PathBuf {
    let checksum: String = titledex_embedded::index_of(games)[24..32]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join(format!("{name}-{}-{checksum}.index", SETS.len()));
    let lock = File::create(folder.join("few-sets.lock")).expect("it can be made");
    lock.lock().expect("it can be locked");
    if file.exists() {
        return file;
    }
    let mut rows = Rows::default();
    for game in games {
        let own = [(*game).to_owned()];
        let mut all = rows_of(&[], None, &own, &file, &Bound::default())
            .unwrap_or_else(|failure| panic!("{failure:?}"));
        let mut at = 0..;
        all.sets
            .retain(|set| wanted(game, at.next().unwrap_or(usize::MAX), &set.id));
        let sets: Vec<&str> = all.sets.iter().map(|set| set.id.as_str()).collect();
        all.cards.retain(|card| sets.contains(&card.set.as_str()));
        rows.extend(all);
    }
    let index = build(&rows, "few sets").expect("they make a catalogue");
    // a test that is killed leaves no half of one
    let new = tempfile::NamedTempFile::new_in(folder).expect("a file can be made");
    fs::write(new.path(), index).expect("it can be written");
    new.persist(&file).expect("it can be moved");
    file
}
