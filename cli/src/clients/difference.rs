//! A change of one place in a text, as a unified diff. The lines before and after the change are the same, and so the
//! longest common start and end are an exact difference.

use std::fmt::Write;
use std::path::Path;

use anstyle::{AnsiColor, Style};

/// How many unchanged lines are shown around the change.
const CONTEXT: usize = 3;

/// The difference, with a heading that names the file.
pub(super) fn unified(path: &Path, before: &str, after: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let rest = old.len().min(new.len()) - same;
    let same_at_end =
        old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(old, new)| old == new).count();
    let start = same.saturating_sub(CONTEXT);
    let after_change = same_at_end.min(CONTEXT);
    let range = |lines: &[&str]| {
        let count = lines.len() - same_at_end + after_change - start;
        format!("{},{count}", if count == 0 { start } else { start + 1 })
    };
    let (red, green) = (coloured(AnsiColor::Red), coloured(AnsiColor::Green));
    let shown = path.display();
    let mut text = format!("--- {shown}\n+++ {shown}\n@@ -{} +{} @@\n", range(&old), range(&new));
    // Writing to a string cannot fail.
    for line in &old[start..same] {
        let _ = writeln!(text, " {line}");
    }
    for line in &old[same..old.len() - same_at_end] {
        let _ = writeln!(text, "{red}-{line}{red:#}");
    }
    for line in &new[same..new.len() - same_at_end] {
        let _ = writeln!(text, "{green}+{line}{green:#}");
    }
    for line in &new[new.len() - same_at_end..][..after_change] {
        let _ = writeln!(text, " {line}");
    }
    text
}

fn coloured(color: AnsiColor) -> Style {
    Style::new().fg_color(Some(color.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(before: &str, after: &str) -> String {
        anstream::adapter::strip_str(&unified(Path::new("f"), before, after)).to_string()
    }

    #[test]
    fn lines_around_the_change_are_shown_and_counted() {
        let before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let after = before.replace("5\n", "x\ny\n");
        assert_eq!(
            plain(before, &after),
            "--- f\n+++ f\n@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+x\n+y\n 6\n 7\n 8\n"
        );
    }

    #[test]
    fn a_new_file_has_only_new_lines() {
        assert_eq!(plain("", "a\nb\n"), "--- f\n+++ f\n@@ -0,0 +1,2 @@\n+a\n+b\n");
        assert_eq!(plain("a\na\n", "a\n"), "--- f\n+++ f\n@@ -1,2 +1,1 @@\n a\n-a\n");
    }
}
