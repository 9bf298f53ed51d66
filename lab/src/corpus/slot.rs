//! [`Slot`]: the fields of a title, as they are ordered.

use titledex::Field;

/// A field that a title has once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Slot {
    Year,
    Game,
    Set,
    Name,
    Number,
    Rarity,
    Finish,
    Edition,
    Language,
    Grade,
    Condition,
    Hp,
    /// Seller's words, and everything that no field explains; it may occur several times.
    Puff,
}

impl Slot {
    /// All slots.
    pub(crate) const ALL: [Slot; 13] = [
        Slot::Year,
        Slot::Game,
        Slot::Set,
        Slot::Name,
        Slot::Number,
        Slot::Rarity,
        Slot::Finish,
        Slot::Edition,
        Slot::Language,
        Slot::Grade,
        Slot::Condition,
        Slot::Hp,
        Slot::Puff,
    ];

    /// The name in the file of counts.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Slot::Year => "year",
            Slot::Game => "game",
            Slot::Set => "set",
            Slot::Name => "name",
            Slot::Number => "number",
            Slot::Rarity => "rarity",
            Slot::Finish => "finish",
            Slot::Edition => "edition",
            Slot::Language => "language",
            Slot::Grade => "grade",
            Slot::Condition => "condition",
            Slot::Hp => "hp",
            Slot::Puff => "puff",
        }
    }

    /// The slot with a name.
    pub(crate) fn of_name(name: &str) -> Option<Slot> {
        Slot::ALL.into_iter().find(|slot| slot.name() == name)
    }

    /// The slot of a reading; grader, label and grade are one.
    pub(crate) fn of_field(field: Field) -> Option<Slot> {
        Some(match field {
            Field::Year => Slot::Year,
            Field::Game => Slot::Game,
            Field::Set => Slot::Set,
            Field::Name => Slot::Name,
            Field::Number => Slot::Number,
            Field::Rarity => Slot::Rarity,
            Field::Finish => Slot::Finish,
            Field::Edition => Slot::Edition,
            Field::Language => Slot::Language,
            Field::Grader | Field::Label | Field::Grade => Slot::Grade,
            Field::Condition => Slot::Condition,
            Field::Hp => Slot::Hp,
            Field::Noise => Slot::Puff,
            _ => return None,
        })
    }
}
