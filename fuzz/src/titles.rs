//! Titles: an answer, with spans that fit, and the same one with memory that has seen others.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::OnceLock;
use titledex::{Engine, MAX_TITLE_BYTES, Options, Scratch, Span};

fn engine() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(|| {
        Engine::new(titledex_embedded::catalogue().expect("the embedded catalogue opens"))
    })
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

fn fits(title: &str, span: Span, text: &str) {
    assert_eq!(
        title.get(span.start as usize..span.end as usize),
        Some(text),
        "{span:?}"
    );
    assert!(!text.is_empty(), "{span:?} is empty");
}

fn check(title: &str) {
    let options = Options::default();
    let answer = SCRATCH.with_borrow_mut(|scratch| engine().answer_with(scratch, title, &options));
    let parsed = &answer.parsed;
    for reading in parsed.spans.iter().chain(&parsed.alternatives) {
        fits(title, reading.span, &reading.text);
    }
    for unread in &parsed.unread {
        fits(title, unread.span, &unread.text);
    }
    assert!(
        parsed.spans.is_sorted_by_key(|reading| reading.span.start),
        "spans are not in order"
    );
    let sum: f32 = answer
        .matches
        .iter()
        .map(|found| found.confidence.get())
        .sum();
    assert!(
        sum + answer.outcome.not_in_catalogue.get() <= 1.001,
        "probabilities sum to more than 1"
    );
    assert_eq!(
        answer,
        engine().answer(title, &options),
        "memory of other titles left a trace"
    );
}

/// Any text as a title.
pub fn title(bytes: &[u8]) {
    check(&String::from_utf8_lossy(bytes));
}

/// The cells of the dictionaries, split into words and phrases as sellers write them.
fn words() -> &'static [String] {
    static WORDS: OnceLock<Vec<String>> = OnceLock::new();
    WORDS.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../dictionaries");
        let mut files: Vec<_> = std::fs::read_dir(folder)
            .expect("the dictionaries are there")
            .map(|entry| entry.expect("the folder can be read").path())
            .filter(|path| path.extension().is_some_and(|ending| ending == "csv"))
            .collect();
        files.sort();
        let mut words = Vec::new();
        for file in files {
            let mut table = csv::Reader::from_path(file).expect("the dictionary can be read");
            for row in table.records() {
                let row = row.expect("the dictionary is well formed");
                // what it is called, and what sellers write
                words.extend(
                    row.iter()
                        .take(2)
                        .flat_map(|cell| cell.split('|'))
                        .map(str::to_owned),
                );
            }
        }
        words.retain(|word| !word.is_empty());
        words.sort();
        words.dedup();
        words
    })
}

/// The parts of each card that a title may name.
fn cards() -> &'static [[String; 6]] {
    static CARDS: OnceLock<Vec<[String; 6]>> = OnceLock::new();
    CARDS.get_or_init(|| {
        let part = |text: Option<&str>| text.unwrap_or_default().to_owned();
        engine()
            .catalogue()
            .facts()
            .map(|facts| {
                let card = facts.card;
                let local = card.names.first().map(|name| name.name);
                [
                    card.name.to_owned(),
                    part(local),
                    card.set_name.to_owned(),
                    facts.set_code.to_owned(),
                    part(card.number),
                    part(card.total),
                ]
            })
            .collect()
    })
}

const SEPARATORS: &[&str] = &[
    " ", " ", " ", "", "-", " - ", " | ", "/", " #", ", ", "\u{3000}", "【", "】", "(", ") ", " & ",
];

/// Titles made of the words of the dictionaries and the cards of the catalogue: each four bytes add
/// a part, as it is or altered.
pub fn listing(bytes: &[u8]) {
    let mut made = String::new();
    let mut card = &cards()[0];
    for part in bytes.chunks_exact(4) {
        let place = usize::from(u16::from_le_bytes([part[1], part[2]]));
        let begin = made.len();
        match part[0] & 15 {
            // one card after another: its parts meet, as in a title
            0 => {
                // primes apart, so that two bytes reach all cards
                card = &cards()[(place * 31) % cards().len()];
                made.push_str(&card[0]);
            }
            at @ 1..=5 => made.push_str(&card[usize::from(at)]),
            6 => {
                let _ = write!(made, "{}/{}", card[4], card[5]);
            }
            7 => {
                let _ = write!(made, "{}", place % 2_100);
            }
            8 => {
                let _ = write!(made, "{:.1}", (place % 21) as f32 / 2.0);
            }
            _ => made.push_str(&words()[place % words().len()]),
        }
        alter(&mut made, begin, part[3] & 15, place);
        made.push_str(SEPARATORS[usize::from(part[3] >> 4)]);
        if made.len() > MAX_TITLE_BYTES {
            break;
        }
    }
    check(&made);
}

/// Alters the text from `begin` on as sellers do.
fn alter(made: &mut String, begin: usize, how: u8, place: usize) {
    let text = made.split_off(begin);
    let at = place % (text.chars().count() + 1);
    let head = || text.chars().take(at);
    match how {
        0 => made.push_str(&text.to_uppercase()),
        1 => made.push_str(&text.to_lowercase()),
        // a letter is left out, doubled, or changed for its neighbour
        2 => made.extend(head().chain(text.chars().skip(at + 1))),
        3 => made.extend(
            head()
                .chain(text.chars().nth(at))
                .chain(text.chars().skip(at)),
        ),
        4 => made.extend(
            head()
                .chain(text.chars().nth(at + 1))
                .chain(text.chars().nth(at))
                .chain(text.chars().skip(at + 2)),
        ),
        5 => made.extend(text.chars().filter(|letter| *letter != ' ')),
        6 => made.extend(text.chars().flat_map(|letter| [letter, ' '])),
        // a mark that joins the letter before it
        7 => made.extend(head().chain(['\u{301}']).chain(text.chars().skip(at))),
        8 => made.extend(head()),
        // full width
        9 => made.extend(text.chars().map(|letter| match letter {
            '!'..='~' => char::from_u32(letter as u32 + 0xfee0).unwrap_or(letter),
            _ => letter,
        })),
        _ => made.push_str(&text),
    }
}
