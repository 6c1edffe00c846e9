//! Scripts that violate a rule, and their findings.
//!
//! A case is `invalid/CASE.py`, named after the rule that it violates, and `CASE.stderr`, its findings.

use std::collections::BTreeSet;
use std::time::Duration;

use opentool::Severity;
use opentool_python::{Finding, InvalidScript, Report, Rule, check, check_all};
use opentool_python_tests::{assert_golden, folder, python, scripts};

/// `FromImport` as `from-import`.
fn kebab_case(rule: Rule) -> String {
    format!("{rule:?}").chars().fold(String::new(), |mut kebab, character| {
        if character.is_uppercase() && !kebab.is_empty() {
            kebab.push('-');
        }
        kebab.extend(character.to_lowercase());
        kebab
    })
}

/// The text of the findings, without parts that differ between versions of Python.
fn shown(report: &Report) -> String {
    let (major, minor, patch) = python().version();
    let all = InvalidScript { findings: report.findings.clone() }.to_string();
    all.replace(&format!("Python {major}.{minor}.{patch} "), "Python 3.N ") + "\n"
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn every_case_violates_its_rule() {
    let scripts = scripts("invalid");
    let named: Vec<_> = scripts.iter().map(|(file, source)| (file.as_str(), source)).collect();
    let reports = check_all(&named, &python(), Duration::from_secs(60)).expect("Python works");
    let mut broken = BTreeSet::new();
    for ((file, _), report) in named.iter().zip(&reports) {
        let rules: BTreeSet<_> = report.findings.iter().map(|finding| finding.rule).collect();
        let about = rules.iter().find(|rule| file.starts_with(&kebab_case(**rule)));
        let about = *about.unwrap_or_else(|| panic!("{file} does not break the rule that it is named after"));
        assert_eq!(report.script().is_some(), about.severity() == Severity::Warning, "{file}");
        broken.insert(about);
        // The text and place of a syntax error come from Python and differ between versions.
        if about == Rule::Syntax && python().version() < (3, 11, 0) {
            continue;
        }
        assert_golden(&folder("invalid").join(file).with_extension("stderr"), &shown(report));
    }
    // This rule is tested elsewhere.
    broken.insert(Rule::Unreadable);
    let untold: Vec<_> = Rule::ALL.iter().filter(|rule| !broken.contains(rule)).collect();
    assert!(untold.is_empty(), "no script in `invalid` breaks {untold:?}");
}

#[test]
fn the_page_has_every_rule() {
    let page = include_str!("../../../../docs/python-tools.md");
    for rule in Rule::ALL {
        let row = format!("| `{}` | {} | {} |", rule.code(), rule.severity().name(), rule.summary());
        assert!(page.contains(&row), "docs/python-tools.md lacks the row\n{row}");
    }
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn several_mistakes_are_found_at_once() {
    let source = "from a import b\nclass C: pass\n@x\nasync def run(*d) -> str:\n    from c import d\n    return 1\nrun = 2\n";
    let report = check("tool.py", source, &python()).expect("Python works");
    let place = |it: &Finding| (it.line.expect("a line"), it.column.expect("a column"));
    let found: Vec<_> = report
        .findings
        .iter()
        .map(|it| {
            let (line, column) = place(it);
            (it.rule.code(), line, column)
        })
        .collect();
    let expected = [
        ("P004", 1, 1),
        ("P101", 2, 7),
        ("P102", 3, 2),
        ("P008", 4, 1),
        ("P007", 4, 16),
        ("P105", 4, 22),
        ("P004", 5, 5),
        ("P106", 6, 5),
        ("P010", 7, 1),
    ];
    assert_eq!(found, expected);
}
