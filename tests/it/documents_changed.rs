//! Documents are inputs: a change of one, a new one and a missing one make the research stale, and
//! only what they touch is made again.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::time::SystemTime;

use serde_json::Value;

use crate::harness::{Scratch, TOPIC, parsed};

/// A finished session `s` over the documents in `docs`.
fn finished() -> Scratch {
    let scratch = Scratch::with_few();
    scratch.research();
    scratch
}

fn append(scratch: &Scratch, name: &str, words: &str) {
    let text = scratch.read(name);
    scratch.write(name, format!("{text}\n\n{words}\n"));
}

/// What `explain` says of the first stage of a session.
fn research_stage(scratch: &Scratch, session: &str) -> Value {
    let explained = scratch.expect(0, &["explain", session, "--json"]).stdout;
    parsed(&explained)["stages"][0].clone()
}

/// The findings of the steps of session `s`, by file.
fn findings(scratch: &Scratch) -> BTreeMap<String, Vec<u8>> {
    let mut tree = scratch.tree();
    tree.retain(|name, _| name.starts_with("research/steps/"));
    tree
}

fn report(scratch: &Scratch, session: &str) -> String {
    scratch.read(&format!("research-output/{session}/final_report.md"))
}

#[test]
fn explain_names_changed_new_and_missing_documents_with_their_digests() {
    let scratch = finished();
    assert_eq!(research_stage(&scratch, "s")["reason"], "up to date");
    append(&scratch, "docs/costs.md", "A heat pump costs 99,999 euros.");
    scratch.write("docs/new.md", "# New\n\nA heat pump works in old houses.\n");
    fs::remove_file(scratch.path().join("docs/insulation-first.md")).unwrap();
    let stage = research_stage(&scratch, "s");
    assert_eq!(stage["runs"], true);
    let changes = stage["documents"].as_array().unwrap();
    let shown: Vec<_> = changes
        .iter()
        .map(|change| {
            let name = change["file"].as_str().unwrap();
            (name, change["was"].is_string(), change["is"].is_string())
        })
        .collect();
    assert_eq!(
        shown,
        [
            ("costs.md", true, true),
            ("insulation-first.md", true, false),
            ("new.md", false, true)
        ]
    );
    let text = scratch.expect(0, &["explain", "s"]).stdout;
    assert!(text.contains("costs.md changed: was "), "{text}");
    let foreseen = scratch.expect(0, &["run", "--resume", "s", "--dry-run"]);
    assert!(foreseen.stdout.contains("new.md"), "{}", foreseen.stdout);
}

#[test]
fn research_over_changed_documents_ends_as_a_new_one_and_keeps_untouched_steps() {
    let scratch = finished();
    let before = findings(&scratch);
    append(&scratch, "docs/costs.md", "The moon is 384,400 km away.");
    scratch.research();
    assert_eq!(research_stage(&scratch, "s")["reason"], "up to date");
    assert!(findings(&scratch) == before, "all steps are kept");

    // A sentence that is quoted.
    let costs = scratch.read("docs/costs.md");
    let other = costs.replace("25,000 to 35,000", "45,000 to 55,000");
    scratch.write("docs/costs.md", other);
    scratch.research();
    let after = findings(&scratch);
    let unchanged = after
        .iter()
        .filter(|(name, finding)| before.get(*name) == Some(*finding));
    let unchanged = unchanged.count();
    assert!(
        (1..after.len()).contains(&unchanged),
        "{unchanged} of {}",
        after.len()
    );

    fs::remove_file(scratch.path().join("docs/insulation-first.md")).unwrap();
    scratch.research();
    scratch.expect(0, &["run", TOPIC, "--docs", "docs", "--session", "new"]);
    assert_eq!(report(&scratch, "s"), report(&scratch, "new"));
    scratch.expect(0, &["verify", "s"]);
    assert!(
        scratch
            .session()
            .join("superseded/1/research.json")
            .exists()
    );
}

#[test]
fn documents_that_return_to_earlier_bytes_leave_no_text_of_between() {
    let scratch = finished();
    let sources = || {
        let mut tree = scratch.tree();
        tree.retain(|name, _| name.starts_with("sources/") && name.ends_with(".md"));
        tree
    };
    let (first_sources, first_report) = (sources(), report(&scratch, "s"));
    let costs = scratch.read("docs/costs.md");
    // A sentence that is quoted, and words that are not: then all steps say the same.
    let quoted = costs.replace("25,000 to 35,000", "45,000 to 55,000");
    let unquoted = format!("{costs}\n\nThe moon is 384,400 km away.\n");
    for other in [&quoted, &unquoted, &quoted] {
        scratch.write("docs/costs.md", other);
        scratch.research();
        assert!(sources() != first_sources);
        scratch.write("docs/costs.md", &costs);
        scratch.research();
        assert!(
            sources() == first_sources,
            "a stored text is of no document"
        );
        assert_eq!(report(&scratch, "s"), first_report);
    }
    scratch.expect(0, &["verify", "s"]);
}

#[test]
fn touched_document_and_frozen_session_are_up_to_date() {
    let scratch = finished();
    let costs = scratch.path().join("docs/costs.md");
    let file = File::options().append(true).open(&costs).unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
    assert_eq!(research_stage(&scratch, "s")["reason"], "up to date");
    append(&scratch, "docs/costs.md", "A heat pump costs 99,999 euros.");
    let frozen = scratch.expect(0, &["run", "--resume", "s", "--frozen"]);
    assert!(frozen.stderr.contains("nothing to do"), "{}", frozen.stderr);
    // A frozen run that does something uses what was read.
    fs::remove_file(scratch.session().join("report.json")).unwrap();
    scratch.expect(0, &["run", "--resume", "s", "--frozen"]);
    assert!(!report(&scratch, "s").contains("99,999"));
    assert_eq!(research_stage(&scratch, "s")["runs"], true);
}

#[test]
fn vanished_documents_are_a_change_and_the_report_stays() {
    for is_emptied in [false, true] {
        let scratch = finished();
        let before = scratch.tree();
        let docs = scratch.path().join("docs");
        fs::rename(&docs, scratch.path().join("elsewhere")).unwrap();
        if is_emptied {
            fs::create_dir(&docs).unwrap();
        }
        let explained = scratch.expect(0, &["explain", "s"]).stdout;
        assert!(explained.contains("costs.md is gone: was "), "{explained}");
        let status = scratch.expect(0, &["status", "s"]).stdout;
        assert!(status.contains("OUTDATED"), "{status}");
        let shown = scratch.expect(0, &["show", "s"]);
        let remark = "this report is not up to date: research.json: ";
        assert!(shown.stderr.starts_with(remark), "{}", shown.stderr);
        assert!(!shown.stdout.contains("not up to date"), "{}", shown.stdout);
        let listed = scratch.expect(0, &["list", "--state", "outdated"]).stdout;
        let complete = scratch.expect(0, &["list", "--state", "complete"]).stdout;
        assert!(!complete.contains("COMPLETE"), "{complete}");
        assert!(listed.contains("OUTDATED"), "{listed}");
        let ran = scratch.expect(1, &["run", "--resume", "s"]);
        assert!(ran.stderr.contains("--frozen"), "{}", ran.stderr);
        assert!(scratch.tree() == before);
        let frozen = scratch.expect(0, &["run", "--resume", "s", "--frozen"]);
        let ignored = "--frozen keeps what was read of the documents: costs.md is gone";
        let remarks = frozen.stderr.matches(ignored).count();
        assert_eq!(remarks, 1, "{}", frozen.stderr);
        // What was advised then would be the same again.
        let advice = "next     bring back docs, or name others in a new session: ";
        assert!(status.contains(advice), "{status}");
        assert!(!status.contains("--frozen"), "{status}");
    }
}

#[test]
fn renamed_document_is_no_change_of_content() {
    let scratch = finished();
    let document = |name: &str| scratch.path().join("docs").join(name);
    fs::rename(document("costs.md"), document("prices.md")).unwrap();
    let renamed = "costs.md is prices.md now";
    let explained = scratch.expect(0, &["explain", "s"]).stdout;
    assert!(explained.contains(renamed), "{explained}");
    for word in ["is gone", "is new", "missing"] {
        assert!(!explained.contains(word), "{word}: {explained}");
    }
    let foreseen = scratch.expect(0, &["update", "s", "--dry-run"]);
    assert!(foreseen.stdout.contains(renamed), "{}", foreseen.stdout);
    let updated = scratch.expect(0, &["update", "s"]);
    assert_eq!(updated.stdout, "");
    assert!(updated.stderr.contains(renamed), "{}", updated.stderr);
    assert!(report(&scratch, "s").contains("prices.md"));
    // With another change beside it, that one counts.
    fs::rename(document("prices.md"), document("costs.md")).unwrap();
    let first = scratch.read("docs/insulation-first.md");
    let other = first.replace("Insulation must come before", "Insulation can follow");
    scratch.write("docs/insulation-first.md", other);
    let updated = scratch.expect(8, &["update", "s"]).stdout;
    assert!(!updated.contains("25,000 to 35,000"), "{updated}");
}

#[test]
fn deleted_file_among_those_that_were_named_is_a_change() {
    let scratch = Scratch::with_few();
    let named = [
        "docs/costs.md",
        "docs/insulation-first.md",
        "docs/radiators-can-stay.md",
    ];
    let docs: Vec<&str> = named.iter().flat_map(|name| ["--docs", name]).collect();
    let run = [&["run", TOPIC, "--session", "s"], &docs[..]].concat();
    scratch.expect(0, &run);
    fs::remove_file(scratch.path().join("docs/costs.md")).unwrap();
    let explained = scratch.expect(0, &["explain", "s"]).stdout;
    assert!(explained.contains("costs.md is gone: was "), "{explained}");
    assert!(!explained.contains("insulation-first.md is"), "{explained}");
    scratch.expect(0, &["run", "--resume", "s"]);
    assert_eq!(research_stage(&scratch, "s")["reason"], "up to date");
    assert!(
        report(&scratch, "s").contains("costs.md"),
        "among the limits"
    );
    scratch.expect(0, &["verify", "s"]);
}

#[test]
fn pattern_or_list_as_documents_says_what_to_write_instead() {
    let scratch = Scratch::with_few();
    for (named, advice) in [
        ("docs/*.md", "patterns"),
        ("docs/costs.md,docs", "--docs of its own"),
    ] {
        let refused = scratch.expect(2, &["run", TOPIC, "--docs", named]).stderr;
        assert!(
            refused.contains(named) && refused.contains(advice),
            "{refused}"
        );
    }
}

#[test]
fn batch_sees_a_changed_document_and_skips_again_afterwards() {
    let scratch = Scratch::with_few();
    scratch.write(
        "topics.txt",
        format!("{TOPIC}\nWhat does a heat pump cost?\n"),
    );
    let batch = |more: &[&str]| {
        let arguments = ["batch", "topics.txt", "--docs", "docs"];
        let ran = scratch.expect(0, &[&arguments[..], more].concat());
        ran.stdout + &ran.stderr
    };
    batch(&[]);
    assert!(batch(&[]).contains("nothing to do for 2"));
    append(&scratch, "docs/costs.md", "A heat pump costs 99,999 euros.");
    assert!(batch(&["--dry-run"]).contains("costs.md changed"));
    assert!(batch(&["--frozen"]).contains("nothing to do for 2"));
    assert!(!batch(&[]).contains("nothing to do"));
    assert!(batch(&[]).contains("nothing to do for 2"));
}

/// A finished session, and another one, `t`, about costs.
fn with_costs() -> Scratch {
    let scratch = finished();
    let topic = "What does a heat pump cost?";
    scratch.expect(0, &["run", topic, "--docs", "docs", "--session", "t"]);
    scratch
}

#[test]
fn update_says_claim_by_claim_what_is_new_changed_and_gone() {
    let scratch = with_costs();
    let unchanged = scratch.expect(0, &["update", "--all"]);
    assert_eq!(unchanged.stdout, "");
    assert!(
        unchanged.stderr.contains("2 reports: 2 as before"),
        "{}",
        unchanged.stderr
    );

    let costs = scratch.read("docs/costs.md");
    scratch.write(
        "docs/costs.md",
        costs.replace("25,000 to 35,000", "45,000 to 55,000"),
    );
    let foreseen = scratch.expect(8, &["update", "--all", "--dry-run"]).stdout;
    assert!(
        foreseen.contains("- research-output/t: costs.md changed: was "),
        "{foreseen}"
    );
    let changed = scratch.expect(8, &["update", "t"]).stdout;
    assert!(
        changed.starts_with("## What does a heat pump cost?\n"),
        "{changed}"
    );
    let line = |start: &str| {
        changed
            .lines()
            .find(|line| line.starts_with(start))
            .unwrap()
    };
    assert!(
        line("- **was**: ").contains("25,000 to 35,000"),
        "{changed}"
    );
    assert!(
        line("- **is now**: ").contains("45,000 to 55,000"),
        "{changed}"
    );
    assert!(changed.contains(" as before."), "{changed}");
    scratch.expect(0, &["update", "t"]);
}

#[test]
fn update_gives_the_file_that_makes_the_news_as_the_reason() {
    let scratch = with_costs();
    scratch.write("docs/a.md", "# The moon\n\nThe moon is 384,400 km away.\n");
    let costs = scratch.read("docs/costs.md");
    scratch.write(
        "docs/costs.md",
        costs.replace("25,000 to 35,000", "45,000 to 55,000"),
    );
    let reason = "research-output/t: costs.md changed: was ";
    let foreseen = scratch.expect(8, &["update", "t", "--dry-run"]).stdout;
    assert!(foreseen.contains(reason), "{foreseen}");
    let changed = scratch.expect(8, &["update", "t"]).stdout;
    assert!(changed.contains(reason), "{changed}");
    assert!(changed.contains("(also a.md)"), "{changed}");
}

#[test]
fn explain_and_status_name_the_changed_document_that_is_quoted_first() {
    let scratch = Scratch::with_docs(&[
        ("a-list.md", "# Names\n\nThe shed is painted blue.\n"),
        (
            "rules.md",
            "# Rules\n\nThe rest between two charges takes 60 minutes.\n",
        ),
    ]);
    let question = "How long is the rest between two charges?";
    let run = ["run", question, "--docs", "docs", "--session", "s", "-q"];
    let report = scratch.expect(0, &run).stdout;
    assert!(report.contains("60 minutes") && !report.contains("blue"));
    append(&scratch, "docs/a-list.md", "The shed has two doors.");
    append(
        &scratch,
        "docs/rules.md",
        "The rest after a check takes 90 minutes.",
    );
    for command in ["explain", "status"] {
        let said = scratch.expect(0, &[command, "s"]).stdout;
        assert!(said.contains("rules.md changed: was "), "{said}");
        assert!(said.contains(" (also a-list.md)"), "{said}");
        assert!(!said.contains("a-list.md changed"), "{said}");
    }
    let documents = &research_stage(&scratch, "s")["documents"];
    assert_eq!(documents[0]["file"], "rules.md");
}

#[test]
fn update_tells_sources_that_are_gone_and_is_silent_without_news() {
    let scratch = with_costs();
    // A change that no report quotes makes no news.
    append(
        &scratch,
        "docs/insulation-first.md",
        "The moon is 384,400 km away.",
    );
    let quiet = scratch.expect(0, &["update", "t", "--quiet"]);
    assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str()), ("", ""));

    fs::remove_file(scratch.path().join("docs/insulation-first.md")).unwrap();
    let all = parsed(&scratch.expect(8, &["update", "--all", "--json"]).stdout);
    let s = all
        .as_array()
        .unwrap()
        .iter()
        .find(|entry| entry["session"] == "s")
        .unwrap();
    assert_eq!(s["outcome"], "changed");
    let gone = s["gone"].as_array().unwrap();
    assert!(
        gone.iter()
            .any(|claim| claim["locator"] == "insulation-first.md"),
        "{s}"
    );
    let unquoted = s["unquoted"].as_array().unwrap();
    assert!(
        gone.iter()
            .all(|claim| claim["locator"] == "insulation-first.md")
            && !unquoted.is_empty()
            && unquoted
                .iter()
                .all(|claim| claim["locator"] != "insulation-first.md"),
        "{s}"
    );
    assert_eq!(s["gone_references"][0]["locator"], "insulation-first.md");
    scratch.expect(0, &["verify", "s"]);
}

#[test]
fn several_sessions_are_updated_at_a_time_with_the_same_result() {
    let updated = |jobs: &str| {
        let scratch = finished();
        let others = [
            ("a", "What does a heat pump cost?"),
            ("b", "Is insulation needed?"),
        ];
        for (name, topic) in others {
            scratch.expect(0, &["run", topic, "--docs", "docs", "--session", name]);
        }
        append(&scratch, "docs/costs.md", "A heat pump costs 99,999 euros.");
        let ran = scratch.expect(8, &["update", "--all", "--jobs", jobs]);
        let reports = ["s", "a", "b"].map(|session| report(&scratch, session));
        (ran, reports)
    };
    let ((one, one_reports), (four, four_reports)) = (updated("1"), updated("4"));
    assert_eq!(one.stdout, four.stdout);
    assert!(
        four.stderr.contains("changed: research-output/a"),
        "{}",
        four.stderr
    );
    assert!(one_reports == four_reports);
}

#[test]
fn update_of_all_goes_on_after_a_failure_and_keeps_the_report() {
    let scratch = finished();
    scratch.expect(
        0,
        &["run", TOPIC, "--docs", "docs/costs.md", "--session", "a"],
    );
    scratch.expect(
        4,
        &["run", "the of", "--docs", "docs", "--session", "waits"],
    );
    let before = report(&scratch, "a");
    fs::remove_file(scratch.path().join("docs/costs.md")).unwrap();
    let ran = scratch.run(&["update", "--all", "--json"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(
        ran.stderr
            .contains("none of the documents that research-output/a was made from"),
        "{}",
        ran.stderr
    );
    let entries = parsed(&ran.stdout);
    let outcomes: Vec<_> = entries
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["outcome"])
        .collect();
    assert_eq!(outcomes, ["failed", "changed", "left_out"]);
    assert_eq!(report(&scratch, "a"), before);
    scratch.expect(2, &["update"]);
}

#[test]
fn report_that_an_update_replaces_keeps_what_it_links_to() {
    let scratch = finished();
    let before = scratch.tree();
    // A document that is quoted first takes the number of another one.
    let text = "# Heat pumps in old houses\n\nHeat pumps work in old houses of every age.\n";
    scratch.write("docs/a.md", text);
    let explained = scratch.expect(0, &["explain", "s"]).stdout;
    assert!(explained.contains("a.md is new ("), "{explained}");
    scratch.expect(8, &["update", "s"]);
    let report = scratch.read("research-output/s/superseded/1/final_report.md");
    let links = report.split("](sources/").skip(1);
    let files: Vec<String> = links
        .map(|link| format!("sources/{}", link.split([' ', ')']).next().unwrap()))
        .collect();
    assert!(!files.is_empty(), "{report}");
    for file in files {
        let kept = scratch.read(&format!("research-output/s/superseded/1/{file}"));
        assert_eq!(kept.as_bytes(), before[&file], "{file}");
    }
    scratch.expect(0, &["verify", "s"]);
}
