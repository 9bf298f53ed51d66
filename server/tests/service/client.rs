//! A caller over HTTP/1.1 who sees every byte.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// An answer.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// A header that is a number.
    pub(crate) fn number(&self, name: &str) -> i64 {
        let value = self
            .header(name)
            .unwrap_or_else(|| panic!("no {name} in {self:?}"));
        value
            .parse()
            .unwrap_or_else(|_| panic!("{name} is {value}"))
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("bodies are UTF-8")
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// The code of an error.
    pub(crate) fn code(&self) -> String {
        self.json()["error"]["code"]
            .as_str()
            .unwrap_or_else(|| panic!("no error: {self:?}"))
            .to_owned()
    }
}

/// A request to be sent.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) method: &'static str,
    pub(crate) path: String,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
}

impl Call {
    pub(crate) fn new(method: &'static str, path: impl Into<String>) -> Self {
        let path = path.into();
        // of an address only the path is sent
        let path = match path
            .strip_prefix("http://")
            .and_then(|rest| rest.find('/').map(|at| rest[at..].to_owned()))
        {
            Some(rest) => rest,
            None => path,
        };
        Self {
            method,
            path,
            headers: Vec::new(),
            body: Vec::new(),
        }
    }

    /// A request for parse-title.
    pub(crate) fn parse(key: &str, body: impl Into<Vec<u8>>) -> Self {
        Self::new("POST", "/api/v2/parse-title").key(key).json(body)
    }

    pub(crate) fn key(self, key: &str) -> Self {
        self.header("Authorization", format!("Bearer {key}"))
    }

    pub(crate) fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    pub(crate) fn json(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self.header("Content-Type", "application/json")
    }

    /// The bytes of it.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut head = format!(
            "{} {} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {}\r\n",
            self.method,
            self.path,
            self.body.len()
        );
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str("\r\n");
        let mut bytes = head.into_bytes();
        bytes.extend_from_slice(&self.body);
        bytes
    }

    /// Sends it on a connection of its own.
    pub(crate) fn send(&self, address: SocketAddr) -> Reply {
        self.try_send(address)
            .unwrap_or_else(|error| panic!("{} {}: {error}", self.method, self.path))
    }

    /// As [`Call::send`], to a server that may go away.
    pub(crate) fn try_send(&self, address: SocketAddr) -> std::io::Result<Reply> {
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(Duration::from_secs(120)))?;
        // a server that refuses a body does not read it whole: what was answered decides, not what
        // could be sent
        let sent = stream.write_all(&self.bytes());
        let mut bytes = Vec::new();
        let came = stream.read_to_end(&mut bytes);
        let cut_short =
            || std::io::Error::new(std::io::ErrorKind::UnexpectedEof, "the answer is cut short");
        read(self.method, &bytes)
            .ok_or_else(|| sent.and(came.map(drop)).err().unwrap_or_else(cut_short))
    }
}

/// Parses an answer; `None` if it is cut short.
fn read(method: &str, bytes: &[u8]) -> Option<Reply> {
    let end = bytes.windows(4).position(|part| part == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&bytes[..end]).ok()?;
    let mut lines = head.split("\r\n");
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let mut rest = &bytes[end + 4..];
    let mut body = Vec::new();
    if headers
        .iter()
        .any(|(name, value)| name == "transfer-encoding" && value == "chunked")
    {
        loop {
            let line = rest.windows(2).position(|part| part == b"\r\n")?;
            let length =
                usize::from_str_radix(std::str::from_utf8(&rest[..line]).ok()?, 16).ok()?;
            rest = &rest[line + 2..];
            if length == 0 {
                break;
            }
            body.extend_from_slice(rest.get(..length)?);
            rest = &rest[length + 2..];
        }
    } else if method != "HEAD" && status != 204 && status != 304 {
        let length = headers
            .iter()
            .find(|(name, _)| name == "content-length")?
            .1
            .parse()
            .ok()?;
        body.extend_from_slice(rest.get(..length)?);
    }
    Some(Reply {
        status,
        headers,
        body,
    })
}
