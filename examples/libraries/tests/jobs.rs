//! Each job, with typed calls, with JSON, and with JSON without compiled bindings. `.ci/memory` runs this under
//! valgrind.

#![cfg(target_os = "linux")]
#![expect(clippy::expect_used, clippy::panic, reason = "test code may panic")]

use libraries_example::JOBS;

/// Does the job of `name`, which must find out these facts and provoke these failures.
fn job(name: &str, facts: &[&str], failures: &[&str]) {
    let job = JOBS.iter().find(|job| job.name == name).expect("there is such a job");
    let report = job.run().unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(report.facts, facts);
    assert_eq!(report.failures, failures);
}

#[test]
#[cfg_attr(no_archive, ignore = "this system has no libarchive (libarchive.so.13)")]
fn archive() {
    job(
        "archive",
        &[r#"notes/first.txt, 9 bytes: "one line\n""#, r#"notes/second.txt, 13 bytes: "another line\n""#],
        &[
            "code -30 (FATAL): Unrecognized archive format",
            "code -30 (FATAL): Failed to open '/nowhere/a.tar'",
        ],
    );
}

#[test]
#[cfg_attr(no_cairo, ignore = "this system has no cairo (libcairo.so.2)")]
fn cairo() {
    job(
        "cairo",
        &[
            "a PNG file: true, 111 bytes, sum 26aba3c8",
            "10 by 8 pixels when it is read again",
            "320 bytes of pixels, 16 pixels are red",
        ],
        &[
            "code 11 (WRITE_ERROR): error while writing to output stream",
            "code 18 (FILE_NOT_FOUND): file not found",
            "code 32 (INVALID_SIZE): invalid value (typically too big) for the size of the input \
             (surface, pattern, etc.)",
        ],
    );
}

#[test]
#[cfg_attr(no_geos, ignore = "this system has no GEOS (libgeos_c.so.1)")]
fn geos() {
    job(
        "geos",
        &["lines: 2", "length: 7", "length of 0: 5", "length of 1: 2", "Valid Geometry", "gone: true"],
        &[
            "ParseException: Expected number but encountered end of stream",
            "Unsupported type request for PostGIS2GEOS_collection",
        ],
    );
}

#[test]
#[cfg_attr(no_git, ignore = "this system has no libgit2 (libgit2.so.1.5)")]
fn git() {
    job(
        "git",
        &[
            "first.txt",
            "d44abda9f48b6e0cd6216fe9f1d02669d1917126 both, parents: 2",
            "4fc2835a441f2d14345187a2405df4bc80e908d6 beside it, parents: 1",
            "cd9eb6c3b54d262aa4366e1a8b5e609d4ae3a04e second, parents: 1",
            "d7f637d8df87865c8ff390e98904b96033b40851 first, parents: 0",
            "refs/heads/main, refs/heads/side",
        ],
        &[
            "code -3 (ENOTFOUND): reference 'refs/heads/missing' not found",
            "code -15 (EMODIFIED): failed to create commit: current tip is not the first parent",
            "code -3 (ENOTFOUND): the requested type does not match the type in the ODB",
        ],
    );
}

#[test]
#[cfg_attr(no_redis, ignore = "this system has no hiredis (libhiredis.so.0.14), or no redis-server")]
fn redis() {
    job(
        "redis",
        &["OK", "Ada", "2", "[one, two]", "[1, [deep, [2]]]"],
        &["code 1 (IO): No such file or directory"],
    );
}

#[test]
#[cfg_attr(no_uv, ignore = "this system has no libuv (libuv.so.1)")]
fn uv() {
    job(
        "uv",
        &[
            "one call after its time: 1",
            "a call every 1 ms, 3 or more: true",
            "none when it is stopped: true",
        ],
        &["code -22 (EINVAL): invalid argument", "code -16 (EBUSY): resource busy or locked"],
    );
}

#[test]
#[cfg_attr(no_xml, ignore = "this system has no libxml2 (libxml2.so.2)")]
fn xml() {
    job(
        "xml",
        &[
            r#"star: Some("Sun")"#,
            "merged: true",
            r#"path: /planets/planet[3], rings: Some("many")"#,
            r#"planets, Element: "MarsSaturnUranus""#,
            r#" planet, Element: "Mars""#,
            r#"  text, Text: "Mars""#,
            r#" planet, Element: "Saturn""#,
            r#"  text, Text: "Saturn""#,
            r#" planet, Element: "Uranus""#,
            r#"  text, Text: "Uranus""#,
            "<?xml version=\"1.0\"?>\n<planets star=\"Sun\"><planet>Mars</planet><planet>Saturn</planet>\
             <planet rings=\"many\">Uranus</planet></planets>\n",
        ],
        &["Premature end of data in tag planets line 1", "Entity 'sirius' not defined"],
    );
}

#[test]
#[cfg_attr(no_zstd, ignore = "this system has no zstd (libzstd.so.1)")]
fn zstd() {
    job(
        "zstd",
        &["20000 bytes became 16102", "and the same again: true"],
        &["code 10: Unknown frame descriptor", "code 70: Destination buffer is too small"],
    );
}
