//! The notice "Not answered as asked": not above what answers in other words or in a column of a
//! table, and above what names another thing of the kind that is asked for.

use crate::harness::{Scratch, parsed};
use crate::laboratory::report_on;

const SEEN: &str = "\
month,stable,horses_arrived,seen_within_24h,mean_hours
2025-05,A,24,14,6
2025-05,B,18,11,7
2025-06,A,23,19,4
2025-06,B,21,13,8
";

const TRAMS: &str = "\
# Tram study

A tram reaches the harbour in 12 minutes from Alder, in 31 minutes from Birch and in 48 minutes from
Cedar. The track per year costs 2.1 million euros for Alder and 3.4 million euros for Birch.
";

const FAIR: &str = "\
# The wool fair

The wool fair is on 4 May 2026 in the old barn. The noise rule of the town covers the wool fair.
";

#[test]
fn an_answer_in_a_column_or_in_other_words_needs_no_notice() {
    for (document, question, answer) in [
        (
            ("seen.csv", SEEN),
            "How many horses in stable A were seen within 24 hours in June 2025?",
            "within 24h: 19",
        ),
        (
            ("trams.md", TRAMS),
            "How far is Birch from the harbour in minutes?",
            "31 minutes from Birch",
        ),
        (
            ("fair.md", FAIR),
            "When does the wool fair take place?",
            "4 May 2026",
        ),
        (
            ("fair.md", FAIR),
            "Which noise rule applies to the wool fair?",
            "noise rule of the town",
        ),
    ] {
        let report = report_on(&[document], question);
        assert!(report.contains(answer), "{question}\n{report}");
        assert!(!report.contains("Not answered"), "{question}\n{report}");
        assert!(
            !report.contains("No document mentions"),
            "{question}\n{report}"
        );
    }
}

const DIVING: &str = "\
# Rules for the first dive

The salt threshold before the first dive was lowered from 40 to 35 grams. The threshold before the
first dive is checked by the guide. The guide records the first dive in the log.
";

const LOG: &str = "\
# Meters

The ozone meter was repaired in May.
";

#[test]
fn another_thing_of_the_kind_that_is_asked_for_gets_a_notice() {
    let documents = [("diving.md", DIVING), ("log.md", LOG)];
    let report = report_on(
        &documents,
        "Which ozone threshold applies before the first dive?",
    );
    assert!(report.contains("Not answered as asked"), "{report}");
    let report = report_on(
        &documents,
        "Which salt threshold applies before the first dive?",
    );
    assert!(!report.contains("Not answered as asked"), "{report}");
}

#[test]
fn outcome_for_programs_is_that_of_the_notice() {
    for (question, outcome) in [
        (
            "Which ozone threshold applies before the first dive?",
            "not_answered",
        ),
        (
            "Which salt threshold applies before the first dive?",
            "answered",
        ),
    ] {
        let scratch = Scratch::with_docs(&[("diving.md", DIVING), ("log.md", LOG)]);
        scratch.expect(0, &["run", question, "--docs", "docs", "--session", "s"]);
        let exported = scratch
            .expect(0, &["export", "s", "--format", "json"])
            .stdout;
        let exported = parsed(&exported);
        assert_eq!(exported["outcome"], outcome);
        assert_eq!(
            exported["not_answered"].is_string(),
            outcome == "not_answered"
        );
    }
}

#[test]
fn drawbacks_that_a_quoted_sentence_names_are_no_open_question() {
    let text = "# The new ferry\n\nThe main advantage of the new ferry is its speed. Its main \
                disadvantages are the noise and the wash.\n\nThe new ferry was built in May.\n";
    let question = "What are the pros and cons of the new ferry?";
    let report = report_on(&[("ferry.md", text)], question);
    assert!(report.contains("disadvantages are the noise"), "{report}");
    assert!(!report.contains("Nothing was found on: costs"), "{report}");
}

#[test]
fn another_form_of_a_verb_is_a_mention_of_it() {
    let text = "# Brief\n\nDen Tauschmarkt müssen wir im Sommer leider aussetzen. Der Grund ist \
                die Sperrung der Halle.\n";
    let report = report_on(
        &[("brief.md", text)],
        "Warum wird der Tauschmarkt ausgesetzt?",
    );
    assert!(report.contains("leider aussetzen"), "{report}");
    assert!(!report.contains("No document mentions"), "{report}");
}

#[test]
fn a_place_or_a_builder_of_something_else_is_a_missing_one() {
    let vessels = "# Vessels\n\nThe Havtor was built in 2004 at the Fosen yard and carries 60 \
                   cars. The Skarv was built in 1991 and carries 34 cars.\n";
    let boats = "# Boats\n\n| Boat | Type | Built |\n|---|---|---|\n| Heron | quad | 2016 |\n\
                 | Swift | eight | 2011 |\n";
    let budget = "# Budget\n\nIn 2023 the library spent 212,000 euros on books.\n";
    let documents = [
        ("vessels.md", vessels),
        ("boats.md", boats),
        ("budget.md", budget),
    ];
    for (question, is_missing) in [
        ("Where was the Skarv built?", true),
        ("Where was the Havtor built?", false),
        ("Who built the Swift?", true),
        ("When was the Swift built?", false),
        ("How many books does the library own?", true),
    ] {
        let report = report_on(&documents, question);
        let has_notice = report.contains("**Not answered as asked.**");
        assert_eq!(has_notice, is_missing, "{question}\n{report}");
    }
}

#[test]
fn ratio_or_an_acronym_of_a_thing_is_no_answer_for_how_often_or_who() {
    let pumps = (
        "pumps.md",
        "# How heat pumps work\n\nA heat pump with a COP of 4 delivers 4 kW \
                 of heat for every 1 kW of electricity. The heat pump is filled with a gas.\n",
    );
    let scratch = Scratch::with_docs(&[pumps]);
    for question in [
        "Who invented the heat pump?",
        "How often must a heat pump be defrosted?",
    ] {
        let ran = scratch.run(&["run", question, "--docs", "docs", "--offline"]);
        let is_silent = ["**No evidence was found.**", "**Not answered as asked.**"];
        assert!(
            is_silent.iter().any(|own| ran.stdout.contains(own)),
            "{}",
            ran.stdout
        );
    }
}

#[test]
fn verb_that_no_document_has_is_named_first() {
    let text =
        "# Boilers\n\nA gas boiler costs about 10,000 euros. A gas boiler gives 20 kW of heat.\n";
    let scratch = Scratch::with_docs(&[("boilers.md", text)]);
    let ask = |topic: &str| {
        scratch
            .run(&["run", topic, "--docs", "docs", "--offline"])
            .stdout
    };
    let wasted = ask("How much heat does a gas boiler waste?");
    assert!(wasted.contains("No document mentions “waste”"), "{wasted}");
    let afforded = ask("How much heat can a gas boiler afford?");
    assert!(!afforded.contains("> **"), "{afforded}");
    assert!(!ask("What does a gas boiler cost?").contains("> **"));
}

#[test]
fn who_does_something_to_another_thing_does_not_answer() {
    let text = "# Report on meals\n\nThe share of answers, 88 %, was supplied by Larkfield. Food \
                is cold at the schools to which vans bring it.\n";
    let scratch = Scratch::with_docs(&[("meals.md", text)]);
    let ask = |topic: &str| {
        scratch
            .run(&["run", topic, "--docs", "docs", "--offline"])
            .stdout
    };
    let report = ask("Who supplies the vans?");
    assert!(report.contains("**Not answered as asked.**"), "{report}");
    let report = ask("Who supplied the share of answers?");
    assert!(!report.contains("> **"), "{report}");
}

#[test]
fn a_salutation_is_no_claim() {
    let letter = "Lorvik Town Council\n\nSubject: Meals\n\nDear members,\n\nAll staff of the \
                  kitchen are trained once a year. The food is still cold.\n\nKind regards\nAnn \
                  Ek\n";
    let report = report_on(
        &[("letter.txt", letter)],
        "Are the kitchen staff members of a club?",
    );
    assert!(report.contains("trained once a year"), "{report}");
    assert!(!report.contains("Dear members"), "{report}");
}
