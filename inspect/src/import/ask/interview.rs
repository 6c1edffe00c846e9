//! The questions in groups and in order, and what happens when one is answered.

use std::collections::{BTreeMap, BTreeSet};

use super::super::Imported;
use super::answers::{Answers, Given, Stale};
use super::apply::{self, Taken};
use super::asked::Asked;
use super::callable::callable;

/// Asks the questions of an import and takes the answers. Every answer that is taken leaves a document without errors.
#[derive(Debug)]
pub struct Interview {
    imported: Imported,
    answers: Answers,
    taken: Taken,
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
        let (taken, unfit) = those_that_fit(&imported, kept);
        stale.extend(unfit);
        let can_open = can_open(&imported, &taken);
        Self {
            imported,
            answers,
            taken,
            skipped: BTreeSet::new(),
            history: Vec::new(),
            stale,
            can_open,
        }
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
            let is_open = !self.taken.contains_key(&index) && !self.skipped.contains(&index);
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
        asked.filter(|(index, asked)| asked.choices.is_empty() && !self.taken.contains_key(index)).count()
    }

    /// Only the first question of a group.
    #[must_use]
    pub fn first_of(&self, group: &Group) -> Group {
        self.group(group.members.iter().take(1).copied().collect(), &self.unanswered())
    }

    /// Takes the answer with this index for all questions of the group.
    ///
    /// # Errors
    ///
    /// There is no such answer, or the document would have an error: its message.
    pub fn answer(&mut self, group: &Group, answer: usize) -> Result<(), String> {
        let Some(label) = group.labels.get(answer) else {
            return Err(format!("there are {} answers", group.labels.len()));
        };
        let mut taken = self.taken.clone();
        for index in &group.members {
            let choice = self.imported.asked.get(*index).and_then(|asked| asked.choice(label));
            let Some(choice) = choice else { return Err(format!("\"{label}\" is not an answer to all of them")) };
            taken.insert(*index, choice.clone());
        }
        fits(&self.imported, &taken)?;
        let mut step = Vec::new();
        for index in &group.members {
            if let (Some(asked), Some(choice)) = (self.imported.asked.get(*index), taken.get(index)) {
                step.push((*index, self.answers.keep(asked, choice)));
            }
        }
        self.taken = taken;
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
        Some(self.group(members, &self.unanswered()))
    }

    /// The import with the answers.
    #[must_use]
    pub fn finish(self) -> Imported {
        apply::imported(self.imported, &self.taken)
    }

    /// How many questions of each function are not answered, by its index.
    fn unanswered(&self) -> BTreeMap<usize, usize> {
        let mut unanswered = BTreeMap::new();
        for (index, asked) in self.imported.asked.iter().enumerate() {
            if !self.taken.contains_key(&index) {
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

/// Whether the document has no error with the answers; one that it has without them does not count.
fn fits(imported: &Imported, taken: &Taken) -> Result<(), String> {
    match callable(&apply::document(imported, taken)) {
        Err(reason) if callable(&imported.document).is_ok() => Err(reason),
        _ => Ok(()),
    }
}

/// Of kept answers, those with which the document has no error; and the others, each with the error.
fn those_that_fit(imported: &Imported, kept: Taken) -> (Taken, Vec<Stale>) {
    if fits(imported, &kept).is_ok() {
        return (kept, Vec::new());
    }
    let mut taken = Taken::new();
    let mut left: Vec<_> = kept.into_iter().collect();
    let mut unfit = Vec::new();
    // An answer may need another one that comes later.
    loop {
        let before = left.len();
        unfit.clear();
        let mut refused = Vec::new();
        for (index, choice) in left {
            let mut more = taken.clone();
            more.insert(index, choice.clone());
            match fits(imported, &more) {
                Ok(()) => taken = more,
                Err(error) => {
                    let place = imported.asked.get(index).map(Asked::place).unwrap_or_default();
                    unfit.push(Stale { place, reason: format!("the document would have an error: {error}") });
                    refused.push((index, choice));
                }
            }
        }
        if refused.is_empty() || refused.len() == before {
            return (taken, unfit);
        }
        left = refused;
    }
}

/// The functions that JSON can call with the answers in `taken`, and the likely one to everything else.
fn can_open(imported: &Imported, taken: &Taken) -> BTreeSet<String> {
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
