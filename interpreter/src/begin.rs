//! How a library begins and ends (`x-init`).

use std::ptr;
use std::sync::Arc;

use opendyn::interpreted::EndCall;
use opendyn::{CallError, LoadError};

use crate::bound::Bound;
use crate::call::call_alone;
use crate::interface::Interface;

/// Begins the library, if the document says how, unless a binding of it has done so. It ends with its last binding.
pub(crate) fn begin(bound: &Arc<Bound>) -> Result<(), LoadError> {
    let Some(init) = bound.document.init() else { return Ok(()) };
    let end = init.end.and_then(|end| Some((end, ending(bound, end)?)));
    let name = bound.document.name_of(init.function);
    bound.library().begin((name, init.function), &init.args, end, || match bound.prepared(init.function) {
        Some(function) => call_alone(bound, function),
        // It takes and returns scalars or text: libffi can call it.
        None => Err(CallError::Missing { symbol: name }),
    })
}

/// A function that ends the library.
struct Ending {
    interface: Interface,
    address: *const (),
}

// SAFETY: the address is one of code, which is valid in every thread; a library is never unloaded.
unsafe impl Send for Ending {}

impl Ending {
    fn call(self) {
        let mut returned = [0_u64; 2];
        // SAFETY: whoever opened the library vouched that the function has this signature and ends the library, which has
        // begun. It takes nothing, and there is room for the number that it may return. No binding is left to call others.
        unsafe { self.interface.call(self.address, ptr::null_mut(), returned.as_mut_ptr().cast()) };
    }
}

/// Calls the function at `index`. It does not need the document, which may be gone in the end.
fn ending(bound: &Arc<Bound>, index: usize) -> Option<EndCall> {
    let function = bound.prepared(index)?;
    // It takes nothing and returns a scalar: libffi can call it.
    let interface = Interface::new(&function.plan.signature, bound.kinds().types()).ok()?;
    let ending = Ending { interface, address: bound.address(function) };
    Some(Box::new(move || ending.call()))
}
