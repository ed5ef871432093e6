//! A network that can be cut or slow: a proxy on loopback that holds back what one side sends, for
//! a while or until it is healed, or ends all connections and takes no new ones.

use std::io::{ErrorKind, Read, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

/// How often a connection looks whether its network is cut.
const POLL: Duration = Duration::from_millis(10);

/// The direction in which bytes go.
#[derive(Debug, Clone, Copy)]
pub(super) enum Direction {
    ToServer,
    FromServer,
}

#[derive(Default)]
struct State {
    /// By [`Direction`].
    is_cut: [AtomicBool; 2],
    refuses: AtomicBool,
    /// Milliseconds by which all that the server sends is late.
    delay: AtomicU64,
    /// Connections of an earlier generation are ended.
    generation: AtomicU64,
}

/// A proxy to a port, for as long as the test process runs.
pub(super) struct Proxy {
    port: u16,
    state: Arc<State>,
}

impl Proxy {
    pub(super) fn to(server: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::new(State::default());
        let own = state.clone();
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if !own.refuses.load(Ordering::SeqCst)
                    && let Ok(server) = TcpStream::connect(("127.0.0.1", server))
                {
                    connect(client, server, &own);
                }
            }
        });
        Self { port, state }
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// Holds back what is sent in a direction, until [`Proxy::heal`].
    pub(super) fn cut(&self, direction: Direction) {
        self.state.is_cut[direction as usize].store(true, Ordering::SeqCst);
    }

    /// Holds back for this long each part of what the server sends, until [`Proxy::heal`].
    pub(super) fn delay(&self, milliseconds: u64) {
        self.state.delay.store(milliseconds, Ordering::SeqCst);
    }

    /// Ends all connections, with what is on its way, and takes none until [`Proxy::heal`].
    pub(super) fn refuse(&self) {
        self.state.refuses.store(true, Ordering::SeqCst);
        self.state.generation.fetch_add(1, Ordering::SeqCst);
    }

    /// Lets everything through.
    pub(super) fn heal(&self) {
        self.state.refuses.store(false, Ordering::SeqCst);
        self.delay(0);
        for direction in &self.state.is_cut {
            direction.store(false, Ordering::SeqCst);
        }
    }
}

fn connect(client: TcpStream, server: TcpStream, state: &Arc<State>) {
    let ways = [
        (client.try_clone(), server.try_clone(), Direction::ToServer),
        (Ok(server), Ok(client), Direction::FromServer),
    ];
    for (from, to, direction) in ways {
        let state = state.clone();
        if let (Ok(from), Ok(to)) = (from, to) {
            thread::spawn(move || forward(from, to, direction, &state));
        }
    }
}

/// Forwards bytes in one direction until either side ends or the connection is cut.
fn forward(mut from: TcpStream, mut to: TcpStream, direction: Direction, state: &State) {
    let generation = state.generation.load(Ordering::SeqCst);
    let is_current = || state.generation.load(Ordering::SeqCst) == generation;
    let mut buffer = [0; 1 << 16];
    let _ = from.set_read_timeout(Some(POLL));
    let _ = to.set_nodelay(true);
    while is_current() {
        let read = match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                continue;
            }
            Err(_) => break,
        };
        if let Direction::FromServer = direction {
            thread::sleep(Duration::from_millis(state.delay.load(Ordering::SeqCst)));
        }
        while is_current() && state.is_cut[direction as usize].load(Ordering::SeqCst) {
            thread::sleep(POLL);
        }
        if !is_current() || to.write_all(&buffer[..read]).is_err() {
            break;
        }
    }
    for side in [from, to] {
        let _ = side.shutdown(std::net::Shutdown::Both);
    }
}
