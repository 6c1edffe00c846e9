//! Shows the progress of a build: a bar on a terminal, otherwise one line at the start and one at the end.

use std::collections::HashSet;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use super::HostRole;
use super::project::Project;

/// The width of a full bar in characters.
const WIDTH: usize = 24;
/// The maximum length shown of a crate's name, so that the bar stays on one line.
const NAME: usize = 20;

/// A running build. All output goes to stderr.
pub(super) struct Progress {
    terminal: bool,
    started: Instant,
    /// The number of packages; 0 while there is no bar.
    total: usize,
    done: HashSet<String>,
}

impl Progress {
    pub(super) fn start(project: &Project) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let what = match (&project.documents[..], project.scripts) {
            ([], _) => "Python scripts".to_owned(),
            ([one], false) => one.clone(),
            ([one], true) => format!("{one} and Python scripts"),
            (several, false) => format!("{} documents", several.len()),
            (several, true) => format!("{} documents and Python scripts", several.len()),
        };
        let does = match project.role {
            HostRole::Call => "calls",
            HostRole::Serve => "serves",
        };
        anstream::eprintln!("opendyn: compiling a program that {does} {what}, once");
        Self { terminal, started: Instant::now(), total: 0, done: HashSet::new() }
    }

    /// Reports that crates are being fetched.
    pub(super) fn fetching(&self) {
        anstream::eprintln!("opendyn: fetching its dependencies");
    }

    /// Sets the number of packages.
    pub(super) fn expect(&mut self, total: usize) {
        self.total = total;
        self.draw("");
    }

    /// Counts a package that is compiled, now or earlier.
    pub(super) fn compiled(&mut self, package: &str, name: &str) {
        self.done.insert(package.to_owned());
        self.draw(name);
    }

    pub(super) fn end(&mut self) {
        self.clear();
        self.total = 0;
        anstream::eprintln!("opendyn: compiled in {}", shown(self.started.elapsed()));
    }

    fn draw(&self, name: &str) {
        if self.terminal {
            anstream::eprint!("\r\x1b[K{}", bar(self.done.len(), self.total, name));
            // A lost terminal does not matter.
            let _ = std::io::stderr().flush();
        }
    }

    fn clear(&self) {
        if self.terminal && self.total > 0 {
            anstream::eprint!("\r\x1b[K");
        }
    }
}

/// Ends the bar, so that an error starts on its own line.
impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

fn bar(done: usize, total: usize, name: &str) -> String {
    let total = total.max(done).max(1);
    let full = WIDTH * done / total;
    let name: String = name.chars().take(NAME).collect();
    format!("  [{}{}] {done}/{total} {name}", "=".repeat(full), " ".repeat(WIDTH - full))
}

fn shown(time: Duration) -> String {
    match time.as_secs() {
        0 => format!("{} ms", time.as_millis()),
        seconds @ 1..60 => format!("{seconds} s"),
        seconds => format!("{} min {} s", seconds / 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_never_more_than_full_nor_wider_than_a_terminal() {
        assert_eq!(bar(0, 0, ""), format!("  [{}] 0/1 ", " ".repeat(WIDTH)));
        assert_eq!(bar(30, 20, "x"), format!("  [{}] 30/30 x", "=".repeat(WIDTH)));
        assert!(bar(999, 1000, &"n".repeat(99)).len() < 80);
    }

    #[test]
    fn times_are_for_people() {
        let times = [40, 1_900, 61_000].map(|millis| shown(Duration::from_millis(millis)));
        assert_eq!(times, ["40 ms", "1 s", "1 min 1 s"]);
    }
}
