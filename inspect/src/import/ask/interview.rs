//! The questions in groups and in order, and what happens when one is answered.

use std::collections::{BTreeMap, BTreeSet};

use super::super::Imported;
use super::super::question::Choice;
use super::answers::{Answers, Given, Stale};
use super::apply::{self, Taken};
use super::asked::Asked;
use super::callable::callable;
use super::fit::{Held, add, can_open, check, those_that_fit};

/// Asks the questions of an import and takes the answers. Every answer that is taken leaves a document without errors.
#[derive(Debug)]
pub struct Interview {
    imported: Imported,
    answers: Answers,
    taken: Taken,
    /// Answers that need those to other questions, each with what is wrong without them.
    held: Held,
    skipped: BTreeSet<usize>,
    history: Vec<Step>,
    stale: Vec<Stale>,
    /// The functions that JSON can call when all their questions are answered as suggested.
    can_open: BTreeSet<String>,
}

/// Questions with one identity, which one answer can be given to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    members: Vec<usize>,
    /// How many functions JSON can call once it is answered: those without another question.
    pub opens: usize,
    /// The possible answers, the likely one first.
    pub labels: Vec<String>,
}

impl Group {
    /// How many questions it has.
    #[must_use]
    pub fn size(&self) -> usize {
        self.members.len()
    }
}

#[derive(Debug)]
enum Step {
    /// The questions that were answered, with the answers that were kept before.
    Answered(Vec<(usize, Option<Given>)>),
    Skipped(Vec<usize>),
}

impl Interview {
    /// Begins with the answers of a file.
    #[must_use]
    pub fn new(imported: Imported, answers: Answers) -> Self {
        let mut stale = answers.without_question(&imported.asked);
        let mut kept = Taken::new();
        for (index, asked) in imported.asked.iter().enumerate() {
            match answers.of(asked) {
                Some(Ok(choice)) => {
                    kept.insert(index, choice);
                }
                Some(Err(reason)) => stale.push(Stale { place: asked.place(), reason }),
                None => {}
            }
        }
        let (taken, held) = those_that_fit(&imported, kept);
        let can_open = can_open(&imported, &taken);
        let mut interview = Self {
            imported,
            answers,
            taken,
            held,
            skipped: BTreeSet::new(),
            history: Vec::new(),
            stale,
            can_open,
        };
        let hopeless: Vec<usize> = interview
            .held
            .iter()
            .filter(|(index, (choice, _))| !interview.can_wait(**index, choice))
            .map(|(index, _)| *index)
            .collect();
        for index in hopeless {
            if let Some((_, reason)) = interview.held.remove(&index) {
                let stale = interview.unfit(index, &reason);
                interview.stale.push(stale);
            }
        }
        interview
    }

    /// How many answers are in the document.
    #[must_use]
    pub fn taken(&self) -> usize {
        self.taken.len()
    }

    /// The answers of the file that are not applied, each with the reason. They stay in the file.
    #[must_use]
    pub fn stale(&self) -> &[Stale] {
        &self.stale
    }

    /// The answers that take effect when other questions are answered, each with the reason.
    #[must_use]
    pub fn waiting(&self) -> Vec<Stale> {
        self.held.iter().map(|(index, (_, reason))| self.unfit(*index, reason)).collect()
    }

    /// The answers, for the file.
    #[must_use]
    pub fn answers(&self) -> &Answers {
        &self.answers
    }

    /// The functions that JSON can call with the answers until now.
    #[must_use]
    pub fn callable(&self) -> BTreeSet<String> {
        callable(&apply::document(&self.imported, &self.taken)).unwrap_or_default()
    }

    /// The questions of a group, in the order of the document.
    pub fn asked(&self, group: &Group) -> impl Iterator<Item = &Asked> {
        group.members.iter().filter_map(|index| self.imported.asked.get(*index))
    }

    /// The questions that are to be asked, first those that open most functions, then those of most functions.
    #[must_use]
    pub fn groups(&self) -> Vec<Group> {
        let mut members: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, asked) in self.imported.asked.iter().enumerate() {
            let is_open = !self.is_answered(index) && !self.skipped.contains(&index);
            if is_open && !asked.choices.is_empty() {
                members.entry(&asked.identity).or_default().push(index);
            }
        }
        let unanswered = self.unanswered();
        let mut groups: Vec<Group> =
            members.into_values().map(|members| self.group(members, &unanswered)).collect();
        groups.sort_by_key(|group| {
            let first = group.members.first().copied();
            (std::cmp::Reverse((group.opens, group.members.len())), first)
        });
        groups
    }

    /// The question that is to be asked next.
    #[must_use]
    pub fn next(&self) -> Option<Group> {
        self.groups().into_iter().next()
    }

    /// How many questions have no answer to choose: they can only be answered in the document.
    #[must_use]
    pub fn without_choice(&self) -> usize {
        let asked = self.imported.asked.iter().enumerate();
        asked.filter(|(index, asked)| asked.choices.is_empty() && !self.is_answered(*index)).count()
    }

    /// Only the first question of a group.
    #[must_use]
    pub fn first_of(&self, group: &Group) -> Group {
        self.group(group.members.iter().take(1).copied().collect(), &self.unanswered())
    }

    /// Takes the answer with this index for all questions of the group. If it does not fit before other
    /// questions are answered, it waits for them.
    ///
    /// # Errors
    ///
    /// There is no such answer, or the document would have an error: its message.
    pub fn answer(&mut self, group: &Group, answer: usize) -> Result<(), String> {
        let Some(label) = group.labels.get(answer) else {
            return Err(format!("there are {} answers", group.labels.len()));
        };
        let mut given = Taken::new();
        for index in &group.members {
            let choice = self.imported.asked.get(*index).and_then(|asked| asked.choice(label));
            let Some(choice) = choice else {
                return Err(format!("\"{label}\" is not an answer to all of them"));
            };
            given.insert(*index, choice.clone());
        }
        let all = self.all_with(&given);
        if check(&self.imported, &all).is_ok() {
            (self.taken, self.held) = (all, Held::new());
        } else {
            let mut taken = self.taken.clone();
            let mut held = Held::new();
            add(&self.imported, &mut taken, given.clone(), &mut held);
            let is_final =
                |(index, (choice, _)): &(&usize, &(Choice, String))| !self.can_wait(**index, choice);
            if let Some((_, (_, error))) = held.iter().find(is_final) {
                return Err(error.clone());
            }
            let waiting = self.held.iter().map(|(index, (choice, _))| (*index, choice.clone())).collect();
            add(&self.imported, &mut taken, waiting, &mut held);
            (self.taken, self.held) = (taken, held);
        }
        let mut step = Vec::new();
        for (index, choice) in &given {
            if let Some(asked) = self.imported.asked.get(*index) {
                step.push((*index, self.answers.keep(asked, choice)));
            }
        }
        self.history.push(Step::Answered(step));
        Ok(())
    }

    /// Leaves the questions of the group open.
    pub fn skip(&mut self, group: &Group) {
        self.skipped.extend(&group.members);
        self.history.push(Step::Skipped(group.members.clone()));
    }

    /// Takes back what was last answered or skipped, and returns it to be asked again.
    pub fn undo(&mut self) -> Option<Group> {
        let members: Vec<usize> = match self.history.pop()? {
            Step::Answered(step) => step
                .into_iter()
                .map(|(index, before)| {
                    self.taken.remove(&index);
                    self.held.remove(&index);
                    if let Some(asked) = self.imported.asked.get(index) {
                        self.answers.restore(asked, before);
                    }
                    index
                })
                .collect(),
            Step::Skipped(members) => {
                members.iter().for_each(|index| {
                    self.skipped.remove(index);
                });
                members
            }
        };
        // What waited for the answer waits again.
        (self.taken, self.held) = those_that_fit(&self.imported, self.all_with(&Taken::new()));
        Some(self.group(members, &self.unanswered()))
    }

    /// The import with the answers.
    #[must_use]
    pub fn finish(self) -> Imported {
        apply::imported(self.imported, &self.taken)
    }

    fn is_answered(&self, index: usize) -> bool {
        self.taken.contains_key(&index) || self.held.contains_key(&index)
    }

    /// All answers until now, and `more`.
    fn all_with(&self, more: &Taken) -> Taken {
        let held = self.held.iter().map(|(index, (choice, _))| (*index, choice.clone()));
        let more = more.iter().map(|(index, choice)| (*index, choice.clone()));
        self.taken.clone().into_iter().chain(held).chain(more).collect()
    }

    /// Whether an answer that does not fit may fit later: its function, or the one that frees, has another question
    /// that is not answered.
    fn can_wait(&self, index: usize, choice: &Choice) -> bool {
        let own = self.imported.asked.get(index).map(|asked| asked.function.as_str());
        let free = choice.changes.get("x-free").and_then(|free| free.as_str());
        let mut others = self.imported.asked.iter().enumerate();
        others.any(|(other, asked)| {
            let is_needed = [own, free].contains(&Some(asked.function.as_str()));
            other != index && is_needed && !self.is_answered(other)
        })
    }

    fn unfit(&self, index: usize, reason: &str) -> Stale {
        let place = self.imported.asked.get(index).map(Asked::place).unwrap_or_default();
        Stale { place, reason: format!("the document would have an error: {reason}") }
    }

    /// How many questions of each function are not answered, by its index.
    fn unanswered(&self) -> BTreeMap<usize, usize> {
        let mut unanswered = BTreeMap::new();
        for (index, asked) in self.imported.asked.iter().enumerate() {
            if !self.is_answered(index) {
                *unanswered.entry(asked.index).or_default() += 1;
            }
        }
        unanswered
    }

    fn group(&self, members: Vec<usize>, unanswered: &BTreeMap<usize, usize>) -> Group {
        let asked: Vec<&Asked> = members.iter().filter_map(|index| self.imported.asked.get(*index)).collect();
        let mut own: BTreeMap<usize, (usize, &str)> = BTreeMap::new();
        for asked in &asked {
            own.entry(asked.index).or_insert((0, &asked.function)).0 += 1;
        }
        let is_opened = |(index, (count, function)): &(&usize, &(usize, &str))| {
            unanswered.get(*index) == Some(count) && self.can_open.contains(*function)
        };
        let opens = own.iter().filter(is_opened).count();
        let choices = asked.first().map_or(&[][..], |asked| &asked.choices);
        let is_common = |label: &&str| asked.iter().all(|asked| asked.choice(label).is_some());
        let labels = choices.iter().map(|choice| choice.label.as_str()).filter(is_common);
        let labels = labels.map(str::to_owned).collect();
        Group { members, opens, labels }
    }
}
