//! Landlock: which files are read, written and executed, and no TCP, signals or abstract UNIX sockets to the outside.

use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, LandlockStatus, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, Scope, make_bitflags,
};

use crate::{Entered, NETWORK_FILES, Part, SYSTEM_DEVICES, SYSTEM_FILES, Sandbox, SandboxError};

/// The newest version that the rules below were written for. The crate uses what the kernel has of it.
const NEWEST: ABI = ABI::V9;

/// Devices are made by nobody, also where files can be written; ioctl on devices and UNIX sockets stay refused too.
fn writing() -> BitFlags<AccessFs> {
    AccessFs::from_write(ABI::V3) & !make_bitflags!(AccessFs::{MakeChar | MakeBlock})
}

pub(crate) fn enter(sandbox: &Sandbox, entered: &mut Entered) -> Result<(), SandboxError> {
    let reading = make_bitflags!(AccessFs::{ReadFile | ReadDir});
    let executing = make_bitflags!(AccessFs::{ReadFile | Execute});

    let mut rules = create(sandbox).map_err(|error| SandboxError::Files(error.into()))?;
    for path in &sandbox.read {
        rules = allow(rules, path, reading)?;
    }
    for path in &sandbox.write {
        rules = allow(rules, path, reading | writing())?;
    }
    for path in &sandbox.execute {
        rules = allow(rules, path, executing)?;
    }
    let network = if sandbox.network { NETWORK_FILES } else { &[] };
    let files = if sandbox.system { SYSTEM_FILES } else { &[] };
    for path in files.iter().chain(network) {
        rules = allow_if_there(rules, path.as_ref(), reading)?;
    }
    if sandbox.system {
        for path in SYSTEM_DEVICES {
            // What is written to the sources of random numbers changes them for everybody.
            let random = path.ends_with("random");
            let access = if random { reading } else { reading | AccessFs::WriteFile | AccessFs::Truncate };
            rules = allow_if_there(rules, path.as_ref(), access)?;
        }
    }
    let status = rules.restrict_self().map_err(|error| SandboxError::Files(error.into()))?;
    report(status.landlock, entered);
    Ok(())
}

fn create(sandbox: &Sandbox) -> Result<RulesetCreated, landlock::RulesetError> {
    let mut rules = Ruleset::default().handle_access(AccessFs::from_all(NEWEST))?;
    if !sandbox.network {
        rules = rules.handle_access(AccessNet::from_all(NEWEST))?;
    }
    rules.scope(Scope::from_all(NEWEST))?.create()
}

fn allow(
    rules: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, SandboxError> {
    let unreadable = |error| SandboxError::Path(path.to_owned(), error);
    let is_folder = std::fs::metadata(path).map_err(unreadable)?.is_dir();
    let access = if is_folder { access } else { access & AccessFs::from_file(NEWEST) };
    let opened = PathFd::new(path)
        .map_err(|error| SandboxError::Path(path.to_owned(), std::io::Error::other(error)))?;
    rules.add_rule(PathBeneath::new(opened, access)).map_err(|error| SandboxError::Files(error.into()))
}

fn allow_if_there(
    rules: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, SandboxError> {
    if path.exists() { allow(rules, path, access) } else { Ok(rules) }
}

/// What the version of Landlock in this kernel covers.
fn report(status: LandlockStatus, entered: &mut Entered) {
    let abi = match status {
        LandlockStatus::Available { effective_abi, .. } => effective_abi,
        LandlockStatus::NotEnabled => {
            return entered.lacks(Part::Files, "Landlock is not enabled in this kernel");
        }
        LandlockStatus::NotImplemented => return entered.lacks(Part::Files, "no Landlock in this kernel"),
    };
    entered.has(Part::Files);
    match abi >= ABI::V3 {
        true => entered.has(Part::Truncation),
        false => entered.lacks(Part::Truncation, "Landlock of this kernel is older than Linux 6.2"),
    }
    if abi >= ABI::V6 {
        entered.has(Part::Signals);
    }
}
