//! [`Class`]: what a listing can be besides one card.

/// What a listing can be besides one card of a trading card game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Class {
    /// Several different cards.
    Lot,
    /// A sealed product.
    Sealed,
    /// Goods, or something of another game or sport.
    Other,
    /// One card of a kind that the catalogue cannot hold: championship decks, sheets, jumbo cards.
    Outside,
}

impl Class {
    /// All classes in their order.
    pub(crate) const ALL: [Class; 4] = [Class::Lot, Class::Sealed, Class::Other, Class::Outside];
}
