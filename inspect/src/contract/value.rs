//! Values and pointers: a declared type against one of the library.

use opendyn_model::c_type::{CType, Class};
use opendyn_model::plan::{Body, CBase, CValue};
use opendyn_model::rule::Rule;

use super::comparison::{Comparison, Place};
use super::layout;
use super::record::Memory;
use super::scalar::{self, Where};
use super::verdict::{Verdict, bytes};
use crate::{Record, Type, TypeId};

const DEPTH: &str = "a pointer against a pointer to a pointer";
const TOO_DEEP: &str = "a pointer to a pointer against a pointer";
const FUNCTION: &str = "a pointer to data against a pointer to a function";

impl Comparison<'_> {
    /// A value that is passed, returned, or a member of a struct. `memory` is that behind its pointers.
    pub(super) fn value(&self, of: &CValue, memory: Memory, id: TypeId, place: &Place<'_>) -> Verdict {
        let types = self.types();
        let library = types.resolve(id);
        if let Type::Other { spelling, .. } = library {
            return Verdict::Unknown(format!("`{spelling}` is a type that cannot be compared"));
        }
        let depth = of.stars + usize::from(matches!(of.base, CBase::Function(_)));
        match (&of.base, of.stars) {
            (CBase::Scalar(c_type), 0) => self.scalar(*c_type, id),
            (CBase::Record(record), 0) => match library {
                Type::Record(_) => self.record(self.declared(*record), id, Memory::Ours, false, place),
                Type::Complex(size)
                    if self.declared(*record).complex.is_some()
                        && self.is_pair(self.declared(*record), *size) =>
                {
                    Verdict::Fits
                }
                Type::Complex(size) if self.is_pair(self.declared(*record), *size) => Verdict::warning(
                    Rule::Portable,
                    "passed in the same way here, but not on every target: complex numbers are not structs in C",
                ),
                Type::Pointer { .. } => Verdict::error("a struct by value against a pointer"),
                _ => Verdict::error("a struct against something else"),
            },
            _ => match library {
                Type::Pointer { to, .. } => {
                    // An alias of a pointer to a pointer may be a handle.
                    let plain = matches!(types.get(id), Type::Pointer { .. });
                    self.pointer((of, memory), *to, depth, plain, place)
                }
                Type::Function(_) | Type::Array { .. } => self.pointer((of, memory), id, depth, false, place),
                Type::Integer(integer) if integer.size == self.interface.target.pointer => {
                    match (is_any(of), scalar::spelling(id, types)) {
                        (true, (Some(CType::IntPtr | CType::UintPtr), _)) => Verdict::Fits,
                        (true, _) => {
                            Verdict::warning(Rule::SameBytes, "a pointer against an integer of its size")
                        }
                        _ => Verdict::error("a pointer against a value"),
                    }
                }
                Type::Record(_) => Verdict::error("a pointer against a struct by value"),
                _ => Verdict::error("a pointer against a value"),
            },
        }
    }

    fn scalar(&self, c_type: CType, id: TypeId) -> Verdict {
        if let Some(verdict) = scalar::compare(c_type, id, self.model(), Where::Value) {
            return verdict;
        }
        match self.types().resolve(id) {
            Type::Pointer { .. } if matches!(c_type, CType::IntPtr | CType::UintPtr) => Verdict::Fits,
            Type::Pointer { .. } | Type::Function(_) | Type::Array { .. } => {
                Verdict::error("a value against a pointer")
            }
            Type::Record(_) => Verdict::error("a scalar against a struct by value"),
            Type::Complex(_) => Verdict::error("one number against a complex one"),
            _ => Verdict::error("a value against nothing"),
        }
    }

    /// A pointer with `depth` more levels; `to` is the target of the library's pointer.
    fn pointer(
        &self,
        (of, memory): (&CValue, Memory),
        to: TypeId,
        depth: usize,
        plain: bool,
        place: &Place<'_>,
    ) -> Verdict {
        let types = self.types();
        let library = types.resolve(to);
        match library {
            Type::Void => return Verdict::Fits,
            Type::Other { spelling, .. } => {
                return Verdict::Unknown(format!("`{spelling}` is a type that cannot be compared"));
            }
            _ => {}
        }
        if depth == 2 {
            return match library {
                Type::Pointer { to, .. } => self.pointer((of, memory), *to, 1, false, place),
                // An array of pointers.
                Type::Array { .. } => match types.resolve(self.flattened(to).0) {
                    Type::Pointer { to, .. } => self.pointer((of, memory), *to, 1, false, place),
                    _ => Verdict::error(TOO_DEEP),
                },
                Type::Function(_) => Verdict::error(FUNCTION),
                Type::Integer(integer) if integer.size == self.interface.target.pointer => {
                    match (is_any(of), scalar::spelling(to, types)) {
                        (true, (Some(CType::IntPtr | CType::UintPtr), _)) => Verdict::Fits,
                        _ => Verdict::error(TOO_DEEP),
                    }
                }
                _ => Verdict::error(TOO_DEEP),
            };
        }
        match &of.base {
            CBase::Scalar(CType::Void) => Verdict::Fits,
            CBase::Handle(handle) => match library {
                Type::Pointer { .. } if of.stars == 1 && plain => {
                    Verdict::warning(Rule::SameBytes, "a handle against a pointer to a pointer")
                }
                Type::Record(_) => match self.behind(handle) {
                    // The document may list only the first members.
                    Some(record) => self.record(record, to, Memory::OfC, false, place),
                    None => Verdict::Fits,
                },
                _ => Verdict::Fits,
            },
            CBase::Scalar(c_type) => self.pointee(*c_type, of.many, to),
            CBase::Record(record) => {
                let record = self.declared(*record);
                match record.body {
                    Body::Fields(_) => self.pointed_record(record, to, memory, of.many, place),
                    Body::State { .. } => self.state(record, to, place),
                }
            }
            CBase::Function(callback) => match library {
                Type::Function(found) => self.callback(callback, found, place),
                _ => Verdict::error("a pointer to a function against a pointer to data"),
            },
        }
    }

    /// A scalar behind a pointer, or `many` of them.
    fn pointee(&self, c_type: CType, many: bool, to: TypeId) -> Verdict {
        let (element, length) = self.flattened(to);
        if length.is_some() {
            return match self.pointed_scalar(c_type, many, element) {
                Verdict::Fits => match self.types().size(to, &self.interface.target) {
                    Some(whole) => self.room(c_type, many, whole),
                    None => Verdict::Fits,
                },
                other => other,
            };
        }
        self.pointed_scalar(c_type, many, to)
    }

    /// If C has more than one scalar there, it would write past the end.
    fn room(&self, c_type: CType, many: bool, whole: u64) -> Verdict {
        let size = layout::of_scalar(c_type, &self.interface.target).size;
        if many || whole <= size { Verdict::Fits } else { Verdict::width(size, whole) }
    }

    fn pointed_scalar(&self, c_type: CType, many: bool, to: TypeId) -> Verdict {
        let target = &self.interface.target;
        if let Some(verdict) = scalar::compare(c_type, to, self.model(), Where::Pointee) {
            return verdict;
        }
        let size = layout::of_scalar(c_type, target).size;
        match self.types().resolve(to) {
            Type::Pointer { .. } if matches!(c_type, CType::IntPtr | CType::UintPtr) => Verdict::Fits,
            Type::Pointer { .. } => Verdict::error(DEPTH),
            Type::Function(_) => Verdict::error(FUNCTION),
            Type::Complex(whole) if c_type.class() == Class::Floating && size * 2 == *whole => {
                self.room(c_type, many, *whole)
            }
            Type::Complex(_) => Verdict::error("one number against a complex one"),
            Type::Record(record) => self.scalar_at_record(c_type, many, to, record),
            Type::Other { spelling, .. } => {
                Verdict::Unknown(format!("`{spelling}` is a type that cannot be compared"))
            }
            _ => Verdict::Fits,
        }
    }

    /// A pointer to scalars where C has a struct: its bytes, or its first members.
    fn scalar_at_record(&self, c_type: CType, many: bool, to: TypeId, record: &Record) -> Verdict {
        let size = layout::of_scalar(c_type, &self.interface.target).size;
        let Some(whole) = record.size else {
            return match size {
                1 => Verdict::Fits,
                _ => Verdict::warning(Rule::SameBytes, "the target of the library's pointer is unknown"),
            };
        };
        if many && size == 1 {
            return Verdict::Fits;
        }
        let first = self.leaves(to, 0);
        let fits = |leaf: &TypeId| {
            scalar::compare(c_type, *leaf, self.model(), Where::Pointee)
                .is_some_and(|verdict| !verdict.is_error())
        };
        if !first.iter().any(fits) {
            return Verdict::error("a scalar against a struct");
        }
        if many || whole <= size {
            Verdict::Fits
        } else {
            Verdict::error(format!("{} against a struct of {whole}", bytes(size)))
        }
    }
}

/// Whether the document leaves open what a pointer points to.
fn is_any(of: &CValue) -> bool {
    matches!(of.base, CBase::Scalar(CType::Void) | CBase::Handle(_))
}
