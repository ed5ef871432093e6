//! The papers of a fishery and of a platform: votes, corrections, rules for one year, sums, stamps
//! of what is over, and days that cannot be held.

use crate::harness::Scratch;

const PAPERS: [(&str, &str); 11] = [
    (
        "minutes.md",
        "---\ndate: 2024-10-09\n---\n# Minutes of the Quota Committee\n\n## Proposals\n\nDr Eide \
         stated that 25 000 tonnes would mean a probability of 31% that the stock falls below the \
         limit in 2026.\n\n## Decision\n\nThe Committee voted on the Ministry's proposal of 25 000 \
         tonnes. For: 3. Against: 2 (Eide, Moe). The committee therefore recommends 25 000 tonnes \
         to the Minister.\n",
    ),
    (
        "mail.eml",
        "From: Lars Eide <lars@cri.example>\nDate: Mon, 4 Nov 2024 16:52:10 +0100\nSubject: \
         Correction\n\nDear Ingrid,\n\nI have to correct a figure. I said that 25 000 tonnes mean \
         a probability of 31% that the stock falls below the limit in 2026. That is wrong. The \
         31% came from the run with the old mortality. With the new values the probability is \
         38%.\n\nSecond, the run without transect T07 is finished. Without T07 the biomass is 9% \
         below the forecast, and the catch comes out at 20 300 tonnes.\n",
    ),
    (
        "rules.txt",
        "REGULATION ON THE FISHERY FOR HERRING\n\nSection 2. Total allowable catch\n(1) The total \
         allowable catch for 2024 is 28 500 tonnes.\n(2) [inserted by 2024/1377] The total \
         allowable catch for 2025 is 24 500 tonnes.\n\nSection 5. Closed areas\n(1) Gannet Bank \
         is closed to fishing with pelagic trawl from 15 February to 31 March.\n(2) [2024/1377] \
         In 2025 the closure under (1) runs to 20 April.\n\nSection 7. By-catch\n[replaced by \
         2024/1377] Herring taken as by-catch in the sprat fishery counts against the total \
         allowable catch from 1 January 2025.\n",
    ),
    (
        "draft.md",
        "> **WITHDRAWN 11 March 2024. DO NOT CITE.** This draft contained an error in the matrix \
         for 2021. It is replaced by the final summary of 22 March 2024.\n\n# DRAFT assessment, \
         February 2024\n\nThe biomass is estimated at 176 500 tonnes. The working group considers \
         the assessment reliable.\n",
    ),
    (
        "hearing.txt",
        "Quota Committee - hearing on herring, 4 December 2024\n\n[00:12:02] HALVORSEN: What about \
         costs?\n\n[00:12:06] DE WIT: For the processors each week of closure costs a lot. But \
         the price was 9.40 a kilo in November, so some of it comes back.\n",
    ),
    (
        "landings.csv",
        "Year;Month;Gear;Landings_t;Status\n2024;1;Purse seine;2 410,5;final\n2024;2;Purse \
         seine;6 905,0;final\n2024;3;Purse seine;5 120,2;final\n2024;2;Trawl;3 \
         310,9;final\n2024;TOTAL;All;27 977,4;preliminary\n",
    ),
    (
        "letter.txt",
        "Advisory Committee\n\nLorvik, 15 May 2024\n\nDear Ms Halvorsen,\n\nThe Committee advises \
         that catches in 2025 should be no more than 21 400 tonnes. This is a reduction of 25%.\n\n\
         The reduction is driven by three things: the revision of the stock size, the weak year \
         class of 2022, and the fact that the stock is below the trigger.\n",
    ),
    (
        "press_release.txt",
        "PRESS RELEASE - for immediate release\n\nHERRING IS BACK IN THE BIGHT\n\nThe survey of \
         the herring stock in the Bight confirms what fishers have said for two years. The herring \
         stock in the Bight is growing, and the risk to the stock is small. Our skippers see dense \
         schools of herring in the Bight.\n",
    ),
    (
        "assessment.md",
        "# Assessment of the herring stock of the Bight\n\nA catch equal to that of 2024 would \
         take the stock in 2026 to 112 000 tonnes, with a probability of 46% of being below the \
         limit.\n",
    ),
    (
        "adr.md",
        "# ADR 19: Move the job queue\n\n- Status: Accepted\n- Date: 2024-06-18\n\n## Decision\n\n\
         The migration is done queue by queue and must be finished by 2024-12-15.\n",
    ),
    (
        "2024-09-05-sync.md",
        "# Platform sync 2024-09-05\n\n- Deadline: Olu says 2024-12-15 cannot be held. New date \
         for mail and exports is 2025-02-28. Decided.\n- The team owns the rows.\n",
    ),
];

fn report(topic: &str) -> String {
    let scratch = Scratch::with_docs(&PAPERS);
    let run = ["run", topic, "--docs", "docs", "--offline", "--quiet"];
    scratch.expect(0, &run).stdout
}

/// The first claim of a report on a topic, which says that it answers.
fn lead(topic: &str) -> String {
    let report = report(topic);
    assert!(!report.contains("Not answered as asked"), "{report}");
    let mut lines = report.lines();
    let first = lines.find(|line| line.starts_with("- "));
    first.unwrap_or_default().to_owned()
}

#[test]
fn the_count_of_a_vote_is_quoted_with_what_was_voted_on() {
    let lead = lead("Who voted against the proposal of 25 000 tonnes, and how many were for?");
    let vote = "proposal of 25 000 tonnes. For: 3. Against: 2 (Eide, Moe).";
    assert!(lead.contains(vote), "{lead}");
}

#[test]
fn a_number_that_the_next_sentence_calls_wrong_is_quoted_with_the_right_one() {
    let lead = lead("What is the probability that the stock falls below the limit in 2026?");
    assert!(lead.contains("31% that the stock falls"), "{lead}");
    assert!(lead.contains("That is wrong."), "{lead}");
    assert!(lead.contains("the probability is 38%"), "{lead}");
}

#[test]
fn the_rule_for_the_year_that_is_asked_for_leads() {
    let lead = lead("Until when is Gannet Bank closed in 2025?");
    assert!(
        lead.contains("In 2025 the closure under (1) runs to 20 April"),
        "{lead}"
    );
}

#[test]
fn the_number_of_an_act_and_the_day_of_a_date_are_no_amounts() {
    let lead = lead("What is the total allowable catch for herring in 2025?");
    let (value, by_catch) = (lead.find("24 500 tonnes"), lead.find("by-catch"));
    assert!(value.is_some(), "{lead}");
    assert!(by_catch.is_none_or(|other| value < Some(other)), "{lead}");
}

#[test]
fn why_a_draft_was_withdrawn_is_answered_by_its_notice() {
    for topic in [
        "Why was the draft withdrawn?",
        "Is the February draft assessment still valid?",
    ] {
        let lead = lead(topic);
        assert!(
            lead.contains("This draft contained an error in the matrix"),
            "{lead}"
        );
    }
}

#[test]
fn a_herring_is_no_form_of_her() {
    let topic = "What was the price of herring in November?";
    let lead = lead(topic);
    assert!(lead.contains("9.40 a kilo"), "{lead}");
    let report = report(topic);
    assert!(!report.contains("No document mentions"), "{report}");
    // A sentence that answers in the words of the question is sure, alone in its collection.
    let scratch = Scratch::with_docs(&[(
        "note.txt",
        "The price of herring was 9.40 a kilo in November.\n",
    )]);
    let run = ["run", topic, "--docs", "docs", "--offline", "--quiet"];
    let report = scratch.expect(0, &run).stdout;
    assert!(!report.contains("Not answered as asked"), "{report}");
}

#[test]
fn what_is_known_about_something_and_what_is_left_out_ask_for_no_such_words() {
    let known = lead("What is known about transect T07?");
    assert!(known.contains("T07"), "{known}");
    let left_out = lead("What happens to the advice if transect T07 is left out?");
    assert!(
        left_out.contains("Without T07 the biomass is 9% below"),
        "{left_out}"
    );
}

#[test]
fn the_row_of_the_sum_and_that_of_the_month_come_first() {
    let sum = lead("How much herring was landed in 2024?");
    assert!(sum.contains("Month: TOTAL"), "{sum}");
    let report = report("Landings of purse seiners in February 2024");
    let rows = |month: &str| report.find(&format!("Month: {month}; Gear: Purse seine"));
    assert!(rows("2").is_some(), "{report}");
    assert!(rows("1").is_none() && rows("3").is_none(), "{report}");
}

#[test]
fn a_day_that_a_later_paper_gives_up_does_not_lead() {
    let lead = lead("When must the migration be finished?");
    assert!(lead.contains("2024-12-15 cannot be held."), "{lead}");
    assert!(lead.contains("2025-02-28"), "{lead}");
}

#[test]
fn a_reduction_that_is_driven_by_something_says_why_something_was_reduced() {
    let lead = lead("Why was the catch advice reduced for 2025?");
    assert!(
        lead.contains("The reduction is driven by three things"),
        "{lead}"
    );
}

#[test]
fn a_press_release_is_not_all_of_a_summary() {
    let report = report("State of the herring stock of the Bight and risk for 2026");
    assert!(!report.contains("Not answered as asked"), "{report}");
    let summary = report.split("## ").nth(1).unwrap_or_default();
    assert!(summary.contains("112 000 tonnes"), "{report}");
}

#[test]
fn a_press_release_is_less_credible_than_a_document_without_a_party() {
    let sentence = "The new pump saves 30 % of the energy of the old one.\n";
    let scratch = Scratch::with_docs(&[
        ("press-release.md", &format!("# The new pump\n\n{sentence}")),
        (
            "measurements.md",
            "# Measurements of two pumps\n\nThe new pump saves 21 % of the energy.\n",
        ),
    ]);
    let question = "How much energy does the new pump save?";
    let arguments = [
        "run",
        question,
        "--docs",
        "docs",
        "--offline",
        "--session",
        "s",
    ];
    scratch.expect(0, &arguments);
    let analysis = scratch.json("analysis.json");
    let sources = analysis["content"]["credibility"].as_array().unwrap();
    let of_party = |source: &&serde_json::Value| source.to_string().contains("on its own behalf");
    let party: Vec<_> = sources.iter().filter(of_party).collect();
    assert_eq!((party.len(), sources.len()), (1, 2), "{analysis}");
    let others = sources.iter().filter(|own| !of_party(own));
    let score = |source: &serde_json::Value| source["credibility"]["score"].as_f64().unwrap();
    assert!(
        others.map(score).all(|other| other > score(party[0])),
        "{analysis}"
    );
}

#[test]
fn a_line_of_a_log_ends_with_the_time_of_the_next() {
    let scratch = Scratch::with_docs(&[(
        "chat.txt",
        "#oncall\n\n[02:26] dev: the cause was a session of the data team\n[02:44] bot: \
         RESOLVED\n[02:46] dev: no jobs lost\n[02:47] tom: 12 mails were late\n",
    )]);
    let run = [
        "run",
        "What was the cause?",
        "--docs",
        "docs",
        "--offline",
        "--quiet",
    ];
    let report = scratch.expect(0, &run).stdout;
    assert!(
        report.contains("the cause was a session of the data team ["),
        "{report}"
    );
    assert!(!report.contains("data team [02:44]"), "{report}");
}

#[test]
fn how_large_something_gets_is_answered_by_a_size() {
    let scratch = Scratch::with_docs(&[
        (
            "changelog.md",
            "# Changelog of the queue\n\n- Optional partitioned jobs table (requires Postgres 15 \
             or later).\n- The jobs table has 3.4 million dead rows.\n",
        ),
        (
            "plan.md",
            "# Migration plan\n\nThe jobs table is expected to grow to 6 GiB with 7 days of \
             retention.\n",
        ),
    ]);
    let topic = "How large does the jobs table get?";
    let run = ["run", topic, "--docs", "docs", "--offline", "--quiet"];
    let report = scratch.expect(0, &run).stdout;
    let lead = report.lines().find(|line| line.starts_with("- "));
    assert!(lead.is_some_and(|lead| lead.contains("6 GiB")), "{report}");
}
