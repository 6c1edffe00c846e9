//! What a tool counts, for the operator of a server.

/// Something that a tool counts. What ends with `Started` or `Ended` only grows, as long as the tool lives.
///
/// ```
/// use opentool::{MapTool, Measure, Tool};
///
/// let mut handles = None;
/// let tool = MapTool::new(|_, arguments| Ok(arguments.clone()));
/// tool.measure(&mut |measure, count| if measure == Measure::Handles { handles = Some(count) });
/// assert_eq!(handles, None, "this tool has none");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Measure {
    /// The handles that callers hold.
    Handles,
    /// The processes that run calls or wait for some.
    Workers,
    /// The processes that were started.
    WorkersStarted,
    /// The processes that ended for this reason: a word such as `SIGSEGV`, `deadline` or `idle`.
    WorkersEnded(&'static str),
}
