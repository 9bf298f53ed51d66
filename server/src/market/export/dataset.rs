//! [`Dataset`]: what the daily export is made of.

/// A dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dataset {
    /// Printings of cards with their prices.
    Cards,
    /// Sealed products with their prices.
    Sealed,
    /// Graded sales, summed up.
    Auction,
    /// Populations by grader.
    Population,
}

impl Dataset {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Cards, Self::Sealed, Self::Auction, Self::Population];

    /// Its name: `cards`, `sealed`, `auction`, `population`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Cards => "cards",
            Self::Sealed => "sealed",
            Self::Auction => "auction",
            Self::Population => "population",
        }
    }

    /// The dataset of a name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dataset| dataset.name() == name)
    }
}
