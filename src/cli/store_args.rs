//! The options of commands that use an object store.

use std::sync::Arc;

use anyhow::Result;
use clap::Args;

use super::words::count;
use super::{Program, exit};
use crate::pipeline::Replicas;
use crate::store::{SessionStore, Transfer};

/// The options of commands that use an object store.
#[derive(Debug, Args)]
pub(super) struct StoreArgs {
    /// Object store of the sessions: s3://BUCKET/PREFIX, or file:///DIRECTORY that machines share;
    /// by default `store.url` of the settings
    #[arg(long, value_name = "URL")]
    store: Option<String>,
}

impl StoreArgs {
    /// The store that the options or the settings name.
    pub(super) fn open(&self, program: &Program<'_>) -> Result<SessionStore> {
        let url = self.store.as_ref().unwrap_or(&program.settings.store.url);
        SessionStore::open(url).map_err(exit::usage)
    }

    /// The replicas of all sessions in the store, if one is named. It must refuse to create an
    /// object twice, which is tried.
    pub(super) fn replicas(&self, program: &Program<'_>) -> Result<Option<Arc<dyn Replicas>>> {
        if self.store.is_none() && program.settings.store.url.is_empty() {
            return Ok(None);
        }
        let store = self.open(program)?;
        store.check()?;
        Ok(Some(Arc::new(store)))
    }
}

/// Prints what was copied, as a line a session or as JSON; `verb` says what was done.
pub(super) fn print(program: &Program<'_>, transfers: &[Transfer], verb: &str) -> Result<()> {
    if program.output.json {
        return program.output.value(&transfers).map(drop);
    }
    for transfer in transfers {
        let remark = if transfer.changed { verb } else { "up to date" };
        let (session, files) = (&transfer.session, count(transfer.files, "file"));
        program
            .output
            .text(&format!("{session}: {remark}, {files}\n"))?;
    }
    Ok(())
}
