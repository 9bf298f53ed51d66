//! [`sort_few`]: lists of a few in order.

/// Sorts a list of a few, in which equals keep their order, by insertion.
///
/// The standard library's sort does the same with as many as twenty, and comes with ten kilobytes
/// more of code for each type, which a browser has to fetch.
pub(crate) fn sort_few<T>(list: &mut [T], before: impl Fn(&T, &T) -> bool) {
    for end in 1..list.len() {
        let mut at = end;
        while at > 0 && before(&list[at], &list[at - 1]) {
            list.swap(at, at - 1);
            at -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lists_are_sorted_as_by_the_standard_library(list in proptest::collection::vec((0u8..6, any::<u8>()), 0..30)) {
            let (mut ours, mut stable) = (list.clone(), list);
            sort_few(&mut ours, |a, b| a.0 < b.0);
            stable.sort_by_key(|one| one.0);
            prop_assert_eq!(ours, stable);
        }
    }
}
