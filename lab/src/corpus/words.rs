//! [`Words`]: the dictionaries by meaning, and the other meanings of each word.

use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use titledex::internals::build::vocabulary::{self, Vocabulary};
use titledex::internals::catalogue::AliasKind;
use titledex::internals::dictionary::{self, spellings};
use titledex::internals::token::key_of;
use titledex_command::Failure;

/// A word of a dictionary.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    /// Its meaning.
    pub(crate) canonical: String,
    /// Its spelling.
    pub(crate) alias: String,
    /// The key of its spelling.
    pub(crate) key: String,
    /// It is read everywhere, not only in capitals, next to a number and so on.
    pub(crate) free: bool,
    /// A further column: language of a condition, outcome of a kind, value of a label, kind of a
    /// game.
    pub(crate) more: String,
}

/// All dictionaries.
#[derive(Debug, Default)]
pub(crate) struct Words {
    files: BTreeMap<&'static str, Vec<Word>>,
    /// File and canonical of each key.
    owners: FxHashMap<String, BTreeSet<(&'static str, String)>>,
    /// Catalogue rarities that a rarity word may mean.
    rarities: FxHashMap<String, Vec<String>>,
    /// Values that each grader gives, by its name.
    scales: FxHashMap<String, Vec<String>>,
    /// Sets of each alias.
    set_keys: FxHashMap<String, BTreeSet<String>>,
    /// The words of `set_aliases.csv`, `subjects.csv`, ….
    pub(crate) vocabulary: Arc<Vocabulary>,
    misspelt: FxHashSet<String>,
    /// Keys of words that are only hints, by file.
    weak: FxHashMap<&'static str, FxHashSet<String>>,
    own_keys: FxHashSet<String>,
}

/// The files that words of titles come from, and their further column.
const FILES: [(&str, &str); 12] = [
    ("conditions.csv", "language"),
    ("games.csv", "kind"),
    ("grade_labels.csv", "value"),
    ("graders.csv", "scale"),
    ("languages.csv", ""),
    ("listing_kinds.csv", "outcome"),
    ("name_affixes.csv", "position"),
    ("noise.csv", "language"),
    ("japanese_terms.csv", "field"),
    ("printings.csv", "field"),
    ("rarities.csv", "catalogue"),
    ("sealed.csv", ""),
];

/// The game whose titles the counts of `lab/data` are of.
pub(crate) const COUNTED: &str = "pokemon";

impl Words {
    /// The words compiled into the program: those that all games share, and those of `games`.
    pub(crate) fn builtin(games: &[String]) -> Result<Self, Failure> {
        let vocabulary = Vocabulary::builtin().map_err(|error| Failure::new(error.to_string()))?;
        let mut words = Self {
            vocabulary,
            ..Self::default()
        };
        for (path, text) in dictionary::FILES.iter().chain(vocabulary::FILES).copied() {
            let Some((folder, file)) = path.split_once('/') else {
                continue;
            };
            if folder == "common" || games.iter().any(|game| game == folder) {
                words.file(file, text)?;
            }
        }
        for (set, aliases) in &words.vocabulary.set_aliases {
            for (alias, _) in aliases {
                words
                    .set_keys
                    .entry(key_of(alias))
                    .or_default()
                    .insert(set.clone());
            }
        }
        words.misspelt = words
            .vocabulary
            .misspellings
            .iter()
            .flat_map(|m| &m.1)
            .map(|alias| key_of(alias))
            .collect();
        Ok(words)
    }

    fn file(&mut self, file: &'static str, text: &str) -> Result<(), Failure> {
        let bad = |error: csv::Error| Failure::new(format!("dictionaries/{file}: {error}"));
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let header = reader.headers().map_err(bad)?.clone();
        let column = |name: &str| header.iter().position(|own| own == name);
        let more_column = FILES
            .iter()
            .find(|known| known.0 == file)
            .map(|known| column(known.1));
        for record in reader.records() {
            let record = record.map_err(bad)?;
            let cell = |at: Option<usize>| at.and_then(|at| record.get(at)).unwrap_or_default();
            let canonical = record.get(0).unwrap_or_default().to_owned();
            let more = cell(more_column.flatten()).to_owned();
            let free = cell(column("when")).is_empty();
            let weak = cell(column("when")).split(' ').any(|word| word == "weak");
            let with = list(cell(column("with")));
            let aliases = list(cell(column("aliases")));
            let spelled = aliases.iter().flat_map(|alias| spellings(alias, &with));
            for alias in spelled {
                let key = key_of(&alias);
                self.own_keys.insert(key.clone());
                if more_column.is_none() {
                    continue;
                }
                if weak {
                    self.weak.entry(file).or_default().insert(key.clone());
                }
                self.owners
                    .entry(key.clone())
                    .or_default()
                    .insert((file, canonical.clone()));
                let word = Word {
                    canonical: canonical.clone(),
                    alias,
                    key,
                    free,
                    more: more.clone(),
                };
                self.files.entry(file).or_default().push(word);
            }
            match file {
                "rarities.csv" => self
                    .rarities
                    .entry(canonical)
                    .or_default()
                    .extend(more.split('|').map(str::to_owned)),
                "graders.csv" => drop(
                    self.scales
                        .insert(canonical, more.split('|').map(str::to_owned).collect()),
                ),
                _ => {}
            }
        }
        Ok(())
    }

    /// The words of a file.
    pub(crate) fn of(&self, file: &str) -> &[Word] {
        self.files.get(file).map_or(&[], Vec::as_slice)
    }

    /// The meaning of `text` in a file; the first if there are several.
    pub(crate) fn meaning(&self, file: &str, text: &str) -> Option<&str> {
        self.owners
            .get(&key_of(text))?
            .iter()
            .find(|owner| owner.0 == file)
            .map(|owner| owner.1.as_str())
    }

    /// Whether `key` contains a name of a game.
    pub(crate) fn names_game(&self, key: &str, game: &str) -> bool {
        let own = |word: &&Word| word.canonical == game && word.free;
        let mut names = self.of("games.csv").iter().filter(own);
        names.any(|word| key.contains(&word.key))
    }

    /// Whether the text with this key has one meaning, in one file, and does not name a set.
    pub(crate) fn is_clear(&self, file: &str, key: &str) -> bool {
        let meanings = self.owners.get(key);
        meanings.is_some_and(|owners| owners.len() == 1 && owners.iter().all(|own| own.0 == file))
            && !self.set_keys.contains_key(key)
    }

    /// Whether `text` means anything besides the name of a set.
    pub(crate) fn means_more(&self, text: &str) -> bool {
        self.owners.contains_key(&key_of(text))
    }

    /// Whether a file has the text with this key only as a hint, which decides nothing.
    pub(crate) fn is_weak(&self, file: &str, key: &str) -> bool {
        self.weak.get(file).is_some_and(|keys| keys.contains(key))
    }

    /// Whether any dictionary has this key.
    pub(crate) fn knows(&self, key: &str) -> bool {
        self.own_keys.contains(key) || self.set_keys.contains_key(key)
    }

    /// Whether a known wrong spelling has this key.
    pub(crate) fn is_misspelt(&self, key: &str) -> bool {
        self.misspelt.contains(key)
    }

    /// Catalogue rarities that a rarity word may mean.
    pub(crate) fn rarities(&self, canonical: &str) -> &[String] {
        self.rarities.get(canonical).map_or(&[], Vec::as_slice)
    }

    /// Whether a grader gives such a grade.
    pub(crate) fn gives(&self, grader: &str, grade: &str) -> bool {
        self.scales
            .get(grader)
            .is_some_and(|scale| scale.iter().any(|value| value == grade))
    }

    /// The aliases of a set.
    pub(crate) fn set_aliases(&self, set: &str) -> &[(String, AliasKind)] {
        self.vocabulary
            .set_aliases
            .get(set)
            .map_or(&[], Vec::as_slice)
    }
}

/// The name of a kind of alias in `set_aliases.csv`.
pub(crate) fn alias_kind(kind: AliasKind) -> &'static str {
    match kind {
        AliasKind::Name => "name",
        AliasKind::Label => "label",
        AliasKind::Nickname => "nickname",
        AliasKind::Code => "code",
        AliasKind::Family => "family",
    }
}

/// The entries of a cell that holds a list.
fn list(cell: &str) -> Vec<&str> {
    cell.split('|')
        .map(str::trim)
        .filter(|entry| !entry.is_empty())
        .collect()
}
