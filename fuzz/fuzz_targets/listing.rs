//! Titles made of the words of the dictionaries and the cards of the catalogue.

#![cfg_attr(fuzzing, no_main)]

titledex_fuzz::target!(titledex_fuzz::listing);
