//! Runs the preprocessor of a C compiler over headers.

use std::ffi::OsString;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::{Error, Options};

/// How many lines of the compiler's complaints are repeated.
const LINES: usize = 12;

/// The output of the preprocessor, and the name of the compiler that it belongs to.
pub(super) fn run(headers: &[PathBuf], options: &Options) -> Result<(String, String), Error> {
    let mut tried = Vec::new();
    for words in candidates(options) {
        let Some((program, arguments)) = words.split_first() else { continue };
        let name = program.to_string_lossy().into_owned();
        match output(program, arguments, headers, options) {
            Ok(output) if output.status.success() => {
                // Old comments are in Latin-1; what they say is not worth failing for.
                return Ok((String::from_utf8_lossy(&output.stdout).into_owned(), name));
            }
            Ok(output) => {
                return Err(complaint(&name, &String::from_utf8_lossy(&output.stderr), headers, options));
            }
            Err(error) if error.kind() == ErrorKind::NotFound => tried.push(name),
            Err(source) => return Err(Error::Compiler { compiler: name, source }),
        }
    }
    Err(Error::NoCompiler { tried })
}

/// The compilers to try, each with its first arguments: the one of the options, or that of `CC`, or those
/// that systems have.
fn candidates(options: &Options) -> Vec<Vec<OsString>> {
    if let Some(compiler) = &options.compiler {
        return vec![vec![compiler.clone()]];
    }
    // `CC` may carry arguments: `gcc -m32`.
    let named = std::env::var("CC").unwrap_or_default();
    let named: Vec<OsString> = named.split_whitespace().map(OsString::from).collect();
    if named.is_empty() { ["cc", "gcc", "clang"].map(|name| vec![name.into()]).into() } else { vec![named] }
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
        // A compiler that stops early says why on its own.
        _ = input.write_all(lines.as_bytes());
    }
    child.wait_with_output()
}

fn complaint(compiler: &str, message: &str, headers: &[PathBuf], options: &Options) -> Error {
    let missing = |line: &&str| line.contains("No such file or directory") || line.contains("file not found");
    if let Some(line) = message.lines().find(missing)
        && line.contains("<stdin>")
        && let Some(header) = headers.iter().find(|header| line.contains(&header.display().to_string()))
    {
        return Error::NotFound { header: header.clone(), include: options.include.clone() };
    }
    let lines: Vec<&str> = message.lines().filter(|line| !line.trim().is_empty()).take(LINES).collect();
    let message = if lines.is_empty() { "it says nothing".to_owned() } else { lines.join("\n") };
    Error::Preprocessor { compiler: compiler.to_owned(), message }
}
