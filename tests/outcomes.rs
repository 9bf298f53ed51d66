//! The members of an answer agree with each other, for every title of the fixtures and for what
//! sellers make of such titles.

mod support;

use support::{engine, fixtures, read};
use titledex::{Answer, Field, Kind, Options, OutcomeType, Scratch};

/// Probabilities are rounded to four digits.
const ROUNDED: f32 = 1.5e-4;

/// What a title is changed to: what it sells may be another thing then, but never two at once.
fn mutations(title: &str) -> Vec<String> {
    let words: Vec<&str> = title.split(' ').collect();
    let (first, second) = words.split_at(words.len() / 2);
    let mut backwards = words.clone();
    backwards.reverse();
    let mut mutations = vec![
        title.to_lowercase(),
        title.to_uppercase(),
        backwards.join(" "),
        first.join(" "),
        second.join(" "),
        format!("{title} {title}"),
    ];
    mutations.extend(
        ADDITIONS
            .iter()
            .map(|addition| format!("{title} {addition}")),
    );
    // what tells a card: its name, its number, its set
    mutations.extend((0..words.len()).map(|left_out| {
        let kept = words.iter().enumerate().filter(|(at, _)| *at != left_out);
        kept.map(|(_, word)| *word).collect::<Vec<_>>().join(" ")
    }));
    mutations
}

/// What contradicts most cards, or leaves it open which is sold.
const ADDITIONS: [&str; 18] = [
    "Japanese",
    "Korean",
    "from Japan",
    "084/165",
    "#7",
    "1995",
    "GX",
    "Misty's",
    "Galarian",
    "1st Edition",
    "Unlimited",
    "Reverse Holo",
    "Jumbo",
    "staff stamp",
    "red cheeks",
    "Alternate Art",
    "World Championship Deck",
    "or Pikachu",
];

/// The first two members of an answer that do not agree.
fn disagreement(answer: &Answer<'_>) -> Option<String> {
    let outcome = &answer.outcome;
    let (top, absent) = (
        answer
            .matches
            .first()
            .map_or(0.0, |card| card.confidence.get()),
        outcome.not_in_catalogue.get(),
    );
    let conflict = |field: Field| answer.conflicts.iter().any(|c| c.field == field);
    let kind = match outcome.kind {
        OutcomeType::Match | OutcomeType::Ambiguous | OutcomeType::NotInCatalogue => Kind::Single,
        OutcomeType::Lot => Kind::Lot,
        OutcomeType::Sealed => Kind::Sealed,
        _ => Kind::Other,
    };
    if answer.parsed.kind != kind {
        return Some(format!("is {:?}", answer.parsed.kind));
    }
    if kind != Kind::Single && !answer.conflicts.is_empty() {
        return Some("contradicts a card that is not sold".to_owned());
    }
    for one in &answer.conflicts {
        let same = answer.conflicts.iter().filter(|c| c.field == one.field);
        if same.count() > 1 || one.stated.eq_ignore_ascii_case(&one.held) || one.held.is_empty() {
            return Some(format!("contradicts itself: {one:?}"));
        }
    }
    if outcome.kind != OutcomeType::Ambiguous && !outcome.ambiguous_on.is_empty() {
        return Some("asks, and is not ambiguous".to_owned());
    }
    let sure = outcome.confidence.get();
    match outcome.kind {
        OutcomeType::Match if answer.matches.is_empty() => Some("has no card".to_owned()),
        OutcomeType::Match if top + ROUNDED < absent => {
            Some(format!("{top} against {absent} for none"))
        }
        OutcomeType::Match if sure > top + ROUNDED => Some(format!("{sure} of a card of {top}")),
        OutcomeType::NotInCatalogue if absent + ROUNDED < top => {
            Some(format!("only {absent} for none, against {top}"))
        }
        OutcomeType::Ambiguous => {
            // the card is not named; or it contradicts the title; or there is another
            let unnamed = outcome.ambiguous_on == [Field::Name];
            let contradicted =
                outcome.ambiguous_on.contains(&Field::Language) && conflict(Field::Language);
            // of some cards the catalogue knows nothing that tells them apart
            let alike = match &answer.matches[..] {
                [a, b, ..] => {
                    let set = (&a.set_id, &a.card_number) == (&b.set_id, &b.card_number);
                    set && (&a.name, &a.language) == (&b.name, &b.language)
                }
                _ => false,
            };
            if outcome.ambiguous_on.is_empty() && !alike {
                Some("asks nothing".to_owned())
            } else if answer.matches.len() < 2 && !unnamed && !contradicted {
                Some(format!("has {} cards", answer.matches.len()))
            } else if absent > 0.5 {
                Some(format!("{absent} for none"))
            } else {
                None
            }
        }
        _ => None,
    }
}

/// All titles of the fixtures, of every theme.
fn titles() -> Vec<String> {
    let of_fixtures = fixtures().into_iter().flat_map(|(_, rows)| rows);
    let mut titles: Vec<String> = of_fixtures.map(|row| row.title).collect();
    titles.extend(read("fixtures/bench-titles.txt").lines().map(str::to_owned));
    for line in read("fixtures/synthetic-titles.jsonl").lines() {
        let row: serde_json::Value = serde_json::from_str(line).expect("it is JSON");
        titles.push(row["title"].as_str().expect("a title").to_owned());
    }
    titles
}

#[test]
fn members_of_every_answer_agree() {
    let options = Options::new();
    let titles = titles();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let check = |titles: &[String]| {
        let mut scratch = Scratch::default();
        let mut wrong = Vec::new();
        for title in titles {
            for made in std::iter::once(title.clone()).chain(mutations(title)) {
                let answer = engine().answer_with(&mut scratch, &made, &options);
                if let Some(what) = disagreement(&answer) {
                    wrong.push(format!("{made}: {} {what}", answer.outcome.kind.as_str()));
                }
            }
        }
        wrong
    };
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let parts = titles.chunks(titles.len().div_ceil(threads));
        let parts: Vec<_> = parts.map(|part| scope.spawn(|| check(part))).collect();
        let found = parts
            .into_iter()
            .map(|part| part.join().expect("no title panics"));
        found.flatten().collect()
    });
    let shown = &wrong[..wrong.len().min(50)];
    assert!(
        wrong.is_empty(),
        "{} answers:\n{}",
        wrong.len(),
        shown.join("\n")
    );
}

/// A conflict: its field, what the title states, and what the first card holds.
type Stated<'a> = (Field, &'a str, &'a str);

#[test]
fn conflicts_are_what_the_title_states_and_the_first_card_contradicts() {
    let rows: [(&str, &[Stated<'_>]); 22] = [
        // a mark without which the card is another one
        (
            "Umbreon GX 215/203 Evolving Skies",
            &[(Field::Name, "Umbreon GX", "Umbreon VMAX")],
        ),
        (
            "Charizard ex 4/102 Base Set",
            &[(Field::Name, "Charizard ex", "Charizard")],
        ),
        (
            "Charizard V 4/102 Base Set",
            &[(Field::Name, "Charizard V", "Charizard")],
        ),
        (
            "Misty's Charizard 4/102 Base Set",
            &[(Field::Name, "Misty's Charizard", "Charizard")],
        ),
        (
            "Galarian Charizard 4/102 Base Set",
            &[(Field::Name, "Galarian Charizard", "Charizard")],
        ),
        (
            "Dark Charizard 4/102 Base Set",
            &[(Field::Name, "Dark Charizard", "Charizard")],
        ),
        // not the series, another word for the owner, what the card shows, or a part of the name
        ("Swampert EX 11/106 Emerald holo", &[]),
        ("2003 Pokemon EX #13 Swampert Ruby & Sapphire", &[]),
        ("Team Rocket's Mewtwo 14/132 Gym Challenge", &[]),
        ("Crystal Golem 148/144 Skyridge", &[]),
        ("Kangaskhan 5/64 Jungle no Charizard ex", &[]),
        ("Umbreon VMAX 215/203 Evolving Skies", &[]),
        // of the printing that fits best
        (
            "Pikachu 58/102 Base Set red cheeks unlimited",
            &[(Field::Edition, "unlimited", "shadowless")],
        ),
        (
            "Umbreon VMAX 215/203 Evolving Skies 1st Edition",
            &[(Field::Edition, "1st edition", "unlimited")],
        ),
        ("Gyarados 7/130 Base Set 2 Unlimited Holo", &[]),
        (
            "Blaine's Charizard 2/132 Gym Challenge 1st Edition fighting symbol",
            &[(Field::Error, "energy symbol", "none")],
        ),
        (
            "Charizard 4/102 Base Set staff stamp",
            &[(Field::Stamp, "staff", "none")],
        ),
        (
            "Charizard 4/102 Base Set Jumbo",
            &[(Field::Size, "jumbo", "standard")],
        ),
        // no label says the stamp of the set, or where a foil's pattern is that of all cards
        ("Mudkip 56/106 Emerald Reverse Holo Stamped", &[]),
        ("Charizard 4/102 Base Set cosmos holo", &[]),
        ("Pikachu 60/64 Jungle Gold W Stamp", &[]),
        // the languages of title and card
        (
            "Umbreon VMAX 215/203 Evolving Skies Japanese",
            &[(Field::Language, "japanese", "english")],
        ),
    ];
    let mut wrong = Vec::new();
    for (title, expected) in rows {
        let answer = engine().answer(title, &Options::new());
        let conflicts = answer.conflicts.iter();
        let found: Vec<_> = conflicts.map(|c| (c.field, &*c.stated, &*c.held)).collect();
        if found != expected {
            wrong.push(format!("{title}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn ambiguous_says_what_would_settle_it() {
    let rows: [(&str, &[Field]); 4] = [
        (
            "Umbreon VMAX 215/203 Evolving Skies Japanese",
            &[Field::Language],
        ),
        ("Korean Promo Pokemon Card", &[Field::Name]),
        ("Pokemon Card - Japanese - Full Art", &[Field::Name]),
        ("Pokemon Holo Card", &[Field::Name]),
    ];
    for (title, asks) in rows {
        let answer = engine().answer(title, &Options::new());
        assert_eq!(answer.outcome.kind, OutcomeType::Ambiguous, "{title}");
        assert_eq!(answer.outcome.ambiguous_on, asks, "{title}");
        assert!(answer.outcome.not_in_catalogue.get() < 0.5, "{title}");
    }
}

#[test]
fn absence_that_is_likelier_than_the_first_card_refuses() {
    for title in [
        "Pokemon Card Sobble 024/30",
        "Charizard 4/102 Base Set Jumbo",
        "Gengar 5/62 Fossil 2004 World Championships Deck",
    ] {
        let answer = engine().answer(title, &Options::new());
        let first = answer
            .matches
            .first()
            .map_or(0.0, |card| card.confidence.get());
        assert_eq!(answer.outcome.kind, OutcomeType::NotInCatalogue, "{title}");
        assert!(answer.outcome.not_in_catalogue.get() > first, "{title}");
    }
}
