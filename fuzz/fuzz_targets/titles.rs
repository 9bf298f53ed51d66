//! Any bytes as a file of titles: lines, CSV, TSV or JSON Lines.

#![cfg_attr(fuzzing, no_main)]

titledex_fuzz::target!(titledex_fuzz::titles);
