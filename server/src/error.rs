//! [`ApiError`]: the one shape of all errors. `docs/SERVICE.md` lists the codes.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

/// What a caller is told where a request is not answered.
#[derive(Clone, Debug)]
pub struct ApiError {
    /// The status of the response.
    pub status: StatusCode,
    /// What a program tells errors apart by; it does not change.
    pub code: &'static str,
    /// What was met and what to do.
    pub message: String,
    /// The member or parameter at fault: `options.maxSuggestions`.
    pub field: Option<String>,
    /// Line and column of the body at fault.
    pub position: Option<Position>,
    /// Seconds after which it is worth asking again.
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
    error: Said<'e>,
}

/// What is wrong, and what to do.
#[derive(Serialize, ToSchema)]
#[schema(as = Error)]
#[serde(rename_all = "camelCase")]
struct Said<'e> {
    /// What a program tells errors apart by; it does not change.
    code: &'e str,
    /// What was met and what to do, for people.
    message: &'e str,
    /// The member or parameter at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'e str>,
    /// The place of the body at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<Position>,
    /// The id of the request; an error within a batch has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<&'e str>,
}

/// All codes: status, code, and what it means. The document and `docs/SERVICE.md` are held to it.
pub const CODES: &[(u16, &str, &str)] = &[
    (400, "invalid_json", "the body is not JSON"),
    (
        400,
        "wrong_type",
        "a member has another type than it should",
    ),
    (
        400,
        "missing_title",
        "the body has neither `title` nor `titles`",
    ),
    (400, "empty_title", "the title is empty or blank"),
    (400, "title_too_long", "the title has more than 4,096 bytes"),
    (400, "title_and_titles", "the body has both"),
    (400, "empty_titles", "the batch is empty"),
    (
        400,
        "too_many_titles",
        "the batch has more than 1,000 titles",
    ),
    (
        400,
        "unknown_option",
        "the body has a member that is not known",
    ),
    (400, "duplicate_member", "the body has a member twice"),
    (400, "out_of_range", "a number is too small or too large"),
    (
        400,
        "unknown_parameter",
        "the query has a parameter that is not known",
    ),
    (
        400,
        "duplicate_parameter",
        "the query has a parameter twice",
    ),
    (
        400,
        "invalid_value",
        "a parameter's value is not of its kind",
    ),
    (
        400,
        "missing_parameter",
        "a parameter wants another one beside it",
    ),
    (
        400,
        "conflicting_parameters",
        "two parameters contradict each other",
    ),
    (400, "too_many_ids", "`marketplaceIds` has more than 50"),
    (400, "invalid_query", "the query string is not understood"),
    (
        400,
        "invalid_body",
        "the body has not the members that it should",
    ),
    (
        400,
        "invalid_name",
        "a name is empty, longer than 100 characters, or has control characters",
    ),
    (400, "unknown_plan", "there is no such plan"),
    (400, "body_cut_short", "the body did not arrive whole"),
    (400, "bad_request", "the request is not understood"),
    (401, "missing_key", "there is no Authorization header"),
    (
        401,
        "malformed_authorization",
        "the Authorization header is not `Bearer` and a key",
    ),
    (401, "invalid_key", "the key is unknown or was revoked"),
    (
        403,
        "wrong_role",
        "an administrator's key where a holder's is needed, or the other way round",
    ),
    (403, "plan_too_small", "the plan does not open this"),
    (
        403,
        "wrong_signature",
        "the address of an export file is not as it was given, or no longer holds",
    ),
    (403, "too_many_keys", "the plan allows no more keys"),
    (
        404,
        "unknown_set",
        "there is no such set; the message names those that may be meant",
    ),
    (404, "not_found", "there is nothing of this path or number"),
    (
        405,
        "method_not_allowed",
        "the path has other methods: `Allow` names them",
    ),
    (409, "name_taken", "another account bears the name"),
    (
        409,
        "already_decided",
        "the listing under review was accepted or rejected before",
    ),
    (
        409,
        "catalogue_refused",
        "the catalogue file is refused; the one that was there stays",
    ),
    (
        413,
        "body_too_large",
        "the body is larger than the server reads",
    ),
    (
        415,
        "unsupported_media_type",
        "the body is not announced as JSON in UTF-8",
    ),
    (
        429,
        "insufficient_credits",
        "the credits of the day do not suffice, until midnight UTC",
    ),
    (
        429,
        "minute_limit",
        "the calls of the minute do not suffice, until the next minute",
    ),
    (
        429,
        "too_many_wrong_keys",
        "too many wrong keys came from the address in this minute",
    ),
    (
        429,
        "account_limit",
        "the account asked too often for itself in this minute",
    ),
    (
        429,
        "page_limit",
        "the address saw as many pages of cards in this minute as it may",
    ),
    (
        429,
        "download_limit",
        "the plan's downloads of the export are used up, until midnight UTC",
    ),
    (
        429,
        "key_limit",
        "the account made as many keys today as it may",
    ),
    (500, "internal", "the server failed"),
    (
        503,
        "overloaded",
        "the server has too many requests at once",
    ),
    (503, "timeout", "the request took too long"),
    (503, "database_unavailable", "the database does not answer"),
    (503, "export_not_ready", "the export was not made yet"),
    (
        503,
        "not_ready",
        "the server is stopping, or its database does not answer",
    ),
];

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

    /// 500: nothing that the caller could do otherwise.
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

    /// Says when to come again.
    #[must_use]
    pub fn retry_after(mut self, seconds: i64) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    /// The body, with the id of the request; an item of a batch has none.
    #[must_use]
    pub fn json(&self, request_id: Option<&str>) -> Vec<u8> {
        debug_assert!(
            CODES
                .iter()
                .any(|(status, code, _)| (*status, *code) == (self.status.as_u16(), self.code)),
            "{} {} is not among CODES",
            self.status,
            self.code
        );
        let said = Said {
            code: self.code,
            message: &self.message,
            field: self.field.as_deref(),
            position: self.position,
            request_id,
        };
        serde_json::to_vec(&ErrorBody { error: said }).unwrap_or_default()
    }
}

impl From<crate::store::StoreError> for ApiError {
    fn from(error: crate::store::StoreError) -> Self {
        Self::database(&error)
    }
}

/// The body is written at the door, where the id of the request is known.
impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}
