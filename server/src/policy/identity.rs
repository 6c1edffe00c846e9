//! Who makes a call, and in which protocol.

use std::sync::Arc;

use super::Rules;
use opentool::Caller;

/// Who makes a call, and with which rights. Clones are the same one.
///
/// ```
/// use opentool_server::Identity;
///
/// let identity = Identity::new("ci");
/// assert_eq!(identity.caller().to_string(), "ci");
/// assert!(identity.rules().allow_all());
/// ```
#[derive(Clone, Debug)]
pub struct Identity {
    rights: Arc<Rights>,
    session: Option<u64>,
}

#[derive(Debug)]
struct Rights {
    name: String,
    rules: Rules,
    may_stop: bool,
}

impl Identity {
    /// All rights, under the rules of the server alone. `name` is for messages and the audit log; it must not be a secret.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self::limited(name, Rules::default(), true)
    }

    /// A caller without a key, where none is required.
    #[must_use]
    pub fn anonymous() -> Self {
        Self::new("anonymous")
    }

    /// The rights that `rules` leave.
    #[must_use]
    pub fn limited(name: impl Into<String>, rules: Rules, may_stop: bool) -> Self {
        Self { rights: Arc::new(Rights { name: name.into(), rules, may_stop }), session: None }
    }

    /// The same one in one of its sessions.
    #[must_use]
    pub fn in_session(self, number: u64) -> Self {
        Self { session: Some(number), ..self }
    }

    /// The number of the session, if it is in one.
    #[must_use]
    pub fn session(&self) -> Option<u64> {
        self.session
    }

    /// The caller that its handles belong to: the key, or a session of it.
    #[must_use]
    pub fn caller(&self) -> Caller {
        let key = Caller::new(self.name());
        match self.session {
            Some(number) => key.in_session(number),
            None => key,
        }
    }

    /// The name of the key, or what the caller is if it has none.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.rights.name
    }

    /// Its own rules, which apply in addition to those of the server.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rights.rules
    }

    /// Whether it may stop the server.
    #[must_use]
    pub fn may_stop(&self) -> bool {
        self.rights.may_stop
    }
}

/// How a call arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Protocol {
    /// OpenTool over HTTP.
    OpenTool,
    /// The Model Context Protocol over HTTP.
    McpHttp,
    /// The Model Context Protocol over the standard streams, or over any other two streams.
    McpStdio,
}

impl Protocol {
    /// All of them.
    pub(crate) const ALL: [Self; 3] = [Self::OpenTool, Self::McpHttp, Self::McpStdio];

    /// The name in metrics and in the audit log.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenTool => "opentool",
            Self::McpHttp => "mcp-http",
            Self::McpStdio => "mcp-stdio",
        }
    }
}
