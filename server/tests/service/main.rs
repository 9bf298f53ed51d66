//! The service over real HTTP, held to the sentences of its specification; each test names the one that it holds.

mod accounts;
mod authentication;
mod bucket;
mod client;
mod credits;
mod database;
mod documents;
mod export;
mod hostile;
mod imports;
mod market;
mod market_columns;
mod market_sales;
mod openapi;
mod openapi_examples;
mod parse_title;
mod playground;
mod prices;
mod reload;
mod specification;
mod support;
mod watched;
mod wire;
