//! Looks at the files outside of a session, which may be many: one is good for several plans of a
//! run.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::{DigestCache, Manifest, Stage};

/// The time for which a look is good enough to plan the next action by. The end of a run always
/// looks again. Chosen by hand: stages without a model take less.
const RECENT: Duration = Duration::from_secs(1);

/// The files outside of a session that a stage reads, as they were at a moment.
#[derive(Debug)]
pub(super) struct Look {
    at: Instant,
    /// Those that could be read.
    pub(super) manifest: Manifest,
    /// `true` if there were none.
    pub(super) is_empty: bool,
}

/// The last looks of a run, by stage.
#[derive(Debug, Default)]
pub(super) struct Looks(BTreeMap<&'static str, Arc<Look>>);

impl Looks {
    /// The files outside of the session that a stage reads, as they are or were a moment ago;
    /// `None` if it never reads any.
    ///
    /// # Errors
    /// When they cannot be listed.
    pub(super) fn of(
        &mut self,
        stage: &dyn Stage,
        digests: &mut DigestCache,
    ) -> Result<Option<Arc<Look>>> {
        let last = self.0.get(stage.name());
        if let Some(recent) = last.filter(|look| look.at.elapsed() < RECENT) {
            return Ok(Some(recent.clone()));
        }
        let at = Instant::now();
        let Some(files) = stage.external_files()? else {
            return Ok(None);
        };
        let look = Arc::new(Look {
            at,
            is_empty: files.is_empty(),
            manifest: Manifest::of(&files, digests),
        });
        self.0.insert(stage.name(), look.clone());
        Ok(Some(look))
    }

    /// Forgets the looks before a moment. Returns `true` if there were any.
    pub(super) fn forget_before(&mut self, moment: Instant) -> bool {
        let count = self.0.len();
        self.0.retain(|_, look| look.at >= moment);
        self.0.len() < count
    }
}
