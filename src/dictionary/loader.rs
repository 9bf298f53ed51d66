//! Dictionary files → [`Dictionary`]: columns, conditions and values are checked row by row.

use super::game::MOST_GAMES;
use super::load::{Row, choices, rows};
use super::pattern::Pattern;
use super::{
    Absent, Affix, Codes, Dictionary, Entry, FLAW, Game, GameKind, GameWord, Grader, Label,
    PhraseKind, Position, PrintingWord, RarityWord, Spoken, Tag, When,
};
use crate::error::{Error, ErrorKind};
use crate::parsed::{Condition, Field, Finish, GradeValue, GraderCode};
use crate::sort::first_bytes;
use crate::token::{Keys, key_of};
use crate::trie::build;

/// Collects values and gives each an index.
fn intern<T: PartialEq>(list: &mut Vec<T>, value: T) -> u16 {
    let at = list
        .iter()
        .position(|known| *known == value)
        .unwrap_or_else(|| {
            list.push(value);
            list.len() - 1
        });
    u16::try_from(at).unwrap_or(u16::MAX)
}

/// The marks, each with the one that ends in its words.
fn with_wholes(mut affixes: Vec<Affix>) -> Vec<Affix> {
    for at in 0..affixes.len() {
        let ending = format!(" {}", affixes[at].name);
        let whole = affixes.iter().position(|a| a.name.ends_with(&ending));
        affixes[at].whole = whole.map(|whole| whole as u16);
    }
    affixes
}

/// Where `games` print cards in each of `languages`; `traditional chinese` is Chinese.
fn spoken(languages: &[String], games: &[Game]) -> Vec<Spoken> {
    let of = |language: &String| {
        let is = |own: &String| {
            let kind = language.strip_suffix(own.as_str());
            kind.is_some_and(|kind| kind.is_empty() || kind.ends_with(' '))
        };
        let places = games.iter().filter_map(|game| {
            let mut regions = game.regions.iter();
            regions.rposition(|region| region.languages.iter().any(is))
        });
        match places.max() {
            None => Spoken::Nowhere,
            Some(0) => Spoken::First,
            Some(_) => Spoken::Further,
        }
    };
    languages.iter().map(of).collect()
}

/// Of the meanings of an alias, takes from those that all games share the games that give it in
/// their own folder: a game that it names otherwise, or the same print in other words.
fn prefer_own(meanings: &mut [Entry], printings: &[PrintingWord]) {
    let print = |at: u16| &printings[usize::from(at)];
    let same = |a: Tag, b: Tag| match (a, b) {
        (Tag::Game(_), Tag::Game(_)) => true,
        (Tag::Printing(a), Tag::Printing(b)) => {
            let (a, b) = (print(a), print(b));
            (a.field, &a.value) == (b.field, &b.value)
        }
        _ => false,
    };
    let own = |tag: Tag, all: &[Entry]| {
        let own = all.iter().filter(|own| own.games != u32::MAX);
        let own = own.filter(|own| same(own.tag, tag));
        own.fold(0, |games, own| games | own.games)
    };
    for at in 0..meanings.len() {
        if meanings[at].games == u32::MAX {
            meanings[at].games &= !own(meanings[at].tag, meanings);
        }
    }
}

/// A file that is read.
struct File<'t> {
    /// Its name with its folder.
    name: &'t str,
    text: &'t str,
    /// The place of its game among [`Loader::folders`]; 0 of what every game shares.
    game: usize,
}

impl<'t> File<'t> {
    /// Its rows, which have these columns.
    fn rows(&self, columns: &[&str]) -> Result<Vec<Row<'t>>, Error> {
        rows(self.name, self.text, columns)
    }

    /// What is wrong in a row.
    fn bad(&self, row: &Row<'_>, what: &str) -> Error {
        let message = format!("dictionaries/{}:{}: {what}", self.name, row.line);
        Error::new(ErrorKind::Dictionary, message)
    }

    /// What the word in cell `at` of a row, of this column, means.
    fn one_of<T: Copy>(
        &self,
        row: &Row<'_>,
        (at, column): (usize, &str),
        words: &[(&str, T)],
    ) -> Result<T, Error> {
        let known = words.iter().find(|(word, _)| *word == row.cell(at));
        known
            .map(|(_, meaning)| *meaning)
            .ok_or_else(|| self.unknown(row, (at, column), words.iter().map(|(word, _)| *word)))
    }

    /// The error of a row whose cell `at`, of this column, has another word than `words`.
    fn unknown<'w>(
        &self,
        row: &Row<'_>,
        (at, column): (usize, &str),
        words: impl IntoIterator<Item = &'w str>,
    ) -> Error {
        let is = row.cell(at);
        self.bad(row, &format!("`{column}` is `{is}`: {}", choices(words)))
    }

    /// The pattern of a row, with its example.
    fn pattern(&self, row: &Row<'_>, game: u8, (text, example): (&str, &str)) -> Pattern {
        Pattern {
            game,
            text: text.to_owned(),
            example: example.to_lowercase(),
            place: format!("dictionaries/{}:{}", self.name, row.line),
        }
    }

    /// The conditions in cell `at` of a row, under which its words count.
    fn when(&self, row: &Row<'_>, at: usize) -> Result<When, Error> {
        When::parse(row.cell(at)).map_err(|word| {
            let words = choices(When::WORDS.iter().map(|(known, _)| *known));
            self.bad(row, &format!("`when` has the word `{word}`: {words}"))
        })
    }
}

/// Collects the words of the files.
#[derive(Default)]
pub(super) struct Loader {
    graders: Vec<Grader>,
    labels: Vec<Label>,
    phrases: Vec<(PhraseKind, Position)>,
    conditions: Vec<String>,
    printings: Vec<PrintingWord>,
    rarities: Vec<RarityWord>,
    languages: Vec<String>,
    kinds: Vec<(String, String)>,
    sealed: Vec<String>,
    games: Vec<GameWord>,
    folders: Vec<Game>,
    codes: Vec<Pattern>,
    /// How other games write their numbers; each pattern's `game` is a place of `strangers`.
    stranger_codes: Vec<Pattern>,
    /// The words of these games.
    strangers: Vec<u16>,
    affixes: Vec<Affix>,
    terms: Vec<String>,
    aliases: Vec<(String, Entry)>,
    keys: Keys,
    /// The games whose words are being read.
    reading: u32,
}

/// The folder of what every game shares.
const COMMON: &str = "common";

impl Loader {
    /// The place of the game with this id among [`Loader::folders`].
    fn folder(&mut self, id: &str) -> Result<usize, Error> {
        if let Some(at) = self.folders.iter().position(|game| game.id == id) {
            return Ok(at);
        }
        if self.folders.len() == MOST_GAMES {
            let message = format!("dictionaries/{id}: there are {MOST_GAMES} games before it");
            return Err(Error::new(ErrorKind::Dictionary, message));
        }
        self.folders.push(Game {
            id: id.to_owned(),
            ..Game::default()
        });
        Ok(self.folders.len() - 1)
    }

    /// Reads one file, which is named with its folder.
    pub(super) fn file(&mut self, name: &str, text: &str) -> Result<(), Error> {
        let (folder, stem) = name.split_once('/').unwrap_or((COMMON, name));
        let game = if folder == COMMON {
            self.reading = u32::MAX;
            0
        } else {
            let at = self.folder(folder)?;
            self.reading = 1 << at;
            at
        };
        let file = File { name, text, game };
        match stem {
            "conditions.csv" => self.conditions(&file)?,
            "games.csv" => self.games(&file)?,
            "game_codes.csv" => self.game_codes(&file)?,
            "game.csv" => self.folders[game] = Game::read(folder, name, text)?,
            "number_codes.csv" => self.number_codes(&file)?,
            "grade_labels.csv" => self.grade_labels(&file)?,
            "grade_phrases.csv" => self.grade_phrases(&file)?,
            "graders.csv" => self.graders(&file)?,
            "japanese_terms.csv" => self.japanese_terms(&file)?,
            "languages.csv" => self.languages(&file)?,
            "listing_kinds.csv" => self.listing_kinds(&file)?,
            "name_affixes.csv" => self.name_affixes(&file)?,
            "noise.csv" => self.noise(&file)?,
            "printings.csv" => self.printings(&file)?,
            "rarities.csv" => self.rarities(&file)?,
            "sealed.csv" => self.sealed(&file)?,
            _ => {
                return Err(Error::new(
                    ErrorKind::Dictionary,
                    format!("dictionaries/{name}: no such dictionary"),
                ));
            }
        }
        Ok(())
    }

    /// Conditions of cards.
    fn conditions(&mut self, file: &File<'_>) -> Result<(), Error> {
        for row in file.rows(&["canonical", "aliases", "language", "when", "note"])? {
            // a flaw by itself is not a condition
            if row.cell(0) != FLAW && Condition::called(row.cell(0)).is_none() {
                let conditions = Condition::ALL.map(Condition::as_str);
                let known = [FLAW].into_iter().chain(conditions);
                return Err(file.unknown(&row, (0, "canonical"), known));
            }
            let tag = Tag::Condition(intern(&mut self.conditions, row.cell(0).to_owned()));
            self.add(&row, tag, file.when(&row, 3)?);
        }
        Ok(())
    }

    /// Words for games, sports and other goods.
    fn games(&mut self, file: &File<'_>) -> Result<(), Error> {
        for row in file.rows(&["canonical", "aliases", "kind", "when", "note"])? {
            let kinds = [
                ("game", GameKind::Game),
                ("sport", GameKind::Sport),
                ("any", GameKind::Any),
                ("goods", GameKind::Goods),
            ];
            let kind = file.one_of(&row, (2, "kind"), &kinds)?;
            let word = GameWord {
                name: row.cell(0).to_owned(),
                kind,
            };
            let tag = Tag::Game(intern(&mut self.games, word));
            self.add(&row, tag, file.when(&row, 3)?);
        }
        Ok(())
    }

    /// The patterns of numbers with the code of a set.
    fn number_codes(&mut self, file: &File<'_>) -> Result<(), Error> {
        for row in file.rows(&["pattern", "example", "note"])? {
            let game = file.game as u8;
            (self.codes).push(file.pattern(&row, game, (row.cell(0), row.cell(1))));
        }
        Ok(())
    }

    /// The patterns of numbers by which cards of games without a folder are known.
    fn game_codes(&mut self, file: &File<'_>) -> Result<(), Error> {
        for row in file.rows(&["canonical", "pattern", "example", "note"])? {
            let word = GameWord {
                name: row.cell(0).to_owned(),
                kind: GameKind::Game,
            };
            let word = intern(&mut self.games, word);
            let game = intern(&mut self.strangers, word);
            if usize::from(game) >= MOST_GAMES {
                let what = format!("there are {MOST_GAMES} games before it");
                return Err(file.bad(&row, &what));
            }
            let pattern = file.pattern(&row, game as u8, (row.cell(1), row.cell(2)));
            self.stranger_codes.push(pattern);
        }
        Ok(())
    }

    /// The words of graders' labels.
    fn grade_labels(&mut self, file: &File<'_>) -> Result<(), Error> {
        for row in file.rows(&["canonical", "aliases", "value", "modifier", "note"])? {
            let value = match row.cell(2) {
                "" => None,
                value => Some(
                    GradeValue::parse(value)
                        .ok_or_else(|| file.bad(&row, "`value` is not a grade"))?,
                ),
            };
            let label = Label {
                name: row.cell(0).to_owned(),
                value,
                modifier: row.cell(3).to_owned(),
            };
            let tag = Tag::Label(intern(&mut self.labels, label));
            self.add(&row, tag, When::default());
        }
        Ok(())
    }

    /// What is said of a grade.
    fn grade_phrases(&mut self, file: &File<'_>) -> Result<(), Error> {
        for row in file.rows(&["phrase", "aliases", "kind", "position", "note"])? {
            let kinds = [
                ("wish", PhraseKind::Wish),
                ("negation", PhraseKind::Negation),
                ("comparison", PhraseKind::Comparison),
                ("history", PhraseKind::History),
                ("accessory", PhraseKind::Accessory),
                ("slab_part", PhraseKind::SlabPart),
                ("service", PhraseKind::Service),
                ("population", PhraseKind::Population),
                ("slab_note", PhraseKind::SlabNote),
                ("spam", PhraseKind::Spam),
            ];
            let positions = [
                ("before", Position::Before),
                ("after", Position::After),
                ("either", Position::Either),
                ("alone", Position::Alone),
            ];
            let kind = file.one_of(&row, (2, "kind"), &kinds)?;
            let position = file.one_of(&row, (3, "position"), &positions)?;
            let tag = Tag::Phrase(intern(&mut self.phrases, (kind, position)));
            self.add(&row, tag, When::default());
        }
        Ok(())
    }

    /// The graders and their scales.
    fn graders(&mut self, file: &File<'_>) -> Result<(), Error> {
        let columns = [
            "canonical",
            "aliases",
            "code",
            "scale",
            "points",
            "when",
            "note",
        ];
        for row in file.rows(&columns)? {
            if !row.cell(2).is_empty() && GraderCode::called(row.cell(2)).is_none() {
                let codes = GraderCode::ALL.map(GraderCode::as_str);
                let known = codes.into_iter().chain([""]);
                return Err(file.unknown(&row, (2, "code"), known));
            }
            let scale = row
                .list(3)
                .filter_map(GradeValue::parse)
                .map(GradeValue::halves)
                .collect();
            let replaced = |pair: &str| {
                let (points, value) = pair.split_once('=')?;
                Some((points.parse().ok()?, GradeValue::parse(value)?.halves()))
            };
            let Some(points) = row.list(4).map(replaced).collect() else {
                return Err(file.bad(&row, "`points` has no pairs such as `98=10`"));
            };
            let grader = Grader {
                name: row.cell(0).to_owned(),
                code: row.cell(2).to_owned(),
                scale,
                points,
            };
            let known = self.graders.iter().position(|g| g.name == grader.name);
            let at = known.map_or_else(|| intern(&mut self.graders, grader), |at| at as u16);
            self.add(&row, Tag::Grader(at), file.when(&row, 5)?);
        }
        Ok(())
    }

    /// Words for where a Japanese card comes from.
    fn japanese_terms(&mut self, file: &File<'_>) -> Result<(), Error> {
        for row in file.rows(&["canonical", "aliases", "field", "note"])? {
            let tag = if row.cell(2) == "noise" {
                Tag::Noise
            } else {
                Tag::Term(intern(&mut self.terms, row.cell(2).to_owned()))
            };
            self.add(&row, tag, When::default());
        }
        Ok(())
    }

    /// Languages.
    fn languages(&mut self, file: &File<'_>) -> Result<(), Error> {
        for row in file.rows(&["canonical", "aliases", "when", "note"])? {
            let tag = Tag::Language(intern(&mut self.languages, row.cell(0).to_owned()));
            self.add(&row, tag, file.when(&row, 2)?);
        }
        Ok(())
    }

    /// What is sold other than one card.
    fn listing_kinds(&mut self, file: &File<'_>) -> Result<(), Error> {
        for row in file.rows(&["canonical", "aliases", "outcome", "when", "note"])? {
            let tag = Tag::Kind(intern(
                &mut self.kinds,
                (row.cell(0).to_owned(), row.cell(2).to_owned()),
            ));
            self.add(&row, tag, file.when(&row, 3)?);
        }
        Ok(())
    }

    /// Marks of names: `ex`, `Dark`, `Erika's`.
    fn name_affixes(&mut self, file: &File<'_>) -> Result<(), Error> {
        for row in file.rows(&["canonical", "aliases", "position", "when", "note"])? {
            // whether it stands before the name, is always printed with it, says whose card it is, and
            // makes another card of it
            let positions = [
                ("prefix", (true, false, false, false)),
                ("form", (true, false, false, true)),
                ("owner", (true, false, true, true)),
                ("suffix", (false, false, false, false)),
                ("either", (false, false, false, false)),
                ("mechanic", (false, false, false, true)),
                ("essential", (false, true, false, true)),
            ];
            let at = (2, "position");
            let (prefix, essential, owner, another) = file.one_of(&row, at, &positions)?;
            let affix = Affix {
                name: row.cell(0).to_owned(),
                prefix,
                essential,
                owner,
                another,
                whole: None,
            };
            let tag = Tag::Affix(intern(&mut self.affixes, affix));
            self.add(&row, tag, file.when(&row, 3)?);
        }
        Ok(())
    }

    /// Words that say nothing of the card.
    fn noise(&mut self, file: &File<'_>) -> Result<(), Error> {
        for row in file.rows(&["canonical", "aliases", "language", "note"])? {
            self.add(&row, Tag::Noise, When::default());
        }
        Ok(())
    }

    /// Editions, finishes, stamps and other words for a printing.
    fn printings(&mut self, file: &File<'_>) -> Result<(), Error> {
        for row in file.rows(&[
            "canonical",
            "aliases",
            "field",
            "implies",
            "labels",
            "absent",
            "when",
            "note",
        ])? {
            let fields = [
                ("edition", Field::Edition),
                ("finish", Field::Finish),
                ("pattern", Field::Pattern),
                ("stamp", Field::Stamp),
                ("treatment", Field::Treatment),
                ("error", Field::Error),
                ("size", Field::Size),
            ];
            let absences = [
                ("", Absent::Same),
                ("not_in_catalogue", Absent::NotInCatalogue),
                ("not_a_card", Absent::NotACard),
            ];
            let field = file.one_of(&row, (2, "field"), &fields)?;
            if field == Field::Finish && Finish::called(row.cell(0)).is_none() {
                let known = Finish::ALL.map(Finish::as_str);
                return Err(file.unknown(&row, (0, "canonical"), known));
            }
            let word = PrintingWord {
                value: row.cell(0).to_owned(),
                field,
                implies: row.cell(3).to_owned(),
                labels: row.list(4).map(key_of).collect(),
                absent: file.one_of(&row, (5, "absent"), &absences)?,
            };
            let tag = Tag::Printing(intern(&mut self.printings, word));
            self.add(&row, tag, file.when(&row, 6)?);
        }
        Ok(())
    }

    /// Rarities.
    fn rarities(&mut self, file: &File<'_>) -> Result<(), Error> {
        for row in file.rows(&["canonical", "aliases", "catalogue", "when", "note"])? {
            let tag = Tag::Rarity(self.rarity(&row));
            self.add(&row, tag, file.when(&row, 3)?);
        }
        Ok(())
    }

    /// Sealed products.
    fn sealed(&mut self, file: &File<'_>) -> Result<(), Error> {
        for row in file.rows(&["canonical", "aliases", "with", "when", "note"])? {
            let tag = Tag::Sealed(intern(&mut self.sealed, row.cell(0).to_owned()));
            let when = file.when(&row, 3)?;
            for alias in row.spelled(1, 2) {
                self.add_alias(&alias, tag, when);
            }
        }
        Ok(())
    }

    /// The number of the rarity word of a row. Games share a word, and each has rarities of its own
    /// that it means.
    fn rarity(&mut self, row: &Row) -> u16 {
        let value = row.cell(0);
        let known = self.rarities.iter().position(|word| word.value == value);
        let at = known.unwrap_or_else(|| {
            self.rarities.push(RarityWord {
                value: value.to_owned(),
                catalogue: Vec::new(),
            });
            self.rarities.len() - 1
        });
        for rarity in row.list(2) {
            let word = &mut self.rarities[at].catalogue;
            match word.iter_mut().find(|(known, _)| known == rarity) {
                Some((_, games)) => *games |= self.reading,
                None => word.push((rarity.to_owned(), self.reading)),
            }
        }
        u16::try_from(at).unwrap_or(u16::MAX)
    }

    fn add(&mut self, row: &Row, tag: Tag, when: When) {
        for alias in row.list(1) {
            self.add_alias(alias, tag, when);
        }
    }

    /// Adds what this alias means.
    fn add_alias(&mut self, alias: &str, tag: Tag, when: When) {
        let key = self.keys.key_of(alias);
        if !key.is_empty() {
            let written = if when.has(When::EXACT) { alias } else { "" };
            self.aliases.push((
                key,
                Entry {
                    tag,
                    when,
                    written: written.into(),
                    games: self.reading,
                },
            ));
        }
    }

    /// The dictionary of all files that were read.
    pub(super) fn finish(self) -> Result<Dictionary, Error> {
        // nearly all are put in order by their first bytes; equals stay in the order of the files
        let mut aliases = self.aliases;
        let mut order: Vec<(u64, usize)> = aliases
            .iter()
            .enumerate()
            .map(|(at, (key, _))| (first_bytes(key.as_bytes()), at))
            .collect();
        order.sort_unstable_by(|a, b| {
            a.0.cmp(&b.0)
                .then_with(|| aliases[a.1].0.cmp(&aliases[b.1].0))
                .then(a.1.cmp(&b.1))
        });
        let (mut patterns, mut first, mut entries): (Vec<String>, Vec<u32>, Vec<Entry>) =
            Default::default();
        for (_, at) in order {
            let (key, entry) = (std::mem::take(&mut aliases[at].0), aliases[at].1.clone());
            if patterns.last() != Some(&key) {
                first.push(entries.len() as u32);
                patterns.push(key);
            }
            // what several games mean by a word is one meaning
            let from = first.last().map_or(0, |&from| from as usize);
            let same = |known: &&mut Entry| {
                known.tag == entry.tag && known.when == entry.when && known.written == entry.written
            };
            match entries[from..].iter_mut().find(same) {
                Some(known) => known.games |= entry.games,
                None => entries.push(entry),
            }
        }
        first.push(entries.len() as u32);
        for alias in first.windows(2) {
            prefer_own(
                &mut entries[alias[0] as usize..alias[1] as usize],
                &self.printings,
            );
        }
        let numbered: Vec<(String, u32)> = patterns.into_iter().zip(0..).collect();
        Ok(Dictionary {
            aliases: build(&numbered),
            first,
            entries,
            graders: self.graders,
            labels: self.labels,
            phrases: self.phrases,
            conditions: self.conditions,
            printings: self.printings,
            rarities: self.rarities,
            spoken: spoken(&self.languages, &self.folders),
            languages: self.languages,
            kinds: self.kinds,
            sealed: self.sealed,
            games: self.games,
            folders: self.folders,
            codes: Codes::compile(&self.codes)?,
            stranger_codes: Codes::compile(&self.stranger_codes)?,
            strangers: self.strangers,
            affixes: with_wholes(self.affixes),
            terms: self.terms,
            misspelt: once_cell::sync::OnceCell::new(),
        })
    }
}
