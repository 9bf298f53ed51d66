//! Loads the dictionaries, so that the module has them ready.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use titledex::internals::dictionary::{FILES, FIRST_GAME};

fn main() -> Result<(), Box<dyn Error>> {
    // the dictionaries are in the build script itself
    println!("cargo::rerun-if-changed=build.rs");
    // the words of other games would only make the module of the first game's packs larger
    let all = env::var_os("CARGO_FEATURE_GAMES").is_some();
    let own = |path: &str| {
        let folder = path.split('/').next();
        all || [Some("common"), Some(FIRST_GAME)].contains(&folder)
    };
    let files: Vec<_> = FILES
        .iter()
        .copied()
        .filter(|(path, _)| own(path))
        .collect();
    let bytes = titledex::Dictionary::load(&files)?.compile()?;
    fs::write(Path::new(&env::var("OUT_DIR")?).join("dictionary"), bytes)?;
    Ok(())
}
