//! Memory that C may use after the call. The words here only raise questions.

use super::context::Pointee;
use super::described::Described;
use super::names::words;
use super::question::Question;
use super::scalar::Object;
use super::site::Site;
use super::thrown;
use crate::AttributeKind;

/// Words of functions that may keep a pointer that they are given.
const KEEPS: [&str; 14] = [
    "assign",
    "attach",
    "bind",
    "borrow",
    "configure",
    "const",
    "literal",
    "nocopy",
    "register",
    "set",
    "setup",
    "static",
    "use",
    "wrap",
];

/// How the documentation of a function begins that may keep a pointer.
const SETS: [&str; 5] = ["set", "sets", "used to set", "registers", "attaches"];

/// Words of functions that keep memory which nobody owns.
const STATIC: [&str; 3] = ["const", "nocopy", "static"];

/// Words of functions that may make something of memory, and read it later.
const MAKES: [&str; 9] = ["create", "feed", "from", "init", "initialize", "input", "make", "new", "open"];

/// Words of the documentation that suggest that C uses a pointer after the call.
const VALID: [&str; 19] = [
    "remain valid",
    "remains valid",
    "stay valid",
    "stays valid",
    "be valid",
    "not copied",
    "not copy",
    "not freed",
    "not be freed",
    "outlive",
    "outlives",
    "lifetime",
    "kept",
    "keeps",
    "string constant",
    "permanently",
    "must persist",
    "no copy",
    "not duplicated",
];

/// Words of the documentation that say that C makes a copy.
const COPIED: [&str; 6] =
    ["is copied", "are copied", "copied internally", "makes a copy", "duplicated", "strdup"];

/// The question whether C keeps the pointer, if something suggests it; `schema` leaves its content open, and `answer`
/// describes it.
pub(super) fn doubt(site: &Site<'_, '_>, is_text: bool, schema: Object, answer: Object) -> Option<Described> {
    let said = &site.entry.said;
    let name = site.name();
    let objects = [site.raw_name().to_lowercase()];
    let lent = site.entry.states_lent(site.position());
    // "must be valid UTF-8" is about its content.
    let words: Vec<&str> = VALID.into_iter().filter(|words| lent.is_none() || *words != "be valid").collect();
    let told = said.suggests(&words, &objects).or_else(|| {
        if lent.is_some() {
            return None;
        }
        let words: &[&str] =
            if is_text { &["string", "strings"] } else { &["buffer", "data", "memory", "pointer"] };
        said.suggests(&VALID, &words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
    });
    // What it copies without an option it may keep with it.
    let has_option = is_text && lent.is_none() && has_option(site) && site.is_not_kept().is_none();
    let is_kept = match lent {
        // What is lent is used during the call, unless it is memory that lives as long as the program, that a
        // callback frees, or that something is made of: `gdk_pixbuf_new_from_inline` may use it later.
        Some(_) => {
            has(site, &STATIC) || !is_text && (has_free(site) || has(site, &MAKES) && has_keeper(site))
        }
        None => {
            has(site, &KEEPS)
                || has_destructor(site)
                || has_option
                || said.begins_with(&SETS)
                || !is_text && has(site, &MAKES) && has_keeper(site)
        }
    };
    // What the documentation says of later use stands against the code of one version.
    if told.is_none() && !has_option && (said.mentions(&COPIED) || site.is_not_kept().is_some()) {
        return None;
    }
    // A text that a file lends is used during the call, where nothing else is there that could keep it: whatever the code
    // stores it in is then its own.
    let is_lent_text = lent.is_some() && is_text && !has_keeper(site);
    let told = told.or_else(|| site.may_be_kept().filter(|_| !is_lent_text));
    if told.is_none() && !is_kept {
        return None;
    }
    let because = told.as_ref().map(|told| format!(" ({told})")).unwrap_or_default();
    let text = format!(
        "Does C use the memory of `{name}` after the call?{because} (If it does, write \"x-keeps\" with the name of the \
         parameter, or \"return\", that keeps it.) If it does not, or as well,"
    );
    Some(Described::undescribed(
        schema,
        keepers(Question::new(text, answer.clone()), site, &answer).because(told),
    ))
}

/// Asks whether C uses memory with a length after the call, if the function has a callback that is called later, such as when
/// it has been filled, or if the code stores the pointer. What C only reads was doubted before where it is bytes.
pub(super) fn or_asked(described: Described, site: &Site<'_, '_>) -> Described {
    if !described.is_certain_array() || site.is_not_kept().is_some() || site.entry.said.mentions(&COPIED) {
        return described;
    }
    let because = site.may_be_kept();
    if because.is_none() && !has_free(site) {
        return described;
    }
    let reason = because.as_ref().map(|told| format!(" ({told})")).unwrap_or_default();
    let text = format!(
        "Does C use the memory of `{}` after the call?{reason} (If it does, only remove the question: then only unsafe code can \
         pass it.) If it does not,",
        site.name()
    );
    described
        .doubted(|answer| Question::new(text, answer).likely("no, only during the call").because(because))
}

/// Whether the name of the function speaks of memory that nobody owns.
pub(super) fn is_static(site: &Site<'_, '_>) -> bool {
    has(site, &STATIC)
}

/// Whether the function takes a callback that is called later, which may free what it was given.
fn has_free(site: &Site<'_, '_>) -> bool {
    let attributes = &site.entry.function.attributes;
    attributes.iter().any(|attribute| matches!(attribute.of, AttributeKind::CalledLater(_)))
}

/// How many handles of a function the answers name.
const MOST_KEEPERS: usize = 2;

/// Words the answers of a question whether C uses something after the call; `answer` are the keys of every answer.
pub(super) fn keepers(question: Question, site: &Site<'_, '_>, answer: &Object) -> Question {
    let is_handle = |id| matches!(site.context.pointee(id), Some((Pointee::Handle(_), false)));
    let signature = site.entry.signature;
    let others = (0..signature.parameters.len())
        .filter(|index| *index != site.index && is_handle(signature.parameters[*index].of))
        .take(MOST_KEEPERS)
        .map(|index| (format!("`{}` uses it from now on", site.name_of(index)), site.name_of(index)));
    let returned =
        is_handle(signature.returns).then(|| ("the result uses it from now on".to_owned(), "return"));
    let question = question.likely("no, only during the call");
    others.chain(returned).fold(question, |question, (label, keeper)| {
        let mut changes = answer.clone();
        changes.insert("x-keeps".to_owned(), keeper.into());
        question.or(label, changes)
    })
}

fn has(site: &Site<'_, '_>, list: &[&str]) -> bool {
    words(&site.entry.name).iter().any(|word| list.contains(&word.as_str()))
}

/// Whether the function takes an integer that may be an option to keep the pointer, of which the headers have one.
fn has_option(site: &Site<'_, '_>) -> bool {
    let has_integer = (0..site.entry.signature.parameters.len()).any(|index| site.is_integer(index));
    has_integer && site.context.has_option_to_keep(site.raw_name())
}

/// Whether the function takes a callback that frees what it is given, and so may free it later.
fn has_destructor(site: &Site<'_, '_>) -> bool {
    const FREES: [&str; 6] = ["cleanup", "destroy", "destructor", "dtor", "free", "release"];
    site.entry.signature.parameters.iter().any(|parameter| {
        let is_callback = matches!(site.context.pointee(parameter.of), Some((Pointee::Function(_), _)));
        let name = parameter.name.as_deref().unwrap_or_default();
        is_callback && words(name).iter().any(|word| FREES.contains(&word.as_str()))
    })
}

/// Whether the name of the function suggests that it keeps what it is given.
pub(super) fn may_keep(site: &Site<'_, '_>) -> bool {
    !site.entry.said.mentions(&COPIED) && (has(site, &KEEPS) || has(site, &MAKES) && has_keeper(site))
}

/// Whether something can keep a pointer: another pointer that C can change, or one that it returns.
fn has_keeper(site: &Site<'_, '_>) -> bool {
    let is_keeper = |id| {
        matches!(
            site.context.pointee(id),
            Some((
                Pointee::Handle(_) | Pointee::State(_) | Pointee::Fields(_) | Pointee::Pointer { .. },
                false
            ))
        )
    };
    let parameters = site.entry.signature.parameters.iter().enumerate();
    // An error has texts of its own.
    let is_other =
        |index: usize| index != site.index && thrown::parameter(&Site { index, ..*site }).is_none();
    is_keeper(site.entry.signature.returns)
        || parameters.filter(|(index, _)| is_other(*index)).any(|(_, parameter)| is_keeper(parameter.of))
}
