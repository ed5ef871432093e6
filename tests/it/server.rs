//! A server on loopback that ends with its test, and answers as badly as the test likes.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};

use axum::Router;

/// What answers a request for a path; it may write anything, or nothing, before the connection is
/// closed.
type Answer = dyn Fn(&str, &mut TcpStream) -> std::io::Result<()> + Send + Sync;

pub(crate) struct Server {
    address: SocketAddr,
    ended: Arc<AtomicBool>,
    /// Requests that were made.
    pub(crate) requests: Arc<AtomicUsize>,
    accepting: Option<JoinHandle<()>>,
}

impl Server {
    pub(crate) fn new(
        answer: impl Fn(&str, &mut TcpStream) -> std::io::Result<()> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let ended = Arc::new(AtomicBool::new(false));
        let requests = Arc::new(AtomicUsize::new(0));
        let answer: Arc<Answer> = Arc::new(answer);
        let (stop, count) = (ended.clone(), requests.clone());
        let accepting = thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if stop.load(Ordering::SeqCst) {
                    return;
                }
                let (answer, count) = (answer.clone(), count.clone());
                // A client that goes away is what many of these tests are about.
                thread::spawn(move || serve(stream, &*answer, &count).unwrap_or_default());
            }
        });
        Self {
            address,
            ended,
            requests,
            accepting: Some(accepting),
        }
    }

    /// The address of a path here.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
        let _ = self.accepting.take().map(JoinHandle::join);
    }
}

fn serve(stream: TcpStream, answer: &Answer, count: &AtomicUsize) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    let path = first.split(' ').nth(1).unwrap_or_default();
    let mut stream = stream;
    if path == "/robots.txt" {
        return page(&mut stream, "404 Not Found", "text/plain", b"");
    }
    count.fetch_add(1, Ordering::SeqCst);
    answer(path, &mut stream)
}

/// Serves routes on loopback until the tests end; returns their address.
pub(crate) fn serve_routes(routes: Router) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            axum::serve(listener, routes).await.unwrap();
        });
    });
    address
}

/// A complete response.
pub(crate) fn page(
    stream: &mut TcpStream,
    status: &str,
    kind: &str,
    body: &[u8],
) -> std::io::Result<()> {
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n"
    )?;
    stream.write_all(body)
}

/// An answer that sends on to another address.
pub(crate) fn moved(stream: &mut TcpStream, to: &str) -> std::io::Result<()> {
    write!(
        stream,
        "HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    )
}

/// The beginning of an answer whose body follows until the connection is closed.
pub(crate) fn begin(stream: &mut TcpStream, headers: &str) -> std::io::Result<()> {
    write!(
        stream,
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{headers}Connection: close\r\n\r\n"
    )
}
