//! `opendyn explain E012`

use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use clap::Args;
use opendyn_codegen::{Rule, Severity};

use crate::failure::{Failure, Outcome};
use crate::output;

/// Explain a rule by its code, as findings show it
#[derive(Args)]
#[command(after_help = "\
Examples:
  opendyn explain E012    why, an example that breaks the rule, and the same mended
  opendyn explain         all rules")]
pub(crate) struct Arguments {
    /// The code, such as E012; without it all rules are listed
    code: Option<String>,
}

impl Arguments {
    pub(crate) fn run(self) -> Outcome {
        let Some(code) = &self.code else {
            let lines: String = Rule::ALL.iter().map(|rule| format!("{}\n", title(*rule))).collect();
            return output::print(&lines).map(|()| ExitCode::SUCCESS);
        };
        let Some(rule) = Rule::ALL.iter().find(|rule| rule.code().eq_ignore_ascii_case(code.trim())) else {
            return Err(Failure::new(format!("there is no rule `{code}`"))
                .help("`opendyn explain` lists all of them"));
        };
        output::print(&page(*rule))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The code in the colour of its severity, and what the rule says.
fn title(rule: Rule) -> String {
    let color = match rule.severity() {
        Severity::Error => AnsiColor::Red,
        Severity::Warning => AnsiColor::Yellow,
    };
    let style = Style::new().bold().fg_color(Some(color.into()));
    format!("{style}{}{style:#}  {}", rule.code(), rule.summary())
}

/// The page of a rule, for a terminal: code is indented instead of fenced.
fn page(rule: Rule) -> String {
    let mut text = format!("{} ({})\n\n", title(rule), rule.severity().name());
    let mut is_code = false;
    for line in rule.explanation().lines() {
        if line.starts_with("```") {
            is_code = !is_code;
        } else if is_code {
            text += &format!("    {line}\n");
        } else {
            text += &format!("{line}\n");
        }
    }
    text
}
