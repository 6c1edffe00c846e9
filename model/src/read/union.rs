//! `x-union`: true, the name of a member, or a tag with the member for each of its values.

use opendyn_source::object::members;

use crate::diagnostic::Findings;
use crate::document::UnionOf;
use crate::json::Value;
use crate::keys::Place;
use crate::span::Spanned;

use super::key;
use super::object::Object;

pub(super) fn read(within: &Object<'_>, findings: &Findings) -> Option<Spanned<UnionOf>> {
    let node = within.optional("x-union")?;
    let span = node.span;
    let value = match &node.value {
        Value::Bool(true) => UnionOf::Unknown,
        Value::String(name) => UnionOf::Member(name.clone()),
        Value::Object(_) => {
            let object = Object::new(node, Place::Union, findings)?;
            let (tag, list) = (object.required_string("tag"), object.required("members"));
            let list = list.map(|list| {
                let read = |member: &crate::json::Member| {
                    let of = match &member.value.value {
                        Value::Null => None,
                        Value::String(name) => Some(Spanned { value: name.clone(), span: member.value.span }),
                        _ => {
                            object.wrong(&member.value, "members", "the name of a member, or null");
                            return None;
                        }
                    };
                    Some((key(member), of))
                };
                members(list, "`members` of `x-union`", findings).iter().map(read).collect()
            });
            object.finish();
            let members: Option<Vec<_>> = list?;
            UnionOf::Tag { tag: tag?, members: members? }
        }
        _ => {
            within.wrong(
                node,
                "x-union",
                "the name of a member, an object with `tag` and `members`, or true",
            );
            return None;
        }
    };
    Some(Spanned { value, span })
}
