//! How one parameter is passed: the only match over all variants of `Passing`.

use super::super::collect;
use super::super::items::HandleItems;
use super::super::meaning::{Constant, Direction, Function, HandleRole, Passing, StateRole};
use super::given::{self, given};
use super::obligation;
use crate::c_type::CType;
use crate::plan::{
    Access, Amount, Back, CBase, CSignature, CValue, Callback, CallbackValue, Content, Default, Element,
    Encoding, End, Facts, Got, HandleArray, Keeper, Kept, Kind, Memory, Obligation, Operand, Place, Role,
    Shape, Types, View,
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

    /// A string is a `&str` for a typed caller, if it is UTF-8 and not a value of an enum.
    pub(super) fn take_str(&mut self) {
        if let Some((Shape::Strings { as_str, .. }, _)) = &mut self.argument {
            *as_str = true;
        }
        if let Some((shape, _)) = &mut self.argument
            && let Shape::Text(text) = *shape
            && text.one_of.is_none()
            && matches!(text.encoding, Encoding::Utf8 | Encoding::Utf8Lossy)
        {
            *shape = Shape::Str(text);
        }
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
    // What C is not passed: a `size_t`, or a value of a member of a state.
    let own = match &param.passing {
        Passing::Length { c_type, pointer: true, .. } | Passing::Capacity { c_type, pointer: true, .. } => {
            CValue { stars: 1, ..CValue::scalar(*c_type) }
        }
        _ => CValue::scalar(CType::Size),
    };
    let declared = signature.params.get(index).unwrap_or(&own);
    let passing = &param.passing;
    let fixed = passing.array_length();
    let c = || declared.clone();
    let units = |c_type: CType| c().bound_to(c_type, declared.stars);
    let contents = |content: &Content| match content {
        Content::Text { c_type, .. } => units(*c_type),
        Content::Elements(_) | Content::Handles(_) => c(),
    };
    let local = |by_pointer: bool| if by_pointer { Operand::Address } else { Operand::Local };
    let owned = |record: usize| types.records[record].memory.is_some();
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
            let (memory, operand) = match (length, element) {
                (Some(Amount::Terminated), Element::Scalar(scalar)) => {
                    (Some(Memory::Terminated(*scalar)), Operand::Terminated(*scalar))
                }
                (_, Element::Record(record)) if owned(*record) => {
                    (Some(Memory::Loan(*record)), Operand::Loan(*record))
                }
                _ => (None, Operand::Elements(*element)),
            };
            let shape = Shape::List { element: *element, fixed, access };
            with(Travel { memory, ..Travel::input(c, shape, kind, operand) })
                .back(*inout, Back::List(*element))
        }
        Passing::Counted { c_type, encoding, length, inout } => {
            let exactly = match length {
                Amount::Const(count) => Some(*count),
                _ => None,
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
        Passing::Strings { length, nullable } => Travel {
            memory: Some(Memory::Pointers { terminated: *length == Amount::Terminated, nullable: *nullable }),
            ..Travel::input(
                units(CType::Char).constant(),
                Shape::Strings { nullable: *nullable, as_str: false },
                Kind::pointers(Kind::plain_text(), *nullable),
                Operand::Pointers,
            )
        },
        Passing::Handles { items, length } => {
            let (handle, nullable) = (items.handle, items.nullable);
            let terminated = *length == Amount::Terminated;
            let access = if items.taken.is_some() { Access::Owned } else { Access::Shared };
            let kind = Kind::pointers(Kind::Handle(handle), nullable);
            let input = Travel {
                memory: Some(Memory::Handles { terminated, nullable }),
                ..Travel::input(
                    c(),
                    Shape::Handles { handle, nullable, access },
                    kind.clone(),
                    Operand::Handles,
                )
            };
            match items.taken {
                Some(taking) => {
                    let got =
                        |into: usize| (Got::TakenAll { handle, into, nullable }, kind.clone(), is_optional);
                    let role = Role::Taken(taking.into.map(|(place, _)| place));
                    Travel { role, outcome: taking.param().map(got), ..input }
                }
                None => input,
            }
        }
        Passing::Buffer { content, capacity: Some(capacity), written, items: Some(items) } => {
            let HandleItems { handle, nullable, free, parents, .. } = items.clone();
            let of = HandleArray::Buffer(*written);
            Travel::output(
                c(),
                Memory::Buffer { content: *content, capacity: capacity.clone() },
                Operand::Buffer,
                Got::Handles { handle, of, nullable, free, parents },
                Kind::pointers(Kind::Handle(handle), nullable),
            )
        }
        Passing::Buffer { content, capacity: Some(capacity), written, items: None } => Travel::output(
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
            let lent = if owned(*record) { Operand::Loan(*record) } else { Operand::Record(*record) };
            let memory = owned(*record).then_some(Memory::Loan(*record));
            let has_rooms = types.records[*record].has_rooms(&types.records);
            match direction {
                Direction::In if !has_rooms => {
                    Travel { memory, ..input(c().constant(), Access::Shared, lent) }
                }
                // Buffers in the struct are results.
                Direction::In | Direction::InOut => {
                    let travel = input(c(), Access::Exclusive, lent).back(true, Back::Record(*record));
                    Travel { memory, ..travel }
                }
                Direction::Value => {
                    let passed = if owned(*record) {
                        Operand::LoanValue(*record)
                    } else {
                        Operand::RecordValue(*record)
                    };
                    Travel { memory, ..input(c(), Access::Owned, passed) }
                }
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
                StateRole::Begins { end, lasts } => {
                    let parents = match param.kept.map(|kept| kept.by) {
                        Some(Keeper::Param(parent)) => vec![parent],
                        Some(Keeper::Result(_) | Keeper::Forever) | None => Vec::new(),
                    };
                    let got = Got::State { record: *record, end: *end, parents, lasts: *lasts };
                    let memory = Memory::State { record: *record, leaks: *end == End::Unknown };
                    let kind = Kind::State(*record);
                    Travel::output(c(), memory, Operand::NewState(*record), got, kind)
                }
                // Rust never looks into the memory, so a shared reference is enough, as it is for a handle. C need not
                // expect one state twice.
                StateRole::Used if function.takes_twice(*record) => input(Access::Exclusive),
                // A call of a closure must not lend other memory through the same members.
                StateRole::Used if function.lends.iter().any(|lends| lends.state == index) => {
                    input(Access::Exclusive)
                }
                StateRole::Used => input(Access::Shared),
                StateRole::Ends { .. } => {
                    Travel { operand: Operand::Released, role: Role::Ends, ..input(Access::Owned) }
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
                HandleRole::Ending => input(Access::Exclusive, Operand::Handle),
                HandleRole::Consumed { through, .. } => {
                    let operand = if *through { Operand::ReleasedThrough } else { Operand::Released };
                    Travel { role: Role::Ends, ..input(Access::Owned, operand) }
                }
                HandleRole::Taken(taking) => {
                    let got = |into: usize| {
                        (Got::Taken { handle: *handle, into }, Kind::Handle(*handle), is_optional)
                    };
                    Travel {
                        role: Role::Taken(taking.into.map(|(place, _)| place)),
                        outcome: taking.param().map(got),
                        ..input(Access::Owned, Operand::Released)
                    }
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
        Passing::Callback(callback, _) => {
            let kind = match &callback.collect {
                Some(collect) => Kind::Collect { by_default: collect.default.unwrap_or(!is_optional) },
                None => Kind::Callback,
            };
            let shape = Shape::Closure(callback.clone());
            let mut input = Travel::input(self::callback(c(), callback), shape, kind, Operand::Function);
            if callback.progress.is_some()
                && let Some((_, kind)) = &mut input.argument
            {
                // Whoever waits gets it, and not the caller.
                *kind = None;
            }
            let calls = callback.collect.as_ref().filter(|collect| collect.into.is_none()).map(|_| {
                let back = Back::Calls { omitted: collect::omitted(&param.key) };
                (Got::Back(back), Kind::Calls(callback.collected()), is_optional)
            });
            Travel { outcome: calls, ..input }
        }
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
        Passing::Capacity { c_type, pointer, of, given: true } => Travel {
            memory: pointer.then_some(Memory::Copy),
            ..Travel::input(
                c(),
                Shape::Capacity(*c_type),
                Kind::Capacity { c_type: *c_type, buffer: *of, content: buffer_content(function, *of) },
                local(*pointer),
            )
        },
        Passing::Chosen { of } => Travel::input(
            c(),
            Shape::Capacity(CType::Size),
            Kind::Capacity { c_type: CType::Size, buffer: *of, content: buffer_content(function, *of) },
            Operand::Local,
        ),
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
    let travel = match param.taken {
        Some(taken) => {
            let units = match &travel.operand {
                Operand::Text(text) => text.c_type,
                Operand::Units(c_type) => *c_type,
                Operand::Elements(Element::Scalar(scalar)) => scalar.c_type,
                // C takes no other memory.
                _ => CType::Void,
            };
            // C may write to what it owns.
            let c = CValue { constant: false, ..travel.c };
            Travel { c, memory: Some(Memory::Taken(taken)), operand: Operand::Taken(units), ..travel }
        }
        None => travel,
    };
    let argument = travel.argument.map(|(shape, kind)| {
        // A capacity has a kind of its own; the step checks its limits.
        let is_capacity = matches!(kind, Some(Kind::Capacity { .. }));
        (shape, if is_capacity { kind } else { kind.map(|kind| kind.within(param.limits)) })
    });
    let kept = param.kept.filter(|_| !matches!(passing, Passing::State { .. }));
    let obligation = match (passing, kept) {
        (Passing::Handle { .. }, Some(Kept { by, .. })) => Some(Obligation::Outlives {
            keeper: match by {
                Keeper::Param(by) => Some(function.params[by].ident.clone()),
                Keeper::Result(_) | Keeper::Forever => None,
            },
        }),
        _ => match passing.taking().filter(|taking| taking.depends) {
            Some(taking) => Some(Obligation::Depends {
                into: taking.into.map(|(place, _)| match place {
                    Place::Param(into) => Some(function.params[into].ident.clone()),
                    Place::Returned => None,
                }),
            }),
            None => obligation(passing, types),
        },
    };
    Travel { argument, is_optional, obligation, facts: Facts { kept, ..facts(passing) }, ..travel }
}

/// What the buffer at `of` holds.
fn buffer_content(function: &Function, of: usize) -> Content {
    match &function.params[of].passing {
        Passing::Buffer { content, .. } => *content,
        _ => Content::Text { c_type: CType::Char, encoding: Encoding::Utf8 },
    }
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
            let parents = passing.handle_items().map_or_else(Vec::new, |items| items.parents.clone());
            Facts { written: *written, parents, ..Facts::with_length(capacity.as_ref()) }
        }
        _ => Facts::with_length(passing.length()),
    }
}
