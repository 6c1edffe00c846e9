//! What the machine has: a compiler and its headers, make, Rust, Python, the parts of the kernel's sandbox.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use opendyn_inspect::header::{self, HeaderError};
use opentool_python::Interpreter;
use opentool_sandbox::{Allowed, Sandbox};

use super::Finding;
use super::packages::{Manager, Need};

/// The header that is read: every C library has it, and a compiler alone does not.
const HEADER: &str = "stdio.h";

/// What needs a compiler.
const IMPORT: &str = "`opendyn import` and `check --header` do not read C headers";

/// Everything. `scripts` says whether Python is needed for what was asked about.
pub(crate) fn of_machine(scripts: bool) -> Vec<Finding> {
    let manager = Manager::find();
    let installing = |need: Need| manager.and_then(|manager| manager.installing(need));
    let mut found = vec![command()];
    match header::compiler() {
        Ok((name, version)) => {
            found.push(Finding::ok("C compiler", format!("{name}: {version}")));
            found.push(headers(installing(Need::Compiler)));
        }
        Err(error) => {
            let compiler = Finding::lacking("C compiler", tried(&error), IMPORT);
            found.push(compiler.help(installing(Need::Compiler)));
        }
    }
    found.push(match version_of("make") {
        Some(version) => Finding::ok("make", version),
        None => Finding::lacking(
            "make",
            "there is no `make`",
            "`cargo install` cannot build this command: libffi needs it",
        )
        .help(installing(Need::Make)),
    });
    found.push(rust());
    found.push(python(scripts, installing(Need::Python)));
    found.push(sandbox());
    found
}

fn command() -> Finding {
    let path = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("opendyn"));
    Finding::ok("opendyn", format!("{}, {}", env!("CARGO_PKG_VERSION"), path.display()))
}

fn tried(error: &HeaderError) -> String {
    match error {
        HeaderError::NoCompiler { tried, .. } => format!("none: tried {}", tried.join(", ")),
        error => error.to_string(),
    }
}

/// Whether the compiler finds the headers of the C library, by reading one.
fn headers(help: Option<String>) -> Finding {
    match header::read(&[PathBuf::from(HEADER)], &header::Options::default()) {
        Ok(_) => Finding::ok("C headers", format!("<{HEADER}> can be read")),
        Err(error) => {
            let first = error.to_string();
            let first = first.lines().next().unwrap_or_default();
            Finding::lacking("C headers", first, IMPORT).help(help)
        }
    }
}

/// The Rust that compiles bindings, which must be new enough.
fn rust() -> Finding {
    const PART: &str = "Rust";
    const WITHOUT: &str = "`opendyn!` and `opendyn new` need it; `call`, `serve` and `mcp` do not";
    let needed = env!("CARGO_PKG_RUST_VERSION");
    let Some(line) = version_of("rustc").filter(|_| version_of("cargo").is_some()) else {
        return Finding::lacking(PART, "no `rustc` and `cargo`", WITHOUT)
            .help(Some("install it with rustup: the page of the Rust project says how".to_owned()));
    };
    let version = line.split_whitespace().nth(1).unwrap_or_default();
    if numbers(version) < numbers(needed) {
        return Finding::lacking(PART, format!("{line}, but {needed} is needed"), WITHOUT)
            .help(Some("rustup update stable".to_owned()));
    }
    Finding::ok(PART, line)
}

/// `[1, 95, 0]`, so that versions can be compared.
fn numbers(version: &str) -> Vec<u32> {
    let version = version.split(['-', '+']).next().unwrap_or_default();
    version.split('.').map(|part| part.parse().unwrap_or_default()).collect()
}

fn python(needed: bool, help: Option<String>) -> Finding {
    const PART: &str = "Python";
    if cfg!(not(unix)) {
        return Finding::lacking(PART, "scripts run on Unix", "Python scripts do not run");
    }
    match Interpreter::find() {
        Ok(found) => {
            let (major, minor, patch) = found.version();
            Finding::ok(PART, format!("{major}.{minor}.{patch}, {}", found.path().display()))
        }
        Err(error) if needed => Finding::failed(PART, error.to_string()).help(help),
        Err(error) => Finding::lacking(PART, error.to_string(), "Python scripts do not run").help(help),
    }
}

/// The parts that the kernel has, found by entering a sandbox in a thread.
fn sandbox() -> Finding {
    const PART: &str = "sandbox";
    let allowed = Allowed::default();
    match Sandbox::allowing(&allowed).probe() {
        Ok(entered) if entered.lacking.is_empty() => Finding::ok(PART, entered.describe(&allowed)),
        Ok(entered) => Finding::lacking(
            PART,
            entered.describe(&allowed),
            "`serve` and `mcp` restrict libraries less, and say so at their start",
        ),
        Err(error) => Finding::lacking(
            PART,
            error.to_string(),
            "`serve` and `mcp` do not start unless `--no-sandbox` is given",
        ),
    }
}

/// The first line of what a program says of its version; `None` if it does not start.
fn version_of(program: &str) -> Option<String> {
    let output = Command::new(program).arg("--version").stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    output.status.success().then(|| text.lines().next().unwrap_or_default().trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        assert!(numbers("1.100.0") > numbers("1.95"));
        assert!(numbers("1.95.0-nightly") >= numbers("1.95"));
        assert!(numbers("1.94.1") < numbers("1.95"));
    }
}
