//! A bucket that checks signatures: AWS Signature Version 4 in the query, computed here again from
//! Amazon's description over the bytes on the wire. It checks method, path, each parameter, the
//! host, the signed headers, region, key, secret, and the time.

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub(crate) const KEY: &str = "AKIAIOSFODNN7EXAMPLE";
pub(crate) const SECRET: &str = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
const REGION: &str = "eu-central-1";

/// Its behaviour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mood {
    Right,
    /// Refuses uploads as one does whose keys may not write.
    ReadOnly,
    /// Takes requests and never answers.
    Silent,
}

#[derive(Debug)]
struct Inside {
    objects: BTreeMap<String, Vec<u8>>,
    refused: Vec<String>,
    mood: Mood,
    /// Milliseconds since 1970.
    now: i64,
}

/// A server with one bucket, `prices`.
#[derive(Clone, Debug)]
pub(crate) struct Bucket {
    pub(crate) address: SocketAddr,
    inside: Arc<Mutex<Inside>>,
}

impl Bucket {
    /// Listens; ends with the process.
    pub(crate) fn open(now: i64) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = listener.local_addr().expect("it has an address");
        let inside = Inside {
            objects: BTreeMap::new(),
            refused: Vec::new(),
            mood: Mood::Right,
            now,
        };
        let bucket = Self {
            address,
            inside: Arc::new(Mutex::new(inside)),
        };
        let serving = bucket.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let serving = serving.clone();
                std::thread::spawn(move || serving.serve(stream));
            }
        });
        bucket
    }

    /// The settings that name it.
    pub(crate) fn settings(&self) -> String {
        format!(
            "[exports]\nstorage = 's3://prices/daily'\nendpoint = 'http://{}'\nregion = '{REGION}'\ntimeout-seconds = 1\n",
            self.address
        )
    }

    pub(crate) fn set(&self, mood: Mood, now: i64) {
        let mut inside = self.inside.lock().expect("no test thread panicked");
        (inside.mood, inside.now) = (mood, now);
    }

    /// The names of what lies in it.
    pub(crate) fn names(&self) -> Vec<String> {
        self.inside
            .lock()
            .expect("no test thread panicked")
            .objects
            .keys()
            .cloned()
            .collect()
    }

    /// The reasons why requests were refused.
    pub(crate) fn refused(&self) -> Vec<String> {
        self.inside
            .lock()
            .expect("no test thread panicked")
            .refused
            .clone()
    }

    fn serve(&self, mut stream: TcpStream) {
        let Some(request) = Request::read(&stream) else {
            return;
        };
        let mut inside = self.inside.lock().expect("no test thread panicked");
        if inside.mood == Mood::Silent {
            drop(inside);
            // until the caller hangs up
            let patience = stream.set_read_timeout(Some(Duration::from_secs(60)));
            patience.expect("it can be set");
            while stream.read(&mut [0; 512]).is_ok_and(|read| read > 0) {}
            return;
        }
        let (status, body) = match request
            .check(inside.now)
            .and_then(|()| inside.answer(&request))
        {
            Ok(body) => ("200 OK", body),
            Err((status, code)) => {
                inside
                    .refused
                    .push(format!("{} {}: {code}", request.method, request.path));
                (
                    status,
                    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>{code}</Code><Message>no</Message></Error>")
                        .into_bytes(),
                )
            }
        };
        drop(inside);
        let _ = write!(
            stream,
            "HTTP/1.1 {status}\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        let _ = stream.write_all(&body);
    }
}

type Refusal = (&'static str, &'static str);

impl Inside {
    fn answer(&mut self, request: &Request) -> Result<Vec<u8>, Refusal> {
        let name = request
            .path
            .strip_prefix("/prices/")
            .ok_or(("404 Not Found", "NoSuchBucket"))?;
        match request.method.as_str() {
            "PUT" if self.mood == Mood::ReadOnly => Err(("403 Forbidden", "AccessDenied")),
            "PUT" => {
                // what is there is never replaced under somebody who fetches it
                assert!(
                    self.objects
                        .insert(name.to_owned(), request.body.clone())
                        .is_none(),
                    "{name} was put twice"
                );
                Ok(Vec::new())
            }
            "DELETE" => Ok(self
                .objects
                .remove(name)
                .map(|_| Vec::new())
                .unwrap_or_default()),
            "GET" if name.is_empty() => {
                let prefix = request.parameter("prefix").unwrap_or_default();
                let mut out = format!(
                    "<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Name>prices</Name><Prefix>{prefix}</Prefix>"
                );
                for (key, data) in self
                    .objects
                    .iter()
                    .filter(|(key, _)| key.starts_with(&prefix))
                {
                    out.push_str(&format!(
                        "<Contents><Key>{key}</Key><Size>{}</Size></Contents>",
                        data.len()
                    ));
                }
                Ok((out + "<IsTruncated>false</IsTruncated></ListBucketResult>").into_bytes())
            }
            _ => self
                .objects
                .get(name)
                .cloned()
                .ok_or(("404 Not Found", "NoSuchKey")),
        }
    }
}

/// A request as it came.
struct Request {
    method: String,
    path: String,
    query: Vec<(String, String)>,
    headers: BTreeMap<String, String>,
    body: Vec<u8>,
}

impl Request {
    fn read(stream: &TcpStream) -> Option<Self> {
        let mut input = BufReader::new(stream);
        let mut line = String::new();
        input.read_line(&mut line).ok()?;
        let mut words = line.split(' ');
        let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
        let mut headers = BTreeMap::new();
        loop {
            let mut line = String::new();
            input.read_line(&mut line).ok()?;
            let Some((name, value)) = line.trim_end().split_once(':') else {
                break;
            };
            headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
        }
        let length = headers
            .get("content-length")
            .and_then(|length| length.parse().ok())
            .unwrap_or(0);
        let mut body = vec![0; length];
        input.read_exact(&mut body).ok()?;
        Some(Self::of(&method, &target, headers, body))
    }

    fn of(method: &str, target: &str, headers: BTreeMap<String, String>, body: Vec<u8>) -> Self {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let pair = |pair: &str| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decoded(name), decoded(value))
        };
        let query = query
            .split('&')
            .filter(|part| !part.is_empty())
            .map(pair)
            .collect();
        Self {
            method: method.to_owned(),
            path: path.to_owned(),
            query,
            headers,
            body,
        }
    }

    fn parameter(&self, name: &str) -> Option<String> {
        self.query
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.clone())
    }

    /// # Errors
    /// Amazon's answer to a wrong signature.
    fn check(&self, now: i64) -> Result<(), Refusal> {
        let forbidden = |code| ("403 Forbidden", code);
        let of = |name: &str| {
            self.parameter(name)
                .ok_or(forbidden("AuthorizationQueryParametersError"))
        };
        let (date, expires, signed, credential) = (
            of("X-Amz-Date")?,
            of("X-Amz-Expires")?,
            of("X-Amz-SignedHeaders")?,
            of("X-Amz-Credential")?,
        );
        let scope = credential
            .strip_prefix(&format!("{KEY}/"))
            .ok_or(forbidden("InvalidAccessKeyId"))?;
        let (day, region) = scope
            .strip_suffix("/s3/aws4_request")
            .and_then(|rest| rest.split_once('/'))
            .ok_or(forbidden("AuthorizationQueryParametersError"))?;
        if of("X-Amz-Algorithm")? != "AWS4-HMAC-SHA256"
            || !date.starts_with(day)
            || !signed.split(';').any(|name| name == "host")
        {
            return Err(forbidden("AuthorizationQueryParametersError"));
        }
        // kind and length of a body are sent, and its kind is signed
        if self.method == "PUT"
            && (!signed.split(';').any(|name| name == "content-type")
                || !self.headers.contains_key("content-length"))
        {
            return Err(("411 Length Required", "MissingContentLength"));
        }
        let text = format!(
            "AWS4-HMAC-SHA256\n{date}\n{scope}\n{}",
            hex(&Sha256::digest(self.canonical(&signed)))
        );
        let mut key = mac(format!("AWS4{SECRET}").as_bytes(), day);
        for part in [region, "s3", "aws4_request", &text] {
            key = mac(&key, part);
        }
        if hex(&key) != of("X-Amz-Signature")? {
            return Err(forbidden("SignatureDoesNotMatch"));
        }
        let seconds = |date: &str| {
            let text = format!(
                "{}-{}-{}T{}:{}:{}Z",
                &date[..4],
                &date[4..6],
                &date[6..8],
                &date[9..11],
                &date[11..13],
                &date[13..15]
            );
            titledex_server::market::day::moment(&text).expect("it was signed")
        };
        let holds = expires.parse::<i64>().expect("it was signed") * 1_000;
        if now < seconds(&date) || now >= seconds(&date) + holds {
            Err(forbidden("AccessDenied"))
        } else {
            Ok(())
        }
    }

    fn canonical(&self, signed: &str) -> String {
        let mut query: Vec<(String, String)> = self
            .query
            .iter()
            .filter(|(name, _)| name != "X-Amz-Signature")
            .map(|(name, value)| (encoded(name), encoded(value)))
            .collect();
        query.sort();
        let query: Vec<String> = query
            .into_iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let headers: String = signed
            .split(';')
            .map(|name| {
                format!(
                    "{name}:{}\n",
                    self.headers.get(name).map_or("", String::as_str)
                )
            })
            .collect();
        format!(
            "{}\n{}\n{}\n{headers}\n{signed}\nUNSIGNED-PAYLOAD",
            self.method,
            self.path,
            query.join("&")
        )
    }
}

fn mac(key: &[u8], text: &str) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key may have any length");
    mac.update(text.as_bytes());
    mac.finalize().into_bytes().to_vec()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn decoded(text: &str) -> String {
    let mut out = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let digits: Option<String> =
            (byte == b'%').then(|| rest.by_ref().take(2).map(char::from).collect());
        out.push(digits.map_or(byte, |digits| {
            u8::from_str_radix(&digits, 16).expect("two digits follow")
        }));
    }
    String::from_utf8(out).expect("it is UTF-8")
}

fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    text.bytes()
        .map(|byte| {
            if plain(byte) {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}

/// Fetches an address as a browser does: status and body.
pub(crate) fn fetch(url: &str) -> (u16, Vec<u8>) {
    let rest = url
        .strip_prefix("http://")
        .expect("it is an address of the bucket");
    let (host, path) = rest.split_once('/').expect("it has a path");
    let mut stream = TcpStream::connect(host).expect("it listens");
    write!(
        stream,
        "GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
    )
    .expect("it is taken");
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).expect("it is answered");
    let end = bytes
        .windows(4)
        .position(|part| part == b"\r\n\r\n")
        .expect("it has a head");
    let status = std::str::from_utf8(&bytes[9..12])
        .expect("it is text")
        .parse()
        .expect("it is a number");
    (status, bytes[end + 4..].to_vec())
}

/// The check itself: the request that Amazon's documentation signs by hand, "Authenticating
/// Requests: Using Query Parameters".
#[test]
fn signature_check_accepts_the_example_of_aws() {
    let target = "/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request\
                  &X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host\
                  &X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404";
    let of = |method: &str, target: &str, host: &str| {
        Request::of(
            method,
            target,
            BTreeMap::from([("host".to_owned(), host.to_owned())]),
            Vec::new(),
        )
    };
    let now = 1_369_353_600_000;
    assert_eq!(
        of("GET", target, "examplebucket.s3.amazonaws.com").check(now),
        Ok(())
    );
    let wrong = Err(("403 Forbidden", "SignatureDoesNotMatch"));
    assert_eq!(
        of("DELETE", target, "examplebucket.s3.amazonaws.com").check(now),
        wrong
    );
    assert_eq!(
        of("GET", target, "other.s3.amazonaws.com").check(now),
        wrong
    );
    assert_eq!(
        of(
            "GET",
            &target.replace("test.txt", "text.txt"),
            "examplebucket.s3.amazonaws.com"
        )
        .check(now),
        wrong
    );
    assert_eq!(
        of(
            "GET",
            &target.replace("86400", "86401"),
            "examplebucket.s3.amazonaws.com"
        )
        .check(now),
        wrong
    );
    assert_eq!(
        of("GET", target, "examplebucket.s3.amazonaws.com").check(now + 86_400_000),
        Err(("403 Forbidden", "AccessDenied"))
    );
}
