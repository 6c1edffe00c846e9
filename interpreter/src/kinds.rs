//! The runtime's tables of a document: what the arguments and results of its functions are.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use opendyn::generated::{
    BitForm, Bits, Choice, Described, Encoding, HandleType, Kind, Member, Record, Text, Within,
};
use opendyn_model::c_type::{CType, Class};
use opendyn_model::plan::{
    self, Body, Bound, Content, Default, Element, FieldType, Limits, Overlap, Scalar, TextKind, Types,
    Values, View,
};

use crate::layout::{self, Layout};
use crate::number::{self, Form, Number};
use crate::records::Places;
use crate::store::Store;

/// The tables of the types of a document.
#[derive(Debug)]
pub(crate) struct Kinds {
    pub(crate) layouts: Vec<Layout>,
    /// `None` for states.
    records: Vec<Option<&'static Record>>,
    pub(crate) places: &'static Places,
    /// `None` for enums of strings.
    choices: Vec<Option<&'static Choice>>,
    types: &'static Types,
}

impl Kinds {
    pub(crate) fn new(types: &'static Types, store: &Store) -> Self {
        let layouts = types.records.iter().map(|record| layout::of_record(record, types)).collect();
        let places = store.keep(Places::new(types.records.len()));
        let records = vec![None; types.records.len()];
        let mut kinds = Self { layouts, records, places, choices: Vec::new(), types };
        for of in &types.enums {
            let choice = match &of.of {
                Values::Integers { c_type, variants } => {
                    let values = variants.iter().map(|variant| (variant.value, variant.name.as_str()));
                    let values: Vec<(i64, &'static str)> = values.collect();
                    let values = store.keep(values);
                    Some(store.keep(Choice { integer: number::kind(*c_type), values }))
                }
                Values::Strings(_) => None,
            };
            kinds.choices.push(choice);
        }
        for index in 0..types.records.len() {
            kinds.record(index, store);
        }
        kinds
    }

    pub(crate) fn types(&self) -> &'static Types {
        self.types
    }

    /// The table of a struct, and before it those of the structs in it.
    fn record(&mut self, index: usize, store: &Store) {
        let (types, record) = (self.types, &self.types.records[index]);
        let Body::Fields(fields) = &record.body else { return };
        if self.records[index].is_some() || record.overlap == Some(Overlap::Members) {
            return;
        }
        for field in fields {
            if let FieldType::Union(union) = &field.of {
                for member in union.seen() {
                    if let FieldType::Record(inner)
                    | FieldType::Array { element: Element::Record(inner), .. } = &member.of
                    {
                        self.record(*inner, store);
                    }
                }
            }
            if let FieldType::Record(inner) | FieldType::Array { element: Element::Record(inner), .. } =
                &field.of
            {
                self.record(*inner, store);
            }
        }
        let member = |(field, offset): (&'static plan::Field, usize)| {
            let kind = match &field.of {
                FieldType::Bits { c_type, width, truth } => {
                    let position = fields.iter().position(|other| std::ptr::eq(other, field));
                    let shift = self.layouts[index].shifts[position.unwrap_or_default()];
                    let form = match (truth, Number::of(*c_type).form) {
                        (true, _) => BitForm::Truth,
                        (false, Form::Signed) => BitForm::Signed,
                        (false, _) => BitForm::Unsigned,
                    };
                    Kind::Bits(store.keep(Bits::new(shift, *width as usize, form)))
                }
                _ => self.member(index, field, offset, store),
            };
            let key = field.key.as_str();
            match (&field.default, field.required) {
                (_, true) => Member::required(key, kind, offset),
                (None, false) => Member::optional(key, kind, offset),
                (Some(Default::Text(text)), false) => Member::or_text(key, kind, offset, text),
                (Some(default), false) => Member::or(key, kind, offset, word(&field.of, default)),
            }
        };
        let layout = &self.layouts[index];
        let members: Vec<Member> = self.seen(index).into_iter().map(member).collect();
        let (size, align) = (layout.size, layout.align);
        let members = store.keep(members);
        let name = types.records[index].name.as_str();
        self.records[index] = Some(self.places.put(index, Record { name, size, align, members }));
    }

    /// What the runtime calls a value.
    pub(crate) fn of(&self, kind: &plan::Kind, store: &Store) -> Kind {
        match kind {
            plan::Kind::Scalar(scalar) => self.scalar(*scalar),
            plan::Kind::TruthInMemory(c_type) => Kind::Truth(store.keep(number::kind(*c_type))),
            plan::Kind::Text(TextKind {
                encoding: plan::Encoding::Utf8 | plan::Encoding::Utf8Lossy,
                counted: false,
                one_of: None,
                ..
            }) => Kind::Str,
            plan::Kind::Text(text) => Kind::Text(store.keep(self.text(*text, store))),
            plan::Kind::List(of) => Kind::List(store.keep(self.of(of, store))),
            plan::Kind::Nullable(of) => Kind::Nullable(store.keep(self.of(of, store))),
            plan::Kind::Fixed(of, count) => {
                let count = usize::try_from(*count).unwrap_or(usize::MAX);
                Kind::Fixed(store.keep((self.of(of, store), count)))
            }
            // Members of a struct, of which the layout knows more.
            plan::Kind::Bits { .. } | plan::Kind::Union(_) => Kind::Opaque,
            plan::Kind::Within(of, limits) => self.limited(of, *limits, store),
            plan::Kind::Record(index) => self.of_record(*index),
            plan::Kind::State(index) => Kind::Handle(self.state(*index)),
            plan::Kind::Handle(index) => Kind::Handle(self.handle(*index)),
            plan::Kind::Capacity { c_type, content, .. } => {
                let capacity = number::kind(*c_type).capacity(self.content(*content).0);
                Kind::Integer(store.keep(capacity))
            }
            plan::Kind::Count(c_type) => number::kind(*c_type),
            plan::Kind::Callback => Kind::Callback,
            plan::Kind::Collect { .. } => Kind::Boolean,
            // No table has them: they are only results.
            plan::Kind::Calls(_) | plan::Kind::Events { .. } | plan::Kind::Texts | plan::Kind::Opaque => {
                Kind::Opaque
            }
        }
    }

    fn limited(&self, of: &plan::Kind, limits: Limits, store: &Store) -> Kind {
        match of {
            plan::Kind::Text(text) => Kind::Text(store.keep(match limits.length {
                Some(most) => self.text(*text, store).at_most(most),
                None => self.text(*text, store),
            })),
            plan::Kind::Scalar(scalar) if limits.has_range() => {
                let of = self.scalar(*scalar);
                Kind::Within(store.keep(if scalar.c_type.class() == Class::Floating {
                    Within::numbers(of, limits.least.map(Bound::number), limits.most.map(Bound::number))
                } else {
                    Within::integers(of, limits.least.map(Bound::integer), limits.most.map(Bound::integer))
                }))
            }
            // A step checks the length of an array.
            _ => self.of(of, store),
        }
    }

    fn scalar(&self, scalar: Scalar) -> Kind {
        match scalar.view {
            View::Plain => number::kind(scalar.c_type),
            View::Truth => Kind::Boolean,
            View::Character => Kind::Character,
            View::Enum(index) => self.choices[index].map_or(Kind::Opaque, Kind::Choice),
        }
    }

    /// A scalar as it lies in memory.
    pub(crate) fn in_memory(&self, scalar: Scalar, store: &Store) -> Kind {
        self.of(&plan::Kind::field(&FieldType::Scalar(scalar)), store)
    }

    /// An element of an array as it lies in memory. A caller sees an integer, whatever the view.
    pub(crate) fn element(&self, element: Element) -> Kind {
        match element {
            Element::Scalar(scalar) => number::kind(scalar.c_type),
            Element::Record(index) => self.of_record(index),
        }
    }

    pub(crate) fn of_record(&self, index: usize) -> Kind {
        match self.types.records[index].complex {
            Some(CType::Float) => <opendyn::Complex<f32> as Described>::KIND,
            Some(_) => <opendyn::Complex<f64> as Described>::KIND,
            None => self.records[index].map_or(Kind::Opaque, Kind::Record),
        }
    }

    /// The size and alignment of an element of a buffer or an array.
    pub(crate) fn content(&self, content: Content) -> (usize, usize) {
        let scalar = |c_type: CType| {
            let number = Number::of(c_type);
            (number.size, number.align())
        };
        match content {
            Content::Text { c_type, .. } => scalar(c_type),
            Content::Handles(_) => (Number::POINTER.size, Number::POINTER.align()),
            Content::Elements(Element::Scalar(of)) => scalar(of.c_type),
            Content::Elements(Element::Record(index)) => {
                (self.layouts[index].size, self.layouts[index].align)
            }
        }
    }

    fn text(&self, text: TextKind, store: &Store) -> Text {
        let encoding = encoding(text.encoding);
        let kind = if text.counted { Text::counted(encoding) } else { Text::terminated(encoding) };
        let kind = match text.exactly {
            Some(units) => kind.exactly(usize::try_from(units).unwrap_or(usize::MAX)),
            None => kind,
        };
        match text.one_of.map(|index| &self.types.enums[index].of) {
            Some(Values::Strings(variants)) => {
                let texts: Vec<&'static str> =
                    variants.iter().map(|variant| variant.value.as_str()).collect();
                kind.one_of(store.keep(texts))
            }
            _ => kind,
        }
    }

    pub(crate) fn handle(&self, index: usize) -> &'static HandleType {
        let handle = &self.types.handles[index];
        interned(&handle.name, handle.retain.is_some())
    }

    pub(crate) fn state(&self, index: usize) -> &'static HandleType {
        interned(&self.types.records[index].name, false)
    }
}

/// The bits of the default of a member, extended with its sign.
fn word(field: &FieldType, default: &Default) -> u64 {
    match field {
        FieldType::Scalar(scalar) => Number::of(scalar.c_type).word(default),
        _ => 0,
    }
}

/// What the runtime calls an encoding.
pub(crate) fn encoding(encoding: plan::Encoding) -> Encoding {
    match encoding {
        plan::Encoding::Utf8 => Encoding::Utf8,
        plan::Encoding::Utf8Lossy => Encoding::Utf8Lossy,
        plan::Encoding::Latin1 => Encoding::Latin1,
        plan::Encoding::Utf16 => Encoding::Utf16,
        plan::Encoding::Base64 => Encoding::Base64,
        plan::Encoding::Hex => Encoding::Hex,
    }
}

/// The handle type with this name, whose owners C may count. It lives as long as the process: a table of handles that the caller owns may outlive
/// the document. There are as many as there are names.
fn interned(name: &str, is_counted: bool) -> &'static HandleType {
    type Named = HashMap<&'static str, &'static HandleType>;
    static TYPES: OnceLock<Mutex<[Named; 2]>> = OnceLock::new();
    let mut types = TYPES.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    let types = &mut types[usize::from(is_counted)];
    if let Some(of) = types.get(name) {
        return of;
    }
    let name: &'static str = Box::leak(name.into());
    let of = HandleType::new(name);
    types.entry(name).or_insert(Box::leak(Box::new(if is_counted { of.counted() } else { of })))
}
