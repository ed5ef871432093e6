//! A budget holds: gathering stops in time, what was gathered is written up, and what does not fit
//! is resumable.

use std::time::{Duration, Instant};

use super::server::{Act, ChatRequest, Server};
use super::{ALL_AGENTS, RUN_ARGUMENTS, command, run};
use crate::harness::{Ran, Scratch, TOPIC, parsed};

/// A price that makes the fake model's tokens cost a dollar a thousand.
const PRICES: &str =
    "[models.\"openai:fake\"]\ninput = 1000.0\noutput = 1000.0\ncontext_tokens = 32768\n";

/// At this depth there are two batches of steps.
const STANDARD: [&str; 8] = [
    "run",
    TOPIC,
    "--docs",
    "docs",
    "--session",
    "s",
    "--depth",
    "standard",
];

fn priced() -> Scratch {
    let scratch = Scratch::with_few();
    scratch.write("config/prices.toml", PRICES);
    scratch
}

fn total(scratch: &Scratch) -> (u64, f64) {
    let listed = parsed(&scratch.expect(0, &["calls", "s", "--json"]).stdout);
    let total = &listed["total"];
    let tokens = total["input_tokens"].as_u64().unwrap() + total["output_tokens"].as_u64().unwrap();
    (tokens, total["cost_usd"].as_f64().unwrap_or(0.0))
}

#[test]
fn token_budget_stops_gathering_and_the_report_says_so() {
    let (undisturbed, server) = (priced(), Server::sound(Duration::ZERO));
    run(&undisturbed, &server, &STANDARD).assert_ended(0, "no limit");
    let steps = |scratch: &Scratch| {
        let tree = scratch.tree();
        tree.keys()
            .filter(|name| name.starts_with("research/steps/"))
            .count()
    };
    assert_eq!(steps(&undisturbed), 6);
    let mut stopped = 0;
    for limit in (12_000..60_000).step_by(5000) {
        let scratch = priced();
        let tokens = limit.to_string();
        let arguments = [&STANDARD[..], &["--max-tokens", &tokens]].concat();
        let ran = run(&scratch, &server, &arguments);
        let (spent, _) = total(&scratch);
        assert!(spent <= limit, "{spent} of {limit}");
        match ran.code {
            Some(0) => {
                let limits = scratch.json("report.json")["content"]["limits"].to_string();
                let says_so = limits.contains("Research stopped early");
                assert_eq!(says_so, steps(&scratch) < 6, "{limit}: {limits}");
                stopped += u32::from(says_so);
            }
            _ => {
                ran.assert_ended(6, &tokens);
                assert!(
                    ran.stderr
                        .contains(&format!("the budget of {limit} tokens is ")),
                    "{}",
                    ran.stderr
                );
                // More, and it goes on where it was.
                let calls = server.calls();
                run(&scratch, &server, &STANDARD).assert_ended(0, "without a limit");
                assert!(server.calls() > calls);
            }
        }
    }
    assert!(stopped >= 2, "{stopped}");
}

#[test]
fn cost_budget_counts_money_where_the_price_is_known() {
    let (scratch, server) = (priced(), Server::sound(Duration::ZERO));
    let ran = run(&scratch, &server, &RUN_ARGUMENTS);
    ran.assert_ended(0, "priced");
    assert!(ran.stderr.contains("prices of"), "{}", ran.stderr);
    let (tokens, cost) = total(&scratch);
    assert!(
        (cost - tokens as f64 / 1000.0).abs() < 1e-6,
        "{tokens} tokens, {cost}"
    );
    let status = scratch.expect(0, &["status", "s"]).stdout;
    assert!(status.contains("spent    10 calls"), "{status}");
    assert!(status.contains("forecast 7 calls"), "{status}");
    let small = priced();
    let arguments = [&RUN_ARGUMENTS[..], &["--max-cost", "0.5"]].concat();
    run(&small, &server, &arguments).assert_ended(6, "half a dollar");
}

#[test]
fn limit_of_money_for_a_model_without_a_price_is_refused_before_any_request() {
    let (scratch, server) = (Scratch::with_few(), Server::sound(Duration::ZERO));
    let arguments = [&RUN_ARGUMENTS[..], &["--max-cost", "0.0001"]].concat();
    let ran = run(&scratch, &server, &arguments);
    ran.assert_ended(2, "no price");
    let said = "research: the price of openai:fake is not known, so a limit of money";
    assert!(ran.stderr.starts_with(said), "{}", ran.stderr);
    for help in ["--max-tokens", "config/prices.toml"] {
        assert!(ran.stderr.contains(help), "{}", ran.stderr);
    }
    assert_eq!(server.calls(), 0);
    assert!(!scratch.session().exists());
}

#[test]
fn budget_that_is_too_small_says_how_much_is_needed_before_and_after() {
    let (scratch, server) = (priced(), Server::sound(Duration::ZERO));
    let arguments = [&RUN_ARGUMENTS[..], &["--max-cost", "0.01"]].concat();
    let foreseen = run(
        &scratch,
        &server,
        &[&arguments[..], &["--dry-run"]].concat(),
    );
    foreseen.assert_ended(0, "dry");
    let line = |text: &str, words: &str| {
        let line = text.lines().find(|line| line.contains(words));
        line.unwrap_or_else(|| panic!("{words}: {text}")).to_owned()
    };
    let shortage = line(&foreseen.stdout, "the budget of $0.0100 is less than the");
    assert!(shortage.ends_with(" is enough"), "{shortage}");
    let ran = run(&scratch, &server, &arguments);
    ran.assert_ended(6, "one cent");
    line(&ran.stderr, "that a round may take");
    let problem = line(&ran.stderr, "0.01 US dollars is too small to begin with");
    assert_eq!(server.calls(), 0);
    let status = parsed(&scratch.expect(0, &["status", "s", "--json"]).stdout);
    assert_eq!(status["state"], "BUDGET_ENDED");
    let calls = scratch.expect(0, &["calls", "s"]).stderr;
    assert!(
        calls.contains("the budget did not allow the first call"),
        "{calls}"
    );
    // What the first message names is enough to begin.
    let enough = shortage.split("--max-cost ").nth(1).unwrap();
    let enough = enough.split(' ').next().unwrap();
    run(
        &scratch,
        &server,
        &["run", "--resume", "s", "--max-cost", enough],
    );
    assert!(server.calls() > 0, "{problem}");
}

#[test]
fn resuming_without_the_model_of_the_last_run_says_so() {
    let (scratch, server) = (priced(), Server::sound(Duration::ZERO));
    let options = ["--model", "openai:fake", "--max-cost", "0.01"];
    run(&scratch, &server, &[&RUN_ARGUMENTS[..], &options].concat()).assert_ended(6, "one cent");
    let resumed = scratch.expect(0, &["run", "--resume", "s"]).stderr;
    let named = "the last run of this session named --model openai:fake";
    assert!(resumed.contains(named), "{resumed}");
    let again = scratch.expect(0, &["run", "--resume", "s"]).stderr;
    assert!(!again.contains("named --model"), "{again}");
}

#[test]
fn budget_that_a_refusal_names_is_that_of_the_dry_run_and_enough_for_the_round() {
    let server = Server::sound(Duration::ZERO);
    let named = |text: &str| {
        let line = text
            .lines()
            .find(|line| line.contains("is enough for a round"));
        let line = line.unwrap_or_else(|| panic!("{text}"));
        let (_, rest) = line.split_once("--max-cost ").unwrap();
        rest.split(' ').next().unwrap().to_owned()
    };
    let (mut too_small, mut used_up) = (0, 0);
    for limit in (20..44).step_by(2).map(|limit| limit.to_string()) {
        let scratch = priced();
        let arguments = [&STANDARD[..], &["--max-cost", &limit]].concat();
        let refused = run(&scratch, &server, &arguments);
        if refused.code == Some(0) {
            continue;
        }
        refused.assert_ended(6, &limit);
        too_small += u32::from(refused.stderr.contains("is too small to begin with"));
        used_up += u32::from(refused.stderr.contains("is used up"));
        let resume = ["run", "--resume", "s", "--model", "openai:fake"];
        let foreseen = run(&scratch, &server, &[&resume[..], &["--dry-run"]].concat());
        foreseen.assert_ended(0, "dry");
        let enough = named(&foreseen.stdout);
        assert_eq!(named(&refused.stderr), enough, "{limit}");
        let arguments = [&resume[..], &["--max-cost", &enough]].concat();
        run(&scratch, &server, &arguments).assert_ended(0, &enough);
    }
    assert!(too_small > 0 && used_up > 0, "{too_small} {used_up}");
}

#[test]
fn dry_run_forecasts_calls_and_sends_none() {
    let (scratch, server) = (priced(), Server::sound(Duration::ZERO));
    let arguments = [&RUN_ARGUMENTS[..], &["--dry-run"]].concat();
    let ran = run(&scratch, &server, &arguments);
    ran.assert_ended(0, "dry");
    assert_eq!(server.calls(), 0);
    assert!(
        ran.stdout.contains("forecast for one round"),
        "{}",
        ran.stdout
    );
    let arguments = [&RUN_ARGUMENTS[..], &["--dry-run", "--json"]].concat();
    let output = parsed(&run(&scratch, &server, &arguments).stdout);
    // A reflection after each of three steps, which by default are worked on one by one.
    assert_eq!(output["forecast"]["calls"], 13);
    let forecast = output["forecast"]["input_tokens"].as_u64().unwrap();
    run(&scratch, &server, &RUN_ARGUMENTS).assert_ended(0, "wet");
    let listed = parsed(&scratch.expect(0, &["calls", "s", "--json"]).stdout);
    let actual = listed["total"]["input_tokens"].as_u64().unwrap();
    assert!(
        actual <= 2 * forecast && forecast <= 3 * actual,
        "{forecast} forecast, {actual} actual"
    );
}

#[test]
fn time_budget_stops_gathering() {
    let (scratch, server) = (
        Scratch::with_few(),
        Server::sound(Duration::from_millis(700)),
    );
    let arguments = [&RUN_ARGUMENTS[..], &["--timeout", "1"]].concat();
    let ran = run(&scratch, &server, &arguments);
    ran.assert_ended(0, "one second");
    assert!(ran.stderr.contains("rules answered "), "{}", ran.stderr);
    let limits = scratch.json("report.json")["content"]["limits"].to_string();
    let said = "no time was left for it within the budget of 1 second";
    assert!(limits.contains(said), "{limits}");
    // With more time, the model is asked.
    let calls = server.calls();
    let again = ["run", "--resume", "s", "--from", "research"];
    run(&scratch, &server, &again).assert_ended(0, "more time");
    assert!(server.calls() > calls);
}

#[test]
fn model_too_slow_for_the_time_leaves_it_to_the_rules_and_status_counts_what_calls_counts() {
    let plan = |_: u64, _: &ChatRequest| Act::Hang;
    let (scratch, server) = (
        Scratch::with_few(),
        Server::start(Duration::ZERO, Box::new(plan)),
    );
    let arguments = [&RUN_ARGUMENTS[..], &["--timeout", "2"]].concat();
    run(&scratch, &server, &arguments).assert_ended(0, "two seconds");
    let report = scratch.json("report.json");
    assert_eq!(report["content"]["outcome"], "answered");
    let by_rules = scratch.expect(0, &["run", TOPIC, "--docs", "docs", "--session", "r"]);
    let first = |text: &str| {
        let line = text.lines().find(|line| line.starts_with("- **"));
        let words = line.and_then(|line| line.split(" [").next());
        words.unwrap_or_else(|| panic!("{text}")).to_owned()
    };
    let shown = scratch.read("research-output/s/final_report.md");
    assert_eq!(first(&shown), first(&by_rules.stdout));
    let status = scratch.expect(0, &["status", "s"]).stdout;
    let calls = scratch.expect(0, &["calls", "s"]).stdout;
    let billed = "more may have been billed: no reply was received";
    let line = calls.lines().find(|line| line.ends_with(billed)).unwrap();
    assert!(status.contains(line), "{status}{calls}");
}

#[test]
fn time_limit_ends_a_reply_that_drips() {
    let letter = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n";
    let pause = Duration::from_millis(200);
    // Five minutes of one letter at a time, none of which is silence.
    let plan = move |_: u64, _: &ChatRequest| Act::Events(letter.repeat(1500), pause);
    let (scratch, server) = (
        Scratch::with_few(),
        Server::streaming(Duration::ZERO, Box::new(plan)),
    );
    let began = Instant::now();
    let arguments = [&RUN_ARGUMENTS[..], &["--timeout", "1"]].concat();
    run(&scratch, &server, &arguments).assert_ended(0, "one second");
    assert!(began.elapsed() < Duration::from_secs(60));
}

#[test]
fn time_limit_ends_a_call_that_is_running_and_what_was_found_is_written_up() {
    // The second batch of researchers is never answered.
    let plan = |number: u64, request: &ChatRequest| match request.agent.as_str() {
        "researcher" if number > 5 => Act::Hang,
        _ => Act::Answer,
    };
    let (scratch, server) = (
        Scratch::with_few(),
        Server::start(Duration::ZERO, Box::new(plan)),
    );
    let began = Instant::now();
    let arguments = [&STANDARD[..], &["--timeout", "4"]].concat();
    run(&scratch, &server, &arguments).assert_ended(0, "written up");
    assert!(began.elapsed() < Duration::from_secs(30));
    let limits = scratch.json("report.json")["content"]["limits"].to_string();
    assert!(
        limits.contains("The researcher was answered by rule"),
        "{limits}"
    );
    assert!(limits.contains("4 seconds"), "{limits}");
}

#[test]
fn batch_sessions_share_one_budget() {
    let (scratch, server) = (Scratch::with_few(), Server::sound(Duration::ZERO));
    let topics: Vec<String> = (1..=6)
        .map(|number| format!("{}{}", TOPIC, "?".repeat(number)))
        .collect();
    scratch.write("topics.txt", topics.join("\n"));
    let arguments = [
        "batch",
        "topics.txt",
        "--docs",
        "docs",
        "--depth",
        "quick",
        "-j",
        "2",
        "--keep-going",
        "--max-tokens",
        "60000",
    ];
    let ran: Ran = command(&scratch, &server, &arguments)
        .output()
        .unwrap()
        .into();
    ran.assert_ended(6, "shared");
    assert!(ran.stderr.contains("budget exhausted"), "{}", ran.stderr);
    assert!(ran.stderr.contains("complete"), "{}", ran.stderr);
    let seen = server.seen();
    let spent: usize = seen
        .iter()
        .map(|(request, _)| request.prompt.len() / 4)
        .sum();
    assert!(spent <= 60_000, "{spent}");
    let all = &arguments[..arguments.len() - 2];
    let ran: Ran = command(&scratch, &server, all).output().unwrap().into();
    ran.assert_ended(0, "without a limit");
}

#[test]
fn largest_time_limit_does_not_overflow() {
    let (scratch, server) = (Scratch::with_few(), Server::sound(Duration::ZERO));
    let seconds = u64::MAX.to_string();
    let arguments = [&RUN_ARGUMENTS[..], &["--timeout", &seconds]].concat();
    run(&scratch, &server, &arguments).assert_ended(0, &seconds);
}

#[test]
fn an_agent_whose_own_budget_is_used_up_follows_its_rule_and_the_report_says_so() {
    let (scratch, server) = (Scratch::with_few(), Server::sound(Duration::ZERO));
    let variable = "RESEARCH_BUDGET__COMPONENTS__PLANNER";
    let mut limited = command(&scratch, &server, &RUN_ARGUMENTS);
    let ran: Ran = limited.env(variable, "500").output().unwrap().into();
    ran.assert_ended(0, "a small budget");
    let requests = server.seen();
    assert!(
        requests
            .iter()
            .all(|(request, _)| request.agent != "planner")
    );
    let limits = scratch.json("report.json")["content"]["limits"].to_string();
    let said = "The planner was answered by rule";
    assert!(limits.contains(said), "{limits}");
    assert!(limits.contains("its budget of 500 tokens"), "{limits}");
    // The replay follows the rule where the original did.
    let mut again = scratch.command(&["run", "--replay", "s", "--session", "again"]);
    let ran: Ran = again.envs(ALL_AGENTS).output().unwrap().into();
    ran.assert_ended(0, "replay");
    let report = |session: &str| scratch.read(&format!("research-output/{session}/report.md"));
    assert_eq!(report("again"), report("s"));
    let calls = parsed(&scratch.expect(0, &["calls", "s", "--json"]).stdout);
    let components = calls["components"].as_array().unwrap();
    let planner = components.iter().find(|own| own["agent"] == "planner");
    assert_eq!(planner.unwrap()["calls"], 0);
    let mut wrong = command(&scratch, &server, &["run", "bees", "--docs", "docs"]);
    let wrong = wrong.env("RESEARCH_BUDGET__COMPONENTS__PLANER", "500");
    let ran: Ran = wrong.output().unwrap().into();
    assert!(ran.stderr.contains("no agent \"planer\""), "{}", ran.stderr);
}
