//! Steps of a plan: approved or edited by a person, failed, and followed up.

use std::fs;

use serde_json::{Value, json};

use crate::harness::{Scratch, TOPIC};
use crate::models::RUN_ARGUMENTS;

/// A session that ran until it was researched, and whose findings are then changed by hand.
fn researched(change: impl Fn(&str, &mut Value)) -> Scratch {
    let scratch = Scratch::with_few();
    scratch.expect(0, &[&RUN_ARGUMENTS[..], &["--until", "research"]].concat());
    fs::remove_file(scratch.session().join("research.json")).unwrap();
    for step in ["1-overview", "2-why", "3-costs"] {
        let name = format!("research/steps/{step}.json");
        let mut finding = scratch.json(&name);
        change(step, &mut finding["content"]);
        fs::write(scratch.session().join(name), finding.to_string()).unwrap();
    }
    scratch
}

fn fail(finding: &mut Value) {
    finding["problem"] = json!("the disk is on fire");
    finding["observation"] = json!("The step failed: the disk is on fire.");
    finding["passages"] = json!([]);
}

#[test]
fn first_plan_waits_for_approval_and_is_carried_out_as_edited() {
    let scratch = Scratch::with_few();
    let asks = [&RUN_ARGUMENTS[..], &["--approve-plan"]].concat();
    // A command that is repeated approves nothing.
    for ran in [scratch.expect(4, &asks), scratch.expect(4, &asks)] {
        let words = "plan-1.json as you like";
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    }
    assert!(!scratch.session().join("research/steps").exists());
    let name = "research/plan-1.json";
    let mut plan = scratch.json(name);
    let steps = plan["content"]["steps"].as_array_mut().unwrap();
    steps.truncate(2);
    steps[1]["queries"] = json!(["radiators stay flow temperature"]);
    fs::write(scratch.session().join(name), plan.to_string()).unwrap();
    scratch.expect(4, &["run", "--resume", "s", "--approve-plan"]);
    scratch.expect(0, &["run", "--resume", "s"]);
    let research = scratch.json("research.json");
    let queries = &research["content"]["search_queries"];
    assert_eq!(*queries, json!([TOPIC, "radiators stay flow temperature"]));
}

#[test]
fn a_step_that_fails_fails_alone_and_the_report_says_so() {
    let scratch = researched(|step, finding| {
        if step == "2-why" {
            fail(finding);
        }
    });
    scratch.expect(0, &RUN_ARGUMENTS);
    let research = scratch.json("research.json");
    let statuses: Vec<&Value> = research["content"]["plan"]["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| &step["status"])
        .collect();
    assert_eq!(statuses, ["COMPLETED", "FAILED", "COMPLETED"]);
    let limits = scratch.json("report.json")["content"]["limits"].to_string();
    assert!(
        limits.contains("Research reasons and benefits failed: the disk is on fire."),
        "{limits}"
    );
}

#[test]
fn the_stage_fails_if_every_step_fails_and_a_resumed_session_tries_again() {
    let scratch = researched(|_, finding| fail(finding));
    let ran = scratch.expect(1, &RUN_ARGUMENTS);
    assert!(ran.stderr.contains("every step failed"), "{}", ran.stderr);
    scratch.expect(0, &RUN_ARGUMENTS);
}

#[test]
fn questions_that_findings_raise_become_steps_of_the_next_plan_once() {
    let question = "Which flow temperature do the radiators of an old house need?";
    let scratch = researched(|_, finding| finding["follow_up"] = json!([question]));
    scratch.expect(0, &RUN_ARGUMENTS);
    let plan = scratch.json("research/plan-2.json");
    let steps = plan["content"]["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 4);
    assert_eq!(steps[3]["id"], "4-aspect");
    assert_eq!(steps[3]["queries"][0], question);
    assert!(
        scratch
            .session()
            .join("research/steps/4-aspect.json")
            .exists()
    );
    assert!(!scratch.session().join("research/plan-3.json").exists());
}
