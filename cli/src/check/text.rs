//! Findings for people: as the compiler shows them, then a line for each source.

use anstyle::{AnsiColor, Style};
use opendyn_codegen::{Diagnostic, Severity};

use super::{Checked, counts};

const BOLD: Style = Style::new().bold();

pub(crate) fn show(checked: &[Checked]) {
    for diagnostic in checked.iter().flat_map(|checked| &checked.report.diagnostics) {
        finding(diagnostic);
    }
    for Checked { file, report, note } in checked {
        anstream::println!("{BOLD}{file}{BOLD:#}");
        if let Some(note) = note {
            anstream::println!("  {note}");
        }
        for tier in &report.tiers {
            anstream::println!("  {tier}");
        }
    }
    let (errors, warnings) = counts(checked);
    let count = |number: usize, noun: &str| format!("{number} {noun}{}", if number == 1 { "" } else { "s" });
    anstream::println!("{}, {}", count(errors, "error"), count(warnings, "warning"));
    let codes = checked.iter().flat_map(|checked| &checked.report.diagnostics);
    if let Some(first) = codes.map(|diagnostic| diagnostic.rule.code()).min() {
        anstream::println!("`opendyn explain {first}` tells more of a rule");
    }
}

fn finding(diagnostic: &Diagnostic) {
    let colour = match diagnostic.severity() {
        Severity::Error => AnsiColor::Red,
        Severity::Warning => AnsiColor::Yellow,
    };
    let style = Style::new().bold().fg_color(Some(colour.into()));
    let (place, kind) = (diagnostic.place(), diagnostic.severity().name());
    let head = format!("{place}: {kind}[{}]", diagnostic.rule.code());
    let shown = diagnostic.to_string();
    let rest = shown.strip_prefix(&head).unwrap_or_default();
    anstream::println!("{BOLD}{place}{BOLD:#}: {style}{kind}[{}]{style:#}{rest}\n", diagnostic.rule.code());
}
