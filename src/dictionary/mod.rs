//! [`Dictionary`]: all fixed vocabulary (graders, conditions, printings, languages, other games …)
//! in one trie.
//!
//! The words are data: `dictionaries/common/` and a folder for each game, whose README states
//! columns and rules. Names and set names belong to the catalogue and are looked up in its index
//! (`Columns::lexicon`).

mod codes;
#[cfg(feature = "compiled")]
mod compiled;
mod game;
pub(crate) mod load;
mod loader;
mod misspelt;
mod pattern;

pub use codes::Codes;
pub use game::{Category, Game, Region, Spoken};
pub use load::spellings;

use crate::error::Error;
use crate::normalise::Normalised;
use crate::parsed::{Field, GradeValue};
use crate::token::{Line, Token, key_of};
use crate::trie::Columns;
use loader::Loader;
pub(crate) use misspelt::{MOST_TOKENS, one_slip};
use misspelt::{SHORTEST, SHORTEST_LANGUAGE, Vocabulary};
use once_cell::sync::OnceCell;
#[cfg(feature = "compiled")]
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A grading company.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "compiled", derive(Serialize, Deserialize))]
pub struct Grader {
    /// Its short name: `PSA`.
    pub name: String,
    /// `GRADER_A` … `GRADER_D`, or empty.
    pub code: String,
    /// The grades that it gives, in halves.
    pub scale: Vec<u8>,
    /// The points of a scale that it gave up, each with the grade in halves that replaced them.
    pub points: Vec<(u8, u8)>,
}

/// A word of a grading label.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "compiled", derive(Serialize, Deserialize))]
pub struct Label {
    /// Canonical form: `GEM MT`.
    pub name: String,
    /// The grade that it means.
    #[cfg_attr(feature = "compiled", serde(with = "compiled::halves"))]
    pub value: Option<GradeValue>,
    /// `pristine`, `black_label`, `authentic`, …
    pub modifier: String,
}

/// The effect of a phrase around a grader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "compiled", derive(Serialize, Deserialize))]
pub enum PhraseKind {
    /// The seller hopes for the grade.
    Wish,
    /// The card does not have it.
    Negation,
    /// The card is only compared with it.
    Comparison,
    /// The card had it once.
    History,
    /// A thing for slabs, not a slab.
    Accessory,
    /// A part of a slab, or what is given with one; where no card with a number is named, a thing
    /// for slabs.
    SlabPart,
    /// An offer to grade.
    Service,
    /// The population of a grade.
    Population,
    /// A remark on a real slab.
    SlabNote,
    /// Grader names that only attract searches.
    Spam,
}

/// The side of the grader or grade on which a phrase counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "compiled", derive(Serialize, Deserialize))]
pub enum Position {
    /// Before it.
    Before,
    /// After it.
    After,
    /// On either side.
    Either,
    /// Anywhere: the phrase says all by itself.
    Alone,
}

/// The meaning of words in the dictionary. The number is an index into the list of that kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "compiled", derive(Serialize, Deserialize))]
pub enum Tag {
    /// [`Dictionary::graders`].
    Grader(u16),
    /// [`Dictionary::labels`].
    Label(u16),
    /// [`Dictionary::phrases`].
    Phrase(u16),
    /// [`Dictionary::conditions`].
    Condition(u16),
    /// [`Dictionary::printings`].
    Printing(u16),
    /// [`Dictionary::rarities`].
    Rarity(u16),
    /// [`Dictionary::languages`].
    Language(u16),
    /// [`Dictionary::kinds`].
    Kind(u16),
    /// [`Dictionary::sealed`].
    Sealed(u16),
    /// [`Dictionary::games`].
    Game(u16),
    /// A mark before or after a subject's name: bit in [`crate::catalogue::Marks`].
    Affix(u16),
    /// [`Dictionary::terms`].
    Term(u16),
    /// Says nothing of the card.
    Noise,
}

impl Tag {
    /// Whether it says what is sold, or nothing of the card.
    pub(crate) fn is_of_listing(self) -> bool {
        matches!(self, Tag::Kind(_) | Tag::Sealed(_) | Tag::Noise)
    }
}

/// What `conditions.csv` calls words that name a flaw but not a condition.
pub(crate) const FLAW: &str = "flaw";

/// The conditions under which an alias counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "compiled", derive(Serialize, Deserialize))]
pub struct When(u8);

impl When {
    /// Only in capitals.
    pub const UPPER: When = When(1);
    /// Only with the letter case of the row.
    pub const EXACT: When = When(2);
    /// Only next to a collector number.
    pub const NUMBER: When = When(4);
    /// Only in a title that names a grader.
    pub const GRADER: When = When(8);
    /// Only in a Japanese title.
    pub const JAPANESE: When = When(16);
    /// As a hint.
    pub const WEAK: When = When(32);
    /// Only next to a collector number, or in a title that says which game's card it sells.
    pub const GAME: When = When(64);
    /// Only in capitals, or with a grade right behind it; with [`When::UPPER`] both.
    pub const GRADE: When = When(128);

    /// Whether it includes the condition `other`.
    #[must_use]
    pub fn has(self, other: When) -> bool {
        self.0 & other.0 != 0
    }

    /// The words of a `when` cell.
    const WORDS: [(&'static str, When); 8] = [
        ("upper", When::UPPER),
        ("exact", When::EXACT),
        ("number", When::NUMBER),
        ("game", When::GAME),
        ("grader", When::GRADER),
        ("grade", When::GRADE),
        ("japanese", When::JAPANESE),
        ("weak", When::WEAK),
    ];

    /// The conditions that a cell states, or its first word that is not a condition, as the error.
    fn parse(text: &str) -> Result<When, &str> {
        text.split_whitespace().try_fold(When(0), |all, word| {
            let one = When::WORDS.iter().find(|(known, _)| *known == word);
            one.map(|(_, one)| When(all.0 | one.0)).ok_or(word)
        })
    }
}

/// One meaning of one alias.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "compiled", derive(Serialize, Deserialize))]
struct Entry {
    tag: Tag,
    when: When,
    /// The alias as the row writes it, if it is [`When::EXACT`].
    written: Box<str>,
    /// The games in whose titles it counts, a bit for each of [`Dictionary::folders`].
    games: u32,
}

/// Words of a title that the dictionary knows: bytes `at..end` of the key.
#[derive(Debug, Clone, Copy)]
pub struct Tagged {
    /// First byte in the key.
    pub at: u32,
    /// One past the last byte.
    pub end: u32,
    /// Their meaning.
    pub tag: Tag,
    /// The conditions under which they count.
    pub when: When,
    /// Both ends are full cuts; else one lies inside a run of an unspaced script.
    pub whole: bool,
    /// The games that use them so, a bit for each of [`Dictionary::folders`].
    pub games: u32,
}

/// A printing word.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "compiled", derive(Serialize, Deserialize))]
pub struct PrintingWord {
    /// Canonical value: `1st edition`, `reverse holo`, `master ball`.
    pub value: String,
    /// The attribute.
    pub field: Field,
    /// The finish that it implies, or empty.
    pub implies: String,
    /// What labels of printings call it beside its value, as keys.
    pub labels: Vec<String>,
    /// What a card is of which the catalogue knows no such print.
    pub absent: Absent,
}

/// What a card is of which the catalogue knows no such print.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "compiled", derive(Serialize, Deserialize))]
pub enum Absent {
    /// The card that it is otherwise.
    Same,
    /// Another card, which is not in the catalogue.
    NotInCatalogue,
    /// None: somebody else made it, of metal.
    NotACard,
}

/// A code has at most this many letters: `SP`.
const LETTERS_OF_CODE: usize = 2;

impl PrintingWord {
    /// Whether it distinguishes a printing from those of the same finish and edition.
    pub(crate) fn qualifies(&self) -> bool {
        use Field::{Error, Pattern, Size, Stamp, Treatment};
        matches!(self.field, Stamp | Error | Pattern | Size | Treatment)
    }

    /// Whether `key`, a part of a label in brackets, is its value, and no more than another of its
    /// labels.
    pub(crate) fn is_called(&self, key: &str) -> bool {
        key_of(&self.value) == key && !self.labels.iter().any(|own| own == key)
    }

    /// Whether `key`, a part of a label in brackets, means it. `Red Cheeks` of a title is `Red
    /// Cheek` in the label.
    pub(crate) fn labels(&self, key: &str) -> bool {
        let label = key.trim_end_matches('s');
        // two letters are a part of many words
        let within = |part: &str, whole: &str| part.len() > LETTERS_OF_CODE && whole.contains(part);
        let means = |own: &str| {
            let own = own.trim_end_matches('s');
            // a print without a thing is not one with it: `no e-reader`
            let lacks = key.strip_prefix("no") == Some(own);
            !lacks && (own == label || within(own, key) || within(label, own))
        };
        means(&key_of(&self.value)) || self.labels.iter().any(|own| means(own))
    }
}

/// A rarity word and the catalogue's rarities that it may mean.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "compiled", derive(Serialize, Deserialize))]
pub struct RarityWord {
    /// Canonical value.
    pub value: String,
    /// Rarities as the catalogue names them, each with the games that mean it so, a bit for each of
    /// [`Dictionary::folders`].
    pub catalogue: Vec<(String, u32)>,
}

impl RarityWord {
    /// Whether it may mean the rarity that the catalogue calls `name`: in the game with this place
    /// among [`Dictionary::folders`], or without one in any game.
    pub(crate) fn names(&self, name: &str, game: Option<usize>) -> bool {
        let games = game.map_or(u32::MAX, |game| 1 << game);
        let mut known = self.catalogue.iter();
        known.any(|(known, of)| of & games != 0 && known == name)
    }
}

/// A word for a game, a sport or other goods.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "compiled", derive(Serialize, Deserialize))]
pub struct GameWord {
    /// The id of the game (`onepiece`), or the name of the sport or the goods.
    pub name: String,
    /// What it names.
    pub kind: GameKind,
}

/// What a word of `games.csv` names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "compiled", derive(Serialize, Deserialize))]
pub enum GameKind {
    /// A card game.
    Game,
    /// A sport with cards.
    Sport,
    /// Some game or sport, without saying which.
    Any,
    /// Goods that are not cards.
    Goods,
}

/// All fixed vocabulary.
#[derive(Debug)]
#[cfg_attr(feature = "compiled", derive(Serialize, Deserialize))]
pub struct Dictionary {
    /// Leads from an alias to the number of its entries in `first`.
    #[cfg_attr(feature = "compiled", serde(skip))]
    aliases: Columns,
    /// For each alias, the place at which its entries begin.
    #[cfg_attr(feature = "compiled", serde(skip))]
    first: Vec<u32>,
    #[cfg_attr(feature = "compiled", serde(skip))]
    entries: Vec<Entry>,
    /// Grading companies.
    #[doc(hidden)]
    pub graders: Vec<Grader>,
    /// Label words.
    #[doc(hidden)]
    pub labels: Vec<Label>,
    /// Phrases that only look like a grade.
    #[doc(hidden)]
    pub phrases: Vec<(PhraseKind, Position)>,
    /// Condition codes.
    #[doc(hidden)]
    pub conditions: Vec<String>,
    /// Printing words.
    #[doc(hidden)]
    pub printings: Vec<PrintingWord>,
    /// Rarity words.
    #[doc(hidden)]
    pub rarities: Vec<RarityWord>,
    /// Languages.
    #[doc(hidden)]
    pub languages: Vec<String>,
    /// Where cards are printed in each of them.
    #[doc(hidden)]
    pub spoken: Vec<Spoken>,
    /// Listing kinds: name and outcome.
    #[doc(hidden)]
    pub kinds: Vec<(String, String)>,
    /// Sealed products.
    #[doc(hidden)]
    pub sealed: Vec<String>,
    /// Games, sports and goods.
    #[doc(hidden)]
    pub games: Vec<GameWord>,
    /// The games that have a folder of their own, by id.
    #[doc(hidden)]
    pub folders: Vec<Game>,
    /// Numbers that begin with the code of a set.
    #[doc(hidden)]
    pub codes: Codes,
    /// Numbers of games without a folder, and for each bit of theirs the place of the game in `games`.
    stranger_codes: Codes,
    strangers: Vec<u16>,
    /// Marks of names, by bit.
    #[doc(hidden)]
    pub affixes: Vec<Affix>,
    /// Japanese terms: their field.
    #[doc(hidden)]
    pub terms: Vec<String>,
    /// Words that are looked for where one is misspelt, collected at the first title that needs them.
    #[cfg_attr(feature = "compiled", serde(skip))]
    misspelt: OnceCell<Vocabulary>,
}

/// A mark before or after a subject's name.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "compiled", derive(Serialize, Deserialize))]
pub struct Affix {
    /// Canonical form: `ex`, `Dark`, `Lv.X`.
    pub name: String,
    /// It precedes the name.
    pub prefix: bool,
    /// It is a part of each name that it stands behind: `GX`. Of a name that the catalogue has without
    /// it alone, it makes another card.
    pub essential: bool,
    /// It says whose card it is: `Erika's`. No other card of the name is meant.
    pub owner: bool,
    /// A card without it is another one: `ex`, `Galarian`, and all that are essential or an owner. Others
    /// describe what a card shows: `Crystal`, `Shining`.
    pub another: bool,
    /// The mark that ends in its words, which it may stand for: `Team Rocket's` for `Rocket's`.
    pub whole: Option<u16>,
}

/// The dictionary files, name and text: what every game shares, and a folder for each game, as the
/// build script finds them. `build` adds those that only the building of an index reads.
pub const FILES: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/read.rs"));

/// The id of the game of sets and cards that name none. Their ids stand without the game's:
/// `game.csv` of its folder says so.
pub const FIRST_GAME: &str = include!(concat!(env!("OUT_DIR"), "/first_game.rs"));

/// Whether a dictionary has a file of this name, whatever its folder.
pub(crate) fn is_file(path: &str) -> bool {
    is_named(FILES, path)
}

/// Whether one of `files` has the name of `path`, whatever the folders.
pub(crate) fn is_named(files: &[(&str, &str)], path: &str) -> bool {
    fn base(path: &str) -> Option<&str> {
        path.rsplit('/').next()
    }
    files.iter().any(|(known, _)| base(known) == base(path))
}

static BUILTIN: OnceCell<Arc<Dictionary>> = OnceCell::new();

/// Puts words where they belong in `out`, which is in the order of its ends.
fn put(tag: Tagged, out: &mut Vec<Tagged>) {
    out.insert(out.partition_point(|other| other.end <= tag.end), tag);
}

impl Dictionary {
    /// The dictionary of this build, made at first use and shared.
    ///
    /// # Errors
    /// [`crate::ErrorKind::Dictionary`] if a file contradicts itself. A test reads every file, so a
    /// released build never fails.
    pub fn builtin() -> Result<Arc<Dictionary>, Error> {
        BUILTIN
            .get_or_try_init(|| Dictionary::load(FILES).map(Arc::new))
            .cloned()
    }

    /// The dictionary of this build with files of the caller's own, given as name (`swu/game.csv`)
    /// and text. Files that only the building of an index reads are passed over.
    ///
    /// # Errors
    /// Of kind [`crate::ErrorKind::Dictionary`], naming file and line.
    pub fn with<'f>(own: impl Iterator<Item = (&'f str, &'f str)>) -> Result<Dictionary, Error> {
        let own = own.filter(|(name, _)| is_file(name));
        Dictionary::load(&FILES.iter().copied().chain(own).collect::<Vec<_>>())
    }

    /// Reads dictionary files, given as name and text.
    ///
    /// # Errors
    /// Of kind [`crate::ErrorKind::Dictionary`], naming file and line.
    pub fn load(files: &[(&str, &str)]) -> Result<Dictionary, Error> {
        let mut loader = Loader::default();
        for (file, text) in files {
            loader.file(file, text)?;
        }
        loader.finish()
    }

    /// The game with this id.
    #[doc(hidden)]
    #[must_use]
    pub fn game(&self, id: &str) -> Option<&Game> {
        self.folders.iter().find(|game| game.id == id)
    }

    /// The place among the folders of the game with this id.
    pub(crate) fn folder(&self, id: &str) -> Option<usize> {
        self.folders.iter().position(|game| game.id == id)
    }

    /// Whether words mean several cards.
    pub(crate) fn says_lot(&self, tag: Tag) -> bool {
        let kind = |at: u16| self.kinds.get(usize::from(at));
        matches!(tag, Tag::Kind(at) if kind(at).is_some_and(|(_, outcome)| outcome == "lot"))
    }

    /// Whether words are those of a card game.
    pub(crate) fn is_game(&self, tag: Tag) -> bool {
        let word = |at: u16| self.games.get(usize::from(at));
        matches!(tag, Tag::Game(at) if word(at).is_some_and(|word| word.kind == GameKind::Game))
    }

    /// Whether a number of the game with this id is printed with the code of its set, by a pattern of
    /// the game.
    #[cfg(feature = "build")]
    pub(crate) fn is_coded(&self, id: &str, number: &str) -> bool {
        let number = number.to_lowercase();
        self.folder(id)
            .is_some_and(|place| self.codes.fit(&number, 1 << place))
    }

    /// Where cards are printed in `language`, as answers write it.
    #[doc(hidden)]
    #[must_use]
    pub fn spoken(&self, language: &str) -> Spoken {
        let place = self.languages.iter().position(|known| known == language);
        let spoken = place.and_then(|place| self.spoken.get(place));
        spoken.copied().unwrap_or_default()
    }

    /// Finds all words of the dictionary in the title, appending them to `out` in the order of
    /// their ends. Words of a game's own count if its bit is in `games`.
    ///
    /// Conditions on the title's other words are not checked here: [`When::NUMBER`],
    /// [`When::GRADER`], [`When::JAPANESE`], [`When::WEAK`], [`When::GAME`], [`When::GRADE`].
    #[doc(hidden)]
    pub fn tag(
        &self,
        normalised: &Normalised,
        title: &str,
        line: &Line,
        games: u32,
        out: &mut Vec<Tagged>,
    ) {
        self.find(line, out, |entry, at, end| {
            entry.games & games != 0
                && (!entry.when.has(When::UPPER) || line.is_upper(normalised, at, end))
                && (!entry.when.has(When::EXACT)
                    || line.span(normalised, at, end).text(title) == &*entry.written)
        });
    }

    /// As [`Dictionary::tag`], for the catalogue's own names: letter case says nothing there.
    #[doc(hidden)]
    pub fn tag_name(&self, line: &Line, out: &mut Vec<Tagged>) {
        self.find(line, out, |_, _, _| true);
    }

    /// Finds collector numbers that only cards of a game without a folder bear, as words for that game,
    /// and puts them where they belong in `out`, which is in the order of its ends:
    /// `SAO/S100-E071` is of Weiss Schwarz. A number of `games`, of a card that is `known`, is theirs.
    pub(crate) fn tag_codes(
        &self,
        normalised: &Normalised,
        line: &Line,
        (games, known): (u32, &dyn Fn(&str) -> bool),
        out: &mut Vec<Tagged>,
    ) {
        let text = normalised.text();
        let goes_on = |end: usize| {
            let byte = text.as_bytes().get(end);
            byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"-/".contains(byte))
        };
        // codes are of several tokens
        let begins = |token: &&Token| !token.glued && goes_on(token.norm_end as usize);
        for token in line.tokens().iter().filter(begins) {
            let at = token.norm as usize;
            let found = self.stranger_codes.find(text, at, u32::MAX);
            let Some((end, strangers)) = found.filter(|(end, _)| !goes_on(*end)) else {
                continue;
            };
            let own = self.codes.find(text, at, games);
            // a rarity may stand behind the number: `TID/S53-E011SSP`
            let is_own = |code: &str| {
                let number = code.trim_end_matches(|c: char| c.is_ascii_alphabetic());
                known(code) || known(number)
            };
            if own.is_some_and(|(end, _)| is_own(&text[at..end])) {
                continue;
            }
            let game = self.strangers.get(strangers.trailing_zeros() as usize);
            let Some(&game) = game else { continue };
            let code = Tagged {
                at: token.at,
                end: line.key_at(end - 1) as u32 + 1,
                tag: Tag::Game(game),
                when: When::default(),
                whole: true,
                games: u32::MAX,
            };
            put(code, out);
        }
    }

    /// Finds words for a rarity, a printing, a condition or a language that are misspelt, in which some
    /// token is not `known`, a bit for each, and puts them where they belong in `out`, which is in the
    /// order of its ends.
    pub(crate) fn tag_misspelt(&self, line: &Line, games: u32, known: u64, out: &mut Vec<Tagged>) {
        let may_be = |entry: &Entry| match entry.tag {
            Tag::Rarity(_) | Tag::Printing(_) | Tag::Condition(_) => {
                entry.when == When::default() || entry.when == When::WEAK
            }
            Tag::Language(_) => entry.when == When::default(),
            _ => false,
        };
        let words = self.misspelt.get_or_init(|| {
            let mut words = Vocabulary::default();
            self.aliases.trie().for_each(|key, alias| {
                let entries = self.entries_of(alias).iter().filter(|entry| may_be(entry));
                let shortest = entries.map(|entry| match entry.tag {
                    Tag::Language(_) => SHORTEST_LANGUAGE,
                    _ => SHORTEST,
                });
                if let Some(shortest) = shortest.min() {
                    words.add((key, shortest), alias);
                }
            });
            words.finish();
            words
        });
        let title = (line.tokens(), line.key());
        let mut from = 0;
        while let Some(((at, end), behind)) = words.find(title, from, known) {
            let near = words.near(&line.key()[at as usize..end as usize]);
            let entries = near.flat_map(|alias| self.entries_of(alias));
            for entry in entries.filter(|entry| entry.games & games != 0 && may_be(entry)) {
                let tag = Tagged {
                    at,
                    end,
                    tag: entry.tag,
                    when: entry.when,
                    whole: true,
                    games: entry.games,
                };
                put(tag, out);
            }
            from = behind;
        }
    }

    /// The entries of an alias. Bytes of another build may have led to it: it has none then.
    fn entries_of(&self, alias: u32) -> &[Entry] {
        let alias = alias as usize;
        match self.first.get(alias..alias + 2) {
            Some(&[from, to]) => self.entries.get(from as usize..to as usize),
            _ => None,
        }
        .unwrap_or(&[])
    }

    /// Whether `word` is in the dictionary.
    pub(crate) fn knows(&self, word: &[u8]) -> bool {
        self.aliases.trie().get(word).is_some()
    }

    /// Whether `word`, in capitals, is one of a kind in titles of some of `games`.
    pub(crate) fn means(&self, word: &[u8], games: u32, is: fn(Tag) -> bool) -> bool {
        let capitals = |written: &str| written.bytes().all(|byte| !byte.is_ascii_lowercase());
        let entries = self
            .aliases
            .trie()
            .get(word)
            .map(|alias| self.entries_of(alias));
        let mut entries = entries.into_iter().flatten();
        entries.any(|entry| {
            is(entry.tag)
                && entry.games & games != 0
                && (!entry.when.has(When::EXACT) || capitals(&entry.written))
        })
    }

    fn find(
        &self,
        line: &Line,
        out: &mut Vec<Tagged>,
        counts: impl Fn(&Entry, usize, usize) -> bool,
    ) {
        let trie = self.aliases.trie();
        let from = out.len();
        let mut found = |(at, end): (usize, usize), whole: bool, entry: &Entry| {
            out.push(Tagged {
                at: at as u32,
                end: end as u32,
                tag: entry.tag,
                when: entry.when,
                whole,
                games: entry.games,
            });
        };
        for start @ (at, _) in line.starts() {
            for (end, whole, alias) in line.keys_from(trie, start, |_| false) {
                let entries = self.entries_of(alias).iter();
                for entry in entries.filter(|entry| counts(entry, at, end)) {
                    found((at, end), whole, entry);
                }
            }
        }
        // by their ends; the meanings of one word stay in the order of the files. A word moves only
        // before those that begin before it and end after it, and those are few, so no sort that
        // needs memory
        for at in from..out.len() {
            let end = out[at].end;
            let behind = out[from..at]
                .iter()
                .rev()
                .take_while(|before| before.end > end)
                .count();
            if behind > 0 {
                out[at - behind..=at].rotate_right(1);
            }
        }
    }
}
