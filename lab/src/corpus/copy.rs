//! The part of a title about the copy on sale, for any card: condition, grade, hit points as
//! written, seller's words.

use super::render::Writer;
use super::surface::is_japanese;
use super::words::COUNTED;
use super::words::Word;
use titledex::internals::token::key_of;

/// Seller's words with fewer letters are omitted.
const SHORT: usize = 2;

impl Writer<'_, '_> {
    pub(crate) fn condition(&mut self) -> Option<String> {
        let from = self.from;
        let japanese = self.japanese;
        let table = from.noise.table(self.group, "condition");
        let seen: Vec<(&str, &str, u64)> = table
            .iter()
            .filter_map(|(value, count)| value.split_once('|').map(|pair| (pair.0, pair.1, *count)))
            .filter(|row| {
                is_japanese(row.1) == japanese
                    && from.words.is_clear("conditions.csv", &key_of(row.1))
            })
            .collect();
        let (canonical, alias, _) = self.random.weighted(&seen, |row| row.2)?;
        self.stated.condition = Some((*canonical).to_owned());
        Some((*alias).to_owned())
    }

    pub(crate) fn grade(&mut self) -> Option<String> {
        let value = self.draw("grade")?;
        let (grader, grade) = value
            .rsplit_once(' ')
            .filter(|(grader, grade)| self.from.words.gives(grader, grade))?;
        let (grader, grade) = (grader.to_owned(), grade.to_owned());
        let pattern = self
            .draw("grade pattern")
            .filter(|p| p.contains("grader") && p.contains("grade ") | p.ends_with("grade"))?;
        let parts: Vec<&str> = pattern.split(' ').collect();
        let once = |part: &str| parts.iter().filter(|own| **own == part).count() == 1;
        if !once("grader") || !once("grade") || parts.len() > 3 {
            return None;
        }
        let name = self.word("graders.csv", "grader", &grader)?;
        let labels: Vec<&Word> = self
            .from
            .words
            .of("grade_labels.csv")
            .iter()
            .filter(|word| word.more == grade && word.alias.is_ascii())
            .collect();
        let label = self
            .random
            .pick(&labels)
            .filter(|_| parts.contains(&"label"))
            .map(|word| word.canonical.clone());
        let joined = self.yes("grade joined");
        let mut out = String::new();
        let mut before = "";
        for part in parts {
            let text = match part {
                "grader" => name.as_str(),
                "grade" => grade.as_str(),
                _ => match &label {
                    Some(label) => label.as_str(),
                    None => continue,
                },
            };
            let grown_together = before == "grader" && part == "grade" && joined;
            if !out.is_empty() && !grown_together {
                out.push(' ');
            }
            out.push_str(text);
            before = part;
        }
        self.stated.grader = Some(grader);
        self.stated.grade = Some(grade);
        Some(out)
    }

    pub(crate) fn hit_points(&mut self, hp: u16) -> Option<String> {
        let form = self.draw("hp").filter(|form| form.contains('n'))?;
        self.stated.hp = Some(hp);
        Some(form.replacen('n', &hp.to_string(), 1))
    }

    /// A seller's word with no other meaning.
    pub(crate) fn puff(&mut self) -> Option<String> {
        let value = self.draw("puff")?;
        let (_, word) = value.split_once('|')?;
        let key = key_of(word);
        // `of`, `in`: next to a number they would be a count.
        if word.is_ascii() && word.len() <= SHORT {
            return None;
        }
        let file = if self.from.words.meaning("noise.csv", word).is_some() {
            "noise.csv"
        } else {
            "japanese_terms.csv"
        };
        let clear = self.from.words.is_clear(file, &key) && !self.from.catalogue.knows(&key);
        // `The Pokémon Company` was counted, and sells no other game
        let other = !self.from.deck.games.contains(COUNTED);
        if other && self.from.words.names_game(&key, COUNTED) {
            return None;
        }
        (clear && is_japanese(word) == self.japanese).then(|| word.to_owned())
    }
}
