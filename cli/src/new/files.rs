//! The texts of the files.

use std::fmt::Write;

use opendyn_codegen::description::Function;
use opendyn_model::lower::library_variable;
use serde_json::Value;

use super::{Crate, CrateLibrary, Dependency};

/// How many methods the README shows.
const SHOWN: usize = 5;

/// A quoted string, with escapes that Rust and TOML read too.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

pub(super) fn manifest(own: &Crate) -> String {
    let place = match &own.dependency {
        Dependency::Released => {
            let version = concat!(env!("CARGO_PKG_VERSION_MAJOR"), ".", env!("CARGO_PKG_VERSION_MINOR"));
            format!("version = \"{version}\"")
        }
        Dependency::Folder(path) => format!("path = {}", quoted(path)),
    };
    let workspace = match own.is_nested {
        true => {
            "\n# A folder above has a Cargo.toml: remove this to make the crate a member of its workspace.\n[workspace]\n"
        }
        false => "",
    };
    format!(
        r#"[package]
name = "{name}"
description = {about}
version = "0.1.0"
edition = "2024"
rust-version = "{rust}"

[dependencies]
opendyn = {{ {place}, features = ["mcp", "server"] }}
{workspace}"#,
        name = own.name,
        about = quoted(&format!("the functions of {}, for agents", own.described.title)),
        rust = env!("CARGO_PKG_RUST_VERSION"),
    )
}

pub(super) fn program(own: &Crate) -> String {
    let binding = &own.described.binding;
    let document = quoted(&own.document);
    let name = if own.is_renamed { format!(", name = {binding}") } else { String::new() };
    let (library, served, opened) = match &own.library {
        CrateLibrary::OfDocument => (String::new(), binding.clone(), "open_default()".to_owned()),
        CrateLibrary::Named(path) => (
            format!(
                "/// The library, unless the command line names another with `--library`.\n\
                 const LIBRARY: &str = {};\n\n",
                quoted(path)
            ),
            format!("{binding}, library = LIBRARY"),
            "open(super::LIBRARY)".to_owned(),
        ),
        CrateLibrary::Variable => (
            variable(&library_variable(binding), &own.described.title),
            format!("{binding}, library = library()"),
            "open(super::library())".to_owned(),
        ),
    };
    format!(
        r#"//! Serves the functions that {file} describes to agents: OpenTool over HTTP, and MCP.

opendyn::opendyn!({document}{name});

{library}opendyn::serve!({served});
{note}
#[cfg(test)]
mod tests {{
    use super::{binding};

    /// Opening a library looks up every function of the document.
    #[test]
    fn the_library_has_every_function() {{
        // SAFETY: `opendyn check {file}` compares the document with the library.
        let opened = unsafe {{ {binding}::{opened} }};
        let library = opened.expect("the library is installed and has every function");
        assert!(opendyn::Tool::load(&library).is_some(), "agents get its description");
    }}
}}
"#,
        file = own.document,
        note = note(own),
    )
}

/// What tells packaging tools which library the program opens, if it has a name that packages have.
fn note(own: &Crate) -> String {
    let name = match &own.library {
        CrateLibrary::OfDocument => {
            own.described.library.as_ref().and_then(|library| library.linux.as_deref())
        }
        CrateLibrary::Named(name) => Some(name.as_str()),
        CrateLibrary::Variable => None,
    };
    let is_plain = |text: &str| !text.contains(['"', '\\']) && !text.contains(char::is_control);
    let Some(name) = name.filter(|name| !name.contains('/') && name.contains(".so") && is_plain(name)) else {
        return String::new();
    };
    let title = if is_plain(&own.described.title) { own.described.title.as_str() } else { "the library" };
    format!(
        r#"
// For packaging tools: the executable says which library it opens.
opendyn::dlopen_note!(
    {name},
    feature = {feature},
    description = {about},
    priority = "required",
);
"#,
        name = quoted(name),
        feature = quoted(&own.name),
        about = quoted(&format!("The functions of {title}")),
    )
}

/// The function that finds the library of a document that names none.
fn variable(variable: &str, title: &str) -> String {
    let name: String = title.chars().filter(char::is_ascii_alphanumeric).collect();
    let name = name.to_ascii_lowercase();
    format!(
        r#"/// The library that the variable {variable} names, or else one that the system finds. The command line can
/// name another with `--library`.
fn library() -> std::path::PathBuf {{
    let usual = || opendyn::libloading::library_filename("{name}");
    std::env::var_os("{variable}").unwrap_or_else(usual).into()
}}

"#
    )
}

pub(super) fn readme(own: &Crate) -> String {
    let binding = &own.described.binding;
    let mut text = format!(
        "# {name}

The functions that [{file}]({file}) describes, compiled: typed methods for Rust, and a server for agents.

```console
$ cargo test                # opens the library and looks up every function
$ cargo run                 # OpenTool and MCP over HTTP; --help lists the options
$ cargo run -- --mcp-stdio  # MCP over standard input and output
```

",
        name = own.name,
        file = own.document,
    );
    text += &match &own.library {
        CrateLibrary::OfDocument => format!(
            "The document names its library. The variable {} or the option `--library` names another one.\n",
            library_variable(binding)
        ),
        CrateLibrary::Named(path) => {
            format!(
                "The library is `{path}`, as `src/main.rs` says. The option `--library` names another one.\n"
            )
        }
        CrateLibrary::Variable => format!(
            "The document names no library: set the variable {} to its path, also for `cargo test`, or use the \
             option `--library`.\n",
            library_variable(binding)
        ),
    };
    let safe: Vec<&Function> =
        own.described.functions.iter().filter(|function| !function.signature.is_unsafe).collect();
    if !safe.is_empty() {
        let _ = write!(
            text,
            "\n`{binding}` has one method per function; `cargo doc --open` shows all:\n\n```rust\n"
        );
        for function in safe.iter().take(SHOWN) {
            let _ = writeln!(text, "{}", function.signature.text);
        }
        text += "```\n";
    }
    text
}
