//! Any bytes as the body of parse-title.

#![cfg_attr(fuzzing, no_main)]

titledex_fuzz::target!(titledex_fuzz::body);
