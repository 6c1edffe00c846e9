//! Scripts that misbehave: every call ends in a clear error or the right result, and the next call works.

#![cfg(unix)]
#![expect(clippy::expect_used, reason = "test helpers may panic")]

mod table;

use std::time::{Duration, Instant};

use opentool::{Tool, ToolError};
use opentool_python::{PythonTool, Workers};
use opentool_python_tests::Written;
use serde_json::Value;

use table::{Cost, DEADLINE_MS, Expected, Row, TABLE};

const GOOD: &str = "import os, sys
def execute(tool_input: dict) -> dict:
    print('good')
    return dict(success=True, message='', data=[tool_input['n'], os.getcwd(), sys.getrecursionlimit()])
";

const LONG: Duration = Duration::from_secs(30);

/// One worker for all scripts, so that damage by one would affect the others.
struct Scripts {
    written: Written,
    good: PythonTool,
    bad: Vec<PythonTool>,
    count: u64,
}

impl Scripts {
    fn new() -> Self {
        let folder = Written::new().expect("a folder");
        let workers = Workers::builder()
            .memory_limit(Some(512 << 20))
            .output_limit(2_000_000)
            .current_folder(folder.path())
            .build()
            .expect("Python");
        let tool = |name: &str, source: &str, deadline: Duration| {
            let path = folder.write(&format!("{name}.py"), source).expect("room for a script");
            PythonTool::builder(path)
                .workers(&workers)
                .deadline(deadline)
                .log(|_| {})
                .build()
                .expect("a valid script")
        };
        let good = tool("good", GOOD, LONG);
        let body =
            |row: &Row| format!("# Misbehaves.\n\ndef execute(tool_input: dict) -> dict:\n    {}\n", row.2);
        let bad = TABLE.iter().map(|row| tool(row.0, &body(row), deadline(row))).collect();
        Self { written: folder, good, bad, count: 0 }
    }

    /// Checks the result of a call against the table, and that the good script works afterwards.
    fn run(&mut self, index: usize) -> Result<(), String> {
        let row = &TABLE[index];
        let name = format!("{}.py", row.0);
        let shown = shown(self.bad[index].call_json("execute", "{}"));
        let starts = |expected: &str| shown.starts_with(&expected.replace("{name}", &name));
        let is_expected = match row.3 {
            Expected::Data(data) => shown == data,
            Expected::Error(error) => starts(error),
            Expected::OneOf(all) => all.iter().any(|one| starts(one)),
        };
        if !is_expected {
            return Err(format!("{}: {shown}", row.0));
        }
        self.count += 1;
        let folder = self.written.path().canonicalize().expect("a folder");
        let expected = serde_json::json!([self.count, folder.to_str(), 1000]);
        let reply = self.good.call_json("execute", &format!(r#"{{"n":{}}}"#, self.count));
        match reply {
            Ok(reply) => {
                let reply: Value = serde_json::from_str(&reply).expect("JSON");
                (reply["data"] == expected).then_some(()).ok_or(format!("after {}: {reply}", row.0))
            }
            Err(error) => Err(format!("after {}: {error}", row.0)),
        }
    }
}

/// Only scripts that never end get a short time limit.
fn deadline(row: &Row) -> Duration {
    let ends = |text: &&str| !text.contains("1000 ms");
    let is_short = match &row.3 {
        Expected::Data(_) => false,
        Expected::Error(error) => !ends(error),
        Expected::OneOf(all) => !all.iter().all(ends),
    };
    if is_short { Duration::from_millis(DEADLINE_MS) } else { LONG }
}

fn shown(result: Result<String, ToolError>) -> String {
    match result {
        Err(error) => error.to_string(),
        Ok(reply) => {
            let start = reply.find(r#""data": "#).expect("data") + 8;
            reply[start..reply.len() - 1].to_owned()
        }
    }
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn every_misbehaviour_ends_in_a_clear_error_and_a_working_next_call() {
    let mut scripts = Scripts::new();
    let mut failures = Vec::new();
    for (index, row) in TABLE.iter().enumerate() {
        let start = Instant::now();
        if let Err(failure) = scripts.run(index) {
            failures.push(failure);
        }
        let took = start.elapsed();
        println!("{:<45} {took:?}", row.0);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
#[cfg_attr(quick, ignore = "takes half a minute; set OPENDYN_TEST_ALL=1")]
fn a_thousand_misbehaviours_in_a_row_lose_no_call() {
    let mut scripts = Scripts::new();
    let is_cheap = |index: &usize| matches!(TABLE[*index].1, Cost::Cheap);
    let (cheap, dear): (Vec<usize>, Vec<usize>) = (0..TABLE.len()).partition(is_cheap);
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for round in 0..1000 {
        let kind = if round % 20 == 0 { &dear } else { &cheap };
        let index = kind[random.below(kind.len())];
        if let Err(failure) = scripts.run(index) {
            panic!("call {round}: {failure}");
        }
    }
    assert_eq!(scripts.count, 1000);
}

/// The same numbers on every machine, so that failures can be reproduced.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or_default() % limit
    }
}
