//! A toy agent, registered through public items alone: a rule and a prompt make it an agent, a line
//! in a table makes everything else.

use std::sync::Arc;

use anyhow::Result;
use futures::executor::block_on;
use futures::future::BoxFuture;
use research::agent::backend::{Prompts, SessionBudget};
use research::agent::{
    AGENTS, Agent, AgentInfo, Backend, Context, DepthShape, ModelAgent, Phase, SessionView, Tier,
    expected_calls,
};
use research::artifact::session::{Depth, Mode};
use research::artifact::{self, Artifact, Session};
use research::config::Settings;
use research::model::{Amount, Budget, CallEstimate, Catalogue, Forecast, Models, Needs};
use research::pipeline::{
    Decision, Digest, Engine, Header, PastRound, Pipeline, Publication, Recipe, Request, Stage,
    Version, Workspace,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// Counts words.
struct Counter;

impl Agent for Counter {
    type Input = String;
    type Output = usize;
    const NAME: &'static str = "counter";
    const TIER: Tier = Tier::Simple;
    const PHASE: Phase = Phase::Finishing;
    const PROMPT: &'static str = "Count the words of: {{ text | data }}";

    fn rule(input: &String) -> usize {
        input.split_whitespace().count()
    }
}

#[derive(Deserialize, JsonSchema)]
struct CounterAnswer {
    /// The number of words.
    words: usize,
}

impl ModelAgent for Counter {
    type Answer = CounterAnswer;
    const OUTPUT_TOKENS: u32 = 20;

    fn expected(shape: DepthShape) -> CallEstimate {
        CallEstimate {
            calls: shape.steps,
            input_tokens: 10 * shape.passages_per_step,
            output_tokens: 5,
        }
    }

    fn context(input: &String, _items: usize) -> Context {
        json!({ "text": input })
    }

    fn validate(
        input: &String,
        _items: usize,
        answer: CounterAnswer,
        _left_out: &mut Vec<String>,
    ) -> Result<usize, String> {
        if answer.words > input.len() {
            return Err("there are not so many words".to_owned());
        }
        Ok(answer.words)
    }

    fn preview(session: &SessionView<'_>) -> Result<Option<String>> {
        Ok(Some(session.session.topic.clone()))
    }
}

const TOYS: &[AgentInfo] = &[AgentInfo::of::<Counter>()];

const SHAPE: DepthShape = DepthShape {
    steps: 3,
    passages_per_step: 4,
    background_queries: 3,
    reflects_at_end: true,
    turns_per_step: 1,
    verifications: 0,
    is_social: false,
};

/// A stage that asks the toy.
struct Count(Backend);

impl Stage for Count {
    fn name(&self) -> &'static str {
        "count"
    }

    fn gate(&self) -> &'static str {
        "count.json"
    }

    fn intermediates(&self) -> &'static [&'static str] {
        &[]
    }

    fn renderings(&self) -> &'static [&'static str] {
        &[]
    }

    fn inputs(&self, _past: &[PastRound]) -> Vec<String> {
        vec!["topic.txt".to_owned()]
    }

    fn recipe(&self) -> Recipe {
        self.0.recipe(TOYS, Digest::of(""))
    }

    fn check(&self, bytes: &[u8]) -> Result<Header, serde_json::Error> {
        let artifact: Artifact<usize> = artifact::parse(bytes)?;
        Ok(Header {
            provenance: artifact.provenance,
            decision: Some(Decision::Accept),
            score: Some(1.0),
        })
    }

    fn run<'a>(&'a self, workspace: &'a Workspace) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let topic = String::from_utf8(workspace.read_required("topic.txt")?)?;
            let words = self.0.ask::<Counter>(workspace, self, &topic).await?;
            let provenance = workspace.provenance(self)?;
            let artifact = Artifact::new(provenance, workspace.now(), words);
            workspace.write(self.gate(), &artifact::to_bytes(&artifact)?)
        })
    }
}

fn session() -> Session {
    Session {
        version: Version,
        id: "s".to_owned(),
        topic: "heat pumps <<<old>>> houses".to_owned(),
        mode: Mode::DeepResearch,
        depth: Depth::Quick,
        documents: Vec::new(),
        follows: None,
        inherited: Vec::new(),
        search: Vec::new(),
        domains: Vec::new(),
        style: research::artifact::session::Style::default(),
        threshold: 0.5,
        max_rounds: 1,
        clarify: false,
        owner: "local".to_owned(),
        first_run: None,
        messages: Vec::new(),
        started_at: "2026-01-01T00:00:00Z".to_owned(),
    }
}

#[test]
fn a_toy_agent_is_asked_under_the_rules() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("topic.txt"), "three short words").unwrap();
    let budget = SessionBudget::new(Budget::new(Settings::load().unwrap().budget, None));
    let backend = Backend::Rules(Arc::new(budget));
    let recipe = backend.recipe(TOYS, Digest::of(""));
    assert_eq!(
        (recipe.agent.as_str(), recipe.answered_by.as_str()),
        ("counter", "rules")
    );
    let pipeline = Pipeline {
        stages: vec![Box::new(Count(backend))],
        first_stage_of_round: 0,
        max_rounds: 1,
        publication: "count.txt",
        linked: &[],
        digests_outside: None,
        publish: Box::new(|_, _| {
            Ok(Publication {
                bytes: b"done".to_vec(),
                outcome: "done".to_owned(),
                altered: false,
            })
        }),
    };
    let outcome =
        block_on(Engine::default().run(directory.path(), &pipeline, &Request::default())).unwrap();
    assert!(outcome.complete);
    let bytes = std::fs::read(directory.path().join("count.json")).unwrap();
    let artifact: Artifact<usize> = artifact::parse(&bytes).unwrap();
    assert_eq!(artifact.content, 3);
}

#[test]
fn tier_phase_and_limit_derive_from_the_table() {
    let toy = TOYS[0];
    assert_eq!(
        (toy.name, toy.tier, toy.phase),
        ("counter", Tier::Simple, Phase::Finishing)
    );
    assert_eq!((toy.prompt, toy.output_tokens), (Counter::PROMPT, 20));
}

#[test]
fn the_forecast_derives_from_the_table() {
    let agents = [AGENTS, TOYS].concat();
    let forecast = |agents: &[AgentInfo]| {
        Forecast::of(&expected_calls(agents, SHAPE), Amount::default(), |_| None)
    };
    let (without, with) = (forecast(AGENTS), forecast(&agents));
    assert_eq!(with.calls, without.calls + 3);
    assert_eq!(with.input_tokens, without.input_tokens + 3 * 40);
    assert_eq!(with.output_tokens, without.output_tokens + 3 * 5);
    assert_eq!(with.agents.last().unwrap().agent, "counter");
}

#[test]
fn the_budget_reserve_derives_from_the_phase() {
    let mut catalogue = Catalogue::built_in().unwrap();
    catalogue.set_base_url("openai", "http://127.0.0.1:9/");
    let mut settings = Settings::load().unwrap().models;
    settings.default = "openai:fake".to_owned();
    let models = Models::find(&settings, &catalogue).unwrap().unwrap();
    let model = models.for_tier(Tier::Simple).unwrap();
    let reserve = |agents: &[AgentInfo]| {
        let price_of = |tier| models.for_tier(tier).map(|model| model.price);
        Needs::of(&expected_calls(agents, SHAPE), price_of).finishing
    };
    let finishing = reserve(TOYS);
    let limit = u64::from(20 + model.price.thinking_tokens);
    assert_eq!(finishing.tokens, 3 * (40 + limit));
    // An agent that gathers has no share in the reserve.
    let gathering = AgentInfo {
        phase: Phase::Gathering,
        ..TOYS[0]
    };
    assert_eq!(reserve(&[gathering]).tokens, 0);
}

#[test]
fn the_rendered_prompt_derives_from_the_table() {
    let built_in: Vec<(&str, &str)> = TOYS.iter().map(|toy| (toy.name, toy.prompt)).collect();
    let (prompts, _) = Prompts::load(&built_in, None).unwrap();
    let (session, settings) = (session(), Settings::load().unwrap());
    let view = SessionView {
        session: &session,
        settings: &settings,
        read: &|_| Err(std::io::ErrorKind::NotFound.into()),
    };
    let context = (TOYS[0].preview)(&view).unwrap().unwrap();
    let text = prompts.render("counter", context).unwrap();
    assert_eq!(text, "Count the words of: heat pumps ‹‹‹old››› houses");
}
