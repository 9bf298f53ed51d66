//! What an import changes: what is new, what fills a gap, what contradicts.

use super::facts::{CardFacts, Facts};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use titledex::Dictionary;
use titledex::internals::build::rows::{CardRow, FIRST_GAME, Printing, Rows, SetRow};
use titledex::internals::catalogue::format::pack_number;
use titledex::internals::token::key_of;
use titledex_command::catalogue::refused;
use titledex_command::{Failure, say, shown};

/// How many cards and sets a report names.
const SHOWN: usize = 8;

/// A catalogue, by what finds a card in it.
pub(super) struct Held<'r> {
    rows: &'r Rows,
    cards: HashMap<&'r str, usize>,
    /// By set and number; none where several cards have them.
    numbers: HashMap<(&'r str, u64), Option<usize>>,
    sets: BTreeSet<&'r str>,
    /// Sets by game, region and the key of their English name; none where several have it.
    names: HashMap<(&'r str, Option<usize>, String), Option<&'r str>>,
    dictionary: Arc<Dictionary>,
}

impl<'r> Held<'r> {
    pub(super) fn of(rows: &'r Rows) -> Result<Held<'r>, Failure> {
        let dictionary = titledex_embedded::dictionary().map_err(refused)?;
        let mut numbers = HashMap::new();
        for (place, card) in rows.cards.iter().enumerate() {
            let key = (card.set.as_str(), pack_number(&card.number));
            let one = numbers.entry(key).or_insert(Some(place));
            if *one != Some(place) {
                *one = None;
            }
        }
        let mut names = HashMap::new();
        for set in &rows.sets {
            for name in [english_of(set)].into_iter().flatten() {
                let region = region_of(&dictionary, set.game(), &set.region);
                let key = (set.game(), region, key_of(name));
                let one = names.entry(key).or_insert(Some(set.id.as_str()));
                if *one != Some(set.id.as_str()) {
                    *one = None;
                }
            }
        }
        Ok(Held {
            cards: (0..)
                .zip(&rows.cards)
                .map(|(place, card)| (card.id.as_str(), place))
                .collect(),
            sets: rows.sets.iter().map(|set| set.id.as_str()).collect(),
            rows,
            numbers,
            names,
            dictionary,
        })
    }

    /// Gives cards and sets that the catalogue has its ids for them: a set by its id or its English
    /// name, a card by its id, or by set and number.
    pub(super) fn adopt(&self, facts: &mut Facts) {
        let mut renamed: HashMap<String, String> = HashMap::new();
        for set in std::mem::take(&mut facts.sets).into_values() {
            let mut set = set;
            let id = scoped(&set.game, &set.id);
            if !self.sets.contains(id.as_str()) {
                let name = set.names.get("en").map(|name| key_of(name));
                let game = if set.game.is_empty() {
                    FIRST_GAME
                } else {
                    &set.game
                };
                let region = region_of(&self.dictionary, game, &set.region);
                let found = name.and_then(|name| self.names.get(&(game, region, name)));
                if let Some(Some(ours)) = found {
                    let ours = unscoped(&set.game, ours);
                    renamed.insert(set.id, ours.to_owned());
                    set.id = ours.to_owned();
                }
            }
            facts.sets.insert(set.id.clone(), set);
        }
        for card in std::mem::take(&mut facts.cards).into_values() {
            let card = self.adopted(card, &renamed);
            facts.cards.insert(card.id.clone(), card);
        }
    }

    fn adopted(&self, mut card: CardFacts, renamed: &HashMap<String, String>) -> CardFacts {
        if let Some(ours) = renamed.get(&card.set) {
            card.set.clone_from(ours);
            card.id = format!("{ours}-{}", card.number);
        }
        if self
            .cards
            .contains_key(scoped(&card.game, &card.id).as_str())
        {
            return card;
        }
        let set = scoped(&card.game, &card.set);
        let found = self.numbers.get(&(set.as_str(), pack_number(&card.number)));
        if let Some(Some(place)) = found {
            card.id = unscoped(&card.game, &self.rows.cards[*place].id).to_owned();
        }
        card
    }

    /// What `rows` change.
    pub(super) fn changes(&self, rows: &Rows) -> Changes {
        let mut changes = Changes::default();
        for set in &rows.sets {
            if !self.sets.contains(set.id.as_str()) {
                changes.sets.push(set.id.clone());
            }
        }
        for card in &rows.cards {
            let Some(&place) = self.cards.get(card.id.as_str()) else {
                let of_set = changes.cards.entry(card.set.clone()).or_default();
                of_set.push(card.id.clone());
                continue;
            };
            let ours = &self.rows.cards[place];
            for (fact, mine, theirs) in facts_of(ours, card) {
                if mine == theirs || theirs.is_empty() {
                    continue;
                }
                changes.facts.push(Change {
                    card: card.id.clone(),
                    contradicts: !mine.is_empty(),
                    fact,
                    ours: mine,
                    theirs,
                });
            }
        }
        changes
    }
}

/// The English name of a set.
fn english_of(set: &SetRow) -> Option<&str> {
    let named = set.names.iter().find(|(language, _)| language == "en");
    let english = Some(set.english.as_str()).filter(|name| !name.is_empty());
    named.map(|(_, name)| name.as_str()).or(english)
}

/// The place of a region among those of its game; `None` if the game has none that is called so.
fn region_of(dictionary: &Dictionary, game: &str, name: &str) -> Option<usize> {
    dictionary.game(game)?.region_called(name)
}

/// An id among those of all games.
fn scoped(game: &str, id: &str) -> String {
    if game.is_empty() {
        id.to_owned()
    } else {
        format!("{game}:{id}")
    }
}

/// An id without the game's before it.
fn unscoped<'i>(game: &str, id: &'i str) -> &'i str {
    let rest = id
        .strip_prefix(game)
        .and_then(|rest| rest.strip_prefix(':'));
    rest.unwrap_or(id)
}

/// The facts of two rows of one card that can be compared, as texts: what, ours, theirs.
fn facts_of(ours: &CardRow, theirs: &CardRow) -> Vec<(String, String, String)> {
    let mut out = Vec::new();
    for (language, name) in &theirs.names {
        let held = ours.names.iter().find(|(held, _)| held == language);
        let held = held.map_or("", |(_, name)| name.as_str());
        // an apostrophe of another kind is no change
        if key_of(held) != key_of(name) {
            out.push((format!("name.{language}"), held.to_owned(), name.clone()));
        }
    }
    if pack_number(&ours.number) != pack_number(&theirs.number) {
        out.push((
            "number".to_owned(),
            ours.number.clone(),
            theirs.number.clone(),
        ));
    }
    let hp = |card: &CardRow| {
        Some(card.hp)
            .filter(|hp| *hp > 0)
            .map_or(String::new(), |hp| hp.to_string())
    };
    out.push(("hp".to_owned(), hp(ours), hp(theirs)));
    if key_of(&ours.illustrator) != key_of(&theirs.illustrator) {
        let painters = (ours.illustrator.clone(), theirs.illustrator.clone());
        out.push(("illustrator".to_owned(), painters.0, painters.1));
    }
    let subjects = |card: &CardRow| {
        let numbers: Vec<String> = card.subjects.iter().map(u16::to_string).collect();
        numbers.join("|")
    };
    out.push(("dex".to_owned(), subjects(ours), subjects(theirs)));
    let labels = |card: &CardRow| {
        let labels: Vec<&str> = card.printings.iter().map(|p| p.label.as_str()).collect();
        labels.join("|")
    };
    // sources differ in how finely they tell printings apart: those fill a gap, and contradict nothing
    if ours.printings.iter().all(|held| held.label.is_empty()) {
        out.push(("printings".to_owned(), String::new(), labels(theirs)));
    }
    out
}

/// A fact of a card that the catalogue lacks or has otherwise.
struct Change {
    card: String,
    contradicts: bool,
    fact: String,
    ours: String,
    theirs: String,
}

/// What an import changes.
#[derive(Default)]
pub(super) struct Changes {
    sets: Vec<String>,
    /// New cards by set.
    cards: BTreeMap<String, Vec<String>>,
    facts: Vec<Change>,
}

impl Changes {
    /// Reports on standard error.
    pub(super) fn say(&self) {
        let new: usize = self.cards.values().map(Vec::len).sum();
        let listed = |all: Vec<String>| {
            let more = if all.len() > SHOWN { " …" } else { "" };
            format!("{}{more}", shown(&all[..all.len().min(SHOWN)].join(", ")))
        };
        let sets = |(set, cards): (&String, &Vec<String>)| format!("{set} ({})", cards.len());
        let of_sets = self.cards.iter().map(sets).collect();
        say(&format!("new: {} sets", self.sets.len()));
        say(&format!("new: {new} cards: {}", listed(of_sets)));
        for (contradicts, what) in [(false, "filled"), (true, "contradictory")] {
            let all = self
                .facts
                .iter()
                .filter(|change| change.contradicts == contradicts);
            let (mut count, mut kinds) = (0, BTreeMap::<&str, usize>::new());
            let mut examples = Vec::new();
            for change in all {
                count += 1;
                *kinds.entry(&change.fact).or_default() += 1;
                if contradicts {
                    examples.push(format!(
                        "{} {}: {} / {}",
                        change.card, change.fact, change.ours, change.theirs
                    ));
                }
            }
            let kinds: Vec<String> = kinds
                .iter()
                .map(|(fact, n)| format!("{fact} {n}"))
                .collect();
            say(&format!("{what}: {count} facts: {}", kinds.join(", ")));
            if !examples.is_empty() {
                say(&format!("{what} (ours / theirs): {}", listed(examples)));
            }
        }
    }

    /// Each change as a row of CSV.
    pub(super) fn table(&self) -> Result<Vec<u8>, Failure> {
        let failed = |error: csv::Error| Failure::new(format!("the report: {error}"));
        let mut table = csv::Writer::from_writer(Vec::new());
        table
            .write_record(["card", "kind", "fact", "ours", "theirs"])
            .map_err(failed)?;
        for card in self.cards.values().flatten() {
            table
                .write_record([card, "new", "", "", ""])
                .map_err(failed)?;
        }
        for change in &self.facts {
            let kind = if change.contradicts {
                "contradictory"
            } else {
                "filled"
            };
            let Change {
                card,
                fact,
                ours,
                theirs,
                ..
            } = change;
            table
                .write_record([card, kind, fact, ours, theirs])
                .map_err(failed)?;
        }
        table
            .into_inner()
            .map_err(|error| Failure::new(format!("the report: {error}")))
    }

    /// The catalogue with what is new. It keeps what it has, and what contradicts it is left out.
    pub(super) fn merged(&self, mut held: Rows, new: Rows) -> Rows {
        let known: BTreeSet<String> = held.sets.iter().map(|set| set.id.clone()).collect();
        let sets = new.sets.into_iter().filter(|set| !known.contains(&set.id));
        held.sets.extend(sets);
        let places: HashMap<String, usize> = (0..)
            .zip(&held.cards)
            .map(|(place, card)| (card.id.clone(), place))
            .collect();
        for card in new.cards {
            match places.get(&card.id) {
                Some(&place) => fill(&mut held.cards[place], card),
                None => held.cards.push(card),
            }
        }
        held
    }
}

/// Gives a card what it lacks.
fn fill(held: &mut CardRow, new: CardRow) {
    for (language, name) in new.names {
        if !held.names.iter().any(|(known, _)| *known == language) {
            held.names.push((language, name));
        }
    }
    if held.hp == 0 {
        held.hp = new.hp;
    }
    if held.illustrator.is_empty() {
        held.illustrator = new.illustrator;
    }
    if held.subjects.is_empty() {
        held.subjects = new.subjects;
    }
    let unlabelled = |all: &[Printing]| all.iter().all(|printing| printing.label.is_empty());
    if unlabelled(&held.printings) && !unlabelled(&new.printings) {
        (held.printings, held.market_ids) = (new.printings, new.market_ids);
    }
}
