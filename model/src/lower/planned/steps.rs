//! What a call does, in order.

use super::super::meaning::{Function, Passing};
use super::given::Given;
use super::travel::Travel;
use crate::plan::{Amount, CodeSource, Content, Counted, Fail, Got, Memory, Operand, Outcome, Place, Step};

pub(super) fn steps(
    function: &Function,
    travels: &[Travel],
    given: Option<&Given>,
    outcomes: &[Outcome],
    keeps_closures: bool,
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
    }
    let is_buffer = |memory: &Memory| matches!(memory, Memory::Buffer { .. });
    let memories =
        || travels.iter().enumerate().filter_map(|(into, travel)| Some((into, travel.memory.as_ref()?)));
    // Buffers come before their capacities, which are passed to C.
    steps.extend(
        memories()
            .filter(|(_, memory)| is_buffer(memory))
            .map(|(into, memory)| Step::Allocate { into, memory: memory.clone() }),
    );
    for (index, travel) in travels.iter().enumerate() {
        if let Some(memory) = travel.memory.as_ref().filter(|memory| !is_buffer(memory)) {
            steps.push(Step::Allocate { into: index, memory: memory.clone() });
        }
        match travel.operand {
            Operand::Released | Operand::ReleasedThrough => steps.push(Step::Release { param: index }),
            Operand::Function => steps.push(Step::Lend { param: index }),
            _ => {}
        }
    }
    steps.push(Step::Invoke);
    if let Some(CodeSource::System(system)) = function.fail.as_ref().map(|fail| &fail.code) {
        steps.push(Step::Errno(*system));
    }
    if let Some(free) = given.and_then(|given| given.free) {
        steps.push(Step::Hold { free });
    }
    let failed = function.fail.as_ref().map(|fail| fail.when.clone());
    for (index, travel) in travels.iter().enumerate() {
        if matches!(travel.operand, Operand::Released | Operand::ReleasedThrough) {
            steps.push(Step::Freed { param: index, failed: failed.clone() });
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
        Amount::Param(_) => None,
        Amount::Const(_) if passing.array_length().is_some() => None,
        expected @ (Amount::Const(_) | Amount::Ask { .. }) => {
            Some(Step::ExactLength { array: index, expected: expected.clone() })
        }
    }
}
