//! The ways to compile a library with debug info, shared by all tests that read debug info. Tests of other
//! crates include it with `#[path]`.

#![allow(dead_code)]

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A compiled library.
pub struct Built {
    /// The library.
    pub library: PathBuf,
    /// The folders of its separate debug info, if not next to it.
    pub directories: Vec<PathBuf>,
}

/// A way to compile one C file into a shared library for this machine, with debug info.
pub struct Variant {
    /// Its name in messages, and the name of its folder.
    pub name: &'static str,
    /// Whether its debug info has types.
    pub has_types: bool,
    build: fn(&Path, &Path) -> Built,
}

impl Variant {
    /// Compiles the library `source` into a folder of its own below `folder`.
    #[must_use]
    pub fn build(&self, source: &Path, folder: &Path) -> Built {
        let folder = folder.join(self.name);
        // Files of an earlier run must not be found.
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("the folder of the build is writable");
        (self.build)(source, &folder)
    }
}

const fn with_types(name: &'static str, build: fn(&Path, &Path) -> Built) -> Variant {
    Variant { name, has_types: true, build }
}

/// Variants that need only a C compiler and binutils.
pub const PLAIN: &[Variant] = &[
    with_types("dwarf-2", |source, folder| cc(source, folder, &["-gdwarf-2", "-O0"])),
    with_types("dwarf-3", |source, folder| cc(source, folder, &["-gdwarf-3", "-O0"])),
    with_types("dwarf-4", |source, folder| cc(source, folder, &["-gdwarf-4", "-O0"])),
    with_types("dwarf-5", |source, folder| cc(source, folder, &["-gdwarf-5", "-O0"])),
    with_types("dwarf-2-strict", |source, folder| {
        cc(source, folder, &["-gdwarf-2", "-gstrict-dwarf", "-O0"])
    }),
    with_types("optimized-dwarf-4", |source, folder| cc(source, folder, &["-gdwarf-4", "-O2"])),
    with_types("optimized-dwarf-5", |source, folder| cc(source, folder, &["-gdwarf-5", "-O2"])),
    with_types("wide-offsets", |source, folder| cc(source, folder, &["-gdwarf-5", "-gdwarf64", "-O2"])),
    with_types("lto", |source, folder| cc(source, folder, &["-g", "-O2", "-flto"])),
    with_types("type-units-dwarf-4", |source, folder| {
        cc(source, folder, &["-gdwarf-4", "-fdebug-types-section"])
    }),
    with_types("type-units-dwarf-5", |source, folder| {
        cc(source, folder, &["-gdwarf-5", "-fdebug-types-section"])
    }),
    with_types("compressed", |source, folder| cc(source, folder, &["-g", "-gz=zlib"])),
    with_types("compressed-gnu", |source, folder| cc(source, folder, &["-g", "-gz=zlib-gnu"])),
    with_types("compressed-zstd", |source, folder| {
        let built = cc(source, folder, &["-g"]);
        run("objcopy", ["--compress-debug-sections=zstd".as_ref(), built.library.as_os_str()], folder);
        built
    }),
    with_types("linked", |source, folder| {
        let built = cc(source, folder, &["-g", "-Wl,--build-id=none"]);
        separate(&built.library, &folder.join("types.so.debug"), true);
        built
    }),
    with_types("linked-in-subfolder", |source, folder| {
        let built = cc(source, folder, &["-g", "-Wl,--build-id=none"]);
        std::fs::create_dir(folder.join(".debug")).expect("the folder is writable");
        separate(&built.library, &folder.join(".debug").join("types.so.debug"), true);
        built
    }),
    with_types("by-build-id", |source, folder| {
        let id = "0123456789abcdef0123456789abcdef01234567";
        let built = cc(source, folder, &["-g", &format!("-Wl,--build-id=0x{id}")]);
        let directory = folder.join("debug");
        let place = directory.join(".build-id").join(&id[..2]);
        std::fs::create_dir_all(&place).expect("the folder is writable");
        separate(&built.library, &place.join(format!("{}.debug", &id[2..])), false);
        Built { directories: vec![directory], ..built }
    }),
    with_types("split-dwarf-4", |source, folder| split(source, folder, &["-gdwarf-4", "-gsplit-dwarf"])),
    with_types("split-dwarf-5", |source, folder| {
        split(source, folder, &["-gdwarf-5", "-gsplit-dwarf", "-O2"])
    }),
    with_types("split-type-units", |source, folder| {
        split(source, folder, &["-gdwarf-5", "-gsplit-dwarf", "-fdebug-types-section"])
    }),
    Variant {
        name: "line-numbers-alone",
        has_types: false,
        build: |source, folder| cc(source, folder, &["-g1", "-O2"]),
    },
];

/// Variants that need `clang`.
pub const CLANG: &[Variant] = &[
    with_types("clang-dwarf-4", |source, folder| clang(source, folder, &["-gdwarf-4", "-O0"])),
    with_types("clang-dwarf-5", |source, folder| clang(source, folder, &["-gdwarf-5", "-O0"])),
    with_types("clang-optimized", |source, folder| clang(source, folder, &["-gdwarf-5", "-O2"])),
    with_types("clang-type-units", |source, folder| {
        clang(source, folder, &["-gdwarf-4", "-fdebug-types-section"])
    }),
];

/// Variants that need `llvm-dwp`.
pub const PACKAGED: &[Variant] = &[
    with_types("package-dwarf-4", |source, folder| package(source, folder, &["-gdwarf-4", "-gsplit-dwarf"])),
    with_types("package-dwarf-5", |source, folder| package(source, folder, &["-gdwarf-5", "-gsplit-dwarf"])),
    with_types("package-type-units", |source, folder| {
        package(source, folder, &["-gdwarf-4", "-gsplit-dwarf", "-fdebug-types-section"])
    }),
];

/// Variants that need `dwz`.
pub const SUPPLEMENTED: &[Variant] = &[
    with_types("dwz", |source, folder| dwz(source, folder, &[])),
    with_types("dwz-dwarf-5", |source, folder| dwz(source, folder, &["--dwarf-5"])),
];

/// Runs a program, which must succeed.
pub fn run<A: AsRef<OsStr>>(program: &str, arguments: impl IntoIterator<Item = A>, folder: &Path) {
    let arguments: Vec<A> = arguments.into_iter().collect();
    let mut status = Command::new(program).args(&arguments).current_dir(folder).output();
    // Debian installs the programs of LLVM with a version in their name, some only so.
    if status.is_err() {
        status = Command::new(format!("{program}-14")).args(&arguments).current_dir(folder).output();
    }
    let output = status.unwrap_or_else(|error| panic!("{program} cannot be run: {error}"));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} failed:\n{text}");
}

fn compile(compiler: &str, source: &Path, library: &Path, flags: &[&str]) -> Built {
    let folder = library.parent().expect("a file in a folder");
    let mut arguments: Vec<&OsStr> = ["-std=c11", "-fPIC", "-shared"].map(OsStr::new).to_vec();
    arguments.extend(flags.iter().map(OsStr::new));
    arguments.extend([OsStr::new("-o"), library.as_os_str(), source.as_os_str()]);
    run(compiler, arguments, folder);
    Built { library: library.to_owned(), directories: Vec::new() }
}

fn cc(source: &Path, folder: &Path, flags: &[&str]) -> Built {
    compile("cc", source, &folder.join("types.so"), flags)
}

fn clang(source: &Path, folder: &Path, flags: &[&str]) -> Built {
    compile("clang", source, &folder.join("types.so"), flags)
}

/// Moves the debug info of a library to a file of its own.
fn separate(library: &Path, file: &Path, link: bool) {
    let folder = library.parent().expect("a file in a folder");
    run("objcopy", ["--only-keep-debug".as_ref(), library.as_os_str(), file.as_os_str()], folder);
    run("strip", ["--strip-debug".as_ref(), library.as_os_str()], folder);
    if link {
        let link = format!("--add-gnu-debuglink={}", file.display());
        run("objcopy", [OsStr::new(&link), library.as_os_str()], folder);
    }
}

/// Compiles in two steps, so that the split file has a name of its own.
fn split(source: &Path, folder: &Path, flags: &[&str]) -> Built {
    let object = folder.join("types.o");
    let mut arguments: Vec<&OsStr> = ["-std=c11", "-fPIC", "-c"].map(OsStr::new).to_vec();
    arguments.extend(flags.iter().map(OsStr::new));
    arguments.extend([OsStr::new("-o"), object.as_os_str(), source.as_os_str()]);
    run("cc", arguments, folder);
    let library = folder.join("types.so");
    run("cc", ["-shared".as_ref(), "-o".as_ref(), library.as_os_str(), object.as_os_str()], folder);
    Built { library, directories: Vec::new() }
}

fn package(source: &Path, folder: &Path, flags: &[&str]) -> Built {
    let built = split(source, folder, flags);
    run("llvm-dwp", ["types.dwo", "-o", "types.so.dwp"], folder);
    std::fs::remove_file(folder.join("types.dwo")).expect("the compiler wrote it");
    built
}

/// Two libraries whose common debug info is moved to a third file.
fn dwz(source: &Path, folder: &Path, flags: &[&str]) -> Built {
    let built = cc(source, folder, &["-g", "-O2"]);
    compile("cc", source, &folder.join("other.so"), &["-g", "-O0"]);
    let arguments = ["-m", "common.debug", "types.so", "other.so"];
    run("dwz", flags.iter().chain(&arguments), folder);
    assert!(folder.join("common.debug").is_file(), "dwz found nothing in common");
    built
}
