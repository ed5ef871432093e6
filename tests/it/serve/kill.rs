//! A server that is killed at any moment: no session is lost, and nothing is paid twice.

use std::thread;
use std::time::Duration;

use serde_json::json;

use super::{Serving, states, wait_until};
use crate::harness::{Scratch, TOPIC};
use crate::models::server::Server as Models;

/// The number of kills, unless the variable RESEARCH_KILLS asks for more.
const KILLS: usize = 5;

/// The sessions that are begun before each kill.
const SESSIONS: usize = 2;

/// The longest time from the last question to the kill in milliseconds: a run takes about as long.
const LONGEST: usize = 1000;

#[test]
fn a_killed_server_loses_no_session_and_pays_for_nothing_twice() {
    let kills = std::env::var("RESEARCH_KILLS").map_or(KILLS, |kills| kills.parse().unwrap());
    let scratch = Scratch::with_few();
    let models = Models::sound(Duration::from_millis(20));
    let url = models.url();
    let start = || {
        let arguments = ["--docs", "docs", "--resume-interrupted"];
        let variables = [
            ("RESEARCH_MODEL", "openai:fake"),
            ("OPENAI_BASE_URL", url.as_str()),
        ];
        Serving::start(&scratch, &arguments, &variables)
    };
    for kill in 0..kills {
        let server = start();
        for number in 0..SESSIONS {
            let topic = format!("{TOPIC} {kill} {number}");
            let ask = json!({"topic": topic, "depth": "quick"});
            let started = server.post("/v1/sessions", &ask);
            assert_eq!(started.status, 201, "{}", started.body);
        }
        thread::sleep(Duration::from_millis((kill * LONGEST / kills) as u64));
        // Dropped, it is killed.
        drop(server);
    }
    let _server = start();
    wait_until("all reports", || {
        let states = states(&scratch);
        states.len() == kills * SESSIONS && states.iter().all(|(_, state)| state == "COMPLETE")
    });
    // Nobody knows of a call that was in flight whether it was answered: the log says so.
    let answered = models.answered();
    assert!(answered.len() > kills * SESSIONS, "{}", answered.len());
    let twice: usize = answered.values().map(|count| count - 1).sum();
    let logs = scratch.path().join("research-output").read_dir().unwrap();
    let logs =
        logs.map(|entry| std::fs::read_to_string(entry.unwrap().path().join("events.jsonl")));
    let in_flight: usize = logs
        .map(|log| log.unwrap().matches("possibly_billed").count())
        .sum();
    assert!(
        twice <= in_flight,
        "{twice} asked twice, {in_flight} in flight"
    );
}
