//! Measures the cost of a call in a persistent worker, and with a new Python process for each call:
//! `cargo run --release -p opentool-python-tests --example round_trip`.
//!
//! The two alternate, so that both run under the same conditions.

#[cfg(unix)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    unix::main()
}

#[cfg(not(unix))]
fn main() {
    eprintln!("Python tools require Unix");
}

#[cfg(unix)]
mod unix {
    use std::error::Error;
    use std::io::Write;
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    use opentool::Tool;
    use opentool_python::{Interpreter, PythonTool};
    use opentool_python_tests::Written;

    const SCRIPT: &str = "def execute(tool_input: dict) -> dict:
    return dict(success=True, message='', data=tool_input['a'] + tool_input['b'])
";
    /// The minimum that a program started for each call has to do.
    const ONCE: &str = "import json, runpy, sys
execute = runpy.run_path(sys.argv[1])['execute']
print(json.dumps(execute(json.load(sys.stdin))))
";
    const ARGUMENTS: &str = r#"{"a": 2, "b": 3}"#;
    const RESULT: &str = r#"{"success": true, "message": "", "data": 5}"#;
    const ROUNDS: usize = 40;
    const CALLS: u32 = 250;

    pub fn main() -> Result<(), Box<dyn Error>> {
        let python = Interpreter::find()?;
        let written = Written::new()?;
        let path = written.write("add.py", SCRIPT)?;
        let tool = PythonTool::load(&path)?;
        // A file that was just written is read before every call.
        std::thread::sleep(Duration::from_millis(2500));
        tool.call_json("execute", ARGUMENTS)?;
        let (mut stays, mut started) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let start = Instant::now();
            for _ in 0..CALLS {
                expect(&tool.call_json("execute", ARGUMENTS)?)?;
            }
            stays.push(start.elapsed() / CALLS);

            let start = Instant::now();
            let mut child = Command::new(python.path())
                .args(["-I", "-B", "-c", ONCE])
                .arg(&path)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()?;
            child.stdin.take().ok_or("no input")?.write_all(ARGUMENTS.as_bytes())?;
            let output = child.wait_with_output()?;
            expect(std::str::from_utf8(&output.stdout)?.trim())?;
            started.push(start.elapsed());
        }
        let (stays, started) = (median(stays), median(started));
        let (major, minor, patch) = python.version();
        println!("Python {major}.{minor}.{patch}, median of {ROUNDS} rounds");
        println!("a persistent worker      {:>10.1} µs per call", stays.as_secs_f64() * 1e6);
        println!("a Python for each call   {:>10.1} µs per call", started.as_secs_f64() * 1e6);
        println!("ratio                    {:>10.0}", started.as_secs_f64() / stays.as_secs_f64());
        Ok(())
    }

    fn expect(result: &str) -> Result<(), String> {
        if result == RESULT { Ok(()) } else { Err(format!("wrong result: {result}")) }
    }

    fn median(mut times: Vec<Duration>) -> Duration {
        times.sort();
        times[times.len() / 2]
    }
}
