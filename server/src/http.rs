//! Names that the whole service shares: the headers of its answers and the codes of its errors.

use axum::http::HeaderName;

/// The id of a request: the caller's, or one that the service made.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Milliseconds from the head of the request to the head of the answer.
pub const RESPONSE_TIME: HeaderName = HeaderName::from_static("x-response-time");
/// Credits that the request consumed.
pub const COST: HeaderName = HeaderName::from_static("x-ratelimit-cost");
/// Credits of the day; of v1, requests.
pub const DAILY_LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-daily-limit");
/// Credits left today; of v1, requests.
pub const DAILY_REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-daily-remaining");
/// The second in which the next day begins.
pub const DAILY_RESET: HeaderName = HeaderName::from_static("x-ratelimit-daily-reset");
/// Calls of a minute.
pub const MINUTE_LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-minute-limit");
/// Calls left in this minute.
pub const MINUTE_REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-minute-remaining");
/// The second in which the next minute begins.
pub const MINUTE_RESET: HeaderName = HeaderName::from_static("x-ratelimit-minute-reset");
/// Name and checksum of the catalogue, for answers whose body has no metadata.
pub const CATALOGUE_VERSION: HeaderName = HeaderName::from_static("x-catalogue-version");
/// Downloads of the export left today.
pub const DOWNLOADS_REMAINING: HeaderName = HeaderName::from_static("x-export-downloads-remaining");
/// When the downloads of the export start again.
pub const DOWNLOADS_RESET: HeaderName = HeaderName::from_static("x-export-reset-at");
/// When a file of the export was made.
pub const EXPORT_GENERATED: HeaderName = HeaderName::from_static("x-dump-generated-at");

/// Every error code, with its status and meaning. Tests compare the OpenAPI document and
/// `docs/SERVICE.md` with it.
pub const CODES: &[(u16, &str, &str)] = &[
    (400, "invalid_json", "the body is not JSON"),
    (400, "wrong_type", "a member has the wrong type"),
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
        "a parameter's value is not of its kind, or a member names what is not there",
    ),
    (400, "missing_parameter", "a parameter needs another one"),
    (
        400,
        "conflicting_parameters",
        "two parameters contradict each other",
    ),
    (400, "too_many_ids", "`marketplaceIds` has more than 50"),
    (
        400,
        "several_printings",
        "`marketplaceId` is a product of several printings with populations: the message names them",
    ),
    (400, "invalid_query", "the query string is not understood"),
    (
        400,
        "invalid_body",
        "the body lacks a member, or has one of the wrong type",
    ),
    (
        400,
        "invalid_name",
        "a name is empty, longer than 100 characters, or has characters that nobody sees",
    ),
    (
        400,
        "invalid_file",
        "the rows of an import cannot be read: their columns, or how they are written",
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
    (401, "expired_key", "the key has expired"),
    (
        403,
        "wrong_role",
        "an administrator's key where a holder's is needed, or the other way round",
    ),
    (403, "account_suspended", "the account is suspended"),
    (403, "plan_too_small", "the plan does not open this"),
    (
        403,
        "wrong_signature",
        "the address of an export file was altered or has expired",
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
    (409, "name_taken", "another account has the name"),
    (
        409,
        "last_key",
        "the key is the last of the account, or of the administrators: make another first",
    ),
    (
        409,
        "not_replaceable",
        "no key that works has the number in `replaces`: the account's, or an administrator's",
    ),
    (
        409,
        "not_undoable",
        "the change was undone before, is too old, or later ones build on it",
    ),
    (
        409,
        "not_mergeable",
        "the two cards are one, or of two languages",
    ),
    (
        409,
        "listings_changed",
        "other listings fit the filter than those of the snapshot",
    ),
    (409, "account_closed", "the account is closed, and stays so"),
    (
        409,
        "already_decided",
        "the listing under review was accepted or rejected before",
    ),
    (
        409,
        "key_reused",
        "the `Idempotency-Key` came with another import before",
    ),
    (
        409,
        "catalogue_refused",
        "the catalogue file is refused; the previous one stays",
    ),
    (
        413,
        "body_too_large",
        "the body is larger than the server reads",
    ),
    (
        415,
        "unsupported_media_type",
        "the body is not announced in a form that the path takes: mostly JSON in UTF-8",
    ),
    (
        429,
        "insufficient_credits",
        "the credits of the day are too few, until midnight UTC",
    ),
    (
        429,
        "minute_limit",
        "the calls of the minute are too few, until the next minute",
    ),
    (
        429,
        "too_many_wrong_keys",
        "too many wrong keys came from the address in this minute",
    ),
    (
        429,
        "account_limit",
        "the account read its own data too often in this minute",
    ),
    (
        429,
        "page_limit",
        "the address has seen its pages of cards of this minute",
    ),
    (
        429,
        "download_limit",
        "the plan's downloads of the export are used up, until midnight UTC",
    ),
    (429, "key_limit", "the account has made its keys of today"),
    (500, "internal", "the server failed"),
    (
        503,
        "overloaded",
        "the server has too many requests at once",
    ),
    (503, "import_running", "another import runs"),
    (503, "timeout", "the request took too long"),
    (503, "database_unavailable", "the database does not answer"),
    (503, "export_not_ready", "the export was not made yet"),
    (
        503,
        "not_ready",
        "the server is stopping, or its database does not answer",
    ),
];
