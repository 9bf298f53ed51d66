//! [`Page`]: the part of a list that a query asks for.

use crate::error::ApiError;
use crate::parameters::Parameters;
use axum::Json;
use axum::http::Uri;
use serde::Serialize;
use utoipa::ToSchema;

/// Accounts or keys of a page by default, and the most.
const ROWS: i64 = 1_000;
/// The largest offset.
pub(super) const MOST_OFFSET: i64 = 1_000_000;

/// A page of a list.
#[derive(Serialize, ToSchema)]
pub(crate) struct Paged<T> {
    /// The rows of the page.
    pub(crate) data: Vec<T>,
    pub(crate) metadata: PageMetadata,
}

/// Which part of a list a page is.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PageMetadata {
    /// Rows of the list.
    #[schema(minimum = 0)]
    total: i64,
    /// Rows of the page.
    #[schema(minimum = 0)]
    count: usize,
    /// The most rows of a page.
    #[schema(minimum = 1)]
    limit: i64,
    /// Rows before the page.
    #[schema(minimum = 0)]
    offset: i64,
    /// Whether rows follow it.
    has_more: bool,
}

/// The part of a list that a query asks for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Page {
    pub(super) limit: i64,
    pub(super) offset: i64,
}

impl Page {
    /// The parameters `limit`, with its default and its largest value, and `offset`.
    ///
    /// # Errors
    /// 400 if one is no number within its bounds.
    pub(super) fn within(
        parameters: &Parameters,
        default: i64,
        most: i64,
    ) -> Result<Self, ApiError> {
        Ok(Self {
            limit: parameters.limit(default, most)?,
            offset: parameters.whole("offset", 0..=MOST_OFFSET)?.unwrap_or(0),
        })
    }

    /// The parameters of a list of accounts or keys, whose query has no others.
    ///
    /// # Errors
    /// As [`Page::within`], and 400 if there are others.
    pub(super) fn of_rows(uri: &Uri) -> Result<Self, ApiError> {
        Self::within(&Parameters::of(uri, &["limit", "offset"])?, ROWS, ROWS)
    }

    /// Whether the list, of `total` rows, goes on behind this page of `count`.
    pub(super) fn has_more(self, count: usize, total: i64) -> bool {
        self.offset + i64::try_from(count).unwrap_or(i64::MAX) < total
    }

    /// The page of these rows, of so many in all.
    pub(super) fn list<T, R>(self, total: i64, rows: &[R]) -> Json<Paged<T>>
    where
        T: for<'r> From<&'r R>,
    {
        Json(Paged {
            data: rows.iter().map(T::from).collect(),
            metadata: PageMetadata {
                total,
                count: rows.len(),
                limit: self.limit,
                offset: self.offset,
                has_more: self.has_more(rows.len(), total),
            },
        })
    }
}
