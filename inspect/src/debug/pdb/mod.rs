//! Prototypes from PDB, the debug info of Microsoft's tools. It has no aliases such as `size_t`, and
//! parameter names are stored separately from the type of the function.

mod bounds;
mod guard;
mod name;
mod record;
mod types;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use object::Object;
use pdb2::{FallibleIterator, PDB, SymbolData, TypeIndex};

use super::error::{Attempt, DebugError};
use super::find::Found;
use super::wanted::{self, Wanted};
use crate::exports::{Exports, Image};
use crate::interface::{Function, Interface};
use guard::guarded;
use types::Reader;

/// Whether a file is a PDB.
pub(super) fn is_pdb(bytes: &[u8]) -> bool {
    bytes.starts_with(b"Microsoft C/C++ MSF 7.00")
}

/// The PDB that a DLL names: next to it, or where it was written.
pub(super) fn find(image: &Image<'_>, tried: &mut Vec<Attempt>) -> Option<Found> {
    let Ok(Some(info)) = image.file.pdb_info() else {
        tried.push(Attempt::new("by debug directory", "the library names no PDB"));
        return None;
    };
    let written = String::from_utf8_lossy(info.path()).into_owned();
    let name = written.rsplit(['\\', '/']).next().unwrap_or(&written);
    let mut places = vec![image.path.with_file_name(name), image.path.with_extension("pdb")];
    places.push(PathBuf::from(&written));
    places.dedup();
    for path in places {
        let Ok(bytes) = fs::read(&path) else {
            tried.push(Attempt::at(&path, "does not exist"));
            continue;
        };
        match fits(image, &bytes) {
            Ok(()) => return Some(Found::Pdb { path, bytes }),
            Err(reason) => tried.push(Attempt::at(&path, reason)),
        }
    }
    None
}

/// Whether the PDB belongs to the DLL.
pub(super) fn fits(image: &Image<'_>, bytes: &[u8]) -> Result<(), String> {
    let Ok(Some(info)) = image.file.pdb_info() else { return Ok(()) };
    guarded(|| {
        let mut pdb = bounds::open(bytes)?;
        let own = pdb.pdb_information()?;
        let age = pdb.debug_information()?.age().unwrap_or(own.age);
        // The DLL stores the identifier in memory order, which differs from the written order.
        Ok((own.guid.to_bytes_le() == info.guid(), age == info.age()))
    })
    .map_err(|error| format!("is damaged: {error}"))
    .and_then(|same| match same {
        (true, true) => Ok(()),
        (false, _) => Err("is from another build (the identifier differs)".to_owned()),
        (true, false) => Err("is from another build (the age differs)".to_owned()),
    })
}

/// Reads the wanted functions.
pub(super) fn read(
    path: &Path,
    bytes: &[u8],
    exports: &Exports,
    wanted: &Wanted<'_>,
    base: u64,
) -> Result<Interface, DebugError> {
    guarded(|| read_all(bytes, exports, wanted, base)).map_err(|error| DebugError::malformed(path, error))
}

/// A function as described in its module.
struct Procedure {
    of: TypeIndex,
    parameters: Vec<String>,
}

fn read_all(bytes: &[u8], exports: &Exports, wanted: &Wanted<'_>, base: u64) -> pdb2::Result<Interface> {
    let mut pdb = bounds::open(bytes)?;
    let (named, placed) = procedures(&mut pdb, wanted, base)?;
    let information = pdb.type_information()?;
    let mut reader = Reader::new(&information, exports.target)?;
    let mut functions = Vec::with_capacity(wanted.functions.len());
    for (id, export) in wanted.functions.iter().enumerate() {
        let by_address = || export.address.and_then(|address| placed.get(&address));
        let signature = match named.get(&id).or_else(by_address) {
            Some(procedure) => reader.signature(procedure.of, &procedure.parameters, export),
            None => Err(wanted::absent(export)),
        };
        functions.push(Function {
            name: export.name.clone(),
            symbol: None,
            signature,
            comment: None,
            attributes: Vec::new(),
            place: None,
        });
    }
    let types = reader.finish();
    Ok(Interface {
        target: exports.target,
        functions,
        types,
        constants: Vec::new(),
        skipped: Vec::new(),
        type_comments: HashMap::new(),
    })
}

type Procedures = (HashMap<usize, Procedure>, HashMap<u64, Procedure>);

/// The wanted procedures of all modules, by function and by address.
fn procedures<'s>(
    pdb: &mut PDB<'s, bounds::File<'s>>,
    wanted: &Wanted<'_>,
    base: u64,
) -> pdb2::Result<Procedures> {
    let (mut named, mut placed) = (HashMap::new(), HashMap::new());
    let addresses = pdb.address_map()?;
    let information = pdb.debug_information()?;
    let mut modules = information.modules()?;
    while let Some(module) = modules.next()? {
        let Some(module) = pdb.module_info(&module)? else { continue };
        let mut symbols = module.symbols()?;
        while let Some(symbol) = symbols.next()? {
            if bounds::is_function_list(&symbol) {
                continue;
            }
            let Ok(SymbolData::Procedure(procedure)) = symbol.parse() else { continue };
            let address = procedure.offset.to_rva(&addresses).map(|rva| base.wrapping_add(rva.0.into()));
            let id = wanted.by_name(procedure.name.as_bytes()).filter(|_| procedure.global);
            let is_here = address.is_some_and(|address| wanted.is_at(address));
            if id.is_none() && !is_here {
                continue;
            }
            let parameters = || parameters(module.symbols_at(symbol.index()));
            if let Some(id) = id {
                named.insert(id, Procedure { of: procedure.type_index, parameters: parameters() });
            } else if let Some(address) = address {
                placed.insert(address, Procedure { of: procedure.type_index, parameters: parameters() });
            }
        }
    }
    Ok((named, placed))
}

/// The parameter names of the procedure at the start of the symbols. Optimized code marks them; other code
/// lists them first among the stack variables.
fn parameters(symbols: pdb2::Result<pdb2::SymbolIter<'_>>) -> Vec<String> {
    let (mut marked, mut plain) = (Vec::new(), Vec::new());
    let Ok(mut symbols) = symbols else { return marked };
    let mut depth = 0;
    while let Ok(Some(symbol)) = symbols.next() {
        if bounds::is_function_list(&symbol) {
            continue;
        }
        match symbol.parse() {
            Ok(SymbolData::Local(local)) if local.flags.isparam && depth == 1 => {
                marked.push(local.name.to_string().into_owned());
            }
            Ok(SymbolData::RegisterRelative(variable)) if depth == 1 => {
                plain.push(variable.name.to_string().into_owned());
            }
            _ => {}
        }
        if symbol.starts_scope() {
            depth += 1;
        } else if symbol.ends_scope() {
            depth -= 1;
            if depth <= 0 {
                break;
            }
        }
    }
    if marked.is_empty() { plain } else { marked }
}
