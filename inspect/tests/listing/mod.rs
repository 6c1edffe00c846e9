//! An interface as text, for goldens: one line per function, then all types that they use.

#![allow(dead_code)]

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use opendyn_inspect::{Interface, RecordKind, Signature, Type, TypeId};

/// The whole interface.
pub fn listing(interface: &Interface) -> String {
    let mut text = String::new();
    let mut types = Found { interface, seen: HashSet::new(), lines: BTreeSet::new() };
    for function in &interface.functions {
        match &function.signature {
            Ok(signature) => {
                text += &format!("{}\n", types.signature(&function.name, signature));
            }
            Err(reason) => text += &format!("{}: {reason}\n", function.name),
        }
    }
    for line in &types.lines {
        text += &format!("{line}\n");
    }
    text
}

/// Rewrites a golden, if requested.
pub fn bless(name: &str, found: &str) {
    if std::env::var_os("OPENDYN_BLESS").is_some() {
        std::fs::write(golden(name), found).expect("the golden is writable");
    }
}

/// How a listing differs from a golden, by line.
pub fn differences(name: &str, found: &str, what: &str) -> Vec<String> {
    let expected = std::fs::read_to_string(golden(name)).unwrap_or_default();
    let (old, new): (BTreeSet<&str>, BTreeSet<&str>) = (expected.lines().collect(), found.lines().collect());
    let gone = old.difference(&new).map(|line| format!("{what} lacks: {line}"));
    gone.chain(new.difference(&old).map(|line| format!("{what} says: {line}"))).collect()
}

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

struct Found<'i> {
    interface: &'i Interface,
    seen: HashSet<TypeId>,
    lines: BTreeSet<String>,
}

impl Found<'_> {
    fn signature(&mut self, name: &str, signature: &Signature) -> String {
        let mut parameters = Vec::new();
        for parameter in &signature.parameters {
            let name = parameter.name.as_deref().map_or_else(String::new, |name| format!("{name}: "));
            parameters.push(format!("{name}{}", self.spelled(parameter.of)));
        }
        if signature.variadic {
            parameters.push("...".to_owned());
        }
        let convention = match signature.convention {
            opendyn_inspect::Convention::Cdecl => String::new(),
            other => format!(" [{other:?}]"),
        };
        let returns = self.spelled(signature.returns);
        format!("{name}({}) -> {returns}{convention}", parameters.join(", "))
    }

    fn spelled(&mut self, id: TypeId) -> String {
        self.visit(id);
        self.interface.types.spelling(id)
    }

    fn visit(&mut self, id: TypeId) {
        if !self.seen.insert(id) {
            return;
        }
        let types = &self.interface.types;
        let spelling = types.spelling(id);
        let line = match types.get(id) {
            Type::Void | Type::Bool | Type::Complex(_) => return,
            Type::Float { size, .. } => format!("{spelling}: {size} bytes"),
            Type::Other { size, .. } => format!("{spelling}: other, size {size:?}"),
            Type::Integer(integer) => {
                let sign = if integer.signed { "signed" } else { "unsigned" };
                format!("{spelling}: {} bytes, {sign}", integer.size)
            }
            Type::Pointer { to, .. } | Type::Array { of: to, .. } => return self.visit(*to),
            Type::Alias { of, .. } => format!("{spelling} = {}", self.spelled(*of)),
            Type::Function(signature) => {
                self.signature("", &signature.clone());
                return;
            }
            Type::Enum { integer, values, .. } => {
                let values: Vec<String> =
                    values.iter().map(|value| format!("{} = {}", value.name, value.value)).collect();
                format!("{spelling}: {} {{ {} }}", integer.spelling, values.join(", "))
            }
            Type::Record(record) => {
                let kind = if record.kind == RecordKind::Union { "union" } else { "struct" };
                let name = record.name.as_deref().unwrap_or("_");
                let mut members = Vec::new();
                for member in &record.members {
                    let name = member.name.as_deref().unwrap_or("_");
                    let of = self.spelled(member.of);
                    let bits = member.bits.map_or_else(String::new, |bits| format!(" : {bits}"));
                    let at = member.offset.map_or_else(|| "?".to_owned(), |at| at.to_string());
                    members.push(format!("{at} {name}: {of}{bits}"));
                }
                let members = members.join(", ");
                match record.size {
                    Some(size) => {
                        let align = record.align.unwrap_or(0);
                        format!("{kind} {name}: {size} bytes, aligned to {align} {{ {members} }}")
                    }
                    None => format!("{kind} {name}: opaque"),
                }
            }
        };
        self.lines.insert(line);
    }
}
