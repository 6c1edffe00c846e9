//! The names of parameters from debug info, for declarations that have none.

use crate::{AttributeSource, Function, Interface, Place};

/// Names the parameters of `interface` that have no name as the definitions in `debug_info` do.
pub(super) fn apply(interface: &mut Interface, debug_info: &Interface) {
    for function in interface.functions.iter_mut().filter(|function| function.lacks_names()) {
        let symbol = function.symbol.as_deref().unwrap_or(&function.name);
        if let Some(defined) = debug_info.function(symbol).or_else(|| debug_info.function(&function.name)) {
            name(function, defined);
        }
    }
}

fn name(function: &mut Function, defined: &Function) {
    let Ok(signature) = &defined.signature else { return };
    let names: Vec<&str> =
        signature.parameters.iter().map(|parameter| parameter.name.as_deref().unwrap_or_default()).collect();
    let place = defined.place.clone().or_else(|| function.place.clone());
    let place = place.unwrap_or_else(|| Place { file: String::new(), line: 0 });
    let definition = format!("{}({})", defined.name, names.join(", "));
    function.name_parameters(&names, AttributeSource::DebugInfo, &place, |_| definition.clone());
}
