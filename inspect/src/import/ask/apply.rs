//! Writes answers into a document.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::Imported;
use super::super::evidence::{Evidence, Fact};
use super::super::function::write_texts;
use super::super::question::{Choice, merge};
use super::super::scalar::Object;
use super::asked::{Asked, At};

/// The answers that are taken, by the index of their question.
pub(super) type Taken = BTreeMap<usize, Choice>;

/// The document with the answers. Questions without one stay in `x-todo`.
pub(super) fn document(imported: &Imported, taken: &Taken) -> Value {
    let mut document = imported.document.clone();
    let asked: Vec<(usize, &Asked)> = imported.asked.iter().enumerate().collect();
    // The questions of one object are next to each other.
    for beside in asked.chunk_by(|(_, one), (_, other)| (one.index, &one.at) == (other.index, &other.at)) {
        let choices: Vec<&Choice> = beside.iter().filter_map(|(index, _)| taken.get(index)).collect();
        let Some(object) = beside.first().filter(|_| !choices.is_empty()) else { continue };
        let Some(object) = target(&mut document, object.1) else { continue };
        object.shift_remove("x-todo");
        for choice in choices {
            merge(object, &choice.changes);
        }
        let left = beside.iter().filter(|(index, _)| !taken.contains_key(index));
        write_texts(object, left.map(|(_, asked)| asked.details.clone()).collect());
    }
    document
}

/// The object that a question is about.
fn target<'d>(document: &'d mut Value, asked: &Asked) -> Option<&'d mut Object> {
    let function = document.get_mut("functions")?.get_mut(asked.index)?;
    let value = match &asked.at {
        At::Function => function,
        At::Parameter(index, _) => function.get_mut("parameters")?.get_mut(*index)?,
        At::Return => function.get_mut("return")?,
    };
    value.as_object_mut()
}

/// The import with the answers: the document, what it states and what it still asks.
pub(super) fn imported(imported: Imported, taken: &Taken) -> Imported {
    let document = document(&imported, taken);
    let Imported { mut summary, refused_title, skipped, mut facts, asked, .. } = imported;
    for (index, choice) in taken {
        let Some(asked) = asked.get(*index) else { continue };
        let value = match &asked.at {
            At::Function => None,
            At::Parameter(_, name) => Some(name.clone()),
            At::Return => {
                let name = &document["functions"][asked.index]["return"]["name"];
                name.as_str().map(str::to_owned)
            }
        };
        facts.push(Fact {
            function: asked.function.clone(),
            value,
            what: choice.instructions(),
            evidence: Evidence::answer(&choice.label),
        });
    }
    in_order(&mut facts, &document);
    let left: Vec<Asked> = asked
        .into_iter()
        .enumerate()
        .filter(|(index, _)| !taken.contains_key(index))
        .map(|(_, asked)| asked)
        .collect();
    summary.questions = left.len();
    let functions: std::collections::BTreeSet<usize> = left.iter().map(|asked| asked.index).collect();
    summary.questioned = functions.len();
    Imported { document, summary, refused_title, skipped, facts, asked: left }
}

/// Puts facts into the order of the document.
fn in_order(facts: &mut [Fact], document: &Value) {
    let mut places = BTreeMap::new();
    let functions = document["functions"].as_array().map_or(&[][..], Vec::as_slice);
    for (index, function) in functions.iter().enumerate() {
        let name = function["name"].as_str().unwrap_or_default();
        places.insert((name.to_owned(), None), (index, 0));
        let parameters = function["parameters"].as_array().map_or(&[][..], Vec::as_slice);
        // An argument and the result may have one name: the argument comes first.
        for (position, value) in parameters.iter().chain([&function["return"]]).enumerate() {
            if let Some(value) = value["name"].as_str() {
                places.entry((name.to_owned(), Some(value.to_owned()))).or_insert((index, position + 1));
            }
        }
    }
    let end = (functions.len(), 0);
    facts
        .sort_by_key(|fact| places.get(&(fact.function.clone(), fact.value.clone())).copied().unwrap_or(end));
}
