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
    let count = |number: usize, noun: &str| format!("{number} {noun}{}", if number == 1 { "" } else { "s" });
    let (errors, warnings) = (found.errors().count(), found.warnings().count());
    anstream::eprintln!("{}, {}", count(errors, "error"), count(warnings, "warning"));
}

/// A finding with its severity in colour; the stream takes the colour away where there is no terminal.
pub(crate) fn painted(finding: &Diagnostic) -> String {
    let color = match finding.severity() {
        Severity::Error => AnsiColor::Red,
        Severity::Warning => AnsiColor::Yellow,
    };
    let style = Style::new().bold().fg_color(Some(color.into()));
    let label = format!("{}[{}]", finding.severity().name(), finding.rule.code());
    finding.to_string().replacen(&label, &format!("{style}{label}{style:#}"), 1)
}
