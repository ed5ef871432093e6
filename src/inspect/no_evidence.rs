//! Why the report of a session claims nothing.

use std::collections::BTreeSet;
use std::path::Path;

use crate::artifact::Research;
use crate::model;
use crate::read::OUT_OF_TIME;
use crate::run::artifacts::content;
use crate::stage::STAGES;

/// Why the report of the session at `path` claims nothing, and the question whether other words
/// than those of the topic were meant: "the documents do not cover this topic; did you mean
/// “treasurer”?".
pub fn why_no_evidence(path: &Path) -> String {
    let reason = reason(path);
    match similar_words(path) {
        Some(question) => format!("{reason}; {question}"),
        None => reason,
    }
}

/// The number of documents of the session at `path` that were not read for want of time.
pub fn out_of_time(path: &Path) -> usize {
    let research: Option<Research> = content(path, "research.json");
    let failures = research.map_or_else(Vec::new, |research| research.documents.failures);
    let late = failures
        .iter()
        .filter(|own| own.problem.contains(OUT_OF_TIME));
    late.count()
}

/// The question whether other words than those of the topic were meant: "did you mean
/// “treasurer”?".
fn similar_words(path: &Path) -> Option<String> {
    let research: Research = content(path, "research.json")?;
    let question = research.documents.similar_words()?;
    Some(question.replacen("Did", "did", 1))
}

/// The reason why the report of the session at `path` claims nothing.
fn reason(path: &Path) -> String {
    let research: Option<Research> = content(path, "research.json");
    let is = |of: fn(&Research) -> bool| research.as_ref().is_some_and(of);
    if is(|research| research.plan.steps.is_empty()) {
        return "nothing was researched, and no model answered".to_owned();
    }
    let agents = unusable(path);
    if agents.is_empty() && out_of_time(path) > 0 {
        return "there was no time to read all documents".to_owned();
    }
    if agents.is_empty() && is(|research| research.documents.searched == 0) {
        return "no document or page could be read".to_owned();
    }
    if agents.is_empty() {
        return "the documents do not cover this topic".to_owned();
    }
    format!(
        "the model's answers could not be used ({}), and the rules that took their place found \
         nothing; research calls lists them",
        Vec::from_iter(agents).join(", ")
    )
}

/// The agents of research for which rules answered, as no answer of a model could be used.
fn unusable(path: &Path) -> BTreeSet<String> {
    let stage = STAGES.first().map_or("", |stage| stage.name);
    let calls = model::calls(path).unwrap_or_default().into_iter();
    let given_up = calls.filter(|call| {
        let rejection = call.rejection.as_ref();
        call.stage == stage && rejection.is_some_and(|rejection| rejection.given_up)
    });
    given_up.map(|call| call.agent).collect()
}
