//! What the document says about the size of what C is passed, in words.

use opendyn_model::plan::{Amount, AskArg, Factor, Function, Memory, Role, Step};

use crate::Document;

/// What the document says about the size of the parameter at `index`; empty for nothing.
pub(super) fn says(document: &Document, function: &Function, index: usize) -> String {
    let capacity = function.steps.iter().find_map(|step| match step {
        Step::Allocate { into, memory: Memory::Buffer { capacity, .. } } if *into == index => Some(capacity),
        _ => None,
    });
    let key = |index: usize| function.params[index].key.as_str();
    if let Some(amount) = capacity.or(function.params[index].facts.length.as_ref()) {
        return format!("`x-length` is {}", amount_in_words(document, &key, amount));
    }
    let is_length = |role: &Role| matches!(role, Role::LengthOf(of) | Role::RoomOf(of) if *of == index);
    match function.params.iter().find(|param| is_length(&param.role)) {
        Some(param) => format!("`x-length` is `{}`", param.key),
        None => String::new(),
    }
}

fn amount_in_words<'a>(document: &Document, key: &dyn Fn(usize) -> &'a str, amount: &Amount) -> String {
    match amount {
        Amount::Param(index) => format!("`{}`", key(*index)),
        Amount::Const(count) => count.to_string(),
        Amount::Member { .. } => "a member of the struct".to_owned(),
        Amount::Product(factors) | Amount::Sum(factors) => {
            let sign = if matches!(amount, Amount::Sum(_)) { " + " } else { " * " };
            let factor = |factor: &Factor| match factor {
                Factor::Param(index) => key(*index).to_owned(),
                Factor::Const(value) => value.to_string(),
                Factor::Asked(amount) => amount_in_words(document, key, amount).replace('`', ""),
            };
            format!("`{}`", factors.iter().map(factor).collect::<Vec<_>>().join(sign))
        }
        Amount::Ask { function, args, .. } => {
            let arg = |arg: &AskArg| match arg {
                AskArg::Param(index) | AskArg::Left(index) => key(*index).to_owned(),
                AskArg::Integer(value) => value.to_string(),
                AskArg::Returned | AskArg::Asked(_) => "…".to_owned(),
            };
            let args: Vec<String> = args.iter().map(arg).collect();
            format!("`{}({})`", document.name_of(*function), args.join(", "))
        }
        Amount::Terminated => "up to a zero".to_owned(),
    }
}
