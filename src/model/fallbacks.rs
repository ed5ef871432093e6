//! The calls of a session that gave no usable answer, so that rules answered instead.

use std::fmt;
use std::path::Path;

use anyhow::Result;

use super::journal::{Call, calls};
use crate::text::counted;

/// The counts of a session's calls in whose place rules answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fallbacks {
    /// The number of times that a rule answered in place of a model.
    by_rule: usize,
    /// The number of calls without a usable answer: to each question a second one corrects the
    /// first.
    unusable: usize,
    /// The number of all calls that have ended.
    calls: usize,
}

impl Fallbacks {
    /// The counts of the session at `path`; `None` if no rule answered in place of a model.
    ///
    /// # Errors
    /// When the journal of calls cannot be read.
    pub fn read(path: &Path) -> Result<Option<Self>> {
        Ok(Self::of(&calls(path)?))
    }

    /// The counts as a sentence that begins a report.
    pub fn of_report(self) -> String {
        let (answers, counts) = (counted(self.by_rule, "answer"), self.counts());
        format!("This report has {answers} of rules in place of the model's: {counts}.")
    }

    /// `true` if no call of the model gave a usable answer.
    pub fn is_total(self) -> bool {
        self.unusable == self.calls
    }

    fn counts(self) -> String {
        let calls = counted(self.calls, "call");
        format!("{} of its {calls} gave no usable answer", self.unusable)
    }

    fn of(calls: &[Call]) -> Option<Self> {
        // In place of a request that was too long, a shorter one is another call.
        let ended = calls
            .iter()
            .filter(|call| !call.is_too_long && (call.reply.is_some() || call.rejection.is_some()));
        let rejections = ended.clone().filter_map(|call| call.rejection.as_ref());
        let by_rule = rejections.clone().filter(|own| own.given_up).count();
        (by_rule > 0).then(|| Self {
            by_rule,
            unusable: rejections.count(),
            calls: ended.count(),
        })
    }
}

impl fmt::Display for Fallbacks {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (times, counts) = (counted(self.by_rule, "time"), self.counts());
        write!(
            formatter,
            "rules answered {times} in place of the model: {counts}"
        )
    }
}
