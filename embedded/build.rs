//! Builds the index of the default catalogue from `tables/`.

use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for file in ["tables/cards.csv", "tables/sets.csv"] {
        println!("cargo::rerun-if-changed={file}");
    }
    let cards = fs::read("tables/cards.csv")?;
    let sets = fs::read("tables/sets.csv")?;
    let rows = titledex::catalogue::input::tables(("embedded/tables/cards.csv", &cards), ("embedded/tables/sets.csv", &sets))?;
    let index = titledex::catalogue::build::build(&rows, "titledex default catalogue, sources of 2026-08-22")?;
    fs::write(Path::new(&env::var("OUT_DIR")?).join("default.index"), index)?;
    Ok(())
}
