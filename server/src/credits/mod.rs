//! Credits: what requests cost, and the accounts that they are charged to.
//!
//! [`Ledger`] charges a [`Cost`] to an [`Account`] and hands out a [`Charge`]. It spends from a
//! lease that the database granted, so that most requests need no statement.

mod charge;
mod cost;
mod endpoint;
mod lease;
mod ledger;

pub use charge::{Account, Charge, Refusal};
pub use cost::{Allowance, Balance, Cost, Meter, Shortage};
pub use endpoint::Endpoint;
pub use ledger::Ledger;
