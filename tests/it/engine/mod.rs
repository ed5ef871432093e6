//! Tests of the engine on a toy pipeline: staleness, edits, rounds, locks, untrusted sessions, and
//! crash recovery under fault injection.

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
