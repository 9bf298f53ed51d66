//! Loads the dictionaries, so that the module has them ready.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    // the dictionaries are in the build script itself
    println!("cargo::rerun-if-changed=build.rs");
    let bytes = titledex::Dictionary::builtin()?.compile()?;
    fs::write(Path::new(&env::var("OUT_DIR")?).join("dictionary"), bytes)?;
    Ok(())
}
