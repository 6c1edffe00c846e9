//! Scripts and what is told of them. `described/CASE.txt` is the description of `CASE.py`.

#![expect(clippy::expect_used, clippy::panic, reason = "what helps a test may fail as a test does")]

use std::time::Duration;

use opentool::OpenTool;
use opentool::python::{BadSidecar, Description, Origin, Script, check, check_all};
use opentool_python_tests::{assert_golden, folder, python, scripts};

fn script(source: &str) -> Script {
    let report = check("tool.py", source, &python()).expect("Python works");
    report.into_script().unwrap_or_else(|invalid| panic!("{invalid}"))
}

fn notes(description: &Description) -> Vec<String> {
    description.notes.iter().map(ToString::to_string).collect()
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn what_a_script_tells_is_a_valid_document() {
    let scripts = scripts("described");
    let named: Vec<_> = scripts.iter().map(|(file, source)| (file.as_str(), source)).collect();
    let reports = check_all(&named, &python(), Duration::from_secs(60)).expect("Python works");
    for ((file, _), report) in named.iter().zip(reports) {
        let script = report.into_script().unwrap_or_else(|invalid| panic!("{invalid}"));
        let description = script.describe();
        assert_eq!(description.origin, Origin::Script);
        let text = description.document.to_string_pretty();
        assert_eq!(OpenTool::parse(&text).as_ref(), Ok(&description.document), "{file}");
        let shown = format!("{text}\n\n{}\n", notes(&description).join("\n"));
        assert_golden(&folder("described").join(file).with_extension("txt"), &shown);
    }
}
