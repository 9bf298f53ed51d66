//! Catalogues made larger for `benches/growth`: reproducible, the real cards among them, and their
//! titles still answered.

#[allow(dead_code, reason = "the bench uses all of it")]
#[path = "../benches/growth/enlarge.rs"]
mod enlarge;
#[path = "../benches/cost/src/random.rs"]
mod random;
mod support;

use enlarge::enlarge;
use titledex::internals::build::build;
use titledex::{Catalogue, Engine, Options};

#[test]
fn same_seed_makes_the_same_cards() {
    let rows = support::small_rows();
    let larger = enlarge(&rows, 30.0, 7);
    assert_eq!(larger, enlarge(&rows, 30.0, 7));
    assert_ne!(larger, enlarge(&rows, 30.0, 8));
    assert_eq!(larger.cards.len(), rows.cards.len() * 30);
    assert_eq!(larger.cards[..rows.cards.len()], rows.cards);
    assert_eq!(larger.sets[..rows.sets.len()], rows.sets);
}

#[test]
fn factor_one_is_the_catalogue_itself() {
    let rows = support::small_rows();
    assert_eq!(enlarge(&rows, 1.0, 7), rows);
}

#[test]
fn real_titles_match_the_same_cards_among_more() {
    let rows = enlarge(&support::small_rows(), 200.0, 7);
    let index = build(&rows, "larger").expect("the index is built");
    let catalogue = Catalogue::open(index).expect("the index opens");
    assert_eq!(catalogue.card_count(), rows.cards.len());
    let engine = Engine::new(catalogue);
    let answer = engine.answer(
        "1999 Pokemon Base Set Charizard 4/102 Holo PSA 9",
        &Options::default(),
    );
    assert_eq!(answer.matches[0].card_id, "base1-4");
}
