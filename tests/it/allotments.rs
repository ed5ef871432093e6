//! The papers of an allotment garden: rules that minutes amend, a proposal beside what was decided,
//! a complaint beside the rule, a log of repairs. Plain questions on them.

use crate::answers::first_claim;
use crate::harness::{Ran, Scratch, example};

const PAPERS: [(&str, &str); 6] = [
    (
        "minutes-2024-03-14.md",
        "# Minutes of the committee meeting of 14 March 2024\n\n## Item 1: Water fee\n\nThe \
         treasurer proposed to raise the yearly water fee of a plot from 30 to 38 euros. The item \
         was postponed to the next meeting.\n\n## Item 2: Pond\n\nMr Hale proposed a pond on the \
         meadow. The proposal was rejected with two votes to three.\n\n## Item 3: Any other \
         business\n\nThe committee thanks Mr Kowal, who has been warden since 2012. He will retire \
         on 30 June 2024.\n",
    ),
    (
        "minutes-2024-09-19.md",
        "# Minutes of the committee meeting of 19 September 2024\n\n## Item 1: Warden\n\nMr Kowal \
         retired on 30 June 2024. Ms Lea Novak has been the warden since 1 July 2024.\n\n## Item \
         2: Water fee\n\nThe committee decided to raise the yearly water fee of a plot from 30 to \
         36 euros from 1 January 2025.\n\n## Item 3: Tool shed\n\nThe committee decided that the \
         tool shed may be used on Sundays from 10:00 to 12:00, starting on 1 October 2024. This \
         replaces the second sentence of section 4 of the garden rules.\n",
    ),
    (
        "minutes-2025-03-20.md",
        "# Minutes of the committee meeting of 20 March 2025\n\n## Item 1: Pond\n\nThe question of \
         a pond on the meadow was taken up again. A study for 900 euros was commissioned. No \
         decision on the pond was taken.\n\n## Item 2: Hens\n\nThe rule on hens in section 3 of \
         the garden rules is amended: from 1 May 2025, a plot may have six hens.\n",
    ),
    (
        "rules.md",
        "---\ntitle: Garden rules of the Mill Lane allotments\ndate: 2023-05-01\n---\n# Garden \
         rules of the Mill Lane allotments\n\n## 2. Fires\n\nOpen fires are forbidden on all \
         plots. Barbecues are allowed on plots between 1 April and 30 September.\n\n## 3. \
         Animals\n\nA plot may have four hens. Cockerels are not allowed.\n\n## 4. Tool \
         shed\n\nThe tool shed is open from 8:00 to 18:00. It is closed on Sundays.\n",
    ),
    (
        "letter.txt",
        "Dora Finch\nPlot 41\n\nTo the committee\n23 June 2025\n\nOn 15 June an open fire was used \
         on his plot, although that is forbidden. The smoke came into my shed.\n",
    ),
    (
        "repairs.csv",
        "date,plot,item,contractor,status\n2024-06-03,C,Gate repaired,Smith,done\n2025-06-11,A,Tap \
         drips,Jones,open\n2024-11-27,B,Repair of the fence,Smith,done\n2025-07-02,C,Repair of the \
         water pipe,Jones,open\n",
    ),
];

fn ask(topic: &str) -> Ran {
    let scratch = Scratch::with_docs(&PAPERS);
    scratch.expect(0, &["run", topic, "--docs", "docs", "-q"])
}

#[track_caller]
fn assert_first(topic: &str, words: &str) {
    let ran = ask(topic);
    assert!(first_claim(&ran).contains(words), "{topic}\n{}", ran.stdout);
}

#[test]
fn who_retires_does_not_lead_where_later_minutes_name_the_successor() {
    assert_first("Who is the warden?", "Lea Novak");
}

#[test]
fn what_was_proposed_does_not_lead_where_another_amount_was_decided() {
    assert_first("How much is the water fee of a plot?", "36 euros");
    assert_first(
        "What did the treasurer propose for the water fee?",
        "38 euros",
    );
}

#[test]
fn a_rule_leads_before_a_complaint_of_who_broke_it() {
    let topic = "Can I use an open fire on my plot?";
    assert_first(topic, "Open fires are forbidden on all plots");
}

#[test]
fn a_month_is_answered_by_a_span_of_months() {
    let ran = ask("May I use a barbecue in November?");
    assert!(
        first_claim(&ran).contains("1 April and 30 September"),
        "{}",
        ran.stdout
    );
    assert!(!ran.stdout.contains("Not answered"), "{}", ran.stdout);
}

#[test]
fn minutes_that_amend_a_section_stand_before_it_and_mark_it() {
    for (topic, now, before) in [
        (
            "Is the tool shed open on Sundays?",
            "from 10:00 to 12:00",
            "closed on Sundays",
        ),
        ("How many hens may a plot have?", "six hens", "four hens"),
    ] {
        let ran = ask(topic);
        assert!(first_claim(&ran).contains(now), "{topic}\n{}", ran.stdout);
        let mut lines = ran.stdout.lines();
        let old = lines.find(|line| line.contains(before)).unwrap_or_default();
        assert!(old.contains("superseded by [1]"), "{topic}\n{}", ran.stdout);
    }
}

#[test]
fn what_was_decided_at_last_is_quoted_with_what_it_is_on() {
    let ran = ask("What was decided about the pond?");
    let brief = ran.stdout.split("## What").next().unwrap_or_default();
    assert!(
        brief.contains("No decision on the pond was taken"),
        "{}",
        ran.stdout
    );
}

#[test]
fn an_item_that_is_not_named_is_quoted_under_its_heading() {
    let ran = ask("Which items were postponed?");
    assert!(
        first_claim(&ran).contains("Item 1: Water fee:"),
        "{}",
        ran.stdout
    );
}

#[test]
fn what_is_open_is_not_listed_with_what_is_done() {
    let ran = ask("Which repairs are still open?");
    let brief = ran.stdout.split("## What").next().unwrap_or_default();
    assert!(brief.contains("status: open"), "{}", ran.stdout);
    assert!(!brief.contains("status: done"), "{}", ran.stdout);
}

#[test]
fn of_an_amount_on_several_days_the_last_leads() {
    let scratch = Scratch::with_docs(&[
        (
            "minutes-2024.md",
            "# Minutes of the committee meeting of 14 March 2024\n\nThe repair fund stood at 8,600 \
             euros on 31 December 2023.\n",
        ),
        (
            "minutes-2025.md",
            "# Minutes of the committee meeting of 20 March 2025\n\nThe repair fund fell to 7,070 \
             euros on 31 December 2024.\n",
        ),
    ]);
    for (topic, amount) in [
        ("How high is the repair fund?", "7,070"),
        ("How high was the repair fund in 2023?", "8,600"),
    ] {
        let ran = scratch.expect(0, &["run", topic, "--docs", "docs", "-q"]);
        assert!(
            first_claim(&ran).contains(amount),
            "{topic}\n{}",
            ran.stdout
        );
    }
}

#[test]
fn a_rule_that_minutes_amend_is_disputed_by_them() {
    let scratch = Scratch::with_docs(&PAPERS);
    let checked = scratch.checked("The tool shed is closed on Sundays.");
    let rival = &checked[0]["rival"]["source"];
    assert_eq!(rival, "minutes-2024-09-19.md", "{checked:?}");
}

#[test]
fn the_last_decision_leads_and_marks_those_before_it() {
    let scratch = Scratch::with_docs(&[
        (
            "minutes-2026-01-14.md",
            "# Minutes of the team meeting, 14 January 2026\n\n1. **Market.** Decided: from 1 \
             February 2026 the plant market is on Monday.\n",
        ),
        (
            "minutes-2026-06-10.md",
            "# Minutes of the team meeting, 10 June 2026\n\n1. **Market.** Decided: from 1 \
             September 2026 the plant market is on Thursday.\n2. **Pump.** It did not start on 1 \
             June. New date: 1 September 2026.\n",
        ),
    ]);
    let topic = "On which day is the plant market now?";
    let ran = scratch.expect(0, &["run", topic, "--docs", "docs", "-q"]);
    assert!(first_claim(&ran).contains("Thursday"), "{}", ran.stdout);
    let mut lines = ran.stdout.lines();
    let old = lines
        .find(|line| line.contains("Monday"))
        .unwrap_or_default();
    assert!(old.contains("superseded by [1]"), "{}", ran.stdout);
    assert!(ran.stdout.contains(", 2026-06-10, "), "{}", ran.stdout);
}

#[test]
fn an_amount_of_another_thing_does_not_lead_for_its_date() {
    let scratch = Scratch::new();
    let documents = example();
    let topic = "How noisy is a heat pump at night?";
    let ran = scratch.expect(
        0,
        &["run", topic, "--docs", documents.to_str().unwrap(), "-q"],
    );
    assert!(
        first_claim(&ran).contains("sources of noise"),
        "{}",
        ran.stdout
    );
}
