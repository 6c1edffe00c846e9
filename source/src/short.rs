//! Messages of a bounded length, whatever a caller or a document put into them.

/// How many characters of a name are shown.
pub const NAME: usize = 100;
/// How many characters of a message are shown.
pub const MESSAGE: usize = 2000;

/// The text, or its beginning and its end if it has more than `limit` characters: what is wrong stands
/// at the beginning of a message, and what to do about it at the end.
pub fn shortened(text: impl Into<String>, limit: usize) -> String {
    let text = text.into();
    // No character has more than four bytes, and most have one.
    if text.len() <= limit {
        return text;
    }
    let half = limit / 2;
    let start = text.char_indices().nth(half).map(|(at, _)| at);
    let end = text.char_indices().rev().nth(half.saturating_sub(1)).map(|(at, _)| at);
    match (start, end) {
        (Some(start), Some(end)) if text.char_indices().nth(limit).is_some() => {
            format!("{}…{}", &text[..start], &text[end..])
        }
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_keeps_its_beginning_and_its_end() {
        for (text, expected) in
            [("", ""), ("abcd", "abcd"), ("éééé", "éééé"), ("abcde", "ab…de"), ("éabcdefgü", "éa…gü")]
        {
            assert_eq!(shortened(text, 4), expected);
        }
        assert_eq!(shortened("é".repeat(1 << 20), NAME).chars().count(), NAME + 1);
    }
}
