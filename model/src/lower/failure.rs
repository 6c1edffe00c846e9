//! How functions report a failure: `x-error`, or a code alone. It is lowered when all functions are known: a failure may
//! ask others for its code and its text.

mod asked;

use super::meaning::{Form, Function, Passing, ReturnRole};
use super::site::Names;
use crate::c_type::{CType, Class};
use crate::diagnostic::Findings;
use crate::document::{self, Document, ErrorOf};
use crate::plan::{
    Amount, CodeSource, Content, Encoding, Fail, FieldType, Scalar, System, TextSource, Types, View, When,
};
use crate::rule::Rule;
use crate::span::{Span, Spanned};

/// Sets how each function reports a failure.
pub(super) fn assign(
    document: &Document,
    functions: &mut [Option<Function>],
    types: &Types,
    names: &Names<'_>,
    findings: &Findings,
) {
    let fails: Vec<Option<Fail>> = document
        .functions
        .iter()
        .zip(&*functions)
        .map(|(declared, function)| {
            let function = function.as_ref()?;
            let Some(error) = &declared.error else { return alone(function) };
            let failure = find(error, document, findings)?;
            Scope { functions, function, types, names, findings }.fail(failure)
        })
        .collect();
    for (function, fail) in functions.iter_mut().zip(fails) {
        let Some(function) = function else { continue };
        // The one value for success says nothing to a caller.
        if let (Some(Fail { when: When::Nonzero, .. }), Some(returned)) = (&fail, &mut function.returned)
            && returned.role == ReturnRole::Result
            && integer(&returned.form).is_some()
        {
            returned.role = ReturnRole::Code(vec![0]);
        }
        function.fail = fail;
    }
}

/// The failure of a function without `x-error`: its code says so, if it returns one.
fn alone(function: &Function) -> Option<Fail> {
    Some(Fail {
        when: When::Unlisted(successes(function)?.to_vec()),
        code: CodeSource::Returned,
        text: TextSource::Document,
        outputs: Vec::new(),
    })
}

/// The codes for success, if the function returns a code.
fn successes(function: &Function) -> Option<&[i64]> {
    match &function.returned.as_ref()?.role {
        ReturnRole::Code(successes) => Some(successes),
        ReturnRole::Result | ReturnRole::Written => None,
    }
}

/// The error of a function, by name or in place.
fn find<'d>(
    error: &'d ErrorOf,
    document: &'d Document,
    findings: &Findings,
) -> Option<&'d document::Failure> {
    let name = match error {
        ErrorOf::Inline(failure) => return failure.as_deref(),
        ErrorOf::Named(name) => name,
    };
    let found = document.errors.iter().find(|(known, _)| known.value == name.value);
    if found.is_none() {
        let known: Vec<&str> = document.errors.iter().map(|(known, _)| known.value.as_str()).collect();
        findings.report(
            Rule::Failure,
            name.span,
            format!("`x-error` names {:?}, which is not in `x-errors` of the document", name.value),
            if known.is_empty() {
                "add \"x-errors\" with this name to the document, or write an object here".to_owned()
            } else {
                format!("write one of {}, or an object", known.join(", "))
            },
        );
    }
    found?.1.as_ref()
}

/// The type of an integer that can be a code.
fn integer(form: &Form) -> Option<CType> {
    match form {
        Form::Value(Scalar { c_type, view: View::Plain | View::Enum(_) }) if c_type.counts() => Some(*c_type),
        _ => None,
    }
}

fn is_pointer(form: &Form) -> bool {
    !matches!(form, Form::Value(_) | Form::RecordValue(_))
}

/// One function, and what its error can name.
struct Scope<'s> {
    functions: &'s [Option<Function>],
    function: &'s Function,
    types: &'s Types,
    names: &'s Names<'s>,
    findings: &'s Findings,
}

impl Scope<'_> {
    fn fail(&self, failure: &document::Failure) -> Option<Fail> {
        let when = self.when(failure);
        let code = self.code(failure);
        let text = match (&failure.text, &code) {
            (Some(text), _) => self.text(text),
            // The document has no texts for the errors of the system.
            (None, Some(CodeSource::System(system))) => Some(TextSource::System(*system)),
            (None, _) => Some(TextSource::Document),
        };
        Some(Fail { when: when?, code: code?, text: text?, outputs: Vec::new() })
    }

    fn report(&self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.findings.report(Rule::Failure, span, message.into(), help.into());
    }

    fn form(&self) -> Option<&Form> {
        self.function.returned.as_ref().map(|returned| &returned.form)
    }

    fn when(&self, failure: &document::Failure) -> Option<When> {
        let name = &self.function.name;
        let codes = successes(self.function);
        let Some(when) = &failure.when else {
            if codes.is_none() {
                self.report(
                    failure.span,
                    format!("nothing says when `{name}` failed"),
                    "add \"when\", or add \"x-code\": true to its return value",
                );
            }
            return Some(When::Unlisted(codes?.to_vec()));
        };
        if codes.is_some() {
            self.report(
                when.span,
                format!("`x-code` of `{name}` says already when it failed"),
                "remove `when`, or `x-code` of the return value",
            );
            return None;
        }
        let form = self.form();
        if form.is_none() && !matches!(when.value, document::When::Call(_)) {
            self.report(
                when.span,
                format!("`{name}` returns nothing, so that its return value cannot tell whether it failed"),
                "name a function that tells: {\"call\": \"last_error\", \"args\": []}",
            );
            return None;
        }
        let misfit = |word: &str, needed: &str, help: &str| {
            let message = format!("`{word}` needs {needed}, which `{name}` does not return");
            self.report(when.span, message, help);
            None
        };
        let is_truth = |form: &Form| match form {
            Form::Value(scalar) => scalar.c_type.counts() || scalar.c_type.class() == Class::Boolean,
            _ => false,
        };
        match &when.value {
            document::When::Negative => match form.and_then(integer) {
                Some(c_type) if c_type.widest().0 < 0 && !c_type.has_sign_of_target() => Some(When::Negative),
                _ => misfit(
                    "negative",
                    "a signed integer",
                    "write the condition that C documents: \"null\", \"zero\", \"nonzero\", or {\"value\": …}",
                ),
            },
            document::When::Null => match form {
                Some(form) if is_pointer(form) => Some(When::Null),
                _ => misfit("null", "a pointer", "write \"zero\" for an integer"),
            },
            document::When::Zero | document::When::Nonzero if !form.is_some_and(is_truth) => {
                misfit("zero` or `nonzero", "an integer or a boolean", "write \"null\" for a pointer")
            }
            document::When::Zero => Some(When::Zero),
            document::When::Nonzero => Some(When::Nonzero),
            document::When::Value(value) => match form.and_then(integer) {
                Some(c_type) if (c_type.widest().0..=c_type.widest().1).contains(value) => {
                    Some(When::Value(*value))
                }
                Some(c_type) => {
                    self.report(
                        when.span,
                        format!("`{name}` cannot return {value}: it is not a value of `{}`", c_type.name()),
                        "write a value that the C type of the return value has",
                    );
                    None
                }
                None => misfit("value", "an integer", "write \"null\" for a pointer"),
            },
            document::When::Call(asked) => {
                let (asked, target) = self.asked(asked)?;
                let fits = target
                    .is_some_and(|target| target.returned.as_ref().is_some_and(|it| is_truth(&it.form)));
                self.returns(fits, when, target, "an integer or a boolean").then_some(When::Call(asked))
            }
        }
    }

    fn code(&self, failure: &document::Failure) -> Option<CodeSource> {
        let is_code = self.form().and_then(integer).is_some();
        let Some(code) = &failure.code else {
            let system = match failure.text.as_ref().map(|text| &text.value) {
                Some(document::TextSource::Errno) => Some(System::Errno),
                Some(document::TextSource::LastError) => Some(System::LastError),
                _ => None,
            };
            return Some(match system.filter(|_| successes(self.function).is_none()) {
                // The text is that of the error that the function left.
                Some(system) => CodeSource::System(system),
                None if is_code => CodeSource::Returned,
                None => CodeSource::None,
            });
        };
        match &code.value {
            document::CodeSource::Return if !is_code => {
                let name = &self.function.name;
                self.report(
                    code.span,
                    format!("`{name}` does not return an integer, so that its return value is no code"),
                    "write \"errno\", \"lastError\" or a call, or remove `code`",
                );
                None
            }
            document::CodeSource::Return => Some(CodeSource::Returned),
            document::CodeSource::Errno => Some(CodeSource::System(System::Errno)),
            document::CodeSource::LastError => Some(CodeSource::System(System::LastError)),
            document::CodeSource::Call(asked) => {
                let (asked, target) = self.asked(asked)?;
                let fits = target.and_then(|target| integer(&target.returned.as_ref()?.form)).is_some();
                self.returns(fits, code, target, "an integer").then_some(CodeSource::Call(asked))
            }
        }
    }

    fn text(&self, text: &Spanned<document::TextSource>) -> Option<TextSource> {
        match &text.value {
            document::TextSource::Errno => Some(TextSource::System(System::Errno)),
            document::TextSource::LastError => Some(TextSource::System(System::LastError)),
            document::TextSource::Call(asked) => {
                let (asked, target) = self.asked(asked)?;
                let returned = target.and_then(|target| match &target.returned.as_ref()?.form {
                    Form::Str { text, .. } => Some((text.encoding, None)),
                    // Text in a struct, which `x-member` reads.
                    Form::Array {
                        content: Content::Text { encoding, .. },
                        length: Some(Amount::Const(units)),
                        ..
                    } => Some((*encoding, Some(*units))),
                    _ => None,
                });
                let returned = returned.filter(|(encoding, _)| !encoding.is_binary());
                self.returns(returned.is_some(), text, target, "a string");
                let (encoding, units) = returned?;
                Some(TextSource::Call { asked, encoding, units })
            }
            document::TextSource::Member(asked, member) => {
                let (asked, target) = self.asked(asked)?;
                let record = target.and_then(|target| match &target.returned.as_ref()?.form {
                    Form::Record { record, .. } => Some(*record),
                    _ => None,
                });
                self.returns(
                    record.is_some(),
                    text,
                    target,
                    "a pointer to a struct that the document describes",
                );
                let (field, encoding) = self.member(record?, member)?;
                Some(TextSource::Member { asked, record: record?, field, encoding })
            }
            document::TextSource::Output(name) => {
                let index = self.parameter(name)?;
                let encoding = match &self.function.params[index].passing {
                    Passing::Fetched(Form::Str { text, .. }) => Some(text.encoding),
                    Passing::Buffer {
                        content: Content::Text { encoding, .. }, capacity: Some(_), ..
                    } => Some(*encoding),
                    _ => None,
                };
                let encoding = encoding.filter(|encoding| !encoding.is_binary());
                if encoding.is_none() {
                    self.report(
                        name.span,
                        format!("`{}` is not an output with text", name.value),
                        "name a parameter with \"isIn\": false that is a string",
                    );
                }
                Some(TextSource::Output(index, encoding?))
            }
        }
    }

    /// The member of a struct with the text.
    fn member(&self, record: usize, member: &Spanned<String>) -> Option<(usize, Encoding)> {
        let record = &self.types.records[record];
        let of_units = |c_type: CType| match c_type.is_sixteen_bits() {
            true => Encoding::Utf16,
            false => Encoding::Utf8,
        };
        let found = record.fields().enumerate().find(|(_, field)| field.key == member.value);
        let encoding = match found.map(|(_, field)| &field.of) {
            Some(FieldType::Str(c_type)) => Some(of_units(*c_type)),
            Some(FieldType::Text { encoding, .. }) if !encoding.is_binary() => Some(*encoding),
            _ => None,
        };
        if encoding.is_none() {
            let keys: Vec<&str> = record.fields().map(|field| field.key.as_str()).collect();
            let (problem, help) = match found {
                Some(_) => ("is not a string", "name a member that is a string".to_owned()),
                None => ("does not exist", format!("its members are {}", keys.join(", "))),
            };
            self.report(
                member.span,
                format!("the member {:?} of `{}` {problem}", member.value, record.name),
                help,
            );
        }
        Some((found?.0, encoding?))
    }
}
