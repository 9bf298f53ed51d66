//! Small letters beyond ASCII.

/// Capitals in a row: the first and the last, the step from one to the next, and the step from each
/// to its small letter.
type Run = [i32; 4];

/// Ascending. The standard library lists each letter by itself, in tables that are four times as large
/// in a browser's module.
const RUNS: &[Run] = &include!(concat!(env!("OUT_DIR"), "/small_letters.rs"));

/// The small letter of a capital, without the mark that `İ` has there; of others the same.
pub(super) fn lower(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    let at = c as i32;
    let run = RUNS.get(RUNS.partition_point(|[_, last, ..]| *last < at));
    match run {
        Some(&[first, _, step, add]) if at >= first && (at - first) % step == 0 => {
            char::from_u32((at + add) as u32).unwrap_or(c)
        }
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::lower;

    #[test]
    fn small_letters_are_those_of_the_standard_library() {
        let is_mark = |c: &char| ('\u{300}'..='\u{36f}').contains(c);
        for c in ('\0'..=char::MAX).filter(|c| !is_mark(c)) {
            let letters = c.to_lowercase().filter(|c| !is_mark(c));
            assert!(letters.eq([lower(c)]), "{c:?}");
        }
    }
}
