//! A bundle of the OpenTool daemon (`.ots`): a zip archive with an `Opentoolfile.json` that says how the server is
//! started. The daemon appends the host, the port, the key and the tag, which `opendyn serve` takes.

use serde_json::json;

use super::contents::{COMMAND, Contents};
use super::zip::{Archive, Mode};
use crate::failure::Outcome;

/// The archive, and what is to be said of it.
pub(crate) fn ots(contents: &Contents<'_>) -> Outcome<(Vec<u8>, String)> {
    // As Dart names systems and processors.
    let processor = match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        "arm" => "arm32",
        other => other,
    };
    let config = json!({
        "name": contents.name(),
        "os": std::env::consts::OS,
        "cpuArch": processor,
        "build": { "args": {}, "runs": [] },
        "run": {
            "envs": {},
            "workdir": ".",
            "entrypoint": COMMAND,
            "cmds": contents.arguments("serve", "./")?,
        },
    });
    let mut archive = Archive::default();
    archive.add("Opentoolfile.json", Mode::File, format!("{config:#}\n").as_bytes())?;
    contents.fill(&mut archive, "")?;
    Ok((archive.finish()?, contents.told()))
}
