//! [`Vocabulary`]: the dictionary files that only the builder reads: subjects, set aliases,
//! nicknames, misspellings.

use crate::catalogue::AliasKind;
use crate::catalogue::format::MOST_SUBJECTS;
use crate::dictionary::is_named;
use crate::dictionary::load::{Row, choices, rows};
use crate::error::{Error, ErrorKind};
use crate::sort::sort_by_key;
use crate::token::key_of;
use once_cell::sync::OnceCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

/// Who or what cards show, known by one name in each language: a row of a game's `subjects.csv`.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The id of the game whose folder has it.
    pub game: String,
    /// The number by which cards state it, and which some print.
    pub number: u16,
    /// Key of the English name.
    pub key: String,
    /// Names by language, romaji among them, English first.
    pub names: Vec<(&'static str, String)>,
    by_language: HashMap<&'static str, String>,
}

/// The nicknames of a card, or of a name.
#[derive(Debug, Clone)]
pub struct Nickname {
    /// The set; empty for a name without a card. Several cards have theirs with `|` between.
    pub set: String,
    /// The number; empty for a name without a card. Of several cards as their sets.
    pub number: String,
    /// English name; several with `|` between.
    pub name: String,
    /// Its nicknames.
    pub aliases: Vec<String>,
}

/// A word of products' names, as keys.
#[derive(Debug, Clone)]
pub struct ProductWord {
    /// The word.
    pub word: String,
    /// Its other names.
    pub aliases: Vec<String>,
    /// It says where a card came from; otherwise how it looks.
    pub campaign: bool,
    /// The id of the game whose folder has it.
    pub game: String,
}

/// The vocabulary that goes into an index.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    /// Subjects by number.
    pub subjects: Vec<Subject>,
    by_number: HashMap<u16, usize>,
    /// Aliases of each set.
    pub set_aliases: BTreeMap<String, Vec<(String, AliasKind)>>,
    /// Nicknames.
    pub nicknames: Vec<Nickname>,
    /// Right spelling and wrong ones.
    pub misspellings: Vec<(String, Vec<String>)>,
    /// Cards whose source has a running number instead of the printed one: id, number, total.
    pub printed_numbers: Vec<(String, String, String)>,
    /// Cards whose source leaves out a part of the printed English name: id, name.
    pub printed_names: Vec<(String, String)>,
    /// Words of products' names.
    pub product_words: Vec<ProductWord>,
    common: HashSet<String>,
    english: HashMap<String, (String, String)>,
}

/// The files that a vocabulary is read from, name and text: each in the folder of its game, as the
/// build script finds them.
pub const FILES: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/build.rs"));

/// Whether a vocabulary has a file of this name, whatever its folder.
pub(crate) fn is_file(path: &str) -> bool {
    is_named(FILES, path)
}

/// The numbers that subjects may have; 0 is that of none.
const NUMBERS: Range<u16> = 1..MOST_SUBJECTS as u16;

const SUBJECT_LANGUAGES: [&str; 11] = [
    "en", "ja", "romaji", "fr", "de", "es", "it", "pt", "ko", "zh-tw", "zh-cn",
];

static BUILTIN: OnceCell<Arc<Vocabulary>> = OnceCell::new();

/// The kinds of `product_words.csv`, and whether words of it are a campaign's.
const PRODUCT_KINDS: [(&str, bool); 2] = [("campaign", true), ("look", false)];
/// The kinds of `set_aliases.csv`.
const ALIAS_KINDS: [(&str, AliasKind); 5] = [
    ("name", AliasKind::Name),
    ("code", AliasKind::Code),
    ("label", AliasKind::Label),
    ("nickname", AliasKind::Nickname),
    ("family", AliasKind::Family),
];

/// What is wrong with a row of a dictionary.
fn bad(file: &str, row: &Row, what: &str) -> Error {
    Error::new(
        ErrorKind::Dictionary,
        format!("dictionaries/{file}:{}: {what}", row.line),
    )
}

/// What the `kind` in the third cell of a row means.
fn kind_of<T: Copy>(file: &str, row: &Row, kinds: &[(&str, T)]) -> Result<T, Error> {
    let kind = row.cell(2);
    let known = kinds.iter().find(|(word, _)| *word == kind);
    known.map(|(_, meaning)| *meaning).ok_or_else(|| {
        let words = choices(kinds.iter().map(|(word, _)| *word));
        bad(file, row, &format!("`kind` is `{kind}`: {words}"))
    })
}

/// The folder of a dictionary, which is that of its game.
fn folder(file: &str) -> &str {
    file.split('/').next().unwrap_or_default()
}

impl Vocabulary {
    /// The vocabulary of this build, made at first use and shared.
    ///
    /// # Errors
    /// Of kind [`ErrorKind::Dictionary`], naming file and line.
    pub fn builtin() -> Result<Arc<Vocabulary>, Error> {
        BUILTIN
            .get_or_try_init(|| Vocabulary::load(FILES).map(Arc::new))
            .cloned()
    }

    /// Reads dictionary files, given as name and text.
    ///
    /// # Errors
    /// Of kind [`ErrorKind::Dictionary`], naming file and line.
    pub fn load(files: &[(&str, &str)]) -> Result<Vocabulary, Error> {
        let mut vocabulary = Vocabulary::default();
        for &(file, text) in files {
            let read = match file.rsplit('/').next().unwrap_or(file) {
                "common_words.csv" => Vocabulary::read_common_words,
                "english_names.csv" => Vocabulary::read_english_names,
                "misspellings.csv" => Vocabulary::read_misspellings,
                "nicknames.csv" => Vocabulary::read_nicknames,
                "printed_names.csv" => Vocabulary::read_printed_names,
                "printed_numbers.csv" => Vocabulary::read_printed_numbers,
                "product_words.csv" => Vocabulary::read_product_words,
                "set_aliases.csv" => Vocabulary::read_set_aliases,
                "subjects.csv" => Vocabulary::read_subjects,
                _ => {
                    return Err(Error::new(
                        ErrorKind::Dictionary,
                        format!("dictionaries/{file}: no such dictionary"),
                    ));
                }
            };
            read(&mut vocabulary, file, text)?;
        }
        Ok(vocabulary)
    }

    fn read_common_words(&mut self, file: &str, text: &str) -> Result<(), Error> {
        for row in rows(file, text, &["canonical", "note"])? {
            self.common.insert(key_of(row.cell(0)));
        }
        Ok(())
    }

    fn read_english_names(&mut self, file: &str, text: &str) -> Result<(), Error> {
        for row in rows(file, text, &["canonical", "english", "replaces", "note"])? {
            let [printed, english, wrong] = [0, 1, 2].map(|at| row.cell(at).to_owned());
            self.english.insert(printed, (english, wrong));
        }
        Ok(())
    }

    fn read_misspellings(&mut self, file: &str, text: &str) -> Result<(), Error> {
        for row in rows(file, text, &["canonical", "aliases", "note"])? {
            let aliases = row.list(1).map(str::to_owned).collect();
            self.misspellings.push((row.cell(0).to_owned(), aliases));
        }
        Ok(())
    }

    fn read_nicknames(&mut self, file: &str, text: &str) -> Result<(), Error> {
        let columns = [
            "canonical",
            "aliases",
            "with",
            "set",
            "number",
            "name",
            "note",
        ];
        for row in rows(file, text, &columns)? {
            self.nicknames.push(Nickname {
                set: row.cell(3).to_owned(),
                number: row.cell(4).to_owned(),
                name: row.cell(5).to_owned(),
                aliases: row.spelled(1, 2).collect(),
            });
        }
        Ok(())
    }

    fn read_printed_names(&mut self, file: &str, text: &str) -> Result<(), Error> {
        for row in rows(file, text, &["canonical", "name", "note"])? {
            let [id, printed] = [0, 1].map(|at| row.cell(at).to_owned());
            self.printed_names.push((id, printed));
        }
        Ok(())
    }

    fn read_printed_numbers(&mut self, file: &str, text: &str) -> Result<(), Error> {
        for row in rows(file, text, &["canonical", "number", "total", "note"])? {
            let [id, number, total] = [0, 1, 2].map(|at| row.cell(at).to_owned());
            self.printed_numbers.push((id, number, total));
        }
        Ok(())
    }

    fn read_product_words(&mut self, file: &str, text: &str) -> Result<(), Error> {
        for row in rows(file, text, &["canonical", "aliases", "kind", "note"])? {
            let campaign = kind_of(file, &row, &PRODUCT_KINDS)?;
            self.product_words.push(ProductWord {
                word: key_of(row.cell(0)),
                aliases: row.list(1).map(key_of).collect(),
                campaign,
                game: folder(file).to_owned(),
            });
        }
        Ok(())
    }

    fn read_set_aliases(&mut self, file: &str, text: &str) -> Result<(), Error> {
        let columns = ["canonical", "aliases", "kind", "when", "note"];
        for row in rows(file, text, &columns)? {
            let kind = kind_of(file, &row, &ALIAS_KINDS)?;
            let list = self.set_aliases.entry(row.cell(0).to_owned()).or_default();
            list.extend(row.list(1).map(|alias| (alias.to_owned(), kind)));
        }
        Ok(())
    }

    fn read_subjects(&mut self, file: &str, text: &str) -> Result<(), Error> {
        let mut columns = vec!["number"];
        columns.extend(SUBJECT_LANGUAGES);
        let game = folder(file);
        for row in rows(file, text, &columns)? {
            let number = row.cell(0).parse().ok();
            let number = number.filter(|number| NUMBERS.contains(number));
            let number = number.ok_or_else(|| {
                let (from, to) = (NUMBERS.start, NUMBERS.end - 1);
                bad(
                    file,
                    &row,
                    &format!("`number` is not between {from} and {to}"),
                )
            })?;
            let mut known = self.subjects.iter();
            if known.any(|known| known.number == number && known.game == game) {
                return Err(bad(file, &row, "another row has this `number`"));
            }
            let languages = || SUBJECT_LANGUAGES.into_iter().zip(1..);
            let by_language: HashMap<&'static str, String> = languages()
                .map(|(language, at)| (language, key_of(row.cell(at))))
                .filter(|(_, key)| !key.is_empty())
                .collect();
            let names = languages().flat_map(|(language, at)| {
                let names = row.list(at);
                names.map(move |name| (language, name.to_owned()))
            });
            let names = names.collect();
            self.by_number.insert(number, self.subjects.len());
            self.subjects.push(Subject {
                game: game.to_owned(),
                number,
                key: key_of(row.cell(1)),
                names,
                by_language,
            });
        }
        Ok(())
    }

    /// The vocabulary with the subjects of one game alone, by the game's id: others number theirs
    /// as they like.
    #[must_use]
    pub fn of_game(&self, id: &str) -> Vocabulary {
        let mut vocabulary = self.clone();
        vocabulary.subjects.retain(|subject| subject.game == id);
        let numbers = vocabulary.subjects.iter().map(|subject| subject.number);
        vocabulary.by_number = numbers.zip(0..).collect();
        vocabulary
    }

    /// Key of the name of `subject` in `language`.
    #[must_use]
    pub fn subject_key(&self, subject: u16, language: &str) -> Option<String> {
        let subject = &self.subjects[*self.by_number.get(&subject)?];
        let language = match language {
            "es-mx" => "es",
            "pt-br" => "pt",
            other => other,
        };
        subject
            .by_language
            .get(language)
            .cloned()
            .filter(|key| !key.is_empty())
    }

    /// Whether the names of subjects in `language` are known.
    pub(super) fn speaks(&self, language: &str) -> bool {
        let mut subjects = self.subjects.iter();
        subjects.any(|subject| subject.by_language.contains_key(language))
    }

    /// The subjects whose names in `language` are in `text`, longest first.
    pub(super) fn subjects_within(&self, text: &str, language: &str) -> Vec<u16> {
        let key = key_of(text);
        let mut found: Vec<(usize, u16)> = self
            .subjects
            .iter()
            .filter_map(|subject| {
                let name = self.subject_key(subject.number, language)?;
                key.contains(&name).then_some((name.len(), subject.number))
            })
            .collect();
        sort_by_key(&mut found, |&(length, subject)| {
            (std::cmp::Reverse(length), subject)
        });
        found.into_iter().map(|(_, subject)| subject).collect()
    }

    /// The subject whose English name is in `text`, the longest if there are several.
    #[must_use]
    pub fn subject_in(&self, text: &str) -> Option<u16> {
        let key = key_of(text);
        self.subjects
            .iter()
            .filter(|s| key.contains(&s.key))
            .max_by_key(|s| s.key.len())
            .map(|s| s.number)
    }

    /// The English name of what is printed as `name`, if the source has none (`known` is empty), or
    /// the one that the dictionary calls wrong.
    #[must_use]
    pub fn english(&self, name: &str, known: &str) -> Option<&str> {
        self.english
            .get(name)
            .filter(|(_, wrong)| known.is_empty() || wrong == known)
            .map(|(english, _)| english.as_str())
    }

    /// Whether `key`, a Japanese name, is also a word that titles use for other things.
    #[must_use]
    pub fn is_common(&self, key: &str) -> bool {
        self.common.contains(key)
    }
}
