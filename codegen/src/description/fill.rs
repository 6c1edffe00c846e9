//! From the plan to the description.

use opendyn_model::opentool::{self, Exchange, default_value};
use opendyn_model::plan::{
    self, Amount, AskArg, Binding, Body, CValue, Factor, Facts, FreeBy, Json, Types, Values, Variant,
};
use serde_json::Value;

use super::{
    Code, Description, Enum, Exchanged, Function, Handle, Library, Parameter, Role, Struct, StructMember,
    json, rust,
};

pub(crate) fn describe(binding: &Binding) -> Description {
    let library = binding.default_library.as_ref().map(|library| Library {
        variable: library.variable.clone(),
        linux: library.linux.clone(),
        macos: library.macos.clone(),
        windows: library.windows.clone(),
    });
    let types = &binding.types;
    let handle =
        |handle: &plan::HandleType| Handle { name: handle.name.clone(), ident: handle.ident.clone() };
    Description {
        title: binding.title.clone(),
        description: binding.description.clone(),
        version: binding.version.clone(),
        binding: binding.ident.clone(),
        convention: binding.convention.name(),
        thread_safe: binding.thread_safe,
        library,
        init: binding.init.as_ref().map(|init| self::init(init, binding)),
        functions: binding
            .functions
            .iter()
            .enumerate()
            .map(|(index, function)| {
                let is_of_init = binding.init.as_ref().is_some_and(|init| init.names(index));
                Function { is_of_init, ..self::function(function, binding) }
            })
            .collect(),
        structs: types.records.iter().map(|record| structure(record, types)).collect(),
        enums: types.enums.iter().filter(|of| of.is_shown && of.is_named()).map(enumeration).collect(),
        handles: types.handles.iter().map(handle).collect(),
        codes: binding.codes.iter().map(code).collect(),
    }
}

/// The calls that begin and end the library.
fn init(init: &plan::Init, binding: &Binding) -> (String, Option<String>) {
    let name = |index: usize| &binding.functions[index].name;
    let args: Vec<String> = init.args.iter().map(i128::to_string).collect();
    let begin = format!("{}({})", name(init.function), args.join(", "));
    (begin, init.end.map(|end| format!("{}()", name(end))))
}

fn code(code: &plan::Code) -> Code {
    Code { value: code.value, text: code.text.clone(), name: code.name.clone(), ident: code.ident.clone() }
}

fn function(function: &plan::Function, binding: &Binding) -> Function {
    let signature = &function.signature;
    let (arguments, results) = opentool::exchange(function, &binding.types);
    let within = Within { function, binding };
    let parameters = function.params.iter().zip(&signature.params).map(|(param, c)| {
        within.parameter(&param.key, param.description.as_ref(), c, &param.role, &param.facts)
    });
    let returns = function.returned.as_ref().zip(signature.returns.as_ref()).map(|(returned, c)| {
        within.parameter(&returned.key, returned.description.as_ref(), c, &returned.role, &returned.facts)
    });
    Function {
        name: function.name.clone(),
        symbol: function.symbol.clone(),
        description: function.description.clone(),
        prototype: function.prototype(&binding.types),
        parameters: parameters.collect(),
        returns,
        variadic: signature.variadic.map(|fixed| fixed.value),
        optional: !function.required,
        signature: rust::signature(binding, function),
        is_of_init: false,
        refused: match &function.json {
            Json::Callable(_) => None,
            Json::Refused(refusal) => Some(refusal.reason.clone()),
        },
        arguments: arguments.into_iter().map(exchanged).collect(),
        results: results.into_iter().map(exchanged).collect(),
        success: match function.returned.as_ref().map(|returned| &returned.role) {
            Some(plan::Role::Code(success)) => Some(success.clone()),
            _ => None,
        },
        reports: function.reports(),
        cancel: function.cancel.as_ref().map(|cancel| binding.functions[cancel.function].name.clone()),
        annotations: function.annotations,
        tool: function.tool,
        hints: function.hints.clone(),
    }
}

fn exchanged(value: Exchange<'_>) -> Exchanged {
    Exchanged {
        name: value.key.to_owned(),
        description: value.description.map(str::to_owned),
        schema: json::object(&value.schema),
        required: value.required,
        default: value.default.as_ref().map(json::value),
    }
}

/// The function and the binding that the indices of a value refer to.
struct Within<'b> {
    function: &'b plan::Function,
    binding: &'b Binding,
}

impl Within<'_> {
    fn parameter(
        &self,
        name: &str,
        description: Option<&String>,
        c: &CValue,
        role: &plan::Role,
        facts: &Facts,
    ) -> Parameter {
        let types = &self.binding.types;
        Parameter {
            name: name.to_owned(),
            description: description.cloned(),
            c_type: c.declare("", types),
            abi: c.abi(types),
            role: self.role(role),
            length: facts.length.as_ref().map(|length| self.length(length)),
            written: facts.written.map(|place| self.function.key_at(place).to_owned()),
            free: facts.free.map(|index| self.free(index)),
            parent: joined(facts.parents.iter().map(|index| self.key(*index))),
            until: joined(facts.until.iter().map(|index| self.binding.functions[*index].name.as_str())),
            nullable: facts.nullable,
            handle: c.handle(types).map(str::to_owned),
        }
    }

    /// What frees a value.
    fn free(&self, index: usize) -> String {
        let types = &self.binding.types;
        match &types.frees[index].by {
            FreeBy::Function { function, .. } => self.binding.functions[*function].name.clone(),
            FreeBy::Symbol(symbol) | FreeBy::Variable(symbol) => types.symbols[*symbol].name.value.clone(),
        }
    }

    fn key(&self, param: usize) -> &str {
        &self.function.params[param].key
    }

    fn factors(&self, factors: &[Factor]) -> Vec<String> {
        let factor = |factor: &Factor| match factor {
            Factor::Param(index) => self.key(*index).to_owned(),
            Factor::Const(value) => value.to_string(),
            Factor::Asked(amount) => self.length(amount),
        };
        factors.iter().map(factor).collect()
    }

    fn length(&self, length: &Amount) -> String {
        match length {
            Amount::Param(index) => self.key(*index).to_owned(),
            Amount::Const(count) => count.to_string(),
            Amount::Member { record, field } => {
                let member = self.binding.types.records[*record].fields().nth(*field);
                member.map_or_else(String::new, |member| member.key.clone())
            }
            Amount::Product(factors) => self.factors(factors).join(" * "),
            Amount::Sum(terms) => self.factors(terms).join(" + ").replace(" + -", " - "),
            Amount::Terminated => "up to a zero".to_owned(),
            Amount::Ask { function, args, output } => {
                let args: Vec<String> = args
                    .iter()
                    .map(|arg| match arg {
                        AskArg::Param(index) => self.key(*index).to_owned(),
                        AskArg::Integer(value) => value.to_string(),
                        AskArg::Left(index) => self.key(*index).to_owned(),
                        // A length is asked before the call.
                        AskArg::Returned | AskArg::Asked(_) => "return".to_owned(),
                    })
                    .collect();
                let asked = &self.binding.functions[*function];
                let output = output.map_or_else(String::new, |index| format!(".{}", asked.params[index].key));
                format!("{}({}){output}", asked.name, args.join(", "))
            }
        }
    }

    fn role(&self, role: &plan::Role) -> Role {
        let derived = match role {
            plan::Role::In => return Role::In,
            plan::Role::InOut => return Role::InOut,
            plan::Role::Out => return Role::Out,
            plan::Role::Ends => return Role::Ends,
            plan::Role::Taken(into) => {
                return Role::Taken(into.map(|into| match into {
                    plan::Place::Param(into) => self.key(into).to_owned(),
                    plan::Place::Returned => "return".to_owned(),
                }));
            }
            plan::Role::UserData(callback) => format!("passed to `{}`", self.key(*callback)),
            plan::Role::Constant(value, view) => format!("always {}", default_value(value, *view)),
            plan::Role::LengthOf(array) => format!("the length of `{}`", self.key(*array)),
            plan::Role::RoomOf(buffer) => format!("the capacity of `{}`", self.key(*buffer)),
            plan::Role::Count => "the number of elements that C wrote".to_owned(),
            plan::Role::Code(_) => "a code".to_owned(),
            plan::Role::Written => "the amount that C wrote".to_owned(),
        };
        Role::Derived(derived)
    }
}

fn structure(record: &plan::Record, types: &Types) -> Struct {
    let (members, size, align) = match &record.body {
        Body::State { size, align, .. } => (None, Some(*size), Some(*align)),
        Body::Fields(fields) => {
            let members = fields.iter().map(|field| member(field, types)).collect();
            (Some(members), record.size.map(|size| size.value), record.align.map(|align| align.value))
        }
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

fn member(field: &plan::Field, types: &Types) -> StructMember {
    let c = CValue::field(&field.of);
    let view = field.kind().view();
    StructMember {
        name: field.key.clone(),
        description: field.description.clone(),
        declaration: c.declare(&field.key, types),
        abi: c.abi(types),
        schema: opentool::field_schema(field, types).as_ref().map(json::object),
        required: field.required,
        default: field.default.as_ref().map(|default| json::value(&default_value(default, view))),
    }
}

fn enumeration(of: &plan::Enumeration) -> Enum {
    fn named<T: Clone + Into<Value>>(variants: &[Variant<T>]) -> Vec<(String, Value)> {
        variants.iter().map(|variant| (variant.name.clone(), variant.value.clone().into())).collect()
    }
    Enum {
        name: of.name.clone(),
        ident: of.ident.clone(),
        description: of.description.clone(),
        values: match &of.of {
            Values::Integers { variants, .. } => named(variants),
            Values::Strings(variants) => named(variants),
        },
    }
}

/// Names as one text; `None` for none.
fn joined<'n>(names: impl Iterator<Item = &'n str>) -> Option<String> {
    let names: Vec<&str> = names.collect();
    (!names.is_empty()).then(|| names.join(", "))
}
