//! Which answers fit together: the document has no error with them.

use std::collections::{BTreeMap, BTreeSet};

use super::super::Imported;
use super::super::question::Choice;
use super::apply::{self, Taken};
use super::callable::callable;

/// Answers that do not fit, by the index of their question, each with the reason.
pub(super) type Held = BTreeMap<usize, (Choice, String)>;

/// What is wrong with the document with these answers.
pub(super) fn check(imported: &Imported, taken: &Taken) -> Result<(), String> {
    callable(&apply::document(imported, taken)).map(|_| ())
}

/// Of answers, those with which the document has no error; and the others, each with the error.
pub(super) fn those_that_fit(imported: &Imported, all: Taken) -> (Taken, Held) {
    // An error that the document has anyway is none of the answers.
    if check(imported, &all).is_ok() || check(imported, &Taken::new()).is_err() {
        return (all, Held::new());
    }
    let mut taken = Taken::new();
    let mut left: Vec<(usize, Choice)> = all.into_iter().collect();
    // An answer may need another one that comes later.
    loop {
        let before = left.len();
        let mut held = Held::new();
        add(imported, &mut taken, &left, &mut held);
        if held.is_empty() || held.len() == before {
            return (taken, held);
        }
        left = held.into_iter().map(|(index, (choice, _))| (index, choice)).collect();
    }
}

/// Adds the answers that fit to `taken`, by halves: most of them do.
pub(super) fn add(imported: &Imported, taken: &mut Taken, answers: &[(usize, Choice)], held: &mut Held) {
    let mut more = taken.clone();
    more.extend(answers.iter().cloned());
    match (check(imported, &more), answers) {
        (Ok(()), _) => *taken = more,
        (Err(_), []) => {}
        (Err(error), [(index, choice)]) => {
            held.insert(*index, (choice.clone(), error));
        }
        (Err(_), answers) => {
            let (first, second) = answers.split_at(answers.len() / 2);
            add(imported, taken, first, held);
            add(imported, taken, second, held);
        }
    }
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
