//! Names for parameters that a declaration leaves without: from comments, manual pages, GIR files and debug info.

use crate::{Attribute, AttributeKind, AttributeSource, Function, Parameter, Place};

impl Function {
    /// Names the parameters that have no name. `names` has one for each parameter, an empty one for none; `says` is
    /// how the source writes a name.
    ///
    /// If the declaration names a parameter differently, documentation describes something else, or another version:
    /// then it names none. So it is if two parameters would have one name. A definition, in debug info, may differ.
    pub(crate) fn name_parameters(
        &mut self,
        names: &[&str],
        source: AttributeSource,
        place: &Place,
        says: impl Fn(&str) -> String,
    ) {
        let Ok(signature) = &mut self.signature else { return };
        let bare = |name: &str| name.trim_start_matches('_').to_owned();
        let fits = |(parameter, name): (&Parameter, &&str)| {
            parameter.name.as_deref().is_none_or(|known| name.is_empty() || bare(known) == bare(name))
        };
        let named: Vec<String> =
            names.iter().filter(|name| !name.is_empty()).map(|name| bare(name)).collect();
        let is_distinct = named.iter().enumerate().all(|(index, name)| !named[..index].contains(name));
        if names.len() != signature.parameters.len()
            || !is_distinct
            || source != AttributeSource::DebugInfo && !signature.parameters.iter().zip(names).all(fits)
        {
            return;
        }
        let known: Vec<String> =
            signature.parameters.iter().filter_map(|parameter| parameter.name.as_deref()).map(bare).collect();
        for (index, (parameter, name)) in signature.parameters.iter_mut().zip(names).enumerate() {
            if parameter.name.is_none() && is_identifier(name) && !known.contains(&bare(name)) {
                parameter.name = Some((*name).to_owned());
                let of = AttributeKind::Named(index + 1, (*name).to_owned());
                self.attributes.push(Attribute { of, text: says(name), place: place.clone(), source });
            }
        }
    }

    /// Whether a parameter has no name.
    pub(crate) fn lacks_names(&self) -> bool {
        let parameters = self.signature.as_ref().map(|signature| signature.parameters.as_slice());
        parameters.unwrap_or_default().iter().any(|parameter| parameter.name.is_none())
    }
}

fn is_identifier(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name.chars().any(|c| c.is_ascii_alphabetic())
        && !name.starts_with(|c: char| c.is_ascii_digit())
}
