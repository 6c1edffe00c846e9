//! What an import reads: headers, the library, and its debug info.

use std::collections::HashSet;
use std::path::Path;

use super::Options;
use super::error::ImportError;
use super::gir::{self, Gir};
use super::information::Information;
use super::seen::Seen;
use super::{debug_names, man};
use crate::code::Code;
use crate::{Exports, Function, Interface, LibraryError, debug, header, locate};

/// What the sources say.
pub(super) struct Sources {
    pub(super) library: Option<Exports>,
    /// What its machine code proves.
    pub(super) code: Seen,
    pub(super) headers: Option<Interface>,
    pub(super) debug_info: Option<Interface>,
    pub(super) information: Information,
    pub(super) gir: Vec<Gir>,
}

impl Sources {
    pub(super) fn read(options: &Options) -> Result<Self, ImportError> {
        let mut information = Information::new(options.title.clone());
        if let Some(first) = options.headers.first() {
            information.call_after(first);
        }
        let library = options
            .library
            .as_deref()
            .or(options.debug_info.as_deref().filter(|_| options.headers.is_empty()));
        let library = match library {
            Some(name) => {
                LibraryError::check_name(name)?;
                let path = locate(name).map_err(LibraryError::from)?;
                let exports = Exports::read(&path).map_err(LibraryError::from)?;
                let file = path.canonicalize().unwrap_or_else(|_| path.clone());
                information.learn(&exports, &name_of(&path), &name_of(&file));
                Some((path, exports))
            }
            None => None,
        };
        let mut gir = Vec::new();
        let mut headers = match options.headers.as_slice() {
            [] => None,
            headers => {
                gir = gir::open_all(&options.gir, headers).map_err(ImportError::Gir)?;
                let exports = library.as_ref().map(|(_, exports)| exports);
                let header_options = header::Options {
                    include: options.include.clone(),
                    define: options.define.clone(),
                    also: options.also.clone(),
                    target: exports.map(|exports| exports.target),
                    triple: exports.map(|exports| exports.triple.clone()),
                    ..header::Options::default()
                };
                let mut interface = header::read(headers, &header_options)?;
                gir.iter().for_each(|gir| gir.apply(&mut interface));
                if options.man {
                    man::apply(&mut interface, headers);
                }
                Some(interface)
            }
        };
        let debug_info = match &options.debug_info {
            None => None,
            Some(file) => {
                let library = library.as_ref().filter(|_| options.library.is_some());
                Some(debug_info(file, library.map(|(path, _)| path.as_path()))?)
            }
        };
        if let Some(interface) = headers.as_mut().filter(|of| of.functions.iter().any(Function::lacks_names))
        {
            let own = match (&debug_info, &library) {
                (None, Some((path, exports))) => own_debug_info(path, exports, interface),
                _ => None,
            };
            if let Some(names) = own.as_ref().or(debug_info.as_ref()) {
                debug_names::apply(interface, names);
            }
        }
        let code = match &library {
            Some((path, _)) => Seen::new(Code::read(path), name_of(path)),
            None => Seen::default(),
        };
        let library = library.map(|(_, exports)| exports);
        Ok(Self { library, code, headers, debug_info, information, gir })
    }
}

/// What a library's own debug info, or that in the usual place beside it, says about functions whose parameters
/// have no names; `None` if there is none, as for most installed libraries.
fn own_debug_info(library: &Path, exports: &Exports, interface: &Interface) -> Option<Interface> {
    let symbols: HashSet<&str> = interface
        .functions
        .iter()
        .filter(|function| function.lacks_names())
        .map(|function| function.symbol.as_deref().unwrap_or(&function.name))
        .collect();
    let wanted = |name: &str| symbols.contains(name);
    let options =
        debug::Options { wanted: Some(&wanted), triple: Some(&exports.triple), ..debug::Options::default() };
    debug::read(library, &options).ok()
}

/// The debug info in `file`: of `library`, or of `file` itself.
fn debug_info(file: &Path, library: Option<&Path>) -> Result<Interface, ImportError> {
    match library {
        Some(library) => {
            let options = debug::Options { file: Some(file), ..debug::Options::default() };
            Ok(debug::read(library, &options)?)
        }
        None => {
            let file = locate(file).map_err(ImportError::NoDebugInfo)?;
            Ok(debug::read(&file, &debug::Options::default())?)
        }
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}
