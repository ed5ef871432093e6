//! Traces to an OpenTelemetry collector: the spans of runs, stages, steps and rules over OTLP, with
//! the feature `otel` and where a variable of OpenTelemetry names a collector.

use std::env;
use std::sync::OnceLock;

use anyhow::{Context as _, Result};
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::SpanExporter;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::Subscriber;
use tracing_subscriber::Layer;
use tracing_subscriber::registry::LookupSpan;

/// The variables of OpenTelemetry, one of which has to name the collector.
const VARIABLES: [&str; 2] = [
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
];

static PROVIDER: OnceLock<SdkTracerProvider> = OnceLock::new();

/// The layer that exports all spans; `None` where no collector is named.
///
/// # Errors
/// When the collector cannot be used.
pub(super) fn layer<S>() -> Result<Option<impl Layer<S>>>
where
    S: Subscriber + for<'span> LookupSpan<'span>,
{
    if VARIABLES.iter().all(|name| env::var_os(name).is_none()) {
        return Ok(None);
    }
    // The HTTP client panics without cryptography; an error says that another part was first.
    let _ = rustls::crypto::ring::default_provider().install_default();
    // The exporter reads these variables, and those of headers and time limits.
    let exporter = SpanExporter::builder()
        .with_http()
        .build()
        .with_context(|| format!("the collector of {} cannot be used", VARIABLES[0]))?;
    let resource = Resource::builder().with_service_name("research").build();
    let provider = SdkTracerProvider::builder()
        .with_batch_exporter(exporter)
        .with_resource(resource)
        .build();
    let provider = PROVIDER.get_or_init(|| provider);
    let tracer = provider.tracer("research");
    Ok(Some(tracing_opentelemetry::layer().with_tracer(tracer)))
}

/// Sends what has not been sent yet, at the end of the program.
pub(super) fn flush() {
    // Whatever is wrong with the collector must not fail the program.
    let _ = PROVIDER.get().map(SdkTracerProvider::shutdown);
}
