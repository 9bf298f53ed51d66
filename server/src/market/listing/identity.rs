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
/// Years of dates in addresses.
const YEARS: std::ops::RangeInclusive<u32> = 1990..=2099;
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

/// Path segments behind which a number is a listing's, whatever follows it.
const LISTINGS: [&str; 5] = ["item", "items", "itm", "listing", "listings"];
/// What an id of a file begins with in a number, and one whose feed is known.
const ID: &str = "id:";
const ID_OF: &str = "id@";

/// What tells a listing from others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// Marketplace and number (`ebay:400100000001`), else the id that the file gives (`id@shop:17`),
    /// else the address itself.
    pub number: Option<String>,
    /// What the same listing is called where less is known of it: its id without the feed, and its
    /// address.
    pub weaker: Vec<String>,
    /// The same for rows that are alike in title and price.
    pub alike: Vec<u8>,
    /// The day of the sale.
    pub day: i64,
}

impl Identity {
    /// The identity of a row with this address and id. An id is one of the `source` of the file, else
    /// of the marketplace in the address: feeds count their rows alike.
    #[must_use]
    pub fn new(
        url: Option<&str>,
        id: Option<&str>,
        source: Option<&str>,
        alike: Vec<u8>,
        day: i64,
    ) -> Self {
        let address = url.and_then(Address::read).unwrap_or_default();
        let feed = source.unwrap_or(&address.marketplace).to_lowercase();
        let of_feed = |id: &str| format!("{ID_OF}{}:{id}", feed.replace(':', "%3a"));
        let id_of_feed = id.filter(|_| !feed.is_empty()).map(of_feed);
        let bare = id.map(|id| format!("{ID}{id}"));
        let mut numbers = [address.number, id_of_feed, bare, address.whole]
            .into_iter()
            .flatten();
        Self {
            number: numbers.next(),
            weaker: numbers.collect(),
            alike,
            day,
        }
    }

    /// Whether a listing with this number, of this day, alike in title and price, is this one. Rows
    /// of which one lacks a number, or has a weaker one, are one listing within a day.
    #[must_use]
    pub fn is_alike(&self, number: Option<&str>, day: i64) -> bool {
        let may_be = match (self.number.as_deref(), number) {
            (Some(own), Some(number)) => {
                self.is_weaker(number) || without_feed(number).is_some_and(|bare| bare == own)
            }
            _ => true,
        };
        may_be && (self.day - day).abs() <= 1
    }

    /// Whether a number says less of this listing than its own does.
    #[must_use]
    pub fn is_weaker(&self, number: &str) -> bool {
        self.weaker.iter().any(|weaker| weaker == number)
    }
}

/// The number of an id whose feed is not known: `id:17` for `id@shop:17`.
fn without_feed(number: &str) -> Option<String> {
    let (_, id) = number.strip_prefix(ID_OF)?.split_once(':')?;
    Some(format!("{ID}{id}"))
}

/// What no other listing has that has this number, or none and this likeness and day.
#[must_use]
pub fn fingerprint(number: Option<&str>, alike: &[u8], day: i64) -> Vec<u8> {
    let mut hash = Sha256::new();
    match number {
        Some(number) => {
            hash.update(b"number");
            hash.update(number);
        }
        None => {
            hash.update(b"alike");
            hash.update(alike);
            hash.update(day.to_le_bytes());
        }
    }
    short(hash)
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
    let address = Address::read(address)?;
    address.number.or(address.whole)
}

/// What an address says of its listing.
#[derive(Debug, Default)]
struct Address {
    marketplace: String,
    /// Marketplace and number.
    number: Option<String>,
    /// The address itself; none for a product's page and a marketplace's front page.
    whole: Option<String>,
}

impl Address {
    fn read(address: &str) -> Option<Self> {
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
        let host = parsed.host_str().filter(|_| !web);
        let path = parsed.path().split('/').filter(|part| !part.is_empty());
        let segments: Vec<&str> = host.into_iter().chain(path).collect();
        let (number, of_product) = match number_in_path(&segments) {
            Some((number, false)) => (Some(number), false),
            found => {
                let product = found.is_some() || segments.iter().any(|part| is_in(part, &PRODUCTS));
                (number_in_query(&parsed), product)
            }
        };
        let whole = (!of_product)
            .then(|| whole(&parsed, &marketplace))
            .flatten();
        Some(Self {
            number: number.map(|number| format!("{marketplace}:{number}")),
            whole,
            marketplace,
        })
    }
}

/// The listing's number in the segments of a path, and whether it is a product's: the one behind a
/// word for a listing, else one in the last segment. A number before that is of what holds the
/// listing, such as a category, an auction of many lots or a day.
fn number_in_path(segments: &[&str]) -> Option<(String, bool)> {
    let behind = |words: &[&str], at: usize| {
        let before = at.checked_sub(1).and_then(|before| segments.get(before));
        before.is_some_and(|before| is_in(before, words))
    };
    let of_listing = segments.iter().enumerate().rev().find_map(|(at, part)| {
        let number = number_in(part).filter(|number| number.eq_ignore_ascii_case(part))?;
        behind(&LISTINGS, at).then_some((number, false))
    });
    of_listing.or_else(|| {
        let last = segments.len().checked_sub(1)?;
        Some((number_in(segments.get(last)?)?, behind(&PRODUCTS, last)))
    })
}

fn number_in_query(url: &Url) -> Option<String> {
    url.query_pairs().find_map(|(name, value)| {
        let named = is_in(&name, &NUMBERS);
        named.then(|| number_in(&value)).flatten()
    })
}

/// Whether a part of an address is one of these words, in any case.
fn is_in(part: &str, words: &[&str]) -> bool {
    words.contains(&part.to_ascii_lowercase().as_str())
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
/// of its words that is no date.
fn number_in(part: &str) -> Option<String> {
    part.rsplit(|letter: char| !letter.is_ascii_alphanumeric())
        .find(|word| {
            let digits = word.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
            word.len() - digits.len() <= MOST_LETTERS
                && digits.len() >= LEAST_DIGITS
                && digits.bytes().all(|byte| byte.is_ascii_digit())
                && !is_date(digits)
        })
        .map(str::to_ascii_lowercase)
}

/// Whether digits may be a date, which many listings share: `20261120`, `20112026`, `202611`,
/// `261120`.
fn is_date(digits: &str) -> bool {
    let number = |from: usize, to: usize| -> u32 {
        let part = digits.get(from..to).and_then(|part| part.parse().ok());
        part.unwrap_or_default()
    };
    let year = |from| YEARS.contains(&number(from, from + 4));
    let month = |at| (1..=12).contains(&number(at, at + 2));
    let day = |at| (1..=31).contains(&number(at, at + 2));
    let pair = |at| month(at) && day(at + 2) || day(at) && month(at + 2);
    match digits.len() {
        8 => year(0) && pair(4) || year(4) && pair(0),
        6 => year(0) && month(4) || pair(2) || pair(0),
        _ => false,
    }
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
    use super::{Identity, Money, alike, fingerprint, listing_number};

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
                    "https://www.ebay.com/itm/400200000001/words-4-102-1234567",
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

    /// What many listings share tells none of them from others.
    #[test]
    fn a_day_and_a_category_are_no_number_of_a_listing() {
        for (one, other) in [
            (
                "https://auctions.example/20261120/lot-17",
                "https://auctions.example/20261120/lot-18",
            ),
            (
                "https://auctions.example/lot-17/20261120",
                "https://auctions.example/lot-18/20261120",
            ),
            (
                "https://auctions.example/lots?no=17&id=20112026",
                "https://auctions.example/lots?no=18&id=20112026",
            ),
            (
                "https://shop.example/category/100234/widget-8",
                "https://shop.example/category/100234/widget-a",
            ),
            (
                "https://shop.example/sold/261120/a-card",
                "https://shop.example/sold/202611/a-card",
            ),
        ] {
            let numbers = [one, other].map(listing_number);
            assert!(numbers.iter().all(Option::is_some), "{numbers:?}");
            assert_ne!(numbers[0], numbers[1], "{one}");
        }
    }

    /// The number of the address, else the id, else the address; an id is one of its feed.
    #[test]
    fn a_row_has_the_surest_number_that_it_states() {
        let listing = "https://shop.example/item/400200000001";
        let constant = "https://www.shop.example/sold?year=all";
        for (url, id, source, number) in [
            (Some(listing), Some("1"), Some("feed"), "shop:400200000001"),
            (Some(constant), Some("1"), None, "id@shop:1"),
            (Some(constant), Some("1"), Some("Feed"), "id@feed:1"),
            (Some(constant), None, Some("feed"), "shop:/sold?year=all"),
            (None, Some("1"), Some("a:b"), "id@a%3ab:1"),
            (None, Some("1"), None, "id:1"),
        ] {
            let identity = Identity::new(url, id, source, Vec::new(), 5);
            assert_eq!(identity.number.as_deref(), Some(number));
        }
        assert_eq!(
            Identity::new(None, None, Some("feed"), Vec::new(), 5).number,
            None
        );
    }

    /// An id whose feed is not known is that of any feed, where all else agrees.
    #[test]
    fn a_weaker_number_is_one_of_the_same_listing() {
        let of = |id, source| Identity::new(None, Some(id), source, Vec::new(), 5);
        let (bare, ours, theirs) = (of("1", None), of("1", Some("us")), of("1", Some("them")));
        let is_one = |one: &Identity, other: &Identity| one.is_alike(other.number.as_deref(), 5);
        assert!(is_one(&bare, &ours) && is_one(&ours, &bare));
        assert!(!is_one(&ours, &theirs) && !is_one(&of("2", Some("us")), &bare));
    }

    #[test]
    fn rows_without_number_are_alike_within_a_day() {
        let of = |title: &str, number: Option<&str>, day| Identity {
            number: number.map(str::to_owned),
            alike: alike(title, Money(10_000), "USD"),
            day,
            ..Identity::default()
        };
        let one = of("Pikachu 58/102", None, 5);
        assert_eq!(one.alike, of("pikachu  58/102 ", None, 5).alike);
        assert_ne!(one.alike, alike("Pikachu 58/102", Money(10_001), "USD"));
        assert_ne!(one.alike, alike("Pikachu 58/102", Money(10_000), "EUR"));
        assert!(one.is_alike(None, 6) && one.is_alike(Some("ebay:1"), 4));
        assert!(!one.is_alike(None, 7) && !of("", Some("a"), 5).is_alike(Some("b"), 5));
        assert_ne!(
            fingerprint(None, &one.alike, 5),
            fingerprint(None, &one.alike, 8)
        );
        assert_eq!(
            fingerprint(Some("ebay:1"), &one.alike, 5),
            fingerprint(Some("ebay:1"), b"other", 9)
        );
    }
}
