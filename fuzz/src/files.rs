//! Files: of titles, of cards and sets, and of prices.

use crate::http::is_json;
use crate::input::csv::Records;
use crate::input::lines::{Json, Lines};
use crate::input::values::Values;
use crate::input::{Input, Mark, Room, Rows as _};
use crate::{choices, pieces};
use std::io::{self, Read};
use std::sync::{Arc, OnceLock};
use titledex::Catalogue;
use titledex::internals::build::build_with;
use titledex::internals::build::input as tables;
use titledex::internals::build::rows::Rows;
use titledex::internals::build::vocabulary::Vocabulary;
use titledex::internals::dictionary::Dictionary;
use titledex_server::market::history::{DAYS, pack, unpack};
use titledex_server::market::{Money, Point};

/// The most cards of which an index is built.
const MOST_CARDS: usize = 32;

/// Gives one piece for each read, or as much of it as is asked for.
struct Pieces<'b> {
    pieces: std::vec::IntoIter<&'b [u8]>,
    rest: &'b [u8],
}

impl<'b> Pieces<'b> {
    fn new(pieces: Vec<&'b [u8]>) -> Self {
        Self {
            pieces: pieces.into_iter(),
            rest: &[],
        }
    }
}

impl Read for Pieces<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            self.rest = self.pieces.next().unwrap_or_default();
        }
        let (part, rest) = self.rest.split_at(self.rest.len().min(into.len()));
        into[..part.len()].copy_from_slice(part);
        self.rest = rest;
        Ok(part.len())
    }
}

/// Number, title or the lack of one, and the other columns of each row; and where it ended.
type Seen = (Vec<(u64, Option<Vec<u8>>, Vec<u8>)>, u64);

fn rows(mut input: impl Input) -> Seen {
    let mut seen = Vec::new();
    let (mut batch, mut room) = (Default::default(), Room::default());
    let mut end = 0;
    while input.fill(&mut batch).is_ok_and(|any| any) {
        batch.each(&mut room, |row| {
            let title = row.title.ok().map(|title| {
                assert!(title.bytes.len() as u64 <= title.length);
                title.bytes.to_vec()
            });
            seen.push((row.number, title, row.carried.to_vec()));
        });
        end = batch.end().bytes;
    }
    (seen, end)
}

fn read(kind: u8, input: Pieces<'_>) -> Seen {
    let json = |place| {
        let field = "title".into();
        Some(Json { field, place })
    };
    let read = match kind % 5 {
        0 => return rows(Lines::new(input, "x", None, Mark::default())),
        1 => return rows(Lines::new(input, "x", json("line"), Mark::default())),
        4 => {
            let values = Values::new(input, "title");
            return rows(Lines::new(values, "x", json("value"), Mark::default()));
        }
        2 => Records::open(input, "x", b',', "title"),
        _ => Records::open(input, "x", b'\t', "title"),
    };
    read.map(rows).unwrap_or_default()
}

/// Any bytes as a file of titles. The rows do not depend on how much a read gives.
pub fn titles(bytes: &[u8]) {
    let ([kind, seed], text) = choices(bytes);
    let header: &[u8] = match kind {
        2 | 3 => b"title,a\n",
        _ => b"",
    };
    let file = [header, text].concat();
    let whole: Vec<&[u8]> = file.chunks(1 << 15).collect();
    let seen = read(kind, Pieces::new(whole));
    // values are made lines of their own
    assert!(
        kind % 5 == 4 || seen.1 <= file.len() as u64,
        "more was read than there is"
    );
    for (_, _, carried) in &seen.0 {
        assert!(carried.is_empty() || is_json(carried));
    }
    let cut = read(kind, Pieces::new(pieces(&file, seed)));
    assert_eq!(seen, cut, "rows depend on the pieces that are read");
}

fn parts() -> &'static (Arc<Dictionary>, Arc<Vocabulary>) {
    static PARTS: OnceLock<(Arc<Dictionary>, Arc<Vocabulary>)> = OnceLock::new();
    PARTS.get_or_init(|| {
        (
            Dictionary::builtin().expect("the dictionaries load"),
            Vocabulary::builtin().expect("the vocabulary loads"),
        )
    })
}

/// Builds an index if the rows are few. What is built must open.
fn build(rows: &Rows) {
    if rows.cards.len() > MOST_CARDS {
        return;
    }
    let (dictionary, vocabulary) = parts();
    if let Ok(index) = build_with(rows, "x", dictionary, vocabulary) {
        Catalogue::open(index).expect("what is built opens");
    }
}

/// Any text as the files of a catalogue: cards and sets as JSON Lines, or the two tables. What is
/// read is built, or refused with an error.
pub fn catalogue(bytes: &[u8]) {
    let ([kind], text) = choices(bytes);
    let mut rows = Rows::default();
    let (first, second) = match text.iter().position(|byte| *byte == 0) {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (text, &[][..]),
    };
    let read = if kind & 1 == 0 {
        tables::jsonl_cards("cards", first, &mut rows)
            .and_then(|()| tables::jsonl_sets("sets", second, &mut rows))
    } else {
        tables::tables(("cards", first), ("sets", second)).map(|read| rows = read)
    };
    if read.is_err() {
        return;
    }
    build(&rows);
    if kind & 1 == 1 {
        // tables that were read are written as what is read again
        let (cards, sets) = tables::write_tables(&rows);
        let again = tables::tables(("cards", &cards), ("sets", &sets)).expect("tables are read");
        let twice = tables::write_tables(&again);
        assert!(twice == (cards, sets), "tables change when read again");
    }
}

/// Any text as the price service's export.
pub fn export(bytes: &[u8]) {
    let ([kind], text) = choices(bytes);
    let mut rows = Rows::default();
    let header: &[u8] = if kind & 1 == 0 {
        b"marketplaceId,name,setName,setId,cardNumber,rarity,language,printing\n"
    } else {
        b""
    };
    if tables::export_csv("export", &[header, text].concat(), &mut rows).is_ok() {
        build(&rows);
    }
}

const CHUNK: i64 = 80;

fn chunk(bytes: &[u8]) {
    let mut points = Vec::new();
    if unpack(CHUNK, bytes, &mut points).is_err() {
        return;
    }
    assert!(points.windows(2).all(|pair| pair[0].day < pair[1].day));
    assert!(
        points
            .iter()
            .all(|point| point.day.div_euclid(DAYS) == CHUNK)
    );
    let kept = |money: Option<Money>| money.is_none_or(|money| money.0.abs() < 1 << 58);
    let all = points.iter().all(|point| {
        kept(point.market)
            && kept(point.low)
            && point.sellers.is_none_or(|count| count.abs() < 1 << 58)
    });
    if all {
        let mut again = Vec::new();
        unpack(CHUNK, &pack(&points), &mut again).expect("what is packed unpacks");
        assert_eq!(again, points);
    }
}

/// Any bytes as a chunk of price history, and as changes of a good one: an error, or points whose
/// days ascend within the chunk, which pack and unpack to themselves.
pub fn history(bytes: &[u8]) {
    chunk(bytes);
    chunk(&[&[1], bytes].concat());
    let point = |at: i64| Point {
        day: CHUNK * DAYS + at,
        market: Some(Money(at * 4_700)),
        low: (at % 3 > 0).then_some(Money(at * 4_000)),
        sellers: Some(at),
    };
    let mut altered = pack(&(0..200).map(point).collect::<Vec<_>>());
    for change in bytes.chunks_exact(3) {
        let place = usize::from(u16::from_le_bytes([change[0], change[1]])) % altered.len();
        altered[place] ^= change[2];
    }
    chunk(&altered);
}
