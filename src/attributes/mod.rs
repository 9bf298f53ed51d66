//! One home for each attribute of a listing: the confidence in its words, the clues that it adds,
//! and the members of the answer that it writes.
//!
//! A wrong condition is mended in `condition.rs`, a wrong finish in `finish.rs`. The stages call
//! these functions in the order of the flow: [`crate::extract`] proposes with `means_other`,
//! `quality` and `propose`, [`crate::clues`] adds clues with `ask`, and [`crate::assemble`] writes with `write`.
//! The words themselves are data, in `dictionaries/`.

pub(crate) mod art;
pub(crate) mod companion;
pub(crate) mod condition;
pub(crate) mod edition;
pub(crate) mod epithet;
pub(crate) mod finish;
pub(crate) mod game;
pub(crate) mod grade;
pub(crate) mod hit;
pub(crate) mod hp;
pub(crate) mod illustrator;
pub(crate) mod kind;
pub(crate) mod label;
pub(crate) mod language;
pub(crate) mod level;
pub(crate) mod mark;
pub(crate) mod name;
pub(crate) mod noise;
pub(crate) mod number;
pub(crate) mod population;
pub(crate) mod printing;
pub(crate) mod product;
pub(crate) mod quantity;
pub(crate) mod query;
pub(crate) mod rarity;
pub(crate) mod readings;
pub(crate) mod set;
pub(crate) mod surroundings;
pub(crate) mod units;
pub(crate) mod word;
pub(crate) mod writer;
pub(crate) mod year;
