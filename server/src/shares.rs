//! [`Shares`]: what each account may have under way at once, so that none takes the service from
//! the others.

use axum::body::{Body, Bytes, HttpBody};
use axum::response::Response;
use http_body_util::BodyExt;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Bytes that a permit stands for.
const UNIT: usize = 1024;
/// Bodies up to this size do not count: as many as there may be requests are 16 MB.
const SMALL_BODY: usize = 16 * 1024;
/// Bytes of larger bodies that one account may have under way, and all together.
const ACCOUNT_BODIES: usize = 8 * 1024 * 1024;
const ALL_BODIES: usize = 128 * 1024 * 1024;
/// Answers up to this size do not count as under way while they are written.
const SMALL_ANSWER: u64 = 64 * 1024;

/// The shares of all accounts.
#[derive(Debug)]
pub struct Shares {
    requests: usize,
    accounts: Mutex<HashMap<i64, Arc<Account>>>,
    bodies: Arc<Semaphore>,
}

#[derive(Debug)]
struct Account {
    requests: Arc<Semaphore>,
    bodies: Arc<Semaphore>,
    all_bodies: Arc<Semaphore>,
}

/// A request that is under way until all clones of this are dropped.
#[derive(Clone, Debug)]
pub(crate) struct Share(Arc<Place>);

#[derive(Debug)]
struct Place {
    account: Arc<Account>,
    _permit: OwnedSemaphorePermit,
}

/// Whether a body of at most so many bytes needs [`Share::room`].
pub(crate) fn needs_room(bytes: usize) -> bool {
    bytes > SMALL_BODY
}

/// Room for a body, until all clones of this are dropped.
#[derive(Clone, Debug)]
pub(crate) struct Room {
    _permits: Arc<[OwnedSemaphorePermit; 2]>,
}

impl Shares {
    /// Shares of this many requests each.
    #[must_use]
    pub fn new(requests: usize) -> Self {
        Self {
            requests,
            accounts: Mutex::default(),
            bodies: Arc::new(Semaphore::new(ALL_BODIES / UNIT)),
        }
    }

    /// Waits until the account has room for one more request. Whoever waits takes nothing from
    /// others.
    pub(crate) async fn enter(&self, id: i64) -> Option<Share> {
        let account = {
            let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
            let account = accounts.entry(id).or_insert_with(|| {
                Arc::new(Account {
                    requests: Arc::new(Semaphore::new(self.requests)),
                    bodies: Arc::new(Semaphore::new(ACCOUNT_BODIES / UNIT)),
                    all_bodies: Arc::clone(&self.bodies),
                })
            });
            Arc::clone(account)
        };
        // these are never closed
        let permit = Arc::clone(&account.requests).acquire_owned().await.ok()?;
        Some(Share(Arc::new(Place {
            account,
            _permit: permit,
        })))
    }
}

impl Share {
    /// Waits until there is room for a body of at most so many bytes.
    pub(crate) async fn room(&self, bytes: usize) -> Option<Room> {
        let account = &self.0.account;
        let units = bytes.min(ACCOUNT_BODIES).div_ceil(UNIT);
        let units = u32::try_from(units).ok()?;
        let own = Arc::clone(&account.bodies);
        let own = own.acquire_many_owned(units).await.ok()?;
        let all = Arc::clone(&account.all_bodies);
        let all = all.acquire_many_owned(units).await.ok()?;
        Some(Room {
            _permits: Arc::new([own, all]),
        })
    }
}

/// Keeps the share of a large answer until its last byte is written.
pub(crate) async fn until_written(response: Response, share: Share) -> Response {
    struct Kept(
        Bytes,
        #[expect(dead_code, reason = "is dropped with the bytes")] Share,
    );
    impl AsRef<[u8]> for Kept {
        fn as_ref(&self) -> &[u8] {
            &self.0
        }
    }
    // one that is streamed keeps its share itself
    let large = response.body().size_hint().exact();
    if large.is_none_or(|bytes| bytes <= SMALL_ANSWER) {
        return response;
    }
    let (parts, body) = response.into_parts();
    // it lies in memory already
    let bytes = body.collect().await.map(|body| body.to_bytes());
    let bytes = Bytes::from_owner(Kept(bytes.unwrap_or_default(), share));
    Response::from_parts(parts, Body::from(bytes))
}

#[cfg(test)]
mod tests {
    use super::{ACCOUNT_BODIES, Shares};
    use futures_util::FutureExt;

    #[tokio::test]
    async fn account_waits_for_its_own_share_alone() {
        let shares = Shares::new(2);
        let first = shares.enter(1).await.expect("there is room");
        let second = shares.enter(1).await.expect("there is room");
        assert!(shares.enter(1).now_or_never().is_none());
        assert!(shares.enter(2).now_or_never().is_some());
        let room = first.room(ACCOUNT_BODIES).await.expect("there is room");
        assert!(second.room(1).now_or_never().is_none());
        drop(room);
        assert!(second.room(1).now_or_never().is_some());
        drop(first);
        assert!(shares.enter(1).now_or_never().is_some());
    }
}
