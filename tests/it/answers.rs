//! Answers: the sentence that answers comes first, or the report says in its first line that there
//! is none.

use crate::harness::{Ran, Scratch};

const UNIT: &str = "\
# The outdoor unit

The outdoor unit of the heat pump has a sound power level of 55 dB at night. It stands beside the
house.
";

const PEP: &str = "\
# PEP 3105: Make print a function

## Abstract

Print becomes a function that takes a separator and a file.

## Rejected ideas

Keeping the print statement beside the function was rejected.
";

const BEES: &str = "# Bees\n\nA bee collects nectar from the flowers in summer.\n";

/// Runs a topic over three short documents.
fn answered(topic: &str, code: i32) -> Ran {
    let scratch = Scratch::new();
    for (name, text) in [("unit.md", UNIT), ("pep-3105.md", PEP), ("bees.md", BEES)] {
        scratch.write(&format!("three/{name}"), text);
    }
    scratch.expect(
        code,
        &["run", topic, "--docs", "three", "--offline", "--quiet"],
    )
}

/// The text of the first claim in brief.
fn first_claim(ran: &Ran) -> &str {
    let (_, brief) = ran.stdout.split_once("## In brief\n\n").unwrap();
    brief.lines().next().unwrap()
}

#[test]
fn measure_answers_how_loud() {
    let ran = answered("How loud is the heat pump?", 0);
    assert!(first_claim(&ran).contains("55 dB"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("Not answered"), "{}", ran.stdout);
}

#[test]
fn unknown_word_is_named_and_silences_nothing() {
    let ran = answered("How loud is the outdoor unit in Germany?", 0);
    let warning = ran.stdout.find("Not answered as asked").unwrap();
    assert!(warning < ran.stdout.find("## In brief").unwrap());
    assert!(ran.stdout[warning..].contains("“Germany”"));
    assert!(first_claim(&ran).contains("55 dB"), "{}", ran.stdout);
}

#[test]
fn document_is_found_by_its_number_and_answers_with_its_abstract() {
    let ran = answered("What does PEP 3105 propose?", 0);
    assert!(
        first_claim(&ran).contains("Print becomes a function"),
        "{}",
        ran.stdout
    );
}

#[test]
fn silence_names_the_nearest_document_with_its_best_sentence() {
    let ran = answered(
        "Why do bees dance before the parliament of Norway in storms?",
        5,
    );
    assert!(
        ran.stdout.contains("No evidence was found"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("A bee collects nectar"),
        "{}",
        ran.stdout
    );
}
