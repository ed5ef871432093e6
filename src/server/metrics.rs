//! `GET /metrics`: what the server does, in the text format of OpenMetrics, which Prometheus reads:
//! rate, errors and duration of requests (RED), the queue, sessions by state, and what runs take.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use crate::artifact::session::State;
use crate::pipeline::{Event, Report, Reporter};

/// The bounds of the durations of requests, in seconds: from a file of the page to a report.
const BOUNDS: [f64; 9] = [0.001, 0.005, 0.02, 0.05, 0.2, 1.0, 5.0, 30.0, 300.0];

/// The methods that have a name of their own here; whatever else clients invent is one.
const METHODS: [Method; 5] = [
    Method::GET,
    Method::HEAD,
    Method::POST,
    Method::PUT,
    Method::DELETE,
];

type Labels<const N: usize> = [(&'static str, String); N];

/// What is counted.
pub(super) struct Metrics {
    registry: Registry,
    requests: Family<Labels<3>, Counter>,
    seconds: Family<Labels<1>, Histogram>,
    runs: Family<Labels<1>, Gauge>,
    sessions: Family<Labels<1>, Gauge>,
    taken: Taken,
}

/// What runs take, and how they end.
#[derive(Clone, Default)]
struct Taken {
    tokens: Family<Labels<1>, Counter>,
    cost: Counter<f64, AtomicU64>,
    fetches: Family<Labels<2>, Counter>,
    ends: Family<Labels<1>, Counter>,
}

impl Default for Metrics {
    fn default() -> Self {
        let metrics = Self {
            registry: Registry::with_prefix("research"),
            requests: Family::default(),
            seconds: Family::new_with_constructor(|| Histogram::new(BOUNDS)),
            runs: Family::default(),
            sessions: Family::default(),
            taken: Taken::default(),
        };
        metrics.registered()
    }
}

/// The format of the metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exposition {
    /// OpenMetrics 1.0, for whoever accepts it.
    OpenMetrics,
    /// The text format of Prometheus, version 0.0.4, for everybody else.
    Prometheus,
}

impl Exposition {
    /// The format that a request asks for.
    pub(super) fn of_request(headers: &HeaderMap) -> Self {
        let accepted = headers.get_all(header::ACCEPT).iter();
        let mut accepted = accepted.filter_map(|value| value.to_str().ok());
        if accepted.any(|value| value.contains("application/openmetrics-text")) {
            Self::OpenMetrics
        } else {
            Self::Prometheus
        }
    }

    fn media_type(self) -> &'static str {
        match self {
            Self::OpenMetrics => "application/openmetrics-text; version=1.0.0; charset=utf-8",
            Self::Prometheus => "text/plain; version=0.0.4; charset=utf-8",
        }
    }
}

/// OpenMetrics in the text format of Prometheus, where the family of a counter has the name of its
/// samples, and there is neither a unit nor an end.
fn prometheus_text(open_metrics: &str) -> String {
    let counters: Vec<&str> = open_metrics
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE ")?.strip_suffix(" counter"))
        .collect();
    let mut text = String::new();
    for line in open_metrics.lines() {
        let about = ["# HELP ", "# TYPE "]
            .into_iter()
            .find_map(|start| Some((start, line.strip_prefix(start)?.split_once(' ')?)));
        match about {
            Some((start, (name, rest))) if counters.contains(&name) => {
                text.push_str(&format!("{start}{name}_total {rest}\n"));
            }
            _ if line.starts_with("# UNIT ") || line == "# EOF" => {}
            _ => {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    text
}

/// The name of the route of a request; what leads nowhere has none.
pub(super) fn route(request: &Request) -> String {
    let path = request.extensions().get::<MatchedPath>();
    path.map_or("none", |path| path.as_str()).to_owned()
}

impl Metrics {
    fn registered(mut self) -> Self {
        let registry = &mut self.registry;
        let about = "Requests by route, method and status";
        registry.register("requests", about, self.requests.clone());
        registry.register_with_unit(
            "request_duration",
            "Time until the answer to a request begins",
            Unit::Seconds,
            self.seconds.clone(),
        );
        let about = "Runs of sessions that last, and that wait in the queue";
        registry.register("runs", about, self.runs.clone());
        let about = "Sessions by their state";
        registry.register("sessions", about, self.sessions.clone());
        let taken = self.taken.clone();
        let about = "Tokens that were sent to models and received from them";
        registry.register("tokens", about, taken.tokens);
        let about = "Cost of models and search services in US dollars";
        registry.register("cost_usd", about, taken.cost);
        let about = "Searches and pages, by whether they failed";
        registry.register("fetches", about, taken.fetches);
        let about = "Runs by how they ended";
        registry.register("runs_ended", about, taken.ends);
        self
    }

    /// Counts a request that was answered.
    pub(super) fn answered(
        &self,
        method: &Method,
        route: String,
        status: StatusCode,
        time: Duration,
    ) {
        let is_known = METHODS.contains(method);
        let method = if is_known { method.as_str() } else { "other" };
        let labels = [
            ("route", route.clone()),
            ("method", method.to_owned()),
            ("status", status.as_u16().to_string()),
        ];
        self.requests.get_or_create(&labels).inc();
        let seconds = self.seconds.get_or_create(&[("route", route)]);
        seconds.observe(time.as_secs_f64());
    }

    /// The reporter that counts what a run takes.
    pub(super) fn reporter(&self) -> Reporter {
        let taken = self.taken.clone();
        Arc::new(move |report: &Report<'_>| {
            if let Report::Session { event, .. } = report {
                taken.add(event);
            }
        })
    }

    /// The answer to `GET /metrics`, with the lengths of the queue and the states of all sessions.
    pub(super) fn answer(
        &self,
        format: Exposition,
        lengths: (usize, usize),
        states: &[State],
    ) -> Response {
        let set = |family: &Family<Labels<1>, Gauge>, state: &str, number: usize| {
            let gauge = family.get_or_create(&[("state", state.to_owned())]);
            gauge.set(i64::try_from(number).unwrap_or(i64::MAX));
        };
        set(&self.runs, "running", lengths.0);
        set(&self.runs, "waiting", lengths.1);
        for state in State::ALL {
            let number = states.iter().filter(|own| **own == state).count();
            set(&self.sessions, &state.name().to_lowercase(), number);
        }
        let mut text = String::new();
        if encode(&mut text, &self.registry).is_err() {
            return StatusCode::INTERNAL_SERVER_ERROR.into_response();
        }
        if format == Exposition::Prometheus {
            text = prometheus_text(&text);
        }
        ([(header::CONTENT_TYPE, format.media_type())], text).into_response()
    }
}

impl Taken {
    fn add(&self, event: &Event) {
        let fetch = |kind: &str, problem: &Option<String>| {
            let outcome = problem.as_ref().map_or("ok", |_| "failed");
            let labels = [("kind", kind.to_owned()), ("outcome", outcome.to_owned())];
            self.fetches.get_or_create(&labels).inc();
        };
        let end = |outcome: &str| {
            let label = [("outcome", outcome.to_owned())];
            self.ends.get_or_create(&label).inc();
        };
        match event {
            Event::Called {
                input_tokens,
                output_tokens,
                cost_usd,
                ..
            } => {
                for (name, number) in [("input", input_tokens), ("output", output_tokens)] {
                    let label = [("direction", name.to_owned())];
                    self.tokens.get_or_create(&label).inc_by(*number);
                }
                self.cost.inc_by(cost_usd.unwrap_or_default());
            }
            Event::Searched {
                problem, cost_usd, ..
            } => {
                self.cost.inc_by(*cost_usd);
                fetch("search", problem);
            }
            Event::PageRead { problem, .. } => fetch("page", problem),
            Event::RunFinished => end("finished"),
            Event::Interrupted => end("interrupted"),
            Event::StageFailed { .. } => end("failed"),
            Event::StageWaits { .. } => end("waiting"),
            _ => {}
        }
    }
}
