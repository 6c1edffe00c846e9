//! The types of C as `ctypes` has them.

use super::parts::{Module, Part};
use super::script::Script;
use opendyn_model::c_type::CType;
use opendyn_model::plan::{CBase, CSignature, CValue, Content, Element, Encoding};

impl Script<'_> {
    /// A scalar in memory.
    pub(super) fn c_type(&mut self, c_type: CType) -> String {
        let expression = c_type.python();
        match Part::ALL.iter().find(|part| part.name() == expression) {
            Some(part) => self.part(*part).to_owned(),
            None => {
                self.module(Module::Ctypes);
                expression.to_owned()
            }
        }
    }

    /// A value in memory, or one that C returns: every pointer is an address.
    pub(super) fn memory_type(&mut self, value: &CValue) -> String {
        let value = value.bound();
        let of = match (&value.base, value.stars) {
            (CBase::Scalar(c_type), 0) => self.c_type(*c_type),
            (CBase::Record(record), 0) => self.record_class(*record),
            (CBase::Function(_) | CBase::Handle(_), _) | (_, 1..) => self.ctypes("c_void_p"),
        };
        match value.count {
            Some(count) => format!("{of} * {count}"),
            None => of,
        }
    }

    /// What a pointer of C points to.
    pub(super) fn pointee_type(&mut self, pointer: &CValue) -> String {
        let pointer = pointer.bound();
        self.memory_type(&CValue { stars: pointer.stars.saturating_sub(1), ..pointer })
    }

    /// The types of the parameters of a function, and of what it returns.
    pub(super) fn signature(&mut self, signature: &CSignature) -> (Vec<String>, String) {
        let params = signature.params.iter().map(|value| match value {
            CValue { base: CBase::Scalar(CType::Bool), stars: 0, .. } => self.ctypes("c_bool"),
            value => self.memory_type(value),
        });
        let params = params.collect();
        let returns = match &signature.returns {
            Some(returns) => self.memory_type(returns),
            None => "None".to_owned(),
        };
        (params, returns)
    }

    /// An element of an array.
    pub(super) fn element_type(&mut self, element: Element) -> String {
        self.memory_type(&CValue::element(element))
    }

    /// An element of what a buffer holds.
    pub(super) fn content_type(&mut self, content: Content) -> String {
        match content {
            Content::Elements(element) => self.element_type(element),
            Content::Handles(_) => self.ctypes("c_void_p"),
            Content::Text { encoding, .. } => self.unit_type(encoding),
        }
    }

    /// A unit of text: its sign does not matter.
    pub(super) fn unit_type(&mut self, encoding: Encoding) -> String {
        self.ctypes(if unit_size(encoding) == 2 { "c_uint16" } else { "c_ubyte" })
    }
}

/// How many bytes a unit of text has.
pub(super) fn unit_size(encoding: Encoding) -> usize {
    match encoding {
        Encoding::Utf8 | Encoding::Utf8Lossy | Encoding::Latin1 | Encoding::Base64 | Encoding::Hex => 1,
        Encoding::Utf16 => 2,
    }
}
