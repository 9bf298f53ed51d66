//! Builds the indexes of the default catalogue and of all games from `tables/`, and packs for some of
//! the games, and loads the dictionaries.

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use std::error::Error;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, thread};
use titledex::Dictionary;
use titledex::internals::build::{build, input, rows::Rows};
use titledex::internals::dictionary::FILES;
use titledex::internals::pack::{merge, pack};

const NAME: &str = "titledex default catalogue, sources of 2026-08-22";
const ALL_NAME: &str = "titledex catalogue of six games, sources of 2026-08-22";

/// The games beside the first, whose tables are packed.
const GAMES: [&str; 5] = ["digimon", "lorcana", "magic", "onepiece", "yugioh"];

/// Every error ends the build with its message.
type Failure = Box<dyn Error + Send + Sync>;

fn main() -> Result<(), Failure> {
    for file in ["tables/cards.csv", "tables/sets.csv"] {
        println!("cargo::rerun-if-changed={file}");
    }
    let cards = fs::read("tables/cards.csv")?;
    let sets = fs::read("tables/sets.csv")?;
    let rows = input::tables(
        ("embedded/tables/cards.csv", &cards),
        ("embedded/tables/sets.csv", &sets),
    )?;
    let out = env::var("OUT_DIR")?;
    let out = Path::new(&out);
    let first = || -> Result<Vec<u8>, Failure> {
        fs::write(out.join("dictionary"), Dictionary::load(FILES)?.image()?)?;
        let index = build(&rows, NAME)?;
        fs::write(out.join("default.index"), &index)?;
        for (name, table) in [("cards.csv.gz", &cards), ("sets.csv.gz", &sets)] {
            let mut packed = GzEncoder::new(Vec::new(), Compression::best());
            packed.write_all(table)?;
            fs::write(out.join(name), packed.finish()?)?;
        }
        Ok(index)
    };
    if env::var_os("CARGO_FEATURE_GAMES").is_none() {
        return first().map(drop);
    }
    let (first, games) = build_games(first, out)?;
    let indexes = [first].into_iter().chain(games).map(Ok);
    fs::write(out.join("all.index"), merge(indexes, ALL_NAME, Vec::new())?)?;
    Ok(())
}

/// The index of the first game, and those of [`GAMES`] in their order, built on as many threads as
/// cargo runs jobs. Each takes the next game when it is done with one: they are of very different
/// sizes.
fn build_games(
    first: impl FnOnce() -> Result<Vec<u8>, Failure>,
    out: &Path,
) -> Result<(Vec<u8>, Vec<Vec<u8>>), Failure> {
    let next = AtomicUsize::new(0);
    let work = || -> Result<Vec<(usize, Vec<u8>)>, Failure> {
        let mut built = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(game) = GAMES.get(at) else {
                return Ok(built);
            };
            let index = build(&rows_of(game)?, game)?;
            fs::write(out.join(format!("{game}.pack")), pack(&index)?)?;
            built.push((at, index));
        }
    };
    let jobs = env::var("NUM_JOBS").ok().and_then(|jobs| jobs.parse().ok());
    let others = jobs.unwrap_or(1usize).clamp(1, GAMES.len()) - 1;
    thread::scope(|scope| {
        let others: Vec<_> = (0..others).map(|_| scope.spawn(work)).collect();
        let first = first()?;
        let mut built = work()?;
        for other in others {
            built.extend(other.join().map_err(|_| "a thread panicked")??);
        }
        built.sort_by_key(|(at, _)| *at);
        Ok((first, built.into_iter().map(|(_, index)| index).collect()))
    })
}

/// The rows of a game's packed tables.
fn rows_of(game: &str) -> Result<Rows, Failure> {
    let read = |name: &str| -> Result<(String, Vec<u8>), Failure> {
        let path = format!("tables/{game}/{name}.csv.gz");
        println!("cargo::rerun-if-changed={path}");
        let mut table = Vec::new();
        GzDecoder::new(fs::File::open(&path)?).read_to_end(&mut table)?;
        Ok((format!("embedded/{path}"), table))
    };
    let (cards, names, sets) = (read("cards")?, read("names")?, read("sets")?);
    let mut rows = input::tables((&cards.0, &cards.1), (&sets.0, &sets.1))?;
    input::give_names(&names.0, &names.1, &mut rows)?;
    Ok(rows)
}
