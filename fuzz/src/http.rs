//! Requests: their heads, bodies and query strings.

use crate::{choices, pieces};
use std::cell::RefCell;
use titledex_server::internals::{Connection, Listener, Seen, query_is_right, read_titles};

thread_local! {
    static LISTENER: RefCell<Listener> = RefCell::new(Listener::new().expect("a runtime starts"));
}

/// The head that `bytes` begin with, LF without CR taken for NUL: its end, if it is whole.
///
/// As plain as can be: an empty line after one that is not empty.
fn head_of(bytes: &[u8]) -> (Vec<u8>, Option<usize>) {
    let mut head = bytes.to_vec();
    for at in 0..head.len() {
        if head[at] == b'\n' && (at == 0 || head[at - 1] != b'\r') {
            head[at] = 0;
        }
    }
    let begins = head.chunks(2).take_while(|pair| *pair == b"\r\n").count() * 2;
    let end = head[begins..]
        .windows(4)
        .position(|four| four == b"\r\n\r\n")
        .map(|at| begins + at + 4);
    (head, end)
}

/// How long the body is that follows a head, for this target alone.
fn body_of(head: &[u8]) -> u64 {
    let sum = head
        .iter()
        .fold(0_u64, |sum, byte| sum * 31 % 1_009 + u64::from(*byte));
    sum % 97
}

/// Any bytes as the requests of a connection: hyper is given one head at a time, then its body, and
/// all bytes in their order, however they arrive and however much it asks for.
pub fn http_head(bytes: &[u8]) {
    let ([seed, most], bytes) = choices(bytes);
    let mut connection = Connection::new(pieces(bytes, seed));
    let most = 1 + usize::from(most) * 8;
    let mut left = bytes;
    loop {
        let (head, end) = head_of(left);
        let length = end.unwrap_or(head.len());
        let given = connection.read(length, most);
        assert_eq!(given, head[..length], "a head is not as it was sent");
        left = &left[length..];
        if end.is_none() {
            break;
        }
        let body = body_of(&given);
        connection.body_follows(body);
        let body = usize::try_from(body).map_or(left.len(), |body| body.min(left.len()));
        assert_eq!(
            connection.read(body, most),
            left[..body],
            "a body is not as it was sent"
        );
        left = &left[body..];
    }
    assert!(
        connection.read(1, most).is_empty(),
        "there is more than was sent"
    );
}

/// Any bytes as the requests of a connection, read by hyper and the service's own checks: the same
/// requests, however the bytes arrive.
///
/// The connection may end after a refused request, whose body nobody reads: hyper reads past what
/// has arrived of it, and closes the connection rather than wait for the rest. And where the peer
/// ends amid a body, hyper may notice it before the request is refused, or after it.
pub fn http(bytes: &[u8]) {
    let ([seed], bytes) = choices(bytes);
    LISTENER.with_borrow_mut(|listener| {
        let whole = listener.requests(vec![bytes]);
        let cut = listener.requests(pieces(bytes, seed));
        let both = whole.len().min(cut.len());
        assert_eq!(
            whole[..both],
            cut[..both],
            "requests depend on the pieces that are read"
        );
        let longer = if whole.len() > cut.len() {
            &whole
        } else {
            &cut
        };
        let cut_short = longer.len() == both + 1 && longer[both].1.is_err();
        let ended = |seen: &[Seen]| seen.last().is_some_and(|(_, body)| body.is_err());
        assert!(
            whole.len() == cut.len() || ended(&whole[..both]) || cut_short,
            "a connection ended early: {whole:?}, {cut:?}"
        );
    });
}

/// Any bytes as the body of parse-title: titles that are right, or an error that has its place.
pub fn body(bytes: &[u8]) {
    match read_titles(bytes) {
        Ok(titles) => {
            assert!(is_json(bytes));
            assert!(!titles.is_empty());
            for title in titles.iter().flatten() {
                assert!(title.len() <= titledex::MAX_TITLE_BYTES && !title.trim().is_empty());
            }
        }
        Err(error) => {
            assert_eq!(error.status.as_u16(), 400, "{error:?}");
            let lines = bytes.iter().filter(|byte| **byte == b'\n').count() + 1;
            if let Some(place) = error.position {
                assert!(
                    place.line <= lines && place.column <= bytes.len() + 1,
                    "{place:?}"
                );
            }
            assert!(serde_json::from_slice::<serde_json::Value>(&error.json(Some("x"))).is_ok());
        }
    }
}

/// Whether bytes are JSON, by its grammar: a number may have any size.
pub(crate) fn is_json(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes)
        .is_ok_and(|text| serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok())
}

/// Any text as a query string.
pub fn query(bytes: &[u8]) {
    if let Err(error) = query_is_right(&String::from_utf8_lossy(bytes)) {
        assert_eq!(error.status.as_u16(), 400, "{error:?}");
    }
}
