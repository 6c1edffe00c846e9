//! `https://`: the client trusts only the given authorities, and sends nothing before it trusts the server.
//!
//! `tls/` has a certificate authority made for these tests, whose key is deleted, and a server certificate for
//! 127.0.0.1 with its key, which is used nowhere else.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use opentool::client::{Client, NoAccess};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::server::{Server, json};
use crate::{add, no_access};

const AUTHORITY: &[u8] = include_bytes!("tls/ca.pem");

/// A server that replies to one request over TLS, and the channel to which it sends what it could read.
fn server() -> (String, Receiver<String>) {
    let certificate =
        CertificateDer::from_pem_slice(include_bytes!("tls/server.pem")).expect("a certificate");
    let key = PrivateKeyDer::from_pem_slice(include_bytes!("tls/server.key")).expect("a key");
    let config = ServerConfig::builder().with_no_client_auth().with_single_cert(vec![certificate], key);
    let config = Arc::new(config.expect("the key is the certificate's"));
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let url = format!("https://{}", listener.local_addr().expect("it is bound"));
    let (sender, requests) = channel();
    std::thread::spawn(move || {
        let Ok((stream, _)) = listener.accept() else { return };
        let connection = ServerConnection::new(config).expect("a connection");
        let mut stream = StreamOwned::new(connection, stream);
        let mut request = [0; 4096];
        let Ok(read) = stream.read(&mut request) else { return };
        // The receiver may be gone.
        let _ = sender.send(String::from_utf8_lossy(&request[..read]).into_owned());
        let _ = stream.write_all(
            b"HTTP/1.1 200 OK\r\nContent-Length: 19\r\nConnection: close\r\n\r\n{\"result\":{\"n\":1}}\n",
        );
        stream.conn.send_close_notify();
        let _ = stream.flush();
    });
    (url, requests)
}

#[test]
fn https_is_tls() {
    let (url, requests) = server();
    let client = Client::builder(url).retries(0).root_certificates(AUTHORITY).build().expect("a client");
    assert_eq!(client.call_json("f", "{}").as_deref(), Ok(r#"{"n":1}"#));
    assert!(requests.recv().expect("a request").starts_with("POST /opentool/call HTTP/1.1"));
}

#[test]
fn an_untrusted_server_receives_nothing() {
    let (url, requests) = server();
    let client = Client::builder(url).retries(0).api_key("s3cret").build().expect("a client");
    let error = no_access(client.call(&add()).expect_err("it is not trusted"));
    assert!(matches!(error, NoAccess::Broken { .. }), "{error:?}");
    assert!(error.to_string().contains("certificate"), "{error}");
    assert!(requests.recv().is_err(), "it has read nothing");
}

#[test]
fn https_is_not_spoken_in_plain_text() {
    let server = Server::new(vec![json(r#"{"result":{}}"#)]);
    let url = server.url.replace("http://", "https://");
    let client = Client::builder(url).retries(0).timeout(Duration::from_secs(2)).build().expect("a client");
    assert!(client.call(&add()).is_err());
    assert!(server.seen().is_empty());
}
