//! Runs the cases: as the parent, one child per case and side; as the child, one call of the C library.

mod cases;
mod child;

use std::ffi::OsString;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use opentool_sandbox::Sandbox;

/// What the cases need: a library, folders, a port that listens, Python.
pub struct Places {
    /// The C library, alone in its folder but for a file of the operator's.
    pub library: PathBuf,
    /// A folder that a case may allow.
    pub folder: PathBuf,
    /// A port of this machine that accepts connections.
    pub port: u16,
    /// The interpreter itself, not a launcher.
    pub python: PathBuf,
    /// `sys.prefix`
    pub prefix: PathBuf,
}

pub fn main() {
    let mut arguments = std::env::args_os().skip(1);
    match arguments.next().and_then(|it| it.into_string().ok()).as_deref() {
        Some("child") => child::run(&mut arguments),
        filter => {
            let filter = filter.filter(|it| !it.starts_with('-')).unwrap_or_default();
            if parent(filter) != ExitCode::SUCCESS {
                std::process::exit(1);
            }
        }
    }
}

fn parent(filter: &str) -> ExitCode {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let places = Places::prepare(listener.local_addr().expect("it has an address").port());
    let mut failed = 0;
    for case in cases::all(&places).iter().filter(|case| case.name.contains(filter)) {
        let problem = case.problem();
        println!("test {} ... {}", case.name, if problem.is_none() { "ok" } else { "FAILED" });
        if let Some(problem) = problem {
            println!("{problem}");
            failed += 1;
        }
    }
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

impl Places {
    fn prepare(port: u16) -> Self {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("refused-{}", std::process::id()));
        let (library, folder) = (root.join("library"), root.join("folder"));
        for folder in [&library, &folder] {
            std::fs::create_dir_all(folder).expect("a folder can be made");
        }
        std::fs::write(library.join("keys.env"), "KEY=secret\n").expect("a file can be written");
        std::fs::write(folder.join("data.txt"), "data\n").expect("a file can be written");
        let library = library.join("libprobe.so");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/probe.c");
        let compiled = Command::new("cc")
            .args(["-shared", "-fPIC", "-Wall", "-o"])
            .args([&library, &source])
            .args(["-ldl", "-lpthread"])
            .status();
        assert!(compiled.is_ok_and(|status| status.success()), "the C library compiles");
        let asked = Command::new("python3")
            .args(["-c", "import os, sys; print(os.path.realpath(sys.executable)); print(sys.prefix)"])
            .output()
            .expect("Python is installed");
        let asked = String::from_utf8(asked.stdout).expect("the paths are UTF-8");
        let mut lines = asked.lines().map(PathBuf::from);
        let (python, prefix) =
            (lines.next().expect("Python has a path"), lines.next().expect("Python has a prefix"));
        Self { library, folder, port, python, prefix }
    }
}

/// What a child printed, or how it died.
pub fn output_of(sandbox: Option<&Sandbox>, what: &[OsString]) -> String {
    let mut command = Command::new(std::env::current_exe().expect("this program has a path"));
    command.arg("child");
    match sandbox {
        Some(sandbox) => command.arg("inside").args(sandbox.to_arguments()),
        None => command.args(["outside", "--"]),
    };
    let output = command.args(what).env("PROBED", "1").output().expect("a child starts");
    let printed = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    match output.status.success() {
        true => printed,
        false => format!("{} {}", output.status, String::from_utf8_lossy(&output.stderr).trim()),
    }
}
