//! What the overview of a library, in section 7, says of all functions with a number in their names: "In the 0 version the
//! ownership of the object is … retained by (for a get) the parent object."
//!
//! An overview counts only if pages of the functions themselves refer to it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::super::stated::RETURNS;
use super::pages::{Page, Pages, content};
use super::troff;
use crate::{
    Attribute, AttributeKind, AttributeSource, Function, Interface, Place, Transfer, Type, TypeId, Types,
};

/// Words of a function's own documentation that may say otherwise.
const OTHERWISE: [&str; 8] = ["caller", "copies", "copy", "free", "new ", "release", "up ref", "up_ref"];

/// States of the functions that give what belongs to something else that it does.
pub(super) fn apply(interface: &mut Interface, pages: &Pages) {
    let overviews: BTreeSet<PathBuf> = pages.all().flat_map(overviews).collect();
    let Some((sentence, place)) = overviews.iter().find_map(|path| of_gets(path)) else { return };
    let types = &interface.types;
    for function in interface.functions.iter_mut().filter(|function| is_get(function, types)) {
        function.attributes.push(Attribute {
            of: AttributeKind::Transfer(RETURNS, Transfer::None),
            text: sentence.clone(),
            place: place.clone(),
            source: AttributeSource::Documentation,
        });
    }
}

/// The overviews that a page refers to: `crypto(7)`, of the same part of the manual as the page.
fn overviews(page: &Page) -> Vec<PathBuf> {
    let file = Path::new(&page.file);
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let ending = name.strip_suffix(".gz").unwrap_or(name).rsplit_once(".3").map_or("", |(_, ending)| ending);
    let Some(folder) = file.parent().and_then(Path::parent) else { return Vec::new() };
    let text = page.joined("SEE ALSO");
    let named = text.split([',', ' ']).filter_map(|word| word.trim().strip_suffix("(7)"));
    let paths = named
        .flat_map(|name| ["", ".gz"].map(|packed| folder.join(format!("man7/{name}.7{ending}{packed}"))));
    paths.filter(|path| path.is_file()).collect()
}

/// The sentence about what functions with "get0" in their names give, and where it is.
fn of_gets(path: &Path) -> Option<(String, Place)> {
    let sections = troff::sections(&content(path)?);
    let section = sections.iter().find(|section| section.joined().contains("get0"))?;
    let text = section.joined();
    let says = |sentence: &&str| {
        sentence.contains("0 version") && sentence.contains("retained by (for a get) the parent object")
    };
    let sentence = text.split(". ").find(says)?.trim().to_owned() + ".";
    let line =
        section.lines.iter().find(|(line, _)| line.contains("0 version")).map_or(1, |(_, number)| *number);
    Some((sentence, Place { file: path.display().to_string(), line }))
}

/// Whether a function has the word in its name, gives a pointer, and has what that may belong to; and whether its own
/// documentation does not say otherwise.
fn is_get(function: &Function, types: &Types) -> bool {
    let Ok(signature) = &function.signature else { return false };
    let is_pointer = |id| matches!(types.resolve(id), Type::Pointer { .. });
    let own = function.comment.as_ref().map(|comment| comment.text.to_lowercase()).unwrap_or_default();
    function.name.split('_').any(|word| word == "get0")
        && is_pointer(signature.returns)
        && signature.parameters.first().is_some_and(|first| is_pointer(first.of))
        && (own.contains("internal") || !may_be_collected(signature.returns, types))
        && !OTHERWISE.iter().any(|word| own.contains(word))
}

/// Whether a result may be a stack that the function makes, only of what belongs to something else: `PKCS7_get0_signers`.
fn may_be_collected(id: TypeId, types: &Types) -> bool {
    let Type::Pointer { to, constant: false } = types.resolve(id) else { return false };
    match types.resolve(*to) {
        Type::Record(record) => record.name.as_ref().is_some_and(|name| name.starts_with("stack")),
        _ => false,
    }
}
