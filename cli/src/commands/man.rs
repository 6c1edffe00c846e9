//! `opendyn man`

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use clap_mangen::Man;

use crate::failure::{Failure, Outcome};
use crate::{arguments, output};

/// Write the manual pages
#[derive(Args)]
#[command(after_help = "\
Examples:
  opendyn man | man -l -                       shows the page of the command
  opendyn man -o ~/.local/share/man/man1       writes it and one page per subcommand")]
pub(crate) struct Arguments {
    /// The folder for all pages; if absent, opendyn.1 goes to stdout
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
}

impl Arguments {
    pub(crate) fn run(self) -> Outcome {
        // A manual page lists the subcommands itself.
        let mut command = arguments::command().disable_help_subcommand(true);
        command.build();
        let Some(folder) = &self.output else {
            output::print(&page(&command)?)?;
            return Ok(ExitCode::SUCCESS);
        };
        std::fs::create_dir_all(folder).map_err(|error| {
            Failure::new(format!("cannot create the folder `{}`: {error}", folder.display()))
        })?;
        write(folder, &command)?;
        for subcommand in command.get_subcommands() {
            write(folder, subcommand)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// `opendyn-check.1`, the usual name for the page of a subcommand.
fn write(folder: &Path, command: &clap::Command) -> Outcome<()> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    output::write(&folder.join(format!("{name}.1")), &page(command)?).map(|_| ())
}

fn page(command: &clap::Command) -> Outcome<String> {
    let mut text = Vec::new();
    Man::new(command.clone())
        .render(&mut text)
        .map_err(|error| Failure::new(format!("cannot write the page of {}: {error}", command.get_name())))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
