//! Suggestions for mistyped names ("did you mean"). All of them are made here, so that the limits hold
//! everywhere. Extension keys of a document have a stricter rule where they are read, because other tools
//! define their own keys.

/// Longer names are not compared: they are not typing mistakes, and comparing them is slow.
const MAX_BYTES: usize = 256;

/// The candidate that is closest to `name`, if one is close enough.
pub fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    nearest_few(name, candidates, 1).first().copied()
}

/// Up to `count` candidates that are close to `name`, closest first; ties keep the order of the candidates.
pub fn nearest_few<'c>(
    name: &str,
    candidates: impl IntoIterator<Item = &'c str>,
    count: usize,
) -> Vec<&'c str> {
    closest(name, &mut candidates.into_iter(), count)
}

fn closest<'c>(name: &str, candidates: &mut dyn Iterator<Item = &'c str>, count: usize) -> Vec<&'c str> {
    if name.len() > MAX_BYTES {
        return Vec::new();
    }
    let folded = fold(name);
    // A short name is close to too many others.
    let limit = match folded.len() {
        0 => return Vec::new(),
        1..=3 => 1,
        4..=7 => 2,
        _ => 3,
    };
    let candidates = candidates.filter(|candidate| candidate.len() <= MAX_BYTES);
    let mut found: Vec<(usize, &str)> = candidates
        .filter_map(|candidate| Some((edits_within(limit, &folded, &fold(candidate))?, candidate)))
        .collect();
    found.sort_by_key(|(edits, _)| *edits);
    found.dedup();
    found.into_iter().take(count).map(|(_, candidate)| candidate).collect()
}

/// Case and underscores do not count.
fn fold(name: &str) -> Vec<char> {
    name.chars().filter(|character| *character != '_').flat_map(char::to_lowercase).collect()
}

/// The number of letters to insert, delete, change or swap with the next, if at most `limit`.
fn edits_within(limit: usize, a: &[char], b: &[char]) -> Option<usize> {
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let too_many = limit + 1;
    let mut before = vec![too_many; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![too_many; b.len() + 1];
        row[0] = i + 1;
        // Cells further from the diagonal than the limit cost more than the limit.
        for j in i.saturating_sub(limit)..b.len().min(i + limit + 1) {
            let y = &b[j];
            let changed = last[j] + usize::from(x != y);
            row[j + 1] = changed.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                row[j + 1] = row[j + 1].min(before[j - 1] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    Some(last[b.len()]).filter(|edits| *edits <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn additions_drops_changes_and_swaps_are_edits() {
        let edits = |a: &str, b: &str| edits_within(3, &fold(a), &fold(b));
        assert_eq!(edits("", "abc"), Some(3));
        assert_eq!(edits("", "abcd"), None);
        assert_eq!(edits("kitten", "sitting"), Some(3));
        assert_eq!(edits("same", "same"), Some(0));
        assert_eq!(edits("delfate", "deflate"), Some(1));
        assert_eq!(edits("abcdefgh", "efghabcd"), None);
    }

    #[test]
    fn near_names_are_suggested_and_distant_ones_are_not() {
        assert_eq!(nearest("multiply", ["add", "sub"]), None);
        assert_eq!(nearest("Multply", ["add", "multiply"]), Some("multiply"));
        assert_eq!(nearest("", ["a"]), None);
        let names = ["compress", "compress2", "uncompress", "deflate", "inflate", "gzopen64"];
        assert_eq!(nearest_few("compres", names, 3), ["compress", "compress2"]);
        assert_eq!(nearest_few("gz_open64", names, 3), ["gzopen64"]);
        assert_eq!(nearest_few("delfate", names, 3)[0], "deflate");
        assert!(nearest_few("sqlite3_open", names, 3).is_empty());
    }

    #[test]
    fn long_names_are_not_compared() {
        let long = "x".repeat(1 << 20);
        let begin = std::time::Instant::now();
        assert_eq!(nearest(&long, [&*long, "x"]), None);
        assert_eq!(nearest("x", [&*long]), None);
        let names: Vec<String> = (0..1000).map(|number| format!("{number:0250}")).collect();
        assert_eq!(nearest(&"9".repeat(250), names.iter().map(String::as_str)), None);
        assert!(begin.elapsed().as_secs() < 10, "{:?}", begin.elapsed());
    }
}
