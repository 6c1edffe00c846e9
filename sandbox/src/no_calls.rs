//! Where there is no filter of system calls: architectures that `calls` has no tables for.

use crate::{Entered, Part, Sandbox, SandboxError};

pub(crate) fn enter(_: &Sandbox, entered: &mut Entered) -> Result<(), SandboxError> {
    let reason = format!("no filter of system calls for {}", std::env::consts::ARCH);
    // Landlock covers TCP alone.
    for part in [Part::Network, Part::Calls] {
        entered.lacks(part, &reason);
    }
    if !entered.in_force.contains(&Part::Signals) {
        entered.lacks(Part::Signals, &reason);
    }
    Ok(())
}
