//! [`Store`]: accounts, keys, usage and the market in SQLite or PostgreSQL.
//!
//! Each statement is written once, in the method that runs it. What differs between the databases
//! is in `sql` (places and words of a statement), `connect` (pools) and `migrations` (types).

mod account_status;
mod accounts;
mod audit;
mod bulk;
mod conditions;
mod connect;
mod endpoint_usage;
mod error;
#[cfg(test)]
mod faults;
mod file;
mod freshness;
mod handle;
mod keys;
pub mod market;
mod migrations;
mod sql;
mod usage;

pub use account_status::{AccountStatus, StatusSet};
pub use accounts::{AccountRow, Changes};
pub use audit::{Actor, AuditRow, Deed};
pub use endpoint_usage::EndpointUsage;
pub use error::StoreError;
pub use handle::Store;
pub use keys::{KeyMade, KeyRevoked, KeyRow, KeyToStore, LastKey};
pub use usage::{GiveBack, Lease, LeaseRequest, UsageRow};

#[cfg(test)]
pub(crate) use faults::Fault;
