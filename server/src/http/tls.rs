//! HTTPS: the certificate of a server, and the handshake with a client.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::server::TlsStream;

/// Where the certificate and its key are, as PEM.
#[derive(Clone, Debug)]
pub(super) struct Certificate {
    pub chain: PathBuf,
    pub key: PathBuf,
}

/// Makes streams of clients secret.
#[derive(Clone)]
pub(super) struct Tls(TlsAcceptor);

impl std::fmt::Debug for Tls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Tls")
    }
}

impl Tls {
    /// Reads the certificate and its key.
    pub(super) fn read(files: &Certificate) -> io::Result<Self> {
        let failed = |path: &Path, reason: &dyn std::fmt::Display| {
            io::Error::new(io::ErrorKind::InvalidInput, format!("TLS: `{}`: {reason}", path.display()))
        };
        let chain =
            CertificateDer::pem_file_iter(&files.chain).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        let chain = chain.map_err(|error| failed(&files.chain, &error))?;
        let key = PrivateKeyDer::from_pem_file(&files.key).map_err(|error| failed(&files.key, &error))?;
        // Named, because another crate of the program may have chosen another one for the process.
        let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .and_then(|config| config.with_no_client_auth().with_single_cert(chain, key))
            .map_err(|error| failed(&files.chain, &error))?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self(TlsAcceptor::from(Arc::new(config))))
    }

    pub(super) async fn accept(&self, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
        self.0.accept(stream).await
    }
}
