//! Memory that passes to C: `x-takes` with `memory`. C frees it, so it is a copy that C's own allocator makes.

use super::meaning::{Param, Passing};
use super::site::Site;
use crate::diagnostic::Findings;
use crate::document::{self, Keys};
use crate::plan::{Amount, Element, FreeBy, TakenMemory};
use crate::rule::Rule;
use crate::span::Span;

/// Memory that C takes: `None` if it is wrong, `Some(None)` if C takes none.
pub(super) fn lower(
    keys: &Keys,
    passing: &Passing,
    default: Option<Span>,
    site: &Site<'_>,
) -> Option<Option<TakenMemory>> {
    let Some(takes) = &keys.takes else { return Some(None) };
    let wrong = |span: Span, message: &str, help: &str| {
        site.findings().report(Rule::TakesMemory, span, message.to_owned(), help.to_owned());
        None
    };
    let document::Takes { into, on_success, memory, free } = &takes.value;
    let is_memory = matches!(passing, Passing::Str(_) | Passing::Counted { .. } | Passing::Slice { .. });
    let Some(memory) = memory else {
        if let Some(free) = free {
            return wrong(
                free.name.span,
                "`free` of `x-takes` is for memory, but `memory` is missing",
                "write in `memory` what allocates it, or remove `free`",
            );
        }
        if is_memory {
            return wrong(
                takes.span,
                "C frees this memory, so it must come from the allocator that C frees it with",
                "write {\"memory\": \"malloc\"}, with the symbol that allocates",
            );
        }
        return Some(None);
    };
    if !is_memory {
        return not_memory(memory, site);
    }
    if let Some(into) = into {
        return wrong(
            into.span,
            "`into` is for handles: what frees memory that C takes is C's matter",
            "remove `into`",
        );
    }
    if let Some(problem) = misfit(keys, passing, default) {
        return wrong(takes.span, problem, "remove `x-takes`, or the other key");
    }
    if let (Some(on), None) = (on_success, free) {
        return wrong(
            *on,
            "a call that fails has not taken the memory, and nothing says what frees it",
            "write in `free` the symbol that frees what `memory` allocates, such as \"free\"",
        );
    }
    let symbol = site.symbol("x-takes", &memory.name, memory.is_variable)?;
    let free = match free {
        Some(free) => {
            let symbol = site.symbol("x-takes", &free.name, free.is_variable)?;
            let by = if free.is_variable { FreeBy::Variable(symbol) } else { FreeBy::Symbol(symbol) };
            Some(site.registry.free(by, Vec::new()))
        }
        None => None,
    };
    let allocator = site.registry.allocator(symbol);
    Some(Some(TakenMemory { allocator, free, on_success: *on_success }))
}

/// Reports `memory` of a value that is no memory.
pub(super) fn not_memory<T>(memory: &document::Symbol, site: &Site<'_>) -> Option<T> {
    site.findings().report(
        Rule::TakesMemory,
        memory.name.span,
        "`memory` of `x-takes` is for inputs that are strings, bytes, and arrays of scalars with a length",
        "remove `memory`, or change the type of the value",
    );
    None
}

/// Why the value cannot be memory that C takes, if it cannot.
fn misfit(keys: &Keys, passing: &Passing, default: Option<Span>) -> Option<&'static str> {
    if keys.keeps.is_some() {
        return Some("C frees what it takes, and so cannot keep what the caller frees (`x-keeps`)");
    }
    if keys.inout.is_some_and(|inout| inout.value) {
        return Some("what C takes does not come back, and so cannot be `x-inout`");
    }
    if default.is_some() {
        return Some("memory that C takes has no `default`: C is passed NULL if it is absent");
    }
    match passing {
        Passing::Slice { length: None, .. } => Some("an array that C takes needs its length (`x-length`)"),
        Passing::Slice { length: Some(Amount::Terminated), .. } => {
            Some("an array that ends at a zero cannot pass to C")
        }
        Passing::Slice { element: Element::Record(_), .. } => Some("an array of structs cannot pass to C"),
        _ => None,
    }
}

/// Checks that nothing leaks if there is no memory for one of several arguments.
pub(super) fn check(params: &[Param], keys: &[Keys], findings: &Findings) -> Option<()> {
    let mut whole = true;
    if params.iter().filter(|param| param.taken.is_some()).count() < 2 {
        return Some(());
    }
    for (param, keys) in params.iter().zip(keys) {
        let memory = keys.takes.as_ref().and_then(|takes| takes.value.memory.as_ref());
        if let (Some(TakenMemory { free: None, .. }), Some(memory)) = (param.taken, memory) {
            findings.report(
                Rule::TakesMemory,
                memory.name.span,
                "if there is no memory for the other argument that C takes, nothing says what frees this one",
                "write in `free` the symbol that frees what `memory` allocates, such as \"free\"",
            );
            whole = false;
        }
    }
    whole.then_some(())
}
