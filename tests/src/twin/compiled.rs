//! What all bindings of `opendyn!` have in common.

use std::path::Path;

use opendyn::generated::{Deserializer, Serializer};
use opendyn::{LoadError, Tool, ToolError, libloading};
use opendyn_model::Options;

/// What all bindings of `opendyn!` have in common. [`twin!`](crate::twin) implements it.
pub trait Compiled: Tool + Sized {
    /// The path of the document, from the folder of this crate.
    const DOCUMENT: &'static str;

    /// The options that the binding was compiled with.
    fn options() -> Options;

    /// Its `open`.
    ///
    /// # Errors
    ///
    /// The library cannot be loaded.
    ///
    /// # Safety
    ///
    /// The document must describe the library correctly.
    unsafe fn open_at(path: &Path) -> Result<Self, LoadError>;

    /// Its `from_library`, which other bindings of the library do not stand in the way of.
    ///
    /// # Errors
    ///
    /// The library lacks functions.
    ///
    /// # Safety
    ///
    /// The document must describe the library correctly, and no other binding may use it at the same time.
    unsafe fn bound_again(library: libloading::Library) -> Result<Self, LoadError>;

    /// Its `call_serde`.
    ///
    /// # Errors
    ///
    /// As for [`Tool::call_into`].
    fn serde<'de, D: Deserializer<'de>, S: Serializer>(
        &self,
        function: &str,
        arguments: D,
        serializer: S,
    ) -> Result<S::Ok, ToolError>;

    /// The document that the macro compiled.
    ///
    /// # Panics
    ///
    /// It cannot be read.
    #[must_use]
    #[expect(clippy::panic, reason = "a test needs its document")]
    fn source() -> String {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(Self::DOCUMENT);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }
}

/// Lets a binding have a twin: `twin!(Calc = "fixtures/calc/tool.json")`. Options that differ from the defaults are set
/// by a closure.
#[macro_export]
macro_rules! twin {
    ($binding:ty = $document:literal) => {
        $crate::twin!($binding = $document, |_options| {});
    };
    ($binding:ty = $document:literal, $set:expr) => {
        impl $crate::Compiled for $binding {
            const DOCUMENT: &'static str = $document;

            fn options() -> opendyn_model::Options {
                let mut options = opendyn_model::Options::default();
                let set: fn(&mut opendyn_model::Options) = $set;
                set(&mut options);
                options
            }

            unsafe fn open_at(path: &std::path::Path) -> Result<Self, opendyn::LoadError> {
                // SAFETY: the caller vouches for the library.
                unsafe { <Self as opendyn::generated::Open>::open_at(path) }
            }

            unsafe fn bound_again(library: opendyn::libloading::Library) -> Result<Self, opendyn::LoadError> {
                // SAFETY: the caller vouches for the library.
                unsafe { Self::from_library(library) }
            }

            fn serde<'de, D: opendyn::generated::Deserializer<'de>, S: opendyn::generated::Serializer>(
                &self,
                function: &str,
                arguments: D,
                serializer: S,
            ) -> Result<S::Ok, opendyn::ToolError> {
                self.call_serde(function, arguments, serializer)
            }
        }
    };
}
