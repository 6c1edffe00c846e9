//! The compilers that headers are read with: the one that the caller or `CC` names, those of this machine, or
//! those for the target of a foreign library.

use std::ffi::OsString;

use super::Options;

/// The compilers to try, in order, each with its first arguments.
pub(super) struct Compilers {
    pub commands: Vec<Vec<OsString>>,
    /// Whether they are for another target than this machine. Some may lack the headers of its C library,
    /// which the next may have.
    pub foreign: bool,
}

impl Compilers {
    pub fn of(options: &Options) -> Self {
        if let Some(compiler) = &options.compiler {
            return Self { commands: vec![vec![compiler.clone()]], foreign: false };
        }
        // `CC` may include arguments: `gcc -m32`.
        let named = std::env::var("CC").unwrap_or_default();
        let named: Vec<OsString> = named.split_whitespace().map(OsString::from).collect();
        if !named.is_empty() {
            return Self { commands: vec![named], foreign: false };
        }
        match options.triple.as_deref().map(Machine::of).filter(|machine| *machine != Machine::host()) {
            Some(machine) => Self { commands: machine.commands(), foreign: true },
            None => {
                Self { commands: ["cc", "gcc", "clang"].map(|name| vec![name.into()]).into(), foreign: false }
            }
        }
    }
}

/// The part of a triple that the choice of a compiler depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Machine {
    architecture: String,
    system: System,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum System {
    /// Linux and other systems with ELF.
    Unix,
    Windows {
        gnu: bool,
    },
    Apple,
}

impl Machine {
    fn of(triple: &str) -> Self {
        let architecture = match triple.split('-').next().unwrap_or(triple) {
            "amd64" => "x86_64",
            "arm64" | "arm64e" => "aarch64",
            "x86" | "i386" | "i486" | "i586" => "i686",
            name => name,
        };
        let system = if triple.contains("windows") || triple.contains("mingw") {
            System::Windows { gnu: !triple.contains("msvc") }
        } else if triple.contains("apple") || triple.contains("darwin") {
            System::Apple
        } else {
            System::Unix
        };
        Self { architecture: architecture.to_owned(), system }
    }

    fn host() -> Self {
        let system = match std::env::consts::OS {
            "windows" => System::Windows { gnu: cfg!(target_env = "gnu") },
            "macos" => System::Apple,
            _ => System::Unix,
        };
        Self { system, ..Self::of(std::env::consts::ARCH) }
    }

    /// The usual names of its compilers.
    fn commands(&self) -> Vec<Vec<OsString>> {
        let architecture = &self.architecture;
        let clang = |system: &str| format!("clang --target={architecture}-{system}");
        let lines = match self.system {
            System::Windows { gnu } => {
                let mingw = format!("{architecture}-w64-mingw32-gcc");
                // They differ in `long double`.
                if gnu {
                    vec![mingw, clang("w64-windows-gnu")]
                } else {
                    vec![clang("pc-windows-msvc"), mingw]
                }
            }
            System::Apple => vec![clang("apple-darwin")],
            System::Unix if architecture.starts_with("arm") => {
                vec![
                    "arm-linux-gnueabihf-gcc".to_owned(),
                    "arm-linux-gnueabi-gcc".to_owned(),
                    clang("linux-gnueabihf"),
                ]
            }
            System::Unix => {
                let mut lines = vec![format!("{architecture}-linux-gnu-gcc")];
                // Compilers for 64-bit x86 often support 32-bit too.
                if architecture == "i686" && Self::host() == Self::of("x86_64-linux") {
                    lines.push("cc -m32".to_owned());
                }
                lines.push(clang("linux-gnu"));
                lines
            }
        };
        let words = |line: String| line.split(' ').map(OsString::from).collect();
        lines.into_iter().map(words).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(triple: &str) -> Vec<String> {
        let line = |words: Vec<OsString>| {
            let words: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
            words.join(" ")
        };
        Machine::of(triple).commands().into_iter().map(line).collect()
    }

    #[test]
    fn each_target_has_the_compilers_that_systems_have_for_it() {
        assert_eq!(
            lines("x86_64-pc-windows-msvc"),
            ["clang --target=x86_64-pc-windows-msvc", "x86_64-w64-mingw32-gcc"]
        );
        assert_eq!(
            lines("i686-pc-windows-gnu"),
            ["i686-w64-mingw32-gcc", "clang --target=i686-w64-windows-gnu"]
        );
        assert_eq!(
            lines("aarch64-unknown-linux-gnu"),
            ["aarch64-linux-gnu-gcc", "clang --target=aarch64-linux-gnu"]
        );
        assert_eq!(lines("arm64-apple-darwin"), ["clang --target=aarch64-apple-darwin"]);
    }

    #[test]
    fn a_library_of_this_machine_is_not_foreign() {
        assert_eq!(Machine::of("x86_64-unknown-linux-gnu"), Machine::of("amd64-linux"));
        assert_ne!(Machine::of("x86_64-unknown-linux-gnu"), Machine::of("x86_64-apple-darwin"));
        assert_ne!(Machine::of("x86_64-unknown-linux-gnu"), Machine::of("aarch64-unknown-linux-gnu"));
    }
}
