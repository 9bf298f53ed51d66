//! Lists of words that rules ask for by their names (`dictionaries/*/word_lists.csv`), as the build
//! script writes them.

// two of them are for the building of an index
#![cfg_attr(not(feature = "build"), allow(dead_code))]

include!(concat!(env!("OUT_DIR"), "/word_lists.rs"));
