//! What C is passed for a parameter.

use super::call::Call;
use super::literals::{encoding, literal, text};
use super::parts::Part;
use super::refusal::{self, Refusal};
use opendyn_model::plan::{Element, Operand, Param, Shape};

/// What C is passed, and the memory that it points to where no step makes that.
pub(super) struct Passed {
    pub(super) memory: Option<String>,
    pub(super) passed: String,
}

impl Call<'_, '_> {
    /// Why a script cannot give the handle at `index`.
    pub(super) fn handle_refusal(&self, index: usize) -> Refusal {
        let c = &self.function.signature.params[index];
        let name = c.handle(self.script.types()).unwrap_or_default();
        refusal::handle(&self.function.params[index].key, name)
    }

    pub(super) fn operand(&mut self, index: usize, param: &Param) -> Result<Passed, Refusal> {
        let (name, memory) = (self.names.param(index).to_owned(), self.names.memory(index));
        let value = |passed: String| Passed { memory: None, passed };
        let made = |made: String| Passed { memory: Some(made), passed: memory.clone() };
        let shape = param.argument.as_ref().map(|argument| &argument.shape);
        let is_list = matches!(shape, Some(Shape::List { .. }));
        Ok(match &param.operand {
            Operand::Scalar(_)
            | Operand::RecordValue(_)
            | Operand::LoanValue(_)
            | Operand::Local
            // Only NULL can be given.
            | Operand::Function
            | Operand::Raw => value(name),
            Operand::Constant(_, constant) => value(literal(constant)),
            Operand::ConstantText(of, constant) => {
                let data =
                    self.script.call(Part::Encode, &[&text(constant), encoding(of.encoding), "''"]);
                made(self.script.call(Part::Memory, &[&data]))
            }
            Operand::Text(_) | Operand::Units(_) => made(self.script.call(Part::Memory, &[&name])),
            Operand::Elements(element) => {
                let of = self.script.element_type(*element);
                made(self.script.call(Part::Array, &[&of, &name]))
            }
            Operand::Cell(scalar) => {
                let of = self.script.c_type(scalar.c_type);
                let cell = if self.is_optional(index) {
                    self.script.call(Part::Pointed, &[&of, &name])
                } else {
                    format!("{of}({name})")
                };
                Passed { memory: Some(cell), passed: self.reference(index, &memory) }
            }
            Operand::Loan(record) if is_list => {
                let of = self.script.element_type(Element::Record(*record));
                made(self.script.call(Part::Array, &[&of, &name]))
            }
            Operand::Record(_) | Operand::Loan(_) => value(self.reference(index, &name)),
            Operand::Address | Operand::Fetch => value(self.reference(index, &memory)),
            Operand::Pointers => value(memory),
            Operand::Buffer => value(format!("{memory}.memory")),
            Operand::Terminated(_) => return Err(refusal::length()),
            Operand::Taken(_) => return Err(refusal::taken(&param.key)),
            Operand::UserData(_) => value("None".to_owned()),
            Operand::State(record) | Operand::NewState(record) => {
                return Err(refusal::state(&param.key, &self.script.types().records[*record].name));
            }
            Operand::Handle | Operand::Handles | Operand::Released | Operand::ReleasedThrough => {
                return Err(self.handle_refusal(index));
            }
        })
    }

    /// The address of a value of `ctypes`; NULL where an argument is absent.
    fn reference(&mut self, index: usize, of: &str) -> String {
        if self.is_optional(index) {
            self.script.call(Part::Reference, &[of])
        } else {
            format!("{}({of})", self.script.ctypes("byref"))
        }
    }
}
