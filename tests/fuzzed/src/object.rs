//! Any file is a library, or an error: exports and debug info of ELF, PE and Mach-O.

use opendyn_inspect::{Exports, debug};

/// Gives the bytes to the reader.
pub fn run(bytes: &[u8]) {
    let folder = std::env::temp_dir();
    let path = folder.join(format!("opendyn-fuzz-{}", std::process::id()));
    std::fs::write(&path, bytes).expect("the temporary folder is writable");
    if Exports::read(&path).is_ok() {
        // Debug info of another file is not what is tested.
        let _ = debug::read(&path, &debug::Options { directories: vec![folder], ..Default::default() });
    }
}
