//! What the headers of a C library declare: functions with the comments that describe them, types with
//! their layout, and the macros that stand for integers.
//!
//! Headers are read as the compiler reads them: its preprocessor runs over them ([`read`] calls `cc -E`),
//! the declarations are parsed with the types that they name, and sizes are computed for the target that
//! the compiler compiles for. `opendyn import` writes a document from it, `opendyn check --header`
//! compares one with it.

mod comment;
mod error;
mod files;
mod lex;
mod macros;
mod parse;
mod preprocess;
mod table;
mod target;
mod value;

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::PathBuf;

pub use error::Error;

use crate::{Function, Interface, Target};
use parse::Parser;

/// How headers are read.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Folders to look for headers in, as with `-I`.
    pub include: Vec<PathBuf>,
    /// Macros to define, as with `-D`: `NAME` or `NAME=VALUE`.
    pub define: Vec<String>,
    /// The compiler; without one, that of the environment variable `CC`, else `cc`, `gcc` or `clang`.
    pub compiler: Option<OsString>,
    /// More arguments for the compiler, such as `-m32` or `--target=…`.
    pub arguments: Vec<OsString>,
    /// The target that the compiler has to be one for; without it, whatever it compiles for.
    pub target: Option<Target>,
    /// Folders or files whose declarations count too. Those of the headers themselves do, and those of
    /// what they include as parts of themselves: `"zconf.h"` in `zlib.h`, `<curl/easy.h>` in
    /// `curl/curl.h`, `<bits/…>` of the C library.
    pub also: Vec<PathBuf>,
}

/// Reads what `headers` declare. A header is a path, or a name as in `#include <zlib.h>`.
///
/// # Errors
///
/// If there is no compiler, no such header, or the preprocessor fails. Declarations that cannot be read
/// are no error: they are in [`Interface::skipped`].
pub fn read(headers: &[PathBuf], options: &Options) -> Result<Interface, Error> {
    let (source, compiler) = preprocess::run(headers, options)?;
    let unit = lex::unit(&source);
    let found = target::of(&unit, options.target);
    let target = match (found, options.target) {
        (found, Some(wanted)) => match target::difference(&found, &wanted) {
            Some(difference) => return Err(Error::Target { compiler, difference }),
            None => wanted,
        },
        (found, None) => found,
    };
    let own = unit.files.own(&options.also);
    let mut parser = Parser::new(unit, own, target);
    parser.run();
    let comments = comment::assign(&parser);
    let mut constants = macros::constants(&mut parser);
    comment::of_constants(&mut constants);
    let functions = functions(&parser, comments);
    Ok(Interface { target, functions, types: parser.table.types, constants, skipped: parser.skipped })
}

/// The functions of the library's own headers, each once, by name.
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
            place: Some(parser.place(declared.token)),
        };
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

/// What a further declaration of the same function adds.
fn merge(earlier: &mut Function, later: Function) {
    earlier.symbol = earlier.symbol.take().or(later.symbol);
    earlier.comment = earlier.comment.take().or(later.comment);
    match (&mut earlier.signature, later.signature) {
        (signature @ Err(_), Ok(prototype)) => *signature = Ok(prototype),
        (Ok(signature), Ok(other)) => {
            for (parameter, other) in signature.parameters.iter_mut().zip(other.parameters) {
                parameter.name = parameter.name.take().or(other.name);
                parameter.array = parameter.array.or(other.array);
                parameter.comment = parameter.comment.take().or(other.comment);
                parameter.direction = parameter.direction.or(other.direction);
            }
        }
        (_, Err(_)) => {}
    }
}
