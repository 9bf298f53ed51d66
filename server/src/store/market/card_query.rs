//! Which cards are listed, and in which order.

use super::folded::folded;
use super::records::{CardKind, CardWithPrintings, Language};
use crate::market::Money;
use crate::store::conditions::Conditions;
use std::cmp::{Ordering, Reverse};

/// What cards are sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CardSort {
    /// As in the catalogue: by set, then number.
    #[default]
    Catalogue,
    /// The market price of the leading printing.
    Price,
    /// The name, by its bytes.
    Name,
    /// The number, as people count.
    Number,
    /// The rarity, by its bytes.
    Rarity,
    /// The release of the set.
    Released,
}

/// How cards are listed. Cards without that by which they are sorted come last, either way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CardOrder {
    /// What they are sorted by.
    pub by: CardSort,
    /// The largest first.
    pub descending: bool,
}

/// Which cards are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardQuery {
    /// Of which language; of all those of the set where none is given.
    pub language: Option<Language>,
    /// Of which games, by their ids; of all where none is given.
    pub games: Option<Vec<String>>,
    /// Of which set, by its number here.
    pub set: Option<i64>,
    /// Whose leading printing's market price is at least this.
    pub min_price: Option<Money>,
    /// Whose leading printing's market price is at most this.
    pub max_price: Option<Money>,
    /// Of which rarity, without regard to case, accents and apostrophes.
    pub rarity: Option<String>,
    /// With a printing of this label, without regard to case and to what it has in brackets.
    pub printing: Option<String>,
    /// Of which kind.
    pub kind: Option<CardKind>,
    /// In which order.
    pub order: CardOrder,
    /// At most so many.
    pub limit: i64,
    /// After so many.
    pub offset: i64,
}

/// That a card `c` is of one of the games at `@`.
pub(super) const OF_GAMES: &str = "c.set_key IN (SELECT key FROM sets WHERE game IN (@))";

impl CardOrder {
    /// What is selected of a card `c`, its leading printing `l` and its set `r`, in which order,
    /// and the same order for what was selected, `p`. An index has each order but that by release.
    pub(super) fn columns(self) -> [String; 3] {
        let direction = if self.descending { "DESC" } else { "ASC" };
        // the key in the same direction, so that one index has both
        let by = |column: &str| {
            [
                format!("c.key, {column} AS sorted"),
                format!("{column} {direction} NULLS LAST, c.key {direction}"),
                format!("(p.sorted IS NULL), p.sorted {direction}, p.key {direction}"),
            ]
        };
        match self.by {
            CardSort::Catalogue => [
                "c.key".to_owned(),
                "c.set_key, c.place".to_owned(),
                "c.set_key, c.place, c.key".to_owned(),
            ],
            CardSort::Price => [
                "l.card AS key, l.market, l.key AS lead".to_owned(),
                format!("l.market {direction} NULLS LAST, l.key"),
                format!("(p.market IS NULL), p.market {direction}, p.lead"),
            ],
            CardSort::Name => by("c.name"),
            CardSort::Number => by("c.number_order"),
            CardSort::Rarity => by("c.rarity"),
            CardSort::Released => [
                "c.key, r.released AS sorted".to_owned(),
                format!("r.released {direction} NULLS LAST, c.set_key {direction}, c.place, c.key"),
                format!(
                    "(p.sorted IS NULL), p.sorted {direction}, c.set_key {direction}, c.place, \
                     c.key"
                ),
            ],
        }
    }

    /// Compares cards as the database does; those that are equal keep their order.
    #[must_use]
    pub fn compare(self, one: &CardWithPrintings, other: &CardWithPrintings) -> Ordering {
        fn compare<T: Ord>(descending: bool, one: Option<T>, other: Option<T>) -> Ordering {
            let missing = one.is_none().cmp(&other.is_none());
            missing.then_with(|| {
                if descending {
                    Reverse(one).cmp(&Reverse(other))
                } else {
                    one.cmp(&other)
                }
            })
        }
        let (a, b) = (&one.card, &other.card);
        let number = |number: &Option<String>| number.as_deref().map(number_order);
        let down = self.descending;
        match self.by {
            CardSort::Catalogue => Ordering::Equal,
            CardSort::Price => compare(down, one.leading_price(), other.leading_price()),
            CardSort::Name => compare(down, Some(&a.name), Some(&b.name)),
            CardSort::Number => compare(down, number(&a.number), number(&b.number)),
            CardSort::Rarity => compare(down, a.rarity.as_ref(), b.rarity.as_ref()),
            CardSort::Released => {
                compare(down, one.set_released.as_ref(), other.set_released.as_ref())
            }
        }
    }
}

impl CardQuery {
    /// The cards of a query, whose printing has one of these labels, as `c`, where a price is asked for their leading printings as `l`, and
    /// where it sorts their sets as `r`.
    pub(super) fn from(&self, labels: &[String]) -> Conditions {
        let language = self.language.map(Language::number);
        let by_price = self.order.by == CardSort::Price;
        let priced = by_price || self.min_price.is_some() || self.max_price.is_some();
        let about_cards = !by_price
            || self.set.is_some()
            || self.games.is_some()
            || self.rarity.is_some()
            || self.printing.is_some()
            || self.kind.is_some();
        let mut all = if priced {
            let cards = if about_cards {
                "JOIN cards c ON c.key = l.card "
            } else {
                ""
            };
            let sets = self.released();
            Conditions::new(&format!(
                "FROM items l {cards}{sets}WHERE l.place = 0 AND l.card IS NOT NULL"
            ))
        } else {
            Conditions::new(&format!("FROM cards c {}WHERE TRUE", self.released()))
        };
        let of_language = if priced {
            "l.language = @"
        } else {
            "c.language = @"
        };
        all.add(of_language, language);
        all.add("c.set_key = @", self.set);
        all.add_games(OF_GAMES, self.games.as_deref());
        self.narrow(&mut all);
        let has = "c.key IN (SELECT f.card FROM items f WHERE f.label IN (@))";
        self.add_printing(&mut all, has, labels);
        all
    }

    /// Adds that the printing of a card `c` has one of these labels, at `@` of `has`.
    pub(super) fn add_printing(&self, all: &mut Conditions, has: &str, labels: &[String]) {
        if self.printing.is_none() {
            return;
        }
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        if labels.is_empty() {
            all.add_never();
        } else {
            all.add_texts(has, &labels);
        }
    }

    /// Adds what narrows cards `c` down beside language, set and printing. Where a price is asked for, their
    /// leading printings are `l`.
    pub(super) fn narrow(&self, all: &mut Conditions) {
        all.add("l.market >= @", self.min_price.map(|price| price.0));
        all.add("l.market <= @", self.max_price.map(|price| price.0));
        all.add_text("c.folded_rarity = @", self.rarity.as_deref().map(folded));
        all.add_text("c.kind = @", self.kind.map(|kind| kind.name().to_owned()));
    }

    fn released(&self) -> &'static str {
        if self.order.by == CardSort::Released {
            "JOIN sets r ON r.key = c.set_key "
        } else {
            ""
        }
    }

    /// Whether a card is one of those that the filters leave, as the database decides it.
    #[must_use]
    pub fn admits(&self, card: &CardWithPrintings) -> bool {
        let market = card.leading_price();
        let same = |text: &str, wanted: &str| folded(text) == folded(wanted);
        let of = &card.card;
        let is_of = |set: i64| of.set_key == set;
        let printed = |wanted: &String| {
            let mut labels = card.printings.iter().map(|item| item.label.as_str());
            labels.any(|label| is_printing(label, wanted))
        };
        self.language.is_none_or(|language| of.language == language)
            && self.set.is_none_or(is_of)
            && (self.games.as_ref()).is_none_or(|games| games.contains(&card.game))
            && self.min_price.is_none_or(|least| market >= Some(least))
            && (self.max_price).is_none_or(|most| market.is_some_and(|market| market <= most))
            && (self.rarity.as_ref())
                .is_none_or(|rarity| of.rarity.as_ref().is_some_and(|own| same(own, rarity)))
            && self.kind.is_none_or(|kind| of.kind == Some(kind))
            && self.printing.as_ref().is_none_or(printed)
    }
}

/// Whether a label is the printing that is asked for, in any case; what it has in brackets may be
/// left out.
pub(super) fn is_printing(label: &str, wanted: &str) -> bool {
    let wanted = wanted.to_lowercase();
    let label = label.to_lowercase();
    let plain = label.split(" [").next().unwrap_or_default();
    label == wanted || plain == wanted
}

/// A number in the form whose bytes sort as people count: `2` before `10`, `TG1` after `999`.
#[must_use]
pub(super) fn number_order(number: &str) -> String {
    let number = number.trim().to_ascii_uppercase();
    let digits = number
        .find(|c: char| c.is_ascii_digit())
        .unwrap_or(number.len());
    let (prefix, rest) = number.split_at(digits);
    let end = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    let (count, tail) = rest.split_at(end);
    let count = count.trim_start_matches('0');
    // the count of digits first, so that a longer one comes later
    format!("{prefix} {:03}{count}{tail}", count.len())
}

#[cfg(test)]
mod tests {
    use super::number_order;

    #[test]
    fn numbers_sort_as_people_count() {
        let numbers = [
            "1/102",
            "2",
            "004/165",
            "10/102",
            "10a",
            "101",
            "GG01",
            "TG05",
            "TG12/TG30",
        ];
        let mut sorted = numbers.to_vec();
        sorted.reverse();
        sorted.sort_by_key(|number| number_order(number));
        assert_eq!(sorted, numbers);
    }
}
