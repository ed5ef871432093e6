//! Plain questions over the papers of a battery laboratory, and sentences of reports on them.

use crate::answers::{first_claim, run_topic};
use crate::harness::{Ran, Scratch};

const RULE: &str = "\
# Safety rule 7: Abuse tests

Valid from 1 February 2024.

## Who may be in the room

Nobody works alone in the abuse test room. Two people must be present during a nail test, one of
them with the fire training.

Exception: the duty engineer may enter alone to press the emergency stop.

## Fire

A burning cell is cooled with much water. The carbon dioxide extinguisher does not stop it.
";

const PROTOCOL: &str = "\
# TP-014 Cycle life test

## Check-up

A capacity check is made every 50 cycles at C/10. The interval was halved because two cells lost
11 % between two check-ups.
";

const FAQ: &str = "\
# Questions of riders

## Who pays if the bike is stolen?

The laboratory, if the bike was locked with both locks. Otherwise the rider pays the first 150
euros.
";

const MINUTES: &str = "\
# Minutes of the fleet meeting, 2 September 2025

Since January eight batteries were replaced. Dilan reports on the fire cabinet.
";

const STUDY: &str = "\
# Fast charging of cells in e-bike packs

Charging at 1.5C instead of 0.5C shortened the life from 730 to 420 cycles.
";

const FLEET: &str = "\
# The fleet

The fleet has 46 e-bikes with data loggers. They belong to the laboratory. Each pack has 40 cells of
the type Helio H21-50.
";

const ORDER: &str = "\
# Your order: delivery and installation

Thank you for the order of the chamber. The chamber will be delivered on 12 May 2025. The lorry has
a tail lift.

The warranty is 24 months.
";

const DECISION: &str = "\
# Decision on the storage

The storage is built from new cells. The used packs of the fleet go to the recycler.
";

const DOCUMENTS: [(&str, &str); 8] = [
    ("decision.md", DECISION),
    ("rule.md", RULE),
    ("protocol.md", PROTOCOL),
    ("faq.md", FAQ),
    ("minutes.md", MINUTES),
    ("study.md", STUDY),
    ("fleet.md", FLEET),
    ("order.md", ORDER),
];

fn ask(question: &str) -> Ran {
    run_topic(question, &DOCUMENTS, 0)
}

/// The claims of the summary.
fn brief(ran: &Ran) -> &str {
    let brief = ran.stdout.split("## In brief").nth(1).unwrap_or_default();
    brief.split("\n## ").next().unwrap_or_default()
}

#[test]
fn a_rule_is_quoted_with_its_exception() {
    let ran = ask("Can I go into the abuse room on my own?");
    assert!(
        first_claim(&ran).contains("Nobody works alone"),
        "{}",
        ran.stdout
    );
    assert!(
        brief(&ran).contains("Exception: the duty engineer"),
        "{}",
        ran.stdout
    );
}

#[test]
fn what_answers_in_other_words_leads_without_a_notice() {
    for (question, answer) in [
        ("How many e-bikes do we have?", "46 e-bikes"),
        ("When does the chamber arrive?", "12 May 2025"),
        ("How often is the capacity checked?", "every 50 cycles"),
        ("Which cells are used in the fleet packs?", "Helio H21-50"),
        ("Who pays if the bike is stolen?", "The laboratory, if"),
        ("How long is the warranty of the chamber?", "24 months"),
    ] {
        let ran = ask(question);
        assert!(
            first_claim(&ran).contains(answer),
            "{question}: {}",
            ran.stdout
        );
        assert!(
            !ran.stdout.contains("Not answered"),
            "{question}: {}",
            ran.stdout
        );
    }
}

#[test]
fn since_a_month_is_no_cause() {
    let ran = ask("What caused the fire in January?");
    assert!(
        ran.stdout.contains("Not answered as asked"),
        "{}",
        ran.stdout
    );
}

#[test]
fn five_values_of_one_thing_are_one_disagreement_and_not_ten_pairs() {
    let scratch = Scratch::new();
    for (index, minutes) in [40, 45, 50, 60, 75].iter().enumerate() {
        let text =
            format!("# Report {index}\n\nThe charging time of the P20 cell is {minutes} min.\n");
        scratch.write(&format!("docs/{index}.md"), text);
    }
    let topic = "What is the charging time of the P20 cell?";
    let report = scratch.expect(0, &["run", topic, "--docs", "docs"]).stdout;
    let (_, section) = report
        .split_once("- 40 min, 45 min, 50 min, 60 min, 75 min:\n")
        .unwrap_or_else(|| panic!("{report}"));
    let sides = section.lines().take_while(|line| line.starts_with("  - "));
    assert_eq!(sides.count(), 5, "{report}");
    assert!(!report.contains(" against "), "{report}");
}
