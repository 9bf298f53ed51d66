//! Properties of every title and every index, whatever their bytes.
//!
//! Titles are generated for each run from one seed, so that a failure is reproducible.
//! `PROPTEST_RNG_SEED` changes it; `PROPTEST_CASES` makes all runs longer or shorter, as it is to
//! the 256 of proptest.

mod indexes;
#[path = "../support/mod.rs"]
mod support;

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;
use std::sync::OnceLock;
use support::{dictionary, engine, fixtures, list};
use titledex::internals::normalise::normalise;
use titledex::internals::token::tokenize;
use titledex::{Answer, MAX_TITLE_BYTES, Options, OutcomeType, Scratch, Span};

fn config(cases: u32) -> ProptestConfig {
    let mut config = ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    config.cases = (cases * config.cases).div_ceil(256);
    if std::env::var_os("PROPTEST_RNG_SEED").is_none() {
        config.rng_seed = RngSeed::Fixed(0x0071_713d_ec00);
    }
    config
}

/// Words of titles and dictionaries, whole and in pieces.
fn words() -> &'static [String] {
    static WORDS: OnceLock<Vec<String>> = OnceLock::new();
    WORDS.get_or_init(|| {
        let mut words: Vec<String> = Vec::new();
        for (_, rows) in fixtures() {
            words.extend(
                rows.iter()
                    .flat_map(|row| row.title.split(' '))
                    .map(str::to_owned),
            );
        }
        for file in [
            "conditions.csv",
            "grade_labels.csv",
            "grade_phrases.csv",
            "graders.csv",
            "languages.csv",
            "name_affixes.csv",
            "nicknames.csv",
        ] {
            words.extend(
                dictionary(file, &["aliases"])
                    .iter()
                    .flat_map(|row| list(&row[0]))
                    .map(str::to_owned),
            );
        }
        for file in [
            "printings.csv",
            "rarities.csv",
            "set_aliases.csv",
            "listing_kinds.csv",
            "sealed.csv",
            "games.csv",
            "noise.csv",
        ] {
            words.extend(
                dictionary(file, &["aliases"])
                    .iter()
                    .flat_map(|row| list(&row[0]))
                    .map(str::to_owned),
            );
        }
        words.extend(
            dictionary("subjects.csv", &["en", "ja", "fr", "de", "ko", "zh-tw"])
                .into_iter()
                .flatten(),
        );
        words.sort();
        words.dedup();
        words.retain(|word| !word.is_empty());
        words
    })
}

/// Single characters that break things: marks, controls, widths, joiners, signs of direction,
/// combining marks, halves of nothing.
const ODD: [&str; 74] = [
    "\0",
    "\t",
    "\n",
    "\r",
    "\u{1b}",
    "\u{7f}",
    "\u{85}",
    "\u{a0}",
    "\u{ad}",
    "\u{200b}",
    "\u{200c}",
    "\u{200d}",
    "\u{200e}",
    "\u{202a}",
    "\u{202e}",
    "\u{2066}",
    "\u{2069}",
    "\u{feff}",
    "\u{fffd}",
    "\u{ffff}",
    "\u{10ffff}",
    "\u{e000}",
    "\u{300}",
    "\u{301}",
    "\u{3099}",
    "\u{309a}",
    "\u{fe0f}",
    "\u{20e3}",
    "゛",
    "ｶﾞ",
    "ﾊﾟ",
    "ー",
    "ｰ",
    "一",
    "々",
    "ß",
    "ẞ",
    "İ",
    "ı",
    "ſ",
    "ﬃ",
    "Ǆ",
    "ﷺ",
    "㍿",
    "㌔",
    "①",
    "⑩",
    "½",
    "¼",
    "№",
    "℃",
    "™",
    "Ⅳ",
    "☆",
    "★",
    "◇",
    "δ",
    "♀",
    "♂",
    "‐",
    "–",
    "—",
    "―",
    "−",
    "／",
    "＃",
    "’",
    "“",
    "【",
    "】",
    "🔥",
    "👨‍👩‍👧",
    "🇯🇵",
    "각",
];

const PIECES: [&str; 44] = [
    " ",
    "  ",
    "#",
    "/",
    "-",
    ".",
    ",",
    ":",
    "'",
    "\"",
    "(",
    ")",
    "[",
    "]",
    "&",
    "&amp;",
    "&#39;",
    "&#x1F525;",
    "&#99999999;",
    "&;",
    "+",
    "*",
    "!",
    "?",
    "|",
    "~",
    "_",
    "x",
    "X",
    "no.",
    "0",
    "00",
    "1",
    "4/102",
    "10",
    "9.5",
    "199",
    "1999",
    "2024",
    "TG12/TG30",
    "SWSH020",
    "S-P",
    "4294967296",
    "99999999999999999999",
];

/// One title: words of titles, numbers and odd characters, glued or spaced.
fn title() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        6 => select(words()).prop_map(|word: String| word),
        3 => select(PIECES.as_slice()).prop_map(str::to_owned),
        2 => select(ODD.as_slice()).prop_map(str::to_owned),
        1 => (0..1000u32, 0..1000u32).prop_map(|(number, total)| format!("{number}/{total:03}")),
        1 => any::<char>().prop_map(String::from),
        1 => (select(ODD.as_slice()), 1..200usize).prop_map(|(piece, times)| piece.repeat(times)),
    ];
    let spaced = prop_oneof![3 => Just(" "), 2 => Just(""), 1 => Just("\u{3000}")];
    proptest::collection::vec((word, spaced), 0..24).prop_map(|parts| {
        parts
            .into_iter()
            .flat_map(|(word, space)| [word, space.to_owned()])
            .collect()
    })
}

/// Any title at all.
fn any_title() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => title(),
        2 => any::<String>(),
        1 => proptest::collection::vec(any::<u8>(), 0..400).prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
        1 => proptest::collection::vec(prop_oneof![Just('0'), Just('9'), Just('/'), Just('.'), Just('#'), Just(' '), Just('½')], 0..200)
            .prop_map(|chars| chars.into_iter().collect()),
    ]
}

fn check_span(title: &str, span: Span, text: &str) -> Result<(), TestCaseError> {
    let (start, end) = (span.start as usize, span.end as usize);
    prop_assert!(
        start < end && end <= title.len(),
        "{start}..{end} of {} bytes",
        title.len()
    );
    prop_assert!(
        title.is_char_boundary(start) && title.is_char_boundary(end),
        "{start}..{end} cuts a character"
    );
    prop_assert_eq!(&title[start..end], text);
    Ok(())
}

/// Checks the properties of every answer.
fn check(title: &str, answer: &Answer) -> Result<(), TestCaseError> {
    if title.len() <= MAX_TITLE_BYTES {
        prop_assert_eq!(&answer.title, title);
        prop_assert!(answer.error.is_none());
    } else {
        prop_assert!(title.starts_with(&*answer.title));
        prop_assert_eq!(answer.error.as_ref().map(|e| &*e.code), Some("too_long"));
    }
    for reading in answer
        .parsed
        .spans
        .iter()
        .chain(&answer.parsed.alternatives)
    {
        check_span(title, reading.span, &reading.text)?;
        prop_assert!(
            (0.0..=1.0).contains(&reading.confidence),
            "confidence {}",
            reading.confidence
        );
    }
    for unread in &answer.parsed.unread {
        check_span(title, unread.span, &unread.text)?;
    }
    let starts = |spans: Vec<Span>| spans.iter().map(|s| s.start).collect::<Vec<_>>();
    prop_assert!(
        starts(answer.parsed.spans.iter().map(|r| r.span).collect()).is_sorted(),
        "spans are not in order"
    );
    prop_assert!(
        starts(answer.parsed.unread.iter().map(|r| r.span).collect()).is_sorted(),
        "unread words are not in order"
    );

    let none = answer.outcome.not_in_catalogue.get();
    let confidences: Vec<f32> = answer.matches.iter().map(|m| m.confidence.get()).collect();
    prop_assert!(
        confidences
            .iter()
            .chain([&none, &answer.outcome.confidence.get()])
            .all(|p| (0.0..=1.0).contains(p))
    );
    prop_assert!(
        confidences.is_sorted_by(|a, b| a >= b),
        "matches are not best first: {confidences:?}"
    );
    prop_assert!(
        confidences.iter().sum::<f32>() + none <= 1.001,
        "{confidences:?} and {none} for none"
    );
    for found in &answer.matches {
        prop_assert_eq!(
            answer
                .matches
                .iter()
                .filter(|other| other.card_id == found.card_id)
                .count(),
            1,
            "one match a card"
        );
        prop_assert!(found.evidence.iter().all(|e| e.weight.get().is_finite()));
        let printings = found
            .printings
            .iter()
            .map(|p| p.confidence.get())
            .sum::<f32>();
        prop_assert!(
            printings <= 1.001,
            "printings of {} sum to {printings}",
            found.card_id
        );
    }
    if answer.outcome.kind == OutcomeType::Match {
        prop_assert!(!answer.matches.is_empty(), "a match without a card");
    }
    let json = serde_json::to_string(answer).map_err(|e| TestCaseError::fail(e.to_string()))?;
    let value: serde_json::Value =
        serde_json::from_str(&json).map_err(|e| TestCaseError::fail(e.to_string()))?;
    prop_assert_eq!(value["title"].as_str(), Some(&*answer.title));
    prop_assert!(!json.contains('\n'), "one line a title");
    Ok(())
}

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn any_title_has_an_answer(title in any_title()) {
        let answer = engine().answer(&title, &Options::default());
        check(&title, &answer)?;
    }

    #[test]
    fn a_title_has_one_answer(titles in proptest::collection::vec(any_title(), 1..6)) {
        let mut scratch = Scratch::default();
        for title in &titles {
            let fresh = engine().answer(title, &Options::default());
            prop_assert_eq!(&fresh, &engine().answer(title, &Options::default()));
            // memory of other titles leaves no trace
            prop_assert_eq!(&fresh, &engine().answer_with(&mut scratch, title, &Options::default()));
        }
    }

    #[test]
    fn options_change_only_what_they_name(title in title(), max in 1..12usize) {
        let all = engine().answer(&title, &Options::new().max_suggestions(12));
        let some = engine().answer(&title, &Options::new().max_suggestions(max));
        prop_assert!(some.matches.len() <= max);
        let ids = |answer: &Answer<'_>| answer.matches.iter().map(|m| m.card_id.to_string()).collect::<Vec<_>>();
        prop_assert_eq!(ids(&some), ids(&all).into_iter().take(max).collect::<Vec<_>>());
        prop_assert_eq!(&some.parsed, &all.parsed);
        let exact = engine().answer(&title, &Options::new().fuzzy(false));
        check(&title, &exact)?;
        let bare = engine().answer(&title, &Options::new().confidence(false));
        prop_assert!(bare.matches.iter().all(|m| m.confidence.get() == 0.0));
    }

    #[test]
    fn brief_answers_lack_only_how_a_title_was_read(title in title()) {
        let mut scratch = Scratch::default();
        let mut full = engine().answer_with(&mut scratch, &title, &Options::new());
        let brief = engine().answer_with(&mut scratch, &title, &Options::new().brief(true));
        full.parsed.spans.clear();
        full.parsed.alternatives.clear();
        full.parsed.unread.clear();
        full.outcome.evidence.clear();
        for card in &mut full.matches {
            card.printings.clear();
            card.evidence.clear();
        }
        prop_assert_eq!(full, brief);
    }

    #[test]
    fn every_folded_byte_maps_into_the_title(title in any_title()) {
        let normalised = normalise(&title);
        let text = normalised.text();
        let mut before = 0;
        for (at, c) in text.char_indices() {
            let span = normalised.span(at, at + c.len_utf8());
            prop_assert!(span.start < span.end && span.end as usize <= title.len(), "{span:?} of {} bytes", title.len());
            prop_assert!(title.is_char_boundary(span.start as usize) && title.is_char_boundary(span.end as usize), "{span:?} cuts a character");
            prop_assert!(before <= span.start, "places go back");
            before = span.start;
        }
        if !text.is_empty() {
            let whole = normalised.span(0, text.len());
            prop_assert!(whole.end as usize <= title.len() && title.is_char_boundary(whole.end as usize));
        }
        // folding what is folded changes nothing
        let again = normalise(text);
        prop_assert_eq!(again.text(), text);
    }

    #[test]
    fn tokens_are_in_order_and_on_characters(title in any_title()) {
        let normalised = normalise(&title);
        let line = tokenize(&normalised);
        let key = std::str::from_utf8(line.key()).map_err(|e| TestCaseError::fail(e.to_string()))?;
        let mut before = 0;
        for token in line.tokens() {
            let (at, end) = (token.at as usize, token.end as usize);
            prop_assert!(before == at && at < end && end <= key.len(), "token {at}..{end} after {before} of {}", key.len());
            prop_assert!(key.is_char_boundary(at) && key.is_char_boundary(end));
            before = end;
            let span = line.span(&normalised, at, end);
            prop_assert!(span.start < span.end && title.get(span.start as usize..span.end as usize).is_some(), "{span:?}");
        }
        prop_assert_eq!(before, key.len(), "tokens cover the key");
    }
}

/// Titles that once were, or could well be, too much.
#[test]
fn bad_titles_have_answers() {
    let long = "Charizard 4/102 ".repeat(70_000);
    let marks = format!("e{}", "\u{301}".repeat(10_000));
    let few_marks = format!("Charizard e{} 4/102", "\u{301}".repeat(1_500));
    let brackets = "([{".repeat(1_300);
    let slashes = "1/".repeat(2_000);
    let digits = "7".repeat(MAX_TITLE_BYTES);
    let names = "Mew ".repeat(1_000);
    let kana = "ピ".repeat(1_300);
    let entities = "&amp;".repeat(800);
    let over = "ー".repeat(MAX_TITLE_BYTES / 3 + 1);
    let titles = [
        "",
        " ",
        "\0",
        "\u{200b}",
        "\u{feff}",
        "🔥🔥🔥",
        "\u{202e}drazirahC",
        "12345678",
        "0/0",
        "#",
        "/",
        "½",
        "999999999999/999999999999",
        "&#0;",
        "&#xD800;",
        "&lt;b&gt;",
        "0000000000000000000000000000000000000001/102",
        "PSA",
        "PSA PSA PSA PSA 10 10 10",
        &long,
        &marks,
        &few_marks,
        &brackets,
        &slashes,
        &digits,
        &names,
        &kana,
        &entities,
        &over,
    ];
    for title in titles {
        let answer = engine().answer(title, &Options::default());
        check(title, &answer).unwrap_or_else(|error| {
            panic!("{:?}: {error}", title.chars().take(60).collect::<String>())
        });
        let shown: String = title.chars().take(20).collect();
        if title.chars().all(|c| !c.is_alphabetic()) {
            assert_ne!(answer.outcome.kind, OutcomeType::Match, "{shown:?}");
        }
    }
    assert_eq!(
        engine().answer("", &Options::default()).outcome.kind,
        OutcomeType::NotACard
    );
    assert_eq!(
        engine().answer(&long, &Options::default()).outcome.kind,
        OutcomeType::NotACard
    );
}

/// Counts of words hold as many as a title has room for.
#[test]
fn words_without_end_are_counted() {
    for word in [
        "box",
        "booster box",
        "lot",
        "bundle",
        "code card",
        "empty box",
        "proxy",
        "sleeve",
        "yugioh",
        "sticker",
        "x4",
        "psa 10",
        "jumbo",
        "まとめ",
        "空箱",
    ] {
        for before in ["", "Charizard 4/102 ", "Evolving Skies "] {
            let mut title = before.to_owned();
            while title.len() + word.len() < MAX_TITLE_BYTES {
                title.push_str(word);
                title.push(' ');
            }
            let answer = engine().answer(&title, &Options::default());
            check(&title, &answer).unwrap_or_else(|error| panic!("{before}{word}: {error}"));
        }
    }
}

/// Behind the grader in a run of Chinese characters the word before it was read once more, and
/// covered nothing.
#[test]
fn a_grade_covers_its_grader() {
    for title in ["鑑定公博评", "鑑定公博评 10", "鑑定公博评鑑定"] {
        let answer = engine().answer(title, &Options::default());
        assert_eq!(answer.title, title);
        assert!(answer.parsed.grade.is_some(), "{title}");
        assert!(
            answer
                .parsed
                .spans
                .iter()
                .all(|reading| reading.span.start < reading.span.end),
            "{title}"
        );
    }
}
