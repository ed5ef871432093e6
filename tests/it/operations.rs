//! The papers of people who run services: runbooks with steps and commands.

use crate::harness::Scratch;

const RUNBOOK: &str = "# Runbook: mail-worker\n\nThe mail-worker sends the queue of letters.\n\n\
    ## Restart the mail-worker\n\n\
    1. Announce the restart in #mail.\n\
    2. Pause the queue:\n\n   ```sh\n   queue pause LETTERS worker 15m\n   ```\n\n\
    3. Restart the mail-worker:\n\n   ```sh\n   kubectl -n mail rollout restart worker\n   \
    kubectl -n mail rollout status worker\n   ```\n\n\
    4. Resume the queue with `queue resume LETTERS`.\n\n\
    ## Escalation\n\nCall the lead of the mail team.\n";

fn restarted() -> Scratch {
    let scratch = Scratch::with_docs(&[("runbook.md", RUNBOOK)]);
    let question = "How do I restart the mail-worker?";
    let arguments = ["run", question, "--docs", "docs", "--session", "s", "-q"];
    scratch.expect(0, &arguments);
    scratch
}

#[test]
fn steps_of_a_runbook_are_printed_one_below_the_other_with_their_commands() {
    let scratch = restarted();
    let report = scratch.read("research-output/s/final_report.md");
    let steps = "
    1. Announce the restart in #mail.
    2. Pause the queue:
       ```
       queue pause LETTERS worker 15m
       ```
    3. Restart the mail-worker:
       ```
       kubectl -n mail rollout restart worker
       kubectl -n mail rollout status worker
       ```
    4. Resume the queue with `queue resume LETTERS`. [\\[1\\]](sources/S1.md";
    assert!(report.contains(steps), "{report}");
    let page = scratch
        .expect(0, &["export", "s", "--format", "html"])
        .stdout;
    let commands = "<br><code>kubectl -n mail rollout restart worker</code>\
        <br><code>kubectl -n mail rollout status worker</code><br>4. Resume";
    assert!(page.contains(commands), "{page}");
    // The claims lie where they say, also those of several lines.
    let claims = scratch.json("claims.json");
    let first = &claims["content"]["claims"][0];
    assert!(first["text"].as_str().unwrap().starts_with("1. Announce"));
}

#[test]
fn report_with_quoted_steps_passes_the_check_of_its_own_sentences() {
    let scratch = restarted();
    let report = "research-output/s/final_report.md";
    let ran = scratch.expect(0, &["check", report, "--docs", "docs"]);
    assert!(!ran.stdout.contains("without a source"), "{}", ran.stdout);
}

#[test]
fn question_where_documents_disagree_names_short_sentences_that_contradict_each_other() {
    let scratch = Scratch::with_docs(&[
        (
            "plan.md",
            "# Capacity\n\nThe mail-worker runs with 6 replicas. It rains.\n",
        ),
        (
            "runbook.md",
            "# Runbook\n\nThe mail-worker runs with 8 replicas.\n",
        ),
        (
            "status.md",
            "# Status page\n\nLetters of the archive were not lost.\n",
        ),
        (
            "report.md",
            "# Postmortem\n\nLetters of the archive were lost. We are sorry.\n",
        ),
        ("one.md", "# Mill Lane 1\n\nThe house has 8 rooms.\n"),
        ("two.md", "# Mill Lane 2\n\nThe house has 6 rooms.\n"),
    ]);
    for (question, disagree, agree) in [
        (
            "Where do the documents disagree?",
            &[
                "6 replicas",
                "8 replicas",
                "Letters of the archive were not lost",
                "Letters of the archive were lost",
            ][..],
            &["rooms"][..],
        ),
        (
            "Where do the documents disagree on replicas?",
            &["6 replicas", "8 replicas"],
            &["rooms", "Letters"],
        ),
    ] {
        let ran = scratch.expect(0, &["run", question, "--docs", "docs", "-q"]);
        let section = ran.stdout.split("## Where the documents disagree").nth(1);
        let section = section.unwrap_or_default().split("\n## ").next().unwrap();
        for words in disagree {
            assert!(
                section.contains(words),
                "{question}: {words}: {}",
                ran.stdout
            );
        }
        for words in agree {
            assert!(
                !section.contains(words),
                "{question}: {words}: {}",
                ran.stdout
            );
        }
    }
}

#[test]
fn number_of_a_changed_setting_is_not_that_of_another_column() {
    let scratch = Scratch::with_docs(&[
        (
            "changelog.md",
            "# Changelog\n\n## 5.0.0 - 2026-07-01\n\n\
             - The default timeout of calls is 8 seconds instead of 30 seconds.\n",
        ),
        (
            "rota.csv",
            "week,from,to,primary,secondary\n29,2026-07-13,2026-07-20,Jo Lind,Ann Hale\n\
             30,2026-07-20,2026-07-27,Bo Vik,Jo Lind\n",
        ),
    ]);
    let question = "Who is secondary in week 30?";
    let ran = scratch.expect(0, &["run", question, "--docs", "docs", "-q"]);
    assert!(ran.stdout.contains("secondary: Jo Lind"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("superseded"), "{}", ran.stdout);
}

#[test]
fn release_is_answered_by_its_section_of_the_log_of_changes() {
    let log = "# Changelog\n\nAll changes of the mail-worker are in this file.\n\n\
        ## [2.1.0] - 2026-04-22\n\n### Added\n\n- A health check at `/ready`.\n\n\
        ## [2.0.1] - 2026-03-13\n\n### Fixed\n\n- Letters are no longer sent twice.\n\n\
        ### Changed\n\n- The default of the timeout is 8 seconds.\n";
    let scratch = Scratch::with_docs(&[("changelog.md", log), ("runbook.md", RUNBOOK)]);
    let question = "What changed in 2.0.1?";
    let ran = scratch.expect(0, &["run", question, "--docs", "docs", "-q"]);
    for words in ["no longer sent twice", "timeout is 8 seconds", "2026-03-13"] {
        assert!(ran.stdout.contains(words), "{}", ran.stdout);
    }
    assert!(!ran.stdout.contains("Not answered"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("health check"), "{}", ran.stdout);
}

#[test]
fn day_is_that_of_the_row_whose_days_it_is_between() {
    let rota = "week,from,to,primary\n28,2026-07-06,2026-07-13,Jo Lind\n\
        29,2026-07-13,2026-07-20,Ann Hale\n30,2026-07-20,2026-07-27,Cy Dahl\n\
        31,2026-07-27,2026-08-03,Bo Vik\n";
    let scratch = Scratch::with_docs(&[("rota.csv", rota), ("runbook.md", RUNBOOK)]);
    let question = "Who is primary on 28 July 2026?";
    let ran = scratch.expect(0, &["run", question, "--docs", "docs", "-q"]);
    let first = ran.stdout.split("\n- ").nth(1).unwrap();
    assert!(first.contains("Bo Vik"), "{}", ran.stdout);
}

#[test]
fn entries_of_a_log_are_quoted_by_themselves() {
    let log = "2026-05-04 07:12 bot: ticket 88 about the mail search\n\
        2026-05-04 07:26 jo: looking at the mail search\n\
        2026-05-04 07:44 ann: the disk of the mail search is full, the index is read-only\n\
        2026-05-04 08:00 ann: the block of the index is removed\n";
    let scratch = Scratch::with_docs(&[("incident-chat.log", log)]);
    let read = scratch.expect(0, &["read", "docs/incident-chat.log", "--json"]);
    let title = crate::harness::parsed(&read.stdout)["title"].clone();
    assert_eq!(title, "Incident chat");
    let question = "What is full?";
    let ran = scratch.expect(0, &["run", question, "--docs", "docs", "-q"]);
    let first = ran.stdout.split("\n- ").nth(1).unwrap();
    assert!(
        first.contains("the disk of the mail search is full"),
        "{}",
        ran.stdout
    );
    assert!(!first.contains("looking at"), "{}", ran.stdout);
}

#[test]
fn dash_in_a_cell_is_printed_as_it_is() {
    let page = "<html><head><title>Targets</title></head><body><h1>Targets</h1>\
        <p>The targets of the services of the company are listed here.</p><table>\
        <tr><th>Service</th><th>Availability</th><th>Latency</th></tr>\
        <tr><td>checkout</td><td>99.9 %</td><td>-</td></tr>\
        <tr><td>search</td><td>99.5 %</td><td>400 ms</td></tr></table></body></html>";
    let scratch = Scratch::with_docs(&[("targets.html", page)]);
    let question = "What is the availability of checkout?";
    scratch.expect(
        0,
        &["run", question, "--docs", "docs", "--session", "s", "-q"],
    );
    let exported = scratch
        .expect(0, &["export", "s", "--format", "csv"])
        .stdout;
    assert!(exported.contains("Latency: -."), "{exported}");
    scratch.expect(0, &["verify", "s"]);
}

#[test]
fn notice_that_corrects_a_message_leads_and_takes_back_what_it_says_otherwise() {
    let scratch = Scratch::with_docs(&[
        (
            "first.eml",
            "From: Post <post@example.org>\nDate: Tue, 14 Jul 2026 10:20:00 +0000\n\
             Subject: Incident 5: Delayed letters\n\nDear customer,\n\n\
             letters were delayed today. No letters were lost. Returns were not affected. About \
             300 offices were affected.\n",
        ),
        (
            "second.eml",
            "From: Post <post@example.org>\nDate: Thu, 16 Jul 2026 15:05:00 +0000\n\
             Subject: Correction to incident 5: Delayed letters\n\nDear customer,\n\n\
             we have to correct our message. Returns were affected as well: 140 returns were sent \
             twice. About 460 offices were affected.\n",
        ),
    ]);
    for (question, right, wrong) in [
        (
            "Were returns affected?",
            "Returns were affected as well",
            "not affected",
        ),
        (
            "How many offices were affected?",
            "About 460 offices",
            "About 300 offices",
        ),
    ] {
        let ran = scratch.expect(0, &["run", question, "--docs", "docs", "-q"]);
        let first = crate::answers::first_claim(&ran);
        assert!(
            first.contains(right) && !first.contains(wrong),
            "{}",
            ran.stdout
        );
    }
    scratch.write("claim.md", "Returns were not affected.\n");
    let ran = scratch.expect(0, &["check", "claim.md", "--docs", "docs"]);
    assert!(
        ran.stdout.contains("another document says otherwise"),
        "{}",
        ran.stdout
    );
}
