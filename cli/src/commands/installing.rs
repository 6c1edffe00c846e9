//! `opendyn mcp --install CLIENT`: this command line, as an entry in the configuration of a client.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::parser::ValueSource;
use clap::{ArgAction, ArgMatches, Args, ValueHint};

use crate::arguments;
use crate::ask;
use crate::clients::{Change, Client, Folders};
use crate::failure::{Failure, Outcome};
use crate::tool::{self, Wanted};

/// Only for these: a heading of the group would be that of what follows too.
const HEADING: &str = "Installation";

#[derive(Args)]
pub(super) struct Installing {
    /// Write this command line into the configuration of a client, after showing the change: claude
    /// (Claude Desktop), claude-code, vscode, cursor
    #[arg(long, value_name = "CLIENT", help_heading = HEADING, hide_possible_values = true)]
    install: Option<Client>,
    /// Take the entry out of the configuration again
    #[arg(long, help_heading = HEADING, requires = "install")]
    remove: bool,
    /// The name of the entry; otherwise the titles of the documents
    #[arg(long = "as", value_name = "NAME", help_heading = HEADING, requires = "install")]
    name: Option<String>,
    /// Use the client's file in this folder, not that of the user
    #[arg(long, help_heading = HEADING, requires = "install")]
    project: bool,
    /// Use this file as the client's configuration
    #[arg(long, value_name = "FILE", help_heading = HEADING, requires = "install", conflicts_with = "project")]
    config: Option<PathBuf>,
    /// Do not ask
    #[arg(short, long, help_heading = HEADING, requires = "install")]
    yes: bool,
}

/// The options of this group, which are not written into the configuration.
const OWN: [&str; 8] = ["install", "remove", "name", "project", "config", "yes", "color", "help"];

impl Installing {
    /// The client, if this is what is asked for.
    pub(super) fn client(&self) -> Option<Client> {
        self.install
    }

    pub(super) fn run(self, client: Client, wanted: impl FnOnce() -> Outcome<Wanted>) -> Outcome {
        let path = match &self.config {
            Some(path) => absolute(path)?,
            None => client.file(&Folders::of_user()?, self.project)?,
        };
        let shown = path.display().to_string();
        let (change, name) = if self.remove {
            let name = match self.name {
                Some(name) => name,
                // A document or library that is gone may be why it is taken out.
                None => named(&wanted().and_then(tool::readable).map_err(|failure| {
                    let help = "--as NAME names the entry, whatever there is of its documents";
                    if failure.is_shown() { failure } else { failure.help(help) }
                })?),
            };
            (Change::removing(client, path, &name)?, name)
        } else {
            // What does not work now would not work in the client either, where nobody sees why.
            let titles = tool::readable(wanted()?)?;
            let name = self.name.unwrap_or_else(|| named(&titles));
            let entry = client.entry(&this_command()?, &line()?);
            (Change::adding(client, path, &name, &entry)?, name)
        };
        let Some(change) = change else {
            let there = if self.remove { "is not in" } else { "is already in" };
            anstream::eprintln!("`{name}` {there} `{shown}`, which stays as it is");
            return Ok(ExitCode::SUCCESS);
        };
        change.show();
        if !self.yes {
            match ask::agrees("Write this?")? {
                Some(true) => {}
                Some(false) => return Err(Failure::new("nothing was written")),
                None => return Err(Failure::new("nothing was written").help("--yes writes without asking")),
            }
        }
        let written = change.write()?;
        let written = written.display();
        if self.remove {
            anstream::eprintln!("`{name}` is no longer in `{written}`");
        } else {
            anstream::eprintln!("`{name}` is in `{written}`; {}", client.then());
            anstream::eprintln!("the same command with --remove takes it out again");
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The name of an entry: the titles of what is served, in the characters that every client takes.
fn named(titles: &[String]) -> String {
    let letter = |character: char| match character {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '_' => character,
        _ => '-',
    };
    let name: String = titles.join("-").chars().map(letter).collect();
    let name = name.trim_matches('-');
    if name.is_empty() { "opendyn".to_owned() } else { name.to_owned() }
}

/// The absolute path of this command: a client has another folder, and often another PATH.
fn this_command() -> Outcome<String> {
    let path = std::env::current_exe().map_err(|error| Failure::new(format!("this command: {error}")))?;
    text(&path)
}

/// The arguments of this process without those of this group, with absolute paths.
fn line() -> Outcome<Vec<String>> {
    let command = arguments::command();
    let matches = command.clone().get_matches();
    let (Some(("mcp", given)), Some(command)) = (matches.subcommand(), command.find_subcommand("mcp")) else {
        return Err(Failure::new("--install is an option of `opendyn mcp`"));
    };
    again(command, given)
}

/// What was given, as arguments: `mcp`, the documents, the options.
fn again(command: &clap::Command, given: &ArgMatches) -> Outcome<Vec<String>> {
    let (mut files, mut options) = (Vec::new(), Vec::new());
    for argument in command.get_arguments() {
        let id = argument.get_id().as_str();
        if OWN.contains(&id) || given.value_source(id) != Some(ValueSource::CommandLine) {
            continue;
        }
        if matches!(argument.get_action(), ArgAction::SetTrue) {
            options.extend(argument.get_long().map(|long| format!("--{long}")));
            continue;
        }
        for value in given.get_raw(id).into_iter().flatten() {
            let value = match argument.get_value_hint() {
                // The loader searches for a bare name, and an empty one is the document's own.
                _ if id == "libraries" => match tool::located(Path::new(value))? {
                    Some(path) => text(&path)?,
                    None => String::new(),
                },
                ValueHint::AnyPath => text(&absolute(Path::new(value))?)?,
                _ => text(Path::new(value))?,
            };
            match argument.get_long() {
                None => files.push(value),
                // `--deny -x` would be two options.
                Some(long) if value.starts_with('-') => options.push(format!("--{long}={value}")),
                Some(long) => options.extend([format!("--{long}"), value]),
            }
        }
    }
    Ok(std::iter::once("mcp".to_owned()).chain(files).chain(options).collect())
}

fn absolute(path: &Path) -> Outcome<PathBuf> {
    std::path::absolute(path).map_err(|error| Failure::new(format!("`{}`: {error}", path.display())))
}

fn text(path: &Path) -> Outcome<String> {
    let text = path.to_str().map(str::to_owned);
    text.ok_or_else(|| {
        Failure::new(format!("the name `{}` is not text, and cannot be in JSON", path.display()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line_of(arguments: &[&str]) -> Vec<String> {
        let command = arguments::command();
        let words = ["opendyn", "mcp"].iter().chain(arguments);
        let matches = command.clone().try_get_matches_from(words).expect("it is documented");
        let (_, given) = matches.subcommand().expect("mcp");
        again(command.find_subcommand("mcp").expect("mcp"), given).expect("text")
    }

    #[test]
    fn the_entry_has_every_option_and_absolute_paths() {
        let here = |file: &str| std::path::absolute(file).expect("a path").display().to_string();
        assert_eq!(
            line_of(&[
                "--install",
                "claude",
                "a.json",
                "--yes",
                "--as",
                "x",
                "--deny",
                "f*",
                "b.py",
                "--library",
                "liba.so",
                "--deny=-g",
                "--read-only",
                "--allow-read",
                "src",
                "--env",
                "HOME",
                "--deadline",
                "5",
                "--color=never",
            ]),
            [
                "mcp",
                &here("a.json"),
                &here("b.py"),
                "--library",
                "liba.so",
                "--env",
                "HOME",
                "--deadline",
                "5",
                "--allow-read",
                &here("src"),
                "--deny",
                "f*",
                "--deny=-g",
                "--read-only",
            ]
        );
        assert_eq!(line_of(&["a.json", "--library", "", "--library", "./src/main.rs"])[3], "");
    }

    #[test]
    fn the_options_of_the_group_are_all_left_out() {
        let command = arguments::command();
        let mcp = command.find_subcommand("mcp").expect("mcp");
        let of_group = |argument: &&clap::Arg| argument.get_help_heading() == Some(HEADING);
        for argument in mcp.get_arguments().filter(of_group) {
            assert!(OWN.contains(&argument.get_id().as_str()), "{}", argument.get_id());
        }
    }

    #[test]
    fn a_name_has_characters_that_every_client_takes() {
        let named =
            |titles: &[&str]| named(&titles.iter().map(|title| (*title).to_owned()).collect::<Vec<_>>());
        assert_eq!(named(&["zlib", "cpu_query"]), "zlib-cpu_query");
        assert_eq!(named(&["Other sums é"]), "Other-sums");
        assert_eq!(named(&["库"]), "opendyn");
    }
}
