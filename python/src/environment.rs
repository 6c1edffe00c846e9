//! The environment variables of the host that Python, and so every script, gets.
//!
//! It is a list of allowed variables, because a host may have keys in variables of any name.

use std::ffi::{OsStr, OsString};

/// The variables that Python needs to start, and programs to find their files. None of them contains secrets.
const PASSED: [&str; 17] = [
    "DYLD_LIBRARY_PATH",
    "HOME",
    "LANG",
    "LANGUAGE",
    // Python may be linked with a library that is found only through it.
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
/// The prefix of further allowed variables: `LC_ALL`, `LC_CTYPE`.
const PASSED_PREFIX: &str = "LC_";

/// The variables of this process that are passed to Python.
pub(super) fn passed() -> impl Iterator<Item = (OsString, OsString)> {
    std::env::vars_os().filter(|(name, _)| is_passed(name))
}

fn is_passed(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    // On Windows the names are case-insensitive.
    let name = if cfg!(windows) { name.to_ascii_uppercase() } else { name.to_owned() };
    name.starts_with(PASSED_PREFIX) || PASSED.contains(&name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_allowed_variables_are_passed() {
        for name in ["PATH", "HOME", "LC_ALL", "TZ"] {
            assert!(is_passed(OsStr::new(name)), "{name}");
        }
        for name in ["OPENTOOL_API_KEY", "OPENDYN_API_KEY", "PYTHONPATH", "LD_PRELOAD", "HTTPS_PROXY", ""] {
            assert!(!is_passed(OsStr::new(name)), "{name}");
        }
    }
}
