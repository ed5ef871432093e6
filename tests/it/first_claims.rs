//! The first claim of a report answers: what is said in the document of the named study, all of a
//! list, the size of an effect, the rule before its exception.

use crate::laboratory::{in_brief, report_on};

/// The first claim in brief of a report on documents.
fn first_claim(documents: &[(&str, &str)], question: &str) -> String {
    let report = report_on(documents, question);
    let first = in_brief(&report)
        .lines()
        .find(|line| line.starts_with("- "));
    first.unwrap_or_default().to_owned()
}

/// Checks that the first claim in brief to each question has its answer.
fn assert_first(documents: &[(&str, &str)], cases: &[(&str, &str)]) {
    for (question, answer) in cases {
        let first = first_claim(documents, question);
        assert!(first.contains(answer), "{question}\n{first}");
    }
}

const TRIAL: &str = "\
---
title: \"Zinc lozenges and the common cold: FROSTA, a randomised trial\"
date: 2021-03-02
---
We randomised 640 patients of 14 surgeries to zinc lozenges or placebo. The cold lasted 5.1 days \
with zinc and 6.3 days with placebo (rate ratio 0.81). Zinc lozenges shortened the common cold. In \
the subgroup of smokers the rate ratio was 0.52.
";

const REVIEW: &str = "\
# Review of zinc for colds

Two readers screened 900 records and included 7 trials with 4,410 participants. It is unclear \
which dose of zinc is best. No data were found on zinc in children. Zinc was a gift of Alba Mine.
";

#[test]
fn a_name_in_the_title_is_that_of_all_sentences() {
    let both = [("trial.md", TRIAL), ("review.md", REVIEW)];
    for question in [
        "How many participants were in FROSTA?",
        "How many participants did FROSTA have?",
    ] {
        for documents in [&both[..], &both[..1]] {
            let first = first_claim(documents, question);
            assert!(first.contains("640 patients"), "{question}\n{first}");
        }
    }
}

#[test]
fn size_of_an_effect_is_that_of_the_whole() {
    let documents = [("trial.md", TRIAL), ("review.md", REVIEW)];
    assert_first(
        &documents,
        &[
            (
                "Does zinc shorten the common cold, and by how much?",
                "ratio 0.81",
            ),
            ("How large was the effect of zinc in FROSTA?", "ratio 0.81"),
            ("What is not known about zinc?", "unclear which dose"),
        ],
    );
}

const PERMIT: &str = "\
# Harbour board of Alba: decision on the ferry

The board considered the ferry at its meeting on 3 May. It gives its consent, subject to the \
following conditions:

1. The quay is lit at night.
2. A pilot is on board in winter.
3. The horn is not used before 7 a.m.

The board did not approve the second ramp of the ferry, since it narrows the quay.

## 2 Open points

- Who clears the ice? (Quist)
- Colour of the buoys

## Selection criteria

A ship is admitted if it

1. is shorter than 40 metres,
2. has a double hull, and
3. is insured.
";

const FORECAST: &str = "\
# Forecast of freight 2030

Freight will grow by 2 percent a year.

## Assumptions

- The canal stays open in winter.
- Diesel costs no more than today.
- The lock is widened by 2028.

## Others

The ministry expects more. The ministry does not publish the assumptions of its forecast.
";

#[test]
fn lists_answer_as_a_whole_whatever_words_ask_for_them() {
    let documents = [("permit.md", PERMIT), ("forecast.md", FORECAST)];
    for (question, items) in [
        (
            "Under which conditions did the board approve the ferry?",
            &["lit at night", "pilot", "horn"][..],
        ),
        ("Which points are still open?", &["clears the ice", "buoys"]),
        ("What is still open?", &["clears the ice", "buoys"]),
        (
            "What are the selection criteria?",
            &["40 metres", "double hull", "insured"],
        ),
        (
            "What assumptions does the forecast of freight rest on?",
            &["canal stays open", "Diesel", "widened"],
        ),
    ] {
        let report = report_on(&documents, question);
        // Each item is on a line of its own.
        let brief = in_brief(&report);
        let first = brief.split("[\\[1\\]]").next().unwrap_or_default();
        assert!(
            items.iter().all(|item| first.contains(item)),
            "{question}\n{brief}"
        );
    }
}

const KILNS: &str = "\
# Test of kilns

We tested three kilns. The Lark is the best kiln in the test.

| Model | Weight kg | Noise dB | Grade |
| --- | --- | --- | --- |
| Lark | 48.5 | 52 | good |
| Ister | 41.2 | 60 | fair |
| Quell | 55.0 | 47 | good |
";

const ACCIDENTS: &str = "\
site,year,workers,accidents_per_1000_hours
Dale,2020,40,2.5
Dale,2021,42,1.9
Dale,2022,44,1.2
Overton,2021,31,3.1
";

#[test]
fn rows_answer_superlatives_and_trends() {
    let documents = [("kilns.md", KILNS), ("accidents.csv", ACCIDENTS)];
    assert_first(
        &documents,
        &[
            ("Which of the tested kilns is the lightest?", "Ister"),
            ("Which kiln is the quietest?", "Quell"),
        ],
    );
    let report = report_on(
        &documents,
        "How did the rate of accidents in Dale change from 2020 to 2022?",
    );
    for value in ["2.5", "1.9", "1.2"] {
        assert!(in_brief(&report).contains(value), "{report}");
    }
    assert!(!report.contains("Not answered as asked"), "{report}");
}

const CONTRACT: &str = "\
# Lease of the mill

12.1 The lease ends on 30 June 2028. 12.2 It is extended by a year unless one party gives five \
months' notice to the end of the term.

12.3 Either party may end the lease of the mill without notice for good cause.
";

const SURVEY: &str = "\
# Survey of tenants

The most frequent complaint is the damp, which 34 percent named. Noise follows with 27 percent. \
Only 6 percent of the tenants complained about the rent.
";

const CALL: &str = "\
# Call for the river grant

The money was a gift of the Alba Mine. Towns and schools in the county can apply.
";

#[test]
fn what_is_asked_for_comes_before_what_is_said_besides() {
    let documents = [
        ("lease.md", CONTRACT),
        ("survey.md", SURVEY),
        ("call.md", CALL),
    ];
    assert_first(
        &documents,
        &[
            (
                "What is the notice period of the lease of the mill?",
                "five months' notice",
            ),
            ("What do tenants complain about most?", "damp"),
            ("Who can apply for the grant?", "Towns and schools"),
        ],
    );
}

#[test]
fn a_retraction_is_told_with_its_reason() {
    let notice = "RETRACTION NOTICE\n\nRetraction: Quist P. Salt heals lime. Kiln Letters 2016; \
                  12: 20-29.\n\nThe editors have retracted this article. A reader raised concerns \
                  about a table. Half of the samples were copies of other samples.\n";
    let review = "# Review of salt\n\nOne trial (Quist 2016) was excluded because it was \
                  retracted. The trial by Quist would have changed little.\n";
    let documents = [("notice.txt", notice), ("review.md", review)];
    let first = first_claim(&documents, "Why was the trial by Quist retracted?");
    assert!(first.contains("copies of other samples"), "{first}");
}

#[test]
fn pieces_are_counted_in_the_sentence_behind_the_thing() {
    let market = "# Fachblatt\n\nDer Markt für Gartengeräte hat sich 2025 erholt. Verkauft wurden \
                  2,1 Millionen Rasenmäher. Getragen wird das Wachstum von Motorsägen. Ihr Absatz \
                  stieg um 22 Prozent auf 236.000 Stück.\n";
    assert_first(
        &[("markt.md", market)],
        &[("Wie viele Motorsägen wurden 2025 verkauft?", "236.000")],
    );
}

#[test]
fn the_thing_that_is_named_by_its_letter_is_that_of_its_section() {
    let options = "# Ferries after 2030\n\nHarbour Services, 3 April 2025. Nothing is decided.\n\n\
                   ## Option A: extend the contract\n\nThis costs nothing to prepare. The cost \
                   would be about 7.1 million euros a year.\n\n## Option B: buy the ferries\n\nThe \
                   town would employ the crews. We estimate 7.8 million euros a year.\n\n## New \
                   piers\n\nIndependently of the options, a new pier costs 85,000 euros.\n";
    let documents = [("options.md", options)];
    assert_first(
        &documents,
        &[
            ("What does option B cost?", "7.8 million"),
            ("What does option A cost?", "7.1 million"),
        ],
    );
    let report = report_on(&documents, "What does option B cost?");
    assert!(!report.contains("7.1 million"), "{report}");
    let rules = "# Rules\n\n## Article 5: dogs\n\nDogs are kept on a lead on the quay.\n\n## \
                 Article 7: exceptions\n\nArticle 5 does not apply to guide dogs.\n";
    let first = first_claim(
        &[("rules.md", rules)],
        "To which dogs does article 5 not apply?",
    );
    assert!(first.contains("guide dogs"), "{first}");
    assert!(report.contains("(2025)"), "{report}");
}

#[test]
fn what_has_to_be_is_told_by_a_rule_and_not_by_a_measurement() {
    let inspection = "# Inspection of the kitchen\n\nFood left the kitchen at 74 degrees but was \
                      served at a temperature of 56 degrees on average. Food was served late.\n";
    let terms = "# Terms of the contract\n\nHot food must be served at a temperature of 63 degrees \
                 or above.\n";
    let documents = [("inspection.md", inspection), ("terms.md", terms)];
    assert_first(
        &documents,
        &[("What temperature must food be served at?", "63 degrees")],
    );
}
