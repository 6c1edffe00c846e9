//! The other tools that a script reaches through `InterClient.tool_exe`.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock, Weak};

use opentool::{CallContext, Tool, ToolError};

/// The tools that scripts can call, usually the [`ToolSet`](opentool::ToolSet) that contains them.
///
/// The scripts are built before the set that contains them, so the set is assigned afterwards. Clones share it.
///
/// ```no_run
/// use std::sync::Arc;
/// use opentool::ToolSet;
/// use opentool_python::{Peers, PythonTool};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let peers = Peers::new();
/// let report = PythonTool::builder("report.py").peers(&peers).build()?;
/// let query = PythonTool::builder("query.py").peers(&peers).build()?;
/// let set = Arc::new(ToolSet::builder().add("report", report).add("query", query).build()?);
/// peers.are(&set);
/// # Ok(())
/// # }
/// ```
///
/// Peers do not keep the set alive. An `Arc` of the set is a [`Tool`] too.
#[derive(Clone, Default)]
pub struct Peers {
    tools: Arc<RwLock<Option<Weak<dyn Tool + Send + Sync>>>>,
}

impl Peers {
    /// Peers without a set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Assigns the set.
    pub fn are<T: Tool + Send + Sync + 'static>(&self, tools: &Arc<T>) {
        let tools: Weak<dyn Tool + Send + Sync> = Arc::<T>::downgrade(tools);
        *self.tools.write().unwrap_or_else(PoisonError::into_inner) = Some(tools);
    }

    /// Calls the first of these functions that exists.
    pub(super) fn call(
        &self,
        context: &CallContext,
        names: &[String],
        arguments: &str,
    ) -> Result<Vec<u8>, ToolError> {
        let tools =
            self.tools.read().unwrap_or_else(PoisonError::into_inner).as_ref().and_then(Weak::upgrade);
        let Some(tools) = tools else {
            return Err(ToolError::call_failed("there are no other tools: this script has no peers"));
        };
        let mut unknown = None;
        for name in names {
            let mut reply = Vec::new();
            match tools.call_for(context, name, arguments.as_bytes(), &mut reply) {
                // Nothing was called, so the next name can be tried.
                Err(error @ ToolError::UnknownFunction { .. }) => unknown = unknown.or(Some(error)),
                result => return result.map(|()| reply),
            }
        }
        Err(unknown.unwrap_or_else(|| ToolError::unknown_function("", [])))
    }
}

impl fmt::Debug for Peers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tools = self.tools.read().unwrap_or_else(PoisonError::into_inner);
        f.debug_struct("Peers").field("known", &tools.is_some()).finish()
    }
}
