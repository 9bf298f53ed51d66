//! The service of titledex over HTTP: accounts, keys, plans, credits, and the endpoints that are charged to them.
//!
//! A request passes the [`door`], which knows the caller by the [`auth::Directory`] and dresses the answer; its handler in [`routes`] charges
//! the [`ledger::Ledger`] and asks the [`catalogue::Reader`]. Accounts, keys and usage lie in a [`store::Store`]: SQLite or PostgreSQL.
//! [`serve::Server`] puts it all together.

pub mod admin;
pub mod app;
pub mod auth;
mod body;
pub mod catalogue;
pub mod clock;
pub mod config;
pub mod cors;
mod docs;
pub mod door;
pub mod error;
pub mod guard;
mod html;
pub mod keys;
pub mod ledger;
pub mod market;
pub mod metrics;
pub mod openapi;
mod parameters;
pub mod plans;
pub mod playground;
mod plot;
pub mod proxies;
pub mod purse;
pub mod routes;
pub mod run;
pub mod serve;
mod stall;
pub mod store;
mod thinning;
