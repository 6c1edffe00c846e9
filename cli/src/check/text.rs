//! Findings for people: as the compiler shows them, then a line for each source.

use anstyle::{AnsiColor, Style};

use super::{Checked, Found, Results};

const BOLD: Style = Style::new().bold();

pub(crate) fn show(results: &Results) {
    for found in &results.findings {
        finding(found);
    }
    for Checked { file, report, note } in &results.documents {
        anstream::println!("{BOLD}{file}{BOLD:#}");
        if let Some(note) = note {
            anstream::println!("  {note}");
        }
        for tier in &report.tiers {
            anstream::println!("  {tier}");
        }
    }
    let (errors, warnings) = results.counts();
    let count = |number: usize, noun: &str| format!("{number} {noun}{}", if number == 1 { "" } else { "s" });
    anstream::println!("{}, {}", count(errors, "error"), count(warnings, "warning"));
    if let Some(first) = results.findings.iter().map(|found| found.code).min() {
        anstream::println!("`opendyn explain {first}` tells more of a rule");
    }
}

fn finding(found: &Found) {
    let Found { code, severity, place, text, .. } = found;
    let colour = if found.is_error { AnsiColor::Red } else { AnsiColor::Yellow };
    let style = Style::new().bold().fg_color(Some(colour.into()));
    let rest = text.strip_prefix(&format!("{place}: {severity}[{code}]")).unwrap_or_default();
    anstream::println!("{BOLD}{place}{BOLD:#}: {style}{severity}[{code}]{style:#}{rest}\n");
}
