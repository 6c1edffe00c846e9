//! The options of the generator as command-line arguments; the macro and build scripts have the same options.

use clap::{Args, ValueEnum};
use opendyn_codegen::{Options, Strings, Unchecked};

/// Arguments of every command that uses the generator.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Bindings")]
pub(crate) struct Generator {
    /// The name of the struct; from the title unless given
    #[arg(long)]
    name: Option<String>,
    /// Remove PREFIX from the names of methods and types
    #[arg(long, value_name = "PREFIX")]
    strip_prefix: Option<String>,
    /// Use METHOD as the method name for FUNCTION; may be repeated
    #[arg(long, value_name = "FUNCTION=METHOD", value_parser = renamed)]
    rename: Vec<(String, String)>,
    /// The library may lack FUNCTION; may be repeated
    #[arg(long, value_name = "FUNCTION")]
    optional: Vec<String>,
    /// Take and return UTF-8 strings as CStr or as str
    #[arg(long, value_name = "cstr|str", hide_possible_values = true)]
    strings: Option<Text>,
    /// What JSON may do with pointers that are not fully described
    #[arg(long, value_name = "refuse|allow", hide_possible_values = true)]
    unchecked: Option<Choice>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Choice {
    Refuse,
    Allow,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Text {
    Cstr,
    Str,
}

fn renamed(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((function, method)) if !function.is_empty() && !method.is_empty() => {
            Ok((function.to_owned(), method.to_owned()))
        }
        _ => Err("write it as FUNCTION=METHOD, such as get-x=x".to_owned()),
    }
}

impl Generator {
    pub(crate) fn options(&self) -> Options {
        let mut options = Options::default();
        options.name.clone_from(&self.name);
        options.strip_prefix.clone_from(&self.strip_prefix);
        options.rename.extend(self.rename.iter().cloned());
        options.optional.extend(self.optional.iter().cloned());
        if let Some(Text::Str) = self.strings {
            options.strings = Strings::Str;
        }
        if let Some(Choice::Allow) = self.unchecked {
            options.unchecked = Unchecked::Allow;
        }
        options
    }

    /// The arguments again, for a command line in a message.
    pub(crate) fn arguments(&self) -> Vec<String> {
        let mut arguments = Vec::new();
        let mut push =
            |option: &str, value: &str| arguments.extend([format!("--{option}"), value.to_owned()]);
        if let Some(name) = &self.name {
            push("name", name);
        }
        if let Some(prefix) = &self.strip_prefix {
            push("strip-prefix", prefix);
        }
        for (function, method) in &self.rename {
            push("rename", &format!("{function}={method}"));
        }
        for function in &self.optional {
            push("optional", function);
        }
        if let Some(Text::Str) = self.strings {
            push("strings", "str");
        }
        if let Some(Choice::Allow) = self.unchecked {
            push("unchecked", "allow");
        }
        arguments
    }
}
