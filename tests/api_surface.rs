//! The contract with programs that use the crate: names, types and the shape of the JSON. Values
//! may improve; these may not change silently.

mod support;

use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::Arc;
use support::{engine, fixtures, read};
use titledex::{
    Answer, Catalogue, Engine, Error, ErrorKind, Evidence, Field, Grade, GradeValue, GraderCode,
    Kind, LogOdds, MAX_TITLE_BYTES, Match, Options, Outcome, OutcomeType, Parsed, PrintingMatch,
    PrintingReading, Probability, Reading, Scratch, SetReading, Span, TitleError, Unread, Within,
};

fn shared_by_threads<T: Send + Sync + 'static>() {}

#[test]
fn types_can_be_shared_by_threads() {
    shared_by_threads::<Engine>();
    shared_by_threads::<Catalogue>();
    shared_by_threads::<Answer<'static>>();
    shared_by_threads::<Error>();
    shared_by_threads::<Scratch>();
}

/// Every public item of the crate's root, as a program would use it.
#[test]
fn a_program_can_read_all_of_an_answer() {
    let catalogue: Catalogue =
        titledex_embedded::catalogue().expect("the embedded catalogue opens");
    assert!(
        catalogue.card_count() > 50_000
            && catalogue.set_count() > 300
            && catalogue.printing_count() >= catalogue.card_count()
    );
    let engine: Engine = Engine::new(catalogue);
    let options = Options::new().max_suggestions(3).fuzzy(false);
    let mut scratch = Scratch::default();
    let title = "1999 Pokemon Base Set 4/102 Charizard Holo PSA 9";
    let answer: Answer = engine.answer_with(&mut scratch, title, &options);

    let parsed: &Parsed = &answer.parsed;
    assert_eq!(parsed.kind, Kind::Single);
    let grade: &Grade = parsed.grade.as_ref().expect("the title states a grade");
    assert_eq!(grade.grader, "PSA");
    assert_eq!(grade.grader_code, Some(GraderCode::A));
    assert_eq!(grade.value.map(GradeValue::halves), Some(18));
    let printing: &PrintingReading = parsed.printing.as_ref().expect("the title states a finish");
    assert!(!printing.is_empty());
    let set: &SetReading = parsed.set.as_ref().expect("the title names a set");
    assert_eq!(set.id, "base1");
    let reading: &Reading = parsed
        .spans
        .iter()
        .find(|r| r.field == Field::Number)
        .expect("the title states a number");
    let span: Span = reading.span;
    assert_eq!(span.text(title), reading.text);
    assert_eq!(reading.field.as_str(), "number");
    let _: &[Unread] = &parsed.unread;

    let outcome: &Outcome = &answer.outcome;
    assert_eq!(outcome.kind, OutcomeType::Match);
    assert_eq!(outcome.kind.as_str(), "match");
    let found: &Match = &answer.matches[0];
    assert_eq!(found.card_id, "base1-4");
    let probability: Probability = found.confidence;
    assert!(probability.get() > 0.5);
    let evidence: &[Evidence] = &found.evidence;
    assert!(!evidence.is_empty());
    let _: &[PrintingMatch] = &found.printings;
    let _: Option<&TitleError> = answer.error.as_ref();
    assert!(evidence[0].weight > LogOdds::new(2.3));
    assert!(
        evidence
            .iter()
            .any(|e| e.field == Field::Name && e.note == "the name agrees")
    );
    assert!(engine.catalogue().card("base1-4").is_some());
}

#[test]
fn probabilities_are_in_bounds_and_rounded() {
    for (value, want) in [
        (f64::NAN, 0.0),
        (-1.0, 0.0),
        (2.0, 1.0),
        (0.123_449, 0.1234),
        (0.5, 0.5),
    ] {
        assert!(
            (Probability::new(value).get() - want).abs() < 1e-6,
            "{value}"
        );
    }
}

#[test]
fn errors_have_a_kind_and_a_remedy() {
    let error: Error = Catalogue::open(&b"no index"[..]).expect_err("eight bytes are not an index");
    assert_eq!(error.kind(), ErrorKind::NotAnIndex);
    assert!(!error.to_string().is_empty());
    let _: &dyn std::error::Error = &error;
}

/// An engine owns what it reads and is shared; an answer is kept beyond it.
#[test]
fn an_engine_is_shared_and_an_answer_kept() {
    let index = small_index();
    let engine = Arc::new(Engine::new(
        Catalogue::open(index).expect("the index opens"),
    ));
    let shared = Arc::clone(&engine);
    let title = String::from("1999 Pokemon Base Set 4/102 Charizard Holo PSA 9");
    let thread = std::thread::spawn(move || shared.answer(&title, &Options::new()).into_owned());
    let kept: Answer<'static> = thread.join().expect("reading has no error");
    assert_eq!(
        kept,
        engine.answer(&kept.title, &Options::new()),
        "an owned answer is the borrowed one"
    );
    drop(engine);
    assert_eq!(kept.matches[0].card_id, "base1-4");
}

fn small_index() -> Vec<u8> {
    let rows = support::small_rows();
    titledex::internals::build::build(&rows, "small").expect("the index is built")
}

/// Bytes of every kind give one answer: those that live as long as the program, and those that a
/// caller hands over.
#[test]
fn a_catalogue_opens_from_bytes_of_any_kind() {
    struct Mapped(Vec<u8>);
    impl AsRef<[u8]> for Mapped {
        fn as_ref(&self) -> &[u8] {
            &self.0
        }
    }
    let index = titledex_embedded::INDEX;
    let shared: Arc<[u8]> = Arc::from(index);
    let kinds = [
        Catalogue::open(index),
        Catalogue::open(index.to_vec()),
        Catalogue::open(Arc::clone(&shared)),
        Catalogue::open(Box::<[u8]>::from(index)),
        Catalogue::open(Mapped(index.to_vec())),
    ];
    let mut scratch = Scratch::default();
    for catalogue in kinds.map(|opened| opened.expect("the index opens")) {
        assert_eq!(catalogue.as_bytes(), index);
        assert_eq!(catalogue.info(), engine().catalogue().info());
        let own = Engine::new(catalogue.clone());
        for title in read("fixtures/bench-titles.txt").lines() {
            assert_eq!(
                own.answer_with(&mut scratch, title, &Options::new()),
                engine().answer(title, &Options::new()),
                "{title}"
            );
        }
        assert_eq!(
            own.search(&mut scratch, "umbreon vmax 215", &Within::new()),
            engine().search(&mut Scratch::default(), "umbreon vmax 215", &Within::new())
        );
        // a clone shares the bytes
        assert_eq!(
            catalogue.as_bytes().as_ptr(),
            own.catalogue().as_bytes().as_ptr()
        );
    }
}

/// Every answer is read back from its own JSON, which is that of serde_json, equal, and writes the
/// same bytes again.
#[test]
fn an_answer_is_read_back_from_its_json() {
    let mut titles: Vec<String> = read("fixtures/bench-titles.txt")
        .lines()
        .map(str::to_owned)
        .collect();
    for (_, rows) in fixtures() {
        titles.extend(rows.into_iter().map(|row| row.title));
    }
    titles.push("x".repeat(MAX_TITLE_BYTES + 1));
    // evidence of thousands
    titles.push("Tin ".repeat(MAX_TITLE_BYTES / 4));
    let mut scratch = Scratch::default();
    for title in &titles {
        let answer = engine().answer_with(&mut scratch, title, &Options::new());
        let mut json = Vec::new();
        answer.write_json(&mut json);
        let serde =
            serde_json::to_vec(&answer).expect("an answer has no map without text for keys");
        assert!(json == serde, "{title}");
        let again: Answer<'static> =
            serde_json::from_slice(&json).unwrap_or_else(|error| panic!("{title}: {error}"));
        assert_eq!(again, answer, "{title}");
        let mut twice = Vec::new();
        again.write_json(&mut twice);
        assert!(json == twice, "{title}");
        assert_eq!(answer.into_owned(), again, "{title}");
    }
}

/// Reading with and without matching agree if the catalogue has nothing to settle.
#[test]
fn parsing_reads_without_the_catalogue() {
    let title = "Charizard Holo PSA 9";
    let (parsed, answer) = (
        engine().parse(title),
        engine().answer(title, &Options::new()),
    );
    assert_eq!(parsed.grade, answer.parsed.grade);
    assert_eq!(parsed.printing, answer.parsed.printing);
    // `4` is a number of the card if the catalogue says so: the words by themselves leave it unread
    for (title, kind) in [
        (
            "1999 Pokemon Base Set Charizard 4/102 Holo PSA 9",
            Kind::Single,
        ),
        ("Pokemon Evolving Skies Booster Box Sealed", Kind::Sealed),
        (
            "Yu-Gi-Oh! Blue-Eyes White Dragon LOB-001 1st Edition",
            Kind::Other,
        ),
        ("", Kind::Other),
    ] {
        assert_eq!(engine().parse(title).kind, kind, "{title}");
    }
    let mut scratch = Scratch::default();
    let long = "x".repeat(MAX_TITLE_BYTES + 1);
    assert_eq!(engine().parse_with(&mut scratch, &long).kind, Kind::Other);
    // memory of a title that was matched before changes nothing
    let title = "リザードンex SAR 201/165 SV2a";
    let _ = engine().answer_with(&mut scratch, "Blastoise 2/102", &Options::new());
    assert_eq!(
        engine().parse_with(&mut scratch, title),
        engine().parse(title)
    );
}

#[test]
fn too_long_title_is_reported() {
    let title = "x".repeat(MAX_TITLE_BYTES + 1);
    let answer = engine().answer(&title, &Options::default());
    let value = serde_json::to_value(&answer).expect("an answer is JSON");
    assert_eq!(
        keys(&value),
        ["error", "matches", "outcome", "parsed", "title"]
    );
    assert_eq!(keys(&value["error"]), ["code", "message"]);
    assert_eq!(value["error"]["code"], "too_long");
    assert_eq!(value["outcome"]["type"], "not_a_card");
}

fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = value
        .as_object()
        .map(|o| o.keys().map(String::as_str).collect())
        .unwrap_or_default();
    keys.sort_unstable();
    keys
}

/// The key paths of `value`, arrays passed through: `parsed.spans.start`.
fn paths(value: &Value, at: &str, out: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                let path = if at.is_empty() {
                    key.clone()
                } else {
                    format!("{at}.{key}")
                };
                paths(value, &path, out);
                out.insert(path);
            }
        }
        Value::Array(list) => list.iter().for_each(|value| paths(value, at, out)),
        _ => {}
    }
}

/// Keys that an answer may have or lack, as the reading goes.
const OPTIONAL: [&str; 26] = [
    "conflicts",
    "conflicts.field",
    "conflicts.held",
    "conflicts.stated",
    "matches.ids",
    "matches.ids.cardmarket",
    "matches.ids.tcgplayer",
    "matches.nameSource",
    "matches.printedName",
    "matches.printing",
    "matches.printings",
    "matches.printings.confidence",
    "matches.printings.marketplaceId",
    "matches.printings.printing",
    "matches.rarity",
    "outcome.evidence",
    "outcome.evidence.field",
    "outcome.evidence.note",
    "outcome.evidence.weight",
    "parsed.set.alternatives",
    "parsed.unread.end",
    "parsed.unread.start",
    "parsed.unread.text",
    "outcome.ambiguousOn",
    "parsed.game",
    "parsed.gameInferred",
];
const READING: [&str; 6] = ["confidence", "end", "field", "start", "text", "value"];

/// The JSON of `title` has the keys that every answer has and those of `own`, and no others but
/// optional ones.
fn shape(title: &str, own: &[&str]) {
    let answer = engine().answer(title, &Options::default());
    let value = serde_json::to_value(&answer).expect("an answer is JSON");
    let mut got = BTreeSet::new();
    paths(&value, "", &mut got);
    let mut want: BTreeSet<String> = own.iter().map(|path| (*path).to_owned()).collect();
    for path in [
        "title",
        "parsed",
        "parsed.kind",
        "parsed.spans",
        "parsed.unread",
        "outcome",
        "outcome.type",
        "outcome.confidence",
        "outcome.notInCatalogue",
        "matches",
    ] {
        want.insert(path.to_owned());
    }
    if !answer.matches.is_empty() {
        for key in [
            "cardId",
            "name",
            "setName",
            "setId",
            "cardNumber",
            "language",
            "confidence",
            "marketplaceId",
            "evidence",
            "game",
        ] {
            want.insert(format!("matches.{key}"));
        }
        want.extend(["field", "weight", "note"].map(|key| format!("matches.evidence.{key}")));
    }
    if !answer.parsed.spans.is_empty() {
        want.extend(READING.map(|key| format!("parsed.spans.{key}")));
    }
    let optional = |path: &String| {
        let alternative = path
            .strip_prefix("parsed.alternatives")
            .is_some_and(|rest| rest.is_empty() || READING.contains(&rest.trim_start_matches('.')));
        alternative || OPTIONAL.contains(&path.as_str())
    };
    let missing: Vec<&String> = want.difference(&got).collect();
    let unknown: Vec<&String> = got
        .difference(&want)
        .filter(|path| !optional(path))
        .collect();
    assert!(
        missing.is_empty() && unknown.is_empty(),
        "{title}\n  missing: {missing:?}\n  unknown: {unknown:?}\n{value:#}"
    );
}

#[test]
fn the_json_of_a_slab_keeps_its_shape() {
    shape(
        "1999 Pokemon Base Set 1st Edition Charizard 4/102 Holo PSA 9 OC Cert 12345678",
        &[
            "parsed.game",
            "parsed.name",
            "parsed.number",
            "parsed.total",
            "parsed.set",
            "parsed.set.id",
            "parsed.set.name",
            "parsed.year",
            "parsed.printing",
            "parsed.printing.edition",
            "parsed.printing.finish",
            "parsed.grade",
            "parsed.grade.grader",
            "parsed.grade.graderCode",
            "parsed.grade.value",
            "parsed.grade.qualifier",
            "parsed.grade.certNumber",
        ],
    );
}

#[test]
fn the_json_of_a_japanese_card_keeps_its_shape() {
    shape(
        "リザードンex SAR 201/165 SV2a 美品",
        &[
            "parsed.name",
            "parsed.number",
            "parsed.total",
            "parsed.set",
            "parsed.set.id",
            "parsed.set.name",
            "parsed.language",
            "parsed.rarity",
            "parsed.condition",
        ],
    );
}

#[test]
fn the_json_of_a_refusal_keeps_its_shape() {
    shape("", &[]);
}

/// `Options::fuzzy` holds for words of the dictionaries and names of sets as for names of cards.
#[test]
fn without_fuzzy_every_word_is_read_as_it_is_spelled() {
    let exact = Options::new().fuzzy(false);
    for (title, field, misspelt) in [
        ("Charizard frist edition 4/102", Field::Edition, "frist"),
        (
            "Pikachu 58/102 Base Set Borderles",
            Field::Treatment,
            "Borderles",
        ),
        (
            "Pikachu 58/102 Base Set Lightyl Played",
            Field::Condition,
            "Lightyl",
        ),
        ("Umbreon VMAX 215/203 Evolvin Skies", Field::Set, "Evolvin"),
    ] {
        let states = |answer: &Answer<'_>| {
            let mut spans = answer.parsed.spans.iter();
            spans.any(|reading| reading.field == field && reading.text.contains(misspelt))
        };
        assert!(states(&engine().answer(title, &Options::new())), "{title}");
        let answer = engine().answer(title, &exact);
        assert!(!states(&answer), "{title}: {:?}", answer.parsed.spans);
        let mut unread = answer.parsed.unread.iter();
        assert!(unread.any(|word| word.text.contains(misspelt)), "{title}");
    }
    // nor does a card that its number finds agree with a name that is misspelt
    let agrees = |options: &Options| {
        let answer = engine().answer("Umbreom 215/203 Evolving Skies", options);
        let mut evidence = answer.matches[0].evidence.iter();
        evidence.any(|reason| reason.field == Field::Name && reason.weight.get() > 0.0)
    };
    assert!(agrees(&Options::new()) && !agrees(&exact));
}
