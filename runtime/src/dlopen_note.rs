//! A note in an ELF file that names a library which the program opens at run time: packaging tools read it, because
//! nothing else in the file tells them. The form is systemd's "dlopen() Metadata for ELF Files".

/// An ELF note of the type that packaging tools look for. `dlopen_note!` makes it.
#[doc(hidden)]
#[repr(C, align(4))]
#[derive(Debug)]
pub struct DlopenNote<const PADDED: usize> {
    name_length: u32,
    text_length: u32,
    kind: u32,
    name: [u8; 4],
    text: [u8; PADDED],
}

/// The type of the note.
const KIND: u32 = 0x407c_0c0a;

impl<const PADDED: usize> DlopenNote<PADDED> {
    /// The note whose text is these parts, one after the other, and a NUL.
    ///
    /// # Panics
    ///
    /// When it is compiled: if `PADDED` is not `padded` of the parts.
    #[must_use]
    pub const fn new(parts: &[&str]) -> Self {
        assert!(PADDED == padded(parts), "the text has another length");
        let mut text = [0; PADDED];
        let (mut at, mut part) = (0, 0);
        while part < parts.len() {
            let bytes = parts[part].as_bytes();
            let mut byte = 0;
            while byte < bytes.len() {
                text[at] = bytes[byte];
                at += 1;
                byte += 1;
            }
            part += 1;
        }
        // No literal is a text of 4 GiB.
        let text_length = at as u32 + 1;
        Self { name_length: 4, text_length, kind: KIND, name: *b"FDO\0", text }
    }
}

/// The length of a note's text with its NUL, in whole words of 4 bytes.
#[doc(hidden)]
#[must_use]
pub const fn padded(parts: &[&str]) -> usize {
    let (mut length, mut part) = (1, 0);
    while part < parts.len() {
        length += parts[part].len();
        part += 1;
    }
    length.next_multiple_of(4)
}

/// A text that stands in JSON as it is.
///
/// # Panics
///
/// When it is compiled: if the text has a quotation mark, a backslash or a control character.
#[doc(hidden)]
#[must_use]
pub const fn plain(text: &'static str) -> &'static str {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        assert!(
            bytes[at] >= b' ' && bytes[at] != b'"' && bytes[at] != b'\\' && bytes[at] != 0x7f,
            "a note has no quotation marks, backslashes and control characters"
        );
        at += 1;
    }
    text
}

/// Whether this is one of the priorities of the specification.
#[doc(hidden)]
#[must_use]
pub const fn is_priority(text: &str) -> bool {
    matches!(text.as_bytes(), b"required" | b"recommended" | b"suggested")
}

/// Says in the executable which library it opens at run time, for packaging tools: a `.note.dlopen` of ELF files, as
/// [systemd describes it](https://systemd.io/ELF_DLOPEN_METADATA). On systems without ELF files it is nothing.
///
/// ```
/// opendyn::dlopen_note!(
///     "libz.so.1",
///     feature = "zlib",
///     description = "Compresses and checks data",
///     priority = "required",
/// );
/// # fn main() {}
/// ```
///
/// Several names, such as `"libz.so.1", "libz-ng.so.2"`, are alternatives. The priority is `required`, `recommended` or
/// `suggested`. `readelf --notes` shows that the note is there, and systemd's `dlopen-notes` what it says.
#[macro_export]
macro_rules! dlopen_note {
    (
        $first:literal $(, $other:literal)*,
        feature = $feature:literal,
        description = $description:literal,
        priority = $priority:literal $(,)?
    ) => {
        const _: () = {
            use $crate::generated::dlopen_note::{DlopenNote, is_priority, padded, plain};

            assert!(is_priority($priority), "the priority is required, recommended or suggested");
            #[allow(dead_code)]
            const PARTS: &[&str] = &[
                "[{\"soname\":[\"", plain($first), $("\",\"", plain($other),)*
                "\"],\"feature\":\"", plain($feature),
                "\",\"description\":\"", plain($description),
                "\",\"priority\":\"", $priority, "\"}]",
            ];
            // SAFETY: the section is one of ELF notes, and the static is such a note.
            #[cfg(all(unix, not(target_vendor = "apple")))]
            #[used]
            #[unsafe(link_section = ".note.dlopen")]
            static NOTE: DlopenNote<{ padded(PARTS) }> = DlopenNote::new(PARTS);
        };
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_ends_with_a_nul_and_fills_words() {
        const PARTS: &[&str] = &["[{\"soname\":", "[]}]"];
        let note: DlopenNote<{ padded(PARTS) }> = DlopenNote::new(PARTS);
        assert_eq!(note.text, *b"[{\"soname\":[]}]\0");
        assert_eq!((note.text_length, note.name_length, note.kind, note.name), (16, 4, KIND, *b"FDO\0"));
        assert_eq!((padded(&[]), padded(&["abc"]), padded(&["abcd"])), (4, 4, 8));
        assert_eq!(size_of_val(&note), 16 + 16);
    }

    #[test]
    fn what_would_need_an_escape_is_refused() {
        assert_eq!(plain("libz.so.1 é"), "libz.so.1 é");
        for text in ["a\"b", "a\\b", "a\nb", "\u{7f}"] {
            assert!(std::panic::catch_unwind(|| plain(text)).is_err(), "{text:?}");
        }
        assert!(is_priority("required") && !is_priority("urgent"));
    }
}
