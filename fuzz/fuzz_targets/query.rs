//! Any text as a query string.

#![cfg_attr(fuzzing, no_main)]

titledex_fuzz::target!(titledex_fuzz::query);
