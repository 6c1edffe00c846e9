//! How one parameter is passed: the only match over all variants of `Passing`.

use super::super::meaning::{Constant, Direction, Function, HandleRole, Passing, StateRole};
use super::given::{self, given};
use super::obligation;
use crate::c_type::CType;
use crate::plan::{
    Access, Back, CValue, Content, Default, Facts, Got, Kind, Memory, Obligation, Operand, Role, Shape,
    Types, View,
};

/// Everything that follows from how a parameter is passed.
pub(super) struct Travel {
    /// The type in C.
    pub(super) c: CValue,
    /// What a typed caller and a JSON caller pass.
    pub(super) argument: Option<(Shape, Option<Kind>)>,
    pub(super) is_optional: bool,
    pub(super) obligation: Option<Obligation>,
    /// The memory that is made for it before the call.
    pub(super) memory: Option<Memory>,
    pub(super) operand: Operand,
    /// What a caller gets from it, and whether that may be null.
    pub(super) outcome: Option<(Got, Kind, bool)>,
    pub(super) role: Role,
    pub(super) facts: Facts,
}

impl Travel {
    /// A parameter that the caller neither passes nor gets.
    fn silent(c: CValue, operand: Operand, role: Role) -> Self {
        Self {
            c,
            argument: None,
            is_optional: false,
            obligation: None,
            memory: None,
            operand,
            outcome: None,
            role,
            facts: Facts::default(),
        }
    }

    /// An argument.
    fn input(c: CValue, shape: Shape, kind: Kind, operand: Operand) -> Self {
        Self { argument: Some((shape, Some(kind))), ..Self::silent(c, operand, Role::In) }
    }

    /// Memory that C fills.
    fn output(c: CValue, memory: Memory, operand: Operand, got: Got, kind: Kind) -> Self {
        Self {
            memory: Some(memory),
            outcome: Some((got, kind, false)),
            ..Self::silent(c, operand, Role::Out)
        }
    }

    /// The same argument, which a JSON caller gets back if C writes to it.
    fn back(self, is_written: bool, back: Back) -> Self {
        if !is_written {
            return self;
        }
        let kind = match &self.argument {
            Some((_, Some(kind))) => kind.clone(),
            _ => return self,
        };
        let kind = match (kind, &back) {
            // C cannot change the length, but the schema of a reply does not promise it.
            (Kind::Fixed(of, _), _) => Kind::List(of),
            (Kind::Text(_), Back::Units(encoding)) => Kind::counted(*encoding, None),
            (kind, _) => kind,
        };
        let nullable = self.is_optional;
        Self { outcome: Some((Got::Back(back), kind, nullable)), role: Role::InOut, ..self }
    }
}

/// What follows from how the parameter at `index` is passed.
pub(super) fn travel(function: &Function, index: usize, types: &Types) -> Travel {
    let param = &function.params[index];
    let passing = &param.passing;
    let fixed = passing.array_length();
    let void = || CValue::scalar(CType::Void).pointer();
    let of_scalar = |c_type: CType, by_pointer: bool| {
        let scalar = CValue::scalar(c_type);
        if by_pointer { scalar.pointer() } else { scalar }
    };
    let local = |by_pointer: bool| if by_pointer { Operand::Address } else { Operand::Local };
    let is_optional = param.is_optional();
    let with = |travel: Travel| Travel { is_optional, ..travel };
    let travel = match passing {
        Passing::Value(scalar) => Travel::input(
            CValue::scalar(scalar.c_type),
            Shape::Scalar(*scalar),
            Kind::Scalar(*scalar),
            Operand::Scalar(*scalar),
        ),
        Passing::Str(text) => Travel::input(
            CValue::scalar(text.c_type).pointer().constant(),
            Shape::Text(*text),
            Kind::text(*text),
            Operand::Text(*text),
        ),
        Passing::Pointer(scalar) | Passing::InOut(scalar) => with(Travel::input(
            CValue::scalar(scalar.c_type).pointer(),
            Shape::Cell(*scalar),
            Kind::Scalar(*scalar),
            Operand::Cell(*scalar),
        ))
        .back(matches!(passing, Passing::InOut(_)), Back::Cell(*scalar)),
        Passing::Output(scalar) => Travel::output(
            CValue::scalar(scalar.c_type).pointer(),
            Memory::Zero(scalar.c_type),
            Operand::Address,
            Got::Scalar(*scalar),
            Kind::Scalar(*scalar),
        ),
        Passing::Slice { element, length, inout } => {
            let access = match (length, inout) {
                (None, _) => Access::Unchecked,
                (Some(_), true) => Access::Exclusive,
                (Some(_), false) => Access::Shared,
            };
            let pointer = CValue::element(*element).pointer();
            let c = if access == Access::Shared { pointer.constant() } else { pointer };
            let kind = Kind::list(Kind::element(*element), fixed);
            with(Travel::input(
                c,
                Shape::List { element: *element, fixed, access },
                kind,
                Operand::Elements(*element),
            ))
            .back(*inout, Back::List(*element))
        }
        Passing::Counted { c_type, encoding, length, inout } => {
            let exactly = match length {
                crate::plan::Amount::Const(count) => Some(*count),
                crate::plan::Amount::Param(_) | crate::plan::Amount::Ask { .. } => None,
            };
            let pointer = CValue::scalar(*c_type).pointer();
            let (c, access) =
                if *inout { (pointer, Access::Exclusive) } else { (pointer.constant(), Access::Shared) };
            with(Travel::input(
                c,
                Shape::Units { encoding: *encoding, fixed, access },
                Kind::counted(*encoding, exactly),
                Operand::Units(*c_type),
            ))
            .back(*inout, Back::Units(*encoding))
        }
        Passing::Strings { .. } => Travel {
            memory: Some(Memory::Pointers),
            ..Travel::input(
                CValue::scalar(CType::Char).pointer().pointer().constant(),
                Shape::Strings,
                Kind::list(Kind::plain_text(), None),
                Operand::Pointers,
            )
        },
        Passing::Buffer { content, capacity: Some(capacity), written } => Travel::output(
            CValue::content(*content).pointer(),
            Memory::Buffer { content: *content, capacity: capacity.clone() },
            Operand::Buffer,
            Got::Buffer { content: *content, written: *written },
            Kind::content(*content),
        ),
        Passing::Buffer { content, capacity: None, .. } => Travel {
            argument: Some((Shape::Room(*content), None)),
            outcome: matches!(content, Content::Text { .. })
                .then(|| (Got::Back(Back::Room), Kind::content(*content), false)),
            ..Travel::silent(CValue::content(*content).pointer(), Operand::Buffer, Role::Out)
        },
        Passing::Record { record, direction } => {
            let (value, pointer) = (CValue::record(*record), CValue::record(*record).pointer());
            let input = |c: CValue, access: Access, operand: Operand| {
                let shape = Shape::Record { record: *record, access };
                with(Travel::input(c, shape, Kind::Record(*record), operand))
            };
            match direction {
                Direction::In => input(pointer.constant(), Access::Shared, Operand::Record(*record)),
                Direction::InOut => input(pointer, Access::Exclusive, Operand::Record(*record))
                    .back(true, Back::Record(*record)),
                Direction::Value => input(value, Access::Owned, Operand::RecordValue(*record)),
                Direction::Out => Travel::output(
                    pointer,
                    Memory::Record(*record),
                    Operand::Address,
                    Got::Record(*record),
                    Kind::Record(*record),
                ),
            }
        }
        Passing::State { record, role } => {
            let pointer = CValue::record(*record).pointer();
            let input = |access: Access| {
                let shape = Shape::State { record: *record, access };
                Travel::input(pointer.clone(), shape, Kind::State(*record), Operand::State(*record))
            };
            match role {
                StateRole::Begins => Travel::output(
                    pointer,
                    Memory::State(*record),
                    Operand::State(*record),
                    Got::State(*record),
                    Kind::State(*record),
                ),
                StateRole::Used => input(Access::Exclusive),
                StateRole::Ends => {
                    Travel { memory: Some(Memory::Copy), role: Role::Ends, ..input(Access::Owned) }
                }
            }
        }
        Passing::Handle { handle, role } => {
            let input = |c: CValue, access: Access, operand: Operand| {
                let shape = Shape::Handle { handle: *handle, access };
                Travel::input(c, shape, Kind::Handle(*handle), operand)
            };
            match role {
                HandleRole::Borrowed => input(void(), Access::Shared, Operand::Handle),
                HandleRole::Consumed => {
                    Travel { role: Role::Ends, ..input(void(), Access::Owned, Operand::Released) }
                }
                HandleRole::ConsumedThrough => Travel {
                    role: Role::Ends,
                    ..input(void().pointer(), Access::Owned, Operand::ReleasedThrough)
                },
            }
        }
        Passing::Fetched(form) => {
            let given = given(form);
            let c = given.pointee.clone().pointer().pointer();
            let memory = Memory::Pointer { to: given.pointee, free: given.free };
            Travel {
                outcome: Some((given.got.clone(), given.kind.clone(), given.nullable)),
                ..Travel::output(c, memory, Operand::Fetch, given.got, given.kind)
            }
        }
        Passing::Callback(callback, _) => Travel::input(
            CValue::function(callback.clone()),
            Shape::Closure(callback.clone()),
            Kind::Callback,
            Operand::Function,
        ),
        Passing::UserData { callback } => {
            Travel::silent(void(), Operand::UserData(*callback), Role::UserData(*callback))
        }
        Passing::Constant { of: Constant::Scalar(scalar), value } => Travel::silent(
            CValue::scalar(scalar.c_type),
            Operand::Constant(*scalar, value.clone()),
            Role::Constant(value.clone(), scalar.view),
        ),
        Passing::Constant { of: Constant::Str(text), value } => {
            let shown = match value {
                Default::Text(shown) => shown.clone(),
                Default::Bool(_) | Default::Integer(_) | Default::Number(_) => String::new(),
            };
            Travel::silent(
                CValue::scalar(text.c_type).pointer().constant(),
                Operand::ConstantText(*text, shown),
                Role::Constant(value.clone(), View::Plain),
            )
        }
        Passing::Length { c_type, pointer, of, shown } => Travel {
            outcome: shown.then_some((Got::Count(*c_type), Kind::Count(*c_type), false)),
            ..Travel::silent(of_scalar(*c_type, *pointer), local(*pointer), Role::LengthOf(*of))
        },
        Passing::Capacity { c_type, pointer, of, given: true } => {
            let content = match &function.params[*of].passing {
                Passing::Buffer { content, .. } => *content,
                _ => Content::Text { c_type: CType::Char, encoding: crate::plan::Encoding::Utf8 },
            };
            Travel {
                memory: pointer.then_some(Memory::Copy),
                ..Travel::input(
                    of_scalar(*c_type, *pointer),
                    Shape::Capacity(*c_type),
                    Kind::Capacity { c_type: *c_type, buffer: *of, content },
                    local(*pointer),
                )
            }
        }
        Passing::Capacity { c_type, pointer, of, given: false } => Travel {
            memory: Some(Memory::Capacity { c_type: *c_type, of: *of, by_pointer: *pointer }),
            ..Travel::silent(of_scalar(*c_type, *pointer), local(*pointer), Role::RoomOf(*of))
        },
        Passing::Count { c_type } => Travel {
            memory: Some(Memory::Zero(*c_type)),
            ..Travel::silent(of_scalar(*c_type, true), Operand::Address, Role::Count)
        },
        Passing::Opaque { output: false } => Travel::input(void(), Shape::Raw, Kind::Opaque, Operand::Raw),
        Passing::Opaque { output: true } => {
            Travel { argument: Some((Shape::Raw, None)), ..Travel::silent(void(), Operand::Raw, Role::Out) }
        }
    };
    Travel { is_optional, obligation: obligation(passing, types), facts: facts(passing, types), ..travel }
}

/// What the document says about a parameter besides its type.
fn facts(passing: &Passing, types: &Types) -> Facts {
    match passing {
        Passing::Fetched(form) => given::facts(form, types),
        Passing::Buffer { capacity, written, .. } => {
            Facts { written: *written, ..Facts::with_length(capacity.as_ref()) }
        }
        Passing::Handle { handle, .. } => {
            Facts { handle: Some(types.handles[*handle].name.clone()), ..Facts::default() }
        }
        Passing::State { record, .. } => {
            Facts { handle: Some(types.records[*record].name.clone()), ..Facts::default() }
        }
        _ => Facts::with_length(passing.length()),
    }
}
