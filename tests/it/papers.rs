//! Plain questions about the papers of one small organisation: a handbook, rules, minutes, two
//! newsletters, two price lists.

use crate::answers::first_claim;
use crate::harness::{Ran, Scratch};

const PAPERS: [(&str, &str); 10] = [
    (
        "contact.md",
        "# Contact\n\nTelephone 01947 555 0182, from Tuesday to Friday.\n\nDogs are not allowed, \
         except assistance dogs. The technician must have a phone in the kiln room.\n",
    ),
    (
        "opening-hours.csv",
        "Day,Desk,Members\nSunday,closed,09:00-18:00\nMonday,10:00-13:00,09:00-18:00\n",
    ),
    (
        "rules.md",
        "# Studio rules\n\nAdopted in November 2025.\n\n1. Selling work from the premises \
         needs the committee's permission. Exception: the open weekend in June, when every \
         member may sell.\n2. Each member does two hours of cleaning a quarter. Exception: \
         members over 75.\n3. Members under 18 may be in the studio only with an adult \
         member.\n4. Children from 8 to 15 can come to the family class with an adult.\n5. Floors \
         are mopped, never swept.\n",
    ),
    (
        "spring.md",
        "# Spring newsletter, April 2026\n\n**Open weekend.** We open the doors on 27 and 28 \
         June, from 11:00 to 17:00. Put your name on the rota if you can do a shift of two \
         hours.\n\n**Raku.** The raku day is on Saturday 16 May in the yard.\n",
    ),
    (
        "summer.md",
        "# Summer newsletter, June 2026\n\n**Correction.** In the spring newsletter we gave \
         the wrong dates for the open weekend. It is on 20 and 21 June, not on 27 and 28 \
         June.\n\n**Raku.** Eleven people came, and two pots cracked. We will do it again on \
         12 September.\n\n**Closing.** The studio is closed in August, because the landlord \
         repairs the roof.\n",
    ),
    (
        "minutes.md",
        "# Minutes of the committee, 7 May 2026\n\nPresent: Helen Marsh (chair), Gwilym Rees, \
         Bea Lockwood\n\n1. **Kiln.** The elements were replaced on 27 March. The \
         invoice was £1,265, since a relay had to be changed as well.\n\n2. **Wheel 4.** \
         Dele found a worn belt; replaced for £38.\n\n3. **Safeguarding.** Bea has done the \
         course and is now safeguarding officer. She takes over from Ruth Pike, who moved to \
         Leeds.\n",
    ),
    (
        "history.md",
        "# History\n\nSaltmarsh Clay was founded in 2011 by Ruth Pike and Edwin Carrow with \
         one wheel. The studio became a cooperative in 2014. Edwin Carrow died in 2022; the \
         glaze room is named after him. Today there are 64 members and two kilns. Vera, the \
         big one, holds 220 litres.\n",
    ),
    (
        "summary.md",
        "# Annual summary\n\nThe biggest cost was rent at £15,600. Vera holds 180 litres and \
         is by far the cheaper one per pot. The studio was open on 301 days.\n\nThe fire \
         assembly point is the bollard opposite the Fish Steps. The first aid box is by the \
         sink downstairs.\n\nBreathing in silica dust over years causes silicosis. That is why we \
         mop and never sweep.\n",
    ),
    (
        "prices-2024.md",
        "# Prices from 1 April 2024\n\nStatus: superseded by the list of 1 April 2026\n\n| \
         Item | Price | Unit |\n|---|---:|---|\n| Day pass | £15 | per day |\n| Kiln hire | £60 | \
         per firing |\n| Concession membership | £34 | per month |\n",
    ),
    (
        "prices-2026.md",
        "# Prices from 1 April 2026\n\n| Item | Price | Unit |\n|---|---:|---|\n| Day pass | \
         £18 | per day |\n| Kiln hire | £75 | per firing |\n| Concession \
         membership | £34 | per month |\n\n## Can I have a \
         private party?\n\nYes, for 6 to 10 people, at £270 for three hours.\n",
    ),
];

fn run(topic: &str) -> Ran {
    let scratch = Scratch::new();
    for (name, text) in PAPERS {
        scratch.write(&format!("docs/{name}"), text);
    }
    let run = ["run", topic, "--docs", "docs", "--offline", "--quiet"];
    scratch.expect(0, &run)
}

#[test]
fn papers_answer_plain_questions_in_the_first_claim_without_a_warning() {
    for (topic, answer) in [
        ("Who repaired wheel 4?", "Dele found a worn belt"),
        ("Who founded the studio?", "Ruth Pike and Edwin Carrow"),
        (
            "Where is the fire assembly point?",
            "opposite the Fish Steps",
        ),
        ("Where are the first aid boxes?", "by the sink"),
        ("How many members are there?", "64 members"),
        ("When is the open weekend?", "20 and 21 June"),
        ("What did the elements cost?", "£1,265"),
        ("What does a private party cost?", "£270"),
        ("How much was a day pass in 2024?", "£15"),
        ("How much is a day pass?", "£18"),
        ("May I bring my dog?", "Dogs are not allowed"),
        ("What is the phone number?", "01947 555 0182"),
        ("When is the next raku day?", "again on 12 September"),
        ("Who is on the committee?", "Present: Helen Marsh (chair)"),
        ("Can my 12-year-old join a class?", "Children from 8 to 15"),
        ("Why must I not sweep the floor?", "That is why we mop"),
    ] {
        let ran = run(topic);
        assert!(first_claim(&ran).contains(answer), "{}", ran.stdout);
        assert!(!ran.stdout.contains("Not answered"), "{}", ran.stdout);
    }
}

#[test]
fn papers_that_do_not_answer_are_not_said_to() {
    for topic in [
        "Who is the landlord?",
        "Who owns the studio?",
        "What is the price of a bag of terracotta?",
        "How much is a day pass for children?",
        "Why did Edwin Carrow die?",
    ] {
        let ran = run(topic);
        assert!(ran.stdout.contains("Not answered"), "{}", ran.stdout);
    }
}

#[test]
fn a_correction_is_noted_beside_what_it_corrects() {
    let ran = run("When is the open weekend?");
    let mut lines = ran.stdout.lines();
    let corrected = lines.find(|line| line.contains("We open the doors"));
    assert!(
        corrected.unwrap().contains("(superseded by [1]"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_price_of_two_lists_is_not_marked_by_the_older_one() {
    let ran = run("How much is concession membership?");
    let first = first_claim(&ran);
    assert!(
        first.contains("£34") && !first.contains("superseded"),
        "{}",
        ran.stdout
    );
}

#[test]
fn numbers_of_a_named_thing_contradict_whatever_is_between() {
    let ran = run("How many litres does Vera hold?");
    assert!(ran.stdout.contains("180 against 220 l"), "{}", ran.stdout);
}

#[test]
fn a_row_that_answers_stands_alone() {
    let ran = run("What are the opening hours of the desk on Monday?");
    let brief = ran.stdout.split("## ").nth(1).unwrap_or_default();
    assert!(brief.contains("Day: Monday"), "{}", ran.stdout);
    assert!(!brief.contains("Sunday"), "{}", ran.stdout);
    let is_open = ran.stdout.contains("Left open");
    assert!(!is_open, "hours are not open: {}", ran.stdout);
}

#[test]
fn rows_of_two_lists_are_compared_in_one_table() {
    let ran = run("Compare the prices of 2024 and 2026");
    let table = ran.stdout.split("## Values over time").nth(1);
    let table = table.unwrap_or_else(|| panic!("no table: {}", ran.stdout));
    let is_row = |line: &&str| line.starts_with("| ");
    let rows: Vec<Vec<&str>> = table
        .lines()
        .filter(is_row)
        .map(|line| line.trim_matches('|').split('|').collect())
        .collect();
    let begin = |row: usize, cell: usize| rows[row][cell].split(" [").next().unwrap().trim();
    let cells = |row: usize| [0, 1, 2].map(|cell| begin(row, cell));
    assert_eq!(cells(2), ["Day pass, per day", "£15", "£18"], "{table}");
    assert!(!rows[2][1].contains("superseded"), "{table}");
    assert!(!ran.stdout.contains("## On 2026"), "{}", ran.stdout);
    assert_eq!(cells(3), ["Kiln hire, per firing", "£60", "£75"], "{table}");
}
