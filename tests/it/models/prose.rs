//! Reports in prose: what a model writes is checked sentence by sentence against what it cites.

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
    let asked = server.seen();
    assert!(asked.iter().all(|(request, _)| request.agent != "writer"));
    // The name is taken by a session in another style.
    let german = [&RUN_ARGUMENTS[..], &["--lang", "German"]].concat();
    run(&scratch, &server, &german).assert_ended(2, "another style");
}

#[test]
fn many_removed_sentences_are_a_warning_at_the_head_of_the_report() {
    let scratch = Scratch::with_few();
    let plan = |_: u64, request: &ChatRequest| match request.agent.as_str() {
        "writer" => Act::Say(invented(&request.prompt), false),
        "reviser" => Act::Say("DROP".to_owned(), false),
        _ => Act::Answer,
    };
    let server = Server::start(Duration::ZERO, Box::new(plan));
    run(&scratch, &server, &RUN_ARGUMENTS).assert_ended(0, "invented");
    let share = content(&scratch, "report.json")["removed"]
        .as_f64()
        .unwrap();
    assert!(share > 0.2, "{share}");
    let text = scratch.read("research-output/s/final_report.md");
    let head = text.split("\n## ").next().unwrap();
    assert!(head.contains("Many sentences did not hold"), "{text}");
}

/// A sound report and as many invented sentences.
fn invented(prompt: &str) -> String {
    let invented: String = (1..40)
        .map(|number| format!("[1] Martians installed {number} heat pumps in Paris.\n"))
        .collect();
    format!("{}\n{invented}", text("writer", prompt))
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
    let mut asked = server.seen().into_iter().map(|(request, _)| request);
    assert!(asked.any(|own| own.agent == "writer" && own.prompt.contains("Seventeen syllables")));
}
