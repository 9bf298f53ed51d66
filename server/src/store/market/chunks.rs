//! Keys of the chunks of price histories.

/// A chunk's key is its item's times this, and the number of the chunk.
pub(super) const CHUNKS: i64 = 1 << 16;

/// The key of an item's chunk.
#[must_use]
pub fn chunk_key(item: i64, chunk: i64) -> i64 {
    item * CHUNKS + chunk
}
