//! Finds mistyped extension keys. Other tools define their own keys, so a key counts as mistyped only if a single
//! typing mistake separates it from one of ours.

use crate::keys::Place;

/// The key of ours that `key` is a mistyped form of: one of this place, or else of another.
pub(super) fn meant(key: &str, place: Place) -> Option<&'static str> {
    let given = letters(key);
    // A typing mistake does not change the length much, so long keys are not compared.
    let of = |place: &Place| {
        place.keys().iter().map(|key| key.name).find(|ours| {
            let ours_letters = letters(ours);
            ours.starts_with("x-")
                && given.len().abs_diff(ours_letters.len()) <= 2
                && is_slip(&given, &ours_letters)
        })
    };
    of(&place).or_else(|| Place::ALL.iter().find_map(of))
}

/// The letters to compare. Case, `-` and `_` differ between styles and are ignored.
fn letters(key: &str) -> Vec<char> {
    let name = key.strip_prefix("x-").unwrap_or(key);
    name.chars().filter(|c| !matches!(c, '-' | '_')).map(|c| c.to_ascii_lowercase()).collect()
}

/// Whether the two differ by one missing, extra or wrong letter, or by two adjacent letters. In a short word, a
/// different letter makes a different word: `mode` is not `code`.
fn is_slip(given: &[char], ours: &[char]) -> bool {
    let same_start = given.iter().zip(ours).take_while(|(a, b)| a == b).count();
    let (given_rest, ours_rest) = (&given[same_start..], &ours[same_start..]);
    let same_end = given_rest.iter().rev().zip(ours_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    match (&given_rest[..given_rest.len() - same_end], &ours_rest[..ours_rest.len() - same_end]) {
        ([], [] | [_]) | ([_], []) => true,
        ([_], [_]) => ours.len() > 4,
        ([a, b], [c, d]) => (a, b) == (d, c) || ours.len() > 6,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typing_mistake_is_found_anywhere_in_a_key() {
        for (key, expected) in [
            ("x-lenght", "x-length"),
            ("x-lengh", "x-length"),
            ("x-llength", "x-length"),
            ("x-lengtj", "x-length"),
            ("x-legnth", "x-length"),
            ("x-tood", "x-todo"),
            ("x-fre", "x-free"),
            ("x-inOut", "x-inout"),
            ("x-writen", "x-written"),
        ] {
            assert_eq!(meant(key, Place::Parameter), Some(expected), "{key}");
        }
        assert_eq!(meant("x-pointer-depth", Place::CType), Some("x-pointerDepth"));
        assert_eq!(meant("x-poiner_depth", Place::CType), Some("x-pointerDepth"));
        assert_eq!(meant("x-handel", Place::Schema), Some("x-handle"), "a key of another place");
    }

    #[test]
    fn keys_of_other_tools_are_accepted() {
        for key in [
            "x-mode",
            "x-alias",
            "x-threadPool",
            "x-node",
            "x-note",
            "x-name",
            "x-order",
            "x-tags",
            "x-internal",
            "x-variable",
            "x-",
            "x-a",
            "x-go-name",
            "x-ms-enum",
            "x-deprecated",
            "x-example",
            "x-logo",
        ] {
            assert_eq!(meant(key, Place::Parameter), None, "{key}");
        }
        assert_eq!(meant(&format!("x-{}", "length".repeat(100_000)), Place::Parameter), None);
    }

    /// Otherwise one would be suggested for a misspelling of the other.
    #[test]
    fn our_keys_differ_by_more_than_a_typing_mistake() {
        let ours = || {
            Place::ALL
                .iter()
                .flat_map(|place| place.keys())
                .map(|key| key.name)
                .filter(|key| key.starts_with("x-"))
        };
        for (one, other) in ours().flat_map(|one| ours().map(move |other| (one, other))) {
            // Of a function and of the document: where one is unknown, the other is misplaced, which is said.
            let is_plural = format!("{one}s") == other || format!("{other}s") == one;
            assert!(is_plural || one == other || !is_slip(&letters(one), &letters(other)), "{one} {other}");
        }
    }
}
