//! Branch-free [`Vec::retain`].

/// Keeps those `from` a place on that are `wanted`, as [`Vec::retain`] does, but without a jump that
/// depends on each: no processor can guess which they are.
pub(crate) fn keep(list: &mut Vec<u32>, from: usize, wanted: impl Fn(u32) -> bool) {
    let mut to = from;
    for at in from..list.len() {
        let one = list[at];
        list[to] = one;
        to += usize::from(wanted(one));
    }
    list.truncate(to);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn those_are_kept_that_the_standard_library_keeps(list in proptest::collection::vec(0u32..9, 0..30), from in 0usize..30) {
            let from = from.min(list.len());
            let wanted = |one: u32| one < 4;
            let (before, behind) = list.split_at(from);
            let behind = behind.iter().filter(|one| wanted(**one));
            let expected: Vec<u32> = before.iter().chain(behind).copied().collect();
            let mut kept = list.clone();
            keep(&mut kept, from, wanted);
            prop_assert_eq!(kept, expected);
        }
    }
}
