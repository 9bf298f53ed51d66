//! [`Marks`]: the words next to the core of a name, such as `ex`, `Dark`, `Lv.X` or `Misty's`.

/// A set of name marks: a bit for each row of `name_affixes.csv`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Marks(pub u128);

impl Marks {
    /// The set with `bit` added; what does not fit is left out.
    #[must_use]
    pub fn with(self, bit: u16) -> Marks {
        if bit < 128 {
            Marks(self.0 | 1 << bit)
        } else {
            self
        }
    }

    /// The marks that only `self` has.
    #[must_use]
    pub fn minus(self, other: Marks) -> Marks {
        Marks(self.0 & !other.0)
    }

    /// The marks of either.
    #[must_use]
    pub fn union(self, other: Marks) -> Marks {
        Marks(self.0 | other.0)
    }

    /// The marks of both.
    #[must_use]
    pub fn common(self, other: Marks) -> Marks {
        Marks(self.0 & other.0)
    }

    /// Number of marks.
    #[must_use]
    #[inline]
    pub fn count(self) -> u32 {
        // few names have more than two, and 128 bits are many to count at once
        let (mut left, mut count) = (self.0, 0);
        while left != 0 {
            left &= left - 1;
            count += 1;
        }
        count
    }

    /// Whether it has no mark.
    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The bits that are set.
    pub fn bits(self) -> impl Iterator<Item = u16> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let bit = left.trailing_zeros() as u16;
            (left != 0).then(|| {
                left &= left - 1;
                bit
            })
        })
    }
}
