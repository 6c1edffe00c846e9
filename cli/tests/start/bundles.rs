//! Bundles: what is in them, that they serve when they are unpacked, and that the tools of their shelves take them.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use data_encoding::HEXLOWER;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::command::argument;
use crate::{at, foo, read, run, tools};

/// Where `.ci/mcp-clients` installs the tools of the shelves.
const CLIENTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/mcp-clients");

/// A folder with a document, a library and a bundle of them.
fn bundled(name: &str, format: &str, more: &[&str]) -> (PathBuf, PathBuf) {
    let folder = foo(name);
    assert_eq!(run(&mut at(&folder, &["init", "libfoo.so", "foo.h"]), "").status, 0);
    let bundle = folder.join(format!("foo.{format}"));
    let line =
        ["export", "foo.json", "--format", format, "--library", "./libfoo.so", "-o", argument(&bundle)];
    let export = run(&mut at(&folder, &[&line[..], more].concat()), "");
    assert_eq!((export.status, export.stdout.as_str()), (0, ""), "{}", export.stderr);
    assert!(
        export.stderr.contains("2 functions, ") && export.stderr.contains("libfoo.so`"),
        "{}",
        export.stderr
    );
    (folder, bundle)
}

/// Unpacks with Python, which reads zip archives by itself, and keeps their modes.
fn unpack(bundle: &Path, to: &Path) {
    const PROGRAM: &str = "import os, sys, zipfile\n\
        archive = zipfile.ZipFile(sys.argv[1])\n\
        assert archive.testzip() is None\n\
        for entry in archive.infolist():\n\
        \x20   os.chmod(archive.extract(entry, sys.argv[2]), entry.external_attr >> 16)\n";
    let status = Command::new("python3").args(["-c", PROGRAM]).args([bundle, to]).status();
    assert!(status.expect("Python").success());
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3")]
fn an_mcp_bundle_serves_wherever_it_is_unpacked() {
    let (folder, bundle) =
        bundled("mcpb", "mcpb", &["--author", "Ada", "--function", "foo_count", "--function", "foo_add"]);
    let there = folder.join("some where");
    unpack(&bundle, &there);
    let manifest: Value = serde_json::from_str(&read(&there.join("manifest.json"))).expect("JSON");
    assert_eq!(manifest["compatibility"]["platforms"], json!([std::env::consts::OS]));
    assert_eq!(manifest["author"], json!({"name": "Ada"}));
    let names: Vec<&Value> =
        manifest["tools"].as_array().expect("tools").iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["foo_add", "foo_count"]);
    let server = &manifest["server"];
    assert!(there.join(server["entry_point"].as_str().expect("a file")).is_file());
    let place = |word: &Value| word.as_str().expect("text").replace("${__dirname}", argument(&there));
    let mut client = Command::new(place(&server["mcp_config"]["command"]));
    client.args(server["mcp_config"]["args"].as_array().expect("words").iter().map(place));
    assert_eq!(tools(client.current_dir("/").env_clear()), ["foo_add", "foo_count"]);

    // The entry of the registry is about this bundle.
    let line = ["export", "foo.json", "--format", "server-json", "--registry-name", "io.github.ada/foo"];
    let address = "https://example.org/foo.mcpb";
    let more = ["--bundle", argument(&bundle), "--url", address, "-o", "server.json"];
    let export = run(&mut at(&folder, &[&line[..], &more].concat()), "");
    assert_eq!(export.status, 0, "{}", export.stderr);
    let entry: Value = serde_json::from_str(&read(&folder.join("server.json"))).expect("JSON");
    let sum = HEXLOWER.encode(&Sha256::digest(std::fs::read(&bundle).expect("a file")));
    assert_eq!(
        entry["packages"],
        json!([{"registryType": "mcpb", "identifier": address, "fileSha256": sum, "transport": {"type": "stdio"}}])
    );
}

#[test]
#[cfg_attr(quick, ignore = "needs `.ci/mcp-clients`; set OPENDYN_TEST_ALL=1")]
fn the_tools_of_the_shelves_take_what_is_written() {
    let (folder, bundle) = bundled("shelves", "mcpb", &["--author", "Ada"]);
    let mcpb = |arguments: &[&str]| {
        let node = format!("{CLIENTS}/node_modules/.bin/node");
        let program = format!("{CLIENTS}/node_modules/.bin/mcpb");
        let output = Command::new(node).arg(program).args(arguments).current_dir(&folder).output();
        let output = output.expect("`.ci/mcp-clients` installs it");
        let said =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        said
    };
    mcpb(&["unpack", argument(&bundle), "unpacked"]);
    let said = mcpb(&["validate", "unpacked/manifest.json"]);
    assert!(said.contains("Manifest schema validation passes"), "{said}");
    assert_eq!(
        std::fs::read(folder.join("unpacked/server/libfoo.so")).expect("it was unpacked"),
        std::fs::read(folder.join("libfoo.so")).expect("it is there")
    );

    let line =
        ["export", "foo.json", "--format", "server-json", "--registry-name", "io.github.ada/foo", "--bundle"];
    let more = [argument(&bundle), "--url", "https://example.org/foo.mcpb", "-o", "server.json"];
    assert_eq!(run(&mut at(&folder, &[&line[..], &more].concat()), "").status, 0);
    const PROGRAM: &str = "import json, pathlib, sys, jsonschema, skillsaw\n\
        folder = pathlib.Path(skillsaw.__file__).parent / 'schemas/mcp_registry/v2025_12_11'\n\
        schema = json.loads((folder / 'server.schema.json').read_text())\n\
        entry = json.load(open(sys.argv[1]))\n\
        assert entry['$schema'] == schema['$id'], entry['$schema']\n\
        jsonschema.validate(entry, schema)\n\
        del entry['description']\n\
        assert not jsonschema.Draft7Validator(schema).is_valid(entry)\n";
    let python = format!("{CLIENTS}/python/bin/python");
    let output = Command::new(python).args(["-c", PROGRAM]).arg(folder.join("server.json")).output();
    let output = output.expect("`.ci/mcp-clients` installs it");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Killed if the test ends first.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3")]
fn the_opentool_daemon_can_start_its_bundle() {
    let (folder, bundle) = bundled("ots", "ots", &[]);
    let there = folder.join("unpacked");
    unpack(&bundle, &there);
    let config: Value = serde_json::from_str(&read(&there.join("Opentoolfile.json"))).expect("JSON");
    assert_eq!((&config["name"], &config["os"]), (&json!("foo"), &json!(std::env::consts::OS)));
    assert_eq!(config["build"], json!({"args": {}, "runs": []}));
    // What the daemon does: the file in the folder of the work, the words with a space between them, its own last.
    let entry = config["run"]["entrypoint"].as_str().expect("a file");
    let work = there.join(config["run"]["workdir"].as_str().expect("a folder"));
    assert!(work.join(entry).is_file());
    let port =
        TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port").port();
    let own =
        ["--opentoolServerTag latest", "--opentoolServerHost localhost", "--opentoolServerApiKeys secret"];
    let words =
        config["run"]["cmds"].as_array().expect("words").iter().map(|word| word.as_str().expect("text"));
    let words: Vec<&str> = words.chain(own).collect();
    let line = format!("exec ./{entry} {} --opentoolServerPort {port}", words.join(" "));
    let mut shell = Command::new("bash");
    shell.args(["-c", &line]).current_dir(work).stdin(Stdio::null()).stderr(Stdio::piped());
    let _server = Server(shell.spawn().expect("bash"));
    let begin = Instant::now();
    let mut stream = loop {
        match TcpStream::connect(("localhost", port)) {
            Ok(stream) => break stream,
            Err(error) => assert!(begin.elapsed() < Duration::from_secs(60), "{error}"),
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    let request = format!(
        "GET /opentool/load HTTP/1.1\r\nHost: localhost:{port}\r\nAuthorization: Bearer secret\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).expect("it listens");
    let mut reply = String::new();
    stream.read_to_string(&mut reply).expect("text");
    assert!(reply.starts_with("HTTP/1.1 200") && reply.contains("foo_count"), "{reply}");
}

#[test]
fn what_a_shelf_would_refuse_is_not_written() {
    let folder = foo("shelf-refused");
    assert_eq!(run(&mut at(&folder, &["init", "libfoo.so", "foo.h"]), "").status, 0);
    let refused = |more: &[&str]| {
        let run = run(&mut at(&folder, &[&["export", "foo.json", "--format"], more].concat()), "");
        assert!(run.status != 0 && !folder.join("out").exists(), "{}", run.stdout);
        run.stderr
    };
    let bundle = ["--library", "./libfoo.so", "-o", "out"];
    assert!(refused(&[&["mcpb"], &bundle[..]].concat()).contains("--author"));
    assert!(refused(&["ots", "--library", "./libfoo.so"]).contains("name it with -o"));
    assert!(refused(&["ots", "--library", "./libgone.so", "-o", "out"]).contains("does not exist"));
    std::fs::copy(folder.join("libfoo.so"), folder.join("lib foo.so")).expect("it is there");
    assert!(
        refused(&["ots", "--library", "./lib foo.so", "-o", "out"]).contains("cannot be in the command line")
    );
    let entry = |name: &str, url: &str, file: &str| {
        refused(&["server-json", "--registry-name", name, "--url", url, "--bundle", file, "-o", "out"])
    };
    let url = "https://example.org/foo.mcpb";
    assert!(entry("foo", url, "libfoo.so").contains("is not a name in the MCP registry"));
    assert!(entry("io.github.ada/foo", "http://example.org/foo.mcpb", "libfoo.so").contains("https://"));
    assert!(entry("io.github.ada/foo", url, "libfoo.so").contains("is not an MCP bundle"));
    assert!(refused(&["server-json", "-o", "out"]).contains("--registry-name"));
    let version = read(&folder.join("foo.json")).replacen("\"version\": \"0\"", "\"version\": \"newest\"", 1);
    std::fs::write(folder.join("foo.json"), version).expect("it is ours");
    assert!(refused(&[&["mcpb", "--author", "Ada"], &bundle[..]].concat()).contains("such as 1.2.13"));
}
