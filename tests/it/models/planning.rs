//! Plans of a model, as it wrote them: their steps, dependencies and changes.

use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use super::server::{Act, ChatRequest, Server};
use super::{RUN_ARGUMENTS, answers, command, hanging_from, run};
use crate::harness::{Ran, Scratch, TOPIC, parsed};

/// A provider that says these things to planner and reflector, in order, and the last one again
/// and again; everything else is answered soundly.
fn scripted(plans: Vec<Value>, reflections: Vec<Value>) -> Server {
    let (planned, reflected) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let next = |said: &[Value], count: &AtomicUsize| {
        let index = count.fetch_add(1, Ordering::Relaxed).min(said.len() - 1);
        Act::Say(said[index].to_string(), false)
    };
    let plan = move |_: u64, request: &ChatRequest| match request.agent.as_str() {
        "planner" => next(&plans, &planned),
        "reflector" => next(&reflections, &reflected),
        "researcher" if request.prompt.contains("The step searches nothing") => {
            Act::Say(analysis(&request.prompt).to_string(), false)
        }
        _ => Act::Answer,
    };
    Server::start(Duration::ZERO, Box::new(plan))
}

/// The findings of a step of analysis: one that its passages show, and one that they do not.
fn analysis(prompt: &str) -> Value {
    let passages = answers::fences(prompt).into_iter();
    let mut passages = passages.filter(|(name, ..)| name == "1" || name == "2");
    let words = passages.next().map(|(.., text)| text).unwrap_or_default();
    json!({
        "thought": "Weighed against each other.",
        "findings": [
            {"passages": [1, 2], "statement": words},
            {"passages": [2], "statement": "Bees collect 900 pounds of honey in a year."},
            {"passages": [99], "statement": "Bees make 9 kinds of wax."},
        ],
        "follow_up": [],
    })
}

fn step(title: &str, queries: &[&str], depends_on: Value, priority: u32) -> Value {
    json!({
        "title": title, "description": format!("It tells of {title}."), "step_type": "RESEARCH",
        "facet": "aspect", "queries": queries, "depends_on": depends_on, "priority": priority,
    })
}

fn plan(steps: &[Value]) -> Value {
    json!({
        "thought": "as scripted", "has_enough_context": false, "independent": false, "steps": steps,
    })
}

fn decision(decision: &str, changes: &[&str]) -> Value {
    json!({
        "reasoning": format!("{decision}, since costs are open"), "decision": decision,
        "suggested_changes": changes,
    })
}

/// A plan's steps, and one field of each.
fn of_steps(scratch: &Scratch, plan: u32, field: &str) -> Vec<Value> {
    let plan = scratch.json(&format!("research/plan-{plan}.json"));
    let steps = plan["content"]["steps"].as_array().unwrap();
    steps.iter().map(|step| step[field].clone()).collect()
}

/// Every query that was searched, step by step.
fn searched(scratch: &Scratch) -> Vec<String> {
    let research = scratch.json("research.json");
    let steps = research["content"]["plan"]["steps"].as_array().unwrap();
    let mut queries = Vec::new();
    for step in steps.iter().filter(|step| step["status"] == "COMPLETED") {
        let file = format!("research/steps/{}.json", step["id"].as_str().unwrap());
        let finding = scratch.json(&file);
        let searches = finding["content"]["searches"].as_array().unwrap();
        queries.extend(
            searches
                .iter()
                .map(|search| search["query"].as_str().unwrap().to_owned()),
        );
    }
    queries
}

fn prompts(server: &Server, agent: &str) -> Vec<String> {
    let seen = server.seen().into_iter();
    let of_agent = seen.filter(|(request, _)| request.agent == agent);
    of_agent.map(|(request, _)| request.prompt).collect()
}

/// The suggestions of a model that adjusts its plan twice.
const SUGGESTED: [&str; 2] = [
    "price of insulation before a heat pump in an old house",
    "radiators that stay when a heat pump is installed",
];

/// A model that adjusts its plan for ever, and plans some of what is done again.
fn adjusting() -> Server {
    let old_houses = step("old houses", &["heat pump old house work"], json!([]), 1);
    let again = step("old houses", &["something else entirely"], json!([]), 1);
    let queries = ["insulation price heat pump"];
    let price = step("price of insulation", &queries, json!([1]), 1);
    let same_query = step("what insulation may cost", &queries, json!([]), 1);
    let queries = ["radiators stay flow temperature"];
    let radiators = step("radiators that stay", &queries, json!([]), 1);
    scripted(
        vec![
            plan(&[old_houses]),
            plan(&[again, price]),
            plan(&[same_query, radiators]),
        ],
        vec![
            decision("ADJUST", &SUGGESTED[..1]),
            decision("ADJUST", &SUGGESTED[1..]),
            decision("ADJUST", &SUGGESTED),
        ],
    )
}

#[test]
fn suggestions_reach_planner_and_search_in_their_own_words_and_nothing_is_searched_twice() {
    let (scratch, server) = (Scratch::with_few(), adjusting());
    run(&scratch, &server, &RUN_ARGUMENTS).assert_ended(0, "adjusted twice");
    let log = scratch.tree();
    let log = String::from_utf8(log["research/reflections.jsonl"].clone()).unwrap();
    assert!(SUGGESTED.iter().all(|words| log.contains(words)), "{log}");
    let planner = prompts(&server, "planner");
    assert_eq!(planner.len(), 3);
    assert!(planner[1].contains(SUGGESTED[0]), "{}", planner[1]);
    assert!(planner[1].contains("ADJUST, since costs are open"));
    assert!(planner[2].contains(SUGGESTED[1]), "{}", planner[2]);
    assert_eq!(
        of_steps(&scratch, 3, "title"),
        [
            "Research old houses",
            "Research price of insulation",
            "Research radiators that stay"
        ]
    );
    assert_eq!(
        searched(&scratch),
        [
            "heat pump old house work",
            "insulation price heat pump",
            "radiators stay flow temperature"
        ]
    );
    let calls: String = scratch
        .tree()
        .iter()
        .filter(|(name, _)| name.starts_with("calls/"))
        .map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned())
        .collect();
    assert!(calls.contains("it is done or planned already"));
    let reflector = prompts(&server, "reflector");
    for words in [
        "Do heat pumps work",
        "COMPLETED: Research old houses",
        "passages answer",
    ] {
        assert!(reflector[0].contains(words), "{words}: {}", reflector[0]);
    }
}

#[test]
fn pending_steps_that_an_adjusted_plan_replaces_are_offered_to_the_planner_again() {
    let old_houses = step("old houses", &["heat pump old house work"], json!([]), 1);
    let radiators = step("radiators that stay", &["radiators flow"], json!([]), 2);
    let price = step("price of insulation", &["insulation price"], json!([]), 1);
    let server = scripted(
        vec![
            plan(&[old_houses, radiators.clone()]),
            plan(&[price, radiators]),
        ],
        vec![
            decision("ADJUST", &SUGGESTED[..1]),
            decision("CONTINUE", &[]),
        ],
    );
    let scratch = Scratch::with_few();
    run(&scratch, &server, &RUN_ARGUMENTS).assert_ended(0, "adjusted with a step pending");
    let planner = prompts(&server, "planner");
    let (done, replaced) = planner[1]
        .split_once("your plan takes their place")
        .unwrap();
    assert!(done.contains("COMPLETED: Research old houses"), "{done}");
    assert!(!done.contains("radiators that stay"), "{done}");
    assert!(
        replaced.contains("- Research radiators that stay (queries: radiators flow)"),
        "{replaced}"
    );
    let research = scratch.json("research.json");
    let steps = research["content"]["plan"]["steps"].as_array().unwrap();
    let steps: Vec<_> = steps
        .iter()
        .map(|step| (&step["title"], &step["status"]))
        .collect();
    assert_eq!(
        steps,
        [
            (&json!("Research old houses"), &json!("COMPLETED")),
            (&json!("Research price of insulation"), &json!("COMPLETED")),
            (&json!("Research radiators that stay"), &json!("COMPLETED")),
        ]
    );
}

#[test]
fn steps_with_the_queries_of_another_are_searched_by_their_titles() {
    let queries = ["heat pump", "old house"];
    let steps = [
        "overview of heat pumps",
        "costs of insulation",
        "radiators that stay",
    ];
    let steps = steps.map(|title| step(title, &queries, json!([]), 1));
    let scratch = Scratch::with_few();
    let server = scripted(vec![plan(&steps)], vec![decision("CONTINUE", &[])]);
    run(&scratch, &server, &RUN_ARGUMENTS).assert_ended(0, "the same queries for all");
    assert_eq!(
        of_steps(&scratch, 1, "queries"),
        [
            json!(queries),
            json!(["costs of insulation"]),
            json!(["radiators that stay"])
        ]
    );
}

#[test]
fn prompts_of_an_agent_are_equal_up_to_what_varies() {
    let (scratch, server) = (Scratch::with_few(), adjusting());
    run(&scratch, &server, &RUN_ARGUMENTS).assert_ended(0, "adjusted twice");
    let requests = server.seen();
    for (agent, varies) in [
        ("planner", "These steps are done"),
        ("researcher", "Your step:"),
        ("reflector", "The steps:"),
    ] {
        let of_agent = requests
            .iter()
            .filter(|(request, _)| request.agent == agent);
        let texts: Vec<String> = of_agent.map(|(request, _)| text(request)).collect();
        assert!(texts.len() > 1, "{agent} is asked once");
        for pair in texts.windows(2) {
            let equal = pair[0].bytes().zip(pair[1].bytes());
            let equal = equal.take_while(|(one, other)| one == other).count();
            let (stable, _) = pair[1].split_once(varies).unwrap();
            assert!(
                equal >= stable.trim_end().len(),
                "{agent}: {equal} bytes are equal, {} are stable",
                stable.len()
            );
            assert!(stable.contains(TOPIC), "the topic is in what is stable");
        }
    }
}

/// The texts of a request, one after the other.
fn text(request: &ChatRequest) -> String {
    let messages = request.body["messages"].as_array().unwrap().iter();
    let texts = messages.filter_map(|message| message["content"].as_str());
    texts.collect::<Vec<_>>().join("\n")
}

#[test]
fn suggestion_becomes_a_step_of_the_rule_where_the_planner_fails() {
    let scratch = Scratch::with_few();
    let suggestion = "price of insulation before a heat pump";
    let server = scripted(
        vec![
            plan(&[step(
                "old houses",
                &["heat pump old house work"],
                json!([]),
                1,
            )]),
            json!("I would rather not."),
        ],
        vec![decision("ADJUST", &[suggestion]), decision("COMPLETE", &[])],
    );
    run(&scratch, &server, &RUN_ARGUMENTS).assert_ended(0, "by rule");
    assert_eq!(of_steps(&scratch, 2, "id"), ["1-aspect", "2-aspect"]);
    assert_eq!(of_steps(&scratch, 2, "queries")[1][0], suggestion);
}

#[test]
fn steps_are_done_in_the_order_of_their_dependencies_and_priorities() {
    let steps = [
        step(
            "radiators",
            &["radiators flow temperature"],
            json!(["step 2", 9]),
            1,
        ),
        step("insulation", &["insulation of old houses"], json!([]), 2),
        step("price of it", &["price of a heat pump"], json!([2, "2"]), 3),
    ];
    // One by one, and what another step needs is not known before that step is: 9 and 2 are not.
    let scratch = Scratch::with_few();
    let server = scripted(vec![plan(&steps)], vec![decision("CONTINUE", &[])]);
    run(&scratch, &server, &RUN_ARGUMENTS).assert_ended(0, "one by one");
    assert_eq!(
        of_steps(&scratch, 1, "dependencies"),
        [json!([]), json!(["1-aspect"]), json!(["2-aspect"])]
    );
    assert_eq!(prompts(&server, "reflector").len(), 3);
    // Side by side, but for the one that needs another.
    let mut parallel = plan(&steps);
    parallel["independent"] = json!(true);
    let scratch = Scratch::with_few();
    let server = scripted(vec![parallel], vec![decision("CONTINUE", &[])]);
    run(&scratch, &server, &RUN_ARGUMENTS).assert_ended(0, "side by side");
    assert_eq!(
        of_steps(&scratch, 1, "dependencies"),
        [json!([]), json!([]), json!(["2-aspect"])]
    );
    assert_eq!(prompts(&server, "reflector").len(), 2);
}

#[test]
fn model_that_plans_too_few_steps_is_asked_for_more() {
    let steps = [
        step("old houses", &["heat pump old house work"], json!([]), 1),
        step("insulation", &["insulation of old houses"], json!([]), 2),
    ];
    let further = step("price of it", &["price of a heat pump"], json!([]), 1);
    let plans = vec![plan(&steps), plan(&[further])];
    // It would stop after each step: after the first one the second is left, and then none.
    let stop = || decision("COMPLETE", &[]);
    let obeys = vec![stop(), stop(), decision("ADJUST", &["price"]), stop()];
    for (reflections, done) in [(obeys, 3), (vec![stop()], 2)] {
        let (scratch, server) = (Scratch::with_few(), scripted(plans.clone(), reflections));
        let mut command = command(&scratch, &server, &RUN_ARGUMENTS);
        command.env("RESEARCH_DEPTH__QUICK__MIN_STEPS", "3");
        Ran::from(command.output().unwrap()).assert_ended(0, "too few steps");
        let research = scratch.json("research.json");
        let steps = research["content"]["plan"]["steps"].as_array().unwrap();
        let completed = steps.iter().filter(|step| step["status"] == "COMPLETED");
        assert_eq!(completed.count(), done, "{steps:?}");
        let mut prompts = server.seen().into_iter().map(|(request, _)| text(&request));
        let again = "COMPLETE comes after 3 steps at least and none is left";
        assert!(prompts.any(|text| text.contains(again)));
    }
}

#[test]
fn completion_before_the_least_number_of_steps_is_refused() {
    let scratch = Scratch::with_few();
    let steps = [
        step("old houses", &["heat pump old house work"], json!([]), 1),
        step("insulation", &["insulation of old houses"], json!([]), 2),
        step("price of it", &["price of a heat pump"], json!([]), 3),
    ];
    // It would stop after each step.
    let server = scripted(vec![plan(&steps)], vec![decision("COMPLETE", &[])]);
    let mut command = command(&scratch, &server, &RUN_ARGUMENTS);
    command.env("RESEARCH_DEPTH__QUICK__MIN_STEPS", "2");
    crate::harness::Ran::from(command.output().unwrap()).assert_ended(0, "too early");
    let research = scratch.json("research.json");
    let steps = research["content"]["plan"]["steps"].as_array().unwrap();
    let statuses: Vec<&Value> = steps.iter().map(|step| &step["status"]).collect();
    assert_eq!(statuses, ["COMPLETED", "COMPLETED", "SKIPPED"]);
    let calls = scratch.expect(0, &["calls", "s", "--json"]).stdout;
    assert!(
        calls.contains("COMPLETE comes after 2 steps at least"),
        "{calls}"
    );
}

#[test]
fn status_lists_the_steps_with_their_progress() {
    let steps = || {
        let first = step("old houses", &["heat pump old house work"], json!([]), 1);
        let second = step("insulation", &["insulation of old houses"], json!([]), 2);
        plan(&[first, second])
    };
    let script = steps();
    let act = move |_: u64, request: &ChatRequest| match request.agent.as_str() {
        "planner" => Act::Say(script.to_string(), false),
        _ => Act::Answer,
    };
    let scratch = Scratch::with_few();
    let tasks = || {
        let status = scratch.expect(0, &["status", "s", "--json"]).stdout;
        parsed(&status)["tasks"].clone()
    };
    let statuses = || -> Vec<String> {
        let tasks = tasks();
        let tasks = tasks.as_array().unwrap().iter();
        tasks
            .map(|task| task["status"].as_str().unwrap().to_owned())
            .collect()
    };
    // Coordinator, background, planner, first researcher, reflector; then it hangs.
    let hanging = hanging_from(5, act);
    let mut child = command(&scratch, &hanging, &RUN_ARGUMENTS)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    hanging.wait_for(6);
    assert_eq!(statuses(), ["COMPLETED", "IN_PROGRESS"]);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(statuses(), ["COMPLETED", "PENDING"]);
    let server = scripted(vec![steps()], vec![decision("CONTINUE", &[])]);
    run(&scratch, &server, &RUN_ARGUMENTS).assert_ended(0, "resumed");
    assert_eq!(statuses(), ["COMPLETED", "COMPLETED"]);
    let second = &tasks()[1];
    assert_eq!(second["agent"], "researcher");
    assert_eq!(second["dependencies"], json!(["1-aspect"]));
    assert_eq!(second["completed_at"], crate::harness::NOW);
}

#[test]
fn analysis_reasons_over_passages_and_searches_for_nothing() {
    let scratch = Scratch::with_few();
    let analysis = json!({
        "title": "the costs of a heat pump against those of insulation", "description": "",
        "step_type": "ANALYSIS", "facet": "aspect", "queries": ["never searched"],
        "depends_on": [], "priority": 1,
    });
    let steps = [
        step("costs", &["heat pump cost price"], json!([]), 2),
        analysis,
    ];
    let server = scripted(vec![plan(&steps)], vec![decision("CONTINUE", &[])]);
    run(&scratch, &server, &RUN_ARGUMENTS).assert_ended(0, "analysed");
    assert_eq!(of_steps(&scratch, 1, "needs_search"), [true, false]);
    let finding = scratch.json("research/steps/2-aspect.json");
    let finding = &finding["content"];
    assert_eq!(finding["searches"], json!([]));
    assert_eq!(finding["observation"], "Weighed against each other.");
    let passages = finding["passages"].as_array().unwrap();
    let ids: Vec<&Value> = passages.iter().map(|passage| &passage["id"]).collect();
    let earlier = scratch.json("research/steps/1-aspect.json")["content"]["passages"].clone();
    let known = earlier.as_array().unwrap().iter();
    let known: Vec<&Value> = known.map(|passage| &passage["id"]).collect();
    assert!(
        ids.len() == 2 && ids.iter().all(|id| known.contains(id)),
        "{finding}"
    );
    let statements = finding["statements"].as_array().unwrap();
    assert_eq!(statements.len(), 1, "{statements:?}");
    assert_eq!(statements[0]["passages"], json!(ids));
    assert_eq!(prompts(&server, "researcher").len(), 2);
}

#[test]
fn analysis_that_no_model_can_make_selects_by_rule() {
    let scratch = Scratch::with_few();
    let analysis = json!({
        "title": "costs of a heat pump", "step_type": "ANALYSIS", "queries": [],
        "depends_on": ["1"], "priority": 2,
    });
    let steps = [
        step("costs", &["heat pump cost price"], json!([]), 1),
        analysis,
    ];
    let script = plan(&steps);
    let plan = move |_: u64, request: &ChatRequest| match request.agent.as_str() {
        "planner" => Act::Say(script.to_string(), false),
        "researcher" if request.prompt.contains("The step searches nothing") => {
            Act::Say("I cannot.".to_owned(), false)
        }
        _ => Act::Answer,
    };
    let server = Server::start(Duration::ZERO, Box::new(plan));
    run(&scratch, &server, &RUN_ARGUMENTS).assert_ended(0, "by rule");
    let finding = scratch.json("research/steps/2-aspect.json");
    let observation = finding["content"]["observation"].as_str().unwrap();
    assert!(observation.contains("belong"), "{observation}");
}

#[test]
fn planner_with_enough_context_ends_research_once_something_was_found() {
    let enough = json!({"thought": "t", "has_enough_context": true, "steps": []});
    let mut hasty = plan(&[step(
        "old houses",
        &["heat pump old house work"],
        json!([]),
        1,
    )]);
    hasty["has_enough_context"] = json!(true);
    let scratch = Scratch::with_few();
    let server = scripted(
        vec![hasty, enough],
        vec![decision("ADJUST", &["noise at night"])],
    );
    run(&scratch, &server, &RUN_ARGUMENTS).assert_ended(0, "enough");
    assert_eq!(of_steps(&scratch, 2, "id"), ["1-aspect"]);
    assert_eq!(prompts(&server, "researcher").len(), 1);
}

#[test]
fn steps_of_a_planner_that_has_enough_context_are_researched_all_the_same() {
    let of = |title: &str, query: &str| plan(&[step(title, &[query], json!([]), 1)]);
    let mut second = of("price", "insulation price heat pump");
    second["has_enough_context"] = json!(true);
    let scratch = Scratch::with_few();
    let server = scripted(
        vec![of("old houses", "heat pump old house work"), second],
        vec![
            decision("ADJUST", &["price of insulation"]),
            decision("COMPLETE", &[]),
        ],
    );
    run(&scratch, &server, &RUN_ARGUMENTS).assert_ended(0, "steps beside enough");
    assert_eq!(of_steps(&scratch, 2, "id"), ["1-aspect", "2-aspect"]);
    assert_eq!(prompts(&server, "researcher").len(), 2);
}

#[test]
fn a_plan_that_replaces_another_leaves_its_findings_out() {
    let scratch = Scratch::with_few();
    let server = scripted(
        vec![
            plan(&[step(
                "old houses",
                &["heat pump old house work"],
                json!([]),
                1,
            )]),
            plan(&[step("price", &["insulation price heat pump"], json!([]), 1)]),
        ],
        vec![
            decision("ADJUST", &["price of insulation"]),
            decision("COMPLETE", &[]),
        ],
    );
    let ran = command(&scratch, &server, &RUN_ARGUMENTS)
        .env(
            "RESEARCH_AGENTS__PLANNER__PRESERVE_COMPLETED_STEPS",
            "false",
        )
        .output()
        .unwrap();
    crate::harness::Ran::from(ran).assert_ended(0, "replaced");
    let research = scratch.json("research.json");
    let findings = research["content"]["findings"].as_array().unwrap();
    let steps: Vec<&Value> = findings.iter().map(|finding| &finding["step"]).collect();
    assert_eq!(steps, ["2-aspect"]);
}
