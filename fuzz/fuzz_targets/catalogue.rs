//! Any text as the files that a catalogue is built from.

#![cfg_attr(fuzzing, no_main)]

titledex_fuzz::target!(titledex_fuzz::catalogue);
