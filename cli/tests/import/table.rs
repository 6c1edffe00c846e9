//! The tables of `tests/judged`: what import states about functions that a seed drew from twenty libraries, each
//! fact judged by hand. A fact that is not in the table as right, or that was judged wrong, is an error.

use std::path::{Path, PathBuf};

use super::command::opendyn;

/// One fact: function, value, what is stated, and the evidence without its place.
#[derive(PartialEq, Eq)]
struct Stated {
    function: String,
    value: String,
    what: String,
    evidence: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/judged")
}

/// The rows of a table, without its heading.
fn rows(path: &Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(path).expect("a table");
    text.lines().skip(1).map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

/// The arguments of `import` for each library.
fn libraries() -> Vec<(String, Vec<String>)> {
    let rows = rows(&folder().join("libraries.tsv"));
    rows.into_iter().map(|row| (row[0].clone(), row[2].split(' ').map(str::to_owned).collect())).collect()
}

/// The same for the libraries whose coverage is counted.
fn covered() -> Vec<(String, Vec<String>)> {
    let rows = rows(&folder().join("coverage.tsv"));
    rows.into_iter().map(|row| (row[1].clone(), row[3].split(' ').map(str::to_owned).collect())).collect()
}

/// What import states about a library; `None` if it is not installed.
fn facts(arguments: &[String]) -> Option<Vec<Stated>> {
    let mut all = vec!["import"];
    all.extend(arguments.iter().map(String::as_str));
    all.push("--evidence");
    let run = opendyn(&all);
    if run.stderr.contains("no such header") || run.stderr.starts_with("error: no library ") {
        return None;
    }
    assert_eq!(run.status, 0, "{}", run.stderr);
    let fact = |line: &str| {
        let parts: Vec<&str> = line.splitn(3, '\t').collect();
        let [who, what, evidence] = parts[..] else { panic!("{line}") };
        let (function, value) = who.split_once('.').unwrap_or((who, ""));
        let place = evidence.rfind(" (/").filter(|_| evidence.ends_with(')'));
        Stated {
            function: function.to_owned(),
            value: value.to_owned(),
            what: what.to_owned(),
            evidence: evidence[..place.unwrap_or(evidence.len())].to_owned(),
        }
    };
    Some(run.stdout.lines().map(fact).collect())
}

#[test]
#[cfg_attr(no_judged_libraries, ignore = "needs the libraries with a table in tests/judged, of Debian 12")]
fn what_is_stated_about_a_drawn_function_was_judged_right() {
    let mut tables = 0;
    let mut unjudged = Vec::new();
    for (name, arguments) in libraries() {
        let path = folder().join(format!("{name}.tsv"));
        if !path.is_file() {
            continue;
        }
        tables += 1;
        let judged: Vec<(Stated, String)> = rows(&path)
            .into_iter()
            .map(|row| {
                let [function, value, what, evidence, verdict] =
                    <[String; 5]>::try_from(row).expect("five columns");
                (Stated { function, value, what, evidence }, verdict)
            })
            .collect();
        for fact in facts(&arguments).expect("the library is installed") {
            let is_drawn = judged.iter().any(|(judged, _)| judged.function == fact.function);
            let is_right = judged.iter().any(|(judged, verdict)| *judged == fact && verdict == "right");
            if is_drawn && !is_right {
                let Stated { function, value, what, evidence } = fact;
                unjudged.push(format!("{name}: {function}\t{value}\t{what}\t{evidence}"));
            }
        }
    }
    assert!(unjudged.is_empty(), "nobody judged:\n{}", unjudged.join("\n"));
    assert_eq!(tables, 20);
}

#[test]
#[cfg_attr(no_judged_libraries, ignore = "needs the libraries with a table in tests/judged, of Debian 12")]
fn what_was_judged_wrong_is_not_stated_again() {
    let wrong = rows(&folder().join("wrong.tsv"));
    for (name, arguments) in libraries().into_iter().chain(covered()) {
        let of_library: Vec<&Vec<String>> = wrong.iter().filter(|row| row[0] == name).collect();
        if of_library.is_empty() {
            continue;
        }
        // Libraries without a table are for those who have them, and for CI, which has all.
        let stated = facts(&arguments);
        assert!(stated.is_some() || option_env!("OPENDYN_TEST_ALL").is_none(), "{name} is not installed");
        for fact in stated.unwrap_or_default() {
            let is_wrong = of_library.iter().any(|row| {
                // The description of a function may be wrong or right; other facts are the same whatever proves them.
                let is_same = fact.what != "description" || row[4] == fact.evidence;
                row[1] == fact.function && row[2] == fact.value && row[3] == fact.what && is_same
            });
            assert!(!is_wrong, "{name}: {}.{}: {}", fact.function, fact.value, fact.what);
        }
    }
}
