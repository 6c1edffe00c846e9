//! The prefix of a library, which Rust does not need: modules and types tell names apart.

/// What names of functions and types begin with.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Prefix<'d>(Option<&'d str>);

impl<'d> Prefix<'d> {
    /// The prefix of the option, or else of the document.
    pub(super) fn new(option: Option<&'d str>, document: Option<&'d str>) -> Self {
        Self(option.or(document))
    }

    /// The name without the prefix; the whole name if nothing else is left.
    pub(super) fn strip(self, name: &str) -> &str {
        let stripped = self.0.and_then(|prefix| name.strip_prefix(prefix));
        stripped.filter(|rest| !rest.trim_matches('_').is_empty()).unwrap_or(name)
    }

    /// The name of a type without the prefix, and then without the `_t` of C. `cairo_t` stays whole: `T` would
    /// look like a type parameter.
    pub(super) fn strip_type(self, name: &str) -> &str {
        let stripped = self.strip(name);
        if stripped.len() == name.len() || stripped == "t" {
            return name;
        }
        stripped.strip_suffix("_t").filter(|rest| !rest.is_empty()).unwrap_or(stripped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_option_wins_and_no_name_becomes_empty() {
        let prefix = Prefix::new(None, Some("git_"));
        assert_eq!(prefix.strip("git_blob_id"), "blob_id");
        assert_eq!(prefix.strip("git_"), "git_");
        assert_eq!(prefix.strip("giterr"), "giterr");
        assert_eq!(Prefix::new(Some(""), Some("git_")).strip("git_blob_id"), "git_blob_id");
        assert_eq!(prefix.strip_type("git_time_t"), "time");
        assert_eq!(prefix.strip_type("size_t"), "size_t");
        assert_eq!(Prefix::new(None, Some("cairo_")).strip_type("cairo_t"), "cairo_t");
        assert_eq!(Prefix::default().strip("git_blob_id"), "git_blob_id");
    }
}
