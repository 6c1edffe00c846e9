//! From the IR to the description.

use opendyn_model::ir::{
    self, Binding, Body, CallArg, Constant, Convention, Default, Direction, Form, HandleRole, Json, Length,
    Passing, ReturnRole, StateRole, Types, Values, View, Written,
};
use serde_json::{Value, json};

use super::c::{self, Spelled};
use super::{
    Code, Description, Enum, Exchanged, Function, Handle, Library, Parameter, Role, Struct, StructMember,
    rust,
};
use crate::emit::{self, Exchange};

pub(crate) fn describe(binding: &Binding) -> Description {
    let library = binding.default_library.as_ref().map(|library| Library {
        variable: library.variable.clone(),
        linux: library.linux.clone(),
        macos: library.macos.clone(),
        windows: library.windows.clone(),
    });
    let types = &binding.types;
    let enums = types.enums.iter().enumerate().filter(|(index, _)| binding.shows_enum(*index));
    let handle = |handle: &ir::HandleType| Handle { name: handle.name.clone(), ident: handle.ident.clone() };
    Description {
        title: binding.title.clone(),
        description: binding.description.clone(),
        version: binding.version.clone(),
        binding: binding.ident.clone(),
        convention: if binding.convention == Convention::Stdcall { "stdcall" } else { "cdecl" },
        thread_safe: binding.thread_safe,
        library,
        functions: binding.functions.iter().map(|function| self::function(function, binding)).collect(),
        structs: types.records.iter().map(|record| structure(record, types)).collect(),
        enums: enums.filter_map(|(_, of)| enumeration(of)).collect(),
        handles: types.handles.iter().map(handle).collect(),
        codes: binding.codes.iter().map(code).collect(),
    }
}

fn code(code: &ir::Code) -> Code {
    Code { value: code.value, text: code.text.clone(), ident: code.ident.clone() }
}

fn function(function: &ir::Function, binding: &Binding) -> Function {
    let types = &binding.types;
    let exchanged = |value: Exchange<'_>, view: View| Exchanged {
        name: value.key.to_owned(),
        description: value.description.map(str::to_owned),
        schema: value.schema,
        required: value.required,
        default: value.default.map(|default| default_value(default, view)),
    };
    let view_of = |key: &str| match function.params.iter().find(|param| param.key == key) {
        Some(ir::Param { passing: Passing::Value(scalar), .. }) => scalar.view,
        _ => View::Plain,
    };
    let (arguments, results) = emit::exchange(function, types);
    Function {
        name: function.name.clone(),
        symbol: function.symbol.clone(),
        description: function.description.clone(),
        prototype: c::prototype(function, types, binding.convention == Convention::Stdcall),
        parameters: function.params.iter().map(|param| parameter(param, function, binding)).collect(),
        returns: function.returned.as_ref().map(|returned| self::returned(returned, function, binding)),
        variadic: function.variadic,
        optional: !function.required,
        signature: rust::signature(binding, function),
        refused: match &function.json {
            Json::Callable => None,
            Json::Refused(reason) => Some(reason.clone()),
        },
        arguments: arguments
            .into_iter()
            .map(|value| {
                let view = view_of(value.key);
                exchanged(value, view)
            })
            .collect(),
        results: results.into_iter().map(|value| exchanged(value, View::Plain)).collect(),
        success: match function.returned.as_ref().map(|returned| &returned.role) {
            Some(ReturnRole::Code(success)) => Some(success.clone()),
            _ => None,
        },
        annotations: function.annotations,
    }
}

fn parameter(param: &ir::Param, function: &ir::Function, binding: &Binding) -> Parameter {
    let types = &binding.types;
    let key = |index: usize| function.params[index].key.clone();
    let spelled = Spelled::of_parameter(&param.passing);
    let form = match &param.passing {
        Passing::Fetched(form) => Some(form),
        _ => None,
    };
    let (length, written) = match &param.passing {
        Passing::Buffer { capacity, written, .. } => {
            let written = written.as_ref().map(|written| match written {
                Written::Return => "return".to_owned(),
                Written::Param(index) => key(*index),
            });
            (capacity.as_ref(), written)
        }
        passing => (passing.length().or_else(|| form.and_then(form_length)), None),
    };
    let handle = match &param.passing {
        Passing::Handle { handle, .. } | Passing::Fetched(Form::Handle { handle, .. }) => {
            Some(types.handles[*handle].name.clone())
        }
        Passing::State { record, .. } => Some(types.records[*record].name.clone()),
        _ => None,
    };
    Parameter {
        name: param.key.clone(),
        description: param.description.clone(),
        c_type: spelled.declare("", types),
        abi: spelled.abi(types),
        role: role(&param.passing, function),
        length: length.map(|length| length_text(length, function, binding)),
        written,
        free: form.and_then(Form::free).map(|index| binding.functions[index].name.clone()),
        parent: form.and_then(form_parent).map(key),
        nullable: form.is_some_and(Form::is_nullable),
        handle,
    }
}

fn returned(returned: &ir::Returned, function: &ir::Function, binding: &Binding) -> Parameter {
    let form = &returned.form;
    let spelled = Spelled::of_return(form);
    let role = match &returned.role {
        ReturnRole::Result => Role::Out,
        ReturnRole::Code(_) => Role::Derived("a code".to_owned()),
        ReturnRole::Written => Role::Derived("how much was written".to_owned()),
    };
    Parameter {
        name: returned.key.clone(),
        description: returned.description.clone(),
        c_type: spelled.declare("", &binding.types),
        abi: spelled.abi(&binding.types),
        role,
        length: form_length(form).map(|length| length_text(length, function, binding)),
        written: None,
        free: form.free().map(|index| binding.functions[index].name.clone()),
        parent: form_parent(form).map(|index| function.params[index].key.clone()),
        nullable: form.is_nullable(),
        handle: match form {
            Form::Handle { handle, .. } => Some(binding.types.handles[*handle].name.clone()),
            _ => None,
        },
    }
}

fn form_length(form: &Form) -> Option<&Length> {
    match form {
        Form::Array { length, .. } => length.as_ref(),
        Form::Strings { length, .. } => Some(length),
        _ => None,
    }
}

fn form_parent(form: &Form) -> Option<usize> {
    match form {
        Form::Handle { parent, .. } => *parent,
        _ => None,
    }
}

fn length_text(length: &Length, function: &ir::Function, binding: &Binding) -> String {
    match length {
        Length::Param(index) => function.params[*index].key.clone(),
        Length::Const(count) => count.to_string(),
        Length::Call { function: called, args } => {
            let args: Vec<String> = args
                .iter()
                .map(|arg| match arg {
                    CallArg::Param(index) => function.params[*index].key.clone(),
                    CallArg::Integer(value) => value.to_string(),
                })
                .collect();
            format!("{}({})", binding.functions[*called].name, args.join(", "))
        }
    }
}

fn role(passing: &Passing, function: &ir::Function) -> Role {
    let key = |index: usize| &function.params[index].key;
    match passing {
        Passing::InOut(_)
        | Passing::Slice { inout: true, .. }
        | Passing::Counted { inout: true, .. }
        | Passing::Record { direction: Direction::InOut, .. } => Role::InOut,
        Passing::Value(_)
        | Passing::Str(_)
        | Passing::Pointer(_)
        | Passing::Slice { .. }
        | Passing::Counted { .. }
        | Passing::Strings { .. }
        | Passing::Record { direction: Direction::In | Direction::Value, .. }
        | Passing::State { role: StateRole::Used, .. }
        | Passing::Handle { role: HandleRole::Borrowed, .. }
        | Passing::Callback(_)
        | Passing::Capacity { given: true, .. }
        | Passing::Opaque { output: false } => Role::In,
        Passing::State { role: StateRole::Ends, .. } | Passing::Handle { .. } => Role::Ends,
        Passing::Output(_)
        | Passing::Buffer { .. }
        | Passing::Record { direction: Direction::Out, .. }
        | Passing::State { role: StateRole::Begins, .. }
        | Passing::Fetched(_)
        | Passing::Opaque { output: true } => Role::Out,
        Passing::UserData { callback } => Role::Derived(format!("handed to `{}`", key(*callback))),
        Passing::Constant { of, value } => {
            let view = match of {
                Constant::Scalar(scalar) => scalar.view,
                Constant::Str(_) => View::Plain,
            };
            Role::Derived(format!("always {}", default_value(value, view)))
        }
        Passing::Length { of, .. } => Role::Derived(format!("the length of `{}`", key(*of))),
        Passing::Capacity { of, .. } => Role::Derived(format!("the room in `{}`", key(*of))),
        Passing::Count { .. } => Role::Derived("how many C wrote".to_owned()),
    }
}

fn default_value(value: &Default, view: View) -> Value {
    match value {
        Default::Bool(value) => json!(value),
        Default::Integer(value) if view == View::Character => {
            json!(char::from(u8::try_from(*value).unwrap_or_default()).to_string())
        }
        Default::Integer(value) => u64::try_from(*value)
            .map_or_else(|_| json!(i64::try_from(*value).unwrap_or(i64::MIN)), |value| json!(value)),
        Default::Number(value) => json!(value),
        Default::Text(text) => json!(text),
    }
}

fn structure(record: &ir::Record, types: &Types) -> Struct {
    let members = match &record.body {
        Body::State { .. } => None,
        Body::Fields(fields) => Some(fields.iter().map(|field| member(field, types)).collect()),
    };
    let (size, align) = match record.body {
        Body::State { size, align } => (Some(size), Some(align)),
        Body::Fields(_) => (record.size, record.align),
    };
    Struct {
        name: record.name.clone(),
        ident: record.ident.clone(),
        description: record.description.clone(),
        size,
        align,
        members,
    }
}

fn member(field: &ir::Field, types: &Types) -> StructMember {
    let spelled = Spelled::of_member(&field.member);
    let view = match field.member {
        ir::Member::Scalar(scalar) => scalar.view,
        _ => View::Plain,
    };
    StructMember {
        name: field.key.clone(),
        description: field.description.clone(),
        declaration: spelled.declare(&field.key, types),
        abi: spelled.abi(types),
        schema: emit::member_schema(&field.member, types),
        required: field.required,
        default: field.default.as_ref().map(|default| default_value(default, view)),
    }
}

fn enumeration(of: &ir::Enumeration) -> Option<Enum> {
    let values = match &of.of {
        Values::Integers { variants, .. } => {
            variants.iter().map(|variant| (variant.name.clone(), json!(variant.value))).collect()
        }
        Values::Strings(variants) => {
            variants.iter().map(|variant| (variant.name.clone(), json!(variant.value))).collect()
        }
    };
    of.is_named().then(|| Enum {
        name: of.name.clone(),
        ident: of.ident.clone(),
        description: of.description.clone(),
        values,
    })
}
