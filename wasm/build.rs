//! Loads the dictionaries, so that the module has them ready.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use titledex::internals::dictionary::FILES;

fn main() -> Result<(), Box<dyn Error>> {
    // the dictionaries are in the build script itself
    println!("cargo::rerun-if-changed=build.rs");
    // packs hold the first game: the words of the others would only make the module larger
    let own = |path: &str| {
        ["common/", "pokemon/"]
            .iter()
            .any(|folder| path.starts_with(folder))
    };
    let files: Vec<_> = FILES.into_iter().filter(|(path, _)| own(path)).collect();
    let bytes = titledex::Dictionary::load(&files)?.compile()?;
    fs::write(Path::new(&env::var("OUT_DIR")?).join("dictionary"), bytes)?;
    Ok(())
}
