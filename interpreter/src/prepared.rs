//! A function that is ready to be called: its plan, and what the plan leaves to the target.

use opendyn::generated::{Encoding, Field, HandleType, Kind};
use opendyn_model::plan::{
    Argument, Back, CBase, Content, Default, Element, Function, Got, Json, Memory, Operand, Outcome, Param,
    Scalar, Shape, Step, Text, View,
};

use crate::callback::Answering;
use crate::interface::Interface;
use crate::kinds::{Kinds, encoding};
use crate::number::{self, Number};
use crate::store::Store;

/// A function that is ready to be called.
#[derive(Debug)]
pub(crate) struct Prepared {
    /// Its position in the document.
    pub(crate) position: usize,
    pub(crate) plan: &'static Function,
    /// What a JSON caller passes.
    pub(crate) fields: Vec<Field>,
    pub(crate) interface: Interface,
    /// One for each parameter of the plan.
    pub(crate) locals: Vec<Local>,
    pub(crate) returned: Number,
    /// The room that the return value needs, in words.
    pub(crate) returned_words: usize,
    /// One for each outcome of the plan.
    pub(crate) outcomes: Vec<Made>,
    /// The callbacks whose calls are collected, by the index of the parameter.
    pub(crate) callbacks: Vec<(usize, Answering)>,
    /// Whether a call does nothing but check, convert, invoke and collect: no memory of C, no handle and no callback outlives its
    /// steps, so that nothing is left to do after them.
    pub(crate) is_plain: bool,
}

/// The local of a parameter.
#[derive(Debug)]
pub(crate) struct Local {
    /// The index of the field that a JSON caller passes.
    pub(crate) field: Option<usize>,
    /// How it lies in memory, if it is a scalar or a pointer.
    pub(crate) number: Number,
    /// Whether it begins with the scalar of the field, or with `fallback`.
    pub(crate) is_loaded: bool,
    /// The bits, or the address, that are passed if there is no field or if it is absent.
    pub(crate) fallback: u64,
    /// The type that C promotes it to in `...`.
    pub(crate) promoted: Option<Number>,
    /// Whether it is a struct that C fills.
    pub(crate) is_record: bool,
    /// The type of the token that a JSON caller passes.
    pub(crate) token: Option<&'static HandleType>,
}

/// How an outcome is read from memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Made {
    /// The value, or an element of it.
    pub(crate) kind: &'static Kind,
    /// The encoding of text.
    pub(crate) encoding: Encoding,
    /// The alignment of what a pointer points to.
    pub(crate) align: usize,
}

impl Prepared {
    /// # Errors
    ///
    /// libffi cannot call the function; the message says why.
    pub(crate) fn new(
        position: usize,
        plan: &'static Function,
        kinds: &Kinds,
        store: &Store,
    ) -> Result<Self, String> {
        let types = kinds.types();
        let interface = Interface::new(&plan.signature, types)?;
        let field = |(param, argument): (&'static Param, &'static Argument)| {
            let kind = argument.kind.as_ref().map_or(Kind::Opaque, |kind| kinds.of(kind, store));
            if argument.may_be_left_out() {
                Field::optional(&param.key, kind)
            } else {
                Field::required(&param.key, kind)
            }
        };
        let is_callable = matches!(plan.json, Json::Callable(_));
        let fields = if is_callable { plan.inputs().map(field).collect() } else { Vec::new() };
        let locals = (0..plan.params.len()).map(|index| Local::new(plan, index, kinds, store)).collect();
        let (returned, returned_words) = match &plan.signature.returns {
            Some(value) => match &value.base {
                CBase::Record(record) if value.stars == 0 => {
                    (Number::POINTER, kinds.layouts[*record].size.div_ceil(8))
                }
                CBase::Scalar(c_type) if value.stars == 0 => (Number::of(*c_type), 1),
                _ => (Number::POINTER, 1),
            },
            None => (Number::POINTER, 1),
        };
        let outcomes = plan.outcomes.iter().map(|outcome| Made::new(outcome, kinds, store)).collect();
        let mut callbacks = Vec::new();
        for index in 0..plan.params.len() {
            let callback = Answering::new(plan, index, kinds, store)?;
            callbacks.extend(callback.map(|callback| (index, callback)));
        }
        let is_plain = is_plain(plan);
        Ok(Self {
            position,
            plan,
            fields,
            interface,
            locals,
            returned,
            returned_words,
            outcomes,
            callbacks,
            is_plain,
        })
    }
}

/// See [`Prepared::is_plain`].
fn is_plain(plan: &Function) -> bool {
    let uses_handles = matches!(&plan.json, Json::Callable(json) if json.uses_handles);
    let has_events = plan.outcomes.iter().any(|outcome| matches!(outcome.got, Got::Events { .. }));
    let keeps = plan.params.iter().any(|param| param.moves() || param.is_kept_for_good());
    let is_plain = |step: &Step| match step {
        Step::Require
        | Step::Count { .. }
        | Step::SameLength { .. }
        | Step::ExactLength { .. }
        | Step::Listed { .. }
        | Step::Terminate { .. }
        | Step::Limits { .. }
        | Step::Invoke
        | Step::Errno(_)
        | Step::Collect => true,
        Step::Allocate { memory, .. } => {
            matches!(memory, Memory::Zero(_) | Memory::Buffer { .. } | Memory::Capacity { .. } | Memory::Copy)
        }
        _ => false,
    };
    !uses_handles && !has_events && !keeps && plan.steps.iter().all(is_plain)
}

impl Local {
    fn new(plan: &'static Function, index: usize, kinds: &Kinds, store: &Store) -> Self {
        let param = &plan.params[index];
        let argument = param.argument.as_ref();
        let field = argument.filter(|argument| argument.kind.is_some()).map(|_| plan.field(index));
        let default = argument.and_then(|argument| argument.default());
        let made = plan.steps.iter().find_map(|step| match step {
            Step::Count { into, c_type, .. } if *into == index => Some(Number::of(*c_type)),
            Step::Allocate { into, memory: Memory::Zero(c_type) | Memory::Capacity { c_type, .. } }
                if *into == index =>
            {
                Some(Number::of(*c_type))
            }
            _ => None,
        });
        let is_record = plan
            .steps
            .iter()
            .any(|step| matches!(step, Step::Allocate { into, memory: Memory::Record(_) } if *into == index));
        let shape = argument.map(|argument| &argument.shape);
        let (scalar, fallback) = match (&param.operand, shape) {
            (Operand::Scalar(scalar) | Operand::Cell(scalar), _) => {
                let number = Number::of(scalar.c_type);
                (Some(number), default.map_or(0, |default| number.word(default)))
            }
            (Operand::Constant(scalar, value), _) => {
                let number = Number::of(scalar.c_type);
                (Some(number), number.word(value))
            }
            (Operand::ConstantText(text, value), _) => (None, constant(value, *text, store)),
            (Operand::Text(text), _) => {
                let fallback = match default {
                    Some(Default::Text(value)) => constant(value, *text, store),
                    _ => 0,
                };
                (None, fallback)
            }
            (_, Some(Shape::Capacity(c_type))) => (Some(Number::of(*c_type)), 0),
            _ => (None, 0),
        };
        let promoted =
            (index < plan.signature.params.len()).then(|| plan.signature.promoted(index)).flatten();
        Self {
            field,
            number: made.or(scalar).unwrap_or(Number::POINTER),
            is_loaded: scalar.is_some(),
            fallback,
            promoted: promoted.map(Number::of),
            is_record,
            token: match shape {
                Some(Shape::Handle { handle, .. } | Shape::Handles { handle, .. }) => {
                    Some(kinds.handle(*handle))
                }
                Some(Shape::State { record, .. }) => Some(kinds.state(*record)),
                _ => None,
            },
        }
    }
}

impl Made {
    fn new(outcome: &Outcome, kinds: &Kinds, store: &Store) -> Self {
        let of = |kind: Kind| Self { kind: store.keep(kind), encoding: Encoding::Utf8, align: 1 };
        let contents = |content: Content| match content {
            Content::Elements(element) => {
                Self { align: kinds.content(content).1, ..of(kinds.element(element)) }
            }
            Content::Handles(handle) => of(Kind::Handle(kinds.handle(handle))),
            Content::Text { encoding: text, .. } => {
                Self { encoding: encoding(text), align: kinds.content(content).1, ..of(Kind::Opaque) }
            }
        };
        match &outcome.got {
            Got::Code(scalar)
            | Got::Scalar(scalar)
            | Got::Pointed(scalar)
            | Got::Back(Back::Cell(scalar)) => of(kinds.in_memory(*scalar, store)),
            Got::Count(c_type) => of(number::kind(*c_type)),
            Got::Record(record) | Got::PointedRecord(record) | Got::Back(Back::Record(record)) => {
                Self { align: kinds.layouts[*record].align, ..of(kinds.of_record(*record)) }
            }
            Got::Buffer { content, .. } | Got::Elements { content, .. } => contents(*content),
            Got::Text(text) => Self { encoding: encoding(text.encoding), align: 2, ..of(Kind::Str) },
            Got::Strings { .. } => of(Kind::Str),
            Got::Back(Back::List(element)) => match element {
                Element::Scalar(scalar @ Scalar { view: View::Truth, .. }) => {
                    of(kinds.in_memory(*scalar, store))
                }
                element => of(kinds.element(*element)),
            },
            Got::Back(Back::Units(text)) => Self { encoding: encoding(*text), ..of(Kind::Opaque) },
            Got::State { record, .. } => of(Kind::Handle(kinds.state(*record))),
            Got::Handle { handle, .. }
            | Got::Handles { handle, .. }
            | Got::Taken { handle, .. }
            | Got::TakenAll { handle, .. } => of(Kind::Handle(kinds.handle(*handle))),
            Got::Back(Back::Room | Back::Calls { .. }) | Got::Events { .. } | Got::Raw => of(Kind::Opaque),
        }
    }
}

/// The address of a text of the document, in the units of its encoding. It has no NUL, and no character that the
/// encoding lacks.
fn constant(value: &str, text: Text, store: &Store) -> u64 {
    use opendyn_model::plan::Encoding;
    let address = match text.encoding {
        Encoding::Utf16 if text.one_of.is_none() => {
            store.keep(value.encode_utf16().chain([0]).collect::<Vec<u16>>()).as_ptr().expose_provenance()
        }
        Encoding::Latin1 => {
            let bytes = value.chars().filter_map(|character| u8::try_from(character).ok());
            store.keep(bytes.chain([0]).collect::<Vec<u8>>()).as_ptr().expose_provenance()
        }
        _ => store.keep(value.bytes().chain([0]).collect::<Vec<u8>>()).as_ptr().expose_provenance(),
    };
    address as u64
}
