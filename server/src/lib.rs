//! The service of titledex over HTTP: accounts, keys, plans, credits, and the endpoints that are
//! charged to them.
//!
//! A request passes the [`middleware`], which identifies the caller by the [`auth::Directory`] and
//! completes the answer. Its handler, one of [`routes`], charges the [`credits::Ledger`] and asks
//! the [`catalogue::Reader`]. Accounts, keys, usage and the market lie in a [`store::Store`], on
//! SQLite or PostgreSQL. [`serve::Server`] composes these parts into an [`app::App`].

mod accept;
pub mod admin;
pub mod app;
pub mod auth;
mod body;
pub mod catalogue;
pub mod clock;
mod compression;
pub mod config;
mod connections;
pub mod cors;
pub mod credits;
pub mod described;
mod docs;
pub mod error;
mod framing;
pub mod games;
pub mod guard;
mod head;
pub mod http;
pub mod images;
#[doc(hidden)]
pub mod internals;
pub mod keys;
pub mod limits;
mod log;
pub mod market;
pub mod metrics;
pub mod middleware;
mod misspelt;
mod number;
pub mod openapi;
mod origin;
pub mod pages;
mod parameters;
pub mod plans;
pub mod playground;
mod plot;
pub mod proxies;
pub mod refresh;
pub mod routes;
pub mod run;
mod series;
pub mod serve;
pub mod shares;
pub mod shops;
mod spool;
pub mod store;
mod thinning;
pub mod turns;
mod write_timeout;
