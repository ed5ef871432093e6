//! Plain questions about the papers of a team of engineers: decisions of which one replaces
//! another, minutes that overrule earlier ones, tables with several keys, an incident.

use crate::answers::{assert_answered_first, first_claim};
use crate::harness::{Ran, Scratch};
use crate::laboratory::report_on;

const PAPERS: [(&str, &str); 11] = [
    (
        "adr-4.md",
        "# ADR 4: Otter as the message broker\n\nStatus: Superseded by ADR 9\nDate: 2022-03-08\n\n\
         ## Context\n\nCallbacks arrive in bursts.\n\n## Decision\n\nWe use Otter, three nodes. \
         Messages are kept for 24 hours.\n",
    ),
    (
        "adr-9.md",
        "# ADR 9: Move the event backbone to Heron\n\nStatus: Accepted\nDate: 2024-05-21\n\
         Supersedes: ADR 4\n\n## Context\n\nTwice a faulty consumer swallowed events which we \
         could not get back, because Otter had no replay for us.\n\n## Decision\n\nWe move the \
         event backbone to a managed Heron. Events are retained for 14 days.\n\n| Option | Why \
         not |\n|---|---|\n| Puffin | nobody here has run it |\n| Kestrel | lock-in |\n\n## \
         Consequences\n\nOtter is to be switched off by 30 November 2024. (Edit Feb 2025: it \
         slipped, the last queue went away on 17 January 2025.)\n",
    ),
    (
        "faq.html",
        "<html><head><title>FAQ of the team</title></head><body><h1>FAQ of the team</h1>\
         <h2>What broker do we use?</h2><p>Otter, see ADR 4.</p><h2>Can I deploy on \
         Friday?</h2><p>Yes, until noon, if your team is around.</p><h2>How big is the \
         database?</h2><p>About 3.8 TB, of which events are 2.9.</p><h2>Will the rota grow because \
         of Heron?</h2><p>No. It has had four people since June.</p></body></html>",
    ),
    (
        "onboarding.md",
        "# Your first weeks\n\nSome things people ask about:\n\n* Deploys to production: any \
         weekday until 16:00, never on a Friday.\n* Everybody uses a hardware key for every \
         system.\n",
    ),
    (
        "changes.md",
        "# Changes\n\n* Bulk endpoint: up to 200 labels per call.\n* The sandbox has 30 requests \
         a minute for everybody.\n",
    ),
    (
        "minutes-june.txt",
        "Engineering leads - minutes, 17 June 2025\n\nThe renewal of Lookout is due in \
         September.\n\nDECISION: we stay with Lookout and renew for 12 months.\n",
    ),
    (
        "minutes-august.txt",
        "Engineering leads - minutes, 26 August 2025\n\nDECISION (replaces the one of 17 June): \
         we do not renew Lookout; we move to Beacon.\n",
    ),
    (
        "costs.csv",
        "month,service,cost_eur\n2025-08,Clusters,12990\n2025-08,Lookout,6775\n\
         2025-09,Clusters,11420\n2025-09,Lookout,2950\n",
    ),
    (
        "latency.csv",
        "endpoint,region,p50_ms,p95_ms,p99_ms\nPOST /v2/labels,eu-central-1,410,1290,2870\n\
         POST /v2/labels,eu-west-2,455,1410,3120\nGET /v2/tracking,eu-central-1,22,61,140\n\
         GET /v2/tracking,eu-west-2,29,78,171\nGET /v2/rates,eu-central-1,130,395,880\n",
    ),
    (
        "incident.md",
        "# Postmortem: label printing down for 94 minutes\n\nDate: 2025-02-11\n\n## Summary\n\n\
         On 11 February 2025 no labels could be printed. 312 merchants were affected.\n\n## \
         Root cause\n\nThe certificate of the gateway was pinned in our client.\n\n## Actions\n\n\
         | # | Action | Owner | Due | State |\n|---|---|---|---|---|\n| 1 | Remove all pins | \
         Priya | 2025-02-20 | done |\n| 2 | Mutes expire after 72 hours | Tomasz | 2025-03-15 | \
         open |\n",
    ),
    (
        "runbook.md",
        "# Runbook: on call\n\n| Sev | What it means | Ack within |\n|---|---|---|\n| SEV1 | \
         nothing works | 5 min |\n| SEV2 | degraded | 15 min |\n\nIf the primary does not \
         acknowledge, the secondary is called after 10 minutes.\n\n## Shifts\n\n\
         Hand over in the channel of the team. Shifts start Tuesday 10:00 CET and last a week.\n",
    ),
];

fn run(topic: &str) -> Ran {
    let scratch = Scratch::with_docs(&PAPERS);
    scratch.expect(0, &["run", topic, "--docs", "docs", "-q"])
}

#[test]
fn papers_of_engineers_answer_in_the_first_claim_without_a_warning() {
    assert_answered_first(
        run,
        &[
            ("Which message broker do we use?", "managed Heron"),
            ("What broker do we use?", "managed Heron"),
            ("How long are events kept in the message queue?", "14 days"),
            ("Why did we leave Otter?", "no replay"),
            ("Why didn't we pick Puffin?", "nobody here has run it"),
            ("When was Otter finally turned off?", "17 January 2025"),
            ("Are we staying with Lookout?", "do not renew"),
            (
                "What was our most expensive service in September 2025?",
                "11420",
            ),
            ("What did Lookout cost in August 2025?", "6775"),
            (
                "What is the 99th percentile latency of labels in eu-west-2?",
                "3120",
            ),
            ("What caused the label outage in February 2025?", "pinned"),
            (
                "Has the thing about expiring mutes been finished?",
                "State: open",
            ),
            ("How quickly do I have to acknowledge a SEV1?", "5 min"),
            ("How many labels can I create in one request?", "200 labels"),
            ("When does the rotation change hands?", "Tuesday 10:00"),
            (
                "What is the 99th percentile latency for creating labels in London (eu-west-2)?",
                "3120",
            ),
        ],
    );
}

#[test]
fn a_table_without_the_row_that_is_asked_for_is_said_not_to_answer() {
    for question in [
        "What is the p95 latency of GET /v2/rates in eu-west-2?",
        "What is the p50 of POST /v2/labels in us-east-1?",
    ] {
        let ran = run(question);
        let is_warned = ran.stdout.contains("Not answered as asked");
        assert!(is_warned, "{question}\n{}", ran.stdout);
    }
}

#[test]
fn what_the_papers_call_otherwise_is_quoted_first_with_a_warning() {
    for (question, answer) in [
        (
            "How many customers were hit when labels were down?",
            "312 merchants",
        ),
        ("Which ticket system do we use?", "every system"),
    ] {
        let ran = run(question);
        let first = first_claim(&ran);
        assert!(first.contains(answer), "{question}\n{}", ran.stdout);
        let is_warned = ran.stdout.contains("Not answered as asked");
        assert!(is_warned, "{question}\n{}", ran.stdout);
    }
}

#[test]
fn a_reply_and_a_rule_that_exclude_each_other_are_shown_as_a_disagreement() {
    let ran = run("Can I deploy on a Friday?");
    let (_, disagreement) = ran
        .stdout
        .split_once("## Where the documents disagree")
        .expect("a part on what the documents disagree on");
    let denied = "to “Can I deploy on a Friday?”:";
    for words in [denied, "never on a Friday", "Yes, until noon"] {
        assert!(disagreement.contains(words), "{}", ran.stdout);
    }
}

#[test]
fn the_number_of_a_row_is_not_quoted() {
    let ran = run("Has the thing about expiring mutes been finished?");
    assert!(!ran.stdout.contains("#: 2"), "{}", ran.stdout);
}

#[test]
fn the_most_of_a_long_table_is_looked_for_among_values_and_not_in_names() {
    let scratch = Scratch::new();
    let row = |number: usize| {
        let (month, cost) = (1 + number % 12, 100 + number * 7919 % 90_000);
        format!("2025-{month:02},Service {},{cost}\n", number % 97)
    };
    let mut costs = "month,service,cost_eur\n".to_owned();
    costs.extend((0..1500).map(row));
    costs.push_str("2025-08,Service 3,99999\n2025-09,Service 4,100001\n");
    scratch.write("docs/costs.csv", &costs);
    let topic = "What was the most expensive service in August 2025?";
    let ran = scratch.expect(0, &["run", topic, "--docs", "docs", "-q"]);
    assert!(first_claim(&ran).contains("99999"), "{}", ran.stdout);
    assert!(first_claim(&ran).contains("Service 3"), "{}", ran.stdout);
}

#[test]
fn a_decision_of_a_log_has_the_status_of_its_own_section() {
    let log = "# Decisions\n\n## D1: broker\nStatus: Superseded by D2\n\nWe use Otter as the \
               message broker.\n\n## D2: broker\nStatus: Accepted\n\nWe use Heron as the message \
               broker.\n\n## D3: repository\nStatus: Accepted\n\nAll services live in one \
               repository.\n";
    for (question, answer) in [
        ("Which message broker do we use?", "We use Heron"),
        ("Where do the services live?", "one repository"),
    ] {
        let scratch = Scratch::new();
        scratch.write("docs/decisions.md", log);
        let ran = scratch.expect(0, &["run", question, "--docs", "docs", "-q"]);
        let first = first_claim(&ran);
        assert!(first.contains(answer), "{question}\n{}", ran.stdout);
        for words in ["superseded", "Not answered as asked"] {
            assert!(!ran.stdout.contains(words), "{question}\n{}", ran.stdout);
        }
    }
}

#[test]
fn an_entry_of_a_changelog_is_quoted_with_its_version_and_kind() {
    let changelog = "# Changelog - plover\n\n## 2.0.1 - 2025-02-27\n### Fixed\n- Batch fetch \
                     could return the same job twice.\n\n## 2.0.0 - 2025-01-08\n### Removed\n- The \
                     wakeup in the default build; polling only.\n";
    let documents = [("CHANGELOG.md", changelog)];
    let removed = report_on(&documents, "Is the wakeup in the default build?");
    let heading = "2.0.0 - 2025-01-08, Removed:";
    assert!(removed.contains(heading), "{removed}");
    let fixed = report_on(
        &documents,
        "Which version fixed that a job is returned twice?",
    );
    assert!(fixed.contains("2.0.1 - 2025-02-27, Fixed:"), "{fixed}");
}

#[test]
fn check_reads_a_reply_with_the_question_above_it_and_follows_what_it_refers_to() {
    let sentences = Scratch::with_docs(&PAPERS).checked(
        "The database is about 3.8 TB. We use Otter as the broker. We compare two brokers here. \
         The rota will grow because of Heron.",
    );
    let of = |number: usize, name: &str| sentences[number][name].as_str();
    assert_eq!(of(0, "verdict"), Some("supported"), "{sentences:?}");
    assert_eq!(of(1, "verdict"), Some("supported"), "{sentences:?}");
    let status = sentences[1]["match"]["status"].as_str();
    let expected = "refers to adr-4.md, superseded by ADR 9";
    assert_eq!(status, Some(expected), "{sentences:?}");
    // What the authors say of their own work needs no source.
    assert_eq!(sentences.len(), 3, "{sentences:?}");
    assert_eq!(of(2, "verdict"), Some("contradicted"), "{sentences:?}");
}

#[test]
fn check_reads_months_milliseconds_and_what_a_later_decision_replaces() {
    let report = "The p99 of POST /v2/labels in eu-west-2 was 3120 ms [latency.csv]. Lookout cost \
                  6,775 euros in August 2025 [costs.csv].\n\nWe stay with Lookout and renew for 12 \
                  months [minutes-june.txt].\n";
    let sentences = Scratch::with_docs(&PAPERS).checked(report);
    let verdicts: Vec<&str> = sentences
        .iter()
        .map(|own| own["verdict"].as_str().unwrap())
        .collect();
    assert_eq!(verdicts, ["supported"; 3], "{sentences:?}");
    let rivals: Vec<Option<&str>> = sentences
        .iter()
        .map(|own| own["rival"]["source"].as_str())
        .collect();
    assert_eq!(
        rivals,
        [None, None, Some("minutes-august.txt")],
        "{sentences:?}"
    );
}
