//! The papers of an estate: minutes of which the later ones change what the earlier decided, yearly
//! and quarterly reports, a contract, laboratory rows, an interview. Plain questions and plain
//! sentences on them.

use crate::answers::{assert_answered_first, first_claim};
use crate::harness::{Ran, Scratch};

const PAPERS: [(&str, &str); 13] = [
    (
        "minutes-2024-11-12.txt",
        "MINUTES OF THE BOARD, 12 November 2024\n\n1. Frost. Decision: we will buy two wind \
         machines for the Talwiese, at 45,000 euros each.\n2. Tasting room. Decision: the tasting \
         room is closed on Mondays and Tuesdays from January.\n3. Amina Soltani will look for a \
         new distributor in Denmark by the end of March.\n4. Decided: 20 chargers for the yard.\n",
    ),
    (
        "minutes-2025-02-18.txt",
        "MINUTES OF THE BOARD, 18 February 2025\n\n1. Frost. The decision of 12 November to buy \
         wind machines is revoked, because the neighbours objected to the noise. Instead, \
         sprinklers will be installed in the Talwiese.\n2. Tasting room. The tasting room will \
         from now on be closed only on Mondays.\n3. Copenhagen: Nordvin has signed as distributor \
         for Denmark, with a minimum of 6,000 bottles a year.\n4. Decided: 28 chargers for the \
         yard, as the fleet grows to 52 carts.\n",
    ),
    (
        "harvest-2023.md",
        "# Harvest report 2023\n\nAuthor: Petra Lindner, cellar master. Date: 20 October \
         2023\n\nPicking began on 11 September. We brought in 241 tonnes of grapes from 32 \
         hectares.\n",
    ),
    (
        "harvest-2024.md",
        "# Harvest report 2024\n\nAuthor: Jonas Weber, cellar master. Date: 18 October \
         2024\n\nPicking began on 5 September. We brought in only 139 tonnes of grapes from 32 \
         hectares.\nThe Kirchberg, being on a slope, escaped the frost almost entirely.\n",
    ),
    (
        "newsletter.md",
        "# Newsletter, spring 2025\n\nOur new cellar master Jonas Weber followed Petra Lindner, \
         who retired in December 2023.\n",
    ),
    (
        "contract.md",
        "# Supply contract: bottles\n\n## Subject\n\nThe supplier delivers 180,000 bottles per \
         year.\n\n## Price\n\nThe price is 0.41 euros per bottle.\n\n## Delivery\n\nDelivery takes \
         place within 15 working days of the order. For each full week of delay the supplier pays \
         a penalty of 2 percent of the order value.\n\n## Term\n\nEither party may terminate it to \
         the end of a calendar year.\n",
    ),
    (
        "prices.md",
        "# Price list 2025\n\nValid from 1 March 2025.\n\nOrders of 200 euros or more are \
         delivered free of charge.\n",
    ),
    (
        "lab.csv",
        "tank,wine,alcohol_pct,free_SO2_mg_l\nT05,Pinot Noir Reserve,13.6,28\nT07,Silvaner,11.9,\
         33\n",
    ),
    (
        "safety.md",
        "# Safety: gas in the cellar\n\nCarbon dioxide is heavier than air. Leave the cellar at \
         once if the gas detector shows more than 0.5 percent.\n",
    ),
    (
        "job.md",
        "# Cellar hand wanted\n\nA forklift licence is required; training in viticulture is \
         welcome but not necessary.\n",
    ),
    (
        "corks.eml",
        "From: Bernd Kruse <b@kruse.example>\nTo: Amina Soltani <a@estate.example>\nSubject: \
         Leaking corks\nDate: Thu, 13 Mar 2025 09:12:00 +0100\nContent-Type: text/plain; \
         charset=utf-8\n\nDear Ms Soltani,\n\nthe corks were 0.3 mm too thin, which is why they \
         leaked. The cork supplier has admitted the fault.\n",
    ),
    (
        "interview.md",
        "# Interview with the head of the workshop\n\nDate: 2025-05-20\n\n**MK:** What breaks most \
         often?\n\n**GS:** The doors. It has always been the doors.\n",
    ),
    (
        "quarters.md",
        "# Visitors\n\nPreheating lowered the consumption of the hall by 12 %. At -10 °C it uses \
         163 kWh a day.\n",
    ),
];

fn run(topic: &str) -> Ran {
    let scratch = Scratch::with_docs(&PAPERS);
    scratch.expect(0, &["run", topic, "--docs", "docs", "-q"])
}

fn assert_first(expected: &[(&str, &str)]) {
    assert_answered_first(run, expected);
}

#[test]
fn what_later_minutes_changed_stands_first() {
    assert_first(&[
        (
            "On which days is the tasting room closed?",
            "only on Mondays",
        ),
        (
            "Can I visit the tasting room on a Tuesday?",
            "only on Mondays",
        ),
        (
            "What was decided about the tasting room?",
            "only on Mondays",
        ),
        ("Who is our distributor in Denmark?", "Nordvin"),
        ("Who distributes our wine in Denmark?", "Nordvin"),
        (
            "How many bottles must the Danish distributor take?",
            "6,000 bottles",
        ),
        ("How many chargers will the yard get?", "28 chargers"),
        ("Will we buy wind machines?", "revoked"),
    ]);
}

#[test]
fn a_report_of_a_year_is_superseded_by_none_of_the_next() {
    let ran = run("When did picking begin in 2023?");
    assert!(first_claim(&ran).contains("11 September"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("superseded"), "{}", ran.stdout);
    assert_first(&[("How many tonnes of grapes did we bring in?", "139 tonnes")]);
}

#[test]
fn plain_questions_of_an_estate_are_answered_in_the_first_claim() {
    assert_first(&[
        ("From what order value is delivery free?", "200 euros"),
        (
            "At what gas level must people leave the cellar?",
            "0.5 percent",
        ),
        ("How much do we pay for a bottle?", "0.41 euros"),
        ("What happens if the supplier delivers late?", "penalty"),
        ("What breaks most often?", "The doors"),
        ("Which parcel was spared by the frost?", "Kirchberg"),
        (
            "How much does the hall use at minus ten degrees?",
            "163 kWh",
        ),
    ]);
}

#[test]
fn a_fact_on_another_thing_of_the_kind_is_doubted() {
    for question in [
        "When does the contract with the cork supplier end?",
        "When does the contract for the labels end?",
        "How much water can the soil in the Talwiese hold?",
    ] {
        let scratch = Scratch::with_docs(&PAPERS);
        let ran = scratch.run(&["run", question, "--docs", "docs", "-q"]);
        let is_silent = ran.code == Some(5) || ran.stdout.contains("Not answered as asked");
        assert!(is_silent, "{question}\n{}", ran.stdout);
    }
}

#[test]
fn what_a_paper_denies_revokes_or_gives_to_another_is_not_supported() {
    let scratch = Scratch::with_docs(&PAPERS);
    for (sentence, expected) in [
        ("A forklift licence is not required.", "contradicted"),
        ("A forklift licence is required.", "supported"),
        ("Training in viticulture is not necessary.", "supported"),
        ("Carbon dioxide is lighter than air.", "contradicted"),
        ("The corks were 0.3 mm too thick.", "contradicted"),
        ("The corks were 0.3 mm too thin.", "supported"),
        (
            "Wind machines will be bought for the Talwiese [minutes-2025-02-18.txt].",
            "contradicted",
        ),
        (
            "In 2024 we brought in 193 tonnes of grapes from 32 hectares.",
            "contradicted",
        ),
        ("In 2024 we brought in 139 tonnes of grapes.", "supported"),
        (
            "The free SO2 of the Silvaner is 33 mg per litre.",
            "supported",
        ),
        (
            "The Pinot Noir Reserve contains 13.6 percent alcohol.",
            "supported",
        ),
    ] {
        let checked = scratch.checked(sentence);
        assert_eq!(checked[0]["verdict"], expected, "{sentence}\n{checked:?}");
    }
    let wrong_year =
        scratch.checked("In 2024 we brought in 193 tonnes of grapes from 32 hectares.");
    assert_eq!(
        wrong_year[0]["match"]["source"], "harvest-2024.md",
        "{wrong_year:?}"
    );
}

#[test]
fn what_no_longer_holds_is_named_beside_a_supported_sentence() {
    let scratch = Scratch::with_docs(&PAPERS);
    for (sentence, rival) in [
        (
            "We will buy two wind machines for the Talwiese.",
            "minutes-2025-02-18.txt",
        ),
        (
            "The tasting room is closed on Mondays and Tuesdays from January.",
            "minutes-2025-02-18.txt",
        ),
    ] {
        let checked = scratch.checked(sentence);
        assert_eq!(
            checked[0]["rival"]["source"], rival,
            "{sentence}\n{checked:?}"
        );
    }
}

#[test]
fn a_link_that_names_its_file_behind_a_sentence_is_no_word_of_it() {
    let scratch = Scratch::with_docs(&PAPERS);
    let text =
        "Nordvin has signed as distributor for Denmark [minutes](docs/minutes-2025-02-18.txt).";
    let checked = scratch.checked(text);
    assert_eq!(checked[0]["verdict"], "supported", "{checked:?}");
    let read = "The board approved the [minutes](docs/minutes-2025-02-18.txt).";
    let checked = scratch.checked(read);
    let text = checked[0]["text"].as_str().unwrap();
    assert_eq!(text, "The board approved the minutes.", "{checked:?}");
}

#[test]
fn a_lowered_forecast_supersedes_the_expectation_and_a_quarter_no_other() {
    let scratch = Scratch::with_docs(&[
        (
            "q1.md",
            "# Quarterly update Q1 2026\n\nDate: 2026-04-14\n\nOrder intake was 312 vehicles. We \
             expect an operating margin of 7 to 8 % for the full year.\n",
        ),
        (
            "q2.md",
            "# Quarterly update Q2 2026\n\nDate: 2026-07-16\n\nOrder intake was 241 vehicles. We \
             lower the forecast for the full year to an operating margin of 5.5 to 6 %.\n",
        ),
    ]);
    let ask = |topic: &str| scratch.expect(0, &["run", topic, "--docs", "docs", "-q"]);
    let ran = ask("What operating margin does the company expect?");
    assert!(first_claim(&ran).contains("5.5 to 6 %"), "{}", ran.stdout);
    let old = ran.stdout.lines().find(|line| line.contains("7 to 8 %"));
    let is_marked = old.is_some_and(|line| line.contains("superseded by [1]"));
    assert!(is_marked, "{}", ran.stdout);
    let checked = scratch.checked("The operating margin is expected to be 7 to 8 % [q1.md].");
    assert_eq!(checked[0]["rival"]["source"], "q2.md", "{checked:?}");
    let ran = ask("What was the order intake in the first quarter of 2026?");
    assert!(first_claim(&ran).contains("312"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("superseded"), "{}", ran.stdout);
}
