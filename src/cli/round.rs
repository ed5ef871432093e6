//! The rounds of a session as read from its files: report, review and the texts that they quote. A
//! session may come from an untrusted source, so no file outside of it is read.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Result, anyhow};
use serde::de::DeserializeOwned;

use super::Program;
use super::exit;
use crate::artifact::{Analysis, Report, Review};
use crate::inspect;
use crate::run::artifacts::parsed_content;

/// A round of a session.
pub(super) struct Round {
    /// The number, from 1.
    pub(super) number: u32,
    pub(super) report: Report,
    pub(super) analysis: Option<Analysis>,
    pub(super) review: Option<Review>,
}

/// The rounds of a session, and the number of the published one.
pub(super) struct Rounds<'a> {
    path: &'a Path,
    /// The number of the round in the directory of the session; earlier ones are in `rounds/`.
    current: u32,
    /// The published round, if the session is complete.
    pub(super) published: Option<u32>,
    /// `true` if the published round is marked as below the threshold.
    pub(super) is_below_threshold: bool,
}

impl<'a> Rounds<'a> {
    /// The rounds of the session at `path`.
    pub(super) fn of(program: &Program<'_>, path: &'a Path) -> Result<Self> {
        let published = inspect::published_round(path, &program.settings)?;
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
    pub(super) fn last(&self) -> u32 {
        // The current round may have no report yet.
        (1..=self.current)
            .rev()
            .find(|round| self.path.join(self.file(*round, "report.json")).exists())
            .unwrap_or(self.current)
    }

    /// Reads a round.
    pub(super) fn read(&self, number: u32) -> Result<Round> {
        if !(1..=self.current).contains(&number) {
            let last = self.last();
            let problem = anyhow!("there is no round {number}; the last one is {last}");
            return Err(exit::usage(problem));
        }
        let name = self.file(number, "report.json");
        let report = self.artifact(&name)?;
        let Some(report) = report else {
            let path = self.path.join(&name);
            return Err(anyhow!(
                "{} does not exist yet; to resume the session: research run --resume {}",
                path.display(),
                self.path.display()
            ));
        };
        Ok(Round {
            number,
            report,
            analysis: self.artifact(&self.file(number, "analysis.json"))?,
            review: self.artifact(&self.file(number, "review.json"))?,
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
        let Some(bytes) = inspect::read_inside(self.path, name)? else {
            return Ok(None);
        };
        parsed_content(self.path, name, &bytes).map(Some)
    }

    /// The stored texts of the sources of a report, by source id. Those that cannot be read are
    /// reported and left out.
    pub(super) fn texts(&self, program: &Program<'_>, report: &Report) -> BTreeMap<String, String> {
        let mut texts = BTreeMap::new();
        for reference in &report.references {
            match inspect::stored_text(self.path, &reference.source) {
                Ok(text) => {
                    texts.insert(reference.source.clone(), text);
                }
                Err(error) => program.output.complaint(&format!("{error:#}")),
            }
        }
        texts
    }
}
