//! A call in a worker, compared with one in this process, and with one process per call, which is what a driver does that
//! starts a command for every call. All three open the same document through the interpreter. Exit status 1 is an
//! exceeded bound.

use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg(unix)]
    let measured = measured::main();
    #[cfg(not(unix))]
    let measured: Result<ExitCode, opendyn_benchmarks::Error> = Err("this is measured on Unix only".into());
    measured.unwrap_or_else(|error| {
        eprintln!("{error}");
        ExitCode::from(2)
    })
}

#[cfg(unix)]
mod measured {
    use std::process::{Command, ExitCode};
    use std::time::{Duration, Instant};

    use opendyn::{Tool, ToolError};
    use opendyn_benchmarks::{Error, bounds, calc};
    use opentool_worker::{Pool, Program, is_worker, serve};

    const ARGUMENTS: &str = r#"{"a":2,"b":3}"#;
    const RESULT: &str = r#"{"result":5}"#;
    /// Makes one call and ends.
    const ONCE: &str = "once";

    /// The ways to call, and the calls of each in a round.
    const CALLS: [(&str, u32); 3] =
        [("in process", 20_000), ("in a worker", 2_000), ("a process per call", 20)];
    /// The ways take turns, so that a busy machine slows all of them.
    const ROUNDS: usize = 11;

    pub fn main() -> Result<ExitCode, Error> {
        if is_worker().is_some() {
            return Ok(serve(|_| {
                calc::interpreted().map_err(|error| ToolError::call_failed(error.to_string()))
            }));
        }
        if std::env::args().nth(1).as_deref() == Some(ONCE) {
            println!("{}", calc::interpreted()?.call_json("add", ARGUMENTS)?);
            return Ok(ExitCode::SUCCESS);
        }
        let here = calc::interpreted()?;
        let worker = Pool::start(Program::this("calc")?, 1)?;
        let executable = std::env::current_exe()?;
        let process = || -> Result<String, Error> {
            let output = Command::new(&executable).arg(ONCE).output()?;
            Ok(String::from_utf8(output.stdout)?.trim_end().to_owned())
        };
        let mut times = [const { Vec::new() }; CALLS.len()];
        for _ in 0..ROUNDS {
            times[0].push(time(CALLS[0].1, || Ok(here.call_json("add", ARGUMENTS)?))?);
            times[1].push(time(CALLS[1].1, || Ok(worker.call_json("add", ARGUMENTS)?))?);
            times[2].push(time(CALLS[2].1, process)?);
        }
        let [here, worker, process] = times.map(median);
        for ((way, _), took) in CALLS.iter().zip([here, worker, process]) {
            let ratio = took.as_secs_f64() / worker.as_secs_f64();
            println!("{way:<20} {:>10.2} µs {ratio:>10.3}", took.as_secs_f64() * 1e6);
        }
        let ratio = process.as_secs_f64() / worker.as_secs_f64();
        println!("a process per call takes {ratio:.0} times as long as a call in a worker");
        if ratio < bounds::PROCESS_PER_CALL {
            println!("BROKEN: it must take at least {} times as long", bounds::PROCESS_PER_CALL);
            return Ok(ExitCode::from(1));
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The time of one call, from many.
    fn time(calls: u32, call: impl Fn() -> Result<String, Error>) -> Result<Duration, Error> {
        let begin = Instant::now();
        for _ in 0..calls {
            let result = call()?;
            if result != RESULT {
                return Err(format!("the result is {result}").into());
            }
        }
        Ok(begin.elapsed() / calls)
    }

    fn median(mut times: Vec<Duration>) -> Duration {
        times.sort_unstable();
        times[times.len() / 2]
    }
}
