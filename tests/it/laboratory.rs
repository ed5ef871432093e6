//! The papers of a laboratory and of a school: procedures in numbered steps, an amendment of a
//! contract, a draft that was rejected, a filter that was changed in another procedure.

use crate::harness::Scratch;

const NITRATE: &str = "\
---
title: Nitrate by ion chromatography
date: 2025-09-01
---
## Procedure

1. Let the baseline settle for 45 minutes.
2. Filter each sample through a 0.2 µm membrane filter.
3. Run a blank and six standards.

The filter was changed from 0.45 µm to 0.2 µm because bacteria that pass the coarser filter consume
nitrite in the vial.

## Quality control

The control standard must be within 5 % of its nominal value. If it is not:

1. Stop the series.
2. Prepare a new control standard and run it.
3. Open a deviation report.

The expanded measurement uncertainty of nitrate is 7 % (k = 2).
";

const COLIFORMS: &str = "\
---
title: Escherichia coli by membrane filtration
date: 2024-04-15
---
One hundred millilitres of the sample are filtered through a membrane with a pore size of 0.45 µm,
on which the bacteria are retained.
";

const PROPOSAL: &str = "\
---
title: Proposal to lease an analyser for organic carbon
date: 2025-12-05
status: draft
---
I propose that the laboratory leases an analyser for organic carbon from April 2026.
";

const MEETING: &str = "\
# Minutes of the laboratory meeting of 14 January 2026

## Proposal for an analyser of organic carbon

Tamsin Reyes presented the draft of 5 December 2025 to lease an analyser for organic carbon. The
meeting discussed it for half an hour.

Decision: the proposal is rejected. The laboratory receives only about 90 requests a year.
";

const SHELF_LIFE: &str = "\
# Shelf life of the nitrate standard

Date: 2026-02-10

The unopened bottle keeps for 36 months from the date of manufacture, as before.
";

const BOTTLES: &str = "\
# Minutes of 11 March 2026

Opened bottles of the nitrate standard are now used for six months only.
";

const CONTRACT: &str = "\
# Cleaning contract

Signed on 3 June 2024

Windows are cleaned twice a year, in the Easter and summer holidays.

The school pays a flat fee of £4,180 per month. After three reports in one month the school may
withhold 5 % of the monthly fee.

The supervisor is Tomasz Wilk.
";

const AMENDMENT: &str = "\
AMENDMENT No. 2 TO THE CLEANING CONTRACT OF 3 JUNE 2024

1. The monthly flat fee in clause 3 is raised from £4,180 to £4,395 with effect from 1 March 2026.

2. Clause 2 is changed as follows: windows are cleaned three times a year, in the Easter, summer
and autumn holidays.

3. The supervisor on site is Agnes Dorn from 1 March 2026.
";

const JANUARY: &str = "\
# Premises committee, minutes of 20 January 2026

Daniel Osei holds the second set of master keys. The first set stays in the safe.
";

const JUNE: &str = "\
# Premises committee, minutes of 9 June 2026

From 1 July 2026 Ruth Keane keeps the second set of master keys.
";

const EXAMINATION: &str = "\
Report of thorough examination of the lift

Result: The lift may remain in use. The defects below have to be put right in the time stated.

Defects

1. The emergency telephone in the car does not connect to the call centre.
2. The door sensor on the second floor reacts late.
3. The light in the lift pit is broken. To be replaced within three months.
";

const SHELTER: &str = "\
# Premises committee, minutes of 17 March 2026

The decision of 20 January (bicycle shelter) is withdrawn, because the money is needed for the roof.
";

const ENERGY: &str = "\
# Energy report 2025

Date: 2026-02-02

In 2025 the school used 412,000 kWh of gas.
";

const FIGURE: &str = "\
# Gas figure

Date: 2026-02-26

The correct gas consumption for 2025 is 421,600 kWh, not 412,000 kWh.
";

const FAQ: &str = "\
# Questions about the building

## How is the heating switched?

The caretaker switches it with the red key, and it runs until 17:00.
";

const LABORATORY: &[(&str, &str)] = &[
    ("nitrate.md", NITRATE),
    ("coliforms.md", COLIFORMS),
    ("proposal.md", PROPOSAL),
    ("meeting.md", MEETING),
    ("shelf.md", SHELF_LIFE),
    ("bottles.md", BOTTLES),
];

const SCHOOL: &[(&str, &str)] = &[
    ("contract.md", CONTRACT),
    ("amendment.txt", AMENDMENT),
    ("january.md", JANUARY),
    ("june.md", JUNE),
    ("lift.txt", EXAMINATION),
    ("march.md", SHELTER),
    ("energy.md", ENERGY),
    ("figure.md", FIGURE),
    ("faq.md", FAQ),
];

/// The report on a question.
pub(crate) fn report_on(documents: &[(&str, &str)], question: &str) -> String {
    let scratch = Scratch::with_docs(documents);
    let ran = scratch.expect(0, &["run", question, "--docs", "docs", "-q"]);
    ran.stdout
}

/// The part of a report with its first quotations.
pub(crate) fn in_brief(report: &str) -> &str {
    let (_, rest) = report.split_once("## In brief").unwrap();
    rest.split("\n## ").next().unwrap()
}

#[test]
fn steps_of_a_procedure_are_quoted_whole_and_in_order() {
    let report = report_on(
        LABORATORY,
        "What must I do if the control standard of nitrate is outside its limits?",
    );
    let brief = in_brief(&report).split_whitespace();
    let brief = brief.collect::<Vec<_>>().join(" ");
    let steps = "If it is not: 1. Stop the series. 2. Prepare a new control standard and run it. \
                 3. Open a deviation report.";
    assert!(brief.contains(steps), "{report}");
    assert!(!report.contains("how it works"), "{report}");
    let report = report_on(
        LABORATORY,
        "What are the steps of nitrate by ion chromatography?",
    );
    let brief = in_brief(&report).split_whitespace();
    let brief = brief.collect::<Vec<_>>().join(" ");
    assert!(
        brief.contains("1. Let the baseline settle for 45 minutes. 2. Filter"),
        "{report}"
    );
    // What is no procedure is not answered by one.
    let report = report_on(
        LABORATORY,
        "What is the measurement uncertainty of nitrate?",
    );
    assert!(!in_brief(&report).contains("Stop the series"), "{report}");
}

#[test]
fn what_another_procedure_changed_supersedes_nothing_of_this_one() {
    let report = report_on(LABORATORY, "How do I filter a sample for Escherichia coli?");
    let brief = in_brief(&report);
    assert!(brief.contains("pore size of 0.45"), "{report}");
    assert!(!brief.contains("superseded"), "{report}");
}

#[test]
fn what_is_now_so_of_opened_bottles_supersedes_nothing_of_unopened_ones() {
    let report = report_on(
        LABORATORY,
        "How long may I use an opened bottle of the nitrate standard?",
    );
    assert!(in_brief(&report).contains("six months only"), "{report}");
    assert!(!report.contains("superseded"), "{report}");
}

#[test]
fn a_property_of_another_thing_is_no_answer() {
    let report = report_on(
        LABORATORY,
        "What is the measurement uncertainty of arsenic?",
    );
    assert!(report.contains("Not answered as asked"), "{report}");
    let report = report_on(
        LABORATORY,
        "What is the measurement uncertainty of nitrate?",
    );
    assert!(!report.contains("Not answered as asked"), "{report}");
}

#[test]
fn what_came_of_a_draft_is_quoted_with_it() {
    let report = report_on(LABORATORY, "Will we get an analyser for organic carbon?");
    assert!(
        in_brief(&report).contains("the proposal is rejected"),
        "{report}"
    );
}

#[test]
fn an_amendment_leads_and_marks_the_clauses_that_it_changes() {
    for (question, answer, superseded) in [
        (
            "What do we pay the cleaners each month?",
            "£4,395",
            "£4,180 per month",
        ),
        (
            "How often are the windows cleaned?",
            "three times",
            "twice a year",
        ),
        (
            "Who is the supervisor of the cleaners?",
            "Agnes Dorn",
            "Tomasz Wilk",
        ),
        (
            "Who has the second set of master keys now?",
            "Ruth Keane",
            "Daniel Osei holds",
        ),
    ] {
        let report = report_on(SCHOOL, question);
        let brief = in_brief(&report);
        let position = |text: &str| brief.find(text).unwrap_or_else(|| panic!("{report}"));
        assert!(position(answer) < position(superseded), "{report}");
        let marks = brief.matches("(superseded by [1]").count();
        assert_eq!(marks, 1, "{report}");
    }
}

#[test]
fn items_that_are_asked_for_are_quoted_as_a_whole() {
    let report = report_on(SCHOOL, "Which defects does the lift have?");
    let brief = in_brief(&report);
    let position = |text: &str| brief.find(text).unwrap_or_else(|| panic!("{report}"));
    let (first, last) = (
        position("emergency telephone"),
        position("The light in the"),
    );
    assert!(first < position("door sensor") && position("door sensor") < last);
    assert!(!brief[first..last].contains("[…]"), "{report}");
}

#[test]
fn a_word_that_no_document_has_is_sought_by_its_synonyms() {
    let report = report_on(SCHOOL, "Are we going to build a bike shed?");
    assert!(
        in_brief(&report).contains("(bicycle shelter) is withdrawn"),
        "{report}"
    );
}

#[test]
fn the_verb_of_a_question_is_no_kind_of_thing() {
    let report = report_on(SCHOOL, "How much gas did the school use in 2025?");
    assert!(in_brief(&report).contains("421,600"), "{report}");
    assert!(!report.contains("Not answered as asked"), "{report}");
}

const AUDIT: &str = "\
# Report of the surveillance audit of 17 June 2025

## Summary

Three findings were made in the laboratory. The assessors visited it for two days.

## Findings

### Finding 1: control of nitrate not frequent enough

The control standard was run after every 20 samples only.

### Finding 2: expired buffer

A bottle of the buffer in use had expired on 31 March 2025.

### Finding 3: balance check without a limit

The daily check is recorded, but the form has no limit by which it could be judged.
";

#[test]
fn sections_below_what_is_asked_for_are_its_items() {
    let report = report_on(
        &[("audit.md", AUDIT)],
        "What were the findings of the audit?",
    );
    let brief = in_brief(&report);
    let items = ["every 20 samples", "had expired", "has no limit"];
    let places = items.map(|item| brief.find(item));
    assert!(places.iter().all(Option::is_some), "{report}");
    assert!(places.is_sorted(), "{report}");
}

const DESIGN: &str = "\
# Contextual tickets

## Summary

Contextual tickets carry the zone in which they were bought.

## Drawbacks

This change adds a field to every printed stub. Old gates cannot read it. The machines have to be
replaced within two years.

## Alternatives

We could print the zone on the back, or leave the tickets as they are.
";

#[test]
fn a_section_that_is_asked_for_by_its_name_is_quoted_from_its_beginning() {
    let documents = &[("tickets.md", DESIGN), ("audit.md", AUDIT)];
    for (question, section) in [
        (
            "What are the drawbacks of contextual tickets?",
            "This change adds a field to every printed stub. Old gates cannot read it.",
        ),
        (
            "Which alternatives to contextual tickets are there?",
            "We could print the zone on the back",
        ),
    ] {
        let report = report_on(documents, question);
        let brief = in_brief(&report).replace('\n', " ");
        let first = brief.split("- **").nth(1).unwrap_or_default();
        assert!(first.contains(section), "{question}\n{report}");
    }
}

const WELLS: &str = "\
Well,Depth m,Nitrate mg/l,Sulphate mg/l
W-01,12,38.4,41
W-02,34,21.7,36
W-03,8,57.2,52
W-04,41,12.9,60
W-05,6,63.8,30
";

#[test]
fn rows_beyond_a_number_are_listed_whatever_words_they_have() {
    let wells: &[(&str, &str)] = &[("wells.csv", WELLS)];
    for documents in [wells, &[wells[0], ("nitrate.md", NITRATE)]] {
        for (question, rows) in [
            (
                "Which wells have more than 50 mg/l of nitrate?",
                &["W-03", "W-05"][..],
            ),
            ("Which wells are less than 10 m deep?", &["W-03", "W-05"]),
            (
                "Which wells have at least 52 mg/l of sulphate?",
                &["W-03", "W-04"],
            ),
            ("Which wells have nitrate below 13 mg/l?", &["W-04"]),
        ] {
            let report = report_on(documents, question);
            let brief = in_brief(&report);
            let listed: Vec<&str> = brief
                .match_indices("W-0")
                .map(|(at, _)| &brief[at..at + 4])
                .collect();
            assert_eq!(listed, rows, "{question}\n{report}");
            assert!(!report.contains("Not answered"), "{question}\n{report}");
        }
    }
}

#[test]
fn questions_and_answers_are_no_open_questions() {
    let report = report_on(SCHOOL, "How is the heating switched?");
    assert!(in_brief(&report).contains("with the red key"), "{report}");
    assert!(!report.contains("Left open"), "{report}");
}
