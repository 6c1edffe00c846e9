//! What can truly be said about a failed call: which files among its arguments the sandbox keeps from it, and with which flag the
//! operator would allow them.
//!
//! The kernel tells nobody which access it refused, and a C library reports an error of its own. So a sentence says what the sandbox
//! does, and never that it was the cause.

use std::fmt;
use std::path::{Component, Path, PathBuf};

use crate::{NETWORK_FILES, SYSTEM_DEVICES, SYSTEM_FILES, Sandbox};

/// `EPERM` and `EACCES`, which are the same numbers on every Unix.
const REFUSALS: [i32; 2] = [1, 13];

/// What the sandbox keeps from a call that failed. Its text names the flags.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Explanation {
    /// A string among the arguments is a path that cannot be read or written.
    Unreadable(PathBuf),
    /// A string among the arguments is a path that can be read, but not written.
    ReadOnly(PathBuf),
    /// A string among the arguments is the path of a UNIX socket.
    Socket(PathBuf),
    /// The call failed with `EPERM` or `EACCES`, and no argument is a path that is kept from it.
    Refused {
        /// Whether it has a network.
        network: bool,
    },
}

impl Sandbox {
    /// Explains a call that failed in this sandbox. `strings` are the strings among its arguments, also those in arrays and objects;
    /// `errno` is the system's error, if the call reported one.
    ///
    /// A string counts as a path if it is absolute, or names something that is there. A string of a URI form, `file:/a/b?mode=ro`,
    /// counts with its path.
    #[must_use]
    pub fn explain<'a>(
        &self,
        strings: impl IntoIterator<Item = &'a str>,
        errno: Option<i32>,
    ) -> Option<Explanation> {
        let paths: Vec<PathBuf> = strings.into_iter().filter_map(path).collect();
        if let Some(socket) = paths.iter().find(|path| is_socket(path)) {
            return Some(Explanation::Socket(socket.clone()));
        }
        let unreadable = paths.iter().find(|path| !self.can_read(path));
        let read_only = || paths.iter().find(|path| !within(&self.write, path));
        if let Some(path) = unreadable {
            return Some(Explanation::Unreadable(path.clone()));
        }
        if let Some(path) = read_only() {
            return Some(Explanation::ReadOnly(path.clone()));
        }
        let is_refusal = errno.is_some_and(|errno| REFUSALS.contains(&errno));
        is_refusal.then_some(Explanation::Refused { network: self.network })
    }

    fn can_read(&self, path: &Path) -> bool {
        let system = if self.system { [SYSTEM_FILES, SYSTEM_DEVICES] } else { [&[][..]; 2] };
        let network = if self.network { NETWORK_FILES } else { &[] };
        let of_the_system = system.into_iter().flatten().chain(network).map(Path::new);
        within(self.read.iter().chain(&self.write).chain(&self.execute), path) || within(of_the_system, path)
    }
}

/// Whether a path is one of these, or in one of these, wherever links lead.
fn within<P: AsRef<Path>>(allowed: impl IntoIterator<Item = P>, path: &Path) -> bool {
    allowed.into_iter().any(|allowed| path.starts_with(real(allowed.as_ref())))
}

/// The path that a string among the arguments may be.
fn path(text: &str) -> Option<PathBuf> {
    /// The longest path of Linux.
    const LONGEST: usize = 4096;
    if text.is_empty() || text.len() > LONGEST || text.contains('\0') {
        return None;
    }
    let text = match text.strip_prefix("file:") {
        Some(rest) => {
            let rest = rest.split(['?', '#']).next().unwrap_or(rest);
            // `file://host/path`; the host is empty as a rule.
            rest.strip_prefix("//").map_or(rest, |rest| rest.find('/').map_or("", |slash| &rest[slash..]))
        }
        None => text,
    };
    let path = Path::new(text);
    // An absolute path whose folder is missing fails without us: "/" in a text of another kind is not a path. And "/db" is
    // more often the place of an argument than a file beside the folders of the system.
    let is_there = |path: &Path| path.symlink_metadata().is_ok();
    let could_be = |parent: &Path| parent.parent().is_some() && is_there(parent);
    let is_path = match path.is_absolute() {
        true => path.parent().is_some_and(could_be) || is_there(path),
        false => is_there(path),
    };
    is_path.then(|| real(path))
}

/// The path without links and `..`, as far as it is there.
fn real(path: &Path) -> PathBuf {
    let mut missing = Vec::new();
    let mut there = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    loop {
        if let Ok(found) = there.canonicalize() {
            return missing.iter().rev().fold(found, |path, name| path.join(name));
        }
        match there.components().next_back() {
            Some(Component::Normal(name)) => missing.push(name.to_owned()),
            Some(Component::ParentDir | Component::CurDir) => {}
            _ => return there,
        }
        if !there.pop() {
            return there;
        }
    }
}

#[cfg(unix)]
fn is_socket(path: &Path) -> bool {
    path.metadata().is_ok_and(|it| std::os::unix::fs::FileTypeExt::is_socket(&it.file_type()))
}

#[cfg(not(unix))]
fn is_socket(_: &Path) -> bool {
    false
}

/// The folder that a flag would name for a path: a library may put further files beside one that it writes.
fn folder(path: &Path) -> &Path {
    if path.is_dir() { path } else { path.parent().unwrap_or(path) }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(path) => {
                // No more than that file.
                let read = if path.is_file() { path } else { folder(path) }.display();
                let (path, folder) = (path.display(), folder(path).display());
                write!(
                    f,
                    "`{path}` cannot be read or written here: --allow-read {read} or --allow-write {folder} allows it"
                )
            }
            Self::ReadOnly(path) => {
                let (path, folder) = (path.display(), folder(path).display());
                write!(f, "`{path}` cannot be written here: --allow-write {folder} allows it")
            }
            Self::Socket(path) => {
                write!(f, "`{}` is a UNIX socket, which only --no-sandbox allows", path.display())
            }
            Self::Refused { network } => {
                f.write_str("files outside of the allowed folders cannot be opened here (--allow-read DIR, --allow-write DIR)")?;
                if !network {
                    f.write_str(", nor network connections (--allow-net)")?;
                }
                f.write_str("; processes and UNIX sockets need --no-sandbox")
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn explained(sandbox: &Sandbox, text: &str, errno: Option<i32>) -> String {
        sandbox.explain([text], errno).map(|it| it.to_string()).unwrap_or_default()
    }

    #[test]
    fn a_path_that_is_kept_from_a_call_is_named_with_the_flag() {
        let nothing = Sandbox::default();
        let message = "`/etc/passwd` cannot be read or written here: --allow-read /etc/passwd or --allow-write /etc allows it";
        assert_eq!(explained(&nothing, "/etc/passwd", None), message);
        assert_eq!(explained(&nothing, "file:/etc/passwd?mode=ro", None), message);
        assert_eq!(explained(&nothing, "file:///etc/passwd", None), message);
        assert_eq!(explained(&nothing, "/etc/../etc/./passwd", None), message);
        // A new file, in a folder that is there.
        assert!(explained(&nothing, "/etc/new.db", None).contains("--allow-read /etc or --allow-write /etc"));

        let reads = Sandbox { read: vec!["/etc".into()], ..Sandbox::default() };
        let message = "`/etc/passwd` cannot be written here: --allow-write /etc allows it";
        assert_eq!(explained(&reads, "/etc/passwd", None), message);
        let writes = Sandbox { write: vec!["/etc".into()], ..Sandbox::default() };
        assert_eq!(explained(&writes, "/etc/passwd", None), "");
    }

    #[test]
    fn a_unix_socket_is_told_from_a_file() {
        let path = std::env::temp_dir().join(format!("opentool-sandbox-{}.sock", std::process::id()));
        let listener = std::os::unix::net::UnixListener::bind(&path).expect("a socket can be made");
        let writes = Sandbox { write: vec![std::env::temp_dir()], ..Sandbox::default() };
        let said = explained(&writes, path.to_str().expect("text"), None);
        std::fs::remove_file(&path).expect("it is ours");
        drop(listener);
        assert!(said.ends_with("is a UNIX socket, which only --no-sandbox allows"), "{said}");
    }

    #[test]
    fn a_text_that_is_not_a_path_is_not_explained() {
        for text in
            ["", ":memory:", "select 1 / 2", "/no/such/folder/x", "/db", "//", "http://localhost/", "a\0b"]
        {
            let expected = match text {
                "//" => "`/` cannot",
                _ => "",
            };
            assert!(explained(&Sandbox::default(), text, None).starts_with(expected), "{text}");
            assert_eq!(explained(&Sandbox::default(), text, None).is_empty(), expected.is_empty(), "{text}");
        }
    }

    #[test]
    fn a_refusal_without_a_path_names_all_flags() {
        let refused = explained(&Sandbox::default(), "x y z", Some(13));
        assert!(refused.contains("--allow-read DIR") && refused.contains("--allow-net"), "{refused}");
        let with_network = Sandbox { network: true, ..Sandbox::default() };
        assert!(!explained(&with_network, "x y z", Some(1)).contains("--allow-net"));
        assert_eq!(explained(&Sandbox::default(), "x y z", Some(2)), "");
    }
}
