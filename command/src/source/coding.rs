//! [`Coding`]: how the bytes of an input are coded, known by the first of them.

use crate::Failure;
use flate2::bufread::MultiGzDecoder;
use std::io::{self, BufRead, BufReader, Read};

/// How the bytes of an input are coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    /// As they are.
    Plain,
    /// Compressed by gzip.
    Gzip,
    /// Compressed by zstd.
    #[cfg_attr(
        not(feature = "zstd"),
        allow(dead_code, reason = "refused in this build")
    )]
    Zstd,
    /// Text in UTF-16, as Excel and PowerShell write it.
    Utf16 {
        /// Whether the high byte of a unit is the first.
        big: bool,
    },
    /// Text whose lines end with a carriage return alone, as old programs of the Macintosh write it.
    Returns,
}

/// The first bytes of files that hold no rows, what those are, and what to do.
const REFUSED: [(&[u8], &str, &str); 7] = [
    (
        b"\xfd7zXZ\0",
        "it is compressed by xz",
        "decompress it: xz -dc FILE | titledex parse",
    ),
    (
        b"\x04\x22\x4d\x18",
        "it is compressed by lz4",
        "decompress it: lz4 -dc FILE | titledex parse",
    ),
    (
        b"PK\x03\x04",
        "it is an Excel workbook or a ZIP archive",
        "save the sheet as CSV, or unpack the archive",
    ),
    (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        "it is an Excel workbook",
        "save the sheet as CSV",
    ),
    (b"7z\xbc\xaf\x27\x1c", "it is a 7-Zip archive", "unpack it"),
    (b"%PDF-", "it is a PDF", "export its table as CSV"),
    (
        b"SQLite format 3\0",
        "it is an SQLite database",
        "export the table as CSV",
    ),
];

impl Coding {
    /// The coding of an input that begins so and has this name in messages.
    pub(super) fn of(beginning: &[u8], name: &str) -> Result<Self, Failure> {
        let refused = |what: &str, advice: &str| {
            Err(Failure::new(format!(
                "cannot read {name}: {what}: {advice}"
            )))
        };
        let bzip2 = beginning.starts_with(b"BZh") && beginning.get(4..10) == Some(b"1AY&SY");
        if bzip2 {
            let advice = "decompress it: bzip2 -dc FILE | titledex parse";
            return refused("it is compressed by bzip2", advice);
        }
        let known = |(first, ..): &&(&[u8], &str, &str)| beginning.starts_with(first);
        if let Some((_, what, advice)) = REFUSED.iter().find(known) {
            return refused(what, advice);
        }
        Ok(match beginning {
            [0x1f, 0x8b, ..] => Self::Gzip,
            #[cfg(feature = "zstd")]
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Self::Zstd,
            #[cfg(not(feature = "zstd"))]
            [0x28, 0xb5, 0x2f, 0xfd, ..] => {
                let advice = "decompress it: zstd -dc FILE | titledex parse";
                return refused("it is compressed by zstd", advice);
            }
            [0xff, 0xfe, ..] => Self::Utf16 { big: false },
            [0xfe, 0xff, ..] => Self::Utf16 { big: true },
            // without a mark: two characters of ASCII
            &[a, 0, b, 0, ..] if a != 0 && b != 0 => Self::Utf16 { big: false },
            &[0, a, 0, b, ..] if a != 0 && b != 0 => Self::Utf16 { big: true },
            text if ends_lines_with_returns(text) => Self::Returns,
            _ => Self::Plain,
        })
    }

    /// What `input` is decoded to.
    pub(super) fn decoded(self, input: Box<dyn Read + Send>) -> io::Result<Box<dyn Read + Send>> {
        Ok(match self {
            Self::Plain => input,
            Self::Gzip => Box::new(MultiGzDecoder::new(BufReader::new(input))),
            #[cfg(feature = "zstd")]
            Self::Zstd => Box::new(zstd::Decoder::new(input)?),
            #[cfg(not(feature = "zstd"))]
            Self::Zstd => return Err(io::ErrorKind::Unsupported.into()),
            Self::Utf16 { big } => Box::new(Utf16 {
                input: BufReader::new(input),
                big,
                high: None,
                begun: false,
                text: Vec::new(),
                given: 0,
            }),
            Self::Returns => Box::new(Returns(input)),
        })
    }
}

/// Whether an input that begins so is text whose lines end with a carriage return alone: one stands
/// between two characters, and there is no other end of a line. Parquet is no text.
fn ends_lines_with_returns(beginning: &[u8]) -> bool {
    let inner = beginning.strip_suffix(b"\r").unwrap_or(beginning);
    inner.contains(&b'\r')
        && !inner.contains(&b'\n')
        && !inner.contains(&0)
        && !inner.starts_with(b"PAR1")
}

/// Carriage returns as ends of lines.
struct Returns<R>(R);

impl<R: Read> Read for Returns<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = self.0.read(buffer)?;
        for byte in &mut buffer[..size] {
            if *byte == b'\r' {
                *byte = b'\n';
            }
        }
        Ok(size)
    }
}

/// UTF-16 as UTF-8, without its byte order mark. Half a pair is U+FFFD.
struct Utf16<R> {
    input: BufReader<R>,
    big: bool,
    /// The first half of a pair.
    high: Option<u16>,
    /// Whether a unit was read: only the first can be a mark.
    begun: bool,
    /// What is decoded, of which `given` bytes are read.
    text: Vec<u8>,
    given: usize,
}

impl<R: Read> Utf16<R> {
    /// The next unit; `None` at the end. A byte by itself at the end is U+FFFD.
    fn unit(&mut self) -> io::Result<Option<u16>> {
        let mut bytes = [0; 2];
        let mut filled = 0;
        while filled < 2 {
            let chunk = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                chunk => chunk?,
            };
            let Some(&byte) = chunk.first() else { break };
            bytes[filled] = byte;
            filled += 1;
            self.input.consume(1);
        }
        Ok(match filled {
            0 => None,
            1 => Some(0xfffd),
            _ if self.big => Some(u16::from_be_bytes(bytes)),
            _ => Some(u16::from_le_bytes(bytes)),
        })
    }

    /// Decodes one unit, with the half that waits for it.
    fn take(&mut self, unit: u16) {
        let halves = self.high.take().map(|high| [high, unit]);
        let low = (0xdc00..0xe000).contains(&unit);
        let pair = halves.filter(|_| low);
        if let Some(pair) = pair {
            self.text
                .extend_from_slice(String::from_utf16_lossy(&pair).as_bytes());
            return;
        }
        if halves.is_some() {
            self.text.extend_from_slice("\u{fffd}".as_bytes());
        }
        if (0xd800..0xdc00).contains(&unit) {
            self.high = Some(unit);
        } else {
            self.text
                .extend_from_slice(String::from_utf16_lossy(&[unit]).as_bytes());
        }
    }
}

impl<R: Read> Read for Utf16<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.given == self.text.len() {
            self.text.clear();
            self.given = 0;
            // what has arrived, so that a slow writer gets its answers at once
            loop {
                match self.unit()? {
                    Some(0xfeff) if !self.begun => {}
                    Some(unit) => self.take(unit),
                    None if self.high.take().is_some() => {
                        self.text.extend_from_slice("\u{fffd}".as_bytes());
                        break;
                    }
                    None if self.text.is_empty() => return Ok(0),
                    None => break,
                }
                self.begun = true;
                if self.input.buffer().len() < 2 || self.text.len() >= buffer.len() {
                    break;
                }
            }
        }
        let text = &self.text[self.given..];
        let size = text.len().min(buffer.len());
        buffer[..size].copy_from_slice(&text[..size]);
        self.given += size;
        Ok(size)
    }
}

#[cfg(test)]
mod tests {
    use super::Coding;
    use std::io::Read;

    fn decoded(bytes: &[u8]) -> String {
        let coding = Coding::of(bytes, "memory").unwrap_or_else(|failure| panic!("{failure:?}"));
        let mut text = String::new();
        let input = Box::new(std::io::Cursor::new(bytes.to_vec()));
        let mut reader = coding.decoded(input).expect("memory");
        reader.read_to_string(&mut text).expect("UTF-8");
        text
    }

    #[test]
    fn utf16_is_decoded_with_and_without_a_mark() {
        let text = "Pokémon リザードン 🔥 4/102\r\n";
        for mark in ["\u{feff}", ""] {
            let units: Vec<u16> = format!("{mark}{text}").encode_utf16().collect();
            let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
            assert_eq!(decoded(&little), text);
            assert_eq!(decoded(&big), text);
        }
    }

    #[test]
    fn returns_end_lines_where_nothing_else_does() {
        assert_eq!(decoded(b"a\rb\r"), "a\nb\n");
        assert_eq!(
            decoded("id;title\r1;リザードン\r".as_bytes()),
            "id;title\n1;リザードン\n"
        );
    }

    #[test]
    fn halves_of_pairs_and_of_units_are_replaced() {
        let of = |units: &[u16], rest: &[u8]| {
            let units = [&[0xfeff, u16::from(b'a')], units].concat();
            let mut bytes: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            bytes.extend_from_slice(rest);
            decoded(&bytes)
        };
        assert_eq!(of(&[0xd83d], &[]), "a\u{fffd}");
        assert_eq!(of(&[0xdd25, 0x62], &[]), "a\u{fffd}b");
        assert_eq!(of(&[0xd83d, 0x62], &[]), "a\u{fffd}b");
        assert_eq!(of(&[0xd83d, 0xd83d, 0xdd25], &[]), "a\u{fffd}🔥");
        assert_eq!(of(&[], &[0x62]), "a\u{fffd}");
        assert_eq!(of(&[0xfeff], &[]), "a\u{feff}");
    }

    #[test]
    fn what_holds_no_rows_is_refused_with_the_way_to_its_text() {
        for (bytes, word) in [
            (&b"\xfd7zXZ\0\0"[..], "xz -dc"),
            (b"BZh91AY&SY", "bzip2 -dc"),
            (b"PK\x03\x04\x14", "CSV"),
            (b"%PDF-1.7", "CSV"),
        ] {
            let refused = Coding::of(bytes, "memory");
            assert!(
                matches!(&refused, Err(crate::Failure::Said(message)) if message.contains(word)),
                "{refused:?}"
            );
        }
        for plain in [
            &b"BZh what"[..],
            b"PK",
            b"",
            b"\0",
            b"a\0b c",
            b"7z",
            b"a\r\nb\r\n",
            b"a\rb\n",
            b"a\r",
            b"PAR1\x15\r\x15",
        ] {
            assert_eq!(Coding::of(plain, "memory").ok(), Some(Coding::Plain));
        }
    }
}
