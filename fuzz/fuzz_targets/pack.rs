//! Any bytes as a pack, and a good pack with bytes changed.

#![cfg_attr(fuzzing, no_main)]

titledex_fuzz::target!(titledex_fuzz::pack);
