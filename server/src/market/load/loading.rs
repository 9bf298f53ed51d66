//! [`File`]: a file on its way into the store, on a thread that may block.

use super::rejected::Rejected;
use super::table::{Input, Table};
use super::{Cells, FileError, Import, Report, Wrong};
use crate::store::StoreError;
use tokio::runtime::{Handle, Runtime};

/// What a thread that may block waits with.
#[derive(Clone, Debug)]
enum Waiting<'s> {
    /// A runtime of its own.
    Runtime(&'s Runtime),
    /// One that other threads drive.
    Handle(Handle),
}

impl Waiting<'_> {
    fn block_on<T>(&self, what: impl Future<Output = T>) -> T {
        match self {
            Self::Runtime(runtime) => runtime.block_on(what),
            Self::Handle(handle) => handle.block_on(what),
        }
    }

    fn enter(&self) -> tokio::runtime::EnterGuard<'_> {
        match self {
            Self::Runtime(runtime) => runtime.enter(),
            Self::Handle(handle) => handle.enter(),
        }
    }
}

/// A file on its way into the store.
#[derive(Debug)]
pub struct File<'s> {
    waiting: Waiting<'s>,
    /// Until it is finished.
    import: Option<Import>,
}

impl File<'_> {
    /// A file on a thread that may block, beside a runtime that other threads drive.
    #[must_use]
    pub fn on(handle: Handle, import: Import) -> File<'static> {
        File {
            waiting: Waiting::Handle(handle),
            import: Some(import),
        }
    }

    /// A file on a thread with a runtime of its own.
    pub(super) fn in_runtime(runtime: &Runtime, import: Import) -> File<'_> {
        File {
            waiting: Waiting::Runtime(runtime),
            import: Some(import),
        }
    }

    /// Takes all rows of an input, and adds those that are wrong to `rejected`. `shown` learns
    /// where each row ends.
    ///
    /// # Errors
    /// If the input cannot be read to its end, or the database fails.
    pub fn read(
        &mut self,
        table: &Table<'_>,
        input: Input<'_>,
        mut rejected: Option<&mut Rejected>,
        shown: &mut dyn FnMut(u64),
    ) -> Result<(), FileError> {
        table.each(input, &mut |at, number, row| {
            shown(at);
            let more = match &row {
                Ok(cells) => self.row(number, cells)?,
                Err(unread) => self.refuse(number, unread.wrong.clone()),
            };
            if let (Some(rejected), Some(wrong)) = (&mut rejected, self.wrong(number)) {
                rejected.add(number, wrong, &row)?;
            }
            Ok(more)
        })
    }

    /// Takes a row, and writes the buffer when it is full. Returns `false` once too many rows were
    /// invalid to read on.
    ///
    /// # Errors
    /// If the database fails.
    pub fn row(&mut self, number: u64, cells: &Cells<'_>) -> Result<bool, StoreError> {
        let Some(import) = &mut self.import else {
            return Ok(false);
        };
        let more = import.row(number, cells);
        if import.is_full() {
            self.waiting.block_on(import.flush())?;
        }
        Ok(more)
    }

    /// Notes a row that could not be parsed. Returns `false` as [`File::row`] does.
    pub fn refuse(&mut self, number: u64, wrong: Wrong) -> bool {
        self.import
            .as_mut()
            .is_some_and(|import| import.refuse(number, wrong))
    }

    /// Gives the import the name of its file.
    pub fn set_name(&mut self, name: &str) {
        if let Some(import) = &mut self.import {
            import.set_name(name);
        }
    }

    /// States the source of prices whose rows name none, and whose ids those of sales are.
    pub fn set_source(&mut self, source: &str) {
        if let Some(import) = &mut self.import {
            import.set_source(source);
        }
    }

    /// Sets invalid rows aside and keeps the others.
    pub fn set_lenient(&mut self) {
        if let Some(import) = &mut self.import {
            import.set_lenient();
        }
    }

    /// What is wrong with the row of this number, if anything is.
    pub fn wrong(&self, number: u64) -> Option<&Wrong> {
        self.import.as_ref()?.wrong(number)
    }

    /// Marks the whole market as invented, from this seed.
    ///
    /// # Errors
    /// If the database fails.
    pub fn mark_synthetic(&mut self, seed: u64) -> Result<(), StoreError> {
        let Some(import) = &mut self.import else {
            return Ok(());
        };
        self.waiting.block_on(import.mark_synthetic(seed))
    }

    /// Commits the file, unless a row was invalid or this is a `dry` run.
    ///
    /// # Errors
    /// If the database fails. Then nothing is kept.
    pub fn finish(mut self, dry: bool) -> Result<Report, StoreError> {
        let Some(import) = self.import.take() else {
            return Ok(Report::default());
        };
        self.waiting.block_on(import.finish(dry))
    }
}

/// An unfinished file is rolled back. The runtime returns its connection to the pool.
impl Drop for File<'_> {
    fn drop(&mut self) {
        let _entered = self.waiting.enter();
        self.import = None;
    }
}
