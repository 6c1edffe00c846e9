//! Values and pointers: a declared type against one of the library.

use opendyn_model::c_type::{CType, Class};
use opendyn_model::rule::Rule;

use super::comparison::{Comparison, Place};
use super::declared::{DeclaredType, Pointee, Pointer};
use super::layout;
use super::record::Memory;
use super::scalar::{self, Where};
use super::verdict::{Verdict, bytes};
use crate::{Record, Type, TypeId};

const DEPTH: &str = "a pointer against a pointer to a pointer";
const TOO_DEEP: &str = "a pointer to a pointer against a pointer";
const FUNCTION: &str = "a pointer to data against a pointer to a function";

impl Comparison<'_> {
    /// A value that is passed, returned, or a member of a struct.
    pub(super) fn value(&self, of: &DeclaredType<'_>, id: TypeId, place: &Place<'_>) -> Verdict {
        let types = self.types();
        let library = types.resolve(id);
        if let Type::Other { spelling, .. } = library {
            return Verdict::Unknown(format!("`{spelling}` is a type that cannot be compared"));
        }
        match of {
            DeclaredType::Scalar(c_type) => self.scalar(*c_type, id),
            DeclaredType::Record(record) => match library {
                Type::Record(_) => self.record(record, id, Memory::Ours, false, place),
                Type::Complex(size) if self.is_pair(record, *size) => Verdict::warning(
                    Rule::Portable,
                    "passed in the same way here, but not on every target: complex numbers are not structs in C",
                ),
                Type::Pointer { .. } => Verdict::error("a struct by value against a pointer"),
                _ => Verdict::error("a struct against something else"),
            },
            DeclaredType::Pointer(pointer) => match library {
                Type::Pointer { to, .. } => {
                    // An alias of a pointer to a pointer may be a handle.
                    let plain = matches!(types.get(id), Type::Pointer { .. });
                    self.pointer(pointer, *to, pointer.depth, plain, place)
                }
                Type::Function(_) | Type::Array { .. } => {
                    self.pointer(pointer, id, pointer.depth, false, place)
                }
                Type::Integer(integer) if integer.size == self.interface.target.pointer => {
                    match (&pointer.to, scalar::spelling(id, types)) {
                        (Pointee::Any, (Some(CType::IntPtr | CType::UintPtr), _)) => Verdict::Fits,
                        (Pointee::Any, _) => {
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
        pointer: &Pointer<'_>,
        to: TypeId,
        depth: u8,
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
                Type::Pointer { to, .. } => self.pointer(pointer, *to, 1, false, place),
                // An array of pointers.
                Type::Array { .. } => match types.resolve(self.flattened(to).0) {
                    Type::Pointer { to, .. } => self.pointer(pointer, *to, 1, false, place),
                    _ => Verdict::error(TOO_DEEP),
                },
                Type::Function(_) => Verdict::error(FUNCTION),
                Type::Integer(integer) if integer.size == self.interface.target.pointer => {
                    match (&pointer.to, scalar::spelling(to, types)) {
                        (Pointee::Any, (Some(CType::IntPtr | CType::UintPtr), _)) => Verdict::Fits,
                        _ => Verdict::error(TOO_DEEP),
                    }
                }
                _ => Verdict::error(TOO_DEEP),
            };
        }
        match &pointer.to {
            Pointee::Any => match library {
                Type::Pointer { .. } if pointer.handle.is_some() && pointer.depth == 1 && plain => {
                    Verdict::warning(Rule::SameBytes, "a handle against a pointer to a pointer")
                }
                _ => Verdict::Fits,
            },
            Pointee::Scalar(c_type) => self.pointee(*c_type, pointer.many, to),
            Pointee::Record(record) => {
                let memory = if pointer.given_by_c { Memory::OfC } else { Memory::Ours };
                self.pointed_record(record, to, memory, pointer.many, place)
            }
            Pointee::State { size, align } => self.state(*size, *align, to, place),
            Pointee::Callback(signature, span) => match library {
                Type::Function(found) => self.callback(signature, *span, found, place),
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
