//! The classification of the topic by the coordinator, and the clarifying questions to the user.

use std::collections::BTreeMap;

use anyhow::Result;

use crate::agent::{Coordinator, CoordinatorInput};
use crate::artifact::{self, Artifact, Clarification, Classification, Session};
use crate::pipeline::InputRequired;
use crate::stage::stage_run::{SESSION, StageRun};
use crate::text::{self, one_line, terms};

/// The checkpoint of the classification.
pub(super) const CLASSIFICATION: &str = "research/classification.json";

/// The checkpoint of the questions to the user, into which the answer is written by hand.
const CLARIFICATION: &str = Clarification::FILE;

/// The topic of the research.
pub(super) struct Topic {
    /// The topic, followed by the user's answer if there is one, and by the last question of the
    /// earlier session if it refers back to it.
    pub(super) text: String,
    /// The topic as a title: with the user's answer if there is one, or that alone if the topic has
    /// no word of its own.
    pub(super) title: String,
    /// The coordinator's classification.
    pub(super) classification: Classification,
}

impl Topic {
    /// Writes words of the topic as the documents do: "heat pump" for "heatpump".
    pub(super) fn respell(&mut self, respelled: &BTreeMap<String, String>) {
        for (word, written) in respelled {
            self.text = with_words(&self.text, word, written);
            self.title = with_words(&self.title, word, written);
            let (term, terms) = (
                text::stem(&text::fold(word)),
                &mut self.classification.terms,
            );
            terms.retain(|own| *own != term);
            for own in text::terms(written) {
                if !terms.contains(&own) {
                    terms.push(own);
                }
            }
        }
    }
}

/// A topic with other words for each occurrence of a word.
fn with_words(topic: &str, word: &str, words: &str) -> String {
    let mut written = String::new();
    let mut end = 0;
    for own in text::words(topic).filter(|own| own.text == word) {
        written.push_str(&topic[end..own.range.start]);
        written.push_str(words);
        end = own.range.end;
    }
    written.push_str(&topic[end..]);
    written
}

/// Classifies the topic of a session.
///
/// # Errors
/// [`InputRequired`] when the topic is ambiguous and the user has not answered yet.
pub(super) async fn classify(run: StageRun<'_>, session: &Session) -> Result<Topic> {
    let clarification: Option<Clarification> = run.read_checkpoint(CLARIFICATION)?;
    let answer = clarification.and_then(|clarification| clarification.answer);
    let title = title(&session.topic, answer.as_deref());
    let text = match &answer {
        Some(answer) => format!("{}\n{answer}", session.topic),
        None => session.topic.clone(),
    };
    let settings = &run.context.settings.agents.coordinator;
    let input = CoordinatorInput {
        topic: text,
        max_questions: settings.max_clarifying_questions,
        messages: session.messages.clone(),
        mode: session.mode,
        has_sources: session.has_sources(),
    };
    // A classification made with an answer depends on it: an edited answer makes it stale.
    let mut inputs = vec![SESSION.to_owned()];
    if answer.is_some() {
        supersede_unanswered(run)?;
        inputs.push(CLARIFICATION.to_owned());
    }
    let ask = async || run.ask::<Coordinator>(&input).await;
    let classification: Classification = run.checkpoint(CLASSIFICATION, &inputs, ask).await?;
    // At most one round of questions: an ambiguous answer is researched as it is.
    let may_ask = settings.enable_clarification && run.context.clarify && answer.is_none();
    let has_questions = !classification.clarifying_questions.is_empty();
    if classification.is_ambiguous && may_ask && has_questions {
        return Err(ask_back(run, &classification).await?.into());
    }
    Ok(Topic {
        title,
        text: input.resolved_topic(),
        classification,
    })
}

/// A topic with the answer that makes it clear.
fn title(topic: &str, answer: Option<&str>) -> String {
    match answer.map(one_line).filter(|answer| !answer.is_empty()) {
        None => topic.to_owned(),
        Some(answer) if terms(topic).is_empty() => answer,
        Some(answer) => format!("{}: {answer}", one_line(topic)),
    }
}

/// Supersedes a classification that was made before the user answered.
///
/// It is not stale by its digests: it was made from the session alone, which is unchanged.
fn supersede_unanswered(run: StageRun<'_>) -> Result<()> {
    let Some(bytes) = run.workspace.read(CLASSIFICATION)? else {
        return Ok(());
    };
    let artifact: Artifact<Classification> =
        artifact::parse(&bytes).map_err(|error| run.unreadable(CLASSIFICATION, &error))?;
    if !artifact.provenance.inputs.contains_key(CLARIFICATION) {
        run.workspace
            .supersede(CLASSIFICATION, "the person answered a question")?;
    }
    Ok(())
}

/// Writes the questions to the user, and returns the reason for waiting.
async fn ask_back(run: StageRun<'_>, classification: &Classification) -> Result<InputRequired> {
    let make = async || {
        Ok(Clarification {
            questions: classification.clarifying_questions.clone(),
            answer: None,
        })
    };
    let inputs = [SESSION.to_owned()];
    let clarification: Clarification = run.checkpoint(CLARIFICATION, &inputs, make).await?;
    let file = run.workspace.root().join(CLARIFICATION);
    Ok(InputRequired(format!(
        "the topic is not clear: {}\n\
         resume with --answer \"…\" or with --no-clarify, or write the answer into {} as \
         \"answer\" and resume",
        clarification.questions.join(" "),
        file.display()
    )))
}
