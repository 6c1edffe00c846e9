//! Random calls of a subject, and what became of them.

use std::collections::BTreeSet;
use std::ops::AddAssign;

use opendyn::ToolError;
use opendyn_model::plan::{Function, Json};
use opendyn_tests::{Answer, Difference, TwinLibrary};
use serde_json::Value;

use super::arguments::arguments;
use super::limits::{SHARED, is_defined};
use super::pool::Pool;
use super::random::Random;
use super::subject::{Calls, Subject};
use super::values::Maker;

/// Calls of one pair of tools, before they are closed and others are opened.
const ROUND: usize = 1000;

/// How many calls there were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub calls: usize,
    pub succeeded: usize,
    /// Before C was called.
    pub refused: usize,
    /// After C was called.
    pub failed: usize,
    pub maps: usize,
    pub packed: usize,
    pub sessions: usize,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.calls += other.calls;
        self.succeeded += other.succeeded;
        self.refused += other.refused;
        self.failed += other.failed;
        self.maps += other.maps;
        self.packed += other.packed;
        self.sessions += other.sessions;
    }
}

/// What differs: a call, or what a function counted when both tools were gone.
#[derive(Debug)]
pub struct Found {
    pub after: usize,
    pub difference: Difference,
}

/// Makes `calls` calls. The interpreter reads `source`. The functions that C was called for are noted in `reached`.
pub fn run(
    subject: &Subject,
    source: &str,
    calls: usize,
    seed: u64,
    reached: &mut BTreeSet<String>,
) -> Result<Tally, Box<Found>> {
    let mut random = Random::new(seed, &format!("{}{:?}", subject.document, (subject.options)().unchecked));
    let plan = subject.plan();
    let library = subject.compile();
    let mut tally = Tally::default();
    let mut pool = Pool::default();
    while tally.calls < calls {
        let library = library.copied();
        let tools = (subject.open)(source, &library);
        let until = calls.min(tally.calls + ROUND);
        while tally.calls < until {
            let function = random.pick(&plan.functions);
            let maker = Maker { types: &plan.types, pool: &pool };
            let made = one(&*tools, function, &maker, &mut random, &mut tally);
            let answer = made.map_err(|difference| Box::new(Found { after: tally.calls, difference }))?;
            if matches!(answer, Some(Ok(_) | Err(ToolError::CallFailed { .. }))) {
                reached.insert(function.name.clone());
            }
            match answer {
                Some(Ok(reply)) => pool.learn(&reply),
                Some(Err(error)) => pool.unlearn(&error.to_string()),
                None => {}
            }
        }
        drop(tools);
        pool = pool.closed();
        counted(subject, source, &library)
            .map_err(|difference| Box::new(Found { after: tally.calls, difference }))?;
    }
    Ok(tally)
}

/// Makes a call, if C defines it.
fn one(
    tools: &dyn Calls,
    function: &Function,
    maker: &Maker<'_>,
    random: &mut Random,
    tally: &mut Tally,
) -> Result<Option<Answer>, Difference> {
    // Functions that JSON cannot call need few calls.
    if matches!(function.json, Json::Refused(_)) && random.chance(90) {
        return Ok(None);
    }
    let mut tries = (0..20).map(|_| arguments(function, maker, random));
    let Some(arguments) = tries.find(|arguments| is_defined(&function.name, arguments)) else {
        return Ok(None);
    };
    let name = match random.below(100) {
        0 => *random.pick(&["", "call", "keys", "é", "add\0"]),
        1 => &function.name[..function.name.len() - 1],
        _ => function.name.as_str(),
    };
    if name != function.name && !is_defined(name, &arguments) {
        return Ok(None);
    }
    tally.calls += 1;
    let tree = || serde_json::from_slice::<Value>(&arguments).ok();
    let answer = match random.below(10) {
        0 => match tree() {
            Some(Value::Object(map)) => {
                tally.maps += 1;
                tools.map(name, &map)
            }
            _ => tools.text(name, &arguments),
        },
        1 => match tree() {
            Some(tree) => {
                tally.packed += 1;
                tools.packed(name, &tree)
            }
            None => tools.text(name, &arguments),
        },
        2..4 if !SHARED.contains(&name) => match tools.session(name, &arguments) {
            Some(answer) => {
                tally.sessions += 1;
                answer
            }
            None => tools.text(name, &arguments),
        },
        _ => tools.text(name, &arguments),
    }?;
    match &answer {
        Ok(_) => tally.succeeded += 1,
        Err(ToolError::CallFailed { .. }) => tally.failed += 1,
        Err(_) => tally.refused += 1,
    }
    Ok(Some(answer))
}

/// Whether the libraries count the same, and nothing: both tools are gone.
fn counted(subject: &Subject, source: &str, library: &TwinLibrary) -> Result<(), Difference> {
    if subject.counters.is_empty() {
        return Ok(());
    }
    let observer = (subject.open)(source, library);
    for counter in subject.counters {
        let count = observer.text(counter, b"{}")?;
        assert_eq!(count.as_deref(), Ok(&br#"{"count":0}"#[..]), "{}: {counter}", subject.document);
    }
    Ok(())
}
