//! References such as `#/step2/results/id` and `#/x-inputs/text`.

use serde_json::{Map, Value};

use crate::inputs::INPUTS;

/// A reference to a result of an earlier step, or to an input of the workflow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reference {
    pub(super) origin: Origin,
    /// The path from there to the value; empty for all results of a step.
    pub(super) path: Vec<String>,
}

/// Where the value of a reference comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// The inputs; the first name of the path is that of an input.
    Inputs,
    /// The results of the step with this name.
    Step(String),
}

impl Reference {
    /// Parses a string that begins with `#/`; others are not references. `Err` if its form is wrong.
    pub(super) fn parse(text: &str) -> Option<Result<Self, String>> {
        let mut parts =
            text.strip_prefix("#/")?.split('/').map(|part| part.replace("~1", "/").replace("~0", "~"));
        let step = parts.next().unwrap_or_default();
        if step == INPUTS {
            let path: Vec<String> = parts.collect();
            if path.is_empty() {
                return Some(Err(format!("`{text}` is not a reference: write `#/{INPUTS}/NAME`")));
            }
            return Some(Ok(Self { origin: Origin::Inputs, path }));
        }
        if step.is_empty() || parts.next().as_deref() != Some("results") {
            return Some(Err(format!("`{text}` is not a reference: write `#/STEP/results/NAME`")));
        }
        Some(Ok(Self { origin: Origin::Step(step), path: parts.collect() }))
    }

    /// The value of the reference, in the results of the step or in the inputs.
    pub(super) fn follow<'r>(&self, values: &'r Map<String, Value>) -> Option<Followed<'r>> {
        let Some((first, rest)) = self.path.split_first() else { return Some(Followed::All(values)) };
        rest.iter()
            .try_fold(values.get(first)?, |value, part| match value {
                Value::Object(members) => members.get(part),
                Value::Array(elements) => elements.get(index(part)?),
                _ => None,
            })
            .map(Followed::One)
    }
}

/// The value of a reference.
pub(super) enum Followed<'r> {
    All(&'r Map<String, Value>),
    One(&'r Value),
}

impl Followed<'_> {
    pub(super) fn to_value(&self) -> Value {
        match self {
            Self::All(results) => Value::Object((*results).clone()),
            Self::One(value) => (*value).clone(),
        }
    }
}

/// The index of an element as in a JSON pointer, without leading zeros.
pub(super) fn index(part: &str) -> Option<usize> {
    let index = part.parse().ok()?;
    (format!("{index}") == part).then_some(index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_reference_names_a_step_and_a_path_in_its_results() {
        let parsed =
            |text| Reference::parse(text).map(|reference| reference.map(|found| (found.origin, found.path)));
        let step = |name: &str| Origin::Step(name.to_owned());
        assert_eq!(parsed("plain"), None);
        assert_eq!(parsed("#plain"), None);
        let path = vec!["a/b".to_owned(), "0".to_owned()];
        assert_eq!(parsed("#/s~01/results/a~1b/0"), Some(Ok((step("s~1"), path))));
        assert_eq!(parsed("#/s/results"), Some(Ok((step("s"), Vec::new()))));
        let path = vec!["results".to_owned(), "0".to_owned()];
        assert_eq!(parsed("#/x-inputs/results/0"), Some(Ok((Origin::Inputs, path))));
        for text in ["#/x-inputs", "#/", "#/s", "#/s/result/a", "#/s/arguments/a", "#//results/a"] {
            assert!(matches!(parsed(text), Some(Err(_))), "{text}");
        }
    }

    #[test]
    fn a_reference_leads_into_objects_and_arrays() {
        let Value::Object(results) = json!({"a": [{"b": 1}], "": 2}) else { panic!("an object") };
        let follow = |text: &str| {
            let reference = Reference::parse(text).expect("a reference").expect("a good one");
            reference.follow(&results).map(|found| found.to_value())
        };
        assert_eq!(follow("#/s/results/a/0/b"), Some(json!(1)));
        assert_eq!(follow("#/s/results/"), Some(json!(2)));
        assert_eq!(follow("#/s/results"), Some(json!({"a": [{"b": 1}], "": 2})));
        for text in ["#/s/results/a/1", "#/s/results/a/00", "#/s/results/a/-1", "#/s/results/a/0/b/c"] {
            assert_eq!(follow(text), None, "{text}");
        }
    }
}
