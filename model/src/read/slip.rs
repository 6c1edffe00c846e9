//! Extension keys that were meant to be one of ours. Others may have keys of their own, so only what one
//! slip of the hand makes of a key counts, not every word that is near it.

use crate::keys::Place;

/// The key of ours that `key` was meant to be: one of this place, or else of another.
pub(super) fn meant(key: &str, place: Place) -> Option<&'static str> {
    let given = letters(key);
    // No slip makes a key much longer. What is longer is not looked at.
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

/// What is compared: neither case nor what joins words, which differ from one style to another.
fn letters(key: &str) -> Vec<char> {
    let name = key.strip_prefix("x-").unwrap_or(key);
    name.chars().filter(|c| !matches!(c, '-' | '_')).map(|c| c.to_ascii_lowercase()).collect()
}

/// Whether the two differ in one letter that is missing, too much or another, or in two that stand side
/// by side. In a short word another letter makes another word: `mode` is not `code`.
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
    fn a_slip_is_recognized_wherever_it_is() {
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
    fn keys_of_others_are_theirs() {
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

    /// Otherwise a misspelling of one would be taken for the other.
    #[test]
    fn no_key_of_ours_is_a_slip_of_another() {
        let ours = || {
            Place::ALL
                .iter()
                .flat_map(|place| place.keys())
                .map(|key| key.name)
                .filter(|key| key.starts_with("x-"))
        };
        for (one, other) in ours().flat_map(|one| ours().map(move |other| (one, other))) {
            assert!(one == other || !is_slip(&letters(one), &letters(other)), "{one} {other}");
        }
    }
}
