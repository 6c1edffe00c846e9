//! Output that C did not write although the document says that it does: the bytes that are what they were before the call,
//! in two processes whose buffers began differently.

use super::address::bytes;
use super::protocol::{Event, Left};
use super::watch::Watched;

/// What is in buffers before a call of the second process. In the first, it is zeros. It is text in every encoding, so that
/// text that C did not write is not an error of its own.
pub(crate) const FILL: u8 = b'_';

/// The call, the parameter, and what C left out, as the end of a sentence.
pub(crate) fn compare(zeros: &Watched, filled: &Watched) -> Vec<(usize, String, String)> {
    let (zeros, filled) = (succeeded(zeros), succeeded(filled));
    let mut found = Vec::new();
    for ((call, zeros), (_, filled)) in zeros.iter().zip(&filled).filter(|(a, b)| a.0 == b.0) {
        for (zeros, filled) in zeros.iter().zip(*filled) {
            let message = left_out(zeros, filled);
            found.extend(message.map(|message| (*call, zeros.name.clone(), message)));
        }
    }
    found
}

/// The calls that succeeded, with the buffers that C filled.
fn succeeded(watched: &Watched) -> Vec<(usize, &[Left])> {
    let (mut all, mut call, mut last): (Vec<_>, _, &[Left]) = (Vec::new(), 0, &[]);
    for event in &watched.events {
        match event {
            Event::Begin { call: index } => (call, last) = (*index, &[]),
            Event::Left(left) => last = left,
            Event::End { failed: None } => all.push((call, last)),
            _ => {}
        }
    }
    all
}

fn left_out(zeros: &Left, filled: &Left) -> Option<String> {
    let (Some(first), Some(second)) = (&zeros.bytes, &filled.bytes) else { return None };
    let name = &zeros.name;
    let is_unwritten = |index: usize| first.get(index) == Some(&0) && second.get(index) == Some(&FILL);
    let count = |end: usize| (0..end).filter(|index| is_unwritten(*index)).count();
    if zeros.ends_at_nul {
        let end = zeros.written.unwrap_or(first.len());
        let mut units = first[..end.min(first.len())].chunks(zeros.unit.max(1));
        // Text that fills the buffer, or that C counted, needs no NUL.
        let text = units.position(|unit| unit.iter().all(|byte| *byte == 0))? * zeros.unit;
        return is_unwritten(text)
            .then(|| format!("wrote {} of text to `{name}` and no NUL behind them", bytes(text)));
    }
    let (end, says) = match zeros.written {
        Some(written) => {
            (written.min(first.len()), "the document says that C counts what it wrote: `x-written`")
        }
        None => (first.len(), "the document says that it writes all of it: it has no `x-written`"),
    };
    match count(end) {
        0 => None,
        unwritten => Some(format!("left {} of `{name}` unwritten, of {}: {says}", bytes(unwritten), end)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(bytes: &[u8], ends_at_nul: bool, written: Option<usize>) -> Left {
        Left { name: "out".to_owned(), bytes: Some(bytes.to_vec()), unit: 1, ends_at_nul, written }
    }

    #[test]
    fn only_bytes_that_keep_both_fills_are_unwritten() {
        let message = left_out(&left(&[1, 0, 0], false, None), &left(&[1, FILL, 0], false, None));
        assert_eq!(
            message.as_deref(),
            Some(
                "left 1 byte of `out` unwritten, of 3: the document says that it writes all of it: it has no `x-written`"
            )
        );
        // What differs from call to call was written.
        assert_eq!(left_out(&left(&[7, 0], false, None), &left(&[8, 0], false, None)), None);
        // C says that it wrote one.
        assert_eq!(left_out(&left(&[1, 0], false, Some(1)), &left(&[1, FILL], false, Some(1))), None);
    }

    #[test]
    fn text_needs_its_nul_unless_it_fills_the_buffer() {
        let missing = left_out(&left(b"ab\0\0", true, None), &left(&[b'a', b'b', FILL, FILL], true, None));
        assert_eq!(missing.as_deref(), Some("wrote 2 bytes of text to `out` and no NUL behind them"));
        assert_eq!(left_out(&left(b"ab\0\0", true, None), &left(&[b'a', b'b', 0, FILL], true, None)), None);
        assert_eq!(left_out(&left(b"abcd", true, None), &left(b"abcd", true, None)), None);
    }
}
