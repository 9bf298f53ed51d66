//! Which price is an item's headline price: the order of sources, and of conditions.

use super::listing::words::words_of;

/// Ranks of prices for a condition begin here.
pub(super) const CONDITIONED: u32 = 1 << 16;

/// The condition for which marketplaces state their market price.
pub(crate) const NEAR_MINT: &str = "Near Mint";

/// The rank of a price as headline by the order of sources; the least counts. None for a price of a
/// condition that is no headline.
pub(crate) fn headline_rank(
    sources: &[String],
    source: Option<&str>,
    condition: Option<&str>,
) -> Option<u32> {
    condition
        .is_none_or(is_near_mint)
        .then(|| rank(sources, source, condition))
}

/// Sources in the order of the settings, then all others; prices for a condition after all of them.
pub(super) fn rank(sources: &[String], source: Option<&str>, condition: Option<&str>) -> u32 {
    let source = source.unwrap_or_default();
    let place = sources
        .iter()
        .position(|known| known.eq_ignore_ascii_case(source))
        .unwrap_or(sources.len());
    let base = if condition.is_some() { CONDITIONED } else { 0 };
    base + u32::try_from(place)
        .unwrap_or_default()
        .min(CONDITIONED - 1)
}

/// Whether a condition is the one for which marketplaces state their market price: `Near Mint`,
/// `NM`, `Near Mint Holofoil`.
pub(crate) fn is_near_mint(condition: &str) -> bool {
    let words = words_of(condition);
    let first: Vec<&str> = words.iter().take(2).map(String::as_str).collect();
    matches!(*first, ["near", "mint"] | ["nm", ..])
}
