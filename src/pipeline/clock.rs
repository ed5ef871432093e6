//! The clock: the only source of the time in artifacts. No decision depends on it.

use std::time::{Duration, Instant};

use chrono::{DateTime, SecondsFormat, Utc};

/// The clock of a run: the system clock, or a fixed time for tests and reproducible reports.
#[derive(Debug, Clone, Copy, Default)]
pub struct Clock {
    fixed: Option<DateTime<Utc>>,
}

impl Clock {
    /// A clock that always shows `moment`.
    pub fn fixed(moment: DateTime<Utc>) -> Self {
        Self {
            fixed: Some(moment),
        }
    }

    /// The time now.
    pub fn now(&self) -> DateTime<Utc> {
        self.fixed.unwrap_or_else(Utc::now)
    }

    /// The time now as RFC 3339 in whole seconds, as it is written into artifacts.
    pub fn timestamp(&self) -> String {
        self.now().to_rfc3339_opts(SecondsFormat::Secs, true)
    }

    /// The time now as RFC 3339, so fine that what began earlier has an earlier one; as texts, they
    /// are in order. A clock that is fixed to a whole second shows that.
    pub fn fine_timestamp(&self) -> String {
        let now = self.now();
        let format = match now.timestamp_subsec_nanos() {
            0 => SecondsFormat::Secs,
            _ => SecondsFormat::Micros,
        };
        now.to_rfc3339_opts(format, true)
    }
}

/// A moment as RFC 3339, as [`Clock::fine_timestamp`] gives it, to the second: for people.
pub fn to_the_second(moment: &str) -> String {
    match moment.split_once('.') {
        Some((whole, _)) => format!("{whole}Z"),
        None => moment.to_owned(),
    }
}

/// Measures durations, for display. With a fixed clock, every duration is zero.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch(Option<Instant>);

impl Clock {
    /// A stopwatch that begins now.
    pub fn stopwatch(&self) -> Stopwatch {
        // Durations appear in output too: with a fixed clock, two runs must print the same.
        Stopwatch(self.fixed.is_none().then(Instant::now))
    }
}

impl Stopwatch {
    /// The time since it began.
    pub fn elapsed(&self) -> Duration {
        self.0.map_or(Duration::ZERO, |began| began.elapsed())
    }
}
