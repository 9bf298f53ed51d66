//! `titledex-lab corpus generate`: labelled titles from any catalogue.

use super::deck::Known;
use super::falsify::falsify;
use super::label::{Contested, LISTED};
use super::layout::Piece;
use super::random::Random;
use super::refuse;
use super::render::{Sources, Writer};
use super::slot::Slot;
use super::spoil;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Longest title, in characters.
pub(crate) const LONGEST: usize = 300;
/// How often a title is restarted because what it should state is not true of the card.
const TRIES: usize = 60;
/// The prefix of the values of `draw` that mean international cards.
const ENGLISH: &str = "english ";
/// The prefix for cards that a Japanese title can name.
const JAPANESE: &str = "japanese ";
/// Most attempts to invent a word.
const INVENTIONS: usize = 20;
/// Most attempts with other fields.
const PLANS: usize = 8;

/// Fields that a title is not written without if it should have them.
const DECISIVE: [Slot; 7] = [
    Slot::Name,
    Slot::Language,
    Slot::Number,
    Slot::Set,
    Slot::Year,
    Slot::Finish,
    Slot::Edition,
];

/// The parameters of a run of the generator.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    pub(crate) seed: u64,
    /// Groups of venues to write for; all if empty.
    pub(crate) groups: Vec<String>,
    /// Titles in a thousand that are not a card of the catalogue.
    pub(crate) refusals: u64,
    /// Titles of a card, in a thousand, that state one attribute of it wrongly.
    pub(crate) slips: u64,
    /// Draw every card equally often instead of as often as venues offer it.
    pub(crate) uniform: bool,
}

/// A title with its label.
pub(crate) struct Labelled {
    pub(crate) title: String,
    pub(crate) outcome: &'static str,
    /// The cards that agree, in the order of the catalogue.
    pub(crate) cards: Vec<u32>,
    pub(crate) fields: Map<String, Value>,
}

/// State that all attempts at one title share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// The title is in Japanese.
    pub(crate) japanese: bool,
    /// One attribute is stated wrongly.
    pub(crate) slip: bool,
    /// Its card belongs to the Asian catalogue.
    pub(crate) asia: bool,
}

/// Generates titles one after another.
pub(crate) struct Generator<'s, 'a> {
    from: &'s Sources<'a>,
    order: Order,
    groups: Vec<(String, u64)>,
    /// Cards by language and year, as in the parameter `draw`.
    buckets: BTreeMap<String, Vec<u32>>,
}

impl<'s, 'a> Generator<'s, 'a> {
    /// Prepares for drawing cards.
    pub(crate) fn new(from: &'s Sources<'a>, order: Order) -> Self {
        let weight = |group: &str| {
            from.noise
                .table(group, "venue")
                .iter()
                .map(|row| row.1)
                .sum()
        };
        let asked =
            |group: &&str| order.groups.is_empty() || order.groups.iter().any(|own| own == group);
        let groups = from
            .noise
            .groups()
            .filter(asked)
            .map(|group| (group.to_owned(), weight(group)))
            .collect();
        let mut buckets: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        for (at, card) in (0u32..).zip(&from.deck.cards) {
            let year = card.year.map_or("?".to_owned(), |year| year.to_string());
            buckets
                .entry(format!("{} {year}", card.facts.card.language))
                .or_default()
                .push(at);
        }
        Self {
            from,
            order,
            groups,
            buckets,
        }
    }

    /// The title with a number; the same for the same seed, catalogue and counts.
    pub(crate) fn title(&self, index: u64) -> Option<Value> {
        let mut random = Random::of_title(self.order.seed, index);
        let group = random.weighted(&self.groups, |group| group.1)?.0.clone();
        let venue = random
            .weighted(self.from.noise.table(&group, "venue"), |row| row.1)
            .map_or("", |row| &row.0)
            .to_owned();
        let refused = random.chance(self.order.refusals, 1000);
        let kind = if refused {
            random
                .weighted(self.from.noise.table(&group, "refusal"), |row| row.1)
                .map(|row| row.0.clone())
        } else {
            None
        };
        let japanese = self.script(&mut random, &group);
        let asia = japanese
            || self
                .bucket(&mut random, &group, None)
                .is_some_and(|bucket| !bucket.starts_with(ENGLISH));
        // no number is drawn for nothing: titles without slips stay what they were
        let slip = !refused && self.order.slips > 0 && random.chance(self.order.slips, 1000);
        let plan = Plan {
            japanese,
            asia,
            slip,
        };
        let mut slots = Vec::new();
        for attempt in 0..TRIES * PLANS {
            // Other fields, because no card seems to have those drawn.
            if attempt % TRIES == 0 {
                slots = self.slots(&mut random, &group, plan);
            }
            let made = match kind.as_deref() {
                Some(kind) => refuse::title(self, &mut random, &group, plan, kind),
                None => self.card(&mut random, &group, plan, &slots),
            };
            let Some(made) = made else { continue };
            let length = made.title.chars().count();
            if (1..=LONGEST).contains(&length) {
                return Some(self.row(index, &venue, made));
            }
        }
        None
    }

    fn row(&self, index: u64, venue: &str, made: Labelled) -> Value {
        let mut row = Map::new();
        row.insert(
            "id".to_owned(),
            json!(format!("g{}-{index:05}", self.order.seed)),
        );
        row.insert("title".to_owned(), json!(made.title));
        row.insert("venue".to_owned(), json!(venue));
        row.insert("outcome".to_owned(), json!(made.outcome));
        let ids = made
            .cards
            .iter()
            .take(LISTED)
            .filter_map(|at| self.from.deck.cards.get(*at as usize))
            .map(|card| card.facts.card.id);
        row.insert("cards".to_owned(), ids.collect());
        if made.cards.len() > LISTED {
            row.insert("many".to_owned(), json!(true));
        }
        row.extend(made.fields);
        Value::Object(row)
    }

    /// A writer for one title of a group.
    pub(crate) fn writer<'w>(
        &self,
        random: &'w mut Random,
        group: &'w str,
        japanese: bool,
    ) -> Writer<'w, 'a>
    where
        's: 'w,
    {
        let tongue = if japanese { "ja" } else { "en" }.to_owned();
        Writer {
            from: self.from,
            group,
            random,
            japanese,
            tongue,
            stated: super::label::Stated::default(),
        }
    }

    /// Whether a title of the group is in Japanese script this time.
    pub(crate) fn script(&self, random: &mut Random, group: &str) -> bool {
        let (hits, all) = self.from.noise.share(group, "japanese script", "yes");
        random.chance(hits, all.max(1))
    }

    /// Language and year of a title's card; `None` if cards are drawn uniformly, or the catalogue
    /// has none that the venue offers.
    fn bucket(&self, random: &mut Random, group: &str, plan: Option<Plan>) -> Option<&'s str> {
        if self.order.uniform {
            return None;
        }
        let fits = |bucket: &str| match plan {
            None => true,
            Some(Plan { japanese: true, .. }) => bucket.starts_with(JAPANESE),
            Some(plan) => plan.asia != bucket.starts_with(ENGLISH),
        };
        let held = |row: &(String, u64)| {
            if self.buckets.contains_key(&row.0) && fits(&row.0) {
                row.1
            } else {
                0
            }
        };
        random
            .weighted(self.from.noise.table(group, "draw"), held)
            .map(|row| row.0.as_str())
    }

    /// The fields that a title states.
    fn slots(&self, random: &mut Random, group: &str, plan: Plan) -> Vec<Slot> {
        let table = self.from.noise.table(
            group,
            if plan.asia {
                "fields asia"
            } else {
                "fields international"
            },
        );
        random
            .weighted(table, |row| row.1)
            .map(|row| row.0.split(' ').filter_map(Slot::of_name).collect())
            .unwrap_or_default()
    }

    /// A card whose name can be written in the script.
    pub(crate) fn draw(
        &self,
        random: &mut Random,
        group: &str,
        plan: Plan,
    ) -> Option<(u32, &'s Known<'a>)> {
        let bucket = self.bucket(random, group, Some(plan));
        let writable = |card: &Known<'_>| {
            if plan.japanese {
                card.facts.card.language == "japanese" && card.name_in("ja").is_some()
            } else {
                card.english().is_some()
            }
        };
        let at = match bucket.and_then(|bucket| self.buckets.get(bucket)) {
            Some(cards) => *random.pick(cards)?,
            None => random.index(self.from.deck.cards.len()) as u32,
        };
        let card = self.from.deck.cards.get(at as usize)?;
        writable(card).then_some((at, card))
    }

    /// A title that states a card of the catalogue.
    fn card(
        &self,
        random: &mut Random,
        group: &str,
        plan: Plan,
        slots: &[Slot],
    ) -> Option<Labelled> {
        let (at, card) = self.draw(random, group, plan)?;
        let mut slots = slots.to_vec();
        // The random numbers continue: the second attempt is another title of the same card.
        for _ in 0..3 {
            match self.write(random, group, plan, at, card, &slots) {
                Ok(made) => return Some(made),
                Err(Contested::Language) if !slots.contains(&Slot::Language) => {
                    slots.push(Slot::Language)
                }
                Err(_) => return None,
            }
        }
        None
    }

    fn write(
        &self,
        random: &mut Random,
        group: &str,
        plan: Plan,
        at: u32,
        card: &Known<'a>,
        slots: &[Slot],
    ) -> Result<Labelled, Contested> {
        let japanese = plan.japanese;
        let mut writer = self.writer(random, group, japanese);
        if !japanese && !card.facts.is_regional() {
            writer.tongue = writer
                .draw("name")
                .filter(|form| card.name_in(form).is_some())
                .unwrap_or_else(|| "en".to_owned());
        }
        let mut slots = slots.to_vec();
        // A graded card has no condition of its own.
        if slots.contains(&Slot::Grade) {
            slots.retain(|slot| *slot != Slot::Condition);
        }
        let mut pieces: Vec<Piece> = Vec::new();
        for slot in &slots {
            if let Some(text) = writer.field(*slot, card) {
                pieces.push(Piece { slot: *slot, text });
            } else if DECISIVE.contains(slot) {
                // Fields that sellers state if the card has them: another card is drawn, so that
                // each field occurs as often as counted.
                return Err(Contested::Untrue);
            }
        }
        let both = group == "carousell";
        let cards = writer.stated.cards(&self.from.deck, Some(at), both)?;
        let slip = if plan.slip {
            let slip = falsify(self, &mut writer, plan, (at, card), &mut pieces);
            Some(slip.filter(|_| cards == [at]).ok_or(Contested::Untrue)?)
        } else {
            None
        };
        let puffs: usize = writer
            .draw("puff count")
            .and_then(|count| count.parse().ok())
            .unwrap_or(0);
        let games: usize = writer
            .draw("game count")
            .and_then(|count| count.parse().ok())
            .unwrap_or(1);
        for _ in 1..games {
            if let Some(text) = writer
                .field(Slot::Game, card)
                .filter(|_| slots.contains(&Slot::Game))
            {
                pieces.push(Piece {
                    slot: Slot::Puff,
                    text,
                });
            }
        }
        for _ in 0..puffs {
            if let Some(text) = writer.puff() {
                pieces.push(Piece {
                    slot: Slot::Puff,
                    text,
                });
            }
        }
        let unread: usize = writer
            .draw("unread count")
            .and_then(|count| count.parse().ok())
            .unwrap_or(0);
        for _ in 0..if japanese { 0 } else { unread } {
            // Most short words resemble some name.
            if let Some(text) =
                (0..INVENTIONS).find_map(|_| spoil::invented(self.from, writer.random))
            {
                pieces.push(Piece {
                    slot: Slot::Puff,
                    text,
                });
            }
        }
        self.shorten(&mut writer, &mut pieces);
        spoil_number(&mut writer, &mut pieces);
        let row = writer.order(pieces);
        let title = writer.join(&row);
        let told = !both && writer.tongue == "en" && !card.facts.is_regional();
        let mut fields = Map::new();
        writer.stated.fields(&mut fields, told);
        if let Some(slip) = slip {
            fields.insert("slip".to_owned(), json!(slip.name()));
        }
        let outcome = if cards.len() == 1 {
            "match"
        } else {
            "ambiguous"
        };
        Ok(Labelled {
            title,
            outcome,
            cards,
            fields,
        })
    }

    /// Seller's words are dropped first if a title is longer than those of the venue.
    fn shorten(&self, writer: &mut Writer<'_, '_>, pieces: &mut Vec<Piece>) {
        let limit: usize = writer
            .draw("length")
            .and_then(|length| length.parse().ok())
            .unwrap_or(LONGEST)
            + 9;
        let length = |pieces: &[Piece]| {
            pieces
                .iter()
                .map(|piece| piece.text.chars().count() + 1)
                .sum::<usize>()
        };
        for slot in [Slot::Puff, Slot::Game] {
            while length(pieces) > limit
                && let Some(at) = pieces.iter().rposition(|piece| piece.slot == slot)
            {
                pieces.remove(at);
            }
        }
    }
}

/// O for 0 in a number.
fn spoil_number(writer: &mut Writer<'_, '_>, pieces: &mut [Piece]) {
    if !writer.yes("o for zero") {
        return;
    }
    let Some(piece) = pieces
        .iter_mut()
        .find(|piece| piece.slot == Slot::Number && piece.text.contains('0'))
    else {
        return;
    };
    piece.text = piece.text.replacen('0', "O", 1);
    writer.stated.number_spoilt = true;
}
