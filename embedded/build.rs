//! Builds the indexes of the default catalogue and of all games from `tables/`, and loads the
//! dictionaries.

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use std::error::Error;
use std::io::{Read, Write};
use std::path::Path;
use std::{env, fs};
use titledex::Dictionary;
use titledex::internals::build::{build, input, rows::Rows};
use titledex::internals::dictionary::FILES;

const NAME: &str = "titledex default catalogue, sources of 2026-08-22";
const ALL_NAME: &str = "titledex catalogue of six games, sources of 2026-08-22";

/// The games beside the first, whose tables are packed.
const GAMES: [&str; 5] = ["digimon", "lorcana", "magic", "onepiece", "yugioh"];

fn main() -> Result<(), Box<dyn Error>> {
    for file in ["tables/cards.csv", "tables/sets.csv"] {
        println!("cargo::rerun-if-changed={file}");
    }
    let cards = fs::read("tables/cards.csv")?;
    let sets = fs::read("tables/sets.csv")?;
    let mut rows = input::tables(
        ("embedded/tables/cards.csv", &cards),
        ("embedded/tables/sets.csv", &sets),
    )?;
    let out = env::var("OUT_DIR")?;
    let out = Path::new(&out);
    fs::write(out.join("dictionary"), Dictionary::load(FILES)?.image()?)?;
    fs::write(out.join("default.index"), build(&rows, NAME)?)?;
    if env::var_os("CARGO_FEATURE_GAMES").is_some() {
        for game in GAMES {
            rows.extend(rows_of(game)?);
        }
        fs::write(out.join("all.index"), build(&rows, ALL_NAME)?)?;
    }
    for (name, table) in [("cards.csv.gz", cards), ("sets.csv.gz", sets)] {
        let mut packed = GzEncoder::new(Vec::new(), Compression::best());
        packed.write_all(&table)?;
        fs::write(out.join(name), packed.finish()?)?;
    }
    Ok(())
}

/// The rows of a game's packed tables.
fn rows_of(game: &str) -> Result<Rows, Box<dyn Error>> {
    let read = |name: &str| -> Result<(String, Vec<u8>), Box<dyn Error>> {
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
