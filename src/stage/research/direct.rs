//! The research of a topic that needs none: a direct answer, or the reason why there is none.

use std::collections::BTreeMap;

use super::classification::Topic;
use crate::artifact::session::{Depth, Mode};
use crate::artifact::{Documents, Plan, Research, Session};

/// The content of the gate for a topic that is not researched.
pub(super) fn unresearched(session: Session, topic: Topic, depth: Depth) -> Research {
    let is_answered = topic.classification.direct_response.is_some();
    let limits = if is_answered {
        Vec::new()
    } else {
        vec![reason(session.mode).to_owned()]
    };
    Research {
        topic: session.topic.clone(),
        depth,
        plan: Plan {
            id: String::new(),
            title: session.topic,
            thought: topic.classification.reasoning.clone(),
            steps: Vec::new(),
            has_enough_context: true,
            iteration: 0,
        },
        classification: topic.classification,
        search_queries: Vec::new(),
        findings: Vec::new(),
        passages: Vec::new(),
        sources: Vec::new(),
        documents: Documents::default(),
        nearest: Vec::new(),
        social: None,
        respelled: BTreeMap::new(),
        limits,
    }
}

/// The sentence about why nothing was researched and nothing is answered.
fn reason(mode: Mode) -> &'static str {
    match mode {
        Mode::Simple => {
            "Nothing was researched: mode simple searches only documents and the session that it \
             follows, here there are none, and no language model answered."
        }
        Mode::WebSearch | Mode::DeepResearch => {
            "Nothing was researched: a greeting or plain arithmetic asks for no source, and no \
             language model answered it."
        }
    }
}
