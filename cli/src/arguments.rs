//! The command line as a whole: its help, its colours, and the subcommand.

use anstream::ColorChoice;
use clap::{CommandFactory, FromArgMatches, Parser, ValueEnum};

use crate::commands::{Command, GROUPS};

/// Describe a native library once; check, call and serve it from the description
#[derive(Parser)]
#[command(name = "opendyn", version, subcommand_required = true, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// Colours; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_default_value = true)]
    #[arg(hide_possible_values = true)]
    color: Color,
}

/// Whether to write colours.
#[derive(Clone, Copy, Default, ValueEnum)]
enum Color {
    /// On a terminal, unless `NO_COLOR` is set
    #[default]
    Auto,
    /// Into pipes and files too
    Always,
    /// Not at all
    Never,
}

/// The requested subcommand. Help, version and usage errors end the process here.
pub(crate) fn parse() -> Command {
    let color = color_of(std::env::args_os().skip(1));
    let mut command = command();
    if let Some(color) = color {
        color.apply();
        command = command.color(color.of_clap());
    }
    let matches = command.get_matches();
    match Arguments::from_arg_matches(&matches) {
        Ok(arguments) => arguments.command,
        Err(error) => error.exit(),
    }
}

/// The command with all its subcommands, for help, completions and manual pages.
pub(crate) fn command() -> clap::Command {
    let command = Arguments::command();
    let help = grouped(&command);
    command.help_template(format!(
        "{{about}}\n\n{{usage-heading}} {{usage}}\n{help}\n\nOptions:\n{{options}}\n\n\
         To begin with: opendyn init ./libfoo.so foo.h\n\n\
         `opendyn COMMAND --help` explains a command. Exit status: 0 success, 1 the document or the\n\
         library is at fault, 2 the command failed.\n"
    ))
}

/// The list of subcommands, grouped under headings.
fn grouped(command: &clap::Command) -> String {
    let mut help = String::new();
    let line = |name: &str| {
        let about = command.find_subcommand(name)?.get_about()?;
        Some(format!("\n  {name:<12} {about}"))
    };
    for (heading, names) in GROUPS {
        let lines: String = names.iter().filter_map(|name| line(name)).collect();
        if !lines.is_empty() {
            help += &format!("\n\n{heading}:{lines}");
        }
    }
    help.trim_start_matches('\n').replacen("", "\n", 1)
}

/// The value of `--color`, found before the arguments are parsed, because help and usage errors have colours
/// too.
fn color_of(arguments: impl Iterator<Item = std::ffi::OsString>) -> Option<Color> {
    let mut arguments = arguments.filter_map(|argument| argument.into_string().ok());
    let mut color = None;
    while let Some(argument) = arguments.next() {
        let value = match argument.strip_prefix("--color") {
            Some("") => arguments.next(),
            Some(value) => value.strip_prefix('=').map(str::to_owned),
            None if argument == "--" => break,
            None => None,
        };
        color = value.and_then(|value| Color::from_str(&value, false).ok()).or(color);
    }
    color
}

impl Color {
    fn apply(self) {
        match self {
            Self::Auto => ColorChoice::Auto,
            Self::Always => ColorChoice::Always,
            Self::Never => ColorChoice::Never,
        }
        .write_global();
    }

    fn of_clap(self) -> clap::ColorChoice {
        match self {
            Self::Auto => clap::ColorChoice::Auto,
            Self::Always => clap::ColorChoice::Always,
            Self::Never => clap::ColorChoice::Never,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_is_well_formed() {
        command().debug_assert();
    }

    #[test]
    fn every_subcommand_is_in_a_group() {
        let grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        for subcommand in command().get_subcommands() {
            assert!(grouped.contains(&subcommand.get_name()), "{}", subcommand.get_name());
        }
    }
}
