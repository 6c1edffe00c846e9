//! The standard streams of the process, which libraries must not use: they are taken before a library is opened.

use std::io::{self, ErrorKind, Read, Write};

use crate::failure::{Failure, Outcome};

/// Standard input and output. From now on, output that a library prints goes to standard error.
#[cfg(unix)]
pub(crate) fn take() -> Outcome<(std::fs::File, std::fs::File)> {
    opentool_server::stdio::take()
        .map_err(|error| Failure::new(format!("cannot take the standard streams: {error}")))
}

/// Standard input and output, which a library can use too.
#[cfg(not(unix))]
pub(crate) fn take() -> Outcome<(io::Stdin, io::Stdout)> {
    Ok((io::stdin(), io::stdout()))
}

/// The arguments of a call; `-` reads them from `input`, where nothing means that there are none.
pub(crate) fn arguments(given: &str, mut input: impl Read) -> Outcome<String> {
    if given != "-" {
        return Ok(given.to_owned());
    }
    let mut read = String::new();
    input
        .read_to_string(&mut read)
        .map_err(|error| Failure::new(format!("cannot read the arguments: {error}")))?;
    Ok(if read.trim().is_empty() { "{}".to_owned() } else { read })
}

/// Writes a line. Not `println!`, because standard output has been redirected. If the reader closes the pipe, as
/// `head` does, the command ends silently.
pub(super) fn write(output: &mut impl Write, line: &str) -> Outcome<()> {
    let written = output.write_all(line.as_bytes()).and_then(|()| output.write_all(b"\n"));
    match written.and_then(|()| output.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) => Err(Failure::new(format!("cannot write the result: {error}"))),
    }
}

/// Whether results are for a person. It must be asked before the streams are taken.
pub(crate) fn is_terminal() -> bool {
    io::IsTerminal::is_terminal(&io::stdout())
}
