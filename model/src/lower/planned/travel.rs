//! How one parameter is passed: the only match over all variants of `Passing`.

use super::super::meaning::{Constant, Direction, Function, HandleRole, Passing, StateRole};
use super::given::{self, given};
use super::obligation;
use crate::c_type::CType;
use crate::plan::{
    Access, Back, CBase, CSignature, CValue, Callback, CallbackValue, Content, Default, Facts, Got, Kind,
    Memory, Obligation, Operand, Role, Shape, Types, View,
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
pub(super) fn travel(function: &Function, index: usize, signature: &CSignature, types: &Types) -> Travel {
    let param = &function.params[index];
    let declared = &signature.params[index];
    let passing = &param.passing;
    let fixed = passing.array_length();
    let c = || declared.clone();
    let units = |c_type: CType| c().bound_to(c_type, declared.stars);
    let contents = |content: &Content| match content {
        Content::Text { c_type, .. } => units(*c_type),
        Content::Elements(_) => c(),
    };
    let local = |by_pointer: bool| if by_pointer { Operand::Address } else { Operand::Local };
    let is_optional = param.is_optional();
    let with = |travel: Travel| Travel { is_optional, ..travel };
    let travel = match passing {
        Passing::Value(scalar) => {
            Travel::input(c(), Shape::Scalar(*scalar), Kind::Scalar(*scalar), Operand::Scalar(*scalar))
        }
        Passing::Str(text) => Travel::input(
            units(text.c_type).constant(),
            Shape::Text(*text),
            Kind::text(*text),
            Operand::Text(*text),
        ),
        Passing::Pointer(scalar) | Passing::InOut(scalar) => {
            with(Travel::input(c(), Shape::Cell(*scalar), Kind::Scalar(*scalar), Operand::Cell(*scalar)))
                .back(matches!(passing, Passing::InOut(_)), Back::Cell(*scalar))
        }
        Passing::Output(scalar) => Travel::output(
            c(),
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
            let c = if access == Access::Shared { c().constant() } else { c() };
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
            let pointer = units(*c_type);
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
                units(CType::Char).constant(),
                Shape::Strings,
                Kind::list(Kind::plain_text(), None),
                Operand::Pointers,
            )
        },
        Passing::Buffer { content, capacity: Some(capacity), written } => Travel::output(
            contents(content),
            Memory::Buffer { content: *content, capacity: capacity.clone() },
            Operand::Buffer,
            Got::Buffer { content: *content, written: *written },
            Kind::content(*content),
        ),
        Passing::Buffer { content, capacity: None, .. } => Travel {
            argument: Some((Shape::Room(*content), None)),
            outcome: matches!(content, Content::Text { .. })
                .then(|| (Got::Back(Back::Room), Kind::content(*content), false)),
            ..Travel::silent(contents(content), Operand::Buffer, Role::Out)
        },
        Passing::Record { record, direction } => {
            let input = |c: CValue, access: Access, operand: Operand| {
                let shape = Shape::Record { record: *record, access };
                with(Travel::input(c, shape, Kind::Record(*record), operand))
            };
            match direction {
                Direction::In => input(c().constant(), Access::Shared, Operand::Record(*record)),
                Direction::InOut => {
                    input(c(), Access::Exclusive, Operand::Record(*record)).back(true, Back::Record(*record))
                }
                Direction::Value => input(c(), Access::Owned, Operand::RecordValue(*record)),
                Direction::Out => Travel::output(
                    c(),
                    Memory::Record(*record),
                    Operand::Address,
                    Got::Record(*record),
                    Kind::Record(*record),
                ),
            }
        }
        Passing::State { record, role } => {
            let input = |access: Access| {
                let shape = Shape::State { record: *record, access };
                Travel::input(c(), shape, Kind::State(*record), Operand::State(*record))
            };
            match role {
                StateRole::Begins => Travel::output(
                    c(),
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
            let input = |access: Access, operand: Operand| {
                let shape = Shape::Handle { handle: *handle, access };
                Travel::input(c(), shape, Kind::Handle(*handle), operand)
            };
            match role {
                HandleRole::Borrowed => input(Access::Shared, Operand::Handle),
                HandleRole::Consumed => {
                    Travel { role: Role::Ends, ..input(Access::Owned, Operand::Released) }
                }
                HandleRole::ConsumedThrough => {
                    Travel { role: Role::Ends, ..input(Access::Owned, Operand::ReleasedThrough) }
                }
            }
        }
        Passing::Fetched(form) => {
            let given = given(form, declared);
            // C is passed the address of the pointer, and what is behind the pointer it writes itself.
            let c = CValue { constant: false, ..given.c };
            let memory = Memory::Pointer { to: CValue { stars: 0, ..c.bound() }, free: given.free };
            Travel {
                outcome: Some((given.got.clone(), given.kind.clone(), given.nullable)),
                ..Travel::output(c, memory, Operand::Fetch, given.got, given.kind)
            }
        }
        Passing::Callback(callback, _) => Travel::input(
            self::callback(c(), callback),
            Shape::Closure(callback.clone()),
            Kind::Callback,
            Operand::Function,
        ),
        Passing::UserData { callback } => {
            Travel::silent(c(), Operand::UserData(*callback), Role::UserData(*callback))
        }
        Passing::Constant { of: Constant::Scalar(scalar), value } => Travel::silent(
            c(),
            Operand::Constant(*scalar, value.clone()),
            Role::Constant(value.clone(), scalar.view),
        ),
        Passing::Constant { of: Constant::Str(text), value } => {
            let shown = match value {
                Default::Text(shown) => shown.clone(),
                Default::Bool(_) | Default::Integer(_) | Default::Number(_) => String::new(),
            };
            Travel::silent(
                units(text.c_type).constant(),
                Operand::ConstantText(*text, shown),
                Role::Constant(value.clone(), View::Plain),
            )
        }
        Passing::Length { c_type, pointer, of, shown } => Travel {
            outcome: shown.then_some((Got::Count(*c_type), Kind::Count(*c_type), false)),
            ..Travel::silent(c(), local(*pointer), Role::LengthOf(*of))
        },
        Passing::Capacity { c_type, pointer, of, given: true } => {
            let content = match &function.params[*of].passing {
                Passing::Buffer { content, .. } => *content,
                _ => Content::Text { c_type: CType::Char, encoding: crate::plan::Encoding::Utf8 },
            };
            Travel {
                memory: pointer.then_some(Memory::Copy),
                ..Travel::input(
                    c(),
                    Shape::Capacity(*c_type),
                    Kind::Capacity { c_type: *c_type, buffer: *of, content },
                    local(*pointer),
                )
            }
        }
        Passing::Capacity { c_type, pointer, of, given: false } => Travel {
            memory: Some(Memory::Capacity { c_type: *c_type, of: *of, by_pointer: *pointer }),
            ..Travel::silent(c(), local(*pointer), Role::RoomOf(*of))
        },
        Passing::Count { c_type } => Travel {
            memory: Some(Memory::Zero(*c_type)),
            ..Travel::silent(c(), Operand::Address, Role::Count)
        },
        Passing::Opaque { output: false } => Travel::input(c(), Shape::Raw, Kind::Opaque, Operand::Raw),
        Passing::Opaque { output: true } => {
            Travel { argument: Some((Shape::Raw, None)), ..Travel::silent(c(), Operand::Raw, Role::Out) }
        }
    };
    Travel { is_optional, obligation: obligation(passing, types), facts: facts(passing), ..travel }
}

/// The C type of a callback, with the names and types that bindings declare.
fn callback(c: CValue, callback: &Callback) -> CValue {
    let CBase::Function(mut declared) = c.base else { return c };
    for ((name, value), param) in declared.params.iter_mut().zip(&callback.params) {
        param.ident.trim_start_matches("r#").clone_into(name);
        let c = value.clone();
        *value = match &param.value {
            CallbackValue::Scalar(_) | CallbackValue::Length { .. } => c,
            CallbackValue::Str { .. } | CallbackValue::Slice { .. } | CallbackValue::Record { .. } => {
                c.constant()
            }
            CallbackValue::Strings { .. } => c.constant().bound_to(CType::Char, 2),
            CallbackValue::UserData | CallbackValue::Opaque => c.bound_to(CType::Void, 1),
        };
    }
    CValue { base: CBase::Function(declared), ..c }
}

/// What the document says about a parameter besides its type.
fn facts(passing: &Passing) -> Facts {
    match passing {
        Passing::Fetched(form) => given::facts(form),
        Passing::Buffer { capacity, written, .. } => {
            Facts { written: *written, ..Facts::with_length(capacity.as_ref()) }
        }
        _ => Facts::with_length(passing.length()),
    }
}
