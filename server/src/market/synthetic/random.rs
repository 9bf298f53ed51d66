//! The generator of invented markets.

/// A random generator that is the same everywhere: SplitMix64. Another one would change every
/// recorded figure of the invented market.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    /// A generator for one thing of a plan.
    pub(super) fn of(seed: u64, what: u64) -> Self {
        let mut random = Self(seed ^ what.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        random.next();
        random
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to below `bound`, which is small compared with 2^64.
    pub(super) fn below(&mut self, bound: i64) -> i64 {
        (self.next() % bound.max(1).unsigned_abs()).cast_signed()
    }

    pub(super) fn one_of<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        let at = usize::try_from(self.below(of.len() as i64)).unwrap_or_default();
        &of[at]
    }
}
