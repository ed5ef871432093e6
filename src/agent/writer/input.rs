//! What the writer is asked for, and what it writes.

use crate::artifact::classification::Kind;
use crate::artifact::session::Style;

/// The writer's input: the sections to write, each with the material that it may use.
#[derive(Debug, Clone)]
pub struct WriterInput {
    /// The topic.
    pub topic: String,
    /// The kind of answer that it asks for.
    pub kind: Kind,
    /// The part of the report.
    pub part: ReportPart,
    /// The sections, in order.
    pub sections: Vec<SectionInput>,
    /// The maximum number of words of the part.
    pub words: usize,
    /// The style of the report.
    pub style: Style,
}

/// A part of a report that is written in one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportPart {
    /// All of it: the summary, the sections and the conclusion.
    Whole,
    /// One section.
    Section,
    /// A section from which sentences were removed: those that are left, as one text again.
    Flow,
    /// The summary and the conclusion, from sentences of the sections.
    Frame,
}

/// A section to write.
#[derive(Debug, Clone)]
pub struct SectionInput {
    /// Its heading.
    pub heading: String,
    /// The material, best first.
    pub material: Vec<Material>,
}

/// A passage, or a sentence of the report.
#[derive(Debug, Clone)]
pub struct Material {
    /// `P3` for a passage, `C3` for a sentence of the report.
    pub id: String,
    /// The title and date of its document.
    pub origin: String,
    /// Its words.
    pub text: String,
}

/// A section that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenSection {
    /// The heading, as written; none for sentences before the first heading.
    pub heading: Option<String>,
    /// Its sentences, in order.
    pub sentences: Vec<WrittenSentence>,
}

/// A sentence that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenSentence {
    /// The sentence.
    pub text: String,
    /// The ids of the material that shows it.
    pub shown_by: Vec<String>,
}
