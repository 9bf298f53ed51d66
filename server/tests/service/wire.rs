//! A connection whose bytes a test chooses itself.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::Duration;

/// A connection whose bytes a test chooses itself.
pub(crate) struct Wire(pub(crate) TcpStream);

/// A connection whose socket is prepared before it is made.
pub(crate) fn connected(to: SocketAddr, prepare: impl FnOnce(&tokio::net::TcpSocket)) -> TcpStream {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime can be made");
    let stream = runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4().expect("a socket can be made");
        prepare(&socket);
        let stream = socket.connect(to).await.expect("it listens");
        stream.into_std().expect("it is one")
    });
    stream.set_nonblocking(false).expect("it can be set");
    stream
}

impl Wire {
    pub(crate) fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).expect("it listens");
        stream
            .set_read_timeout(Some(Duration::from_secs(120)))
            .expect("it can be set");
        Self(stream)
    }

    /// A connection for which the system keeps little that is not read.
    pub(crate) fn narrow(address: SocketAddr) -> Self {
        let stream = connected(address, |socket| {
            socket
                .set_recv_buffer_size(16 * 1024)
                .expect("it can be set");
        });
        stream
            .set_read_timeout(Some(Duration::from_secs(120)))
            .expect("it can be set");
        Self(stream)
    }

    /// Opens a connection and sends.
    pub(crate) fn sent(address: SocketAddr, bytes: impl AsRef<[u8]>) -> Self {
        let mut wire = Self::open(address);
        wire.send(bytes);
        wire
    }

    /// Sends. A server that ended the connection is not a failure here.
    pub(crate) fn send(&mut self, bytes: impl AsRef<[u8]>) -> bool {
        self.0.write_all(bytes.as_ref()).is_ok()
    }

    pub(crate) fn end_sending(&self) {
        self.0.shutdown(Shutdown::Write).expect("it is open");
    }

    /// All bytes until the server ends the connection.
    pub(crate) fn rest(mut self) -> String {
        let mut bytes = Vec::new();
        let mut part = [0; 8192];
        loop {
            match self.0.read(&mut part) {
                Ok(0) => break,
                Ok(read) => bytes.extend_from_slice(&part[..read]),
                // a server that did not read all resets the connection
                Err(error) if error.kind() == ErrorKind::ConnectionReset => break,
                Err(error) => panic!("the server does not end the connection: {error}"),
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// The first bytes that come, at least one.
    pub(crate) fn some(&mut self) -> String {
        let mut part = [0; 1024];
        let read = self.0.read(&mut part).expect("something comes");
        assert!(read > 0, "the server ended the connection");
        String::from_utf8_lossy(&part[..read]).into_owned()
    }

    /// Whether no byte arrives for a moment.
    pub(crate) fn is_silent(&mut self) -> bool {
        self.0
            .set_read_timeout(Some(Duration::from_millis(200)))
            .expect("it can be set");
        let read = self.0.read(&mut [0; 1]);
        self.0
            .set_read_timeout(Some(Duration::from_secs(120)))
            .expect("it can be set");
        read.is_err_and(|error| matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut))
    }
}

/// The status of an answer; `None` if the server sent nothing.
pub(crate) fn status(answer: &str) -> Option<u16> {
    answer
        .strip_prefix("HTTP/1.1 ")
        .or_else(|| answer.strip_prefix("HTTP/1.0 "))?
        .get(..3)?
        .parse()
        .ok()
}
