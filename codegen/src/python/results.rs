//! What comes back from C: the call, the question whether it failed, and the dict of the results.

use super::arguments::called;
use super::kinds::{Kinds, c_type, encoding};
use super::names::{Names, text};
use opendyn_model::ir::{
    Binding, Content, Direction, Encoding, Form, Function, Length, Outcome, Passing, ReturnRole, Source,
    Written,
};

/// The statements from the call on.
pub(super) fn lines(
    binding: &Binding,
    function: &Function,
    names: &Names,
    kinds: &mut Kinds<'_>,
    call: &str,
) -> Vec<String> {
    let results = Results { binding, function, names };
    let mut lines = vec![match function.returned {
        Some(_) => format!("{} = {call}", names.returned),
        None => call.to_owned(),
    }];
    let mut taken = Vec::new();
    if let Some(ReturnRole::Code(successes)) = function.returned.as_ref().map(|returned| &returned.role) {
        taken.extend(results.success(successes));
    }
    let entries: Vec<String> = function
        .json_results()
        .iter()
        .map(|result| format!("    {}: {},", text(result.key), results.value(result, kinds)))
        .collect();
    if entries.is_empty() {
        taken.push("return {}".to_owned());
    } else {
        taken.push("return {".to_owned());
        taken.extend(entries);
        taken.push("}".to_owned());
    }
    let frees = results.frees();
    if frees.is_empty() {
        lines.extend(taken);
        return lines;
    }
    lines.push("try:".to_owned());
    lines.extend(taken.into_iter().map(|line| format!("    {line}")));
    lines.push("finally:".to_owned());
    lines.extend(frees.into_iter().map(|line| format!("    {line}")));
    lines
}

/// What results are told by.
struct Results<'f> {
    binding: &'f Binding,
    function: &'f Function,
    names: &'f Names,
}

impl Results<'_> {
    fn success(&self, successes: &[i64]) -> Vec<String> {
        let returned = &self.names.returned;
        let successes: Vec<String> = successes.iter().map(i64::to_string).collect();
        let successes = successes.join(", ");
        if self.binding.codes.is_empty() {
            return vec![format!("_success({returned}, [{successes}], {{}})")];
        }
        let texts =
            self.binding.codes.iter().map(|code| format!("    {}: {},", code.value, text(&code.text)));
        std::iter::once(format!("_success({returned}, [{successes}], {{"))
            .chain(texts)
            .chain(["})".to_owned()])
            .collect()
    }

    /// Whatever C gave to be freed is freed, whichever way the call ends.
    fn frees(&self) -> Vec<String> {
        let free = |form: &Form, address: String| {
            let symbol = text(&self.binding.functions[form.free()?].symbol);
            Some(format!("_free({symbol}, {address})"))
        };
        let returned = self.function.returned.as_ref();
        let returned = returned.and_then(|returned| free(&returned.form, self.names.returned.clone()));
        let fetched =
            self.function.params.iter().enumerate().filter_map(|(index, param)| match &param.passing {
                Passing::Fetched(form) => free(form, format!("{}.value", self.names.memory(index))),
                _ => None,
            });
        returned.into_iter().chain(fetched).collect()
    }

    fn value(&self, result: &Outcome<'_>, kinds: &mut Kinds<'_>) -> String {
        let key = text(result.key);
        let param = match result.source {
            Source::Returned(returned) => {
                return self.form(&returned.form, &key, &self.names.returned, kinds);
            }
            Source::Param(param) => param,
        };
        let index =
            self.function.params.iter().position(|other| std::ptr::eq(other, param)).unwrap_or_default();
        let (name, memory) = (self.names.param(index), self.names.memory(index));
        match &param.passing {
            Passing::Output(scalar) => format!("{}.show({memory}.value, {key})", kinds.scalar(*scalar)),
            Passing::InOut(scalar) => format!("_left({}, {memory}, {key})", kinds.scalar(*scalar)),
            Passing::Buffer { content, written, .. } => {
                let count = match written {
                    None => String::new(),
                    Some(Written::Return) => self.names.returned.clone(),
                    Some(Written::Param(index)) => self.number(*index),
                };
                let data = format!("{memory}.written({count})");
                match content {
                    Content::Text { encoding: of @ Encoding::Utf16, .. } if written.is_some() => {
                        format!("_bytes({data}, {}, {key})", encoding(*of))
                    }
                    _ => content_value(*content, &data, &key, kinds),
                }
            }
            Passing::Record { record, direction: Direction::Out } => {
                format!("{}.show({name}, {key})", kinds.record(*record))
            }
            Passing::Record { record, .. } => format!("_shown({}, {name}, {key})", kinds.record(*record)),
            Passing::Slice { element, .. } => {
                format!("_shown(_List({}), {memory}, {key})", kinds.element(*element))
            }
            Passing::Counted { encoding: of, .. } => {
                format!("_back({name}, {memory}, {}, {key})", encoding(*of))
            }
            Passing::Length { c_type: of, .. } => {
                format!("_Integer('{}', {}).show({}, {key})", of.name(), c_type(*of), self.number(index))
            }
            Passing::Fetched(form) => self.form(form, &key, &format!("{memory}.value"), kinds),
            _ => "None".to_owned(),
        }
    }

    /// What a value is that C gave, or what it points to.
    fn form(&self, form: &Form, key: &str, from: &str, kinds: &mut Kinds<'_>) -> String {
        let nullable = if form.is_nullable() { ", nullable=True" } else { "" };
        match form {
            Form::Value(scalar) => format!("{}.show({from}, {key})", kinds.scalar(*scalar)),
            Form::RecordValue(record) => format!("{}.show({from}, {key})", kinds.record(*record)),
            Form::Str { text: of, .. } => {
                format!("_string({from}, {}, {key}{nullable})", encoding(of.encoding))
            }
            Form::Pointed { scalar, .. } => {
                format!("_value({}, {from}, {key}{nullable})", kinds.scalar(*scalar))
            }
            Form::Record { record, .. } => {
                format!("_value({}, {from}, {key}{nullable})", kinds.record(*record))
            }
            Form::Array { content, length: Some(length), .. } => {
                let count = self.count(length, key, kinds);
                match content {
                    Content::Text { encoding: of, .. } if !of.is_binary() && *of != Encoding::Utf16 => {
                        format!("_characters({from}, {count}, {}, {key}{nullable})", encoding(*of))
                    }
                    _ => {
                        let c_type = kinds.content_type(*content);
                        let data = format!("_data({c_type}, {from}, {count}, {key}{nullable})");
                        match content {
                            Content::Text { encoding: of, .. } => {
                                format!("_bytes({data}, {}, {key})", encoding(*of))
                            }
                            Content::Elements(_) => content_value(*content, &data, key, kinds),
                        }
                    }
                }
            }
            Form::Strings { length, .. } => {
                let count = self.count(length, key, kinds);
                format!("_list_at({from}, {count}, {key}{nullable})")
            }
            // These were refused before.
            Form::Array { length: None, .. } | Form::Handle { .. } | Form::Opaque => "None".to_owned(),
        }
    }

    /// How many elements C gave.
    fn count(&self, length: &Length, key: &str, kinds: &mut Kinds<'_>) -> String {
        match length {
            Length::Const(count) => count.to_string(),
            Length::Param(index) => format!("_count({}, {key})", self.number(*index)),
            Length::Call { function: target, args } => {
                let called = called(self.binding, self.function, *target, args, self.names, kinds);
                format!("_count({called}, {key})")
            }
        }
    }

    /// The integer that a parameter is after the call.
    fn number(&self, index: usize) -> String {
        match self.function.params[index].passing {
            Passing::Count { .. }
            | Passing::Output(_)
            | Passing::Pointer(_)
            | Passing::InOut(_)
            | Passing::Length { pointer: true, .. }
            | Passing::Capacity { pointer: true, .. } => format!("{}.value", self.names.memory(index)),
            _ => self.names.param(index).to_owned(),
        }
    }
}

/// What bytes of C are.
fn content_value(content: Content, data: &str, key: &str, kinds: &mut Kinds<'_>) -> String {
    match content {
        Content::Elements(element) => format!("_elements({}, {data}, {key})", kinds.element(element)),
        Content::Text { encoding: of, .. } if of.is_binary() => {
            format!("_bytes({data}, {}, {key})", encoding(of))
        }
        Content::Text { encoding: of, .. } => format!("_text({data}, {}, {key})", encoding(of)),
    }
}
