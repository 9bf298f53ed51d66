//! Builds the index of the default catalogue from `tables/`.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use std::path::Path;
use std::{env, fs};

const NAME: &str = "titledex default catalogue, sources of 2026-08-22";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for file in ["tables/cards.csv", "tables/sets.csv"] {
        println!("cargo::rerun-if-changed={file}");
    }
    let cards = fs::read("tables/cards.csv")?;
    let sets = fs::read("tables/sets.csv")?;
    let rows = titledex::build::input::tables(
        ("embedded/tables/cards.csv", &cards),
        ("embedded/tables/sets.csv", &sets),
    )?;
    let index = titledex::build::build(&rows, NAME)?;
    let out = env::var("OUT_DIR")?;
    let out = Path::new(&out);
    fs::write(out.join("default.index"), index)?;
    for (name, table) in [("cards.csv.gz", cards), ("sets.csv.gz", sets)] {
        let mut packed = GzEncoder::new(Vec::new(), Compression::best());
        packed.write_all(&table)?;
        fs::write(out.join(name), packed.finish()?)?;
    }
    Ok(())
}
