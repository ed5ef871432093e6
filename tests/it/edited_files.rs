//! Edits by hand of files for people to read, and references to what does not exist.

use std::fs;

use crate::harness::{Scratch, TOPIC};

fn finished() -> Scratch {
    let scratch = Scratch::with_few();
    scratch.research();
    scratch
}

#[test]
fn edited_rendering_is_noticed_and_not_overwritten() {
    let scratch = finished();
    scratch.expect(0, &["verify", "s"]);
    scratch.edit("final_report.md", "## In brief", "## In short");
    let status = scratch.expect(0, &["status", "s"]).stdout;
    assert!(
        status.contains("edited   final_report.md: changed by hand"),
        "{status}"
    );
    let verified = scratch.expect(1, &["verify", "s"]);
    let verified = verified.stdout + &verified.stderr;
    assert!(
        verified.contains("final_report.md was changed by hand"),
        "{verified}"
    );
    let ran = scratch.expect(0, &["run", "--resume", "s"]);
    let warning = "research-output/s/final_report.md: changed by hand";
    assert!(ran.stderr.contains(warning), "{}", ran.stderr);
    assert!(ran.stdout.contains("## In short"), "{}", ran.stdout);
    // A run that makes it again keeps the edit.
    scratch.expect(0, &["run", "--resume", "s", "--from", "review"]);
    assert!(
        scratch
            .read("research-output/s/superseded/1/final_report.md")
            .contains("## In short")
    );
    assert!(
        scratch
            .read("research-output/s/final_report.md")
            .contains("## In brief")
    );
    scratch.expect(0, &["verify", "s"]);
}

#[test]
fn claim_that_an_edit_of_the_research_takes_away_is_named() {
    let scratch = finished();
    let quote = "\"quote\": \"An air-source heat pump for an old house costs";
    scratch.edit("research.json", quote, &quote.replace("costs", "cost"));
    scratch.expect(0, &["run", "--resume", "s"]);
    let limits = scratch.json("report.json")["content"]["limits"].to_string();
    let said = "did not hold against its sources and was left out: “An air-source heat pump for";
    assert!(limits.contains(said), "{limits}");
    let (_, rest) = limits.split_once(said).unwrap();
    assert!(rest.contains("…” (P"), "{limits}");
}

#[test]
fn reference_to_what_does_not_exist_is_an_error_with_file_and_line() {
    for (file, words, others, named) in [
        (
            "analysis.json",
            "\"passage\": \"P1\"",
            "\"passage\": \"P999\"",
            "passage in research.json \"P999\"",
        ),
        (
            "report.json",
            "\"source\": \"S1\"",
            "\"source\": \"S99\"",
            "source in research.json \"S99\"",
        ),
        (
            "research.json",
            "\"source\": \"S1\"",
            "\"source\": \"S99\"",
            "source in research.json \"S99\"",
        ),
        ("report.json", "\"C1\"", "\"C99\"", "claim in this file \"C"),
    ] {
        let scratch = finished();
        let before = scratch.read("research-output/s/final_report.md");
        scratch.edit(file, words, others);
        let ran = scratch.expect(1, &["run", "--resume", "s"]);
        assert!(ran.stderr.contains(named), "{}", ran.stderr);
        assert!(
            ran.stderr.contains(&format!("research-output/s/{file}:")),
            "{}",
            ran.stderr
        );
        assert!(!ran.stderr.contains("to resume"), "{}", ran.stderr);
        let status = scratch.expect(0, &["status", "s"]).stdout;
        assert!(
            status.contains("BROKEN") && status.contains(named),
            "{status}"
        );
        assert_eq!(scratch.read("research-output/s/final_report.md"), before);
        scratch.edit(file, others, words);
        scratch.expect(0, &["run", "--resume", "s"]);
    }
    let scratch = finished();
    scratch.edit(
        "analysis.json",
        "\"passage\": \"P1\"",
        "\"passage\": \"P999\"",
    );
    scratch.expect(0, &["run", "--resume", "s", "--from", "analysis"]);
}

#[test]
fn analysis_has_the_words_of_each_passage_which_no_edit_can_change() {
    let scratch = finished();
    let research = scratch.json("research.json");
    let passages = research["content"]["passages"].as_array().unwrap();
    let analysis = scratch.json("analysis.json");
    let insights = analysis["content"]["insights"].as_array().unwrap();
    for insight in insights {
        let mut passages = passages.iter();
        let passage = passages.find(|passage| passage["id"] == insight["passage"]);
        let words = passage.unwrap()["quote"].as_str().unwrap();
        let words: Vec<&str> = words.split_whitespace().collect();
        assert_eq!(insight["quote"], words.join(" "));
    }
    let quote = insights[0]["quote"].as_str().unwrap();
    scratch.edit("analysis.json", quote, &format!("Never: {quote}"));
    let ran = scratch.expect(1, &["run", "--resume", "s"]);
    assert!(
        ran.stderr.contains("the quote of I1 stands in no passage"),
        "{}",
        ran.stderr
    );
    scratch.edit("analysis.json", "Never: ", "");
    // The id alone says which passage is meant.
    let other = insights
        .iter()
        .find(|other| other["passage"] != insights[0]["passage"]);
    let other = other.unwrap()["passage"].as_str().unwrap();
    let [was, is] = [insights[0]["passage"].as_str().unwrap(), other]
        .map(|passage| format!("\"passage\": \"{passage}\""));
    scratch.edit("analysis.json", &was, &is);
    scratch.expect(0, &["run", "--resume", "s"]);
    // An update that makes it again from other documents says that the edit is superseded.
    let still = scratch.expect(0, &["update", "s"]).stderr;
    assert!(!still.contains("edited by hand"), "{still}");
    fs::remove_file(scratch.path().join("docs/costs.md")).unwrap();
    let updated = scratch.expect(8, &["update", "s"]).stderr;
    let words = "research-output/s/analysis.json was edited by hand, and is made again";
    assert!(updated.contains(words), "{updated}");
}

#[test]
fn claim_that_was_changed_by_hand_is_marked_where_it_is_printed() {
    let scratch = finished();
    let text = scratch.json("report.json")["content"]["claims"][0]["text"].clone();
    let text = text.as_str().unwrap();
    let altered = format!("{} Honestly.", text.trim_end_matches('.'));
    let [was, is] = [text, &altered].map(|text| format!("\"text\": {}", serde_json::json!(text)));
    scratch.edit("report.json", &was, &is);
    let ran = scratch.expect(0, &["run", "--resume", "s"]);
    let mark = "changed by hand: not the words of the source";
    assert!(ran.stdout.contains(mark), "{}", ran.stdout);
    let quoted = "Sentences are quoted word for word";
    assert!(!ran.stdout.contains(quoted), "{}", ran.stdout);
    for format in ["md", "html", "json"] {
        let exported = scratch
            .expect(0, &["export", "s", "--format", format])
            .stdout;
        assert!(exported.contains(mark), "{format}");
    }
    scratch.expect(1, &["verify", "s"]);
    let other = Scratch::with_few();
    let ran = other.expect(0, &["run", TOPIC, "--docs", "docs"]);
    assert!(!ran.stdout.contains(mark));
}

/// Falsifies the first claim of a file and its quotation alike, as a replacement of words in the
/// whole file does. Returns the new sentence.
fn falsify(scratch: &Scratch, name: &str) -> String {
    let claim = scratch.json(name)["content"]["claims"][0].clone();
    let text = claim["text"].as_str().unwrap();
    let (first, rest) = text.split_once(' ').unwrap();
    let file = format!("research-output/s/{name}");
    let falsified = scratch
        .read(&file)
        .replace(text, &format!("{first} never {rest}"));
    scratch.write(&file, falsified);
    format!("{first} never {rest}")
}

#[test]
fn stored_text_that_was_changed_or_removed_is_named_by_each_further_run() {
    for (is_removed, named) in [
        (false, "research-output/s/sources/S1.md: changed by hand"),
        (true, "research-output/s lacks sources/S1.md"),
    ] {
        let scratch = finished();
        let file = "research-output/s/sources/S1.md";
        if is_removed {
            std::fs::remove_file(scratch.path().join(file)).unwrap();
        } else {
            let text = scratch.read(file);
            scratch.write(file, format!("{text}\nAnother line."));
        }
        let ran = scratch.expect(0, &["run", "--resume", "s"]);
        assert!(ran.stderr.contains(named), "{}", ran.stderr);
        // Once, however many claims cite it.
        assert_eq!(ran.stderr.matches("S1").count(), 1, "{}", ran.stderr);
        let status = scratch.expect(0, &["status", "s"]).stdout;
        assert!(status.contains("sources/S1.md"), "{status}");
        if is_removed {
            assert!(!ran.stderr.contains("up to date"), "{}", ran.stderr);
            scratch.expect(3, &["run", "--resume", "s", "--strict"]);
            let updated = scratch.expect(0, &["update", "s"]);
            let named = "research: research-output/s/sources/S1.md: missing";
            assert!(updated.stderr.contains(named), "{}", updated.stderr);
        }
    }
}

#[test]
fn run_that_lacks_a_stored_text_is_resumed_from_the_research() {
    let scratch = finished();
    std::fs::remove_file(scratch.session().join("sources/S1.md")).unwrap();
    let next = "research run --resume research-output/s --offline --from research";
    for arguments in [&["--from", "write"][..], &[]] {
        let run = [&["run", "--resume", "s", "--offline"], arguments].concat();
        let failed = scratch.expect(1, &run).stderr;
        assert!(failed.contains(&format!("to resume: {next}\n")), "{failed}");
        let status = scratch.expect(0, &["status", "s"]).stdout;
        assert!(status.contains(next), "{status}");
    }
    let again = ["run", "--resume", "s", "--offline", "--from", "research"];
    scratch.expect(0, &again);
    scratch.expect(0, &["verify", "s"]);
}

#[test]
fn published_report_that_was_moved_away_is_named_as_missing() {
    let scratch = finished();
    std::fs::remove_file(scratch.session().join("final_report.md")).unwrap();
    let verified = scratch.expect(1, &["verify", "s"]).stderr;
    assert!(
        verified.contains("final_report.md is missing"),
        "{verified}"
    );
    let dry = scratch.expect(8, &["update", "s", "--dry-run"]).stdout;
    assert!(dry.contains("final_report.md is missing"), "{dry}");
    scratch.expect(0, &["run", "--resume", "s"]);
    scratch.expect(0, &["verify", "s"]);
}

#[test]
fn quotation_falsified_together_with_its_claim_is_not_published_as_supported() {
    let scratch = finished();
    let falsified = falsify(&scratch, "report.json");
    let ran = scratch.expect(0, &["run", "--resume", "s"]);
    let named = "changed by hand, not checked: research-output/s/report.json, C1: ";
    assert!(ran.stderr.contains(named), "{}", ran.stderr);
    let mark = "[changed by hand: not the words of the source]";
    let marked = format!("{falsified} \\[changed by hand: not the words of the source\\]");
    let is_marked = |text: &str| text.contains(&format!("{falsified} {mark}"));
    assert!(
        is_marked(&ran.stdout) || ran.stdout.contains(&marked),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("not what was checked, and is marked."));
    // The review counts it as what it is, and asks to do without.
    let review = scratch.json("review.json")["content"].clone();
    let criteria = review["criteria"].as_array().unwrap();
    let citations = criteria.iter().find(|own| own["name"] == "citations");
    assert!(citations.unwrap()["score"].as_f64().unwrap() < 1.0);
    assert!(review["notes"].to_string().contains("C1 does not hold"));
    let export = |format| {
        let exported = scratch.expect(0, &["export", "s", "--format", format]);
        exported.stdout
    };
    let csv = export("csv");
    let row = csv.lines().find(|line| line.starts_with("C1,")).unwrap();
    assert!(row.contains(",unsupported,"), "{row}");
    assert!(!row.contains("word for word"), "{row}");
    let page = export("html");
    assert!(page.contains("not supported: "));
    // The passage below it is what the source says.
    assert!(page.contains("<strong>Changed by hand.</strong>"));
    assert!(!page.contains(&format!("<mark>{falsified}</mark>")));
    let document = crate::harness::parsed(&export("json"));
    assert_eq!(document["claims"][0]["verdict"], "unsupported");
    assert!(is_marked(document["claims"][0]["text"].as_str().unwrap()));
    let shown = crate::harness::parsed(&scratch.expect(0, &["show", "s", "--json"]).stdout);
    assert!(is_marked(
        shown["report"]["claims"][0]["text"].as_str().unwrap()
    ));
    let verified = scratch.expect(1, &["verify", "s"]);
    assert!(verified.stderr.contains("report.json, C1: "));
}

#[test]
fn claim_that_is_not_the_words_of_its_source_is_in_each_overview() {
    let scratch = finished();
    falsify(&scratch, "report.json");
    for _ in 0..2 {
        // Before and after the report is published again.
        let list = scratch.expect(0, &["list"]).stdout;
        assert!(list.contains("(changed by hand)"), "{list}");
        let status = scratch.expect(0, &["status", "s"]).stdout;
        let altered = "altered  changed by hand, not checked: report.json, C1: ";
        assert!(status.contains(altered), "{status}");
        let status = crate::harness::parsed(&scratch.expect(0, &["status", "s", "--json"]).stdout);
        assert_eq!(status["altered"].as_array().unwrap().len(), 1);
        scratch.expect(3, &["run", "--resume", "s", "--strict"]);
    }
    let status = scratch.expect(0, &["status", "s"]).stdout;
    assert!(status.contains("COMPLETE (changed by hand)"), "{status}");
    let updated = scratch.expect(0, &["update", "--all", "--quiet"]);
    let named = "changed by hand, not checked: research-output/s/report.json, C1: ";
    assert!(updated.stderr.contains(named), "{}", updated.stderr);
    scratch.write(
        "list.txt",
        format!("{{\"topic\": \"{TOPIC}\", \"session\": \"s\"}}\n"),
    );
    let arguments = ["batch", "list.txt", "--docs", "docs", "--quiet"];
    let batch = scratch.expect(0, &arguments);
    let named = "list.txt:1: changed by hand: ";
    assert!(batch.stderr.contains(named), "{}", batch.stderr);
    let strict = scratch.expect(3, &[&arguments[..], &["--strict"]].concat());
    assert!(strict.stderr.contains(named), "{}", strict.stderr);
}

#[test]
fn mark_of_an_edit_is_no_sentence_of_the_report_that_is_checked() {
    let scratch = finished();
    falsify(&scratch, "report.json");
    scratch.expect(0, &["run", "--resume", "s"]);
    let file = "research-output/s/final_report.md";
    let checked = scratch
        .expect(1, &["check", file, "--offline", "--all"])
        .stdout;
    assert!(!checked.contains("[changed by hand"), "{checked}");
    assert!(!checked.contains("without a source"), "{checked}");
}

#[test]
fn claim_falsified_in_the_draft_is_named_by_verify_explain_and_run() {
    let scratch = finished();
    falsify(&scratch, "claims.json");
    for (code, command) in [
        (1, &["verify", "s"][..]),
        (0, &["explain", "s"]),
        (0, &["run", "--resume", "s"]),
    ] {
        let ran = scratch.expect(code, command);
        assert!(ran.stderr.contains("claims.json, C1: "), "{}", ran.stderr);
    }
}

#[test]
fn source_changed_together_with_its_quotation_supports_nothing() {
    let scratch = finished();
    let claim = scratch.json("report.json")["content"]["claims"][0].clone();
    let citation = &claim["citations"][0];
    let quote = citation["quote"].as_str().unwrap();
    // As long as before, so that every other quotation stays where it is.
    let other = quote.replacen(|c: char| c.is_ascii_digit() || c == 'a', "o", 1);
    for name in [
        "report.json",
        &format!("sources/{}.md", citation["source"].as_str().unwrap()),
    ] {
        let file = format!("research-output/s/{name}");
        let text = scratch.read(&file);
        scratch.write(&file, text.replace(quote, &other));
    }
    let exported = scratch.expect(0, &["export", "s", "--format", "csv"]);
    let row = exported.stdout.lines().find(|line| line.starts_with("C1,"));
    assert!(row.unwrap().contains(",abstained,"), "{row:?}");
}

#[test]
fn step_of_an_earlier_plan_is_no_edit_by_hand() {
    let scratch = Scratch::with_few();
    scratch.research();
    let steps = scratch.session().join("research/steps");
    let first = fs::read_dir(&steps).unwrap().next().unwrap().unwrap();
    let step = fs::read_to_string(first.path()).unwrap();
    let digest = step.split("research/plan-1.json\": \"").nth(1).unwrap();
    let other = step.replace(&digest[..64], &"0".repeat(64));
    fs::write(steps.join("9-term.json"), &other).unwrap();
    let status = scratch.expect(0, &["status", "s"]).stdout;
    assert!(!status.contains("changed by hand"), "{status}");
    // Of a step of the plan it is one.
    fs::write(first.path(), &other).unwrap();
    let status = scratch.expect(0, &["status", "s"]).stdout;
    assert!(status.contains("research/plan-1.json"), "{status}");
}

#[test]
fn nothing_runs_in_a_plan_that_stops_at_a_broken_file() {
    let scratch = finished();
    scratch.write("research-output/s/report.json", "{\"version\": 1,");
    let explained = scratch.run(&["explain", "s"]).stdout;
    assert!(explained.contains("stop  write"), "{explained}");
    assert!(!explained.contains("run   "), "{explained}");
    assert!(explained.contains("next: stop: "), "{explained}");
}

#[test]
fn nothing_is_written_without_a_text_that_the_draft_cites() {
    let scratch = finished();
    fs::remove_file(scratch.session().join("sources/S1.md")).unwrap();
    let report = scratch.read("research-output/s/final_report.md");
    let refused = scratch.expect(1, &["run", "--resume", "s", "--from", "write"]);
    for words in ["sources/S1.md is missing", "--from research"] {
        assert!(refused.stderr.contains(words), "{}", refused.stderr);
    }
    let kept = scratch.expect(1, &["run", "--resume", "s"]);
    assert!(kept.stderr.contains("sources/S1.md"), "{}", kept.stderr);
    scratch.expect(0, &["run", "--resume", "s", "--from", "research"]);
    assert_eq!(scratch.read("research-output/s/final_report.md"), report);
}

#[test]
fn published_report_that_is_missing_is_the_reason_of_its_state() {
    let scratch = finished();
    fs::remove_file(scratch.session().join("final_report.md")).unwrap();
    let status = scratch.expect(0, &["status", "s"]).stdout;
    assert!(status.contains("final_report.md is missing"), "{status}");
}

#[test]
fn session_without_its_parameters_is_named_by_list_and_by_its_name() {
    let scratch = finished();
    fs::remove_file(scratch.session().join("session.json")).unwrap();
    let listed = scratch.expect(0, &["list"]).stderr;
    assert!(
        listed.contains("research-output/s is no session any more"),
        "{listed}"
    );
    let refused = scratch.expect(2, &["status", "s"]).stderr;
    assert!(refused.contains("it holds no session.json"), "{refused}");
}
