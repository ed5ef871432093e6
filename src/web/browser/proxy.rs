//! A proxy on loopback through which a browser shows one page: the only way out that the page's
//! scripts have.
//!
//! It leads to the public web and to the page's own server, by HTTP and HTTPS. What `network.allow`
//! opens is open to whoever asked for a page, not to what a page asks for: another private address
//! is refused here even if it is allowed. Each connection is made to the very address that was
//! checked, and the page's own name keeps the addresses that it had at first, so a name that
//! changes its addresses gains nothing. Refuses to know what passes through it.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures::future::{select, try_join};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::timeout;
use url::{Host, Position, Url};

use crate::web::error::WebError;
use crate::web::guard::Guard;
use crate::web::limits::Limits;
use crate::web::resolver::{GuardedResolver, Refused};

/// Bytes that may pass for one page, there and back: several times what the largest pages take with
/// all their scripts.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// Connections for one page, in all and at once. A browser opens at most 32 at once to a proxy.
const CONNECTIONS: usize = 500;
const AT_ONCE: usize = 32;

/// Names that are looked up at once for one page; one whose server is silent holds a thread for
/// long.
const LOOKUPS: usize = 4;

/// The longest head of a request; servers take less.
const HEAD_BYTES: usize = 64 * 1024;

/// What is read at once.
const CHUNK_BYTES: usize = 16 * 1024;

/// Headers that are between a browser and its proxy, or that are written anew.
const OWN_HEADERS: [&str; 8] = [
    "host",
    "connection",
    "keep-alive",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "upgrade",
];

/// A proxy for one page; it ends when it is dropped.
#[derive(Debug)]
pub struct Proxy {
    address: SocketAddr,
    serving: JoinHandle<()>,
}

impl Proxy {
    /// Begins to serve a page. After `lasting` every connection is cut and no other one made.
    ///
    /// # Errors
    /// When the page's own server may not be reached, or there is no place to listen at.
    pub(super) async fn start(
        page: &Url,
        resolver: &GuardedResolver,
        limits: &Limits,
        lasting: Duration,
    ) -> Result<Self, WebError> {
        let reach = Reach::of_page(page, resolver, limits.connect_timeout).await?;
        let listening = async {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
            Ok((listener.local_addr()?, listener))
        };
        let (address, listener) = listening.await.map_err(|error: io::Error| {
            let problem = format!("no port for its proxy: {error}");
            WebError::of_rendering(page, problem)
        })?;
        let serving = tokio::spawn(async move {
            // What was open is dropped, and so is whoever comes after that.
            let _ = timeout(lasting, serve(&listener, Arc::new(reach))).await;
            while listener.accept().await.is_ok() {}
        });
        Ok(Self { address, serving })
    }

    /// Where it listens.
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
    let (turns, mut open) = (Arc::new(Semaphore::new(AT_ONCE)), JoinSet::new());
    for _ in 0..CONNECTIONS {
        let Ok(turn) = turns.clone().acquire_owned().await else {
            return;
        };
        let Ok((client, _)) = listener.accept().await else {
            continue;
        };
        let reach = reach.clone();
        open.spawn(async move {
            // A connection that breaks is the browser's to deal with.
            let _ = answer(client, &reach).await;
            drop(turn);
        });
        while open.try_join_next().is_some() {}
    }
    while open.join_next().await.is_some() {}
}

/// Where a page may connect to, and how much may still pass.
struct Reach {
    /// The page's own host, port and addresses.
    own: (String, u16),
    own_addresses: Vec<IpAddr>,
    /// Knows of nothing that a setting opens.
    public: GuardedResolver,
    lookups: Semaphore,
    connect_timeout: Duration,
    bytes_left: AtomicU64,
}

impl Reach {
    async fn of_page(
        page: &Url,
        resolver: &GuardedResolver,
        connect_timeout: Duration,
    ) -> Result<Self, WebError> {
        let public = Guard::new(&[]);
        let public =
            public.map_err(|error| WebError::of_rendering(page, format!("no guard: {error}")))?;
        let found = timeout(connect_timeout, addresses(resolver, page)).await;
        let mut own_addresses = found.map_err(|_| WebError::TimedOut {
            url: page.to_string(),
            seconds: connect_timeout,
        })??;
        // Private ones are its own only where it has no other: a public server could leave its
        // place to one.
        let host = page.host_str().unwrap_or_default();
        let is_public = |address: &IpAddr| public.allows(host, *address);
        if own_addresses.iter().any(is_public) {
            own_addresses.retain(is_public);
        }
        Ok(Self {
            own: origin(page),
            own_addresses,
            public: GuardedResolver {
                guard: Arc::new(public),
                lookup: resolver.lookup.clone(),
            },
            lookups: Semaphore::new(LOOKUPS),
            connect_timeout,
            bytes_left: AtomicU64::new(MAX_BYTES),
        })
    }

    /// A connection to the server of an address; else the status to answer with.
    async fn connect(&self, target: &Url) -> Result<TcpStream, &'static str> {
        const REFUSED: &str = "403 Forbidden";
        const GATEWAY: &str = "502 Bad Gateway";
        let origin = origin(target);
        let found = if origin == self.own {
            self.own_addresses.clone()
        } else if [80, 443, self.own.1].contains(&origin.1) {
            // It is never closed. A name whose server is silent holds a turn, and not those of
            // others.
            let _turn = self.lookups.acquire().await.ok();
            let found = timeout(self.connect_timeout, addresses(&self.public, target)).await;
            found.map_err(|_| GATEWAY)?.map_err(|error| match error {
                WebError::Connection { .. } => GATEWAY,
                _ => REFUSED,
            })?
        } else {
            return Err(REFUSED);
        };
        for address in found {
            let connection = TcpStream::connect((address, origin.1));
            if let Ok(Ok(server)) = timeout(self.connect_timeout, connection).await {
                return Ok(server);
            }
        }
        Err(GATEWAY)
    }

    /// Takes from what may still pass; who asks for more than is left ends it for all.
    fn take(&self, bytes: usize) -> io::Result<()> {
        let rest = |left: u64| left.checked_sub(bytes as u64);
        let order = Ordering::Relaxed;
        if self.bytes_left.fetch_update(order, order, rest).is_ok() {
            return Ok(());
        }
        self.bytes_left.store(0, order);
        Err(io::Error::other("the page takes too much"))
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
            let found = resolver.addresses(host).await;
            found.map_err(|error| of_lookup(url, &*error))
        }
        None => Ok(Vec::new()),
    }
}

fn of_lookup(url: &Url, error: &(dyn std::error::Error + 'static)) -> WebError {
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

/// Answers one connection of the browser.
async fn answer(mut client: TcpStream, reach: &Reach) -> io::Result<()> {
    let (head, rest) = head(&mut client).await?;
    let Some(request) = Request::parsed(&head) else {
        return say(&mut client, "400 Bad Request").await;
    };
    match reach.connect(&request.url).await {
        Err(status) => say(&mut client, status).await,
        Ok(server) => match request.sent {
            None => tunnel(client, server, &rest, reach).await,
            Some(sent) => forward(client, server, (&sent, &rest, request.body_bytes), reach).await,
        },
    }
}

async fn say(client: &mut TcpStream, status: &str) -> io::Result<()> {
    let answer = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    client.write_all(answer.as_bytes()).await
}

/// Bytes both ways until both sides have ended.
async fn tunnel(
    mut client: TcpStream,
    mut server: TcpStream,
    rest: &[u8],
    reach: &Reach,
) -> io::Result<()> {
    let begun = b"HTTP/1.1 200 Connection established\r\n\r\n";
    client.write_all(begun).await?;
    reach.take(rest.len())?;
    server.write_all(rest).await?;
    let (mut from_client, mut to_client) = client.split();
    let (mut from_server, mut to_server) = server.split();
    let there = async {
        pump(&mut from_client, &mut to_server, reach).await?;
        to_server.shutdown().await
    };
    let back = async {
        pump(&mut from_server, &mut to_client, reach).await?;
        to_client.shutdown().await
    };
    try_join(there, back).await.map(|_| ())
}

/// One request with its body, and what the server says to it until it ends. Nothing else of the
/// browser's goes there.
async fn forward(
    mut client: TcpStream,
    mut server: TcpStream,
    (sent, rest, body_bytes): (&[u8], &[u8], u64),
    reach: &Reach,
) -> io::Result<()> {
    let Some(more) = body_bytes.checked_sub(rest.len() as u64) else {
        return say(&mut client, "400 Bad Request").await;
    };
    reach.take(sent.len() + rest.len())?;
    server.write_all(sent).await?;
    server.write_all(rest).await?;
    let (from_client, mut to_client) = client.split();
    let (mut from_server, mut to_server) = server.split();
    let there = async {
        let mut body = from_client.take(more);
        pump(&mut body, &mut to_server, reach).await?;
        // What comes after the body belongs to no request, and its end says that nobody waits for
        // the answer any more.
        body.into_inner().read(&mut [0]).await.map(|_| ())
    };
    let back = async {
        pump(&mut from_server, &mut to_client, reach).await?;
        to_client.shutdown().await
    };
    select(pin!(there), pin!(back)).await.factor_first().0
}

async fn pump(
    from: &mut (impl AsyncRead + Unpin),
    to: &mut (impl AsyncWrite + Unpin),
    reach: &Reach,
) -> io::Result<()> {
    let mut buffer = vec![0; CHUNK_BYTES];
    loop {
        let count = from.read(&mut buffer).await?;
        if count == 0 {
            return Ok(());
        }
        reach.take(count)?;
        to.write_all(&buffer[..count]).await?;
    }
}

/// The head of a request without its empty line, and what came after it.
async fn head(client: &mut TcpStream) -> io::Result<(String, Vec<u8>)> {
    const END: &[u8] = b"\r\n\r\n";
    let mut bytes = Vec::new();
    loop {
        let from = bytes.len().saturating_sub(END.len());
        if client.read_buf(&mut bytes).await? == 0 || bytes.len() > HEAD_BYTES {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let end = bytes[from..]
            .windows(END.len())
            .position(|part| part == END);
        if let Some(end) = end {
            let rest = bytes.split_off(from + end + END.len());
            bytes.truncate(from + end);
            let head = String::from_utf8(bytes).map_err(io::Error::other)?;
            return Ok((head, rest));
        }
    }
}

/// What a browser asks its proxy for.
struct Request {
    url: Url,
    /// The head for the server; none if a tunnel is asked for.
    sent: Option<Vec<u8>>,
    body_bytes: u64,
}

impl Request {
    fn parsed(head: &str) -> Option<Self> {
        let (first, headers) = head.split_once("\r\n").unwrap_or((head, ""));
        let mut words = first.split(' ');
        let (method, target) = (words.next()?, words.next()?);
        let is_sound = words.next()?.starts_with("HTTP/1.") && words.next().is_none();
        if !is_sound || head.replace("\r\n", "").contains(['\r', '\n', '\0']) {
            return None;
        }
        if method == "CONNECT" {
            return Some(Self {
                url: authority(target)?,
                sent: None,
                body_bytes: 0,
            });
        }
        let url = Url::parse(target).ok()?;
        let is_plain = url.scheme() == "http" && url.username().is_empty();
        let is_method = method.bytes().all(|byte| byte.is_ascii_uppercase());
        if !is_plain || !is_method {
            return None;
        }
        let (kept, body_bytes) = kept(headers)?;
        let path = &url[Position::BeforePath..Position::AfterQuery];
        let host = &url[Position::BeforeHost..Position::AfterPort];
        let sent =
            format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n{kept}Connection: close\r\n\r\n");
        Some(Self {
            sent: Some(sent.into_bytes()),
            url,
            body_bytes,
        })
    }
}

/// The headers that go on to the server, and how long the body is; none if that is not plain.
fn kept(headers: &str) -> Option<(String, u64)> {
    let (mut kept, mut body_bytes) = (String::new(), None);
    for line in headers.split("\r\n").filter(|line| !line.is_empty()) {
        let (name, value) = line.split_once(':')?;
        let name = name.to_ascii_lowercase();
        match name.as_str() {
            "transfer-encoding" => return None,
            "content-length" if body_bytes.is_some() => return None,
            "content-length" => body_bytes = Some(value.trim().parse().ok()?),
            _ => {}
        }
        if !OWN_HEADERS.contains(&name.as_str()) {
            kept.push_str(line);
            kept.push_str("\r\n");
        }
    }
    Some((kept, body_bytes.unwrap_or(0)))
}

/// `host:port` as an address; all notations of numbers are one there.
fn authority(target: &str) -> Option<Url> {
    let url = Url::parse(&format!("https://{target}/")).ok()?;
    let is_bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
    (is_bare && url.username().is_empty() && url.password().is_none()).then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_goes_on_without_what_is_the_proxy_s() {
        let head = "POST http://e.org:81/a?b=c#d HTTP/1.1\r\nHost: other.example\r\nProxy-Connection: keep-alive\r\n\
                    Accept: */*\r\nContent-Length: 3";
        let request = Request::parsed(head).unwrap();
        assert_eq!(origin(&request.url), ("e.org".to_owned(), 81));
        assert_eq!(request.body_bytes, 3);
        assert_eq!(
            String::from_utf8(request.sent.unwrap()).unwrap(),
            "POST /a?b=c HTTP/1.1\r\nHost: e.org:81\r\nAccept: */*\r\nContent-Length: 3\r\nConnection: close\r\n\r\n"
        );
        let tunnel = Request::parsed("CONNECT 0x7f.1:443 HTTP/1.1").unwrap();
        assert!(tunnel.sent.is_none());
        assert_eq!(origin(&tunnel.url), ("127.0.0.1".to_owned(), 443));
    }

    #[test]
    fn what_is_not_plain_is_no_request() {
        for head in [
            "",
            "GET / HTTP/1.1",
            "GET http://e.org/",
            "GET http://e.org/ HTTP/1.1 x",
            "GET https://e.org/ HTTP/1.1",
            "GET file:///etc/passwd HTTP/1.1",
            "GET http://a@e.org/ HTTP/1.1",
            "get http://e.org/ HTTP/1.1",
            "GET http://e.org/ HTTP/1.1\r\nA: b\nC: d",
            "GET http://e.org/ HTTP/1.1\r\nno header",
            "POST http://e.org/ HTTP/1.1\r\nTransfer-Encoding: chunked",
            "POST http://e.org/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2",
            "POST http://e.org/ HTTP/1.1\r\nContent-Length: -1",
            "CONNECT e.org/x:443 HTTP/1.1",
            "CONNECT a@127.0.0.1:443 HTTP/1.1",
            "CONNECT e.org\\x:443 HTTP/1.1",
            "CONNECT  HTTP/1.1",
        ] {
            assert!(Request::parsed(head).is_none(), "{head:?}");
        }
    }
}
