//! The papers of an analyst: a table of a fleet by city and year, a tender, regulations of which
//! one replaces another, a page of questions and answers. What `research check` says of plain
//! sentences on them, true and false.

use crate::answers::first_claim;
use crate::harness::{Ran, Scratch};

const PAPERS: [(&str, &str); 11] = [
    (
        "fleet.csv",
        "city,country,year,electric_buses,total_buses,operator\nAlba,Norway,2022,103,340,Nord Bus\n\
         Alba,Norway,2023,138,342,Nord Bus\nAlba,Norway,2024,171,345,Nord Bus\n\
         Corvo,Portugal,2022,15,610,CMT\nCorvo,Portugal,2023,15,622,CMT\n\
         Corvo,Portugal,2024,58,630,CMT\n",
    ),
    (
        "tender.txt",
        "Invitation to tender 17\nSupply of electric buses\n\n2. Timetable\n2.1 Questions of \
         bidders shall be \
         submitted no later than 5 September 2025.\n2.2 Tenders must be received by 3 October \
         2025.\n\n3. Requirements\n3.4 Charging: at \
         least 150 kW. Pantograph charging is not required.\n3.5 Noise shall not exceed 68 dB(A) \
         at 50 km/h.\n3.6 Fossil-fuelled heaters are not permitted.\n",
    ),
    (
        "study.md",
        "# Winter consumption\n\nConsumption rose from 1.08 kWh/km at 15 °C to 1.79 kWh/km at \
         -15 °C. Heat pumps saved a third, but their advantage vanished below -12 °C. Training \
         lowered the consumption of drivers by 6 %, although the effect faded after four months.\n",
    ),
    (
        "regulation.md",
        "# Clean vehicles\n\nCoaches are exempt. The waiver for rural operators has been \
         abolished.\n\nThe quota is 45 % of the buses that are bought.\n\nThe fine is 6,000 \
         euros for \
         each vehicle missing.\n",
    ),
    (
        "faq.html",
        "<html><head><title>Questions</title></head><body><h1>Questions and answers</h1><h2>Will \
         fares go up because of the new buses?</h2><p>No. Fares are set by the council and do not \
         depend on the type of bus.</p><h2>Can I bring my bike on board?</h2><p>Folding bikes are \
         welcome at all times. Ordinary bicycles can be carried after 7 pm if there is \
         room.</p><h2>How loud are they?</h2><p>Since July 2021 new models \
         must have a warning sound below 20 km/h.</p></body></html>",
    ),
    (
        "lark-q1.md",
        "# Lark Bus AB - Interim report January-March 2025\n\n## Highlights\n\n- Order intake was \
         312 vehicles.\n- Deliveries: 268 vehicles, of which 241 fully electric.\n\n## \
         Outlook\n\nFor 2025 we expect deliveries of 1,250 to 1,350 vehicles.\n",
    ),
    (
        "lark-q2.md",
        "# Lark Bus AB - Interim report April-June 2025\n\n## Highlights\n\n- Order intake was 447 \
         vehicles.\n- Deliveries: 301 vehicles, of which 279 fully electric.\n\nIn May we found \
         that heaters in 183 buses could overheat.\n",
    ),
    (
        "makers.md",
        "# Makers\n\n| Maker | Model | Range (km) | List price (EUR) |\n|---|---|---|---|\n| \
         Lark | V12 | \
         340 | 498,000 |\n| Ister | I12 | 400 | 545,000 |\n| Hanko | H12 | 380 | 389,000 \
         |\n\nHanko's \
         price does not include import duty.\n",
    ),
    (
        "glossary.md",
        "# Glossary\n\n**SoH** – state of health, the present capacity of a battery as a share of \
         that when new.\n\n**Depot charging** – charging overnight.\n",
    ),
    (
        "minutes.md",
        "# Minutes of the steering group, 8 April 2025\n\nMinutes of 11 March. Correction to \
         item 1: \
         the connection costs 2.3 million euros.\n",
    ),
    (
        "interview.txt",
        "Interview with the manager of the Alba depot\nDate: 12 Feb 2025, by phone. Interviewer: \
         P. Okafor.\n\nWe had ordered 6 megawatts for the depot in Alba and got 3.5 for the first \
         fourteen months.\n",
    ),
];

/// Each sentence by itself has one of these verdicts of `research check`.
fn assert_verdicts(expected: &[(&str, &[&str])]) {
    let scratch = Scratch::with_docs(&PAPERS);
    for (sentence, verdicts) in expected {
        let checked = scratch.checked(sentence);
        let verdict = checked[0]["verdict"].as_str().unwrap();
        assert!(verdicts.contains(&verdict), "{sentence}\n{checked:?}");
    }
}

#[test]
fn a_row_with_all_that_a_sentence_says_supports_it_whatever_other_rows_say() {
    assert_verdicts(&[
        ("Alba had 171 electric buses in 2024.", &["supported"]),
        ("In 2023 Alba had 138 electric buses.", &["supported"]),
        (
            "In Alba, 171 of 345 buses were electric in 2024.",
            &["supported"],
        ),
        ("Corvo had 630 buses in total in 2024.", &["supported"]),
        ("Alba had 345 electric buses in 2024.", &["contradicted"]),
        ("Alba had 171 electric buses in 2023.", &["contradicted"]),
        ("Corvo had 171 electric buses in 2024.", &["contradicted"]),
        (
            "Alba did not have 171 electric buses in 2024.",
            &["contradicted"],
        ),
        (
            "Alba had more than 171 electric buses in 2024.",
            &["contradicted", "partial", "unsupported"],
        ),
        ("In 2024 Alba had 171 diesel buses.", &["partial"]),
    ]);
}

#[test]
fn what_is_needless_abolished_or_denied_is_not_supported() {
    assert_verdicts(&[
        ("The council requires pantograph charging.", &["partial"]),
        ("Pantograph charging is required.", &["contradicted"]),
        ("New models do not need a warning sound.", &["contradicted"]),
        (
            "The council permits fossil-fuelled heaters.",
            &["contradicted", "partial"],
        ),
        ("The rural waiver still exists.", &["contradicted"]),
        (
            "Fares will go up because of the new buses.",
            &["contradicted"],
        ),
        ("Heat pumps work best below -12 °C.", &["partial"]),
        (
            "Training lowered consumption permanently by 6 %.",
            &["partial"],
        ),
    ]);
}

#[test]
fn a_row_states_no_other_unit_or_sign_and_a_heading_no_reply_further_below() {
    let scratch = Scratch::with_docs(&[
        (
            "makers.csv",
            "name,price_eur,balance\nLark,345,-1200\nIster,60,500\n",
        ),
        (
            "faq.html",
            "<html><head><title>Questions</title></head><body><h1>Questions</h1><h2>Is parking \
             free?</h2><p>No charge applies to visitors.</p><h2>Who chairs the board?</h2>\
             <p>Ann.</p><p>Bea is the secretary.</p></body></html>",
        ),
        (
            "permits.md",
            "# Permits\n\nA permit is not required unless the tree is taller than 10 m.\n",
        ),
    ]);
    let verdict = |sentence: &str| {
        let checked = scratch.checked(sentence);
        checked[0]["verdict"].as_str().unwrap().to_owned()
    };
    assert_eq!(verdict("The price of the Lark is 345 euros."), "supported");
    assert_ne!(verdict("The Lark costs 345 dollars."), "supported");
    assert_ne!(verdict("The balance of the Lark is 1,200."), "supported");
    assert_ne!(verdict("Parking is free."), "contradicted");
    assert_eq!(verdict("Ann chairs the board."), "supported");
    assert_ne!(verdict("Bea chairs the board."), "supported");
    let permit = "A permit is required if the tree is taller than 10 m.";
    assert_ne!(verdict(permit), "contradicted");
}

#[test]
fn a_range_is_read_with_the_unit_at_its_end() {
    assert_verdicts(&[
        ("Consumption rose from 1.08 to 1.79 kWh/km.", &["supported"]),
        (
            "Consumption rose from 1.08 to 1.97 kWh/km.",
            &["contradicted", "unsupported"],
        ),
    ]);
}

#[test]
fn the_correction_in_later_minutes_is_named_beside_what_it_corrects() {
    let scratch = Scratch::with_docs(&[
        (
            "march.md",
            "# Minutes of the steering group\n\nDate: 11 March 2025\n\n1. Grid connection. Cost of \
             the connection £1.9m.\n2. Chargers. The group decided on 30 chargers.\n",
        ),
        (
            "april.md",
            "# Minutes of the steering group\n\nDate: 8 April 2025\n\n1. Minutes of 11 March. \
             Correction to item 1: the connection costs £2.3m, not £1.9m.\n",
        ),
    ]);
    let checked = scratch.checked("The connection costs £1.9m [march.md].\n");
    assert_eq!(checked[0]["verdict"], "supported", "{checked:?}");
    assert_eq!(checked[0]["rival"]["source"], "april.md", "{checked:?}");
}

fn run(topic: &str) -> Ran {
    let scratch = Scratch::with_docs(&PAPERS);
    scratch.expect(0, &["run", topic, "--docs", "docs", "-q"])
}

#[test]
fn plain_questions_of_an_analyst_are_answered_in_the_first_claim() {
    for (question, answer) in [
        (
            "How many buses did Lark deliver in the second quarter of 2025?",
            "301 vehicles",
        ),
        (
            "How many buses did Lark deliver in Q1 2025?",
            "268 vehicles",
        ),
        ("Which city had the most electric buses in 2024?", "Alba"),
        ("What does SoH mean?", "state of health"),
        (
            "When is the deadline for submitting bids in the tender?",
            "3 October 2025",
        ),
        ("Can I take my bicycle on the bus?", "Ordinary bicycles"),
        ("What is the fine for not meeting the quota?", "6,000 euros"),
        (
            "Why was the Alba depot short of power at first?",
            "6 megawatts",
        ),
    ] {
        let ran = run(question);
        let first = first_claim(&ran);
        assert!(first.contains(answer), "{question}\n{}", ran.stdout);
    }
    for question in [
        "When is the deadline for submitting bids in the tender?",
        "Which city had the most electric buses in 2024?",
        "What does SoH mean?",
        "Can I take my bicycle on the bus?",
    ] {
        let ran = run(question);
        let is_warned = ran.stdout.contains("Not answered as asked");
        assert!(!is_warned, "{question}\n{}", ran.stdout);
    }
}

#[test]
fn what_a_title_names_in_other_words_is_not_said_to_be_missing() {
    let ran = run("How many buses did Lark deliver in the second quarter of 2025?");
    assert!(
        !ran.stdout.contains("No document mentions"),
        "{}",
        ran.stdout
    );
}

#[test]
fn rows_that_are_compared_stand_side_by_side() {
    let ran = run("Compare the prices of the Lark and Hanko buses");
    let (_, brief) = ran.stdout.split_once("## In brief").expect("a summary");
    let brief = brief.split("\n## ").next().unwrap_or_default();
    for price in ["498,000", "389,000"] {
        assert!(brief.contains(price), "{}", ran.stdout);
    }
    assert!(!brief.contains("545,000"), "{}", ran.stdout);
}

#[test]
fn a_pair_that_is_cut_off_is_named_in_plain_words() {
    let scratch = Scratch::new();
    scratch.write("pairs.jsonl", "{\"claim\": \"a\", \"pass");
    let ran = scratch.expect(2, &["check", "pairs.jsonl"]);
    let expected = "line 1 is not a pair of claim and passage: its JSON ends in the middle";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
}

#[test]
fn pairs_may_be_an_array_in_a_file_of_any_name_for_json() {
    let scratch = Scratch::new();
    let pair = "{\"claim\": \"It costs 9 euros.\", \"passage\": \"It costs 8 euros.\"}";
    for text in [format!("[\n{pair}\n]"), pair.to_owned()] {
        scratch.write("pairs.json", &text);
        let ran = scratch.expect(1, &["check", "pairs.json"]);
        assert!(ran.stdout.contains("\"contradicted\""), "{}", ran.stdout);
    }
    scratch.write("topics.json", "[\n{\"topic\": \"a\"}\n]");
    let ran = scratch.expect(2, &["batch", "topics.json"]);
    let expected =
        "topics.json: line 1: it begins a JSON array; write one topic or one JSON object a line";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
}
