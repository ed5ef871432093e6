//! Diagnostics: the `tracing` subscriber, which prints the spans and events of the whole program to
//! standard error.
//!
//! `-v` shows events of level info, `-vv` of level debug with the time each span took, `-vvv` of
//! level trace; `RUST_LOG` replaces this by its own directives. Without any of them, no subscriber
//! is installed and spans cost nothing. The event log of a session, `events.jsonl`, is independent
//! of this.

use std::env;

use anstream::ColorChoice;
use anyhow::{Context as _, Result};
use clap::ValueEnum;
use tracing::Metadata;
use tracing_subscriber::filter::{EnvFilter, filter_fn};
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::{Layer as _, Registry, fmt};

use super::terminal::LogWriter;
#[cfg(feature = "otel")]
use super::traces;

/// The environment variable that selects the logs, as is customary in Rust.
const VARIABLE: &str = "RUST_LOG";

/// The root of the targets of this crate.
const CRATE: &str = env!("CARGO_CRATE_NAME");

/// The target of messages that are meant for people.
pub(super) const MESSAGES: &str = "research::message";

/// The format of messages and log lines on standard error.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// Plain text
    #[default]
    Text,
    /// One JSON object per line
    Json,
}

/// `true` for what this program itself logs. Events of libraries are never shown, whatever
/// `RUST_LOG` says: requests and headers in them may hold API keys, which our own events are
/// written to leave out.
fn is_own(metadata: &Metadata<'_>) -> bool {
    metadata.target().split("::").next() == Some(CRATE)
}

/// Installs the subscriber, unless nothing is to be logged.
///
/// # Errors
/// When `RUST_LOG` cannot be parsed.
pub(super) fn install(format: LogFormat, verbosity: u8, quiet: bool) -> Result<()> {
    let directives = env::var(VARIABLE).ok().filter(|text| !text.is_empty());
    let shows_spans = verbosity > 1 || directives.is_some();
    let directives = match (quiet, directives, verbosity) {
        (true, ..) => "off".to_owned(),
        (false, Some(directives), _) => directives,
        (false, None, 0) => "off".to_owned(),
        (false, None, 1) => format!("{CRATE}=info"),
        (false, None, 2) => format!("{CRATE}=debug"),
        (false, None, _) => format!("{CRATE}=trace"),
    };
    let registry = Registry::default();
    #[cfg(feature = "otel")]
    let (registry, is_traced) = {
        let traces = traces::layer()?.map(|layer| layer.with_filter(filter_fn(is_own)));
        let is_traced = traces.is_some();
        (registry.with(traces), is_traced)
    };
    #[cfg(not(feature = "otel"))]
    let is_traced = false;
    if format == LogFormat::Text && directives == "off" && !is_traced {
        return Ok(());
    }
    let mut filter = EnvFilter::builder()
        .parse(&directives)
        .with_context(|| format!("{VARIABLE}={directives} cannot be parsed"))?;
    if format == LogFormat::Json {
        // Messages are printed at any verbosity; as JSON they go through the subscriber.
        let level = if quiet { "error" } else { "info" };
        filter = filter.add_directive(format!("{MESSAGES}={level}").parse()?);
    }
    let layer = fmt::layer()
        .with_writer(move || LogWriter {
            is_json: format == LogFormat::Json,
        })
        .with_span_events(if shows_spans {
            FmtSpan::CLOSE
        } else {
            FmtSpan::NONE
        });
    let layer = match format {
        LogFormat::Text => {
            let color = anstream::AutoStream::choice(&std::io::stderr());
            let layer = layer.compact().without_time();
            layer.with_ansi(color != ColorChoice::Never).boxed()
        }
        // `span` stays: the line of a closed span has no other name for it.
        LogFormat::Json => layer.json().boxed(),
    };
    let subscriber = registry.with(layer.with_filter(filter_fn(is_own)).with_filter(filter));
    // A process has a single subscriber: if the command line runs twice in it, the first stays.
    let _ = tracing::subscriber::set_global_default(subscriber);
    Ok(())
}
