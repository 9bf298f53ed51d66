//! [`connect`]: a connection to object storage, with TLS if its address says so.

use std::io;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use url::{Host, Url};

/// A connection, encrypted or not.
pub(super) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

/// Connects to the host of an address.
pub(super) async fn connect(url: &Url) -> io::Result<Box<dyn Stream>> {
    let port = url.port_or_known_default().unwrap_or(443);
    let stream = match url.host() {
        Some(Host::Domain(name)) => TcpStream::connect((name, port)).await?,
        Some(Host::Ipv4(address)) => TcpStream::connect((address, port)).await?,
        Some(Host::Ipv6(address)) => TcpStream::connect((address, port)).await?,
        None => return Err(io::Error::other("the address has no host")),
    };
    if url.scheme() != "https" {
        return Ok(Box::new(stream));
    }
    let roots = RootCertStore {
        roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
    };
    let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
    let versions = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?;
    let config = versions.with_root_certificates(roots).with_no_client_auth();
    let name = match url.host() {
        Some(Host::Domain(name)) => {
            ServerName::try_from(name.to_owned()).map_err(io::Error::other)?
        }
        Some(Host::Ipv4(address)) => ServerName::from(std::net::IpAddr::from(address)),
        Some(Host::Ipv6(address)) => ServerName::from(std::net::IpAddr::from(address)),
        None => return Err(io::Error::other("the address has no host")),
    };
    Ok(Box::new(
        TlsConnector::from(Arc::new(config))
            .connect(name, stream)
            .await?,
    ))
}
