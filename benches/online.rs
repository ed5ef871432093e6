//! What a session over the web takes: processor time, memory and time, as ratios to stated limits:
//! 1.00 is the limit.
//!
//! `cargo bench --bench online`, with `-- work` or `chain` for one part. A model, a search service
//! and twenty pages of 8 kB are served by this process; the program is a child. The limits: for 3
//! calls of a model, 5 searches and 20 such pages, gpt-researcher took at least 3,600 ms of
//! processor time and 273 MB where this was written; a fiftieth and an eighth of that are allowed
//! here, for all calls that a quick session makes. With every answer 500 ms late, a session may
//! take 5 % longer than the longest chain of answers that wait for each other.

#[path = "../tests/it/models/answers.rs"]
mod answers;
#[path = "measure/child.rs"]
mod child;
mod measure;
#[path = "measure/parts.rs"]
mod parts;
#[path = "../tests/it/models/server.rs"]
#[expect(
    dead_code,
    clippy::unwrap_used,
    reason = "the tests' provider, of which a measurement needs a part"
)]
mod provider;
#[path = "../tests/it/server.rs"]
#[expect(
    dead_code,
    clippy::unwrap_used,
    reason = "the tests' server, of which a measurement needs a part"
)]
mod server;

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use serde_json::json;

use child::{tell, watched};
use measure::{children, print};
use parts::Parts;
use provider::Server as Provider;
use server::{Server, page};

const TOPIC: &str = "Do heat pumps work in old houses?";

/// Pages, and bytes of each.
const PAGES: usize = 20;
const PAGE_BYTES: usize = 8 << 10;

/// Sessions for one figure of processor time.
const RUNS: u32 = 20;
const CPU_MILLISECONDS: f64 = 3600.0 / 50.0;
const MEBIBYTES: f64 = 273.0 / 8.0 * 1e6 / 1_048_576.0;

/// How late everything but robots.txt answers, and the longest chain: coordinator, planner, search,
/// pages, a batch of steps, reflector, analyst, writer, reviewer.
const SLOW: Duration = Duration::from_millis(500);
const CHAIN: u32 = 9;
const CHAIN_SHARE: f64 = 1.05;

fn main() -> Result<()> {
    let parts = Parts::of_arguments();
    if parts.have("work") {
        work()?;
    }
    if parts.have("chain") {
        chain()?;
    }
    Ok(())
}

fn work() -> Result<()> {
    let (web, model) = (web(Duration::ZERO)?, Provider::sound(Duration::ZERO));
    let scratch = tempfile::tempdir()?;
    let (before, mut most) = (children()?, 0.0_f64);
    for number in 0..RUNS {
        // Nothing is cached between runs.
        let home = scratch.path().join(number.to_string());
        fs::create_dir(&home)?;
        most = most.max(watched(program(&home, &web, &model)?)?);
        ensure!(read(&home)? == PAGES, "not all pages were read");
    }
    let after = children()?;
    let all = (after.all() - before.all()) / f64::from(RUNS);
    let system = (after.system - before.system) / f64::from(RUNS);
    tell(
        "processor time of a session over the web",
        all,
        CPU_MILLISECONDS,
        "ms",
    );
    // Most of this is for files: it grows where many were removed within minutes and the file
    // system has no journal.
    print(&format!("      of it the system's: {system:.0} ms"));
    tell("its memory", most, MEBIBYTES, "MiB");
    Ok(())
}

fn chain() -> Result<()> {
    let (web, model) = (web(SLOW)?, Provider::sound(SLOW));
    let scratch = tempfile::tempdir()?;
    let begun = Instant::now();
    watched(program(scratch.path(), &web, &model)?)?;
    let took = begun.elapsed().as_secs_f64() * 1000.0;
    let allowed = (SLOW * CHAIN).as_secs_f64() * 1000.0 * CHAIN_SHARE;
    tell("its time with everything 500 ms late", took, allowed, "ms");
    Ok(())
}

/// A search service and its pages, which answer after a while.
fn web(delay: Duration) -> Result<Server> {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/heat-pumps");
    let mut text = String::new();
    for name in ["how-heat-pumps-work.md", "insulation-first.md", "costs.md"] {
        text.push_str(&fs::read_to_string(docs.join(name))?.replace("---", ""));
    }
    let parts: Vec<String> = text
        .split("\n\n")
        .map(|part| part.trim().to_owned())
        .collect();
    let pages: Vec<String> = (0..PAGES).map(|number| one(number, &parts)).collect();
    Ok(Server::new(move |path, stream| {
        sleep(delay);
        let host = stream.local_addr()?;
        let Some(number) = path.strip_prefix("/pages/") else {
            let result =
                |number| json!({ "url": format!("http://{host}/pages/{number}"), "title": TOPIC });
            let reply = json!({ "results": (0..PAGES).map(result).collect::<Vec<_>>() });
            return page(
                stream,
                "200 OK",
                "application/json",
                reply.to_string().as_bytes(),
            );
        };
        let number: usize = number.parse().unwrap_or(0);
        page(
            stream,
            "200 OK",
            "text/html",
            pages[number % PAGES].as_bytes(),
        )
    }))
}

/// A page of about the wanted size: paragraphs of the example, begun at another position for each.
fn one(number: usize, parts: &[String]) -> String {
    let mut page =
        format!("<html><head><title>Heat pumps, part {number}</title></head><body><article>");
    for part in parts.iter().cycle().skip(3 * number) {
        page.push_str(&format!("<p>House {number}: {part}</p>"));
        if page.len() > PAGE_BYTES {
            break;
        }
    }
    page.push_str("</article></body></html>");
    page
}

fn program(directory: &Path, web: &Server, model: &Provider) -> Result<Child> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_research"));
    let child = command
        .current_dir(directory)
        .args(["run", TOPIC, "--search", "searxng", "--depth", "quick"])
        .args(["--session", "s", "--no-clarify"])
        .env_clear()
        .env("HOME", directory)
        .env("OPENAI_BASE_URL", model.url())
        .env("SEARXNG_URL", web.url(""))
        .env("RESEARCH_NETWORK__ALLOW", "127.0.0.1")
        .env("RESEARCH_NETWORK__GAP_MILLISECONDS", "0")
        .env("RESEARCH_NETWORK__PER_HOST", PAGES.to_string())
        // Its one step reads all of them.
        .env(
            "RESEARCH_AGENTS__RESEARCHER__MAX_URLS_TO_CRAWL",
            PAGES.to_string(),
        )
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    Ok(child)
}

/// How many pages the session has read.
fn read(home: &Path) -> Result<usize> {
    let pages = home.join("research-output/s/research/pages");
    Ok(fs::read_dir(pages)?.count())
}
