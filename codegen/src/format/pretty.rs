//! Tokens formatted as by hand, with an empty line between items.

pub(super) fn text(code: &str) -> Result<String, syn::Error> {
    let pretty = prettyplease::unparse(&syn::parse_str(code)?);
    let mut file = String::with_capacity(pretty.len() + pretty.len() / 8);
    let mut before = "";
    for line in pretty.lines() {
        let code = line.trim_start();
        if ends_item(before.trim_start()) && (begins_item(code) || is_comment_of_item(line)) {
            file.push('\n');
        }
        before = line;
        file.push_str(line);
        file.push('\n');
    }
    Ok(file)
}

/// Whether a line is the last of an item of several lines, or an item that stands apart from the next.
fn ends_item(line: &str) -> bool {
    let stands_apart =
        ["use ", "pub use ", "const _: ", "pub struct "].iter().any(|start| line.starts_with(start));
    matches!(line, "}" | "};" | ");" | "];") || stands_apart && line.ends_with(';')
}

fn begins_item(line: &str) -> bool {
    ["///", "#[", "pub ", "impl ", "static ", "const ", "fn "].iter().any(|start| line.starts_with(start))
}

/// Whether a comment is above an item of the block, and not above a statement in a function.
fn is_comment_of_item(line: &str) -> bool {
    line.starts_with("    // ")
}
