//! The connections of clients: each has to send the head of its next request in time, and there are
//! never more than the process has file descriptors for.
//!
//! Without these limits, clients that send half of a request and wait (slow loris) would take every
//! descriptor, and nobody else would be answered.

use std::future::Future;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use axum::serve::Listener as _;
use hyper::Request;
use hyper::body::Incoming;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::platform::raise_descriptor_limit;

/// The file descriptors that are left for sessions, documents, pages and models (chosen by hand).
const RESERVED_DESCRIPTORS: usize = 256;

/// The connections for each request that may be answered at once (chosen by hand): one that is
/// answered, one with an open stream, and two that send a request or wait with none.
const CONNECTIONS_PER_REQUEST: usize = 4;

/// The limits of connections.
pub(super) struct Limits {
    /// The maximum number of connections that are open at once; further clients wait.
    pub(super) connections: usize,
    /// The time that a client has to send the head of a request, from the end of the one before.
    pub(super) head_timeout: Duration,
}

impl Limits {
    /// The limits of a server that answers so many requests at once. Takes as many file descriptors
    /// as the system allows.
    pub(super) fn new(max_requests: usize, head_timeout: Duration) -> Self {
        let descriptors = raise_descriptor_limit().saturating_sub(RESERVED_DESCRIPTORS);
        let wanted = max_requests.saturating_mul(CONNECTIONS_PER_REQUEST);
        Self {
            connections: wanted.min(descriptors).max(1),
            head_timeout,
        }
    }
}

/// An answer that is on its way.
type Answer = <TowerToHyperService<Router> as Service<Request<Incoming>>>::Future;

/// Serves connections until `ended`, then those that are open until their requests are answered.
pub(super) async fn serve(
    mut listener: TcpListener,
    router: Router,
    limits: &Limits,
    ended: impl Future<Output = ()>,
) {
    let mut builder = auto::Builder::new(TokioExecutor::new()).http1_only();
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head_timeout);
    let open = GracefulShutdown::new();
    let permits = Arc::new(Semaphore::new(limits.connections));
    let mut ended = pin!(ended);
    loop {
        let (stream, address, permit) = tokio::select! {
            accepted = accept(&mut listener, &permits) => accepted,
            () = &mut ended => break,
        };
        let service = service_fn(answering(router.clone(), address));
        let connection = builder.serve_connection_with_upgrades(TokioIo::new(stream), service);
        let connection = open.watch(connection.into_owned());
        tokio::spawn(async move {
            // A client that breaks off is its own affair.
            let _ = connection.await;
            drop(permit);
        });
    }
    drop(listener);
    open.shutdown().await;
}

/// The next connection, as soon as one more may be open.
async fn accept(
    listener: &mut TcpListener,
    permits: &Arc<Semaphore>,
) -> (TcpStream, SocketAddr, Option<OwnedSemaphorePermit>) {
    // The semaphore is never closed, which would be the only error.
    let permit = permits.clone().acquire_owned().await.ok();
    let (stream, address) = listener.accept().await;
    (stream, address, permit)
}

/// The service of one connection: the router, which is told the address of the client.
fn answering(router: Router, address: SocketAddr) -> impl Fn(Request<Incoming>) -> Answer {
    let router = TowerToHyperService::new(router);
    move |mut request| {
        request.extensions_mut().insert(ConnectInfo(address));
        router.call(request)
    }
}
