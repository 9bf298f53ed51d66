//! An invented market made from a seed: prices, history, sold listings, populations and sealed
//! products, for tests, benches and demonstrations.
//!
//! The same plan and catalogue give the same rows everywhere. All of it is marked: prices have the
//! source `synthetic`, printings and products that exist nowhere say so in their ids, and the store
//! keeps the fact.

mod price;
mod random;
mod sealed;

use self::random::Random;
use self::sealed::{sealed, sealed_sales};
use super::SYNTHETIC;
use super::day::Day;
use super::load::Kind;
use super::money::Money;
use titledex::Catalogue;
use titledex::internals::catalogue::facts::CardFacts;

/// The sets that the documents' commands ask for. All their cards have prices, populations and
/// sales, and their products too.
const SHOWN: [&str; 5] = ["base1", "swsh7", "sv03.5", "asia:S6a", "asia:SV2a"];
/// Graders with a grade, and the price as a multiple of the raw card's, in tenths.
const SLABS: [(&str, i64); 9] = [
    ("PSA 10", 90),
    ("PSA 9", 35),
    ("PSA 8", 22),
    ("BGS 10 Black Label", 400),
    ("BGS 9.5", 70),
    ("CGC 10", 60),
    ("CGC 9.5", 38),
    ("CGC 9", 28),
    ("SGC 9", 26),
];

/// The size of an invented market.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Another seed gives another market.
    pub seed: u64,
    /// Days of history.
    pub days: i64,
    /// The last of them.
    pub until: Day,
    /// Cards of the catalogue that get prices with a history: those of a few well-known sets first,
    /// the others spread over it. `None` for all.
    pub cards: Option<usize>,
    /// The other cards get a price of the last day.
    pub others: bool,
    /// Each card gets at least this many printings. Missing ones are invented.
    pub printings: usize,
    /// Sold listings.
    pub sales: usize,
}

/// An item that has prices.
struct Item {
    id: String,
    invented: bool,
    /// It is of one of [`SHOWN`].
    shown: bool,
    /// Its starting price, in cents.
    begin: i64,
}

/// Takes the cells of a row, as a file of its kind has them.
pub type Taker<'t, E> = dyn FnMut(Kind, &[&[u8]]) -> Result<(), E> + 't;

/// Passes the rows of the plan to `row`, kind by kind, as cells in the order of the kind's columns.
///
/// # Errors
/// What `row` fails with.
pub fn generate<E>(plan: &Plan, catalogue: &Catalogue, row: &mut Taker<'_, E>) -> Result<(), E> {
    // the last columns, which name items otherwise, are left empty
    let row: &mut Taker<'_, E> = &mut |kind, cells| {
        let mut all = cells.to_vec();
        all.resize(kind.columns().len(), b"");
        row(kind, &all)
    };
    let (cards, others) = chosen(plan, catalogue);
    let items: Vec<Vec<Item>> = cards
        .iter()
        .enumerate()
        .map(|(at, facts)| printings(plan, at as u64, facts))
        .collect();
    for (facts, items) in cards.iter().zip(&items) {
        for item in items.iter().filter(|item| item.invented) {
            let card = &facts.card;
            let label = item
                .id
                .rsplit(':')
                .next()
                .unwrap_or_default()
                .replace('-', " ");
            let number = number(facts);
            let cells = [
                &item.id,
                card.name,
                card.set_name,
                card.set_id,
                &number,
                card.rarity.unwrap_or_default(),
                facts.card.language,
                &label,
            ];
            emit(Kind::Cards, &cells, row)?;
        }
    }
    let products = sealed(plan, catalogue, row)?;
    for (at, item) in items.iter().flatten().enumerate() {
        history(plan, plan.days, at as u64, item, row)?;
    }
    for (at, product) in products.iter().enumerate() {
        let days = if product.item.shown { plan.days } else { 1 };
        history(plan, days, at as u64 | 1 << 40, &product.item, row)?;
    }
    for (at, facts) in others.iter().enumerate() {
        for item in printings(plan, at as u64 | 1 << 41, facts) {
            if !item.invented {
                history(plan, 1, at as u64 | 1 << 41, &item, row)?;
            }
        }
    }
    for (at, item) in items.iter().flatten().enumerate() {
        populations(plan, at as u64, item, row)?;
    }
    sales(plan, &cards, &items, row)?;
    sealed_sales(plan, &products, row)
}

/// The cards with a history, those of [`SHOWN`] first, and the others that get a price.
fn chosen<'c>(plan: &Plan, catalogue: &'c Catalogue) -> (Vec<CardFacts<'c>>, Vec<CardFacts<'c>>) {
    let place = |facts: &CardFacts<'_>| SHOWN.iter().position(|set| *set == facts.card.set_id);
    let (mut cards, rest): (Vec<_>, Vec<_>) =
        catalogue.facts().partition(|facts| place(facts).is_some());
    cards.sort_by_key(|facts| place(facts));
    let wanted = plan.cards.unwrap_or(usize::MAX);
    let spread = wanted.saturating_sub(cards.len());
    let mut others = cards.split_off(wanted.min(cards.len()));
    let every = rest.len().checked_div(spread).unwrap_or(1).max(1);
    for (at, facts) in rest.into_iter().enumerate() {
        if at.is_multiple_of(every) && at / every < spread {
            cards.push(facts);
        } else {
            others.push(facts);
        }
    }
    others.retain(|_| plan.others);
    (cards, others)
}

fn emit<E>(kind: Kind, cells: &[&str], row: &mut Taker<'_, E>) -> Result<(), E> {
    let cells: Vec<&[u8]> = cells.iter().map(|cell| cell.as_bytes()).collect();
    row(kind, &cells)
}

fn number(facts: &CardFacts<'_>) -> String {
    match (facts.card.number, facts.card.total) {
        (Some(number), Some(total)) => format!("{number}/{total}"),
        (Some(number), None) => number.to_owned(),
        _ => String::new(),
    }
}

fn printings(plan: &Plan, at: u64, facts: &CardFacts<'_>) -> Vec<Item> {
    let mut random = Random::of(plan.seed, at << 8 | 1);
    let base = price::of_card(&mut random, facts);
    let shown = SHOWN.contains(&facts.card.set_id);
    let mut item = |id: String, label: &str, invented| Item {
        id,
        invented,
        shown,
        begin: price::of_printing(&mut random, base, label),
    };
    let mut items: Vec<Item> = facts
        .card
        .printings
        .iter()
        .map(|printing| item(printing.marketplace_id.clone(), printing.printing, false))
        .collect();
    for count in items.len() + 1..=plan.printings {
        let id = format!("{}:synthetic-{count}", facts.card.id);
        items.push(item(id, "", true));
    }
    items
}

/// A random walk: on half of the days the price stays, on the others it moves by up to 3 %, and it
/// tends back to its start.
fn history<E>(
    plan: &Plan,
    days: i64,
    at: u64,
    item: &Item,
    row: &mut Taker<'_, E>,
) -> Result<(), E> {
    let mut random = Random::of(plan.seed, at << 8 | 2);
    let (mut price, mut sellers) = (item.begin, 1 + random.below(60));
    let (mut market, mut low, mut count) = (Vec::new(), Vec::new(), Vec::new());
    for day in plan.until.0 - days + 1..=plan.until.0 {
        if random.below(2) == 0 {
            let back = (item.begin - price) / 200;
            price = (price + back + (random.below(601) - 300) * price / 10_000 + random.below(3)
                - 1)
            .max(1);
        }
        if random.below(4) == 0 {
            sellers = (sellers + random.below(5) - 2).clamp(1, 200);
        }
        let least = (price * (80 + at.cast_signed() % 15) / 100).max(1);
        for (text, cents) in [(&mut market, price), (&mut low, least)] {
            text.clear();
            Money(cents * 100).write(text);
        }
        count.clear();
        Money(sellers * super::money::UNIT).write(&mut count);
        let day = Day(day).to_string();
        row(
            Kind::Prices,
            &[
                item.id.as_bytes(),
                day.as_bytes(),
                &market,
                &low,
                &count,
                SYNTHETIC.as_bytes(),
                b"",
                b"USD",
            ],
        )?;
    }
    let day = plan.until.to_string();
    // the EUR market, and a played copy of some
    row(
        Kind::Prices,
        &[
            item.id.as_bytes(),
            day.as_bytes(),
            &market,
            &low,
            b"",
            SYNTHETIC.as_bytes(),
            b"",
            b"EUR",
        ],
    )?;
    if at.is_multiple_of(8) {
        row(
            Kind::Prices,
            &[
                item.id.as_bytes(),
                day.as_bytes(),
                &low,
                b"",
                b"",
                SYNTHETIC.as_bytes(),
                b"Moderately Played",
                b"USD",
            ],
        )?;
    }
    Ok(())
}

fn populations<E>(plan: &Plan, at: u64, item: &Item, row: &mut Taker<'_, E>) -> Result<(), E> {
    let mut random = Random::of(plan.seed, at << 8 | 4);
    if random.below(3) > 0 && !item.shown {
        return Ok(());
    }
    let moment = format!("{}T00:00:00Z", plan.until);
    for grader in super::Grader::ALL {
        let always = item.shown && grader == super::Grader::A;
        if random.below(2) == 0 && !always {
            continue;
        }
        let scale = 1 + random.below(2_000);
        let mut cells = vec![
            item.id.clone(),
            grader.code().to_owned(),
            String::new(),
            String::new(),
        ];
        for column in Kind::Population.columns().iter().take(27).skip(4) {
            let count = match super::Grade::of_column(column.name) {
                Some(super::Grade::Halves(halves)) if random.below(4) > 0 => {
                    scale * i64::from(halves) * i64::from(halves) / 400
                }
                Some(super::Grade::Pristine | super::Grade::Perfect) => {
                    random.below(scale / 40 + 1)
                }
                Some(super::Grade::Authentic | super::Grade::Qualified) => {
                    random.below(scale / 20 + 1)
                }
                _ => 0,
            };
            let counted =
                super::Grade::of_column(column.name).is_some_and(|grade| grade.counted_by(grader));
            cells.push(if counted && count > 0 {
                count.to_string()
            } else {
                String::new()
            });
        }
        cells.extend([
            ["high", "high", "medium", "low"][(at % 4) as usize].to_owned(),
            "0.9".to_owned(),
            moment.clone(),
        ]);
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        emit(Kind::Population, &cells, row)?;
    }
    Ok(())
}

/// Listings as sellers write them: raw and graded cards, some lots, and some other things.
fn sales<E>(
    plan: &Plan,
    cards: &[CardFacts<'_>],
    items: &[Vec<Item>],
    row: &mut Taker<'_, E>,
) -> Result<(), E> {
    if cards.is_empty() {
        return Ok(());
    }
    let mut random = Random::of(plan.seed, 5);
    for at in 0..plan.sales {
        // a few cards have most of the sales, as in real markets
        let popular = random.below(4) > 0;
        let most = cards.len() as i64;
        let card = usize::try_from(random.below(if popular { (most / 50).max(1) } else { most }))
            .unwrap_or_default();
        let (facts, item) = (&cards[card], items[card].first());
        let begin = item.map_or(100, |item| item.begin);
        let (what, tenths) = if random.below(3) == 0 {
            ("", 10)
        } else {
            *random.one_of(&SLABS)
        };
        let number = number(facts);
        let words = [facts.card.name, &number, facts.card.set_name, what];
        let title = match at % 50 {
            48 => format!(
                "Pokemon card lot of {} cards bulk {}",
                20 + random.below(80),
                facts.card.set_name
            ),
            49 => format!("Card sleeves pack of {} matte black", 50 + random.below(50)),
            _ => words
                .into_iter()
                .filter(|word| !word.is_empty())
                .collect::<Vec<_>>()
                .join(" "),
        };
        let cents = (begin * tenths / 10 * (85 + random.below(31)) / 100).max(1);
        let cents = if random.below(200) == 0 {
            cents * 20
        } else {
            cents
        };
        let day = Day(plan.until.0 - random.below(plan.days.clamp(1, 90)));
        let (price, url) = (
            Money(cents * 100).to_string(),
            format!("https://example.invalid/synthetic/{}/{at}", plan.seed),
        );
        emit(
            Kind::Sales,
            &[&title, &price, "USD", &day.to_string(), &url],
            row,
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Day, Kind, Plan, generate};
    use sha2::{Digest, Sha256};
    use std::collections::BTreeMap;
    use std::convert::Infallible;

    fn counted(plan: &Plan) -> (BTreeMap<String, usize>, [u8; 32]) {
        let (mut counts, mut hash) = (BTreeMap::new(), Sha256::new());
        let catalogue = titledex_embedded::catalogue().expect("it opens");
        let made = generate(plan, &catalogue, &mut |kind, cells| {
            assert_eq!(cells.len(), kind.columns().len());
            if kind == Kind::Prices {
                assert_eq!(cells[5], b"synthetic");
            }
            *counts.entry(format!("{kind:?}")).or_default() += 1;
            hash.update(cells.join(&0));
            Ok::<_, Infallible>(())
        });
        made.expect("nothing fails");
        (counts, hash.finalize().into())
    }

    #[test]
    fn same_seed_gives_the_same_market() {
        let plan = Plan {
            seed: 7,
            days: 20,
            until: Day(20_000),
            cards: Some(50),
            others: false,
            printings: 6,
            sales: 100,
        };
        let (counts, hash) = counted(&plan);
        assert!(counts["Sales"] > 100);
        assert!(
            counts["Prices"] >= 50 * 6 * 21
                && counts["Cards"] > 0
                && counts["Population"] > 10
                && counts["Sealed"] > 100,
            "{counts:?}"
        );
        assert_eq!(counted(&plan).1, hash);
        assert_ne!(counted(&Plan { seed: 8, ..plan }).1, hash);
    }
}
