//! One function: its C signature, what a caller gives and gets, and the steps of a call.

use crate::plan::{
    Amount, Annotations, Argument, CSignature, CValue, Default, Got, Operand, Outcome, Place, Step, View,
};

/// One function.
#[derive(Clone, Debug)]
pub struct Function {
    /// The name in JSON.
    pub name: String,
    /// The name in the library.
    pub symbol: String,
    /// What it does.
    pub description: String,
    /// Hints for models.
    pub annotations: Annotations,
    /// Whether the library must have it.
    pub required: bool,
    /// The names in Rust.
    pub names: Names,
    /// What C takes and returns.
    pub signature: CSignature,
    /// The C parameters, in order.
    pub params: Vec<Param>,
    /// What C returns.
    pub returned: Option<Returned>,
    /// What a caller gets: the return value, the outputs in order, and what only a JSON caller gets.
    pub outcomes: Vec<Outcome>,
    /// The steps of a call.
    pub steps: Vec<Step>,
    /// How a typed call can fail.
    pub failure: Failure,
    /// The indices of the parameters with handles that the outcomes live in.
    pub lenders: Vec<usize>,
    /// Whether calls can come as JSON.
    pub json: Json,
}

/// The names of a function in Rust.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// The method.
    pub method: String,
    /// The method that tells whether the library has it, for an optional function.
    pub has: String,
    /// The function pointer in the method: a name that no parameter has.
    pub callee: String,
    /// The return value in the method: a name that no parameter has.
    pub returned: String,
    /// The static of its table.
    pub table: String,
    /// The variant of the enum of symbols.
    pub symbol: String,
    /// The struct of its outcomes, where there are several.
    pub outputs: String,
    /// The function that frees with it.
    pub free: String,
}

/// A C parameter.
#[derive(Clone, Debug)]
pub struct Param {
    /// The name in JSON.
    pub key: String,
    /// The name in Rust.
    pub ident: String,
    /// What it means.
    pub description: Option<String>,
    /// What the caller gives for it; `None` if nothing.
    pub argument: Option<Argument>,
    /// What C is passed.
    pub operand: Operand,
    /// Who gives it, and who gets it.
    pub role: Role,
    /// What the document says of it beside its type.
    pub facts: Facts,
}

/// What C returns.
#[derive(Clone, Debug)]
pub struct Returned {
    /// The name in JSON.
    pub key: String,
    /// What it means.
    pub description: Option<String>,
    /// What it is for.
    pub role: Role,
    /// How a value is made of it.
    pub got: Got,
    /// What the document says of it beside its type.
    pub facts: Facts,
}

/// Who gives a value, and who gets it.
#[derive(Clone, Debug, PartialEq)]
pub enum Role {
    /// The caller gives it.
    In,
    /// The caller gives it and gets it back.
    InOut,
    /// The caller gets it.
    Out,
    /// The caller gives it for good: the call ends it.
    Ends,
    /// What a callback is handed back: the index of the callback's parameter.
    UserData(usize),
    /// Always the same.
    Constant(Default, View),
    /// The length of the array at this index.
    LengthOf(usize),
    /// How many elements the buffer at this index has room for.
    RoomOf(usize),
    /// How many elements C wrote.
    Count,
    /// The return value is a code; these are the codes of success.
    Code(Vec<i64>),
    /// The return value says how much C wrote.
    Written,
}

/// What the document says of a value beside its type.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// How many elements it has, or has room for.
    pub length: Option<Amount>,
    /// Where C leaves how many of them it wrote.
    pub written: Option<Place>,
    /// The index of the function that frees it.
    pub free: Option<usize>,
    /// The index of the parameter with the handle that it lives in.
    pub parent: Option<usize>,
    /// Whether NULL is a value that C may leave.
    pub nullable: bool,
}

/// How a typed call can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Not at all.
    Never,
    /// By a code alone.
    Code,
    /// In several ways.
    Call,
}

/// Whether calls can come as JSON.
#[derive(Clone, Debug)]
pub enum Json {
    /// They can.
    Callable(JsonCall),
    /// They cannot, for this reason.
    Refused(String),
}

/// What a call that comes as JSON needs beside its steps.
#[derive(Clone, Debug, Default)]
pub struct JsonCall {
    /// Whether it gives or gets tokens.
    pub uses_handles: bool,
    /// The indices of parameters whose tokens must differ: what the call changes or frees is lent once.
    pub distinct: Vec<usize>,
    /// Whether the library says how large a buffer is, so that its size has to be limited.
    pub limits_buffers: bool,
}

impl Function {
    /// Whether a caller of the method can break memory with it.
    #[must_use]
    pub fn is_unsafe(&self) -> bool {
        self.arguments().any(|(_, argument)| argument.obligation.is_some())
    }

    /// Whether a typed call can fail.
    #[must_use]
    pub fn is_fallible(&self) -> bool {
        self.failure != Failure::Never
    }

    /// The parameters that a typed caller gives, in order.
    pub fn arguments(&self) -> impl Iterator<Item = (&Param, &Argument)> {
        self.params.iter().filter_map(|param| Some((param, param.argument.as_ref()?)))
    }

    /// The parameters that a JSON caller gives, in order: their positions are those of the fields.
    pub fn inputs(&self) -> impl Iterator<Item = (&Param, &Argument)> {
        self.arguments().filter(|(_, argument)| argument.kind.is_some())
    }

    /// The position of the C parameter at `index` among the inputs.
    #[must_use]
    pub fn field(&self, index: usize) -> usize {
        self.params[..index]
            .iter()
            .filter(|param| param.argument.as_ref().is_some_and(|argument| argument.kind.is_some()))
            .count()
    }

    /// What a typed caller gets.
    #[must_use]
    pub fn results(&self) -> Vec<&Outcome> {
        self.outcomes.iter().filter(|outcome| outcome.is_typed()).collect()
    }

    /// The name in JSON of the place where C leaves a value.
    #[must_use]
    pub fn key_at(&self, place: Place) -> &str {
        match place {
            Place::Returned => "return",
            Place::Param(index) => &self.params[index].key,
        }
    }

    /// What the document says of the value that C leaves there.
    #[must_use]
    pub fn facts_at(&self, place: Place) -> Option<&Facts> {
        match place {
            Place::Returned => self.returned.as_ref().map(|returned| &returned.facts),
            Place::Param(index) => self.params.get(index).map(|param| &param.facts),
        }
    }

    /// `int add(int a, int b);`
    #[must_use]
    pub fn prototype(&self, types: &crate::plan::Types) -> String {
        let mut params: Vec<String> = self
            .params
            .iter()
            .zip(&self.signature.params)
            .take(self.signature.variadic.map_or(usize::MAX, |fixed| fixed.value))
            .map(|(param, value)| value.declare(&param.key, types))
            .collect();
        if self.signature.variadic.is_some() {
            params.push("...".to_owned());
        }
        let length: usize = params.iter().map(|param| param.len() + 2).sum();
        let params = match params.as_slice() {
            [] => "void".to_owned(),
            // As wide as a page is.
            params if length > 80 => format!("\n    {}", params.join(",\n    ")),
            params => params.join(", "),
        };
        let name = format!("{}{}({params});", self.signature.convention.prefix(), self.symbol);
        self.signature
            .returns
            .as_ref()
            .map_or_else(|| format!("void {name}"), |returns: &CValue| returns.declare(&name, types))
    }
}
