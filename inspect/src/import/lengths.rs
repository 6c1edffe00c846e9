//! Which parameter may be the length of which pointer: by names and positions, and so only for questions.

use super::names::fold;

/// How a parameter can express a length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counter {
    /// An integer by value.
    Value,
    /// A pointer to one integer that C may write.
    Pointer,
    /// Not a count.
    None,
}

/// One parameter, as a candidate for lengths.
pub(super) struct Candidate {
    pub(super) name: String,
    /// Whether C names it; `arg2` is a placeholder.
    pub(super) is_named: bool,
    pub(super) counter: Counter,
    /// Whether its type is `size_t`, which most often is a length.
    pub(super) is_size: bool,
    /// Whether it is a pointer that could have a length.
    pub(super) is_counted: bool,
    /// Whether its type leaves open what it is: `mode_t` and `time_t` count nothing.
    pub(super) may_count: bool,
}

/// What the signature says about the length of a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Length {
    /// The names agree: `sourceLen` and `source`.
    Certain(usize),
    /// An integer in the position of a length.
    Likely(usize),
    /// Two integers follow, as in `fread`: the length is their product.
    Product(usize, usize),
    /// Nothing.
    Unknown,
}

const SUFFIXES: [&str; 12] =
    ["len", "length", "size", "sz", "bytes", "nbytes", "count", "cnt", "num", "capacity", "maxlen", "cap"];

/// Endings of pointer names that carry no information.
const POINTER_SUFFIXES: [&str; 4] = ["buffer", "buf", "ptr", "data"];

const COUNTS: [&str; 20] = [
    "n", "l", "k", "m", "nb", "len", "length", "size", "sz", "count", "cnt", "num", "nbyte", "nbytes",
    "bytes", "nelem", "nitems", "nmemb", "max", "cb",
];

/// The length of the parameter at `index`.
pub(super) fn of(candidates: &[Candidate], index: usize) -> Length {
    if let Some(certain) = certain(candidates, index) {
        return Length::Certain(certain);
    }
    let counts = |index: usize| {
        candidates.get(index).is_some_and(|candidate| {
            candidate.counter != Counter::None
                && (!candidate.is_named || candidate.is_size || is_count(&candidate.name))
        })
    };
    let by_value =
        |index: usize| candidates.get(index).is_some_and(|candidate| candidate.counter == Counter::Value);
    let next = index + 1;
    if by_value(next)
        && candidates[next].is_named
        && let Some((first, second)) = steps(candidates, next)
    {
        return Length::Product(first, second);
    }
    if counts(next) && is_of(candidates, next, index) {
        if by_value(next) && by_value(next + 1) && is_product(candidates, next) {
            return Length::Product(next, next + 1);
        }
        return Length::Likely(next);
    }
    // One pointer and one count, in any position.
    let named: Vec<usize> = (0..candidates.len())
        .filter(|&other| candidates[other].is_named && counts(other) && is_of(candidates, other, index))
        .collect();
    let pointers = candidates.iter().filter(|candidate| candidate.is_counted).count();
    match named.as_slice() {
        [only] if pointers == 1 => Length::Likely(*only),
        _ => Length::Unknown,
    }
}

/// The size of an element, and the number of elements.
fn is_product(candidates: &[Candidate], first: usize) -> bool {
    let name =
        |index: usize| candidates.get(index).map(|candidate| fold(&candidate.name)).unwrap_or_default();
    let is_size = |name: &str| ["size", "sz", "width", "elsize", "itemsize"].contains(&name);
    let is_number = |name: &str| ["n", "nmemb", "nitems", "nelem", "count", "num"].contains(&name);
    let (a, b) = (name(first), name(first + 1));
    is_size(&a) && is_number(&b) || is_number(&a) && is_size(&b)
}

/// The distance between two elements that come one after the other, in elements.
fn is_step(name: &str) -> bool {
    let name = name.trim_end_matches(|of: char| of.is_ascii_digit());
    ["stride", "tda"].contains(&name)
}

/// The number of elements and their distance, one of which is at `first`: `(data, stride, n)`, also with another pointer
/// and its stride between them, or rows and their distance: `(base, n1, n2, tda)`.
fn steps(candidates: &[Candidate], first: usize) -> Option<(usize, usize)> {
    let name = |index: usize| fold(&candidates[index].name);
    let numbers = |index: &usize| candidates[*index].counter == Counter::Value;
    let mut others = (first + 1..candidates.len()).filter(numbers);
    if is_step(&name(first)) {
        return others.find(|index| is_count(&candidates[*index].name)).map(|count| (first, count));
    }
    let is_rows = ["n", "n1"].contains(&name(first).as_str());
    others.find(|index| is_rows && is_step(&name(*index))).map(|step| (first, step))
}

/// Whether the count can belong to the pointer: not if its name refers to another pointer.
fn is_of(candidates: &[Candidate], count: usize, pointer: usize) -> bool {
    (0..candidates.len())
        .filter(|&other| other != pointer && candidates[other].is_counted)
        .all(|other| certain(candidates, other) != Some(count))
}

fn certain(candidates: &[Candidate], index: usize) -> Option<usize> {
    let pointer = candidates.get(index).filter(|candidate| candidate.is_named)?;
    let whole = fold(&pointer.name);
    let stem = POINTER_SUFFIXES
        .iter()
        .find_map(|suffix| whole.strip_suffix(suffix).filter(|stem| !stem.is_empty()))
        .map(str::to_owned);
    // By value is preferred to by pointer: `dst`, `dstCapacity`, `dstSizePtr`.
    let counters = [Counter::Value, Counter::Pointer];
    counters.iter().find_map(|counter| {
        candidates.iter().enumerate().position(|(other, candidate)| {
            other != index
                && candidate.counter == *counter
                && candidate.is_named
                && [Some(&whole), stem.as_ref()]
                    .into_iter()
                    .flatten()
                    .any(|stem| is_length_of(&candidate.name, stem))
        })
    })
}

fn is_length_of(name: &str, stem: &str) -> bool {
    let name = fold(name);
    let name = name
        .strip_suffix("ptr")
        .or_else(|| name.strip_suffix('p').filter(|_| name.ends_with("lenp")))
        .unwrap_or(&name);
    SUFFIXES.iter().filter_map(|suffix| name.strip_suffix(suffix)).any(|short| {
        // `dictLength` is the length of `dictionary`.
        short == stem || short.len() >= 3 && stem.starts_with(short)
    })
}

/// Whether a parameter with this name counts something.
pub(super) fn is_count(name: &str) -> bool {
    let folded = fold(name);
    let hungarian = name
        .strip_prefix("sz")
        .or_else(|| name.strip_prefix('n'))
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_uppercase()));
    let named = folded.strip_suffix("ptr").unwrap_or(&folded);
    hungarian
        || COUNTS.contains(&named)
        || ["len", "lenp", "length", "size", "count", "capacity", "bytes"]
            .iter()
            .any(|suffix| named.ends_with(suffix))
        || name.split('_').any(|word| word.len() > 3 && word.starts_with('n') && word.ends_with('s'))
        || name.starts_with("num_")
        || name.starts_with("n_")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidates(parameters: &[(&str, Counter, bool)]) -> Vec<Candidate> {
        let candidate = |(name, counter, is_counted): &(&str, Counter, bool)| Candidate {
            name: (*name).to_owned(),
            is_named: !name.starts_with("arg"),
            counter: *counter,
            is_size: false,
            is_counted: *is_counted,
            may_count: true,
        };
        parameters.iter().map(candidate).collect()
    }

    #[test]
    fn a_length_that_has_the_name_of_its_pointer_is_certain() {
        let uncompress = candidates(&[
            ("dest", Counter::None, true),
            ("destLen", Counter::Pointer, false),
            ("source", Counter::None, true),
            ("sourceLen", Counter::Value, false),
        ]);
        assert_eq!(of(&uncompress, 0), Length::Certain(1));
        assert_eq!(of(&uncompress, 2), Length::Certain(3));
        let frame = candidates(&[("srcBuffer", Counter::None, true), ("srcSize", Counter::Value, false)]);
        assert_eq!(of(&frame, 0), Length::Certain(1));
        let dictionary =
            candidates(&[("dictionary", Counter::None, true), ("dictLength", Counter::Value, false)]);
        assert_eq!(of(&dictionary, 0), Length::Certain(1));
    }

    #[test]
    fn a_count_behind_a_pointer_is_likely_its_length() {
        let crc32 = candidates(&[
            ("crc", Counter::Value, false),
            ("buf", Counter::None, true),
            ("len", Counter::Value, false),
        ]);
        assert_eq!(of(&crc32, 1), Length::Likely(2));
        let unnamed = candidates(&[("arg1", Counter::None, true), ("arg2", Counter::Value, false)]);
        assert_eq!(of(&unnamed, 0), Length::Likely(1));
    }

    #[test]
    fn the_length_of_another_pointer_is_not_taken() {
        let verify = candidates(&[
            ("sig", Counter::None, true),
            ("m", Counter::None, true),
            ("mlen", Counter::Value, false),
            ("pk", Counter::None, true),
        ]);
        assert_eq!(of(&verify, 0), Length::Unknown);
        assert_eq!(of(&verify, 3), Length::Unknown);
    }

    #[test]
    fn two_counts_in_a_row_are_a_product() {
        let fread = candidates(&[
            ("buf", Counter::None, true),
            ("size", Counter::Value, false),
            ("nitems", Counter::Value, false),
        ]);
        assert_eq!(of(&fread, 0), Length::Product(1, 2));
    }

    #[test]
    fn a_stride_is_a_factor_of_a_length() {
        let value = |name| (name, Counter::Value, false);
        let mean = candidates(&[("data", Counter::None, true), value("stride"), value("n")]);
        assert_eq!(of(&mean, 0), Length::Product(1, 2));
        let covariance = candidates(&[
            ("data1", Counter::None, true),
            value("stride1"),
            ("data2", Counter::None, true),
            value("stride2"),
            value("n"),
        ]);
        assert_eq!((of(&covariance, 0), of(&covariance, 2)), (Length::Product(1, 4), Length::Product(3, 4)));
        let view = candidates(&[("base", Counter::None, true), value("n1"), value("n2"), value("tda")]);
        assert_eq!(of(&view, 0), Length::Product(1, 3));
        let written = candidates(&[("b", Counter::None, true), value("n"), value("stride")]);
        assert_eq!(of(&written, 0), Length::Product(1, 2));
    }

    #[test]
    fn other_integers_are_no_lengths() {
        let open = candidates(&[("path", Counter::None, true), ("flags", Counter::Value, false)]);
        assert_eq!(of(&open, 0), Length::Unknown);
        assert!(is_count("nByte") && is_count("bin_maxlen") && is_count("LENGTH"));
        assert!(is_count("szBuf") && is_count("extra_nfds"));
        assert!(!is_count("name") && !is_count("mode") && !is_count("level"));
    }
}
