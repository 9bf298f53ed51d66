//! Lists the files of `dictionaries/`: a folder that is added there is a game of this build. Writes what
//! characters decompose into, their small letters, the lists of words that rules ask for, forms of
//! names, and the tables that are read at run time, without their notes.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};
use unicode_normalization::char::decompose_compatible;

/// The files that titles are read by.
const READ: [&str; 16] = [
    "conditions.csv",
    "game.csv",
    "game_codes.csv",
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
/// The tables that are read at run time, each by a module of its own.
const TABLES: [&str; 7] = [
    "outcome_weights.csv",
    "weights.csv",
    "common/companions.csv",
    "common/confusions.csv",
    "common/printing_labels.csv",
    "common/search_words.csv",
    "common/units.csv",
];
/// The row of `game.csv` of the game whose ids stand without the game's.
const PLAIN_IDS: &str = "ids,plain,";

/// The file of a folder with forms of names that sellers write otherwise, and its columns.
const NAME_FORMS: &str = "name_forms.csv";
const FORM_COLUMNS: &str = "form,becomes,note";
/// What may stand at a place of a form.
const SLOTS: [(&str, &str); 4] = [
    ("name", "Name"),
    ("word", "Word"),
    ("phrase", "Phrase"),
    ("number", "Number"),
];
/// A form has at most so many places.
const MOST_SLOTS: usize = 2;

/// The file of each folder with lists of words that rules ask for, and its columns.
const WORD_LISTS: &str = "word_lists.csv";
const LIST_COLUMNS: &str = "canonical,words,note";

/// Marks on letters, which folding drops.
const MARKS: std::ops::RangeInclusive<char> = '\u{300}'..='\u{36f}';
/// Hangul syllables are put together by a rule.
const HANGUL: std::ops::RangeInclusive<char> = '\u{ac00}'..='\u{d7a3}';

/// The compatibility decompositions of Unicode, as `src/normalise/decompose.rs` reads them.
fn decompositions() -> Result<String, Box<dyn Error>> {
    let (mut text, mut before) = (String::new(), 0);
    for c in ('\u{80}'..=char::MAX).filter(|c| !HANGUL.contains(c)) {
        let mut pieces = String::new();
        decompose_compatible(c, |piece| {
            if pieces.is_empty() || !MARKS.contains(&piece) {
                pieces.push(piece);
            }
        });
        if pieces.chars().eq([c]) {
            continue;
        }
        for number in [c as u32 - before, pieces.chars().count() as u32] {
            let number = char::from_u32(number);
            text.push(number.ok_or_else(|| format!("{c:?}: a number is no character"))?);
        }
        text.push_str(&pieces);
        before = c as u32;
    }
    Ok(text)
}

/// Capitals beyond ASCII that stand in a row, as `src/normalise/lower.rs` includes them: the first
/// and the last, the step from one to the next, and the step from each to its small letter.
fn small_letters() -> String {
    let mut runs: Vec<[i64; 4]> = Vec::new();
    for c in '\u{80}'..=char::MAX {
        let small = c.to_lowercase().find(|small| !MARKS.contains(small));
        let (at, to) = (i64::from(c as u32), small.unwrap_or(c) as i64);
        if to == at {
            continue;
        }
        match runs.last_mut() {
            Some([first, last, step, add])
                if *add == to - at
                    && (1..=2).contains(&(at - *last))
                    && (*first == *last || *step == at - *last) =>
            {
                (*step, *last) = (at - *last, at);
            }
            _ => runs.push([at, at, 1, to - at]),
        }
    }
    format!("{runs:?}")
}

/// The rows of a file with three columns, of which the last is a note.
fn rows(file: &Path, columns: &str) -> Result<Vec<[String; 3]>, Box<dyn Error>> {
    let text = fs::read_to_string(file)?;
    let mut lines = text.lines();
    if lines.next() != Some(columns) {
        return Err(format!("{}: the columns are not {columns}", file.display()).into());
    }
    let row = |line: &str| {
        let cells: Vec<String> = line.splitn(3, ',').map(str::to_owned).collect();
        <[String; 3]>::try_from(cells)
            .map_err(|_| format!("{}: `{line}` is no row", file.display()).into())
    };
    lines.map(row).collect()
}

/// A table with its notes, the last column, empty: nobody reads them at run time.
fn without_notes(text: &str) -> Result<String, &'static str> {
    let mut lines = text.lines();
    let header = lines.next().filter(|header| header.ends_with(",note"));
    let mut all = format!("{}\n", header.ok_or("the last column is not `note`")?);
    for line in lines {
        let (mut quoted, mut end) = (false, 0);
        for (at, byte) in line.bytes().enumerate() {
            match byte {
                b'"' => quoted = !quoted,
                b',' if !quoted => end = at + 1,
                _ => {}
            }
        }
        if quoted {
            return Err("a cell goes on in the next line");
        }
        all.push_str(&line[..end]);
        all.push('\n');
    }
    Ok(all)
}

/// The forms of names as a constant, as `src/derive/forms.rs` includes it.
fn name_forms(folders: impl Iterator<Item = PathBuf>) -> Result<String, Box<dyn Error>> {
    let mut text = String::from("const NAME_FORMS: &[Form] = &[\n");
    for folder in folders {
        let file = folder.join(NAME_FORMS);
        for [form, becomes, _] in rows(&file, FORM_COLUMNS)? {
            let wrong = |what: &str| format!("{}: `{form}`: {what}", file.display());
            let mut pieces = form.split('{');
            let begins = pieces.next().unwrap_or_default();
            let mut slots = String::new();
            let mut count = 0;
            for piece in pieces {
                let (slot, end) = piece
                    .split_once('}')
                    .ok_or_else(|| wrong("a `{` stays open"))?;
                let known = SLOTS.iter().find(|(name, _)| *name == slot);
                let (_, slot) = known.ok_or_else(|| wrong("a place of an unknown kind"))?;
                write!(slots, "(Slot::{slot}, {end:?}), ")?;
                count += 1;
            }
            if !(1..=MOST_SLOTS).contains(&count) {
                return Err(wrong("no place, or too many").into());
            }
            let becomes: Vec<&str> = becomes.split('|').collect();
            writeln!(
                text,
                "    Form {{ begins: {begins:?}, slots: &[{slots}], becomes: &{becomes:?} }},"
            )?;
        }
    }
    text.push_str("];\n");
    Ok(text)
}

/// The folder of what holds in all games.
const COMMON: &str = "common";

/// The words of a list, by the folders that have them.
type Words = BTreeMap<String, Vec<String>>;

/// The lists of words as constants, as `src/word_lists.rs` includes them: words, or, of a list that a
/// game's folder has, words by the game, none for those of all games.
fn word_lists(folders: impl Iterator<Item = PathBuf>) -> Result<String, Box<dyn Error>> {
    let mut lists: BTreeMap<String, (String, Words)> = BTreeMap::new();
    for folder in folders {
        let file = folder.join(WORD_LISTS);
        let game = folder.file_name().and_then(|name| name.to_str());
        let game = game.filter(|&name| name != COMMON).unwrap_or_default();
        for [name, words, note] in rows(&file, LIST_COLUMNS)? {
            let note = note.trim_matches('"').replace("\"\"", "\"");
            let list = lists
                .entry(name.to_ascii_uppercase())
                .or_insert((note, Words::new()));
            let of_game = list.1.entry(game.to_owned()).or_default();
            of_game.extend(words.split('|').map(str::to_owned));
        }
    }
    let mut text = String::new();
    for (name, (note, words)) in lists {
        let all = words.get("").filter(|_| words.len() == 1);
        let (of, list) = match all {
            Some(words) => ("&[&str]", format!("&{words:?}")),
            None => {
                let games = words
                    .iter()
                    .map(|(game, words)| format!("({game:?}, &{words:?})"));
                let games: Vec<String> = games.collect();
                ("ByGame", format!("&[{}]", games.join(", ")))
            }
        };
        writeln!(text, "/// {note}\npub(crate) const {name}: {of} = {list};")?;
    }
    Ok(text)
}

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
    let folders = |file: &'static str| {
        let listed = files.iter().filter(move |(name, _)| name == file);
        listed.map(|(_, folder)| Path::new("dictionaries").join(folder))
    };
    fs::write(out.join("word_lists.rs"), word_lists(folders(WORD_LISTS))?)?;
    fs::write(out.join("name_forms.rs"), name_forms(folders(NAME_FORMS))?)?;
    fs::write(out.join("decompositions.txt"), decompositions()?)?;
    fs::write(out.join("small_letters.rs"), small_letters())?;
    for table in TABLES {
        let file = Path::new("dictionaries").join(table);
        let text = without_notes(&fs::read_to_string(&file)?);
        let text = text.map_err(|what| format!("{}: {what}", file.display()))?;
        let name = file.file_name().ok_or("a table without a name")?;
        fs::write(out.join(name), text)?;
    }
    Ok(())
}
