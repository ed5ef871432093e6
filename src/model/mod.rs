//! Language models: one request to one model, its cost limits, and the journal of every call.
//!
//! [`Models`] holds the model of each tier, selected by settings and environment. [`Models::send`]
//! sends one request within the rate limits of its provider, independently of agents, sessions and
//! files. [`Journal`] is the write-ahead journal of a session's calls, so that nothing is paid for
//! twice. [`lenient`] parses a reply's text into a typed answer. [`Budget`] reserves what a call
//! can cost.
//!
//! Invariants:
//! - **No key leaves this module**: replies and errors are redacted of every key of this process
//!   before anything else sees them.
//! - **Nothing here retries a request**: the model backend in `agent` does, and records each try in
//!   the journal.
//! - **No reply fills the memory**: the relay between the client library and a provider passes back
//!   no more than a reply, a line of a stream, or an error may hold.
//! - **A request depends on its content alone**: it contains no time, no randomness and no reply to
//!   another request.

mod budget;
mod catalogue;
mod client;
mod component_budgets;
mod discovery;
mod error;
mod fallbacks;
mod forecast;
mod journal;
pub mod lenient;
mod models;
mod rate_limits;
mod relay;
mod request;
mod runtime;
mod salvage;
mod secrets;
mod stream;
mod tier;

pub use budget::{Amount, Budget, Needs, Phase, Reservation};
pub use catalogue::{Catalogue, Price, Prices, Protocol, Provider, SchemaBy};
pub use client::{http_client, is_on_this_machine};
pub use component_budgets::{ComponentBudgets, ComponentExhausted, ComponentReservation};
pub use discovery::{ModelName, Selection};
pub use error::ModelError;
pub use fallbacks::Fallbacks;
pub use forecast::{CallEstimate, ExpectedCalls, Forecast, ForecastLine};
pub use journal::{Call, FailedTry, Journal, Lookup, RecordedReply, Rejection, Replay, calls};
pub use models::{Model, Models};
pub use request::{Message, Reply, Request, Role, Usage, estimate_tokens};
pub use tier::Tier;

pub use crate::quota::BudgetExhausted;
