//! How MCP clients learn of the functions.

use std::str::FromStr;

#[cfg(feature = "mcp")]
use opentool::OpenTool;

/// How MCP clients learn of the functions.
///
/// ```
/// use opentool_server::Listing;
///
/// assert_eq!("search".parse(), Ok(Listing::Search));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Listing {
    /// By a list, or from [`Listing::MANY`] functions on by a search.
    #[default]
    Auto,
    /// By a list of all.
    All,
    /// By two tools: one that searches for functions, and one that calls them. Functions with `"x-tool": true` are listed
    /// beside them.
    Search,
}

impl Listing {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Auto, Self::All, Self::Search];

    /// The number of functions from which on clients search, unless the operator says otherwise.
    pub const MANY: usize = 60;

    /// The name on a command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::All => "all",
            Self::Search => "search",
        }
    }

    /// Whether clients search for the functions of this document.
    #[cfg(feature = "mcp")]
    pub(crate) fn searches(self, document: &OpenTool) -> bool {
        match self {
            Self::Auto => {
                document.functions.iter().filter(|function| function.is_offered()).count() >= Self::MANY
            }
            Self::All => false,
            Self::Search => true,
        }
    }
}

impl FromStr for Listing {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|listing| listing.name() == text);
        known.ok_or_else(|| "expected auto, all or search".to_owned())
    }
}
