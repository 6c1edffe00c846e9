//! Parameters that must be handles or states, because a key says that something depends on them.

use super::items::HandleItems;
use super::meaning::{
    Direction, Form, Function, HandleRole, Held, Param, Passing, Returned, StateRole, Taking,
};
use super::types::Registry;
use crate::diagnostic::Findings;
use crate::document::Keys;
use crate::plan::{Amount, Element, Encoding, FreeArg, FreeBy, Keeper, Place, Types};
use crate::rule::Rule;
use crate::span::Span;

/// Checks that `x-parent` and `until` name handles or states that the call does not free.
pub(super) fn check(
    params: &[Param],
    returned: Option<&Returned>,
    keys: (&[Keys], Option<&Keys>),
    findings: &Findings,
) -> Option<()> {
    let is_handle = |index: usize| {
        matches!(
            params[index].passing,
            Passing::Handle { role: HandleRole::Borrowed, .. } | Passing::State { role: StateRole::Used, .. }
        )
    };
    let mut whole = true;
    let demand = |index: usize, key: &str, span: Span| {
        let fits = is_handle(index) && params[index].required;
        if !fits {
            findings.report(
                Rule::UnknownParameter,
                span,
                format!(
                    "`{key}` names `{}`, which is not a required handle or state that outlives the call",
                    params[index].key
                ),
                "name an input with `x-handle`, or a state, with \"required\": true that the function does not free",
            );
        }
        fits
    };
    let of_params = params.iter().zip(keys.0).map(|(param, keys)| match &param.passing {
        Passing::Fetched(form) => (Some(form), keys),
        _ => (None, keys),
    });
    let of_return = returned.zip(keys.1).map(|(returned, keys)| (Some(&returned.form), keys));
    for (form, keys) in of_params.chain(of_return) {
        if let (Some(Form::Handle { parents, .. }), Some(names)) = (form, &keys.parent) {
            for (parent, name) in parents.iter().zip(&names.value) {
                whole &= demand(*parent, "x-parent", name.span);
            }
        }
    }
    let arrays = params.iter().filter_map(|param| param.passing.handle_items());
    for items in arrays.chain(returned.and_then(|returned| returned.form.handle_items())) {
        for (parent, span) in items.parents.iter().zip(&items.parents_at) {
            whole &= demand(*parent, "x-parent", *span);
        }
    }
    for param in params {
        if let Passing::Callback(callback, span) = &param.passing
            && let Some(until) = callback.until
        {
            whole &= demand(until, "until", *span);
        }
    }
    whole.then_some(())
}

/// Sets when the functions that free refuse: where they report a failure, unless the document says that they free all
/// the same.
pub(super) fn set_refusals(functions: &[Option<Function>], types: &mut Types) {
    for free in &mut types.frees {
        let FreeBy::Function { function, args, refused } = &mut free.by else { continue };
        let Some(function) = &functions[*function] else { continue };
        let position = args.iter().position(|arg| *arg == FreeArg::Value).unwrap_or_default();
        let always = function.params.get(position).is_some_and(|param| param.passing.ends_always());
        *refused = function.fail.as_ref().filter(|_| !always).map(|fail| fail.when.clone());
    }
}

impl Passing {
    /// Whether the call ends it, also where it fails.
    pub(super) fn ends_always(&self) -> bool {
        matches!(
            self,
            Self::Handle { role: HandleRole::Consumed { always: true, .. }, .. }
                | Self::State { role: StateRole::Ends { always: true }, .. }
        ) || self.taking().is_some_and(|taking| taking.on_success.is_none())
    }

    /// How C takes the handle, or the handles of the array.
    pub(super) fn taking(&self) -> Option<Taking> {
        match self {
            Self::Handle { role: HandleRole::Taken(taking), .. } => Some(*taking),
            Self::Handles { items, .. } => items.taken,
            _ => None,
        }
    }

    /// The same, to be changed.
    pub(super) fn taking_mut(&mut self) -> Option<&mut Taking> {
        match self {
            Self::Handle { role: HandleRole::Taken(taking), .. } => Some(taking),
            Self::Handles { items, .. } => items.taken.as_mut(),
            _ => None,
        }
    }

    /// Whether the caller gives it up: the call frees, ends or takes it.
    pub(super) fn is_given_up(&self) -> bool {
        matches!(
            self,
            Self::Handle { role: HandleRole::Consumed { .. }, .. }
                | Self::State { role: StateRole::Ends { .. }, .. }
        ) || self.taking().is_some()
    }
}

impl Function {
    /// The parameter with the handle of this type that the call uses and does not free.
    pub(super) fn borrows(&self, handle: usize) -> Option<usize> {
        self.params.iter().position(|param| {
            matches!(&param.passing, Passing::Handle { handle: of, role } if *of == handle
                && matches!(role, HandleRole::Borrowed | HandleRole::Ending))
        })
    }

    /// Whether it takes several states of this type, which then must differ.
    pub(super) fn takes_twice(&self, record: usize) -> bool {
        let is_taken = |param: &&Param| {
            matches!(&param.passing, Passing::State { record: of, role } if *of == record
                && !matches!(role, StateRole::Begins { .. }))
        };
        self.params.iter().filter(is_taken).count() > 1
    }

    /// The values that the function gives.
    pub(super) fn forms(&self) -> impl Iterator<Item = &Form> {
        let returned = self.returned.iter().map(|returned| &returned.form);
        returned.chain(self.params.iter().filter_map(Param::fetched))
    }
}

/// Marks the handles of which a call ends what was borrowed from them: `x-validUntil`.
pub(super) fn set_ending(functions: &mut [Option<Function>]) {
    let mut ending: Vec<(usize, usize)> = Vec::new();
    for function in functions.iter().flatten() {
        for form in function.forms() {
            let Form::Handle { parents, until, .. } = form else { continue };
            let Some(Passing::Handle { handle, .. }) =
                parents.first().map(|parent| &function.params[*parent].passing)
            else {
                continue;
            };
            ending.extend(until.iter().map(|target| (*target, *handle)));
        }
    }
    for (target, handle) in ending {
        if let Some(function) = &mut functions[target]
            && let Some(index) = function.borrows(handle)
            && let Passing::Handle { role, .. } = &mut function.params[index].passing
        {
            *role = HandleRole::Ending;
        }
    }
}

/// Adds the handles that are passed to the function that frees a handle to its parents: it needs them to the end.
pub(super) fn add_parents(params: &mut [Param], returned: Option<&mut Returned>, registry: &Registry<'_>) {
    let is_handle: Vec<bool> =
        params.iter().map(|param| matches!(param.passing, Passing::Handle { .. })).collect();
    let of_form = |form| match form {
        &mut Form::Handle { held: Held { free: Some(free), .. }, ref mut parents, .. }
        | &mut Form::Handles { items: HandleItems { free: Some(free), ref mut parents, .. }, .. } => {
            Some((free, parents))
        }
        _ => None,
    };
    let of_params = params.iter_mut().map(|param| match &mut param.passing {
        Passing::Fetched(form) => of_form(form),
        Passing::Buffer { items: Some(HandleItems { free: Some(free), parents, .. }), .. } => {
            Some((*free, parents))
        }
        _ => None,
    });
    let owned = of_params.chain(returned.map(|returned| of_form(&mut returned.form)));
    for (free, parents) in owned.flatten() {
        for captured in registry.captured_by(free) {
            if is_handle[captured] && !parents.contains(&captured) {
                parents.push(captured);
            }
        }
    }
}

/// Checks `x-keeps`: C can keep memory that the runtime can own, and a handle or state keeps it.
pub(super) fn check_kept(
    params: &mut [Param],
    returned: Option<&mut Returned>,
    keys: &[Keys],
    registry: &Registry<'_>,
) -> Option<()> {
    let findings = registry.findings;
    let mut whole = true;
    let mut parents: Vec<(Place, usize)> = Vec::new();
    for (index, keys) in keys.iter().enumerate() {
        let (Some(mut kept), Some(key)) = (params[index].kept, &keys.keeps) else { continue };
        let fits = match &params[index].passing {
            Passing::Str(text) => text.one_of.is_none() && text.encoding != Encoding::Utf16,
            Passing::Counted { inout: false, .. } => true,
            // What ends at a zero is a copy, which is gone after the call.
            Passing::Slice { length: Some(Amount::Terminated), .. } => false,
            Passing::Slice { length: Some(_), element: Element::Record(record), inout: false } => {
                registry.is_flat(*record)
            }
            Passing::Slice { length: Some(_), inout: false, .. } => true,
            Passing::Record { record, direction: Direction::In } => registry.is_flat(*record),
            Passing::Handle { role: HandleRole::Borrowed, .. } => true,
            Passing::State { role: StateRole::Begins { .. }, .. } => true,
            _ => false,
        };
        if !fits {
            findings.report(
                Rule::MisusedKey,
                key.span,
                "`x-keeps` does not apply to this value; it is for inputs that are strings, bytes, arrays with a length, \
                 structs without pointers and unions, arrays of such structs, and handles, and for states that begin",
                "remove it, or describe the value as one of these",
            );
            whole = false;
            continue;
        }
        let is_state = matches!(params[index].passing, Passing::State { .. });
        let is_handle = matches!(params[index].passing, Passing::Handle { .. });
        let keeper = match kept.by {
            Keeper::Forever => !is_state && !is_handle,
            Keeper::Param(by) => match &params[by].passing {
                Passing::Handle { role: HandleRole::Borrowed, .. } => params[by].required && by != index,
                Passing::State { role: StateRole::Used, .. } => params[by].required,
                Passing::Fetched(Form::Handle { .. }) => {
                    kept.by = Keeper::Result(Place::Param(by));
                    !kept.replaced
                }
                _ => false,
            },
            Keeper::Result(_) => {
                let form = returned.as_ref().map(|returned| &returned.form);
                !kept.replaced && matches!(form, Some(Form::Handle { .. }))
            }
        };
        if !keeper || is_handle && kept.replaced {
            // Handles and states are freed one day, and so cannot be kept for good.
            let help = if is_handle || is_state {
                "name another required input with `x-handle`, an output with one, or \"return\""
            } else {
                "name a required input with `x-handle`, an output with one, or \"return\"; write true if C keeps it for good"
            };
            findings.report(
                Rule::UnknownParameter,
                key.span,
                "`x-keeps` must name a handle that the function takes and does not free, or one that it gives",
                help,
            );
            whole = false;
        }
        if let (true, Keeper::Result(place)) = (is_handle, kept.by) {
            // What C gives keeps it, and so lives in it.
            parents.push((place, index));
            params[index].kept = None;
            continue;
        }
        params[index].kept = Some(kept);
    }
    let adopt = |form: &mut Form, parent: usize| {
        if let Form::Handle { parents, .. } = form
            && !parents.contains(&parent)
        {
            parents.push(parent);
        }
    };
    let mut returned = returned;
    for (place, parent) in parents {
        match place {
            Place::Returned => {
                if let Some(returned) = returned.as_deref_mut() {
                    adopt(&mut returned.form, parent);
                }
            }
            Place::Param(index) => {
                if let Passing::Fetched(form) = &mut params[index].passing {
                    adopt(form, parent);
                }
            }
        }
    }
    whole.then_some(())
}
