//! What attributes, annotations and GIR files state about the values of a function.

use serde_json::{Value, json};

use super::evidence::Evidence;
use super::function::{Entry, constant};
use crate::{AttributeKind, AttributeSource, Count, Transfer};

/// The position of the return value among those of the parameters, which count from 1.
pub(super) const RETURNS: usize = 0;

impl Entry<'_> {
    /// The first statement that `find` accepts.
    pub(super) fn stated<T>(&self, find: impl Fn(&AttributeKind) -> Option<T>) -> Option<(T, Evidence)> {
        let attributes = &self.function.attributes;
        attributes.iter().find_map(|attribute| Some((find(&attribute.of)?, Evidence::attribute(attribute))))
    }

    /// What states that the value at `position` is a text that ends at a NUL.
    pub(super) fn states_text(&self, position: usize) -> Option<Evidence> {
        self.stated(|of| (*of == AttributeKind::Text(position)).then_some(())).map(|(_, says)| says)
    }

    /// What states that the pointer at `position` points to exactly one value.
    pub(super) fn states_one(&self, position: usize) -> Option<Evidence> {
        self.stated(|of| (*of == AttributeKind::One(position)).then_some(())).map(|(_, says)| says)
    }

    /// What states that the pointer at `position` may point to anything.
    pub(super) fn states_anything(&self, position: usize) -> Option<Evidence> {
        self.stated(|of| (*of == AttributeKind::Anything(position)).then_some(())).map(|(_, says)| says)
    }

    /// What states that the value at `position` is a list.
    pub(super) fn states_list(&self, position: usize) -> Option<Evidence> {
        self.stated(|of| (*of == AttributeKind::List(position)).then_some(())).map(|(_, says)| says)
    }

    /// What states that the parameter at `position` is no output.
    pub(super) fn states_not_out(&self, position: usize) -> Option<Evidence> {
        self.stated(|of| (*of == AttributeKind::NotOut(position)).then_some(())).map(|(_, says)| says)
    }

    /// What states that the parameter at `position` is the value whose method the function is.
    pub(super) fn states_instance(&self, position: usize) -> Option<Evidence> {
        self.stated(|of| (*of == AttributeKind::Instance(position)).then_some(())).map(|(_, says)| says)
    }

    /// What states that callers outside C cannot call the function.
    pub(super) fn states_only_for_c(&self) -> Option<Evidence> {
        self.stated(|of| (*of == AttributeKind::OnlyForC).then_some(())).map(|(_, says)| says)
    }

    /// What states that the result has no owner yet.
    pub(super) fn states_floating(&self) -> Option<Evidence> {
        self.stated(|of| (*of == AttributeKind::Floating).then_some(())).map(|(_, says)| says)
    }

    /// What states that C does not own the parameter at `position` after the call.
    pub(super) fn states_lent(&self, position: usize) -> Option<Evidence> {
        self.gir_transfer(position).filter(|(of, _)| *of == Transfer::None).map(|(_, says)| says)
    }

    /// What states that C owns the memory at `position` after the call, which `g_malloc` gave.
    pub(super) fn states_given(&self, position: usize) -> Option<Evidence> {
        self.gir_transfer(position).filter(|(of, _)| *of != Transfer::None).map(|(_, says)| says)
    }

    /// What states that C leaves NULL behind the pointer at `position`, or returns it.
    pub(super) fn states_null(&self, position: usize) -> Option<Evidence> {
        let found = self.stated(|of| match of {
            AttributeKind::GivesNull(of) if *of == position => Some(()),
            AttributeKind::Nullable(of) if *of == position && position == RETURNS => Some(()),
            _ => None,
        });
        found.map(|(_, says)| says)
    }

    /// Whether a value may be NULL, as far as it is stated.
    pub(super) fn states_nullable(&self, position: usize) -> Option<(bool, Evidence)> {
        self.stated(|of| match of {
            AttributeKind::Nonnull(positions) if positions.is_empty() && position != RETURNS => Some(false),
            AttributeKind::Nonnull(positions) if positions.contains(&position) => Some(false),
            AttributeKind::Nullable(of) if *of == position => Some(true),
            _ => None,
        })
    }

    /// Whether an attribute says that the result is never NULL. A GIR file says so by default, which counts only if NULL
    /// tells that an error was left.
    pub(super) fn never_returns_null(&self) -> bool {
        let attributes = &self.function.attributes;
        let throws = attributes.iter().any(|attribute| attribute.of == AttributeKind::Throws);
        attributes.iter().any(|attribute| {
            let is_default = attribute.source == AttributeSource::Gir && !throws;
            attribute.of == AttributeKind::ReturnsNonnull && !is_default
        })
    }

    /// Who owns a value after the call.
    pub(super) fn transfer(&self, position: usize) -> Option<(Transfer, Evidence)> {
        self.stated(|of| match of {
            AttributeKind::Transfer(of, transfer) if *of == position => Some(*transfer),
            _ => None,
        })
    }

    /// The same, if a GIR file says it: memory that it gives is then freed by `g_free`.
    pub(super) fn gir_transfer(&self, position: usize) -> Option<(Transfer, Evidence)> {
        let attributes = self.function.attributes.iter();
        attributes.filter(|attribute| attribute.source == AttributeSource::Gir).find_map(|attribute| {
            match attribute.of {
                AttributeKind::Transfer(of, transfer) if of == position => {
                    Some((transfer, Evidence::attribute(attribute)))
                }
                _ => None,
            }
        })
    }

    /// What tells the length of a value, and whether it counts bytes.
    pub(super) fn states_length(&self, position: usize) -> Option<((Count, bool), Evidence)> {
        self.stated(|of| match of {
            AttributeKind::Length { pointer, count, is_bytes } if *pointer == position => {
                Some((*count, *is_bytes))
            }
            AttributeKind::Access { pointer, size: Some(size), .. } if *pointer == position => {
                Some((Count::Parameter(*size), false))
            }
            _ => None,
        })
    }

    /// The parameter in which C leaves how many elements of a buffer it wrote: its position, or the return value's.
    pub(super) fn states_written(&self, position: usize) -> Option<(usize, Evidence)> {
        self.stated(|of| match of {
            AttributeKind::Written { pointer, count } if *pointer == position => Some(*count),
            _ => None,
        })
    }

    /// The value of `x-length`.
    pub(super) fn x_length(&self, count: Count) -> Option<Value> {
        match count {
            Count::Parameter(position) => {
                self.parameters.get(position.checked_sub(1)?).map(|(name, _)| name.as_str().into())
            }
            Count::Constant(count) => Some(constant(count)),
            Count::Terminated => Some(json!({ "terminated": true })),
        }
    }
}
