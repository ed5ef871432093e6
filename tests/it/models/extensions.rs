//! Tools and sub-agents that users add: real programs, run for a scripted model.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use super::server::{Act, ChatRequest, Server};
use super::{hanging_from, kill_during, replay};
use crate::harness::{Ran, Scratch, TOPIC, differences};

/// What a shell would make something of.
const METACHARACTERS: &str = "$(touch /tmp/x); `id` | rm -rf \"$HOME\" & > y #";

/// A tool that writes down what it was given, and says something.
const NOTING: &str = "cat >>\"$NOTES\"; echo >>\"$NOTES\"; pwd >>\"$NOTES.places\"
echo 'The compressor makes 55 dB at night.'";

/// A tool with one text as its argument, by its lines of shell.
fn tool(scratch: &Scratch, name: &str, script: &str) {
    let definition = format!(
        "description = \"Says how loud something is.\"\ncommand = [\"sh\", \"./{name}.sh\"]\n\
         environment = [\"NOTES\"]\ntimeout_seconds = 1\nmax_kibibytes = 1\n\
         [[arguments]]\nname = \"thing\"\ntype = \"text\"\nrequired = true\n"
    );
    scratch.write(&format!(".config/research/tools/{name}.toml"), definition);
    scratch.write(&format!(".config/research/tools/{name}.sh"), script);
}

fn command(scratch: &Scratch, models: &Server, arguments: &[&str]) -> Command {
    let mut command = super::command(scratch, models, arguments);
    command
        .env("PATH", "/usr/bin:/bin")
        .env("SECRET", "a-secret")
        .env("NOTES", scratch.path().join("notes"));
    command
}

const RUN: [&str; 8] = [
    "run",
    TOPIC,
    "--docs",
    "docs",
    "--session",
    "s",
    "--depth",
    "standard",
];

fn ran(scratch: &Scratch, models: &Server) -> Ran {
    command(scratch, models, &RUN).output().unwrap().into()
}

/// The turn of a request, from 0, and the number of the last passage that was shown.
pub(super) fn turn(request: &ChatRequest) -> (usize, u64) {
    let messages = request.body["messages"].as_array().unwrap();
    let turn = messages.iter().filter(|one| one["role"] == "assistant");
    let shown = messages.iter().filter_map(|one| one["content"].as_str());
    let fences = shown.flat_map(|text| text.split("<<<").skip(1));
    let number = fences.filter_map(|fence| fence.split(' ').next()?.parse().ok());
    (turn.count(), number.max().unwrap_or_default())
}

/// A model whose researchers run the tool `noise`, and quote what it says.
fn running(_: u64, request: &ChatRequest) -> Act {
    let (turn, passage) = turn(request);
    let answer = match (request.agent.as_str(), turn) {
        ("researcher", 0) => json!({
            "thought": "How loud is it?", "action": "tool", "tool": "noise",
            "arguments": {"thing": METACHARACTERS, "else": "dropped"},
        }),
        ("researcher", _) => json!({
            "thought": "That is known.", "action": "finish", "findings": [
                {"passages": [passage], "statement": "The compressor makes 55 dB at night."},
            ],
        }),
        _ => return Act::Answer,
    };
    Act::Say(answer.to_string(), false)
}

fn server() -> Server {
    Server::start(Duration::ZERO, Box::new(running))
}

/// The contents of a step.
fn step(scratch: &Scratch) -> Value {
    scratch.json("research/steps/1-overview.json")["content"].clone()
}

fn researcher_prompts(models: &Server) -> Vec<String> {
    let seen = models.seen().into_iter();
    let requests = seen.filter(|(request, _)| request.agent == "researcher");
    requests
        .map(|(request, _)| request.body.to_string())
        .collect()
}

#[test]
fn tool_is_run_once_with_data_and_becomes_a_source() {
    let (scratch, models) = (Scratch::with_few(), server());
    tool(
        &scratch,
        "noise",
        &format!("{NOTING}\nenv >>\"$NOTES.environment\""),
    );
    ran(&scratch, &models).assert_ended(0, "tools");
    // Six steps ask for the same: it is run once, its argument is data, and nothing else is there.
    assert_eq!(
        scratch.read("notes").trim_end(),
        json!({ "thing": METACHARACTERS }).to_string()
    );
    assert!(!scratch.read("notes.environment").contains("a-secret"));
    let directory = scratch.read("notes.places");
    assert!(!Path::new(directory.trim()).exists(), "{directory}");
    let prompts = researcher_prompts(&models);
    assert!(
        prompts[0].contains("thing (text, required)"),
        "{}",
        prompts[0]
    );
    let turns = step(&scratch)["turns"].clone();
    let locator = turns[0]["action"]["tool"].as_str().unwrap().to_owned();
    assert!(
        locator.starts_with("tool:noise?thing=%24%28touch"),
        "{locator}"
    );
    assert_eq!(turns[0]["outcome"], "1 new passage was found.");
    let source = step(&scratch)["passages"][0]["source"].clone();
    let source = scratch.json(&format!("sources/{}.json", source.as_str().unwrap()));
    assert_eq!(source["content"]["locator"], locator.as_str());
    assert_eq!(source["content"]["kind"], "tool");
    scratch.expect(0, &["verify", "s"]);

    // A replay needs neither the program nor its definition.
    std::fs::remove_dir_all(scratch.path().join(".config")).unwrap();
    replay(&scratch, &["--session", "again"]).assert_ended(0, "replay");
    assert_eq!(scratch.read("notes").lines().count(), 1);
    let again = scratch.read("research-output/again/report.md");
    assert_eq!(again, scratch.read("research-output/s/report.md"));
}

#[test]
fn killed_session_does_not_run_a_tool_again() {
    let undisturbed = Scratch::with_few();
    tool(&undisturbed, "noise", NOTING);
    let sound = server();
    ran(&undisturbed, &sound).assert_ended(0, "undisturbed");
    let first = |request: &ChatRequest| request.agent == "researcher" && turn(request).0 == 1;
    let calls = sound
        .seen()
        .iter()
        .position(|(request, _)| first(request))
        .unwrap();
    let scratch = Scratch::with_few();
    tool(&scratch, "noise", NOTING);
    let hanging = hanging_from(calls, running);
    kill_during(calls, command(&scratch, &hanging, &RUN), &hanging);
    assert_eq!(scratch.read("notes").lines().count(), 1);
    ran(&scratch, &server()).assert_ended(0, "resumed");
    assert_eq!(scratch.read("notes").lines().count(), 1);
    let (actual, expected) = (scratch.tree(), undisturbed.tree());
    assert_eq!(differences(&actual, &expected), Vec::<&str>::new());
}

#[test]
fn hostile_tools_fail_alone_and_are_named() {
    for (script, problem) in [
        ("yes", "the tool noise said more than 1 KiB and was stopped"),
        (
            "sleep 600 & sleep 600",
            "the tool noise took longer than 1 s and was stopped",
        ),
        ("kill -KILL $$", "the tool noise failed (exit status: 137)"),
        (
            "echo 'no such thing' >&2; exit 4",
            "the tool noise failed (exit status: 4): no such thing",
        ),
        (":", "the tool noise returned nothing"),
        (
            "printf 'a\\000b'",
            "what the tool noise returned is not text",
        ),
    ] {
        let (scratch, models) = (Scratch::with_few(), server());
        tool(&scratch, "noise", script);
        ran(&scratch, &models).assert_ended(0, script);
        let outcome = step(&scratch)["turns"][0]["outcome"].clone();
        assert!(outcome.as_str().unwrap().starts_with(problem), "{outcome}");
        let research = scratch.read("research-output/s/research.json");
        assert!(research.contains(problem), "{script}: the limits name it");
    }
}

#[test]
fn tool_that_was_not_granted_is_not_run() {
    // In the working directory, of which somebody else may be the author.
    let (scratch, models) = (Scratch::with_few(), server());
    tool(&scratch, "noise", NOTING);
    std::fs::rename(
        scratch.path().join(".config/research"),
        scratch.path().join("config"),
    )
    .unwrap();
    ran(&scratch, &models).assert_ended(0, "untrusted");
    assert!(!scratch.path().join("notes").exists());
    let prompts = researcher_prompts(&models);
    assert!(!prompts[0].contains("`tool`"), "{}", prompts[0]);
    let doctor: Ran = command(&scratch, &models, &["doctor"])
        .output()
        .unwrap()
        .into();
    assert!(
        doctor.stdout.contains("config/tools is not used"),
        "{}",
        doctor.stdout
    );
    // Approved, it is.
    let approved: Ran = command(
        &scratch,
        &models,
        &["run", TOPIC, "--docs", "docs", "--depth", "standard"],
    )
    .env("RESEARCH_CONFIG", "config")
    .output()
    .unwrap()
    .into();
    approved.assert_ended(0, "approved");
    assert!(scratch.path().join("notes").exists());
}

#[test]
fn broken_definitions_are_errors_with_file_and_line() {
    let models = server();
    for (file, text, problem) in [
        (
            "tools/a.toml",
            "description = \"x\"\ncommand = 3\n",
            "tools/a.toml:2: invalid type",
        ),
        (
            "tools/a.toml",
            "description = \"x\"\n",
            "tools/a.toml:1: the command names no program",
        ),
        (
            "tools/read.toml",
            "description = \"x\"\ncommand = [\"ls\"]\n",
            "built-in action",
        ),
        (
            "tools/a.toml",
            "description = \"x\"\ncommand = [\"no-such-program\"]\n",
            "no program \"no-such-program\"",
        ),
        (
            "agents/b.toml",
            "description = \"x\"\nprompt = \"y\"\ntools = [\"fly\"]\n",
            "agents/b.toml:3: there is no usable tool \"fly\"; there are search, read, open, \
             think; correct the file or move it away",
        ),
        (
            "agents/b.toml",
            "description = \"x\"\nprompt = \"{{ key }}\"\ntools = []\n",
            "agents/b.toml:2: the prompt is a template in which date and topic can be used",
        ),
    ] {
        let scratch = Scratch::new();
        scratch.write(&format!(".config/research/{file}"), text);
        let doctor: Ran = command(&scratch, &models, &["doctor"])
            .output()
            .unwrap()
            .into();
        doctor.assert_ended(1, text);
        assert!(
            doctor.stdout.contains(problem),
            "{problem}: {}",
            doctor.stdout
        );
    }
}

#[test]
fn doctor_lists_every_file_that_cannot_be_used() {
    let (scratch, models) = (Scratch::new(), server());
    for (file, text) in [
        ("tools/a.toml", "description = \"x\"\ncommand = 3\n"),
        ("tools/b.toml", "description = \" \"\ncommand = [\"sh\"]\n"),
        (
            "tools/c.toml",
            "description = \"x\"\ncommand = [\"sh\"]\n\ntimeout_seconds = 0\n",
        ),
        (
            "tools/good.toml",
            "description = \"x\"\ncommand = [\"sh\"]\n",
        ),
        (
            "agents/d.toml",
            "description = \"x\"\nprompt = \"y\"\ntools = [\"a\"]\n",
        ),
        ("prompts/planner.md", "You plan.\n{% if topic %}\n"),
        ("prompts/reports/letter.md", "{{ a b }}\n"),
        ("prompts/reports/poem.md", "In verse.\n"),
    ] {
        scratch.write(&format!(".config/research/{file}"), text);
    }
    let mut command = command(&scratch, &models, &["doctor"]);
    let prompts = scratch.path().join(".config/research/prompts");
    command.env("RESEARCH_MODELS__PROMPTS_DIR", prompts);
    let doctor = Ran::from(command.output().unwrap());
    doctor.assert_ended(1, "broken files");
    for problem in [
        "tools/a.toml:2: invalid type",
        "tools/b.toml:1: the description is empty",
        "tools/c.toml:4: timeout_seconds must be 1 to 600",
        "agents/d.toml:3: there is no usable tool \"a\"",
        "prompts/planner.md:",
        "prompts/reports/letter.md:1: this is not a valid template",
    ] {
        let line = doctor.stdout.lines().find(|line| line.contains(problem));
        let line = line.unwrap_or_else(|| panic!("{problem}: {}", doctor.stdout));
        assert!(line.starts_with("FAIL"), "{line}");
        assert!(line.ends_with("correct the file or move it away"), "{line}");
    }
    for usable in ["good runs /", "your reports/poem"] {
        assert!(doctor.stdout.contains(usable), "{}", doctor.stdout);
    }
}

/// A model that delegates its only step to an agent, and another that there is not.
fn delegating(_: u64, request: &ChatRequest) -> Act {
    let (turn, passage) = turn(request);
    let answer = match (request.agent.as_str(), turn) {
        ("planner", _) => {
            let step = |title: &str, agent: &str| {
                json!({
                    "title": title, "description": "How loud it is.", "step_type": "RESEARCH",
                    "facet": "overview", "queries": [title], "depends_on": [], "priority": 1,
                    "agent": agent,
                })
            };
            let steps = [
                step("power of a compressor", "measurements"),
                step("grants", "nobody"),
            ];
            json!({"thought": "as scripted", "independent": false, "steps": steps})
        }
        ("researcher", 0) => json!({
            "thought": "In kW?", "action": "tool", "tool": "convert_unit",
            "arguments": {"value": "12000", "unit": "BTU/H", "into": "kW"},
        }),
        ("researcher", 1) => json!({"thought": "Hm.", "action": "think"}),
        ("researcher", _) => json!({
            "thought": "That is known.", "action": "finish", "findings": [
                {"passages": [passage], "statement": "12000 BTU/h is 3.51685 kW."},
            ],
        }),
        _ => return Act::Answer,
    };
    Act::Say(answer.to_string(), false)
}

#[test]
fn step_is_delegated_to_the_shipped_agent_with_its_tool() {
    if !Path::new("/usr/bin/python3").exists() {
        return crate::harness::skipped("the example needs python3");
    }
    let scratch = Scratch::with_few();
    let models = Server::start(Duration::ZERO, Box::new(delegating));
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/extensions");
    let own = Path::new(env!("CARGO_BIN_EXE_research")).parent().unwrap();
    let ran = |arguments: &[&str]| {
        let mut command = command(&scratch, &models, arguments);
        command
            .env("RESEARCH_CONFIG", example)
            .env("PATH", format!("/usr/bin:/bin:{}", own.display()));
        Ran::from(command.output().unwrap())
    };
    let doctor = ran(&["doctor"]);
    doctor.assert_ended(0, "doctor");
    for words in [
        "convert_unit runs /usr/bin/python3",
        "agent measurements uses search, read, open, convert_unit",
    ] {
        assert!(doctor.stdout.contains(words), "{}", doctor.stdout);
    }
    ran(&RUN).assert_ended(0, "delegated");
    let plan = scratch.json("research/plan-1.json");
    assert_eq!(plan["content"]["steps"][0]["agent"], "measurements");
    assert_eq!(plan["content"]["steps"][1]["agent"], Value::Null);
    let finding = step(&scratch);
    assert_eq!(finding["agent"], "measurements");
    let quote = "A power of 12000 BTU/h is 3.51685 kW.";
    assert_eq!(finding["passages"][0]["quote"], quote, "{finding}");
    // It may not think: the answer is refused with the actions that are its own.
    let prompts = researcher_prompts(&models).join("\n");
    let own = "You work as `measurements`. Your actions are search, read, open, tool, finish";
    assert!(prompts.contains(own), "{prompts}");
    assert!(prompts.contains(&format!("Look for measured quantities on {TOPIC}")));
    assert!(prompts.contains("the action must be one of search, read, open, tool, finish"));
    assert!(!prompts.contains("{{"));
}
