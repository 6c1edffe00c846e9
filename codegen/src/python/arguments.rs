//! How parameters get to C: what is read from the dict, what memory is made of it, and what is passed.

use super::kinds::{Kinds, by_value, c_type, encoding, literal};
use super::names::{Names, text};
use opendyn_model::ir::{
    Binding, CallArg, Constant, Default, Direction, Encoding, Function, Length, Param, Passing,
};

/// The statements before the call, and the types and values that are passed.
pub(super) struct Arguments {
    pub(super) lines: Vec<String>,
    pub(super) passed: Vec<(String, String)>,
}

impl Arguments {
    pub(super) fn new(binding: &Binding, function: &Function, names: &Names, kinds: &mut Kinds<'_>) -> Self {
        let params = || function.params.iter().enumerate();
        let keys: Vec<String> = function.inputs().map(|param| text(&param.key)).collect();
        let taken = if keys.is_empty() { "" } else { "given = " };
        let mut lines = vec![format!("{taken}_Arguments(tool_input, [{}])", keys.join(", "))];
        lines.extend(params().filter_map(|(index, param)| read(function, param, names.param(index), kinds)));
        // Lengths first: a function that tells a length may be given others.
        lines.extend(params().filter_map(|(index, param)| length(function, param, names, index)));
        lines.extend(params().filter_map(|(index, param)| memory(param, names, index, kinds)));
        for (index, param) in params() {
            lines.extend(check(binding, function, param, index, names, kinds));
        }
        lines.extend(
            params().filter_map(|(index, param)| buffer(binding, function, param, names, index, kinds)),
        );
        for (index, param) in params() {
            lines.extend(capacity(param, names, index));
        }
        let passed = params()
            .map(|(index, param)| (parameter_type(&param.passing, kinds), passed(param, names, index)))
            .collect();
        Self { lines, passed }
    }
}

/// What the caller gives.
fn read(function: &Function, param: &Param, name: &str, kinds: &mut Kinds<'_>) -> Option<String> {
    if !param.is_input() {
        return None;
    }
    let (key, mut default) = (text(&param.key), None);
    let kind = match &param.passing {
        Passing::Value(scalar) => {
            default = Some(param.default.as_ref().map_or_else(|| "0".to_owned(), literal));
            kinds.scalar(*scalar)
        }
        Passing::Pointer(scalar) | Passing::InOut(scalar) => kinds.scalar(*scalar),
        Passing::Str(of) => {
            let kind = kinds.string(*of);
            if let Some(Default::Text(value)) = &param.default {
                default = Some(format!("{kind}.read({}, '')", text(value)));
            }
            kind
        }
        Passing::Slice { element, length, .. } => {
            let element = kinds.element(*element);
            match length {
                Some(Length::Const(count)) => format!("_List({element}, {count})"),
                _ => format!("_List({element})"),
            }
        }
        Passing::Counted { encoding: of, length, .. } => {
            let exactly = match length {
                Length::Const(count) => format!(", exactly={count}"),
                Length::Param(_) | Length::Call { .. } => String::new(),
            };
            format!("_Text({}, counted=True{exactly})", encoding(*of))
        }
        Passing::Strings { .. } => "_List(_Text('utf-8'))".to_owned(),
        Passing::Record { record, direction } => {
            if *direction == Direction::Value {
                default = Some(format!("{}()", kinds.record_class(*record)));
            }
            kinds.record(*record)
        }
        Passing::Capacity { c_type: of, of: buffer, .. } => {
            let element = match &function.params[*buffer].passing {
                Passing::Buffer { content, .. } => kinds.content_type(*content),
                _ => "ctypes.c_ubyte".to_owned(),
            };
            format!("_Capacity('{}', {}, ctypes.sizeof({element}))", of.name(), c_type(*of))
        }
        _ => {
            return Some(format!("given.maybe({key}, _Nothing())"));
        }
    };
    Some(match (param.required, default) {
        (true, _) => format!("{name} = given.take({key}, {kind})"),
        (false, None) => format!("{name} = given.maybe({key}, {kind})"),
        (false, Some(default)) => format!("{name} = given.maybe({key}, {kind}, default={default})"),
    })
}

/// How many elements an input has that is there.
fn length_of(param: &Param, name: &str) -> String {
    match param.passing {
        Passing::Counted { encoding: Encoding::Utf16, .. } => format!("len({name}) // 2"),
        _ => format!("len({name})"),
    }
}

/// How long the arrays are that share the length of the one at `of`: all that are there.
fn shared_length(function: &Function, of: usize, names: &Names) -> String {
    let array = &function.params[of];
    if !array.is_optional() {
        return length_of(array, names.param(of));
    }
    let others = (0..function.params.len()).filter(|index| function.shares_length(*index) == Some(of));
    let arrays = std::iter::once(of).chain(others).map(|index| {
        let name = names.param(index);
        match function.params[index].passing {
            // Two bytes a unit.
            Passing::Counted { encoding: Encoding::Utf16, .. } => {
                format!("None if {name} is None else {name}[::2]")
            }
            _ => name.to_owned(),
        }
    });
    format!("_first({})", arrays.collect::<Vec<_>>().join(", "))
}

/// The length that C is told of an array.
fn length(function: &Function, param: &Param, names: &Names, index: usize) -> Option<String> {
    let Passing::Length { c_type: of, of: array, .. } = &param.passing else { return None };
    let (key, length) = (text(&function.params[*array].key), shared_length(function, *array, names));
    Some(format!("{} = _length({key}, {length}, {})", names.param(index), c_type(*of)))
}

/// The memory that C is given a pointer to.
fn memory(param: &Param, names: &Names, index: usize, kinds: &mut Kinds<'_>) -> Option<String> {
    let name = names.param(index);
    let made = match &param.passing {
        Passing::Str(_) | Passing::Counted { .. } => format!("_memory({name})"),
        Passing::Pointer(scalar) | Passing::InOut(scalar) if param.required => {
            format!("{}({name})", c_type(scalar.c_type))
        }
        Passing::Pointer(scalar) | Passing::InOut(scalar) => {
            format!("_pointed({}, {name})", c_type(scalar.c_type))
        }
        Passing::Output(scalar) => format!("{}()", c_type(scalar.c_type)),
        Passing::Count { c_type: of } => format!("{}()", c_type(*of)),
        Passing::Slice { element, .. } => format!("_array({}, {name})", kinds.element_type(*element)),
        Passing::Strings { .. } => format!("_strings({name})"),
        Passing::Record { record, direction: Direction::Out } => {
            return Some(format!("{name} = {}()", kinds.record_class(*record)));
        }
        Passing::Fetched(_) => "ctypes.c_void_p()".to_owned(),
        Passing::Length { c_type: of, pointer: true, .. }
        | Passing::Capacity { c_type: of, pointer: true, given: true, .. } => {
            format!("{}({name})", c_type(*of))
        }
        Passing::Constant { of: Constant::Str(_), value } => format!("_memory({}.encode())", literal(value)),
        _ => return None,
    };
    Some(format!("{} = {made}", names.memory(index)))
}

/// Whether an array is as long as it has to be.
fn check(
    binding: &Binding,
    function: &Function,
    param: &Param,
    index: usize,
    names: &Names,
    kinds: &mut Kinds<'_>,
) -> Vec<String> {
    let expected = if let Some(other) = function.shares_length(index) {
        shared_length(function, other, names)
    } else {
        match (param.passing.length(), &param.passing) {
            (Some(Length::Call { function: target, args }), _) => {
                called(binding, function, *target, args, names, kinds)
            }
            (Some(Length::Const(count)), Passing::Strings { .. }) => count.to_string(),
            // The others are looked at when they are read.
            _ => return Vec::new(),
        }
    };
    let name = names.param(index);
    let check = format!("_same({}, {}, {expected})", text(&param.key), length_of(param, name));
    if param.is_optional() {
        return vec![format!("if {name} is not None:"), format!("    {check}")];
    }
    vec![check]
}

/// What another function returns, called with values of this one.
pub(super) fn called(
    binding: &Binding,
    function: &Function,
    target: usize,
    args: &[CallArg],
    names: &Names,
    kinds: &mut Kinds<'_>,
) -> String {
    let called = &binding.functions[target];
    let types: Vec<String> =
        called.params.iter().map(|param| parameter_type(&param.passing, kinds)).collect();
    let args: Vec<String> = args
        .iter()
        .map(|arg| match arg {
            CallArg::Integer(value) => value.to_string(),
            CallArg::Param(index) => match function.params[*index].passing {
                Passing::Length { .. } | Passing::Capacity { .. } => names.param(*index).to_owned(),
                _ => passed(&function.params[*index], names, *index),
            },
        })
        .collect();
    let returns =
        called.returned.as_ref().map_or_else(|| "None".to_owned(), |returned| kinds.restype(&returned.form));
    format!("_function({}, {returns}, [{}])({})", text(&called.symbol), types.join(", "), args.join(", "))
}

/// The buffer that C fills.
fn buffer(
    binding: &Binding,
    function: &Function,
    param: &Param,
    names: &Names,
    index: usize,
    kinds: &mut Kinds<'_>,
) -> Option<String> {
    let Passing::Buffer { content, capacity: Some(capacity), .. } = &param.passing else { return None };
    let room = match capacity {
        Length::Param(index) => names.param(*index).to_owned(),
        Length::Const(count) => count.to_string(),
        // A function of the library says it, and that can be as much as it likes.
        Length::Call { function: target, args } => {
            format!("{}, limit=64 << 20", called(binding, function, *target, args, names, kinds))
        }
    };
    let (memory, key, of) = (names.memory(index), text(&param.key), kinds.content_type(*content));
    Some(format!("{memory} = _Buffer({key}, {of}, {room})"))
}

/// The capacity that C is told of a buffer, where the caller does not choose it.
fn capacity(param: &Param, names: &Names, index: usize) -> Vec<String> {
    let Passing::Capacity { c_type: of, pointer, of: buffer, given: false } = &param.passing else {
        return Vec::new();
    };
    let (name, of) = (names.param(index), c_type(*of));
    let mut lines = vec![format!("{name} = {}.counted({of})", names.memory(*buffer))];
    if *pointer {
        lines.push(format!("{} = {of}({name})", names.memory(index)));
    }
    lines
}

/// The type of a parameter: everything but values is an address.
fn parameter_type(passing: &Passing, kinds: &mut Kinds<'_>) -> String {
    match passing {
        Passing::Value(scalar) | Passing::Constant { of: Constant::Scalar(scalar), .. } => {
            by_value(scalar.c_type)
        }
        Passing::Record { record, direction: Direction::Value } => kinds.record_class(*record),
        Passing::Length { c_type: of, pointer: false, .. }
        | Passing::Capacity { c_type: of, pointer: false, .. } => c_type(*of),
        _ => "ctypes.c_void_p".to_owned(),
    }
}

/// What is passed for a parameter.
fn passed(param: &Param, names: &Names, index: usize) -> String {
    let (name, memory) = (names.param(index), names.memory(index));
    match &param.passing {
        Passing::Value(_)
        | Passing::Record { direction: Direction::Value, .. }
        | Passing::Length { pointer: false, .. }
        | Passing::Capacity { pointer: false, .. } => name.to_owned(),
        Passing::Constant { of: Constant::Scalar(_), value } => literal(value),
        Passing::Str(_)
        | Passing::Counted { .. }
        | Passing::Slice { .. }
        | Passing::Strings { .. }
        | Passing::Constant { of: Constant::Str(_), .. } => memory,
        Passing::Buffer { .. } => format!("{memory}.memory"),
        Passing::Record { direction: Direction::In | Direction::InOut, .. } if !param.required => {
            format!("_reference({name})")
        }
        Passing::Record { .. } => format!("ctypes.byref({name})"),
        Passing::Pointer(_) | Passing::InOut(_) if !param.required => format!("_reference({memory})"),
        Passing::Pointer(_)
        | Passing::InOut(_)
        | Passing::Output(_)
        | Passing::Fetched(_)
        | Passing::Count { .. }
        | Passing::Length { .. }
        | Passing::Capacity { .. } => format!("ctypes.byref({memory})"),
        // NULL: what the code cannot give was refused before.
        Passing::State { .. }
        | Passing::Handle { .. }
        | Passing::Callback(_)
        | Passing::UserData { .. }
        | Passing::Opaque { .. } => "None".to_owned(),
    }
}
