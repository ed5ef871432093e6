//! Random answers of every agent of the research stage: whatever they decide, research ends within
//! its limits and keeps every completed step.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};

use super::faults::mixed;
use super::server::{Act, ChatRequest, Server};
use super::{RUN_ARGUMENTS, command};
use crate::harness::{Ran, Scratch};

/// The number of sessions.
const SESSIONS: u64 = 16;

/// The maximum number of steps at depth `quick`, over all plans: twice those of the first one.
const MAX_STEPS: usize = 6;

/// The maximum number of turns of a step at depth `quick`: its tool calls, and the finish.
const MAX_TURNS: usize = 9;

/// The maximum number of plans: three, three for follow-up questions, and two that reviews ask for.
const MAX_PLANS: usize = 8;

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

/// A model that answers the agents of research at random, or the same for ever.
fn answer(seed: u64, request: &ChatRequest) -> Act {
    let random = &mut Random::of(seed, &request.body.to_string());
    let is_stubborn = seed.is_multiple_of(4);
    let same = json!({
        "reasoning": "again", "decision": "ADJUST", "suggested_changes": ["noise of a heat pump"],
    });
    let said = match request.agent.as_str() {
        "planner" => random.plan(),
        "reflector" if is_stubborn => same,
        "reflector" => random.reflection(),
        "researcher" if is_stubborn && seed == 0 => json!({"thought": "Hm.", "action": "think"}),
        "researcher" if is_stubborn => json!({"action": "search", "query": "heat pump"}),
        "researcher" => random.turn(),
        _ => return Act::Answer,
    };
    match random.below(20) {
        0 => Act::Say("I would rather not.".to_owned(), false),
        1 => Act::Say(said.to_string(), true),
        _ => Act::Say(said.to_string(), false),
    }
}

#[test]
fn random_answers_end_within_the_limits_and_lose_no_completed_step() {
    for seed in 0..SESSIONS {
        let scratch = Scratch::with_few();
        let server = Server::start(
            Duration::ZERO,
            Box::new(move |_, request| answer(seed, request)),
        );
        let mode = if seed % 3 == 2 { "classic" } else { "react" };
        let ran: Ran = command(&scratch, &server, &RUN_ARGUMENTS)
            .env("RESEARCH_DEPTH__QUICK__RESEARCHER", mode)
            .output()
            .unwrap()
            .into();
        assert!(
            matches!(ran.code, Some(0 | 5)),
            "seed {seed}: {}",
            ran.stderr
        );
        let tree = scratch.tree();
        let plans = tree
            .keys()
            .filter(|name| name.starts_with("research/plan-"));
        assert!(plans.count() <= MAX_PLANS, "seed {seed}");
        let steps = tree
            .keys()
            .filter(|name| name.starts_with("research/steps/"));
        let steps: BTreeSet<&String> = steps.collect();
        assert!(steps.len() <= MAX_STEPS, "seed {seed}: {steps:?}");
        for step in &steps {
            let turns = scratch.json(step)["content"]["turns"].clone();
            let turns = turns.as_array().map_or(0, Vec::len);
            assert!(turns <= MAX_TURNS, "seed {seed}, {step}: {turns} turns");
        }
        let research = scratch.json("research.json");
        let planned = research["content"]["plan"]["steps"].as_array().unwrap();
        let done: BTreeSet<String> = planned
            .iter()
            .filter(|step| step["status"] == "COMPLETED")
            .map(|step| format!("research/steps/{}.json", step["id"].as_str().unwrap()))
            .collect();
        assert_eq!(done.iter().collect::<BTreeSet<_>>(), steps, "seed {seed}");
        let is_open =
            |step: &&Value| step["status"] == "PENDING" || step["status"] == "IN_PROGRESS";
        assert_eq!(planned.iter().find(is_open), None, "seed {seed}");
        // Nothing is searched twice: no two completed steps have the same queries.
        let searches = planned
            .iter()
            .filter(|step| step["status"] == "COMPLETED" && step["needs_search"] == true);
        let searches: Vec<String> = searches.map(|step| step["queries"].to_string()).collect();
        let distinct: BTreeSet<&String> = searches.iter().collect();
        assert_eq!(distinct.len(), searches.len(), "seed {seed}: {searches:?}");
    }
}
