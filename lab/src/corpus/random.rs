//! [`Random`]: a small random number generator with the same sequence for the same seed on every
//! platform.
//!
//! xoshiro256** by Blackman and Vigna (public domain), seeded through SplitMix64; only integers are
//! drawn, so no platform rounds differently.

/// A random number generator.
#[derive(Clone, Debug)]
pub(crate) struct Random {
    state: [u64; 4],
}

impl Random {
    /// The generator of `seed`.
    pub(crate) fn new(seed: u64) -> Self {
        let mut at = seed;
        let state = [(); 4].map(|()| {
            at = at.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = at;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        });
        Self { state }
    }

    /// The generator of title number `index`: it does not depend on how many numbers other titles
    /// drew.
    pub(crate) fn of_title(seed: u64, index: u64) -> Self {
        let first = Self::new(seed).next();
        Self::new(first ^ index.wrapping_mul(0xd134_2543_de82_ef95))
    }

    /// The next 64 bits.
    pub(crate) fn next(&mut self) -> u64 {
        let [a, b, c, d] = self.state;
        let result = b.wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let c = c ^ a;
        let d = d ^ b;
        self.state = [a ^ d, b ^ c, c ^ (b << 17), d.rotate_left(45)];
        result
    }

    /// A number below `limit`; 0 if that is 0.
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(limit)) >> 64) as u64
    }

    /// An index of a list with `len` entries.
    pub(crate) fn index(&mut self, len: usize) -> usize {
        self.below(len as u64) as usize
    }

    /// True with probability `hits` / `of`.
    pub(crate) fn chance(&mut self, hits: u64, of: u64) -> bool {
        self.below(of) < hits
    }

    /// One entry of a list.
    pub(crate) fn pick<'t, T>(&mut self, list: &'t [T]) -> Option<&'t T> {
        list.get(self.index(list.len()))
    }

    /// An entry of `list`, drawn by weight; `None` if all weights are 0.
    pub(crate) fn weighted<'t, T>(
        &mut self,
        list: &'t [T],
        weight: impl Fn(&T) -> u64,
    ) -> Option<&'t T> {
        let all: u64 = list.iter().map(&weight).sum();
        if all == 0 {
            return None;
        }
        let mut at = self.below(all);
        list.iter().find(|entry| {
            let own = weight(entry);
            let here = at < own;
            at = at.saturating_sub(own);
            here
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn sequence_is_that_of_the_published_algorithm() {
        // SplitMix64 of seed 0 begins with these: they are the state, from which xoshiro256** goes
        // on.
        assert_eq!(
            Random::new(0).state[..2],
            [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]
        );
        let mut random = Random {
            state: [1, 2, 3, 4],
        };
        assert_eq!(
            [random.next(), random.next(), random.next()],
            [11520, 0, 1_509_978_240]
        );
    }

    #[test]
    fn weighted_draws_follow_the_weights() {
        let mut random = Random::new(7);
        let list = [("a", 3), ("b", 0), ("c", 1)];
        let drawn: Vec<&str> = (0..4000)
            .filter_map(|_| random.weighted(&list, |e| e.1))
            .map(|e| e.0)
            .collect();
        let count = |what: &str| drawn.iter().filter(|d| **d == what).count();
        assert_eq!(count("b"), 0);
        assert!((2850..3150).contains(&count("a")), "{}", count("a"));
        assert!(random.weighted(&list[1..2], |e| e.1).is_none());
        assert_eq!(random.below(0), 0);
    }
}
