//! Researchers in turns: a scripted model searches, reads, reads on, thinks and finishes, over
//! documents and a web on loopback.

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Value, json};

use super::server::{Act, ChatRequest, Server as Models};
use super::{ALL_AGENTS, hanging_from, kill_during};
use crate::harness::{Ran, Scratch, TOPIC, differences, parsed};
use crate::online::html;
use crate::server::{Server as Web, page, serve_routes};

/// The query that no planner and no rule would make.
const QUERY: &str = "noise limits in residential areas at night";

/// The pages that the service lists for the planned searches, and for the query above.
const PLANNED: [&str; 2] = ["about.md", "costs.md"];
const FURTHER: [&str; 2] = [
    "weather-compensation-and-balancing.md",
    "insulation-first.md",
];

/// Pages that a researcher finds by itself.
const FURTHER_STILL: [&str; 5] = [
    "old-radiators-must-go.md",
    "insulation-can-wait.md",
    "radiators-can-stay.md",
    "how-heat-pumps-work.md",
    "insulation-first.md",
];

/// The queries that a service was sent.
type Queries = Arc<Mutex<Vec<String>>>;

/// A web of a search service and the example's documents as pages.
fn web(queries: &Queries) -> Web {
    let queries = queries.clone();
    Web::new(move |path, stream| {
        let host = stream.local_addr()?;
        if let Some(query) = path.strip_prefix("/search?q=") {
            let query = query
                .split('&')
                .next()
                .unwrap_or_default()
                .replace("+", " ")
                .replace("%3F", "?");
            let names = if query == QUERY { FURTHER } else { PLANNED };
            queries.lock().unwrap().push(query);
            let results: Vec<_> = names
                .iter()
                .map(|name| {
                    let url = format!("http://{host}/pages/{name}");
                    json!({"url": url, "title": name, "content": format!("An excerpt of {name}")})
                })
                .collect();
            let reply = json!({ "results": results }).to_string();
            return page(stream, "200 OK", "application/json", reply.as_bytes());
        }
        match path.strip_prefix("/pages/").and_then(html) {
            Some(content) => page(stream, "200 OK", "text/html", content.as_bytes()),
            None => page(stream, "404 Not Found", "text/plain", b"gone"),
        }
    })
}

/// The turn of a request of the researcher, from 0, and the last message.
pub(super) fn turn(request: &ChatRequest) -> (usize, String) {
    let messages = request.body["messages"].as_array().unwrap();
    let answers = messages.iter().filter(|one| one["role"] == "assistant");
    let last = messages.last().unwrap()["content"]
        .as_str()
        .unwrap_or_default();
    (answers.count(), last.to_owned())
}

/// The numbers of the fences of this kind in a prompt.
pub(super) fn numbers(text: &str, kind: &str) -> Vec<u64> {
    let fences = text.split("<<<").skip(1);
    fences
        .filter_map(|fence| {
            let first = fence.lines().next()?;
            let first = first.strip_prefix(kind)?;
            first.split(' ').next()?.parse().ok()
        })
        .collect()
}

/// What the scripted researcher answers: it looks further once, whatever the step.
fn answer(request: &ChatRequest) -> Value {
    let (turn, last) = turn(request);
    let passages = numbers(&last, "");
    match turn {
        0 => json!({"thought": "Noise is missing.", "action": "search", "query": QUERY}),
        1 => json!({
            "thought": "The first hit may say it.", "action": "read",
            "numbers": numbers(&last, "hit ").first().map(|number| vec![format!("hit {number}")]),
        }),
        2 if !passages.is_empty() => json!({
            "thought": "What follows?", "action": "open", "numbers": passages[0],
        }),
        2 => json!({"thought": "What else?", "action": "search", "query": "decibel"}),
        3 => json!({"thought": "That is enough.", "action": "think"}),
        _ => {
            let prompt = request.body["messages"].to_string();
            let numbers = numbers(&prompt.replace("\\n", "\n"), "");
            let number = numbers.last().copied().unwrap_or_default();
            json!({
                "thought": "The limits at night are known.", "action": "finish",
                "findings": [
                    {"statement": "It is noisy.", "passages": [format!("P{number} of S1")]},
                    {"statement": "Nobody shows this.", "passages": [99_999]},
                ],
                "follow_up": ["Who measures noise at night?"],
            })
        }
    }
}

fn act(_: u64, request: &ChatRequest) -> Act {
    match request.agent.as_str() {
        "researcher" => Act::Say(answer(request).to_string(), false),
        _ => Act::Answer,
    }
}

/// The command that researches the topic over this web, with a model.
fn command(scratch: &Scratch, web: &Web, models: &Models) -> Command {
    let arguments = [
        "run",
        TOPIC,
        "--search",
        "searxng",
        "--docs",
        "docs",
        "--session",
        "s",
        "--depth",
        "standard",
    ];
    let mut command = super::command(scratch, models, &arguments);
    command
        .env("SEARXNG_URL", web.url(""))
        .env("RESEARCH_NETWORK__ALLOW", "127.0.0.1")
        .env("RESEARCH_NETWORK__GAP_MILLISECONDS", "0")
        .env("RESEARCH_NETWORK__CACHE_MEBIBYTES", "0");
    command
}

fn ran(scratch: &Scratch, web: &Web, models: &Models) -> Ran {
    command(scratch, web, models).output().unwrap().into()
}

fn finished() -> (Scratch, Web, Models, Queries) {
    let queries = Queries::default();
    let (scratch, web) = (Scratch::with_few(), web(&queries));
    let models = Models::start(Duration::ZERO, Box::new(act));
    ran(&scratch, &web, &models).assert_ended(0, "turns");
    (scratch, web, models, queries)
}

#[test]
fn researcher_searches_reads_opens_thinks_and_finishes() {
    let (scratch, web, _models, queries) = finished();
    let sent_queries = queries.lock().unwrap().clone();
    let further = sent_queries.iter().filter(|query| *query == QUERY).count();
    assert_eq!(further, 1, "three steps ask for the same: {sent_queries:?}");
    let step = scratch.json("research/steps/1-overview.json");
    let turns = step["content"]["turns"].as_array().unwrap();
    let actions: Vec<String> = turns
        .iter()
        .map(|turn| match &turn["action"] {
            Value::String(name) => name.clone(),
            action => action.as_object().unwrap().keys().next().unwrap().clone(),
        })
        .collect();
    assert_eq!(
        actions,
        ["search", "read", "open", "think", "finish"],
        "{turns:?}"
    );
    let read = turns[1]["action"]["read"][0].as_str().unwrap();
    assert_eq!(
        read,
        web.url("/pages/weather-compensation-and-balancing.md")
    );
    assert_eq!(turns[0]["thought"], "Noise is missing.");
    // A finding without a passage does not exist, and its passage is where it says.
    let passages = step["content"]["passages"].as_array().unwrap();
    assert_eq!(passages.len(), 1);
    let source = scratch.read(&format!(
        "research-output/s/sources/{}.md",
        passages[0]["source"].as_str().unwrap()
    ));
    let [start, end] = ["start", "end"].map(|side| passages[0][side].as_u64().unwrap() as usize);
    assert_eq!(&source[start..end], passages[0]["quote"].as_str().unwrap());
    assert_eq!(
        step["content"]["follow_up"][0],
        "Who measures noise at night?"
    );
    scratch.expect(0, &["verify", "s"]);
}

#[test]
fn pages_that_a_researcher_reads_count_as_searched() {
    let (scratch, ..) = finished();
    let tree = scratch.tree();
    let is_page = |name: &&String| name.contains("pages/") && name.ends_with(".md");
    let pages = tree.keys().filter(is_page).count();
    let documents = std::fs::read_dir(scratch.path().join("docs"))
        .unwrap()
        .count();
    let research = scratch.json("research.json");
    let searched = &research["content"]["documents"]["searched"];
    assert_eq!(*searched, documents + pages, "{documents} and {pages}");
    assert!(pages > 2);
}

#[test]
fn settings_of_a_search_reach_the_service_and_no_model() {
    let received: Arc<Mutex<Vec<Value>>> = Arc::default();
    let noted = received.clone();
    let search = move |Json(body): Json<Value>| async move {
        noted.lock().unwrap().push(body);
        Json(json!({ "results": [] }))
    };
    let tavily = serve_routes(Router::new().route("/search", post(search)));
    // It would set more than it may.
    let smuggling = |_: u64, request: &ChatRequest| match (request.agent.as_str(), turn(request).0)
    {
        ("researcher", 0) => {
            let turn = json!({
                "thought": "Noise?", "action": "search", "query": QUERY, "service": "tavily",
                "max_results": 1, "topic": "finance",
            });
            Act::Say(turn.to_string(), false)
        }
        ("researcher", _) => Act::Say(json!({"action": "finish"}).to_string(), false),
        _ => Act::Answer,
    };
    let models = Models::start(Duration::ZERO, Box::new(smuggling));
    let scratch = Scratch::with_few();
    let entry = "[tavily]\nbase_url_variable = \"TAVILY_BASE_URL\"\n\
                 key_variable = \"TAVILY_API_KEY\"\nextra = \"news\"\n";
    scratch.write(".config/research/services.toml", entry);
    let run = "run --docs docs --session s --depth standard --search tavily";
    let arguments: Vec<&str> = run.split(' ').chain([TOPIC]).collect();
    let mut command = super::command(&scratch, &models, &arguments);
    command
        .env("TAVILY_BASE_URL", tavily)
        .env("TAVILY_API_KEY", "a-key")
        .env("RESEARCH_NETWORK__ALLOW", "127.0.0.1")
        .env("RESEARCH_NETWORK__GAP_MILLISECONDS", "0");
    Ran::from(command.output().unwrap()).assert_ended(0, "tavily");
    let received = received.lock().unwrap().clone();
    let own = received.iter().find(|body| body["query"] == QUERY);
    let own = own.unwrap_or_else(|| panic!("{received:?}"));
    let limit = own["max_results"].as_u64().unwrap();
    assert!(limit > 1, "{own}");
    let expected = json!({"query": QUERY, "topic": "news", "max_results": limit});
    assert_eq!(*own, expected);
    for (request, _) in models.seen() {
        // Its own words come back to it in its next turn, and nothing else says so.
        let body = request.body.to_string();
        let body = body.replace("\\\"max_results\\\":1", "");
        assert!(!body.contains("max_results"), "{body}");
        assert!(!body.contains("a-key"), "{body}");
    }
}

#[test]
fn step_ends_after_two_searches_that_bring_nothing_new() {
    const OVER: &str = "the last turns brought nothing new";
    let searching = |_: u64, request: &ChatRequest| {
        let (turn, last) = turn(request);
        let answer = match request.agent.as_str() {
            "researcher" if last.contains(OVER) => json!({
                "action": "finish", "findings": [{"statement": "It is known.", "passages": [1]}],
            }),
            "researcher" => json!({"action": "search", "query": format!("zebra quagga {turn}")}),
            _ => return Act::Answer,
        };
        Act::Say(answer.to_string(), false)
    };
    let (scratch, models) = (
        Scratch::with_few(),
        Models::start(Duration::ZERO, Box::new(searching)),
    );
    let mut command = super::command(&scratch, &models, &super::RUN_ARGUMENTS);
    command.env("RESEARCH_DEPTH__QUICK__RESEARCHER", "react");
    Ran::from(command.output().unwrap()).assert_ended(0, "nothing new");
    let step = scratch.json("research/steps/1-overview.json");
    let turns = step["content"]["turns"].as_array().unwrap();
    let searches = turns
        .iter()
        .filter(|turn| turn["action"]["search"] != Value::Null);
    // Five searches would be allowed.
    assert_eq!(searches.count(), 2, "{turns:?}");
}

#[test]
fn step_ends_when_the_same_page_is_read_again_and_again() {
    let act = |_: u64, request: &ChatRequest| {
        if request.agent != "researcher" {
            return Act::Answer;
        }
        let (turn, last) = turn(request);
        let answer = match turn {
            0 => json!({"thought": "Noise?", "action": "search", "query": QUERY}),
            _ if last.contains("the last turns brought nothing new") => json!({
                "thought": "Enough.", "action": "finish",
                "findings": [{"statement": "It is loud.", "passages": [1]}],
            }),
            _ => json!({"thought": "More.", "action": "read", "numbers": [1]}),
        };
        Act::Say(answer.to_string(), false)
    };
    let models = Models::start(Duration::ZERO, Box::new(act));
    let (scratch, web) = (Scratch::with_few(), web(&Queries::default()));
    ran(&scratch, &web, &models).assert_ended(0, "the same page");
    let step = scratch.json("research/steps/1-overview.json");
    let turns = step["content"]["turns"].as_array().unwrap();
    let reads = turns
        .iter()
        .filter(|turn| turn["action"]["read"].is_array());
    // Twelve calls would be allowed: the first reading, and twice the same.
    assert_eq!(reads.count(), 3, "{turns:?}");
}

/// A session whose researcher reads page after page, and calls its last action so.
fn session_of_a_reader(last_action: &'static str) -> (Scratch, Models) {
    let web = Web::new(|path, stream| {
        let host = stream.local_addr()?;
        let names: &[&str] = match path {
            path if path.starts_with("/search") && path.contains("noise") => &FURTHER_STILL,
            path if path.starts_with("/search") => &PLANNED,
            path => {
                let content = path
                    .strip_prefix("/pages/")
                    .and_then(html)
                    .unwrap_or_default();
                return page(stream, "200 OK", "text/html", content.as_bytes());
            }
        };
        let hit =
            |name: &&str| json!({"url": format!("http://{host}/pages/{name}"), "title": name});
        let hits: Vec<Value> = names.iter().map(hit).collect();
        let reply = json!({ "results": hits }).to_string();
        page(stream, "200 OK", "application/json", reply.as_bytes())
    });
    let reading = move |_: u64, request: &ChatRequest| {
        let (turn, last) = turn(request);
        if request.agent != "researcher" {
            return Act::Answer;
        }
        let answer = match turn {
            _ if last.contains("three good sources speak of the step") => {
                let number = numbers(&last, "").first().copied();
                let findings = json!([{"statement": "It is loud.", "passages": [number]}]);
                json!({"thought": "Enough.", "action": last_action, "findings": findings})
            }
            0 => json!({"thought": "Noise?", "action": "search", "query": QUERY}),
            turn => json!({"thought": "More.", "action": "read", "numbers": [turn + 1]}),
        };
        Act::Say(answer.to_string(), false)
    };
    let models = Models::start(Duration::ZERO, Box::new(reading));
    let scratch = Scratch::with_few();
    ran(&scratch, &web, &models).assert_ended(0, "three good sources");
    (scratch, models)
}

#[test]
fn read_of_a_query_is_a_search() {
    let act = |number: u64, request: &ChatRequest| match turn(request).0 {
        0 if request.agent == "researcher" => {
            let answer = json!({"action": "read", "numbers": [], "query": QUERY});
            Act::Say(answer.to_string(), false)
        }
        _ => act(number, request),
    };
    let queries = Queries::default();
    let (scratch, web) = (Scratch::with_few(), web(&queries));
    let models = Models::start(Duration::ZERO, Box::new(act));
    ran(&scratch, &web, &models).assert_ended(0, "read of a query");
    assert!(queries.lock().unwrap().iter().any(|query| query == QUERY));
    let step = scratch.json("research/steps/1-overview.json");
    let first = &step["content"]["turns"][0]["action"];
    assert_eq!(first["search"]["query"], QUERY, "{first}");
}

#[test]
fn findings_beside_a_read_of_no_hit_finish_the_step() {
    let act = |_: u64, request: &ChatRequest| {
        if request.agent != "researcher" {
            return Act::Answer;
        }
        let findings = json!([{"statement": "It is loud.", "passages": [1]}]);
        let answer = json!({"action": "read", "numbers": [99], "findings": findings});
        Act::Say(answer.to_string(), false)
    };
    let models = Models::start(Duration::ZERO, Box::new(act));
    let (scratch, web) = (Scratch::with_few(), web(&Queries::default()));
    let ran = ran(&scratch, &web, &models);
    ran.assert_ended(0, "no hit");
    let seen = models.seen();
    let researchers = seen.iter().filter(|(own, _)| own.agent == "researcher");
    let step = scratch.json("research/steps/1-overview.json");
    let steps = scratch.json("research.json")["content"]["plan"]["steps"].clone();
    let count = steps.as_array().map_or(1, Vec::len);
    assert_eq!(researchers.count(), count, "each was asked once: {step}");
}

#[test]
fn finding_with_the_number_of_another_passage_gets_its_own() {
    let shown = Arc::new(Mutex::new(String::new()));
    let statement = shown.clone();
    let act = move |_: u64, request: &ChatRequest| {
        if request.agent != "researcher" {
            return Act::Answer;
        }
        let (_, last) = turn(request);
        let numbers = numbers(&last, "");
        // A fence is a line of headings, the words and the number again.
        let (_, text) = last.rsplit_once("<<<").unwrap();
        let text = text.lines().nth(1).unwrap();
        text.clone_into(&mut statement.lock().unwrap());
        let findings = json!([{"statement": text, "passages": [numbers[0]]}]);
        let answer = json!({"thought": "Enough.", "action": "finish", "findings": findings});
        Act::Say(answer.to_string(), false)
    };
    let models = Models::start(Duration::ZERO, Box::new(act));
    let (scratch, web) = (Scratch::with_few(), web(&Queries::default()));
    ran(&scratch, &web, &models).assert_ended(0, "a wrong number");
    let finding = &scratch.json("research/steps/1-overview.json")["content"];
    let passages = finding["passages"].as_array().unwrap();
    assert_eq!(passages.len(), 1, "{finding}");
    let statements = finding["statements"].as_array().unwrap();
    assert_eq!(statements.len(), 1, "{finding}");
}

#[test]
fn findings_finish_a_step_that_is_over_whatever_the_action_is_called() {
    let (_, models) = session_of_a_reader("read");
    let seen = models.seen();
    let mut bodies = seen.iter().map(|(request, _)| request.body.to_string());
    assert!(bodies.all(|body| !body.contains("the action must be finish")));
}

#[test]
fn step_ends_after_three_good_sources_of_its_own() {
    let (scratch, models) = session_of_a_reader("finish");
    let step = scratch.json("research/steps/1-overview.json");
    let turns = step["content"]["turns"].as_array().unwrap();
    let reads = turns
        .iter()
        .filter(|turn| turn["action"]["read"].is_array());
    assert_eq!(reads.count(), 3, "{turns:?}");
    let seen = models.seen();
    let mut bodies = seen.iter().map(|(request, _)| request.body.to_string());
    let is_over = |body: String| body.contains("three good sources speak of the step");
    assert!(bodies.any(is_over), "{turns:?}");
}

#[test]
fn prompt_of_a_turn_begins_with_that_of_the_turn_before() {
    let (_scratch, _web, models, _) = finished();
    let mut chains: Vec<Vec<Value>> = Vec::new();
    for (request, _) in models.seen() {
        if request.agent != "researcher" {
            continue;
        }
        let messages = request.body["messages"].as_array().unwrap().clone();
        let earlier = &messages[..messages.len().saturating_sub(2)];
        match chains.iter_mut().find(|chain| chain.as_slice() == earlier) {
            Some(chain) => *chain = messages,
            None => chains.push(messages),
        }
    }
    assert_eq!(chains.len(), 6, "one chain a step");
    assert!(
        chains.iter().all(|chain| chain.len() == 2 + 2 * 4),
        "{chains:?}"
    );
    // No address is shown to a model, so it cannot write one that it mangled.
    assert!(!format!("{chains:?}").contains("/pages/"));
}

#[test]
fn replay_of_turns_needs_neither_network_nor_cache() {
    let (scratch, web, models, _) = finished();
    let requests = (web.requests.load(Ordering::SeqCst), models.calls());
    let expected = scratch.tree();
    drop(web);
    let mut command = scratch.command(&["run", "--replay", "s", "--session", "again"]);
    let ran: Ran = command
        .envs(ALL_AGENTS)
        .env("SEARXNG_URL", "http://127.0.0.1:1/")
        .output()
        .unwrap()
        .into();
    ran.assert_ended(0, "replay");
    assert_eq!(models.calls(), requests.1, "no model is asked");
    let again = crate::harness::tree(&scratch.path().join("research-output/again"));
    // The same words but for the id of the session, on which the digests of all inputs depend.
    assert!(again.keys().eq(expected.keys()));
    for name in [
        "research.json",
        "research/steps/1-overview.json",
        "report.json",
        "review.json",
    ] {
        let content = |files: &BTreeMap<String, Vec<u8>>| {
            parsed(&String::from_utf8_lossy(&files[name]))["content"].clone()
        };
        assert_eq!(content(&again), content(&expected), "{name}");
    }
    for name in expected.keys().filter(|name| name.ends_with(".md")) {
        let is_request = name == "research_request.md";
        assert!(is_request || again[name] == expected[name], "{name}");
    }
}

#[test]
fn killed_turns_are_taken_again_without_asking_twice() {
    let (undisturbed, web, sound, queries) = finished();
    let (expected, calls) = (undisturbed.tree(), sound.calls());
    for number in [2, 4, 7, 10, 14, 17, calls - 2] {
        let scratch = Scratch::with_few();
        queries.lock().unwrap().clear();
        let hanging = hanging_from(number, act);
        kill_during(number, command(&scratch, &web, &hanging), &hanging);
        let rest = Models::start(Duration::ZERO, Box::new(act));
        ran(&scratch, &web, &rest).assert_ended(0, &format!("killed during call {number}"));
        let sent_queries = queries.lock().unwrap().clone();
        let mut distinct = sent_queries.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!(
            sent_queries.len(),
            distinct.len(),
            "call {number}: {sent_queries:?}"
        );
        let all = hanging.calls() + rest.calls();
        assert!(all <= calls + 3, "call {number}: {all} instead of {calls}");
        let actual = scratch.tree();
        let changed = differences(&actual, &expected);
        assert_eq!(changed, Vec::<&str>::new(), "call {number}");
    }
}
