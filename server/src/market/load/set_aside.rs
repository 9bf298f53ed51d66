//! The columns of a file of wrong rows, beside those of its kind.

/// Those before them: the number of a row, and what is wrong with it.
pub(super) const BEFORE: [&str; 2] = ["row", "reason"];
/// The one behind them: the text of a row that has no cells.
pub(super) const BEHIND: &str = "line";

/// Whether a header is that of such a file, which has cells that were made safe for spreadsheets.
pub(super) fn is_header<'h>(mut names: impl DoubleEndedIterator<Item = &'h str>) -> bool {
    names.next() == Some(BEFORE[0])
        && names.next() == Some(BEFORE[1])
        && names.next_back() == Some(BEHIND)
}
