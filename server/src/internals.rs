//! What reads requests, without a socket, a store or a caller: for fuzzing.

use crate::body;
use crate::error::ApiError;
use crate::framing::{self, Framed, HEAD_BYTES, Requests};
use crate::parameters::Parameters;
use crate::proxies::ambiguous;
use crate::routes::titles::{self, Asked};
use axum::body::{Body, Bytes};
use axum::http::Uri;
use http_body_util::Full;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use std::borrow::Cow;
use std::cell::RefCell;
use std::convert::Infallible;
use std::io;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll, Waker};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::runtime::Runtime;

/// The most bytes of a body, for [`Listener`].
const BODY_BYTES: usize = 1 << 20;

/// A peer that sends pieces, one for each read, and takes every answer.
#[derive(Debug)]
struct Peer<'b> {
    pieces: std::vec::IntoIter<&'b [u8]>,
    rest: &'b [u8],
}

impl<'b> Peer<'b> {
    fn new(pieces: Vec<&'b [u8]>) -> Self {
        Self {
            pieces: pieces.into_iter(),
            rest: &[],
        }
    }
}

impl AsyncRead for Peer<'_> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.rest.is_empty() {
            self.rest = self.pieces.next().unwrap_or_default();
        }
        let (part, rest) = self.rest.split_at(self.rest.len().min(into.remaining()));
        into.put_slice(part);
        self.rest = rest;
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Peer<'_> {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// A connection as hyper reads it.
#[derive(Debug)]
pub struct Connection<'b> {
    stream: Framed<Peer<'b>>,
    requests: Requests,
}

impl<'b> Connection<'b> {
    /// A connection on which these pieces arrive, none of them empty.
    #[must_use]
    pub fn new(pieces: Vec<&'b [u8]>) -> Self {
        let requests = Requests::new();
        Self {
            stream: Framed::new(Peer::new(pieces), requests.clone()),
            requests,
        }
    }

    /// Reads until there are `length` bytes, at most `most` at a time, or the peer has sent all.
    pub fn read(&mut self, length: usize, most: usize) -> Vec<u8> {
        let mut read = Vec::new();
        let mut room = vec![0; most];
        while read.len() < length {
            let mut into = ReadBuf::new(&mut room);
            let polled = Pin::new(&mut self.stream)
                .poll_read(&mut Context::from_waker(Waker::noop()), &mut into);
            if polled.is_pending() || into.filled().is_empty() {
                break;
            }
            read.extend_from_slice(into.filled());
        }
        read
    }

    /// The head that was read is followed by a body of this length.
    pub fn body_follows(&self, length: u64) {
        self.requests.body_follows(Some(length));
    }
}

/// A request that the service would see: method, target and version, and its body or the status
/// that refuses it.
pub type Seen = (String, Result<Bytes, u16>);

/// Reads the requests of connections as the service does.
#[derive(Debug)]
pub struct Listener(Runtime);

impl Listener {
    /// A listener with a runtime of its own.
    ///
    /// # Errors
    /// If the runtime does not start.
    pub fn new() -> io::Result<Self> {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        builder.enable_time().build().map(Self)
    }

    /// The requests of a connection on which these pieces arrive, none of them empty.
    pub fn requests(&mut self, pieces: Vec<&[u8]>) -> Vec<Seen> {
        let requests = Requests::new();
        let stream = Framed::new(Peer::new(pieces), requests.clone());
        let seen = Rc::new(RefCell::new(Vec::new()));
        let service = hyper::service::service_fn(|request| {
            let chunked = requests.follow(&request);
            let seen = Rc::clone(&seen);
            async move {
                let head = format!(
                    "{} {} {:?}",
                    request.method(),
                    request.uri(),
                    request.version()
                );
                let body = whole_body(request.map(Body::new)).await;
                seen.borrow_mut().push((head, body));
                let mut answer = Response::new(Full::<Bytes>::default());
                if chunked {
                    framing::close(&mut answer);
                }
                Ok::<_, Infallible>(answer)
            }
        });
        let connection = hyper::server::conn::http1::Builder::new()
            .max_buf_size(HEAD_BYTES)
            .serve_connection(TokioIo::new(stream), service);
        // an error ends the connection, as it does in the service
        let _ = self.0.block_on(async { pin!(connection).await });
        seen.take()
    }
}

async fn whole_body(request: Request<Body>) -> Result<Bytes, u16> {
    let status = |error: ApiError| error.status.as_u16();
    ambiguous(&request).map_err(status)?;
    let (_, bytes) = body::read(BODY_BYTES, request).await.map_err(status)?;
    Ok(bytes)
}

/// The titles of a body of parse-title; `None` for one that was refused.
///
/// # Errors
/// As the service answers.
pub fn read_titles(body: &[u8]) -> Result<Vec<Option<Cow<'_, str>>>, ApiError> {
    Ok(match titles::read(body)? {
        Asked::One(one) => vec![Some(one.title)],
        Asked::Many(many) => many.titles.into_iter().map(Result::ok).collect(),
    })
}

/// Reads a query string that may have a parameter of each type.
///
/// # Errors
/// As the service answers.
pub fn query_is_right(query: &str) -> Result<(), ApiError> {
    let Ok(uri) = format!("/?{query}").parse::<Uri>() else {
        return Ok(());
    };
    let sent = Parameters::of(
        &uri,
        &["text", "search", "name", "whole", "flag", "word", "decimal"],
    )?;
    sent.text("text")?;
    sent.search("search")?;
    sent.name("name")?;
    sent.whole("whole", -5..=100)?;
    sent.flag("flag")?;
    sent.word("word", &["asc", "desc"])?;
    sent.decimal::<f64>("decimal", "a number")?;
    Ok(())
}
