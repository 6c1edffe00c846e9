//! Resource limits, on Unix. A crash never writes a core file: it would hold what the process had in memory.

use crate::{Entered, Limits, Part, SandboxError};

#[cfg(any(target_os = "linux", target_os = "macos", target_os = "freebsd", target_os = "netbsd"))]
pub(crate) fn enter(limits: &Limits) -> Result<(), SandboxError> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let limits = [
        ("core", Resource::Core, Some(0)),
        ("memory", Resource::As, limits.memory),
        ("processes", Resource::Nproc, limits.processes),
        ("open files", Resource::Nofile, limits.open_files),
        ("CPU seconds", Resource::Cpu, limits.cpu_seconds),
        ("file size", Resource::Fsize, limits.file_size),
    ];
    for (name, resource, limit) in limits {
        let Some(limit) = limit else { continue };
        // A limit that is stricter already stays: only root could raise it.
        let limit = getrlimit(resource).maximum.map_or(limit, |maximum| maximum.min(limit));
        setrlimit(resource, Rlimit { current: Some(limit), maximum: Some(limit) })
            .map_err(|error| SandboxError::Limit(name, error.into()))?;
    }
    Ok(())
}

/// Which limits this system has.
#[cfg(any(target_os = "linux", target_os = "macos", target_os = "freebsd", target_os = "netbsd"))]
pub(crate) fn report(entered: &mut Entered) {
    entered.has(Part::Limits);
    match cfg!(target_os = "macos") {
        true => entered.lacks(Part::Memory, "macOS does not enforce RLIMIT_AS"),
        false => entered.has(Part::Memory),
    }
}

#[cfg(not(any(target_os = "linux", target_os = "macos", target_os = "freebsd", target_os = "netbsd")))]
pub(crate) fn enter(_: &Limits) -> Result<(), SandboxError> {
    Ok(())
}

#[cfg(not(any(target_os = "linux", target_os = "macos", target_os = "freebsd", target_os = "netbsd")))]
pub(crate) fn report(entered: &mut Entered) {
    for part in [Part::Memory, Part::Limits] {
        entered.lacks(part, "resource limits are not supported on this system");
    }
}
