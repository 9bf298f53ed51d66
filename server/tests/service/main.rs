//! The service over real HTTP, compared with its specification. `docs/SPEC-COVERAGE.md` links each
//! sentence to its tests.

mod accounts;
mod audit;
mod authentication;
mod backup;
mod bounds;
mod bucket;
mod client;
mod credits;
mod database;
mod documents;
mod export;
mod faults;
mod hostile;
mod imports;
mod languages;
mod market;
mod market_columns;
mod market_ids;
mod market_sales;
mod migrations;
mod openapi;
mod openapi_examples;
mod parse_title;
mod playground;
mod prices;
mod proxy;
mod reload;
mod shown;
mod sold;
mod support;
mod undo;
mod watched;
mod wire;
