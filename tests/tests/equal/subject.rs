//! A document with its library, called compiled and interpreted.

use std::path::Path;

use opendyn::{Binding, Handles};
use opendyn_model::plan;
use opendyn_model::{Findings, Options, lower, read};
use opendyn_tests::{Answer, Compiled, Difference, Twin, TwinLibrary};
use serde_json::{Map, Value};

/// Both tools of a document, of whatever type the compiled one is.
pub trait Calls {
    /// Calls both with JSON text.
    fn text(&self, function: &str, arguments: &[u8]) -> Result<Answer, Difference>;

    /// Calls both with a map.
    fn map(&self, function: &str, arguments: &Map<String, Value>) -> Result<Answer, Difference>;

    /// Calls both with MessagePack.
    fn packed(&self, function: &str, arguments: &Value) -> Result<Answer, Difference>;

    /// Calls both in a session; `None` if the document has no handles.
    fn session(&self, function: &str, arguments: &[u8]) -> Option<Result<Answer, Difference>>;
}

/// Without handles.
struct Plain<T>(Twin<T>);

/// With a session.
struct Session<T: Compiled + Binding>(Twin<T>, Handles);

impl<T: Compiled> Calls for Plain<T> {
    fn text(&self, function: &str, arguments: &[u8]) -> Result<Answer, Difference> {
        self.0.text(function, arguments)
    }

    fn map(&self, function: &str, arguments: &Map<String, Value>) -> Result<Answer, Difference> {
        self.0.map(function, arguments)
    }

    fn packed(&self, function: &str, arguments: &Value) -> Result<Answer, Difference> {
        self.0.packed(function, arguments)
    }

    fn session(&self, _: &str, _: &[u8]) -> Option<Result<Answer, Difference>> {
        None
    }
}

impl<T: Compiled + Binding> Calls for Session<T> {
    fn text(&self, function: &str, arguments: &[u8]) -> Result<Answer, Difference> {
        self.0.text(function, arguments)
    }

    fn map(&self, function: &str, arguments: &Map<String, Value>) -> Result<Answer, Difference> {
        self.0.map(function, arguments)
    }

    fn packed(&self, function: &str, arguments: &Value) -> Result<Answer, Difference> {
        self.0.packed(function, arguments)
    }

    fn session(&self, function: &str, arguments: &[u8]) -> Option<Result<Answer, Difference>> {
        Some(self.0.with(&self.1, function, arguments))
    }
}

impl<T: Compiled + Binding> Drop for Session<T> {
    fn drop(&mut self) {
        self.0.free_handles(&self.1);
    }
}

/// Opens a twin whose interpreter reads the document in the first argument.
type Open = fn(&str, &TwinLibrary) -> Box<dyn Calls>;

/// A document, and the C library that it describes.
#[derive(Debug)]
pub struct Subject {
    /// The path of the document, from the folder of the crate.
    pub document: &'static str,
    /// The options of the binding.
    pub options: fn() -> Options,
    /// The name of the C library, and how it is compiled.
    pub library: (&'static str, &'static [&'static str]),
    pub open: Open,
    /// Functions that count objects and faults: all is 0 when both tools are gone.
    pub counters: &'static [&'static str],
}

/// Opens both tools.
///
/// # Safety
///
/// Both documents must describe the library well enough for the calls that are made.
unsafe fn twin<T: Compiled>(source: &str, library: &TwinLibrary) -> Twin<T> {
    // SAFETY: the caller vouches for the documents.
    let twin = unsafe { Twin::open_with(source, library.compiled.path(), library.interpreted.path()) };
    twin.expect("every function is there")
}

impl Subject {
    /// A document without handles.
    pub const fn plain<T: Compiled + 'static>(library: &'static str) -> Self {
        // SAFETY: the fixtures describe their libraries, and mutants differ harmlessly.
        let open: Open = |source, library| Box::new(Plain(unsafe { twin::<T>(source, library) }));
        Self { document: T::DOCUMENT, options: T::options, library: (library, &[]), open, counters: &[] }
    }

    /// A document with handles or states.
    pub const fn with_handles<T: Compiled + Binding + 'static>(library: &'static str) -> Self {
        // SAFETY: as above.
        let open: Open =
            |source, library| Box::new(Session(unsafe { twin::<T>(source, library) }, Handles::new()));
        Self { document: T::DOCUMENT, options: T::options, library: (library, &[]), open, counters: &[] }
    }

    /// The library is compiled with these flags.
    pub const fn compiled_with(self, flags: &'static [&'static str]) -> Self {
        Self { library: (self.library.0, flags), ..self }
    }

    /// These functions count objects and faults.
    pub const fn counted_by(self, counters: &'static [&'static str]) -> Self {
        Self { counters, ..self }
    }

    /// Two copies of the library.
    pub fn compile(&self) -> TwinLibrary {
        TwinLibrary::new(self.library.0, self.library.1)
    }

    /// The text of the document.
    pub fn source(&self) -> String {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(self.document);
        std::fs::read_to_string(path).expect("the document is there")
    }

    /// What the document says.
    pub fn plan(&self) -> plan::Binding {
        let (source, findings) = (self.source(), Findings::new());
        let document = read::read(&source, &findings).expect("a document");
        lower::lower(&document, &(self.options)(), &findings).binding().expect("a document without errors")
    }
}
