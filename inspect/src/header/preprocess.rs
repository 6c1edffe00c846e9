//! Runs the preprocessor of a C compiler over headers.

use std::ffi::OsString;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::{HeaderError, Options};

/// How many lines of the compiler's errors are shown.
const LINES: usize = 12;

/// The output of the preprocessor of one compiler; `None` if there is no such program.
pub(super) fn run(
    command: &[OsString],
    headers: &[PathBuf],
    options: &Options,
) -> Result<Option<String>, HeaderError> {
    let Some((program, arguments)) = command.split_first() else { return Ok(None) };
    match output(program, arguments, headers, options) {
        // Old comments may be in Latin-1, which is not a reason to fail.
        Ok(output) if output.status.success() => {
            Ok(Some(String::from_utf8_lossy(&output.stdout).into_owned()))
        }
        Ok(output) => {
            Err(complaint(&name(command), &String::from_utf8_lossy(&output.stderr), headers, options))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(source) => Err(HeaderError::Compiler { compiler: name(command), source }),
    }
}

/// The command line as text.
pub(super) fn name(command: &[OsString]) -> String {
    let words: Vec<_> = command.iter().map(|word| word.to_string_lossy()).collect();
    words.join(" ")
}

/// The first line of what a compiler says of itself; `None` if it does not start.
pub(super) fn version(command: &[OsString]) -> Option<String> {
    let (program, arguments) = command.split_first()?;
    let mut command = Command::new(program);
    let output = command.args(arguments).arg("--version").stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    output.status.success().then(|| text.lines().next().unwrap_or_default().trim().to_owned())
}

fn output(
    program: &OsString,
    arguments: &[OsString],
    headers: &[PathBuf],
    options: &Options,
) -> std::io::Result<std::process::Output> {
    let mut command = Command::new(program);
    command.args(arguments).args(&options.arguments);
    // `-C` keeps comments, `-dD` the macros and `-dI` the `#include` lines.
    command.args(["-E", "-C", "-dD", "-dI", "-x", "c"]);
    for folder in &options.include {
        command.arg("-I").arg(folder);
    }
    for define in &options.define {
        command.arg(format!("-D{define}"));
    }
    let mut child = command
        .arg("-")
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    if let Some(mut input) = child.stdin.take() {
        let lines: String =
            headers.iter().map(|header| format!("#include \"{}\"\n", header.display())).collect();
        let lines = format!("{}{lines}", super::sal::prelude());
        // If the compiler exits early, it reports the reason itself.
        _ = input.write_all(lines.as_bytes());
    }
    child.wait_with_output()
}

fn complaint(compiler: &str, message: &str, headers: &[PathBuf], options: &Options) -> HeaderError {
    let missing = |line: &&str| line.contains("No such file or directory") || line.contains("file not found");
    if let Some(line) = message.lines().find(missing)
        && line.contains("<stdin>")
        && let Some(header) = headers.iter().find(|header| line.contains(&header.display().to_string()))
    {
        return HeaderError::NotFound { header: header.clone(), include: options.include.clone() };
    }
    let lines: Vec<&str> = message.lines().filter(|line| !line.trim().is_empty()).take(LINES).collect();
    let message = if lines.is_empty() { "it reported no reason".to_owned() } else { lines.join("\n") };
    HeaderError::Preprocessor { compiler: compiler.to_owned(), message }
}
