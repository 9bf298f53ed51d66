//! Requests whose method is HEAD: nobody sees the body, so it costs no credits.

use crate::credits::Cost;
use std::future::Future;

tokio::task_local! {
    /// Set while such a request is answered.
    static HEAD: ();
}

/// Answers a request whose method is HEAD.
pub(crate) async fn for_head<T>(answer: impl Future<Output = T>) -> T {
    HEAD.scope((), answer).await
}

/// What the present request costs, if its body would cost this: HEAD only counts as calls.
pub(crate) fn cost(body: Cost) -> Cost {
    Cost {
        credits: HEAD.try_with(|()| 0).unwrap_or(body.credits),
        ..body
    }
}
