//! The lanes of the queue: one for each priority and tenant, with a weighted round-robin between
//! priorities and a plain one between the tenants of a priority, so that none starves another.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use clap::ValueEnum;
use schemars::JsonSchema;
use serde::Serialize;

/// The beginning of the subjects of waiting topics.
pub(super) const TOPICS: &str = "research.topics";
/// The beginning of the subjects of dead letters.
pub(super) const DEAD: &str = "research.dead";

/// The longest name of a tenant, in bytes (chosen by hand: it is part of each subject).
const MAX_TENANT_BYTES: usize = 32;

/// A priority. Of the topics that are taken while all priorities have some, four in seven are of
/// high priority, two of normal and one of low priority (chosen by hand: powers of two).
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema, ValueEnum,
)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// Four turns in seven.
    High,
    /// Two turns in seven.
    Normal,
    /// One turn in seven.
    Low,
}

impl Priority {
    const ALL: [Self; 3] = [Self::High, Self::Normal, Self::Low];

    fn name(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Normal => "normal",
            Self::Low => "low",
        }
    }

    /// The virtual time that a turn takes: inversely proportional to the weight.
    fn stride(self) -> u64 {
        match self {
            Self::High => 1,
            Self::Normal => 2,
            Self::Low => 4,
        }
    }
}

/// The name of a tenant, whose topics have a lane of their own.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Tenant(String);

impl FromStr for Tenant {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
        Some(name)
            .filter(|name| (1..=MAX_TENANT_BYTES).contains(&name.len()) && name.chars().all(fits))
            .map(|name| Self(name.to_owned()))
            .ok_or_else(|| format!("expected at most {MAX_TENANT_BYTES} letters, digits and _"))
    }
}

/// A lane of the queue.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Lane {
    /// The priority of its topics.
    pub priority: Priority,
    /// The tenant to whom they belong.
    pub tenant: Tenant,
}

impl Lane {
    /// The subject of a topic in this lane, below [`TOPICS`] or [`DEAD`].
    pub(super) fn subject(&self, root: &str, key: &str) -> String {
        format!("{root}.{}.{}.{key}", self.priority.name(), self.tenant.0)
    }

    /// The subjects of all its topics.
    pub(super) fn filter(&self) -> String {
        self.subject(TOPICS, "*")
    }

    /// The name of its consumer.
    pub(super) fn consumer(&self) -> String {
        self.to_string()
    }

    /// The lane of a consumer.
    pub(super) fn of_consumer(name: &str) -> Option<Self> {
        let (priority, tenant) = name.split_once('-')?;
        Self::of(priority, tenant)
    }

    /// The lane of a subject.
    pub(super) fn of_subject(subject: &str) -> Option<Self> {
        let tokens: Vec<&str> = subject.split('.').collect();
        match tokens[..] {
            [_, _, priority, tenant, _] => Self::of(priority, tenant),
            _ => None,
        }
    }

    fn of(priority: &str, tenant: &str) -> Option<Self> {
        let is_it = |other: &Priority| other.name() == priority;
        Some(Self {
            priority: Priority::ALL.into_iter().find(is_it)?,
            tenant: tenant.parse().ok()?,
        })
    }
}

impl fmt::Display for Lane {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&format!("{}-{}", self.priority.name(), self.tenant.0))
    }
}

/// The order of the lanes: stride scheduling between the priorities, and among the lanes of one
/// the least recently served first.
#[derive(Default)]
pub(super) struct Turns {
    /// The virtual time of the next turn of each priority.
    passes: BTreeMap<Priority, u64>,
    /// The number of the last turn of each lane.
    served: BTreeMap<Lane, u64>,
    turns: u64,
}

impl Turns {
    /// The lanes in the order in which they are to be tried.
    pub(super) fn order(&self, lanes: &[Lane]) -> Vec<Lane> {
        let mut lanes = lanes.to_vec();
        lanes.sort_by_key(|lane| {
            let pass = self.passes.get(&lane.priority).copied();
            let served = self.served.get(lane).copied();
            (
                pass.unwrap_or_default(),
                lane.priority,
                served.unwrap_or_default(),
            )
        });
        lanes
    }

    /// Notes that a topic was taken from this lane, and that those before it had none.
    pub(super) fn serve(&mut self, lane: &Lane) {
        self.turns += 1;
        self.served.insert(lane.clone(), self.turns);
        let now = self.passes.get(&lane.priority).copied().unwrap_or_default();
        // A priority that had no topics saves no turns for later.
        for priority in Priority::ALL {
            let pass = self.passes.entry(priority).or_default();
            *pass = now.max(*pass);
        }
        self.passes
            .insert(lane.priority, now + lane.priority.stride());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lanes() -> Vec<Lane> {
        ["high-a", "normal-a", "low-a", "low-b"]
            .map(|name| Lane::of_consumer(name).unwrap())
            .to_vec()
    }

    /// The number of turns of each lane, when these always have topics.
    fn turns_of(lanes: &[Lane], turns: &mut Turns, count: usize) -> BTreeMap<String, usize> {
        let mut taken = BTreeMap::new();
        for _ in 0..count {
            let first = turns.order(lanes).swap_remove(0);
            turns.serve(&first);
            *taken.entry(first.consumer()).or_default() += 1;
        }
        taken
    }

    #[test]
    fn priorities_share_by_weight_and_tenants_evenly() {
        let taken = turns_of(&lanes(), &mut Turns::default(), 700);
        let expected = [
            ("high-a", 400),
            ("low-a", 50),
            ("low-b", 50),
            ("normal-a", 200),
        ];
        for (lane, count) in expected {
            assert!(taken[lane].abs_diff(count) <= 2, "{taken:?}");
        }
    }

    #[test]
    fn lane_that_was_empty_gets_its_share_and_no_more() {
        let (lanes, mut turns) = (lanes(), Turns::default());
        let high = turns_of(&lanes[..1], &mut turns, 1000);
        assert_eq!(high["high-a"], 1000);
        let taken = turns_of(&lanes, &mut turns, 70);
        assert!(taken["high-a"].abs_diff(40) <= 2, "{taken:?}");
    }

    #[test]
    fn lane_is_known_by_its_consumer_and_its_subjects() {
        for lane in lanes() {
            let subject = lane.subject(TOPICS, "f00d");
            assert_eq!(subject.split('.').count(), 5, "{subject}");
            assert_eq!(Lane::of_subject(&subject), Some(lane.clone()));
            assert_eq!(Lane::of_consumer(&lane.consumer()), Some(lane));
        }
        for name in ["", "high", "urgent-a", "low-", "low-a.b", "low-*"] {
            assert_eq!(Lane::of_consumer(name), None, "{name}");
        }
    }
}
