//! Any text as a title.

#![cfg_attr(fuzzing, no_main)]

titledex_fuzz::target!(titledex_fuzz::title);
