//! Which answers fit together: the document has no error with them.
//!
//! The whole document is lowered to check answers, so that what takes time is the number of checks. It must not grow with the
//! number of answers: errors tell their functions, and the answers of all these functions are put back at once.

use std::collections::{BTreeMap, BTreeSet};

use super::super::Imported;
use super::super::question::Choice;
use super::apply::{self, Taken};
use super::asked::Asked;
use super::callable::{Wrong, callable};

/// Answers that do not fit, by the index of their question, each with the reason.
pub(super) type Held = BTreeMap<usize, (Choice, String)>;

/// What is wrong with the document with these answers.
pub(super) fn check(imported: &Imported, taken: &Taken) -> Result<(), Vec<Wrong>> {
    callable(&apply::document(imported, taken)).map(|_| ())
}

/// Of answers, those with which the document has no error; and the others, each with the error.
pub(super) fn those_that_fit(imported: &Imported, all: Taken) -> (Taken, Held) {
    // An error that the document has anyway is none of the answers.
    if all.is_empty() || check(imported, &all).is_ok() || check(imported, &Taken::new()).is_err() {
        return (all, Held::new());
    }
    let mut taken = Taken::new();
    let mut held = Held::new();
    add(imported, &mut taken, all, &mut held);
    (taken, held)
}

/// Adds the answers that fit to `taken`, and the others to `held`.
pub(super) fn add(imported: &Imported, taken: &mut Taken, answers: Taken, held: &mut Held) {
    let mut left = add_at_once(imported, taken, answers);
    // Of several answers of one function one may be wrong, and an answer may need another one that comes later.
    loop {
        let before = left.len();
        let mut refused = Held::new();
        for wave in waves(imported, left) {
            refused.extend(add_at_once(imported, taken, wave));
        }
        if refused.is_empty() || refused.len() == before {
            held.extend(refused);
            return;
        }
        left = refused;
    }
}

/// Answers in parts with at most one of each function.
fn waves(imported: &Imported, answers: Held) -> Vec<Taken> {
    let mut waves: Vec<Taken> = Vec::new();
    let mut counts: BTreeMap<Option<usize>, usize> = BTreeMap::new();
    for (index, (choice, _)) in answers {
        let count = counts.entry(imported.asked.get(index).map(|asked| asked.index)).or_default();
        if waves.len() <= *count {
            waves.push(Taken::new());
        }
        waves[*count].insert(index, choice);
        *count += 1;
    }
    waves
}

/// Adds answers to `taken` except those of functions that are then wrong, which are returned.
fn add_at_once(imported: &Imported, taken: &mut Taken, mut answers: Taken) -> Held {
    let mut held = Held::new();
    while !answers.is_empty() {
        let mut more = taken.clone();
        more.extend(answers.iter().map(|(index, choice)| (*index, choice.clone())));
        let Err(wrong) = check(imported, &more) else {
            *taken = more;
            break;
        };
        let blamed = blamed(imported, &answers, &wrong);
        if blamed.is_empty() {
            held.extend(add_by_halves(imported, taken, answers, &wrong));
            break;
        }
        for (index, reason) in blamed {
            if let Some(choice) = answers.remove(&index) {
                held.insert(index, (choice, reason));
            }
        }
    }
    held
}

/// The answers that errors are about: those of the wrong functions, or of functions that name these.
fn blamed(imported: &Imported, answers: &Taken, wrong: &[Wrong]) -> BTreeMap<usize, String> {
    let mut found = BTreeMap::new();
    let of = |index: usize| imported.asked.get(index);
    for Wrong { function, message } in wrong {
        let Some(function) = *function else { continue };
        let own = |asked: &Asked| asked.index == function;
        let name = imported.document["functions"][function]["name"].as_str().unwrap_or_default();
        let naming = |choice: &Choice| choice.changes.values().any(|value| value.as_str() == Some(name));
        let mut blame: Vec<usize> =
            answers.keys().copied().filter(|index| of(*index).is_some_and(own)).collect();
        if blame.is_empty() {
            let those = answers.iter().filter(|(_, choice)| naming(choice));
            blame = those.map(|(index, _)| *index).collect();
        }
        for index in blame {
            found.entry(index).or_insert_with(|| message.clone());
        }
    }
    found
}

/// Adds the answers that fit where no error tells which of them do not.
fn add_by_halves(imported: &Imported, taken: &mut Taken, answers: Taken, wrong: &[Wrong]) -> Held {
    let reason = wrong.first().map(|wrong| wrong.message.clone()).unwrap_or_default();
    if answers.len() < 2 {
        return answers.into_iter().map(|(index, choice)| (index, (choice, reason.clone()))).collect();
    }
    let mut first = answers;
    let middle = first.keys().nth(first.len() / 2).copied().unwrap_or_default();
    let second = first.split_off(&middle);
    let mut held = add_at_once(imported, taken, first);
    held.extend(add_at_once(imported, taken, second));
    held
}

/// The functions that JSON can call with the answers in `taken`, and the likely one to everything else.
pub(super) fn can_open(imported: &Imported, taken: &Taken) -> BTreeSet<String> {
    let mut all = taken.clone();
    for (index, asked) in imported.asked.iter().enumerate() {
        if let Some(likely) = asked.choices.first() {
            all.entry(index).or_insert_with(|| likely.clone());
        }
    }
    // If they do not fit together, nothing tells the functions apart.
    let every = || imported.asked.iter().map(|asked| asked.function.clone()).collect();
    callable(&apply::document(imported, &all)).unwrap_or_else(|_| every())
}
