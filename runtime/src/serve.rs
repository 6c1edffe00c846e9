//! A program that serves a binding: the macro `serve!`.

use std::error::Error;
use std::marker::PhantomData;
use std::path::Path;
use std::process::ExitCode;

use opentool::Tool;
use opentool_server::Executor;
use opentool_server::serve::Program;

/// The `main` of a program that serves a binding to agents, as an OpenTool server.
///
/// ```ignore
/// opendyn::opendyn!("calc.json");
/// opendyn::serve!(Calc);
/// ```
///
/// It loads the library that `--library` names, or else the one that the document names
/// (`x-library`), as `open_default` does. `opendyn::serve!(Calc, library = "/usr/lib/libcalc.so")`
/// sets another default, for documents that name no library. `--help` lists the other options, which
/// are those of the OpenTool guidelines; name, version and description are those of the crate.
///
/// Calls run one at a time, unless the document says `x-threadSafe`.
///
/// As with `open`, you guarantee that the document describes the library correctly.
#[macro_export]
macro_rules! serve {
    ($binding:ty $(,)?) => {
        $crate::serve!(@main $binding, <$binding>::open_default());
    };
    ($binding:ty, library = $library:expr $(,)?) => {
        $crate::serve!(@main $binding, <$binding as $crate::generated::Open>::open_at(::core::convert::AsRef::as_ref($library)));
    };
    (@main $binding:ty, $default:expr) => {
        fn main() -> ::std::process::ExitCode {
            $crate::generated::serve(
                ::core::option_env!("CARGO_BIN_NAME").unwrap_or(""),
                ::core::env!("CARGO_PKG_VERSION"),
                ::core::env!("CARGO_PKG_DESCRIPTION"),
                |library| {
                    // SAFETY: by using `serve!`, the author guarantees that the document describes the library.
                    #[allow(unsafe_code)]
                    unsafe {
                        match library {
                            ::core::option::Option::Some(path) => <$binding as $crate::generated::Open>::open_at(path),
                            ::core::option::Option::None => $default,
                        }
                    }
                },
                {
                    use $crate::generated::{AtOnce as _, InTurn as _};
                    let threads = &$crate::generated::Threads::<$binding>::new();
                    threads.executor()
                },
            )
        }
    };
}

/// Serves the binding that `open` loads, with the executor that `executor` creates.
pub fn serve<T, E: Error + Send + Sync + 'static>(
    name: &str,
    version: &str,
    about: &str,
    open: impl FnOnce(Option<&Path>) -> Result<T, E>,
    executor: fn(T) -> Executor,
) -> ExitCode {
    let mut program = Program::new(name, version);
    program.takes_library = true;
    if !about.is_empty() {
        about.clone_into(&mut program.about);
    }
    program.run(|library| Ok(executor(open(library)?)))
}

/// Chooses the executor of a binding by whether it is `Sync`. For a method call on a reference, the
/// compiler tries [`AtOnce`] first, and [`InTurn`] where that does not apply.
#[derive(Debug)]
pub struct Threads<T>(PhantomData<T>);

impl<T> Threads<T> {
    /// The choice for `T`.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "only generated code makes one")]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

/// Calls run in parallel.
pub trait AtOnce<T> {
    /// Starts one thread per core.
    fn executor(&self) -> fn(T) -> Executor;
}

impl<T: Tool + Send + Sync + 'static> AtOnce<T> for Threads<T> {
    fn executor(&self) -> fn(T) -> Executor {
        |tool| Executor::parallel(tool, std::thread::available_parallelism().map_or(1, usize::from))
    }
}

/// Calls run one after the other.
pub trait InTurn<T> {
    /// Starts one thread.
    fn executor(&self) -> fn(T) -> Executor;
}

impl<T: Tool + Send + 'static> InTurn<T> for &Threads<T> {
    fn executor(&self) -> fn(T) -> Executor {
        |tool| Executor::serial(tool)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::Barrier;

    use opentool::{OpenTool, ToolError};

    use super::*;

    /// `Sync` if `C` is.
    struct Named<C>(C, &'static str);

    impl<C> Tool for Named<C> {
        fn call_into(&self, _: &str, _: &[u8], out: &mut Vec<u8>) -> Result<(), ToolError> {
            out.extend_from_slice(format!("{{\"name\":\"{}\"}}", self.1).as_bytes());
            Ok(())
        }

        fn load(&self) -> Option<OpenTool> {
            None
        }
    }

    #[test]
    fn only_a_binding_that_is_sync_runs_calls_at_once() {
        let at_once: fn(Named<Barrier>) -> Executor = AtOnce::executor(&Threads::new());
        let threads = &Threads::<Named<Barrier>>::new();
        let chosen = threads.executor();
        assert!(std::ptr::fn_addr_eq(chosen, at_once));
        // That this compiles proves that `AtOnce` does not apply.
        let threads = &Threads::<Named<Cell<u8>>>::new();
        let chosen: fn(Named<Cell<u8>>) -> Executor = threads.executor();
        let reply = chosen(Named(Cell::new(0), "serial")).call_blocking("name", b"{}".to_vec());
        assert_eq!(reply, Ok(br#"{"name":"serial"}"#.to_vec()));
    }
}
