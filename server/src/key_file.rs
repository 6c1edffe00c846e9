//! The key file of a server: named keys with rights of their own, as hashes.
//!
//! ```json
//! {"keys": [{"name": "ci", "sha256": "9f86…", "allow": ["sqlite3_*"], "readOnly": true}]}
//! ```

use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::policy::{Identity, Rules};

/// The begin of every key, so that scanners for leaked secrets can find them.
const PREFIX: &str = "opendyn_";

/// The hash of a key. Keys of a file are 256 random bits, so a slow hash would not make them harder to guess.
pub(crate) fn hash(key: &[u8]) -> [u8; 32] {
    Sha256::digest(key).into()
}

/// Named keys, of which only hashes are stored.
///
/// The file must not be writable for others than its owner, nor readable for everyone.
///
/// ```
/// use opentool_server::{KeyFile, Rules};
///
/// let mut keys = KeyFile::default();
/// let rules = Rules { read_only: true, ..Rules::default() };
/// let key = keys.add("ci", rules, false)?; // shown once: the file has its hash
/// assert_eq!(keys.identities().map(|identity| identity.name().to_owned()).collect::<Vec<_>>(), ["ci"]);
/// assert!(keys.remove("ci") && key.len() > 32);
/// # Ok::<(), opentool_server::KeyFileError>(())
/// ```
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct KeyFile {
    keys: Vec<NamedKey>,
}

/// A key of a file.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct NamedKey {
    name: String,
    #[serde(with = "hexadecimal")]
    sha256: [u8; 32],
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    allow: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    deny: Vec<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    read_only: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    stop: bool,
}

/// Why a key file cannot be used or changed. `Display` is a sentence that names the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyFileError(String);

impl fmt::Display for KeyFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for KeyFileError {}

impl KeyFile {
    /// Reads a file, after a check of its permissions.
    ///
    /// # Errors
    ///
    /// It cannot be read, others may change it, everyone may read it, or it is not a key file.
    pub fn read(path: &Path) -> Result<Self, KeyFileError> {
        let failed = |reason: &dyn fmt::Display| {
            KeyFileError(format!("the key file `{}` cannot be used: {reason}", path.display()))
        };
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let mode = fs::metadata(path).map_err(|error| failed(&error))?.mode();
            if mode & 0o026 != 0 {
                let help = format!("others may read or change it; `chmod 600 {}`", path.display());
                return Err(failed(&help));
            }
        }
        let text = fs::read(path).map_err(|error| failed(&error))?;
        let file: Self = serde_json::from_slice(&text).map_err(|error| failed(&error))?;
        let mut names: Vec<&str> = file.keys.iter().map(|key| key.name.as_str()).collect();
        names.sort_unstable();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(failed(&format!("two keys are named `{}`", pair[0]))),
            None => Ok(file),
        }
    }

    /// Adds a random key, and returns it. It is not stored, so it cannot be shown again.
    ///
    /// # Errors
    ///
    /// There is a key of this name, or the system has no random numbers.
    pub fn add(&mut self, name: &str, rules: Rules, may_stop: bool) -> Result<String, KeyFileError> {
        if name.trim().is_empty() || name.chars().any(char::is_control) {
            return Err(KeyFileError("the name of a key must be one line of text".to_owned()));
        }
        if self.keys.iter().any(|key| key.name == name) {
            return Err(KeyFileError(format!("there is a key `{name}` already")));
        }
        let mut random = [0; 32];
        getrandom::fill(&mut random)
            .map_err(|error| KeyFileError(format!("the system has no random numbers: {error}")))?;
        let key = format!("{PREFIX}{}", hexadecimal::text(&random));
        let Rules { allow, deny, read_only } = rules;
        let sha256 = hash(key.as_bytes());
        self.keys.push(NamedKey { name: name.to_owned(), sha256, allow, deny, read_only, stop: may_stop });
        Ok(key)
    }

    /// Removes a key; false if there is none of this name. A running server refuses the key a second after the file is
    /// written.
    pub fn remove(&mut self, name: &str) -> bool {
        let before = self.keys.len();
        self.keys.retain(|key| key.name != name);
        self.keys.len() < before
    }

    /// The owners of the keys.
    pub fn identities(&self) -> impl Iterator<Item = Identity> {
        self.keys().map(|(_, identity)| identity)
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = ([u8; 32], Identity)> {
        self.keys.iter().map(|key| {
            let NamedKey { name, sha256, allow, deny, read_only, stop } = key.clone();
            (sha256, Identity::limited(name, Rules { allow, deny, read_only }, stop))
        })
    }

    /// Replaces the file at `path`, readable and writable only for its owner.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), KeyFileError> {
        let written = || -> io::Result<()> {
            let mut text = serde_json::to_vec_pretty(self)?;
            text.push(b'\n');
            // Beside it, so that a server never reads half of it.
            let mut name = path.file_name().unwrap_or_default().to_owned();
            name.push(format!(".{}", std::process::id()));
            let beside = path.with_file_name(name);
            let mut options = OpenOptions::new();
            options.write(true).create_new(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            let mut file = options.open(&beside)?;
            let moved =
                file.write_all(&text).and_then(|()| file.sync_all()).and_then(|()| fs::rename(&beside, path));
            moved.inspect_err(|_| drop(fs::remove_file(&beside)))
        };
        written().map_err(|error| {
            KeyFileError(format!("the key file `{}` cannot be written: {error}", path.display()))
        })
    }
}

/// Bytes as hexadecimal text.
mod hexadecimal {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn text(bytes: &[u8; 32]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    pub(super) fn serialize<S: Serializer>(bytes: &[u8; 32], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&text(bytes))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<[u8; 32], D::Error> {
        let text = String::deserialize(from)?;
        let digit = |at: usize| (*text.as_bytes().get(at)? as char).to_digit(16);
        let byte = |at: usize| u8::try_from(digit(2 * at)? << 4 | digit(2 * at + 1)?).ok();
        let mut bytes = [0; 32];
        for (at, to) in bytes.iter_mut().enumerate() {
            *to = byte(at).ok_or_else(|| D::Error::custom("a hash has 64 hexadecimal digits"))?;
        }
        (text.len() == 64)
            .then_some(bytes)
            .ok_or_else(|| D::Error::custom("a hash has 64 hexadecimal digits"))
    }
}
