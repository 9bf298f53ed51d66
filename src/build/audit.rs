//! Names that contradict the subjects of their card: they belong to another card.

use super::rows::{CardRow, Rows};
use super::subjects_named;
use super::vocabulary::Vocabulary;
use crate::dictionary::Dictionary;
use crate::error::Error;
use crate::sort::sort_by;
use crate::token::key_of;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

/// A name of a card that is made of a subject which is not on the card, or that stands among such
/// names: a source that gives the promos of one country the numbers of another's has each name at
/// the wrong card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FalseName {
    /// Id of the card.
    pub card: String,
    /// Code of the name's language.
    pub language: String,
    /// The name.
    pub name: String,
}

impl FalseName {
    fn new(card: &CardRow, language: &str, name: &str) -> FalseName {
        FalseName {
            card: card.id.clone(),
            language: language.to_owned(),
            name: name.to_owned(),
        }
    }
}

/// What contradicts on the cards of a catalogue.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Contradictions {
    /// Names of other cards. An index is built without them.
    pub names: Vec<FalseName>,
    /// Ids of cards whose own name is that of another subject than the source states. An index is
    /// built with the subjects of the name.
    pub numbers: Vec<String>,
}

/// The names and subjects of cards that contradict each other, and that
/// [`build`](super::build) mends.
///
/// # Errors
/// Of kind [`ErrorKind::Dictionary`](crate::ErrorKind::Dictionary), if the vocabulary of this build
/// is damaged.
pub fn contradictions(rows: &Rows) -> Result<Contradictions, Error> {
    let (dictionary, vocabulary) = (Dictionary::builtin()?, Vocabulary::builtin()?);
    let mut out = Contradictions::default();
    for (game, rows) in rows.by_game() {
        let own = vocabulary.of_game(game);
        for (place, mended) in mended(&dictionary, &own, &rows.cards) {
            if mended.subjects.is_some() {
                out.numbers.push(rows.cards[place].id.clone());
            }
            out.names.extend(mended.wrong);
        }
    }
    Ok(out)
}

/// A language of a set is false as a whole if this share of those of its names that can be judged
/// is.
const FALSE_SHARE: f64 = 0.25;
/// Of so many names.
const FEWEST: u32 = 4;

/// What is to be mended of a card.
#[derive(Default)]
pub(super) struct Mended {
    /// Names to leave out.
    pub(super) wrong: Vec<FalseName>,
    /// The subjects of its own name.
    pub(super) subjects: Option<Vec<u16>>,
}

/// What is to be mended, by the card's place.
pub(super) fn mended(
    dictionary: &Dictionary,
    vocabulary: &Vocabulary,
    cards: &[CardRow],
) -> BTreeMap<usize, Mended> {
    let mut out: BTreeMap<usize, Mended> = BTreeMap::new();
    let mut judged: HashSet<(usize, &str)> = HashSet::new();
    // how many names of each set and language are true, and how many false
    let mut counts: HashMap<(&str, &str), [u32; 2]> = HashMap::new();
    for (place, card) in cards.iter().enumerate() {
        // where the card's own name contradicts the numbers, the numbers are what is wrong
        let own = card.names.first();
        let own = own
            .map(|(language, name)| judge(dictionary, vocabulary, &card.subjects, language, name));
        let subjects = match own {
            Some(Verdict::False(named)) => {
                out.entry(place).or_default().subjects = Some(named.clone());
                Cow::Owned(named)
            }
            _ => Cow::Borrowed(&card.subjects),
        };
        for (language, name) in named(card) {
            let wrong = match judge(dictionary, vocabulary, &subjects, language, name) {
                Verdict::True => false,
                Verdict::False(_) => true,
                Verdict::Unknown => continue,
            };
            judged.insert((place, language));
            counts.entry((&card.set, language)).or_default()[usize::from(wrong)] += 1;
            if wrong {
                let of_card = out.entry(place).or_default();
                of_card.wrong.push(FalseName::new(card, language, name));
            }
        }
    }
    let whole = |set: &str, language: &str| {
        let [right, wrong] = counts.get(&(set, language)).copied().unwrap_or_default();
        wrong >= FEWEST && f64::from(wrong) >= FALSE_SHARE * f64::from(right + wrong)
    };
    let of_numbers = counts.keys().filter(|(_, language)| *language != "en");
    let any_whole: HashSet<&str> = of_numbers
        .filter(|(set, language)| whole(set, language))
        .map(|(set, _)| *set)
        .collect();
    for (place, card) in cards.iter().enumerate() {
        // the card's own name is not one of those that were put to it by its number
        let others = card.names.iter().skip(1);
        let mut wrong: Vec<FalseName> = others
            .filter(|(language, _)| {
                // a language whose names of subjects are not known came with the others
                any_whole.contains(&*card.set)
                    && language != "en"
                    && (whole(&card.set, language) || !vocabulary.speaks(language))
            })
            .map(|(language, name)| FalseName::new(card, language, name))
            .collect();
        // nor is the English name better, where it was made from them
        let english = !card.english.is_empty() && !judged.contains(&(place, "en"));
        if !wrong.is_empty() && english && whole(&card.set, "en") {
            wrong.push(FalseName::new(card, "en", &card.english));
        }
        if !wrong.is_empty() {
            let of_card = out.entry(place).or_default();
            of_card.wrong.extend(wrong);
            sort_by(&mut of_card.wrong, |a, b| a.language.cmp(&b.language));
            of_card.wrong.dedup();
        }
    }
    out
}

/// The names of a card with their languages, the English one that other sources have among them.
fn named(card: &CardRow) -> impl Iterator<Item = (&str, &str)> {
    let english = Some(("en", card.english.as_str())).filter(|(_, name)| !name.is_empty());
    let names = card.names.iter();
    english
        .into_iter()
        .chain(names.map(|(language, name)| (language.as_str(), name.as_str())))
}

/// What the subjects say of a name.
enum Verdict {
    True,
    /// It names these subjects.
    False(Vec<u16>),
    /// There are none, the name is made of more than subjects, or a subject has no name in its
    /// language.
    Unknown,
}

fn judge(
    dictionary: &Dictionary,
    vocabulary: &Vocabulary,
    subjects: &[u16],
    language: &str,
    name: &str,
) -> Verdict {
    let own = subjects
        .iter()
        .map(|&subject| vocabulary.subject_key(subject, language));
    let own: Option<Vec<String>> = own.collect();
    let Some(own) = own.filter(|own| !own.is_empty()) else {
        return Verdict::Unknown;
    };
    let key = key_of(name);
    if own.iter().any(|subject| key.contains(subject)) {
        return Verdict::True;
    }
    let named = subjects_named(dictionary, vocabulary, name, language);
    if named.is_empty() || named.iter().any(|named| subjects.contains(named)) {
        Verdict::Unknown
    } else {
        Verdict::False(named)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(subjects: &[u16], names: &[(&str, &str)]) -> Rows {
        let names = names.iter();
        let names = names.map(|(code, name)| ((*code).to_owned(), (*name).to_owned()));
        Rows {
            cards: vec![CardRow {
                id: "a-1".into(),
                subjects: subjects.to_vec(),
                names: names.collect(),
                ..CardRow::default()
            }],
            ..Rows::default()
        }
    }

    fn languages(rows: &Rows) -> Vec<String> {
        let found = contradictions(rows).expect("the vocabulary is whole");
        found.names.into_iter().map(|name| name.language).collect()
    }

    #[test]
    fn name_of_another_subject_is_false() {
        let pikachu = card(&[25], &[("ja", "ピカチュウ"), ("zh-tw", "噴火龍V")]);
        assert_eq!(languages(&pikachu), ["zh-tw"]);
    }

    #[test]
    fn names_that_agree_on_another_subject_correct_the_number() {
        let names = [("en", "Caterpie"), ("fr", "Chenipan"), ("de", "Raupy")];
        let found = contradictions(&card(&[11], &names)).expect("the vocabulary is whole");
        assert_eq!(
            (found.names, found.numbers),
            (vec![], vec!["a-1".to_owned()])
        );
    }

    #[test]
    fn language_of_a_set_is_left_out_whole_where_many_of_its_names_are_false() {
        let wrong = ["妙蛙種子", "小火龍", "傑尼龜", "皮卡丘"];
        let named = |number: usize, subjects: &[u16], chinese: &str| {
            let mut rows = card(subjects, &[("ja", "スボミー"), ("zh-tw", chinese)]);
            let mut card = rows.cards.remove(0);
            card.id = format!("a-{number}");
            card
        };
        let mut cards: Vec<CardRow> = (0..)
            .zip(wrong)
            .map(|(number, name)| named(number, &[406], name))
            .collect();
        cards.push(named(4, &[], "博士的研究"));
        let rows = |cards: &[CardRow]| Rows {
            cards: cards.to_vec(),
            ..Rows::default()
        };
        assert_eq!(languages(&rows(&cards)).len(), 5);
        assert_eq!(
            languages(&rows(&cards[1..])).len(),
            3,
            "too few to tell of the rest"
        );
    }

    #[test]
    fn english_name_of_other_sources_is_judged_too() {
        let mut rows = card(&[490], &[("ja", "マナフィ")]);
        rows.cards[0].english = "Yamper".into();
        assert_eq!(languages(&rows), ["en"]);
        rows.cards[0].english = "Manaphy".into();
        assert_eq!(languages(&rows), [""; 0]);
    }

    #[test]
    fn name_that_is_no_other_subject_stays() {
        for (subjects, names) in [
            (&[25][..], [("ja", "ピカチュウ"), ("zh-tw", "博士的研究")]),
            (&[6], [("ja", "リザードンex"), ("en", "Charizard ex")]),
            (&[], [("ja", "ピカチュウ"), ("zh-tw", "噴火龍V")]),
        ] {
            assert_eq!(languages(&card(subjects, &names)), [""; 0]);
        }
        let only = card(&[25], &[("zh-tw", "噴火龍V")]);
        assert_eq!(languages(&only), [""; 0]);
    }
}
