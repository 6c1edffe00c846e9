//! Several tools in one namespace.
//!
//! [`ToolSet`] asks every member for its document once, when it is built, and routes every call by name from then
//! on. `join` makes one document of those of the members.

mod error;
mod join;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use crate::{CallContext, Caller, Function, IndexMap, Info, Map, Measure, OpenTool, Tool, ToolError, Value};

pub use error::{InvalidToolSet, ToolSetProblem};

/// Several tools that are called as one.
///
/// A set can be shared between threads if its members can. [`ToolSet::builder`] makes such a set;
/// [`ToolSet::sendable`] and [`ToolSet::local`] require less of the members.
///
/// ```
/// use opentool::{MapTool, OpenTool, Tool, ToolSet};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let document = |name: &str| serde_json::from_value::<OpenTool>(serde_json::json!({
/// #     "opentool": "1.0.0", "info": {"title": "t", "version": "1.0.0"},
/// #     "functions": [{"name": name, "description": "d", "parameters": []}],
/// # }));
/// # let clock = MapTool::new(|_, arguments| Ok(arguments.clone())).described_by(document("now")?);
/// # let calc = MapTool::new(|_, arguments| Ok(arguments.clone())).described_by(document("add")?);
/// let set = ToolSet::builder().add("clock", clock).add_prefixed("calc", calc).build()?;
/// assert_eq!(set.call_json("now", "{}")?, "{}");
/// assert_eq!(set.call_json("calc_add", "{}")?, "{}");
/// # Ok(())
/// # }
/// ```
pub struct ToolSet<M = Box<dyn Tool + Send + Sync>> {
    members: Vec<M>,
    routes: HashMap<String, Route>,
    document: OpenTool,
}

/// The member that has a function, and its name there.
struct Route {
    member: usize,
    /// The name of the function in the member.
    name: String,
}

/// Collects the members of a [`ToolSet`].
#[must_use = "call `build` to make the set"]
pub struct ToolSetBuilder<M = Box<dyn Tool + Send + Sync>> {
    info: Option<Info>,
    members: Vec<NamedTool<M>>,
}

struct NamedTool<M> {
    name: String,
    prefixed: bool,
    tool: M,
}

/// One constructor and two methods to add a member, for each set of bounds.
macro_rules! kinds {
    ($($(#[$doc:meta])* $start:ident: $($bound:ident)+;)*) => {$(
        impl<'t> ToolSet<Box<dyn $($bound +)+ 't>> {
            $(#[$doc])*
            pub fn $start() -> ToolSetBuilder<Box<dyn $($bound +)+ 't>> {
                ToolSetBuilder { info: None, members: Vec::new() }
            }
        }

        impl<'t> ToolSetBuilder<Box<dyn $($bound +)+ 't>> {
            /// Adds a tool whose functions keep their names. Messages call the tool `name`, which must be unique.
            pub fn add(self, name: impl Into<String>, tool: impl $($bound +)+ 't) -> Self {
                self.member(name.into(), false, Box::new(tool))
            }

            /// Adds a tool whose functions get its name as a prefix: `add` of `calc` becomes `calc_add`.
            pub fn add_prefixed(self, name: impl Into<String>, tool: impl $($bound +)+ 't) -> Self {
                self.member(name.into(), true, Box::new(tool))
            }
        }
    )*};
}
kinds! {
    /// A set that several threads can call at the same time.
    builder: Tool Send Sync;
    /// A set that can move to another thread.
    sendable: Tool Send;
    /// A set that stays on its thread.
    local: Tool;
}

impl<M: Tool> ToolSetBuilder<M> {
    fn member(mut self, name: String, prefixed: bool, tool: M) -> Self {
        self.members.push(NamedTool { name, prefixed, tool });
        self
    }

    /// Sets the title and the version of the set's document. By default the title joins those of the members, and the
    /// version is 1.0.0.
    pub fn info(self, info: Info) -> Self {
        Self { info: Some(info), ..self }
    }

    /// Loads the document of every member and joins them.
    ///
    /// # Errors
    ///
    /// [`InvalidToolSet`] lists every name that several functions have, every name that is not valid for a function,
    /// every member whose name is taken, and every member without a document.
    pub fn build(self) -> Result<ToolSet<M>, InvalidToolSet> {
        let mut problems = Vec::new();
        let mut routes: HashMap<String, Route> = HashMap::new();
        let mut collisions: IndexMap<String, Vec<String>> = IndexMap::new();
        let mut joined = join::Joined::default();
        for (index, member) in self.members.iter().enumerate() {
            if self.members[..index].iter().any(|earlier| earlier.name == member.name) {
                problems.push(ToolSetProblem::DuplicateMember { member: member.name.clone() });
            }
            let Some(document) = member.tool.load() else {
                problems.push(ToolSetProblem::NoDocument { member: member.name.clone() });
                continue;
            };
            for function in &document.functions {
                let name = member.public(&function.name);
                if !Function::is_valid_name(&name) {
                    problems
                        .push(ToolSetProblem::BadName { name: name.clone(), member: member.name.clone() });
                }
                if let Some(taken) = routes.get(&name) {
                    let first = &self.members[taken.member].name;
                    collisions.entry(name).or_insert_with(|| vec![first.clone()]).push(member.name.clone());
                    continue;
                }
                routes.insert(name, Route { member: index, name: function.name.clone() });
            }
            if let Err(error) = joined.add(&member.name, &document, |name| member.public(name)) {
                problems.push(ToolSetProblem::Unreadable {
                    member: member.name.clone(),
                    message: error.to_string(),
                });
            }
        }
        problems.extend(
            collisions.into_iter().map(|(function, members)| ToolSetProblem::Collision { function, members }),
        );
        if !problems.is_empty() {
            return Err(InvalidToolSet { problems });
        }
        let document = joined.document(self.info).map_err(|error| InvalidToolSet {
            problems: vec![ToolSetProblem::Unreadable {
                member: "the set".to_owned(),
                message: error.to_string(),
            }],
        })?;
        Ok(ToolSet {
            members: self.members.into_iter().map(|member| member.tool).collect(),
            routes,
            document,
        })
    }
}

impl<M> NamedTool<M> {
    /// The name in the set of a function of this tool.
    fn public(&self, function: &str) -> String {
        if self.prefixed { format!("{}_{function}", self.name) } else { function.to_owned() }
    }
}

impl<M: Tool> ToolSet<M> {
    /// Calls the function that the set knows as `name`.
    fn route<R>(
        &self,
        name: &str,
        call: impl FnOnce(&M, &str) -> Result<R, ToolError>,
    ) -> Result<R, ToolError> {
        let Some(route) = self.routes.get(name) else {
            let known = self.document.functions.iter().map(|function| function.name.as_str());
            return Err(ToolError::unknown_function(name, known));
        };
        call(&self.members[route.member], &route.name).map_err(|error| match error {
            // The caller knows the function by its name in the set.
            ToolError::NotCallable { reason, .. } => ToolError::NotCallable { name: name.to_owned(), reason },
            ToolError::UnknownFunction { .. } => {
                ToolError::UnknownFunction { name: name.to_owned(), suggestion: None }
            }
            other => other,
        })
    }
}

impl<M: Tool> Tool for ToolSet<M> {
    fn call_into(&self, name: &str, arguments: &[u8], out: &mut Vec<u8>) -> Result<(), ToolError> {
        self.route(name, |member, name| member.call_into(name, arguments, out))
    }

    fn call(&self, name: &str, arguments: &Map<String, Value>) -> Result<Map<String, Value>, ToolError> {
        self.route(name, |member, name| member.call(name, arguments))
    }

    fn call_for(
        &self,
        context: &CallContext,
        name: &str,
        arguments: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), ToolError> {
        self.route(name, |member, name| member.call_for(context, name, arguments, out))
    }

    fn can_cancel(&self, name: &str) -> bool {
        self.route(name, |member, name| Ok(member.can_cancel(name))).unwrap_or(false)
    }

    fn leave(&self, caller: &Caller) {
        self.members.iter().for_each(|member| member.leave(caller));
    }

    fn measure(&self, note: &mut dyn FnMut(Measure, u64)) {
        self.members.iter().for_each(|member| member.measure(note));
    }

    fn load(&self) -> Option<OpenTool> {
        Some(self.document.clone())
    }
}

impl<M> std::fmt::Debug for ToolSet<M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let functions: Vec<&str> =
            self.document.functions.iter().map(|function| function.name.as_str()).collect();
        f.debug_struct("ToolSet")
            .field("members", &self.members.len())
            .field("functions", &functions)
            .finish_non_exhaustive()
    }
}
