//! PDB, to come in this file: see below.
use super::error::{Attempt, DebugError};
use super::find::Found;
use super::wanted::Wanted;
use crate::exports::{Exports, Image};
use crate::interface::Interface;
use std::path::Path;

pub(super) fn find(_: &Image<'_>, _: &mut Vec<Attempt>) -> Option<Found> {
    None
}
pub(super) fn is_pdb(_: &[u8]) -> bool {
    false
}
pub(super) fn fits(_: &Image<'_>, _: &[u8]) -> Result<(), String> {
    Ok(())
}
pub(super) fn read(
    path: &Path,
    _: &[u8],
    _: &Exports,
    _: &Wanted<'_>,
    _: u64,
) -> Result<Interface, DebugError> {
    Err(DebugError::malformed(path, "PDB"))
}
