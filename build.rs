//! Lists the files of `dictionaries/`: a folder that is added there is a game of this build.

use std::error::Error;
use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

/// The files that titles are read by.
const READ: [&str; 15] = [
    "conditions.csv",
    "game.csv",
    "games.csv",
    "grade_labels.csv",
    "grade_phrases.csv",
    "graders.csv",
    "japanese_terms.csv",
    "languages.csv",
    "listing_kinds.csv",
    "name_affixes.csv",
    "noise.csv",
    "number_codes.csv",
    "printings.csv",
    "rarities.csv",
    "sealed.csv",
];
/// The files that only the building of an index reads.
const BUILD: [&str; 9] = [
    "common_words.csv",
    "english_names.csv",
    "misspellings.csv",
    "nicknames.csv",
    "printed_names.csv",
    "printed_numbers.csv",
    "product_words.csv",
    "set_aliases.csv",
    "subjects.csv",
];
/// The files that only a search reads.
const SEARCH: [&str; 1] = ["set_ids.csv"];
/// The row of `game.csv` of the game whose ids stand without the game's.
const PLAIN_IDS: &str = "ids,plain,";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=dictionaries");
    let mut files: Vec<(String, String)> = Vec::new();
    for folder in fs::read_dir("dictionaries")? {
        let folder = folder?;
        if folder.file_type()?.is_dir() {
            for file in fs::read_dir(folder.path())? {
                let names = (
                    file?.file_name().into_string(),
                    folder.file_name().into_string(),
                );
                if let (Ok(name), Ok(folder)) = names {
                    files.push((name, folder));
                }
            }
        }
    }
    // what is alike is read together, whatever its game
    files.sort();
    let out = env::var("OUT_DIR")?;
    let out = Path::new(&out);
    for (list, kinds) in [("read", &READ[..]), ("build", &BUILD), ("search", &SEARCH)] {
        let mut text = String::from("[\n");
        for (name, folder) in files
            .iter()
            .filter(|(name, _)| kinds.contains(&name.as_str()))
        {
            writeln!(
                text,
                "    ({:?}, include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {:?}))),",
                format!("{folder}/{name}"),
                format!("/dictionaries/{folder}/{name}"),
            )?;
        }
        text.push_str("]\n");
        fs::write(out.join(format!("{list}.rs")), text)?;
    }
    let mut first = Vec::new();
    for (name, folder) in files.iter().filter(|(name, _)| name == "game.csv") {
        let text = fs::read_to_string(Path::new("dictionaries").join(folder).join(name))?;
        if text.lines().any(|line| line.starts_with(PLAIN_IDS)) {
            first.push(folder);
        }
    }
    let [first] = first[..] else {
        return Err(
            format!("not one game has the row `{PLAIN_IDS}` in its game.csv: {first:?}").into(),
        );
    };
    fs::write(out.join("first_game.rs"), format!("{first:?}"))?;
    Ok(())
}
