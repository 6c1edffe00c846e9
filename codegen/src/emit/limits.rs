//! The limits of arguments, checked before the call.

use opendyn_model::c_type::{CType, Class};
use opendyn_model::plan::{Element, Encoding, Field, FieldType, Limits, Record, Scalar, Shape};

use super::body::Body;
use super::kind::bound;
use super::{Emitter, ident};
use crate::tokens::{Literal, TokenStream, quote};

/// The check of an argument that is there.
type Check = Box<dyn Fn(&TokenStream) -> TokenStream>;

impl Body<'_> {
    /// Whether an argument is within the limits of its parameter.
    pub(super) fn limits(&mut self, param: usize) {
        let function = self.function;
        let (key, limits) = (&function.params[param].key, function.params[param].limits);
        let optional = self.is_optional(param);
        let Some(shape) = self.shape(param) else {
            // The length of an array, which the caller does not pass.
            let name = self.name(param);
            let check = range(limits, CType::Size, &quote!(#name));
            self.push(quote!(runtime::limited(#key, #check)?;));
            return;
        };
        let mut checks: Vec<Check> = Vec::new();
        match shape {
            Shape::Scalar(Scalar { c_type, .. }) => {
                let c_type = *c_type;
                checks.push(Box::new(move |given| {
                    range(limits, c_type, &if optional { quote!(*#given) } else { given.clone() })
                }));
            }
            Shape::Capacity(c_type) => {
                let c_type = *c_type;
                checks.push(Box::new(move |given| range(limits, c_type, given)));
            }
            Shape::Cell(Scalar { c_type, .. }) => {
                let c_type = *c_type;
                checks.push(Box::new(move |given| {
                    range(limits, c_type, &if optional { quote!(**#given) } else { quote!(*#given) })
                }));
            }
            Shape::Text(text) => {
                let wide = text.encoding == Encoding::Utf16;
                checks.extend(limits.length.map(|most| {
                    let length = if wide { quote!(len()) } else { quote!(count_bytes()) };
                    length_check("bytes_within", length, most)
                }));
            }
            Shape::Units { .. } | Shape::Str(_) => {
                checks.extend(limits.length.map(|most| length_check("bytes_within", quote!(len()), most)));
            }
            Shape::Strings { .. } | Shape::Handles { .. } => {
                checks.extend(limits.length.map(|most| length_check("elements_within", quote!(len()), most)));
            }
            Shape::List { element, .. } => {
                checks.extend(limits.length.map(|most| length_check("elements_within", quote!(len()), most)));
                match element {
                    Element::Scalar(Scalar { c_type, .. }) if limits.has_range() => {
                        let check = range(limits, *c_type, &quote!(*given));
                        checks.push(Box::new(
                            move |given| quote!(runtime::each_within(&#given[..], |given| #check)),
                        ));
                    }
                    Element::Record(record) if self.emitter().has_limits(*record) => {
                        checks.push(Box::new(|given| {
                            quote!(runtime::each_within(&#given[..], |given| {
                                runtime::LimitedStruct::check_limits(given)
                            }))
                        }));
                    }
                    Element::Scalar(_) | Element::Record(_) => {}
                }
            }
            Shape::Record { access, .. } => {
                let by_value = *access == opendyn_model::plan::Access::Owned && !optional;
                checks.push(Box::new(move |given| {
                    let given = if by_value { quote!(&#given) } else { given.clone() };
                    quote!(runtime::LimitedStruct::check_limits(#given))
                }));
            }
            Shape::Room(_) | Shape::State { .. } | Shape::Handle { .. } | Shape::Closure(_) | Shape::Raw => {}
        }
        for check in checks {
            self.given(param, &|given| {
                let check = check(given);
                quote!(runtime::limited(#key, #check)?;)
            });
        }
    }
}

impl Emitter<'_> {
    pub(super) fn has_limits(&self, record: usize) -> bool {
        self.types.records[record].has_limits(&self.types.records)
    }

    /// The check of the members of a struct, if some have limits.
    pub(super) fn limited_struct(&self, record: &Record) -> Option<TokenStream> {
        if !record.has_limits(&self.types.records) {
            return None;
        }
        let name = ident(&record.ident);
        let checks =
            record.fields().filter(|field| !field.hidden).filter_map(|field| self.limited_member(field));
        Some(quote! {
            impl runtime::LimitedStruct for #name {
                fn check_limits(&self) -> Result<(), opendyn::BeyondLimit> {
                    #(#checks)*
                    Ok(())
                }
            }
        })
    }

    fn limited_member(&self, field: &Field) -> Option<TokenStream> {
        let (name, key) = (ident(&field.ident), &field.key);
        let check = match &field.of {
            FieldType::Scalar(scalar) if field.limits.has_range() => {
                range(field.limits, scalar.c_type, &quote!(self.#name))
            }
            FieldType::Array { element: Element::Scalar(scalar), .. } if field.limits.has_range() => {
                let check = range(field.limits, scalar.c_type, &quote!(*given));
                quote!(runtime::each_within(&self.#name, |given| #check))
            }
            FieldType::Record(record) if self.has_limits(*record) => {
                quote!(runtime::LimitedStruct::check_limits(&self.#name))
            }
            FieldType::Array { element: Element::Record(record), .. } if self.has_limits(*record) => {
                quote!(runtime::each_within(&self.#name, |given| {
                    runtime::LimitedStruct::check_limits(given)
                }))
            }
            _ => return None,
        };
        Some(quote!(#check.map_err(|beyond| beyond.inside(#key))?;))
    }
}

/// The check of a number.
fn range(limits: Limits, c_type: CType, given: &TokenStream) -> TokenStream {
    let (least, most) = (bound(limits.least), bound(limits.most));
    if c_type.class() == Class::Floating {
        quote!(runtime::within(runtime::Real(f64::from(#given)), #least, #most))
    } else {
        quote!(runtime::within(#given, #least, #most))
    }
}

fn length_check(check: &'static str, length: TokenStream, most: u64) -> Check {
    let (check, most) = (ident(check), Literal::u64_unsuffixed(most));
    Box::new(move |given| quote!(runtime::#check(#given.#length, #most)))
}
