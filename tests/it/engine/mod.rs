//! The engine on a toy pipeline of its own: what it makes, keeps, moves and refuses, and that no
//! failing operation, dying process or loss of power changes how a session ends. Knows nothing of
//! research.

#![expect(
    clippy::unwrap_used,
    reason = "a helper of a test fails the test where it stands"
)]

mod damage;
mod digest_cache;
mod disk_faults;
mod edits;
mod events;
mod faults;
mod fresh;
mod hostile;
mod interrupted;
mod lock;
mod power;
mod requests;
mod rounds;
mod scenario;
mod session;
mod toy;
mod unreadable;
