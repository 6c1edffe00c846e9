//! `quote!`, with the syntax of the crate of that name: `#name` is a value, `#(…),*` a repetition. The values of a
//! repetition are iterators, which it takes; repetitions are not nested.
//!
//! The template is one string; its values are found by looking at each token with its neighbours, which unlike
//! recursion from token to token has no limit.

/// Tokens from a template.
macro_rules! quote {
    ($($token:tt)*) => {{
        let mut template = $crate::tokens::Template::new(stringify!($($token)*));
        $crate::tokens::values! { template value $($token)* }
        template.finish()
    }};
}

/// Gives the template each value of these tokens, in order.
macro_rules! values {
    ($template:ident $method:ident $($token:tt)*) => {
        $crate::tokens::windows! { $template $method (@ @ $($token)*) (@ $($token)* @) ($($token)* @ @) }
    };
}

macro_rules! windows {
    ($template:ident $method:ident ($($before:tt)*) ($($token:tt)*) ($($after:tt)*)) => {
        $($crate::tokens::window! { $template $method $before ($token) $after })*
    };
}

macro_rules! window {
    ($template:ident value $before:tt (#) $value:ident) => {
        $template.value(&$value);
    };
    ($template:ident list $before:tt (#) $list:ident) => {
        $template.list($list);
    };
    ($template:ident value $before:tt (#) ($($token:tt)*)) => {
        $crate::tokens::values! { $template list $($token)* }
        $template.repeat();
    };
    ($template:ident value # (($($token:tt)*)) $after:tt) => {};
    ($template:ident $method:ident $before:tt (($($token:tt)+)) $after:tt) => {
        $crate::tokens::values! { $template $method $($token)* }
    };
    ($template:ident $method:ident $before:tt ([$($token:tt)+]) $after:tt) => {
        $crate::tokens::values! { $template $method $($token)* }
    };
    ($template:ident $method:ident $before:tt ({$($token:tt)+}) $after:tt) => {
        $crate::tokens::values! { $template $method $($token)* }
    };
    ($template:ident $method:ident $before:tt ($token:tt) $after:tt) => {};
}

/// A name, written as for `format!`.
macro_rules! format_ident {
    ($($format:tt)*) => { $crate::tokens::Ident::new(format!($($format)*)) };
}

pub(crate) use {format_ident, quote, values, window, windows};
