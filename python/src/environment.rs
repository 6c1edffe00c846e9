//! What Python, and so every script, sees of the environment of the host.
//!
//! A list of what passes and not of what is kept back: a host has keys in variables of any name.

use std::ffi::{OsStr, OsString};

/// What Python needs to start, and what programs need to find their way. None of them has secrets.
const PASSED: [&str; 17] = [
    "DYLD_LIBRARY_PATH",
    "HOME",
    "LANG",
    "LANGUAGE",
    // A Python may be linked with a library that is found by nothing else.
    "LD_LIBRARY_PATH",
    "LOGNAME",
    "PATH",
    "PATHEXT",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "TMPDIR",
    "TZ",
    "USER",
    "USERPROFILE",
    "WINDIR",
];
/// The beginning of more of them: `LC_ALL`, `LC_CTYPE`.
const PASSED_PREFIX: &str = "LC_";

/// The variables of this process that Python gets.
pub(super) fn passed() -> impl Iterator<Item = (OsString, OsString)> {
    std::env::vars_os().filter(|(name, _)| is_passed(name))
}

fn is_passed(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    // Windows writes them as it likes.
    let name = if cfg!(windows) { name.to_ascii_uppercase() } else { name.to_owned() };
    name.starts_with(PASSED_PREFIX) || PASSED.contains(&name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_on_the_list_is_not_passed() {
        for name in ["PATH", "HOME", "LC_ALL", "TZ"] {
            assert!(is_passed(OsStr::new(name)), "{name}");
        }
        for name in ["OPENTOOL_API_KEY", "OPENDYN_HOST_KEYS", "PYTHONPATH", "LD_PRELOAD", "HTTPS_PROXY", ""] {
            assert!(!is_passed(OsStr::new(name)), "{name}");
        }
    }
}
