//! [`Placing`]: where the sale of a listing belongs: an item and a grade, a person's desk, or
//! nowhere.

use super::foreign::is_foreign;
use super::products::Products;
use super::words::{Known, Outcome, Said, is_goods, words_of};
use crate::market::load_index::{Item, LoadIndex};
use crate::market::{Companies, Grade, GradeKey};
use titledex::{Answer, Field, Grade as ReadGrade, Kind, Match, OutcomeType, Reading};

/// Kinds of the core that say a card is wrapped, and name no product.
const WRAPPINGS: [&str; 2] = ["wrapped", "promo_sealed"];
/// Kinds of the core that are a chance of a card.
const CHANCES: [&str; 2] = ["repack", "break_slot"];
/// The core's kind, and the word in a product's type, for a case of boxes.
const CASE: &str = "case";
/// The word in a product's type for a pack.
const PACK: &str = "pack";
/// The core's treatment of a card that somebody has signed.
const SIGNED: &str = "signed";
/// The language whose cards are meant where a title states none.
const ENGLISH: &str = "english";
/// A number of copies that is read with less confidence is for a person to judge.
const SURE_QUANTITY: f32 = 0.8;

/// Why a listing is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// Several cards or products, a choice or a chance.
    Lot,
    /// Something other than a card or a sealed product.
    NoCard,
    /// Refunded, cancelled, returned or not paid.
    NoSale,
}

/// A listing that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Why a person must look at it; none for a sale.
    pub reason: Option<&'static str>,
    /// The item.
    pub item: Option<i64>,
    /// The key of its grade; empty for a raw card or a sealed product.
    pub grade: String,
    /// How sure that is, in ten-thousandths.
    pub confidence: Option<i64>,
}

/// Where the sale of a listing belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Placing {
    /// It is a sale, or waits for a person.
    Kept(Kept),
    /// It counts nowhere.
    LeftOut(LeftOut),
}

/// What listings are judged by.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'r> {
    /// The items of the store.
    pub known: &'r LoadIndex,
    /// Its sealed products.
    pub products: &'r Products,
    /// Which company each grader is.
    pub companies: &'r Companies,
    /// What is less sure waits for a person, in ten-thousandths.
    pub enough: i64,
}

fn sure(probability: f32) -> i64 {
    (f64::from(probability) * 10_000.0).round() as i64
}

impl Rules<'_> {
    /// Where the sale of the listing with this title belongs, as the core reads it.
    #[must_use]
    pub fn place(&self, title: &str, answer: &Answer<'_>) -> Placing {
        let (sealed, words) = self.said(title, answer);
        if words.says(Outcome::NoSale) {
            return Placing::LeftOut(LeftOut::NoSale);
        }
        self.placed(title, answer, sealed, &words)
    }

    /// The item and the grade's key that a title is read as, as far as it is, whether the listing
    /// was sold or not.
    #[must_use]
    pub fn reads(&self, title: &str, answer: &Answer<'_>) -> (Option<i64>, String) {
        let (sealed, words) = self.said(title, answer);
        match self.placed(title, answer, sealed, &words) {
            Placing::Kept(kept) => (kept.item, kept.grade),
            Placing::LeftOut(_) => (None, String::new()),
        }
    }

    /// Whether a title sells a sealed product, and what its words say.
    fn said(&self, title: &str, answer: &Answer<'_>) -> (bool, Said) {
        // a slab is meant even where its grade is not read: `cracked PSA 9 slab`
        let grades = [Field::Grader, Field::Grade, Field::Wish];
        let said = |sealed| {
            let known = Known {
                graded: grades
                    .iter()
                    .any(|field| readings(answer, *field).next().is_some()),
                sealed,
            };
            Said::of(title, known)
        };
        let sealed = answer.parsed.kind == Kind::Sealed;
        let words = said(sealed);
        if sealed && self.is_wrapped_card(title, answer, &words) {
            (false, words)
        } else if !sealed && self.is_misspelt_product(answer, &words) {
            (true, said(true))
        } else {
            (sealed, words)
        }
    }

    fn placed(&self, title: &str, answer: &Answer<'_>, sealed: bool, words: &Said) -> Placing {
        // the card of `Mystery repack possible Umbreon VMAX 215/203` may be drawn
        let drawn = || readings(answer, Field::Kind).any(|kind| CHANCES.contains(&&*kind.value));
        if words.says(Outcome::Chance) || sealed && answer.parsed.number.is_some() && drawn() {
            return Placing::LeftOut(LeftOut::Lot);
        }
        if sealed {
            self.product(title, answer, words)
        } else {
            self.card(title, answer, words)
        }
    }

    /// Whether a title of a sealed thing is one of a card in its wrapper: it has a number and words
    /// for wrapping, and names no product.
    fn is_wrapped_card(&self, title: &str, answer: &Answer<'_>, said: &Said) -> bool {
        let mut kinds = readings(answer, Field::Kind)
            .filter(|kind| !said.is_introduced(said.word_at(title, kind.span.start)));
        let enough = |found: &Match<'_>| sure(found.confidence.get()) >= self.enough;
        answer.parsed.number.is_some()
            && answer.matches.first().is_some_and(enough)
            && kinds.all(|kind| WRAPPINGS.contains(&&*kind.value))
    }

    /// Whether a title that is read as no card names a product of the store, and no other goods.
    fn is_misspelt_product(&self, answer: &Answer<'_>, said: &Said) -> bool {
        let unread = matches!(
            answer.outcome.kind,
            OutcomeType::NotACard | OutcomeType::OtherGame | OutcomeType::NotInCatalogue
        );
        unread
            && answer.parsed.number.is_none()
            && !readings(answer, Field::Kind).any(|kind| is_goods(&kind.value))
            && self.products.find(answer, &said.words).is_some()
    }

    /// The item of a match.
    fn item(&self, found: &Match<'_>) -> Option<&Item> {
        self.known.item(&found.marketplace_id)
    }

    fn card(&self, title: &str, answer: &Answer<'_>, said: &Said) -> Placing {
        let kind = match answer.outcome.kind {
            // a card in its wrapper
            OutcomeType::Sealed => OutcomeType::Match,
            kind => kind,
        };
        if let OutcomeType::Lot | OutcomeType::OtherGame | OutcomeType::NotACard = kind
            && sure(answer.outcome.confidence.get()) >= self.enough
        {
            return Placing::LeftOut(match kind {
                OutcomeType::Lot => LeftOut::Lot,
                _ => LeftOut::NoCard,
            });
        }
        let best = self.best(answer);
        let item = best.as_ref().and_then(|best| self.item(best.found));
        let confidence = best.as_ref().map(|best| best.confidence);
        let kept = |reason| {
            Placing::Kept(Kept {
                reason,
                item: item.map(|item| item.key),
                grade: grade_word(answer.parsed.grade.as_ref(), self.companies),
                confidence,
            })
        };
        let is_match = kind == OutcomeType::Match
            || kind == OutcomeType::Ambiguous
                && (best.as_ref()).is_some_and(|best| best.twins && best.confidence >= self.enough);
        if !is_match {
            return kept(Some(kind.as_str()));
        }
        match several(answer) {
            Some(true) => return Placing::LeftOut(LeftOut::Lot),
            Some(false) => return kept(Some("quantity")),
            None => {}
        }
        let Some(item) = item else {
            return kept(Some("not_in_store"));
        };
        if confidence.is_none_or(|confidence| confidence < self.enough) {
            return kept(Some("low_confidence"));
        }
        if !is_print(answer, item.language.name(), said) {
            return kept(Some("language"));
        }
        if best.is_some_and(|best| is_other_print(answer, best.found)) {
            return kept(Some("printing"));
        }
        if said.breaks_slab() || said.says(Outcome::Doubtful) {
            return kept(Some("doubtful"));
        }
        match goods(title, answer, said) {
            Some(true) => Placing::LeftOut(LeftOut::NoCard),
            Some(false) => kept(Some("other_goods")),
            None => kept(None),
        }
    }

    /// The card that fits best: of the language that the title states, where the store has the card
    /// in it.
    fn best<'a, 't>(&self, answer: &'a Answer<'t>) -> Option<Best<'a, 't>> {
        let parsed = &answer.parsed;
        let first = answer.matches.first()?;
        let of = |found: &'a Match<'t>, twins| Best {
            found,
            confidence: sure(found.confidence.get() + twins),
            twins: twins > 0.0,
        };
        if let Some(stated) = parsed.language.as_deref() {
            let printed = |found: &&Match<'_>| {
                let item = self.item(found);
                item.is_some_and(|item| item.language.name() == stated)
            };
            return Some(of(
                answer.matches.iter().find(printed).unwrap_or(first),
                0.0,
            ));
        }
        // a title that names an English card's set and no language means that card, not its
        // Japanese twin: nobody leaves out "Japanese"
        let names_set = parsed
            .set
            .as_ref()
            .is_some_and(|set| set.id == first.set_id);
        let twin = |other: &&Match<'_>| {
            other.language != first.language
                && other.name == first.name
                && other.card_number == first.card_number
        };
        let twins = if names_set && first.language == ENGLISH {
            let twins = answer.matches.iter().skip(1).filter(twin);
            twins.map(|other| other.confidence.get()).sum()
        } else {
            0.0
        };
        Some(of(first, twins))
    }

    /// A sealed product.
    fn product(&self, title: &str, answer: &Answer<'_>, said: &Said) -> Placing {
        let parsed = &answer.parsed;
        let product = self.products.find(answer, &said.words);
        let kept = |reason| {
            Placing::Kept(Kept {
                reason,
                item: product.map(|product| product.item),
                grade: grade_word(parsed.grade.as_ref(), self.companies),
                confidence: Some(sure(answer.outcome.confidence.get())),
            })
        };
        if said.says(Outcome::Empty) {
            return Placing::LeftOut(LeftOut::NoCard);
        }
        let type_words = product.map(|product| words_of(&product.product_type));
        let is_type = |unit: &str| type_words.iter().flatten().any(|word| word == unit);
        // `151 BOX` is a set and a box
        let sets: Vec<_> = readings(answer, Field::Set)
            .map(|set| {
                let start = said.word_at(title, set.span.start);
                start..start + words_of(&set.text).len()
            })
            .collect();
        let packs = is_type(PACK) && said.counts(Outcome::PackUnit, &sets);
        match several(answer) {
            _ if packs || said.counts(Outcome::Unit, &sets) => {
                return Placing::LeftOut(LeftOut::Lot);
            }
            Some(true) => return Placing::LeftOut(LeftOut::Lot),
            Some(false) => return kept(Some("quantity")),
            None => {}
        }
        // a case of boxes, not a box in a case
        let case = readings(answer, Field::Kind)
            .filter(|kind| kind.value == CASE && !is_type(CASE))
            .find(|kind| !said.is_introduced(said.word_at(title, kind.span.start)));
        if let Some(case) = case {
            return if words_of(&case.text).len() > 1 {
                Placing::LeftOut(LeftOut::Lot)
            } else {
                kept(Some("quantity"))
            };
        }
        let plural = type_words
            .iter()
            .flatten()
            .next_back()
            .is_some_and(|unit| said.words.iter().any(|word| is_plural(unit, word)));
        if plural || said.says(Outcome::Several) {
            return kept(Some("quantity"));
        }
        if said.says(Outcome::Doubtful) || parsed.grade.is_some() || parsed.total.is_some() {
            return kept(Some("doubtful"));
        }
        if product.is_none() {
            return kept(Some(OutcomeType::Sealed.as_str()));
        }
        kept(None)
    }
}

/// The card that fits a title best.
#[derive(Clone, Copy)]
struct Best<'a, 't> {
    found: &'a Match<'t>,
    /// In ten-thousandths, with that of its twins.
    confidence: i64,
    /// It has twins in the other language.
    twins: bool,
}

fn readings<'a, 't>(answer: &'a Answer<'t>, field: Field) -> impl Iterator<Item = &'a Reading<'t>> {
    let spans = answer.parsed.spans.iter();
    spans.filter(move |reading| reading.field == field)
}

/// Whether several copies are sold: `true` if that is read surely, `false` if a person should see.
fn several(answer: &Answer<'_>) -> Option<bool> {
    if answer.parsed.quantity.is_none_or(|count| count < 2) {
        return None;
    }
    let mut counts = readings(answer, Field::Quantity);
    Some(counts.any(|count| count.confidence >= SURE_QUANTITY))
}

/// Whether the plural of a word for a product: `boxes` of `box`.
fn is_plural(unit: &str, word: &str) -> bool {
    word.strip_prefix(unit)
        .is_some_and(|rest| matches!(rest, "s" | "es" | "en"))
}

/// Whether a title sells a print in this language, as far as it says.
fn is_print(answer: &Answer<'_>, language: &str, said: &Said) -> bool {
    if let Some(stated) = answer.parsed.language.as_deref() {
        return stated == language;
    }
    let mut words = said.all(Outcome::Language);
    if words.any(|saying| saying.canonical != language) {
        return false;
    }
    // `Glurak` alone is a German card; beside `Charizard` it only helps searches
    let mut names = readings(answer, Field::Name).map(|name| is_foreign(&name.text));
    names.next().is_none_or(|first| !first) || names.any(|foreign| !foreign)
}

/// Whether a title states a signature, an error or a stamp that a card's best printing is not known
/// with: such a card has a price of its own.
fn is_other_print(answer: &Answer<'_>, found: &Match<'_>) -> bool {
    let mut stated = [
        Field::Autograph,
        Field::Error,
        Field::Stamp,
        Field::Treatment,
    ]
    .into_iter()
    .flat_map(|field| readings(answer, field))
    .filter(|reading| reading.field != Field::Treatment || reading.value == SIGNED);
    let mut evidence = found.evidence.iter();
    stated.next().is_some()
        && !evidence.any(|one| one.field == Field::Stamp && one.weight.get() > 0.0)
}

/// Whether a title that fits a card sells other goods: `true` if that is sure, `false` if a person
/// should see. Goods that come with the card, or stand in a title that states the card's grade or
/// condition, say nothing.
fn goods(title: &str, answer: &Answer<'_>, said: &Said) -> Option<bool> {
    let parsed = &answer.parsed;
    let kinds: Vec<&str> = readings(answer, Field::Kind)
        .filter(|kind| is_goods(&kind.value))
        .filter(|kind| !said.is_introduced(said.word_at(title, kind.span.start)))
        .map(|kind| &*kind.value)
        .collect();
    if kinds.iter().any(|kind| CHANCES.contains(kind)) {
        return Some(true);
    }
    let states_card = parsed.grade.is_some() || parsed.condition.is_some();
    (!states_card && !kinds.is_empty()).then_some(false)
}

/// The key of a grade, empty for a raw card. For an untracked company it is name and grade, which
/// is never a key.
#[must_use]
pub fn grade_word(read: Option<&ReadGrade<'_>>, companies: &Companies) -> String {
    let Some(read) = read else {
        return String::new();
    };
    let Some(grader) = companies.grader(&read.grader) else {
        let value = read
            .value
            .map(|value| f32::from(value.halves()) / 2.0)
            .map(|value| value.to_string());
        return format!(
            "{} {}",
            read.grader,
            value
                .as_deref()
                .or(read.label.as_deref())
                .unwrap_or_default()
        )
        .trim_end()
        .to_owned();
    };
    let label = read.label.as_deref().unwrap_or_default();
    let grade = match read.value.map(titledex::GradeValue::halves) {
        _ if read.qualifier.is_some() => Grade::Qualified,
        Some(20) if label == "BLACK LABEL" || label.starts_with("PERFECT") => Grade::Perfect,
        // the label of a plain 10 of this company is Pristine
        Some(20) if label.starts_with("PRISTINE") || read.grader == "BGS" => Grade::Pristine,
        // CGC goes down to a half, the interface to one
        Some(halves) => Grade::Halves(halves.max(2)),
        None if label.starts_with("AUTHENTIC") => Grade::Authentic,
        None => return format!("{} {label}", read.grader).trim_end().to_owned(),
    };
    GradeKey { grader, grade }.to_string()
}

#[cfg(test)]
mod tests {
    use super::{Companies, grade_word};
    use crate::market::GradeKey;
    use serde_json::Value;
    use titledex::{Engine, Options};

    /// The rows are read by the extension's tests too (`wasm/tests/node/price.test.mjs`): it asks for
    /// sales by the key that they are filed under here.
    #[test]
    fn grades_of_titles_map_to_keys() {
        let engine = Engine::new(titledex_embedded::catalogue().expect("it opens"));
        for line in include_str!("../../../../fixtures/grades.jsonl").lines() {
            let row: Value = serde_json::from_str(line).expect("a row is JSON");
            let title = row["title"].as_str().expect("a row has a title");
            let answer = engine.answer(title, &Options::default());
            let grade = answer.parsed.grade.as_ref();
            let read = serde_json::to_value(grade).expect("a grade is JSON");
            assert_eq!(read, row["grade"], "{title}");
            let word = grade_word(grade, &Companies::default());
            let key = word.parse::<GradeKey>().map(|key| key.to_string()).ok();
            assert_eq!(key.as_deref(), row["key"].as_str(), "{title}");
            // what has no key is kept in words
            assert_eq!(word.is_empty(), grade.is_none(), "{title}");
        }
    }

    #[test]
    fn grades_of_other_companies_are_words() {
        let engine = Engine::new(titledex_embedded::catalogue().expect("it opens"));
        let answer = engine.answer("TAG 10 Charizard 4/102 Base Set", &Options::default());
        let word = |companies: &Companies| grade_word(answer.parsed.grade.as_ref(), companies);
        assert_eq!(word(&Companies::default()), "TAG 10");
        let tracked = Companies(["PSA", "BGS", "CGC", "TAG"].map(str::to_owned));
        assert_eq!(word(&tracked), "GRADER_D_10");
    }
}
