//! The rounds of a session as read from its files: report, review and the texts that they quote. A
//! session may come from an untrusted source, so no file outside of it is read.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Error, Result, anyhow};
use serde::de::DeserializeOwned;

use super::status::published_round;
use crate::artifact::stored::{is_unchanged, read_inside, required_text};
use crate::artifact::{Analysis, Report, Review};
use crate::config::Settings;
use crate::export::altered;
use crate::run::artifacts::parsed_content;

/// A round of a session.
pub struct Round {
    /// The number, from 1.
    pub number: u32,
    /// Its report, in which is marked what was changed by hand.
    pub report: Report,
    /// The analysis that the report was made from, if it is there.
    pub analysis: Option<Analysis>,
    /// Its review, if there is one.
    pub review: Option<Review>,
}

/// The rounds of a session, and the number of the published one.
pub struct Rounds<'a> {
    path: &'a Path,
    /// The number of the round in the directory of the session; earlier ones are in `rounds/`.
    current: u32,
    /// The published round, if the session is complete.
    pub published: Option<u32>,
    /// `true` if the published round is marked as below the threshold.
    pub is_below_threshold: bool,
}

/// A round that a session does not have.
#[derive(Debug, thiserror::Error)]
#[error("there is no round {number}; the last one is {last}")]
pub struct NoSuchRound {
    number: u32,
    last: u32,
}

/// A part of a session that does not exist yet.
#[derive(Debug, thiserror::Error)]
#[error("{}/{file} does not exist yet; to resume the session: research run --resume {}",
    .session.display(), .session.display())]
pub struct NotThereYet {
    /// The session's directory.
    pub session: std::path::PathBuf,
    /// The file.
    pub file: String,
}

impl<'a> Rounds<'a> {
    /// The rounds of the session at `path`.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn of(path: &'a Path, settings: &Settings) -> Result<Self> {
        let published = published_round(path, settings)?;
        // Rounds are numbered without gaps: the first missing directory ends the list.
        let past = (1..).take_while(|round| path.join(format!("rounds/{round}")).is_dir());
        Ok(Self {
            path,
            current: past.last().unwrap_or(0) + 1,
            published: published.map(|round| round.number),
            is_below_threshold: published.is_some_and(|round| round.is_below_threshold),
        })
    }

    /// The last round that has a report.
    pub fn last(&self) -> u32 {
        // The current round may have no report yet.
        (1..=self.current)
            .rev()
            .find(|round| self.path.join(self.file(*round, "report.json")).exists())
            .unwrap_or(self.current)
    }

    /// Reads a round.
    ///
    /// # Errors
    /// [`NoSuchRound`], [`NotThereYet`] when it has no report, or when it cannot be read.
    pub fn read(&self, number: u32) -> Result<Round> {
        if !(1..=self.current).contains(&number) {
            let last = self.last();
            return Err(NoSuchRound { number, last }.into());
        }
        let file = self.file(number, "report.json");
        let report: Report = self.artifact(&file)?.ok_or_else(|| NotThereYet {
            session: self.path.to_owned(),
            file,
        })?;
        Ok(Round {
            number,
            report: altered::marked(report, self.path),
            analysis: self.artifact(&self.file(number, "analysis.json"))?,
            review: self.artifact(&self.file(number, "review.json"))?,
        })
    }

    /// The directory of the report that the current one replaces, `superseded/N`, if the session
    /// was made again.
    pub fn replaced(&self) -> Option<String> {
        let numbers = std::fs::read_dir(self.path.join("superseded")).ok()?;
        let numbers = numbers.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
        let mut numbers: Vec<u32> = numbers.collect();
        numbers.sort_unstable_by(|one, other| other.cmp(one));
        let mut directories = numbers.iter().map(|number| format!("superseded/{number}"));
        directories.find(|own| self.path.join(own).join("report.json").is_file())
    }

    /// Reads the round in a directory of [`Rounds::replaced`]. Its sources may be replaced as well,
    /// so its claims are not compared with them.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read_replaced(&self, directory: &str) -> Result<Round> {
        let file = |name: &str| format!("{directory}/{name}");
        let report = self.artifact(&file("report.json"))?;
        let report = report.ok_or_else(|| NotThereYet {
            session: self.path.to_owned(),
            file: file("report.json"),
        })?;
        Ok(Round {
            number: self.current,
            report,
            analysis: self.artifact(&file("analysis.json"))?,
            review: self.artifact(&file("review.json"))?,
        })
    }

    fn file(&self, round: u32, name: &str) -> String {
        if round == self.current {
            name.to_owned()
        } else {
            format!("rounds/{round}/{name}")
        }
    }

    fn artifact<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>> {
        let Some(bytes) = read_inside(self.path, name)? else {
            return Ok(None);
        };
        parsed_content(self.path, name, &bytes).map(Some)
    }

    /// The stored texts of the sources of a report, by source id, but for those that were changed
    /// since they were read, and the errors of those that cannot be read.
    pub fn texts(&self, report: &Report) -> (BTreeMap<String, String>, Vec<Error>) {
        let mut texts = BTreeMap::new();
        let mut problems = Vec::new();
        for reference in &report.references {
            match required_text(self.path, &reference.source) {
                Ok(text) if is_unchanged(self.path, &reference.source, &text) => {
                    texts.insert(reference.source.clone(), text);
                }
                Ok(_) => {}
                Err(error) => problems.push(anyhow!(error)),
            }
        }
        (texts, problems)
    }
}
