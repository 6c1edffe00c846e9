//! A program that serves a binding: the macro `serve!`.

use std::error::Error;
use std::marker::PhantomData;
use std::path::Path;
use std::process::ExitCode;

use opentool::Tool;
use opentool_server::Executor;
use opentool_server::serve::{Opening, Program};

use crate::session::{Binding, Session};
use crate::sought;

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
/// # Workers
///
/// The library is loaded only by workers: the program starts itself again, and the copies make the calls. A crash,
/// a hang or an `exit` of the library is an error of the one call. If the document has handles, each caller has a worker of
/// its own, with handles of its own; otherwise all callers share as many workers as there are cores, and global state of the
/// library is then that of one of several (`--workers 1`).
///
/// On Linux a worker enters a sandbox before it loads the library: it reads the library, the shared libraries beside it and the
/// system's, writes nothing, has no network and starts no processes. `--allow-read DIR`, `--allow-write DIR` and `--allow-net`
/// allow more, `--no-sandbox` everything. At its start the program says on standard error what is allowed. So that it knows
/// where the library is, the expression of `library` is evaluated in the program as well as in each worker.
///
/// With `--in-process` the library is loaded by the program itself, without a sandbox. There
/// calls run one at a time, unless the document says `x-threadSafe`, and all callers share their handles.
///
/// A program with a `main` of its own chooses between `Server`, which calls a binding in its process, and `Isolated` of the
/// crate `opentool-worker`, which makes a tool in a worker of any binding.
///
/// # Safety
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
                {
                    use $crate::generated::{NoHandles as _, OwnHandles as _};
                    let callers = &$crate::generated::Callers::<$binding>::new();
                    callers.tool()
                },
            )
        }
    };
}

/// Serves the binding that `open` loads: in a worker as the tool that `tool` makes of it and of the number of handles that the
/// caller can have, in this process with the executor that `executor` creates.
pub fn serve<T, E: Error + Send + Sync + 'static>(
    name: &str,
    version: &str,
    about: &str,
    open: impl Fn(Option<&Path>) -> Result<T, E>,
    executor: fn(T) -> Executor,
    tool: fn(T, usize) -> Box<dyn Tool>,
) -> ExitCode {
    let mut program = Program::new(name, version);
    program.takes_library = true;
    if !about.is_empty() {
        about.clone_into(&mut program.about);
    }
    let worker = |Opening { library, handles, past, .. }: Opening| {
        if let Some(past) = past {
            crate::handles::resume(past.secret, past.count, past.lost);
        }
        Ok(tool(open(library.as_deref())?, handles))
    };
    let libraries = |library: Option<&Path>| sought::places(|| open(library));
    program.run_isolated(libraries, worker, |library| Ok(executor(open(library)?)))
}

/// Chooses the tool of a worker by whether the binding has handles, as [`Threads`] chooses its executor.
#[derive(Debug)]
pub struct Callers<T>(PhantomData<T>);

impl<T> Callers<T> {
    /// The choice for `T`.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "only generated code makes one")]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

/// The worker has one caller, whose handles are limited.
pub trait OwnHandles<T> {
    /// Makes a session.
    fn tool(&self) -> fn(T, usize) -> Box<dyn Tool>;
}

impl<T: Binding + 'static> OwnHandles<T> for Callers<T> {
    fn tool(&self) -> fn(T, usize) -> Box<dyn Tool> {
        |binding, handles| Box::new(Session::new(binding).with_quota(handles))
    }
}

/// The worker has any callers.
pub trait NoHandles<T> {
    /// The binding itself.
    fn tool(&self) -> fn(T, usize) -> Box<dyn Tool>;
}

impl<T: Tool + 'static> NoHandles<T> for &Callers<T> {
    fn tool(&self) -> fn(T, usize) -> Box<dyn Tool> {
        |binding, _| Box::new(binding)
    }
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
