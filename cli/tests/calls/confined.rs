//! The sandbox of served libraries and scripts: what it says at the start, the shipped examples in it, and Python scripts.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::mcp::Session;
use crate::{DOCUMENT, failed, folder, library, opendyn, succeeded};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples");
const NOTHING: &str =
    "opendyn: sandbox: no network, no writing, reading the libraries and the system's data\n";

/// Tries one thing.
const TRIES: &str = "def execute(tool_input: dict) -> dict:
    \"\"\"Tries something.

    Args:
        what (str): What.
        of (str): With what.
    \"\"\"
    import os, socket, subprocess
    what, of = tool_input['what'], tool_input['of']
    if what == 'read':
        open(of).read()
    elif what == 'write':
        open(of, 'w').close()
    elif what == 'connect':
        socket.create_connection(('127.0.0.1', int(of))).close()
    elif what == 'run':
        subprocess.run([of])
    elif what == 'swallow':
        try:
            open(of)
        except OSError as error:
            return dict(success=False, message=str(error), data=None)
    elif what == 'import':
        import asyncio, ctypes, importlib, sqlite3, ssl
        asyncio.run(asyncio.sleep(0))
        sqlite3.connect(':memory:').close()
        importlib.import_module(of)
    elif what == 'environment':
        return dict(success=True, message='', data=sorted(os.environ))
    return dict(success=True, message='', data=None)
";

fn document(name: &str) -> String {
    format!("{EXAMPLES}/{name}")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("text")
}

/// The result of a call, or the text of its error.
fn outcome(session: &mut Session, name: &str, arguments: Value) -> Result<Value, String> {
    let result = session.call(name, arguments);
    if result["isError"] == json!(true) {
        return Err(result["content"][0]["text"].as_str().unwrap_or_default().to_owned());
    }
    Ok(result["structuredContent"].clone())
}

/// A script that tries things, with the flags of the server.
fn tries(name: &str, flags: &[&str]) -> (PathBuf, Session) {
    let folder = folder(name);
    let script = folder.join("tries.py");
    std::fs::write(&script, TRIES).expect("it can be written");
    let session = Session::start(&mut opendyn(&[&["mcp", text(&script)], flags].concat()));
    (folder, session)
}

fn tried(session: &mut Session, what: &str, of: &str) -> Result<Value, String> {
    outcome(session, "tries", json!({"what": what, "of": of})).map(|reply| reply["data"].clone())
}

#[test]
fn what_is_allowed_is_said_at_the_start() {
    let said = |flags: &[&str]| {
        Session::start(&mut opendyn(&[&["mcp", DOCUMENT, "--library", library()], flags].concat())).end()
    };
    assert!(said(&[]).contains(NOTHING), "{}", said(&[]));
    let flags = ["--allow-net", "--allow-read", "/etc", "--allow-write", "/tmp"];
    let all = "opendyn: sandbox: network, writing `/tmp`, reading the libraries and the system's data, and `/etc`\n";
    assert!(said(&flags).contains(all), "{}", said(&flags));
    let none = "opendyn: no sandbox: what is served can do all that this account can do\n";
    assert!(said(&["--no-sandbox"]).contains(none), "{}", said(&["--no-sandbox"]));
    let in_process = "opendyn: no sandbox for libraries, which run in this process\n";
    let said = said(&["--in-process"]);
    assert!(said.contains(in_process) && !said.contains("opendyn: sandbox:"), "{said}");
}

#[test]
fn a_folder_that_is_not_there_is_refused_at_the_start() {
    for flag in ["--allow-read", "--allow-write"] {
        let arguments = ["serve", DOCUMENT, "--library", library(), flag, "/no/such"];
        let said = failed(&mut opendyn(&arguments), 2);
        assert!(said.contains(&format!("{flag}: `/no/such` does not exist")), "{said}");
    }
    let said = failed(&mut opendyn(&["serve", DOCUMENT, "--no-sandbox", "--allow-net"]), 2);
    assert!(said.contains("cannot be used with"), "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn what_the_kernel_lacks_is_said_at_the_start() {
    let without = format!("{}/without_landlock", env!("CARGO_TARGET_TMPDIR"));
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/calls/without_landlock.c");
    succeeded(Command::new("cc").args(["-o", &without, source]));
    let mut command = Command::new(without);
    command.args([env!("CARGO_BIN_EXE_opendyn"), "mcp", DOCUMENT, "--library", library()]);
    let said = Session::start(&mut command).end();
    let lacking = "opendyn: sandbox: no network; no Landlock in this kernel: files are not restricted\n";
    assert!(said.contains(lacking), "{said}");
}

/// A library that links another one, in another folder.
#[cfg(target_os = "linux")]
#[test]
fn a_library_that_needs_one_elsewhere_is_refused_with_the_flag() {
    let (here, there) = (folder("confined-here"), folder("confined-there"));
    std::fs::write(there.join("two.c"), "int two(void) { return 2; }").expect("it can be written");
    std::fs::write(here.join("add.c"), "int two(void); int add(int a) { return a + two(); }")
        .expect("it can be written");
    let compile = |folder: &Path, name: &str, more: &[&str]| {
        let (source, library) = (folder.join(format!("{name}.c")), folder.join(format!("lib{name}.so")));
        let both = [text(&source), "-o", text(&library)];
        succeeded(Command::new("cc").args(["-shared", "-fPIC"]).args(both).args(more));
        library
    };
    compile(&there, "two", &[]);
    let search = [format!("-L{}", there.display()), format!("-Wl,-rpath,{}", there.display())];
    let library = compile(&here, "add", &[&search[0], &search[1], "-ltwo"]);
    let integer = json!({"type": "integer", "cType": {"type": "int", "isPointer": false}});
    let function = json!({
        "name": "add",
        "description": "Adds two.",
        "parameters": [{"name": "a", "schema": integer, "isIn": true, "required": true}],
        "return": {"name": "sum", "schema": integer},
    });
    let about = json!({"title": "add", "description": "d", "version": "1.0.0", "callingConvention": "cdecl"});
    let document = json!({"opendyn": "1.0.0", "info": about, "functions": [function]}).to_string();
    let path = here.join("add.json");
    std::fs::write(&path, document).expect("it can be written");

    let arguments = ["mcp", text(&path), "--library", text(&library)];
    let said = failed(&mut opendyn(&arguments), 2);
    assert!(said.contains("libtwo.so") && said.contains("`--allow-read DIR` allows more"), "{said}");
    let allowed = [&arguments[..], &["--allow-read", text(&there)]].concat();
    let mut session = Session::start(&mut opendyn(&allowed));
    assert_eq!(outcome(&mut session, "add", json!({"a": 3})), Ok(json!({"sum": 5})));
    session.end();
}

#[cfg(target_os = "linux")]
#[test]
fn a_library_that_the_document_names_is_found_in_the_library_path() {
    let path = folder("confined-named").join("named.json");
    let mut document: Value =
        serde_json::from_str(&std::fs::read_to_string(DOCUMENT).expect("text")).expect("JSON");
    let library = Path::new(library());
    document["info"]["x-library"] = json!(library.file_name().and_then(|name| name.to_str()));
    std::fs::write(&path, document.to_string()).expect("it can be written");
    let mut command = opendyn(&["mcp", text(&path)]);
    let session = Session::start(command.env("LD_LIBRARY_PATH", library.parent().expect("a folder")));
    let said = session.end();
    assert!(said.contains(NOTHING), "{said}");
}

#[test]
#[cfg_attr(no_zlib_and_sqlite, ignore = "needs zlib1g-dev and libsqlite3-dev of Debian 12")]
fn the_shipped_documents_work_in_the_sandbox() {
    let mut session = Session::start(&mut opendyn(&["mcp", &document("zlib/zlib.json")]));
    assert!(outcome(&mut session, "zlibVersion", json!({})).is_ok());
    session.end();
    let mut session = Session::start(&mut opendyn(&["mcp", &document("libm/libm.json")]));
    assert_eq!(outcome(&mut session, "cos", json!({"x": 0})), Ok(json!({"result": 1.0})));
    session.end();
    let mut session = Session::start(&mut opendyn(&["mcp", &document("sqlite/sqlite.json")]));
    assert!(outcome(&mut session, "sqlite3_open", json!({"filename": ":memory:"})).is_ok());
    session.end();
}

#[cfg(target_os = "linux")]
#[test]
#[cfg_attr(no_zlib_and_sqlite, ignore = "needs zlib1g-dev and libsqlite3-dev of Debian 12")]
fn a_database_outside_is_refused_with_the_flag_and_with_it_is_written() {
    let folder = folder("confined-database");
    let file = folder.join("x.db");
    let _ = std::fs::remove_file(&file);
    let open = json!({"filename": text(&file)});
    let sqlite = document("sqlite/sqlite.json");

    let mut session = Session::start(&mut opendyn(&["mcp", &sqlite]));
    let error = outcome(&mut session, "sqlite3_open", open.clone()).expect_err("it is outside");
    let flag = format!("`{}` cannot be read or written here", file.display());
    assert!(error.contains("CANTOPEN") && error.contains(&flag), "{error}");
    assert!(error.contains(&format!("--allow-write {} allows it", folder.display())), "{error}");
    session.end();
    assert!(!file.exists());

    let mut session = Session::start(&mut opendyn(&["mcp", &sqlite, "--allow-write", text(&folder)]));
    let opened = outcome(&mut session, "sqlite3_open", open).expect("it is allowed");
    let all = [
        "pragma journal_mode = delete",
        "create table t(a)",
        "begin",
        "insert into t values (1)",
        "commit",
        "pragma journal_mode = wal",
        "insert into t values (2)",
    ];
    for sql in all {
        let mut arguments = opened.clone();
        arguments["sql"] = json!(sql);
        let done = outcome(&mut session, "sqlite3_exec", arguments);
        assert!(done.is_ok(), "{sql}: {done:?}");
    }
    session.end();
    assert!(file.metadata().is_ok_and(|it| it.len() > 0));
}

#[cfg(target_os = "linux")]
#[test]
#[cfg_attr(quick, ignore = "needs the libraries of `examples/libraries`; set OPENDYN_TEST_ALL=1")]
fn the_documents_of_the_libraries_work_in_the_sandbox() {
    let first = [
        ("archive", "archive_read_new", json!({})),
        ("cairo", "cairo_image_surface_create", json!({"format": 0, "width": 4, "height": 4})),
        ("geos", "GEOSinit_r", json!({})),
        ("uv", "uv_loop_init", json!({})),
        ("xml", "xmlReadMemory", json!({"buffer": "<a/>", "options": 0})),
        ("zstd", "ZSTD_versionString", json!({})),
    ];
    let start = |name: &str, flags: &[&str]| {
        let document = document(&format!("libraries/documents/{name}.json"));
        Session::start(&mut opendyn(&[&["mcp", &document], flags].concat()))
    };
    for (name, function, arguments) in first {
        let mut session = start(name, &[]);
        let done = outcome(&mut session, function, arguments);
        assert!(done.is_ok(), "{name}: {done:?}");
        session.end();
    }
    let (new, home) = (folder("confined-repository"), folder("confined-home"));
    let make = json!({"path": text(&new), "is_bare": 1});
    let git = document("libraries/documents/git.json");
    for (flags, expected) in [
        (&[][..], Err("--allow-write")),
        (&["--allow-write", text(&new), "--allow-read", text(&home), "--allow-read", "/etc"], Ok(())),
    ] {
        let mut command = opendyn(&[&["mcp", git.as_str()], flags].concat());
        let mut session = Session::start(command.env("HOME", &home));
        let made = outcome(&mut session, "git_repository_init", make.clone()).map(drop);
        match expected {
            Ok(()) => assert_eq!(made, Ok(())),
            Err(flag) => assert!(made.as_ref().is_err_and(|error| error.contains(flag)), "{made:?}"),
        }
        session.end();
    }
    let connect = json!({"host": "127.0.0.1", "port": 1});
    for (flags, expected) in [(&[][..], "--allow-net"), (&["--allow-net"], "Connection refused")] {
        let mut session = start("redis", flags);
        let error =
            outcome(&mut session, "redisConnect", connect.clone()).expect_err("nothing listens there");
        assert!(error.contains(expected), "{error}");
        session.end();
    }
}

#[cfg(target_os = "linux")]
#[test]
#[cfg_attr(no_python, ignore = "needs python3")]
fn a_script_is_refused_with_the_flag_that_allows_it() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let port = listener.local_addr().expect("an address").port().to_string();
    let (folder, mut session) = tries("confined-script", &[]);
    let data = folder.join("data.txt");
    std::fs::write(&data, "data").expect("it can be written");
    let (path, beside) = (text(&data), text(&folder));
    let flag = format!("--allow-read {path} or --allow-write {beside} allows it");
    for (what, of, expected) in [
        ("read", path, flag.as_str()),
        ("swallow", path, &flag),
        ("write", path, &flag),
        ("connect", &port, "nor network connections (--allow-net)"),
        ("run", "/bin/true", "processes and UNIX sockets need --no-sandbox"),
    ] {
        let error = tried(&mut session, what, of).expect_err("it is refused");
        assert!(error.contains("sandbox: ") && error.contains(expected), "{what}: {error}");
    }
    // Where the server runs is nothing that a script needs.
    let here = std::env::current_dir().expect("there is one").join("Cargo.toml");
    assert!(tried(&mut session, "read", text(&here)).is_err());
    assert_eq!(tried(&mut session, "read", text(&folder.join("tries.py"))), Ok(Value::Null), "itself");
    assert_eq!(tried(&mut session, "import", "json"), Ok(Value::Null));
    let said = session.end();
    assert!(said.contains(NOTHING), "{said}");

    let flags = ["--allow-write", beside, "--allow-net"];
    let mut session =
        Session::start(&mut opendyn(&[&["mcp", text(&folder.join("tries.py"))], &flags[..]].concat()));
    for (what, of) in [("read", path), ("write", path), ("connect", &port)] {
        assert_eq!(tried(&mut session, what, of), Ok(Value::Null), "{what}");
    }
    session.end();
    let (_, mut session) = tries("confined-script-free", &["--no-sandbox"]);
    assert_eq!(tried(&mut session, "run", "/bin/true"), Ok(Value::Null));
    session.end();
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3")]
fn a_script_in_the_sandbox_has_no_variable_of_ours_and_finds_its_modules() {
    let modules = folder("confined-modules");
    std::fs::write(modules.join("of_ours.py"), "").expect("it can be written");
    let (_, mut session) = tries("confined-modules-script", &["--modules", text(&modules)]);
    assert_eq!(tried(&mut session, "import", "of_ours"), Ok(Value::Null));
    let variables = tried(&mut session, "environment", "").expect("it is read").to_string();
    assert!(!variables.contains("OPENDYN") && !variables.contains("OPENTOOL"), "{variables}");
    session.end();
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3")]
fn a_script_of_a_virtual_environment_finds_what_is_installed_there() {
    let environment = folder("confined-venv");
    let python = std::env::var("OPENDYN_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    succeeded(Command::new(python).args(["-m", "venv", "--without-pip", text(&environment)]));
    let python = environment.join("bin/python");
    let packages = "import sysconfig; print(sysconfig.get_path('purelib'))";
    let packages = succeeded(Command::new(&python).args(["-c", packages]));
    std::fs::write(Path::new(packages.trim()).join("installed.py"), "").expect("it can be written");
    let script = folder("confined-venv-script").join("tries.py");
    std::fs::write(&script, TRIES).expect("it can be written");
    let mut command = opendyn(&["mcp", text(&script)]);
    let mut session = Session::start(command.env("OPENDYN_PYTHON", &python));
    assert_eq!(tried(&mut session, "import", "installed"), Ok(Value::Null));
    session.end();
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3")]
fn a_call_from_the_command_line_is_in_no_sandbox() {
    let folder = folder("confined-call");
    let script = folder.join("tries.py");
    std::fs::write(&script, TRIES).expect("it can be written");
    let new = folder.join("new.txt");
    let arguments = json!({"what": "write", "of": text(&new)}).to_string();
    succeeded(&mut opendyn(&["call", text(&script), &arguments]));
    assert!(new.exists());
}
