//! Finds the GIR files that describe headers.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The names of headers are at the beginning of a file.
const HEAD: u64 = 16 << 10;

/// The files that name one of the headers in `c:include`.
pub(in super::super) fn find(headers: &[PathBuf]) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    for folder in folders() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        files.retain(|file| file.extension().is_some_and(|extension| extension == "gir"));
        files.sort();
        for file in files {
            let is_known = found.iter().any(|known| known.file_name() == file.file_name());
            if !is_known && describes(&file, headers) {
                found.push(file);
            }
        }
    }
    found
}

/// The file of a namespace that another file uses: beside that one, or where such files are.
pub(super) fn used(beside: &Path, namespace: &str, version: &str) -> Option<PathBuf> {
    let name = format!("{namespace}-{version}.gir");
    let beside = beside.parent().map(Path::to_path_buf);
    beside.into_iter().chain(folders()).map(|folder| folder.join(&name)).find(|file| file.is_file())
}

/// Where GIR files are: where pkg-config says, and where systems keep them.
fn folders() -> Vec<PathBuf> {
    let mut folders = Vec::new();
    let asked = Command::new("pkg-config")
        .args(["--variable=girdir", "gobject-introspection-1.0"])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output();
    if let Ok(output) = asked
        && output.status.success()
    {
        let text = String::from_utf8_lossy(&output.stdout);
        folders.extend(Some(text.trim()).filter(|text| !text.is_empty()).map(PathBuf::from));
    }
    for folder in ["/usr/share/gir-1.0", "/usr/local/share/gir-1.0", "/opt/homebrew/share/gir-1.0"] {
        if !folders.iter().any(|known| known == Path::new(folder)) {
            folders.push(folder.into());
        }
    }
    folders
}

/// Whether the beginning of a file names one of the headers as what it describes.
fn describes(file: &Path, headers: &[PathBuf]) -> bool {
    let mut head = Vec::new();
    let Ok(opened) = std::fs::File::open(file) else { return false };
    if opened.take(HEAD).read_to_end(&mut head).is_err() {
        return false;
    }
    let head = String::from_utf8_lossy(&head);
    let included = head.match_indices("<c:include").filter_map(|(at, _)| {
        let (_, rest) = head.get(at..)?.split_once("name=\"")?;
        rest.split_once('"').map(|(name, _)| name)
    });
    included.into_iter().any(|name| headers.iter().any(|header| header.ends_with(name)))
}
