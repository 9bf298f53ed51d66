//! [`Turns`]: who searches the sealed products now. A search compares all of them, which takes a
//! thread for as long.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread::available_parallelism;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Turns: one of an account at a time, so that who asks for many waits for itself, and of all
/// accounts half as many as there are processors, which leaves the others to all else.
#[derive(Debug)]
pub struct Turns {
    all: Arc<Semaphore>,
    /// Those of accounts that search or wait.
    accounts: Mutex<HashMap<i64, Weak<Semaphore>>>,
}

/// Goes to the next when it is dropped.
#[derive(Debug)]
pub struct Turn {
    _of_account: Option<OwnedSemaphorePermit>,
    _of_all: Option<OwnedSemaphorePermit>,
}

impl Default for Turns {
    fn default() -> Self {
        let processors = available_parallelism().map_or(1, usize::from);
        Self {
            all: Arc::new(Semaphore::new((processors / 2).max(1))),
            accounts: Mutex::default(),
        }
    }
}

impl Turns {
    /// Waits for a turn of an account.
    pub(crate) async fn take(&self, account: i64) -> Turn {
        let own = self.of(account);
        // neither semaphore is ever closed
        let of_account = own.acquire_owned().await.ok();
        let of_all = Arc::clone(&self.all).acquire_owned().await.ok();
        Turn {
            _of_account: of_account,
            _of_all: of_all,
        }
    }

    fn of(&self, account: i64) -> Arc<Semaphore> {
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = accounts.get(&account).and_then(Weak::upgrade) {
            return own;
        }
        accounts.retain(|_, own| own.strong_count() > 0);
        let own = Arc::new(Semaphore::new(1));
        accounts.insert(account, Arc::downgrade(&own));
        own
    }
}

#[cfg(test)]
mod tests {
    use super::Turns;
    use std::sync::Arc;
    use tokio::sync::Semaphore;

    #[tokio::test]
    async fn an_account_waits_for_itself_and_not_for_another() {
        let turns = Turns {
            all: Arc::new(Semaphore::new(2)),
            ..Turns::default()
        };
        let now = |account: i64| {
            let turns = &turns;
            async move {
                tokio::select! {
                    biased;
                    turn = turns.take(account) => Some(turn),
                    () = tokio::task::yield_now() => None,
                }
            }
        };
        let first = now(1).await.expect("nobody has a turn");
        assert!(now(1).await.is_none(), "the account has one");
        let second = now(2).await.expect("another account has a turn of its own");
        assert!(now(3).await.is_none(), "two are all that there are");
        drop(second);
        drop(now(3).await.expect("one went back"));
        drop(first);
        drop(now(1).await.expect("its own went back"));
        assert!(turns.accounts.lock().expect("whole").len() <= 3);
    }
}
