//! From the meaning of a function to its plan.
//!
//! `travel` derives, in one `match`, everything that follows from how a parameter is passed; `given` does the same
//! for a value from C; `steps` puts what a call does in order. Later stages make no decisions.

mod given;
mod steps;
mod travel;

use super::meaning::{self, HandleRole, Passing, ReturnRole, StateRole};
use crate::plan::{
    Amount, Argument, CSignature, Facts, Failure, Function, Got, Json, JsonCall, Kind, Obligation, Outcome,
    Param, Place, Presence, Returned, Role, Step, Types,
};
use travel::{Travel, travel};

/// What all functions of a document share.
pub(super) struct Common<'c> {
    pub(super) types: &'c Types,
    /// Whether some handle keeps closures that C may call from any function.
    pub(super) keeps_closures: bool,
}

/// The plan of one function.
pub(super) fn function(function: meaning::Function, c: &CSignature, common: &Common<'_>) -> Function {
    let types = common.types;
    let travels: Vec<Travel> =
        (0..function.params.len()).map(|index| travel(&function, index, c, types)).collect();
    let returned = function.returned.as_ref().zip(c.returns.as_ref());
    let given = returned.map(|(returned, c)| given::given(&returned.form, c));
    let frees = meaning::frees_results(&function.params, function.returned.as_ref());
    let outcomes = outcomes(&function, &travels, given.as_ref(), frees, types);
    let steps = steps::steps(&function, &travels, given.as_ref(), &outcomes, common.keeps_closures);
    let failure = failure(&steps, &outcomes);
    let lenders = lenders(&function, &outcomes);
    let required = function.is_required();
    let json = match &function.refusal {
        Some(reason) => Json::Refused(reason.clone()),
        None => Json::Callable(json_call(&function, &outcomes)),
    };
    let signature = CSignature {
        convention: c.convention,
        params: travels.iter().map(|travel| travel.c.clone()).collect(),
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
        })
        .collect();
    Function {
        name: function.name,
        symbol: function.symbol,
        description: function.description,
        annotations: function.annotations,
        required,
        names: function.names,
        signature,
        params,
        returned,
        outcomes,
        steps,
        failure,
        lenders,
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
        let record = match kind {
            Kind::Record(record) => Some(*record),
            Kind::List(of) => match **of {
                Kind::Record(record) => Some(record),
                _ => None,
            },
            _ => None,
        };
        frees && record.is_some_and(|record| types.records[record].has_text(&types.records))
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
                whole: whole(&given.kind),
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
            whole: !back && whole(&kind),
            got,
            kind,
            nullable,
        })
    });
    let (typed, back): (Vec<Outcome>, Vec<Outcome>) =
        returned.into_iter().chain(outputs).partition(Outcome::is_typed);
    typed.into_iter().chain(back).collect()
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

/// The handles that outcomes must not outlive: the parent of a handle, or all borrowed handles if C owns it and
/// the document names no parent.
fn lenders(function: &meaning::Function, outcomes: &[Outcome]) -> Vec<usize> {
    let borrowed = || {
        function.params.iter().enumerate().filter_map(|(index, param)| {
            matches!(param.passing, Passing::Handle { role: HandleRole::Borrowed, .. }).then_some(index)
        })
    };
    let mut lenders = Vec::new();
    for outcome in outcomes {
        match outcome.got {
            Got::Handle { parent: Some(parent), .. } => lenders.push(parent),
            Got::Handle { free: None, .. } => lenders.extend(borrowed()),
            _ => {}
        }
    }
    lenders
}

/// What a JSON call needs besides its steps.
fn json_call(function: &meaning::Function, outcomes: &[Outcome]) -> JsonCall {
    let passings = || function.params.iter().map(|param| &param.passing);
    let frees = passings()
        .any(|passing| matches!(passing, Passing::Handle { role, .. } if *role != HandleRole::Borrowed));
    // Two exclusive references to one state would be unsound, and a call must not use a handle that it also frees.
    let distinct = passings().enumerate().filter_map(|(index, passing)| {
        let is_exclusive = match passing {
            Passing::State { role, .. } => *role != StateRole::Begins,
            Passing::Handle { .. } => frees,
            _ => false,
        };
        is_exclusive.then_some(index)
    });
    let tokens = passings().any(|passing| matches!(passing, Passing::Handle { .. } | Passing::State { .. }));
    JsonCall {
        uses_handles: tokens || outcomes.iter().any(Outcome::is_owned),
        distinct: distinct.collect(),
        limits_buffers: passings()
            .any(|passing| matches!(passing, Passing::Buffer { capacity: Some(Amount::Ask { .. }), .. })),
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
    for field in types.records.iter().flat_map(crate::plan::Record::fields) {
        show(&Kind::field(&field.of));
    }
    for (of, shown) in types.enums.iter_mut().zip(shown) {
        of.is_shown = shown;
    }
}

/// What the caller of an unsafe method must guarantee for a parameter.
fn obligation(passing: &Passing, types: &Types) -> Option<Obligation> {
    use crate::c_type::CType;
    use crate::plan::{Element, Scalar};
    let members = |record: usize| {
        let record = &types.records[record];
        let (text, opaque) = (record.has_text(&types.records), record.has_opaque_members(&types.records));
        (text || opaque).then_some(Obligation::Members { text, opaque })
    };
    match passing {
        Passing::Slice { length: None, element, .. } => Some(Obligation::Length {
            of_bools: matches!(element, Element::Scalar(Scalar { c_type: CType::Bool, .. })),
        }),
        Passing::Slice { element: Element::Record(record), .. } => members(*record),
        Passing::Record { record, direction } if *direction != meaning::Direction::Out => members(*record),
        Passing::Buffer { capacity: None, .. } => Some(Obligation::Room),
        Passing::Opaque { .. } => Some(Obligation::Pointee),
        _ => None,
    }
}

impl Facts {
    fn with_length(length: Option<&Amount>) -> Self {
        Self { length: length.cloned(), ..Self::default() }
    }
}
