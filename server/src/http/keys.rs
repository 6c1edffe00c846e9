//! The API keys of a server.

use sha2::{Digest, Sha256};
use subtle::{Choice, ConstantTimeEq};

/// Accepted API keys; if empty, none is required.
///
/// Only hashes are stored and compared. They have the same length, so the time of a comparison reveals nothing about
/// a key, not even its length.
#[derive(Clone, Debug, Default)]
pub(super) struct Keys(Vec<[u8; 32]>);

impl Keys {
    pub(super) fn insert(&mut self, key: &str) {
        self.0.push(hash(key.as_bytes()));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a request with this `Authorization` header is admitted. It is compared with every key, so the time does not
    /// reveal which one matched.
    pub(super) fn admit(&self, authorization: Option<&[u8]>) -> bool {
        if self.is_empty() {
            return true;
        }
        let Some(given) = authorization.and_then(bearer) else { return false };
        let given = hash(given);
        let found = self.0.iter().fold(Choice::from(0), |found, key| found | key.ct_eq(&given));
        found.into()
    }
}

fn hash(key: &[u8]) -> [u8; 32] {
    Sha256::digest(key).into()
}

/// The token after `Bearer`, which is case-insensitive in HTTP.
fn bearer(authorization: &[u8]) -> Option<&[u8]> {
    let (scheme, key) = authorization.split_at_checked(7)?;
    scheme.eq_ignore_ascii_case(b"Bearer ").then(|| key.trim_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys() -> Keys {
        let mut keys = Keys::default();
        keys.insert("first");
        keys.insert("second");
        keys
    }

    #[test]
    fn any_of_the_keys_is_admitted() {
        assert!(keys().admit(Some(b"Bearer first")));
        assert!(keys().admit(Some(b"bearer  second")));
    }

    #[test]
    fn everything_else_is_not() {
        let wrong: [&[u8]; 7] = [
            b"Bearer third",
            b"Bearer firs",
            b"Bearer firstt",
            b"Bearer ",
            b"Bearer",
            b"Basic first",
            b"first",
        ];
        for authorization in wrong {
            assert!(!keys().admit(Some(authorization)), "{}", authorization.escape_ascii());
        }
        assert!(!keys().admit(None));
    }

    #[test]
    fn without_keys_every_request_is_admitted() {
        assert!(Keys::default().admit(None));
    }
}
