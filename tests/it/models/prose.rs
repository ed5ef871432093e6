//! Reports in prose: what a model writes is checked sentence by sentence against what it cites.

use std::fs;
use std::time::Duration;

use serde_json::Value;

use super::answers::{fences, text};
use super::server::{Act, ChatRequest, Server};
use super::{RUN_ARGUMENTS, command, run};
use crate::harness::{Ran, Scratch};

/// A provider whose writer writes this on its prompt; everything else is sound.
fn written_by(write: impl Fn(&str) -> String + Send + Sync + 'static) -> Server {
    let plan = move |_: u64, request: &ChatRequest| match request.agent.as_str() {
        "writer" => Act::Say(write(&request.prompt), false),
        _ => Act::Answer,
    };
    Server::start(Duration::ZERO, Box::new(plan))
}

/// The passages that the writer is shown, with their numbers.
fn shown(prompt: &str) -> Vec<(usize, String)> {
    let fences = fences(prompt).into_iter();
    fences
        .filter_map(|(name, _, text)| Some((name.parse().ok()?, text)))
        .collect()
}

fn content(scratch: &Scratch, name: &str) -> Value {
    scratch.json(name)["content"].clone()
}

#[test]
fn prose_of_a_model_is_verified_and_exported() {
    let (scratch, server) = (Scratch::with_few(), Server::sound(Duration::ZERO));
    run(&scratch, &server, &RUN_ARGUMENTS).assert_ended(0, "prose");
    let report = content(&scratch, "report.json");
    let claims = report["claims"].as_array().unwrap();
    assert!(claims.iter().any(|claim| claim["kind"] == "written"));
    let text = scratch.read("research-output/s/final_report.md");
    assert!(text.contains("\n## Conclusion\n"), "{text}");
    scratch.expect(0, &["verify", "s"]);
    let page = scratch
        .expect(0, &["export", "s", "--format", "html"])
        .stdout;
    assert!(page.contains("popovertarget=\"passage-1\""), "{page}");
    let log = scratch.read("research-output/s/events.jsonl");
    for event in ["claim_verified", "claims_verified"] {
        assert!(log.contains(event), "{event}: {log}");
    }
}

#[test]
fn sentences_that_were_changed_by_hand_are_marked_and_named() {
    for file in ["claims.json", "report.json"] {
        let (scratch, server) = (Scratch::with_few(), Server::sound(Duration::ZERO));
        run(&scratch, &server, &RUN_ARGUMENTS).assert_ended(0, "prose");
        let claims = content(&scratch, "report.json")["claims"].clone();
        let mut claims = claims.as_array().unwrap().iter();
        let written = claims.find(|claim| claim["kind"] == "written").unwrap();
        let text = format!("\"text\": {}", written["text"]);
        // All of its words are the source's, so that it holds.
        scratch.edit(file, &text, &format!("{}!!\"", text.trim_end_matches('"')));
        // A draft is read again when its report is made anew.
        if file == "claims.json" {
            fs::remove_file(scratch.session().join("report.json")).unwrap();
        }
        run(&scratch, &server, &["run", "--resume", "s"]).assert_ended(0, file);
        let report = scratch.read("research-output/s/final_report.md");
        assert!(report.contains("!! [changed by hand]"), "{file}: {report}");
        let verified = scratch.expect(1, &["verify", "s"]);
        let verified = verified.stdout + &verified.stderr;
        assert!(
            verified.contains("its sentence was changed by hand since it was written"),
            "{file}: {verified}"
        );
    }
}

#[test]
fn planted_faults_never_reach_the_report() {
    let invented = "Martians installed 4711 heat pumps in Paris in 1877.";
    let scratch = Scratch::with_few();
    let server = written_by(move |prompt| {
        format!(
            "{}\n[1] {invented}\n[99] Nobody shows this one.\n",
            text("writer", prompt)
        )
    });
    run(&scratch, &server, &RUN_ARGUMENTS).assert_ended(0, "faults");
    let report = scratch.read("research-output/s/final_report.md");
    assert!(
        !report.contains("Martians") && !report.contains("Nobody shows"),
        "{report}"
    );
    let corrections = content(&scratch, "claims.json")["corrections"].clone();
    let before: Vec<&str> = corrections
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|own| own["before"].as_str())
        .collect();
    assert!(before.contains(&invented), "{before:?}");
    scratch.expect(0, &["verify", "s"]);
}

/// A report of which a sentence does not hold; and the sentences of a section, worded anew.
fn with_gap(prompt: &str) -> String {
    if prompt.starts_with("You write one section of a report again") {
        let lines = shown(prompt).into_iter();
        let lines = lines.map(|(number, text)| format!("[{number}] Also, {text}\n"));
        return lines.collect();
    }
    let invented = "Martians installed 4711 heat pumps in Paris in 1877.";
    format!("{}\n[1] {invented}\n", text("writer", prompt))
}

#[test]
fn a_section_is_read_once_more_where_sentences_were_removed() {
    let scratch = Scratch::with_few();
    let plan = |_: u64, request: &ChatRequest| match request.agent.as_str() {
        "writer" => Act::Say(with_gap(&request.prompt), false),
        "reviser" => Act::Say("DROP".to_owned(), false),
        _ => Act::Answer,
    };
    let server = Server::start(Duration::ZERO, Box::new(plan));
    run(&scratch, &server, &RUN_ARGUMENTS).assert_ended(0, "flow");
    let corrections = content(&scratch, "claims.json")["corrections"].clone();
    let mut corrections = corrections.as_array().unwrap().iter();
    let reworded = corrections.find(|own| own["change"] == "reworded").unwrap();
    let after = reworded["after"].as_str().unwrap();
    assert_eq!(
        after,
        format!("Also, {}", reworded["before"].as_str().unwrap())
    );
    let report = scratch.read("research-output/s/final_report.md");
    assert!(report.contains("Also, "), "{report}");
    assert!(report.contains("worded anew"), "{report}");
    scratch.expect(0, &["verify", "s"]);
}

#[test]
fn conclusion_that_says_the_summary_again_is_left_out() {
    let again = |prompt: &str| {
        let shown = shown(prompt);
        let (number, text) = &shown[0];
        let (other, body) = &shown[1];
        format!(
            "## Summary\n[{number}] {text}\n## How it works\n[{other}] {body}\n## Conclusion\n\
             [{number}] {text}\n"
        )
    };
    let (scratch, server) = (Scratch::with_few(), written_by(again));
    run(&scratch, &server, &RUN_ARGUMENTS).assert_ended(0, "said again");
    let report = content(&scratch, "report.json");
    let claims = report["claims"].as_array().unwrap();
    let texts = |field: &str| -> Vec<&Value> {
        let ids = report[field].as_array().unwrap();
        let claim = |id: &Value| claims.iter().find(|claim| claim["id"] == *id).unwrap();
        ids.iter().map(|id| &claim(id)["text"]).collect()
    };
    let summary = texts("executive_summary");
    assert!(!summary.is_empty(), "{report}");
    let conclusion = texts("conclusion");
    assert!(
        !conclusion.iter().any(|text| summary.contains(text)),
        "{conclusion:?}"
    );
}

#[test]
fn a_sentence_that_no_passage_shows_is_searched_for_again() {
    let sentence = "White storks breed on chimneys in Alsace and spend the winter in Mali.";
    let scratch = Scratch::with_few();
    scratch.write(
        "docs/storks.md",
        format!("# Storks\n\n{sentence} They are tall.\n"),
    );
    let server = written_by(move |prompt| format!("{}\n[1] {sentence}\n", text("writer", prompt)));
    run(&scratch, &server, &RUN_ARGUMENTS).assert_ended(0, "again");
    let draft = content(&scratch, "claims.json");
    assert_eq!(draft["sources"][0]["id"], "W1-1", "{draft}");
    assert_eq!(draft["passages"][0]["quote"], sentence);
    let mut corrections = draft["corrections"].as_array().unwrap().iter();
    let own = corrections.find(|own| own["before"] == sentence).unwrap();
    assert_eq!(
        (&own["change"], &own["after"]),
        (&"recited".into(), &sentence.into())
    );
    let report = scratch.read("research-output/s/final_report.md");
    assert!(
        report.contains(sentence) && report.contains("storks.md"),
        "{report}"
    );
    let stored = scratch.read("research-output/s/sources/W1-1.md");
    assert!(stored.contains(sentence), "{stored}");
    scratch.expect(0, &["verify", "s"]);
    scratch.expect(0, &["export", "s", "--format", "html"]);
    let before = server.seen().len();
    run(&scratch, &server, &["run", "--resume", "s"]).assert_ended(0, "nothing to do");
    run(
        &scratch,
        &server,
        &["run", "--resume", "s", "--from", "write"],
    )
    .assert_ended(0, "anew");
    assert_eq!(server.seen().len(), before, "nothing is paid for twice");
}

#[test]
fn sentences_with_the_wrong_citation_get_the_right_one() {
    let scratch = Scratch::with_few();
    let server = written_by(|prompt| {
        let shown = shown(prompt);
        let next = |index: usize| shown[(index + 1) % shown.len()].0;
        let lines = shown.iter().enumerate();
        let lines = lines.map(|(index, (_, text))| format!("[{}] {text}\n", next(index)));
        format!("# What the documents say\n{}", lines.collect::<String>())
    });
    run(&scratch, &server, &RUN_ARGUMENTS).assert_ended(0, "swapped");
    let draft = content(&scratch, "claims.json");
    let recited = draft["corrections"].as_array().unwrap();
    assert!(
        recited.iter().any(|own| own["change"] == "recited"),
        "{draft}"
    );
    for claim in draft["claims"].as_array().unwrap() {
        let quotes = claim["citations"].as_array().unwrap().iter();
        let mut quotes = quotes.map(|own| own["quote"].as_str().unwrap());
        let first = &claim["text"].as_str().unwrap()[..20];
        let first = first.trim_start_matches("[…] ");
        assert!(quotes.any(|quote| quote.contains(first)), "{claim}");
    }
}

#[test]
fn quote_only_asks_no_writer_and_another_style_is_another_session() {
    let (scratch, server) = (Scratch::with_few(), Server::sound(Duration::ZERO));
    let quoted = [&RUN_ARGUMENTS[..], &["--quote-only"]].concat();
    run(&scratch, &server, &quoted).assert_ended(0, "quoted");
    let requests = server.seen();
    assert!(
        requests
            .iter()
            .all(|(request, _)| request.agent != "writer")
    );
    // The name is taken by a session in another style.
    let german = [&RUN_ARGUMENTS[..], &["--lang", "German"]].concat();
    run(&scratch, &server, &german).assert_ended(2, "another style");
}

#[test]
fn many_removed_sentences_are_a_warning_at_the_head_of_the_report() {
    let some = |prompt: &str| format!("{}\n{}", text("writer", prompt), invented());
    let (share, head) = share_removed(some);
    assert!(share > 0.2 && share < 1.0, "{share}");
    assert!(head.contains("Many sentences did not hold"), "{head}");
    let (share, head) = share_removed(|_| invented());
    assert!(share >= 1.0, "{share}");
    assert!(
        head.contains("None of the sentences that the model"),
        "{head}"
    );
}

/// The share of the sentences of a writer that are removed, and the head of the report.
fn share_removed(write: fn(&str) -> String) -> (f64, String) {
    let scratch = Scratch::with_few();
    let plan = move |_: u64, request: &ChatRequest| match request.agent.as_str() {
        "writer" => Act::Say(write(&request.prompt), false),
        "reviser" => Act::Say("DROP".to_owned(), false),
        _ => Act::Answer,
    };
    let server = Server::start(Duration::ZERO, Box::new(plan));
    run(&scratch, &server, &RUN_ARGUMENTS).assert_ended(0, "invented");
    let share = content(&scratch, "report.json")["removed"].as_f64();
    let text = scratch.read("research-output/s/final_report.md");
    let head = text.split("\n## ").next().unwrap();
    (share.unwrap(), head.to_owned())
}

/// Invented sentences, in the format of the writer.
fn invented() -> String {
    (1..40)
        .map(|number| format!("[1] Martians installed {number} heat pumps in Paris.\n"))
        .collect()
}

#[test]
fn a_kind_of_report_is_a_prompt_and_ones_own_is_a_file() {
    let (scratch, server) = (Scratch::with_few(), Server::sound(Duration::ZERO));
    let of_kind = |kind: &'static str| [&RUN_ARGUMENTS[..], &["--report", kind]].concat();
    let refused = run(&scratch, &server, &of_kind("haiku"));
    refused.assert_ended(2, "unknown kind");
    assert!(
        refused
            .stderr
            .contains("academic, brief, detailed, summary"),
        "{}",
        refused.stderr
    );
    scratch.write("prompts/reports/haiku.md", "- Seventeen syllables.\n");
    let mut own = command(&scratch, &server, &of_kind("haiku"));
    own.env("RESEARCH_MODELS__PROMPTS_DIR", "prompts");
    Ran::from(own.output().unwrap()).assert_ended(0, "own kind");
    let mut requests = server.seen().into_iter().map(|(request, _)| request);
    assert!(
        requests.any(|own| own.agent == "writer" && own.prompt.contains("Seventeen syllables"))
    );
}
