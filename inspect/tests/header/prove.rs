//! The compiler verifies what was read: the interface is written as C again, together with the headers, and
//! must agree with them.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use opendyn_inspect::{Interface, Record, RecordKind, Signature, Type, TypeId, Types};

/// C that compiles only if `interface` agrees with the headers, and the number of facts that it states.
pub fn program(interface: &Interface, headers: &[&str]) -> (String, usize) {
    let mut printer =
        Printer { types: &interface.types, out: String::new(), facts: 0, seen: BTreeSet::new() };
    for header in headers {
        _ = writeln!(printer.out, "#include \"{header}\"");
    }
    for function in &interface.functions {
        let Ok(signature) = &function.signature else { continue };
        let name = &function.name;
        let of_c = float_family(name);
        let declaration = printer.function(signature, &format!("({name})"), of_c);
        _ = writeln!(printer.out, "#undef {name}\n{declaration};");
        printer.facts += 1;
        let ids: Vec<TypeId> = signature.parameters.iter().map(|parameter| parameter.of).collect();
        ids.into_iter().chain([signature.returns]).for_each(|id| printer.layouts(id, None));
    }
    for constant in &interface.constants {
        printer.same(&format!("({})", constant.name), constant.value);
    }
    (printer.out, printer.facts)
}

/// The compiler's errors for `program`; empty if it agrees.
pub fn complaints(program: &str, arguments: &[&str]) -> String {
    complaints_of(&std::env::var("CC").unwrap_or_else(|_| "cc".to_owned()), program, arguments)
}

/// The errors of this compiler.
pub fn complaints_of(compiler: &str, program: &str, arguments: &[&str]) -> String {
    let mut child = Command::new(compiler)
        // The model has no `volatile`.
        .args(["-std=gnu17", "-fsyntax-only", "-w", "-x", "c", "-Dvolatile=", "-D__volatile__="])
        .args(arguments)
        .arg("-")
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a C compiler");
    child.stdin.take().expect("piped").write_all(program.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.success(), message.is_empty(), "{message}");
    message
}

/// The model has complex numbers by size; if two types have the same size, the name of the function decides.
fn float_family(name: &str) -> [&'static str; 3] {
    let extended = name.ends_with("f64x");
    if extended {
        ["_Float32 _Complex", "_Float64 _Complex", "_Float64x _Complex"]
    } else if name.ends_with("f32x") {
        ["_Float32 _Complex", "_Float32x _Complex", "_Float64x _Complex"]
    } else if ["f32", "f64", "f128"].iter().any(|suffix| name.ends_with(suffix)) {
        ["_Float32 _Complex", "_Float64 _Complex", "_Float128 _Complex"]
    } else {
        ["float _Complex", "double _Complex", "long double _Complex"]
    }
}

struct Printer<'t> {
    types: &'t Types,
    out: String,
    facts: usize,
    seen: BTreeSet<String>,
}

impl Printer<'_> {
    /// A declaration of `inner` with the type `id`. Aliases are written out, so that their targets are
    /// checked; only a type without another name is referred to by its alias.
    fn declare(&self, id: TypeId, constant: bool, inner: &str, complex: [&str; 3]) -> String {
        self.declare_as(id, constant, inner, complex, None)
    }

    fn declare_as(
        &self,
        id: TypeId,
        constant: bool,
        inner: &str,
        complex: [&str; 3],
        alias: Option<&str>,
    ) -> String {
        let qualifier = if constant { "const " } else { "" };
        let plain = |name: &str| format!("{qualifier}{name} {inner}");
        match self.types.get(id) {
            Type::Alias { name, of } => self.declare_as(*of, constant, inner, complex, Some(name)),
            Type::Void => plain("void"),
            Type::Bool => plain("_Bool"),
            Type::Integer(integer) => plain(&integer.spelling),
            Type::Float { spelling, .. } | Type::Other { spelling, .. } => {
                plain(alias.filter(|_| !spelling.contains('_')).unwrap_or(spelling))
            }
            Type::Complex(8) => plain(complex[0]),
            Type::Complex(16) => plain(complex[1]),
            Type::Complex(_) => plain(complex[2]),
            Type::Pointer { to, constant: pointee } => {
                self.declare(*to, *pointee, &format!("(*{qualifier}{inner})"), complex)
            }
            Type::Array { of, length } => {
                let length = length.map(|length| length.to_string()).unwrap_or_default();
                self.declare(*of, constant, &format!("{inner}[{length}]"), complex)
            }
            Type::Record(Record { kind, name, .. }) => {
                let kind = if *kind == RecordKind::Struct { "struct" } else { "union" };
                match (name, alias) {
                    (Some(name), _) => plain(&format!("{kind} {name}")),
                    (None, alias) => plain(alias.unwrap_or("nameless")),
                }
            }
            Type::Enum { name: Some(name), .. } => plain(&format!("enum {name}")),
            Type::Enum { name: None, .. } => plain(alias.unwrap_or("nameless")),
            Type::Function(signature) => self.function(signature, inner, complex),
        }
    }

    fn function(&self, signature: &Signature, inner: &str, complex: [&str; 3]) -> String {
        let mut parameters: Vec<String> = signature
            .parameters
            .iter()
            .map(|parameter| self.declare(parameter.of, false, "", complex))
            .collect();
        if signature.variadic {
            parameters.push("...".to_owned());
        }
        if parameters.is_empty() {
            parameters.push("void".to_owned());
        }
        self.declare(signature.returns, false, &format!("{inner}({})", parameters.join(", ")), complex)
    }

    fn fact(&mut self, fact: &str) {
        _ = writeln!(self.out, "_Static_assert({fact}, \"{}\");", fact.replace(['\\', '"'], "'"));
        self.facts += 1;
    }

    fn same(&mut self, expression: &str, value: i128) {
        let suffix = if value > i64::MAX.into() { "ULL" } else { "LL" };
        // The smallest `long long` cannot be written as a literal.
        let value = if value == i64::MIN.into() {
            "(-9223372036854775807LL - 1)".to_owned()
        } else {
            format!("{value}{suffix}")
        };
        self.fact(&format!("{expression} == {value}"));
    }

    /// States the layouts of all records and the values of all enums that `id` uses.
    fn layouts(&mut self, id: TypeId, alias: Option<&str>) {
        let types = self.types;
        match types.get(id) {
            Type::Alias { name, of } => self.layouts(*of, Some(name)),
            Type::Pointer { to: of, .. } | Type::Array { of, .. } => self.layouts(*of, None),
            Type::Function(signature) => {
                let ids =
                    signature.parameters.iter().map(|parameter| parameter.of).chain([signature.returns]);
                ids.for_each(|id| self.layouts(id, None));
            }
            Type::Record(record) => {
                let kind = if record.kind == RecordKind::Struct { "struct" } else { "union" };
                let name = record.name.as_ref().map(|name| format!("{kind} {name}"));
                let Some(name) = name.or(alias.map(str::to_owned)) else { return };
                if self.seen.insert(name.clone()) {
                    self.record(record, &name);
                }
            }
            Type::Enum { name, integer, values } => {
                let name = name.as_ref().map(|name| format!("enum {name}"));
                let Some(name) = name.or(alias.map(str::to_owned)) else { return };
                if values.is_empty() || !self.seen.insert(name.clone()) {
                    return;
                }
                self.fact(&format!("sizeof({name}) == {}", integer.size));
                self.fact(&format!("(({name})-1 < 0) == {}", u8::from(integer.signed)));
                values.iter().for_each(|value| self.same(&format!("({})", value.name), value.value));
            }
            _ => {}
        }
    }

    fn record(&mut self, record: &Record, name: &str) {
        if let (Some(size), Some(align)) = (record.size, record.align) {
            self.fact(&format!("sizeof({name}) == {size}"));
            self.fact(&format!("_Alignof({name}) == {align}"));
            self.members(record, name, 0);
        }
        record.members.iter().for_each(|member| self.layouts(member.of, None));
    }

    fn members(&mut self, record: &Record, name: &str, base: u64) {
        let types = self.types;
        for member in &record.members {
            let offset = base + member.offset.expect("the record has a layout");
            match (&member.name, types.resolve(member.of)) {
                (None, Type::Record(inner)) => self.members(inner, name, offset),
                (Some(_), _) if member.bits.is_some() => {}
                (Some(field), of) => {
                    self.fact(&format!("__builtin_offsetof({name}, {field}) == {offset}"));
                    let written = self.declare(
                        member.of,
                        false,
                        "",
                        ["float _Complex", "double _Complex", "long double _Complex"],
                    );
                    let nameless = written.contains("nameless")
                        || written.contains("vector of")
                        || matches!(of, Type::Array { length: None, .. });
                    if !nameless {
                        self.fact(&format!(
                            "__builtin_types_compatible_p(__typeof__((({name}*)0)->{field}), {written})"
                        ));
                    }
                }
                (None, _) => {}
            }
        }
    }
}
