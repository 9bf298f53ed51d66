//! Any text as the price service's export.

#![cfg_attr(fuzzing, no_main)]

titledex_fuzz::target!(titledex_fuzz::export);
