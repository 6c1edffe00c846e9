//! Compiles a host: finds cargo, fetches dependencies, builds the program and installs it.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use serde_json::Value;

use super::cache::Cache;
use super::progress::Progress;
use super::project::Project;
use crate::failure::{Failure, Outcome};

/// The number of log lines shown.
const SHOWN_LINES: usize = 15;

/// A cargo of a sufficient version.
pub(super) struct Toolchain {
    cargo: PathBuf,
}

impl Toolchain {
    /// The cargo on `PATH`, or in rustup's folder: programs that are not started from a shell often have a
    /// short `PATH`.
    pub(super) fn find() -> Outcome<Self> {
        let name = format!("cargo{}", std::env::consts::EXE_SUFFIX);
        let on_path = std::env::var_os("PATH");
        let on_path = on_path.iter().flat_map(std::env::split_paths);
        let home = std::env::home_dir().map(|home| home.join(".cargo"));
        let of_rustup = std::env::var_os("CARGO_HOME").map(PathBuf::from).into_iter().chain(home);
        let mut places =
            on_path.chain(of_rustup.map(|home| home.join("bin"))).map(|folder| folder.join(&name));
        let cargo = places.find(|cargo| cargo.is_file()).ok_or_else(|| {
            Failure::new("cargo was not found: it compiles a program for the document, once")
                .help("install Rust from https://rustup.rs, or put cargo on the PATH")
        })?;
        let toolchain = Self { cargo };
        toolchain.check_version()?;
        Ok(toolchain)
    }

    /// The error of an older cargo would be about editions.
    fn check_version(&self) -> Outcome<()> {
        let output =
            Command::new(&self.cargo).arg("--version").output().map_err(|error| self.not_started(&error))?;
        let text = String::from_utf8_lossy(&output.stdout);
        if !output.status.success() {
            let answer = String::from_utf8_lossy(&output.stderr);
            return Err(Failure::new(format!("`{}` does not work: {}", self.cargo.display(), answer.trim()))
                .help("install Rust from https://rustup.rs"));
        }
        let needed = env!("CARGO_PKG_RUST_VERSION");
        match text.split_whitespace().nth(1) {
            Some(version) if is_older(version, needed) => {
                Err(Failure::new(format!("Rust {needed} or newer is needed, but this is {version}"))
                    .help("`rustup update` installs the newest; https://rustup.rs installs rustup"))
            }
            _ => Ok(()),
        }
    }

    /// Compiles `project`, which is already written, and installs the program.
    pub(super) fn build(&self, project: &Project, cache: &Cache, key: &str) -> Outcome<()> {
        let build = Build {
            cargo: &self.cargo,
            folder: cache.host(key),
            cache,
            log: cache.host(key).join("build.log"),
        };
        let mut progress = Progress::start(project);
        let total = match build.count_packages() {
            Some(total) => total,
            None => {
                progress.fetching();
                build.fetch()?;
                build.count_packages().unwrap_or_default()
            }
        };
        progress.expect(total);
        let program = build.compile(&mut progress)?;
        cache.install(key, &program)?;
        progress.end();
        Ok(())
    }

    fn not_started(&self, error: &std::io::Error) -> Failure {
        Failure::new(format!("cannot start `{}`: {error}", self.cargo.display()))
    }
}

/// One build.
struct Build<'b> {
    cargo: &'b Path,
    folder: PathBuf,
    cache: &'b Cache,
    log: PathBuf,
}

impl Build<'_> {
    /// Runs in the folder of the host, because the configuration of the user's folder is for other crates.
    fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.cargo);
        command.args(arguments).current_dir(&self.folder).stdin(Stdio::null());
        command
    }

    /// The number of packages to compile; `None` if they are not all on this machine.
    fn count_packages(&self) -> Option<usize> {
        let target = env!("OPENDYN_TARGET");
        let arguments = ["metadata", "--offline", "--format-version", "1", "--filter-platform", target];
        let output = self.cargo(&arguments).stderr(Stdio::null()).output().ok()?;
        let metadata: Value = serde_json::from_slice(&output.stdout).ok()?;
        metadata["resolve"]["nodes"].as_array().map(Vec::len).filter(|_| output.status.success())
    }

    fn fetch(&self) -> Outcome<()> {
        let mut command = self.cargo(&["fetch", "--target", env!("OPENDYN_TARGET")]);
        let status = self.logged(&mut command)?.status().map_err(|error| self.not_run(&error))?;
        if status.success() {
            return Ok(());
        }
        Err(Failure::new(format!(
            "the crates for the program are not on this machine and cannot be fetched\n{}",
            self.last_lines()
        ))
        .help("run it once with a network; afterwards it works without"))
    }

    /// Runs cargo, reports every crate to `progress`, and returns the path of the program.
    fn compile(&self, progress: &mut Progress) -> Outcome<PathBuf> {
        let mut command = self.cargo(&["build", "--release", "--offline", "--message-format"]);
        command.arg("json-render-diagnostics").arg("--target-dir").arg(self.cache.target());
        let mut child = self
            .logged(&mut command)?
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| self.not_run(&error))?;
        let mut program = None;
        for line in child.stdout.take().into_iter().flat_map(|output| BufReader::new(output).lines()) {
            let Ok(message) = line.map(|line| serde_json::from_str::<Value>(&line).unwrap_or_default())
            else {
                break;
            };
            if message["reason"] != "compiler-artifact" || is_build_script(&message) {
                continue;
            }
            if let Some(executable) = message["executable"].as_str() {
                program = Some(PathBuf::from(executable));
            }
            let package = message["package_id"].as_str().unwrap_or_default();
            progress.compiled(package, message["target"]["name"].as_str().unwrap_or_default());
        }
        let status = child.wait().map_err(|error| self.not_run(&error))?;
        program.filter(|_| status.success()).ok_or_else(|| self.not_compiled(status))
    }

    /// Redirects cargo's output to the log.
    fn logged<'c>(&self, command: &'c mut Command) -> Outcome<&'c mut Command> {
        let log = || {
            let mut file = File::options().create(true).append(true).open(&self.log)?;
            writeln!(file, "$ {command:?}")?;
            Ok(file)
        };
        let file = log().map_err(|error: std::io::Error| {
            Failure::new(format!("cannot write `{}`: {error}", self.log.display()))
        })?;
        Ok(command.stderr(file))
    }

    fn last_lines(&self) -> String {
        let log = std::fs::read(&self.log).unwrap_or_default();
        let log = String::from_utf8_lossy(&log);
        let lines: Vec<&str> = log.lines().collect();
        let shown = &lines[lines.len().saturating_sub(SHOWN_LINES)..];
        shown.iter().map(|line| format!("  | {line}")).collect::<Vec<_>>().join("\n")
    }

    fn not_run(&self, error: &std::io::Error) -> Failure {
        Failure::new(format!("cannot run `{}`: {error}", self.cargo.display()))
    }

    fn not_compiled(&self, status: ExitStatus) -> Failure {
        Failure::new(format!("the program does not compile ({status})\n{}", self.last_lines())).help(format!(
            "the document has no errors, so this is a bug in opendyn or in the toolchain; the log is in `{}`",
            self.log.display()
        ))
    }
}

fn is_build_script(message: &Value) -> bool {
    message["target"]["kind"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "custom-build"))
}

/// Whether `version`, such as `1.95.0-nightly`, comes before `needed`, such as `1.95`.
fn is_older(version: &str, needed: &str) -> bool {
    let numbers = |version: &str| -> Vec<u64> {
        let plain = version.split(['-', '+']).next().unwrap_or_default();
        plain.split('.').take(2).map(|part| part.parse().unwrap_or_default()).collect()
    };
    numbers(version) < numbers(needed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        for (version, needed, older) in [
            ("1.95.0", "1.95", false),
            ("1.100.0", "1.95", false),
            ("1.94.1", "1.95", true),
            ("1.95.0-nightly", "1.95", false),
            ("2.0.0", "1.95", false),
            ("1.9.0", "1.95", true),
        ] {
            assert_eq!(is_older(version, needed), older, "{version} {needed}");
        }
    }
}
