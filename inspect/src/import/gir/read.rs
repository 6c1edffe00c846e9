//! The functions and types of a GIR file.

use std::collections::{HashMap, HashSet};

use super::xml::{Element, Event, Reader};
use super::{Array, Described, Directed, Gir, GirFunction};
use crate::{Count, Direction, Transfer};

/// The elements whose parameters are not those of a function of the library.
const FOREIGN: [&str; 5] = ["callback", "virtual-method", "glib:signal", "field", "property"];

/// Reads a file.
pub(super) fn read(text: &str) -> Gir {
    let mut state = State {
        gir: Gir::default(),
        open: Vec::new(),
        function: None,
        value: None,
        of: None,
        names: HashMap::new(),
        allocated: HashSet::new(),
    };
    for event in Reader::new(text) {
        match event {
            Event::Start(element) => state.start(element),
            Event::End => state.end(),
            Event::Text(text, line) => state.text(&text, line),
        }
    }
    for name in &state.allocated {
        if let Some(of) = state.names.get(name) {
            state.gir.made.remove(of);
        }
    }
    state.gir
}

/// The value whose elements are read.
#[derive(Clone, Copy)]
enum Value {
    Returned,
    Parameter(usize),
}

struct State<'s> {
    gir: Gir,
    /// The elements that are open.
    open: Vec<&'s str>,
    /// The current function, with its name in C and the depth of its element.
    function: Option<(String, GirFunction, usize)>,
    value: Option<Value>,
    /// The current type, by its name in C.
    of: Option<String>,
    /// The names of types in the file, and in C.
    names: HashMap<String, String>,
    /// The names in the file of the types that callers allocate.
    allocated: HashSet<String>,
}

impl<'s> State<'s> {
    fn start(&mut self, element: Element<'s>) {
        let is_foreign = self.open.iter().any(|name| FOREIGN.contains(name));
        self.open.push(element.name);
        if is_foreign || FOREIGN.contains(&element.name) {
            return;
        }
        match element.name {
            "function" | "method" | "constructor" => {
                if let (Some(of), "constructor") = (&self.of, element.name) {
                    self.gir.made.entry(of.clone()).or_insert(element.line);
                }
                if let Some(name) = element.attribute("c:identifier") {
                    let function = GirFunction {
                        throws: element.is("throws"),
                        line: element.line,
                        ..GirFunction::default()
                    };
                    self.function = Some((name.into_owned(), function, self.open.len()));
                    self.value = None;
                }
            }
            "record" | "union" | "class" | "interface" | "glib:boxed" => self.type_of(element),
            "c:include" => self.gir.includes.extend(element.attribute("name").map(Into::into)),
            "return-value" | "instance-parameter" | "parameter" => self.value_of(element),
            "array" | "type" | "varargs" => self.kind_of(element),
            _ => {}
        }
    }

    fn type_of(&mut self, element: Element<'s>) {
        let free = ["free-function", "glib:unref-func"]
            .into_iter()
            .find_map(|key| Some((key, element.attribute(key)?.into_owned())));
        self.of = element.attribute("c:type").map(Into::into);
        if let (Some(name), Some(of)) = (element.attribute("name"), &self.of) {
            self.names.insert(name.into_owned(), of.clone());
        }
        if let (Some(of), Some((key, free))) = (&self.of, free) {
            self.gir.frees.push((of.clone(), free, key, element.line));
        }
    }

    fn value_of(&mut self, element: Element<'s>) {
        let Some((_, function, _)) = &mut self.function else { return };
        let transfer = element.attribute("transfer-ownership").and_then(|transfer| match &*transfer {
            "none" => Some(Transfer::None),
            "container" => Some(Transfer::Container),
            "full" => Some(Transfer::Full),
            // Floating references are neither.
            _ => None,
        });
        let direction = element.attribute("direction").and_then(|direction| match &*direction {
            "out" => Some(Direction::Out),
            "inout" => Some(Direction::InOut),
            _ => None,
        });
        let index = |name: &str| element.attribute(name).and_then(|index| index.parse().ok());
        let value = Described {
            line: element.line,
            name: element.attribute("name").map(Into::into).unwrap_or_default(),
            transfer,
            directed: Directed {
                direction,
                is_nullable: element.is("nullable") || direction.is_none() && element.is("allow-none"),
                is_optional: element.is("optional") || direction.is_some() && element.is("allow-none"),
            },
            is_called_during: element.attribute("scope").is_some_and(|scope| scope == "call"),
            user_data: index("closure"),
            is_allocated: element.is("caller-allocates"),
            ..Described::default()
        };
        self.value = Some(match element.name {
            "return-value" => {
                function.returned = value;
                Value::Returned
            }
            name => {
                function.has_instance |= name == "instance-parameter";
                function.parameters.push(value);
                Value::Parameter(function.parameters.len() - 1)
            }
        });
    }

    fn described(&mut self) -> Option<&mut Described> {
        let (_, function, _) = self.function.as_mut()?;
        match self.value? {
            Value::Returned => Some(&mut function.returned),
            Value::Parameter(index) => function.parameters.get_mut(index),
        }
    }

    /// What type a value has.
    fn kind_of(&mut self, element: Element<'s>) {
        let outer = self.open.iter().rev().nth(1).copied();
        let Some(value) = self.described() else { return };
        match (element.name, outer) {
            ("varargs", _) => value.is_variadic = true,
            // Elements of lists say nothing about the list.
            ("type", Some("type")) => {}
            ("type", Some("array")) => {
                if let Some(array) = &mut value.array {
                    array.of = element.attribute("name").map(Into::into).unwrap_or_default();
                }
            }
            ("array", Some("array" | "type")) => value.array = None,
            ("array", _) => {
                let number = |name: &str| element.attribute(name).and_then(|text| text.parse::<u64>().ok());
                let count =
                    if let Some(index) = number("length").and_then(|index| usize::try_from(index).ok()) {
                        Some(Count::Parameter(index))
                    } else if let Some(count) = number("fixed-size") {
                        Some(Count::Constant(count))
                    } else {
                        let ends = element.attribute("zero-terminated").is_none_or(|ends| ends == "1");
                        ends.then_some(Count::Terminated)
                    };
                // `GPtrArray` and the like are structs.
                let is_plain = element.attribute("name").is_none();
                value.array = count.filter(|_| is_plain).map(|count| Array { count, ..Array::default() });
                value.is_container = !is_plain;
            }
            _ => {
                value.of = element.attribute("name").map(Into::into).unwrap_or_default();
                if value.is_allocated {
                    let name = value.of.rsplit('.').next().unwrap_or_default().to_owned();
                    self.allocated.insert(name);
                }
            }
        }
    }

    fn end(&mut self) {
        let name = self.open.pop();
        match name {
            Some("return-value" | "instance-parameter" | "parameter") => self.value = None,
            Some("record" | "union" | "class" | "interface" | "glib:boxed") => self.of = None,
            _ => {}
        }
        if let Some((name, function, _)) = self.function.take_if(|(.., depth)| *depth > self.open.len()) {
            // Of a function that nobody documented, the file has only defaults.
            let is_documented = function.doc.is_some()
                || function.returned.doc.is_some()
                || function.parameters.iter().any(|parameter| parameter.doc.is_some());
            if is_documented {
                self.gir.functions.insert(name, function);
            }
        }
    }

    fn text(&mut self, text: &str, line: u64) {
        if self.open.last() != Some(&"doc") || self.open.iter().any(|name| FOREIGN.contains(name)) {
            return;
        }
        let doc = (text.to_owned(), line);
        match (self.described().is_some(), &mut self.function) {
            (true, _) => {
                if let Some(value) = self.described() {
                    value.doc = Some(doc);
                }
            }
            (false, Some((_, function, _))) => function.doc = Some(doc),
            (false, None) => {}
        }
    }
}
