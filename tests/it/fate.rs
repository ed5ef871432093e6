//! Questions to proposals: what became of them, and what they call by an acronym.

use crate::answers::{assert_answered_first, first_claim, run_topic};

const ARROW: &str = "\
- Feature Name: left_arrow
- RFC: 1228

## This RFC was previously approved, but later **withdrawn**

For details see the summary comment.

## Summary

Rather than a clever syntax for placement that uses the word `in`, use the left arrow.

## Motivation

The left arrow is short, is read without ambiguity, and already means assignment.
";

const NAKED: &str = "\
## This RFC was previously approved, but later **withdrawn**

In short this RFC was superseded by RFC 2972. For details see the summary comment.

## Summary

Naked functions have neither prologue nor epilogue. Support for naked functions is added.
";

const CONSTRAINED: &str = "\
- RFC: 2972

## Summary

This document makes naked functions more useful by constraints on what a naked function does.
Earlier proposals for naked functions left much undefined.
";

const ACCESS: &str = "\
# Access policy

Access to the organization is managed with the database of the team. Access to a repository within
the organization is requested there.

All accounts used to interact with the organization must have 2FA enabled.
";

#[test]
fn what_became_of_a_proposal_is_told_by_its_notice() {
    let documents = [
        ("1228-left-arrow.md", ARROW),
        ("1201-naked-functions.md", NAKED),
        ("2972-constrained-naked.md", CONSTRAINED),
    ];
    let expected = [
        ("What happened to the RFC on the left arrow?", "withdrawn"),
        (
            "Is the left arrow (RFC 1228) still planned, or was it dropped?",
            "withdrawn",
        ),
        (
            "Which RFC replaced the original proposal for naked functions?",
            "superseded by RFC 2972",
        ),
    ];
    assert_answered_first(|question| run_topic(question, &documents, 0), &expected);
}

#[test]
fn a_withdrawn_proposal_is_marked_wherever_it_is_quoted() {
    let documents = [("1228-left-arrow.md", ARROW)];
    let ran = run_topic("Why is the left arrow better?", &documents, 0);
    assert!(first_claim(&ran).contains("(withdrawn)"), "{}", ran.stdout);
    assert!(
        !ran.stdout.contains("This RFC was previously"),
        "{}",
        ran.stdout
    );
}

#[test]
fn the_acronym_of_a_phrase_answers_for_it() {
    let documents = [("access.md", ACCESS)];
    let question = "Does access to the organization require two-factor authentication?";
    let run = |question: &str| run_topic(question, &documents, 0);
    assert_answered_first(run, &[(question, "2FA")]);
}

#[test]
fn why_a_trial_was_retracted_is_told_by_its_notice() {
    let trial = "# RETRACTED: Early walking after surgery (QUICKSTEP)\n\n\
                 **Retraction notice (14 May 2020):** This article has been retracted by the \
                 editor. An investigation found that 61 of the 180 records could not be \
                 traced.\n\n## Results\n\nEarly walking halves mortality after surgery.\n";
    let review = "# A review of early walking\n\nOne trial (QUICKSTEP) was excluded because it had \
                  been retracted.\n";
    let documents = [("trial.md", trial), ("review.md", review)];
    let run = |question: &str| run_topic(question, &documents, 0);
    let question = "Why was the QUICKSTEP trial retracted?";
    assert_answered_first(run, &[(question, "61 of the 180 records")]);
}
