//! The cases, as data: what is done, in which sandbox, and what comes of it without and with the sandbox.

use std::ffi::OsString;
use std::path::PathBuf;

use opentool_sandbox::{Allowed, Sandbox};

use super::{Places, output_of};

const OK: &str = "0";
const EPERM: &str = "1";
const ENOMEM: &str = "12";
const EACCES: &str = "13";
const EMFILE: &str = "24";
const EFBIG: &str = "27";
const ENOSYS: &str = "38";
/// `SQLITE_CANTOPEN`
const CANTOPEN: &str = "14";

pub struct Case {
    pub name: String,
    sandbox: Sandbox,
    what: Vec<OsString>,
    without: Option<String>,
    within: String,
}

impl Case {
    /// How the outcome differs from the expected one.
    pub fn problem(&self) -> Option<String> {
        let differs = |side: &str, expected: &str, found: String| {
            (!found.starts_with(expected) || (expected.len() < 3 && found != expected))
                .then(|| format!("  {side} the sandbox: expected `{expected}`, found `{found}`"))
        };
        let without =
            self.without.as_ref().and_then(|it| differs("without", it, output_of(None, &self.what)));
        without.or_else(|| differs("within", &self.within, output_of(Some(&self.sandbox), &self.what)))
    }
}

/// Makes cases of calls of the C library.
struct Calls<'a> {
    places: &'a Places,
    cases: Vec<Case>,
}

impl Calls<'_> {
    fn add(
        &mut self,
        sandbox: &Sandbox,
        name: &str,
        call: (&str, &str),
        without: impl Into<Option<&'static str>>,
        within: &str,
    ) {
        let what = ["call".into(), self.places.library.clone().into(), call.0.into(), call.1.into()];
        self.cases.push(Case {
            name: name.into(),
            sandbox: sandbox.clone(),
            what: what.into(),
            without: without.into().map(str::to_owned),
            within: within.into(),
        });
    }
}

pub fn all(places: &Places) -> Vec<Case> {
    let mut calls = Calls { places, cases: Vec::new() };
    let folder = places.folder.to_str().expect("the folder is UTF-8");
    let data = format!("{folder}/data.txt");
    let new = format!("{folder}/new.txt");
    let keys = places.library.with_file_name("keys.env").to_str().expect("the folder is UTF-8").to_owned();
    let port = places.port.to_string();

    let nothing = Sandbox::for_library(&places.library, &Allowed::default());
    let file = |call: &'static str| (call, data.as_str());
    calls.add(&nothing, "passwords are not readable", ("read_file", "/etc/passwd"), OK, EACCES);
    calls.add(&nothing, "files beside the library are not readable", ("read_file", &keys), OK, EACCES);
    calls.add(&nothing, "a folder is not readable", file("read_file"), OK, EACCES);
    calls.add(&nothing, "a folder cannot be listed", ("list_folder", folder), OK, EACCES);
    calls.add(
        &nothing,
        "the environment of the server is not readable",
        ("read_environment_of_parent", ""),
        OK,
        EACCES,
    );
    calls.add(&nothing, "time zones are readable", ("list_folder", "/usr/share"), OK, OK);
    calls.add(&nothing, "random numbers are readable", ("read_file", "/dev/urandom"), OK, OK);
    calls.add(&nothing, "/dev/null is writable", ("write_file", "/dev/null"), OK, OK);
    calls.add(&nothing, "the process reads its own mappings", ("read_file", "/proc/self/maps"), OK, OK);
    calls.add(&nothing, "a file is not writable", file("write_file"), OK, EACCES);
    calls.add(&nothing, "a file cannot be created", ("create_file", &new), OK, EACCES);
    calls.add(
        &nothing,
        "a file cannot be created in /tmp",
        ("create_file", "/tmp/opentool-sandbox-new"),
        OK,
        EACCES,
    );
    calls.add(&nothing, "a file cannot be emptied", file("empty_file"), None, EACCES);
    calls.add(&nothing, "a file cannot be removed", file("remove_file"), None, EACCES);
    calls.add(&nothing, "a mode cannot be changed", file("change_mode"), OK, EPERM);
    calls.add(&nothing, "no connection", ("connect_to", &port), OK, EACCES);
    calls.add(&nothing, "no datagrams", ("udp_socket", ""), OK, EACCES);
    calls.add(&nothing, "no UNIX sockets", ("unix_socket", ""), OK, EACCES);
    calls.add(&nothing, "a pair of sockets of the process itself", ("socket_pair", ""), OK, OK);
    calls.add(&nothing, "no program is executed", ("execute", "/bin/echo"), "executed", EPERM);
    calls.add(&nothing, "no process is started", ("fork_bomb", ""), "50", "0");
    calls.add(&nothing, "threads are started", ("start_thread", ""), OK, OK);
    calls.add(&nothing, "the server gets no signal", ("signal_parent", ""), OK, EPERM);
    calls.add(&nothing, "the process can signal itself", ("signal_itself", ""), OK, OK);
    calls.add(&nothing, "the server is not scheduled otherwise", ("cores_of_parent", ""), OK, EPERM);
    calls.add(&nothing, "the process can choose its cores", ("cores_of_itself", ""), OK, OK);
    calls.add(&nothing, "no process outlives the server", ("outlive_parent", ""), OK, EPERM);
    calls.add(&nothing, "no tracing", ("trace", ""), OK, EPERM);
    calls.add(&nothing, "io_uring does not exist", ("io_uring", ""), None, ENOSYS);
    calls.add(&nothing, "limits stay", ("raise_limit", ""), OK, EPERM);
    calls.add(&nothing, "no namespaces", ("new_namespace", ""), None, EPERM);
    calls.add(&nothing, "a system library is loaded", ("load_library", "libsqlite3.so.0"), OK, OK);
    calls.add(&nothing, "a database in memory works", ("sqlite", ":memory:"), OK, OK);
    calls.add(&nothing, "a database in a file does not", ("sqlite", &format!("{folder}/x.db")), OK, CANTOPEN);

    let reads = Sandbox::for_library(&places.library, &allowed(|it| it.read.push(folder.into())));
    calls.add(&reads, "an allowed folder is readable", file("read_file"), OK, OK);
    calls.add(&reads, "a folder that is readable can be listed", ("list_folder", folder), OK, OK);
    calls.add(&reads, "a folder that is readable is not writable", file("write_file"), OK, EACCES);
    let writes = Sandbox::for_library(&places.library, &allowed(|it| it.write.push(folder.into())));
    calls.add(&writes, "an allowed folder is writable", ("create_file", &new), OK, OK);
    calls.add(&writes, "a folder that is writable is readable", file("read_file"), OK, OK);
    calls.add(&writes, "a mode in a writable folder can be changed", file("change_mode"), OK, OK);
    calls.add(&writes, "another folder is not writable", ("create_file", &format!("{keys}.new")), OK, EACCES);
    calls.add(
        &writes,
        "a database in a writable folder works",
        ("sqlite", &format!("{folder}/y.db")),
        OK,
        OK,
    );
    let net = Sandbox::for_library(&places.library, &allowed(|it| it.network = true));
    calls.add(&net, "an allowed network connects", ("connect_to", &port), OK, OK);
    calls.add(&net, "a network has no UNIX sockets", ("unix_socket", ""), OK, EACCES);

    let mut limited = Sandbox::for_library(&places.library, &allowed(|it| it.memory = Some(256 << 20)));
    limited.limits.open_files = Some(32);
    limited.limits.cpu_seconds = Some(1);
    limited.limits.file_size = Some(1 << 20);
    limited.write.push(folder.into());
    calls.add(&limited, "memory is limited", ("allocate", "512"), OK, ENOMEM);
    calls.add(&limited, "memory within the limit is there", ("allocate", "64"), OK, OK);
    calls.add(&limited, "open files are limited", ("open_many", "/dev/null"), OK, EMFILE);
    calls.add(&limited, "processor time is limited", ("burn", ""), None, "signal: 9");
    calls.add(&limited, "files have a largest size", ("fill_file", &new), OK, EFBIG);

    let mut cases = calls.cases;
    cases.extend(programs(places));
    cases.push(Case {
        name: "a process with threads does not enter".into(),
        sandbox: nothing,
        what: vec!["threads".into()],
        without: Some("entered".into()),
        within: "a process with 2 threads cannot be restricted: it must have one".into(),
    });
    cases.push(Case {
        name: "a folder that is missing is an error".into(),
        sandbox: Sandbox::for_library(&places.library, &allowed(|it| it.read.push("/no/such".into()))),
        what: vec!["enter".into()],
        without: Some("entered".into()),
        within: "`/no/such` cannot be allowed: No such file or directory".into(),
    });
    cases
}

/// Python, which the process becomes after it has entered.
fn programs(places: &Places) -> Vec<Case> {
    let sandbox =
        Sandbox::for_program(&places.python, std::slice::from_ref(&places.prefix), &Allowed::default());
    let refused = "PermissionError";
    [
        ("Python runs", "print(1)", "1", "1"),
        ("Python has its modules", "import json, ssl, sqlite3, ctypes; print('yes')", "yes", "yes"),
        ("Python does not read passwords", "open('/etc/passwd')", "", refused),
        ("Python has no network", "import socket; socket.socket()", "", refused),
        ("Python starts no processes", "import os\nif os.fork() == 0: os._exit(0)", "", refused),
        ("Python starts no programs", "import os; os.execv('/bin/echo', ['echo', 'run'])", "run", refused),
    ]
    .into_iter()
    .map(|(name, program, without, within)| {
        let caught =
            format!("try:\n exec({program:?})\nexcept Exception as error:\n print(type(error).__name__)");
        let python: PathBuf = places.python.clone();
        Case {
            name: name.into(),
            sandbox: sandbox.clone(),
            what: vec!["become".into(), python.into(), "-I".into(), "-B".into(), "-c".into(), caught.into()],
            without: Some(without.into()),
            within: within.into(),
        }
    })
    .collect()
}

fn allowed(change: impl FnOnce(&mut Allowed)) -> Allowed {
    let mut allowed = Allowed::default();
    change(&mut allowed);
    allowed
}
