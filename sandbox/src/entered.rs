//! Which parts of a sandbox are in force, and which the kernel lacks: for the message at start.

use std::fmt;

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
    #[cfg_attr(not(unix), allow(dead_code, reason = "no part is in force there"))]
    pub(crate) fn has(&mut self, part: Part) {
        self.in_force.push(part);
    }

    pub(crate) fn lacks(&mut self, part: Part, reason: &str) {
        self.lacking.push(Lacking { part, reason: reason.to_owned() });
    }
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
}
