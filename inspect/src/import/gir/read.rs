//! The functions and types of a GIR file.

use super::xml::{Element, Event, Reader};
use super::{Array, Described, Directed, Gir, GirFunction, Scope};
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
        callback: None,
    };
    for event in Reader::new(text) {
        match event {
            Event::Start(element) => state.start(element),
            Event::End => state.end(),
            Event::Text(text, line) => state.text(&text, line),
        }
    }
    state.gir.types.finish();
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
    /// The current callback type, and how many of its parameters were read.
    callback: Option<(String, usize)>,
}

impl<'s> State<'s> {
    fn start(&mut self, element: Element<'s>) {
        let is_foreign = self.open.iter().any(|name| FOREIGN.contains(name));
        self.open.push(element.name);
        if is_foreign || FOREIGN.contains(&element.name) {
            self.callback_of(element);
            return;
        }
        match element.name {
            "function" | "method" | "constructor" => {
                if let (Some(of), "constructor") = (&self.of, element.name) {
                    let says = (format!("<constructor> of {of}"), element.line);
                    self.gir.types.made.entry(of.clone()).or_insert(says);
                }
                if let Some(name) = element.attribute("c:identifier") {
                    let function = GirFunction {
                        throws: element.is("throws"),
                        only_for_c: element
                            .attribute("introspectable")
                            .filter(|says| says == "0")
                            .map(|_| "introspectable=\"0\""),
                        is_constructor: element.name == "constructor",
                        line: element.line,
                        ..GirFunction::default()
                    };
                    self.function = Some((name.into_owned(), function, self.open.len()));
                    self.value = None;
                }
            }
            "record" | "union" | "class" | "interface" | "glib:boxed" => {
                self.of = self.gir.types.add(element)
            }
            "prerequisite" => self.required(element),
            "bitfield" => {
                if let Some(of) = element.attribute("c:type") {
                    self.gir.types.flags.insert(of.into_owned(), element.line);
                }
            }
            "namespace" => {
                self.gir.types.namespace = element.attribute("name").map(Into::into).unwrap_or_default();
            }
            "include" => {
                if let (Some(name), Some(version)) = (element.attribute("name"), element.attribute("version"))
                {
                    self.gir.types.uses.push((name.into_owned(), version.into_owned()));
                }
            }
            "c:include" => self.gir.includes.extend(element.attribute("name").map(Into::into)),
            "return-value" | "instance-parameter" | "parameter" => self.value_of(element),
            "array" | "type" | "varargs" => self.kind_of(element),
            _ => {}
        }
    }

    /// What the interface that is read requires; of several, one that is an object is enough.
    fn required(&mut self, element: Element<'s>) {
        let types = &mut self.gir.types;
        let name = self.of.as_ref().and_then(|of| types.classes.get(of)).map(|(name, _)| name.clone());
        if let (Some(name), Some(required)) = (name, element.attribute("name")) {
            types.parents.entry(name).or_insert_with(|| required.into_owned());
        }
    }

    /// The parameters of a callback type: which of them is the user data.
    fn callback_of(&mut self, element: Element<'s>) {
        match (element.name, self.open.as_slice()) {
            ("callback", [_, "namespace", _]) => {
                self.callback = element.attribute("name").map(|name| (name.into_owned(), 0));
            }
            ("parameter", [_, "namespace", "callback", "parameters", _]) => {
                let Some((name, count)) = &mut self.callback else { return };
                if let Some(index) = element.attribute("closure").and_then(|index| index.parse().ok()) {
                    self.gir.types.callbacks.insert(name.clone(), index);
                }
                *count += 1;
            }
            _ => {}
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
            scope: element.attribute("scope").and_then(|scope| match &*scope {
                "call" => Some(Scope::Call),
                "async" | "notified" | "forever" => Some(Scope::Later),
                _ => None,
            }),
            user_data: index("closure"),
            destroy: index("destroy"),
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
                let ends = element.is("zero-terminated");
                value.is_ended = ends;
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
                value.c_type = element.attribute("c:type").map(Into::into).unwrap_or_default();
                value.array = count.filter(|_| is_plain).map(|count| Array { count, ..Array::default() });
                value.is_container = !is_plain;
            }
            _ => {
                value.of = element.attribute("name").map(Into::into).unwrap_or_default();
                value.c_type = element.attribute("c:type").map(Into::into).unwrap_or_default();
                if value.is_allocated {
                    let name = value.of.rsplit('.').next().unwrap_or_default().to_owned();
                    self.gir.types.allocated.insert(name);
                }
            }
        }
    }

    fn end(&mut self) {
        let name = self.open.pop();
        match name {
            Some("return-value" | "instance-parameter" | "parameter") => self.value = None,
            Some("record" | "union" | "class" | "interface" | "glib:boxed") => self.of = None,
            Some("callback") => self.callback = None,
            _ => {}
        }
        if let Some((name, mut function, _)) = self.function.take_if(|(.., depth)| *depth > self.open.len()) {
            self.learn(&name, &function);
            // Of a function that nobody documented, the file has only defaults.
            function.is_documented = function.doc.is_some()
                || function.returned.doc.is_some()
                || function.parameters.iter().any(|parameter| parameter.doc.is_some());
            self.gir.functions.insert(name, function);
        }
    }

    /// What a function says about types: that it makes one, or counts its owners.
    fn learn(&mut self, name: &str, function: &GirFunction) {
        let types = &mut self.gir.types;
        let says = |value: &Described| value.doc.as_ref().map(|(text, _)| text.to_lowercase());
        let is_of = |value: &Described, of: &str| value.pointee() == Some(of);
        if let Some(of) = function.returned.pointee() {
            // A copy needs one that something else made.
            let is_copy = function.parameters.iter().any(|parameter| is_of(parameter, of));
            let is_new = says(&function.returned)
                .is_some_and(|text| text.split_whitespace().any(|word| matches!(word, "new" | "newly")));
            let is_given = matches!(function.returned.transfer, Some(Transfer::Full | Transfer::Container));
            let is_lent = function.returned.transfer == Some(Transfer::None);
            if !is_copy && (is_given || is_new && !is_lent) {
                let text = format!("{of}* from {name}");
                types.made.entry(of.to_owned()).or_insert((text, function.returned.line));
            }
        }
        let ([only], Some((doc, line))) = (function.parameters.as_slice(), &function.doc) else { return };
        let counts = [
            "increments the reference count",
            "increases the reference count",
            "increases reference count",
            "increase the reference count",
            "increment the reference count",
            "acquires a reference",
        ];
        let doc = doc.split_whitespace().collect::<Vec<_>>().join(" ");
        let counted = counts.iter().any(|words| doc.to_lowercase().contains(words));
        if let (Some(of), true) = (only.pointee(), counted) {
            let text = doc.split(". ").next().unwrap_or(&doc).to_owned();
            types.counted.entry(of.to_owned()).or_insert((text, *line));
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
