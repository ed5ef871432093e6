//! Two rounds of a session, or two sessions, side by side.

use std::path::Path;

use anyhow::Result;

use super::rounds::{Round, Rounds};
use crate::artifact::Review;
use crate::config::Settings;
use crate::export::difference::{self, Difference, Side};

/// Two rounds, of one session or of two.
pub struct Comparison {
    from: Named,
    to: Named,
    /// The reviews from which the later round results.
    reviews: Vec<Review>,
}

/// A round with the name of its session.
struct Named {
    name: String,
    round: Round,
}

/// A session has only one round and nothing that it replaces, and so nothing to compare it with.
#[derive(Debug, thiserror::Error)]
#[error(
    "{} has only one round, and replaces no earlier report; name another session to compare with",
    .0.display()
)]
pub struct OnlyRound(std::path::PathBuf);

impl Comparison {
    /// Two rounds of the session at `path`: by default the last one, and the one before; of a
    /// session with one round, the report that it replaces, and its own.
    ///
    /// # Errors
    /// When there are no such rounds, or they cannot be read.
    pub fn of_rounds(
        path: &Path,
        settings: &Settings,
        from: Option<u32>,
        to: Option<u32>,
    ) -> Result<Self> {
        let rounds = Rounds::of(path, settings)?;
        let to = to.unwrap_or_else(|| rounds.last());
        if from.is_none()
            && to == 1
            && let Some(directory) = rounds.replaced()
        {
            let before = rounds.read_replaced(&directory)?;
            return Ok(Self {
                from: Named::in_directory(path, &directory, before),
                to: Named::new(path, rounds.read(to)?),
                reviews: Vec::new(),
            });
        }
        let from = from.or(to.checked_sub(1)).filter(|from| *from > 0);
        let from = from.ok_or_else(|| OnlyRound(path.to_owned()))?;
        let (before, after) = (rounds.read(from)?, rounds.read(to)?);
        // The later round results from the reviews of the earlier one and of those between the two.
        let mut reviews = Vec::new();
        for round in from..to {
            reviews.extend(rounds.read(round)?.review);
        }
        Ok(Self {
            from: Named::new(path, before),
            to: Named::new(path, after),
            reviews,
        })
    }

    /// The published rounds of two sessions, or their latest.
    ///
    /// # Errors
    /// When there are none, or they cannot be read.
    pub fn of_sessions(path: &Path, other: &Path, settings: &Settings) -> Result<Self> {
        let latest = |path: &Path| -> Result<Named> {
            let rounds = Rounds::of(path, settings)?;
            let number = rounds.published.unwrap_or_else(|| rounds.last());
            Ok(Named::new(path, rounds.read(number)?))
        };
        Ok(Self {
            from: latest(path)?,
            to: latest(other)?,
            reviews: Vec::new(),
        })
    }

    /// The differences.
    pub fn difference(&self) -> Difference {
        let reviews: Vec<&Review> = self.reviews.iter().collect();
        difference::compare(&self.from.side(), &self.to.side(), &reviews)
    }

    /// The differences of the two reports as a unified diff.
    pub fn unified(&self) -> String {
        difference::unified(&self.from.side(), &self.to.side())
    }
}

impl Named {
    fn new(path: &Path, round: Round) -> Self {
        let id = path.file_name().unwrap_or(path.as_os_str());
        let name = format!("{}, round {}", id.to_string_lossy(), round.number);
        Self { name, round }
    }

    fn in_directory(path: &Path, directory: &str, round: Round) -> Self {
        let id = path.file_name().unwrap_or(path.as_os_str());
        let name = format!("{}, {directory}", id.to_string_lossy());
        Self { name, round }
    }

    fn side(&self) -> Side<'_> {
        Side {
            name: self.name.clone(),
            report: &self.round.report,
            review: self.round.review.as_ref(),
        }
    }
}
