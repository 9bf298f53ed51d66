//! [`Short`]: a short string on the stack.

/// Parts of texts in a row, of at most `N` bytes.
pub(crate) struct Short<const N: usize> {
    bytes: [u8; N],
    len: usize,
}

impl<const N: usize> Short<N> {
    /// Parts in a row, together of at most `N` bytes.
    pub(crate) fn of<'p>(parts: impl IntoIterator<Item = &'p str>) -> Short<N> {
        parts.into_iter().flat_map(str::bytes).collect()
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.len]).unwrap_or("")
    }
}

/// The most digits of a number of 16 bits.
const MOST_DIGITS: usize = 5;

/// The digits of a number; none of 0.
pub(crate) fn digits_of(mut number: u16) -> Short<MOST_DIGITS> {
    let mut digits = [0; MOST_DIGITS];
    let mut from = digits.len();
    while number > 0 {
        from -= 1;
        digits[from] = b'0' + (number % 10) as u8;
        number /= 10;
    }
    digits[from..].iter().copied().collect()
}

impl<const N: usize> FromIterator<u8> for Short<N> {
    fn from_iter<I: IntoIterator<Item = u8>>(bytes: I) -> Short<N> {
        let mut short = Short {
            bytes: [0; N],
            len: 0,
        };
        for byte in bytes {
            debug_assert!(short.len < N, "a text of more than {N} bytes");
            if let Some(place) = short.bytes.get_mut(short.len) {
                *place = byte;
                short.len += 1;
            }
        }
        short
    }
}
