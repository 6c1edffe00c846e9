//! The text of a failed call as a hint at what the sandbox kept from it: a library names the file that it could not open, and says
//! with the words of the system why.

use serde_json::Value;

use crate::{Explanation, Sandbox};

const EPERM: i32 = 1;
/// What a text says for `EPERM` and `EACCES`, and these.
const REFUSALS: [(&str, i32); 2] = [("Operation not permitted", EPERM), ("Permission denied", 13)];
/// How many paths of a text, and how many strings of a call, are looked at.
const MOST: usize = 64;

impl Sandbox {
    /// Explains a call that failed in this sandbox with `message`, as [`explain`](Self::explain) does. The message counts too: what it
    /// says of a refusal, and the absolute paths in it.
    #[must_use]
    pub fn explain_failure<'a>(
        &self,
        strings: impl IntoIterator<Item = &'a str>,
        message: &str,
    ) -> Option<Explanation> {
        let said = REFUSALS.iter().find(|(text, _)| message.contains(text)).map(|(_, errno)| *errno);
        // A file is refused with `EACCES`, the start of a process and the like with `EPERM`.
        if said == Some(EPERM) {
            return self.explain([], said);
        }
        if let Some(explanation) = self.explain(strings.into_iter().take(MOST), None) {
            return Some(explanation);
        }
        // A file that can be read is named for many reasons.
        let named = self
            .explain(paths(message).take(MOST), None)
            .filter(|explanation| matches!(explanation, Explanation::Unreadable(_)) || said.is_some());
        named.or_else(|| self.explain([], said))
    }

    /// The message of a failed call, with the explanation if there is one. `arguments` are those of the call, as JSON.
    #[must_use]
    pub fn explained(&self, message: String, arguments: &[u8]) -> String {
        let arguments = serde_json::from_slice(arguments).unwrap_or_default();
        let mut texts = Vec::new();
        strings(&arguments, &mut texts);
        let explanation = self.explain_failure(texts, &message).map(|explanation| explanation.to_string());
        // A script may return the message of a tool that it called.
        match explanation.filter(|explanation| !message.contains(explanation)) {
            Some(explanation) => format!("{message}; sandbox: {explanation}"),
            None => message,
        }
    }
}

/// The strings of a JSON value, also those in arrays and objects.
fn strings<'v>(value: &'v Value, found: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => found.push(text),
        Value::Array(items) => items.iter().for_each(|item| strings(item, found)),
        Value::Object(members) => members.values().for_each(|member| strings(member, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The absolute paths that a text may contain: in quotes, or up to a space.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    const QUOTES: [char; 3] = ['\'', '"', '`'];
    // What precedes the first quote is not in quotes.
    let quoted = text.split(QUOTES).skip(1);
    let words = text.split(|character: char| character.is_whitespace() || QUOTES.contains(&character));
    let words = words.map(|word| word.trim_end_matches([':', ',', ';', '.', ')', ']']));
    quoted.chain(words).filter(|path| path.starts_with('/'))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn explained(strings: &[&str], message: &str) -> String {
        let sandbox = Sandbox { read: vec!["/usr".into()], ..Sandbox::default() };
        sandbox.explain_failure(strings.iter().copied(), message).map(|it| it.to_string()).unwrap_or_default()
    }

    #[test]
    fn a_file_that_the_message_names_counts() {
        let expected = "`/etc/passwd` cannot be read or written here";
        for message in [
            "unable to open database: /etc/passwd",
            "cannot open /etc/passwd: no access",
            "s.py:2: PermissionError: [Errno 13] Permission denied: '/etc/passwd'",
        ] {
            assert!(explained(&[], message).starts_with(expected), "{message}: {}", explained(&[], message));
        }
        assert!(
            explained(&["/etc/hosts"], "no /etc/passwd").starts_with("`/etc/hosts`"),
            "arguments come first"
        );
    }

    #[test]
    fn the_strings_of_the_arguments_count_wherever_they_are_and_once() {
        let (sandbox, arguments) = (Sandbox::default(), br#"{"of":[{"path":"/etc/passwd"}]}"#);
        let explained = sandbox.explained("no".to_owned(), arguments);
        let flags = "--allow-read /etc/passwd or --allow-write /etc allows it";
        let expected = format!("no; sandbox: `/etc/passwd` cannot be read or written here: {flags}");
        assert_eq!(explained, expected);
        assert_eq!(sandbox.explained(explained.clone(), arguments), explained);
        assert_eq!(sandbox.explained("no".to_owned(), b"not JSON"), "no");
    }

    #[test]
    fn a_file_that_can_be_read_counts_only_with_a_refusal() {
        assert_eq!(explained(&[], "/usr/lib: a syntax error"), "");
        assert!(explained(&[], "/usr/lib: Permission denied").contains("--allow-write /usr/lib allows it"));
    }

    #[test]
    fn a_refusal_without_a_path_names_all_flags() {
        for (argument, message) in [("x", "Permission denied"), ("/bin/ls", "fork: Operation not permitted")]
        {
            let explained = explained(&[argument], message);
            assert!(explained.contains("--allow-net") && explained.contains("--no-sandbox"), "{explained}");
        }
        assert_eq!(explained(&["x"], "out of range"), "");
    }
}
