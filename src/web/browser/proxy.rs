//! An HTTP proxy on loopback through which a browser renders one page: the only way out that the
//! page's scripts have, and so their SSRF guard.
//!
//! It reaches the public web and the page's own server, by HTTP and HTTPS. What `network.allow`
//! opens is open to whoever asked for a page, not to what a page requests: another private address
//! is refused here even if it is allowed. Each connection is made to the very address that was
//! checked, and the page's own name keeps the addresses that it had at first, so DNS rebinding
//! gains nothing. Requests are parsed, and forwarded as new ones, by hyper: none is passed on as it
//! came, so no request can be smuggled in another.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use http_body_util::{Either, Empty};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONNECTION, HOST, HeaderMap, HeaderName, HeaderValue};
use hyper::service::service_fn;
use hyper::upgrade::OnUpgrade;
use hyper::{Method, Request, Response, StatusCode, Uri, client, server};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::timeout;
use url::{Host, Position, Url};

use crate::web::error::WebError;
use crate::web::guard::SsrfGuard;
use crate::web::limits::Limits;
use crate::web::resolver::{GuardedResolver, Refused};

/// The byte budget of one page, there and back: several times what the largest pages take with all
/// their scripts. Chosen by hand.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// The maximum number of connections for one page. Chosen by hand.
const CONNECTIONS: usize = 500;

/// The maximum number of concurrent connections for one page: a browser opens no more to a proxy.
const CONNECTIONS_AT_ONCE: usize = 32;

/// The names that are looked up at once for one page; one whose server is silent blocks a thread
/// for long.
const LOOKUPS_AT_ONCE: usize = 4;

/// The longest head of a request in bytes; servers accept less.
const HEAD_BYTES: usize = 64 * 1024;

/// The hop-by-hop headers (RFC 9110, section 7.6.1), and those that are written anew for the
/// server: the host by the address, and the framing of the body by hyper.
const HOP_BY_HOP: [&str; 9] = [
    "host",
    "content-length",
    "transfer-encoding",
    "keep-alive",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "upgrade",
];

/// The body of a response: that of the server, or none.
type Body = Either<Incoming, Empty<Bytes>>;

/// A proxy for one page; it ends when it is dropped.
#[derive(Debug)]
pub struct Proxy {
    address: SocketAddr,
    serving: JoinHandle<()>,
}

impl Proxy {
    /// Starts a proxy for a page. After `lifetime` every connection is cut and no other one made.
    ///
    /// # Errors
    /// When the page's own server may not be reached, or there is no port to listen at.
    pub(super) async fn start(
        page: &Url,
        resolver: &GuardedResolver,
        limits: &Limits,
        lifetime: Duration,
    ) -> Result<Self, WebError> {
        let reach = Reach::of_page(page, resolver, limits.connect_timeout).await?;
        let listening = async {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
            Ok((listener.local_addr()?, listener))
        };
        let (address, listener) = listening.await.map_err(|error: io::Error| {
            WebError::of_rendering(page, format!("no port for its proxy: {error}"))
        })?;
        let serving = tokio::spawn(async move {
            // At the end all open connections are dropped, and so is whoever connects later.
            let _ = timeout(lifetime, serve(&listener, Arc::new(reach))).await;
            while listener.accept().await.is_ok() {}
        });
        Ok(Self { address, serving })
    }

    /// The address at which it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn serve(listener: &TcpListener, reach: Arc<Reach>) {
    let slots = Arc::new(Semaphore::new(CONNECTIONS_AT_ONCE));
    let mut open = JoinSet::new();
    for _ in 0..CONNECTIONS {
        let Ok(slot) = slots.clone().acquire_owned().await else {
            return;
        };
        let Ok((browser, _)) = listener.accept().await else {
            continue;
        };
        let reach = reach.clone();
        open.spawn(async move {
            // A connection that breaks is the browser's to deal with.
            let _ = serve_connection(browser, reach).await;
            drop(slot);
        });
        while open.try_join_next().is_some() {}
    }
    while open.join_next().await.is_some() {}
}

/// The addresses that a page may reach, and its byte budget.
struct Reach {
    /// The page's own host, port and addresses.
    own: (String, u16),
    own_addresses: Vec<IpAddr>,
    /// A resolver whose guard knows of nothing that a setting opens.
    public: GuardedResolver,
    lookups: Semaphore,
    connect_timeout: Duration,
    budget: Arc<ByteBudget>,
}

impl Reach {
    async fn of_page(
        page: &Url,
        resolver: &GuardedResolver,
        connect_timeout: Duration,
    ) -> Result<Self, WebError> {
        let public = SsrfGuard::default();
        let mut own_addresses = timeout(connect_timeout, addresses(resolver, page))
            .await
            .map_err(|_| WebError::TimedOut {
                url: page.to_string(),
                seconds: connect_timeout,
            })??;
        // Private addresses are its own only where it has no other: a public server could leave its
        // place to one of them.
        let host = page.host_str().unwrap_or_default();
        let is_public = |address: &IpAddr| public.allows(host, *address);
        if own_addresses.iter().any(is_public) {
            own_addresses.retain(is_public);
        }
        Ok(Self {
            own: origin(page),
            own_addresses,
            public: GuardedResolver {
                guard: public,
                lookup: resolver.lookup.clone(),
            },
            lookups: Semaphore::new(LOOKUPS_AT_ONCE),
            connect_timeout,
            budget: Arc::new(ByteBudget(AtomicU64::new(MAX_BYTES))),
        })
    }

    /// Connects to the server of an address; else the status to answer with.
    async fn connect(&self, target: &Url) -> Result<Metered, StatusCode> {
        let origin = origin(target);
        let addresses = if origin == self.own {
            self.own_addresses.clone()
        } else if [80, 443, self.own.1].contains(&origin.1) {
            // The semaphore is never closed. A name whose server is silent holds one permit, and
            // not the connections of others.
            let _permit = self.lookups.acquire().await.ok();
            timeout(self.connect_timeout, addresses(&self.public, target))
                .await
                .map_err(|_| StatusCode::BAD_GATEWAY)?
                .map_err(|error| match error {
                    WebError::Connection { .. } => StatusCode::BAD_GATEWAY,
                    _ => StatusCode::FORBIDDEN,
                })?
        } else {
            return Err(StatusCode::FORBIDDEN);
        };
        for address in addresses {
            let connection = TcpStream::connect((address, origin.1));
            if let Ok(Ok(stream)) = timeout(self.connect_timeout, connection).await {
                let budget = self.budget.clone();
                return Ok(Metered { stream, budget });
            }
        }
        Err(StatusCode::BAD_GATEWAY)
    }
}

/// The bytes that a page may still transfer.
struct ByteBudget(AtomicU64);

impl ByteBudget {
    /// Takes bytes from the budget; whoever takes more than is left ends it for all.
    fn take(&self, bytes: usize) -> io::Result<()> {
        let rest = |left: u64| left.checked_sub(bytes as u64);
        let order = Ordering::Relaxed;
        if self.0.fetch_update(order, order, rest).is_ok() {
            return Ok(());
        }
        self.0.store(0, order);
        Err(io::Error::other("the page transfers too much"))
    }
}

/// A connection to a server, every byte of which counts against the budget.
struct Metered {
    stream: TcpStream,
    budget: Arc<ByteBudget>,
}

impl AsyncRead for Metered {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        Poll::Ready(self.budget.take(buffer.filled().len() - before))
    }
}

impl AsyncWrite for Metered {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut self.stream).poll_write(context, bytes))?;
        Poll::Ready(self.budget.take(written).map(|()| written))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// Host and port of an address.
fn origin(url: &Url) -> (String, u16) {
    (
        url.host_str().unwrap_or_default().to_owned(),
        url.port_or_known_default().unwrap_or_default(),
    )
}

/// The addresses of a host that may be connected to.
async fn addresses(resolver: &GuardedResolver, url: &Url) -> Result<Vec<IpAddr>, WebError> {
    resolver.guard.check(url)?;
    match url.host() {
        Some(Host::Ipv4(address)) => Ok(vec![address.into()]),
        Some(Host::Ipv6(address)) => Ok(vec![address.into()]),
        Some(Host::Domain(host)) => {
            let addresses = resolver.addresses(host).await;
            addresses.map_err(|error| lookup_error(url, &*error))
        }
        None => Ok(Vec::new()),
    }
}

fn lookup_error(url: &Url, error: &(dyn std::error::Error + 'static)) -> WebError {
    let url = url.to_string();
    match error.downcast_ref::<Refused>() {
        Some(refused) => WebError::Private {
            url,
            target: refused.target.clone(),
        },
        None => WebError::Connection {
            url,
            problem: error.to_string(),
        },
    }
}

/// One connection of the browser, with one request.
struct Exchange {
    reach: Arc<Reach>,
    /// The two ends of a tunnel, once the browser has been granted one.
    tunnel: Mutex<Option<(OnUpgrade, Metered)>>,
    /// The connection to the server of a plain request. It ends with the exchange.
    upstream: Mutex<JoinSet<()>>,
}

async fn serve_connection(browser: TcpStream, reach: Arc<Reach>) -> io::Result<()> {
    let exchange = Arc::new(Exchange {
        reach,
        tunnel: Mutex::default(),
        upstream: Mutex::default(),
    });
    let shared = exchange.clone();
    let service = service_fn(move |request| {
        let exchange = shared.clone();
        async move { exchange.answer(request).await }
    });
    server::conn::http1::Builder::new()
        // One request a connection: what follows one belongs to no other.
        .keep_alive(false)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(TokioIo::new(browser), service)
        .with_upgrades()
        .await
        .map_err(io::Error::other)?;
    let tunnel = exchange.tunnel.lock();
    let tunnel = tunnel.unwrap_or_else(PoisonError::into_inner).take();
    if let Some((upgrade, mut server)) = tunnel {
        let mut browser = TokioIo::new(upgrade.await.map_err(io::Error::other)?);
        copy_bidirectional(&mut browser, &mut server).await?;
    }
    Ok(())
}

impl Exchange {
    /// Answers a request. An error cuts the connection.
    async fn answer(&self, mut request: Request<Incoming>) -> io::Result<Response<Body>> {
        let Some(target) = target(request.method(), request.uri()) else {
            return Ok(status(StatusCode::BAD_REQUEST));
        };
        let server = match self.reach.connect(&target).await {
            Ok(server) => server,
            Err(refusal) => {
                tracing::debug!(host = target.host_str(), %refusal, "proxy refused a request");
                return Ok(status(refusal));
            }
        };
        if request.method() == Method::CONNECT {
            // The tunnel begins once this answer is sent.
            let tunnel = Some((hyper::upgrade::on(&mut request), server));
            *self.tunnel.lock().unwrap_or_else(PoisonError::into_inner) = tunnel;
            return Ok(status(StatusCode::OK));
        }
        let request = forwarded(request, &target).map_err(io::Error::other)?;
        let (mut sender, connection) = client::conn::http1::handshake(TokioIo::new(server))
            .await
            .map_err(io::Error::other)?;
        self.upstream
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .spawn(async {
                // Its errors are those of the request below.
                let _ = connection.await;
            });
        let mut response = sender
            .send_request(request)
            .await
            .map_err(io::Error::other)?;
        remove_hop_by_hop(response.headers_mut());
        Ok(response.map(Either::Left))
    }
}

/// An empty response.
fn status(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Either::Right(Empty::new()));
    *response.status_mut() = status;
    response
}

/// The address that a browser asks its proxy for: by CONNECT `host:port`, else one of plain HTTP.
/// All notations of numbers are one there.
fn target(method: &Method, uri: &Uri) -> Option<Url> {
    if method == Method::CONNECT {
        let url = Url::parse(&format!("https://{uri}/")).ok()?;
        let is_bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
        return (is_bare && has_no_credentials(&url)).then_some(url);
    }
    let url = Url::parse(&uri.to_string()).ok()?;
    (url.scheme() == "http" && has_no_credentials(&url)).then_some(url)
}

fn has_no_credentials(url: &Url) -> bool {
    url.username().is_empty() && url.password().is_none()
}

/// A request for the server itself: with its path alone, and without what is the proxy's.
fn forwarded(
    request: Request<Incoming>,
    target: &Url,
) -> Result<Request<Incoming>, Box<dyn std::error::Error + Send + Sync>> {
    let (mut parts, body) = request.into_parts();
    parts.uri = target[Position::BeforePath..Position::AfterQuery].parse()?;
    remove_hop_by_hop(&mut parts.headers);
    let host = &target[Position::BeforeHost..Position::AfterPort];
    parts.headers.insert(HOST, HeaderValue::from_str(host)?);
    let close = HeaderValue::from_static("close");
    parts.headers.insert(CONNECTION, close);
    Ok(Request::from_parts(parts, body))
}

/// Removes the headers that are between two neighbours alone: the known ones, and those that
/// `Connection` names.
fn remove_hop_by_hop(headers: &mut HeaderMap) {
    let named: Vec<HeaderName> = headers
        .get_all(CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|name| name.trim().parse().ok())
        .collect();
    for name in named {
        headers.remove(name);
    }
    headers.remove(CONNECTION);
    for name in HOP_BY_HOP {
        headers.remove(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target_of(method: &str, uri: &str) -> Option<(String, u16)> {
        let method = method.parse().unwrap();
        Some(origin(&target(&method, &uri.parse().ok()?)?))
    }

    #[test]
    fn targets_are_plain_http_or_a_host_to_tunnel_to() {
        assert_eq!(
            target_of("POST", "http://e.org:81/a?b=c"),
            Some(("e.org".to_owned(), 81))
        );
        assert_eq!(
            target_of("CONNECT", "0x7f.1:443"),
            Some(("127.0.0.1".to_owned(), 443))
        );
        for (method, uri) in [
            ("GET", "/"),
            ("GET", "https://e.org/"),
            ("GET", "file:///etc/passwd"),
            ("GET", "ftp://e.org/"),
            ("GET", "http://a@e.org/"),
            ("CONNECT", "e.org/x:443"),
            ("CONNECT", "a@127.0.0.1:443"),
            ("CONNECT", "e.org\\x:443"),
            ("CONNECT", "http://e.org/"),
        ] {
            assert_eq!(target_of(method, uri), None, "{method} {uri}");
        }
    }

    #[test]
    fn hop_by_hop_headers_are_not_forwarded() {
        let mut headers = HeaderMap::new();
        for (name, value) in [
            ("accept", "*/*"),
            ("connection", "keep-alive, X-Secret"),
            ("x-secret", "1"),
            ("proxy-authorization", "x"),
            ("proxy-connection", "keep-alive"),
            ("content-length", "3"),
            ("transfer-encoding", "chunked"),
            ("upgrade", "websocket"),
        ] {
            headers.append(name, HeaderValue::from_static(value));
        }
        remove_hop_by_hop(&mut headers);
        let left: Vec<&str> = headers.keys().map(HeaderName::as_str).collect();
        assert_eq!(left, ["accept"]);
    }
}
