//! Findings as annotations of GitHub Actions, which shows them next to the lines of the file.

use super::{CheckedDocument, Found, Results};

pub(crate) fn show(results: &Results) {
    for found in &results.findings {
        anstream::println!("{}", annotation(found));
    }
    for CheckedDocument { file, report, note } in &results.documents {
        if let Some(line) = note {
            anstream::println!("{file}: {line}");
        }
        for tier in &report.tiers {
            anstream::println!("{file}: {tier}");
        }
    }
    for tried in &results.tried {
        for seen in &tried.seen {
            let place = match (seen.line, seen.column) {
                (Some(line), Some(column)) => format!(",line={line},col={column}"),
                _ => String::new(),
            };
            let file = property(&tried.file);
            anstream::println!("::error file={file}{place},title=tried::{}", data(&seen.message));
        }
    }
}

fn annotation(found: &Found) -> String {
    let mut properties = format!("file={}", property(&found.file));
    if let (Some(line), Some(column)) = (found.line, found.column) {
        properties.push_str(&format!(",line={line},col={column}"));
    }
    properties.push_str(&format!(",title={}", found.code));
    let text = data(&format!("{}\nhelp: {}", found.message, found.help));
    format!("::{} {properties}::{text}", found.severity.name())
}

/// A workflow command must be on one line.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// In a property, the separators of properties are escaped too.
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
