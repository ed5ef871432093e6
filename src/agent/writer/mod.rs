//! The writer writes a report from passages, part by part: a line for each sentence, with the
//! passages that show it. Its rule writes nothing, so that the report is [`quote`]d.

mod dispute;
mod draft;
mod input;
mod lines;
mod model;
mod parts;
mod quotation;
mod series;

use super::definition::Agent;
use crate::model::{Phase, Tier};

pub use draft::Draft;
pub use input::{Material, ReportPart, SectionInput, WriterInput, WrittenSection, WrittenSentence};
pub(super) use lines::{on_subject, one_sentence};
pub use parts::{flow, frame, of_passage, requests};
pub use quotation::quote;
pub use series::series;

/// The headings of the summary and of the conclusion in what the writer is asked for.
pub const SUMMARY: &str = "In brief";
/// See [`SUMMARY`].
pub const CONCLUSION: &str = "Conclusion";

/// The writer.
pub struct Writer;

impl Agent for Writer {
    type Input = WriterInput;
    type Output = Vec<WrittenSection>;
    const NAME: &'static str = "writer";
    const TIER: Tier = Tier::Complex;
    const PHASE: Phase = Phase::Finishing;
    const PROMPT: &'static str = include_str!("../../../prompts/writer.md");

    fn rule(_input: &WriterInput) -> Vec<WrittenSection> {
        Vec::new()
    }
}
