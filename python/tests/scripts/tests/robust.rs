//! Invalid scripts and broken Pythons: each ends in a finding or an error.

#![expect(clippy::expect_used, reason = "test helpers may panic")]

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use opentool_python::{Interpreter, Report, Rule, check, check_all};
use opentool_python_tests::{folder, python, scripts};

const LIMIT: Duration = Duration::from_secs(120);

fn rules(report: &Report) -> Vec<Rule> {
    report.findings.iter().map(|finding| finding.rule).collect()
}

fn checked_all(scripts: &[Vec<u8>]) -> Vec<Report> {
    let named: Vec<_> = scripts.iter().map(|source| ("tool.py", source)).collect();
    check_all(&named, &python(), LIMIT).expect("Python works")
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn deep_nesting_is_a_finding_and_not_a_crash() {
    let run = |expression: String| {
        format!("def run(d):\n    x = {expression}\n    return dict(success=True, message='', data=x)\n")
            .into_bytes()
    };
    let deep = [
        run("(".repeat(100_000) + "1" + &")".repeat(100_000)),
        run("[".repeat(100_000)),
        run("-".repeat(100_000) + "1"),
        run("not ".repeat(100_000) + "1"),
        run("1+".repeat(100_000) + "1"),
        run("1**".repeat(100_000) + "1"),
        run("a.".repeat(100_000) + "a"),
        run("a".to_owned() + &"()".repeat(100_000)),
        run("lambda: ".repeat(100_000) + "1"),
        run("1 if 1 else ".repeat(100_000) + "1"),
        (0..200).map(|depth| " ".repeat(depth) + "if 1:\n").collect::<String>().into_bytes(),
    ];
    for (index, report) in checked_all(&deep).iter().enumerate() {
        let rules = rules(report);
        assert!(rules.contains(&Rule::Unreadable) || rules.contains(&Rule::Syntax), "{index}: {rules:?}");
        assert_eq!(report.script(), None, "{index}");
        // Python reports it without a crash, except for 3.8.
        let has_fallen = report.findings[0].message.contains("ended");
        assert!(!has_fallen || python().version() < (3, 9, 0), "{index}: {}", report.findings[0]);
    }
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn a_script_is_never_run() {
    let witness = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("witness");
    let _ = std::fs::remove_file(&witness);
    let source = format!(
        "import sys\nopen({path:?}, 'w')\nsys.exit(3)\ndef run(d: open({path:?}, 'w')):\n    return d\n",
        path = witness.display().to_string()
    );
    let report = check("tool.py", source, &python()).expect("Python works");
    assert_eq!(rules(&report), [Rule::ParameterType]);
    assert!(!witness.exists());
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn a_script_beside_the_checker_is_not_imported() {
    // Without `-I`, Python would import `ast` from the current folder.
    let current = std::env::current_dir().expect("there is one");
    assert_eq!(current, folder("").components().collect::<std::path::PathBuf>());
    assert!(folder("ast.py").exists(), "the trap is set");
    assert!(
        check("tool.py", "def run(d):\n    return d\n", &python()).expect("Python works").script().is_some()
    );
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn a_script_that_is_too_long_is_not_read() {
    let long = vec![b'#'; (4 << 20) + 1];
    let short = b"def run(d):\n    return d\n".to_vec();
    let reports = checked_all(&[short.clone(), long, short]);
    assert_eq!(reports.iter().map(rules).collect::<Vec<_>>(), [vec![], vec![Rule::Unreadable], vec![]]);
}

/// Whether Python itself compiles each script.
fn compiles(scripts: &[Vec<u8>]) -> Vec<bool> {
    const PROGRAM: &str = "
import sys, warnings
warnings.simplefilter('ignore')
for length in iter(sys.stdin.buffer.readline, b''):
    try:
        compile(sys.stdin.buffer.read(int(length)), 'tool.py', 'exec', dont_inherit=True)
        print('yes')
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        print('no')
";
    let mut command = Command::new(python().path());
    let command = command.args(["-I", "-c", PROGRAM]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("it is ours");
    let input: Vec<u8> =
        scripts.iter().flat_map(|it| [format!("{}\n", it.len()).into_bytes(), it.clone()].concat()).collect();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().expect("it ends").stdout;
    writer.join().expect("no panic").expect("it is read");
    String::from_utf8_lossy(&output).lines().map(|line| line == "yes").collect()
}

/// Scripts that are almost valid: truncated, or with one byte changed.
fn nearly(source: &[u8]) -> Vec<Vec<u8>> {
    let cut = (0..source.len()).map(|at| source[..at].to_vec());
    let changed = (0..source.len()).map(|at| {
        let others = b"\0\xff\"'(]:#\\\n\t@*=0a.\x0c\r\x80";
        let mut changed = source.to_vec();
        changed[at] = others[at * 7 % others.len()];
        changed
    });
    cut.chain(changed).collect()
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn valid_scripts_are_those_that_python_compiles() {
    let unreadable = [Rule::Syntax, Rule::Encoding, Rule::Unreadable];
    let sources = scripts("described").into_iter().chain(scripts("page")).chain(scripts("invalid"));
    let mut tried: Vec<Vec<u8>> = Vec::new();
    for (index, (file, source)) in sources.enumerate() {
        // All of them would take minutes.
        let is_chosen = ["keys.py", "google.py", "chinese.py", "inter-client.py", "from-import-anywhere.py"];
        if is_chosen.contains(&file.as_str()) || index % 5 == 0 {
            tried.extend(nearly(&source));
        }
    }
    // A carriage return ends a line too, so this declaration is in the third line, where it has no effect.
    tried.push(b"#!/usr/bin/env\rpython3\n# coding=rot13\ndef f(d): return d\n".to_vec());
    let reports = checked_all(&tried);
    let expected = compiles(&tried);
    assert_eq!(reports.len(), expected.len());
    for ((report, compiles), source) in reports.iter().zip(expected).zip(&tried) {
        let is_read = !rules(report).iter().any(|rule| unreadable.contains(rule));
        let shown = String::from_utf8_lossy(source);
        // Given bytes, Python ignores invalid text in a comment; in a file it does not.
        let is_passed_over =
            compiles && rules(report) == [Rule::Encoding] && std::str::from_utf8(source).is_err();
        assert!(is_read == compiles || is_passed_over, "{compiles}: {:#?}\n{shown}", report.findings);
        let lines = shown.split(['\n', '\r']).count();
        assert!(
            report
                .findings
                .iter()
                .all(|it| it.line.is_some_and(|line| line <= lines) && !it.to_string().is_empty()),
            "{shown}"
        );
        if let Some(script) = report.script() {
            let _ = script.describe();
        }
    }
}

#[cfg(unix)]
fn pretender(name: &str) -> Interpreter {
    Interpreter::at(folder("pretenders").join(name)).expect("it says that it is Python")
}

#[cfg(unix)]
#[test]
fn a_script_that_takes_too_long_is_a_finding() {
    let scripts = [("a.py", ""), ("b.py", "")];
    let reports = check_all(&scripts, &pretender("slow"), Duration::from_millis(200)).expect("an answer");
    for report in reports {
        assert_eq!(rules(&report), [Rule::Unreadable]);
        assert!(report.findings[0].message.contains("within 200ms"), "{}", report.findings[0]);
    }
}

#[cfg(unix)]
#[test]
fn a_script_that_crashes_python_does_not_hide_the_others() {
    let scripts = ["a.py", "b.py", "c.py", "d.py"].map(|name| (name, ""));
    let reports = check_all(&scripts, &pretender("crashing"), LIMIT).expect("an answer");
    let found: Vec<_> = reports.iter().map(rules).collect();
    assert_eq!(found, [vec![], vec![Rule::Unreadable], vec![], vec![Rule::Unreadable]]);
    assert!(reports[1].findings[0].message.contains("SIGSEGV"), "{}", reports[1].findings[0]);
}

#[cfg(unix)]
#[test]
fn an_invalid_reply_of_python_is_an_error_of_python() {
    let error = check("a.py", "", &pretender("babbling")).expect_err("no answer");
    assert!(error.to_string().contains("babbling`: its reply is not valid"), "{error}");
}
