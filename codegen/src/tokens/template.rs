//! A template that is filled from its start to its end.

use super::{ToTokens, TokenStream, space, string_end};

/// The text of `quote!`, and what is made of it so far.
pub(crate) struct Template {
    rest: &'static str,
    text: String,
    /// The values of a repetition, by their place in it.
    lists: Vec<Vec<String>>,
}

impl Template {
    pub(crate) fn new(template: &'static str) -> Self {
        Self { rest: template, text: String::new(), lists: Vec::new() }
    }

    /// Puts a value in the next place.
    pub(crate) fn value(&mut self, value: &dyn ToTokens) {
        self.rest = behind_name(copied(self.rest, &mut self.text));
        value.to_tokens(space(&mut self.text));
    }

    /// Notes the values for the next place of a repetition.
    pub(crate) fn list<T: ToTokens>(&mut self, values: impl IntoIterator<Item = T>) {
        self.lists.push(Vec::new());
        for value in values {
            self.listed(&value);
        }
    }

    fn listed(&mut self, value: &dyn ToTokens) {
        let mut text = String::new();
        value.to_tokens(&mut text);
        if let Some(list) = self.lists.last_mut() {
            list.push(text);
        }
    }

    /// Puts a repetition in the next place, as long as the shortest of its lists.
    pub(crate) fn repeat(&mut self) {
        let repetition = copied(self.rest, &mut self.text);
        let repetition = repetition.split_once('(').unwrap_or_default().1;
        let (repeated, behind) = repetition.split_at(closing(repetition));
        let (separator, behind) = behind.split_once('*').unwrap_or((behind, ""));
        let separator = separator.strip_prefix(')').unwrap_or_default().trim();
        self.rest = behind;
        let lists = std::mem::take(&mut self.lists);
        let count = lists.iter().map(Vec::len).min().unwrap_or(0);
        for index in 0..count {
            if index > 0 {
                self.text.push_str(separator);
            }
            let mut rest = repeated;
            for list in &lists {
                rest = behind_name(copied(rest, space(&mut self.text)));
                space(&mut self.text).push_str(&list[index]);
            }
            self.text.push_str(rest);
        }
    }

    pub(crate) fn finish(&mut self) -> TokenStream {
        self.text.push_str(self.rest);
        TokenStream(std::mem::take(&mut self.text))
    }
}

/// Copies what is in front of the next place; returns what is behind its `#`.
fn copied<'t>(template: &'t str, text: &mut String) -> &'t str {
    let mut start = 0;
    while let Some(mark) = template[start..].find('#') {
        let mark = start + mark;
        if let Some(quote) = template[start..mark].find('"') {
            let (before, string) = template.split_at(start + quote);
            start = before.len() + string_end(before, string);
            continue;
        }
        let behind = &template[mark + 1..];
        if behind.trim_start().starts_with(|first| first == '(' || is_of_name(first)) {
            text.push_str(&template[..mark]);
            return behind;
        }
        start = mark + 1;
    }
    text.push_str(template);
    ""
}

fn is_of_name(character: char) -> bool {
    character == '_' || character.is_alphanumeric()
}

fn behind_name(template: &str) -> &str {
    template.trim_start().trim_start_matches(is_of_name)
}

/// Where the parenthesis that was opened in front of a text is closed.
fn closing(text: &str) -> usize {
    let mut open = 1;
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => open += 1,
            b')' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return index;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use crate::tokens::{Ident, Literal, quote};

    fn text(tokens: crate::tokens::TokenStream) -> String {
        let tokens: proc_macro2::TokenStream = tokens.into_text().parse().expect("tokens");
        tokens.to_string()
    }

    #[test]
    fn a_template_is_filled_as_by_quote() {
        let (name, of, none) = (Ident::new("r#fn".to_owned()), quote!(&'a [u8]), None::<Ident>);
        let words = ["a b", "\"c\""];
        let (numbers, again) = ([1, 2].map(Literal::u8_unsuffixed), [3, 4, 5].map(Literal::u64_suffixed));
        let lines = words;
        let filled = quote! {
            #(#[doc = #lines])*
            /// # Safety: a "quoted" word.
            pub(crate) fn #name<'a>(x: #of, #none) -> (u8,) {
                f([#(#words),*], #none.g(|| #name.#name()), {});
                #(h(#numbers, (#again));)*
                "#name"
            }
        };
        let expected = r###"
            #[doc = "a b"] #[doc = "\"c\""] #[doc = r#" # Safety: a "quoted" word."#]
            pub(crate) fn r#fn<'a>(x: &'a [u8], ) -> (u8,) {
                f(["a b", "\"c\""], .g(|| r#fn.r#fn()), {}); h(1, (3u64)); h(2, (4u64)); "#name"
            }"###;
        assert_eq!(text(filled), text(expected.parse().expect("text")));
        let none: [Ident; 0] = [];
        assert_eq!(text(quote!(a(#(#none)&&*))), "a ()");
    }
}
