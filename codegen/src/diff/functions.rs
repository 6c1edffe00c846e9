//! Functions: which were added and removed, and what changed in each for C, Rust and JSON.

use super::change::{Audience, Changes, Of, quoted};
use super::values;
use crate::description::{Function, Parameter, Role, Signature};

pub(super) fn compare(old: &[Function], new: &[Function], changes: &mut Changes) {
    for function in new {
        let of = format!("function {}", quoted(&function.name));
        match old.iter().find(|known| known.name == function.name) {
            Some(known) => self::function(known, function, &mut changes.of(of)),
            None if function.optional => changes.of(of).push("is new, and optional", &[]),
            None => changes.of(of).push("is new: libraries without it no longer load", &[]),
        }
    }
    for function in old {
        if !new.iter().any(|known| known.name == function.name) {
            changes.of(format!("function {}", quoted(&function.name))).push("was removed", &Audience::ALL);
        }
    }
}

fn function(old: &Function, new: &Function, changes: &mut Of<'_>) {
    changes.text("description", &old.description, &new.description);
    if old.symbol != new.symbol {
        let message = format!("the symbol is {}, was {}", quoted(&new.symbol), quoted(&old.symbol));
        changes.push(message, &[Audience::C]);
    }
    match (old.optional, new.optional) {
        (true, false) => changes.push("every library must have it", &[Audience::C]),
        (false, true) => changes.push("a library may lack it", &[]),
        _ => {}
    }
    if old.variadic != new.variadic {
        let fixed = |count: Option<usize>| {
            count.map_or("not variadic".to_owned(), |count| format!("variadic after {count} parameters"))
        };
        let message = format!("is {}, was {}", fixed(new.variadic), fixed(old.variadic));
        changes.push(message, &[Audience::C]);
    }
    parameters(&old.parameters, &new.parameters, changes);
    returned(old.returns.as_ref(), new.returns.as_ref(), changes);
    match (old.is_of_init, new.is_of_init) {
        (false, true) => changes.push(
            "is no longer a method: it is called when the library is loaded or ends",
            &[Audience::Rust],
        ),
        (true, false) => changes.push("is a method now", &[]),
        (true, true) => {}
        (false, false) => signature(&old.signature, &new.signature, changes),
    }
    match (&old.refused, &new.refused) {
        (None, Some(reason)) => {
            changes.push(format!("JSON can no longer call it: {reason}"), &[Audience::Json])
        }
        (Some(_), None) => changes.push("JSON can call it now", &[]),
        (None, None) => {
            values::arguments(&old.arguments, &new.arguments, changes);
            values::results(&old.results, &new.results, changes);
        }
        (Some(_), Some(_)) => {}
    }
    success(old, new, changes);
    match (&old.cancel, &new.cancel) {
        (old, Some(new)) if old.as_ref() != Some(new) => {
            changes.push(format!("a running call is ended with {}", quoted(new)), &[]);
        }
        (Some(_), None) => changes.push("nothing ends a running call any more", &[]),
        _ => {}
    }
    match (old.reports, new.reports) {
        (false, true) => changes.push("a server tells how far a running call is", &[]),
        (true, false) => changes.push("nothing tells any more how far a running call is", &[]),
        _ => {}
    }
    let is_offered = |function: &Function| function.tool != Some(false);
    match (is_offered(old), is_offered(new)) {
        (true, false) => changes.push("models are not offered it any more", &[Audience::Json]),
        (false, true) => changes.push("models are offered it now", &[]),
        _ => {}
    }
    if (old.annotations, &old.hints) != (new.annotations, &new.hints) {
        changes.push("the hints for models changed", &[]);
    }
}

/// The codes of success.
fn success(old: &Function, new: &Function, changes: &mut Of<'_>) {
    // A function that JSON could not call breaks no JSON caller.
    let both: &[Audience] =
        if old.refused.is_some() { &[Audience::Rust] } else { &[Audience::Rust, Audience::Json] };
    match (&old.success, &new.success) {
        (None, Some(_)) => changes.push("the return value is a code: some values are errors now", both),
        (Some(_), None) => changes.push("the return value is no longer a code: no value is an error", both),
        (Some(old), Some(new)) => {
            let missing = |from: &[i64], other: &[i64]| -> Vec<String> {
                from.iter().filter(|code| !other.contains(code)).map(i64::to_string).collect()
            };
            let (gone, added) = (missing(old, new), missing(new, old));
            if !gone.is_empty() {
                changes.push(format!("codes that are errors now: {}", gone.join(", ")), both);
            }
            if !added.is_empty() {
                changes.push(format!("codes that are no longer errors: {}", added.join(", ")), both);
            }
        }
        (None, None) => {}
    }
}

/// The parameters as C has them.
fn parameters(old: &[Parameter], new: &[Parameter], changes: &mut Of<'_>) {
    let position = |of: &[Parameter], name: &str| of.iter().position(|known| known.name == name);
    let is_renamed = |index: usize| match (old.get(index), new.get(index)) {
        (Some(old_one), Some(new_one)) => {
            old.len() == new.len()
                && old_one.abi == new_one.abi
                && position(new, &old_one.name).is_none()
                && position(old, &new_one.name).is_none()
        }
        _ => false,
    };
    for (index, parameter) in new.iter().enumerate() {
        let name = quoted(&parameter.name);
        match position(old, &parameter.name) {
            Some(before) => value(&format!("parameter {name}"), &old[before], parameter, changes),
            None if is_renamed(index) => {
                // The comparisons of the method and of the JSON values report what that means there.
                changes.push(format!("parameter {name} was named {}", quoted(&old[index].name)), &[]);
            }
            None => {
                changes.push(format!("parameter {name} is new in C: {}", parameter.c_type), &[Audience::C])
            }
        }
    }
    for (index, parameter) in old.iter().enumerate() {
        if position(new, &parameter.name).is_none() && !is_renamed(index) {
            changes.push(format!("parameter {} was removed from C", quoted(&parameter.name)), &[Audience::C]);
        }
    }
    let common = |of: &[Parameter], other: &[Parameter]| -> Vec<String> {
        of.iter().filter(|one| position(other, &one.name).is_some()).map(|one| one.name.clone()).collect()
    };
    let (before, after) = (common(old, new), common(new, old));
    if before != after {
        let message = format!("the order in C is {}, was {}", after.join(", "), before.join(", "));
        changes.push(message, &[Audience::C]);
    }
}

fn returned(old: Option<&Parameter>, new: Option<&Parameter>, changes: &mut Of<'_>) {
    match (old, new) {
        (Some(old), Some(new)) => value("return value", old, new, changes),
        (None, Some(new)) => {
            changes.push(format!("C returns {}, was `void`", quoted(&new.c_type)), &[Audience::C])
        }
        (Some(old), None) => {
            changes.push(format!("C returns `void`, was {}", quoted(&old.c_type)), &[Audience::C])
        }
        (None, None) => {}
    }
}

/// One value that C takes or returns. This reports which facts changed; what they mean for Rust and JSON follows
/// from the comparisons of the method and of the schemas.
fn value(what: &str, old: &Parameter, new: &Parameter, changes: &mut Of<'_>) {
    changes.text(&format!("description of {what}"), &old.description, &new.description);
    let spelled = |of: &Parameter| of.c_type.replace("const ", "");
    if spelled(old) != spelled(new) {
        let message = format!("{what}: the C type is {}, was {}", quoted(&new.c_type), quoted(&old.c_type));
        // A struct with another name may have the same layout, and `int32_t` is an `int`.
        let breaks: &[Audience] = if old.abi == new.abi { &[] } else { &[Audience::C] };
        changes.push(message, breaks);
    }
    if old.role != new.role {
        changes.push(format!("{what} is {}, was {}", role(&new.role), role(&old.role)), &[]);
    }
    let keys = [
        ("the length", &old.length, &new.length),
        ("the place of the written count", &old.written, &new.written),
        ("the function that frees it", &old.free, &new.free),
        ("the parent handle", &old.parent, &new.parent),
        ("the function that ends it", &old.until, &new.until),
        ("the handle type", &old.handle, &new.handle),
    ];
    for (key, old, new) in keys {
        if old != new {
            let show = |value: &Option<String>| value.as_deref().map_or("none".to_owned(), quoted);
            changes.push(format!("{what}: {key} is {}, was {}", show(new), show(old)), &[]);
        }
    }
    match (old.nullable, new.nullable) {
        (false, true) => changes.push(format!("{what}: NULL is a value, not an error"), &[]),
        (true, false) => {
            changes.push(format!("{what}: NULL is an error, not a value"), &[Audience::Rust, Audience::Json])
        }
        _ => {}
    }
}

fn role(role: &Role) -> &str {
    match role {
        Role::In => "an input",
        Role::Out => "a result",
        Role::InOut => "an input and a result",
        Role::Ends => "freed by the call",
        Role::Taken(None) => "taken by C for good",
        Role::Taken(Some(_)) => "taken by C",
        Role::Derived(what) => what,
    }
}

/// The method in Rust. The names of parameters do not matter to callers.
fn signature(old: &Signature, new: &Signature, changes: &mut Of<'_>) {
    if old.method != new.method {
        let message = format!("the Rust method is {}, was {}", quoted(&new.method), quoted(&old.method));
        changes.push(message, &[Audience::Rust]);
    }
    match (old.is_unsafe, new.is_unsafe) {
        (false, true) => changes.push("the Rust method is unsafe now", &[Audience::Rust]),
        (true, false) => changes.push("the Rust method is safe now", &[]),
        _ => {}
    }
    let types =
        |of: &Signature| of.parameters.iter().map(|(_, of)| of.clone()).collect::<Vec<_>>().join(", ");
    let (before, after) = (types(old), types(new));
    // If two parameters of one type change places, callers still compile, with another meaning.
    let names = |of: &Signature, other: &Signature| -> Vec<String> {
        let is_there = |name: &String| other.parameters.iter().any(|(known, _)| known == name);
        of.parameters.iter().map(|(name, _)| name.clone()).filter(is_there).collect()
    };
    if before != after {
        changes.push(format!("the Rust method takes ({after}), was ({before})"), &[Audience::Rust]);
    } else if names(old, new) != names(new, old) {
        let order = names(new, old).join(", ");
        changes.push(format!("the Rust method takes its parameters in the order {order}"), &[Audience::Rust]);
    }
    if old.returns != new.returns {
        let message =
            format!("the Rust method returns {}, was {}", quoted(&new.returns), quoted(&old.returns));
        changes.push(message, &[Audience::Rust]);
        return;
    }
    for (field, of) in &old.outputs {
        match new.outputs.iter().find(|(name, _)| name == field) {
            None => changes.push(
                format!("the Rust result no longer has the field {}", quoted(field)),
                &[Audience::Rust],
            ),
            Some((_, now)) if now != of => {
                let message = format!(
                    "the field {} of the Rust result is {}, was {}",
                    quoted(field),
                    quoted(now),
                    quoted(of)
                );
                changes.push(message, &[Audience::Rust]);
            }
            Some(_) => {}
        }
    }
    for (field, _) in &new.outputs {
        if !old.outputs.iter().any(|(name, _)| name == field) {
            changes.push(format!("the Rust result has a new field {}", quoted(field)), &[]);
        }
    }
}
