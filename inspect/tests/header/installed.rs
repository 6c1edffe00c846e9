//! The headers of real libraries, verified with the compiler: every function that it sees is found, and every
//! signature, layout and constant agrees.

use std::collections::BTreeSet;
use std::process::Command;

use opendyn_inspect::header::{Options, read};
use opendyn_inspect::{Interface, Place};

use crate::prove;

/// Reads `header`, and verifies the result with the compiler.
fn holds(header: &str, define: &[&str]) -> Interface {
    let options =
        Options { define: define.iter().map(|&define| define.to_owned()).collect(), ..Options::default() };
    let interface = read(&[header.into()], &options).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(interface.skipped, []);
    let arguments: Vec<String> = define.iter().map(|define| format!("-D{define}")).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (program, facts) = prove::program(&interface, &[header]);
    assert!(facts > interface.functions.len(), "{facts}");
    assert_eq!(prove::complaints(&program, &arguments), "");
    assert_eq!(missing(&interface, header, &arguments), BTreeSet::new());
    let described = interface.functions.iter().filter(|function| function.comment.is_some()).count();
    println!("{header}: {} functions, {described} described, {facts} facts", interface.functions.len());
    interface
}

/// The functions that gcc sees in the same files and that were not found.
fn missing(interface: &Interface, header: &str, arguments: &[&str]) -> BTreeSet<String> {
    let folder = std::env::temp_dir();
    let unique = format!("opendyn-{}-{}", std::process::id(), header.replace('/', "-"));
    let (source, list) = (folder.join(format!("{unique}.c")), folder.join(format!("{unique}.txt")));
    std::fs::write(&source, format!("#include <{header}>\n")).expect("a file");
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let status = Command::new(compiler)
        .args(["-fsyntax-only", "-aux-info"])
        .arg(&list)
        .args(arguments)
        .arg(&source)
        .status();
    assert!(status.expect("a compiler").success());
    let lines = std::fs::read_to_string(&list).expect("the list of functions");
    std::fs::remove_file(source).expect("removed");
    std::fs::remove_file(list).expect("removed");
    let files: BTreeSet<&str> = interface
        .functions
        .iter()
        .filter_map(|function| function.place.as_ref())
        .map(|Place { file, .. }| file.as_str())
        .collect();
    let mut seen = 0;
    let mut missing = BTreeSet::new();
    // `/* /usr/include/zlib.h:220:NC */ extern const char *zlibVersion (void);`
    for line in lines.lines() {
        let Some((place, declaration)) = line.strip_prefix("/* ").and_then(|line| line.split_once(" */ "))
        else {
            continue;
        };
        let file = place.split(':').next().unwrap_or_default();
        if !files.contains(file) || declaration.starts_with("static") || declaration.contains(" inline ") {
            continue;
        }
        seen += 1;
        let found = interface.functions.iter().any(|function| declares(declaration, &function.name));
        if !found {
            missing.insert(declaration.to_owned());
        }
    }
    assert!(seen * 2 > interface.functions.len(), "the compiler saw only {seen}");
    missing
}

/// Whether the declaration in gcc's output declares `name`: ` name (`.
fn declares(declaration: &str, name: &str) -> bool {
    [format!(" {name} ("), format!("*{name} ("), format!(" {name};")]
        .iter()
        .any(|written| declaration.contains(written))
}

/// The beginning of a function's description.
fn description<'i>(interface: &'i Interface, name: &str) -> &'i str {
    let function = interface.function(name).unwrap_or_else(|| panic!("{name} is declared"));
    let comment = function.comment.as_ref().unwrap_or_else(|| panic!("{name} is described"));
    comment.text.split(['.', '\n']).next().unwrap_or_default()
}

fn constant<'i>(interface: &'i Interface, name: &str) -> (i128, Option<&'i str>) {
    let found = interface.constants.iter().find(|constant| constant.name == name);
    let found = found.unwrap_or_else(|| panic!("{name} is defined"));
    (found.value, found.comment.as_deref())
}

#[test]
#[cfg_attr(any(no_zlib_header, no_gcc), ignore = "needs gcc and the package zlib1g-dev")]
fn zlib_is_read_as_the_compiler_reads_it() {
    let interface = holds("zlib.h", &[]);
    assert_eq!(
        description(&interface, "compress"),
        "Compresses the source buffer into the destination buffer"
    );
    assert_eq!(
        description(&interface, "deflateInit_"),
        "Initializes the internal stream state for compression"
    );
    assert_eq!(description(&interface, "adler32_z"), "Same as adler32(), but with a size_t length");
    assert_eq!(constant(&interface, "Z_BUF_ERROR"), (-5, None));
}

#[test]
#[cfg_attr(any(no_sqlite3_header, no_gcc), ignore = "needs gcc and the package libsqlite3-dev")]
fn sqlite_is_read_as_the_compiler_reads_it() {
    let interface = holds("sqlite3.h", &[]);
    assert_eq!(description(&interface, "sqlite3_close_v2"), "Closing A Database Connection");
    assert_eq!(description(&interface, "sqlite3_blob_bytes"), "Return The Size Of An Open BLOB");
    assert_eq!(description(&interface, "sqlite3_blob_close"), "Close A BLOB Handle");
    let function = interface.function("sqlite3_exec").expect("declared");
    let parameter = &function.signature.as_ref().expect("known").parameters[0];
    assert_eq!((parameter.name.as_deref(), parameter.comment.as_deref()), (None, Some("An open database")));
    assert_eq!(constant(&interface, "SQLITE_ROW"), (100, Some("sqlite3_step() has another row ready")));
    assert_eq!(constant(&interface, "SQLITE_IOERR_READ").0, 266);
}

#[test]
#[cfg_attr(any(no_lz4_header, no_gcc), ignore = "needs gcc and the package liblz4-dev")]
fn lz4_is_read_as_the_compiler_reads_it() {
    let interface = holds("lz4.h", &[]);
    let text = "Compresses 'srcSize' bytes from buffer 'src' into already allocated 'dst' buffer of size 'dstCapacity'";
    assert_eq!(description(&interface, "LZ4_compress_default"), text);
    let function = interface.function("LZ4_compress_default").expect("declared");
    let parameter = &function.signature.as_ref().expect("known").parameters[2];
    assert_eq!(parameter.comment.as_deref(), Some("max supported value is LZ4_MAX_INPUT_SIZE."));
    assert!(interface.function("LZ4_createStream").expect("declared").comment.is_none());
    assert!(holds("lz4frame.h", &[]).function("LZ4F_compressFrame").is_some());
}

#[test]
#[cfg_attr(any(no_sodium_header, no_gcc), ignore = "needs gcc and the package libsodium-dev")]
fn libsodium_is_read_as_the_compiler_reads_it() {
    let interface = holds("sodium.h", &[]);
    let function = interface.function("crypto_pwhash_str_verify").expect("declared");
    assert_eq!(function.signature.as_ref().expect("known").parameters[0].array, Some(128));
}

#[test]
#[cfg_attr(any(no_curl_header, no_gcc), ignore = "needs gcc and the package libcurl4-openssl-dev")]
fn libcurl_is_read_as_the_compiler_reads_it() {
    let interface = holds("curl/curl.h", &[]);
    assert_eq!(description(&interface, "curl_multi_wakeup"), "wakes up a sleeping curl_multi_poll call");
    let text = "Re-initializes a CURL handle to the default values";
    assert_eq!(description(&interface, "curl_easy_reset"), text);
}

#[test]
#[cfg_attr(any(no_pcre2_header, no_gcc), ignore = "needs gcc and the package libpcre2-dev")]
fn pcre2_is_read_as_the_compiler_reads_it() {
    let interface = holds("pcre2.h", &["PCRE2_CODE_UNIT_WIDTH=8"]);
    assert!(interface.function("pcre2_compile_8").is_some());
}

#[test]
#[cfg_attr(any(no_glibc_header, no_gcc), ignore = "needs gcc and the headers of glibc")]
fn the_mathematical_library_is_read_as_the_compiler_reads_it() {
    let interface = holds("math.h", &["_GNU_SOURCE"]);
    assert_eq!(description(&interface, "acos"), "Arc cosine of X");
    holds("complex.h", &["_GNU_SOURCE"]);
}

#[test]
#[cfg_attr(any(no_glibc_header, no_gcc), ignore = "needs gcc and the headers of glibc")]
fn the_c_library_is_read_as_the_compiler_reads_it() {
    let interface = holds("stdio.h", &["_GNU_SOURCE"]);
    assert_eq!(description(&interface, "fprintf"), "Write formatted output to STREAM");
    assert_eq!(description(&interface, "printf"), "Write formatted output to stdout");
    let interface = holds("stdlib.h", &[]);
    assert_eq!(description(&interface, "free"), "Free a block allocated by `malloc', `realloc' or `calloc'");
    for header in
        ["stdlib.h", "string.h", "time.h", "unistd.h", "signal.h", "pthread.h", "wchar.h", "fcntl.h"]
    {
        holds(header, &["_GNU_SOURCE"]);
    }
    let symbol = holds("stdio.h", &[]).function("sscanf").expect("declared").symbol.clone();
    assert_eq!(symbol.as_deref(), Some("__isoc99_sscanf"));
}
