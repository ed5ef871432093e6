//! The time that a stage or a step took, for the lines of `--verbose`.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::{DateTime, Utc};

use crate::pipeline::Event;

/// When the stages and steps of a run began.
#[derive(Debug, Default)]
pub(super) struct Durations {
    begun: BTreeMap<String, DateTime<Utc>>,
}

impl Durations {
    /// The time since the beginning of the stage or the step that ends with this event; `None` for
    /// any other event, and for what was made before.
    pub(super) fn at(&mut self, event: &Event, now: DateTime<Utc>) -> Option<Duration> {
        let (key, is_end) = match event {
            Event::StageStarted { stage, .. } => (format!("stage {stage}"), false),
            Event::StageFinished { stage, .. } => (format!("stage {stage}"), true),
            Event::StepStarted { step, .. } => (format!("step {step}"), false),
            Event::StepFinished { step, .. } | Event::StepFailed { step, .. } => {
                (format!("step {step}"), true)
            }
            _ => return None,
        };
        if is_end {
            let begun = self.begun.remove(&key)?;
            return (now - begun).to_std().ok();
        }
        self.begun.insert(key, now);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_step_has_the_time_since_its_own_beginning() {
        let started = |step: &str| Event::StepStarted {
            step: step.to_owned(),
            title: String::new(),
        };
        let failed = |step: &str| Event::StepFailed {
            step: step.to_owned(),
            problem: String::new(),
        };
        let (mut durations, start) = (Durations::default(), DateTime::<Utc>::UNIX_EPOCH);
        let after = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(durations.at(&started("1-costs"), start), None);
        assert_eq!(durations.at(&started("2-noise"), after(1)), None);
        let took = durations.at(&failed("1-costs"), after(3));
        assert_eq!(took, Some(Duration::from_secs(3)));
        let took = durations.at(&failed("2-noise"), after(3));
        assert_eq!(took, Some(Duration::from_secs(2)));
        assert_eq!(durations.at(&failed("3-else"), after(3)), None);
    }
}
