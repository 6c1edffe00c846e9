//! Limits the length of messages, which may contain text from callers and documents.

/// The maximum number of characters shown of a name.
pub const NAME: usize = 100;
/// The maximum number of characters shown of a message.
pub const MESSAGE: usize = 2000;

/// The text, or its beginning and end if it has more than `limit` characters. A message states the problem at
/// its beginning and the fix at its end.
pub fn shortened(text: impl Into<String>, limit: usize) -> String {
    let text = text.into();
    // Every character has at least one byte, so no text of this size is over the limit.
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
