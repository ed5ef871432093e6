//! Random answers of every agent of the research stage: whatever they decide, research ends within
//! its limits and keeps every completed step.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};

use super::faults::mixed;
use super::server::{Act, ChatRequest, Server};
use super::{RUN_ARGUMENTS, command};
use crate::harness::{Ran, Scratch};

/// The number of sessions: in each row of [`WAYS`] two.
const SESSIONS: u64 = 2 * WAYS.len() as u64;

/// The ways of a model that answers the same for ever, or at random.
const WAYS: [Way; 9] = [
    Way::Random,
    Way::Random,
    Way::Random,
    Way::Thinks,
    Way::SearchesTheSame,
    Way::RunsAToolThatFails,
    Way::PlansInCircles,
    Way::PlansWithoutEnd,
    Way::RepeatsItself,
];

/// The maximum number of steps at depth `quick`, over all plans: twice those of the first one.
const MAX_STEPS: usize = 6;

/// The maximum number of turns of a step at depth `quick`: its tool calls, and the finish.
const MAX_TURNS: usize = 9;

/// The maximum number of plans: three, three for follow-up questions, and two that reviews ask for.
const MAX_PLANS: usize = 8;

/// The maximum number of queries of a step.
const MAX_QUERIES: usize = 2;

/// The way in which a model answers.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    /// At random, agent by agent.
    Random,
    /// Its researchers think, turn after turn.
    Thinks,
    /// Its researchers search for the same, turn after turn.
    SearchesTheSame,
    /// Its researchers run a tool that fails, turn after turn.
    RunsAToolThatFails,
    /// Every step of its plans needs all others.
    PlansInCircles,
    /// Its plans have a thousand steps, or none from the second one on.
    PlansWithoutEnd,
    /// Its plans have the same step many times.
    RepeatsItself,
}

/// A generator of numbers that look random and are the same every time.
struct Random(u64);

impl Random {
    /// Begins with a seed and a text.
    fn of(seed: u64, text: &str) -> Self {
        let hash = text
            .bytes()
            .fold(seed, |hash, byte| mixed(hash ^ u64::from(byte)));
        Self(hash)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.0 = mixed(self.0);
        self.0 % limit
    }

    fn of_these<'a>(&mut self, values: &[&'a str]) -> &'a str {
        values[self.below(values.len() as u64) as usize]
    }

    fn phrase(&mut self) -> String {
        let words = [
            "heat",
            "pump",
            "insulation",
            "cost",
            "noise",
            "",
            "radiator",
            "old",
        ];
        let count = self.below(4) + 1;
        let words: Vec<&str> = (0..count).map(|_| self.of_these(&words)).collect();
        words.join(" ")
    }

    fn step(&mut self) -> Value {
        let queries: Vec<String> = (0..self.below(4)).map(|_| self.phrase()).collect();
        let named = [
            "1", "2", "7", "1-aspect", "3-costs", "nothing", "-1", "step 2",
        ];
        let depends_on: Vec<&str> = (0..self.below(3)).map(|_| self.of_these(&named)).collect();
        json!({
            "title": self.phrase(), "description": self.phrase(),
            "step_type": self.of_these(&["RESEARCH", "RESEARCH", "ANALYSIS"]),
            "facet": self.of_these(&["aspect", "overview", "side", "term", "entries", "open"]),
            "queries": queries, "depends_on": depends_on,
            "priority": self.below(40) as i64 - 20,
        })
    }

    fn plan(&mut self) -> Value {
        let count = [0, 1, 2, 3, 5, 9, 1000][self.below(7) as usize];
        let steps: Vec<Value> = (0..count).map(|_| self.step()).collect();
        json!({
            "thought": self.phrase(), "has_enough_context": self.below(8) == 0,
            "independent": self.below(2) == 0, "steps": steps,
        })
    }

    fn reflection(&mut self) -> Value {
        let decision = self.of_these(&["CONTINUE", "ADJUST", "ADJUST", "COMPLETE"]);
        let changes: Vec<String> = (0..self.below(6)).map(|_| self.phrase()).collect();
        json!({"reasoning": self.phrase(), "decision": decision, "suggested_changes": changes})
    }

    fn turn(&mut self) -> Value {
        let numbers = |random: &mut Self| -> Vec<i64> {
            (0..random.below(4))
                .map(|_| random.below(30) as i64 - 5)
                .collect()
        };
        let findings: Vec<Value> = (0..self.below(5))
            .map(|_| json!({"passages": numbers(self), "statement": self.phrase()}))
            .collect();
        json!({
            "thought": self.phrase(),
            "action": self.of_these(&["search", "search", "read", "open", "think", "finish"]),
            "query": self.phrase(), "service": self.of_these(&["", "documents", "nowhere"]),
            "numbers": numbers(self), "findings": findings, "follow_up": [self.phrase()],
        })
    }
}

/// The plan of a stubborn model.
fn stubborn_plan(way: Way, random: &mut Random, prompt: &str) -> Value {
    let step = |title: String, depends_on: &[usize]| {
        json!({
            "title": title, "queries": [format!("{title} of a heat pump")],
            "depends_on": depends_on,
        })
    };
    let steps: Vec<Value> = match way {
        Way::PlansInCircles => (1..=5)
            .map(|number| step(format!("circle {number}"), &[1, 2, 3, 4, 5]))
            .collect(),
        Way::PlansWithoutEnd if prompt.contains("These steps are done") => Vec::new(),
        Way::PlansWithoutEnd => (0..1000)
            .map(|number| step(format!("aspect {number}"), &[]))
            .collect(),
        Way::RepeatsItself => vec![step("the same".to_owned(), &[]); 9],
        _ => return random.plan(),
    };
    json!({"thought": "as ever", "independent": random.below(2) == 0, "steps": steps})
}

/// What a model says in its way.
fn said(way: Way, random: &mut Random, request: &ChatRequest) -> Option<Value> {
    let again = json!({
        "reasoning": "again", "decision": "ADJUST", "suggested_changes": ["noise of a heat pump"],
    });
    Some(match (request.agent.as_str(), way) {
        ("planner", Way::Random) => random.plan(),
        ("planner", way) => stubborn_plan(way, random, &request.prompt),
        ("reflector", Way::Random) => random.reflection(),
        ("reflector", _) => again,
        ("researcher", Way::Thinks) => json!({"thought": "Hm.", "action": "think"}),
        ("researcher", Way::SearchesTheSame) => json!({"action": "search", "query": "heat pump"}),
        ("researcher", Way::RunsAToolThatFails) => {
            let number = random.below(3);
            json!({"action": "tool", "tool": "failing", "arguments": {"number": number}})
        }
        ("researcher", _) => random.turn(),
        _ => return None,
    })
}

/// A model that answers the agents of research in some way, now and then with nonsense.
fn answer(seed: u64, request: &ChatRequest) -> Act {
    let random = &mut Random::of(seed, &request.body.to_string());
    let Some(said) = said(way_of(seed), random, request) else {
        return Act::Answer;
    };
    match random.below(20) {
        0 => Act::Say("I would rather not.".to_owned(), false),
        1 => Act::Say(said.to_string(), true),
        _ => Act::Say(said.to_string(), false),
    }
}

fn way_of(seed: u64) -> Way {
    WAYS[seed as usize % WAYS.len()]
}

/// A tool that fails whenever it is run.
fn write_tool(scratch: &Scratch) {
    let definition = "description = \"Says how loud something is.\"\ncommand = [\"false\"]\n\
                      [[arguments]]\nname = \"number\"\ntype = \"integer\"\n";
    scratch.write(".config/research/tools/failing.toml", definition);
}

#[test]
fn random_answers_end_within_the_limits_and_lose_no_completed_step() {
    for seed in 0..SESSIONS {
        let scratch = Scratch::with_few();
        write_tool(&scratch);
        let way = way_of(seed);
        let server = Server::start(
            Duration::ZERO,
            Box::new(move |_, request| answer(seed, request)),
        );
        let is_classic = way == Way::Random && seed % 3 == 2;
        let mode = if is_classic { "classic" } else { "react" };
        let ran: Ran = command(&scratch, &server, &RUN_ARGUMENTS)
            .env("PATH", "/usr/bin:/bin")
            .env("RESEARCH_DEPTH__QUICK__RESEARCHER", mode)
            .output()
            .unwrap()
            .into();
        assert!(
            matches!(ran.code, Some(0 | 5)),
            "seed {seed} ({way:?}): {}",
            ran.stderr
        );
        let tree = scratch.tree();
        let plans = tree
            .keys()
            .filter(|name| name.starts_with("research/plan-"));
        assert!(plans.count() <= MAX_PLANS, "seed {seed} ({way:?})");
        let steps = tree
            .keys()
            .filter(|name| name.starts_with("research/steps/") && !name.ends_with(".web.json"));
        let steps: BTreeSet<&String> = steps.collect();
        assert!(steps.len() <= MAX_STEPS, "seed {seed} ({way:?}): {steps:?}");
        for step in &steps {
            let turns = scratch.json(step)["content"]["turns"].clone();
            let turns = turns.as_array().map_or(0, Vec::len);
            assert!(
                turns <= MAX_TURNS,
                "seed {seed} ({way:?}), {step}: {turns} turns"
            );
        }
        let research = scratch.json("research.json");
        let planned = research["content"]["plan"]["steps"].as_array().unwrap();
        check_plan(planned, &steps, &format!("seed {seed} ({way:?})"));
    }
}

/// Checks the last plan of a session that has files of these steps.
fn check_plan(planned: &[Value], steps: &BTreeSet<&String>, case: &str) {
    let completed = || planned.iter().filter(|step| step["status"] == "COMPLETED");
    let files = completed().map(|step| step["id"].as_str().unwrap());
    let files: BTreeSet<String> = files
        .map(|id| format!("research/steps/{id}.json"))
        .collect();
    assert_eq!(files.iter().collect::<BTreeSet<_>>(), *steps, "{case}");
    let is_open = |step: &&Value| step["status"] == "PENDING" || step["status"] == "IN_PROGRESS";
    assert_eq!(planned.iter().find(is_open), None, "{case}");
    let queries = planned.iter().filter_map(|step| step["queries"].as_array());
    assert!(queries.map(Vec::len).max() <= Some(MAX_QUERIES), "{case}");
    // Nothing is searched twice: no two completed steps have the same queries.
    let searches = completed().filter(|step| step["needs_search"] == true);
    let searches: Vec<String> = searches.map(|step| step["queries"].to_string()).collect();
    let distinct: BTreeSet<&String> = searches.iter().collect();
    assert_eq!(distinct.len(), searches.len(), "{case}: {searches:?}");
}
