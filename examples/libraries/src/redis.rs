//! hiredis: commands to a server, and replies with several values. The server is started for the job.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use opendyn::Tool;
use serde_json::{Value, json};

use crate::report::{Done, Report, call};

opendyn::opendyn!("documents/redis.json", strings = str);

/// A server without files, which ends with the job.
struct Server(Child);

impl Server {
    fn start(socket: &Path) -> std::io::Result<Self> {
        let server = Command::new("redis-server")
            .args(["--port", "0", "--save", "", "--appendonly", "no", "--unixsocket"])
            .arg(socket)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        for _ in 0..200 {
            if std::os::unix::net::UnixStream::connect(socket).is_ok() {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(Self(server))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself, which is as good.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

const COMMANDS: [&[&str]; 5] = [
    &["SET", "name", "Ada"],
    &["GET", "name"],
    &["RPUSH", "list", "one", "two"],
    &["LRANGE", "list", "0", "-1"],
    &["EVAL", "return {1, {'deep', {2}}}", "0"],
];

/// With typed calls.
///
/// # Errors
///
/// A call failed that should not.
pub fn typed(library: &Redis, folder: &Path) -> Done {
    let mut report = Report::default();
    let socket = folder.join("typed.sock");
    let _server = Server::start(&socket)?;
    let context = library.connect_unix(&socket.to_string_lossy())?;
    for command in COMMANDS {
        report.fact(shown(&context.command_argv(command, None)?));
    }
    report.failure(library.connect_unix("/nowhere/redis.sock"))?;
    Ok(report)
}

fn shown(reply: &Reply) -> String {
    match ReplyType::from(reply.r#type) {
        ReplyType::Array => {
            let elements: Vec<String> = reply.element.iter().map(shown).collect();
            format!("[{}]", elements.join(", "))
        }
        ReplyType::Integer => reply.integer.to_string(),
        _ => reply.str.to_string_lossy().into_owned(),
    }
}

/// With JSON.
///
/// # Errors
///
/// A call failed that should not.
pub fn json(tool: &dyn Tool, folder: &Path) -> Done {
    let mut report = Report::default();
    let socket = folder.join("json.sock");
    let _server = Server::start(&socket)?;
    let context = call(tool, "redisConnectUnix", &json!({"path": socket}))?["context"].take();
    for command in COMMANDS {
        let reply = call(tool, "redisCommandArgv", &json!({"context": context, "argv": command}))?;
        report.fact(shown_json(&reply["reply"]));
    }
    report.failure(call(tool, "redisConnectUnix", &json!({"path": "/nowhere/redis.sock"})))?;
    Ok(report)
}

fn shown_json(reply: &Value) -> String {
    match reply["type"].as_i64() {
        Some(2) => {
            let elements: Vec<String> =
                reply["element"].as_array().into_iter().flatten().map(shown_json).collect();
            format!("[{}]", elements.join(", "))
        }
        Some(3) => reply["integer"].to_string(),
        _ => reply["str"].as_str().unwrap_or_default().to_owned(),
    }
}
