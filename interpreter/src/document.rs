//! A document that has no errors.

use std::sync::OnceLock;

use opendyn::generated::{DefaultLibrary, Field, Sharing};
use opendyn::interpreted::{Index, Wanted, check_json};
use opendyn::{Codes, MAX_ARGUMENTS, ToolError};
use opendyn_model::document;
use opendyn_model::plan::{Binding, Init, Json};
use opendyn_model::{Diagnostics, Findings, Options, Rule, lower, read};
use opentool::OpenTool;

use crate::kinds::Kinds;
use crate::prepared::Prepared;
use crate::store::Store;

/// A document that has no errors: what its functions take and return is known, their addresses are not.
///
/// Functions are prepared when they are first called or checked.
#[derive(Debug)]
pub struct Document {
    prepared: Box<[OnceLock<Result<Prepared, String>>]>,
    kinds: Kinds,
    codes: Codes,
    index: Index,
    /// The functions that were not read.
    others: Vec<document::Other>,
    warnings: Diagnostics,
    binding: &'static Binding,
    /// Owns what the fields above refer to, and so comes last.
    store: Store,
}

impl Document {
    /// Reads the text of a document. `file` is its name in findings.
    ///
    /// # Errors
    ///
    /// The document has errors: all of them are returned, and its warnings too.
    pub fn read(file: &str, source: &str, options: &Options) -> Result<Self, Diagnostics> {
        Self::of(file, source, options, &|findings| read::read(source, findings))
    }

    /// Reads only what calls of `function` need, which takes a fraction of the time if the document is large. Errors in
    /// other functions are not found. If there is no such function, the document has none.
    ///
    /// # Errors
    ///
    /// As for [`Document::read`].
    pub fn read_for(
        file: &str,
        source: &str,
        options: &Options,
        function: &str,
    ) -> Result<Self, Diagnostics> {
        Self::of(file, source, options, &|findings| read::read_for(source, function, findings))
    }

    fn of(
        file: &str,
        source: &str,
        options: &Options,
        read: &dyn Fn(&Findings) -> Option<document::Document>,
    ) -> Result<Self, Diagnostics> {
        let findings = Findings::new();
        let lowered = read(&findings).and_then(|document| {
            let binding = lower::lower(&document, options, &findings).binding()?;
            Some((binding, document.others))
        });
        let Some((binding, others)) = lowered.filter(|_| !findings.has_errors()) else {
            return Err(findings.finish(file, source));
        };
        // SAFETY: what the store keeps is only reached through the document, which drops the store last. Replies and
        // errors are copies, and the types of handles are not in the store.
        let store = unsafe { Store::new() };
        let binding = store.keep(binding);
        let kinds = Kinds::new(&binding.types, &store);
        check_layouts(binding, &kinds, &findings);
        if findings.has_errors() {
            return Err(findings.finish(file, source));
        }
        let all = binding.codes.iter();
        let codes: Vec<(i64, &'static str)> =
            all.clone().filter(|code| code.has_text()).map(|code| (code.value, code.text.as_str())).collect();
        let names: Vec<(i64, &'static str)> =
            all.filter_map(|code| Some((code.value, code.name.as_deref()?))).collect();
        let names: &'static [(i64, &'static str)] = store.keep(names);
        Ok(Self {
            prepared: binding.functions.iter().map(|_| OnceLock::new()).collect(),
            kinds,
            codes: Codes::named(store.keep(codes), store.keep(names)),
            index: Index::new(binding.functions.iter().map(|function| function.name.as_str())),
            others,
            warnings: findings.finish(file, source),
            binding,
            store,
        })
    }

    /// The warnings about the document.
    #[must_use]
    pub fn warnings(&self) -> &Diagnostics {
        &self.warnings
    }

    /// `info.title`
    #[must_use]
    pub fn title(&self) -> &str {
        &self.binding.title
    }

    /// Whether the document names a library, which [`Interpreted::open_default`](crate::Interpreted::open_default)
    /// opens.
    #[must_use]
    pub fn names_library(&self) -> bool {
        self.binding.default_library.is_some()
    }

    /// Whether calls may run in parallel.
    #[must_use]
    pub fn is_thread_safe(&self) -> bool {
        self.binding.thread_safe
    }

    /// How calls use the library, which other documents may describe too.
    pub(crate) fn sharing(&self) -> Sharing {
        if self.is_thread_safe() { Sharing::ThreadSafeInTurn } else { Sharing::InTurn }
    }

    /// Whether a running call of the function `name` can be ended: by another function (`x-cancel`), or by what a callback
    /// answers (`progress`).
    pub(crate) fn can_cancel(&self, name: &str) -> bool {
        let functions = &self.binding.functions;
        self.index
            .candidates(name)
            .any(|position| functions[position].name == name && functions[position].can_be_ended())
    }

    /// The functions that can be called with JSON, as an OpenTool document.
    #[must_use]
    pub fn load(&self) -> Option<OpenTool> {
        OpenTool::parse(&opendyn_model::opentool::document(self.binding)).ok()
    }

    /// Whether a call is valid, as far as that can be known without the library: tokens are not looked up.
    ///
    /// # Errors
    ///
    /// The function does not exist or cannot be called with JSON, or the arguments are invalid.
    pub fn check_call(&self, function: &str, arguments: &[u8]) -> Result<(), ToolError> {
        check_json(self.fields(self.find(function)?)?, arguments)
    }

    /// The position of the function `name`.
    pub(crate) fn find(&self, name: &str) -> Result<usize, ToolError> {
        let functions = &self.binding.functions;
        let found = self.index.candidates(name).find(|position| functions[*position].name == name);
        found.ok_or_else(|| {
            let others = self.others.iter().map(|other| other.name.as_str());
            ToolError::unknown_function(
                name,
                functions.iter().map(|function| function.name.as_str()).chain(others),
            )
        })
    }

    /// The arguments of the function at `position`, if it can be called with JSON.
    fn fields(&self, position: usize) -> Result<&[Field], ToolError> {
        self.callable(position).map(|prepared| prepared.fields.as_slice())
    }

    /// The function at `position`, if it can be called with JSON.
    pub(crate) fn callable(&self, position: usize) -> Result<&Prepared, ToolError> {
        let function = &self.binding.functions[position];
        let refused =
            |reason: &str| ToolError::NotCallable { name: function.name.clone(), reason: reason.to_owned() };
        match &function.json {
            Json::Refused(refusal) => Err(refused(&refusal.reason)),
            Json::Callable(_) => self.prepared(position).map_err(refused),
        }
    }

    /// The function at `position`.
    ///
    /// # Errors
    ///
    /// libffi cannot call it.
    pub(crate) fn prepared(&self, position: usize) -> Result<&Prepared, &str> {
        let function = &self.binding.functions[position];
        let prepare = || Prepared::new(position, function, &self.kinds, &self.store);
        self.prepared[position].get_or_init(prepare).as_ref().map_err(String::as_str)
    }

    pub(crate) fn kinds(&self) -> &Kinds {
        &self.kinds
    }

    pub(crate) fn codes(&self) -> Codes {
        self.codes
    }

    pub(crate) fn has_codes(&self) -> bool {
        !self.binding.codes.is_empty()
    }

    /// The symbols of all functions, those that were read first, and whether the library must have them.
    pub(crate) fn symbols(&self) -> impl Iterator<Item = (&str, Wanted)> {
        let wanted = |required: bool| if required { Wanted::Required } else { Wanted::Optional };
        let read = self
            .binding
            .functions
            .iter()
            .map(move |function| (function.symbol.as_str(), wanted(function.must_be_found())));
        let frees =
            self.binding.types.symbols.iter().map(|symbol| (symbol.name.value.as_str(), Wanted::Linked));
        let others = self.others.iter().map(move |other| (other.symbol.as_str(), wanted(!other.optional)));
        read.chain(frees).chain(others)
    }

    /// The name of the function at `position`.
    pub(crate) fn name_of(&self, position: usize) -> &'static str {
        &self.binding.functions[position].name
    }

    /// The position of a symbol that frees and is not a function of the document.
    pub(crate) fn position_of_symbol(&self, symbol: usize) -> usize {
        self.binding.functions.len() + symbol
    }

    /// How the library begins and ends, if it must.
    pub(crate) fn init(&self) -> Option<&'static Init> {
        self.binding.init.as_ref()
    }

    /// Where the library that the document names can be.
    pub(crate) fn places(&self) -> Option<DefaultLibrary<'_>> {
        let library = self.binding.default_library.as_ref()?;
        Some(DefaultLibrary {
            variable: &library.variable,
            linux: library.linux.as_deref(),
            macos: library.macos.as_deref(),
            windows: library.windows.as_deref(),
        })
    }

    pub(crate) fn library_variable(&self) -> String {
        lower::library_variable(&self.binding.ident)
    }
}

/// Reports structs that are not laid out as the document says, or too large, which the compiler reports for bindings.
fn check_layouts(binding: &Binding, kinds: &Kinds, findings: &Findings) {
    for (record, layout) in binding.types.records.iter().zip(&kinds.layouts) {
        let facts = [
            (record.size, layout.size, "has", "bytes", "x-size"),
            (record.align, layout.align, "is aligned to", "bytes", "x-align"),
        ];
        if layout.size > MAX_ARGUMENTS {
            findings.report(
                Rule::Struct,
                record.place,
                format!("`{}` has {} bytes, more than a call can have", record.name, layout.size),
                format!("describe a smaller struct: the maximum is {MAX_ARGUMENTS} bytes"),
            );
        }
        for (said, actual, verb, unit, key) in facts {
            if let Some(said) = said.filter(|said| usize::try_from(said.value) != Ok(actual)) {
                let (name, value) = (&record.name, said.value);
                findings.report(
                    Rule::StructLayout,
                    said.span,
                    format!(
                        "the document says that `{name}` {verb} {value} {unit}; its members make it {actual}"
                    ),
                    format!("correct the members, or `{key}`"),
                );
            }
        }
    }
}
