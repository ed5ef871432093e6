//! A toy stage between write and review, registered through public items alone: the names, the
//! graph, the plan and the state of a session see it, and it runs.

use std::sync::Arc;

use anyhow::Result;
use futures::executor::block_on;
use research::agent::Backend;
use research::agent::backend::SessionBudget;
use research::artifact::session::State;
use research::artifact::{self, Artifact, Report};
use research::config::Settings;
use research::extension::Extensions;
use research::model::Budget;
use research::pipeline::{Clock, Digest, Engine, Request};
use research::stage::{self, Context, Edge, Libraries, STAGES, StageInfo, StageRun};
use research::{run, session};

use crate::harness::{NOW, Scratch, TOPIC};

/// The line of the table.
const INFO: StageInfo = StageInfo {
    name: "count",
    gate: "count.json",
    intermediates: &[],
    renderings: &[],
    agents: &[],
    // A state that differs from those of the neighbouring stages.
    state: State::Analyzing,
    starts_round: false,
    sends_back: &[],
    inputs: |_| vec!["report.json".to_owned()],
    external_files: |_| Ok(None),
    fetched: |_| None,
    configuration: |_| Digest::of(""),
    check: stage::header::<usize>,
    run: |run| Box::pin(count(run)),
    render: |_| Ok(()),
};

/// Counts the claims of the report.
async fn count(run: StageRun<'_>) -> Result<()> {
    let report: Artifact<Report> = artifact::parse(&run.workspace.read_required("report.json")?)?;
    run.write_gate(report.content.claims.len())
}

/// The built-in stages with the toy before the last one.
fn stages() -> Vec<StageInfo> {
    let mut stages = STAGES.to_vec();
    stages.insert(stages.len() - 1, INFO);
    stages
}

#[test]
fn a_stage_in_the_table_is_in_the_names_and_the_graph() {
    let stages = stages();
    let names = ["research", "analysis", "write", "count", "review"];
    assert_eq!(stage::names(&stages), names);
    let edge = |from, to| Edge { from, to, when: "" };
    let edges = stage::edges(&stages);
    assert!(edges.contains(&edge("write", "count")), "{edges:?}");
    assert!(edges.contains(&edge("count", "review")), "{edges:?}");
    assert!(!edges.contains(&edge("write", "review")), "{edges:?}");
}

#[test]
fn a_stage_in_the_table_is_planned_shown_as_the_state_and_run() {
    let scratch = Scratch::with_few();
    scratch.expect(
        0,
        &[
            "run",
            TOPIC,
            "--docs",
            "docs",
            "--session",
            "s",
            "--until",
            "write",
        ],
    );
    let path = scratch.session();
    let session = session::read(&path).unwrap();
    let settings = Settings::load().unwrap();
    let budget = Budget::new(settings.budget.clone(), None);
    let stages = stages();
    let pipeline = stage::pipeline(
        &stages,
        Context {
            threshold: session.threshold,
            max_rounds: session.max_rounds,
            clarify: false,
            approve_plan: false,
            documents: session::documents(&path, &session),
            inherited: Vec::new(),
            reader: run::reader(&settings).unwrap(),
            libraries: Libraries::default(),
            extensions: Extensions::default(),
            web_client: None,
            replay: None,
            backend: Backend::Rules(Arc::new(SessionBudget::new(budget))),
            settings,
        },
    );
    let engine = Engine {
        clock: Clock::fixed(NOW.parse().unwrap()),
        ..Engine::default()
    };
    let request = Request::default();
    let plan = engine.plan(&path, &pipeline, &request).unwrap();
    let planned: Vec<&str> = plan.stages.iter().map(|line| line.stage.as_str()).collect();
    assert_eq!(planned, stage::names(&stages));
    assert_eq!(stage::state(&stages, &path, &plan), State::Analyzing);

    block_on(engine.run(&path, &pipeline, &request)).unwrap();
    let report = scratch.json("report.json");
    let claims = report["content"]["claims"].as_array().unwrap().len();
    assert_eq!(scratch.json("count.json")["content"], claims);
    let plan = engine.plan(&path, &pipeline, &request).unwrap();
    assert_eq!(stage::state(&stages, &path, &plan), State::Complete);
}
