//! [`NewKey`]: random keys, shown once. Only their hash is stored, and a prefix to find it by.
//!
//! ```text
//! td_live_4fK9sQ2mXa_9hR…   a holder's     td_admin_4fK9sQ2mXa_9hR…   an administrator's
//!         prefix     secret: 256 bits
//! ```

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// The beginning of holders' keys.
pub const HOLDER: &str = "td_live_";
/// The beginning of administrators' keys.
pub const ADMIN: &str = "td_admin_";
/// Characters of the prefix. With 62^10 of them, two keys do not share one.
const PREFIX: usize = 10;
/// Characters of the secret: 62^43 is more than 2^256.
const SECRET: usize = 43;

/// The SHA-256 of a key.
pub type Hash = [u8; 32];

/// A key that was just made: its only copy.
pub struct NewKey {
    /// The key, to be shown once.
    pub text: String,
    /// The part that the key is found by. It is no secret.
    pub prefix: String,
    /// What is stored.
    pub hash: Hash,
}

impl NewKey {
    /// A random key.
    ///
    /// # Errors
    /// If the system provides no random numbers.
    pub fn make(admin: bool) -> Result<Self, getrandom::Error> {
        let prefix = random(PREFIX)?;
        let text = format!(
            "{}{prefix}_{}",
            if admin { ADMIN } else { HOLDER },
            random(SECRET)?
        );
        let hash = hash(&text);
        Ok(Self { text, prefix, hash })
    }
}

/// `length` random characters, each as likely as the next.
pub(crate) fn random(length: usize) -> Result<String, getrandom::Error> {
    let mut text = String::with_capacity(length);
    let mut bytes = [0u8; 64];
    while text.len() < length {
        getrandom::fill(&mut bytes)?;
        // 4 × 62 = 248: larger bytes would make some characters likelier
        let fair = bytes
            .iter()
            .filter(|byte| **byte < 248)
            .map(|byte| char::from(ALPHABET[usize::from(byte % 62)]));
        text.extend(fair.take(length - text.len()));
    }
    Ok(text)
}

/// The hash under which `key` is stored.
#[must_use]
pub fn hash(key: &str) -> Hash {
    Sha256::digest(key.as_bytes()).into()
}

/// The prefix of a key that a caller sent. `None` if it cannot be a key.
#[must_use]
pub fn prefix(key: &str) -> Option<&str> {
    let rest = key
        .strip_prefix(HOLDER)
        .or_else(|| key.strip_prefix(ADMIN))?;
    let (prefix, secret) = rest.split_once('_')?;
    (prefix.len() == PREFIX && secret.len() == SECRET && rest.is_ascii()).then_some(prefix)
}

/// Whether two hashes are equal, in constant time.
#[must_use]
pub fn same(a: &Hash, b: &Hash) -> bool {
    a.ct_eq(b).into()
}

#[cfg(test)]
mod tests {
    use super::{NewKey, hash, prefix, same};

    #[test]
    fn key_is_found_by_prefix_and_verified_by_hash() {
        let key = NewKey::make(false).expect("the system gives random numbers");
        assert_eq!(prefix(&key.text), Some(key.prefix.as_str()));
        assert!(same(&hash(&key.text), &key.hash));
        assert!(!same(&hash(&key.text.to_uppercase()), &key.hash));
        for other in [
            "",
            "td_live_",
            "td_live_0123456789",
            "td_live_0123456789_short",
            "Bearer x",
            "td_live_é23456789_",
        ] {
            assert_eq!(prefix(other), None, "{other}");
        }
        assert!(
            !key.hash.windows(4).any(|part| key
                .text
                .as_bytes()
                .windows(4)
                .any(|of_key| of_key == part))
        );
    }
}
