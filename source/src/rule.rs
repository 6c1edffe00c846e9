//! What a rule is. The rules themselves are in tables, one for each kind of document.

use std::fmt;

/// How serious a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The document cannot be used.
    Error,
    /// The document can be used, under an assumption that the finding names.
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
    /// `place: severity[code]: message`, the source line, the help. A report ends with the counts.
    Full,
    /// `place: severity: message`, and the help.
    Brief,
    /// `place: message`.
    Line,
}

/// A rule for one kind of document. [`rules!`](crate::rules) defines a type that implements it.
pub trait Rule: Copy + Ord + fmt::Debug {
    /// How findings of this kind are shown.
    const FORM: Form;

    /// The stable code; its meaning never changes.
    fn code(self) -> &'static str;

    /// How serious a violation is.
    fn severity(self) -> Severity;
}

/// Defines the rules of one kind of document: the name in Rust, the stable code, the severity, and a summary.
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

            /// The stable code; its meaning never changes.
            #[must_use]
            pub fn code(self) -> &'static str {
                match self {$(Self::$rule => $code,)*}
            }

            /// The rule in one sentence.
            #[must_use]
            pub fn summary(self) -> &'static str {
                match self {$(Self::$rule => $summary,)*}
            }

            /// How serious a violation is.
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
