//! A queue of topics on NATS JetStream, from which workers on many machines take them.
//!
//! One message a topic, on a subject of its own, named by its key: a topic that waits or is leased
//! is not queued a second time. A work-queue stream holds them until they are acknowledged, with a
//! pull consumer for each lane. A worker leases one topic for each of its free slots, renews the
//! leases, and acknowledges a topic when its session is finished; a lease that expires is delivered
//! again. What fails for the fifth time, or can never succeed, moves with its reason to a stream of
//! dead letters.
//!
//! The workers share limits of models, of hosts and of money through a bucket beside the streams.
//!
//! The queue only spreads the work: that a session is run by one process, and that nothing finished
//! is done again, is guaranteed by the session's lock and gates, wherever its topic came from.

mod bucket;
mod connection;
mod dead;
mod fleet;
mod lane;
mod lease;
mod orphans;
mod source;
mod status;
mod stream;
mod submit;

pub use bucket::Notice;
pub use connection::{Connection, QueueSettings};
pub use fleet::{FleetLimits, FleetQuotas};
pub use lane::{Lane, Priority, Tenant};
pub use source::QueueSource;
pub use status::{LaneStatus, QueueStatus};
pub use submit::Submission;
