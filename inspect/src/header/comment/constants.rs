//! The comments on macros. The preprocessor drops them, so they are read from the header files.

use std::collections::HashMap;

use super::clean;
use crate::Constant;

/// Finds the comment on the line of each macro, or directly above it.
pub(in super::super) fn of_constants(constants: &mut [Constant]) {
    let mut files: HashMap<String, Vec<String>> = HashMap::new();
    for constant in constants {
        let lines = files.entry(constant.place.file.clone()).or_insert_with_key(|file| {
            let bytes = std::fs::read(file).unwrap_or_default();
            String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect()
        });
        let Ok(line) = usize::try_from(constant.place.line) else { continue };
        constant.comment = line.checked_sub(1).and_then(|line| beside(lines, line, &constant.name));
        if let Some(comment) = constant.comment.take() {
            constant.comment = clean::without_number(&comment, constant.value);
        }
    }
}

fn defines(line: Option<&String>) -> bool {
    line.is_some_and(|line| {
        line.trim_start().strip_prefix('#').is_some_and(|rest| rest.trim_start().starts_with("define"))
    })
}

fn beside(lines: &[String], mut line: usize, name: &str) -> Option<String> {
    let first = lines.get(line)?;
    if !defines(Some(first)) || !first.contains(name) {
        return None;
    }
    let start = line;
    while lines.get(line).is_some_and(|line| line.ends_with('\\')) {
        line += 1;
    }
    let last = lines.get(line)?;
    if let Some(at) = last.find("//").or_else(|| last.find("/*")) {
        let mut comment = last.get(at..)?.to_owned();
        // A comment that continues on the next lines.
        for next in lines.iter().skip(line + 1).take(12) {
            if comment.starts_with("//") || comment.contains("*/") {
                break;
            }
            comment.push('\n');
            comment.push_str(next);
        }
        let end = comment.find("*/").map_or(comment.len(), |end| end + 2);
        let comment = comment.get(..end)?;
        return if clean::points_back(comment) || !defines(Some(&comment.to_owned())) {
            clean::short(comment)
        } else {
            None
        };
    }
    // A comment above several macros describes all of them.
    let above = lines.get(start.checked_sub(1)?)?.trim();
    if defines(lines.get(line + 1)) {
        return None;
    }
    let one_line = (above.starts_with("/*") && above.ends_with("*/")) || above.starts_with("//");
    let comment = one_line.then_some(above).filter(|above| !clean::points_back(above))?;
    // A comment on several macros is marked as such.
    let text = clean::short(comment).filter(|_| !clean::is_heading(comment, false))?;
    let several =
        ["The following", "These", "Following", "Below"].iter().any(|words| text.starts_with(words));
    (!several).then_some(text)
}
