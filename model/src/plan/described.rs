//! Descriptions of arguments and members, with their defaults. Neither OpenTool nor Rust has another place for
//! a default.

use crate::plan::{Default, Field, Kind, Param, View};

impl Param {
    /// What it means, and its default.
    #[must_use]
    pub fn described(&self) -> Option<String> {
        self.with_default(self.description.as_deref())
    }

    /// The same with another text in place of what it means.
    pub(crate) fn with_default(&self, description: Option<&str>) -> Option<String> {
        let argument = self.argument.as_ref();
        let default = argument.and_then(|argument| argument.default());
        let view = argument.and_then(|argument| argument.kind.as_ref()).map_or(View::Plain, Kind::view);
        with_default(description, default, view)
    }
}

impl Field {
    /// What it means, and its default.
    #[must_use]
    pub fn described(&self) -> Option<String> {
        with_default(self.description.as_deref(), self.default.as_ref(), self.kind().view())
    }
}

fn with_default(description: Option<&str>, default: Option<&Default>, view: View) -> Option<String> {
    let shown = match default {
        None => return description.map(str::to_owned),
        Some(Default::Bool(value)) => value.to_string(),
        Some(Default::Integer(value)) if view == View::Character => {
            format!("{:?}", char::from(u8::try_from(*value).unwrap_or_default()).to_string())
        }
        Some(Default::Integer(value)) => value.to_string(),
        Some(Default::Number(value)) => format!("{value:?}"),
        Some(Default::Text(text)) => format!("{text:?}"),
    };
    let default = format!("Default: {shown}.");
    Some(description.map_or_else(|| default.clone(), |text| followed_by(text, &default)))
}

/// A description and a sentence after it.
pub(crate) fn followed_by(description: &str, sentence: &str) -> String {
    let stop = if description.trim_end().ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{description}{stop} {sentence}")
}
