//! Metrics for Prometheus.
//!
//! Only functions of the document have their own counters, so that names invented by callers do not use memory.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use opentool::{IndexMap, Measure, OpenTool, ToolError};

use crate::Executor;
use crate::policy::Protocol;

/// The upper bounds of the buckets, in microseconds, and in seconds as Prometheus writes them.
const BUCKETS: [(u64, &str); 8] = [
    (50, "0.00005"),
    (100, "0.0001"),
    (500, "0.0005"),
    (1_000, "0.001"),
    (10_000, "0.01"),
    (100_000, "0.1"),
    (1_000_000, "1"),
    (10_000_000, "10"),
];

/// The outcome of a call whose caller left.
pub(crate) const CANCELLED: &str = "cancelled";

/// The number of outcomes of a call: success, a caller that left, or one of the errors.
const OUTCOMES: usize = 2 + ToolError::NAMES.len();

const PROTOCOLS: usize = Protocol::ALL.len();

/// The names of the outcomes.
fn outcomes() -> impl Iterator<Item = &'static str> {
    ["ok", CANCELLED].into_iter().chain(ToolError::NAMES)
}

/// The counters of every function, and those of all unknown names.
#[derive(Debug)]
pub(crate) struct Metrics {
    /// Functions that the document no longer has keep their counters.
    functions: RwLock<IndexMap<String, Arc<Counters>>>,
    others: Arc<Counters>,
}

#[derive(Debug, Default)]
struct Counters {
    outcomes: [[AtomicU64; OUTCOMES]; PROTOCOLS],
    /// One more than there are upper bounds: the last bucket has none.
    buckets: [AtomicU64; BUCKETS.len() + 1],
    nanoseconds: AtomicU64,
}

impl Metrics {
    pub(crate) fn of(document: Option<&OpenTool>) -> Self {
        let functions = document.into_iter().flat_map(|document| &document.functions);
        let functions = functions.map(|function| (function.name.clone(), Arc::default())).collect();
        Self { functions: RwLock::new(functions), others: Arc::default() }
    }

    /// Counts a call that ended.
    pub(crate) fn count(
        &self,
        executor: &Executor,
        protocol: Protocol,
        function: &str,
        outcome: &str,
        took: Duration,
    ) {
        let counters = self.counters(executor, function);
        let protocol = Protocol::ALL.iter().position(|known| *known == protocol).unwrap_or_default();
        let outcome = outcomes().position(|known| known == outcome).unwrap_or_default();
        counters.outcomes[protocol][outcome].fetch_add(1, Relaxed);
        let within = BUCKETS.iter().position(|(end, _)| took <= Duration::from_micros(*end));
        counters.buckets[within.unwrap_or(BUCKETS.len())].fetch_add(1, Relaxed);
        counters.nanoseconds.fetch_add(u64::try_from(took.as_nanos()).unwrap_or(u64::MAX), Relaxed);
    }

    fn counters(&self, executor: &Executor, function: &str) -> Arc<Counters> {
        let known = self.functions.read().unwrap_or_else(PoisonError::into_inner).get(function).cloned();
        known.unwrap_or_else(|| {
            // It may be a function that the document has had only since it changed.
            if executor.load().is_none_or(|document| document.function(function).is_none()) {
                return Arc::clone(&self.others);
            }
            let mut functions = self.functions.write().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(functions.entry(function.to_owned()).or_default())
        })
    }

    /// The text that Prometheus reads.
    pub(crate) fn text(&self, executor: &Executor) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut text, executor);
        text
    }

    fn write(&self, text: &mut String, executor: &Executor) -> std::fmt::Result {
        let functions = self.functions.read().unwrap_or_else(PoisonError::into_inner);
        let named = functions.iter().map(|(name, counters)| (name.as_str(), counters));
        let all: Vec<_> = named.chain([("", &self.others)]).map(|(name, c)| (label(name), c)).collect();

        text.push_str(
            "# HELP opentool_calls_total Calls that ended. The function is empty for unknown names.\n",
        );
        text.push_str("# TYPE opentool_calls_total counter\n");
        for (function, counters) in &all {
            for (protocol, counts) in Protocol::ALL.iter().zip(&counters.outcomes) {
                for (outcome, count) in outcomes().zip(counts) {
                    let (protocol, count) = (protocol.name(), count.load(Relaxed));
                    if count > 0 {
                        writeln!(
                            text,
                            "opentool_calls_total{{function={function},protocol=\"{protocol}\",outcome=\"{outcome}\"}} {count}"
                        )?;
                    }
                }
            }
        }

        text.push_str(
            "# HELP opentool_call_duration_seconds How long callers waited, including the queue.\n",
        );
        text.push_str("# TYPE opentool_call_duration_seconds histogram\n");
        for (function, counters) in &all {
            counters.write_histogram(text, function)?;
        }

        text.push_str("# HELP opentool_calls_waiting Calls that wait for a thread.\n");
        text.push_str("# TYPE opentool_calls_waiting gauge\n");
        writeln!(text, "opentool_calls_waiting {}", executor.waiting())?;
        text.push_str("# HELP opentool_calls_running Calls that run now.\n");
        text.push_str("# TYPE opentool_calls_running gauge\n");
        writeln!(text, "opentool_calls_running {}", executor.running())?;

        let mut measures = BTreeMap::new();
        executor.measure(&mut |what, count| *measures.entry(what).or_insert(0) += count);
        let mut last = "";
        for (what, count) in measures {
            let Some((name, kind, help)) = described(what) else { continue };
            if name != last {
                writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}")?;
                last = name;
            }
            match what {
                Measure::WorkersEnded(why) => writeln!(text, "{name}{{reason={}}} {count}", label(why))?,
                _ => writeln!(text, "{name} {count}")?,
            }
        }
        Ok(())
    }
}

/// The name, the type and the meaning of what a tool counts.
fn described(what: Measure) -> Option<(&'static str, &'static str, &'static str)> {
    Some(match what {
        Measure::Handles => ("opentool_handles", "gauge", "Handles that callers hold."),
        Measure::Workers => ("opentool_workers", "gauge", "Worker processes."),
        Measure::WorkersStarted => {
            ("opentool_workers_started_total", "counter", "Worker processes that were started.")
        }
        Measure::WorkersEnded(_) => {
            ("opentool_workers_ended_total", "counter", "Worker processes that ended, by reason.")
        }
        _ => return None,
    })
}

impl Counters {
    fn write_histogram(&self, text: &mut String, function: &str) -> std::fmt::Result {
        let ends = BUCKETS.iter().map(|(_, end)| *end).chain(["+Inf"]);
        let counts = self.buckets.each_ref().map(|bucket| bucket.load(Relaxed));
        let total: u64 = counts.iter().sum();
        if total == 0 {
            return Ok(());
        }
        let name = "opentool_call_duration_seconds";
        let mut below = 0;
        for (end, count) in ends.zip(counts) {
            below += count;
            writeln!(text, "{name}_bucket{{function={function},le=\"{end}\"}} {below}")?;
        }
        let sum = Duration::from_nanos(self.nanoseconds.load(Relaxed)).as_secs_f64();
        writeln!(text, "{name}_sum{{function={function}}} {sum}")?;
        writeln!(text, "{name}_count{{function={function}}} {total}")
    }
}

/// The value of a label in quotes, escaped for Prometheus.
fn label(name: &str) -> String {
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use opentool::{Function, MapTool, OpenTool};

    fn executor() -> Executor {
        let functions = vec![Function { name: "add".to_owned(), ..Function::default() }];
        let document = OpenTool { functions, ..OpenTool::default() };
        Executor::serial(MapTool::new(|_, arguments| Ok(arguments.clone())).described_by(document))
    }

    #[test]
    fn calls_are_counted_by_function_and_outcome() {
        let executor = executor();
        let metrics = Metrics::of(executor.load().as_deref());
        metrics.count(&executor, Protocol::OpenTool, "add", "ok", Duration::from_micros(50));
        metrics.count(&executor, Protocol::McpHttp, "add", "ok", Duration::from_micros(51));
        metrics.count(&executor, Protocol::OpenTool, "add", "busy", Duration::from_secs(11));
        let text = metrics.text(&executor);
        for line in [
            "opentool_calls_total{function=\"add\",protocol=\"opentool\",outcome=\"ok\"} 1",
            "opentool_calls_total{function=\"add\",protocol=\"mcp-http\",outcome=\"ok\"} 1",
            "opentool_calls_total{function=\"add\",protocol=\"opentool\",outcome=\"busy\"} 1",
            "opentool_call_duration_seconds_bucket{function=\"add\",le=\"0.00005\"} 1",
            "opentool_call_duration_seconds_bucket{function=\"add\",le=\"0.0001\"} 2",
            "opentool_call_duration_seconds_bucket{function=\"add\",le=\"10\"} 2",
            "opentool_call_duration_seconds_bucket{function=\"add\",le=\"+Inf\"} 3",
            "opentool_call_duration_seconds_sum{function=\"add\"} 11.000101",
            "opentool_call_duration_seconds_count{function=\"add\"} 3",
            "opentool_calls_waiting 0",
            "opentool_calls_running 0",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\nis not in\n{text}");
        }
    }

    #[test]
    fn unknown_names_share_one_counter() {
        let executor = executor();
        let metrics = Metrics::of(executor.load().as_deref());
        for number in 0..1000 {
            let name = format!("made_up_{number}");
            metrics.count(&executor, Protocol::OpenTool, &name, "unknown_function", Duration::ZERO);
        }
        let text = metrics.text(&executor);
        assert!(
            text.contains(
                "opentool_calls_total{function=\"\",protocol=\"opentool\",outcome=\"unknown_function\"} 1000\n"
            ),
            "{text}"
        );
        assert!(!text.contains("made_up"));
    }

    #[test]
    fn a_function_that_is_new_has_its_own_counters() {
        let old = executor();
        let metrics = Metrics::of(old.load().as_deref());
        let functions = vec![Function { name: "new".to_owned(), ..Function::default() }];
        let document = Arc::new(OpenTool { functions, ..OpenTool::default() });
        let executor = old.described_by(move || Some(Arc::clone(&document)));
        for function in ["add", "new", "made_up"] {
            metrics.count(&executor, Protocol::OpenTool, function, "ok", Duration::ZERO);
        }
        let text = metrics.text(&executor);
        for function in ["add", "new", ""] {
            let line = format!(
                "opentool_calls_total{{function=\"{function}\",protocol=\"opentool\",outcome=\"ok\"}} 1\n"
            );
            assert!(text.contains(&line), "{line}\nis not in\n{text}");
        }
    }

    struct Measured;

    impl opentool::Tool for Measured {
        fn call_into(&self, _: &str, _: &[u8], _: &mut Vec<u8>) -> Result<(), ToolError> {
            Err(ToolError::Stopping)
        }

        fn load(&self) -> Option<OpenTool> {
            None
        }

        fn measure(&self, note: &mut dyn FnMut(Measure, u64)) {
            for what in [Measure::WorkersEnded("SIGSEGV"), Measure::Handles, Measure::Workers] {
                note(what, 2);
                note(what, 1);
            }
            note(Measure::WorkersEnded("idle"), 1);
        }
    }

    #[test]
    fn what_a_tool_counts_is_added_up() {
        let text = Metrics::of(None).text(&Executor::parallel(Measured, 1));
        let counted: Vec<&str> = text.lines().filter(|line| !line.contains("opentool_call")).collect();
        assert_eq!(
            counted,
            [
                "# HELP opentool_handles Handles that callers hold.",
                "# TYPE opentool_handles gauge",
                "opentool_handles 3",
                "# HELP opentool_workers Worker processes.",
                "# TYPE opentool_workers gauge",
                "opentool_workers 3",
                "# HELP opentool_workers_ended_total Worker processes that ended, by reason.",
                "# TYPE opentool_workers_ended_total counter",
                "opentool_workers_ended_total{reason=\"SIGSEGV\"} 3",
                "opentool_workers_ended_total{reason=\"idle\"} 1",
            ]
        );
    }

    #[test]
    fn labels_are_escaped() {
        assert_eq!(label("a\"b\\c\n"), r#""a\"b\\c\n""#);
    }
}
