//! The command line of a server, as the OpenTool guidelines define it.

use std::ffi::OsString;
use std::path::PathBuf;

use lexopt::Arg::{Long, Short, Value};
use lexopt::ValueExt;

use crate::{DEFAULT_PORT, Rules};

/// The command.
#[derive(Debug, PartialEq)]
pub(super) enum Command {
    Start(Start),
    Help,
    Version,
}

/// The settings of `start`.
#[derive(Debug, PartialEq)]
pub(super) struct Start {
    pub host: String,
    pub port: u16,
    pub keys: Vec<String>,
    /// The version that the server reports, if it is not that of the program.
    pub version: Option<String>,
    pub library: Option<PathBuf>,
    pub mcp_stdio: bool,
    pub no_key: bool,
    pub host_names: Vec<String>,
    pub rules: Rules,
}

impl Default for Start {
    fn default() -> Self {
        Self {
            host: "127.0.0.1".to_owned(),
            port: DEFAULT_PORT,
            keys: Vec::new(),
            version: None,
            library: None,
            mcp_stdio: false,
            no_key: false,
            host_names: Vec::new(),
            rules: Rules::default(),
        }
    }
}

/// Reads the arguments after the name of the program.
pub(super) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, lexopt::Error> {
    let mut parser = lexopt::Parser::from_args(arguments);
    let mut start = Start::default();
    let mut first = true;
    while let Some(argument) = parser.next()? {
        match argument {
            Value(command) if first && command == "start" => {}
            Short('h') | Long("help") => return Ok(Command::Help),
            // In the guidelines `--version` has a value; without one it prints the version, as usual.
            Short('v') | Long("version" | "opentoolServerTag") => match given(&mut parser)? {
                Some(version) => start.version = Some(version.string()?),
                None => return Ok(Command::Version),
            },
            Short('t') | Long("toolPort" | "opentoolServerPort") => start.port = parser.value()?.parse()?,
            Short('k') | Long("apiKeys" | "opentoolServerApiKeys") => {
                start.keys.push(parser.value()?.string()?)
            }
            Long("host" | "opentoolServerHost") => start.host = parser.value()?.string()?,
            Long("library") => start.library = Some(parser.value()?.into()),
            Long("mcp-stdio") => start.mcp_stdio = true,
            Long("no-key") => start.no_key = true,
            Long("host-name") => start.host_names.push(parser.value()?.string()?),
            Long("allow") => start.rules.allow.push(parser.value()?.string()?),
            Long("deny") => start.rules.deny.push(parser.value()?.string()?),
            Long("read-only") => start.rules.read_only = true,
            _ => return Err(argument.unexpected()),
        }
        first = false;
    }
    Ok(Command::Start(start))
}

/// The value of the option just read, if it has one.
fn given(parser: &mut lexopt::Parser) -> Result<Option<OsString>, lexopt::Error> {
    if let Some(value) = parser.optional_value() {
        return Ok(Some(value));
    }
    match parser.values() {
        Ok(mut values) => Ok(values.next()),
        Err(lexopt::Error::MissingValue { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Command, String> {
        parse(line.split_whitespace().map(OsString::from)).map_err(|error| error.to_string())
    }

    #[test]
    fn no_arguments_start_with_the_defaults() {
        assert_eq!(parsed(""), Ok(Command::Start(Start::default())));
        assert_eq!(parsed("start"), parsed(""));
    }

    #[test]
    fn every_option_has_its_forms() {
        let all = Ok(Command::Start(Start {
            host: "0.0.0.0".to_owned(),
            port: 80,
            keys: vec!["a".to_owned(), "b,c".to_owned()],
            version: Some("2.0.0".to_owned()),
            library: Some("/lib/libcalc.so".into()),
            mcp_stdio: true,
            no_key: true,
            host_names: vec!["a.example".to_owned()],
            rules: Rules { allow: vec!["a*".to_owned()], deny: vec!["b".to_owned()], read_only: true },
        }));
        let policy = "--no-key --host-name a.example --allow a* --deny b --read-only";
        let rest = format!("--host=0.0.0.0 --library /lib/libcalc.so --mcp-stdio {policy}");
        assert_eq!(
            parsed(&format!("start --version 2.0.0 --toolPort 80 --apiKeys a --apiKeys b,c {rest}")),
            all
        );
        assert_eq!(parsed(&format!("-v 2.0.0 -t80 -k a -kb,c {rest}")), all);
        let tag = "--opentoolServerTag=2.0.0 --opentoolServerHost 0.0.0.0 --opentoolServerPort 80";
        let keys = "--opentoolServerApiKeys a --opentoolServerApiKeys b,c";
        assert_eq!(
            parsed(&format!("start {tag} {keys} --library /lib/libcalc.so --mcp-stdio {policy}")),
            all
        );
    }

    #[test]
    fn a_version_without_a_value_prints_that_of_the_program() {
        for line in ["--version", "-v", "start -v", "start --version --host ::1"] {
            assert_eq!(parsed(line), Ok(Command::Version), "{line}");
        }
    }

    #[test]
    fn help_is_printed_with_any_arguments() {
        for line in ["--help", "-h", "start --help"] {
            assert_eq!(parsed(line), Ok(Command::Help), "{line}");
        }
    }

    #[test]
    fn mistakes_are_named() {
        for (line, message) in [
            ("stop", r#"unexpected argument "stop""#),
            ("start start", r#"unexpected argument "start""#),
            ("--port 80", "invalid option '--port'"),
            ("-t 65536", r#"cannot parse argument "65536": number too large to fit in target type"#),
            ("-t", "missing argument for option '-t'"),
        ] {
            assert_eq!(parsed(line), Err(message.to_owned()));
        }
    }
}
