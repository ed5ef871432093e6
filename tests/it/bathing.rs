//! The papers of a swimming pool: questions of its guests, minutes that change the answers, a
//! newsletter that tells what came of it, the form of an accident.

use crate::answers::first_claim;
use crate::harness::{Ran, Scratch};

const PAPERS: [(&str, &str); 5] = [
    (
        "questions.md",
        "---\ntitle: Questions our guests ask\ndate: 2024-05-02\n---\n# Questions our guests \
         ask\n\n## How warm is the water?\n\nThe main pool has 28 °C, the teaching pool 32 \
         °C.\n\n## Can I pay by card?\n\nYou can pay by card from 10 euros.\n",
    ),
    (
        "minutes-2025-03-11.md",
        "# Minutes of the meeting of 11 March 2025\n\n## Item 1: Energy\n\nDecided: the water of \
         the main pool is lowered to 27 °C from 1 April 2025.\n\n## Item 2: Online tickets\n\nThe \
         supplier will deliver late. Decided: online tickets start on 1 July 2025.\n",
    ),
    (
        "newsletter-2025-08.md",
        "# Newsletter of August 2025\n\nOnline tickets have been on sale since 14 July; the start \
         was two weeks late because the supplier had no scanners.\n\nCard payment is now possible \
         for any amount.\n\nThe summer party takes place on 27 and 28 June 2026.\n",
    ),
    (
        "accident.txt",
        "ACCIDENT REPORT\n\nDate: 6 May 2025\nPlace: ladies' shower\nInjured: Mrs Ilse Koch, \
         71\nWhat happened: She slipped on the wet floor and broke her wrist.\nCause: The mat had \
         been taken away for cleaning and not put back.\nReported by: Lukas Brandt\n",
    ),
    (
        "rules.md",
        "# Bathing rules\n\nGlass is not allowed at the pool. Photographs need the consent of the \
         people shown. Season tickets are not transferable.\n",
    ),
];

fn ran(question: &str) -> Ran {
    let scratch = Scratch::with_docs(&PAPERS);
    scratch.expect(0, &["run", question, "--docs", "docs", "-q"])
}

fn assert_first(question: &str, answer: &str) -> Ran {
    let ran = ran(question);
    assert!(first_claim(&ran).contains(answer), "{}", ran.stdout);
    assert!(!ran.stdout.contains("Not answered"), "{}", ran.stdout);
    ran
}

#[test]
fn what_was_decided_what_came_of_it_and_what_is_so_now_lead() {
    for (question, answer) in [
        ("How warm is the water in the main pool?", "27 °C"),
        ("How warm is the main pool?", "27 °C"),
        ("When did the online tickets start?", "since 14 July"),
        ("Can I pay by card?", "any amount"),
    ] {
        let ran = assert_first(question, answer);
        assert!(ran.stdout.contains("superseded by"), "{}", ran.stdout);
    }
    // What is to come is no event yet.
    let ran = ran("When do the online tickets start?");
    assert!(!ran.stdout.contains("superseded by"), "{}", ran.stdout);
}

#[test]
fn the_cause_in_a_form_answers_what_caused_it() {
    let question = "What caused the accident in the ladies' shower?";
    assert_first(question, "The mat had been taken away");
}

#[test]
fn one_of_two_days_is_supported_and_what_needs_consent_is_not_allowed_without() {
    for (sentence, verdict) in [
        ("The summer party takes place on 27 June 2026.", "supported"),
        ("The summer party takes place on 28 June 2026.", "supported"),
        (
            "The summer party takes place on 29 June 2026.",
            "contradicted",
        ),
        ("Photographs are allowed without consent.", "contradicted"),
        ("The online tickets started on time.", "partial"),
    ] {
        let checked = Scratch::with_docs(&PAPERS).checked(sentence);
        assert_eq!(checked[0]["verdict"], verdict, "{sentence}\n{checked:?}");
    }
}
