//! One function of the document.

use serde_json::{Value, json};

use super::comment;
use super::context::{Context, Pointee};
use super::described::{Described, Parts};
use super::evidence::{Evidence, Fact};
use super::lengths::{Candidate, Counter, is_count};
use super::names::Names;
use super::question::Question;
use super::said::Said;
use super::scalar::{Object, peel};
use super::site::Site;
use super::{parameter, returned};
use crate::{Function, Signature, Type};

/// A function to describe.
pub(super) struct Entry<'i> {
    pub(super) function: &'i Function,
    pub(super) signature: &'i Signature,
    /// Its name in the document.
    pub(super) name: String,
    /// Its name in the library.
    pub(super) symbol: String,
    /// The names of its parameters in the document, and whether they are from C.
    pub(super) parameters: Vec<(String, bool)>,
    /// What its documentation says.
    pub(super) said: Said,
}

/// The description of a function, and what it contains.
pub(super) struct Outcome {
    pub(super) object: Object,
    pub(super) questions: usize,
    pub(super) is_described: bool,
    /// What it states.
    pub(super) facts: Vec<Fact>,
}

/// Describes a function, or says what a document cannot describe. With `take_suggestions`, every suggestion
/// is taken as the answer to its question.
pub(super) fn describe(
    entry: &Entry<'_>,
    context: &Context<'_>,
    take_suggestions: bool,
) -> Result<Outcome, String> {
    let candidates = candidates(entry, context);
    let mut parameters: Vec<Described> = Vec::new();
    for index in 0..entry.signature.parameters.len() {
        let site = Site { entry, context, candidates: &candidates, index };
        parameters.push(parameter::describe(&site).map_err(|what| format!("it takes {what}"))?);
    }
    let mut returned = returned::describe(entry, context).map_err(|what| format!("it returns {what}"))?;
    let given: Vec<String> = (entry.parameters.iter().zip(&parameters))
        .filter(|(_, described)| described.is_given())
        .map(|((name, _), _)| name.clone())
        .collect();
    returned = returned.map(|described| with_parent(described, &given));
    parameters = parameters.into_iter().map(|described| with_parent(described, &given)).collect();

    let mut object = Object::new();
    object.insert("name".to_owned(), entry.name.clone().into());
    let description = entry.function.comment.as_ref();
    let description =
        description.map(|comment| comment::description(comment, &entry.function.name)).unwrap_or_default();
    let is_described = !description.is_empty();
    let mut facts = Vec::new();
    let mut state = |value: Option<&str>, what: String, evidence: Evidence| {
        let value = value.map(str::to_owned);
        facts.push(Fact { function: entry.name.clone(), value, what, evidence });
    };
    if let Some(comment) = entry.function.comment.as_ref().filter(|_| is_described) {
        let first = description.lines().next().unwrap_or_default();
        state(None, "description".to_owned(), Evidence::documentation(first, comment.place.clone()));
    }
    object.insert("description".to_owned(), description.into());
    if entry.symbol != entry.name {
        object.insert("x-symbol".to_owned(), entry.symbol.clone().into());
    }
    let mut questions = 0;
    let mut todo = Vec::new();
    let mut names: Vec<(String, bool)> = entry.parameters.clone();
    if entry.signature.variadic {
        object.insert("x-variadic".to_owned(), names.len().into());
        let (name, described, question) = variadic(entry);
        names.push((name, false));
        parameters.push(described);
        todo.push(question);
    }
    let mut list = Vec::new();
    let mut outputs = Vec::new();
    for (index, ((name, _), described)) in names.iter().zip(parameters).enumerate() {
        let comment =
            entry.signature.parameters.get(index).and_then(|parameter| parameter.comment.as_deref());
        let comment = comment.or_else(|| comment_of(entry, name));
        // An answer can make an output of what is asked.
        if described.is_output() || described.is_asked() {
            outputs.push(name.clone());
        }
        let parts = described.into_parts();
        questions += parts.questions.len();
        for (what, evidence) in &parts.facts {
            state(Some(name), what.clone(), evidence.clone());
        }
        list.push(Value::Object(value(name, comment, parts, true, take_suggestions)));
    }
    object.insert("parameters".to_owned(), list.into());
    let result =
        ["result", "returned", "return_value"].into_iter().find(|name| !outputs.iter().any(|o| o == name));
    let comment = entry.function.comment.as_ref().and_then(|comment| comment.returns.as_deref());
    let returned = returned.take().map(|mut described| {
        if is_nullable(&described)
            && let Some(evidence) = entry.said.returns_null()
        {
            described = described.key("x-nullable", true, evidence);
        }
        let name = result.unwrap_or("return_value");
        let parts = described.into_parts();
        questions += parts.questions.len();
        for (what, evidence) in &parts.facts {
            state(Some(name), what.clone(), evidence.clone());
        }
        value(name, comment, parts, false, take_suggestions)
    });
    object.insert("return".to_owned(), returned.map_or(Value::Null, Value::Object));
    questions += todo.len();
    write_todo(&mut object, &todo, false);
    Ok(Outcome { object, questions, is_described, facts })
}

/// Whether it is a pointer that is copied or wrapped unless it is NULL.
fn is_nullable(described: &Described) -> bool {
    let c_type = described.schema().get("cType");
    let is_pointer = c_type.is_none_or(|c_type| c_type["isPointer"] == true);
    let is_raw = described.schema().get("type").is_some_and(|json| json == "array")
        || c_type.is_some_and(|c_type| c_type["type"] == "void" && c_type.get("x-handle").is_none());
    !described.is_asked()
        && is_pointer
        && !is_raw
        && described.schema().get("$ref").is_none_or(|_| c_type.is_some_and(|c| c["isPointer"] == true))
}

/// What belongs to a parameter is a question too, as long as the parameter is one, or may be NULL.
fn with_parent(described: Described, given: &[String]) -> Described {
    let Some(parent) = described.parent().filter(|parent| !given.iter().any(|name| name == parent)) else {
        return described;
    };
    let handle = described.schema().get("cType").map_or(Value::Null, |c_type| c_type["x-handle"].clone());
    let text = format!(
        "Does it belong to `{parent}`, as the documentation says? (`{parent}` must be a handle that is required.) Then"
    );
    let answer = json!({ "x-parent": parent, "schema": { "cType": { "x-handle": handle } } });
    Described::undescribed(super::schemas::raw(), Question::new(text, super::schemas::object(answer)))
}

/// What the comment of the function says about a parameter.
fn comment_of<'i>(entry: &Entry<'i>, name: &str) -> Option<&'i str> {
    let comment = entry.function.comment.as_ref()?;
    comment
        .parameters
        .iter()
        .find(|(of, _)| of.trim_start_matches('_') == name)
        .map(|(_, text)| text.as_str())
}

/// A parameter or a return value.
fn value(
    name: &str,
    comment: Option<&str>,
    described: Parts,
    is_parameter: bool,
    take_suggestions: bool,
) -> Object {
    let mut object = Object::new();
    object.insert("name".to_owned(), name.into());
    if let Some(text) = comment.map(comment::line).filter(|text| !text.is_empty()) {
        object.insert("description".to_owned(), text.into());
    }
    object.insert("schema".to_owned(), described.schema.into());
    if is_parameter {
        object.insert("isIn".to_owned(), described.is_in.into());
        object.insert("required".to_owned(), described.required.into());
    }
    object.extend(described.keys);
    write_todo(&mut object, &described.questions, take_suggestions);
    object
}

/// One question is a string, several are a list.
pub(super) fn write_todo(object: &mut Object, questions: &[Question], take_suggestions: bool) {
    let left: Vec<&Question> =
        questions.iter().filter(|question| !(take_suggestions && question.apply(object))).collect();
    let todo = match left.as_slice() {
        [] => return,
        [question] => question.text().into(),
        questions => Value::Array(questions.iter().map(|question| question.text().into()).collect()),
    };
    object.insert("x-todo".to_owned(), todo);
}

/// The parameter for `...`: a pointer that only unsafe code can pass, because C would accept anything there.
fn variadic(entry: &Entry<'_>) -> (String, Described, Question) {
    let mut names = Names::of_values();
    for (name, _) in &entry.parameters {
        names.take(name, "arg");
    }
    let name = names.take("argument", "argument");
    let question = Question::open(format!(
        "What do calls pass for `...`? `{name}` stands for one pointer. Replace it with what your calls pass, in their \
         order and with their C types; for another way to call it add a function of another name with \
         \"x-symbol\": \"{}\".",
        entry.symbol
    ));
    (name, Described::bare(super::schemas::raw()), question)
}

/// The parameters, as candidates for lengths.
fn candidates(entry: &Entry<'_>, context: &Context<'_>) -> Vec<Candidate> {
    let parameters = entry.parameters.iter().zip(&entry.signature.parameters);
    parameters
        .map(|((name, is_named), parameter)| {
            let pointee = context.pointee(parameter.of);
            let counter = match (&pointee, peel(context.types, parameter.of).of) {
                (None, Type::Integer(integer)) if integer.size > 1 => Counter::Value,
                (Some((Pointee::Scalar(scalar), false)), _)
                    if scalar.json == "integer"
                        && !scalar.is_byte()
                        && parameter.array.is_none()
                        && is_count(name) =>
                {
                    Counter::Pointer
                }
                _ => Counter::None,
            };
            let is_counted = counter == Counter::None
                && matches!(
                    pointee,
                    Some((
                        Pointee::Void | Pointee::Scalar(_) | Pointee::Fields(_) | Pointee::Pointer { .. },
                        _
                    ))
                );
            let is_size = peel(context.types, parameter.of).aliases.contains(&"size_t");
            Candidate { name: name.clone(), is_named: *is_named, counter, is_size, is_counted }
        })
        .collect()
}

/// A fixed length.
pub(super) fn constant(count: u64) -> Value {
    json!({ "const": count })
}
