//! Sorting by counting: numbers below a bound that many share.

/// So many are below a number, and the numbers themselves in their order: see [`by_counting`].
pub(crate) type Counted = (Vec<u32>, Vec<u32>);

/// Sorts `places` by their keys, of which those from `most` on count as `most`: in three passes, in
/// which equals keep their order. It returns for each key how many keys are below it, and at last
/// how many there are.
#[inline(never)]
pub(crate) fn by_counting(places: &[u32], keys: &[u32], most: usize) -> Counted {
    let key = |place: u32| {
        let key = keys.get(place as usize);
        key.map_or(most, |&key| most.min(key as usize))
    };
    let mut below = vec![0; most + 2];
    for &place in places {
        below[key(place) + 1] += 1;
    }
    for at in 0..=most {
        below[at + 1] += below[at];
    }
    let mut next = below.clone();
    let mut sorted = vec![0; places.len()];
    for &place in places {
        let at = &mut next[key(place)];
        sorted[*at as usize] = place;
        *at += 1;
    }
    (below, sorted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn places_are_counted_as_they_are_sorted(keys in proptest::collection::vec(0u32..9, 0..60), most in 0usize..9) {
            let places: Vec<u32> = (0..keys.len() as u32).filter(|place| place % 5 != 1).collect();
            let key = |place: &u32| most.min(keys[*place as usize] as usize);
            let mut expected = places.clone();
            expected.sort_by_key(key);
            let (below, sorted) = by_counting(&places, &keys, most);
            for (number, &below) in below.iter().enumerate() {
                let fewer = places.iter().filter(|place| key(place) < number).count();
                prop_assert_eq!(below as usize, fewer);
            }
            prop_assert_eq!(sorted, expected);
        }
    }
}
