//! Sessions of a twin: for each table of handles of the compiled binding there is one of the interpreter.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use opendyn::{Binding, Handles, OpenTool, ToolError};

use super::difference::{Answer, Difference, equal};
use super::tokens::translated;
use super::{Compiled, Twin, agreed};

/// The tables of the interpreters, by the number of the table that a test sees. Process-wide: a table that is passed to
/// another twin is foreign to both of its tools.
fn tables() -> MutexGuard<'static, BTreeMap<String, Arc<Handles>>> {
    static TABLES: Mutex<BTreeMap<String, Arc<Handles>>> = Mutex::new(BTreeMap::new());
    TABLES.lock().unwrap_or_else(PoisonError::into_inner)
}

fn table(handles: &Handles) -> Arc<Handles> {
    Arc::clone(tables().entry(number(handles)).or_default())
}

/// `Handles { id: 7`: tables move, so that their address does not identify them.
fn number(handles: &Handles) -> String {
    let shown = format!("{handles:?}");
    shown.split(',').next().unwrap_or_default().to_owned()
}

impl<T: Compiled + Binding> Twin<T> {
    /// Calls both with JSON text, and with the handles of a session.
    ///
    /// # Errors
    ///
    /// The answers differ.
    pub fn with(&self, handles: &Handles, name: &str, arguments: &[u8]) -> Result<Answer, Difference> {
        let table = table(handles);
        let (mut reply, mut other) = (Vec::new(), Vec::new());
        let compiled = self.compiled.call_with(handles, name, arguments, &mut reply).map(|()| reply);
        let interpreted =
            self.interpreted.call_with(&table, name, &translated(arguments), &mut other).map(|()| other);
        let answer = equal(name, arguments, compiled, &interpreted)?;
        if handles.len() == table.len() {
            return Ok(answer);
        }
        Err(Difference {
            function: name.to_owned(),
            arguments: String::from_utf8_lossy(arguments).into_owned(),
            compiled: format!("{} handles", handles.len()),
            interpreted: format!("{} handles", table.len()),
        })
    }
}

impl<T: Compiled + Binding> Binding for Twin<T> {
    fn call_with(
        &self,
        handles: &Handles,
        name: &str,
        arguments: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), ToolError> {
        out.extend(agreed(self.with(handles, name, arguments))?);
        Ok(())
    }

    fn load(&self) -> Option<OpenTool> {
        self.load()
    }

    fn free_handles(&self, handles: &Handles) {
        let table = table(handles);
        self.compiled.free_handles(handles);
        self.interpreted.free_handles(&table);
        assert_eq!(handles.len(), table.len(), "the sessions hold different numbers of handles");
        if table.is_empty() {
            tables().remove(&number(handles));
        }
    }
}
