//! Research for the tests of the analyst: each passage is of a source of its own.

use serde_json::json;

use crate::artifact::{self, Artifact, Research};

/// The research of the shipped example, with these passages in place of its own.
pub(super) fn research(quotes: &[&str]) -> Research {
    let path = "tests/golden/heat-pumps/session/research.json";
    let path = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
    let artifact: Artifact<Research> = artifact::parse(&std::fs::read(path).unwrap()).unwrap();
    let mut research = artifact.content;
    let numbered = || quotes.iter().zip(1..);
    let passages = numbered().map(|(quote, number)| {
        json!({
            "id": format!("P{number}"), "source": format!("S{number}"), "start": 0,
            "end": quote.len(), "quote": quote, "headings": [], "relevance": 0.9,
        })
    });
    research.passages = passages
        .map(|passage| serde_json::from_value(passage).unwrap())
        .collect();
    let first = research.sources[0].clone();
    research.sources = numbered()
        .map(|(_, number)| {
            let mut source = first.clone();
            source.id = format!("S{number}");
            source.title = format!("Document {number}");
            source
        })
        .collect();
    research.findings.truncate(1);
    research.findings[0].passages = numbered().map(|(_, number)| format!("P{number}")).collect();
    research
}
