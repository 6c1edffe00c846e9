//! The reference page of a library, in Markdown, for people who call it.

mod escape;
mod function;
mod schema;

use crate::description::{Description, Function, Library, Role, Struct};

/// The most functions that a table cell names.
const SHOWN: usize = 6;

/// The whole page.
#[must_use]
pub fn page(page: &Description) -> String {
    let mut text = format!("# {}\n\n", escape::cell(&page.title));
    if let Some(description) = &page.description {
        text += &format!("{}\n\n", escape::prose(description));
    }
    text += &facts(page);
    text += &contents(page);
    text += "## Functions\n\n";
    for each in &page.functions {
        text += function::section(each, page).trim_end();
        text += "\n\n";
    }
    text += &handles(page);
    text += &structs(page);
    text += &enums(page);
    text += &codes(page);
    text.trim_end().to_owned() + "\n"
}

fn facts(page: &Description) -> String {
    let mut text = "| | |\n|---|---|\n".to_owned();
    let mut fact = |name: &str, value: &str| text += &format!("| {name} | {value} |\n");
    fact("Version", &escape::cell(&page.version));
    if let Some(library) = &page.library {
        fact("Library", &files(library));
    }
    if let Some((begin, end)) = &page.init {
        let end = end.as_ref().map_or_else(String::new, |end| format!("; ended with {}", escape::code(end)));
        fact("Initialization", &format!("{} when it is loaded{end}", escape::code(begin)));
    }
    fact("Calling convention", &escape::code(page.convention));
    fact("Threads", if page.thread_safe { "calls may run concurrently" } else { "one call at a time" });
    text + "\n"
}

fn files(library: &Library) -> String {
    let systems = [("Linux", &library.linux), ("macOS", &library.macos), ("Windows", &library.windows)];
    let named: Vec<(&str, &String)> =
        systems.into_iter().filter_map(|(system, file)| Some((system, file.as_ref()?))).collect();
    let files = match named.as_slice() {
        [(_, one), (_, other), (_, third)] if one == other && other == third => escape::code(one),
        files => {
            let files: Vec<String> =
                files.iter().map(|(system, file)| format!("{} ({system})", escape::code(file))).collect();
            files.join(", ")
        }
    };
    format!("{files}, unless {} names another", escape::code(&library.variable)).replace('|', "\\|")
}

fn contents(page: &Description) -> String {
    let mut text = "## Contents\n\n".to_owned();
    for function in &page.functions {
        let about = summary(&function.description);
        let dash = if about.is_empty() { "" } else { ": " };
        text += &format!("- {}{dash}{about}\n", escape::link("function", &function.name));
    }
    let sections = [
        ("Handles", "handles", page.handles.is_empty() && !has_states(page)),
        ("Structs", "structs", !page.structs.iter().any(|each| each.members.is_some())),
        ("Enums", "enums", page.enums.is_empty()),
        ("Codes", "codes", page.codes.is_empty()),
    ];
    for (title, anchor, _) in sections.iter().filter(|(_, _, is_empty)| !is_empty) {
        text += &format!("- [{title}](#{anchor})\n");
    }
    text + "\n"
}

/// The first sentence of a description.
fn summary(description: &str) -> String {
    let first = description.trim().split("\n\n").next().unwrap_or_default();
    let line = first.split_whitespace().collect::<Vec<_>>().join(" ");
    let end = line.find(". ").map_or(line.len(), |at| at + 1);
    escape::cell(&line[..end])
}

fn has_states(page: &Description) -> bool {
    page.structs.iter().any(|each| each.members.is_none())
}

fn handles(page: &Description) -> String {
    let states = page.structs.iter().filter(|each| each.members.is_none()).map(|each| &each.name);
    let names: Vec<&String> = page.handles.iter().map(|handle| &handle.name).chain(states).collect();
    if names.is_empty() {
        return String::new();
    }
    let mut text = "## Handles\n\n\
        Callers get an object of the library as a token: a string that has no meaning elsewhere. One\n\
        function returns it, others take it, and one frees it. A token that is made up, already freed, or of\n\
        another type is refused.\n\n\
        | Handle | Made by | Taken by | Ended by |\n|---|---|---|---|\n"
        .to_owned();
    for name in names {
        let by = |is_it: &dyn Fn(&Function) -> bool| {
            let functions = page.functions.iter().filter(|function| is_it(function));
            let mut links: Vec<String> =
                functions.map(|function| escape::link("function", &function.name)).collect();
            let more = links.len().saturating_sub(SHOWN);
            if more > 0 {
                links.truncate(SHOWN);
                links.push(format!("and {more} more"));
            }
            if links.is_empty() { "–".to_owned() } else { links.join(", ") }
        };
        let with_role = |function: &Function, is_it: &dyn Fn(&Role) -> bool| {
            let mut values = function.parameters.iter().chain(&function.returns);
            values.any(|value| value.handle.as_ref() == Some(name) && is_it(&value.role))
        };
        text += &format!(
            "| <a id=\"{}\"></a>{} | {} | {} | {} |\n",
            escape::anchor("handle", name),
            escape::code(name),
            by(&|function| with_role(function, &|role| matches!(role, Role::Out))),
            by(&|function| with_role(function, &|role| matches!(
                role,
                Role::In | Role::InOut | Role::Taken(_)
            ))),
            by(&|function| with_role(function, &|role| matches!(role, Role::Ends))),
        );
    }
    text + "\n"
}

fn structs(page: &Description) -> String {
    let sections: String = page.structs.iter().filter_map(structure).collect();
    if sections.is_empty() { String::new() } else { format!("## Structs\n\n{sections}") }
}

fn structure(of: &Struct) -> Option<String> {
    let members = of.members.as_ref()?;
    let name = &of.name;
    let mut text = escape::heading("struct", name);
    if let Some(description) = &of.description {
        text += &format!("{}\n\n", escape::prose(description));
    }
    let declared: String = members.iter().map(|member| format!("    {};\n", member.declaration)).collect();
    text += &escape::block("c", &format!("typedef struct {{\n{declared}}} {name};"));
    text += "\n| Member | Type | Required | Description |\n|---|---|---|---|\n";
    for member in members {
        let kind = member.schema.as_ref().map_or_else(|| "not in JSON".to_owned(), schema::words);
        let required = match (&member.default, member.required) {
            (_, true) => "yes".to_owned(),
            (Some(default), false) => format!("no, {}", escape::code(&default.to_string())),
            (None, false) => "no".to_owned(),
        };
        let about = escape::cell(member.description.as_deref().unwrap_or_default());
        text += &format!("| {} | {kind} | {required} | {about} |\n", escape::code(&member.name));
    }
    text += "\n";
    match (of.size, of.align) {
        (Some(size), Some(align)) => text += &format!("It has {size} bytes, aligned to {align}.\n\n"),
        (Some(size), None) => text += &format!("It has {size} bytes.\n\n"),
        (None, _) => {}
    }
    Some(text)
}

fn enums(page: &Description) -> String {
    let mut text = String::new();
    for of in &page.enums {
        text += &escape::heading("enum", &of.name);
        if let Some(description) = &of.description {
            text += &format!("{}\n\n", escape::prose(description));
        }
        text += "| Value | Name |\n|---|---|\n";
        for (name, value) in &of.values {
            let value = escape::code(&value.to_string()).replace('|', "\\|");
            text += &format!("| {value} | {} |\n", escape::cell(name));
        }
        text.push('\n');
    }
    if text.is_empty() { text } else { format!("## Enums\n\n{text}") }
}

fn codes(page: &Description) -> String {
    if page.codes.is_empty() {
        return String::new();
    }
    let are_named = page.codes.iter().any(|code| code.name.is_some());
    let rows: String = page
        .codes
        .iter()
        .map(|code| {
            let (value, text) = (code.value, escape::cell(&code.text));
            if !are_named {
                return format!("| `{value}` | {text} |\n");
            }
            let name = code.name.as_deref().map(escape::code).unwrap_or_default();
            format!("| `{value}` | {name} | {text} |\n")
        })
        .collect();
    let head = if are_named { "| Code | Name | Text |\n|---|---|---|" } else { "| Code | Text |\n|---|---|" };
    format!("## Codes\n\n{head}\n{rows}")
}
