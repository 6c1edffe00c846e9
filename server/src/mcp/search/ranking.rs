//! Which functions a question is about: BM25 over their names, descriptions and parameters.

use std::collections::{BTreeSet, HashMap, HashSet};

use opentool::{Function, OpenTool, Parameter, Schema};

use super::words::words;
use super::{compounds, synonyms};

/// How much a word counts in each part of a function.
const NAME: f64 = 3.0;
const DESCRIPTION: f64 = 2.0;
const PARAMETER: f64 = 1.0;
const RESULT: f64 = 1.0;

/// What a function gets whose name is in the question as it is: more than words can give.
const NAMED: f64 = 1000.0;

/// How much a part of a name counts that contains the word.
const CONTAINING: f64 = 0.7;

/// How much a word counts that a name has without a mark beside it.
const COMPOUND: f64 = 2.1;

/// By how much more a function counts if the question has every word of its name: `compress` is nearer to it than `compress2`.
const NAMED_IN_WORDS: f64 = 0.6;

/// How much more two words count that stand side by side in the question and in a text: "run SQL" is what "Runs SQL, …" does.
const SIDE_BY_SIDE: f64 = 0.5;

/// The shortest word that is looked for within parts of names.
const SHORTEST_PART: usize = 4;

/// How many parts of a question count.
const MOST_PARTS: usize = 8;

/// The usual constants of BM25: how soon further occurrences of a word count less, and how much a long text counts less.
const SATURATION: f64 = 2.0;
const LENGTH: f64 = 0.35;

/// The words of all functions.
pub(super) struct Ranking {
    /// By word: the functions that have it, by index, with its weight in each.
    functions: HashMap<String, Vec<(usize, f64)>>,
    /// By function: the sum of the weights of its words.
    lengths: Vec<f64>,
    average: f64,
    /// The names, in small letters.
    names: HashMap<String, usize>,
    /// The words of names.
    parts: Vec<String>,
    /// By function: the words of its name.
    named: Vec<HashSet<String>>,
    /// By function: the words that stand side by side in its texts.
    pairs: Vec<HashSet<[String; 2]>>,
}

impl Ranking {
    pub(super) fn of(document: &OpenTool) -> Self {
        let mut functions: HashMap<String, Vec<(usize, f64)>> = HashMap::new();
        let mut lengths = Vec::with_capacity(document.functions.len());
        let mut named = Vec::with_capacity(document.functions.len());
        let mut pairs = Vec::with_capacity(document.functions.len());
        let vocabulary = vocabulary(document);
        for (index, function) in document.functions.iter().enumerate() {
            let mut weights: HashMap<String, f64> = HashMap::new();
            let mut of_function = HashSet::new();
            each_text(function, |text, weight| {
                let words = words(text);
                of_function.extend(side_by_side(&words));
                for word in words {
                    *weights.entry(word).or_default() += weight;
                }
            });
            pairs.push(of_function);
            let name: HashSet<String> =
                words(&function.name).into_iter().filter(|word| is_letters(word)).collect();
            for word in name.iter().flat_map(|part| compounds::split(part, &vocabulary)) {
                *weights.entry(word).or_default() += COMPOUND;
            }
            named.push(name);
            lengths.push(weights.values().sum());
            for (word, weight) in weights {
                functions.entry(word).or_default().push((index, weight));
            }
        }
        let average =
            lengths.iter().sum::<f64>() / f64::from(u32::try_from(lengths.len().max(1)).unwrap_or(u32::MAX));
        let names = document.functions.iter().enumerate();
        let names = names.map(|(index, function)| (function.name.to_lowercase(), index)).collect();
        let parts: BTreeSet<String> =
            document.functions.iter().flat_map(|function| words(&function.name)).collect();
        let parts = parts.into_iter().collect();
        Self { functions, lengths, average: average.max(1.0), names, parts, named, pairs }
    }

    /// The indices of the functions that have a word of `question`, the best first. A question of several parts ("open a
    /// database, run SQL") gets the best of the whole and of each part in turn, so that no part is crowded out by another.
    pub(super) fn find(&self, question: &str) -> Vec<usize> {
        let parts = question.split([',', ';', '\n']).filter(|part| !words(part).is_empty());
        let mut rankings: Vec<_> =
            parts.take(MOST_PARTS).map(|part| self.find_one(part).into_iter()).collect();
        let whole = self.find_one(question);
        if rankings.len() < 2 {
            return whole;
        }
        rankings.insert(0, whole.into_iter());
        let (mut found, mut known) = (Vec::new(), HashSet::new());
        while !rankings.is_empty() {
            // Of each the next that is new.
            rankings.retain_mut(|ranking| match ranking.find(|index| known.insert(*index)) {
                Some(index) => {
                    found.push(index);
                    true
                }
                None => false,
            });
        }
        found
    }

    /// The same for a question of one part; functions that are as good come in the order of the document.
    fn find_one(&self, question: &str) -> Vec<usize> {
        let in_order = words(question);
        let mut asked = in_order.clone();
        asked.sort_unstable();
        asked.dedup();
        let mut scores: HashMap<usize, f64> = HashMap::new();
        // By function: the words of its name that are asked for, and how much.
        let mut asked_names: HashMap<usize, HashMap<String, f64>> = HashMap::new();
        for word in &asked {
            // What it gives to each function: only the best of its forms counts.
            let mut given: HashMap<usize, f64> = HashMap::new();
            let own = self.functions.get(word).map(|having| self.rarity(having.len()));
            for (form, share) in self.forms(word) {
                let Some(having) = self.functions.get(&form) else { continue };
                // A synonym tells no more than the word itself.
                let rarity = self.rarity(having.len()).min(own.unwrap_or(f64::INFINITY));
                for &(index, weight) in having {
                    let length = 1.0 - LENGTH + LENGTH * self.lengths[index] / self.average;
                    let score = share * rarity * weight * (SATURATION + 1.0) / (weight + SATURATION * length);
                    let best = given.entry(index).or_default();
                    *best = best.max(score);
                    if self.named[index].contains(&form) {
                        let share_of_name =
                            asked_names.entry(index).or_default().entry(form.clone()).or_default();
                        *share_of_name = share_of_name.max(share);
                    }
                }
            }
            given.into_iter().for_each(|(index, score)| *scores.entry(index).or_default() += score);
        }
        for (index, asked) in asked_names {
            let all: f64 = self.named[index].iter().map(|word| self.rarity_of(word)).sum();
            let found: f64 = asked.iter().map(|(word, share)| share * self.rarity_of(word)).sum();
            if let Some(score) = scores.get_mut(&index).filter(|_| all > 0.0) {
                *score *= 1.0 + NAMED_IN_WORDS * found / all;
            }
        }
        for pair in side_by_side(&in_order) {
            let [one, other] = &pair;
            let both = SIDE_BY_SIDE * (self.rarity_of(one) + self.rarity_of(other));
            for (index, score) in &mut scores {
                *score += if self.pairs[*index].contains(&pair) { both } else { 0.0 };
            }
        }
        for name in question.split(|character: char| character.is_whitespace() || "`,;()".contains(character))
        {
            if let Some(index) = self.names.get(&name.to_lowercase()) {
                *scores.entry(*index).or_default() += NAMED;
            }
        }
        let mut found: Vec<(usize, f64)> = scores.into_iter().collect();
        found.sort_by(|(one, a), (other, b)| b.total_cmp(a).then(one.cmp(other)));
        found.into_iter().map(|(index, _)| index).collect()
    }

    /// A word of a question, its synonyms, and the parts of names that contain it (`gzseek` for `seek`), each with how much it
    /// counts.
    fn forms(&self, word: &str) -> Vec<(String, f64)> {
        let mut forms = vec![(word.to_owned(), 1.0)];
        forms.extend_from_slice(synonyms::of(word));
        if word.len() >= SHORTEST_PART {
            let containing = self.parts.iter().filter(|part| part.len() > word.len() && part.contains(word));
            forms.extend(containing.map(|part| (part.clone(), CONTAINING)));
        }
        forms
    }

    fn rarity_of(&self, word: &str) -> f64 {
        self.rarity(self.functions.get(word).map_or(0, Vec::len))
    }

    /// How much it tells that a function has a word that `having` functions have.
    fn rarity(&self, having: usize) -> f64 {
        let number = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
        ((number(self.lengths.len()) - number(having) + 0.5) / (number(having) + 0.5)).ln_1p()
    }
}

fn side_by_side(words: &[String]) -> impl Iterator<Item = [String; 2]> {
    words.iter().zip(words.iter().skip(1)).map(|(one, other)| [one.clone(), other.clone()])
}

/// The words of all descriptions.
fn vocabulary(document: &OpenTool) -> HashSet<String> {
    let mut vocabulary = HashSet::new();
    for function in &document.functions {
        each_text(function, |text, weight| {
            if weight < NAME {
                vocabulary.extend(words(text).into_iter().filter(|word| is_letters(word)));
            }
        });
    }
    vocabulary
}

fn is_letters(word: &str) -> bool {
    word.chars().all(char::is_alphabetic)
}

/// The texts of a function, each with its weight.
fn each_text(function: &Function, mut note: impl FnMut(&str, f64)) {
    note(&function.name, NAME);
    note(&function.description, DESCRIPTION);
    for Parameter { name, description, schema, .. } in &function.parameters {
        note(name, PARAMETER);
        note(description.as_deref().unwrap_or_default(), PARAMETER);
        note(schema.description.as_deref().unwrap_or_default(), PARAMETER);
    }
    if let Some(returns) = &function.returns {
        note(&returns.name, RESULT);
        note(returns.description.as_deref().unwrap_or_default(), RESULT);
        for (name, schema) in properties(&returns.schema) {
            note(name, RESULT);
            note(schema.description.as_deref().unwrap_or_default(), RESULT);
        }
    }
}

fn properties(schema: &Schema) -> impl Iterator<Item = (&String, &Schema)> {
    schema.properties.iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn document() -> OpenTool {
        let function = |name: &str, description: &str, parameter: &str| {
            json!({"name": name, "description": description, "parameters":
                [{"name": parameter, "schema": {"type": "string"}, "required": true}]})
        };
        let document = json!({"opentool": "1.0.0", "info": {"title": "t", "version": "1"}, "functions": [
            function("file_open", "Opens a file.", "path"),
            function("file_close", "Closes a file.", "file"),
            function("file_read", "Reads bytes of a file.", "file"),
            function("socket_open", "Opens a connection.", "address"),
        ]});
        serde_json::from_value(document).expect("a document")
    }

    fn first(question: &str) -> Option<String> {
        let document = document();
        let found = Ranking::of(&document).find(question);
        found.first().map(|index| document.functions[*index].name.clone())
    }

    #[test]
    fn the_function_with_the_rarest_words_comes_first() {
        assert_eq!(first("open a connection").as_deref(), Some("socket_open"));
        assert_eq!(first("opening files").as_deref(), Some("file_open"));
        assert_eq!(first("read").as_deref(), Some("file_read"));
        assert_eq!(first("what does FILE_CLOSE do with a file that I read?").as_deref(), Some("file_close"));
        assert_eq!(first("the address").as_deref(), Some("socket_open"));
    }

    #[test]
    fn nothing_is_found_where_no_word_is_known() {
        assert_eq!(first("weather"), None);
        assert_eq!(first(""), None);
        assert!(Ranking::of(&OpenTool::default()).find("file").is_empty());
    }

    #[test]
    fn every_part_of_a_question_has_its_function_among_the_first() {
        let document = document();
        let question = "open a file, read bytes of the file; close";
        let found = Ranking::of(&document).find(question);
        let mut names: Vec<&str> =
            found.iter().take(3).map(|index| &*document.functions[*index].name).collect();
        names.sort_unstable();
        assert_eq!(names, ["file_close", "file_open", "file_read"]);
        assert_eq!(found.len(), document.functions.len(), "each is there once: {found:?}");
    }

    #[test]
    fn a_repeated_word_of_a_question_counts_once() {
        let document = document();
        let ranking = Ranking::of(&document);
        assert_eq!(ranking.find("file file file connection"), ranking.find("file connection"));
    }
}
