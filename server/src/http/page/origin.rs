//! The origin of the page itself, which calls its own server.

use axum::http::{HeaderMap, HeaderValue, header};

/// Whether a request with this `Origin` comes from a page of this server. `Host` has been checked before: so the name is
/// one of this server, and not that of a page which made its own name resolve to this machine.
///
/// Behind a proxy that speaks TLS the page has another scheme than the server. Then the browser itself must say that the
/// origin is the same, in a header that no page can set.
pub(in crate::http) fn is_own(origin: &HeaderValue, headers: &HeaderMap, has_tls: bool) -> bool {
    let text = |value: &HeaderValue| value.to_str().unwrap_or_default().to_ascii_lowercase();
    let (origin, host) = (text(origin), headers.get(header::HOST).map(text).unwrap_or_default());
    let Some((scheme, authority)) = origin.split_once("://") else { return false };
    if host.is_empty() || authority != host {
        return false;
    }
    let own = if has_tls { "https" } else { "http" };
    let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    scheme == own || (scheme == "https" && site == Some(b"same-origin"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(origin: &'static str, host: &'static str, site: Option<&'static str>, has_tls: bool) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_static(host));
        if let Some(site) = site {
            headers.insert("sec-fetch-site", HeaderValue::from_static(site));
        }
        is_own(&HeaderValue::from_static(origin), &headers, has_tls)
    }

    #[test]
    fn the_origin_of_the_page_is_scheme_host_and_port_of_the_server() {
        assert!(own("http://127.0.0.1:17001", "127.0.0.1:17001", None, false));
        assert!(own("http://[::1]:17001", "[::1]:17001", None, false));
        assert!(own("https://Tools.example.com", "tools.example.com", None, true));
    }

    #[test]
    fn another_port_host_or_scheme_is_another_origin() {
        for (origin, has_tls) in [
            ("http://127.0.0.1:17002", false),
            ("http://localhost:17001", false),
            ("http://evil.example", false),
            ("https://127.0.0.1:17001", false),
            ("http://127.0.0.1:17001", true),
            ("http://127.0.0.1:17001.evil.example", false),
            ("null", false),
            ("", false),
            ("://127.0.0.1:17001", false),
        ] {
            assert!(!own(origin, "127.0.0.1:17001", None, has_tls), "{origin}");
            assert!(!own(origin, "127.0.0.1:17001", Some("same-site"), has_tls), "{origin}");
        }
        assert!(!own("http://", "", None, false));
    }

    #[test]
    fn behind_a_proxy_with_tls_the_browser_says_that_the_origin_is_the_same() {
        assert!(own("https://tools.example.com", "tools.example.com", Some("same-origin"), false));
        assert!(!own("https://tools.example.com", "tools.example.com", Some("cross-site"), false));
        assert!(!own("http://tools.example.com", "tools.example.com", Some("same-origin"), true));
    }
}
