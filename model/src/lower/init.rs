//! `x-init`: the functions that begin and end the library. They are called when it is loaded, and when its last binding is
//! dropped; nothing else calls them.

use super::links::Link;
use super::meaning::{Constant, Form, Function, Param, Passing};
use super::site::Names;
use crate::diagnostic::Findings;
use crate::document;
use crate::plan::{
    AskArg, Asked, CodeSource, Default, Fail, Init, Limits, Scalar, TextSource, Types, View, When,
};
use crate::rule::Rule;
use crate::span::{Span, Spanned};

/// Why a function cannot begin or end a library, and what to do.
type Problem = (String, &'static str);

/// Makes the parameters of the function that begins the library constants, and refuses both functions to callers.
pub(super) fn assign(
    init: &document::Init,
    functions: &mut [Option<Function>],
    names: &Names<'_>,
    findings: &Findings,
) -> Option<Init> {
    let begin = find(&init.call, names, findings);
    let end = init.end.as_ref().map(|end| (find(end, names, findings), end));
    let begin = begin?;
    if let Some((Some(end), name)) = end
        && end == begin
    {
        let message = format!("`{}` cannot both begin and end the library", name.value);
        let help = "name the function that ends the library as `end`, or leave `end` out";
        findings.report(Rule::Init, name.span, message, help);
        return None;
    }
    let mut fits = true;
    if let Some(function) = &functions[begin] {
        fits &= check(function, &init.call, begins(function, &init.args), functions, findings);
    }
    if let Some((Some(end), name)) = end
        && let Some(function) = &functions[end]
    {
        fits &= check(function, name, ends(function), functions, findings);
    }
    if !fits {
        return None;
    }
    if let Some(function) = &mut functions[begin] {
        for (param, arg) in given_mut(function).zip(&init.args) {
            if let Passing::Value(scalar) = param.passing {
                let of = Constant::Scalar(Scalar { view: View::Plain, ..scalar });
                param.passing = Passing::Constant { of, value: Default::Integer(arg.value) };
                (param.limits, param.default) = (Limits::default(), None);
            }
        }
        function.refusal = Some("the library is initialized with it when it is loaded (`x-init`)".to_owned());
    }
    let end = match end {
        Some((end, _)) => Some(end?),
        None => None,
    };
    if let Some(function) = end.and_then(|end| functions[end].as_mut()) {
        let reason = "the library is ended with it when its last binding is dropped (`x-init`)";
        function.refusal = Some(reason.to_owned());
    }
    Some(Init { function: begin, args: init.args.iter().map(|arg| arg.value).collect(), end })
}

fn find(name: &Spanned<String>, names: &Names<'_>, findings: &Findings) -> Option<usize> {
    let found = names.functions.get(name.value.as_str()).copied();
    if found.is_none() {
        findings.report(
            Rule::Init,
            name.span,
            format!("`x-init` names {:?}, which is not a function of the document", name.value),
            "add this function to `functions`, or correct the name",
        );
    }
    found
}

/// Reports a function that does not fit, or that callers reach by another name. Returns whether it is neither.
fn check(
    function: &Function,
    name: &Spanned<String>,
    problem: Option<Problem>,
    functions: &[Option<Function>],
    findings: &Findings,
) -> bool {
    let twin = functions.iter().flatten().find(|other| {
        !std::ptr::eq(*other, function) && !other.symbol.is_empty() && other.symbol == function.symbol
    });
    let by_name = || {
        let twin = twin?;
        Some((
            format!("`{}` is the same function of the library, and callers can call it", twin.name),
            "remove one of the two descriptions: nothing but `x-init` may call it",
        ))
    };
    match problem.or_else(by_name) {
        None => true,
        Some((problem, help)) => {
            let message = format!("`{}` does not fit here: {problem}", function.name);
            findings.report(Rule::Init, name.span, message, help);
            false
        }
    }
}

/// The parameters that a caller would give.
fn given(function: &Function) -> impl Iterator<Item = &Param> {
    function.params.iter().filter(|param| !matches!(param.passing, Passing::Constant { .. }))
}

fn given_mut(function: &mut Function) -> impl Iterator<Item = &mut Param> {
    function.params.iter_mut().filter(|param| !matches!(param.passing, Passing::Constant { .. }))
}

/// Why a function cannot begin a library with these arguments, if it cannot.
fn begins(function: &Function, args: &[Spanned<i128>]) -> Option<Problem> {
    if let Some(problem) = is_always_there(function) {
        return Some(problem);
    }
    let is_integer =
        |param: &&Param| matches!(param.passing, Passing::Value(scalar) if scalar.c_type.counts());
    if let Some(other) = given(function).find(|param| !is_integer(param)) {
        return Some((
            format!("its parameter `{}` is not an integer by value", other.key),
            "name a function that takes nothing but integers",
        ));
    }
    let count = given(function).count();
    if count != args.len() {
        let noun = if count == 1 { "parameter" } else { "parameters" };
        return Some((
            format!("it has {count} {noun}, but `args` has {}", args.len()),
            "write the object form, with one integer in `args` for each parameter",
        ));
    }
    for (param, arg) in given(function).zip(args) {
        let Passing::Value(scalar) = param.passing else { continue };
        let (lowest, highest) = scalar.c_type.widest();
        let lowest = param.limits.least.map_or(lowest, |least| lowest.max(least.integer()));
        let highest = param.limits.most.map_or(highest, |most| highest.min(most.integer()));
        if !(lowest..=highest).contains(&arg.value) {
            return Some((
                format!("its parameter `{}` cannot be {}", param.key, arg.value),
                "write an integer in the range of the parameter",
            ));
        }
    }
    let returned = function.returned.as_ref().map(|returned| &returned.form);
    (!matches!(returned, None | Some(Form::Value(_) | Form::Str { .. }))).then(|| {
        (
            "it returns something that nobody would have".to_owned(),
            "name a function that returns nothing, a number or a text",
        )
    })
}

/// Why a function cannot end a library, if it cannot.
fn ends(function: &Function) -> Option<Problem> {
    if let Some(problem) = is_always_there(function) {
        return Some(problem);
    }
    if let Some(param) = function.params.first() {
        return Some((
            format!("it has a parameter (`{}`)", param.key),
            "name a function that takes nothing; without one, leave `end` out",
        ));
    }
    let returned = function.returned.as_ref().map(|returned| &returned.form);
    (!matches!(returned, None | Some(Form::Value(_)))).then(|| {
        (
            "it returns something that nobody would have".to_owned(),
            "name a function that returns nothing, or a number",
        )
    })
}

fn is_always_there(function: &Function) -> Option<Problem> {
    if !function.is_required() {
        return Some((
            "it is optional, so the library may lack it".to_owned(),
            "name a function that is not optional",
        ));
    }
    function.read.is_some().then(|| {
        (
            "it reads a member (`x-member`), and calls nothing".to_owned(),
            "name a function that the library has",
        )
    })
}

/// Reports keys that make other calls begin or end the library.
pub(super) fn check_callers(
    init: &Init,
    at: &document::Init,
    links: &[Link],
    (functions, types): (&[Option<Function>], &Types),
    findings: &Findings,
) {
    let report = |span: Span, who: &str, index: usize| {
        let name = functions[index].as_ref().map_or("", |function| &function.name);
        findings.report(
            Rule::Init,
            span,
            format!(
                "{who} calls `{name}`, which only `x-init` may: the library would begin or end in a call"
            ),
            "name another function in that key, or leave this one out of `x-init`",
        );
    };
    for index in [Some(init.function), init.end].into_iter().flatten() {
        let symbol = functions[index].as_ref().map(|function| function.symbol.as_str());
        for free in types.symbols.iter().filter(|free| Some(free.name.value.as_str()) == symbol) {
            report(free.name.span, "this key", index);
        }
    }
    for link in links.iter().filter(|link| init.names(link.target)) {
        report(link.span, "this key", link.target);
    }
    for function in functions.iter().flatten() {
        let asked = function.fail.as_ref().map(all_asked).unwrap_or_default();
        for index in asked.into_iter().filter(|index| init.names(*index)) {
            report(at.call.span, &format!("`x-error` of `{}`", function.name), index);
        }
    }
}

/// The functions that a failure asks.
fn all_asked(fail: &Fail) -> Vec<usize> {
    let mut open: Vec<&Asked> = Vec::new();
    if let When::Call(asked) = &fail.when {
        open.push(asked);
    }
    if let CodeSource::Call(asked) = &fail.code {
        open.push(asked);
    }
    if let TextSource::Call { asked, .. } | TextSource::Member { asked, .. } = &fail.text {
        open.push(asked);
    }
    let mut functions = Vec::new();
    while let Some(asked) = open.pop() {
        functions.push(asked.function);
        open.extend(asked.args.iter().filter_map(|arg| match arg {
            AskArg::Asked(inner) => Some(&**inner),
            AskArg::Integer(_) | AskArg::Param(_) | AskArg::Left(_) | AskArg::Returned => None,
        }));
    }
    functions
}
