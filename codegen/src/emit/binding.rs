//! The struct, and how it comes to its library.

use super::safety::Reason;
use super::{Emitter, docs, ident};
use crate::tokens::{Literal, TokenStream, quote};
use opendyn_model::plan::{CheckedLibrary, DefaultLibrary, Function, Json};

impl Emitter<'_> {
    pub(super) fn declaration(&self) -> TokenStream {
        let binding = self.binding;
        let name = ident(&binding.ident);
        let mut text =
            vec![format!("{}, version {}.", docs::line(&binding.title), docs::line(&binding.version))];
        if let Some(description) = &binding.description {
            text.push(String::new());
            text.extend(docs::lines(description));
        }
        if !binding.thread_safe {
            text.push(String::new());
            text.push(
                "Can be sent to another thread, but not shared: `opendyn::Serial` is the lock for that."
                    .to_owned(),
            );
        }
        let docs = docs::attributes(&text);
        let count = Literal::usize_unsuffixed(binding.symbols().count());
        let share = (!binding.thread_safe).then(|| quote!(share: runtime::ShareThroughSerial,));
        let handles = binding.uses_handles.then(|| quote!(handles: opendyn::Handles,));
        quote! {
            #docs
            #[derive(Debug)]
            pub struct #name {
                library: runtime::Library<#count>,
                #handles
                #share
            }
        }
    }

    /// The binding as what a `Session` holds, and what is left of its own handles when it is dropped.
    fn sessions(&self) -> Option<TokenStream> {
        let binding = self.binding;
        let (name, table) = (ident(&binding.ident), ident(&binding.tables.functions));
        binding.uses_handles.then(|| {
            let free_all = self.because(Reason::FreeAll);
            let can_cancel = self.can_cancel();
            quote! {
                impl opendyn::Binding for #name {
                    fn call_with(
                        &self,
                        handles: &opendyn::Handles,
                        function: &str,
                        arguments: &[u8],
                        out: &mut Vec<u8>,
                    ) -> Result<(), opendyn::ToolError> {
                        #table.call_with(self, handles, function, arguments, out)
                    }

                    fn load(&self) -> Option<opendyn::OpenTool> {
                        #table.load()
                    }

                    #can_cancel

                    fn free_handles(&self, handles: &opendyn::Handles) {
                        if let Ok(_entered) = handles.enter(&self.handles) {
                            #free_all
                            unsafe { handles.free_all(ptr::from_ref(self).cast()) };
                        }
                    }
                }

                impl Drop for #name {
                    fn drop(&mut self) {
                        opendyn::Binding::free_handles(self, &self.handles);
                    }
                }
            }
        })
    }

    /// Loading, and calls by name.
    pub(super) fn access(&self) -> TokenStream {
        let binding = self.binding;
        let name = ident(&binding.ident);
        let table = ident(&binding.tables.functions);
        let share = (!binding.thread_safe).then(|| quote!(share: runtime::ShareThroughSerial::new(),));
        let share = if binding.uses_handles {
            quote!(handles: opendyn::Handles::new(), #share)
        } else {
            quote!(#share)
        };
        let (sessions, watched) = (self.sessions(), self.watched());
        let symbols = binding.symbols();
        let optional = binding
            .functions
            .iter()
            .enumerate()
            .filter(|(_, function)| !function.must_be_found())
            .map(|(index, _)| Literal::usize_unsuffixed(index));
        let count = Literal::usize_unsuffixed(binding.symbols().count());
        let checked = binding.checked.as_ref().map(|checked| self.checked_static(checked));
        let (opened, bound) = (self.opened(&share, false), self.opened(&share, true));
        let (alone, unknown) = (self.alone(), self.unknown());
        let (begins, uninitialized) = (self.begins(), self.uninitialized());
        let (initialized, counts) = (self.initialized(), self.counts());
        let refused = self.refused_beside();
        let sharing = self.sharing();
        let open_default = binding.default_library.as_ref().map(|library| self.open_default(library, &share));
        let (symbols_name, optional_name) = (ident(&binding.tables.symbols), ident(&binding.tables.optional));
        let vouched = self.because(Reason::Library);
        let open = ident(binding.open);
        quote! {
            static #symbols_name: [&str; #count] = [#(#symbols),*];
            static #optional_name: &[usize] = &[#(#optional),*];
            #checked

            impl #name {
                /// Loads the library at `path` and looks up every function of the document.
                ///
                /// `path` is absolute, or a bare file name that the system looks for.
                #begins
                ///
                /// # Errors
                ///
                /// The path is relative, the library cannot be loaded, or it lacks functions: all that
                /// are missing are listed.
                #uninitialized
                #refused
                ///
                /// # Safety
                ///
                /// The functions of the library must have the signatures and keep the promises of the
                /// document, and its initialisers must be sound to run.
                #unknown
                pub unsafe fn #open(
                    path: impl AsRef<::std::path::Path>,
                ) -> Result<Self, opendyn::LoadError> {
                    #vouched
                    let library = unsafe { runtime::Library::open(path.as_ref(), &#symbols_name, #optional_name, #sharing) };
                    #opened
                }

                #open_default

                /// Looks up every function of the document in a library that is loaded already.
                #begins
                ///
                /// # Errors
                ///
                /// The library lacks functions: all that are missing are listed.
                #uninitialized
                ///
                /// # Safety
                ///
                /// The functions of the library must have the signatures and keep the promises of the
                /// document.
                #counts
                #alone
                pub unsafe fn from_library(
                    library: opendyn::libloading::Library,
                ) -> Result<Self, opendyn::LoadError> {
                    let library = runtime::Library::from_loaded(library, &#symbols_name, #optional_name);
                    #bound
                }

                /// The loaded library, for what the document does not describe.
                pub fn library(&self) -> &opendyn::libloading::Library {
                    self.library.loaded()
                }

                /// Calls `function` with a JSON object, and returns one.
                ///
                /// # Errors
                ///
                /// There is no such function, the arguments do not fit it, or the call failed.
                #[inline]
                pub fn call_json(
                    &self,
                    function: &str,
                    arguments: &str,
                ) -> Result<String, opendyn::ToolError> {
                    #table.call_json(self, function, arguments)
                }

                /// Calls `function` with arguments in any format that serde knows, and writes the
                /// result in any.
                ///
                /// # Errors
                ///
                /// There is no such function, the arguments do not fit it, the call failed, or the
                /// serializer did.
                pub fn call_serde<'de, D, S>(
                    &self,
                    function: &str,
                    arguments: D,
                    serializer: S,
                ) -> Result<S::Ok, opendyn::ToolError>
                where
                    D: runtime::Deserializer<'de>,
                    S: runtime::Serializer,
                {
                    #table.call_serde(self, function, arguments, serializer)
                }
            }

            impl runtime::Open for #name {
                unsafe fn open_at(path: &::std::path::Path) -> Result<Self, opendyn::LoadError> {
                    #vouched
                    unsafe { Self::#open(path) }
                }
            }

            impl opendyn::Tool for #name {
                fn call_into(
                    &self,
                    function: &str,
                    arguments: &[u8],
                    out: &mut Vec<u8>,
                ) -> Result<(), opendyn::ToolError> {
                    #table.call_into(self, function, arguments, out)
                }

                fn load(&self) -> Option<opendyn::OpenTool> {
                    #table.load()
                }

                fn call_json(
                    &self,
                    function: &str,
                    arguments: &str,
                ) -> Result<String, opendyn::ToolError> {
                    #table.call_json(self, function, arguments)
                }

                fn call(
                    &self,
                    function: &str,
                    arguments: &runtime::Map<String, runtime::Value>,
                ) -> Result<
                    runtime::Map<String, runtime::Value>,
                    opendyn::ToolError,
                > {
                    #table.call(self, function, arguments)
                }

                #watched
            }

            #sessions

            #initialized
        }
    }

    /// Which running calls end when they are cancelled, if any can.
    fn can_cancel(&self) -> Option<TokenStream> {
        let table = ident(&self.binding.tables.functions);
        self.any_for_json(Function::can_be_ended).then(|| {
            quote! {
                fn can_cancel(&self, function: &str) -> bool {
                    #table.can_cancel(function)
                }
            }
        })
    }

    /// Whether a function that JSON can call is such a one.
    fn any_for_json(&self, is_it: impl Fn(&Function) -> bool) -> bool {
        self.binding
            .functions
            .iter()
            .any(|function| is_it(function) && matches!(function.json, Json::Callable(_)))
    }

    /// The calls that a server can cancel, or that tell it how far they are.
    fn watched(&self) -> Option<TokenStream> {
        let table = ident(&self.binding.tables.functions);
        self.any_for_json(|function| function.can_be_ended() || function.reports()).then(|| {
            let can_cancel = self.can_cancel();
            quote! {
                fn call_for(
                    &self,
                    context: &runtime::CallContext,
                    function: &str,
                    arguments: &[u8],
                    out: &mut Vec<u8>,
                ) -> Result<(), opendyn::ToolError> {
                    #table.call_for(self, context, function, arguments, out)
                }

                #can_cancel
            }
        })
    }

    /// The binding of what `library` is, if that is one. A library that was loaded already is only counted where it must
    /// end.
    fn opened(&self, share: &TokenStream, is_loaded: bool) -> TokenStream {
        let (told, linked) = (self.told(), self.linked());
        if self.binding.init.is_none() {
            return quote!(Ok(Self { library: library #told? #linked, #share }));
        }
        let sharing = self.sharing();
        let counted = is_loaded.then(|| quote!(.counted(#sharing)));
        quote!(initialized(Self { library: library #told? #linked #counted, #share }))
    }

    /// Loading the library that the document names.
    fn open_default(&self, library: &DefaultLibrary, share: &TokenStream) -> TokenStream {
        let binding = self.binding;
        let DefaultLibrary { variable, linux, macos, windows } = library;
        let option = |name: &Option<String>| match name {
            Some(name) => quote!(Some(#name)),
            None => quote!(None),
        };
        let (linux, macos, windows) = (option(linux), option(macos), option(windows));
        let (symbols, optional) = (ident(&binding.tables.symbols), ident(&binding.tables.optional));
        let (opened, begins) = (self.opened(share, false), self.begins());
        let uninitialized = self.uninitialized();
        let sharing = self.sharing();
        let place =
            format!(" The environment variable `{variable}` names it, by an absolute path or a bare file");
        let vouched = self.because(Reason::Library);
        let safety = format!(" As for `{}`, whichever library is found.", binding.open);
        quote! {
            /// Loads the library that the document names, and looks up every function of it.
            ///
            #[doc = #place]
            /// name; otherwise it is looked for beside the executable, then by the system.
            #begins
            ///
            /// # Errors
            ///
            /// It is in none of these places, which are listed, or it lacks functions.
            #uninitialized
            ///
            /// # Safety
            ///
            #[doc = #safety]
            pub unsafe fn open_default() -> Result<Self, opendyn::LoadError> {
                let places = runtime::DefaultLibrary {
                    variable: #variable,
                    linux: #linux,
                    macos: #macos,
                    windows: #windows,
                };
                #vouched
                let library = unsafe { runtime::Library::open_default(&places, &#symbols, #optional, #sharing) };
                #opened
            }
        }
    }

    /// The library that the document was checked against.
    fn checked_static(&self, checked: &CheckedLibrary) -> TokenStream {
        let binding = self.binding;
        let name = ident(&binding.tables.checked);
        let CheckedLibrary { library, build, size, .. } = checked;
        let size = Literal::u64_unsuffixed(*size);
        let build = match build {
            Some(build) => quote!(Some(#build)),
            None => quote!(None),
        };
        quote! {
            static #name: opendyn::Checked = opendyn::Checked { library: #library, build: #build, size: #size };
        }
    }

    /// How the binding uses the library.
    fn sharing(&self) -> TokenStream {
        if self.binding.thread_safe {
            quote!(runtime::Sharing::ThreadSafe)
        } else {
            quote!(runtime::Sharing::Alone)
        }
    }

    /// When `open` refuses a library that is bound already.
    fn refused_beside(&self) -> TokenStream {
        let lines: &[&str] = if self.binding.thread_safe {
            &[
                "It is also refused while there is a binding of it whose document does not say that it is thread-safe.",
            ]
        } else {
            &[
                "It is also refused while another binding of it is there: the library is not thread-safe, and two",
                "bindings could run it in two threads at once.",
            ]
        };
        lines_of(lines)
    }

    /// What the caller of `open` owes for a library that is not thread-safe: other bindings of it are refused.
    fn unknown(&self) -> Option<TokenStream> {
        (!self.binding.thread_safe).then(|| {
            lines_of(&[
                "",
                "The library is not thread-safe: code that this does not know of, such as another library that links",
                "it or a binding made by `from_library`, must not run it in another thread at the same time.",
            ])
        })
    }

    /// What the caller of `from_library` owes for a library that is not thread-safe: nothing is refused.
    fn alone(&self) -> Option<TokenStream> {
        (!self.binding.thread_safe).then(|| {
            lines_of(&[
                "",
                "The library is not thread-safe: no other binding of it and no other code may run it in another thread",
                "at the same time. Other bindings are not looked for.",
            ])
        })
    }

    /// Symbols that the library only uses are those that the loader gave it.
    fn linked(&self) -> Option<TokenStream> {
        let count = self.binding.functions.len();
        let linked = (count..count + self.types.symbols.len()).map(Literal::usize_unsuffixed);
        let symbols = ident(&self.binding.tables.symbols);
        (!self.types.symbols.is_empty()).then(|| quote!(.linked(&#symbols, &[#(#linked),*])))
    }

    /// An error about another library than that one says so.
    fn told(&self) -> Option<TokenStream> {
        let binding = self.binding;
        let name = ident(&binding.tables.checked);
        binding.checked.is_some().then(|| quote!(.map_err(|error| runtime::checked(error, &#name))))
    }
}

pub(super) fn lines_of(lines: &[&str]) -> TokenStream {
    docs::attributes(&lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>())
}
