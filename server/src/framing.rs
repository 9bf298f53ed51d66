//! [`Framed`]: a connection whose requests are bounded and strict before hyper parses them.
//!
//! hyper gets one head at a time: its bound is then exact, whatever a read brings. A line that ends
//! in LF without CR is refused, since proxies differ on what it means. A connection that ends while
//! its caller still sends is read on for a moment, because a closed socket with unread bytes takes
//! back the answer that is on its way.

use hyper::body::Body;
use hyper::header::{CONNECTION, HeaderValue, TRANSFER_ENCODING};
use hyper::{Request, Response};
use memchr::memchr;
use std::future::Future;
use std::io::Result;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

/// The most bytes of the head of a request.
pub(crate) const HEAD_BYTES: usize = 16 * 1024;
/// For how long, and how many bytes, a connection is read on after its last answer.
const LINGER: Duration = Duration::from_secs(2);
const LINGER_BYTES: usize = 16 * 1024 * 1024;
/// What stands for an LF without CR. No head may have it, so hyper answers 400.
const NOT_A_HEAD: u8 = 0;

/// What is read next.
#[derive(Clone, Copy, Debug)]
enum Place {
    Head(Head),
    /// This much of a body.
    Body(u64),
    /// A body whose length only hyper knows. No request may follow it.
    LastBody,
}

/// What was read of a head.
#[derive(Clone, Copy, Debug)]
struct Head {
    bytes: usize,
    /// Whether there was a line that is not empty.
    begun: bool,
    line: Line,
}

/// What was read of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Nothing,
    /// A CR and nothing else.
    Cr,
    Text,
    /// Text, and a CR as its last byte.
    TextCr,
}

impl Line {
    /// The line with these further bytes.
    fn then(self, bytes: &[u8]) -> Self {
        match (self, bytes) {
            (_, []) => self,
            (Self::Nothing, b"\r") => Self::Cr,
            (_, [.., b'\r']) => Self::TextCr,
            _ => Self::Text,
        }
    }
}

impl Head {
    const NEW: Self = Self {
        bytes: 0,
        begun: false,
        line: Line::Nothing,
    };

    /// Reads on, and returns the length of what belongs to the head once it is whole.
    fn read(&mut self, bytes: &mut [u8]) -> Option<usize> {
        let mut begin = 0;
        while let Some(length) = memchr(b'\n', &bytes[begin..]) {
            let end = begin + length;
            let line = self.line.then(&bytes[begin..end]);
            begin = end + 1;
            if matches!(line, Line::Nothing | Line::Text) {
                bytes[end] = NOT_A_HEAD;
                self.line = Line::Text;
                continue;
            }
            // empty lines before a request are skipped
            if line == Line::Cr && self.begun {
                self.bytes += begin;
                return Some(begin);
            }
            self.begun |= line == Line::TextCr;
            self.line = Line::Nothing;
        }
        self.line = self.line.then(&bytes[begin..]);
        self.bytes += bytes.len();
        None
    }
}

/// Where a connection is between its requests. The service states the body of each request that
/// hyper hands to it.
#[derive(Clone, Debug)]
pub(crate) struct Requests(Arc<Mutex<Place>>);

impl Requests {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Mutex::new(Place::Head(Head::NEW))))
    }

    fn place(&self) -> MutexGuard<'_, Place> {
        // no change under this lock can panic half-way
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A head was read: `length` bytes of a body follow it. If that is unknown, no request may
    /// follow the body.
    pub(crate) fn body_follows(&self, length: Option<u64>) {
        *self.place() = match length {
            Some(0) => Place::Head(Head::NEW),
            Some(length) => Place::Body(length),
            None => Place::LastBody,
        };
    }

    /// hyper read this head. Whether its body is chunked: no request may follow it, since only
    /// hyper knows where it ends.
    pub(crate) fn follow(&self, request: &Request<impl Body>) -> bool {
        let chunked = request.headers().contains_key(TRANSFER_ENCODING);
        let length = (!chunked).then(|| request.body().size_hint().exact());
        self.body_follows(length.flatten());
        chunked
    }
}

/// Lets an answer end its connection: no request that follows a chunked one is read.
pub(crate) fn close<B>(answer: &mut Response<B>) {
    let close = HeaderValue::from_static("close");
    answer.headers_mut().insert(CONNECTION, close);
}

/// A connection whose requests are bounded and strict.
#[derive(Debug)]
pub(crate) struct Framed<S> {
    stream: S,
    requests: Requests,
    /// What was read beyond the end of a head.
    held: Vec<u8>,
    lingering: Option<(Pin<Box<Sleep>>, usize)>,
}

impl<S> Framed<S> {
    pub(crate) fn new(stream: S, requests: Requests) -> Self {
        Self {
            stream,
            requests,
            held: Vec::new(),
            lingering: None,
        }
    }

    /// Takes note of what was read into `into` beyond `before`, and holds back what hyper must not
    /// see yet.
    fn note(&mut self, into: &mut ReadBuf<'_>, before: usize) {
        let read = &mut into.filled_mut()[before..];
        let mut place = self.requests.place();
        let passed = match &mut *place {
            // never 0: hyper ends a head that reached its bound
            Place::Head(head) => {
                let most = HEAD_BYTES.saturating_sub(head.bytes).max(1);
                let most = most.min(read.len());
                head.read(&mut read[..most]).unwrap_or(most)
            }
            Place::Body(left) => {
                let passed = usize::try_from(*left).map_or(read.len(), |left| left.min(read.len()));
                *left -= passed as u64;
                if *left == 0 {
                    *place = Place::Head(Head::NEW);
                }
                passed
            }
            Place::LastBody => read.len(),
        };
        if passed < read.len() {
            // what was held before comes after it
            let mut held = read[passed..].to_vec();
            held.append(&mut self.held);
            self.held = held;
            into.set_filled(before + passed);
        }
    }

    /// Whether the caller may still be sending what nobody reads.
    fn is_sending(&self) -> bool {
        match &*self.requests.place() {
            Place::Head(head) => head.bytes > 0,
            Place::Body(_) | Place::LastBody => true,
        }
    }
}

impl<S: AsyncRead + Unpin> Framed<S> {
    /// Reads on and forgets, within bounds.
    fn poll_linger(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let (sleep, left) = self
            .lingering
            .get_or_insert_with(|| (Box::pin(tokio::time::sleep(LINGER)), LINGER_BYTES));
        let mut part = [0; 8 * 1024];
        while *left > 0 && sleep.as_mut().poll(context).is_pending() {
            let mut into = ReadBuf::new(&mut part);
            match ready!(Pin::new(&mut self.stream).poll_read(context, &mut into)) {
                Ok(()) if !into.filled().is_empty() => {
                    *left = left.saturating_sub(into.filled().len());
                }
                Ok(()) | Err(_) => break,
            }
        }
        Poll::Ready(())
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Framed<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        let this = &mut *self;
        let before = into.filled().len();
        if this.held.is_empty() {
            ready!(Pin::new(&mut this.stream).poll_read(context, into))?;
        } else {
            let rest = this.held.split_off(into.remaining().min(this.held.len()));
            into.put_slice(&this.held);
            this.held = rest;
        }
        this.note(into, before);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Framed<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[std::io::IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        let this = &mut *self;
        if this.lingering.is_none() {
            ready!(Pin::new(&mut this.stream).poll_shutdown(context))?;
        }
        if this.lingering.is_some() || this.is_sending() {
            ready!(this.poll_linger(context));
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::{HEAD_BYTES, Head};

    fn end(text: &str) -> (Option<usize>, String) {
        let mut bytes = text.as_bytes().to_vec();
        let mut head = Head::NEW;
        let end = head.read(&mut bytes);
        (end, String::from_utf8(bytes).expect("it is text"))
    }

    #[test]
    fn end_of_a_head_is_its_first_empty_line() {
        let head = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
        assert_eq!(end(head).0, Some(head.len()));
        assert_eq!(end(&format!("{head}GET /b")).0, Some(head.len()));
        assert_eq!(end(&format!("\r\n\r\n{head}")).0, Some(head.len() + 4));
        assert_eq!(end(&head[..head.len() - 1]).0, None);
        assert_eq!(end("GET / HTTP/1.1\r\nHost: \r\r\n").0, None);
        assert_eq!(end("GET / HTTP/1.1\r\nHost: x\r\n\r\r\n").0, None);
        assert!(head.len() < HEAD_BYTES);
    }

    #[test]
    fn head_is_read_alike_however_it_arrives() {
        for text in [
            "GET / HTTP/1.1\r\nHost: x\r\n\r\nbody",
            "\r\n\r\nGET / HTTP/1.1\r\nHost: \r\r\n\r\n",
            "GET / HTTP/1.1\nHost: x\r\n\r\n",
            "\r\rGET /\r\n\r\r\n\r\n\r\n",
        ] {
            let (whole, read) = end(text);
            for cut in 1..text.len() {
                let mut bytes = text.as_bytes().to_vec();
                let (first, second) = bytes.split_at_mut(cut);
                let mut head = Head::NEW;
                let found = head.read(first);
                let found = found.or_else(|| Some(cut + head.read(second)?));
                assert_eq!(found, whole, "{text:?} cut at {cut}");
                let until = whole.unwrap_or(text.len());
                assert_eq!(
                    &bytes[..until],
                    &read.as_bytes()[..until],
                    "{text:?} at {cut}"
                );
            }
        }
    }

    #[test]
    fn line_feed_alone_ends_no_line() {
        for text in [
            "GET / HTTP/1.1\nHost: x\n\n",
            "GET / HTTP/1.1\r\nHost: x\r\n\n",
            "\nGET / HTTP/1.1\r\n",
        ] {
            let (end, read) = end(text);
            assert_eq!(end, None, "{text:?}");
            assert!(read.contains('\0'), "{read:?}");
        }
    }
}
