//! Properties of indexes: the order of rows does not matter, and a damaged index never panics.

use super::config;
use super::support::{self, engine, small_rows};
use proptest::prelude::*;
use proptest::sample::{Index, subsequence};
use std::ops::Range;
use std::sync::OnceLock;
use titledex::internals::build::{self, rows::Rows, vocabulary::Vocabulary};
use titledex::internals::catalogue::format::{Section, Sections};
use titledex::{Catalogue, Engine, Options, Scratch};

/// A small catalogue with the vocabulary of a few species only, so that breaking it tests more than
/// the lexicon.
fn small_index() -> &'static [u8] {
    static INDEX: OnceLock<Vec<u8>> = OnceLock::new();
    INDEX.get_or_init(|| index_of(&small_rows()))
}

fn index_of(rows: &Rows) -> Vec<u8> {
    static VOCABULARY: OnceLock<Vocabulary> = OnceLock::new();
    let vocabulary = VOCABULARY.get_or_init(|| {
        let builtin = Vocabulary::builtin().expect("the vocabulary loads");
        let mut vocabulary = (*builtin).clone();
        vocabulary
            .set_aliases
            .retain(|set, _| set.starts_with("base") || set.starts_with("sv"));
        vocabulary
    });
    build::build_with(rows, "small", engine().dictionary(), vocabulary).expect("the index is built")
}

/// The cards of the small catalogue, and some more.
fn some_rows() -> &'static Rows {
    static ROWS: OnceLock<Rows> = OnceLock::new();
    ROWS.get_or_init(|| {
        let all = support::rows();
        let cards: Vec<_> = all.cards.iter().step_by(400).cloned().collect();
        let sets = all
            .sets
            .iter()
            .filter(|set| cards.iter().any(|card| card.set == set.id))
            .cloned()
            .collect();
        Rows {
            cards,
            sets,
            ..Rows::default()
        }
    })
}

/// The range of a section in the small index.
fn place(section: Section) -> Range<usize> {
    let sections = Sections::read(small_index(), true).expect("the index is good");
    let bytes = sections.bytes(section);
    let start = bytes.as_ptr() as usize - small_index().as_ptr() as usize;
    start..start + bytes.len()
}

/// Uses a broken index: any answer is allowed, a panic is not.
fn use_index(catalogue: Catalogue) {
    let _ = (
        catalogue.describe(),
        catalogue.name().len(),
        catalogue.printing_count(),
    );
    for id in ["base1-4", "base1-58", "asia:SV2a-201", "no-such"] {
        let _ = catalogue.card(id);
    }
    let engine = Engine::new(catalogue);
    let mut scratch = Scratch::default();
    for title in [
        "1999 Pokemon Base Set Charizard #4/102 Holo PSA 9",
        "Pikachu 58 base1 Japanese",
        "リザードンex 201/165 SAR",
        "Blastoisee Jungle lot",
    ] {
        let _ = engine.answer_with(&mut scratch, title, &Options::default());
    }
}

proptest! {
    #![proptest_config(config(24))]

    #[test]
    fn an_index_does_not_depend_on_the_order_of_rows(
        cards in Just(some_rows().cards.clone()).prop_shuffle(),
        sets in Just(some_rows().sets.clone()).prop_shuffle(),
    ) {
        static FIRST: OnceLock<Vec<u8>> = OnceLock::new();
        let first = FIRST.get_or_init(|| index_of(some_rows()));
        prop_assert!(*first == index_of(&Rows { cards, sets, ..Rows::default() }), "another order of rows, another index");
    }

    #[test]
    fn any_part_of_the_cards_builds(cards in subsequence(some_rows().cards.clone(), 1..some_rows().cards.len())) {
        let index = index_of(&Rows { cards: cards.clone(), sets: some_rows().sets.clone(), ..Rows::default() });
        let catalogue = Catalogue::open(index).map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert_eq!(catalogue.card_count(), cards.len());
        for card in &cards {
            prop_assert!(catalogue.card(&card.id).is_some_and(|view| view.id == card.id));
        }
        use_index(catalogue);
    }
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn an_altered_index_is_refused(at in any::<Index>(), mask in 1..=255u8) {
        let mut index = small_index().to_vec();
        let at = at.index(index.len());
        index[at] ^= mask;
        prop_assert!(Catalogue::open(index).is_err(), "byte {at} ^ {mask} was not noticed");
    }

    #[test]
    fn a_cut_index_is_refused(keep in any::<Index>()) {
        let keep = keep.index(small_index().len());
        prop_assert!(Catalogue::open(&small_index()[..keep]).is_err(), "{keep} bytes were enough");
        prop_assert!(Catalogue::open_trusted(small_index()[..keep].to_vec()).is_err(), "{keep} bytes were enough");
    }

    #[test]
    fn an_altered_index_that_is_trusted_never_panics(changes in proptest::collection::vec((any::<Index>(), 1..=255u8), 1..40)) {
        let mut index = small_index().to_vec();
        for (at, mask) in changes {
            let at = at.index(index.len());
            index[at] ^= mask;
        }
        if let Ok(catalogue) = Catalogue::open_trusted(index) {
            use_index(catalogue);
        }
    }

    #[test]
    fn an_altered_lexicon_that_is_trusted_never_panics(changes in proptest::collection::vec((any::<Index>(), 1..=255u8), 1..40)) {
        let mut index = small_index().to_vec();
        let links = place(Section::LexiconLinks);
        for (at, mask) in changes {
            index[links.start + at.index(links.len())] ^= mask;
        }
        if let Ok(catalogue) = Catalogue::open_trusted(index) {
            use_index(catalogue);
        }
    }

    #[test]
    fn arbitrary_bytes_are_refused(bytes in proptest::collection::vec(any::<u8>(), 0..2000)) {
        prop_assert!(Catalogue::open(bytes.clone()).is_err());
        if let Ok(catalogue) = Catalogue::open_trusted(bytes) {
            use_index(catalogue);
        }
    }
}

/// Alters every byte of the head, which holds the table of sections.
#[test]
fn an_altered_head_never_panics() {
    for at in 0..small_index().len().min(700) {
        for mask in [1, 0x80, 0xff] {
            let mut index = small_index().to_vec();
            index[at] ^= mask;
            assert!(
                Catalogue::open(index.clone()).is_err(),
                "byte {at} ^ {mask} was not noticed"
            );
            if let Ok(catalogue) = Catalogue::open_trusted(index) {
                use_index(catalogue);
            }
        }
    }
}
