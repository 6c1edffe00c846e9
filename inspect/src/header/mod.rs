//! What the headers of a C library declare: functions with their comments, types with their layout, and
//! macros that stand for integers.
//!
//! Headers are read as the compiler reads them: its preprocessor runs over them ([`read`] calls `cc -E`), the
//! declarations are parsed with the types that they use, and sizes are computed for the target of the
//! compiler. `opendyn import` writes a document from the result, and `opendyn check --header` compares one
//! with it.

mod comment;
mod compiler;
mod error;
mod files;
mod layout;
mod lex;
mod macros;
mod mistaken;
mod parse;
mod preprocess;
mod sal;
mod table;
mod target;
mod token;
mod value;

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::PathBuf;

pub use error::HeaderError;
pub use mistaken::Mistaken;

use crate::{Function, Interface, Target};
use compiler::Compilers;
use parse::Parser;

/// How headers are read.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Folders to search for headers, as with `-I`.
    pub include: Vec<PathBuf>,
    /// Macros to define, as with `-D`: `NAME` or `NAME=VALUE`.
    pub define: Vec<String>,
    /// The compiler; if absent, the one in the environment variable `CC`, else `cc`, `gcc` or `clang`, or one
    /// for `triple`.
    pub compiler: Option<OsString>,
    /// Further arguments for the compiler, such as `-m32` or `--target=…`.
    pub arguments: Vec<OsString>,
    /// The target that the compiler must have; if absent, any.
    pub target: Option<Target>,
    /// The name of that target, such as `x86_64-pc-windows-msvc`, by which a compiler is chosen.
    pub triple: Option<String>,
    /// Folders or files whose declarations are included too. Those of the headers themselves always are, and
    /// those of the headers that they include as their own parts: `"zconf.h"` in `zlib.h`, `<curl/easy.h>` in
    /// `curl/curl.h`, `<bits/…>` in the C library.
    pub also: Vec<PathBuf>,
}

/// Reads what `headers` declare. A header is a path, or a name as in `#include <zlib.h>`.
///
/// # Errors
///
/// There is no compiler or no such header, or the preprocessor fails. Declarations that cannot be read are
/// not an error: they are in [`Interface::skipped`].
pub fn read(headers: &[PathBuf], options: &Options) -> Result<Interface, HeaderError> {
    for header in headers {
        // These characters would end the `#include` line.
        if header.display().to_string().contains(['"', '\n']) {
            return Err(HeaderError::NotFound { header: header.clone(), include: options.include.clone() });
        }
        if let Some(what) = mistaken::mistaken(header, &options.include) {
            return Err(HeaderError::Mistaken { header: header.clone(), what });
        }
    }
    let compilers = Compilers::of(options);
    let (mut tried, mut failure) = (Vec::new(), None);
    for command in &compilers.commands {
        let compiler = preprocess::name(command);
        let error = match preprocess::run(command, headers, options) {
            Ok(None) => {
                tried.push(compiler);
                continue;
            }
            Ok(Some(source)) => match interface(&source, options) {
                Ok(interface) => return Ok(interface),
                Err(difference) => HeaderError::Target { compiler, difference },
            },
            Err(error) => error,
        };
        failure.get_or_insert(error);
        if !compilers.foreign {
            break;
        }
    }
    let triple = options.triple.clone().filter(|_| compilers.foreign);
    match (failure, triple) {
        (None, triple) => Err(HeaderError::NoCompiler { tried, triple }),
        (Some(error), None) => Err(error),
        (Some(error), Some(triple)) => Err(HeaderError::Foreign { triple, error: Box::new(error) }),
    }
}

/// The compiler that reads headers of this machine: its name, and the first line of what it says of itself.
///
/// # Errors
///
/// There is no compiler.
pub fn compiler() -> Result<(String, String), HeaderError> {
    let mut tried = Vec::new();
    for command in Compilers::of(&Options::default()).commands {
        match preprocess::version(&command) {
            Some(version) => return Ok((preprocess::name(&command), version)),
            None => tried.push(preprocess::name(&command)),
        }
    }
    Err(HeaderError::NoCompiler { tried, triple: None })
}

/// Reads what preprocessed text declares, as the compiler writes it with `-E -C -dD`. No compiler is needed.
///
/// # Errors
///
/// The text is for another target than the requested one; the error says how they differ.
pub fn read_preprocessed(source: &str, options: &Options) -> Result<Interface, String> {
    interface(source, options)
}

/// What preprocessed headers declare; or how their target differs from the requested one.
fn interface(source: &str, options: &Options) -> Result<Interface, String> {
    let unit = lex::unit(source);
    let target = target::of(&unit, options.target);
    if let Some(difference) = options.target.and_then(|wanted| target::difference(&target, &wanted)) {
        return Err(difference);
    }
    let own = unit.files.own(&options.also, &unit.tokens);
    let mut parser = Parser::new(unit, own, target);
    parser.run();
    let comments = comment::assign(&parser);
    let mut constants = macros::constants(&mut parser);
    comment::of_constants(&mut constants);
    let functions = functions(&parser, comments);
    Ok(Interface {
        target,
        functions,
        types: parser.table.types,
        constants,
        skipped: parser.skipped,
        type_comments: parser.type_comments,
    })
}

/// The functions of the library's own headers, each once, sorted by name.
fn functions(parser: &Parser<'_>, mut comments: HashMap<usize, comment::Described>) -> Vec<Function> {
    let mut found: Vec<Function> = Vec::new();
    let mut by_name: HashMap<&str, usize> = HashMap::new();
    for (index, declared) in parser.functions.iter().enumerate() {
        let own = parser.unit.tokens.get(declared.token).is_some_and(|token| parser.own.has(token.file));
        if !own || declared.private {
            continue;
        }
        let mut function = Function {
            name: declared.name.to_owned(),
            symbol: declared.symbol.clone(),
            signature: declared.signature.clone(),
            comment: None,
            attributes: declared.attributes.clone(),
            place: Some(parser.place(declared.token)),
        };
        comment::name_parameters(&mut function, |word| parser.is_type(word));
        if let Some(described) = comments.remove(&index) {
            comment::describe(&mut function, described);
        }
        match by_name.get(declared.name).and_then(|&at| found.get_mut(at)) {
            Some(earlier) => merge(earlier, function),
            None => {
                by_name.insert(declared.name, found.len());
                found.push(function);
            }
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

/// Adds what a further declaration of the same function says.
fn merge(earlier: &mut Function, later: Function) {
    earlier.symbol = earlier.symbol.take().or(later.symbol);
    earlier.comment = earlier.comment.take().or(later.comment);
    for attribute in later.attributes {
        if !earlier.attributes.iter().any(|known| known.of == attribute.of) {
            earlier.attributes.push(attribute);
        }
    }
    match (&mut earlier.signature, later.signature) {
        (signature @ Err(_), Ok(prototype)) => *signature = Ok(prototype),
        (Ok(signature), Ok(other)) => {
            for (parameter, other) in signature.parameters.iter_mut().zip(other.parameters) {
                parameter.name = parameter.name.take().or(other.name);
                parameter.array = parameter.array.or(other.array);
                parameter.is_array |= other.is_array;
                parameter.nullable = parameter.nullable.or(other.nullable);
                parameter.comment = parameter.comment.take().or(other.comment);
                parameter.direction = parameter.direction.or(other.direction);
            }
        }
        (_, Err(_)) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small generator with a fixed seed, so that failures can be reproduced.
    struct Random(u64);

    impl Random {
        fn below(&mut self, limit: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            usize::try_from(self.0 % limit.max(1) as u64).unwrap_or(0)
        }
    }

    #[test]
    fn no_text_makes_it_panic() {
        let headers = [
            include_str!("../../tests/headers/declarations.h"),
            include_str!("../../tests/headers/layouts.h"),
            include_str!("../../tests/headers/constants.h"),
            include_str!("../../tests/headers/plain.h"),
            include_str!("../../tests/headers/doxygen.h"),
            include_str!("../../tests/headers/below.h"),
        ];
        let mut random = Random(0x2545_f491_4f6c_dd1d);
        let pieces = [
            "(",
            ")",
            "{",
            "}",
            "[",
            "]",
            ";",
            ",",
            "*",
            "=",
            "\"",
            "'",
            "/*",
            "*/",
            "//",
            "\n",
            "\n# 1 \"x.h\" 2\n",
            "\n#define ",
            "<li>",
            "^(",
            ")^",
            "[[",
            "@param",
            " struct ",
            " typedef ",
            "9999999999999999999",
            "é",
            ":",
            "~",
            "__attribute__((aligned(",
            "-",
            "<<",
            "?",
            "sizeof",
        ];
        for round in 0..3_000 {
            let mut text = "#include \"x.h\"\n# 1 \"<stdin>\"\n# 1 \"x.h\" 1\n".to_owned();
            text.push_str(headers[random.below(headers.len())]);
            for _ in 0..1 + round % 9 {
                let boundaries: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
                let at = boundaries[random.below(boundaries.len())];
                match random.below(3) {
                    0 => text.insert_str(at, pieces[random.below(pieces.len())]),
                    1 => text.truncate(at),
                    _ => {
                        let end = boundaries[random.below(boundaries.len())];
                        let copied = text[at.min(end)..at.max(end)].to_owned();
                        text.replace_range(
                            at.min(end)..at.max(end),
                            &copied.chars().rev().take(5).collect::<String>(),
                        );
                    }
                }
                if text.is_empty() {
                    text.push(';');
                }
            }
            _ = interface(&text, &Options::default());
        }
    }
}
