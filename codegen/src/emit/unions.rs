//! C unions: the type of their memory, and the enum that callers have for one with a tag.

use opendyn_model::plan::{Alive, Field, FieldType, Kind, Record, Scalar, Tagged, Union, UnionMember, View};

use super::records::asserted;
use super::safety::Reason;
use super::{Emitter, docs, ident};
use crate::tokens::{Ident, Literal, TokenStream, quote};

impl Emitter<'_> {
    /// A union as C has it.
    pub(super) fn union_type(&self, record: &Record, fields: &[Field]) -> TokenStream {
        let (name, shown) = (ident(&record.ident), &record.name);
        let docs = docs::attributes(&[format!("The C union `{shown}`.")]);
        let declared = fields.iter().map(|field| {
            let (name, of) = (ident(&field.ident), self.field_type(&field.of));
            let text = field.description.as_deref().map_or_else(|| format!("`{}`", field.key), docs::line);
            let docs = docs::attributes(&[text]);
            quote!(#docs pub #name: #of,)
        });
        let size =
            asserted(record.size.map(|size| size.value), &quote!(size_of::<#name>()), shown, "has {} bytes");
        let align = asserted(
            record.align.map(|align| align.value),
            &quote!(align_of::<#name>()),
            shown,
            "is aligned to {} bytes",
        );
        let plain = self.because(Reason::Plain);
        quote! {
            #docs
            #[derive(Clone, Copy)]
            #[repr(C)]
            pub union #name { #(#declared)* }

            #size
            #align
            #plain
            unsafe impl runtime::Plain for #name {}
        }
    }

    /// The enums for the unions of a struct that have a tag.
    pub(super) fn union_enums(&self, fields: &[Field]) -> TokenStream {
        fields.iter().filter_map(tagged).map(|tagged| self.union_enum(tagged)).collect()
    }

    fn union_enum(&self, tagged: &Tagged) -> TokenStream {
        let (name, tag) = (ident(&tagged.ident), self.c_type(tagged.c_type));
        let docs = docs::attributes(&[format!("The union `{}`, by its tag.", tagged.name)]);
        let variants = tagged.members.iter().map(|(_, member)| {
            let text = member.description.as_deref().map_or_else(|| format!("`{}`", member.key), docs::line);
            let docs = docs::attributes(&[text]);
            let (variant, of) = (ident(&member.variant), self.owned_type(&member.of));
            quote!(#docs #variant(#of),)
        });
        let empty = tagged.empty.map(|_| {
            quote!(
                /// No member is used.
                Empty,
            )
        });
        quote! {
            #docs
            #[derive(Clone, Debug, PartialEq)]
            pub enum #name {
                #(#variants)*
                #empty
                /// A tag that the document does not list. It cannot be passed.
                Unknown(#tag),
            }
        }
    }

    /// The type that callers have for a union.
    pub(super) fn owned_union(&self, union: &Union) -> TokenStream {
        match &union.alive {
            Alive::Tag(tagged) => {
                let name = ident(&tagged.ident);
                quote!(#name)
            }
            Alive::Member(member) => self.owned_type(&member.of),
            Alive::Nothing => self.c_type(opendyn_model::c_type::CType::Void),
        }
    }

    /// A union on its way to C. The memory is zero before.
    pub(super) fn lent_union(&self, field: &Field, union: &Union) -> TokenStream {
        let (name, key) = (ident(&field.ident), &field.key);
        match &union.alive {
            Alive::Nothing => TokenStream::new(),
            Alive::Member(member) => {
                let (of, value) = (ident(&member.ident), lent(member, &quote!(self.#name)));
                quote!(raw.#name.#of = #value;)
            }
            Alive::Tag(tagged) => {
                let (of, tag) = (ident(&tagged.ident), self.tag(field, tagged));
                let arms = tagged.members.iter().map(|(value, member)| {
                    let (variant, into) = (ident(&member.variant), ident(&member.ident));
                    let (value, given) = (number(*value), lent(member, &quote!(given)));
                    let given = if matches!(member.of, FieldType::Str(_)) { given } else { quote!(*#given) };
                    quote! {
                        #of::#variant(given) => {
                            raw.#tag = #value;
                            raw.#name.#into = #given;
                        }
                    }
                });
                let empty = tagged.empty.map(|value| {
                    let value = number(value);
                    quote!(#of::Empty => raw.#tag = #value,)
                });
                quote! {
                    match &self.#name {
                        #(#arms)*
                        #empty
                        #of::Unknown(tag) => raw.#tag = lent.unknown_tag(#key, *tag)?,
                    }
                }
            }
        }
    }

    /// What C left in a union.
    pub(super) fn copied_union(&self, field: &Field, union: &Union) -> TokenStream {
        let name = ident(&field.ident);
        let copied = |member: &UnionMember| {
            let of = ident(&member.ident);
            match member.of {
                FieldType::Str(_) => quote!(runtime::copied_string(raw.#name.#of)),
                _ => quote!(raw.#name.#of),
            }
        };
        match &union.alive {
            Alive::Nothing => TokenStream::new(),
            Alive::Member(member) => copied(member),
            Alive::Tag(tagged) => {
                let (of, tag) = (ident(&tagged.ident), self.tag(field, tagged));
                let arms = tagged.members.iter().map(|(value, member)| {
                    let (value, variant, copied) = (number(*value), ident(&member.variant), copied(member));
                    quote!(#value => #of::#variant(#copied),)
                });
                let empty = tagged.empty.map(|value| {
                    let value = number(value);
                    quote!(#value => #of::Empty,)
                });
                quote! {
                    match raw.#tag {
                        #(#arms)*
                        #empty
                        tag => #of::Unknown(tag),
                    }
                }
            }
        }
    }

    fn tag(&self, field: &Field, tagged: &Tagged) -> Ident {
        self.sibling(field, tagged.field)
    }

    /// A union for JSON: by its tag, or as the one member that is used. `record` is the type of the memory.
    pub(super) fn union_kind(
        &self,
        record: &Ident,
        fields: &[Field],
        field: &Field,
        union: &Union,
    ) -> TokenStream {
        let Alive::Tag(tagged) = &union.alive else { return self.kind(&field.kind()) };
        let (name, shown) = (ident(&field.ident), &tagged.name);
        let of = ident(&self.types.records[union.record].ident);
        let members = tagged.members.iter().map(|(_, member)| {
            let (key, kind) = (&member.key, self.kind(&Kind::field(&member.of)));
            quote!(runtime::Member::required(#key, #kind, 0))
        });
        let tags = tagged.members.iter().map(|(value, _)| number(*value));
        let empty = match tagged.empty {
            Some(value) => {
                let value = number(value);
                quote!(Some(#value))
            }
            None => quote!(None),
        };
        let tag = ident(&fields[tagged.field].ident);
        let of_tag = self.kind(&Kind::Scalar(Scalar { c_type: tagged.c_type, view: View::Plain }));
        quote! {
            runtime::Kind::Union(const {
                &runtime::Union {
                    of: runtime::Record {
                        name: #shown,
                        size: size_of::<#of>(),
                        align: align_of::<#of>(),
                        members: &[#(#members),*],
                    },
                    tags: &[#(#tags),*],
                    empty: #empty,
                    tag: runtime::Beside {
                        by: offset_of!(#record, #tag) as isize - offset_of!(#record, #name) as isize,
                        of: #of_tag,
                    },
                    unknown: runtime::Member::required("unknown", #of_tag, 0),
                }
            })
        }
    }
}

/// The union of a member, if it has a tag.
pub(super) fn tagged(field: &Field) -> Option<&Tagged> {
    match &field.of {
        FieldType::Union(union) => match &union.alive {
            Alive::Tag(tagged) => Some(tagged),
            Alive::Member(_) | Alive::Nothing => None,
        },
        _ => None,
    }
}

/// Whether a union needs memory that is lent, or to know whom it is for.
pub(super) fn is_lent(union: &Union) -> bool {
    match &union.alive {
        Alive::Tag(_) => true,
        Alive::Member(member) => matches!(member.of, FieldType::Str(_)),
        Alive::Nothing => false,
    }
}

/// A member of a union on its way to C.
fn lent(member: &UnionMember, given: &TokenStream) -> TokenStream {
    match member.of {
        FieldType::Str(_) => quote!(lent.text(#given.as_deref()).cast()),
        _ => quote!(#given),
    }
}

/// An integer as a literal or a pattern.
fn number(value: i64) -> TokenStream {
    let magnitude = Literal::u64_unsuffixed(value.unsigned_abs());
    if value < 0 { quote!(-#magnitude) } else { quote!(#magnitude) }
}
