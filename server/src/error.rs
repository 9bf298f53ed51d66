//! [`ApiError`]: the one shape of all errors. `docs/SERVICE.md` lists the codes.

use crate::http::CODES;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

/// An error as the caller gets it.
#[derive(Clone, Debug)]
pub struct ApiError {
    /// The status of the response.
    pub status: StatusCode,
    /// What programs tell errors apart by. It does not change.
    pub code: &'static str,
    /// What was found and what to do.
    pub message: String,
    /// The member or parameter at fault: `options.maxSuggestions`.
    pub field: Option<String>,
    /// Line and column of the body at fault.
    pub position: Option<Position>,
    /// Seconds after which a retry may succeed.
    pub retry_after: Option<i64>,
}

/// A place in a body, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Position {
    /// Line.
    pub line: usize,
    /// Column, in bytes.
    pub column: usize,
}

/// The body of an error.
#[derive(Serialize, ToSchema)]
pub(crate) struct ErrorBody<'e> {
    error: ErrorDetails<'e>,
}

/// What is wrong, and what to do.
#[derive(Serialize, ToSchema)]
#[schema(as = Error)]
#[serde(rename_all = "camelCase")]
struct ErrorDetails<'e> {
    /// What programs tell errors apart by. It does not change.
    code: &'e str,
    /// What was found and what to do, for people.
    message: &'e str,
    /// The member or parameter at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'e str>,
    /// The place of the body at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<Position>,
    /// The id of the request. An error within a batch has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<&'e str>,
}

impl ApiError {
    /// An error with its code and sentence.
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            status,
            code,
            message: message.into(),
            field: None,
            position: None,
            retry_after: None,
        }
    }

    /// 400.
    pub fn bad(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, message)
    }

    /// 404 for something that is named by a number.
    pub fn not_found(what: &str, id: &str) -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "not_found",
            format!("there is no {what} {id}: list them to see which there are"),
        )
    }

    /// 500: a failure that the caller cannot avoid.
    pub fn internal() -> Self {
        let message = "the server failed at this request; nothing was charged: try again, and report the request id if it happens again";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message)
    }

    /// 503: the database does not answer.
    pub fn database(error: &crate::store::StoreError) -> Self {
        let cause = std::error::Error::source(error).map(ToString::to_string);
        tracing::error!(%error, cause, "the database failed");
        let message =
            "the database does not answer; nothing was charged: try again in a few seconds";
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "database_unavailable",
            message,
        )
        .retry_after(2)
    }

    /// Names the member or parameter at fault.
    #[must_use]
    pub fn field(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }

    /// Names the place at fault.
    #[must_use]
    pub fn at(mut self, line: usize, column: usize) -> Self {
        self.position = (line > 0).then_some(Position {
            line,
            column: column.max(1),
        });
        self
    }

    /// States when to retry.
    #[must_use]
    pub fn retry_after(mut self, seconds: i64) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    /// The body, with the id of the request. An item of a batch has no id.
    #[must_use]
    pub(crate) fn body<'e>(&'e self, request_id: Option<&'e str>) -> ErrorBody<'e> {
        debug_assert!(
            CODES
                .iter()
                .any(|(status, code, _)| (*status, *code) == (self.status.as_u16(), self.code)),
            "{} {} is not among CODES",
            self.status,
            self.code
        );
        ErrorBody {
            error: ErrorDetails {
                code: self.code,
                message: &self.message,
                field: self.field.as_deref(),
                position: self.position,
                request_id,
            },
        }
    }

    /// The body as JSON.
    #[must_use]
    pub fn json(&self, request_id: Option<&str>) -> Vec<u8> {
        serde_json::to_vec(&self.body(request_id)).unwrap_or_default()
    }
}

impl From<crate::store::StoreError> for ApiError {
    fn from(error: crate::store::StoreError) -> Self {
        Self::database(&error)
    }
}

/// The middleware writes the body, because it knows the id of the request.
impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}
