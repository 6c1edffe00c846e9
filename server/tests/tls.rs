//! HTTPS with a certificate that the test makes, and clients that verify it.

#![expect(clippy::expect_used, reason = "test helpers may panic")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use opentool::MapTool;
use opentool_server::{HttpLimits, Server};
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

/// The files of a certificate for `localhost`, and the certificate.
fn certificate(name: &str) -> (PathBuf, PathBuf, CertificateDer<'static>) {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    let (chain, key) = (folder.join("cert.pem"), folder.join("key.pem"));
    std::fs::write(&chain, made.cert.pem()).expect("it is written");
    std::fs::write(&key, made.signing_key.serialize_pem()).expect("it is written");
    (chain, key, made.cert.der().clone())
}

fn start(server: Server) -> SocketAddr {
    let (told, address) = mpsc::channel();
    std::thread::spawn(move || server.port(0).run(|address| told.send(address).expect("the test waits")));
    address.recv_timeout(Duration::from_secs(30)).expect("it listens")
}

fn echo() -> Server {
    Server::serial(MapTool::new(|_, arguments| Ok(arguments.clone()))).key("k")
}

/// The reply to a call, or why the connection failed.
fn call(address: SocketAddr, trusted: &CertificateDer<'static>) -> std::io::Result<String> {
    let mut roots = RootCertStore::empty();
    roots.add(trusted.clone()).expect("a certificate");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = config.expect("versions").with_root_certificates(roots).with_no_client_auth();
    let name = ServerName::try_from("localhost").expect("a name");
    let connection = ClientConnection::new(Arc::new(config), name).expect("a configuration");
    let stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    let mut stream = StreamOwned::new(connection, stream);
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"echo","params":{"a":1}}"#;
    write!(
        stream,
        "POST /opentool/call HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer k\r\nConnection: close\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )?;
    let mut reply = String::new();
    stream.read_to_string(&mut reply)?;
    Ok(reply)
}

#[test]
fn a_client_that_trusts_the_certificate_can_call_and_no_other() {
    let (chain, key, der) = certificate("tls-call");
    let address = start(echo().tls(&chain, &key));
    let reply = call(address, &der).expect("a reply");
    assert!(reply.starts_with("HTTP/1.1 200") && reply.contains(r#""result":{"a":1}"#), "{reply}");
    let (_, _, other) = certificate("tls-other");
    let error = call(address, &other).expect_err("another certificate");
    assert!(error.to_string().contains("certificate"), "{error}");
    // Not without TLS.
    let mut plain = TcpStream::connect(address).expect("it listens");
    plain.write_all(b"GET /opentool/version HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("it is read");
    let mut reply = Vec::new();
    let _ = plain.read_to_end(&mut reply);
    assert!(!reply.starts_with(b"HTTP/"), "{}", reply.escape_ascii());
}

#[test]
fn a_handshake_that_does_not_come_is_given_up() {
    let (chain, key, der) = certificate("tls-silent");
    let limits = HttpLimits { header: Duration::from_millis(400), ..HttpLimits::default() };
    let address = start(echo().tls(&chain, &key).http_limits(limits));
    let begin = Instant::now();
    let mut silent = TcpStream::connect(address).expect("it listens");
    silent.set_read_timeout(Some(Duration::from_secs(30))).expect("a socket");
    assert!(call(address, &der).is_ok());
    let read = silent.read(&mut [0; 8]);
    assert!(!read.is_ok_and(|length| length > 0));
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
}

#[test]
fn files_that_are_not_a_certificate_are_refused_when_the_server_starts() {
    let (chain, key, _) = certificate("tls-wrong");
    let (_, other_key, _) = certificate("tls-wrong-key");
    for (chain, key, named) in [
        (&key, &key, "key.pem"),
        (&chain, &chain, "cert.pem"),
        (&chain, &other_key, "cert.pem"),
        (&chain, &"/no".into(), "/no"),
    ] {
        let error = echo().tls(chain, key).port(0).run(|_| {}).expect_err("it cannot be used").to_string();
        assert!(error.starts_with("TLS: `") && error.contains(named), "{error}");
    }
}
