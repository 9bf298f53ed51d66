//! Any bytes as the requests of a connection, up to where hyper reads them.

#![cfg_attr(fuzzing, no_main)]

titledex_fuzz::target!(titledex_fuzz::http_head);
