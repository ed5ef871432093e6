//! Rate limits by the generic cell rate algorithm (GCRA, ITU-T I.371), a token bucket that stores a
//! single time. Unlike common rate-limiting crates it can refund: the tokens of a call are an
//! estimate until its reply has been counted.
//!
//! Times are counted from any beginning, that of a process or that of a server's calendar.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

const MINUTE: Duration = Duration::from_secs(60);

/// The longest time that one amount takes at a rate; chosen by hand. The count of tokens comes from
/// a server, and must neither overflow a time nor end a run by an endless wait.
const LONGEST: Duration = Duration::from_secs(3600);

/// A rate, with the burst that it allows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// The time of one unit at the rate, in seconds.
    unit_seconds: f64,
    burst: Duration,
}

impl Rate {
    /// So many units a minute, with a burst of one minute's worth; `None` for 0, which is no limit.
    pub fn per_minute(units: u64) -> Option<Self> {
        (units > 0).then(|| Self {
            unit_seconds: MINUTE.as_secs_f64() / units as f64,
            burst: MINUTE,
        })
    }

    /// One unit after the other with this gap between them; `None` for zero, which is no limit.
    pub fn one_every(gap: Duration) -> Option<Self> {
        (!gap.is_zero()).then_some(Self {
            unit_seconds: gap.as_secs_f64(),
            burst: gap,
        })
    }

    /// The time that an amount takes at the rate: its emission interval.
    fn interval(&self, amount: u64) -> Duration {
        let seconds = (self.unit_seconds * amount as f64).min(LONGEST.as_secs_f64());
        // Rounded down, so that a burst of one unit after the other is as large as one at once.
        Duration::from_nanos((seconds * 1e9) as u64)
    }

    /// Takes an amount. `arrival` is the theoretical arrival time (TAT): the time at which
    /// everything taken so far will have been spent at the rate. Returns the next one, and the time
    /// to wait for the amount.
    pub fn take(&self, arrival: Duration, now: Duration, amount: u64) -> (Duration, Duration) {
        // TAT' = max(TAT, now) + interval; the amount conforms once now >= TAT' - burst.
        let interval = self.interval(amount);
        let next = arrival.max(now) + interval;
        // An amount above the burst waits for an unused burst instead of forever.
        let conforming = now + self.burst.max(interval);
        (next, next.saturating_sub(conforming))
    }

    /// Replaces an amount that was taken by the one that was used. Returns the next arrival time.
    pub fn correct(&self, arrival: Duration, now: Duration, taken: u64, used: u64) -> Duration {
        if used > taken {
            return self.take(arrival, now, used - taken).0;
        }
        arrival.saturating_sub(self.interval(taken - used))
    }

    /// An arrival time that some clock wrote, as far as a clock that shows `now` can believe it:
    /// when a clock is set back, what it wrote before lies too far ahead.
    pub fn plausible(&self, arrival: Duration, now: Duration) -> Duration {
        arrival.min(now + self.burst + LONGEST)
    }
}

/// A rate limiter of this process.
#[derive(Debug)]
pub struct Gcra {
    /// The rate; `None` for no limit.
    rate: Option<Rate>,
    began: Instant,
    arrival: Mutex<Duration>,
}

impl Gcra {
    /// A rate limiter; without a rate, for no limit.
    pub fn new(rate: Option<Rate>) -> Self {
        Self {
            rate,
            began: Instant::now(),
            arrival: Mutex::default(),
        }
    }

    /// Takes an amount, and returns the time to wait for it.
    pub fn take(&self, amount: u64) -> Duration {
        self.take_at(amount, self.began.elapsed())
    }

    fn take_at(&self, amount: u64, now: Duration) -> Duration {
        let Some(rate) = &self.rate else {
            return Duration::ZERO;
        };
        let mut arrival = self.lock();
        let (next, wait) = rate.take(*arrival, now, amount);
        *arrival = next;
        wait
    }

    /// Replaces an amount that was taken by the one that was used. An excess delays what is taken
    /// next.
    pub fn correct(&self, taken: u64, used: u64) {
        if let Some(rate) = &self.rate {
            let mut arrival = self.lock();
            *arrival = rate.correct(*arrival, self.began.elapsed(), taken, used);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Duration> {
        self.arrival.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Duration = Duration::from_secs(1000);

    fn per_minute(units: u64) -> Gcra {
        Gcra::new(Rate::per_minute(units))
    }

    #[test]
    fn gcra_allows_a_burst_of_one_minute_and_spaces_the_rest() {
        let gcra = per_minute(60);
        for _ in 0..60 {
            assert_eq!(gcra.take_at(1, NOW), Duration::ZERO);
        }
        assert_eq!(gcra.take_at(1, NOW), Duration::from_secs(1));
        assert_eq!(gcra.take_at(1, NOW), Duration::from_secs(2));
        assert_eq!(
            gcra.take_at(1, NOW + Duration::from_secs(62)),
            Duration::ZERO
        );
    }

    #[test]
    fn gcra_refunds_what_was_not_used() {
        let gcra = per_minute(60);
        assert_eq!(gcra.take_at(60, NOW), Duration::ZERO);
        gcra.correct(60, 40);
        assert_eq!(gcra.take_at(20, NOW), Duration::ZERO);
        assert_eq!(gcra.take_at(1, NOW), Duration::from_secs(1));
        gcra.correct(1, 4);
        assert_eq!(gcra.take_at(1, NOW), Duration::from_secs(5));
    }

    #[test]
    fn absurd_count_of_tokens_neither_overflows_nor_waits_for_ever() {
        let gcra = per_minute(1);
        assert_eq!(gcra.take_at(u64::MAX, NOW), Duration::ZERO);
        assert!(gcra.take_at(1, NOW) <= LONGEST);
    }

    #[test]
    fn zero_is_no_limit() {
        assert_eq!(per_minute(0).take(1_000_000), Duration::ZERO);
        assert_eq!(Rate::one_every(Duration::ZERO), None);
    }

    #[test]
    fn burst_is_whole_although_intervals_are_rounded() {
        for units in 1..1000 {
            let gcra = per_minute(units);
            let waits: Duration = (0..units).map(|_| gcra.take_at(1, NOW)).sum();
            assert_eq!(waits, Duration::ZERO, "{units}");
        }
    }

    #[test]
    fn gap_allows_no_burst() {
        let gcra = Gcra::new(Rate::one_every(Duration::from_secs(2)));
        assert_eq!(gcra.take_at(1, NOW), Duration::ZERO);
        assert_eq!(gcra.take_at(1, NOW), Duration::from_secs(2));
        assert_eq!(
            gcra.take_at(1, NOW + Duration::from_secs(5)),
            Duration::ZERO
        );
    }

    #[test]
    fn what_a_clock_wrote_before_it_was_set_back_is_not_believed() {
        let rate = Rate::per_minute(60).unwrap();
        let far = NOW + 100 * LONGEST;
        assert_eq!(rate.plausible(far, NOW), NOW + MINUTE + LONGEST);
        assert_eq!(rate.plausible(NOW, NOW), NOW);
    }
}
