//! `opendyn completions bash`

use std::process::ExitCode;

use clap::Args;
use clap_complete::Shell;

use crate::failure::Outcome;
use crate::{arguments, output};

/// Write the completions for a shell
#[derive(Args)]
#[command(after_help = "\
Shells: bash, zsh, fish, powershell, elvish

Examples:
  opendyn completions bash > ~/.local/share/bash-completion/completions/opendyn
  opendyn completions zsh > ~/.zfunc/_opendyn
  opendyn completions fish > ~/.config/fish/completions/opendyn.fish")]
pub(crate) struct Arguments {
    /// The shell
    #[arg(hide_possible_values = true)]
    shell: Shell,
}

impl Arguments {
    pub(crate) fn run(self) -> Outcome {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut arguments::command(), "opendyn", &mut script);
        output::print(&String::from_utf8_lossy(&script))?;
        Ok(ExitCode::SUCCESS)
    }
}
