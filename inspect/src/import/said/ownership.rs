//! What the documentation says about who frees, owns or takes something.

use std::borrow::Cow;

use super::super::evidence::Evidence;
use super::doubt::refers;
use super::plain::Plain;
use super::sentence::{About, Sentence, stripped};
use super::{POINTER, Said};

impl Said {
    /// What proves that the result of `function`, or its output `parameter`, is freed with one that `is_function`
    /// knows. A sentence of a comment that is shared must name `function`.
    pub(in super::super) fn freed_with(
        &self,
        function: &str,
        parameter: Option<&str>,
        is_function: impl Fn(&str) -> bool,
    ) -> Option<(String, Evidence)> {
        self.freed(parameter, is_function, |sentence| !self.is_shared || sentence.names(function))
    }

    /// What proves that the memory that `function` returns is freed with one that `is_function` knows: the sentence
    /// speaks of the result.
    pub(in super::super) fn memory_freed_with(
        &self,
        function: &str,
        is_function: impl Fn(&str) -> bool,
    ) -> Option<(String, Evidence)> {
        self.freed(None, is_function, |sentence| {
            let plain = sentence.bare();
            let is_meant = sentence.about == About::Returns
                || plain.has_any(&["returned", "result", "returns", "string", "caller"]);
            is_meant && (!self.is_shared || sentence.names(function))
        })
    }

    /// The functions that a comment, shared or not, says free something.
    pub(in super::super) fn named_frees(
        &self,
        parameter: Option<&str>,
        is_function: impl Fn(&str) -> bool,
    ) -> Option<(String, Evidence)> {
        self.freed(parameter, is_function, |_| true)
    }

    fn freed(
        &self,
        parameter: Option<&str>,
        is_function: impl Fn(&str) -> bool,
        is_meant: impl Fn(&Sentence) -> bool,
    ) -> Option<(String, Evidence)> {
        self.sentences.iter().filter(|sentence| is_meant(sentence)).find_map(|sentence| {
            let is_about = match (&sentence.about, parameter) {
                (About::Parameter(name), Some(parameter)) => name == parameter,
                (About::Parameter(_), None) => false,
                (About::Returns, parameter) => parameter.is_none(),
                (About::Function, _) => true,
            };
            if !is_about {
                return None;
            }
            let bare = sentence.bare();
            // A NULL needs nothing.
            let plain = match bare.has("if non-null") {
                true => Cow::Owned(bare.replace(" if non-null ", " ").split_whitespace().collect()),
                false => Cow::Borrowed(bare),
            };
            if plain.has_any(&["not", "never", "don't", "unless", "if"]) {
                return None;
            }
            let named: Vec<&str> =
                sentence.text.split_whitespace().map(stripped).filter(|word| is_function(word)).collect();
            let (first, others) = named.split_first()?;
            let before = plain.split(&format!(" {} ", first.to_lowercase())).next()?;
            let is_due = before.ends_with("must have a corresponding call to");
            let after = plain.split(&format!(" {} ", first.to_lowercase())).nth(1).unwrap_or_default();
            let is_used = before.ends_with(" use") && is_freed_after(after);
            (others.iter().all(|other| other == first) && (is_due || is_used || is_freed_before(before)))
                .then(|| ((*first).to_owned(), sentence.evidence()))
        })
    }

    /// What proves that the function frees its only handle: a sentence that begins with the verb, and whose
    /// object is one of `objects`.
    pub(in super::super) fn frees(&self, objects: &[String]) -> Option<Evidence> {
        const VERBS: [&str; 10] = [
            "free",
            "frees",
            "destroy",
            "destroys",
            "deallocate",
            "deallocates",
            "dispose",
            "disposes",
            "deletes",
            "releases",
        ];
        const BETWEEN: [&str; 16] = [
            "the",
            "a",
            "an",
            "this",
            "given",
            "specified",
            "passed",
            "previously",
            "allocated",
            "existing",
            "created",
            "opened",
            "of",
            "all",
            "entire",
            "in-memory",
        ];
        self.own().find_map(|sentence| {
            if sentence.about != About::Function {
                return None;
            }
            let plain = sentence.bare();
            if gives_up_reference(plain, objects) {
                return Some(sentence.evidence());
            }
            let doubtful =
                ["not", "only", "if", "unused", "cache", "cached", "memory", "contents", "internal"];
            if plain.has_any(&doubtful) {
                return None;
            }
            let mut words = plain.split_whitespace().skip_while(|word| matches!(*word, "brief" | "@brief"));
            words.next().filter(|word| VERBS.contains(word))?;
            let object = words.find(|word| !BETWEEN.contains(word))?;
            objects.iter().any(|known| known == object).then(|| sentence.evidence())
        })
    }

    /// Whether a word speaks of something that the result may share with what it is made of.
    pub(in super::super) fn speaks_of_sharing(&self) -> bool {
        const SHARING: [&str; 26] = [
            "alias",
            "as long as",
            "backed by",
            "belongs",
            "borrow",
            "borrows",
            "child",
            "children",
            "outlive",
            "outlives",
            "owned",
            "parent",
            "points into",
            "portion of",
            "reference",
            "references",
            "refers",
            "remain valid",
            "shallow",
            "share",
            "shared",
            "shares",
            "sub",
            "valid until",
            "view",
            "wraps",
        ];
        self.sentences.iter().any(|sentence| sentence.bare().has_any(&SHARING))
    }

    /// What proves that the result belongs to a parameter.
    pub(in super::super) fn owned_by(&self, parameter: &str) -> Option<Evidence> {
        let owns = |sentence: &&Sentence| {
            let plain = sentence.plain(&[(parameter, POINTER)]);
            let is_about = matches!(sentence.about, About::Returns | About::Function);
            is_about
                && ["owned by", "belongs to"]
                    .iter()
                    .any(|words| plain.has_row(&[words, POINTER]) || plain.has_row(&[words, "the", POINTER]))
        };
        self.own().find(owns).map(Sentence::evidence)
    }

    /// What proves that the function returns the handle that it is given.
    pub(in super::super) fn returns_same(&self, parameter: &str) -> Option<Evidence> {
        let says = |sentence: &&Sentence| {
            let plain = sentence.plain(&[(parameter, POINTER)]);
            let words: Vec<&str> = plain
                .split_whitespace()
                .skip_while(|word| word.starts_with("@ret") || word.starts_with("return"))
                .collect();
            sentence.about == About::Returns
                && (words == [POINTER]
                    || words == ["the", POINTER]
                    || words.starts_with(&["the", "same"])
                    || words.starts_with(&["the", "passed"])
                    || words.starts_with(&["the", POINTER, "that", "was", "passed", "in"]))
        };
        self.own().find(says).map(Sentence::evidence)
    }

    /// The sentence that says that C takes or keeps a parameter, to be shown in the question.
    pub(in super::super) fn takes(&self, parameter: &str) -> Option<Evidence> {
        const TAKES: [&str; 7] =
            ["ownership", "owned", "owns", "takes over", "transfer full", "stolen", "consumed"];
        self.sentences
            .iter()
            .find(|sentence| {
                let plain = sentence.plain(&[(parameter, POINTER)]);
                let is_about = match &sentence.about {
                    About::Parameter(name) => name == parameter,
                    About::Function => plain.has(POINTER),
                    About::Returns => false,
                };
                is_about && plain.has_any(&TAKES)
            })
            .map(Sentence::evidence)
    }

    /// What proves that C only uses a handle during the call: the function is documented, and no sentence about the
    /// handle, which the text may call one of `objects`, speaks of freeing or keeping it. If the function has other
    /// pointers that C can change, none may speak of giving it to one of them.
    pub(in super::super) fn is_silent_about(&self, objects: &[String], has_others: bool) -> Option<Evidence> {
        let first = self.sentences.iter().find(|sentence| sentence.about == About::Function)?;
        let is_told = self.sentences.iter().any(|sentence| {
            let is_own = !matches!(sentence.about, About::Parameter(_)) && !sentence.is_of_other(&self.name);
            is_own
                && !refers(sentence.bare())
                && !sentence.is_only_name(&self.name)
                && !sentence.is_declaration()
        });
        let is_silent = self.sentences.iter().all(|sentence| {
            let plain = sentence.bare();
            let is_meant = match &sentence.about {
                About::Parameter(name) => objects.contains(&name.to_lowercase()),
                About::Returns => false,
                About::Function => {
                    std::ptr::eq(sentence, first)
                        || sentence.bare().split_whitespace().count() > 3
                            && first.bare().split_whitespace().count() <= 3
                        || objects.iter().any(|name| plain.has(name))
                        || plain.has_any(&["handle", "object", "pointer"])
                }
            };
            let gives = has_others && speaks_of_giving(plain);
            !(is_meant && (speaks_of_ownership(plain) || gives) || treats_it(plain))
        });
        // A title is no sentence.
        let is_sentence = |sentence: &&Sentence| {
            let plain = sentence.bare();
            let is_own = sentence.about == About::Function && !sentence.is_of_other(&self.name);
            is_own
                && plain.split_whitespace().count() > 3
                && !refers(plain)
                && !sentence.is_only_name(&self.name)
                && !sentence.is_declaration()
        };
        let shown = self.sentences.iter().find(is_sentence).unwrap_or(first);
        (self.is_about_function && is_told && is_silent).then(|| shown.evidence())
    }
}

/// "Atomically decrements the reference count of @source by one."
pub(super) fn gives_up_reference(plain: &str, objects: &[String]) -> bool {
    const VERBS: [&str; 10] = [
        "decrements",
        "decrement",
        "decreases",
        "decrease",
        "drops",
        "drop",
        "releases",
        "release",
        "removes",
        "unreferences",
    ];
    let articles = ["the", "a", "an", "its", "one", "given", "specified"];
    let words: Vec<&str> = plain.split_whitespace().filter(|word| !articles.contains(word)).collect();
    let words = match words.as_slice() {
        ["atomically" | "brief" | "@brief", rest @ ..] => rest,
        words => words,
    };
    let object = match words {
        [verb, "reference", "count", "of" | "on" | "for" | "from", object, ..]
        | [verb, "refcount" | "reference", "of" | "on" | "to" | "from" | "held", object, ..]
            if VERBS.contains(verb) =>
        {
            object
        }
        ["unreferences", object, ..] => object,
        _ => return false,
    };
    objects.iter().any(|known| known == object)
}

/// Whether a sentence speaks of giving one thing to another.
fn speaks_of_giving(plain: &str) -> bool {
    const STEMS: [&str; 22] = [
        "associat", "assign", "add", "append", "prepend", "attach", "set", "link", "regist", "bind",
        "insert", "push", "put", "replac", "stor", "use", "using", "join", "connect", "queue", "schedul",
        "install",
    ];
    plain.split_whitespace().any(|word| STEMS.iter().any(|stem| word.starts_with(stem)))
}

/// Whether something is freed or kept that the sentence only calls "it".
fn treats_it(plain: &Plain) -> bool {
    let words: Vec<&str> = plain.split_whitespace().collect();
    let is_it = |word: &str| matches!(word, "it" | "them" | "they");
    let position = words.iter().enumerate().filter(|(_, word)| is_it(word));
    position.into_iter().any(|(at, _)| {
        let around = words.get(at.saturating_sub(2)..(at + 4).min(words.len())).unwrap_or_default();
        speaks_of_ownership(&around.iter().copied().collect())
    })
}

/// Whether a sentence speaks of freeing, taking over or keeping something.
fn speaks_of_ownership(plain: &Plain) -> bool {
    const STEMS: [&str; 31] = [
        "free",
        "releas",
        "destroy",
        "delet",
        "dispos",
        "clos",
        "finali",
        "dealloc",
        "unref",
        "refcount",
        "own",
        "steal",
        "stolen",
        "consum",
        "transfer",
        "keep",
        "kept",
        "retain",
        "invalid",
        "lifetime",
        "outliv",
        "terminat",
        "discard",
        "clean",
        "remov",
        "shut",
        "detach",
        "attach",
        "adopt",
        "relinquish",
        "abort",
    ];
    const PHRASES: [&str; 10] = [
        "no longer",
        "global variable",
        "reference count",
        "valid until",
        "until the",
        "not be used",
        "must remain",
        "must stay",
        "takes over",
        "take over",
    ];
    // What a transaction does. "The commit" is a thing.
    const NOUNS: [&str; 10] = ["the", "a", "an", "given", "this", "that", "each", "parent", "first", "last"];
    let is_commit = |(before, word): (&str, &str)| word.starts_with("commit") && !NOUNS.contains(&before);
    let mut pairs = std::iter::once("").chain(plain.split_whitespace()).zip(plain.split_whitespace());
    plain.split_whitespace().any(|word| STEMS.iter().any(|stem| word.starts_with(stem)))
        || plain.contains("commit") && pairs.any(is_commit)
        || plain.has_any(&PHRASES)
}

/// Whether the words behind the name of a function, after "use", say that it frees something.
fn is_freed_after(after: &str) -> bool {
    ["to free", "to unref", "to release", "to destroy", "when finished", "when done"]
        .iter()
        .any(|words| after.trim_start().starts_with(words))
}

/// Whether the words before the name of a function say that it frees something.
fn is_freed_before(before: &str) -> bool {
    const FREED: [&str; 15] = [
        "freed",
        "freeing",
        "released",
        "destroyed",
        "closed",
        "deallocated",
        "disposed",
        "finalized",
        "unreferenced",
        "free",
        "release",
        "destroy",
        "close",
        "deallocate",
        "deleted",
    ];
    const WITH: [&str; 7] = ["with", "by", "using", "via", "calling", "through", "to"];
    let mut words = before.split_whitespace().rev().take(8);
    let is_with = words
        .by_ref()
        .take(3)
        .take_while(|word| WITH.contains(word) || ["the", "a", "function", "it", "passing"].contains(word))
        .any(|word| WITH.contains(&word));
    is_with && before.split_whitespace().rev().take(9).any(|word| FREED.contains(&word))
}
