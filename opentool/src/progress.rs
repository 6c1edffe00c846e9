//! [`Progress`], which a call reports while it runs, and how often whoever waits for the call is told.

use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Map, Value};

/// What is reported more often than this is not told, except for the last report.
const PAUSE: Duration = Duration::from_millis(100);
/// The integers that a double holds are smaller.
const INTEGERS: f64 = 9_007_199_254_740_992.0;

/// How far a call is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// How much is done.
    pub done: f64,
    /// How much there is to do, if that is known.
    pub total: Option<f64>,
    /// What is being done.
    pub message: Option<String>,
}

impl Progress {
    /// `{"done": 3, "total": 10, "message": "…"}`, without what is not known.
    #[must_use]
    pub fn to_json(&self) -> Map<String, Value> {
        let mut json = Map::new();
        json.insert("done".to_owned(), number(self.done));
        if let Some(total) = self.total {
            json.insert("total".to_owned(), number(total));
        }
        if let Some(message) = &self.message {
            json.insert("message".to_owned(), Value::from(message.as_str()));
        }
        json
    }

    /// Reads what [`Progress::to_json`] has written. Other members are ignored.
    #[must_use]
    pub fn from_json(json: &Map<String, Value>) -> Option<Self> {
        Some(Self {
            done: json.get("done")?.as_f64()?,
            total: json.get("total").and_then(Value::as_f64),
            message: json.get("message").and_then(Value::as_str).map(str::to_owned),
        })
    }

    /// The report, if its numbers are some. A total that is not positive is one that C does not know.
    fn checked(mut self) -> Option<Self> {
        self.total = self.total.filter(|total| total.is_finite() && *total > 0.0);
        self.done.is_finite().then_some(self)
    }
}

/// An integer without a fraction, as people write it.
#[expect(clippy::cast_possible_truncation, reason = "it is an integer that fits")]
fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < INTEGERS {
        Value::from(value as i64)
    } else {
        Value::from(value)
    }
}

/// Whoever is told how far a call is.
pub(crate) struct Listener {
    tell: Box<dyn Fn(Progress) + Send + Sync>,
    told: Mutex<Told>,
}

#[derive(Default)]
struct Told {
    last: Option<Instant>,
    /// The last report, if it was too early to be told.
    waiting: Option<Progress>,
}

impl Listener {
    pub(crate) fn new(tell: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        Self { tell: Box::new(tell), told: Mutex::default() }
    }

    /// Tells it, or keeps it until it may be told.
    pub(crate) fn report(&self, progress: Progress) {
        let Some(progress) = progress.checked() else { return };
        // The lock is held, so that nothing is told after what came later.
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if told.last.is_some_and(|last| now.duration_since(last) < PAUSE) {
            told.waiting = Some(progress);
            return;
        }
        told.last = Some(now);
        told.waiting = None;
        (self.tell)(progress);
    }

    /// Tells the last report, if it was not told.
    pub(crate) fn report_last(&self) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(progress) = told.waiting.take() {
            (self.tell)(progress);
        }
    }
}

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Listener").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CallContext;
    use std::sync::{Arc, mpsc};

    fn at(done: f64) -> Progress {
        Progress { done, ..Progress::default() }
    }

    #[test]
    fn a_million_reports_are_told_a_few_times_and_the_last_one_always() {
        let (sender, told) = mpsc::channel();
        let context = CallContext::default().reporting_to(move |progress| {
            let _ = sender.send(progress);
        });
        let begin = Instant::now();
        (1..=1_000_000).for_each(|done| context.report(at(f64::from(done))));
        let most = begin.elapsed().as_millis() / PAUSE.as_millis() + 2;
        context.report_last();
        context.report_last();
        drop(context);
        let told: Vec<Progress> = told.iter().collect();
        assert_eq!((told.first(), told.last()), (Some(&at(1.0)), Some(&at(1_000_000.0))));
        assert!(told.len() as u128 <= most && told.is_sorted_by(|a, b| a.done < b.done), "{}", told.len());
    }

    #[test]
    fn numbers_that_are_none_are_not_told() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&told);
        let context = CallContext::default().reporting_to(move |progress| {
            sink.lock().expect("no panic").push(progress);
        });
        context.report(at(f64::NAN));
        context.report(at(f64::INFINITY));
        context.report(Progress { total: Some(-1.0), ..at(2.0) });
        assert_eq!(*told.lock().expect("no panic"), [at(2.0)]);
    }

    #[test]
    fn what_is_written_is_read() {
        let all = Progress { done: 2.5, total: Some(1e300), message: Some("é".to_owned()) };
        for progress in [at(0.0), at(-3.0), all] {
            assert_eq!(Progress::from_json(&progress.to_json()), Some(progress));
        }
        assert_eq!(Value::Object(at(7.0).to_json()).to_string(), r#"{"done":7}"#);
        assert_eq!(Progress::from_json(&Map::new()), None);
    }
}
