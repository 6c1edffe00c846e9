//! The CPU time of a request of a lone client, over one connection that stays open: `POST /opentool/call` for `add`, of the
//! program with `serve!` and of the command, in process and with workers, beside a bare handler of axum that reads the same
//! JSON, adds and answers. The servers take turns. Exit status 1 is an exceeded bound.
//!
//! The programs must have been built: `cargo build --release -p server-example -p opendyn-cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg(target_os = "linux")]
    let measured = measured::main();
    #[cfg(not(target_os = "linux"))]
    let measured: Result<ExitCode, opendyn_benchmarks::Error> = Err("CPU time is read from Linux".into());
    measured.unwrap_or_else(|error| {
        eprintln!("{error}");
        ExitCode::from(2)
    })
}

#[cfg(target_os = "linux")]
mod measured {
    use std::fs;
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::TcpStream;
    use std::path::{Path, PathBuf};
    use std::process::{Child, Command, ExitCode, Stdio};
    use std::time::{Duration, Instant};

    use axum::Router;
    use axum::routing::post;
    use opendyn_benchmarks::{Error, bounds, calc};
    use serde::{Deserialize, Serialize};
    use serde_json::value::RawValue;

    /// Runs the bare handler.
    const BARE: &str = "bare";
    const BODY: &str = r#"{"jsonrpc":"2.0","method":"add","params":{"a":2,"b":3},"id":"1"}"#;
    const REPLY: &str = r#"{"jsonrpc":"2.0","result":{"result":5},"error":null,"id":"1"}"#;
    /// The servers take turns, so that a busy machine slows all of them.
    const ROUNDS: usize = 7;
    const ROUND: Duration = Duration::from_millis(1000);

    pub fn main() -> Result<ExitCode, Error> {
        if std::env::args().nth(1).as_deref() == Some(BARE) {
            return bare();
        }
        let here = std::env::current_exe()?;
        let program = |name: &str| here.with_file_name(name);
        let document = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("calc.json");
        let library = calc::LIBRARY;
        let serve_macro = |more: &[&str]| {
            let mut command = Command::new(program("calc_server"));
            command.args(["start", "--toolPort", "0"]).args(more);
            command
        };
        let serve = |more: &[&str]| {
            let mut command = Command::new(program("opendyn"));
            command.arg("serve").arg(&document).args(["--library", library, "--port", "0"]).args(more);
            command
        };
        let mut floor = Command::new(&here);
        floor.arg(BARE);
        let servers = [
            ("a bare handler of axum", floor),
            ("serve!, --in-process", serve_macro(&["--in-process"])),
            ("opendyn serve, --in-process", serve(&["--in-process"])),
            ("serve!, in a worker", serve_macro(&[])),
            ("opendyn serve, in a worker", serve(&[])),
        ];
        let mut servers = servers
            .into_iter()
            .map(|(name, command)| Server::start(name, command))
            .collect::<Result<Vec<_>, _>>()?;
        // The first round starts workers, and is not counted.
        for round in 0..=ROUNDS {
            for server in &mut servers {
                let (cost, time) = server.round()?;
                if round > 0 {
                    server.costs.push(cost);
                    server.times.push(time);
                }
            }
        }
        let lowest: Vec<_> = servers.into_iter().map(Server::lowest).collect();
        let (_, bare_cost, bare_time) = lowest[0];
        println!("{:<30} {:>16} {:>8} {:>14} {:>8}", "", "CPU per request", "", "time", "");
        for (name, cost, time) in &lowest {
            let (costs, takes) = (cost / bare_cost, time / bare_time);
            println!("{name:<30} {cost:>13.1} µs {costs:>8.2} {time:>11.1} µs {takes:>8.2}");
        }
        let broken = lowest[1..3].iter().filter(|(_, cost, _)| cost / bare_cost > bounds::LONE_CLIENT);
        let broken = broken.inspect(|(name, ..)| {
            println!("BROKEN: {name}: at most {} times the CPU of a bare handler", bounds::LONE_CLIENT);
        });
        Ok(ExitCode::from(u8::from(broken.count() > 0)))
    }

    /// A server with a client.
    struct Server {
        name: &'static str,
        child: Child,
        client: Client,
        /// In microseconds per request.
        costs: Vec<f64>,
        times: Vec<f64>,
    }

    impl Server {
        fn start(name: &'static str, mut command: Command) -> Result<Self, Error> {
            // The command says its address on standard error, the others on standard output.
            let (output, theirs) = std::io::pipe()?;
            command.stdout(theirs.try_clone()?).stderr(theirs).stdin(Stdio::null());
            let child = command.spawn().map_err(|error| format!("{name}: {error}; is it built?"))?;
            drop(command);
            let (mut output, mut said) = (BufReader::new(output), String::new());
            while !said.contains("http://") {
                if output.read_line(&mut said)? == 0 {
                    return Err(format!("{name} says {said:?}").into());
                }
            }
            // It goes on only if what it says is read.
            std::thread::spawn(move || std::io::copy(&mut output, &mut std::io::sink()));
            let address = said.split("http://").nth(1).and_then(|rest| rest.split(['/', ' ', '\n']).next());
            let address = address.ok_or("no address")?;
            let client = Client::connect(address)?;
            Ok(Self { name, child, client, costs: Vec::new(), times: Vec::new() })
        }

        /// The CPU time and the time of a request, in microseconds.
        fn round(&mut self) -> Result<(f64, f64), Error> {
            let (before, begin) = (cpu(self.child.id())?, Instant::now());
            let mut requests = 0_u32;
            while begin.elapsed() < ROUND {
                for _ in 0..50 {
                    self.client.call()?;
                }
                requests += 50;
            }
            let (time, cost) = (begin.elapsed(), cpu(self.child.id())?.saturating_sub(before));
            let each = |time: Duration| time.as_secs_f64() * 1e6 / f64::from(requests);
            Ok((each(cost), each(time)))
        }

        /// The lowest of all rounds: what other processes do only adds to it.
        fn lowest(self) -> (&'static str, f64, f64) {
            let lowest = |values: &[f64]| values.iter().copied().fold(f64::INFINITY, f64::min);
            (self.name, lowest(&self.costs), lowest(&self.times))
        }
    }

    impl Drop for Server {
        fn drop(&mut self) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }

    /// The CPU time of a process so far, with its children.
    fn cpu(id: u32) -> Result<Duration, Error> {
        let mut all = vec![PathBuf::from(format!("/proc/{id}"))];
        for process in fs::read_dir("/proc")? {
            let process = process?.path();
            if parent(&process) == Some(id) {
                all.push(process);
            }
        }
        let mut time = 0;
        for process in all {
            // One that has ended meanwhile is not counted.
            for thread in fs::read_dir(process.join("task")).into_iter().flatten().flatten() {
                let spent = fs::read_to_string(thread.path().join("schedstat")).unwrap_or_default();
                time += spent.split(' ').next().and_then(|spent| spent.parse().ok()).unwrap_or(0_u64);
            }
        }
        Ok(Duration::from_nanos(time))
    }

    fn parent(process: &Path) -> Option<u32> {
        let stat = fs::read_to_string(process.join("stat")).ok()?;
        stat.rsplit(") ").next()?.split(' ').nth(1)?.parse().ok()
    }

    /// One connection, one request at a time.
    struct Client {
        stream: TcpStream,
        request: String,
        reply: Vec<u8>,
    }

    impl Client {
        fn connect(address: &str) -> Result<Self, Error> {
            let stream = TcpStream::connect(address)?;
            stream.set_nodelay(true)?;
            let request = format!(
                "POST /opentool/call HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
                 Content-Length: {}\r\n\r\n{BODY}",
                BODY.len()
            );
            Ok(Self { stream, request, reply: vec![0; 4096] })
        }

        fn call(&mut self) -> Result<(), Error> {
            self.stream.write_all(self.request.as_bytes())?;
            let mut length = 0;
            // All have the same reply, which is the end of the response.
            while !self.reply[..length].ends_with(REPLY.as_bytes()) {
                match self.stream.read(&mut self.reply[length..])? {
                    0 => return Err(String::from_utf8_lossy(&self.reply[..length]).into_owned().into()),
                    more => length += more,
                }
            }
            Ok(())
        }
    }

    #[derive(Deserialize)]
    struct Request<'a> {
        method: &'a str,
        params: Parameters,
        #[serde(borrow)]
        id: &'a RawValue,
    }

    #[derive(Deserialize)]
    struct Parameters {
        a: i32,
        b: i32,
    }

    #[derive(Serialize)]
    struct Response<'a> {
        jsonrpc: &'a str,
        result: Sum,
        error: Option<()>,
        id: &'a RawValue,
    }

    #[derive(Serialize)]
    struct Sum {
        result: i32,
    }

    /// Headers and a body.
    type Answer = ([(&'static str, &'static str); 1], String);

    /// What every server with axum does at least.
    fn bare() -> Result<ExitCode, Error> {
        let add = async |body: String| -> Result<Answer, String> {
            let request: Request<'_> = serde_json::from_str(&body).map_err(|error| error.to_string())?;
            if request.method != "add" {
                return Err("no such function".to_owned());
            }
            let result = Sum { result: request.params.a.wrapping_add(request.params.b) };
            let response = Response { jsonrpc: "2.0", result, error: None, id: request.id };
            let text = serde_json::to_string(&response).map_err(|error| error.to_string())?;
            Ok(([("content-type", "application/json")], text))
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
            println!("http://{}", listener.local_addr()?);
            let listener = axum::serve::ListenerExt::tap_io(listener, |stream| {
                let _ = stream.set_nodelay(true);
            });
            axum::serve(listener, Router::new().route("/opentool/call", post(add))).await?;
            Ok(ExitCode::SUCCESS)
        })
    }
}
