//! How a running call is ended from another thread (`x-cancel`).

/// How a running call is ended: another function of the document is called beside it, with handles of the call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cancel {
    /// The index of the function that ends it. It takes one handle, and what it returns is ignored.
    pub function: usize,
    /// The index of the type of that handle.
    pub handle: usize,
    /// Where the handles are.
    pub through: Through,
}

/// Where the handles are whose calls are ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Through {
    /// In these parameters. A call does not free them.
    Given(Vec<usize>),
    /// They are those of the type in which the handles in these parameters live.
    Parents(Vec<usize>),
}
