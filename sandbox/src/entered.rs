//! Which parts of a sandbox are in force, and which the kernel lacks: for the message at start.

use std::fmt;
use std::path::PathBuf;

use crate::Allowed;

/// What [`Sandbox::enter`](crate::Sandbox::enter) put in force.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entered {
    /// The parts in force.
    pub in_force: Vec<Part>,
    /// The parts that this kernel or system does not have. Empty on Linux 6.12 and newer, on x86-64, aarch64 and riscv64.
    pub lacking: Vec<Lacking>,
}

/// A part of a sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Part {
    /// Reading, writing and executing files. Landlock, Linux 5.13.
    Files,
    /// Emptying files that can be opened but not written. Landlock, Linux 6.2.
    Truncation,
    /// Sockets.
    Network,
    /// System calls that reach other processes or the kernel, and starting processes. seccomp.
    Calls,
    /// Signals to other processes.
    Signals,
    /// The limit of memory.
    Memory,
    /// The other limits.
    Limits,
}

/// A part that is not in force. Its text says what is therefore not restricted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lacking {
    /// The part.
    pub part: Part,
    /// Why it is not in force, such as `no Landlock in this kernel`.
    pub reason: String,
}

impl Entered {
    /// What may be done in a sandbox where this is allowed, and what the kernel lacks of it: the message of a server at its start.
    ///
    /// `no network, no writing, reading the libraries and the system's data`
    #[must_use]
    pub fn describe(&self, allowed: &Allowed) -> String {
        let is_in_force = |part| self.in_force.contains(&part);
        let mut what = Vec::new();
        if is_in_force(Part::Network) {
            what.push(if allowed.network { "network" } else { "no network" }.to_owned());
        }
        if is_in_force(Part::Files) {
            what.push(match &allowed.write[..] {
                [] => "no writing".to_owned(),
                paths => format!("writing {}", list(paths)),
            });
            what.push("reading the libraries and the system's data".to_owned());
            what.extend((!allowed.read.is_empty()).then(|| format!("and {}", list(&allowed.read))));
        }
        let what = (!what.is_empty()).then(|| what.join(", "));
        let lacking = self.lacking.iter().map(ToString::to_string);
        what.into_iter().chain(lacking).collect::<Vec<_>>().join("; ")
    }

    #[cfg_attr(not(unix), allow(dead_code, reason = "no part is in force there"))]
    pub(crate) fn has(&mut self, part: Part) {
        self.in_force.push(part);
    }

    pub(crate) fn lacks(&mut self, part: Part, reason: &str) {
        self.lacking.push(Lacking { part, reason: reason.to_owned() });
    }
}

fn list(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| format!("`{}`", path.display())).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Lacking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unrestricted = match self.part {
            Part::Files => "files are not restricted",
            Part::Truncation => "files that can be opened can be emptied",
            Part::Network => "the network is not restricted",
            Part::Calls => "system calls and new processes are not restricted",
            Part::Signals => "signals to other processes are not restricted",
            Part::Memory => "memory is not limited",
            Part::Limits => "processor time, open files, processes and the size of files are not limited",
        };
        write!(f, "{}: {unrestricted}", self.reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_lacking_is_a_sentence() {
        let mut entered = Entered::default();
        entered.lacks(Part::Files, "no Landlock in this kernel");
        assert_eq!(entered.lacking[0].to_string(), "no Landlock in this kernel: files are not restricted");
    }

    #[test]
    fn only_what_is_in_force_is_promised() {
        let all = Allowed {
            read: vec!["/a".into(), "/b c".into()],
            write: vec!["/d".into()],
            network: true,
            memory: None,
        };
        let mut entered = Entered::default();
        entered.has(Part::Network);
        let mut without_files = entered.clone();
        entered.has(Part::Files);
        let nothing = "no network, no writing, reading the libraries and the system's data";
        assert_eq!(entered.describe(&Allowed::default()), nothing);
        let everything =
            "network, writing `/d`, reading the libraries and the system's data, and `/a`, `/b c`";
        assert_eq!(entered.describe(&all), everything);
        without_files.lacks(Part::Files, "no Landlock");
        let lacking = "no network; no Landlock: files are not restricted";
        assert_eq!(without_files.describe(&Allowed::default()), lacking);
        let mut none = Entered::default();
        none.lacks(Part::Network, "no seccomp");
        assert_eq!(none.describe(&all), "no seccomp: the network is not restricted");
    }
}
