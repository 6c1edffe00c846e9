//! Functions that free with further arguments: a caller who calls one must pass what the handle was made with.

use super::meaning::{Function, Passing};
use crate::diagnostic::Findings;
use crate::document::Document;
use crate::plan::{FreeArg, FreeBy, Types};
use crate::rule::Rule;

/// Sets which arguments of functions that free are compared with those that their handle remembers.
pub(super) fn set_same(
    document: &Document,
    functions: &mut [Option<Function>],
    types: &Types,
    findings: &Findings,
) {
    for free in &types.frees {
        let FreeBy::Function { function: index, args, .. } = &free.by else { continue };
        let Some(function) = &mut functions[*index] else { continue };
        let Some(position) = args.iter().position(|arg| *arg == FreeArg::Value) else { continue };
        // Others are copied and freed in the call that gives them: no caller has such a pointer.
        let is_handle = function.params.get(position).is_some_and(|param| param.passing.is_given_up());
        if !is_handle || args.len() < 2 || args.len() != function.params.len() {
            continue;
        }
        // C is passed NULL for a callback when it frees by itself; a caller may pass one.
        let is_compared = |index: usize, arg: &FreeArg| match arg {
            FreeArg::Value => false,
            FreeArg::Integer(_) => matches!(function.params[index].passing, Passing::Value(_)),
            FreeArg::Captured(_) => true,
        };
        let compared = args.iter().copied().enumerate().filter(|(index, arg)| is_compared(*index, arg));
        let compared: Vec<(usize, FreeArg)> = compared.collect();
        match &function.same {
            None if compared.is_empty() => {}
            None => function.same = Some((position, compared)),
            Some((_, same)) if *same == compared => {}
            Some(_) => {
                let Some(name) = document.functions[*index].name.as_ref() else { continue };
                findings.report(
                    Rule::LinkedFunction,
                    name.span,
                    format!(
                        "`x-free` passes different kinds of arguments to `{}`, so those of a direct call cannot be compared",
                        name.value
                    ),
                    "pass parameters and integers in the same places, or describe the function twice, with `x-symbol`",
                );
            }
        }
    }
}
