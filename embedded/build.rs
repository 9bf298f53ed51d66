//! Builds the indexes of the default catalogue and of all games from `tables/`, and a pack for each
//! game beside the first, and loads the dictionaries. A folder in `tables/` is such a game.

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use std::error::Error;
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, thread};
use titledex::Dictionary;
use titledex::internals::build::{build, input, rows::Rows};
use titledex::internals::dictionary::FILES;
use titledex::internals::pack::{merge, pack};

/// The day of the sources that the tables are made from.
const SOURCES: &str = "2026-08-22";

/// The files of a game's folder in `tables/`.
const TABLES: [&str; 3] = ["cards", "names", "sets"];

/// Every error ends the build with its message.
type Failure = Box<dyn Error + Send + Sync>;

fn main() -> Result<(), Failure> {
    println!("cargo::rerun-if-changed=tables");
    println!("cargo::rustc-env=SOURCES={SOURCES}");
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
        let name = format!("titledex default catalogue, sources of {SOURCES}");
        let index = build(&rows, &name)?;
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
    let games = games()?;
    write_lists(&games, out)?;
    let (first, indexes) = build_games(first, &games, out)?;
    let name = format!("titledex catalogue of all games, sources of {SOURCES}");
    let indexes = [first].into_iter().chain(indexes).map(Ok);
    fs::write(out.join("all.index"), merge(indexes, &name, Vec::new())?)?;
    Ok(())
}

/// The games beside the first, whose packed tables are in folders of their own, by their ids.
fn games() -> Result<Vec<String>, Failure> {
    let mut games = Vec::new();
    for entry in fs::read_dir("tables")? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            let name = entry.file_name().into_string();
            games.push(name.map_err(|name| format!("tables/{}: no id", name.display()))?);
        }
    }
    games.sort();
    Ok(games)
}

/// Writes the lists of the games' tables and packs that `src/lib.rs` includes.
fn write_lists(games: &[String], out: &Path) -> Result<(), Failure> {
    let (mut tables, mut packs) = (String::from("["), String::from("["));
    for game in games {
        write!(tables, "({game:?}, [")?;
        for table in TABLES {
            let path = format!("/tables/{game}/{table}.csv.gz");
            let place = "env!(\"CARGO_MANIFEST_DIR\")";
            write!(tables, "include_bytes!(concat!({place}, {path:?})), ")?;
        }
        tables.push_str("]),\n");
        let path = format!("/{game}.pack");
        writeln!(
            packs,
            "({game:?}, include_bytes!(concat!(env!(\"OUT_DIR\"), {path:?}))),"
        )?;
    }
    fs::write(out.join("game_tables.rs"), tables + "]")?;
    fs::write(out.join("packs.rs"), packs + "]")?;
    Ok(())
}

/// The index of the first game, and those of `games` in their order, built on as many threads as
/// cargo runs jobs. Each takes the next game when it is done with one: they are of very different
/// sizes.
fn build_games(
    first: impl FnOnce() -> Result<Vec<u8>, Failure>,
    games: &[String],
    out: &Path,
) -> Result<(Vec<u8>, Vec<Vec<u8>>), Failure> {
    let next = AtomicUsize::new(0);
    let work = || -> Result<Vec<(usize, Vec<u8>)>, Failure> {
        let mut built = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(game) = games.get(at) else {
                return Ok(built);
            };
            let index = build(&rows_of(game)?, game)?;
            fs::write(out.join(format!("{game}.pack")), pack(&index)?)?;
            built.push((at, index));
        }
    };
    let jobs = env::var("NUM_JOBS").ok().and_then(|jobs| jobs.parse().ok());
    let others = jobs.unwrap_or(1usize).clamp(1, games.len().max(1)) - 1;
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
        let mut table = Vec::new();
        GzDecoder::new(fs::File::open(&path)?).read_to_end(&mut table)?;
        Ok((format!("embedded/{path}"), table))
    };
    let [cards, names, sets] = TABLES.map(read);
    let (cards, names, sets) = (cards?, names?, sets?);
    let mut rows = input::tables((&cards.0, &cards.1), (&sets.0, &sets.1))?;
    input::give_names(&names.0, &names.1, &mut rows)?;
    Ok(rows)
}
