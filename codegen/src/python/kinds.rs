//! What values are in JSON: the objects of `values.py` that read and show them.

use super::literals::{encoding, text};
use super::parts::Part;
use super::refusal::{self, Refusal};
use super::script::Script;
use opendyn_model::c_type::{CType, Class};
use opendyn_model::plan::{Kind, Scalar, TextKind, Values, View};

impl Script<'_> {
    /// What reads and shows a value; `key` is its name in JSON.
    pub(super) fn kind(&mut self, kind: &Kind, key: &str) -> Result<String, Refusal> {
        Ok(match kind {
            Kind::Scalar(scalar) => self.scalar(*scalar),
            Kind::Bits { .. } | Kind::Union(_) => return Err(refusal::odd()),
            Kind::Within(..) => return Err(refusal::limits()),
            Kind::TruthInMemory(c_type) => self.of_type(Part::Boolean, *c_type),
            Kind::Text(of) => self.text(*of),
            Kind::List(of) => {
                let element = self.kind(of, key)?;
                self.call(Part::List, &[&element])
            }
            Kind::Fixed(of, count) => {
                let element = self.kind(of, key)?;
                self.call(Part::List, &[&element, &count.to_string()])
            }
            Kind::Nullable(_) => return Err(refusal::null_elements()),
            Kind::Record(record) => self.record_kind(*record),
            Kind::Handle(handle) => return Err(refusal::handle(key, &self.types().handles[*handle].name)),
            Kind::State(record) => return Err(refusal::state(key, &self.types().records[*record].name)),
            Kind::Capacity { c_type, content, .. } => {
                let (name, of, element) =
                    (text(c_type.name()), self.c_type(*c_type), self.content_type(*content));
                let size = format!("{}({element})", self.ctypes("sizeof"));
                self.call(Part::Capacity, &[&name, &of, &size])
            }
            Kind::Count(c_type) => self.named(Part::Integer, *c_type),
            Kind::Callback | Kind::Opaque => self.call(Part::Nothing, &[]),
            Kind::Collect { .. } | Kind::Calls(_) | Kind::Events { .. } | Kind::Texts => {
                return Err(refusal::calls(key));
            }
        })
    }

    fn scalar(&mut self, scalar: Scalar) -> String {
        let c_type = scalar.c_type;
        match scalar.view {
            View::Truth => self.of_type(Part::Boolean, c_type),
            View::Character => self.of_type(Part::Character, c_type),
            View::Enum(index) => match &self.types().enums[index].of {
                Values::Integers { variants, .. } => {
                    let values: Vec<String> =
                        variants.iter().map(|variant| variant.value.to_string()).collect();
                    let (name, of) = (text(c_type.name()), self.c_type(c_type));
                    self.call(Part::Choice, &[&name, &of, &format!("[{}]", values.join(", "))])
                }
                Values::Strings(_) => self.named(Part::Integer, c_type),
            },
            View::Plain => match c_type.class() {
                Class::Boolean => self.of_type(Part::Boolean, c_type),
                Class::Floating => self.named(Part::Number, c_type),
                Class::Void | Class::Character | Class::Integer => self.named(Part::Integer, c_type),
            },
        }
    }

    /// A kind that knows its C type.
    fn of_type(&mut self, part: Part, c_type: CType) -> String {
        let of = self.c_type(c_type);
        self.call(part, &[&of])
    }

    /// A kind that knows its C type, and that type's name for messages.
    fn named(&mut self, part: Part, c_type: CType) -> String {
        let of = self.c_type(c_type);
        self.call(part, &[&text(c_type.name()), &of])
    }

    fn text(&mut self, of: TextKind) -> String {
        let mut arguments = vec![encoding(of.encoding).to_owned()];
        if of.counted {
            arguments.push("counted=True".to_owned());
        }
        if let Some(exactly) = of.exactly {
            arguments.push(format!("exactly={exactly}"));
        }
        if let Some(Values::Strings(variants)) = of.one_of.map(|index| &self.types().enums[index].of) {
            let texts: Vec<String> = variants.iter().map(|variant| text(&variant.value)).collect();
            arguments.push(format!("one_of=[{}]", texts.join(", ")));
        }
        format!("{}({})", self.part(Part::Text), arguments.join(", "))
    }
}
