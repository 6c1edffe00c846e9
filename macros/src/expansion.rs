//! Turns the input into bindings.

use std::hash::Hash;

use opendyn_codegen::{Diagnostic, Diagnostics, Generated, generate};

use crate::code::{tokens, tokens_at};
use crate::compiler::{Span, TokenStream};
use crate::errors::Errors;
use crate::input::Input;
use crate::locate;

pub(crate) fn expand(input: &Input) -> Result<TokenStream, Errors> {
    let (path, source) = locate::document(&input.path)?;
    let span = input.path.span;
    let generated =
        generate(&input.path.value, &source, &input.options).map_err(|found| errors(span, &found))?;

    let path = path.to_string_lossy();
    // In a function that is never called: a constant would be stored in the metadata of the crate, at four
    // times the size of the file. This way the compiler only reads it.
    let library = generated.library().map(|library| {
        let library = std::path::absolute(library).unwrap_or_else(|_| library.to_path_buf());
        let library = library.to_string_lossy();
        format!(
            "const _: () = {{
                #[allow(dead_code)]
                fn library() {{
                    let _: &[u8] = ::core::include_bytes!({library:?});
                }}
            }};"
        )
    });
    let bindings = if input.debug || std::env::var("OPENDYN_DEBUG").is_ok_and(|value| value == "1") {
        included(&generated, (&*path, format!("{:?}", input.options)), span)?
    } else {
        generated.code()
    };
    // The constant makes the compiler run again when the document or the library changes.
    let code = format!(
        "const _: &[u8] = ::core::include_bytes!({path:?}); {} {bindings}",
        library.unwrap_or_default()
    );
    let mut expanded =
        if input.show_warnings { warnings(span, &generated.warnings) } else { TokenStream::new() };
    expanded.extend(tokens(&code, span)?);
    Ok(expanded)
}

/// One compile error per finding, all on the path.
fn errors(span: Span, diagnostics: &Diagnostics) -> Errors {
    let mut errors = Errors::default();
    for diagnostic in diagnostics.errors() {
        errors.push(span, diagnostic);
    }
    errors
}

/// A macro cannot emit warnings, so it uses something deprecated.
fn warnings(span: Span, diagnostics: &Diagnostics) -> TokenStream {
    let warning = |note: &Diagnostic| {
        let code = format!(
            "const _: () = {{
                #[deprecated(note = {:?})]
                #[allow(non_upper_case_globals)]
                const document: () = ();
                document
            }};",
            note.to_string()
        );
        tokens_at(span, &code)
    };
    diagnostics.warnings().map(warning).collect()
}

/// Writes the bindings to a file and includes it, so that compiler errors point at its lines.
fn included(generated: &Generated, of: impl Hash, span: Span) -> Result<String, Errors> {
    let text = generated.to_file().map_err(|error| Errors::new(span, error))?;
    let file = locate::debug_file(generated.name(), of)
        .ok_or_else(|| Errors::new(span, "debug: there is no folder to write the bindings to"))?;
    if std::fs::read_to_string(&file).is_ok_and(|present| present == text) {
        // Not written again, to keep its time stamp.
    } else {
        std::fs::write(&file, text).map_err(|error| {
            Errors::new(span, format_args!("debug: cannot write {}: {error}", file.display()))
        })?;
    }
    let file = file.to_string_lossy();
    Ok(format!("::core::include!({file:?});"))
}
