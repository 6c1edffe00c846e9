//! Adds what a GIR file says to the functions of headers.

use super::{Described, Gir, GirFunction, Scope};
use crate::{
    Attribute, AttributeKind, AttributeSource, Comment, Count, Direction, Function, Interface, Place,
    Transfer,
};

impl Gir {
    /// Adds statements and comments to the functions that the file has.
    pub(in super::super) fn apply(&self, interface: &mut Interface) {
        for function in &mut interface.functions {
            if let Some(said) = self.functions.get(&function.name) {
                self.apply_to(function, said);
            }
        }
    }

    fn apply_to(&self, function: &mut Function, said: &GirFunction) {
        let Ok(signature) = &function.signature else { return };
        let listed: Vec<&Described> =
            said.parameters.iter().filter(|parameter| !parameter.is_variadic).collect();
        // A file of another version says nothing about this function.
        if signature.parameters.len() != listed.len() + usize::from(said.throws) {
            return;
        }
        if let Some(says) = said.only_for_c {
            function.attributes.push(self.attribute(AttributeKind::OnlyForC, says.to_owned(), said.line));
        }
        if !said.is_documented {
            return;
        }
        let mut names: Vec<&str> = listed.iter().map(|said| said.name.as_str()).collect();
        names.resize(signature.parameters.len(), "");
        let place = Place { file: self.file.clone(), line: said.line };
        let says = |name: &str| format!("<parameter name=\"{name}\">");
        function.name_parameters(&names, AttributeSource::Gir, &place, says);
        // The documentation of the source is certainly about this function; a comment in the header may not be.
        if let Some(comment) = self.comment(said) {
            function.comment = Some(comment);
        }
        let offset = 1 + usize::from(said.has_instance);
        let mut statements = Vec::new();
        for (index, value) in listed.iter().enumerate() {
            statements.extend(self.statements(value, index + 1, offset));
        }
        statements.extend(self.statements(&said.returned, 0, offset));
        // What a constructor does not give to the caller belongs to nobody yet.
        if said.is_constructor && said.returned.transfer == Some(Transfer::None) {
            let text = "<constructor> with transfer-ownership=\"none\"".to_owned();
            statements.push(self.attribute(AttributeKind::Floating, text, said.line));
        }
        // Callbacks that free the user data of others are called with them.
        for destroy in listed.iter().filter_map(|value| value.destroy) {
            let text = format!("destroy=\"{destroy}\"");
            statements.push(self.attribute(AttributeKind::CalledLater(destroy + offset), text, said.line));
        }
        if said.throws {
            statements.push(self.attribute(AttributeKind::Throws, "throws=\"1\"".to_owned(), said.line));
        }
        function.attributes.extend(statements);
    }

    /// What is stated about the value at `position`; indexes in the file become positions with `offset`.
    fn statements(&self, value: &Described, position: usize, offset: usize) -> Vec<Attribute> {
        let mut found = Vec::new();
        let mut state = |of: AttributeKind, text: &str| {
            found.push(self.attribute(of, text.to_owned(), value.line));
        };
        let is_out = value.directed.direction.is_some();
        if let Some(direction) = value.directed.direction {
            let text = if direction == Direction::Out { "direction=\"out\"" } else { "direction=\"inout\"" };
            state(AttributeKind::Access { direction, pointer: position, size: None }, text);
        }
        match (is_out, position) {
            (true, _) => {
                if value.directed.is_optional {
                    state(AttributeKind::Nullable(position), "optional=\"1\"");
                }
                if value.directed.is_nullable {
                    state(AttributeKind::GivesNull(position), "nullable=\"1\"");
                }
            }
            (false, _) if value.directed.is_nullable => {
                state(AttributeKind::Nullable(position), "nullable=\"1\"");
            }
            (false, 0) => state(AttributeKind::ReturnsNonnull, "return-value without nullable"),
            (false, _) => state(AttributeKind::Nonnull(vec![position]), "parameter without nullable"),
        }
        if let Some(transfer) = value.transfer {
            let text = match transfer {
                Transfer::None => "transfer-ownership=\"none\"",
                Transfer::Container => "transfer-ownership=\"container\"",
                Transfer::Full => "transfer-ownership=\"full\"",
            };
            state(AttributeKind::Transfer(position, transfer), text);
        }
        if let Some(array) = &value.array {
            let (count, text) = match array.count {
                Count::Parameter(index) => {
                    (Count::Parameter(index + offset), format!("<array length=\"{index}\">"))
                }
                Count::Constant(count) => (array.count, format!("<array fixed-size=\"{count}\">")),
                Count::Terminated => (array.count, "<array zero-terminated=\"1\">".to_owned()),
            };
            let is_text = matches!(array.of.as_str(), "utf8" | "filename");
            // The end of texts is there whatever counts them.
            let count = if is_text && value.is_ended { Count::Terminated } else { count };
            state(AttributeKind::Length { pointer: position, count, is_bytes: false }, &text);
            if !is_out && position > 0 {
                let direction = Direction::In;
                state(
                    AttributeKind::Access { direction, pointer: position, size: None },
                    "<array> without direction",
                );
            }
            if is_text {
                state(AttributeKind::Text(position), &format!("<type name=\"{}\">", array.of));
            }
        } else if matches!(value.of.as_str(), "utf8" | "filename") {
            state(AttributeKind::Text(position), &format!("<type name=\"{}\">", value.of));
        } else if !value.of.is_empty() && !value.is_container && (is_out || position == 0) {
            state(AttributeKind::One(position), &format!("<type name=\"{}\">", value.of));
        }
        if value.array.is_none() && matches!(value.of.as_str(), "gpointer" | "gconstpointer") {
            state(AttributeKind::Anything(position), &format!("<type name=\"{}\">", value.of));
        }
        if let Some(of) = self.types.names.get(&value.of).filter(|_| value.c_type.ends_with("pointer")) {
            state(AttributeKind::PointsTo(position, of.clone()), &format!("<type name=\"{}\">", value.of));
        }
        if matches!(value.of.as_str(), "GLib.List" | "GLib.SList") {
            state(AttributeKind::List(position), &format!("<type name=\"{}\">", value.of));
        }
        if !is_out && position > 0 && value.array.is_none() && !value.of.is_empty() {
            state(AttributeKind::NotOut(position), "parameter without direction");
        }
        // The instance is the first one, and no index counts it.
        if !is_out && position == 1 && offset == 2 {
            state(AttributeKind::Instance(position), "<instance-parameter>");
        }
        let callback = value.of.rsplit('.').next().unwrap_or_default();
        match value.scope {
            Some(Scope::Call) => {
                let user_data = value.user_data.map(|index| index + offset);
                let handed_back = self.types.callbacks.get(callback).copied();
                state(
                    AttributeKind::CalledDuring { callback: position, user_data, handed_back },
                    "scope=\"call\"",
                );
            }
            Some(Scope::Later) => state(AttributeKind::CalledLater(position), "scope other than \"call\""),
            // It is passed what is freed, when that is.
            None if callback == "DestroyNotify" => {
                state(AttributeKind::CalledLater(position), "<type name=\"DestroyNotify\">");
            }
            None => {}
        }
        found
    }

    /// The documentation, as a comment whose lines are where they are in the file.
    pub(super) fn comment(&self, said: &GirFunction) -> Option<Comment> {
        let (text, _) = said.doc.as_ref()?;
        let mut comment = Comment { text: plain(text), shared_by: 1, ..Comment::default() };
        let mut parts: Vec<(String, u64)> = Vec::new();
        let mut add = |prefix: &str, doc: &Option<(String, u64)>| {
            if let Some((text, line)) = doc {
                parts.push((format!("{prefix}{}", plain(text)), *line));
            }
        };
        add("", &said.doc);
        add("@return ", &said.returned.doc);
        for parameter in &said.parameters {
            add(&format!("@param {} ", parameter.name), &parameter.doc);
        }
        parts.sort_by_key(|(_, line)| *line);
        let first = parts.first().map_or(0, |(_, line)| *line);
        for (text, line) in parts {
            let at = usize::try_from(line - first).unwrap_or(0);
            if comment.lines.len() < at {
                comment.lines.resize(at, String::new());
            }
            comment.lines.extend(text.lines().map(str::to_owned));
        }
        comment.place = Some(Place { file: self.file.clone(), line: first });
        comment.returns = said.returned.doc.as_ref().map(|(text, _)| plain(text));
        comment.parameters = said
            .parameters
            .iter()
            .filter_map(|parameter| Some((parameter.name.clone(), plain(&parameter.doc.as_ref()?.0))))
            .collect();
        Some(comment)
    }
}

/// The text without the marks of GTK-Doc: `%NULL`, `#GList`, `@name`.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let begins = before.is_whitespace() || matches!(before, '(' | '[' | '.' | '"' | '\'');
        let names = characters.peek().is_some_and(|next| next.is_alphabetic());
        if !(matches!(character, '%' | '#' | '@') && begins && names) {
            out.push(character);
        }
        before = character;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn marks_before_names_are_taken_off() {
        assert_eq!(plain("a #GList or %NULL, not 5% or a#b (@x)"), "a GList or NULL, not 5% or a#b (x)");
    }
}
