//! The papers of a choir: statutes, minutes that change what was so, a price list, a mail.

use crate::answers::first_claim;
use crate::harness::{Ran, Scratch};

const PAPERS: [(&str, &str); 6] = [
    (
        "statutes.md",
        "# Statutes of the Mill Choir\n\nAdopted by the general meeting of 9 May 2019.\n\n## 3 \
         Subscription\n\nEvery singing member pays an annual subscription, the amount of which is \
         fixed by the general meeting. It falls due on 31 January.\n\n## 5 Board\n\nThe board \
         consists of the chair, the treasurer and the secretary. It is elected for two years. \
         Expenditure above 1,500 euros needs a decision of the general meeting.\n",
    ),
    (
        "minutes-2024-03-14.md",
        "# Minutes of the general meeting of 14 March 2024\n\nIn the chair: Margaret Holt.\n\n1. \
         **Subscription.** The meeting decided to raise the annual subscription from 96 to 120 \
         euros as from 1 January 2025.\n\n2. **Rehearsal evening.** Rehearsals stay on Thursdays, \
         19:30 to 21:30.\n\n3. **Elections.** Elected for two years: Margaret Holt (chair), Ines \
         Falk (treasurer), Peter Lang (secretary).\n",
    ),
    (
        "minutes-2025-02-20.md",
        "# Minutes of the general meeting of 20 February 2025\n\n1. **Reduced subscription.** \
         Students and pupils pay 60 euros a year instead of 120 euros.\n\n2. **Rehearsal \
         evening.** Rehearsals move from Thursday to Wednesday as from 1 September 2025.\n\n3. \
         **Recordings.** Singers may record rehearsals on their telephones for their own \
         practice.\n",
    ),
    (
        "minutes-2026-02-25.md",
        "# Minutes of the general meeting of 25 February 2026\n\n1. **Piano.** The meeting awarded \
         the overhaul to Klang & Sohn.\n\n2. **Recordings.** The permission of 20 February 2025 to \
         record rehearsals is withdrawn after a recording appeared on the internet.\n",
    ),
    (
        "prices.md",
        "# Prices of tickets and subscriptions, season 2026\n\nAdvance sale of tickets is at the \
         Rosen bookshop.\n\n| Kind | Per year |\n|---|---|\n| Singing member | 120 euros |\n| \
         Student or pupil | 60 euros |\n",
    ),
    (
        "mail.txt",
        "The Christmas concert has to move: the church is taken on 12 December, so we sing on \
         Sunday, 13 December 2026, at 17:00.\n",
    ),
];

fn ran(question: &str) -> Ran {
    let scratch = Scratch::with_docs(&PAPERS);
    scratch.expect(0, &["run", question, "--docs", "docs", "-q"])
}

#[test]
fn what_was_withdrawn_and_words_of_asking_do_not_hide_the_answer() {
    for (question, answer) in [
        ("May we record rehearsals?", "is withdrawn"),
        ("Which firm got the overhaul of the piano?", "Klang & Sohn"),
        ("Where can I buy tickets?", "Rosen bookshop"),
        ("Who is the chair of the choir now?", "Margaret Holt"),
    ] {
        let ran = ran(question);
        assert!(first_claim(&ran).contains(answer), "{}", ran.stdout);
        assert!(!ran.stdout.contains("Not answered"), "{}", ran.stdout);
    }
}

#[test]
fn what_may_be_spent_is_told_by_expenditure() {
    let ran = ran("Can the board spend 2,000 euros?");
    assert!(
        first_claim(&ran).contains("Expenditure above 1,500"),
        "{}",
        ran.stdout
    );
}

#[test]
fn statutes_and_the_price_list_in_force_are_not_superseded_by_minutes() {
    for (question, words) in [
        (
            "How much is the annual subscription?",
            "It falls due on 31 January.",
        ),
        ("Who is the chair?", "It is elected for two years."),
        (
            "How much does a singing member pay per year?",
            "Per year: 120 euros.",
        ),
    ] {
        let ran = ran(question);
        let mut lines = ran.stdout.lines();
        let line = lines.find(|line| line.contains(words));
        let line = line.unwrap_or_else(|| panic!("{question}\n{}", ran.stdout));
        assert!(!line.contains("superseded"), "{question}\n{line}");
    }
}

#[test]
fn what_was_withdrawn_or_moved_is_disputed_and_an_exception_disputes_nothing() {
    for (sentence, rival) in [
        (
            "Singers may record rehearsals for their own practice.",
            Some("minutes-2026-02-25.md"),
        ),
        (
            "Rehearsals are on Thursdays.",
            Some("minutes-2025-02-20.md"),
        ),
        (
            "The annual subscription of a singing member is 120 euros.",
            None,
        ),
    ] {
        let checked = Scratch::with_docs(&PAPERS).checked(sentence);
        assert_eq!(checked[0]["verdict"], "supported", "{checked:?}");
        assert_eq!(checked[0]["rival"]["source"].as_str(), rival, "{checked:?}");
    }
    let sentence = "The Christmas concert takes place on 12 December.";
    let checked = Scratch::with_docs(&PAPERS).checked(sentence);
    assert_eq!(checked[0]["verdict"], "partial", "{checked:?}");
}

#[test]
fn a_mark_of_succession_says_from_which_day_it_holds() {
    let scratch = Scratch::with_docs(&PAPERS);
    scratch.write(
        "docs/minutes-2026-11-19.md",
        "# Minutes of the general meeting of 19 November 2026\n\n1. **Rehearsal evening.** \
         Rehearsals move from Wednesday to Monday as from 11 January 2027.\n",
    );
    let question = "On which evening do we rehearse?";
    let ran = scratch.expect(0, &["run", question, "--docs", "docs", "-q"]);
    let marks = [
        "of 2026-11-19 from 2027-01-11)",
        "of 2025-02-20 from 2025-09-01)",
    ];
    for mark in marks {
        assert!(ran.stdout.contains(mark), "{mark}\n{}", ran.stdout);
    }
}

/// Further papers: the report on an accident, accounts, a lease, an election, an e-mail.
const MORE: [(&str, &str); 6] = [
    (
        "damage.txt",
        "DAMAGE REPORT\n\nWhat happened. On 22 April 2026 a row of stacked risers tipped over \
         while the stage was being cleared.\n\nInjured persons. Joachim Kern was cut on the left \
         hand by a splinter. He was taken to the hospital by Anna Berger and got three stitches. \
         No other person was hurt.\n\nDamage. New pane with fitting: 412 euros. The risers are \
         undamaged.\n",
    ),
    (
        "accounts-2025.csv",
        "Date,Item,Category,Income,Expenditure\n2025-03-29,Spring concert: tickets,Tickets,4310 \
         euros,\n2025-12-31,Rent of the hall,Hall,,4080 euros\n",
    ),
    (
        "newsletter.md",
        "# Newsletter of the choir, October 2025\n\n**Helpers wanted.** We still need six people \
         for the cloakroom of the Christmas concert.\n",
    ),
    (
        "lease.txt",
        "LEASE OF THE REHEARSAL HALL\n\n4. Term. The lease begins on 1 January 2024. Either party \
         may give notice of three months to the end of a quarter, in writing.\n\n5. Use. Smoking \
         and open fire are prohibited in all rooms. No more than 120 persons may be in the hall \
         at once.\n",
    ),
    (
        "minutes-2026-02-25.md",
        "# Minutes of the general meeting of 25 February 2026\n\n1. **Subscription.** The reduced \
         subscription for students and pupils rises from 60 to 72 euros as from 1 January \
         2027.\n\n2. **Elections.** Margaret Holt did not stand again. Thomas Reiter was elected \
         chair with 36 votes; Karl Brandt received 8.\n\n3. **Rehearsal evening.** Rehearsals \
         move from Thursday to Wednesday.\n",
    ),
    (
        "trip.eml",
        "From: David Morrow <david@choir.example>\nTo: Peter Lang <peter@choir.example>\nDate: \
         Mon, 7 Sep 2026 09:14:00 +0200\nSubject: My absence\n\nDear Peter,\n\nDavid Roth sings \
         the solo. I shall be away in October.\n\nKind regards\nDavid\n",
    ),
];

fn with_all() -> Scratch {
    let papers: Vec<(&str, &str)> = PAPERS
        .into_iter()
        .filter(|(name, _)| *name != "minutes-2026-02-25.md")
        .chain(MORE)
        .collect();
    Scratch::with_docs(&papers)
}

#[test]
fn answers_in_other_words_stand_below_no_banner() {
    let scratch = with_all();
    for (question, answer) in [
        (
            "How much is the annual subscription for students?",
            "from 60 to 72 euros",
        ),
        ("Who was hurt when the risers fell over?", "Joachim Kern"),
        (
            "How long is the notice period for the hall?",
            "three months",
        ),
        (
            "Can the board spend 2,000 euros on its own?",
            "Expenditure above 1,500",
        ),
    ] {
        let ran = scratch.expect(0, &["run", question, "--docs", "docs", "-q"]);
        assert!(first_claim(&ran).contains(answer), "{}", ran.stdout);
        assert!(!ran.stdout.contains("> **"), "{}", ran.stdout);
    }
}

#[test]
fn later_decision_on_an_item_leads_and_marks_the_earlier_one() {
    let scratch = Scratch::with_docs(&[
        (
            "minutes-2024-03-14.md",
            "# Minutes of the general meeting of 14 March 2024\n\n6. **Robes.** The purchase of \
             new concert robes was put off until the society has a reserve of 5,000 euros.\n",
        ),
        (
            "minutes-2026-02-25.md",
            "# Minutes of the general meeting of 25 February 2026\n\n5. **Robes.** Since the \
             reserve has passed 5,000 euros, 60 scarves in dark red will be bought instead of \
             robes.\n",
        ),
    ]);
    let question = "What was decided about the concert robes?";
    let ran = scratch.expect(0, &["run", question, "--docs", "docs", "-q"]);
    assert!(first_claim(&ran).contains("60 scarves"), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("(superseded by [1] of 2026-02-25)"),
        "{}",
        ran.stdout
    );
    assert!(!ran.stdout.contains("> **"), "{}", ran.stdout);
}

#[test]
fn number_of_other_people_answers_nothing() {
    let question = "How many people came to the spring concert in 2025?";
    let ran = with_all().expect(0, &["run", question, "--docs", "docs", "-q"]);
    assert!(
        ran.stdout.contains("Not answered as asked"),
        "{}",
        ran.stdout
    );
}

#[test]
fn captions_headers_of_mails_and_greetings_are_no_claims() {
    let scratch = with_all();
    for question in [
        "On which evening do we rehearse?",
        "Who sings the solo, David?",
        "Who was hurt?",
    ] {
        let ran = scratch.expect(0, &["run", question, "--docs", "docs", "-q"]);
        for debris in [
            "**Rehearsal evening.**",
            "From: David",
            "regards",
            "Injured persons.",
        ] {
            assert!(!ran.stdout.contains(debris), "{question}\n{}", ran.stdout);
        }
    }
    let ran = scratch.expect(
        0,
        &[
            "run",
            "When did David Morrow write?",
            "--docs",
            "docs",
            "-q",
        ],
    );
    assert!(ran.stdout.contains("From: David Morrow"), "{}", ran.stdout);
}

#[test]
fn chair_who_was_succeeded_is_disputed_and_a_prohibition_is_shown() {
    let scratch = with_all();
    let checked = scratch.checked("The chair is Margaret Holt.");
    assert_eq!(checked[0]["verdict"], "supported", "{checked:?}");
    let rival = checked[0]["rival"]["source"].as_str();
    assert_eq!(rival, Some("minutes-2026-02-25.md"), "{checked:?}");
    let checked = scratch.checked("Smoking is permitted in the hall.");
    assert_eq!(checked[0]["verdict"], "contradicted", "{checked:?}");
    let shown = checked[0]["match"]["text"].as_str().unwrap_or_default();
    assert!(shown.starts_with("Smoking and open fire"), "{checked:?}");
    let checked = scratch.checked("The mayor opened the spring concert with a speech.");
    assert_eq!(checked[0]["verdict"], "uncited", "{checked:?}");
}

#[test]
fn batch_calls_not_answered_what_the_list_calls_so() {
    let scratch = with_all();
    scratch.write(
        "topics.txt",
        "How many people came to the spring concert in 2025?\nWho was hurt?\n",
    );
    let batch = ["batch", "topics.txt", "--docs", "docs"];
    let ran = scratch.expect(0, &batch);
    assert!(ran.stderr.contains("] not answered "), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("1 complete, 1 not answered"),
        "{}",
        ran.stderr
    );
    let again = scratch.expect(3, &[&batch[..], &["--strict"]].concat());
    let same = "1 complete, 1 not answered; nothing to do for 2";
    assert!(again.stderr.contains(same), "{}", again.stderr);
}
