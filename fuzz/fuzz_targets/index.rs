//! Any bytes as an index, and a good index with bytes changed.

#![cfg_attr(fuzzing, no_main)]

titledex_fuzz::target!(titledex_fuzz::index);
