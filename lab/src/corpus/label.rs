//! [`Stated`]: what a title states, and which cards of the catalogue agree with all of it.
//!
//! A label is right by construction: the writer of the title records here what it wrote, and the
//! cards are found by comparing that with the catalogue's columns. No title is read.

use super::deck::{Deck, Known};
use super::slot::Slot;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use titledex::internals::build::rows::language_name;
use titledex::internals::catalogue::format::pack_number;

/// More cards than this are not listed (`many`).
pub(crate) const LISTED: usize = 12;

/// How a title names a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    /// By its whole name: only cards with that name agree.
    Whole { key: String, core: u32 },
    /// By a part of it: any card of the subject, trainer or item may be meant.
    Part { core: u32 },
}

/// The attributes that a title states.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stated {
    pub(crate) name: Option<Name>,
    /// The names that a reader may return for it.
    pub(crate) names: Vec<String>,
    pub(crate) number: Option<String>,
    pub(crate) total: Option<String>,
    pub(crate) sets: Option<BTreeSet<String>>,
    pub(crate) language: Option<String>,
    /// The card is named in kana or kanji.
    pub(crate) japanese_script: bool,
    pub(crate) year: Option<u16>,
    /// The rarities that the rarity word may mean.
    pub(crate) rarities: Option<Vec<String>>,
    /// The rarity word is the catalogue's own; otherwise it is loose and may not decide between
    /// cards.
    pub(crate) rarity_exact: bool,
    /// The set word names a whole era.
    pub(crate) family: bool,
    pub(crate) finish: Option<String>,
    pub(crate) edition: Option<String>,
    pub(crate) hp: Option<u16>,
    pub(crate) grader: Option<String>,
    pub(crate) grade: Option<String>,
    pub(crate) condition: Option<String>,
    /// The number is garbled: the label does not state it.
    pub(crate) number_spoilt: bool,
}

/// The reason why a title must be written differently: its label would be disputable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contested {
    /// The language must be stated.
    Language,
    /// The card itself does not agree with what was written.
    Untrue,
}

/// Whether a card agrees with what is stated; the catalogue does not know everything about every
/// card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Agrees {
    No,
    /// Nothing contradicts it, but the catalogue does not know an attribute that is stated.
    Unknown,
    Yes,
}

impl From<Option<bool>> for Agrees {
    fn from(known: Option<bool>) -> Self {
        match known {
            None => Agrees::Unknown,
            Some(true) => Agrees::Yes,
            Some(false) => Agrees::No,
        }
    }
}

impl Stated {
    /// The same without what a slot of the title states.
    pub(crate) fn without(&self, slot: Slot) -> Self {
        let mut less = self.clone();
        match slot {
            Slot::Name => less.name = None,
            Slot::Number => (less.number, less.total) = (None, None),
            Slot::Set => (less.sets, less.family) = (None, false),
            Slot::Year => less.year = None,
            Slot::Rarity => less.rarities = None,
            Slot::Finish => less.finish = None,
            Slot::Edition => less.edition = None,
            Slot::Language => less.language = None,
            Slot::Hp => less.hp = None,
            Slot::Game | Slot::Grade | Slot::Condition | Slot::Puff => {}
        }
        less
    }

    /// Whether a card agrees with everything stated except the language.
    pub(crate) fn fits(&self, card: &Known<'_>) -> Agrees {
        let same = |stated: Option<u16>, own: Option<u16>| match (stated, own) {
            (None, _) => Agrees::Yes,
            (Some(stated), own) => own.map(|own| own == stated).into(),
        };
        let set = self
            .sets
            .as_ref()
            .is_none_or(|sets| sets.contains(card.facts.card.set_id));
        let parts = [
            self.name_fits(card),
            self.number_fits(card),
            Some(set).into(),
            same(self.year, card.year),
            same(self.hp, card.facts.card.hp),
            self.rarity_fits(card),
            self.edition_fits(card),
            self.finish_fits(card),
        ];
        parts.into_iter().min().unwrap_or(Agrees::Yes)
    }

    fn name_fits(&self, card: &Known<'_>) -> Agrees {
        match &self.name {
            None => Agrees::Yes,
            Some(Name::Part { core }) => Some(card.facts.core == *core).into(),
            Some(Name::Whole { key, .. }) if card.keys.binary_search(key).is_ok() => Agrees::Yes,
            // A card without a known English name may have the one stated.
            Some(Name::Whole { core, .. })
                if !self.japanese_script
                    && card.facts.core == *core
                    && card.english().is_none() =>
            {
                Agrees::Unknown
            }
            Some(Name::Whole { .. }) => Agrees::No,
        }
    }

    fn number_fits(&self, card: &Known<'_>) -> Agrees {
        let Some(number) = &self.number else {
            return Agrees::Yes;
        };
        let Some(own) = card.number else {
            // An old Japanese card prints the Pokédex number; what other cards without a number
            // print is unknown.
            let own_number = number.trim_start_matches('0');
            let bears = self.total.is_none()
                && card
                    .facts
                    .subjects
                    .iter()
                    .any(|own| own.to_string() == own_number);
            return if bears { Agrees::Unknown } else { Agrees::No };
        };
        if own != pack_number(number) {
            return Agrees::No;
        }
        match (&self.total, card.total) {
            (None, _) => Agrees::Yes,
            (Some(total), Some(own)) => Some(own == pack_number(total)).into(),
            // An international card without a total here has none printed.
            (Some(_), None) => {
                if card.facts.is_regional() {
                    Agrees::Unknown
                } else {
                    Agrees::No
                }
            }
        }
    }

    fn rarity_fits(&self, card: &Known<'_>) -> Agrees {
        let Some(rarities) = &self.rarities else {
            return Agrees::Yes;
        };
        let own = [card.facts.card.rarity, card.facts.card.rarity_mark];
        let known = own.iter().flatten().next().is_some();
        known
            .then(|| {
                own.iter()
                    .flatten()
                    .any(|own| rarities.iter().any(|r| r == own))
            })
            .into()
    }

    fn edition_fits(&self, card: &Known<'_>) -> Agrees {
        let own = card.printings;
        let agrees = match self.edition.as_deref() {
            Some("1st edition") => own.first,
            Some("shadowless") => own.shadowless || own.first,
            // what has a 1st edition was printed on
            _ => return Agrees::Yes,
        };
        own.known.then_some(agrees).into()
    }

    fn finish_fits(&self, card: &Known<'_>) -> Agrees {
        let own = card.printings;
        let agrees = match self.finish.as_deref() {
            // Many sellers call a reverse holo `holo`.
            Some("holo") => own.holo || own.reverse,
            Some("reverse holo") => own.reverse,
            _ => return Agrees::Yes,
        };
        own.known.then_some(agrees).into()
    }

    /// Whether a card is in the language that the title states or is written in.
    fn language_fits(&self, card: &Known<'_>) -> bool {
        let own = card.facts.card.language;
        let printed = |codes: &str| {
            card.facts
                .card
                .names
                .iter()
                .any(|local| language_name(local.language) == codes)
        };
        match self.language.as_deref() {
            Some("japanese") => card.facts.is_regional() && own == "japanese",
            Some(language @ ("korean" | "thai" | "indonesian")) => {
                card.facts.is_regional() && (own == language || printed(language))
            }
            Some(language) if language.ends_with("chinese") => {
                card.facts.is_regional() && (own == "chinese" || printed("chinese"))
            }
            Some(_) => !card.facts.is_regional(),
            None => !self.japanese_script || card.facts.is_regional() && own == "japanese",
        }
    }

    /// The cards that agree, in the order of the catalogue. `drawn` is the card that the title was
    /// written from.
    ///
    /// A title in Latin letters that states no language means the international card if one agrees.
    /// On `both` venues, where Japanese cards are sold without saying so, it means either, as long
    /// as only the name is stated.
    ///
    /// # Errors
    /// [`Contested`] if the title must be written differently.
    pub(crate) fn cards(
        &self,
        deck: &Deck<'_>,
        drawn: Option<u32>,
        both: bool,
    ) -> Result<Vec<u32>, Contested> {
        let (core, named): (&[u32], &[u32]) = match &self.name {
            Some(Name::Part { core }) => (deck.of_core(*core), &[]),
            Some(Name::Whole { key, core }) => (deck.of_core(*core), deck.named(key)),
            None => match &self.number {
                Some(number) => (deck.numbered(pack_number(number)), &[]),
                None => return Err(Contested::Untrue),
            },
        };
        let known = |at: &u32| deck.cards.get(*at as usize);
        let mut all: Vec<u32> = core.iter().chain(named).copied().collect();
        all.sort_unstable();
        all.dedup();
        let agrees = |at: &u32| {
            known(at).map_or(Agrees::No, |card| {
                if self.language_fits(card) {
                    self.fits(card)
                } else {
                    Agrees::No
                }
            })
        };
        let found: Vec<u32> = all
            .iter()
            .copied()
            .filter(|at| agrees(at) > Agrees::No)
            .collect();
        if let Some(drawn) = drawn {
            // What the catalogue does not know about another card could make it agree too.
            let open = |at: &&u32| **at != drawn && agrees(at) == Agrees::Unknown;
            let others = || {
                all.iter()
                    .filter(|at| found.binary_search(at).is_err())
                    .filter_map(known)
            };
            if found.binary_search(&drawn).is_err()
                || found.iter().any(|at| open(&at))
                || others().any(|card| self.excluded_by_little(card))
            {
                return Err(Contested::Untrue);
            }
        }
        if self.language.is_some() || self.japanese_script {
            return Ok(found);
        }
        self.region(deck, drawn, both, &all, found)
    }

    /// Whether a card is excluded only by words that sellers use carelessly: an adjacent year, a
    /// loose rarity, an era.
    fn excluded_by_little(&self, card: &Known<'_>) -> bool {
        let fits = |loose: &Self| loose.fits(card) > Agrees::No;
        let beside = self
            .year
            .zip(card.year)
            .is_some_and(|(year, own)| year.abs_diff(own) == 1);
        self.language_fits(card)
            && (beside
                && fits(&Self {
                    year: None,
                    ..self.clone()
                })
                || self.rarities.is_some()
                    && !self.rarity_exact
                    && fits(&Self {
                        rarities: None,
                        ..self.clone()
                    })
                || self.family
                    && fits(&Self {
                        sets: None,
                        ..self.clone()
                    }))
    }

    /// Of the cards that agree with a title that states no language, those that it means.
    fn region(
        &self,
        deck: &Deck<'_>,
        drawn: Option<u32>,
        both: bool,
        all: &[u32],
        found: Vec<u32>,
    ) -> Result<Vec<u32>, Contested> {
        let known = |at: &u32| deck.cards.get(*at as usize);
        let asia = |at: &u32| known(at).is_some_and(|card| card.facts.is_regional());
        let from_asia = drawn.is_some_and(|drawn| asia(&drawn));
        // A counterpart in the other region that only the year or a printing word excludes.
        let loose = Self {
            year: None,
            rarities: None,
            finish: None,
            edition: None,
            hp: None,
            ..self.clone()
        };
        let twin = |at: &u32| {
            asia(at) != from_asia && known(at).is_some_and(|card| loose.fits(card) > Agrees::No)
        };
        let name_only = self.number.is_none() && self.sets.is_none();
        let more = [
            self.year.is_some(),
            self.rarities.is_some(),
            self.finish.is_some(),
            self.edition.is_some(),
        ]
        .contains(&true);
        match (all.iter().any(twin), both) {
            (true, true) if name_only && !more => Ok(found),
            (true, true) => Err(Contested::Language),
            (true, false) if from_asia => Err(Contested::Language),
            (true, false) => Ok(found.into_iter().filter(|at| !asia(at)).collect()),
            (false, _) => Ok(found),
        }
    }

    /// The label's fields.
    pub(crate) fn fields(&self, row: &mut Map<String, Value>, told: bool) {
        let text =
            |value: &Option<String>| value.as_ref().map_or(Value::Null, |value| json!(value));
        if !self.number_spoilt {
            row.insert("number".to_owned(), text(&self.number));
            row.insert("total".to_owned(), text(&self.total));
        }
        let language = match &self.language {
            Some(language) if language.ends_with(" chinese") => json!([language, "chinese"]),
            Some(language) => json!(language),
            None if self.japanese_script => json!("japanese"),
            None => Value::Null,
        };
        // What a name in another language, or a number that only Asian cards have, says about the
        // language is disputable.
        if told || !language.is_null() {
            row.insert("language".to_owned(), language);
        }
        row.insert("grader".to_owned(), text(&self.grader));
        let grade = self
            .grade
            .as_ref()
            .and_then(|grade| grade.parse::<f64>().ok());
        row.insert("grade".to_owned(), grade.map_or(Value::Null, number));
        row.insert("certNumber".to_owned(), Value::Null);
        row.insert("edition".to_owned(), text(&self.edition));
        row.insert("finish".to_owned(), text(&self.finish));
        row.insert("condition".to_owned(), text(&self.condition));
        row.insert(
            "year".to_owned(),
            self.year.map_or(Value::Null, |year| json!(year)),
        );
        row.insert("name".to_owned(), one_or_list(&self.names));
        if self.family {
            return;
        }
        row.insert(
            "set".to_owned(),
            one_or_list(&self.sets.iter().flatten().cloned().collect::<Vec<_>>()),
        );
    }
}

/// A grade as labels write it: `10`, `9.5`.
fn number(grade: f64) -> Value {
    if grade.fract() == 0.0 {
        json!(grade as u64)
    } else {
        json!(grade)
    }
}

fn one_or_list(values: &[String]) -> Value {
    match values {
        [] => Value::Null,
        [one] => json!(one),
        list => json!(list),
    }
}
