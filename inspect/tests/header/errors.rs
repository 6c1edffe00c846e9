//! The errors for headers that cannot be read.

use std::path::{Path, PathBuf};

use opendyn_inspect::Target;
use opendyn_inspect::header::{HeaderError, Options, read};

use crate::listing;

fn message(header: &Path, options: &Options) -> String {
    read(&[header.to_owned()], options).expect_err("it cannot be read").to_string()
}

#[test]
fn a_missing_header_is_named_with_the_folders() {
    let options = Options { include: vec![PathBuf::from("vendor")], ..Options::default() };
    let error = message(Path::new("no_such_header.h"), &options);
    assert!(
        error.starts_with("no_such_header.h: no such header in the current folder, in vendor"),
        "{error}"
    );
}

#[test]
fn a_missing_compiler_is_said_with_what_to_do() {
    let options = Options { compiler: Some("no-such-compiler".into()), ..Options::default() };
    let error = read(&[listing::folder().join("plain.h")], &options).expect_err("there is none");
    assert!(matches!(error, HeaderError::NoCompiler { .. }));
    assert!(error.to_string().contains("no-such-compiler cannot be run; install gcc or clang"), "{error}");
}

#[test]
fn what_the_preprocessor_says_is_repeated() {
    let folder = std::env::temp_dir().join(format!("opendyn-header-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let header = folder.join("needs.h");
    std::fs::write(&header, "#ifndef WIDTH\n#error \"WIDTH must be defined\"\n#endif\nint wide(void);\n")
        .expect("written");
    let error = message(&header, &Options::default());
    assert!(error.contains("WIDTH must be defined"), "{error}");
    let options = Options { define: vec!["WIDTH=8".to_owned()], ..Options::default() };
    assert!(read(&[header], &options).expect("defined").function("wide").is_some());
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn a_compiler_for_another_target_is_refused() {
    let host = Target::host();
    let other = Target { long: if host.long == 8 { 4 } else { 8 }, ..host };
    let options = Options { target: Some(other), ..Options::default() };
    let error = message(&listing::folder().join("plain.h"), &options);
    assert!(error.contains("compiles for another target: long has"), "{error}");
    let options = Options { target: Some(host), ..Options::default() };
    assert!(read(&[listing::folder().join("plain.h")], &options).is_ok());
}

#[test]
fn no_input_makes_it_panic() {
    let folder = std::env::temp_dir().join(format!("opendyn-header-cut-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let header = folder.join("cut.h");
    // A small generator with a fixed seed, so that failures can be reproduced.
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below.max(1) as u64).unwrap_or(0)
    };
    for name in ["declarations.h", "layouts.h", "constants.h", "doxygen.h", "plain.h", "broken.h"] {
        let whole = std::fs::read(listing::folder().join(name)).expect("it is there");
        for round in 0..12 {
            let mut bytes = whole.clone();
            bytes.truncate(random(bytes.len()));
            for _ in 0..round {
                let at = random(bytes.len());
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = b"(){}[];,*=\"'/#:<x0 \n\xff"[random(21)];
                }
            }
            std::fs::write(&header, &bytes).expect("written");
            let options = Options { include: vec![listing::folder()], ..Options::default() };
            // It must not panic; the result does not matter.
            _ = read(std::slice::from_ref(&header), &options);
        }
    }
    let deep = format!("int f({}int x{});\nint g(void);\n", "int (*".repeat(20_000), ")(int)".repeat(20_000));
    std::fs::write(&header, deep).expect("written");
    let interface = read(std::slice::from_ref(&header), &Options::default()).expect("it reads");
    assert!(interface.function("g").is_some());
    std::fs::remove_dir_all(folder).expect("removed");
}
