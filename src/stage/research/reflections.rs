//! The log of reflections: after each batch of steps the reflector decides whether to continue.

use anyhow::Result;

use super::step::finding_file;
use crate::agent::{Reflector, ReflectorInput};
use crate::artifact::plan::PlanStep;
use crate::artifact::reflections::Reflection;
use crate::artifact::{self, Artifact};
use crate::pipeline::{Event, Unreadable};
use crate::stage::event_text::{event_text, serialized};
use crate::stage::stage_run::StageRun;

/// The log: one checkpoint per line.
const REFLECTIONS: &str = "research/reflections.jsonl";

/// The reflections of a session, in order.
pub(super) struct ReflectionLog<'a> {
    run: StageRun<'a>,
    lines: Vec<Artifact<Reflection>>,
    /// The number of batches with a reflection in this run, logged or new.
    batches: usize,
}

impl<'a> ReflectionLog<'a> {
    /// Reads the log that earlier runs wrote.
    pub(super) fn read(run: StageRun<'a>) -> Result<Self> {
        let bytes = run.workspace.read(REFLECTIONS)?.unwrap_or_default();
        let lines = bytes
            .split(|byte| *byte == b'\n')
            .enumerate()
            .filter(|(_, line)| !line.is_empty())
            .map(|(number, line)| {
                artifact::parse(line).map_err(|error| Unreadable {
                    // The parser sees one line of the log, and counts from there.
                    location: format!(":{}:{}", number + 1, error.column()),
                    ..run.unreadable(REFLECTIONS, &error)
                })
            })
            .collect::<Result<_, Unreadable>>()?;
        Ok(Self {
            run,
            lines,
            batches: 0,
        })
    }

    /// Returns the reflection on the last batch of a plan: the logged reflection if it was made on
    /// the same steps, else a new one of the reflector.
    pub(super) async fn reflect(
        &mut self,
        plan: u32,
        batch: &[PlanStep],
        input: &ReflectorInput,
    ) -> Result<Reflection> {
        let index = self.batches;
        self.batches += 1;
        // The log is read by position: a resumed run does the same batches in the same order.
        if let Some(reflection) = self.logged(index, input)? {
            return Ok(reflection);
        }
        let reflection = self.run.ask::<Reflector>(input).await?;
        let inputs: Vec<String> = batch.iter().map(|step| finding_file(&step.id)).collect();
        let workspace = self.run.workspace;
        let provenance = workspace.provenance_of(self.run.stage, &inputs)?;
        let line = Artifact::new(provenance, workspace.now(), reflection.clone());
        self.lines.push(line);
        self.write()?;
        let changes = reflection.suggested_changes.iter().flatten();
        self.run.report(Event::Reflected {
            plan,
            decision: serialized(&reflection.decision),
            reasoning: event_text(&reflection.reasoning),
            changes: changes.map(|change| event_text(change)).collect(),
        })?;
        Ok(reflection)
    }

    /// Returns the logged reflection of this index, if it was made on the same steps; otherwise
    /// drops it and all later reflections, which depend on it.
    fn logged(&mut self, index: usize, input: &ReflectorInput) -> Result<Option<Reflection>> {
        let Some(line) = self.lines.get(index) else {
            return Ok(None);
        };
        let done = input.completed().map(|step| &step.id);
        let workspace = self.run.workspace;
        if line.content.after.iter().eq(done) && workspace.is_fresh(&line.provenance)? {
            return Ok(Some(line.content.clone()));
        }
        workspace.supersede(REFLECTIONS, "the steps reflected on have changed")?;
        self.lines.truncate(index);
        Ok(None)
    }

    fn write(&self) -> Result<()> {
        // The whole file is rewritten: an appended line could be torn by a crash.
        let mut text = Vec::new();
        for line in &self.lines {
            serde_json::to_writer(&mut text, line)?;
            text.push(b'\n');
        }
        self.run.workspace.write(REFLECTIONS, &text)
    }
}
