//! The settings of a client.

use std::fmt;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use ureq::Agent;
use ureq::http::Uri;
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};

use super::Client;

const DEFAULT_CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);
const DEFAULT_RESPONSE_LIMIT: u64 = 16 << 20;
const DEFAULT_RETRIES: u32 = 2;
/// Node.js servers close a connection after five idle seconds. Dropping it earlier avoids a call on a connection
/// that is just being closed.
const MAX_IDLE: Duration = Duration::from_secs(4);

/// The settings of a [`Client`].
///
/// `https://` uses TLS with the public certificate authorities; `http://` is unencrypted. A proxy from the
/// environment is used, except for the local machine. Redirects are not followed.
#[must_use = "call `build` to make the client"]
pub struct ClientBuilder {
    base_url: String,
    api_key: Option<String>,
    roots: Option<Vec<u8>>,
    connect_timeout: Duration,
    timeout: Duration,
    response_limit: u64,
    retries: u32,
}

/// An invalid setting of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidSetting {
    /// The setting.
    pub setting: &'static str,
    /// What is wrong with it.
    pub message: String,
}

impl ClientBuilder {
    pub(super) fn new(base_url: String) -> Self {
        Self {
            base_url,
            api_key: None,
            roots: None,
            connect_timeout: DEFAULT_CONNECT_TIMEOUT,
            timeout: DEFAULT_TIMEOUT,
            response_limit: DEFAULT_RESPONSE_LIMIT,
            retries: DEFAULT_RETRIES,
        }
    }

    /// Sets the key that is sent with every request, as `Authorization: Bearer KEY`.
    pub fn api_key(self, key: impl Into<String>) -> Self {
        Self { api_key: Some(key.into()), ..self }
    }

    /// Sets how long it may take to connect. The default is 10 seconds.
    pub fn connect_timeout(self, limit: Duration) -> Self {
        Self { connect_timeout: limit, ..self }
    }

    /// Sets how long a request may take in total, and how long a stream may be silent. The default is 60 seconds.
    pub fn timeout(self, limit: Duration) -> Self {
        Self { timeout: limit, ..self }
    }

    /// Sets the maximum size of a reply, or of an event of a stream, in bytes. The default is 16 MiB.
    pub fn response_limit(self, bytes: u64) -> Self {
        Self { response_limit: bytes, ..self }
    }

    /// Sets how often a failed connection is retried. The default is 2. `version` and `load` are also retried when the
    /// connection breaks. A call is never sent twice.
    pub fn retries(self, retries: u32) -> Self {
        Self { retries, ..self }
    }

    /// Sets the certificate authorities to trust instead of the public ones, in PEM format.
    pub fn root_certificates(self, pem: impl Into<Vec<u8>>) -> Self {
        Self { roots: Some(pem.into()), ..self }
    }

    /// Makes the client. No request is sent yet.
    ///
    /// # Errors
    ///
    /// [`InvalidSetting`] names the invalid setting.
    pub fn build(self) -> Result<Client, InvalidSetting> {
        let (base_url, is_local) = base_url(&self.base_url)?;
        let authorization = self.api_key.as_deref().map(authorization).transpose()?;
        let roots = self.roots.as_deref().map(certificates).transpose()?;
        let agent = |limit: Option<Duration>, silence: Option<Duration>| {
            let mut config = Agent::config_builder()
                .http_status_as_error(false)
                .max_redirects(0)
                .max_redirects_will_error(false)
                .max_idle_age(MAX_IDLE)
                .user_agent(concat!("opentool-rust/", env!("CARGO_PKG_VERSION")))
                .timeout_connect(Some(self.connect_timeout))
                .timeout_global(limit)
                .timeout_recv_response(silence)
                .timeout_per_read(silence);
            if is_local {
                config = config.proxy(None);
            }
            if let Some(roots) = &roots {
                let roots = RootCerts::new_with_certs(roots);
                config = config.tls_config(TlsConfig::builder().root_certs(roots).build());
            }
            config.build().new_agent()
        };
        let streaming = agent(None, Some(self.timeout));
        let agent = agent(Some(self.timeout), None);
        Ok(Client {
            agent,
            streaming,
            base_url,
            authorization,
            timeout: self.timeout,
            response_limit: self.response_limit,
            retries: self.retries,
            calls: AtomicU64::new(0),
        })
    }
}

/// The URL without a trailing slash, and whether its host is the local machine.
fn base_url(given: &str) -> Result<(String, bool), InvalidSetting> {
    let invalid = |message: String| InvalidSetting { setting: "base_url", message };
    let uri: Uri = given.parse().map_err(|error| invalid(format!("`{given}` is not a URL: {error}")))?;
    if !matches!(uri.scheme_str(), Some("http" | "https")) {
        return Err(invalid(format!("`{given}` does not begin with http:// or https://")));
    }
    let host = uri.host().unwrap_or_default();
    if host.is_empty() {
        return Err(invalid(format!("`{given}` has no host")));
    }
    if uri.authority().is_some_and(|authority| authority.as_str().contains('@')) {
        return Err(invalid("a user and a password in the URL are not sent; use `api_key`".to_owned()));
    }
    if uri.query().is_some() {
        return Err(invalid(format!("`{given}` has a query")));
    }
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<std::net::IpAddr>();
    let is_local =
        host.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback());
    let url = given.trim_end_matches('/');
    let url = if uri.path() == "/" { format!("{url}/opentool") } else { url.to_owned() };
    Ok((url, is_local))
}

fn authorization(key: &str) -> Result<String, InvalidSetting> {
    // Only what a header can contain. The message must not show the key.
    if key.is_empty() || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        let message = "a key must have visible ASCII characters, at least one, and no spaces".to_owned();
        return Err(InvalidSetting { setting: "api_key", message });
    }
    Ok(format!("Bearer {key}"))
}

fn certificates(pem: &[u8]) -> Result<Vec<Certificate<'static>>, InvalidSetting> {
    let invalid = |message: String| InvalidSetting { setting: "root_certificates", message };
    let mut certificates = Vec::new();
    for item in parse_pem(pem) {
        if let PemItem::Certificate(certificate) = item.map_err(|error| invalid(error.to_string()))? {
            certificates.push(certificate);
        }
    }
    if certificates.is_empty() {
        return Err(invalid("it contains no certificate".to_owned()));
    }
    Ok(certificates)
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The key is a secret.
        f.debug_struct("Client").field("base_url", &self.base_url).finish_non_exhaustive()
    }
}

impl fmt::Debug for ClientBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientBuilder").field("base_url", &self.base_url).finish_non_exhaustive()
    }
}

impl fmt::Display for InvalidSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.setting, self.message)
    }
}

impl std::error::Error for InvalidSetting {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_without_a_path_ends_in_opentool() {
        for (given, url, is_local) in [
            ("http://127.0.0.1:17001", "http://127.0.0.1:17001/opentool", true),
            ("https://tools.example/", "https://tools.example/opentool", false),
            ("http://localhost/opentool/", "http://localhost/opentool", true),
            ("http://[::1]:80/tools/v1", "http://[::1]:80/tools/v1", true),
            ("http://10.0.0.1", "http://10.0.0.1/opentool", false),
        ] {
            assert_eq!(base_url(given), Ok((url.to_owned(), is_local)), "{given}");
        }
    }

    #[test]
    fn invalid_settings_are_named() {
        for (url, key, message) in [
            ("localhost:17001", "k", "does not begin with http://"),
            ("ftp://localhost", "k", "does not begin with http://"),
            ("http://", "k", "is not a URL"),
            ("http://u:p@host", "k", "use `api_key`"),
            ("http://host?x=1", "k", "has a query"),
            ("http://host", "", "visible ASCII"),
            ("http://host", "a\r\nb", "visible ASCII"),
        ] {
            let error = Client::builder(url).api_key(key).build().expect_err(url).to_string();
            assert!(error.contains(message), "{url}: {error}");
        }
        let error = Client::builder("https://host").root_certificates("no PEM").build();
        assert_eq!(error.expect_err("no certificate").setting, "root_certificates");
    }

    #[test]
    fn the_key_is_not_shown() {
        let builder = Client::builder("http://host").api_key("s3cret");
        assert!(!format!("{builder:?}").contains("s3cret"));
        assert!(!format!("{:?}", builder.build().expect("a client")).contains("s3cret"));
    }
}
