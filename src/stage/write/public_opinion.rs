//! The part of the report on what people think: quotations of posts, each checked against the
//! stored text of its thread. They are kept apart from the claims, which speak of facts.

use std::collections::BTreeMap;

use crate::artifact::Social;
use crate::artifact::analysis::{Reliability, SourceCategory};
use crate::artifact::claims::{Citation, Claim, ClaimKind};
use crate::artifact::report::{PublicOpinion, QuotedPost, Reference};
use crate::artifact::social::Position;
use crate::artifact::source::Source;
use crate::artifact::verification::Verdict;
use crate::cite::{self, SourceText};

/// Returns the part on public opinion, whose references are numbered from `first`, by the stored
/// texts of the threads. A position
/// without a post that stands in its thread is left out.
pub(super) fn public_opinion(
    social: &Social,
    texts: &BTreeMap<String, String>,
    first: usize,
) -> PublicOpinion {
    let mut opinion = social.opinion.clone();
    let mut quoted: Vec<QuotedPost> = Vec::new();
    for position in &mut opinion.positions {
        let share = position.share;
        position.posts.retain(|citation| {
            let post = quotation(social, citation, share, texts);
            let is_new = quoted.iter().all(|own| own.claim.id != citation.passage);
            let post = post.filter(|_| is_new);
            let is_kept = post.is_some();
            quoted.extend(post);
            is_kept
        });
    }
    let has_posts = |position: &Position| !position.posts.is_empty();
    opinion.positions.retain(has_posts);
    let is_quoted = |thread: &&Source| {
        let mut citations = quoted.iter().flat_map(|own| &own.claim.citations);
        citations.any(|citation| citation.source == thread.id)
    };
    let threads = social.threads.iter().filter(is_quoted);
    PublicOpinion {
        posts: social.posts.len(),
        references: threads
            .enumerate()
            .map(|(index, thread)| reference(thread, first + index))
            .collect(),
        opinion,
        quoted,
    }
}

/// Returns a quotation of a post, if it stands in the text of its thread.
fn quotation(
    social: &Social,
    citation: &Citation,
    share: f64,
    texts: &BTreeMap<String, String>,
) -> Option<QuotedPost> {
    let post = social.post(&citation.passage)?;
    let claim = Claim {
        id: citation.passage.clone(),
        text: cite::printed(citation),
        kind: ClaimKind::Quoted,
        citations: vec![citation.clone()],
        sha256: None,
        superseded_by: None,
        superseded_from: None,
        heading: None,
        confidence: share,
    };
    let check = cite::check_claim(&claim, |id| {
        let title = &social.threads.iter().find(|own| own.id == id)?.title;
        let text = texts.get(id)?;
        Some(SourceText { title, text })
    });
    (check.verdict == Verdict::Supported).then(|| QuotedPost {
        byline: post.byline(),
        claim,
    })
}

fn reference(thread: &Source, number: usize) -> Reference {
    Reference {
        number,
        source: thread.id.clone(),
        title: thread.title.clone(),
        author: thread.author.clone(),
        date: thread.date.clone(),
        status: thread.status.clone(),
        publication: thread.publication.clone(),
        locator: thread.locator.clone(),
        read_at: thread.read_at.clone(),
        category: Some(SourceCategory::Discussion),
        reliability: Some(Reliability::of(thread.credibility.score)),
        dead: None,
    }
}
