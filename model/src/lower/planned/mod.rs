//! From the meaning of a function to its plan.
//!
//! `travel` derives, in one `match`, everything that follows from how a parameter is passed; `given` does the same
//! for a value from C; `steps` puts what a call does in order. Later stages make no decisions.

mod given;
mod steps;
mod travel;

use super::events::{self, Events};
use super::meaning::{self, HandleRole, Passing, ReturnRole, StateRole};
use crate::options::Strings;
use crate::plan::Refusal;
use crate::plan::{
    Amount, Argument, CSignature, Element, Facts, Failure, Function, GivesBack, Got, Json, JsonCall, Kind,
    Obligation, Outcome, Outside, Param, Place, Presence, Record, Returned, Role, Step, Types,
};
use travel::{Travel, travel};

/// What all functions of a document share.
pub(super) struct Common<'c> {
    pub(super) types: &'c Types,
    /// What strings are in Rust.
    pub(super) strings: Strings,
    /// Whether some handle keeps closures that C may call from any function.
    pub(super) keeps_closures: bool,
    /// The events of handles.
    pub(super) events: Vec<Events>,
}

/// The plan of one function.
pub(super) fn function(function: meaning::Function, c: &CSignature, common: &Common<'_>) -> Function {
    let types = common.types;
    let mut travels: Vec<Travel> =
        (0..function.params.len()).map(|index| travel(&function, index, c, types)).collect();
    let returned = function.returned.as_ref().zip(c.returns.as_ref());
    let given = returned.map(|(returned, c)| given::given(&returned.form, c));
    let frees = meaning::frees_results(&function.params, function.returned.as_ref());
    let mut outcomes = outcomes(&function, &travels, given.as_ref(), frees, types);
    if common.strings == Strings::Str {
        // What C keeps is moved, so it ends with NUL already.
        let lent = travels.iter_mut().filter(|travel| travel.facts.kept.is_none());
        lent.for_each(Travel::take_str);
        outcomes.iter_mut().for_each(|outcome| outcome.as_str = outcome.utf8().is_some());
    }
    outcomes.extend(events::outcomes(&function, &common.events));
    let steps = steps::steps(&function, &travels, given.as_ref(), &outcomes, common.keeps_closures, types);
    let failure = failure(&steps, &outcomes);
    let gives_back = gives_back(&function, &steps, &outcomes);
    let lenders = lenders(&function, &mut outcomes);
    let required = function.is_required();
    let json = match &function.refusal {
        Some(reason) => {
            Json::Refused(Refusal { reason: reason.clone(), questions: function.questions.clone() })
        }
        None => Json::Callable(json_call(&function, &outcomes, types)),
    };
    let signature = CSignature {
        convention: c.convention,
        params: travels.iter().take(c.params.len()).map(|travel| travel.c.clone()).collect(),
        variadic: c.variadic,
        returns: given.as_ref().map(|given| given.c.clone()),
    };
    let returned = function.returned.as_ref().zip(given).map(|(returned, given)| Returned {
        key: returned.key.clone(),
        description: returned.description.clone(),
        role: match &returned.role {
            ReturnRole::Result => Role::Out,
            ReturnRole::Code(successes) => Role::Code(successes.clone()),
            ReturnRole::Written => Role::Written,
        },
        facts: given::facts(&returned.form),
        got: given.got,
    });
    let params = function
        .params
        .into_iter()
        .zip(travels)
        .map(|(param, travel)| Param {
            argument: travel.argument.map(|(shape, kind)| Argument {
                shape,
                kind,
                presence: if travel.is_optional {
                    Presence::Optional(param.default)
                } else {
                    Presence::Required
                },
                obligation: travel.obligation,
            }),
            key: param.key,
            ident: param.ident,
            description: param.description,
            operand: travel.operand,
            role: travel.role,
            facts: travel.facts,
            limits: param.limits,
        })
        .collect();
    Function {
        name: function.name,
        symbol: function.symbol,
        description: function.description,
        annotations: function.annotations,
        tool: function.tool,
        hints: function.hints,
        required,
        names: function.names,
        receiver: function.receiver,
        signature,
        params,
        returned,
        outcomes,
        steps,
        failure,
        gives_back,
        lenders,
        cancel: function.cancel,
        json,
    }
}

/// What a caller gets: the return value, then the outputs in order, then what only a JSON caller gets.
fn outcomes(
    function: &meaning::Function,
    travels: &[Travel],
    given: Option<&given::Given>,
    frees: bool,
    types: &Types,
) -> Vec<Outcome> {
    // Text of a struct may be in memory that the call frees.
    let whole = |kind: &Kind| {
        let record = record_of(kind);
        let has_text = |record: &Record| record.memory.is_none() && record.has_text(&types.records);
        frees && record.is_some_and(|record| has_text(&types.records[record]))
    };
    let checked = |kind: &Kind| {
        record_of(kind).is_some_and(|record| types.records[record].must_be_checked(&types.records))
    };
    let returned = function.returned.as_ref().filter(|returned| returned.is_result()).zip(given).map(
        |(returned, given)| {
            let got = match (&returned.role, &given.got) {
                (ReturnRole::Code(_), Got::Scalar(scalar)) => Got::Code(*scalar),
                (_, got) => got.clone(),
            };
            Outcome {
                key: returned.key.clone(),
                ident: returned.ident.clone(),
                description: returned.description.clone(),
                from: Place::Returned,
                got,
                kind: given.kind.clone(),
                nullable: given.nullable,
                as_str: false,
                whole: whole(&given.kind),
                checked: checked(&given.kind),
            }
        },
    );
    let outputs = function.params.iter().zip(travels).enumerate().filter_map(|(index, (param, travel))| {
        let (got, kind, nullable) = travel.outcome.clone()?;
        let back = matches!(got, Got::Back(_));
        Some(Outcome {
            key: param.key.clone(),
            ident: param.ident.clone(),
            description: param.description.clone(),
            from: Place::Param(index),
            as_str: false,
            whole: !back && whole(&kind),
            checked: !back && checked(&kind),
            got,
            kind,
            nullable,
        })
    });
    let (typed, back): (Vec<Outcome>, Vec<Outcome>) =
        returned.into_iter().chain(outputs).partition(Outcome::is_typed);
    typed.into_iter().chain(back).collect()
}

/// The struct that a value is, or that its elements are.
fn record_of(kind: &Kind) -> Option<usize> {
    match kind {
        Kind::Record(record) => Some(*record),
        Kind::List(of) => match **of {
            Kind::Record(record) => Some(record),
            _ => None,
        },
        _ => None,
    }
}

/// How a typed call can fail.
fn failure(steps: &[Step], outcomes: &[Outcome]) -> Failure {
    if steps.iter().any(Step::can_fail) || outcomes.iter().any(Outcome::can_fail) {
        Failure::Call
    } else if steps.iter().any(|step| matches!(step, Step::Fail(_))) {
        Failure::Code
    } else {
        Failure::Never
    }
}

/// What a failed call gives back: what the caller gave up, if C was not called or refused.
fn gives_back(function: &meaning::Function, steps: &[Step], outcomes: &[Outcome]) -> Option<GivesBack> {
    let given = function.params.iter().enumerate().filter(|(_, param)| param.passing.is_given_up());
    let params: Vec<usize> = given.map(|(index, _)| index).collect();
    let always = params.iter().any(|index| function.params[*index].passing.ends_always());
    let before = steps.iter().take_while(|step| **step != Step::Invoke).any(Step::can_fail);
    let by_null =
        || function.fails_with_null().is_some() && params.iter().all(|index| function.is_taken(*index));
    let refuses = (function.fail.is_some() || by_null()) && !always;
    let every_time = !(outcomes.iter().any(Outcome::can_fail) || function.fail.is_some() && always);
    (!params.is_empty() && (before || refuses)).then_some(GivesBack { params, every_time })
}

/// The handles and states that outcomes must not outlive: the parents of a handle. If C owns it and the document names no
/// parent, all borrowed ones are its parents.
fn lenders(function: &meaning::Function, outcomes: &mut [Outcome]) -> Vec<usize> {
    let borrowed = || {
        function.params.iter().enumerate().filter_map(|(index, param)| {
            let is_lent = matches!(
                param.passing,
                Passing::Handle { role: HandleRole::Borrowed | HandleRole::Ending, .. }
                    | Passing::State { role: StateRole::Used, .. }
                    | Passing::Handles { .. }
            );
            (is_lent && !param.passing.is_given_up()).then_some(index)
        })
    };
    let mut lenders = Vec::new();
    for outcome in outcomes {
        match &mut outcome.got {
            Got::Handle { free: None, parents, .. } | Got::Handles { free: None, parents, .. }
                if parents.is_empty() =>
            {
                parents.extend(borrowed());
                lenders.extend(parents.iter());
            }
            Got::Handle { parents, .. } | Got::Handles { parents, .. } | Got::State { parents, .. } => {
                lenders.extend(parents.iter());
            }
            Got::Taken { into, .. } | Got::TakenAll { into, .. } => lenders.push(*into),
            _ => {}
        }
    }
    lenders
}

/// What a JSON call needs besides its steps.
fn json_call(function: &meaning::Function, outcomes: &[Outcome], types: &Types) -> JsonCall {
    let passings = || function.params.iter().map(|param| &param.passing);
    let is_handle = |passing: &Passing| matches!(passing, Passing::Handle { .. } | Passing::Handles { .. });
    let frees = passings().any(|passing| is_handle(passing) && passing.is_given_up());
    let is_ending = |passing: &Passing| matches!(passing, Passing::Handle { role: HandleRole::Ending, .. });
    let ending = passings().enumerate().filter(|(_, passing)| is_ending(passing)).map(|(index, _)| index);
    // C need not expect the same state twice, and a call must not use a handle that it also frees.
    let distinct = passings().enumerate().filter_map(|(index, passing)| {
        let is_exclusive = match passing {
            Passing::State { role, .. } => !matches!(role, StateRole::Begins { .. }),
            Passing::Handle { role, .. } => frees || *role == HandleRole::Ending,
            _ => false,
        };
        is_exclusive.then_some(index)
    });
    // An element of an array of handles must not be one that the call frees or takes, or of which it ends the children.
    let is_list = |passing: &Passing| matches!(passing, Passing::Handles { .. });
    let is_gone =
        |passing: &Passing| matches!(passing, Passing::Handle { role, .. } if *role != HandleRole::Borrowed);
    let lists = passings().enumerate().filter(|(_, passing)| is_list(passing));
    let apart = lists.flat_map(|(list, _)| {
        let gone = passings().enumerate().filter(|(_, passing)| is_gone(passing));
        gone.map(move |(gone, _)| (list, gone))
    });
    // What lives in a handle ends with it, so C must not be passed both.
    let is_passed = |passing: &Passing| match passing {
        Passing::Handle { .. } | Passing::Handles { .. } => true,
        Passing::State { role, .. } => !matches!(role, StateRole::Begins { .. }),
        _ => false,
    };
    let outside = passings().enumerate().filter(|(_, passing)| is_ending(passing) || passing.is_given_up());
    let outside = outside.map(|(gone, passing)| {
        // Where C takes a handle, the other handles are looked at when it is found.
        let is_taken = matches!(passing, Passing::Handle { role: HandleRole::Taken { .. }, .. });
        let others = passings()
            .enumerate()
            .filter(|(index, other)| *index != gone && is_passed(other) && (!is_taken || is_list(other)));
        let others = others.map(|(index, _)| index).collect();
        Outside { gone, others, ends_children: is_ending(passing) }
    });
    let outside = outside.filter(|outside| !outside.others.is_empty());
    let tokens = passings().any(|passing| {
        matches!(passing, Passing::Handle { .. } | Passing::Handles { .. } | Passing::State { .. })
    });
    let has_rooms = |passing: &Passing| match passing {
        Passing::Record { record, .. } | Passing::Slice { element: Element::Record(record), .. } => {
            types.records[*record].has_rooms(&types.records)
        }
        _ => false,
    };
    JsonCall {
        uses_handles: tokens || outcomes.iter().any(Outcome::is_owned),
        distinct: distinct.collect(),
        apart: apart.collect(),
        outside: outside.collect(),
        ending: ending.collect(),
        limits_buffers: passings().any(|passing| {
            has_rooms(passing)
                || matches!(
                    passing,
                    Passing::Buffer {
                        capacity: Some(Amount::Ask { .. } | Amount::Product(_) | Amount::Sum(_)),
                        ..
                    }
                )
        }),
    }
}

/// Marks the enums whose values a caller passes or gets.
pub(super) fn show_enums<'f>(functions: impl Iterator<Item = &'f Function>, types: &mut Types) {
    let mut shown = vec![false; types.enums.len()];
    let mut show = |kind: &Kind| kind.enums(&mut |index| shown[index] = true);
    for function in functions {
        for (_, argument) in function.arguments() {
            argument.shape.kinds().iter().for_each(&mut show);
        }
        for kind in function.outcomes.iter().map(|outcome| &outcome.kind) {
            show(kind);
        }
        if let Some(Got::Scalar(scalar)) = function.returned.as_ref().map(|returned| &returned.got) {
            show(&Kind::Scalar(*scalar));
        }
    }
    for field in types.records.iter().flat_map(Record::fields) {
        show(&field.kind());
    }
    for (of, shown) in types.enums.iter_mut().zip(shown) {
        of.is_shown = shown;
    }
}

/// What the caller of an unsafe method must guarantee for a parameter.
fn obligation(passing: &Passing, types: &Types) -> Option<Obligation> {
    use crate::c_type::CType;
    use crate::plan::Scalar;
    let members = |record: usize| {
        let (text, opaque) = types.records[record].raw_pointers(&types.records);
        (text || opaque).then_some(Obligation::Members { text, opaque })
    };
    match passing {
        Passing::Slice { length: None, element, .. } => Some(Obligation::Length {
            of_bools: matches!(element, Element::Scalar(Scalar { c_type: CType::Bool, .. })),
        }),
        Passing::Slice { element: Element::Record(record), .. } => members(*record),
        Passing::Record { record, direction } if *direction != meaning::Direction::Out => members(*record),
        // C does not know the capacity, so it cannot keep to it.
        Passing::Buffer { capacity: None, .. } | Passing::Chosen { .. } => Some(Obligation::Room),
        Passing::Opaque { .. } => Some(Obligation::Pointee),
        _ => None,
    }
}

impl Facts {
    fn with_length(length: Option<&Amount>) -> Self {
        Self { length: length.cloned(), ..Self::default() }
    }
}
