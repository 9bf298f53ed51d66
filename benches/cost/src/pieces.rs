//! The material of hostile titles: all words that any stage looks for, and the shapes that it
//! reads.

use crate::random::Random;
use titledex::Catalogue;
use titledex::internals::dictionary;

/// Signs, shapes and characters that some stage treats specially.
const SHAPES: [&str; 72] = [
    " ",
    "  ",
    "-",
    "--",
    "/",
    "#",
    ".",
    ",",
    "'",
    "!",
    "?",
    "&",
    "+",
    "=",
    "|",
    ":",
    ";",
    "~",
    "%",
    "(",
    ")",
    "[",
    "]",
    "((",
    "))",
    "【",
    "】",
    "x",
    "×",
    "1/",
    "4/102",
    "#4",
    "#4/102",
    "TG12/TG30",
    "098/SV-P",
    "4 of 102",
    "No.006",
    "SWSH020",
    "H1/H32",
    "1O2",
    "l02",
    "4/1O2",
    "a/28",
    "(/102)",
    "9.5",
    "9.5/9/10/9",
    "12345678",
    "1999",
    "PSA 10",
    "PSA",
    "BGS 9.5",
    "x4",
    "4x",
    "10",
    "Lv.",
    "HP",
    "ー",
    "一",
    "リ",
    "ン-",
    "リ一",
    "ガ",
    "カ\u{3099}",
    "e\u{301}",
    "\u{301}",
    "\u{200b}",
    "\u{ad}",
    "&amp;",
    "&#39;",
    "&#x41;",
    "\u{fdfa}",
    "\u{1f525}",
];

/// Words grouped by origin, so that the few graders are drawn as often as the many names.
pub(crate) struct Pieces {
    lists: Vec<Vec<String>>,
}

impl Pieces {
    /// The vocabulary of this build and the names of `catalogue`.
    pub(crate) fn of(catalogue: &Catalogue) -> Pieces {
        let mut lists: Vec<Vec<String>> = vec![SHAPES.map(str::to_owned).to_vec()];
        for (_, text) in dictionary::FILES {
            let rows = csv::Reader::from_reader(text.as_bytes()).into_records();
            let cells = rows
                .map_while(Result::ok)
                .map(|row| row.get(1).unwrap_or("").to_owned());
            lists.push(
                cells
                    .flat_map(|cell| cell.split('|').map(str::to_owned).collect::<Vec<_>>())
                    .filter(|alias| !alias.is_empty())
                    .collect(),
            );
        }
        let (mut names, mut sets, mut numbers, mut others) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for facts in catalogue.facts() {
            names.push(facts.card.name.to_owned());
            names.extend(facts.card.names.iter().map(|local| local.name.to_owned()));
            sets.extend(
                [facts.card.set_name, facts.set_code, facts.set_local_name].map(str::to_owned),
            );
            let total = facts
                .card
                .total
                .map_or_else(String::new, |total| format!("/{total}"));
            numbers.push(format!("{}{total}", facts.card.number.unwrap_or("")));
            others.extend(
                [
                    facts.card.illustrator,
                    facts.card.product,
                    facts.card.rarity,
                ]
                .into_iter()
                .flatten()
                .map(str::to_owned),
            );
        }
        for mut list in [names, sets, numbers, others] {
            list.retain(|word| !word.is_empty());
            list.sort_unstable();
            list.dedup();
            lists.push(list);
        }
        lists.retain(|list| !list.is_empty());
        Pieces { lists }
    }

    /// Draws a piece: mostly a word as it is, sometimes misspelt, cut or in other letters,
    /// sometimes random letters.
    pub(crate) fn draw(&self, random: &mut Random) -> String {
        let list = random.below(self.lists.len() + 2);
        let Some(list) = self.lists.get(list) else {
            return word(random);
        };
        let mut piece = random.pick(list).clone();
        match random.below(8) {
            0 => slip(&mut piece, random),
            1 => piece = piece.to_uppercase(),
            2 => piece = piece.chars().take(1 + random.below(4)).collect(),
            3 => piece.retain(|c| c != ' '),
            _ => {}
        }
        piece
    }

    /// All of them in order, each once.
    pub(crate) fn all(&self) -> impl Iterator<Item = &String> {
        self.lists.iter().flatten()
    }
}

/// Random letters or kana that form no known word.
fn word(random: &mut Random) -> String {
    let letters: Vec<char> = if random.below(4) == 0 {
        ('ア'..='ン').collect()
    } else {
        ('a'..='z').collect()
    };
    (0..1 + random.below(24))
        .map(|_| *random.pick(&letters))
        .collect()
}

/// Takes a letter away, doubles it, or puts another in its place.
fn slip(piece: &mut String, random: &mut Random) {
    let mut letters: Vec<char> = piece.chars().collect();
    let at = random.below(letters.len());
    match random.below(3) {
        0 => drop(letters.remove(at)),
        1 => letters.insert(at, letters[at]),
        _ => letters[at] = char::from(b'a' + random.below(26) as u8),
    }
    *piece = letters.into_iter().collect();
}
