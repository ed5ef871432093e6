//! What sources give several values of: contradictions that share a value are one dispute.

use crate::artifact::analysis::Contradiction;

/// What sources contradict each other on.
pub(super) struct Dispute<'a> {
    /// Where its first contradiction comes among all.
    position: usize,
    /// Its first contradiction.
    pub(super) first: &'a Contradiction,
    /// The passages of all sides with their values, a passage for each value; empty for one
    /// contradiction that is not between values.
    pub(super) sides: Vec<Side<'a>>,
}

/// A side of a dispute.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Side<'a> {
    pub(super) passage: &'a str,
    pub(super) value: &'a str,
}

/// The disputes of contradictions, in the order of the first contradiction of each.
pub(super) fn disputes(contradictions: &[Contradiction]) -> Vec<Dispute<'_>> {
    let mut disputes: Vec<Dispute<'_>> = Vec::new();
    for (position, own) in contradictions.iter().enumerate() {
        let mut dispute = Dispute::of(position, own);
        // One contradiction may connect several disputes.
        let connected = disputes.extract_if(.., |earlier| earlier.shares_a_side(&dispute));
        let connected: Vec<Dispute<'_>> = connected.collect();
        // The first one keeps its position.
        for earlier in connected.into_iter().rev() {
            dispute = earlier.joined(&dispute);
        }
        disputes.push(dispute);
    }
    disputes.sort_by_key(|dispute| dispute.position);
    disputes
}

impl<'a> Dispute<'a> {
    fn of(position: usize, first: &'a Contradiction) -> Self {
        let sides = first.values.iter().flat_map(|[one, other]| {
            [(&first.one, one), (&first.other, other)]
                .map(|(passage, value)| Side { passage, value })
        });
        Self {
            position,
            first,
            sides: sides.collect(),
        }
    }

    fn shares_a_side(&self, other: &Self) -> bool {
        self.sides.iter().any(|side| other.sides.contains(side))
    }

    fn joined(mut self, later: &Self) -> Self {
        for side in &later.sides {
            if self.sides.iter().all(|own| own.value != side.value) {
                self.sides.push(*side);
            }
        }
        self
    }

    /// The difference for display.
    pub(super) fn difference(&self) -> String {
        if self.sides.len() <= 2 {
            return self.first.difference.clone();
        }
        let values: Vec<&str> = self.sides.iter().map(|side| side.value).collect();
        values.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artifact::analysis::ContradictionKind;

    fn contradiction([one, other]: [&str; 2], values: Option<[&str; 2]>) -> Contradiction {
        Contradiction {
            kind: ContradictionKind::Number,
            difference: format!("{one} against {other}"),
            denied: String::new(),
            values: values.map(|values| values.map(str::to_owned)),
            one: one.to_owned(),
            other: other.to_owned(),
            settled_by: Vec::new(),
        }
    }

    #[test]
    fn values_of_one_thing_are_one_dispute_and_those_of_another_thing_are_not() {
        let contradictions = [
            contradiction(["P1", "P2"], Some(["3 min", "4 min"])),
            contradiction(["P3", "P4"], Some(["6 min", "7 min"])),
            contradiction(["P1", "P5"], Some(["20 kg", "30 kg"])),
            contradiction(["P6", "P7"], None),
            contradiction(["P2", "P3"], Some(["4 min", "6 min"])),
            contradiction(["P1", "P3"], Some(["3 min", "6 min"])),
        ];
        let disputes = disputes(&contradictions);
        let differences: Vec<String> = disputes.iter().map(Dispute::difference).collect();
        assert_eq!(
            differences,
            [
                "3 min, 4 min, 6 min, 7 min",
                "P1 against P5",
                "P6 against P7"
            ]
        );
    }
}
