//! The page for people at `/`: its files, which hold nothing of the server and need no key, and the route of its data,
//! which needs one as every other route does.
//!
//! The page calls the server as any client does. What it needs beyond `/opentool/load` is in `data`. It is served with a
//! policy under which a browser runs no script but these files and connects to no server but this one.

mod data;
mod origin;

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::Response;

use super::reply;
pub(super) use data::data;
pub(super) use origin::is_own;

/// The route of the data.
pub(super) const DATA: &str = "/page/data";

/// One file of the page.
struct File {
    path: &'static str,
    content_type: &'static str,
    text: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

macro_rules! files {
    ($($path:literal $name:literal $content_type:ident)*) => {
        &[$(File { path: $path, content_type: $content_type, text: include_str!(concat!("../../../page/", $name)) }),*]
    };
}

/// Every file. `/` is the first, which loads the others.
const FILES: &[File] = files! {
    "/" "index.html" HTML
    "/page/icon.svg" "icon.svg" ICON
    "/page/style.css" "style.css" CSS
    "/page/form.css" "form.css" CSS
    "/page/main.js" "main.js" SCRIPT
    "/page/server.js" "server.js" SCRIPT
    "/page/element.js" "element.js" SCRIPT
    "/page/json.js" "json.js" SCRIPT
    "/page/functions.js" "functions.js" SCRIPT
    "/page/call.js" "call.js" SCRIPT
    "/page/field.js" "field.js" SCRIPT
    "/page/value.js" "value.js" SCRIPT
    "/page/group.js" "group.js" SCRIPT
    "/page/schema.js" "schema.js" SCRIPT
    "/page/handles.js" "handles.js" SCRIPT
    "/page/reply.js" "reply.js" SCRIPT
    "/page/log.js" "log.js" SCRIPT
    "/page/same.js" "same.js" SCRIPT
    "/page/key.js" "key.js" SCRIPT
};

const ICON: &str = "image/svg+xml";

/// What a browser is told to do with the files: the scripts and styles of this server alone, no frames, no forms that are
/// sent, no text as code.
const HEADERS: [(HeaderName, &str); 7] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    // After an update of the server the files are new.
    (header::CACHE_CONTROL, "no-cache"),
];

/// What the attribute `data-key` of the page says on a server without keys.
const NO_KEY: &str = "data-key=\"none\"";
const KEY: &str = "data-key=\"required\"";

/// The file that a request asks for, if it asks for one. `needs_key` tells the page whether to ask for a key.
pub(super) fn file(request: &Request, needs_key: bool) -> Option<Response> {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return None;
    }
    let file = FILES.iter().find(|file| file.path == request.uri().path())?;
    let mut response = if file.path == "/" && needs_key {
        reply::of_type(StatusCode::OK, file.content_type, file.text.replacen(NO_KEY, KEY, 1))
    } else {
        reply::of_type(StatusCode::OK, file.content_type, file.text)
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    Some(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a file loads: the values of `src`, `href` and `from`.
    fn loaded(text: &'static str) -> impl Iterator<Item = &'static str> {
        ["src=\"", "href=\"", "from \""]
            .into_iter()
            .flat_map(move |before| text.split(before).skip(1).filter_map(|rest| rest.split('"').next()))
    }

    #[test]
    fn the_files_load_each_other_and_nothing_else() {
        let mut reached = vec!["/"];
        let mut next = 0;
        while let Some(path) = reached.get(next).copied() {
            let file = FILES.iter().find(|file| file.path == path);
            let text = file.unwrap_or_else(|| panic!("{path} is not served")).text;
            for other in loaded(text).filter(|other| !other.starts_with('#')) {
                let other = other.replacen("./", "/page/", 1);
                let known = FILES.iter().find(|file| file.path == other);
                let known = known.unwrap_or_else(|| panic!("{path} loads {other}"));
                if !reached.contains(&known.path) {
                    reached.push(known.path);
                }
            }
            next += 1;
        }
        assert_eq!(reached.len(), FILES.len(), "only {reached:?} are used");
    }

    #[test]
    fn the_files_have_no_inline_script_and_no_inline_style() {
        for file in FILES {
            for inline in ["<style", "style=\"", "onclick=\"", "javascript:", "innerHTML", "eval("] {
                assert!(!file.text.contains(inline), "{} has {inline}", file.path);
            }
        }
        assert!(FILES[0].text.contains(NO_KEY));
    }
}
