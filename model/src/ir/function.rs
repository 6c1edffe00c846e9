//! What follows from the parts of a function: how it can fail, and what comes back.

use crate::c_type::CType;

use super::{
    Binding, Body, CallbackValue, Content, Direction, Element, Failure, Field, Form, Function, Length,
    Member, Outcome, Param, Passing, ReturnRole, Returned, Scalar, Text, Types, View,
};

impl Binding {
    /// Whether a value of the enum can be seen from outside: not where it is a constant alone.
    pub fn shows_enum(&self, index: usize) -> bool {
        let scalar = |scalar: &Scalar| scalar.view == View::Enum(index);
        let text = |text: &Text| text.one_of == Some(index);
        let element = |element: &Element| matches!(element, Element::Scalar(of) if scalar(of));
        let content = |content: &Content| matches!(content, Content::Elements(of) if element(of));
        let form = |form: &Form| match form {
            Form::Value(of) | Form::Pointed { scalar: of, .. } => scalar(of),
            Form::Str { text: of, .. } => text(of),
            Form::Array { content: of, .. } => content(of),
            _ => false,
        };
        let param = |param: &Param| match &param.passing {
            Passing::Value(of) | Passing::Pointer(of) | Passing::InOut(of) | Passing::Output(of) => {
                scalar(of)
            }
            Passing::Str(of) => text(of),
            Passing::Slice { element: of, .. } => element(of),
            Passing::Buffer { content: of, .. } => content(of),
            Passing::Fetched(of) => form(of),
            Passing::Callback(callback) => {
                callback.returns.as_ref().is_some_and(scalar)
                    || callback.params.iter().any(|param| match &param.value {
                        CallbackValue::Scalar(of) => scalar(of),
                        CallbackValue::Slice { element: of, .. } => element(of),
                        _ => false,
                    })
            }
            _ => false,
        };
        let member = |field: &Field| match &field.member {
            Member::Scalar(of) => scalar(of),
            Member::Array { element: of, .. } => element(of),
            _ => false,
        };
        let in_functions = self.functions.iter().any(|function| {
            function.params.iter().any(param)
                || function.returned.as_ref().is_some_and(|returned| form(&returned.form))
        });
        in_functions
            || self.types.records.iter().any(|record| match &record.body {
                Body::Fields(fields) => fields.iter().any(member),
                Body::State { .. } => false,
            })
    }
}

/// Whether a call frees memory of C's when its results are made. A handle is freed by its owner.
pub fn frees_results(params: &[Param], returned: Option<&Returned>) -> bool {
    let frees = |form: &Form| form.is_freed() && !matches!(form, Form::Handle { .. });
    returned.is_some_and(|returned| frees(&returned.form))
        || params.iter().any(|param| matches!(&param.passing, Passing::Fetched(form) if frees(form)))
}

impl Function {
    /// Whether it is given a closure that a handle keeps for C.
    pub fn keeps_closure(&self) -> bool {
        self.params
            .iter()
            .any(|param| matches!(&param.passing, Passing::Callback(callback) if callback.until.is_some()))
    }

    pub fn is_unsafe(&self) -> bool {
        self.params.iter().any(|param| param.is_unsafe)
    }

    pub fn failure(&self) -> Failure {
        let returned = self.returned.as_ref();
        let fails = !self.required
            || returned.is_some_and(|returned| returned.form.can_fail())
            || self.params.iter().enumerate().any(|(index, param)| self.can_fail(index, param));
        if fails {
            Failure::Call
        } else if returned.is_some_and(|returned| matches!(returned.role, ReturnRole::Code(_))) {
            Failure::Code
        } else {
            Failure::Never
        }
    }

    /// Whether a parameter can make the call fail.
    fn can_fail(&self, index: usize, param: &Param) -> bool {
        match &param.passing {
            Passing::Fetched(form) => form.can_fail(),
            Passing::Buffer { capacity, .. } => capacity.is_some(),
            Passing::Length { c_type, of, .. } => {
                !c_type.holds_every_length() && self.known_length(*of, *c_type).is_none()
            }
            _ if self.enum_of(param).is_some() => true,
            Passing::Slice { length: Some(length), .. }
            | Passing::Counted { length, .. }
            | Passing::Strings { length } => match length {
                Length::Const(_) => param.passing.array_length().is_none(),
                Length::Call { .. } => true,
                Length::Param(_) => self.shares_length(index).is_some(),
            },
            _ => false,
        }
    }

    /// The length of an array that is always the same, and fits the type that counts it.
    pub fn known_length(&self, of: usize, c_type: CType) -> Option<u64> {
        self.params[of]
            .passing
            .array_length()
            .filter(|length| *length <= c_type.narrowest_max() && !self.params[of].is_optional())
    }

    /// The enum whose values alone may be given for a parameter.
    pub fn enum_of(&self, param: &Param) -> Option<usize> {
        match &param.passing {
            Passing::Value(Scalar { view: View::Enum(index), .. })
            | Passing::Pointer(Scalar { view: View::Enum(index), .. })
            | Passing::InOut(Scalar { view: View::Enum(index), .. })
            | Passing::Str(Text { one_of: Some(index), .. })
            | Passing::Slice { element: Element::Scalar(Scalar { view: View::Enum(index), .. }), .. } => {
                Some(*index)
            }
            _ => None,
        }
    }

    /// The array that the length of this one is derived from, if it is another.
    pub fn shares_length(&self, index: usize) -> Option<usize> {
        let Some(Length::Param(length)) = self.params[index].passing.length() else { return None };
        match self.params[*length].passing {
            Passing::Length { of, .. } if of != index => Some(of),
            _ => None,
        }
    }

    /// Whether a result is structs with text that may lie in what is freed: the text is copied too.
    pub fn copies_text(&self, result: &Outcome<'_>, types: &Types) -> bool {
        frees_results(&self.params, self.returned.as_ref())
            && result.record().is_some_and(|record| types.records[record].has_text(&types.records))
    }

    pub fn is_fallible(&self) -> bool {
        self.failure() != Failure::Never
    }

    /// What comes back: the return value, then the outputs in order.
    pub fn results(&self) -> Vec<Outcome<'_>> {
        let returned = self.returned.iter().filter(|returned| returned.is_result()).map(Outcome::returned);
        let outputs = self.params.iter().filter(|param| param.is_result()).map(Outcome::of);
        returned.chain(outputs).collect()
    }

    /// What comes back to a JSON call: the results, what C wrote back, and the strings in
    /// buffers of unknown size.
    pub fn json_results(&self) -> Vec<Outcome<'_>> {
        let mut results = self.results();
        results.extend(self.written_back().map(Outcome::of));
        results
    }

    /// The parameters that the method lends to C, and that JSON gets back as results.
    pub fn written_back(&self) -> impl Iterator<Item = &Param> {
        self.params.iter().filter(|param| match &param.passing {
            Passing::InOut(_)
            | Passing::Slice { inout: true, .. }
            | Passing::Counted { inout: true, .. }
            | Passing::Record { direction: Direction::InOut, .. } => true,
            Passing::Buffer { capacity: None, content, .. } => matches!(content, Content::Text { .. }),
            _ => false,
        })
    }

    /// The parameters that a JSON call gives, in order: their positions are those of the fields.
    pub fn inputs(&self) -> impl Iterator<Item = &Param> {
        self.params.iter().filter(|param| param.is_input())
    }
}
