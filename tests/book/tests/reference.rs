//! The pages of `docs/reference` are written from the tables of the code: `OPENDYN_BLESS=1` rewrites them.

use std::fmt::Write;

use opendyn_book::{read, root};
use opendyn_codegen::{Rule, Severity};
use opendyn_model::keys::{Place, Shape};
use opendyn_tests::assert_golden;

/// Asserts that the page has this text below its first lines.
fn assert_page(name: &str, title: &str, about: &str, body: &str) {
    let path = root().join("docs/reference").join(name);
    let note = "<!-- Written by a test, `OPENDYN_BLESS=1 cargo test -p opendyn-book --test reference`. Do not edit. -->";
    assert_golden(&path, &format!("# {title}\n\n{note}\n\n{about}\n\n{}\n", body.trim_end()));
}

/// A cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[test]
fn the_page_of_rules_has_every_rule() {
    let mut body = String::new();
    let mut table = |title: &str, rows: &mut dyn Iterator<Item = (&str, Severity, &str)>| {
        let _ = write!(body, "## {title}\n\n| code | | rule |\n|---|---|---|\n");
        for (code, severity, summary) in rows {
            let severity = if severity == Severity::Error { "error" } else { "warning" };
            let _ = writeln!(body, "| `{code}` | {severity} | {} |", cell(summary));
        }
        body.push('\n');
    };
    let rule = |rule: &Rule| (rule.code(), rule.severity(), rule.summary());
    table("Documents", &mut Rule::ALL.iter().map(rule));
    let script = |rule: &opentool_python::Rule| (rule.code(), rule.severity(), rule.summary());
    table("Python scripts", &mut opentool_python::Rule::ALL.iter().map(script));
    let about = "Every finding has a code, which never changes. `opendyn explain E012` shows a small document that breaks the rule, and the same\n\
        document corrected. An error stops; with a warning the document works, and the warning states the assumption.";
    assert_page("rules.md", "Rules", about, &body);
}

/// The shape of a value, in words.
fn words(shape: Shape) -> String {
    match shape {
        Shape::String => "string".to_owned(),
        Shape::Boolean => "`true` or `false`".to_owned(),
        Shape::Only(value) => format!("`{value}`"),
        Shape::Count => "integer from 0".to_owned(),
        Shape::Integer => "integer".to_owned(),
        Shape::Number => "number".to_owned(),
        Shape::Literal => "string, number or boolean".to_owned(),
        Shape::OneOf(names) => {
            names.iter().map(|name| format!("`\"{name}\"`")).collect::<Vec<_>>().join(", ")
        }
        Shape::Object(place) => {
            format!("object: [{}](#{})", title(place), title(place).to_lowercase().replace(' ', "-"))
        }
        Shape::List(of) => format!("list of: {}", words(*of)),
        Shape::Map(of) => format!("object with names of your own, each: {}", words(*of)),
        Shape::Either(one, other) => format!("{}; or {}", words(*one), words(*other)),
        Shape::OrNull(of) => format!("{}; or null", words(*of)),
        _ => "another shape".to_owned(),
    }
}

/// The name of a place, from that of its variant.
fn title(place: Place) -> String {
    let name = format!("{place:?}");
    let mut title = String::new();
    for (at, sign) in name.chars().enumerate() {
        if sign.is_uppercase() && at > 0 {
            title.push(' ');
            title.extend(sign.to_lowercase());
        } else {
            title.push(sign);
        }
    }
    title
}

#[test]
fn the_page_of_keys_has_every_key_with_its_shape() {
    let mut body = String::new();
    for place in Place::ALL {
        let _ = write!(body, "## {}\n\n| key | | holds | meaning |\n|---|---|---|---|\n", title(*place));
        for key in place.keys() {
            let required = if key.required { "required" } else { "" };
            let _ = writeln!(
                body,
                "| `{}` | {required} | {} | {} |",
                key.name,
                cell(&words(key.shape)),
                cell(key.text)
            );
        }
        body.push('\n');
    }
    assert!(!body.contains("another shape"), "a shape has no words");
    let about = "Every object of a document, and what each of its keys holds. The table is the one that the reader of documents uses, and from which\n\
        `opendyn.schema.json` is written. [Extension keys](../extension-keys.md) explains the `x-` keys.";
    assert_page("keys.md", "Keys and their shapes", about, &body);
}

#[test]
fn the_page_of_help_has_the_help_of_every_command() {
    let all = read("cli/tests/goldens/help/opendyn.txt");
    let listed = all.split("Options:").next().expect("a list");
    let names = listed
        .lines()
        .filter(|line| line.starts_with("  "))
        .filter_map(|line| line.split_whitespace().next());
    let mut body =
        format!("## opendyn\n\n<!-- from cli/tests/goldens/help/opendyn.txt -->\n```text\n{}```\n\n", all);
    for name in names {
        let file = format!("cli/tests/goldens/help/{name}.txt");
        let _ = write!(body, "## opendyn {name}\n\n<!-- from {file} -->\n```text\n{}```\n\n", read(&file));
    }
    let about = "What `opendyn --help` and `opendyn COMMAND --help` print. [The command](../command.md) explains what the commands do.";
    assert_page("help.md", "The help of the command", about, &body);
}
