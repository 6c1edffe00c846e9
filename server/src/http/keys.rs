//! The API keys of a server: those of its settings, and those of a key file.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

use crate::key_file::{self, KeyFile, KeyFileError};
use crate::policy::Identity;

/// How often a key file is looked at.
const LOOK: Duration = Duration::from_secs(1);

/// Accepted API keys; if there are none and no key file, none is required.
///
/// Only hashes are stored and compared. They have the same length, so the time of a comparison reveals nothing about
/// a key, not even its length.
#[derive(Debug, Default)]
pub(super) struct Keys {
    given: Vec<Key>,
    file: Option<Watched>,
}

#[derive(Clone, Debug)]
struct Key {
    hash: [u8; 32],
    identity: Identity,
}

impl Keys {
    /// Adds a key with all rights.
    pub(super) fn insert(&mut self, key: &str) {
        let identity = Identity::new(format!("api-key {}", self.given.len() + 1));
        self.given.push(Key { hash: key_file::hash(key.as_bytes()), identity });
    }

    /// Adds the keys of a file, which is read again when it has changed.
    pub(super) fn read(&mut self, path: PathBuf) -> Result<(), KeyFileError> {
        let changed = modified(&path);
        let keys = from_file(&KeyFile::read(&path)?);
        self.file =
            Some(Watched { path, state: Mutex::new(State { keys, changed, looked: Instant::now() }) });
        Ok(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.given.is_empty() && self.file.is_none()
    }

    /// Who a request with this `Authorization` header is from; `None` if it is not admitted. It is compared with every key,
    /// so the time does not reveal which one matched.
    pub(super) fn admit(&self, authorization: Option<&[u8]>) -> Option<Identity> {
        if self.is_empty() {
            return Some(Identity::anonymous());
        }
        let given = key_file::hash(authorization.and_then(bearer)?);
        let from_file = self.file.as_ref().map(Watched::keys).unwrap_or_default();
        let all = || self.given.iter().chain(from_file.iter());
        let mut found = 0_u64;
        for (key, number) in all().zip(1_u64..) {
            let same: Choice = key.hash.ct_eq(&given);
            found.conditional_assign(&number, same);
        }
        let index = usize::try_from(found.checked_sub(1)?).ok()?;
        all().nth(index).map(|key| key.identity.clone())
    }
}

/// A key file. A key that is removed from it is refused a second later.
#[derive(Debug)]
struct Watched {
    path: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    keys: Arc<[Key]>,
    changed: Option<SystemTime>,
    looked: Instant,
}

impl Watched {
    fn keys(&self) -> Arc<[Key]> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.looked.elapsed() >= LOOK {
            state.looked = Instant::now();
            let changed = modified(&self.path);
            if changed.is_none() || changed != state.changed {
                state.changed = changed;
                match KeyFile::read(&self.path) {
                    Ok(file) => state.keys = from_file(&file),
                    // A file that is being replaced, or was edited with a mistake, must not lock everyone out.
                    Err(error) => tracing::error!("{error}; the keys that it had before stay in use"),
                }
            }
        }
        Arc::clone(&state.keys)
    }
}

fn modified(path: &std::path::Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|metadata| metadata.modified()).ok()
}

fn from_file(file: &KeyFile) -> Arc<[Key]> {
    file.keys().map(|(hash, identity)| Key { hash, identity }).collect()
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

    fn name(keys: &Keys, authorization: Option<&[u8]>) -> Option<String> {
        keys.admit(authorization).map(|identity| identity.name().to_owned())
    }

    #[test]
    fn any_of_the_keys_is_admitted_under_its_name() {
        assert_eq!(name(&keys(), Some(b"Bearer first")).as_deref(), Some("api-key 1"));
        assert_eq!(name(&keys(), Some(b"bearer  second")).as_deref(), Some("api-key 2"));
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
            assert_eq!(name(&keys(), Some(authorization)), None, "{}", authorization.escape_ascii());
        }
        assert_eq!(name(&keys(), None), None);
    }

    #[test]
    fn without_keys_every_request_is_admitted() {
        assert_eq!(name(&Keys::default(), None).as_deref(), Some("anonymous"));
    }
}
