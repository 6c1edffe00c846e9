//! `x-errors` and `x-error`: how functions report a failure.

use opendyn_source::object::{members, wrong_type};

use crate::diagnostic::Findings;
use crate::document::{Asked, AskedArg, CodeSource, ErrorOf, Failure, TextSource, When};
use crate::json::{Node, Value};
use crate::keys::{CODE_SOURCES, CONDITIONS, Place, TEXT_SOURCES};
use crate::rule::Rule;
use crate::span::Spanned;

use super::key;
use super::object::Object;

/// `x-errors` of the document.
pub(super) fn read_errors(node: &Node, findings: &Findings) -> Vec<(Spanned<String>, Option<Failure>)> {
    let errors = members(node, "`x-errors`", findings).iter();
    errors.map(|member| (key(member), read_failure(&member.value, findings))).collect()
}

/// `x-error` of a function.
pub(super) fn read_error_of(node: &Node, findings: &Findings) -> ErrorOf {
    match &node.value {
        Value::String(name) => ErrorOf::Named(Spanned { value: name.clone(), span: node.span }),
        Value::Object(_) => ErrorOf::Inline(read_failure(node, findings).map(Box::new)),
        _ => {
            let expected = "the name of one of `x-errors`, or an object with `when`, `code` and `text`";
            wrong_type(node, "`x-error`", expected, findings);
            ErrorOf::Inline(None)
        }
    }
}

fn read_failure(node: &Node, findings: &Findings) -> Option<Failure> {
    let object = Object::new(node, Place::Error, findings)?;
    let read = (
        source(&object, "when", findings, CONDITIONS, read_condition, read_when),
        source(&object, "code", findings, CODE_SOURCES, read_code_source, read_code),
        source(&object, "text", findings, TEXT_SOURCES, read_text_source, read_text),
    );
    object.finish();
    // Parts that cannot be read are reported; without them the error would say something else.
    let (Ok(when), Ok(code), Ok(text)) = read else { return None };
    Some(Failure { when, code, text, span: node.span })
}

/// A key that holds a word or an object; `Err` if it is neither, or cannot be read.
fn source<T>(
    object: &Object<'_>,
    key: &'static str,
    findings: &Findings,
    words: &[&str],
    word: impl Fn(&str) -> Option<T>,
    read: impl Fn(&Node, &Findings) -> Option<T>,
) -> Result<Option<Spanned<T>>, ()> {
    let Some(node) = object.optional(key) else { return Ok(None) };
    let value = match &node.value {
        Value::String(given) => {
            let value = word(given);
            if value.is_none() {
                findings.report(
                    Rule::Failure,
                    node.span,
                    format!("{given:?} is not a known `{key}`"),
                    format!("write {}, or an object", quoted(words)),
                );
            }
            value
        }
        Value::Object(_) => read(node, findings),
        _ => {
            object.wrong(node, key, &format!("{}, or an object", quoted(words)));
            None
        }
    };
    value.map(|value| Some(Spanned { value, span: node.span })).ok_or(())
}

fn quoted(words: &[&str]) -> String {
    words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(", ")
}

fn read_condition(word: &str) -> Option<When> {
    Some(match word {
        "negative" => When::Negative,
        "null" => When::Null,
        "zero" => When::Zero,
        "nonzero" => When::Nonzero,
        _ => return None,
    })
}

fn read_code_source(word: &str) -> Option<CodeSource> {
    Some(match word {
        "return" => CodeSource::Return,
        "errno" => CodeSource::Errno,
        "lastError" => CodeSource::LastError,
        _ => return None,
    })
}

fn read_text_source(word: &str) -> Option<TextSource> {
    Some(match word {
        "errno" => TextSource::Errno,
        "lastError" => TextSource::LastError,
        _ => return None,
    })
}

fn read_when(node: &Node, findings: &Findings) -> Option<When> {
    let object = Object::new(node, Place::ErrorWhen, findings)?;
    let value = object.integer("value");
    let asked = read_asked(&object, node, findings);
    let both = object.optional("value").is_some() == object.optional("call").is_some();
    object.finish();
    if both {
        one_of(node, "`when`", "`value` or `call`", "{\"value\": -1}", findings);
        return None;
    }
    value.map(|value| When::Value(value.value)).or(asked.map(When::Call))
}

fn read_code(node: &Node, findings: &Findings) -> Option<CodeSource> {
    let object = Object::new(node, Place::ErrorCode, findings)?;
    object.required("call");
    let asked = read_asked(&object, node, findings);
    object.finish();
    asked.map(CodeSource::Call)
}

fn read_text(node: &Node, findings: &Findings) -> Option<TextSource> {
    let object = Object::new(node, Place::ErrorText, findings)?;
    let output = object.optional_string("output");
    let member = object.optional_string("member");
    let asked = read_asked(&object, node, findings);
    let both = object.optional("output").is_some() == object.optional("call").is_some();
    let stray = object.optional("output").and(object.optional("member"));
    object.finish();
    if both {
        one_of(node, "`text`", "`call` or `output`", "{\"call\": \"last_error\", \"args\": []}", findings);
        return None;
    }
    if let Some(stray) = stray {
        findings.report(
            Rule::Failure,
            stray.span,
            "`member` has no effect beside `output`",
            "remove it, or name the function that returns a pointer to the struct in `call`",
        );
        return None;
    }
    match (output, asked, member) {
        (Some(output), ..) => Some(TextSource::Output(output)),
        (None, Some(asked), Some(member)) => Some(TextSource::Member(asked, member)),
        (None, Some(asked), None) => Some(TextSource::Call(asked)),
        (None, None, _) => None,
    }
}

fn one_of(node: &Node, what: &str, keys: &str, example: &str, findings: &Findings) {
    findings.report(
        Rule::MissingField,
        node.span,
        format!("{what} of an error must have either {keys}"),
        format!("write for example {example}"),
    );
}

/// `call` and `args`; `None` if there is no call, or if it cannot be read.
fn read_asked(object: &Object<'_>, node: &Node, findings: &Findings) -> Option<Asked> {
    let function = object.optional_string("call");
    let expected = "the name of a parameter, \"return\", an integer, or a call";
    let read = |node: &Node| match &node.value {
        Value::Object(_) => {
            let object = Object::new(node, Place::ErrorArgument, findings)?;
            object.required("call");
            let asked = read_asked(&object, node, findings);
            object.finish();
            asked.map(AskedArg::Call)
        }
        _ => object.literal_at(node, "args", expected).map(AskedArg::Literal),
    };
    let args = match object.optional("args") {
        Some(_) => object.list("args", read),
        None => Some(Spanned { value: Vec::new(), span: node.span }),
    };
    Some(Asked { function: function?, args: args?.value })
}
