//! Findings as annotations of GitHub Actions, which shows them beside the lines of the document.

use opendyn_codegen::Diagnostic;

use super::Checked;

pub(crate) fn show(checked: &[Checked]) {
    for diagnostic in checked.iter().flat_map(|checked| &checked.report.diagnostics) {
        anstream::println!("{}", annotation(diagnostic));
    }
    for Checked { file, report, note } in checked {
        if let Some(line) = note {
            anstream::println!("{file}: {line}");
        }
        for tier in &report.tiers {
            anstream::println!("{file}: {tier}");
        }
    }
}

fn annotation(diagnostic: &Diagnostic) -> String {
    let mut properties = format!("file={}", property(&diagnostic.file));
    if let (Some(line), Some(column)) = (diagnostic.line, diagnostic.column) {
        properties.push_str(&format!(",line={line},col={column}"));
    }
    properties.push_str(&format!(",title={}", diagnostic.rule.code()));
    let text = data(&format!("{}\nhelp: {}", diagnostic.message, diagnostic.help));
    format!("::{} {properties}::{text}", diagnostic.severity().name())
}

/// A command is one line.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// In a property, what separates properties is escaped too.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_separates_is_escaped() {
        assert_eq!(data("50 %\nof: a, b"), "50 %25%0Aof: a, b");
        assert_eq!(property("C:\\a,b"), "C%3A\\a%2Cb");
    }
}
