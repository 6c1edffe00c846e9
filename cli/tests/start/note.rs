//! The note about a library in an executable, here in that of these tests, as the tools of a packager read it.

use std::process::Command;

use serde_json::{Value, json};

use crate::command::folder;

opendyn::dlopen_note!(
    "libz.so.1",
    "libz-ng.so.2",
    feature = "zlib",
    description = "Compresses and checks data",
    priority = "required",
);

#[test]
#[cfg(target_os = "linux")]
fn packaging_tools_find_the_library_that_is_opened() {
    let own = std::env::current_exe().expect("a path");
    let shown = Command::new("readelf").args(["--notes", "--wide"]).arg(&own).output().expect("binutils");
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    let notes = shown.split(".note.dlopen").nth(1).unwrap_or_else(|| panic!("no such section: {shown}"));
    assert!(notes.contains("FDO") && notes.contains("0x407c0c0a"), "{notes}");

    let section = folder("start-note").join("note");
    let arguments = ["-O", "binary", "--only-section=.note.dlopen"];
    let copied = Command::new("objcopy").args(arguments).args([&own, &section]).status().expect("binutils");
    assert!(copied.success());
    let bytes = std::fs::read(section).expect("it was written");
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("a word"));
    assert_eq!((word(0), word(8), &bytes[12..16]), (4, 0x407c_0c0a, &b"FDO\0"[..]));
    let text = &bytes[16..16 + word(4) as usize];
    let text = text.strip_suffix(b"\0").expect("it ends with NUL");
    assert_eq!(
        serde_json::from_slice::<Value>(text).expect("JSON"),
        json!([{
            "soname": ["libz.so.1", "libz-ng.so.2"],
            "feature": "zlib",
            "description": "Compresses and checks data",
            "priority": "required",
        }])
    );
    assert!(bytes.len().is_multiple_of(4) && bytes[16 + word(4) as usize..].iter().all(|byte| *byte == 0));
}
