//! The papers of a dispensary: two versions of a procedure, an amended contract, a request that was
//! refused and then granted, a guideline on one medicine.

use crate::harness::{Scratch, parsed};
use crate::laboratory::{in_brief, report_on};

const COLD_2: &str = "\
---
title: Cold chain procedure (SOP-12), version 2
date: 2023-05-14
status: superseded by version 3 of 2 March 2026
---
## Monitoring

The temperature of each fridge is read and written down once a day, at 09:00.
";

const COLD_3: &str = "\
# Cold chain procedure (SOP-12), version 3

Community Hospital, Pharmacy
Effective from 2 March 2026. Replaces version 2 of 14 May 2023.

## 1. Limits

The set point of every pharmacy fridge is 5 °C.

## 2. Monitoring

The lowest and highest temperatures are read and written down twice a day, at 08:00 and 16:00.

At weekends the nurse in charge reads them.
";

const CONTRACT: &str = "\
# Supply contract between the Hospital and Meridian Ltd

Contract no. SB-2024-07. Signed on 18 June 2024.

## Clause 1. Term

The contract runs from 1 July 2024 to 30 June 2026.

## Clause 6. Returns

Unopened goods may be returned within 14 days for a full credit. Chilled goods are not taken back.

## Clause 7. Termination

Either party may terminate the contract with six months' written notice.
";

const AMENDMENT: &str = "\
Amendment No. 1 to contract SB-2024-07

between the Hospital and Meridian Ltd
Dated 3 November 2025

1. The charge for an emergency delivery is raised from 45 pounds to 60 pounds.

2. The contract is extended to 30 June 2027.
";

const FEBRUARY: &str = "\
# Minutes of the committee, 11 February 2026

## Formulary

The request to add lidocaine plasters to the formulary was refused; the evidence was too weak.
";

const MAY: &str = "\
# Minutes of the committee, 13 May 2026

## Lidocaine plasters

The pain team applied again. Decision: lidocaine plasters are added to the formulary for six months.
";

const GUIDELINE: &str = "\
# Guideline: vancomycin in adults

## Loading dose

Give a loading dose of 25 mg per kg, to a maximum of 2 g.

## Stopping

Do not give vancomycin with gentamicin unless microbiology has agreed. Then omit the next dose.
";

const MAIL: &str = "\
# Recall of heparin

The manufacturer recalls heparin, batch HK2291.

The price of apixaban goes up to 7.05 pounds from 1 July.
";

const DOSES: &str = "\
# Doses by clearance

| Creatinine clearance | Dose |
|---|---|
| above 90 | 1,500 mg |
| 60 to 90 | 1,000 mg |
| 30 to 59 | 750 mg |
| below 30 | 500 mg |
";

const INCIDENT: &str = "\
# Incident report: the vaccine fridge was too warm

## Causes

1. The door seal is worn.
2. The alarm had been muted since 12 April.
3. Nobody looked at the curve of the logger.
";

const NOTE: &str = "\
Change note to SOP-12
Issued on 20 October 2026

Section 1 is changed: the set point of every pharmacy fridge is 4.5 °C.
";

const DISPENSARY: &[(&str, &str)] = &[
    ("cold2.md", COLD_2),
    ("cold3.md", COLD_3),
    ("contract.md", CONTRACT),
    ("amendment.txt", AMENDMENT),
    ("february.md", FEBRUARY),
    ("may.md", MAY),
    ("guideline.md", GUIDELINE),
    ("mail.md", MAIL),
    ("doses.md", DOSES),
    ("incident.md", INCIDENT),
];

const NOTICE: &str = "Not answered as asked";

#[test]
fn the_section_of_the_next_version_leads() {
    let report = report_on(
        DISPENSARY,
        "How often must fridge temperatures be recorded?",
    );
    let first = in_brief(&report).trim().lines().next().unwrap();
    assert!(first.contains("twice a day"), "{report}");
    assert!(!report.contains(NOTICE), "{report}");
}

#[test]
fn the_end_of_a_contract_is_that_of_its_amendment() {
    let report = report_on(DISPENSARY, "When does the Meridian contract end?");
    let first = in_brief(&report).trim().lines().next().unwrap();
    assert!(first.contains("extended to 30 June 2027"), "{report}");
    assert!(!report.contains(NOTICE), "{report}");
}

#[test]
fn a_permission_is_quoted_with_its_exception() {
    let report = report_on(DISPENSARY, "Can I return chilled insulin to Meridian?");
    let brief = in_brief(&report);
    assert!(brief.contains("may be returned within 14 days"), "{report}");
    assert!(
        brief.contains("Chilled goods are not taken back"),
        "{report}"
    );
}

#[test]
fn what_was_refused_and_then_granted_is_granted() {
    let report = report_on(DISPENSARY, "Are lidocaine plasters on the formulary?");
    let brief = in_brief(&report);
    let granted = brief.find("are added to the formulary").unwrap();
    let refused = brief.find("was refused").unwrap();
    assert!(
        granted < refused && brief[refused..].contains("superseded"),
        "{report}"
    );
}

#[test]
fn the_dose_or_the_price_of_another_medicine_is_no_answer() {
    for (question, is_answered) in [
        ("What is the loading dose of gentamicin?", false),
        ("What is the loading dose of vancomycin?", true),
        ("What is the maximum dose of gentamicin?", false),
        ("What is the maximum dose of morphine?", false),
        ("What is the price of heparin?", false),
        ("What is the price of apixaban?", true),
    ] {
        let report = report_on(DISPENSARY, question);
        assert_eq!(!report.contains(NOTICE), is_answered, "{report}");
    }
}

const RECORDS: &str = "\
# Minutes of the therapeutics committee, 13 May 2026

## 2. Intravenous paracetamol

Decision: intravenous paracetamol may also be used in the first 48 hours after major surgery.

## 6. Heparin

Meridian can no longer deliver heparin 5,000 units in 5 ml.

| Action | Who | By |
|---|---|---|
| Order the vaccine fridge | Paul Nance | 22 May 2026 |
| Write the plaster protocol | Ruth Lindqvist | 29 May 2026 |
| Audit of intravenous paracetamol | Martin Opie | 30 September 2026 |
";

#[test]
fn who_audits_a_medicine_is_not_who_may_get_it() {
    let documents = [("minutes.md", RECORDS)];
    let report = report_on(&documents, "Who may get intravenous paracetamol?");
    let first = in_brief(&report).trim().lines().next().unwrap();
    let rule = first.find("may also be used").unwrap();
    assert!(!first[..rule].contains("Martin Opie"), "{report}");
}

#[test]
fn actions_of_a_meeting_are_not_those_of_its_last_item() {
    let documents = [("minutes.md", RECORDS)];
    let report = report_on(&documents, "Who may get intravenous paracetamol?");
    let (_, tables) = report.split_once("## Tables").unwrap();
    assert!(!tables.contains("Heparin"), "{report}");
    assert!(tables.contains("**Minutes of the therapeutics"), "{report}");
}

const WARM_FRIDGE: &str = "\
# Incident report: the vaccine fridge

Date of report: 21 April 2026

## What happened

On 19 April the vaccine fridge got too warm, above 8 °C from 03:10 to 04:45.

## Causes

1. The door seal of the fridge is worn; a repair had been asked for and not done.
2. The alarm had been muted since 12 April.
";

#[test]
fn causes_that_are_quoted_are_no_open_question() {
    let documents = [("incident.md", WARM_FRIDGE), ("cold2.md", COLD_2)];
    let report = report_on(&documents, "Why did the vaccine fridge get too warm?");
    assert!(in_brief(&report).contains("seal of the fridge is worn"));
    assert!(!report.contains("Nothing was found on"), "{report}");
}

#[test]
fn the_row_whose_interval_has_the_number_leads() {
    let report = report_on(
        DISPENSARY,
        "What is the dose for a creatinine clearance of 45?",
    );
    let first = in_brief(&report).trim().lines().next().unwrap();
    let row = first.find("30 to 59").unwrap();
    assert!(!first[..row].contains("60 to 90"), "{report}");
    assert!(!report.contains(NOTICE), "{report}");
}

#[test]
fn the_causes_of_an_incident_are_quoted_together() {
    let report = report_on(DISPENSARY, "Why did the vaccine fridge get too warm?");
    let brief = in_brief(&report);
    for cause in ["seal is worn", "been muted since", "looked at the curve"] {
        assert!(brief.contains(cause), "{report}");
    }
}

#[test]
fn a_change_note_leads_the_section_that_it_changes() {
    let documents = [DISPENSARY, &[("note.txt", NOTE)]].concat();
    let report = report_on(&documents, "What is the set point of the pharmacy fridges?");
    let brief = in_brief(&report);
    let changed = brief.find("4.5 °C").unwrap();
    let before = brief.find("is 5 °C").unwrap();
    assert!(
        changed < before && brief[before..].contains("superseded"),
        "{report}"
    );
}

#[test]
fn times_a_day_are_how_often_and_a_day_of_the_question_is_no_answer() {
    let report = report_on(
        DISPENSARY,
        "How many times a day are the temperatures written down?",
    );
    assert!(in_brief(&report).contains("twice a day"), "{report}");
    assert!(!report.contains(NOTICE), "{report}");
    let incident = "# Incident\n\nThe door of the dispensary was not closed on Saturday evening.\n";
    let report = report_on(
        &[("incident.md", incident)],
        "When is the dispensary open on Saturdays?",
    );
    assert!(report.contains(NOTICE), "{report}");
}

#[test]
fn version_is_no_date_and_a_superseded_value_no_party() {
    let version_3 = COLD_3.replace("Effective from 2 March 2026. ", "");
    let version_2 = COLD_2.replace(
        "## Monitoring",
        "## Limits\n\nThe set point of every \
        pharmacy fridge is 4 °C.\n\n## Monitoring",
    );
    let note = "\
Change note to SOP-12 version 3

Issued by the pharmacy on 20 October 2026

Section 1 is changed: the set point of every pharmacy fridge is 4.5 °C.
";
    let documents = [
        ("cold2.md", version_2.as_str()),
        ("cold3.md", version_3.as_str()),
        ("note.txt", note),
    ];
    let report = report_on(&documents, "What is the set point of the fridges?");
    assert!(report.contains("\n| 2023-05-14 | 4 |"), "{report}");
    assert!(report.contains("\n|  | 5 |"), "{report}");
    assert!(!report.contains("4 against 4.5"), "{report}");
}

#[test]
fn citation_by_author_and_year_is_in_square_brackets_within_a_remark() {
    let contract = CONTRACT.replace(
        "## Clause 6",
        "## Clause 2. Deliveries\n\nAn emergency \
        delivery costs 45 pounds each. The charge for an emergency delivery is 45 pounds.\n\n\
        ## Clause 6",
    );
    let documents = [
        ("contract.md", contract.as_str()),
        ("amendment.txt", AMENDMENT),
    ];
    let scratch = Scratch::with_docs(&documents);
    let question = "How much does an emergency delivery cost?";
    scratch.expect(
        0,
        &["run", question, "--docs", "docs", "-q", "--session", "s"],
    );
    let academic = ["export", "s", "--kind", "academic", "--citations", "apa"];
    let paper = scratch.expect(0, &academic).stdout;
    let remark = "(superseded by [“Amendment No. 1”, 2025])";
    assert!(paper.contains(remark), "{paper}");
    let numbered = scratch.expect(0, &["export", "s"]).stdout;
    assert!(
        numbered.contains("(superseded by [1] of 2025-11-03)"),
        "{numbered}"
    );
}

#[test]
fn field_by_which_programs_tell_that_nothing_answers_is_the_documented_one() {
    let scratch = Scratch::with_docs(DISPENSARY);
    let run = [
        "run",
        "What is the loading dose of gentamicin?",
        "--docs",
        "docs",
        "--json",
    ];
    let result = parsed(&scratch.expect(0, &run).stdout);
    let document = include_str!("../../docs/output.md");
    let named = document
        .split("`.")
        .filter(|own| own.contains("` of `run --json`"));
    let paths: Vec<&str> = named.filter_map(|own| own.split('`').next()).collect();
    assert_eq!(paths, ["session.not_answered"]);
    assert_eq!(result["session"]["not_answered"], true, "{result}");
}
