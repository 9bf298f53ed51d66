//! A larger catalogue: the real cards, and added cards of later years and of other games.
//!
//! Reproducible: the same rows, size and seed give the same cards. `docs/GROWTH.md` says how each
//! property grows.

use crate::random::Random;
use std::collections::HashMap;
use titledex::internals::build::rows::{CardRow, Rows, SetRow};

/// Distinct names grow with this power of the cards. Of the real cards, in the order of their sets,
/// it is 0.62; other games share no names, so more is taken.
const HEAPS: f64 = 0.75;
/// Share of the added cards that belong to the real game: its species and trainers in sets of later
/// years.
const OWN: f64 = 0.2;
/// Added cards of other games per game.
const GAME: usize = 60_000;
/// Share of the new names that are ordinary words of set names (`Jungle`, `Storm`), which real
/// titles hold too.
const WORDS: f64 = 0.02;
/// Share of the other games that print a set's four letters in the number: `LOBE016`.
const CODED: f64 = 0.33;

/// Another game.
struct Game {
    /// Three letters that its codes begin with.
    letters: String,
    /// Its codes are four letters, and its numbers begin with them.
    coded: bool,
    /// The name of each of its cards so far: a name that many cards have is drawn more often.
    names: Vec<u32>,
    sets: usize,
}

/// The makings of what is added.
struct Maker {
    random: Random,
    /// All new names: in English, and in kana.
    names: Vec<(String, String)>,
    taken: HashMap<String, u32>,
    /// Words of the real sets' names.
    words: Vec<String>,
    /// New illustrators.
    artists: Vec<String>,
}

const SYLLABLES: [(&str, &str); 48] = [
    ("ka", "カ"),
    ("ri", "リ"),
    ("mo", "モ"),
    ("ta", "タ"),
    ("ne", "ネ"),
    ("sha", "シャ"),
    ("gu", "グ"),
    ("ru", "ル"),
    ("do", "ド"),
    ("ze", "ゼ"),
    ("fi", "フィ"),
    ("ra", "ラ"),
    ("no", "ノ"),
    ("be", "ベ"),
    ("chi", "チ"),
    ("ko", "コ"),
    ("ma", "マ"),
    ("va", "ヴァ"),
    ("yo", "ヨ"),
    ("su", "ス"),
    ("ten", "テン"),
    ("gar", "ガル"),
    ("lin", "リン"),
    ("dra", "ドラ"),
    ("mir", "ミル"),
    ("tos", "トス"),
    ("bel", "ベル"),
    ("kyo", "キョ"),
    ("nar", "ナル"),
    ("vel", "ヴェル"),
    ("zan", "ザン"),
    ("ph", "フ"),
    ("ul", "ウル"),
    ("oth", "オス"),
    ("eri", "エリ"),
    ("ama", "アマ"),
    ("ix", "イクス"),
    ("or", "オル"),
    ("hu", "フー"),
    ("pe", "ペ"),
    ("wen", "ウェン"),
    ("jin", "ジン"),
    ("sor", "ソル"),
    ("ty", "ティ"),
    ("bra", "ブラ"),
    ("cle", "クレ"),
    ("gno", "グノ"),
    ("sil", "シル"),
];

/// Words that other games put before or after a name.
const BESIDE: [(&str, &str); 12] = [
    ("Elder", "エルダー"),
    ("Iron", "アイアン"),
    ("Silent", "サイレント"),
    ("Captain", "キャプテン"),
    ("Lord", "ロード"),
    ("Knight", "ナイト"),
    ("Dragon", "ドラゴン"),
    ("Shadow", "シャドウ"),
    ("Grand", "グランド"),
    ("Sea", "シー"),
    ("Witch", "ウィッチ"),
    ("Blade", "ブレイド"),
];

impl Maker {
    /// A word of `count` syllables.
    fn word(&mut self, count: usize) -> (String, String) {
        let (mut latin, mut kana) = (String::new(), String::new());
        for _ in 0..count {
            let (one, other) = self.random.pick(&SYLLABLES);
            latin.push_str(one);
            kana.push_str(other);
        }
        let head = latin.remove(0).to_ascii_uppercase();
        (format!("{head}{latin}"), kana)
    }

    /// A name that no card of an added game has yet.
    fn name(&mut self) -> u32 {
        loop {
            let (mut english, mut kana) = if self.random.chance(WORDS) {
                let word = self.random.pick(&self.words).clone();
                let tail = self.word(2).1;
                (word, tail)
            } else {
                let count = 2 + self.random.below(3);
                self.word(count)
            };
            match self.random.below(10) {
                0..=1 => {
                    let (before, kana_before) = *self.random.pick(&BESIDE);
                    (english, kana) = (
                        format!("{before} {english}"),
                        format!("{kana_before}{kana}"),
                    );
                }
                2 => {
                    let (behind, kana_behind) = *self.random.pick(&BESIDE);
                    (english, kana) = (
                        format!("{english} {behind}"),
                        format!("{kana}{kana_behind}"),
                    );
                }
                3 => {
                    let (place, kana_place) = self.word(2);
                    (english, kana) = (
                        format!("{english} of {place}"),
                        format!("{kana_place}の{kana}"),
                    );
                }
                _ => {}
            }
            let number = self.names.len() as u32;
            if !self.taken.contains_key(&english) {
                self.taken.insert(english.clone(), number);
                self.names.push((english, kana));
                return number;
            }
        }
    }

    /// The name of a new set, in English and in kana.
    fn set_name(&mut self) -> (String, String) {
        let (first, kana) = self.word(2);
        let second = self.random.pick(&self.words).clone();
        (format!("{second} {first}"), format!("{kana}の章"))
    }
}

/// The name that tells cards apart in all languages.
fn english_name(card: &CardRow) -> &str {
    let printed = card
        .names
        .iter()
        .find(|n| n.0 == "en")
        .or(card.names.first())
        .map_or("", |n| n.1.as_str());
    if card.english.is_empty() {
        printed
    } else {
        &card.english
    }
}

/// Returns `rows` with cards added until there are `times` as many.
///
/// A new set is a real one drawn at random with its numbers, totals, rarities, printings and
/// products; its names are those of other real cards (the real game in later years) or of another
/// game.
pub(crate) fn enlarge(rows: &Rows, times: f64, seed: u64) -> Rows {
    let mut out = rows.clone();
    let real = rows.cards.len();
    let goal = (real as f64 * times) as usize;
    let mut by_set: HashMap<&str, Vec<&CardRow>> = HashMap::new();
    for card in &rows.cards {
        by_set.entry(&card.set).or_default().push(card);
    }
    let sets: Vec<&SetRow> = rows
        .sets
        .iter()
        .filter(|s| by_set.contains_key(s.id.as_str()))
        .collect();
    // names are drawn among real cards of one language, so that a Japanese set has Japanese names
    let mut by_language: HashMap<&str, Vec<&CardRow>> = HashMap::new();
    for card in rows.cards.iter().filter(|c| !c.names.is_empty()) {
        by_language.entry(&card.language).or_default().push(card);
    }
    let mut words: Vec<String> = rows
        .sets
        .iter()
        .flat_map(|s| s.names.iter().find(|n| n.0 == "en"))
        .flat_map(|n| n.1.split(|c: char| !c.is_ascii_alphabetic()))
        .filter(|w| w.len() > 3)
        .map(str::to_owned)
        .collect();
    words.sort();
    words.dedup();
    let mut names: Vec<&str> = rows.cards.iter().map(english_name).collect();
    names.sort_unstable();
    names.dedup();
    let first_names = names.len() as f64;
    let mut maker = Maker {
        random: Random::new(seed),
        names: Vec::new(),
        taken: HashMap::new(),
        words,
        artists: Vec::new(),
    };
    let mut games: Vec<Game> = Vec::new();
    let (mut serial, mut foreign) = (0usize, 0usize);
    while out.cards.len() < goal {
        let template = *maker.random.pick(&sets);
        let cards = &by_set[template.id.as_str()];
        serial += 1;
        let own = maker.random.chance(OWN);
        let game = if own {
            None
        } else {
            if games.len() * GAME <= foreign {
                let letters: String = (0..3)
                    .map(|_| char::from(b'A' + maker.random.below(26) as u8))
                    .collect();
                let coded = maker.random.chance(CODED);
                games.push(Game {
                    letters,
                    coded,
                    names: Vec::new(),
                    sets: 0,
                });
            }
            Some(maker.random.below(games.len()))
        };
        let code = match game {
            Some(at) if games[at].coded => (0..4)
                .map(|_| char::from(b'A' + maker.random.below(26) as u8))
                .collect(),
            Some(at) => {
                games[at].sets += 1;
                format!("{}{:02}", games[at].letters, games[at].sets)
            }
            None => format!("Y{serial}"),
        };
        let id = format!(
            "{}x{serial}",
            if template.region == "asia" {
                "asia:"
            } else {
                ""
            }
        );
        let (english, kana) = maker.set_name();
        let asia = template.region == "asia";
        let year = template
            .released
            .get(..4)
            .and_then(|y| y.parse::<u32>().ok())
            .unwrap_or(2020);
        // the real game goes on; other games are of the same years as it
        let year = if own { 2027 + (year % 30) } else { year };
        out.sets.push(SetRow {
            id: id.clone(),
            code: code.clone(),
            region: template.region.clone(),
            series: game.map_or_else(
                || format!("y{}", serial / 50),
                |at| games[at].letters.to_lowercase(),
            ),
            names: if asia {
                vec![("ja".to_owned(), kana)]
            } else {
                vec![("en".to_owned(), english.clone())]
            },
            english: if asia { english.clone() } else { String::new() },
            abbreviation: String::new(),
            released: format!("{year}{}", template.released.get(4..).unwrap_or("")),
            official: template.official,
            promos: template.promos,
            game: template.game.clone(),
        });
        let new_product = maker.random.chance(0.1);
        for (place, card) in cards.iter().enumerate() {
            let mut made = CardRow {
                id: format!("{id}-{place:03}"),
                set: id.clone(),
                number: card.number.clone(),
                total: card.total.clone(),
                number_unprinted: card.number_unprinted,
                language: card.language.clone(),
                category: card.category.clone(),
                rarity: card.rarity.clone(),
                mark: card.mark.clone(),
                hp: card.hp,
                illustrator: card.illustrator.clone(),
                product: if new_product && !card.product.is_empty() {
                    format!("{} {english}", card.product)
                } else {
                    card.product.clone()
                },
                printings: card.printings.clone(),
                ..CardRow::default()
            };
            for printing in made
                .printings
                .iter_mut()
                .filter(|p| !p.slug.starts_with(':'))
            {
                printing.slug = ":unspecified".to_owned();
            }
            if maker.random.chance(0.3) {
                if maker.artists.is_empty() || maker.random.chance(0.01) {
                    let (family, _) = maker.word(3);
                    let (given, _) = maker.word(2);
                    maker.artists.push(format!("{given} {family}"));
                }
                made.illustrator = maker.random.pick(&maker.artists).clone();
            }
            // names so far are to be as many as Heaps' law says
            let cards_now = out.cards.len() as f64;
            let wanted = first_names * (cards_now / real as f64).powf(HEAPS);
            match game {
                None => {
                    let donors = by_language
                        .get(card.language.as_str())
                        .or_else(|| by_language.get("english"));
                    if let Some(donor) = donors.map(|donors| *maker.random.pick(donors)) {
                        made.names.clone_from(&donor.names);
                        made.english.clone_from(&donor.english);
                        made.english_unsure = donor.english_unsure;
                        made.subjects.clone_from(&donor.subjects);
                        made.category.clone_from(&donor.category);
                        made.hp = donor.hp;
                    }
                }
                Some(at) => {
                    foreign += 1;
                    let name = if games[at].names.is_empty()
                        || first_names + (maker.names.len() as f64) < wanted
                    {
                        maker.name()
                    } else {
                        *maker.random.pick(&games[at].names)
                    };
                    games[at].names.push(name);
                    let (english, kana) = &maker.names[name as usize];
                    if asia {
                        made.names = vec![("ja".to_owned(), kana.clone())];
                        made.english.clone_from(english);
                    } else {
                        made.names = vec![("en".to_owned(), english.clone())];
                    }
                    made.category = "Character".to_owned();
                    if games[at].coded && !made.number.is_empty() {
                        made.number = format!("{code}{:03}", place + 1);
                        made.total = String::new();
                    }
                }
            }
            out.cards.push(made);
            if out.cards.len() >= goal {
                break;
            }
        }
    }
    out
}
