//! [`Label`]: what catalogues call a printing, `1st Edition Holofoil [cosmos foil]`, taken apart.

use crate::parsed::Finish;

/// Where a word of a label stands.
#[derive(Clone, Copy)]
enum Place {
    /// At the beginning of the part before the brackets.
    Start,
    /// At its end.
    End,
    /// Anywhere in it.
    Head,
    /// In the brackets.
    Tail,
}

/// What labels say of the finish; the first row that fits holds. A label without any of these
/// words is of a card without foil.
const FINISHES: [(Place, &str, Finish); 3] = [
    (Place::Start, "Reverse", Finish::ReverseHolo),
    (Place::End, "foil", Finish::Holo),
    (Place::End, "Foil", Finish::Holo),
];

/// What labels say of the edition, by its name in `printings.csv`.
const EDITIONS: [(Place, &str, &str); 5] = [
    (Place::Head, "1st Edition", "1st edition"),
    (Place::Head, "Shadowless", "shadowless"),
    (Place::Tail, "no rarity", "no rarity"),
    (Place::Tail, "no-rarity", "no rarity"),
    (Place::Tail, "1999 2000 copyright", "4th print"),
];

/// The edition of a label that states none.
pub(crate) const UNLIMITED: &str = "unlimited";

/// The label of a printing.
#[derive(Clone, Copy)]
pub(crate) struct Label<'l> {
    head: &'l str,
    tail: &'l str,
}

impl<'l> Label<'l> {
    /// Takes a label apart.
    pub(crate) fn of(text: &'l str) -> Label<'l> {
        // of a text so short a search that is prepared takes longer
        let behind_space = |&at: &usize| at > 0 && text.as_bytes()[at - 1] == b' ';
        let mut brackets = (0..text.len()).filter(|&at| text.as_bytes()[at] == b'[');
        match brackets.find(behind_space) {
            Some(at) => Label {
                head: &text[..at - 1],
                tail: &text[at + 1..],
            },
            None => Label {
                head: text,
                tail: "",
            },
        }
    }

    fn has(&self, place: Place, word: &str) -> bool {
        match place {
            Place::Start => self.head.starts_with(word),
            Place::End => self.head.ends_with(word),
            Place::Head => within(self.head, word),
            Place::Tail => within(self.tail, word),
        }
    }

    /// The finish of the card.
    pub(crate) fn finish(&self) -> Finish {
        let mut rows = FINISHES.iter();
        let row = rows.find(|(place, word, _)| self.has(*place, word));
        row.map_or(Finish::NonHolo, |row| row.2)
    }

    /// The names of the editions that it states, the one that tells most first.
    pub(crate) fn editions(&self) -> impl Iterator<Item = &'static str> {
        let rows = EDITIONS.iter();
        rows.filter(|(place, word, _)| self.has(*place, word))
            .map(|row| row.2)
    }

    /// Its parts in brackets.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &'l str> {
        let parts = self.tail.trim_end_matches(']').split(", ");
        parts.filter(|part| !part.is_empty())
    }

    /// What tells it from printings of the same finish and edition: the parts in brackets that are
    /// no edition.
    pub(crate) fn qualifiers(&self) -> impl Iterator<Item = &'l str> {
        self.parts()
            .filter(|part| !EDITIONS.iter().any(|row| row.1 == *part))
    }

    /// Whether it says nothing before the brackets.
    #[cfg(feature = "build")]
    pub(crate) fn is_silent(&self) -> bool {
        self.head.is_empty()
    }
}

/// Whether `word` stands in `text`: for short texts, in which its first letter is seldom met, in less
/// time than a search that is prepared.
fn within(text: &str, word: &str) -> bool {
    let (text, word) = (text.as_bytes(), word.as_bytes());
    let first = |&(_, byte): &(usize, &u8)| word.first() == Some(byte);
    let mut places = text.iter().enumerate().filter(first);
    places.any(|(at, _)| text[at..].starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::Label;
    use crate::parsed::Finish;

    #[test]
    fn labels_are_taken_apart() {
        let rows: [(&str, Finish, &[&str], &[&str]); 7] = [
            ("Normal", Finish::NonHolo, &[], &[]),
            ("Reverse Holofoil", Finish::ReverseHolo, &[], &[]),
            ("Etched Foil", Finish::Holo, &[], &[]),
            ("1st Edition", Finish::NonHolo, &["1st edition"], &[]),
            ("Shadowless Holofoil", Finish::Holo, &["shadowless"], &[]),
            (
                "Holofoil [no rarity, cosmos foil]",
                Finish::Holo,
                &["no rarity"],
                &["cosmos foil"],
            ),
            (
                "Unlimited [1999 2000 copyright]",
                Finish::NonHolo,
                &["4th print"],
                &[],
            ),
        ];
        for (text, finish, editions, qualifiers) in rows {
            let label = Label::of(text);
            assert_eq!(label.finish(), finish, "{text}");
            assert!(label.editions().eq(editions.iter().copied()), "{text}");
            assert!(label.qualifiers().eq(qualifiers.iter().copied()), "{text}");
        }
    }
}
