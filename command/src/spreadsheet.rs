//! Cells that a spreadsheet would take for formulas.

use std::borrow::Cow;

/// The cell as a spreadsheet may open it: an apostrophe is put before text that it would run as a
/// formula, as OWASP advises ("CSV injection"). Numbers, `-1.5` among them, stay as they are.
#[must_use]
pub fn defused(cell: &str) -> Cow<'_, str> {
    if is_formula(cell) {
        Cow::Owned(format!("'{cell}"))
    } else {
        Cow::Borrowed(cell)
    }
}

/// The cell as it was before [`defused`].
#[must_use]
pub fn restored(cell: &str) -> &str {
    cell.strip_prefix('\'')
        .filter(|rest| is_formula(rest))
        .unwrap_or(cell)
}

/// Whether a spreadsheet may run the cell: by its first character, which some take in its full
/// width as well.
fn is_formula(cell: &str) -> bool {
    cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])
        && !is_number(cell)
}

/// Whether the cell is a decimal number: a sign, digits, a fraction, an exponent.
fn is_number(cell: &str) -> bool {
    let unsigned = cell.strip_prefix(['+', '-']).unwrap_or(cell);
    // `inf` and `nan` are numbers to Rust alone
    unsigned.starts_with(|first: char| first.is_ascii_digit() || first == '.')
        && unsigned.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::{defused, restored};

    #[test]
    fn formulas_become_text_and_numbers_stay() {
        for formula in [
            "=cmd|' /C calc'!A0",
            "=1+1",
            "+SUM(A1)",
            "-2+3",
            "@SUM(A1)",
            "\t=1",
            "\r=1",
            "\n=1",
            "＝1",
            "-inf",
            "-",
            "+.",
            "-1.5.2",
        ] {
            assert_eq!(defused(formula), format!("'{formula}"));
            assert_eq!(restored(&defused(formula)), formula);
        }
        for plain in [
            "", "-1.5", "+3", "-.5", "-1e-3", "1=1", "Ho-Oh", "'s", "'90s", " =1",
        ] {
            assert_eq!(defused(plain), plain);
            assert_eq!(restored(plain), plain);
        }
    }
}
