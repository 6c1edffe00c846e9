//! A crate around generated bindings, compiled separately.
//!
//! It is in the target folder, depends on this workspace by path and uses its lock file, so nothing is
//! downloaded. Dependencies are built first, so only the crate itself is measured, compiled from
//! scratch: it is touched, and the compiler's incremental state is removed, because with that state a
//! check after a touch does nothing.
//!
//! On Linux, the CPU time of Cargo and the compiler is measured, which a busy machine changes little;
//! elsewhere it is wall time.

use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant, SystemTime};

use opendyn_benchmarks::Error;

const LOCK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.lock");
const RUNTIME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../runtime");

/// A separate crate.
pub struct Project {
    name: String,
    root: PathBuf,
    target: PathBuf,
}

/// The contents of the crate.
pub enum Source<'s> {
    /// Generated bindings.
    Bindings(&'s str),
    /// A document, for the macro.
    Document(&'s str),
}

impl Project {
    /// Writes the crate.
    pub fn new(name: &str, source: Source<'_>) -> Result<Self, Error> {
        let here = std::env::current_exe()?;
        // The executable is target/release/scale; the crate is in target.
        let built = here.ancestors().nth(2).ok_or("the executable is not where Cargo puts one")?;
        let base = built.join("scale");
        let project =
            Self { name: format!("scale-{name}"), root: base.join(name), target: base.join("target") };
        fs::create_dir_all(project.root.join("src"))?;
        fs::write(project.root.join("Cargo.toml"), project.manifest())?;
        fs::copy(LOCK, project.root.join("Cargo.lock"))?;
        let bindings = match source {
            Source::Bindings(text) => {
                fs::write(project.root.join("src/bindings.rs"), text)?;
                "include!(\"bindings.rs\");"
            }
            Source::Document(text) => {
                fs::write(project.root.join("scale.json"), text)?;
                "opendyn::opendyn!(\"scale.json\");"
            }
        };
        fs::write(project.source(), format!("{bindings}\n{EXPORTS}"))?;
        Ok(project)
    }

    /// `cargo check` of the crate alone.
    pub fn check(&self) -> Result<Duration, Error> {
        self.cargo(&["check"])
    }

    /// `cargo build --release` of the crate alone.
    pub fn release(&self) -> Result<Duration, Error> {
        self.cargo(&["build", "--release"])
    }

    /// The bytes of machine code in the shared library, from `size`.
    pub fn text_size(&self) -> Result<f64, Error> {
        let name = self.name.replace('-', "_");
        let library = self.target.join("release").join(format!(
            "{}{name}{}",
            std::env::consts::DLL_PREFIX,
            std::env::consts::DLL_SUFFIX
        ));
        let output = Command::new("size").arg("-A").arg(&library).output()?;
        let sections = String::from_utf8(output.stdout)?;
        let text = sections.lines().find_map(|line| {
            let mut columns = line.split_whitespace();
            (columns.next() == Some(".text")).then(|| columns.next()?.parse().ok())?
        });
        text.ok_or_else(|| format!("`size -A {}` does not print the size of .text", library.display()).into())
    }

    fn cargo(&self, arguments: &[&str]) -> Result<Duration, Error> {
        // Once for the dependencies, once to measure.
        self.run(arguments)?;
        for profile in ["debug", "release"] {
            match fs::remove_dir_all(self.target.join(profile).join("incremental")) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error.into()),
                _ => {}
            }
        }
        fs::File::options().write(true).open(self.source())?.set_modified(SystemTime::now())?;
        let start = (Instant::now(), cpu_of_children());
        self.run(arguments)?;
        let cpu = start.1.zip(cpu_of_children()).map(|(before, after)| after - before);
        Ok(cpu.unwrap_or_else(|| start.0.elapsed()))
    }

    fn run(&self, arguments: &[&str]) -> Result<(), Error> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let output = Command::new(cargo)
            .args(arguments)
            .args(["--quiet", "--offline"])
            .current_dir(&self.root)
            .env("CARGO_TARGET_DIR", &self.target)
            .output()?;
        if output.status.success() {
            return Ok(());
        }
        Err(format!("{}: {}", self.root.display(), String::from_utf8_lossy(&output.stderr)).into())
    }

    fn source(&self) -> PathBuf {
        self.root.join("src/lib.rs")
    }

    fn manifest(&self) -> String {
        format!(
            r#"[package]
name = "{}"
version = "0.0.0"
edition = "2024"

[lib]
crate-type = ["cdylib"]

[dependencies]
opendyn = {{ path = {RUNTIME:?} }}

[workspace]
"#,
            self.name
        )
    }
}

/// The CPU time of all processes that this one has started and waited for, if the system reports it.
fn cpu_of_children() -> Option<Duration> {
    /// The unit of Linux on every architecture (`USER_HZ`).
    const TICKS_PER_SECOND: u64 = 100;
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in parentheses, may contain spaces; `cutime` and `cstime` are the
    // 14th and 15th fields after it.
    let (_, fields) = stat.rsplit_once(") ")?;
    let mut fields = fields.split(' ').skip(13).map(str::parse::<u64>);
    let ticks = fields.next()?.ok()? + fields.next()?.ok()?;
    Some(Duration::from_millis(ticks * 1000 / TICKS_PER_SECOND))
}

/// Makes every function reachable by its name.
const EXPORTS: &str = r#"
/// Opens the library.
///
/// # Safety
///
/// The path is a C string, and the document describes the library correctly.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn scale_open(path: *const std::ffi::c_char) -> *mut Scale {
    // SAFETY: the caller guarantees the path and the library.
    let path = unsafe { std::ffi::CStr::from_ptr(path) }.to_string_lossy();
    // SAFETY: as above.
    match unsafe { Scale::open(path.as_ref()) } {
        Ok(scale) => Box::into_raw(Box::new(scale)),
        Err(_) => std::ptr::null_mut(),
    }
}

/// Calls a function by its name.
///
/// # Safety
///
/// All pointers are valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn scale_call(
    scale: *const Scale,
    name: *const std::ffi::c_char,
    arguments: *const std::ffi::c_char,
    out: *mut Vec<u8>,
) -> bool {
    // SAFETY: the caller guarantees all four pointers, here and below.
    let name = unsafe { std::ffi::CStr::from_ptr(name) }.to_string_lossy();
    // SAFETY: as above.
    let arguments = unsafe { std::ffi::CStr::from_ptr(arguments) }.to_bytes();
    // SAFETY: as above.
    opendyn::Tool::call_into(unsafe { &*scale }, &name, arguments, unsafe { &mut *out }).is_ok()
}
"#;
