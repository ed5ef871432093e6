//! The papers of a museum and of engineers on call: a list of alerts of which one is changed, a
//! loan of two things, decisions that are withdrawn under a heading.

use crate::answers::first_claim;
use crate::harness::{Ran, Scratch};

const AGREEMENT: &str = "\
# Loan agreement 4

Date: 2026-02-10

1. The painting, inv. KL 1811-3. The loan begins on 2 March 2026 and ends on 30 September 2026.

The ledger is shown at no more than 50 lux; its page is turned every eight weeks.
";

const MAIL: &str = "\
# Extension of loan 4

Date: 2026-05-12

We agree to extend the loan of the painting until 31 October 2026. The ledger must come back on 30
September as agreed, because we show it here from 12 October.
";

const ALERTS: &str = "\
alert,meaning,threshold,wakes on-call
BK-109,disk of the database,above 80 %,no
BK-112,replication lag,above 30 seconds for 5 minutes,yes
BK-117,calendar sync delayed,5 minutes,no
BK-125,SMS provider rejects messages,more than 5 % in 10 minutes,yes
";

const WEEKLY: &str = "\
WEEKLY 29 September 2025

BK-117 (sync delay) fired 61 times in September. Agreed to raise the threshold from 5 to 15 minutes.
";

const RUNBOOK: &str = "\
# Runbook: connection pool exhausted

1. If the calendar sync holds the connection pool, stop it. It may be paused for at most 2 hours,
   after that the clinics' own calendars are out of date.
2. The connection pool has 200 connections. Do not raise the connection pool.
";

const POST_MORTEM: &str = "\
# Post-mortem of 12 May 2025

Date: 2025-05-12

The connection pool had been raised from 200 to 400 connections on the evening before.
";

const MARCH: &str = "\
# Acquisitions committee, 11 March 2026

**1. Pewter collection Voss.** Mrs Voss offers 34 pieces for EUR 9,200. The committee decides to buy
the collection for EUR 9,200.
";

const MAY: &str = "\
# Acquisitions committee, 6 May 2026

**2. Pewter collection Voss.** Nine of the 34 pieces show tin pest. The decision of 11 March is
withdrawn. The committee now buys only 25 pieces, for EUR 6,100.
";

fn asked(documents: &[(&str, &str)], question: &str) -> Ran {
    let scratch = Scratch::with_docs(documents);
    scratch.expect(0, &["run", question, "--docs", "docs", "-q"])
}

#[test]
fn nothing_is_marked_that_another_document_does_not_change() {
    let alerts = [("alerts.csv", ALERTS), ("weekly.txt", WEEKLY)];
    let pool = [("runbook.md", RUNBOOK), ("inc.md", POST_MORTEM)];
    let loan = [("agreement.md", AGREEMENT), ("mail.md", MAIL)];
    for (documents, question) in [
        (
            alerts,
            "At what threshold does the replication lag alert page us?",
        ),
        (pool, "What do I do when the connection pool is exhausted?"),
        (pool, "How many connections has the connection pool?"),
        (loan, "When must the ledger go back?"),
    ] {
        let ran = asked(&documents, question);
        assert!(!ran.stdout.contains("superseded"), "{}", ran.stdout);
    }
}

#[test]
fn an_extension_marks_the_end_that_was_agreed_before() {
    let loan = [("agreement.md", AGREEMENT), ("mail.md", MAIL)];
    let ran = asked(&loan, "When does the loan of the painting end?");
    let (mut old, mut new) = (false, false);
    for line in ran.stdout.lines() {
        old |= line.contains("ends on 30 September") && line.contains("(superseded by");
        new |= line.contains("until 31 October") && !line.contains("(superseded by");
    }
    assert!(old && new, "{}", ran.stdout);
    // "Inv." ends no sentence.
    assert!(!ran.stdout.contains("inv. ["), "{}", ran.stdout);
}

#[test]
fn rows_that_say_no_do_not_answer_which_ones_do() {
    let ran = asked(
        &[("alerts.csv", ALERTS), ("weekly.txt", WEEKLY)],
        "Which alerts wake the on-call?",
    );
    let (_, brief) = ran.stdout.split_once("## In brief").unwrap();
    let brief = brief.split("\n## ").next().unwrap();
    assert!(
        brief.contains("BK-112") && brief.contains("BK-125"),
        "{brief}"
    );
    assert!(!brief.contains("wakes on-call: no"), "{brief}");
}

#[test]
fn a_withdrawal_below_a_heading_disputes_what_was_decided() {
    let scratch = Scratch::with_docs(&[("march.md", MARCH), ("may.md", MAY)]);
    scratch.write(
        "briefing.md",
        "The committee decides to buy the Voss collection for EUR 9,200 [1].\n\n[1] march.md\n",
    );
    let ran = scratch.expect(0, &["check", "briefing.md", "--docs", "docs", "--all"]);
    let said = "another document says otherwise: may.md";
    assert!(ran.stdout.contains(said), "{}", ran.stdout);
    assert!(
        ran.stdout
            .contains("The decision of 11 March is withdrawn."),
        "{}",
        ran.stdout
    );
    let ran = scratch.expect(
        0,
        &[
            "run",
            "What does the Voss pewter collection cost?",
            "--docs",
            "docs",
            "-q",
        ],
    );
    assert!(!ran.stdout.contains("**1."), "{}", ran.stdout);
    assert!(!ran.stdout.contains("Voss.**"), "{}", ran.stdout);
}

#[test]
fn the_notice_names_what_the_first_sentence_lacks() {
    let documents = [
        (
            "facility.md",
            "# Facility report\n\nA guard is on duty at night from 18:00 to 6:00.\n",
        ),
        (
            "loan.md",
            "# Loan\n\nThe borrower pays the courier for two nights in a hotel.\n",
        ),
    ];
    let ran = asked(&documents, "What is the salary of the night guard?");
    assert!(first_claim(&ran).contains("guard"), "{}", ran.stdout);
    let notice = ran
        .stdout
        .lines()
        .find(|line| line.contains("Not answered"));
    assert!(
        notice.is_some_and(|line| line.contains("“salary”") && !line.contains("“guard”")),
        "{}",
        ran.stdout
    );
}

#[test]
fn numbers_of_one_thing_that_differ_disagree_whatever_is_said_beside() {
    let documents = [
        (
            "minutes.md",
            "# Board meeting, 19 September 2024\n\nThe treasurer explains: as the price of heat \
             fell on 1 July, the advance payments are lowered by 8 percent from 1 January 2025.\n",
        ),
        (
            "letter.md",
            "# Letter to residents\n\nThe advance payments are lowered by 5 percent from 1 \
             January 2025.\n",
        ),
    ];
    let ran = asked(&documents, "By how much are the advance payments lowered?");
    let (_, part) = ran
        .stdout
        .split_once("## Where the documents disagree")
        .unwrap_or_else(|| panic!("{}", ran.stdout));
    assert!(
        part.contains("5 against 8 %") || part.contains("8 against 5 %"),
        "{part}"
    );
}

#[test]
fn an_exported_table_says_what_is_superseded() {
    let scratch = Scratch::with_docs(&[("agreement.md", AGREEMENT), ("mail.md", MAIL)]);
    let question = "When does the loan of the painting end?";
    let run = ["run", question, "--docs", "docs", "-q", "--session", "loan"];
    scratch.expect(0, &run);
    let ran = scratch.expect(0, &["export", "loan", "--format", "csv", "--output", "-"]);
    let header = ran.stdout.lines().next().unwrap();
    assert!(header.ends_with(",remark"), "{header}");
    let old = ran
        .stdout
        .lines()
        .find(|line| line.contains("30 September 2026"));
    assert!(
        old.is_some_and(|line| line.contains("(superseded by")),
        "{}",
        ran.stdout
    );
}

#[test]
fn numbers_of_other_things_or_times_dispute_nothing() {
    let scratch = Scratch::with_docs(&[
        (
            "runbook.md",
            "# Runbook\n\nThe connection pool of pgbouncer has 200 connections.\n",
        ),
        ("inc.md", POST_MORTEM),
        (
            "policy.md",
            "# Policy\n\nThe on-call must acknowledge a page within 5 minutes.\n",
        ),
        ("weekly.txt", WEEKLY),
    ]);
    scratch.write(
        "summary.md",
        "The connection pool has 200 connections [1]. A page has to be acknowledged within 5 \
         minutes [2].\n\n\
         [1] runbook.md\n[2] policy.md\n",
    );
    let ran = scratch.run(&["check", "summary.md", "--docs", "docs", "--all"]);
    for word in ["contradicted", "says otherwise"] {
        assert!(!ran.stdout.contains(word), "{}", ran.stdout);
    }
}

#[test]
fn the_price_of_something_else_is_no_answer() {
    let documents = [
        (
            "note.md",
            "# The humidifier\n\nThe humidifier in room 3 stopped on 7 April. The director orders \
             a new one.\n",
        ),
        (
            "alarm.md",
            "# Fire alarm\n\nThe third false alarm in a year costs us 180 euros.\n",
        ),
    ];
    let scratch = Scratch::with_docs(&documents);
    let ran = scratch.run(&[
        "run",
        "What does the humidifier cost?",
        "--docs",
        "docs",
        "-q",
    ]);
    let is_silent = ran.code == Some(5) || ran.stdout.contains("Not answered as asked");
    assert!(is_silent, "{}", ran.stdout);
}
