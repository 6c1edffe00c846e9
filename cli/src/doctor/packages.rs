//! The package managers: which one is here, the command that installs something, and the package that owns a file.

use std::path::Path;
use std::process::{Command, Stdio};

/// A package manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manager {
    Apt,
    Dnf,
    Pacman,
    Brew,
    /// Apple's own tools, which bring a compiler, its headers and make.
    Xcode,
}

/// Something that packages have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// A compiler with the headers of the C library.
    Compiler,
    Make,
    Python,
}

/// Which package has what. What is not in the table is not known.
const PACKAGES: [(Manager, Need, &str); 11] = [
    (Manager::Apt, Need::Compiler, "apt-get install gcc libc6-dev"),
    (Manager::Apt, Need::Make, "apt-get install make"),
    (Manager::Apt, Need::Python, "apt-get install python3"),
    (Manager::Dnf, Need::Compiler, "dnf install gcc glibc-devel"),
    (Manager::Dnf, Need::Make, "dnf install make"),
    (Manager::Dnf, Need::Python, "dnf install python3"),
    (Manager::Pacman, Need::Compiler, "pacman -S gcc"),
    (Manager::Pacman, Need::Make, "pacman -S make"),
    (Manager::Pacman, Need::Python, "pacman -S python"),
    (Manager::Brew, Need::Python, "brew install python"),
    (Manager::Xcode, Need::Compiler, "xcode-select --install"),
];

impl Manager {
    /// The one that is here.
    pub(super) fn find() -> Option<Self> {
        if cfg!(target_os = "macos") {
            return Some(if has("brew") { Self::Brew } else { Self::Xcode });
        }
        let known =
            [("apt-get", Self::Apt), ("dnf", Self::Dnf), ("pacman", Self::Pacman), ("brew", Self::Brew)];
        known.into_iter().find(|(program, _)| has(program)).map(|(_, manager)| manager)
    }

    /// The command that installs it.
    pub(super) fn installing(self, need: Need) -> Option<String> {
        // Homebrew relies on Apple's compiler and make, which come together.
        let (manager, need) = match (self, need) {
            (Self::Brew, Need::Compiler | Need::Make) if cfg!(target_os = "macos") => {
                (Self::Xcode, Need::Compiler)
            }
            (Self::Xcode, Need::Make) => (Self::Xcode, Need::Compiler),
            other => other,
        };
        let (.., command) = PACKAGES.iter().find(|(of, what, _)| (*of, *what) == (manager, need))?;
        Some(match manager {
            Self::Apt | Self::Dnf | Self::Pacman => format!("as root: {command}"),
            Self::Brew | Self::Xcode => format!("run: {command}"),
        })
    }

    /// The command that tells which package has a library of this name.
    pub(super) fn providing(self, library: &str) -> Option<String> {
        match self {
            Self::Apt => {
                Some(format!("to find its package: apt-file search {library} (of the package apt-file)"))
            }
            Self::Dnf => Some(format!("to find its package: dnf provides '*/{library}'")),
            Self::Pacman => Some(format!("to find its package: pacman -F {library}")),
            Self::Brew | Self::Xcode => None,
        }
    }

    /// The package that a file is from, with its version.
    pub(super) fn owner(self, file: &Path) -> Option<String> {
        let shown = file.to_str()?;
        match self {
            Self::Apt => {
                // Where /lib is a link to /usr/lib, the database may have either name.
                let names = [Some(shown), shown.strip_prefix("/usr")];
                let said =
                    names.into_iter().flatten().find_map(|name| output("dpkg-query", &["-S", name]))?;
                let package = said.split_once(": ").map(|(package, _)| package.to_owned())?;
                output("dpkg-query", &["-W", "-f", "${Package} ${Version}", &package])
            }
            Self::Dnf => output("rpm", &["-qf", "--qf", "%{NAME} %{VERSION}-%{RELEASE}", shown]),
            Self::Pacman => {
                let said = output("pacman", &["-Qo", shown])?;
                said.split_once(" is owned by ").map(|(_, package)| package.to_owned())
            }
            Self::Brew | Self::Xcode => None,
        }
    }
}

fn has(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// The first line that a program writes, in English; `None` if it fails.
fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new(program);
    let run = command.args(arguments).env("LC_ALL", "C").stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8(run.stdout).ok().filter(|_| run.status.success())?;
    Some(text.lines().next()?.trim().to_owned()).filter(|line| !line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_manager_of_linux_installs_everything() {
        for manager in [Manager::Apt, Manager::Dnf, Manager::Pacman] {
            for need in [Need::Compiler, Need::Make, Need::Python] {
                assert!(
                    manager.installing(need).is_some_and(|help| help.starts_with("as root: ")),
                    "{need:?}"
                );
            }
            assert!(manager.providing("libz.so.1").is_some_and(|help| help.contains("libz.so.1")));
        }
        assert_eq!(Manager::Xcode.installing(Need::Make).as_deref(), Some("run: xcode-select --install"));
    }
}
