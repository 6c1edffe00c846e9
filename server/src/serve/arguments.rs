//! The command line of a server, as the OpenTool guidelines define it.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use lexopt::Arg::{Long, Short, Value};
use lexopt::ValueExt;

use super::confinement::Confinement;
use super::isolation::{Isolation, seconds};
use crate::{Asking, DEFAULT_PORT, Guarded, Listing, Rules};

/// The command.
#[derive(Debug, PartialEq)]
pub(super) enum Command {
    Start(Box<Start>),
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
    /// Without the page for people.
    pub no_page: bool,
    pub host_names: Vec<String>,
    pub rules: Rules,
    pub confirm: Asking,
    pub listing: Listing,
    /// In bytes; `None` is without limit.
    pub large_result: Option<usize>,
    pub isolation: Isolation,
    pub confinement: Confinement,
    /// The options of workers that are given.
    pub of_workers: Vec<&'static str>,
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
            no_page: false,
            host_names: Vec::new(),
            rules: Rules::default(),
            confirm: Asking::default(),
            listing: Listing::default(),
            large_result: Some(Guarded::LARGE),
            isolation: Isolation::default(),
            confinement: Confinement::default(),
            of_workers: Vec::new(),
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
            Long("no-page") => start.no_page = true,
            Long("host-name") => start.host_names.push(parser.value()?.string()?),
            Long("allow" | "tools") => start.rules.allow.push(parser.value()?.string()?),
            Long("deny") => start.rules.deny.push(parser.value()?.string()?),
            Long("confirm") => start.confirm = parser.value()?.parse()?,
            Long("list") => start.listing = parser.value()?.parse()?,
            Long("large-result") => {
                let limit = parser.value()?.parse::<usize>()?;
                start.large_result = Some(limit).filter(|limit| *limit > 0);
            }
            Long("read-only") => start.rules.read_only = true,
            Long("in-process") => {
                start.isolation.in_process = true;
                start.of_workers.push("--in-process");
            }
            Long("deadline") => {
                start.isolation.deadline = duration(&mut parser)?;
                start.of_workers.push("--deadline");
            }
            Long("workers") => {
                start.isolation.workers = parser.value()?.parse::<usize>()?.max(1);
                start.of_workers.push("--workers");
            }
            Long("sessions") => {
                start.isolation.sessions = parser.value()?.parse::<usize>()?.max(1);
                start.of_workers.push("--sessions");
            }
            Long("idle") => {
                start.isolation.idle = duration(&mut parser)?;
                start.of_workers.push("--idle");
            }
            Long("handles") => {
                start.isolation.handles = parser.value()?.parse()?;
                start.of_workers.push("--handles");
            }
            Long("memory") => {
                start.isolation.memory = parser.value()?.parse()?;
                start.of_workers.push("--memory");
            }
            Long("allow-read") => {
                start.confinement.read.push(parser.value()?.into());
                start.of_workers.push("--allow-read");
            }
            Long("allow-write") => {
                start.confinement.write.push(parser.value()?.into());
                start.of_workers.push("--allow-write");
            }
            Long("allow-net") => {
                start.confinement.network = true;
                start.of_workers.push("--allow-net");
            }
            Long("no-sandbox") => {
                start.confinement.none = true;
                start.of_workers.push("--no-sandbox");
            }
            _ => return Err(argument.unexpected()),
        }
        first = false;
    }
    start.without_contradiction()?;
    Ok(Command::Start(Box::new(start)))
}

impl Start {
    /// Options of workers mean nothing without workers, and those of the sandbox nothing without a sandbox.
    fn without_contradiction(&self) -> Result<(), lexopt::Error> {
        let given = || self.of_workers.iter();
        let needs_workers = |name: &&&str| !matches!(**name, "--in-process" | "--deadline" | "--no-sandbox");
        let refused = [
            (self.isolation.in_process, "--in-process", given().find(needs_workers)),
            (self.confinement.none, "--no-sandbox", given().find(|name| name.starts_with("--allow-"))),
        ];
        match refused.into_iter().find_map(|(is_given, with, name)| Some((name.filter(|_| is_given)?, with)))
        {
            Some((name, with)) => {
                Err(lexopt::Error::Custom(format!("`{name}` cannot be used with `{with}`").into()))
            }
            None => Ok(()),
        }
    }
}

fn duration(parser: &mut lexopt::Parser) -> Result<Duration, lexopt::Error> {
    parser.value()?.parse_with(seconds).map(Duration::from_secs_f64)
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
        assert_eq!(parsed(""), Ok(Command::Start(Box::default())));
        assert_eq!(parsed("start"), parsed(""));
    }

    #[test]
    fn every_option_has_its_forms() {
        let all = Ok(Command::Start(Box::new(Start {
            host: "0.0.0.0".to_owned(),
            port: 80,
            keys: vec!["a".to_owned(), "b,c".to_owned()],
            version: Some("2.0.0".to_owned()),
            library: Some("/lib/libcalc.so".into()),
            mcp_stdio: true,
            no_key: true,
            no_page: true,
            host_names: vec!["a.example".to_owned()],
            rules: Rules { allow: vec!["a*".to_owned()], deny: vec!["b".to_owned()], read_only: true },
            confirm: Asking::Require,
            listing: Listing::Search,
            large_result: None,
            isolation: Isolation {
                in_process: false,
                deadline: Duration::from_millis(1500),
                workers: 3,
                sessions: 4,
                idle: Duration::from_secs(5),
                handles: 6,
                memory: 7,
            },
            confinement: Confinement {
                read: vec!["/a".into(), "/b".into()],
                write: vec!["/c".into()],
                network: true,
                none: false,
            },
            of_workers: vec![
                "--deadline",
                "--workers",
                "--sessions",
                "--idle",
                "--handles",
                "--memory",
                "--allow-read",
                "--allow-read",
                "--allow-write",
                "--allow-net",
            ],
        })));
        let policy = "--no-key --no-page --host-name a.example --allow a* --deny b --read-only --confirm require --list search --large-result 0 --deadline 1.5 --workers 3 \
                      --sessions 4 --idle 5 --handles 6 --memory 7 --allow-read /a --allow-read=/b --allow-write /c --allow-net";
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
    fn a_call_in_this_process_has_a_deadline_too() {
        let Ok(Command::Start(start)) = parsed("--in-process --deadline 2") else { panic!("it is allowed") };
        assert_eq!((start.isolation.in_process, start.isolation.deadline), (true, Duration::from_secs(2)));
    }

    #[test]
    fn mistakes_are_named() {
        for (line, message) in [
            ("stop", r#"unexpected argument "stop""#),
            ("start start", r#"unexpected argument "start""#),
            ("--port 80", "invalid option '--port'"),
            ("-t 65536", r#"cannot parse argument "65536": number too large to fit in target type"#),
            ("--confirm no", r#"cannot parse argument "no": expected off, ask or require"#),
            ("-t", "missing argument for option '-t'"),
            ("--deadline 0", r#"cannot parse argument "0": expected 0.001 to 1e9 seconds"#),
            ("--idle soon", r#"cannot parse argument "soon": expected a number of seconds"#),
            ("--in-process --workers 2", "`--workers` cannot be used with `--in-process`"),
            ("--memory 1 --in-process", "`--memory` cannot be used with `--in-process`"),
            ("--in-process --allow-net", "`--allow-net` cannot be used with `--in-process`"),
            ("--no-sandbox --allow-read /", "`--allow-read` cannot be used with `--no-sandbox`"),
        ] {
            assert_eq!(parsed(line), Err(message.to_owned()));
        }
    }
}
