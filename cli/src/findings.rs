//! Shows the findings of a document or a script on stderr.

use anstyle::{AnsiColor, Style};
use opendyn_source::{Finding, Report, Rule, Severity, counts};

/// Shows every finding and the counts; nothing if there are none.
pub(crate) fn show<R: Rule>(found: &Report<R>) {
    if found.is_empty() {
        return;
    }
    for finding in found {
        anstream::eprintln!("{}\n", painted(finding));
    }
    anstream::eprintln!("{}", counts(found.errors().count(), found.warnings().count()));
}

/// A finding with its severity in colour; the stream removes the colour if it is not a terminal.
pub(crate) fn painted<R: Rule>(finding: &Finding<R>) -> String {
    let (label, style) = (finding.label(), style(finding.severity()));
    finding.to_string().replacen(&label, &format!("{style}{label}{style:#}"), 1)
}

/// The colour of a severity.
pub(crate) fn style(severity: Severity) -> Style {
    let color = match severity {
        Severity::Error => AnsiColor::Red,
        Severity::Warning => AnsiColor::Yellow,
    };
    Style::new().bold().fg_color(Some(color.into()))
}
