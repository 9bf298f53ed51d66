//! Any bytes as a chunk of price history, and a good chunk with bytes changed.

#![cfg_attr(fuzzing, no_main)]

titledex_fuzz::target!(titledex_fuzz::history);
