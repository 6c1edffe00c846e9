//! What a call does, in order.

use super::super::meaning::{Direction, Function, Param, Passing};
use super::given::Given;
use super::travel::Travel;
use crate::plan::{
    Access, Amount, CodeSource, Content, Counted, Element, Fail, Got, Memory, Operand, Outcome, Place,
    Scalar, Shape, Step, Types, View,
};

pub(super) fn steps(
    function: &Function,
    travels: &[Travel],
    given: Option<&Given>,
    outcomes: &[Outcome],
    keeps_closures: bool,
    types: &Types,
) -> Vec<Step> {
    let params = || function.params.iter().enumerate();
    let mut steps = Vec::new();
    if !function.is_required() {
        steps.push(Step::Require);
    }
    // Lengths come first: they may be arguments of a function that computes another length.
    steps.extend(params().filter_map(|(index, param)| count(function, index, &param.passing)));
    for (index, param) in params() {
        steps.extend(length_check(function, index));
        if let Some(enumeration) = param.passing.enumeration() {
            steps.push(Step::Listed { param: index, enumeration });
        }
        if has_limits(param, types) {
            steps.push(Step::Limits { param: index });
        }
    }
    for (param, travel) in travels.iter().enumerate() {
        if matches!(travel.argument, Some((Shape::Str(_) | Shape::Strings { as_str: true, .. }, _))) {
            steps.push(Step::Terminate { param });
        }
    }
    let is_buffer = |memory: &Memory| matches!(memory, Memory::Buffer { .. });
    let is_taken = |memory: &Memory| matches!(memory, Memory::Taken(_));
    let memories =
        || travels.iter().enumerate().filter_map(|(into, travel)| Some((into, travel.memory.as_ref()?)));
    // Buffers come before their capacities, which are passed to C.
    steps.extend(
        memories()
            .filter(|(_, memory)| is_buffer(memory))
            .map(|(into, memory)| Step::Allocate { into, memory: memory.clone() }),
    );
    for (index, travel) in travels.iter().enumerate() {
        // The pointers of handles that C takes are those of the handles that are given up.
        if matches!(travel.argument, Some((Shape::Handles { access: Access::Owned, .. }, _))) {
            steps.push(Step::Release { param: index });
        }
        let memory = travel.memory.as_ref().filter(|memory| !is_buffer(memory) && !is_taken(memory));
        if let Some(memory) = memory {
            steps.push(Step::Allocate { into: index, memory: memory.clone() });
        }
        if let Some((_, args)) = function.same.as_ref().filter(|(param, _)| *param == index) {
            steps.push(Step::SameArguments { param: index, args: args.clone() });
        }
        match travel.operand {
            Operand::Released | Operand::ReleasedThrough => steps.push(Step::Release { param: index }),
            Operand::Function => steps.push(Step::Lend { param: index }),
            _ => {}
        }
    }
    // What C takes comes last: behind it, nothing ends the call before C has it.
    steps.extend(
        memories()
            .filter(|(_, memory)| is_taken(memory))
            .map(|(into, memory)| Step::Allocate { into, memory: memory.clone() }),
    );
    for lends in &function.lends {
        steps.push(Step::Fill { state: lends.state, members: lends.members.clone() });
    }
    steps.push(function.read.map_or(Step::Invoke, Step::Read));
    if let Some(CodeSource::System(system)) = function.fail.as_ref().map(|fail| &fail.code) {
        steps.push(Step::Errno(*system));
    }
    // Before anything can end the call.
    for lends in &function.lends {
        steps.push(Step::Clear { state: lends.state, members: lends.members.clone() });
    }
    if let Some(free) = given.and_then(|given| given.free) {
        steps.push(Step::Hold { free });
    }
    let failed = function.fail.as_ref().map(|fail| fail.when.clone());
    for index in 0..travels.len() {
        let passing = &function.params[index].passing;
        if passing.is_given_up() {
            let failed = failed.clone().filter(|_| !passing.ends_always());
            steps.push(match passing.taking() {
                Some(taking) => {
                    let by_null = || function.fails_with_null().filter(|_| taking.on_success.is_some());
                    let into = taking.into.map(|(place, _)| place);
                    Step::Taken { param: index, into, failed: failed.or_else(by_null) }
                }
                None => Step::Freed { param: index, failed },
            });
        }
    }
    for (index, param) in params() {
        if let Some(taken) = param.taken {
            let failed = failed.clone().or_else(|| function.fails_with_null());
            steps.push(Step::Passed { param: index, failed: failed.filter(|_| taken.on_success.is_some()) });
        }
        let is_state = matches!(param.passing, Passing::State { .. });
        if let (Some(kept), false) = (param.kept, is_state) {
            let failed = failed.clone().filter(|_| kept.replaced);
            steps.push(Step::Keep { param: index, failed });
        }
        // If C refuses a closure that is found by its handle, the earlier one is found again.
        if matches!(&param.passing, Passing::Callback(callback, _) if callback.by_handle && callback.until.is_some())
        {
            steps.push(Step::Keep { param: index, failed: failed.clone() });
        }
    }
    // After that, the closures of a freed handle are not called any more.
    for (index, param) in params() {
        if matches!(&param.passing, Passing::Callback(callback, _) if callback.until.is_none() && callback.user_data.is_some())
        {
            steps.push(Step::Finish { param: index });
        }
    }
    if keeps_closures {
        steps.push(Step::ResumeKept);
    }
    if let Some(fail) = &function.fail {
        // A code alone is an error without outputs.
        let outputs = if function.has_error { outputs(outcomes) } else { Vec::new() };
        steps.push(Step::Fail(Box::new(Fail { outputs, ..fail.clone() })));
    }
    for (index, param) in params() {
        if let Some(free) = param.disposed {
            steps.push(Step::Dispose { param: index, free });
        }
    }
    for (index, travel) in travels.iter().enumerate() {
        if let Some(Memory::Loan(record)) = travel.memory {
            let back = match travel.argument {
                Some((Shape::Record { access, .. } | Shape::List { access, .. }, _)) => access.is_written(),
                _ => false,
            };
            let unions = types.records[record].reaches(&types.records, &crate::plan::Record::has_union);
            steps.push(Step::Settle { param: index, back, unions });
        }
    }
    steps.push(Step::Collect);
    steps
}

/// The indices of the outcomes that an error has: outputs that are scalars or strings.
fn outputs(outcomes: &[Outcome]) -> Vec<usize> {
    let is_shown = |outcome: &Outcome| {
        outcome.from != Place::Returned
            && match &outcome.got {
                Got::Scalar(_) => true,
                Got::Text(text) => !text.encoding.is_binary(),
                Got::Buffer { content: Content::Text { encoding, .. }, .. } => !encoding.is_binary(),
                _ => false,
            }
    };
    let shown = outcomes.iter().enumerate().filter(|(_, outcome)| is_shown(outcome));
    shown.map(|(index, _)| index).collect()
}

/// The step for a parameter that passes the length of an array to C.
fn count(function: &Function, into: usize, passing: &Passing) -> Option<Step> {
    let Passing::Length { c_type, of, .. } = passing else { return None };
    let array = &function.params[*of];
    let known = array
        .passing
        .array_length()
        .filter(|length| *length <= c_type.narrowest_max() && !array.is_optional());
    let counted = known.map_or_else(|| Counted::Arrays(arrays(function, *of)), Counted::Known);
    Some(Step::Count { into, c_type: *c_type, counted })
}

/// The array at `of`; if it may be absent, also those that share its length.
fn arrays(function: &Function, of: usize) -> Vec<usize> {
    let mut arrays = vec![of];
    if function.params[of].is_optional() {
        arrays.extend((0..function.params.len()).filter(|index| function.shares_length(*index) == Some(of)));
    }
    arrays
}

/// Checks that an array is as long as another one, or as the document says.
fn length_check(function: &Function, index: usize) -> Option<Step> {
    if let Some(other) = function.shares_length(index) {
        return Some(Step::SameLength { array: index, others: arrays(function, other) });
    }
    let passing = &function.params[index].passing;
    match passing.length()? {
        Amount::Param(_) | Amount::Member { .. } | Amount::Terminated => None,
        Amount::Const(_) if passing.array_length().is_some() => None,
        expected @ (Amount::Const(_) | Amount::Product(_) | Amount::Sum(_) | Amount::Ask { .. }) => {
            Some(Step::ExactLength { array: index, expected: expected.clone() })
        }
    }
}

/// Whether what a caller passes has limits.
fn has_limits(param: &Param, types: &Types) -> bool {
    let record = |record: usize| types.records[record].has_limits(&types.records);
    match &param.passing {
        Passing::Value(Scalar { view: View::Plain, .. })
        | Passing::Pointer(Scalar { view: View::Plain, .. })
        | Passing::InOut(Scalar { view: View::Plain, .. })
        | Passing::Length { .. }
        | Passing::Capacity { given: true, .. } => param.limits.has_range(),
        Passing::Slice { element: Element::Record(of), .. } => param.limits.length.is_some() || record(*of),
        Passing::Slice { element: Element::Scalar(Scalar { view: View::Plain, .. }), .. } => {
            param.limits.is_some()
        }
        Passing::Slice { .. }
        | Passing::Str(_)
        | Passing::Counted { .. }
        | Passing::Strings { .. }
        | Passing::Handles { .. } => param.limits.length.is_some(),
        Passing::Record { record: of, direction } => *direction != Direction::Out && record(*of),
        _ => false,
    }
}
