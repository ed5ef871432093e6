//! The papers of a pharmacy and of its depot: an amended contract, editions of a policy, a roster,
//! a table of doses, rules with exceptions, two reports on one day.

use serde_json::Value;

use crate::harness::{Scratch, parsed};
use crate::laboratory::{in_brief, report_on};

/// A sentence of a report as it is judged: its verdict, its reasons, the status of the document
/// that says it, and the words of another one that says otherwise.
struct Judged {
    verdict: String,
    reasons: String,
    status: String,
    rival: String,
}

/// The sentences of a report that cites nothing, as they are judged by documents.
fn judged(documents: &[(&str, &str)], report: &[&str]) -> Vec<Judged> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let sentences = Scratch::with_docs(documents).checked(&report.join("\n\n"));
    let sentences = sentences.iter();
    let sentences = sentences.map(|one| Judged {
        verdict: text(&one["verdict"]),
        reasons: one["reasons"].to_string(),
        status: text(&one["match"]["status"]),
        rival: text(&one["rival"]["text"]),
    });
    let sentences: Vec<Judged> = sentences.collect();
    assert_eq!(sentences.len(), report.len());
    sentences
}

fn assert_verdicts(documents: &[(&str, &str)], expected: &[(&str, &str)]) {
    let report: Vec<&str> = expected.iter().map(|(sentence, _)| *sentence).collect();
    for (own, (sentence, verdict)) in judged(documents, &report).iter().zip(expected) {
        assert_eq!(own.verdict, *verdict, "{sentence} {}", own.reasons);
    }
}

const RULES: &str = "\
# Rules of the depot

Frost below 0 °C means that insulin and vaccines are destroyed, whatever the duration.

Concentrated potassium ampoules are removed from all wards except the Northern Unit.

The target level is 10 to 15 mg/l, or 15 to 20 mg/l in endocarditis.

From 8 June the emergency locker is in the corridor, no longer in the night office.

Sofia Keane takes over the keys of the locker from Ruth Nair on 15 June.

Only a pharmacist may release quarantined stock.

Stock may be borrowed from the Trent Hospital, but controlled drugs may not.
";

#[test]
fn the_opposite_of_a_rule_is_not_supported() {
    assert_verdicts(
        &[("rules.md", RULES)],
        &[
            ("Frosted insulin may be used again.", "partial"),
            ("All wards hold potassium ampoules.", "contradicted"),
            ("Wards may keep potassium ampoules.", "contradicted"),
            ("The target level is 10 to 15 mg/l.", "supported"),
            (
                "The target level in endocarditis is 15 to 20 mg/l.",
                "supported",
            ),
            (
                "The target level in endocarditis is 10 to 15 mg/l.",
                "contradicted",
            ),
            ("The emergency locker is in the corridor.", "supported"),
            (
                "The emergency locker is in the night office.",
                "contradicted",
            ),
            ("Ruth Nair has the keys of the locker.", "contradicted"),
            ("Sofia Keane has the keys of the locker.", "supported"),
        ],
    );
}

#[test]
fn what_only_some_may_do_others_may_not() {
    assert_verdicts(
        &[("rules.md", RULES)],
        &[
            (
                "Quarantined stock may be released by any senior technician.",
                "contradicted",
            ),
            (
                "Quarantined stock may be released by a pharmacist.",
                "supported",
            ),
            (
                "Controlled drugs may be borrowed from the Trent Hospital.",
                "contradicted",
            ),
            (
                "Stock may be borrowed from the Trent Hospital.",
                "supported",
            ),
        ],
    );
}

const LIMITS: &str = "\
# Limits

Orders above 2,500 pounds need the signature of the director.

Clerks may place orders of up to 800 pounds without a second signature.

A fridge may be filled to at most 75 per cent of its volume.

The contract with Holm is extended to 30 June 2027.
";

#[test]
fn rule_above_a_number_does_not_contradict_what_is_said_of_less() {
    let report = [
        "An order of 2,000 pounds does not need the signature of the director.",
        "A fridge must not be more than three quarters full.",
        "The contract with Holm now runs until the end of June 2027.",
        "A clerk may place an order of 5,000 pounds.",
    ];
    let sentences = judged(&[("limits.md", LIMITS)], &report);
    assert_eq!(sentences[3].verdict, "contradicted");
    for own in &sentences[..2] {
        assert_ne!(own.verdict, "contradicted", "{}", own.reasons);
    }
    assert_eq!(
        sentences[2].verdict, "supported",
        "{}",
        sentences[2].reasons
    );
}

#[test]
fn sentences_after_a_letter_are_judged_one_by_one() {
    let policy = "# Policy\n\nWe hold 28 days of stock of category A. Controlled drugs are counted \
                  every month.\n";
    let report = "We hold 28 days of stock of category A. Controlled drugs are counted every week.";
    let checked = Scratch::with_docs(&[("policy.md", policy)]).checked(report);
    let verdicts = checked.iter().map(|one| one["verdict"].as_str().unwrap());
    let verdicts: Vec<&str> = verdicts.collect();
    assert_eq!(verdicts, ["supported", "contradicted"], "{checked:?}");
}

const CONTRACT: &str = "\
# Supply contract between Brook Hospital and Holm Ltd

Contract no. SB-2024-07. Signed on 18 June 2024.

## Clause 1. Term

The contract runs from 1 July 2024 to 30 June 2026.

## Clause 2. Deliveries

Orders placed before 15:00 are delivered on the next working day. Emergency deliveries arrive within
four hours and cost 45 pounds each.

## Clause 4. Payment

Invoices are payable within 30 days. A discount of 1.5 per cent is given for payment within ten
days.

## Clause 5. Shortages

Holm pays the difference in price up to 500 pounds per item.
";

const AMENDMENT: &str = "\
Amendment No. 1 to contract SB-2024-07

between Brook Hospital and Holm Ltd
Dated 3 November 2025, in force from 1 December 2025

1. Clause 2 is changed: orders placed before 16:30 are delivered on the next working day. The charge
for an emergency delivery is raised from 45 pounds to 60 pounds.

2. Clause 4 is replaced by: \"Invoices are payable within 45 days. No discount is given for early
payment.\"

3. Clause 5: the limit of 500 pounds per item is raised to 1,200 pounds per item.

4. The contract is extended to 30 June 2027.
";

#[test]
fn what_an_amendment_changes_is_disputed_and_what_it_says_is_not() {
    let documents = [("contract.md", CONTRACT), ("amendment.txt", AMENDMENT)];
    let former = [
        "Emergency deliveries cost 45 pounds.",
        "Orders placed before 15:00 are delivered on the next working day.",
        "Invoices are payable within 30 days.",
        "Holm gives a discount of 1.5 per cent if we pay within ten days.",
        "The Holm contract runs to 30 June 2026.",
        "Holm pays the difference in price up to 500 pounds per item.",
    ];
    for own in judged(&documents, &former) {
        let sentence = &own.rival;
        assert_eq!(own.verdict, "supported", "{sentence} {}", own.reasons);
        assert_ne!(own.rival, "", "{}", own.reasons);
    }
    let now = [
        "Emergency deliveries cost 60 pounds.",
        "Orders placed before 16:30 are delivered on the next working day.",
        "Invoices are payable within 45 days.",
        "The Holm contract runs to 30 June 2027.",
        "Holm pays the difference in price up to 1,200 pounds per item.",
    ];
    for (own, sentence) in judged(&documents, &now).iter().zip(now) {
        assert_eq!(own.verdict, "supported", "{sentence} {}", own.reasons);
        assert_eq!(own.rival, "", "{sentence}");
    }
}

#[test]
fn edition_with_another_year_is_superseded_by_the_one_that_says_so() {
    let old = "# Stock policy, 2023 edition\n\nThe reorder point is ten days of average use.\n";
    let new = "# Stock policy, 2025 edition\n\nApproved on 6 October 2025. This edition replaces \
               the 2023 edition.\n\nThe reorder point is twelve days of average use.\n";
    let other = "# Procedure, version 3\n\nReplaces version 2 of 14 May 2023.\n\nAlarms ring.\n";
    let documents = [("old.md", old), ("new.md", new), ("other.md", other)];
    let report = [
        "The reorder point is ten days of average use.",
        "The reorder point is twelve days of average use.",
        "Version 3 replaces version 2 of 14 May 2023.",
    ];
    let sentences = judged(&documents, &report);
    assert!(sentences[0].status.starts_with("superseded"));
    assert_eq!(sentences[1].status, "");
    assert_eq!(sentences[2].rival, "");
}

#[test]
fn edition_that_is_superseded_contradicts_nothing_that_the_next_one_says() {
    let old = "---\nstatus: superseded by version 3\n---\n\n# Procedure, version 2\n\nThe \
               temperature of each fridge is written down once a day. A fridge may be filled to at \
               most 80 per cent.\n";
    let new = "# Procedure, version 3\n\nThe temperatures are written down twice a day. A fridge \
               may be filled to at most 75 per cent.\n";
    let documents = [("old.md", old), ("new.md", new)];
    let report = [
        "A fridge must not be more than 75 per cent full.",
        "Fridge temperatures are written down twice a day.",
    ];
    let verdicts = judged(&documents, &report);
    let is_contradicted = |own: &Judged| own.verdict == "contradicted";
    let all: Vec<bool> = verdicts.iter().map(is_contradicted).collect();
    assert_eq!(all, [false, false]);
}

const DOSES: &str = "\
# Doses

| Clearance (ml/min) | Dose | Interval |
|---|---|---|
| above 90 | 1,500 mg | 12 hours |
| 60 to 90 | 1,000 mg | 12 hours |
| 30 to 59 | 750 mg | 24 hours |
";

const PRICES: &str = "\
Code,Item,Pack size,Supplier,Price GBP,Valid from,Minimum order
PH1001,Amoxicillin 500 mg capsules,21,Holm,1.34,2026-01-01,50
PH1002,Apixaban 5 mg tablets,56,Holm,6.85,2026-03-01,10
PH1005,Paracetamol 500 mg tablets,100,Northgate Pharma,0.92,2026-01-01,100
PH1006,Insulin 100 units/ml pen,5,Northgate Pharma,34.75,2026-01-01,5
PH1007,Enoxaparin 40 mg syringes,10,Holm,27.03,2026-01-01,10
PH1008,Enoxaparin 20 mg syringes,10,Holm,18.86,2026-01-01,10
PH1009,Vancomycin 1 g vial,10,Northgate Pharma,41.20,2026-02-01,5
PH1010,Vancomycin 500 mg vial,10,Northgate Pharma,24.60,2026-02-01,5
PH1013,Morphine 10 mg/ml ampoules,10,Holm,9.80,2026-01-01,5
PH1014,Adrenaline 1 mg/10 ml syringe,1,Northgate Pharma,11.25,2026-01-01,10
";

#[test]
fn rows_support_themselves_and_what_they_say() {
    let documents = [("doses.md", DOSES), ("prices.csv", PRICES)];
    let scratch = Scratch::with_docs(&documents);
    for (file, text) in documents {
        // The same bytes would be the report itself, which is no source.
        scratch.write(file, format!("{text}\n"));
        let arguments = ["check", file, "--docs", "docs", "--offline", "--json"];
        let checked = parsed(&scratch.run(&arguments).stdout);
        for one in checked["sentences"].as_array().unwrap() {
            assert_eq!(one["verdict"], "supported", "{one}");
        }
    }
    let right = [
        "With a clearance above 90 ml/min the dose is 1,500 mg every 12 hours.",
        "With a clearance of 60 to 90 ml/min the dose is 1,000 mg every 12 hours.",
        "With a clearance of 30 to 59 ml/min the dose is 750 mg every 24 hours.",
    ];
    for own in judged(&[("doses.md", DOSES)], &right) {
        assert_eq!(own.verdict, "supported", "{}", own.reasons);
    }
    let wrong = [
        "With a clearance of 30 to 59 ml/min the dose is 750 mg every 12 hours.",
        "With a clearance of 30 to 59 ml/min the dose is 1,000 mg every 24 hours.",
    ];
    for own in judged(&[("doses.md", DOSES)], &wrong) {
        assert_ne!(own.verdict, "supported", "{}", own.reasons);
    }
}

#[test]
fn topic_of_a_document_is_that_of_its_sentences() {
    let procedure = "# Controlled drugs procedure\n\nRegisters are kept for seven years.\n";
    let report = [
        "Registers of controlled drugs are kept for five years.",
        "Registers of controlled drugs are kept for seven years.",
        "Registers of heparin are kept for five years.",
    ];
    let sentences = judged(&[("procedure.md", procedure)], &report);
    assert_eq!(sentences[0].verdict, "contradicted");
    assert_eq!(sentences[1].verdict, "supported");
    assert_ne!(sentences[2].verdict, "contradicted");
}

const ROSTER: &str = "\
# Roster

| Week of | Early (07:30–15:30) | Late (10:00–18:00) | On call (nights) |
|---|---|---|---|
| 1 June | Priya Nair | Dan Hock | Helen Tegg |
| 8 June | Dan Hock | Lucy Bray | Martin Opp |
| 15 June | Lucy Bray | Priya Nair | Sofia Keane |
";

#[test]
fn name_under_another_column_of_a_roster_is_contradicted_by_the_right_row() {
    let report = [
        "Priya Nair works early in the week of 15 June.",
        "Dan Hock is on call in the week of 15 June.",
        "Priya Nair works late in the week of 15 June.",
        "Sofia Keane is on call in the week of 15 June.",
    ];
    let sentences = judged(&[("roster.md", ROSTER)], &report);
    assert_eq!(sentences[0].verdict, "contradicted");
    assert!(sentences[0].reasons.contains("Lucy Bray"));
    assert_eq!(sentences[1].verdict, "contradicted");
    assert!(sentences[1].reasons.contains("Sofia Keane"));
    assert_eq!(sentences[2].verdict, "supported");
    assert_eq!(sentences[3].verdict, "supported");
}

#[test]
fn dose_of_a_drug_is_that_of_no_other_one() {
    let minutes = "# Minutes of the ward meeting, 12 March 2024\n\n## Oxycodone\n\nThe dose before \
                   therapy is lowered from 5 mg to 2 mg.\n";
    let guide = "# Guide to pain relief\n\nGive paracetamol 1 g every 6 hours.\n";
    let documents = [("minutes.md", minutes), ("guide.md", guide)];
    let report = report_on(&documents, "What is the dose of paracetamol?");
    let first = in_brief(&report).trim_start().lines().next().unwrap();
    assert!(first.contains("1 g every 6 hours"), "{report}");
}
