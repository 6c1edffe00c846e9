//! One function: its C signature, what a caller passes and gets, and the steps of a call.

use crate::plan::{
    Amount, Annotations, Argument, CSignature, CValue, Cancel, Default, Got, Keeper, Kept, Limits, Operand,
    Outcome, Place, Progress, Read, Shape, Step, View,
};

/// One function.
#[derive(Clone, Debug)]
pub struct Function {
    /// The name in JSON.
    pub name: String,
    /// The name in the library; empty if it is not a function of the library, but reads a member.
    pub symbol: String,
    /// What it does.
    pub description: String,
    /// The effects of a call, for models.
    pub annotations: Annotations,
    /// Whether models are offered it, if the document says so.
    pub tool: Option<bool>,
    /// What a caller can do after a failure, by its code.
    pub hints: Vec<(i64, String)>,
    /// Whether the library must have it.
    pub required: bool,
    /// The names in Rust.
    pub names: Names,
    /// What the method belongs to.
    pub receiver: Receiver,
    /// What C takes and returns.
    pub signature: CSignature,
    /// The C parameters, in order; behind them, locals that C is not passed and that steps fill.
    pub params: Vec<Param>,
    /// What C returns.
    pub returned: Option<Returned>,
    /// What a caller gets: the return value, the outputs in order, and what only a JSON caller gets.
    pub outcomes: Vec<Outcome>,
    /// The steps of a call.
    pub steps: Vec<Step>,
    /// How a typed call can fail.
    pub failure: Failure,
    /// What a failed call gives back.
    pub gives_back: Option<GivesBack>,
    /// The indices of the parameters with handles that the outcomes must not outlive.
    pub lenders: Vec<usize>,
    /// How a running call is ended from another thread, if it can be.
    pub cancel: Option<Cancel>,
    /// Whether it can be called with JSON.
    pub json: Json,
}

/// What a method belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Receiver {
    /// The binding.
    #[default]
    Binding,
    /// A type of handles: the parameter `param` is `self`.
    Handle {
        /// The index of the parameter.
        param: usize,
        /// The index of the handle type.
        handle: usize,
    },
    /// A type of states: the parameter `param` is `self`.
    State {
        /// The index of the parameter.
        param: usize,
        /// The index of the record.
        record: usize,
    },
}

impl Receiver {
    /// The index of the parameter that is `self`.
    #[must_use]
    pub fn param(self) -> Option<usize> {
        match self {
            Self::Binding => None,
            Self::Handle { param, .. } | Self::State { param, .. } => Some(param),
        }
    }
}

/// The names of a function in Rust.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// The method. No other method of its type has this name.
    pub method: String,
    /// The method of the binding that tells whether the library has an optional function.
    pub has: String,
    /// The binding in a method of another type. No parameter has this name.
    pub binding: String,
    /// The function pointer in the method. No parameter has this name.
    pub callee: String,
    /// The return value in the method. No parameter has this name.
    pub returned: String,
    /// The error of the system in the method. No parameter has this name.
    pub errno: String,
    /// The static of its table.
    pub table: String,
    /// The variant of the enum of symbols.
    pub symbol: String,
    /// The struct of its outcomes, if there are several.
    pub outputs: String,
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
    /// What the caller passes for it; `None` for nothing.
    pub argument: Option<Argument>,
    /// What is passed to C.
    pub operand: Operand,
    /// Who provides it, and who gets it.
    pub role: Role,
    /// What the document says about it besides its type.
    pub facts: Facts,
    /// The values that a caller may pass.
    pub limits: Limits,
}

impl Param {
    /// Whether the caller gives up memory, because a handle keeps it for C.
    #[must_use]
    pub fn moves(&self) -> bool {
        let is_handle =
            self.argument.as_ref().is_some_and(|argument| matches!(argument.shape, Shape::Handle { .. }));
        !is_handle && self.facts.kept.is_some_and(|kept| kept.by != Keeper::Forever)
    }

    /// Whether C keeps memory of the caller for good.
    #[must_use]
    pub fn is_kept_for_good(&self) -> bool {
        self.facts.kept.is_some_and(|kept| kept.by == Keeper::Forever)
    }
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
    /// How an outcome is made from it.
    pub got: Got,
    /// What the document says about it besides its type.
    pub facts: Facts,
}

/// Who provides a value, and who gets it.
#[derive(Clone, Debug, PartialEq)]
pub enum Role {
    /// The caller passes it.
    In,
    /// The caller passes it and gets it back.
    InOut,
    /// The caller gets it.
    Out,
    /// The caller gives it up: the call ends it.
    Ends,
    /// The caller gives it up: it is C's from now on, for good or in the handle at this place.
    Taken(Option<Place>),
    /// The user data of the callback at this index.
    UserData(usize),
    /// Always the same.
    Constant(Default, View),
    /// The length of the array at this index.
    LengthOf(usize),
    /// The capacity of the buffer at this index, in elements.
    RoomOf(usize),
    /// The number of elements that C wrote.
    Count,
    /// The return value is a code; these codes mean success.
    Code(Vec<i64>),
    /// The return value is the number of elements that C wrote.
    Written,
}

/// What the document says about a value besides its type.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Its number of elements, or its capacity.
    pub length: Option<Amount>,
    /// Where C writes the number of elements that it wrote.
    pub written: Option<Place>,
    /// The index of the way to free it.
    pub free: Option<usize>,
    /// The indices of the parameters with the handles that it must not outlive.
    pub parents: Vec<usize>,
    /// The indices of the functions that end it.
    pub until: Vec<usize>,
    /// Whether C may set it to NULL.
    pub nullable: bool,
    /// Until when C uses it after the call.
    pub kept: Option<Kept>,
}

/// The arguments that a caller gives up, and gets back if the call fails.
#[derive(Clone, Debug, PartialEq)]
pub struct GivesBack {
    /// The indices of the parameters.
    pub params: Vec<usize>,
    /// Whether every failure gives them back. Otherwise some come after C has taken them.
    pub every_time: bool,
}

/// How a typed call can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It cannot.
    Never,
    /// Only with a code.
    Code,
    /// In several ways.
    Call,
}

/// Whether a function can be called with JSON.
#[derive(Clone, Debug)]
pub enum Json {
    /// It can.
    Callable(JsonCall),
    /// It cannot.
    Refused(Refusal),
}

/// Why a function cannot be called with JSON.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// What the document does not say.
    pub reason: String,
    /// Its open questions about the function: `x-todo`.
    pub questions: Vec<String>,
}

/// What a JSON call needs besides its steps.
#[derive(Clone, Debug, Default)]
pub struct JsonCall {
    /// Whether it passes or gets tokens.
    pub uses_handles: bool,
    /// The indices of parameters whose tokens must differ, because the call changes or frees their targets.
    pub distinct: Vec<usize>,
    /// The indices of parameters with arrays of handles, and of handles that must not be among them.
    pub apart: Vec<(usize, usize)>,
    /// Handles and states that the call frees, takes or ends children of, and what must not live in them.
    pub outside: Vec<Outside>,
    /// The indices of parameters with handles of which the call ends what was borrowed from them.
    pub ending: Vec<usize>,
    /// Whether the library decides the size of a buffer, so that it must be limited.
    pub limits_buffers: bool,
}

/// A handle or state that ends with a call, and other arguments of it, which must not live in that handle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outside {
    /// The index of the parameter.
    pub gone: usize,
    /// The indices of the other parameters, with handles, arrays of handles or states.
    pub others: Vec<usize>,
    /// Whether only what was borrowed until a call of this function ends, and not the handle.
    pub ends_children: bool,
}

impl Function {
    /// Whether the method is unsafe: the caller must guarantee something.
    #[must_use]
    pub fn is_unsafe(&self) -> bool {
        self.arguments().any(|(_, argument)| argument.obligation.is_some())
    }

    /// Whether a library that lacks its symbol cannot be used.
    #[must_use]
    pub fn must_be_found(&self) -> bool {
        self.required && !self.symbol.is_empty()
    }

    /// What it reads instead of calling C.
    #[must_use]
    pub fn read(&self) -> Option<Read> {
        self.steps.iter().find_map(|step| match step {
            Step::Read(read) => Some(*read),
            _ => None,
        })
    }

    /// Whether C keeps the argument at `index` for a handle that the call gives and that C owns: nothing tells when it
    /// is freed, so that the argument is never freed either, whichever way the call ends.
    #[must_use]
    pub fn is_kept_by_borrowed(&self, index: usize) -> bool {
        let Some(Kept { by: Keeper::Result(place), .. }) = self.params[index].facts.kept else {
            return false;
        };
        let is_it = |outcome: &Outcome| {
            outcome.from == place && matches!(outcome.got, Got::Handle { free: None, .. })
        };
        self.outcomes.iter().any(is_it)
    }

    /// Whether it frees a handle or a state that a caller passes.
    #[must_use]
    pub fn frees_handle(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Freed { .. }))
    }

    /// Whether what C keeps replaces what an earlier call left to it.
    #[must_use]
    pub fn replaces_kept(&self) -> bool {
        self.params.iter().any(|param| param.facts.kept.is_some_and(|kept| kept.replaced))
    }

    /// Whether results are copied from memory that C points to, which may be memory that a handle keeps for C.
    #[must_use]
    pub fn points_to_memory(&self) -> bool {
        self.outcomes.iter().any(Outcome::points_to_memory)
    }

    /// Whether a typed call can fail.
    #[must_use]
    pub fn is_fallible(&self) -> bool {
        self.failure != Failure::Never
    }

    /// Whether a failed call gives the argument at `index` back.
    #[must_use]
    pub fn is_given_back(&self, index: usize) -> bool {
        self.gives_back.as_ref().is_some_and(|gives_back| gives_back.params.contains(&index))
    }

    /// The parameters that C is passed.
    pub fn passed(&self) -> impl Iterator<Item = &Param> {
        self.params.iter().take(self.signature.params.len())
    }

    /// The parameters that a typed caller passes, in order.
    pub fn arguments(&self) -> impl Iterator<Item = (&Param, &Argument)> {
        self.params.iter().filter_map(|param| Some((param, param.argument.as_ref()?)))
    }

    /// The parameters that a JSON caller passes, in the order of the fields.
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

    /// Whether a JSON caller gets back what C left in the argument at `index`.
    #[must_use]
    pub fn comes_back(&self, index: usize) -> bool {
        let is_back = |outcome: &Outcome| matches!(outcome.got, Got::Back(_));
        self.outcomes.iter().any(|outcome| outcome.from == Place::Param(index) && is_back(outcome))
    }

    /// What a typed caller gets.
    #[must_use]
    pub fn results(&self) -> Vec<&Outcome> {
        self.outcomes.iter().filter(|outcome| outcome.is_typed()).collect()
    }

    /// Whether a caller gives a closure.
    #[must_use]
    pub fn has_closure(&self) -> bool {
        self.arguments().any(|(_, argument)| matches!(argument.shape, Shape::Closure(_)))
    }

    /// Whether a running call ends when it is cancelled: another function ends it, or a callback tells C to stop.
    #[must_use]
    pub fn can_be_ended(&self) -> bool {
        let stops = |progress: &Progress| progress.stop.is_some();
        self.cancel.is_some() || self.progress().any(stops)
    }

    /// Whether a callback tells how far a call is.
    #[must_use]
    pub fn reports(&self) -> bool {
        self.progress().next().is_some()
    }

    fn progress(&self) -> impl Iterator<Item = &Progress> {
        self.arguments().filter_map(|(_, argument)| match &argument.shape {
            Shape::Closure(callback) => callback.progress.as_deref(),
            _ => None,
        })
    }

    /// The name in JSON of the place of a value from C.
    #[must_use]
    pub fn key_at(&self, place: Place) -> &str {
        match place {
            Place::Returned => "return",
            Place::Param(index) => &self.params[index].key,
        }
    }

    /// What the document says about the value at this place.
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
        if let (Some(read), Some(param)) = (self.read(), self.params.first()) {
            let member = types.records[read.record].fields().nth(read.field);
            return format!("{}->{}", param.key, member.map_or("", |field| &field.key));
        }
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
            // Longer lines do not fit on a page.
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
