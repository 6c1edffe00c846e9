//! Structs, enums, handles and codes.

use super::change::{Audience, Changes, Of, quoted};
use crate::description::{Code, Description, Enum, Struct, StructMember};

pub(super) fn compare(old: &Description, new: &Description, changes: &mut Changes) {
    structs(&old.structs, &new.structs, changes);
    enums(&old.enums, &new.enums, changes);
    for handle in &old.handles {
        if !new.handles.contains(handle) {
            let of = format!("handle {}", quoted(&handle.name));
            changes
                .of(of)
                .push(format!("the Rust type {} was removed", quoted(&handle.ident)), &[Audience::Rust]);
        }
    }
    for handle in &new.handles {
        if !old.handles.contains(handle) {
            changes.of(format!("handle {}", quoted(&handle.name))).push("is new", &[]);
        }
    }
    codes(old, new, changes);
}

fn structs(old: &[Struct], new: &[Struct], changes: &mut Changes) {
    for of in new {
        let mut changes = changes.of(format!("struct {}", quoted(&of.name)));
        match old.iter().find(|known| known.ident == of.ident) {
            Some(known) => structure(known, of, &mut changes),
            None => changes.push("is new", &[]),
        }
    }
    for of in old {
        if !new.iter().any(|known| known.ident == of.ident) {
            changes.of(format!("struct {}", quoted(&of.name))).push("was removed", &[Audience::Rust]);
        }
    }
}

fn structure(old: &Struct, new: &Struct, changes: &mut Of<'_>) {
    changes.text("description", &old.description, &new.description);
    for (what, old, new) in [("size", old.size, new.size), ("alignment", old.align, new.align)] {
        match (old, new) {
            (Some(old), Some(new)) if old != new => {
                changes.push(format!("the {what} is {new}, was {old}"), &[Audience::C]);
            }
            (None, Some(new)) => changes.push(format!("the {what} is {new}, and asserted now"), &[]),
            (Some(old), None) => changes.push(format!("the {what} is no longer given, was {old}"), &[]),
            _ => {}
        }
    }
    let both = &[Audience::C, Audience::Rust];
    let (Some(before), Some(after)) = (&old.members, &new.members) else {
        if old.members.is_some() != new.members.is_some() {
            changes.push("its members are known in only one version", both);
        }
        return;
    };
    let find = |of: &[StructMember], name: &str| of.iter().position(|member| member.name == name);
    for member in after {
        match find(before, &member.name).map(|index| &before[index]) {
            None => changes.push(format!("member {} is new", quoted(&member.name)), both),
            Some(known) => {
                changes.text(
                    &format!("description of member {}", quoted(&member.name)),
                    &known.description,
                    &member.description,
                );
                if known.declaration != member.declaration {
                    let same = known.abi == member.abi;
                    let breaks: &[Audience] = if same { &[Audience::Rust] } else { both };
                    let (now, was) = (quoted(&member.declaration), quoted(&known.declaration));
                    changes.push(format!("the member is {now}, was {was}"), breaks);
                }
            }
        }
    }
    for member in before.iter().filter(|member| find(after, &member.name).is_none()) {
        changes.push(format!("member {} was removed", quoted(&member.name)), both);
    }
    let order = |of: &[StructMember], other: &[StructMember]| -> Vec<String> {
        of.iter()
            .filter(|member| find(other, &member.name).is_some())
            .map(|member| member.name.clone())
            .collect()
    };
    let (was, now) = (order(before, after), order(after, before));
    if was != now {
        changes.push(format!("the order is {}, was {}", now.join(", "), was.join(", ")), &[Audience::C]);
    }
}

fn enums(old: &[Enum], new: &[Enum], changes: &mut Changes) {
    for of in new {
        let mut changes = changes.of(format!("enum {}", quoted(&of.name)));
        match old.iter().find(|known| known.ident == of.ident) {
            Some(known) => enumeration(known, of, &mut changes),
            None => changes.push("is new", &[]),
        }
    }
    for of in old {
        if !new.iter().any(|known| known.ident == of.ident) {
            changes.of(format!("enum {}", quoted(&of.name))).push("was removed", &[Audience::Rust]);
        }
    }
}

/// The values that JSON may give are compared with the arguments, not here.
fn enumeration(old: &Enum, new: &Enum, changes: &mut Of<'_>) {
    changes.text("description", &old.description, &new.description);
    for (name, value) in &new.values {
        match old.values.iter().find(|(known, _)| known == name) {
            // A `match` that lists every variant no longer compiles.
            None => changes.push(format!("{} = {value} is new", quoted(name)), &[Audience::Rust]),
            Some((_, was)) if was != value => {
                changes.push(format!("{} is {value}, was {was}", quoted(name)), &Audience::ALL);
            }
            Some(_) => {}
        }
    }
    for (name, _) in &old.values {
        if !new.values.iter().any(|(known, _)| known == name) {
            changes.push(format!("{} was removed", quoted(name)), &[Audience::Rust]);
        }
    }
}

fn codes(old: &Description, new: &Description, changes: &mut Changes) {
    for code in &new.codes {
        let mut changes = changes.of(format!("code {}", code.value));
        match old.codes.iter().find(|known| known.value == code.value) {
            None => changes.push(format!("is new: {}", code.text), &[]),
            Some(known) => {
                changes.text("text", &known.text, &code.text);
                if known.name != code.name {
                    let name = |code: &Code| code.name.as_deref().map_or_else(|| "none".to_owned(), quoted);
                    let message = format!("the name is {}, was {}", name(code), name(known));
                    // A name where there was none is one more member of the error.
                    changes.push(message, if known.name.is_some() { &[Audience::Json] } else { &[] });
                }
                if known.ident != code.ident {
                    let message =
                        format!("the Rust constant is {}, was {}", quoted(&code.ident), quoted(&known.ident));
                    changes.push(message, &[Audience::Rust]);
                }
            }
        }
    }
    for code in &old.codes {
        if !new.codes.iter().any(|known| known.value == code.value) {
            changes.of(format!("code {}", code.value)).push("was removed", &[Audience::Rust]);
        }
    }
}
