//! Shows the findings of a document or a script on stderr.

use std::collections::BTreeMap;

use anstyle::{AnsiColor, Style};
use opendyn_source::{Finding, Report, Rule, Severity, counts};

/// How many warnings of one rule are shown: an imported document may have thousands of questions.
const MOST_ALIKE: usize = 10;

/// Shows every error, the first warnings of each rule, and the counts; nothing if there are no findings.
pub(crate) fn show<R: Rule>(found: &Report<R>) {
    if found.is_empty() {
        return;
    }
    let mut warnings: BTreeMap<String, usize> = BTreeMap::new();
    for finding in found {
        if !finding.is_error() {
            let count = warnings.entry(finding.label()).or_default();
            *count += 1;
            if *count > MOST_ALIKE {
                continue;
            }
        }
        anstream::eprintln!("{}\n", painted(finding));
    }
    for (label, count) in warnings.into_iter().filter(|(_, count)| *count > MOST_ALIKE) {
        anstream::eprintln!("{label}: {} more; `opendyn check` shows all\n", count - MOST_ALIKE);
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
