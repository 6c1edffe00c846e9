//! The host names that requests may use.
//!
//! A web page can make its own name resolve to this machine, and its requests are then not from a foreign origin for the
//! browser. But they have its name in `Host`. An address cannot be made to resolve to another one, so any is accepted.

use std::net::IpAddr;

use axum::extract::Request;
use axum::http::header;

/// The names besides `localhost`.
#[derive(Clone, Debug, Default)]
pub(super) struct Hosts(Vec<String>);

impl Hosts {
    pub(super) fn insert(&mut self, name: &str) {
        self.0.push(name.trim_end_matches('.').to_ascii_lowercase());
    }

    /// Whether a request names this server.
    pub(super) fn allow(&self, request: &Request) -> bool {
        let mut hosts = request.headers().get_all(header::HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else { return false };
        let in_line = request.uri().authority();
        host.to_str().is_ok_and(|host| self.has(host))
            && in_line.is_none_or(|authority| self.has(authority.as_str()))
    }

    fn has(&self, authority: &str) -> bool {
        let Some(name) = name(authority) else { return false };
        if name.parse::<IpAddr>().is_ok() {
            return true;
        }
        let name = name.trim_end_matches('.').to_ascii_lowercase();
        name == "localhost" || self.0.contains(&name)
    }
}

/// The name without its port and without the brackets of an address.
fn name(authority: &str) -> Option<&str> {
    if let Some(rest) = authority.strip_prefix('[') {
        let (address, port) = rest.split_once(']')?;
        return (port.is_empty() || port.starts_with(':')).then_some(address);
    }
    match authority.split_once(':') {
        Some((name, port)) => port.bytes().all(|byte| byte.is_ascii_digit()).then_some(name),
        None => Some(authority),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;

    fn allowed(hosts: &Hosts, host: Option<&str>, line: &str) -> bool {
        let request = Request::builder().uri(line);
        let request = host.into_iter().fold(request, |request, host| request.header(header::HOST, host));
        hosts.allow(&request.body(Body::empty()).expect("a request"))
    }

    #[test]
    fn addresses_localhost_and_the_names_given_are_accepted() {
        let mut hosts = Hosts::default();
        hosts.insert("Tools.Example.com");
        for host in [
            "localhost",
            "LOCALHOST:80",
            "localhost.",
            "127.0.0.1:17001",
            "[::1]",
            "[::1]:80",
            "192.168.1.5:80",
            "tools.example.com",
            "tools.example.com:443",
        ] {
            assert!(allowed(&hosts, Some(host), "/"), "{host}");
        }
    }

    #[test]
    fn any_other_name_is_refused() {
        for host in [
            "evil.example",
            "evil.example:17001",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "evil.example@127.0.0.1",
            "localhost:80:evil",
            "[::1].evil.example",
            "[::1",
            "",
        ] {
            assert!(!allowed(&Hosts::default(), Some(host), "/"), "{host}");
        }
        assert!(!allowed(&Hosts::default(), None, "/"));
        assert!(!allowed(&Hosts::default(), Some("localhost"), "http://evil.example/"));
    }
}
