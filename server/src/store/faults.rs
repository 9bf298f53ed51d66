//! Faults for tests: statements that fail before they are run, and replies that are lost after.

use super::error::StoreError;
use super::usage::{GiveBack, Lease};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What happens to the next statement that moves credits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It changes nothing, as on a full disk.
    Full,
    /// It is done, and nobody hears of it.
    LostReply,
}

/// The next fault, and what was done by the statements of one process.
#[derive(Debug, Default)]
pub(crate) struct Record {
    pub(crate) next: Option<Fault>,
    /// Credits leased by day, as the process heard.
    pub(crate) leased: HashMap<i64, i64>,
    /// Credits leased by day whose reply was lost.
    pub(crate) lost: HashMap<i64, i64>,
    /// Day and credits of each give-back that was done, by its number.
    pub(crate) given: HashMap<i64, (i64, i64)>,
    pub(crate) last: Option<GiveBack>,
}

/// The faults of one process.
#[derive(Clone, Debug, Default)]
pub(crate) struct Faults(Arc<Mutex<Record>>);

fn failed() -> StoreError {
    StoreError::Database(sqlx::Error::WorkerCrashed)
}

impl Faults {
    pub(crate) fn record(&self) -> MutexGuard<'_, Record> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Before a statement.
    pub(super) fn before(&self) -> Result<(), StoreError> {
        let mut record = self.record();
        if record.next == Some(Fault::Full) {
            record.next = None;
            return Err(failed());
        }
        Ok(())
    }

    /// After a lease of a day.
    pub(super) fn leased(&self, day: i64, lease: Option<&Lease>) -> Result<(), StoreError> {
        let mut record = self.record();
        let lost = record.next.take() == Some(Fault::LostReply);
        let credits = lease.map_or(0, |lease| lease.credits);
        let days = if lost {
            &mut record.lost
        } else {
            &mut record.leased
        };
        *days.entry(day).or_default() += credits;
        if lost { Err(failed()) } else { Ok(()) }
    }

    /// After a give-back.
    pub(super) fn given(&self, back: &GiveBack) -> Result<(), StoreError> {
        let mut record = self.record();
        record.given.insert(back.number, (back.day, back.credits));
        record.last = Some(*back);
        if record.next.take() == Some(Fault::LostReply) {
            return Err(failed());
        }
        Ok(())
    }
}
