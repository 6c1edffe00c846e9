//! `opendyn explain E012`

use std::process::ExitCode;

use clap::Args;
use opendyn_codegen::{Rule, Severity};
use opentool_python as python;

use crate::failure::{Failure, Outcome};
use crate::findings::style;
use crate::output;

/// The page that explains the rules of scripts.
const SCRIPTS: &str = "docs/python-tools.md";

/// Explain a rule by its code, as findings show it
#[derive(Args)]
#[command(after_help = "\
Examples:
  opendyn explain E012    the reason, an example that breaks the rule, and its correction
  opendyn explain         all rules")]
pub(crate) struct Arguments {
    /// The code, such as E012; if absent, all rules are listed
    code: Option<String>,
}

impl Arguments {
    pub(crate) fn run(self) -> Outcome {
        let Some(code) = &self.code else {
            let lines: String = Rule::ALL.iter().map(|rule| format!("{}\n", title(*rule))).collect();
            let scripts = python::Rule::ALL.iter().map(|rule| format!("{}\n", title_of_script(*rule)));
            return output::print(&(lines + &scripts.collect::<String>())).map(|()| ExitCode::SUCCESS);
        };
        let is_it = |known: &str| known.eq_ignore_ascii_case(code.trim());
        if let Some(rule) = Rule::ALL.iter().find(|rule| is_it(rule.code())) {
            output::print(&page(*rule))?;
        } else if let Some(rule) = python::Rule::ALL.iter().find(|rule| is_it(rule.code())) {
            output::print(&page_of_script(*rule))?;
        } else {
            return Err(Failure::new(format!("there is no rule `{code}`"))
                .help("`opendyn explain` lists all of them"));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The code in the colour of its severity, and the summary of the rule.
fn title(rule: Rule) -> String {
    titled(rule.code(), rule.severity(), rule.summary())
}

fn title_of_script(rule: python::Rule) -> String {
    titled(rule.code(), rule.severity(), rule.summary())
}

fn titled(code: &str, severity: Severity, summary: &str) -> String {
    let style = style(severity);
    format!("{style}{code}{style:#}  {summary}")
}

/// Each finding itself says what to write instead.
fn page_of_script(rule: python::Rule) -> String {
    let kind = rule.severity().name();
    format!(
        "{} ({kind})\n\nA rule of Python scripts. `opendyn check SCRIPT.py` shows each line that breaks it, and \
         what to\nwrite instead; {SCRIPTS} describes what a script may do.\n",
        title_of_script(rule)
    )
}

/// The page of a rule for a terminal: code is indented instead of fenced.
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
