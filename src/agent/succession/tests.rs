//! Tests of the succession of statements.

use super::*;

fn supersedes(question: &Question, later: DatedSentence<'_>, earlier: DatedSentence<'_>) -> bool {
    EarlierAnswer::new(question, earlier).is_superseded_by(question, later)
}

fn sentence<'a>(date: &'a str, text: &'a str) -> DatedSentence<'a> {
    DatedSentence {
        text,
        title: "Notes",
        date: Some(date),
        heading: None,
    }
}

#[test]
fn who_takes_over_an_office_corrects_nobody_but_the_predecessor() {
    let question = Question::parse("Who is the safeguarding officer?");
    let now = "Bea is now safeguarding officer. She takes over from Ruth Pike.";
    let later = sentence("2026-05-07", now);
    for (text, is_corrected) in [
        ("Name: Bea Lockwood; Role: safeguarding officer.", false),
        ("Name: Ann Lockwood; Role: safeguarding officer.", false),
        ("The safeguarding officer is Ruth Pike.", true),
    ] {
        let earlier = sentence("2026-01-01", text);
        assert_eq!(
            supersedes(&question, later, earlier),
            is_corrected,
            "{text}"
        );
    }
}

#[test]
fn somebody_who_moved_away_corrects_nothing() {
    let later = "Oliver had led the hall for eleven years and has moved to Portugal.";
    let later = sentence("2025-03", later);
    for (question, earlier) in [
        (
            "Who is the hall manager?",
            "The committee elected Petra Lindqvist as hall manager from 1 March 2025.",
        ),
        (
            "How many members does the hall have?",
            "Tom Okafor reported that the hall had 812 members at the end of 2024.",
        ),
    ] {
        let question = Question::parse(question);
        let earlier = sentence("2025-02-12", earlier);
        assert!(!supersedes(&question, later, earlier));
    }
}

#[test]
fn a_correction_that_gives_the_right_number_is_confirmed_by_a_later_one() {
    let question = Question::parse("What is the ridership for 2024?");
    let read = "The ridership for 2024 must read 22.8 million, not 23.8 million.";
    let later = sentence("2025-05-14", read);
    let wrong = sentence("2025-03-12", "The ridership for 2024 was 23.8 million.");
    assert!(supersedes(&question, later, wrong));
    let right = "I said that the ridership for 2024 was 23.8 million. It was 22.8 million.";
    assert!(!supersedes(&question, later, sentence("2025-03-19", right)));
}

#[test]
fn a_later_note_corrects_an_earlier_one_of_the_same_thing() {
    let question = Question::parse("When is the installation of the pump?");
    let first = sentence("2026-05-02", "The installation of the pump is on 14 May.");
    let moved = "The installation is postponed to 21 May, because the fuse box is late.";
    assert!(supersedes(&question, sentence("2026-05-09", moved), first));
    for (date, text) in [
        ("2026-05-01", moved),
        ("2026", moved),
        (
            "2026-05-09",
            "The concert in the park is postponed to 21 May.",
        ),
        ("2026-05-09", "The installation is postponed."),
        ("2026-05-09", "The installation needs 21 metres of pipe."),
    ] {
        assert!(
            !supersedes(&question, sentence(date, text), first),
            "{text}"
        );
    }
}

#[test]
fn a_purchase_that_is_postponed_corrects_nothing_else_of_what_it_is_for() {
    let question = Question::parse("When is the pool closed?");
    let days = sentence(
        "2025-06-02",
        "The pool is closed on 24, 25 and 31 December.",
    );
    let cover = "The purchase of a pool cover is postponed to 2026.";
    assert!(!supersedes(&question, sentence("2025-07-25", cover), days));
    let question = Question::parse("When is the purchase of the cover?");
    let planned = sentence(
        "2025-06-02",
        "The purchase of the cover is planned for 2025.",
    );
    let later = sentence("2025-07-25", cover);
    assert!(supersedes(&question, later, planned));
}

#[test]
fn what_is_abolished_ends_what_was_said_of_it() {
    let question = Question::parse("What does the evening ticket cost?");
    let price = sentence(
        "2024-02-15",
        "The evening ticket, from 18:00, costs 3.50 euros.",
    );
    for (text, ends) in [
        (
            "The council decides: The evening ticket is abolished.",
            true,
        ),
        ("Evening tickets are no longer sold.", true),
        ("The voucher of the evening ticket is abolished.", false),
        ("The season ticket is abolished.", false),
        ("The evening ticket is not valid on Sundays.", false),
    ] {
        let later = sentence("2025-03-20", text);
        assert_eq!(supersedes(&question, later, price), ends, "{text}");
        assert!(!supersedes(&question, price, later), "{text}");
    }
}

#[test]
fn a_sentence_that_names_what_it_replaces_needs_no_date() {
    let question = Question::parse("Who is the lead?");
    let of = |text| DatedSentence {
        text,
        title: "Notes",
        date: None,
        heading: None,
    };
    let earlier = of("The lead is Ann.");
    let later = of("Since May Bob has been the lead in place of Ann.");
    assert!(supersedes(&question, later, earlier));
    assert!(!supersedes(&question, earlier, later));
    let other = of("Bob is the lead in place of Carl.");
    assert!(!supersedes(&question, other, earlier));
    let before = sentence("2024-05-02", later.text);
    let now = sentence("2026-05-02", earlier.text);
    assert!(!supersedes(&question, before, now));
}

#[test]
fn a_decision_that_names_the_day_of_what_it_replaces_supersedes_that() {
    let question = Question::parse("Are we staying with Datadog?");
    let stay = "DECISION: we stay with Datadog and renew for 12 months.";
    let leave = "DECISION (replaces the one of 17 June): we do not renew Datadog.";
    let later = sentence("2025-08-26", leave);
    for (date, expected) in [("2025-06-17", true), ("2025-06-18", false), ("2025", false)] {
        assert_eq!(supersedes(&question, later, sentence(date, stay)), expected);
    }
    let other = sentence("2025-06-17", "DECISION: we upgrade to Postgres 16.");
    assert!(!supersedes(&question, later, other));
}

#[test]
fn what_is_so_for_a_while_or_on_other_days_supersedes_nothing() {
    let question = Question::parse("When do we close on Sundays?");
    let winter = "Until they are filled, the pool closes at 20:00 on Sundays instead of 21:00.";
    let again = "The pool therefore stays open until 21:00 on Sundays again.";
    let weekdays = "The pool opens at 09:00 instead of 08:00 on weekdays.";
    let holidays = "During the holidays, the pool closes at 19:00 instead of 21:00.";
    let supersedes = |later: &str, earlier: &str| {
        let mut later = sentence("2025-06-10", later);
        later.title = "Minutes of June";
        EarlierAnswer::new(&question, sentence("2025-01-14", earlier))
            .is_superseded_by(&question, later)
    };
    assert!(supersedes(again, winter));
    let restaurant = "The pool restaurant was full until 21:00 again.";
    assert!(!supersedes(restaurant, winter));
    assert!(!supersedes(weekdays, again) && !supersedes(holidays, again));
}

#[test]
fn a_revoked_decision_is_superseded_on_its_own_subject_alone() {
    let later = "It is decided to raise the main pool to 27 degrees again. The decision of 14 \
                 January 2025 is thereby revoked.";
    let later = sentence("2025-06-10", later);
    for (question, earlier, is_superseded) in [
        (
            "How warm is the main pool?",
            "It is decided to set the main pool to 26 degrees from 1 February 2025.",
            true,
        ),
        (
            "How warm is the main pool?",
            "The teaching pool stays at 31 degrees.",
            false,
        ),
        (
            "When does the pool close on Sundays?",
            "The pool closes at 20:00 on Sundays.",
            false,
        ),
    ] {
        let question = Question::parse(question);
        let mut earlier = sentence("2025-01-14", earlier);
        earlier.title = "Minutes of January";
        assert_eq!(
            supersedes(&question, later, earlier),
            is_superseded,
            "{}",
            earlier.text
        );
    }
}

#[test]
fn an_election_is_not_superseded_by_who_won_it() {
    let question = Question::parse("Who was elected chair in 2023?");
    let of = |text| DatedSentence {
        text,
        title: "Notes",
        date: None,
        heading: None,
    };
    let election = of("In 2023 the members elected Ann Berg as chair against Bob Wilk.");
    let later = of("Since March 2023 Ann Berg has been the chair in place of Bob Wilk.");
    assert!(!supersedes(&question, later, election));
}

#[test]
fn an_appointment_and_a_rule_in_force_come_before_what_they_end() {
    let question = Question::parse("Who is the head lifeguard?");
    let earlier = sentence("2025-03-01", "Gwen Ashby is the head lifeguard.");
    let text = "The board appointed Paula Reyes as head lifeguard; she follows Gwen Ashby.";
    let later = sentence("2026-05-04", text);
    assert!(supersedes(&question, later, earlier));
    assert!(!supersedes(&question, earlier, later));
    let other = sentence("2026-05-04", "The board appointed Paula Reyes as cashier.");
    assert!(!supersedes(&question, other, earlier));

    let undated = DatedSentence {
        date: None,
        ..earlier
    };
    let text = "Since 1 September 2026 Gwen Ashby has been the head lifeguard.";
    let newer = DatedSentence { text, ..undated };
    assert!(!supersedes(&question, later, newer));
    let text = "Photographs need the consent of the head lifeguard.";
    assert!(!supersedes(
        &question,
        later,
        DatedSentence { text, ..undated }
    ));
    let text = "Gwen Ashby will step down as head lifeguard on 30 April.";
    let leaves = sentence("2026-02-10", text);
    assert!(supersedes(&question, leaves, undated));
    assert!(!supersedes(&question, undated, leaves));

    let question = Question::parse("How often are the filters backwashed?");
    let text = "The filters are backwashed every two weeks (superseded by the new rule).";
    let earlier = sentence("2025-03-01", text);
    let later = sentence("2026-05-04", "The filters are backwashed every week.");
    assert!(supersedes(&question, later, earlier));
    assert!(!supersedes(&question, earlier, later));
    let other = sentence("2026-05-04", "The filters are blue.");
    assert!(!supersedes(&question, other, earlier));
}

#[test]
fn who_takes_an_office_does_not_end_what_is_said_of_the_same_or_of_others() {
    let text = "Priya Nair becomes clinical director from 1 April 2025. She succeeds Ruth Odell.";
    let later = sentence("2025-03-12", text);
    let of = |text| DatedSentence {
        text,
        title: "Our team",
        date: None,
        heading: None,
    };
    let question = Question::parse("Who is the clinical director?");
    for earlier in [
        "Name: Priya Nair; Role: Partner, clinical director; Days: Monday to Friday.",
        "1. Stop the clinic. 2. Inform the clinical director.",
        "Joanna Pike runs the free weight clinic for dogs on Saturdays.",
    ] {
        assert!(!supersedes(&question, later, of(earlier)), "{earlier}");
    }
    let earlier = "Name: Ruth Odell; Role: Partner, clinical director; Days: Monday.";
    assert!(supersedes(&question, later, of(earlier)));
    let question = Question::parse("On which days does Ruth Odell work?");
    let days = "Name: Ruth Odell; Role: Surgeon; Days: Monday and Wednesday.";
    assert!(!supersedes(&question, later, of(days)));
    let question = Question::parse("When is the next meeting of the partners?");
    let postponed = "The partners postponed the decision on a branch in Stoke Abbey to 2026.";
    let adopted = sentence(
        "2025-03-12",
        "The partners adopted the rules on 12 March 2025.",
    );
    assert!(!supersedes(
        &question,
        sentence("2025-09-10", postponed),
        adopted
    ));
}

#[test]
fn a_later_edition_gives_another_value_and_another_document_another_view() {
    let question = Question::parse("How large may the setback be?");
    let first = sentence("2026-06-03", "The night setback is at most 5 °C.");
    let later = sentence("2026-06-10", "The night setback is at most 2 °C.");
    assert!(supersedes(&question, later, first));
    let other = DatedSentence {
        title: "Another view",
        ..later
    };
    assert!(!supersedes(&question, other, first));
}
