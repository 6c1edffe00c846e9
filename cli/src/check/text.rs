//! Findings for people: in the style of the compiler, then one line per source.

use anstyle::Style;
use opendyn_source::Severity;

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
    tried(results);
    let (errors, warnings) = results.counts();
    anstream::println!("{}", opendyn_source::counts(errors, warnings));
    if let Some(first) = results.findings.iter().map(|found| found.code).min() {
        anstream::println!("`opendyn explain {first}` explains a rule");
    }
}

fn tried(results: &Results) {
    let error = style(Severity::Error);
    for tried in &results.tried {
        for call in &tried.calls {
            anstream::println!("tried {BOLD}{}{BOLD:#} {}", call.function, call.arguments);
        }
        for seen in &tried.seen {
            let place = match (seen.line, seen.column) {
                (Some(line), Some(column)) => format!("{}:{line}:{column}", tried.file),
                _ => tried.file.clone(),
            };
            anstream::println!("  {BOLD}{place}{BOLD:#}: {error}error{error:#}: {}", seen.message);
        }
        for note in &tried.notes {
            anstream::println!("  {note}");
        }
        if tried.seen.is_empty() {
            anstream::println!("  no fault seen with these arguments");
        }
    }
    for reason in &results.not_tried {
        anstream::println!("not tried: {reason}");
    }
}

fn finding(found: &Found) {
    let Found { code, severity, place, text, .. } = found;
    let (style, severity) = (style(*severity), severity.name());
    let rest = text.strip_prefix(&format!("{place}: {severity}[{code}]")).unwrap_or_default();
    anstream::println!("{BOLD}{place}{BOLD:#}: {style}{severity}[{code}]{style:#}{rest}\n");
}
