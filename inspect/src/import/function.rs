//! One function of the document.

use serde_json::{Value, json};

use super::ask::{self, Asked, At};
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
use super::stated::RETURNS;
use super::{owner, parameter, returned, thrown};
use crate::{AttributeKind, Function, Signature, Type};

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
    pub(super) questions: Vec<Asked>,
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

    // What depends on a parameter needs one of which nothing is asked.
    let certain: Vec<&str> = parameters
        .iter()
        .zip(&entry.parameters)
        .filter(|(described, _)| described.is_certain_handle())
        .map(|(_, (name, _))| name.as_str())
        .collect();
    let lacks = |described: &Described| described.parent().is_some_and(|parent| !certain.contains(&parent));
    let lacking: Vec<usize> = (0..parameters.len()).filter(|index| lacks(&parameters[*index])).collect();
    if returned.as_ref().is_some_and(lacks) {
        returned = returned.take().map(|described| owner::unowned(&described, entry, context));
    }
    for index in lacking {
        parameters[index] = owner::unowned(&parameters[index], entry, context);
    }

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
    if let Some((error, says)) = thrown::error(entry, context).filter(|_| !is_asked(&returned)) {
        state(None, format!("x-error: {}", error["when"]), says);
        object.insert("x-error".to_owned(), error.into());
    }
    // Its file says that what it leaves open keeps callers outside C from calling it.
    let only_for_c = entry.states_only_for_c();
    if let Some(says) = &only_for_c {
        parameters = parameters.into_iter().map(|described| described.unasked(says)).collect();
        returned = returned.map(|described| described.unasked(says));
    }
    let mut questions = Vec::new();
    let declaration = ask::declaration(entry, context.types);
    let mut todo = Vec::new();
    let mut names: Vec<(String, bool)> = entry.parameters.clone();
    if entry.signature.variadic {
        object.insert("x-variadic".to_owned(), names.len().into());
        let (name, described, question) = variadic(entry);
        names.push((name, false));
        match &only_for_c {
            Some(says) => {
                parameters.push(described.fact("one pointer for `...`, for unsafe code", says.clone()));
            }
            None => {
                parameters.push(described);
                todo.push(question);
            }
        }
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
        let raw = entry.signature.parameters.get(index).and_then(|parameter| parameter.name.as_deref());
        let said = raw.and_then(|name| entry.said.about(name));
        questions.extend(parts.questions.iter().map(|question| {
            Asked::new(question, &entry.name, At::Parameter(index, name.clone()), said.clone(), &declaration)
        }));
        if let Some((_, says)) = entry.stated(|of| match of {
            AttributeKind::Named(position, given) if *position == index + 1 && raw == Some(given) => Some(()),
            _ => None,
        }) {
            state(Some(name), "its name".to_owned(), says);
        }
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
            && let Some(evidence) = entry.states_null(RETURNS).or_else(|| {
                // An attribute that it never is comes first.
                entry.said.returns_null().filter(|_| !entry.never_returns_null())
            })
        {
            described = described.key("x-nullable", true, evidence);
        }
        let name = result.unwrap_or("return_value");
        let parts = described.into_parts();
        let said = entry.said.about_result();
        questions.extend(
            parts
                .questions
                .iter()
                .map(|question| Asked::new(question, &entry.name, At::Return, said.clone(), &declaration)),
        );
        for (what, evidence) in &parts.facts {
            state(Some(name), what.clone(), evidence.clone());
        }
        value(name, comment, parts, false, take_suggestions)
    });
    object.insert("return".to_owned(), returned.map_or(Value::Null, Value::Object));
    questions.extend(
        todo.iter().map(|question| Asked::new(question, &entry.name, At::Function, None, &declaration)),
    );
    write_todo(&mut object, &todo, false);
    Ok(Outcome { object, questions, is_described, facts })
}

/// Whether something is asked about the return value.
fn is_asked(returned: &Option<Described>) -> bool {
    returned.as_ref().is_some_and(|described| described.is_asked() || is_raw(described))
}

/// Whether it is a pointer of which nothing is known.
fn is_raw(described: &Described) -> bool {
    let c_type = described.schema().get("cType");
    c_type.is_some_and(|c_type| c_type["type"] == "void" && c_type.get("x-handle").is_none())
        && described.schema().get("properties").is_none()
        && described.schema().get("x-encoding").is_none()
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
    write_texts(object, left.iter().map(|question| question.text()).collect());
}

/// Writes the texts of questions as `x-todo`.
pub(super) fn write_texts(object: &mut Object, mut texts: Vec<String>) {
    let todo = match texts.len() {
        0 => return,
        1 => texts.remove(0).into(),
        _ => Value::from(texts),
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

/// The types of POSIX and GLib that are something other than a count.
const NO_COUNTS: [&str; 16] = [
    "gboolean",
    "gunichar",
    "mode_t",
    "uid_t",
    "gid_t",
    "pid_t",
    "id_t",
    "dev_t",
    "ino_t",
    "key_t",
    "time_t",
    "clock_t",
    "clockid_t",
    "pthread_t",
    "wchar_t",
    "wint_t",
];

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
            let may_count =
                !peel(context.types, parameter.of).aliases.iter().any(|alias| NO_COUNTS.contains(alias));
            Candidate { name: name.clone(), is_named: *is_named, counter, is_size, is_counted, may_count }
        })
        .collect()
}

/// A fixed length.
pub(super) fn constant(count: u64) -> Value {
    json!({ "const": count })
}
