//! Any bytes as the requests of a connection, heads and bodies.

#![cfg_attr(fuzzing, no_main)]

titledex_fuzz::target!(titledex_fuzz::http);
