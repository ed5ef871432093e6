//! The write-ahead journal of a session's calls, `calls/`: one readable file per call, written
//! before it is sent and again when it is answered.
//!
//! A call is identified by its stage, its round and the digest of its request, so a resumed run
//! reuses every answer that was paid for (crash recovery). A file without a reply is a call that
//! was in flight when a run crashed; it may have been billed. Errors are recorded with their call,
//! and never replayed as answers.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result, ensure};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use walkdir::WalkDir;

use super::request::{Message, Reply, Request, Usage};
use crate::pipeline::{Digest, Stage, Version, Workspace, read_file};

/// The directory of the journal in a session.
const DIRECTORY: &str = "calls";

/// One call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// The version of the file format.
    pub version: Version<1>,
    /// The stage that made the call.
    pub stage: String,
    /// The round in which it was made, from 1.
    pub round: u32,
    /// The agent that made the call.
    pub agent: String,
    /// The subject, for an agent that makes several calls: a step.
    pub about: String,
    /// The number of the attempt, from 1: a rejected answer leads to another attempt.
    pub attempt: u32,
    /// `provider:name`.
    pub model: String,
    /// The digest of the request.
    pub request: Digest,
    /// The limit of the reply, in tokens.
    pub max_output_tokens: u32,
    /// The sampling temperature: 0 for the most likely words.
    pub temperature: Option<f64>,
    /// The messages, in order.
    pub messages: Vec<Message>,
    /// The JSON schema of the answer, if the provider takes it separately from the text.
    pub schema: Option<Arc<Value>>,
    /// The time at which it was sent, RFC 3339.
    pub asked_at: String,
    /// The tries without a reply.
    pub failed_tries: Vec<FailedTry>,
    /// The reply.
    pub reply: Option<RecordedReply>,
    /// The repairs of the answer's JSON.
    pub repairs: Vec<String>,
    /// The rejection, if the answer cannot be used.
    #[serde(rename = "slip")]
    pub rejection: Option<Rejection>,
    /// `true` if the request did not fit into the model's context window, so that a shorter one
    /// took its place.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_too_long: bool,
}

/// A try without a reply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FailedTry {
    /// The time, RFC 3339.
    pub at: String,
    /// The error.
    pub problem: String,
    /// `true` if it may have been billed all the same.
    pub possibly_billed: bool,
}

/// A reply as received.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordedReply {
    /// The time, RFC 3339.
    pub at: String,
    /// The latency, in milliseconds.
    pub latency_milliseconds: u64,
    /// The tokens of the call.
    pub usage: Usage,
    /// The cost, in US dollars; `None` if there is no price.
    pub cost_usd: Option<f64>,
    /// `true` if it was truncated at its length limit.
    // The renamed fields keep their names in the file, so that older journals are replayed.
    #[serde(rename = "cut_off")]
    pub truncated: bool,
    /// The reason why the model stopped, as the provider names it.
    #[serde(rename = "stopped")]
    pub stop_reason: Option<String>,
    /// The text.
    pub text: String,
    /// The model's thinking, if the provider marks it.
    pub thinking: Option<String>,
    /// The provider's raw reply, redacted.
    pub raw: Value,
}

/// The rejection of an answer that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rejection {
    /// The problem.
    pub problem: String,
    /// `true` if no further attempt was made: then the agent's rule has answered.
    pub given_up: bool,
}

impl Call {
    /// A call that is about to be sent.
    pub fn new(stage: &str, round: u32, request: &Request, at: String) -> Self {
        Self {
            version: Version,
            stage: stage.to_owned(),
            round,
            agent: request.schema_name.clone(),
            about: String::new(),
            attempt: 1,
            model: request.model.clone(),
            request: request.digest(),
            max_output_tokens: request.max_output_tokens,
            temperature: request.temperature,
            messages: request.messages.clone(),
            schema: request.schema.clone(),
            asked_at: at,
            failed_tries: Vec::new(),
            reply: None,
            repairs: Vec::new(),
            rejection: None,
            is_too_long: false,
        }
    }

    /// `true` if it has a reply, or the agent's rule or a shorter request took the place of one.
    fn is_settled(&self) -> bool {
        let given_up = self.rejection.as_ref().is_some_and(|own| own.given_up);
        self.reply.is_some() || given_up || self.is_too_long
    }

    /// Returns the request that was sent.
    pub fn to_request(&self) -> Request {
        Request {
            model: self.model.clone(),
            messages: self.messages.clone(),
            schema: self.schema.clone(),
            schema_name: self.agent.clone(),
            max_output_tokens: self.max_output_tokens,
            temperature: self.temperature,
        }
    }

    /// Returns the number of sends without a reply that may have been billed: tries that broke off,
    /// and the call in flight when the program ended.
    pub fn possibly_billed_sends(&self) -> usize {
        // Without reply and rejection, the run crashed before it could record how the call ended.
        let billed = self
            .failed_tries
            .iter()
            .filter(|failed| failed.possibly_billed);
        billed.count() + usize::from(self.reply.is_none() && self.rejection.is_none())
    }

    /// Returns its file, relative to the session.
    pub fn file(&self) -> String {
        file(&self.stage, self.round, &self.agent, &self.request)
    }

    /// Sets the reply.
    pub fn set_reply(&mut self, reply: Reply, at: String, latency: u64, cost: Option<f64>) {
        self.reply = Some(RecordedReply {
            at,
            latency_milliseconds: latency,
            usage: reply.usage,
            cost_usd: cost,
            truncated: reply.truncated,
            stop_reason: reply.stop_reason,
            text: reply.text,
            thinking: reply.thinking,
            raw: reply.raw,
        });
    }
}

fn file(stage: &str, round: u32, agent: &str, request: &Digest) -> String {
    format!(
        "{DIRECTORY}/{stage}-{round}-{agent}-{}.json",
        request.short()
    )
}

/// The result of looking a request up in the journal.
#[derive(Debug, Clone, PartialEq)]
pub enum Lookup {
    /// It was answered.
    Answered(Call),
    /// It was sent, and there is no answer: it failed, or a run crashed while it waited.
    Unanswered(Call),
    /// It was never sent.
    New,
}

/// The journal of a session, as one stage writes it.
pub struct Journal<'a> {
    workspace: &'a Workspace,
    stage: &'a dyn Stage,
}

impl<'a> Journal<'a> {
    /// The journal of the session that a stage works in.
    pub fn new(workspace: &'a Workspace, stage: &'a dyn Stage) -> Self {
        Self { workspace, stage }
    }

    /// Looks a request up.
    ///
    /// # Errors
    /// When its file exists but cannot be read.
    pub fn lookup(&self, request: &Request) -> Result<Lookup> {
        let digest = request.digest();
        let name = file(
            self.stage.name(),
            self.workspace.round(),
            &request.schema_name,
            &digest,
        );
        let Some(bytes) = self.workspace.read(&name)? else {
            return Ok(Lookup::New);
        };
        let path = self.workspace.root().join(&name);
        let call: Call = serde_json::from_slice(&bytes).with_context(|| {
            format!(
                "{} cannot be read; move it away to ask again",
                path.display()
            )
        })?;
        Ok(match call.reply {
            // File names contain a shortened digest: the full digest decides.
            _ if call.request != digest => Lookup::New,
            Some(_) => Lookup::Answered(call),
            None => Lookup::Unanswered(call),
        })
    }

    /// Returns the record of a new call, not written yet.
    pub fn new_call(&self, request: &Request) -> Call {
        Call::new(
            self.stage.name(),
            self.workspace.round(),
            request,
            self.workspace.now(),
        )
    }

    /// Writes a call, durably: its bytes and its name are flushed, so that it can be sent
    /// afterwards.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn write(&self, call: &Call) -> Result<()> {
        let mut bytes = serde_json::to_vec_pretty(call)?;
        bytes.push(b'\n');
        self.workspace.write(&call.file(), &bytes)
    }
}

/// Returns the calls of the session at `path`, by file name.
///
/// # Errors
/// When the journal or a file of it cannot be read.
pub fn calls(path: &Path) -> Result<Vec<Call>> {
    let directory = path.join(DIRECTORY);
    // A walk of a file lists nothing, as if no call had been made and paid for.
    ensure!(
        !directory.is_file(),
        "failed to list {}: it is not a directory",
        directory.display()
    );
    let mut calls = Vec::new();
    // Sorted by name, so that every listing of the calls has the same order.
    let listing = WalkDir::new(&directory)
        .min_depth(1)
        .max_depth(1)
        .sort_by_file_name();
    for entry in listing {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let is_root = error.depth() == 0;
                let error = io::Error::from(error);
                if is_root && error.kind() == io::ErrorKind::NotFound {
                    return Ok(Vec::new());
                }
                return Err(error)
                    .with_context(|| format!("failed to list {}", directory.display()));
            }
        };
        // A hidden file is the temporary file of a run that crashed while it wrote a call.
        let name = entry.file_name().to_string_lossy();
        if name.starts_with('.') || !name.ends_with(".json") {
            continue;
        }
        let file = entry.path();
        let bytes =
            read_file(file).with_context(|| format!("failed to read {}", file.display()))?;
        let call = serde_json::from_slice(&bytes).with_context(|| {
            format!(
                "{} is not a recorded call; repair it, or move it away",
                file.display()
            )
        })?;
        calls.push(call);
    }
    Ok(calls)
}

/// The answers of a recorded session, replayed for the same requests of another session.
pub struct Replay {
    answered: BTreeMap<(String, u32, String), Call>,
    of: String,
}

impl Replay {
    /// Loads the answers in the journal of the session at `path`.
    ///
    /// # Errors
    /// When it cannot be read, or there are none.
    pub fn load(path: &Path) -> Result<Self> {
        let calls = calls(path)?.into_iter();
        // Rounds and stages are part of the key: the same request may be sent in two of them.
        let answered: BTreeMap<_, _> = calls
            .filter(Call::is_settled)
            .map(|call| {
                let key = (
                    call.stage.clone(),
                    call.round,
                    call.request.as_str().to_owned(),
                );
                (key, call)
            })
            .collect();
        ensure!(
            !answered.is_empty(),
            "{} holds no answered call: there is nothing to replay",
            path.join(DIRECTORY).display()
        );
        Ok(Self {
            answered,
            of: path.display().to_string(),
        })
    }

    /// Returns the answer to a request.
    ///
    /// # Errors
    /// When there is none: then the request has changed.
    pub fn answer(&self, call: &Call) -> Result<Call> {
        let key = (
            call.stage.clone(),
            call.round,
            call.request.as_str().to_owned(),
        );
        self.answered.get(&key).cloned().with_context(|| {
            let Self { of, .. } = self;
            let (stage, agent, digest) = (&call.stage, &call.agent, call.request.short());
            format!(
                "{of} holds no answer to request {digest} of the {agent} in stage {stage}: what is \
                 asked has changed, or a file of its calls is gone"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_journal_is_empty_and_a_file_of_its_name_is_an_error() {
        let session = tempfile::tempdir().unwrap();
        assert_eq!(calls(session.path()).unwrap(), []);
        let directory = session.path().join(DIRECTORY);
        std::fs::write(&directory, "").unwrap();
        let error = calls(session.path()).unwrap_err().to_string();
        assert!(error.contains(&directory.display().to_string()), "{error}");
    }

    #[test]
    fn an_unreadable_call_is_an_error_and_temporary_files_are_skipped() {
        let session = tempfile::tempdir().unwrap();
        let directory = session.path().join(DIRECTORY);
        std::fs::create_dir(&directory).unwrap();
        std::fs::write(directory.join(".a.json.tmp"), "{").unwrap();
        std::fs::write(directory.join(".b.json"), "{").unwrap();
        assert_eq!(calls(session.path()).unwrap(), []);
        std::fs::write(directory.join("c.json"), "{").unwrap();
        let error = calls(session.path()).unwrap_err().to_string();
        assert!(error.contains("c.json"), "{error}");
    }
}
