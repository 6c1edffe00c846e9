//! Structs that the headers only declare, although another header defines them: a standard one, or one beside them. The
//! caller has their memory, so they are no handles.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::Path;

use crate::Interface;

/// Structs of the C library and of POSIX that callers fill themselves.
const STANDARD: [&str; 30] = [
    "addrinfo",
    "dirent",
    "epoll_event",
    "flock",
    "group",
    "hostent",
    "in6_addr",
    "in_addr",
    "iovec",
    "itimerspec",
    "itimerval",
    "msghdr",
    "option",
    "passwd",
    "pollfd",
    "rlimit",
    "rusage",
    "sigaction",
    "sockaddr",
    "sockaddr_in",
    "sockaddr_in6",
    "sockaddr_storage",
    "sockaddr_un",
    "stat",
    "statvfs",
    "termios",
    "timespec",
    "timeval",
    "tm",
    "utsname",
];

/// A folder with more headers than this has those of many libraries.
const MOST_HEADERS: usize = 256;

/// Those of `tags` that another header defines.
pub(super) fn defined(tags: &BTreeSet<&str>, interface: &Interface) -> HashSet<String> {
    let (standard, others): (Vec<&str>, Vec<&str>) = tags.iter().partition(|tag| STANDARD.contains(tag));
    let mut found: HashSet<String> = standard.into_iter().map(str::to_owned).collect();
    if others.is_empty() {
        return found;
    }
    let places = interface.functions.iter().filter_map(|function| function.place.as_ref());
    let folders: BTreeSet<&Path> = places.filter_map(|place| Path::new(&place.file).parent()).collect();
    for header in folders.into_iter().flat_map(headers) {
        // A header that cannot be read says nothing.
        let Ok(bytes) = fs::read(&header) else { continue };
        let text = String::from_utf8_lossy(&bytes);
        found.extend(others.iter().filter(|tag| defines(&text, tag)).map(|tag| (*tag).to_owned()));
    }
    found
}

/// The headers of a folder that belongs to a library.
fn headers(folder: &Path) -> Vec<std::path::PathBuf> {
    let is_root = folder.file_name().is_none_or(|name| name == "include");
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.flatten().map(|entry| entry.path());
    let mut found: Vec<_> = paths.filter(|path| path.extension().is_some_and(|end| end == "h")).collect();
    if is_root || found.len() > MOST_HEADERS {
        found.clear();
    }
    found
}

/// Whether a header has `struct tag {`.
fn defines(text: &str, tag: &str) -> bool {
    text.match_indices(tag).any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(at + tag.len()..).unwrap_or_default();
        let is_tag = before.ends_with(char::is_whitespace)
            && ["struct", "union"].iter().any(|word| before.trim_end().ends_with(word));
        is_tag && after.trim_start().starts_with('{')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_has_a_brace() {
        assert!(defines("struct a;\nstruct IGDdatas\n{ int x; };", "IGDdatas"));
        for text in ["struct IGDdatas;", "struct IGDdatas2 { int x; };", "struct IGDdatas *f(void) {"] {
            assert!(!defines(text, "IGDdatas"), "{text}");
        }
    }
}
