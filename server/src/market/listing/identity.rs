//! Which listing a row is: the marketplace and the listing's number in its address, else what makes
//! two rows alike.

use super::words::words_of;
use crate::market::Money;
use sha2::{Digest, Sha256};
use url::Url;

/// Bytes of a fingerprint. The chance that two of a thousand million listings share one is 10^-20.
const FINGERPRINT: usize = 16;
/// The least digits of a listing's number: fewer are a page, a year or a card's number.
const LEAST_DIGITS: usize = 6;
/// The most letters before the digits of a listing's number: `m55500000003`.
const MOST_LETTERS: usize = 3;
/// Path segments after which a number is a product's, not a listing's.
const PRODUCTS: [&str; 4] = ["product", "products", "p", "catalog"];
/// Parts of hosts that are no marketplace's name.
const NO_NAMES: [&str; 4] = ["co", "com", "ne", "org"];
/// Query parameters that hold a listing's number.
const NUMBERS: [&str; 8] = [
    "item",
    "itemid",
    "item_id",
    "id",
    "iid",
    "listing",
    "listingid",
    "listing_id",
];
/// Query parameters of addresses without a number that lead to the same page.
const TRACKING: [&str; 24] = [
    "amdata",
    "campid",
    "customid",
    "epid",
    "fbclid",
    "from",
    "gclid",
    "hash",
    "itmmeta",
    "itmprp",
    "lang",
    "mkcid",
    "mkevt",
    "mkrid",
    "msclkid",
    "nma",
    "orig_cvip",
    "ref",
    "ref_src",
    "si",
    "source",
    "source_location",
    "toolid",
    "var",
];

/// What tells a listing from others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Marketplace and number, or the id that the file gives: `ebay:400100000001`.
    pub number: Option<String>,
    /// The same for rows that are alike in title and price.
    pub alike: Vec<u8>,
    /// The day of the sale.
    pub day: i64,
}

impl Identity {
    /// What no other listing has.
    #[must_use]
    pub fn fingerprint(&self) -> Vec<u8> {
        let mut hash = Sha256::new();
        match &self.number {
            Some(number) => {
                hash.update(b"number");
                hash.update(number);
            }
            None => {
                hash.update(b"alike");
                hash.update(&self.alike);
                hash.update(self.day.to_le_bytes());
            }
        }
        short(hash)
    }

    /// Whether a listing with this number, of this day, alike in title and price, is this one. Rows
    /// of which one lacks a number are one listing within a day.
    #[must_use]
    pub fn is_alike(&self, number: Option<&str>, day: i64) -> bool {
        (self.number.is_none() || number.is_none()) && (self.day - day).abs() <= 1
    }
}

fn short(hash: Sha256) -> Vec<u8> {
    hash.finalize()[..FINGERPRINT].to_vec()
}

/// What rows that are alike in title and price share.
#[must_use]
pub fn alike(title: &str, price: Money, currency: &str) -> Vec<u8> {
    let mut hash = Sha256::new();
    for word in words_of(title) {
        hash.update(word);
        hash.update([0]);
    }
    hash.update(currency);
    hash.update(price.0.to_le_bytes());
    short(hash)
}

/// The marketplace and the listing's number in an address: `ebay:400100000001`. An address without
/// a number stands for itself, without what only tracks. None for a product's page.
#[must_use]
pub fn listing_number(address: &str) -> Option<String> {
    let address = address.trim();
    let parsed = Url::parse(address)
        .ok()
        .filter(|url| !url.cannot_be_a_base() && (url.has_host() || url.scheme().len() > 1))
        .or_else(|| Url::parse(&format!("https://{address}")).ok())?;
    let web = matches!(parsed.scheme(), "http" | "https");
    // an app's address: ebay://item/view?id=…
    let marketplace = if web {
        name_of(parsed.host_str()?)?
    } else {
        parsed.scheme().to_owned()
    };
    let mut segments: Vec<&str> = parsed.path().split('/').filter(|s| !s.is_empty()).collect();
    if !web {
        segments.extend(parsed.host_str());
    }
    let is_product = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| segments.get(before));
        before.is_some_and(|before| is_product_word(before))
    };
    let in_path = (0..segments.len()).rev().find_map(|at| {
        let number = number_in(segments.get(at)?)?;
        Some((number, is_product(at)))
    });
    let in_query = || {
        let mut pairs = parsed.query_pairs();
        pairs.find_map(|(name, value)| {
            let named = NUMBERS.contains(&name.to_ascii_lowercase().as_str());
            named.then(|| number_in(&value)).flatten()
        })
    };
    match in_path {
        Some((number, false)) => Some(format!("{marketplace}:{number}")),
        found => match in_query() {
            Some(number) => Some(format!("{marketplace}:{number}")),
            None if found.is_some() || segments.iter().any(|part| is_product_word(part)) => None,
            None => whole(&parsed, &marketplace),
        },
    }
}

/// Whether a path goes on with a product, not a listing.
fn is_product_word(part: &str) -> bool {
    PRODUCTS.contains(&part.to_ascii_lowercase().as_str())
}

/// The name of a marketplace in its host: `ebay` of `www.ebay.co.uk`.
fn name_of(host: &str) -> Option<String> {
    let parts: Vec<&str> = host.trim_end_matches('.').split('.').collect();
    let mut names = parts.iter().rev().skip(usize::from(parts.len() > 1));
    names
        .find(|part| !NO_NAMES.contains(part))
        .or(parts.first())
        .map(|name| name.to_ascii_lowercase())
        .filter(|name| !name.is_empty())
}

/// The listing's number in a part of an address: digits with few letters before them, the last such
/// of its words.
fn number_in(part: &str) -> Option<String> {
    part.rsplit(|letter: char| !letter.is_ascii_alphanumeric())
        .find(|word| {
            let digits = word.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
            word.len() - digits.len() <= MOST_LETTERS
                && digits.len() >= LEAST_DIGITS
                && digits.bytes().all(|byte| byte.is_ascii_digit())
        })
        .map(str::to_ascii_lowercase)
}

/// An address without a number, without what only tracks; none for a marketplace's front page.
fn whole(url: &Url, marketplace: &str) -> Option<String> {
    let path = url.path().trim_end_matches('/');
    let mut pairs: Vec<String> = url
        .query_pairs()
        .filter(|(name, _)| {
            let name = name.to_ascii_lowercase();
            !TRACKING.contains(&name.as_str())
                && !name.starts_with("utm_")
                && !name.starts_with("_trk")
        })
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    pairs.sort();
    (!path.is_empty() || !pairs.is_empty())
        .then(|| format!("{marketplace}:{path}?{}", pairs.join("&")))
}

#[cfg(test)]
mod tests {
    use super::{Identity, Money, alike, listing_number};

    #[test]
    fn one_listing_has_one_number_however_its_address_is_written() {
        for (number, addresses) in [
            (
                "ebay:400200000001",
                &[
                    "https://www.ebay.com/itm/400200000001",
                    "http://ebay.co.uk/itm/400200000001/",
                    "https://www.ebay.de/itm/Some-Words-12-102/400200000001?hash=item5&var=0#x",
                    "www.ebay.com/itm/400200000001",
                    "https://m.ebay.com/itm/400200000001?mkcid=1",
                    "https://www.ebay.com/p/2300000001?iid=400200000001",
                    "ebay://item/view?id=400200000001",
                    "https://www.ebay.com.au/itm/some-words-400200000001",
                ][..],
            ),
            (
                "mercari:m55600000003",
                &[
                    "https://jp.mercari.com/item/m55600000003",
                    "https://jp.mercari.com/item/m55600000003?source_location=share",
                    "https://item.mercari.com/jp/m55600000003/",
                    "mercari://item/openDetail?id=m55600000003",
                ],
            ),
            (
                "yahoo:x1010000001",
                &[
                    "https://page.auctions.yahoo.co.jp/jp/auction/x1010000001",
                    "https://auctions.yahoo.co.jp/jp/auction/X1010000001?src=mail",
                ],
            ),
        ] {
            for address in addresses {
                assert_eq!(
                    listing_number(address).as_deref(),
                    Some(number),
                    "{address}"
                );
            }
        }
    }

    #[test]
    fn what_is_no_listing_has_no_number() {
        for address in [
            "https://www.tcgplayer.com/product/250316/some-words",
            "https://www.cardmarket.com/en/Products/Singles/Set/Card",
            "https://www.ebay.com/",
            "not an address",
            "",
        ] {
            assert_eq!(listing_number(address), None, "{address}");
        }
        // without a number the address itself, without what tracks
        assert_eq!(
            listing_number("https://shop.example/sold/a-card?utm_source=x&ref=y").as_deref(),
            Some("shop:/sold/a-card?")
        );
        assert_ne!(
            listing_number("https://shop.example/sold?card=1"),
            listing_number("https://shop.example/sold?card=2")
        );
    }

    #[test]
    fn rows_without_number_are_alike_within_a_day() {
        let of = |title: &str, number: Option<&str>, day| Identity {
            number: number.map(str::to_owned),
            alike: alike(title, Money(10_000), "USD"),
            day,
        };
        let one = of("Pikachu 58/102", None, 5);
        assert_eq!(one.alike, of("pikachu  58/102 ", None, 5).alike);
        assert_ne!(one.alike, alike("Pikachu 58/102", Money(10_001), "USD"));
        assert_ne!(one.alike, alike("Pikachu 58/102", Money(10_000), "EUR"));
        assert!(one.is_alike(None, 6) && one.is_alike(Some("ebay:1"), 4));
        assert!(!one.is_alike(None, 7) && !of("", Some("a"), 5).is_alike(Some("b"), 5));
        assert_ne!(
            one.fingerprint(),
            of("Pikachu 58/102", None, 8).fingerprint()
        );
        assert_eq!(
            of("a", Some("ebay:1"), 5).fingerprint(),
            of("b", Some("ebay:1"), 9).fingerprint()
        );
    }
}
