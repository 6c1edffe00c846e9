//! The commands that come after `init`, as they can be pasted into a shell.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::Names;
use crate::tool::First;

/// What the commands are about.
pub(crate) struct Next<'n> {
    pub(crate) names: &'n Names,
    pub(crate) headers: &'n [PathBuf],
    pub(crate) first: Option<&'n First>,
    /// Whether a JSON caller can call anything.
    pub(crate) callable: bool,
}

impl Next<'_> {
    /// The suggested call, as a command.
    pub(crate) fn call(&self, first: &First) -> String {
        let arguments =
            if first.arguments == "{}" { String::new() } else { format!(" {}", quoted(&first.arguments)) };
        self.line("call", &format!(" {}{arguments}", quoted(&first.function)), "")
    }

    pub(crate) fn text(&self) -> String {
        let mut lines = Vec::new();
        if self.callable {
            if let Some(first) = self.first {
                lines.push((self.call(first), "a call"));
            }
            let document = shown(&self.names.document);
            lines.push((format!("opendyn call {document} --list"), "all functions"));
            lines.push((self.line("serve", "", ""), "for clients of OpenTool and MCP, over HTTP"));
            lines.push((
                self.line("mcp", "", " --install claude-code"),
                "for an MCP client; --help lists them",
            ));
        }
        let crate_name = self.names.document.file_stem().unwrap_or_default().to_string_lossy();
        lines.push((
            self.line(&format!("new {}-tools", quoted(&crate_name)), "", ""),
            "a Rust crate with typed methods",
        ));
        let headers: String =
            self.headers.iter().map(|header| format!(" --header {}", shown(header))).collect();
        lines.push((self.line("check", "", &headers), "compares the document with the library"));
        let width = lines.iter().map(|(line, _)| line.chars().count()).max().unwrap_or_default();
        let mut text = "\nNext:\n".to_owned();
        for (line, what) in lines {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  {line:<width$}  # {what}");
        }
        text
    }

    /// `opendyn COMMAND DOC … --library LIB …`
    fn line(&self, command: &str, after: &str, end: &str) -> String {
        let library = match &self.names.library {
            Some(library) => format!(" --library {}", shown(library)),
            None => String::new(),
        };
        format!("opendyn {command} {}{after}{library}{end}", shown(&self.names.document))
    }
}

/// A path as a word of a shell.
fn shown(path: &Path) -> String {
    quoted(&path.to_string_lossy())
}

/// A word of a shell.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:@%+=,".contains(&byte) || byte >= 0x80;
    if !word.is_empty() && word.bytes().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("./libz.so.1"), "./libz.so.1");
        assert_eq!(quoted("{\"a\":2}"), "'{\"a\":2}'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
