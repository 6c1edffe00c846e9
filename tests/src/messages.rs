//! The compiler's messages about crates that must not compile, without the parts that depend on the
//! machine.
//!
//! Messages name places in the standard library and in the runtime. The compiler shows the source there
//! only if `rust-src` is installed, and the line numbers depend on the version. So these places lose
//! their line and source, and the margin is only as wide as the rest needs.

#![expect(clippy::expect_used, reason = "test code may panic")]

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::{Workspace, root};

/// The folder of the programs in a `Workspace`, where Cargo finds them.
const PROGRAMS: &str = "src/bin/";

/// Compiles the programs of the crate `name`, and returns the compiler's messages by the name of the
/// program. A program that compiles has no entry.
///
/// # Panics
///
/// Cargo does not start, or fails before the programs.
#[must_use]
pub fn messages(workspace: &Workspace, name: &str) -> BTreeMap<String, String> {
    let arguments = ["check", "-p", name, "--bins", "--keep-going", "--message-format=json"];
    // With this variable the macro would write files, and errors would point into them.
    let output = workspace.command(&arguments).env_remove("OPENDYN_DEBUG").output().expect("cargo runs");
    let mut messages = BTreeMap::<String, String>::new();
    let mut compiled = 0;
    for line in output.stdout.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        let event: Value = serde_json::from_slice(line).expect("Cargo writes JSON");
        compiled += usize::from(event["reason"] == "compiler-artifact");
        let message = &event["message"];
        // Counts of errors, and hints about further reading, have no place.
        let is_summary = message["spans"].as_array().is_none_or(Vec::is_empty);
        if event["reason"] != "compiler-message" || is_summary {
            continue;
        }
        let program = event["target"]["name"].as_str().expect("a program has a name");
        let rendered = message["rendered"].as_str().expect("a message has a text");
        let text = messages.entry(program.to_owned()).or_default();
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&normalized(rendered, &workspace.folder().join(name)));
    }
    assert!(compiled > 0, "cargo failed before the programs:\n{}", String::from_utf8_lossy(&output.stderr));
    messages
}

/// One message as in the `.stderr` file; `folder` is that of the crate.
fn normalized(rendered: &str, folder: &Path) -> String {
    // Cargo's paths are relative to the workspace, the parent folder of the crate; closures have absolute paths.
    let workspace = folder.parent().map(|workspace| format!("{}/", workspace.display())).unwrap_or_default();
    let programs = format!("{}/{PROGRAMS}", folder.file_name().unwrap_or_default().display());
    let root = root().display().to_string();
    let text = rendered.replace(&workspace, "").replace(&programs, "ui/").replace(&root, "$WORKSPACE");
    let width = text.lines().find_map(margin_of_place).unwrap_or(0);
    let kept = without_foreign_source(text.trim_end(), width);
    let number = |line: &&String| number_in_margin(line, width).map_or(0, str::len);
    let needed = kept.iter().map(|line| number(&line)).max().unwrap_or(0).max(1);
    let lines = kept.iter().map(|line| match line.split_at_checked(width) {
        Some((margin, rest)) if width > 0 && is_margin(margin) => {
            format!("{:>needed$}{rest}\n", margin.trim_start())
        }
        _ => format!("{line}\n"),
    });
    lines.collect()
}

/// The lines, without source from outside the case; such places lose their numbers.
fn without_foreign_source(text: &str, width: usize) -> Vec<String> {
    let mut kept = Vec::new();
    let mut is_foreign = false;
    for line in text.lines() {
        let arrow = ["--> ", "::: "].into_iter().find(|arrow| line.trim_start().starts_with(arrow));
        if let Some((arrow, (before, place))) = arrow.and_then(|arrow| Some((arrow, line.split_once(arrow)?)))
        {
            let foreign = foreign_place(place);
            is_foreign = foreign.is_some();
            kept.push(foreign.map_or_else(|| line.to_owned(), |place| format!("{before}{arrow}{place}")));
            continue;
        }
        let rest = line.split_at_checked(width).filter(|(margin, _)| is_margin(margin)).map(|(_, rest)| rest);
        let is_source = rest.is_some_and(|rest| rest.starts_with(" |")) || line.starts_with("...");
        if is_foreign && is_source {
            continue;
        }
        is_foreign = false;
        kept.push(line.to_owned());
    }
    kept
}

/// A place of the standard library or of this workspace, without its line.
fn foreign_place(place: &str) -> Option<String> {
    let file = place.trim_end_matches(|c: char| c.is_ascii_digit() || c == ':');
    if file.starts_with("$WORKSPACE") {
        return Some(file.to_owned());
    }
    // `/rustc/COMMIT/library/…`, or `SYSROOT/lib/rustlib/src/rust/library/…` if the source is installed.
    let is_rust = file.starts_with("/rustc/") || file.contains("/rustlib/src/rust/");
    let (_, file) = file.split_once("/library/").filter(|_| is_rust)?;
    Some(format!("$RUST/{file}"))
}

/// The width of the margin of a message, from a line that names a place.
fn margin_of_place(line: &str) -> Option<usize> {
    let place = line.trim_start();
    place.starts_with("--> ").then(|| line.len() - place.len())
}

/// Whether this is a margin: a line number, or only spaces.
fn is_margin(margin: &str) -> bool {
    margin.trim_start().bytes().all(|byte| byte.is_ascii_digit())
}

fn number_in_margin(line: &str, width: usize) -> Option<&str> {
    let (margin, rest) = line.split_at_checked(width)?;
    (is_margin(margin) && rest.starts_with(" |")).then(|| margin.trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    const BARE: &str = "error[E0277]: `*const ()` cannot be shared
  --> cases/src/bin/case.rs:7:21
   |
 7 |         scope.spawn(|| calc.add(1, 2));
   |               ----- ^^^^^^^^^^^^^^^^^ no
   |
   = help: within `Calc`, the trait `Sync`
           is not implemented
note: required because it appears within the type `PhantomData<*const ()>`
  --> /rustc/0123456789abcdef/library/core/src/marker.rs:801:12
note: required by a bound in `Scope::<'scope, 'env>::spawn`
  --> /rustc/0123456789abcdef/library/std/src/thread/scoped.rs:196:12

";

    const WITH_SOURCE: &str = "error[E0277]: `*const ()` cannot be shared
    --> cases/src/bin/case.rs:7:21
     |
   7 |         scope.spawn(|| calc.add(1, 2));
     |               ----- ^^^^^^^^^^^^^^^^^ no
     |
     = help: within `Calc`, the trait `Sync`
             is not implemented
note: required because it appears within the type `PhantomData<*const ()>`
    --> /home/user/rust/lib/rustlib/src/rust/library/core/src/marker.rs:1801:12
     |
1801 | pub struct PhantomData<T: PointeeSized>;
     |            ^^^^^^^^^^^
note: required by a bound in `Scope::<'scope, 'env>::spawn`
    --> /home/user/rust/lib/rustlib/src/rust/library/std/src/thread/scoped.rs:196:12
     |
 194 |     pub fn spawn<F, T>(&'scope self, f: F)
     |            ----- required by a bound in this associated function
 195 |     where
 196 |         F: FnOnce() -> T + Send + 'scope,
     |                            ^^^^ required by this bound

";

    #[test]
    fn a_message_is_the_same_whether_the_source_of_std_is_installed_or_not() {
        let expected = "error[E0277]: `*const ()` cannot be shared
 --> ui/case.rs:7:21
  |
7 |         scope.spawn(|| calc.add(1, 2));
  |               ----- ^^^^^^^^^^^^^^^^^ no
  |
  = help: within `Calc`, the trait `Sync`
          is not implemented
note: required because it appears within the type `PhantomData<*const ()>`
 --> $RUST/core/src/marker.rs
note: required by a bound in `Scope::<'scope, 'env>::spawn`
 --> $RUST/std/src/thread/scoped.rs
";
        for rendered in [BARE, WITH_SOURCE] {
            assert_eq!(normalized(rendered, Path::new("/home/user/cases")), expected);
        }
    }

    #[test]
    fn the_source_of_the_case_stays() {
        let rendered = "error: no
 --> cases/src/bin/case.rs:7:21
  |
7 | bad();
  | ^^^
";
        assert_eq!(
            normalized(rendered, Path::new("/home/user/cases")),
            rendered.replace("cases/src/bin", "ui")
        );
    }
}
