//! A question that is answered with yes or no.

use std::io::BufRead;

use crate::failure::{Failure, Outcome};

/// Asks on stderr, and reads a line of stdin. `None` if there is none: nobody answered.
pub(crate) fn agrees(question: &str) -> Outcome<Option<bool>> {
    anstream::eprint!("{question} [y/N] ");
    let mut line = Vec::new();
    let read = std::io::stdin().lock().read_until(b'\n', &mut line);
    match read.map_err(|error| Failure::new(format!("cannot read the answer: {error}")))? {
        0 => {
            anstream::eprintln!();
            Ok(None)
        }
        _ => Ok(Some(is_yes(&line))),
    }
}

/// Everything else is no.
fn is_yes(line: &[u8]) -> bool {
    let word = line.trim_ascii();
    [&b"y"[..], b"yes"].iter().any(|yes| word.eq_ignore_ascii_case(yes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_yes_is_yes() {
        assert!(is_yes(b"y\n") && is_yes(b" YES\r\n"));
        assert!(!is_yes(b"\n") && !is_yes(b"yep\n") && !is_yes(b"\xff") && !is_yes(b"n\n"));
    }
}
