//! The rows that name sets, cards, rarities, grades and names: what they name exists.

use super::support::{engine, list, read, root, rows, small_rows};
use super::{file, files, none};
use flate2::read::GzDecoder;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use titledex::internals::build::{self, rows::CardRow, vocabulary::Vocabulary};
use titledex::internals::token::key_of;
use titledex::{Dictionary, GradeValue, Options, OutcomeWeights, Scratch, Weights};

#[test]
fn named_sets_and_cards_exist() {
    let cards = rows();
    let sets: BTreeSet<&str> = cards
        .sets
        .iter()
        .map(|set| set.id.as_str())
        .chain(cards.cards.iter().map(|card| card.set.as_str()))
        .collect();
    let plain = |number: &str| number.trim_start_matches('0').to_uppercase();
    let places: BTreeSet<(&str, String)> = cards
        .cards
        .iter()
        .map(|card| (card.set.as_str(), plain(&card.number)))
        .collect();
    let ids: BTreeSet<&str> = cards.cards.iter().map(|card| card.id.as_str()).collect();
    let mut wrong = Vec::new();
    let series: BTreeSet<String> = cards
        .sets
        .iter()
        .map(|set| format!("series:{}", set.series))
        .collect();
    for row in file("set_aliases.csv")
        .rows
        .iter()
        .filter(|row| !sets.contains(row[0].as_str()) && !series.contains(&row[0]))
    {
        wrong.push(format!("set_aliases.csv: no set `{}` ({})", row[0], row[1]));
    }
    let nicknames = file("nicknames.csv");
    for row in &nicknames.rows {
        let (set, number) = (nicknames.cell(row, "set"), nicknames.cell(row, "number"));
        match (set.is_empty(), number.is_empty()) {
            (true, true) if nicknames.cell(row, "name").is_empty() => {
                wrong.push(format!("nicknames.csv: `{}` names nothing", row[0]))
            }
            (true, true) => {}
            (false, _) if !sets.contains(set) => {
                wrong.push(format!("nicknames.csv: `{}`: no set `{set}`", row[0]))
            }
            (false, false)
                if !places.contains(&(set, plain(number)))
                    && !ids.contains(format!("{set}-{number}").as_str()) =>
            {
                wrong.push(format!(
                    "nicknames.csv: `{}`: set `{set}` has no card `{number}`",
                    row[0]
                ));
            }
            (true, false) => wrong.push(format!(
                "nicknames.csv: `{}`: a number without a set",
                row[0]
            )),
            _ => {}
        }
    }
    for row in &file("printed_numbers.csv").rows {
        let known = if row[1].is_empty() { &sets } else { &ids };
        if !known.contains(row[0].as_str()) {
            wrong.push(format!("printed_numbers.csv: nothing called `{}`", row[0]));
        }
    }
    none("dead references", wrong);
}

/// The ids of a game's sets and `series:` with their series, from its embedded table.
fn sets_of(game: &str) -> BTreeSet<String> {
    let path = root().join(format!("embedded/tables/{game}/sets.csv.gz"));
    let table = fs::File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut table = csv::Reader::from_reader(GzDecoder::new(table));
    let columns = table.headers().expect("the table has a header").clone();
    let place = |name| columns.iter().position(|column| column == name);
    let [id, series] = ["id", "series"].map(|name| place(name).expect("the table has the column"));
    let sets = table.records().flat_map(|record| {
        let record = record.expect("the table is well formed");
        [record[id].to_owned(), format!("series:{}", &record[series])]
    });
    sets.collect()
}

#[test]
fn named_sets_of_other_games_exist() {
    let mut wrong = Vec::new();
    for file in files() {
        let (game, column) = match file.name.split_once('/') {
            Some((game, "set_aliases.csv")) => (game, "canonical"),
            Some((game, "nicknames.csv")) => (game, "set"),
            _ => continue,
        };
        let sets = sets_of(game);
        let named = file.rows.iter().map(|row| file.cell(row, column));
        let missing = named
            .flat_map(|sets| sets.split('|'))
            .filter(|set| !set.is_empty() && !sets.contains(*set));
        wrong.extend(missing.map(|set| format!("{}: no set `{set}`", file.name)));
    }
    none("dead references of other games", wrong);
}

#[test]
fn nicknames_name_the_stated_card() {
    let cards = rows();
    let nicknames = file("nicknames.csv");
    let plain = |number: &str| number.trim_start_matches('0').to_uppercase();
    let mut names: BTreeMap<(&str, String), Vec<&CardRow>> = BTreeMap::new();
    for card in &cards.cards {
        names
            .entry((card.set.as_str(), plain(&card.number)))
            .or_default()
            .push(card);
    }
    let mut wrong = Vec::new();
    for row in &nicknames.rows {
        let (set, number, name) = (
            nicknames.cell(row, "set"),
            nicknames.cell(row, "number"),
            nicknames.cell(row, "name"),
        );
        let Some(cards) = names
            .get(&(set, plain(number)))
            .filter(|_| !number.is_empty())
        else {
            continue;
        };
        let of = |card: &CardRow| {
            card.names
                .iter()
                .map(|n| n.1.as_str())
                .chain([card.english.as_str()])
                .any(|n| key_of(n) == key_of(name))
        };
        if !cards.iter().any(|card| of(card)) {
            let found: Vec<&str> = cards
                .iter()
                .flat_map(|c| c.names.first())
                .map(|n| n.1.as_str())
                .collect();
            wrong.push(format!(
                "nicknames.csv: `{}`: {set} {number} is `{}`, not `{name}` as in the row",
                row[0],
                found.join("`, `")
            ));
        }
    }
    none("nicknames of other cards", wrong);
}

#[test]
fn rarities_are_those_of_the_catalogue() {
    let known: BTreeSet<&str> = rows()
        .cards
        .iter()
        .flat_map(|card| [card.rarity.as_str(), card.mark.as_str()])
        .collect();
    let rarities = file("rarities.csv");
    let mut wrong = Vec::new();
    for row in &rarities.rows {
        for rarity in list(rarities.cell(row, "catalogue")).filter(|rarity| !known.contains(rarity))
        {
            wrong.push(format!(
                "rarities.csv: `{}`: the catalogue has no rarity `{rarity}`",
                row[0]
            ));
        }
    }
    none("dead references", wrong);
}

/// A list of kinds, products, rarities or treatments that names none there would silently hold
/// nothing.
#[test]
fn lists_of_canonical_names_name_rows() {
    let owners = [
        // what the catalogue calls rarities, and their marks
        ("art_", &["rarities.csv"][..], Some("catalogue")),
        ("asked_", &["printings.csv", "rarities.csv"], None),
        ("goods_", &["listing_kinds.csv"], None),
        ("kinds_", &["listing_kinds.csv"], None),
        ("products_", &["sealed.csv"], None),
        ("rarities_", &["rarities.csv"], None),
        ("rarity_parts_", &["rarities.csv"], None),
        ("stamps_", &["printings.csv"], None),
        ("treatments_", &["printings.csv"], None),
    ];
    let lists: Vec<_> = files()
        .iter()
        .filter(|file| file.name == "word_lists.csv")
        .collect();
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for row in lists.iter().flat_map(|file| &file.rows) {
        let owner = owners.iter().find(|(begin, ..)| row[0].starts_with(begin));
        let Some((begin, owner, column)) = owner else {
            continue;
        };
        let owners = files().iter().filter(|file| owner.contains(&&*file.name));
        let known: BTreeSet<&str> = owners
            .flat_map(|file| {
                let rows = file.rows.iter();
                rows.flat_map(|row| list(column.map_or(&row[0], |column| file.cell(row, column))))
            })
            .collect();
        let parts = *begin == "rarity_parts_";
        for word in list(&row[1]) {
            compared += 1;
            let is_part = || parts && known.iter().any(|name| name.contains(word));
            if !known.contains(word) && !is_part() {
                wrong.push(format!(
                    "word_lists.csv: `{}`: {} has no `{word}`",
                    row[0],
                    owner.join(" or ")
                ));
            }
        }
    }
    assert!(compared > 20, "{compared} names were compared");
    none("dead references", wrong);
}

#[test]
fn codes_of_other_games_are_of_games_that_are_named() {
    let games = file("games.csv");
    let games: BTreeSet<&str> = games
        .rows
        .iter()
        .filter(|row| games.cell(row, "kind") == "game")
        .map(|row| row[0].as_str())
        .collect();
    let codes = file("game_codes.csv");
    let unknown = codes
        .rows
        .iter()
        .filter(|row| !games.contains(row[0].as_str()));
    let wrong = unknown.map(|row| format!("game_codes.csv: games.csv has no game `{}`", row[0]));
    none("dead references", wrong.collect());
}

#[test]
fn grades_are_on_a_scale() {
    let mut wrong = Vec::new();
    let graders = file("graders.csv");
    let mut scales: BTreeMap<&str, (&str, &str)> = BTreeMap::new();
    let mut given: BTreeSet<u8> = BTreeSet::new();
    for row in &graders.rows {
        let (code, scale) = (graders.cell(row, "code"), graders.cell(row, "scale"));
        if !["", "GRADER_A", "GRADER_B", "GRADER_C", "GRADER_D"].contains(&code) {
            wrong.push(format!("graders.csv: `{}`: no code `{code}`", row[0]));
        }
        for value in list(scale) {
            match GradeValue::parse(value) {
                Some(value) => drop(given.insert(value.halves())),
                None => wrong.push(format!(
                    "graders.csv: `{}`: `{value}` is not a grade",
                    row[0]
                )),
            }
        }
        if *scales.entry(&row[0]).or_insert((code, scale)) != (code, scale) {
            wrong.push(format!(
                "graders.csv: two rows of `{}` have different codes or scales",
                row[0]
            ));
        }
    }
    let labels = file("grade_labels.csv");
    for row in &labels.rows {
        let value = labels.cell(row, "value");
        if !value.is_empty()
            && !GradeValue::parse(value).is_some_and(|v| given.contains(&v.halves()))
        {
            wrong.push(format!(
                "grade_labels.csv: `{}`: no grader gives `{value}`",
                row[0]
            ));
        }
    }
    none("grades", wrong);
}

#[test]
fn misspellings_are_not_names_of_other_cards() {
    let misspellings = file("misspellings.csv");
    // each name as written, and its owner: subjects by number, other cards by English name
    let mut names: BTreeMap<String, (String, BTreeSet<String>)> = BTreeMap::new();
    let mut add = |name: &str, whose: String| {
        if !name.is_empty() {
            names
                .entry(key_of(name))
                .or_insert_with(|| (name.to_owned(), BTreeSet::new()))
                .1
                .insert(whose);
        }
    };
    for card in &rows().cards {
        let english = card
            .names
            .iter()
            .find(|n| n.0 == "en")
            .map_or(card.english.as_str(), |n| n.1.as_str());
        let whose = if card.subjects.is_empty() {
            key_of(english)
        } else {
            format!("{:?}", card.subjects)
        };
        for name in card
            .names
            .iter()
            .map(|n| n.1.as_str())
            .chain([card.english.as_str()])
        {
            add(name, whose.clone());
        }
    }
    for row in &file("subjects.csv").rows {
        for name in &row[1..] {
            add(name, format!("[{}]", row[0]));
        }
    }
    let mut wrong = Vec::new();
    for row in &misspellings.rows {
        let own = names.get(&key_of(&row[0])).map(|n| &n.1);
        for (alias, key) in misspellings.aliases(row) {
            if key == key_of(&row[0]) {
                wrong.push(format!(
                    "misspellings.csv: `{alias}` is `{}` after folding: the alias is dead",
                    row[0]
                ));
            } else if let Some((name, whose)) = names.get(&key)
                && own.is_none_or(|own| own.intersection(whose).next().is_none())
            {
                wrong.push(format!(
                    "misspellings.csv: `{alias}` of `{}` is the real name `{name}` of another card",
                    row[0]
                ));
            }
        }
    }
    none("misspellings", wrong);
}

/// Files that only the folders of this build can have, `common/` among them.
const OF_BUILT_IN_GAMES: [&str; 3] = ["name_forms.csv", "set_ids.csv", "word_lists.csv"];
/// Files that are read at one place alone.
const READ_BY_THEIR_PATH: [&str; 9] = [
    "common/ambiguous.csv",
    "common/companions.csv",
    "common/confusions.csv",
    "common/printing_labels.csv",
    "common/sales.csv",
    "common/search_words.csv",
    "common/units.csv",
    "outcome_weights.csv",
    "weights.csv",
];

#[test]
fn readme_says_which_folders_can_have_a_file() {
    let readme = read("dictionaries/README.md");
    let row = |of: &str| -> BTreeSet<String> {
        let begin = format!("| {of} | ");
        let mut rows = readme.lines().filter_map(|line| line.strip_prefix(&begin));
        let files = rows
            .next()
            .unwrap_or_else(|| panic!("the README has no `{of}`"));
        let names = files.split('`').skip(1).step_by(2);
        names.map(str::to_owned).collect()
    };
    let base = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let read = titledex::internals::dictionary::FILES.iter();
    let read = read.chain(titledex::internals::build::vocabulary::FILES);
    let any: BTreeSet<String> = read.map(|(path, _)| base(path)).collect();
    assert_eq!(row("any game, also one of your own, and `common/`"), any);
    let built_in = OF_BUILT_IN_GAMES.map(str::to_owned);
    assert_eq!(
        row("a game that is built in, and `common/`"),
        BTreeSet::from(built_in)
    );
    let (common, here): (Vec<&str>, Vec<&str>) = READ_BY_THEIR_PATH
        .iter()
        .partition(|path| path.starts_with("common/"));
    let names = |paths: Vec<&str>| paths.into_iter().map(base).collect::<BTreeSet<_>>();
    assert_eq!(row("`common/` alone"), names(common));
    assert_eq!(row("this one"), names(here));
}

/// The tables of words that a column can have: what the README lists, rows use, and messages name.
#[test]
fn readme_lists_the_words_of_columns() {
    let readme = read("dictionaries/README.md");
    let mut tables: BTreeMap<(&str, &str), BTreeSet<&str>> = BTreeMap::new();
    for section in readme.split("\n### `").skip(1) {
        let section = section.split("\n## ").next().unwrap_or_default();
        let (heading, table) = section.split_once("`\n").expect("a heading ends its line");
        let (column, file) = heading.split_once("` of `").expect("a column of a file");
        let words = table.lines().filter_map(|line| line.strip_prefix("| `"));
        let words = words.filter_map(|line| line.split('`').next());
        tables.insert((file, column), words.collect());
    }
    assert!(tables.len() >= 6, "{} tables are there", tables.len());
    for (&(name, column), stated) in &tables {
        let of = files()
            .iter()
            .filter(|file| file.path.ends_with(&format!("/{name}")));
        let of: Vec<_> = of.collect();
        let rows = of
            .iter()
            .flat_map(|file| file.rows.iter().map(|row| file.cell(row, column)));
        let used: BTreeSet<&str> = rows.collect();
        assert_eq!(*stated, used, "{column} of {name}");
        // the message for an unknown word
        let first = of.first().expect("a file has that name");
        let mut broken = first.rows[0].clone();
        broken[first.column(column).expect("it has the column")] = "no such".to_owned();
        let text = format!("{}\n{}\n", first.columns.join(","), broken.join(","));
        let all = titledex::internals::dictionary::FILES.iter();
        let all: Vec<(&str, &str)> = all
            .map(|&(path, own)| {
                (
                    path,
                    if path == first.path {
                        text.as_str()
                    } else {
                        own
                    },
                )
            })
            .collect();
        if all.iter().all(|(path, _)| *path != first.path) {
            // the core alone reads it, from this build
            continue;
        }
        let message = Dictionary::load(&all)
            .expect_err("the word is unknown")
            .to_string();
        let listed = message
            .split_once("write ")
            .expect("it says what to write")
            .1;
        let named: BTreeSet<&str> = listed.split('`').skip(1).step_by(2).collect();
        assert_eq!(named, *stated, "{message}");
    }
}

#[test]
fn all_files_load() {
    let text = |path: &str| {
        let found = files().iter().find(|file| file.path == path);
        found
            .unwrap_or_else(|| panic!("dictionaries/{path} is missing"))
            .text
            .as_str()
    };
    let own: Vec<(&str, &str)> = titledex::internals::dictionary::FILES
        .iter()
        .map(|(name, _)| (*name, text(name)))
        .collect();
    let dictionary = Dictionary::load(&own).expect("the dictionaries load");
    let others: Vec<(&str, &str)> = titledex::internals::build::vocabulary::FILES
        .iter()
        .map(|(name, _)| (*name, text(name)))
        .collect();
    let vocabulary = Vocabulary::load(&others).expect("the vocabulary loads");
    build::build_with(&small_rows(), "small", &dictionary, &vocabulary)
        .expect("an index can be built");
    let weights = file("weights.csv");
    Weights::load(&weights.text).expect("the weights load");
    let features: BTreeSet<&str> = weights.rows.iter().map(|row| row[0].as_str()).collect();
    assert_eq!(
        features.len(),
        weights.rows.len(),
        "weights.csv names a feature twice"
    );
    for row in &weights.rows {
        assert!(
            row[1].parse::<f32>().is_ok_and(f32::is_finite),
            "weights.csv: `{}` is not a finite number",
            row[0]
        );
    }
    let weights = file("outcome_weights.csv");
    OutcomeWeights::load(&weights.text).expect("the weights of what is being sold load");
    // each file is read by the one or the other, by the build script, the search or the market, or says
    // how words compete: one in another folder would be read by nothing
    for file in files() {
        let read = own
            .iter()
            .chain(&others)
            .any(|(name, _)| *name == file.path);
        let base = file.path.rsplit('/').next();
        let of_folders = base.is_some_and(|base| OF_BUILT_IN_GAMES.contains(&base));
        assert!(
            read || of_folders || READ_BY_THEIR_PATH.contains(&file.path.as_str()),
            "nothing reads dictionaries/{}",
            file.path
        );
    }
}

/// Cards are called `Stadium`, `Switch` and `Energy`: a word may be both noise and a name. Next to
/// the card's number it is the name.
#[test]
fn noise_next_to_its_number_is_the_name() {
    let noise = file("noise.csv");
    let noise: BTreeSet<String> = noise
        .rows
        .iter()
        .flat_map(|row| noise.aliases(row))
        .map(|(_, key)| key)
        .collect();
    let mut scratch = Scratch::default();
    let mut wrong = Vec::new();
    let mut compared = 0;
    for card in &rows().cards {
        if card.number.is_empty() || card.total.is_empty() || card.number_unprinted {
            continue;
        }
        for (_, name) in card.names.iter().filter(|n| noise.contains(&key_of(&n.1))) {
            let title = format!("{name} {}/{}", card.number, card.total);
            let answer = engine().answer_with(&mut scratch, &title, &Options::default());
            compared += 1;
            if !answer.matches.iter().any(|m| m.card_id == card.id) {
                wrong.push(format!("{title}: {} is not found", card.id));
            }
        }
    }
    assert!(compared > 0, "no word of noise.csv is the name of a card");
    none("noise that is a card's name", wrong);
}
