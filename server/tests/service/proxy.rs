//! A proxy between the service and PostgreSQL that loses and delays replies.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// What becomes of the replies to changes of rows.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    /// How many of the next ones are lost, each with its connection.
    pub(crate) lose: AtomicUsize,
    /// How many of the next ones come late.
    pub(crate) delay: AtomicUsize,
    /// How many were lost.
    pub(crate) lost: AtomicUsize,
}

/// Takes one of a count.
fn take(count: &AtomicUsize) -> bool {
    count
        .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |count| {
            count.checked_sub(1)
        })
        .is_ok()
}

/// Opens a proxy to the server of `address` (`postgres://…/NAME?host=FOLDER`); the address through
/// it.
pub(crate) fn open(address: &str, faults: &Arc<Faults>) -> String {
    let (before, folder) = address.split_once("?host=").expect("it is a socket's");
    let socket = format!("{folder}/.s.PGSQL.5432");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let port = listener.local_addr().expect("it listens").port();
    let faults = Arc::clone(faults);
    std::thread::spawn(move || {
        for client in listener.incoming() {
            let client = client.expect("it is accepted");
            let server = UnixStream::connect(&socket).expect("PostgreSQL answers");
            pass(client, server, Arc::clone(&faults));
        }
    });
    before.replace("@localhost/", &format!("@127.0.0.1:{port}/"))
}

fn pass(client: TcpStream, server: UnixStream, faults: Arc<Faults>) {
    let _ = client.set_nodelay(true);
    let (mut from, mut to) = (
        client.try_clone().expect("it is open"),
        server.try_clone().expect("it is open"),
    );
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut from, &mut to);
        let _ = to.shutdown(Shutdown::Both);
    });
    let (mut from, mut to) = (server, client);
    std::thread::spawn(move || {
        let mut bytes = [0; 65_536];
        while let Ok(count @ 1..) = from.read(&mut bytes) {
            let piece = &bytes[..count];
            // what a statement answers when it is done and committed
            if piece.windows(9).any(|text| text == b"UPDATE 1\0") {
                if take(&faults.lose) {
                    faults.lost.fetch_add(1, Ordering::SeqCst);
                    break;
                }
                if take(&faults.delay) {
                    std::thread::sleep(Duration::from_millis(300));
                }
            }
            if to.write_all(piece).is_err() {
                break;
            }
        }
        let _ = to.shutdown(Shutdown::Both);
        let _ = from.shutdown(Shutdown::Both);
    });
}
