//! The papers of a brewery: minutes that change what earlier ones decided, a lease, an accident.

use crate::answers::first_claim;
use crate::harness::Scratch;

const PAPERS: [(&str, &str); 8] = [
    (
        "minutes-2026-03-09.md",
        "# Team meeting, 9 March 2026\n\n**Taproom hours.** We decided: from April the taproom \
         opens Wednesday to Saturday, 4 p.m. to 10 p.m.\n\n**Canning.** Ole presented two offers \
         for a mobile canning line. We go with Tin Brothers.\n",
    ),
    (
        "minutes-2026-05-11.md",
        "# Team meeting, 11 May 2026\n\n**Taproom hours, once more.** Wednesdays bring in little. \
         Changed: from 1 June the taproom is open Friday to Sunday.\n\n**Canning.** Tin Brothers \
         has cancelled our date. We switch to CanDo at 0.23 euros a can.\n",
    ),
    (
        "lease.txt",
        "LEASE AGREEMENT\n\n2. Term. The lease begins on 1 March 2022 and runs for eight years, \
         until 28 February 2030.\n\n3. Rent. The monthly rent is 4,200 euros plus VAT, due on the \
         third working day of each month.\n",
    ),
    (
        "accident.txt",
        "ACCIDENT REPORT\n\nDate of accident: 22 April 2026\nInjured person: Ole Friis\n\nOle was \
         cleaning a tank. Ole was off work for nine days and came back on 4 May.\n",
    ),
    (
        "cleaning.md",
        "# Cleaning instruction\n\nCirculate caustic soda, 2 percent, at 75 °C for 30 \
         minutes.\n\nNever put hot caustic into a tank that still holds CO2.\n",
    ),
    (
        "contract.md",
        "# Supply contract for malt of 10 January 2025\n\nDelivery of malt is on the first Tuesday \
         of each month.\n",
    ),
    (
        "amendment.md",
        "# Amendment to the supply contract for malt\n\nDate: 20 February 2026\n\nDelivery \
         moves from the first Tuesday to the second Thursday of each month.\n",
    ),
    (
        "rules.md",
        "# Staff rules\n\nFull-time employees work 38 hours a week and have 28 days of holiday.\n",
    ),
];

#[test]
fn later_minutes_lead_and_everyday_words_are_understood() {
    let scratch = Scratch::with_docs(&PAPERS);
    for (question, answer) in [
        ("When is the taproom open?", "Friday to Sunday"),
        ("Who does our canning?", "We switch to CanDo"),
        ("How many days of vacation do full-timers get?", "28 days"),
        (
            "How long does the caustic circulate in a tank?",
            "30 minutes",
        ),
    ] {
        let ran = scratch.expect(0, &["run", question, "--docs", "docs", "-q"]);
        assert!(first_claim(&ran).contains(answer), "{}", ran.stdout);
        assert!(!ran.stdout.contains("> **"), "{}", ran.stdout);
    }
}

#[test]
fn numbered_captions_are_no_claims() {
    let scratch = Scratch::with_docs(&PAPERS);
    for question in [
        "When does our lease run out?",
        "What is the rent per month?",
    ] {
        let ran = scratch.expect(0, &["run", question, "--docs", "docs", "-q"]);
        for caption in [" Term. ", " Rent. ", " 3. "] {
            assert!(!ran.stdout.contains(caption), "{}", ran.stdout);
        }
    }
}

#[test]
fn true_sentences_are_not_contradicted() {
    let scratch = Scratch::with_docs(&PAPERS);
    for (sentence, verdict) in [
        ("The lease ends on 28 February 2030.", "supported"),
        ("The lease ends on 1 March 2022.", "contradicted"),
        ("The rent is 4,200 euros a month.", "supported"),
        (
            "Ole Friis was off work for nine days after the accident.",
            "partial",
        ),
    ] {
        let checked = scratch.checked(sentence);
        assert_eq!(checked[0]["verdict"], verdict, "{checked:?}");
    }
}

#[test]
fn what_was_moved_or_changed_from_a_day_on_is_disputed() {
    let scratch = Scratch::with_docs(&PAPERS);
    for (sentence, rival) in [
        (
            "The taproom is open from Wednesday to Saturday.",
            "minutes-2026-05-11.md",
        ),
        (
            "Malt is delivered on the first Tuesday of each month.",
            "amendment.md",
        ),
    ] {
        let checked = scratch.checked(sentence);
        assert_eq!(checked[0]["verdict"], "supported", "{checked:?}");
        assert_eq!(checked[0]["rival"]["source"], rival, "{checked:?}");
    }
}

#[test]
fn update_says_that_a_report_answers_now() {
    let scratch = Scratch::with_docs(&[(
        "tours.md",
        "# Tours\n\nA brewery tour is on every first Saturday of the month.\n",
    )]);
    let question = "How much is a brewery tour?";
    let run = ["run", question, "--docs", "docs", "--session", "s", "-q"];
    let ran = scratch.expect(0, &run);
    assert!(ran.stdout.contains("Not answered"), "{}", ran.stdout);
    scratch.write(
        "docs/prices.md",
        "A brewery tour costs 14 euros per person.\n",
    );
    let updated = scratch.expect(8, &["update", "s"]);
    let lines = [
        "- **was**: not answered as asked: ",
        "- **is now**: answered",
    ];
    for line in lines {
        assert!(updated.stdout.contains(line), "{}", updated.stdout);
    }
}

#[test]
fn update_says_that_a_report_has_lost_its_evidence_and_has_it_again() {
    let tours = ("tours.md", "# Tours\n\nA brewery tour costs 14 euros.\n");
    let other = ("malt.md", "# Malt\n\nMalt is stored in silo 3.\n");
    let scratch = Scratch::with_docs(&[tours, other]);
    let question = "How much is a brewery tour?";
    let run = ["run", question, "--docs", "docs", "--session", "s", "-q"];
    let ran = scratch.expect(0, &run);
    assert!(!ran.stdout.contains("Not answered"), "{}", ran.stdout);
    std::fs::remove_file(scratch.path().join("docs/tours.md")).unwrap();
    let lost = scratch.expect(8, &["update", "s"]).stdout;
    let lines = "- **was**: answered\n- **is now**: no evidence was found\n";
    assert!(lost.contains(lines), "{lost}");
    scratch.write("docs/tours.md", tours.1);
    let back = scratch.expect(8, &["update", "s"]).stdout;
    let lines = "- **was**: no evidence was found\n- **is now**: answered\n";
    assert!(back.contains(lines), "{back}");
}

#[test]
fn batch_of_a_log_is_named_beside_what_is_quoted_of_it() {
    let scratch = Scratch::with_docs(&[(
        "log.md",
        "# Brewing log, April 2026\n\n## Batch 412 – Amber Otter, 7 April 2026\n\nFermenter FV3 \
         at 19 °C. Cooled to 1 °C on 15 April.\n\n## Batch 413 – Hafen Pils, 14 April \
         2026\n\nFermenter FV1 at 10 °C. The chiller tripped on 17 April and the tank rose to \
         14.5 °C.\n",
    )]);
    let question = "Which fermenter was used for batch 413?";
    let ran = scratch.expect(0, &["run", question, "--docs", "docs", "-q"]);
    let first = first_claim(&ran);
    let of_batch = "Brewing log, April 2026, Batch 413 – Hafen Pils, 14 April 2026:";
    assert!(first.contains(of_batch), "{}", ran.stdout);
    assert!(first.contains("FV1"), "{}", ran.stdout);
}

#[test]
fn amended_term_of_payment_leads_and_marks_the_first() {
    let scratch = Scratch::with_docs(&[
        (
            "contract.txt",
            "Supply contract for malt\n\nDate: 10 January 2025\n\nThe price is 585 euros per \
             tonne. Payment within 30 days of the invoice.\n",
        ),
        (
            "amendment.txt",
            "Amendment to the supply contract for malt\n\nDate: 20 February 2026\n\n1. From 1 \
             March 2026 the price is 640 euros per tonne instead of 585 euros.\n\n2. In return \
             the supplier extends the term of payment from 30 to 45 days.\n",
        ),
        (
            "lease.txt",
            "LEASE AGREEMENT\n\nSigned on 3 February 2022\n\nThe monthly rent is 4,200 euros plus \
             VAT. A deposit of three months' rent has been paid.\n",
        ),
    ]);
    let question = "How many days do we have to pay the malt invoice?";
    let ran = scratch.expect(0, &["run", question, "--docs", "docs", "-q"]);
    assert!(
        first_claim(&ran).contains("from 30 to 45 days"),
        "{}",
        ran.stdout
    );
    let marked = "Payment within 30 days of the invoice.";
    let line = ran.stdout.lines().find(|line| line.contains(marked));
    assert!(
        line.unwrap_or_default().contains("superseded by"),
        "{}",
        ran.stdout
    );
    let question = "What is the rent per month?";
    let ran = scratch.expect(0, &["run", question, "--docs", "docs", "-q"]);
    assert!(first_claim(&ran).contains("4,200 euros"), "{}", ran.stdout);
}

#[test]
fn rules_and_reports_of_accidents_are_found_by_everyday_words() {
    let scratch = Scratch::with_docs(&[
        (
            "lease.txt",
            "LEASE AGREEMENT\n\nSigned on 3 February 2022\n\n5. Noise. No deliveries by lorry \
             before 7 a.m. or after 8 p.m., and none on Sundays.\n\n6. Repairs. The landlord \
             maintains roof and outer walls.\n",
        ),
        (
            "contract.txt",
            "Supply contract for malt\n\nDate: 10 January 2025\n\nThe price is 585 euros per \
             tonne, free to our yard. If the supplier is late, it pays two percent of the value \
             for each week.\n",
        ),
        (
            "accident.txt",
            "ACCIDENT REPORT\n\nDate of accident: 22 April 2026\nPlace: cellar, between FV4 and \
             FV5\nInjured person: Ole Friis\n\nMeasures: all clamps in the cellar were checked on \
             24 April.\n",
        ),
    ]);
    for (question, answer) in [
        (
            "Are lorries allowed to deliver early in the morning?",
            "No deliveries by lorry before 7 a.m.",
        ),
        ("Who got hurt in the cellar?", "Ole Friis"),
        (
            "Can we get out of paying for repairs of the roof?",
            "The landlord maintains roof",
        ),
    ] {
        let ran = scratch.expect(0, &["run", question, "--docs", "docs", "-q"]);
        assert!(first_claim(&ran).contains(answer), "{}", ran.stdout);
    }
}
