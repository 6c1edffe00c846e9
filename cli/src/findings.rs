//! What is wrong with a document, on stderr.

use anstyle::{AnsiColor, Style};
use opendyn_codegen::{Diagnostic, Diagnostics, Severity};

/// Shows every finding, and how many there are. Nothing where there are none.
pub(crate) fn show(found: &Diagnostics) {
    if found.is_empty() {
        return;
    }
    for finding in found {
        anstream::eprintln!("{}\n", painted(finding));
    }
    counts(found.errors().count(), found.warnings().count());
}

fn counts(errors: usize, warnings: usize) {
    let count = |number: usize, noun: &str| format!("{number} {noun}{}", if number == 1 { "" } else { "s" });
    anstream::eprintln!("{}, {}", count(errors, "error"), count(warnings, "warning"));
}

/// Shows every finding in a script that breaks rules, and how many there are.
#[cfg(unix)]
pub(crate) fn show_script(invalid: &opentool::python::InvalidScript) {
    let is_error = |finding: &opentool::python::Finding| finding.severity() == opentool::Severity::Error;
    for finding in &invalid.findings {
        let label = format!("{}[{}]", finding.severity().name(), finding.rule.code());
        anstream::eprintln!("{}\n", colored(&finding.to_string(), &label, is_error(finding)));
    }
    let errors = invalid.findings.iter().filter(|finding| is_error(finding)).count();
    counts(errors, invalid.findings.len() - errors);
}

/// A finding with its severity in colour; the stream takes the colour away where there is no terminal.
pub(crate) fn painted(finding: &Diagnostic) -> String {
    let label = format!("{}[{}]", finding.severity().name(), finding.rule.code());
    colored(&finding.to_string(), &label, finding.severity() == Severity::Error)
}

fn colored(text: &str, label: &str, is_error: bool) -> String {
    let color = if is_error { AnsiColor::Red } else { AnsiColor::Yellow };
    let style = Style::new().bold().fg_color(Some(color.into()));
    text.replacen(label, &format!("{style}{label}{style:#}"), 1)
}
