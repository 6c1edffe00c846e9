//! The function of a script that loads the library.

use super::literals::text;
use super::parts::{Module, Part};
use super::script::Script;
use opendyn_model::plan::Convention;

/// `variable` is the environment variable that names the file of the library, `given` the file otherwise, in place
/// of the one that the document names.
pub(super) fn loader(script: &mut Script<'_>, variable: &str, given: Option<&str>) -> String {
    let failed = script.part(Part::Failed);
    let (ctypes, os) = (script.module(Module::Ctypes), script.module(Module::Os));
    let mut text = "def _library():\n".to_owned();
    if script.binding.convention == Convention::Stdcall {
        text += &format!("    if {ctypes}.sizeof({ctypes}.c_void_p) == 4:\n");
        text += &format!("        raise {failed}('a script cannot call 32-bit stdcall functions')\n");
    }
    let file = file(script, given);
    text += &format!("    path = {os}.environ.get({}) or {}\n", self::text(variable), file.expression);
    if file.may_be_none {
        let platform = format!("{}.platform", script.module(Module::Sys));
        text += "    if path is None:\n";
        text += &format!(
            "        raise {failed}(f'the document names no library for {{{platform}}}; set {variable} to its path')\n"
        );
    }
    text += &format!("    try:\n        return {ctypes}.CDLL(path)\n    except OSError as error:\n");
    text += &format!(
        "        raise {failed}(f'cannot load `{{path}}`: {{error}}; {variable} can name another file') from None\n"
    );
    text
}

/// The file of a library on this machine.
struct File {
    expression: String,
    may_be_none: bool,
}

fn file(script: &mut Script<'_>, given: Option<&str>) -> File {
    let (windows, macos, linux) = match (given, &script.binding.default_library) {
        (Some(path), _) => (Some(path), Some(path), Some(path)),
        (None, None) => (None, None, None),
        (None, Some(library)) => {
            (library.windows.as_deref(), library.macos.as_deref(), library.linux.as_deref())
        }
    };
    let may_be_none = windows.is_none() || macos.is_none() || linux.is_none();
    let expression = |file: Option<&str>| file.map_or_else(|| "None".to_owned(), text);
    let other = expression(linux);
    if windows == linux && macos == linux {
        return File { expression: other, may_be_none };
    }
    let (windows, macos) = (expression(windows), expression(macos));
    let platform = format!("{}.platform", script.module(Module::Sys));
    let expression = format!("{{'win32': {windows}, 'darwin': {macos}}}.get({platform}, {other})");
    File { expression, may_be_none }
}
