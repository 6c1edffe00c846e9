//! Findings for people: in the style of the compiler, then one line per source.

use anstyle::Style;

use super::{CheckedDocument, Found, Results};
use crate::findings::style;

const BOLD: Style = Style::new().bold();

pub(crate) fn show(results: &Results) {
    for found in &results.findings {
        finding(found);
    }
    for CheckedDocument { file, report, note } in &results.documents {
        anstream::println!("{BOLD}{file}{BOLD:#}");
        if let Some(note) = note {
            anstream::println!("  {note}");
        }
        for tier in &report.tiers {
            anstream::println!("  {tier}");
        }
    }
    let (errors, warnings) = results.counts();
    anstream::println!("{}", opendyn_source::counts(errors, warnings));
    if let Some(first) = results.findings.iter().map(|found| found.code).min() {
        anstream::println!("`opendyn explain {first}` explains a rule");
    }
}

fn finding(found: &Found) {
    let Found { code, severity, place, text, .. } = found;
    let (style, severity) = (style(*severity), severity.name());
    let rest = text.strip_prefix(&format!("{place}: {severity}[{code}]")).unwrap_or_default();
    anstream::println!("{BOLD}{place}{BOLD:#}: {style}{severity}[{code}]{style:#}{rest}\n");
}
