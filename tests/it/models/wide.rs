//! A session with everything: a first look around, researchers side by side, two changes of the
//! plan, an analysis and posts, over documents and a web on loopback, in this process. Whatever
//! happens to it, it ends with the same bytes.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use anyhow::Result;
use futures::executor::block_on;
use research::artifact::session::{Depth, Mode, Style};
use research::config::{ResearcherMode, Settings};
use research::model::Catalogue;
use research::pipeline::{Clock, Engine, Outcome, Request, read_events};
use research::read::Reader;
use research::run::{BackendConfig, Overrides, Shared};
use research::session::{self, NewSession, ReviewTerms, WebScope};
use research::web::{Fetcher, Limits, PROVIDERS, ProviderTable, SystemLookup, WebClient};
use serde_json::{Value, json};

use super::AGENTS;
use super::answers;
use super::faults::mixed;
use super::server::{Act, ChatRequest, Server as Models};
use super::turns::{numbers, turn};
use crate::harness::{NOW, Scratch, TOPIC, differences};
use crate::server::{Server as Web, page};
use crate::social::reddit;

/// What the reflector asks for, one after the other.
const SUGGESTED: [&str; 2] = [
    "price of insulation before a heat pump in an old house",
    "radiators that stay when a heat pump is installed",
];

/// The query of every researcher's own search.
const QUERY: &str = "noise limits in residential areas at night";

/// The pages of the web: short, since a test runs the session hundreds of times.
const PAGES: [(&str, &str); 4] = [
    (
        "costs",
        "A heat pump for an old house costs about 30,000 euros with its installation.",
    ),
    (
        "insulation",
        "Insulation of an old house before a heat pump costs about 20,000 euros.",
    ),
    (
        "noise",
        "A heat pump in a residential area may make at most 35 decibels at night.",
    ),
    (
        "radiators",
        "Most radiators of an old house can stay when a heat pump is installed.",
    ),
];

/// The documents.
const DOCUMENTS: [(&str, &str); 2] = [
    (
        "works.md",
        "# Old houses\n\nA heat pump works in an old house if it is insulated well enough.",
    ),
    (
        "saves.md",
        "# Savings\n\nInsulation lowers the flow temperature that a heat pump needs.",
    ),
];

/// The number of runs with shuffled latencies.
const SHUFFLES: usize = 100;

/// The number of sessions that are worked on at once: they mostly wait.
const WORLDS: usize = 3;

/// The longest delay of a reply in them.
const LONGEST_DELAY: u64 = 4;

/// Calls that may be in flight at once: the steps of a batch.
const IN_FLIGHT: usize = 3;

/// The requests for pages, threads and searches, in their order.
type RequestLog = Arc<Mutex<Vec<String>>>;

/// A web of a search service, a social service and pages.
fn web(requests: &RequestLog) -> Web {
    let requests = requests.clone();
    Web::new(move |path, stream| {
        let host = stream.local_addr()?;
        requests.lock().unwrap().push(path.to_owned());
        let [posts, thread] = reddit();
        let reply = match path.split('?').next().unwrap_or_default() {
            "/search" => {
                let own = path.contains("noise");
                let names = if own {
                    ["noise", "radiators"]
                } else {
                    ["costs", "insulation"]
                };
                let url = |name: &str| format!("http://{host}/pages/{name}");
                let hit = |name: &str| json!({"url": url(name), "title": name});
                json!({"results": names.map(hit)})
            }
            "/search.json" => posts,
            "/comments/abc1.json" => thread,
            other => match PAGES
                .iter()
                .find(|(name, _)| other == format!("/pages/{name}"))
            {
                Some((name, text)) => {
                    let html = format!("<title>{name}</title><article><p>{text}</p></article>");
                    return page(stream, "200 OK", "text/html", html.as_bytes());
                }
                None => return page(stream, "404 Not Found", "text/plain", b"gone"),
            },
        };
        page(
            stream,
            "200 OK",
            "application/json",
            reply.to_string().as_bytes(),
        )
    })
}

fn step(title: &str, step_type: &str, query: &str, depends_on: &Value) -> Value {
    json!({
        "title": title, "description": format!("It tells of {title}."), "step_type": step_type,
        "facet": "aspect", "queries": [query], "depends_on": depends_on, "priority": 1,
    })
}

/// The plans, by what was asked for last.
fn plan(prompt: &str) -> Value {
    let steps = if prompt.contains(SUGGESTED[1]) {
        let radiators = step(
            "radiators that stay",
            "RESEARCH",
            "radiators stay",
            &json!([]),
        );
        vec![radiators]
    } else if prompt.contains(SUGGESTED[0]) {
        let again = step(
            "old houses",
            "RESEARCH",
            "something else entirely",
            &json!([]),
        );
        let price = step(
            "price of insulation",
            "RESEARCH",
            "insulation price",
            &json!([]),
        );
        vec![again, price]
    } else {
        let mut posts = step("what people say", "RESEARCH", "heat pump", &json!([]));
        posts["task"] = json!("social");
        vec![
            step(
                "old houses",
                "RESEARCH",
                "heat pump old house work",
                &json!([]),
            ),
            step(
                "insulation",
                "RESEARCH",
                "insulation of old houses",
                &json!([]),
            ),
            posts,
            step(
                "insulation against radiators",
                "ANALYSIS",
                "",
                &json!([1, 2]),
            ),
        ]
    };
    json!({"thought": "as scripted", "independent": true, "steps": steps})
}

fn reflection(prompt: &str) -> Value {
    let (decision, changes) = if prompt.contains(" PENDING: ") {
        ("CONTINUE", &SUGGESTED[..0])
    } else if prompt.contains("Research radiators that stay") {
        ("COMPLETE", &SUGGESTED[..0])
    } else if prompt.contains("Research price of insulation") {
        ("ADJUST", &SUGGESTED[1..])
    } else {
        ("ADJUST", &SUGGESTED[..1])
    };
    json!({"reasoning": "by the script", "decision": decision, "suggested_changes": changes})
}

fn researched(request: &ChatRequest) -> Value {
    let (turn, last) = turn(request);
    let fences = answers::fences(&request.prompt).into_iter();
    let shown = fences.filter_map(|(name, _, text)| Some((name.parse::<u32>().ok()?, text)));
    let findings = shown
        .take(3)
        .map(|(number, text)| json!({"passages": [number], "statement": text}));
    let finish = json!({
        "thought": "That is known.", "action": "finish", "findings": findings.collect::<Vec<_>>(),
    });
    match (turn, numbers(&last, "hit ").first()) {
        _ if request.prompt.contains("The step searches nothing") => finish,
        (0, _) => json!({"thought": "Noise is missing.", "action": "search", "query": QUERY}),
        (1, Some(hit)) => json!({"thought": "It may say it.", "action": "read", "numbers": [hit]}),
        (1, None) => json!({"thought": "What else?", "action": "think"}),
        _ => finish,
    }
}

fn act(request: &ChatRequest) -> Act {
    let answer = match request.agent.as_str() {
        "planner" => plan(&request.prompt),
        "reflector" => reflection(&request.prompt),
        "researcher" => researched(request),
        _ => return Act::Answer,
    };
    Act::Say(answer.to_string(), false)
}

fn models() -> Models {
    Models::start(Duration::ZERO, Box::new(|_, request| act(request)))
}

/// The session, the web and what was asked of it.
struct World {
    scratch: Scratch,
    web: Web,
    requests: RequestLog,
    client: Arc<WebClient>,
}

impl World {
    fn new() -> Self {
        let requests = RequestLog::default();
        let web = web(&requests);
        let scratch = Scratch::in_memory();
        for (name, text) in DOCUMENTS {
            scratch.write(&format!("docs/{name}"), text);
        }
        let limits = Limits {
            allow: vec!["127.0.0.1".to_owned()],
            gap: Duration::ZERO,
            retry_wait: Duration::ZERO,
            ..Limits::default()
        };
        let fetcher = Fetcher::new(limits, Arc::new(SystemLookup), None, Clock::fixed(now()));
        let mut table = ProviderTable::new(PROVIDERS);
        let address = web.url("");
        let entry = |name: &str| format!("[{name}]\nbase_url = \"{address}\"\n");
        table
            .replace(&(entry("searxng") + &entry("reddit")))
            .unwrap();
        let client = WebClient::new(fetcher.unwrap(), table, Reader::in_process());
        let client = Arc::new(client.unwrap());
        Self {
            scratch,
            web,
            requests,
            client,
        }
    }

    /// Lets this model answer.
    fn backend(&self, models: &Models) -> BackendConfig {
        let mut catalogue = Catalogue::built_in().unwrap();
        catalogue.set_base_url("openai", &models.url());
        BackendConfig::with_catalogue(&settings(&self.scratch), &catalogue).unwrap()
    }

    /// Runs the session until it ends.
    fn work(&self, backend: &BackendConfig, engine: Engine) -> Result<Outcome> {
        let shared = Shared {
            web: Some(self.client.clone()),
            ..Shared::default()
        };
        run(&self.scratch, backend, shared, engine)
    }

    /// Forgets the session, and what was asked.
    fn forget(&self) {
        let _ = std::fs::remove_dir_all(self.scratch.path().join("research-output"));
        self.requests.lock().unwrap().clear();
    }

    /// What was asked of the web more than once.
    fn asked_twice(&self) -> Vec<String> {
        let mut requests = self.requests.lock().unwrap().clone();
        requests.sort();
        let twice = requests.windows(2).filter(|pair| pair[0] == pair[1]);
        twice.map(|pair| pair[0].clone()).collect()
    }
}

fn settings(scratch: &Scratch) -> Settings {
    let mut settings = Settings::load().unwrap();
    settings.models.default = "openai:fake".to_owned();
    settings.search.cache_dir = scratch.path().join("cache");
    let quick = &mut settings.depth.quick;
    (quick.model_steps, quick.max_steps) = (3, 4);
    (quick.background, quick.reflection) = (true, true);
    quick.researcher = ResearcherMode::React;
    settings
}

fn run(
    scratch: &Scratch,
    backend: &BackendConfig,
    shared: Shared,
    engine: Engine,
) -> Result<Outcome> {
    let request = NewSession {
        topic: TOPIC.to_owned(),
        mode: Mode::default(),
        depth: Depth::Quick,
        documents: vec![scratch.path().join("docs")],
        follows: None,
        inherited: Vec::new(),
        web: WebScope {
            search: vec!["searxng".to_owned(), "reddit".to_owned()],
            domains: Vec::new(),
        },
        style: Style::default(),
    };
    let terms = ReviewTerms {
        threshold: 0.5,
        max_rounds: 2,
        clarify: true,
        owner: "local".to_owned(),
        first_run: None,
        messages: Vec::new(),
    };
    let (disk, clock) = (engine.disk.clone(), engine.clock);
    let output_dir = scratch.path().join("research-output");
    let location = session::locate(&output_dir, &request, Some("s"))?;
    let session = session::open_or_create(&location.path, &request, &terms, &disk, clock)?;
    let (path, settings) = (&location.path, settings(scratch));
    let overrides = Overrides::default();
    let pipeline = research::run::pipeline(path, &session, &settings, overrides, backend, shared)?;
    block_on(engine.run(path, &pipeline, &Request::default()))
}

fn now() -> chrono::DateTime<chrono::Utc> {
    NOW.parse().unwrap()
}

fn engine() -> Engine {
    Engine {
        clock: Clock::fixed(now()),
        wait: true,
        ..Engine::default()
    }
}

/// The world after an undisturbed session, its files and the number of its calls.
fn finished() -> (World, BTreeMap<String, Vec<u8>>, usize) {
    let (world, models) = (World::new(), models());
    let backend = world.backend(&models);
    assert!(world.work(&backend, engine()).unwrap().complete);
    let tree = world.scratch.tree();
    (world, tree, models.calls())
}

#[test]
fn session_with_everything_asks_nothing_twice() {
    let (world, tree, _) = finished();
    for file in [
        "background.json",
        "plan-3.json",
        "social.json",
        "steps/4-aspect.json",
    ] {
        assert!(
            tree.contains_key(&format!("research/{file}")),
            "{file}: {:?}",
            tree.keys()
        );
    }
    assert!(!tree.contains_key("research/plan-4.json"));
    let plan = &world.scratch.json("research.json")["content"]["plan"];
    let titles: Vec<&str> = plan["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| step["title"].as_str().unwrap())
        .collect();
    assert_eq!(titles.len(), 6, "{titles:?}");
    assert_eq!(world.asked_twice(), Vec::<String>::new());
}

#[test]
fn agents_follow_one_another_and_all_that_they_do_is_an_event() {
    let (world, ..) = finished();
    let events = read_events(&world.scratch.session()).into_iter();
    let events: Vec<Value> = events
        .map(|entry| serde_json::to_value(entry.event).unwrap())
        .collect();
    for kind in [
        "classified",
        "planned",
        "step_started",
        "turn",
        "turn_finished",
        "searched",
        "page_read",
        "step_finished",
        "reflected",
        "analyzed",
        "claims_verified",
        "reviewed",
    ] {
        assert!(
            events.iter().any(|event| event.get(kind).is_some()),
            "{kind}"
        );
    }
    let mut called = events
        .iter()
        .filter_map(|event| event["called"]["agent"].as_str());
    for agent in AGENTS {
        assert!(called.any(|own| own == agent), "{agent} in its place");
    }
    let reflected = events
        .iter()
        .filter_map(|event| event["reflected"].as_object());
    let changes: Vec<&Value> = reflected.filter_map(|own| own.get("changes")).collect();
    assert_eq!(changes, SUGGESTED.map(|words| json!([words])).each_ref());
}

/// Kills the session at this event and finishes it; `false` if there is no such event.
fn kill(world: &World, number: usize, expected: &BTreeMap<String, Vec<u8>>, calls: usize) -> bool {
    world.forget();
    let models = models();
    let (backend, seen) = (world.backend(&models), Arc::new(AtomicUsize::new(0)));
    let count = seen.clone();
    let killed = Engine {
        // Unwinds like a panic, without its message: nothing more is written.
        reporter: Some(Arc::new(move |_| {
            if count.fetch_add(1, Ordering::SeqCst) == number {
                resume_unwind(Box::new("killed"));
            }
        })),
        ..engine()
    };
    let ended = catch_unwind(AssertUnwindSafe(|| world.work(&backend, killed)));
    if seen.load(Ordering::SeqCst) <= number {
        assert!(ended.unwrap().unwrap().complete);
        return false;
    }
    assert!(ended.is_err(), "event {number}");
    assert!(
        world.work(&backend, engine()).unwrap().complete,
        "event {number}"
    );
    let actual = world.scratch.tree();
    let changed = differences(&actual, expected);
    assert_eq!(changed, Vec::<&str>::new(), "killed at event {number}");
    let all = models.calls();
    assert!(
        all <= calls + IN_FLIGHT,
        "event {number}: {all} instead of {calls}"
    );
    let twice = world.asked_twice();
    assert!(twice.len() <= IN_FLIGHT, "event {number}: {twice:?}");
    true
}

#[test]
fn session_killed_at_any_event_goes_on_to_the_same_bytes() {
    let events = AtomicUsize::new(0);
    side_by_side(|world, expected, calls| {
        while kill(
            world,
            events.fetch_add(1, Ordering::SeqCst),
            expected,
            calls,
        ) {}
    });
    let events = events.into_inner();
    assert!(events > 50, "{events} events");
}

#[test]
fn shuffled_latencies_make_the_same_bytes() {
    let (most, seeds) = (Arc::new(AtomicUsize::new(0)), AtomicUsize::new(0));
    side_by_side(|world, expected, _| {
        let (most, at_once) = (most.clone(), AtomicUsize::new(0));
        let seed = Arc::new(AtomicUsize::new(0));
        let of_call = seed.clone();
        let plan = move |number: u64, request: &ChatRequest| {
            let now = at_once.fetch_add(1, Ordering::SeqCst) + 1;
            most.fetch_max(now, Ordering::SeqCst);
            let seed = of_call.load(Ordering::SeqCst) as u64;
            let delay = mixed(seed << 16 | number) % LONGEST_DELAY;
            thread::sleep(Duration::from_millis(delay));
            at_once.fetch_sub(1, Ordering::SeqCst);
            act(request)
        };
        let models = Models::start(Duration::ZERO, Box::new(plan));
        let backend = world.backend(&models);
        loop {
            let number = seeds.fetch_add(1, Ordering::SeqCst);
            if number >= SHUFFLES {
                return;
            }
            seed.store(number, Ordering::SeqCst);
            world.forget();
            assert!(world.work(&backend, engine()).unwrap().complete);
            let actual = world.scratch.tree();
            let changed = differences(&actual, expected);
            assert_eq!(changed, Vec::<&str>::new(), "seed {number}");
        }
    });
    assert!((2..=IN_FLIGHT).contains(&most.load(Ordering::SeqCst)));
}

/// Does this in as many worlds as threads help, each with the files of an undisturbed session and
/// the number of its calls.
fn side_by_side(test: impl Fn(&World, &BTreeMap<String, Vec<u8>>, usize) + Sync) {
    thread::scope(|scope| {
        for _ in 0..WORLDS {
            scope.spawn(|| {
                let (world, expected, calls) = finished();
                test(&world, &expected, calls);
            });
        }
    });
}

#[test]
fn replay_of_a_session_with_everything_needs_no_network() {
    let (world, expected, _) = finished();
    let original = world.scratch.path().join("original");
    std::fs::rename(world.scratch.session(), &original).unwrap();
    let World {
        scratch,
        web,
        client,
        ..
    } = world;
    drop((web, client));
    let backend = BackendConfig::replay(&original, &settings(&scratch)).unwrap();
    let outcome = run(&scratch, &backend, Shared::default(), engine()).unwrap();
    assert!(outcome.complete);
    let actual = scratch.tree();
    assert_eq!(differences(&actual, &expected), Vec::<&str>::new());
}
