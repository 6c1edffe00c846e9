//! The words of names, descriptions and questions, in a form in which they can be compared.

/// Words that are in most questions and tell nothing about a function. Directions, such as `up`, tell something.
const COMMON: [&str; 83] = [
    "a", "about", "also", "am", "an", "and", "any", "are", "as", "at", "be", "been", "being", "but", "by",
    "can", "could", "do", "does", "each", "for", "from", "get", "had", "has", "have", "here", "how", "i",
    "if", "in", "into", "is", "it", "its", "just", "let", "may", "me", "must", "my", "need", "of", "on",
    "only", "or", "per", "please", "s", "same", "should", "so", "some", "still", "such", "than", "that",
    "the", "their", "them", "then", "there", "these", "they", "this", "those", "to", "too", "use", "very",
    "want", "was", "we", "what", "which", "while", "whose", "will", "with", "would", "you", "your", "yours",
];

/// Forms that no ending tells.
const IRREGULAR: [(&str, &str); 24] = [
    ("began", "begin"),
    ("begun", "begin"),
    ("bound", "bind"),
    ("broke", "break"),
    ("broken", "break"),
    ("built", "build"),
    ("children", "child"),
    ("chosen", "choose"),
    ("drawn", "draw"),
    ("found", "find"),
    ("gave", "give"),
    ("given", "give"),
    ("held", "hold"),
    ("hidden", "hide"),
    ("kept", "keep"),
    ("lost", "lose"),
    ("made", "make"),
    ("ran", "run"),
    ("sent", "send"),
    ("shown", "show"),
    ("taken", "take"),
    ("took", "take"),
    ("written", "write"),
    ("wrote", "write"),
];

/// Endings that do not change what a word is about, the longest first.
const ENDINGS: [&str; 11] = ["ations", "ation", "ings", "ions", "ing", "ion", "ies", "ers", "ed", "es", "er"];

/// The shortest stem.
const STEM: usize = 3;
/// Of a longer one, `or` is an ending too.
const LONG: usize = 6;

/// The words of a text: a name is its parts too, `getHTTPCode2` is `get`, `http`, `code` and `2`.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for run in text.split(|character: char| !character.is_alphanumeric()).filter(|run| !run.is_empty()) {
        let parts = parts(run);
        // What is written as one word is also found as one: `crc32`.
        if parts.len() > 1 {
            words.push(stem(&run.to_lowercase()));
        }
        let telling = parts.iter().filter(|part| !COMMON.contains(&part.as_str()));
        words.extend(telling.map(|part| stem(part)));
    }
    words
}

/// `getHTTPCode2` as `get`, `http`, `code` and `2`.
fn parts(run: &str) -> Vec<String> {
    let characters: Vec<char> = run.chars().collect();
    let mut parts = Vec::new();
    let mut part = String::new();
    for (index, &character) in characters.iter().enumerate() {
        let begins = index > 0 && {
            let before = characters[index - 1];
            let next = characters.get(index + 1);
            let is_capital = character.is_uppercase()
                && (before.is_lowercase()
                    || (before.is_uppercase() && next.is_some_and(|next| next.is_lowercase())));
            is_capital || character.is_numeric() != before.is_numeric()
        };
        if begins {
            parts.push(std::mem::take(&mut part));
        }
        part.extend(character.to_lowercase());
    }
    parts.push(part);
    parts
}

/// A word without its ending, so that `compressing`, `compressed` and `compresses` are `compress`.
pub(super) fn stem(word: &str) -> String {
    if !word.is_ascii() {
        return word.to_owned();
    }
    let word = IRREGULAR.iter().find(|(form, _)| *form == word).map_or(word, |(_, usual)| usual);
    let ending = ENDINGS.iter().find(|ending| {
        word.strip_suffix(**ending)
            .is_some_and(|stem| stem.len() >= STEM && stem.contains(['a', 'e', 'i', 'o', 'u', 'y']))
    });
    let mut stem = match ending {
        Some(ending) => {
            let stem = &word[..word.len() - ending.len()];
            // `queries` is `query`, and `stopping` is `stop`.
            if *ending == "ies" { format!("{stem}y") } else { undoubled(stem).to_owned() }
        }
        None => word
            .strip_suffix('s')
            .filter(|stem| stem.len() >= STEM && !stem.ends_with(['s', 'u', 'i']))
            .unwrap_or(word)
            .to_owned(),
    };
    // `closing` and `close`, `tries` and `try`.
    if stem.len() > STEM && stem.ends_with('e') {
        stem.pop();
    }
    if stem.len() > STEM && stem.ends_with('y') {
        stem.pop();
        stem.push('i');
    }
    // `compressor` and `compress`, not `color`.
    if stem.len() > LONG && (stem.ends_with("sor") || stem.ends_with("tor")) {
        stem.truncate(stem.len() - "or".len());
    }
    stem
}

/// `stopp` as `stop`; `compress` and `roll` are words of their own.
fn undoubled(stem: &str) -> &str {
    let bytes = stem.as_bytes();
    match bytes {
        [.., before, last] if before == last && !b"lsz".contains(last) && bytes.len() > STEM => {
            &stem[..stem.len() - 1]
        }
        _ => stem,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_whole_and_by_their_parts() {
        assert_eq!(words("sqlite3_column_text"), ["sqlite3", "sqlit", "3", "column", "text"]);
        assert_eq!(words("crc32_combine"), ["crc32", "crc", "32", "combin"]);
        assert_eq!(words("SQLite"), ["sqlit", "sq", "lit"], "as one word it is found in any case");
        assert_eq!(words("zlibCompileFlags"), ["zlibcompileflag", "zlib", "compil", "flag"]);
        assert_eq!(words("HTTPServer"), ["httpserv", "http", "serv"]);
        assert_eq!(words(""), [""; 0]);
    }

    #[test]
    fn forms_of_a_word_are_one_word() {
        for forms in [
            &[
                "compress",
                "compresses",
                "compressed",
                "compressing",
                "compression",
                "compressor",
                "compressors",
            ][..],
            &["close", "closes", "closed", "closing"],
            &["stop", "stops", "stopped", "stopping"],
            &["query", "queries"],
            &["copy", "copies", "copied", "copying"],
            &["write", "writes", "writing", "writer", "written", "wrote"],
            &["combine", "combined", "combining", "combination"],
            &["roll", "rolled", "rolling"],
            &["parameter", "parameters"],
            &["status"],
            &["color"],
            &["error", "errors"],
            &["address", "addresses"],
        ] {
            let stems: Vec<Vec<String>> = forms.iter().map(|form| words(form)).collect();
            assert!(stems.iter().all(|stem| *stem == stems[0] && stem.len() == 1), "{forms:?}: {stems:?}");
        }
    }

    #[test]
    fn common_words_tell_nothing() {
        assert_eq!(words("How do I get the name of this?"), ["nam"]);
    }

    #[test]
    fn other_scripts_are_left_as_they_are() {
        assert_eq!(words("Größe, 大小"), ["größe", "大小"]);
    }
}
