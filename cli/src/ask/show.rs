//! How a question looks.

use std::collections::BTreeSet;

use anstyle::Style;
use opendyn_inspect::import::{Asked, Group, Interview};

const BOLD: Style = Style::new().bold();

/// The question, the functions that it is about, and the answers.
pub(super) fn question(interview: &Interview, group: &Group) {
    let asked: Vec<&Asked> = interview.asked(group).collect();
    let Some(first) = asked.first() else { return };
    let left = interview.groups().len();
    let questions = if left == 1 { "question" } else { "questions" };
    let opens = match group.opens {
        0 => "opens no function yet".to_owned(),
        1 => "opens 1 function".to_owned(),
        number => format!("opens {number} functions"),
    };
    anstream::eprintln!("\n{left} {questions} left; this one {opens}:");
    let places: Vec<String> = asked.iter().map(|asked| format!("`{}`", asked.place())).collect();
    match places.len() {
        1 => anstream::eprintln!("  {}", first.declaration),
        number @ 2..=DECLARED => {
            anstream::eprintln!("  one answer for {number} questions:");
            asked.iter().for_each(|asked| anstream::eprintln!("  {}", asked.declaration));
        }
        number => anstream::eprintln!("  one answer for {number} questions: {}", places.join(", ")),
    }
    anstream::eprintln!("{BOLD}{}{BOLD:#}", first.text);
    if let Some(because) = first.because.as_ref().filter(|_| asked.len() == 1) {
        anstream::eprintln!("  {because}");
    }
    for (index, label) in group.labels.iter().enumerate() {
        anstream::eprintln!("  {BOLD}{}{BOLD:#}  {label}", index + 1);
    }
}

/// How many functions of one question are shown with their declarations.
const DECLARED: usize = 6;

/// Says which answers to the group wait for others.
pub(super) fn waiting(interview: &Interview, group: &Group) {
    let waiting = interview.waiting();
    for asked in interview.asked(group) {
        let place = asked.place();
        if let Some(answer) = waiting.iter().find(|answer| answer.place == place) {
            anstream::eprintln!("  kept; `{place}` waits for other answers: {}", answer.reason);
        }
    }
}

/// The keys.
pub(super) fn prompt(group: &Group) {
    let only = if group.size() > 1 { ", o only the first" } else { "" };
    let numbers = match group.labels.len() {
        1 => "1".to_owned(),
        number => format!("1-{number}"),
    };
    anstream::eprintln!("[{numbers}, s skip{only}, u undo, ? more, q stop]");
}

/// Everything that is known about a question: the declarations, the documentation, and what each answer writes.
pub(super) fn details(interview: &Interview, group: &Group) {
    for asked in interview.asked(group) {
        anstream::eprintln!("  {}", asked.declaration);
        if let Some(because) = &asked.because {
            anstream::eprintln!("    {because}");
        }
    }
    let Some(first) = interview.asked(group).next() else { return };
    anstream::eprintln!("  {}", first.details);
    for (index, label) in group.labels.iter().enumerate() {
        let choice = first.choices.iter().find(|choice| choice.label == *label);
        let writes = choice.map(opendyn_inspect::import::Choice::instructions).unwrap_or_default();
        let writes = if writes.is_empty() { "change nothing".to_owned() } else { writes };
        anstream::eprintln!("  {}  {label}: {writes}", index + 1);
    }
}

/// What JSON can call now.
pub(super) fn end(interview: &Interview, before: &BTreeSet<String>) {
    let now = interview.callable();
    let noun = if now.len() == 1 { "function" } else { "functions" };
    anstream::eprintln!("\n{} {noun} callable through JSON now, {} before", now.len(), before.len());
    let new: Vec<&str> = now.difference(before).map(String::as_str).collect();
    if !new.is_empty() {
        anstream::eprintln!("  new: {}", new.join(", "));
    }
    for answer in interview.waiting() {
        anstream::eprintln!("  the answer at `{}` waits for others: {}", answer.place, answer.reason);
    }
    let without_choice = interview.without_choice();
    if without_choice > 0 {
        let (noun, verb) = if without_choice == 1 { ("question", "has") } else { ("questions", "have") };
        anstream::eprintln!(
            "  {without_choice} {noun} {verb} no answer to choose: answer in the document, where `x-todo` is"
        );
    }
}
