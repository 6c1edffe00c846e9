//! What a rule is. The rules themselves are tables, one for each kind of document.

use std::fmt;

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The document cannot be used.
    Error,
    /// The document can be used, on an assumption that the finding names.
    Warning,
}

impl Severity {
    /// `error` or `warning`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// How findings of one kind of document are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `place: severity[code]: message`, the line of the source, the help. A list ends with how many there are.
    Full,
    /// `place: severity: message`, and the help.
    Brief,
    /// `place: message`.
    Line,
}

/// A rule that a kind of document has. [`rules!`](crate::rules) makes a type that is one.
pub trait Rule: Copy + Ord + fmt::Debug {
    /// How what breaks it is shown.
    const FORM: Form;

    /// The stable code, which never changes its meaning.
    fn code(self) -> &'static str;

    /// How much it weighs to break it.
    fn severity(self) -> Severity;
}

/// The table of the rules of one kind of document: the name in Rust, the stable code, the severity, and what the
/// rule says.
#[macro_export]
macro_rules! rules {
    (
        $(#[$attribute:meta])*
        pub enum $name:ident shown $form:ident {
            $($rule:ident $code:literal $severity:ident $summary:literal)*
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $(#[doc = concat!("`", $code, "`: ", $summary)] $rule,)*
        }

        impl $name {
            /// Every rule, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$rule),*];

            /// The stable code, which never changes its meaning.
            #[must_use]
            pub fn code(self) -> &'static str {
                match self {$(Self::$rule => $code,)*}
            }

            /// What the rule says.
            #[must_use]
            pub fn summary(self) -> &'static str {
                match self {$(Self::$rule => $summary,)*}
            }

            /// Whether a document that breaks it can be used.
            #[must_use]
            pub fn severity(self) -> $crate::Severity {
                match self {$(Self::$rule => $crate::Severity::$severity,)*}
            }
        }

        impl $crate::Rule for $name {
            const FORM: $crate::Form = $crate::Form::$form;

            fn code(self) -> &'static str {
                self.code()
            }

            fn severity(self) -> $crate::Severity {
                self.severity()
            }
        }
    };
}
