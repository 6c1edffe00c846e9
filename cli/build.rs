//! Finds what this machine lacks for the tests, and slow tests: those are reported as ignored.

use std::path::Path;
use std::process::Command;

/// Headers that `opendyn import` is tested with, in the folders where Debian has them.
const ZLIB_AND_SQLITE: [&str; 2] = ["zlib.h", "sqlite3.h"];
/// Headers of the libraries whose facts were judged by hand: `tests/judged`.
const JUDGED: [&str; 20] = [
    "FLAC/stream_decoder.h",
    "confuse.h",
    "event2/event.h",
    "gcrypt.h",
    "harfbuzz/hb.h",
    "iio.h",
    "leveldb/c.h",
    "libevdev-1.0/libevdev/libevdev.h",
    "libinput.h",
    "libssh2.h",
    "lmdb.h",
    "microhttpd.h",
    "mpg123.h",
    "pcap.h",
    "speex/speex_resampler.h",
    "tiffio.h",
    "wavpack/wavpack.h",
    "webp/decode.h",
    "xkbcommon/xkbcommon.h",
    "yaml.h",
];
/// Headers of the libraries that import was once wrong about.
const PITFALLS: [&str; 10] = [
    "archive.h",
    "cairo/cairo.h",
    "cjson/cJSON.h",
    "freetype2/ft2build.h",
    "geos_c.h",
    "git2.h",
    "jpeglib.h",
    "libxml2/libxml/valid.h",
    "postgresql/libpq-fe.h",
    "uv.h",
];
const FOLDERS: [&str; 2] = ["/usr/include", "/usr/include/x86_64-linux-gnu"];
const GLIB: [&str; 2] =
    ["/usr/share/gir-1.0/GLib-2.0.gir", "/usr/lib/x86_64-linux-gnu/glib-2.0/include/glibconfig.h"];
/// The browser of the page's tests: Debian's, and what `.ci/browser` installs.
const BROWSER: [&str; 2] = ["/usr/bin/chromium", "../target/browser/installed"];
const DEBIAN: &str = "/etc/debian_version";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    look_for_what_tests_need();
}

fn look_for_what_tests_need() {
    println!(
        "cargo::rustc-check-cfg=cfg(no_browser, no_glib, no_judged_libraries, no_lld, no_pitfall_libraries, no_python, \
         no_zlib_and_sqlite, quick)"
    );
    println!("cargo::rerun-if-env-changed=OPENDYN_TEST_ALL");
    println!("cargo::rerun-if-env-changed=OPENDYN_PYTHON");
    println!("cargo::rerun-if-env-changed=PATH");
    let python = std::env::var_os("OPENDYN_PYTHON").unwrap_or_else(|| "python3".into());
    let has_python = Command::new(python).arg("--version").output().is_ok_and(|run| run.status.success());
    let has_judged = JUDGED.iter().filter(|header| is_installed(header)).count() == JUDGED.len();
    let has_pitfalls = PITFALLS.iter().filter(|header| is_installed(header)).count() == PITFALLS.len();
    let has_two = ZLIB_AND_SQLITE.iter().all(|header| is_installed(header));
    // The goldens are for the versions in this release.
    let is_debian = std::fs::read_to_string(DEBIAN).is_ok_and(|version| version.starts_with("12."));
    println!("cargo::rerun-if-changed={DEBIAN}");
    let path = std::env::var_os("PATH").unwrap_or_default();
    // Debian has some only under a name with the version of LLVM.
    let has = |program: &&str| {
        std::env::split_paths(&path)
            .any(|folder| folder.join(program).is_file() || folder.join(format!("{program}-14")).is_file())
    };
    for (name, there) in [
        // Tests that take minutes run in CI, which also has everything else.
        ("quick", false),
        (
            "no_browser",
            BROWSER.iter().filter(|file| is_file(Path::new(file))).count() == BROWSER.len() && has(&"node"),
        ),
        ("no_glib", GLIB.iter().all(|file| is_file(Path::new(file)))),
        ("no_judged_libraries", has_judged && is_debian),
        ("no_lld", ["clang", "lld-link", "ld.lld", "ld64.lld"].iter().all(has)),
        ("no_pitfall_libraries", has_pitfalls && is_debian),
        ("no_python", has_python),
        ("no_zlib_and_sqlite", has_two && is_debian),
    ] {
        if !there && std::env::var_os("OPENDYN_TEST_ALL").is_none() {
            println!("cargo::rustc-cfg={name}");
        }
    }
}

fn is_installed(header: &str) -> bool {
    let paths = FOLDERS.map(|folder| Path::new(folder).join(header));
    is_file(paths.iter().find(|path| path.is_file()).unwrap_or(&paths[0]))
}

/// It may be installed later: Cargo runs this script again if the file does not exist.
fn is_file(path: &Path) -> bool {
    println!("cargo::rerun-if-changed={}", path.display());
    path.is_file()
}
