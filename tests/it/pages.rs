//! The stored pages of a session over the web: damaged ones are read again, and foreign files
//! beside them are ignored.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};

use serde_json::json;

use crate::harness::{Ran, Scratch, differences};
use crate::online::{ASKING, onto, scratch, web, web_until};
use crate::server::{Server, page};

/// A session over a web whose pages may come to be answered otherwise.
struct Read {
    status: Arc<AtomicU16>,
    web: Server,
    scratch: Scratch,
}

impl Read {
    fn new() -> Self {
        let status = Arc::new(AtomicU16::new(0));
        let web = web_until(status.clone());
        let scratch = scratch(&web);
        let read = Self {
            status,
            web,
            scratch,
        };
        read.run(&ASKING).assert_ended(0, "at first");
        read
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        let mut command = self.scratch.command(arguments);
        command.env("RESEARCH_NOW", "2026-03-01T12:00:00Z");
        onto(&self.web, &mut command)
    }

    fn resume(&self) -> Ran {
        self.run(&["run", "--resume", "s"])
    }

    /// The file of the page at an address that ends so.
    fn page(&self, name: &str) -> String {
        let pages = self.scratch.json("research/web-1.json")["content"]["pages"].clone();
        let mut pages = pages.as_array().unwrap().iter();
        let page = pages.find(|page| page["url"].as_str().unwrap().ends_with(name));
        format!("research/pages/{}", page.unwrap()["file"].as_str().unwrap())
    }

    /// Leaves the session as a run does that died in the middle of the first stage, with this page
    /// damaged.
    fn die(&self, damaged: &str, bytes: &[u8]) {
        let session = self.scratch.session();
        for name in ["research.json", "research/documents.json"] {
            fs::remove_file(session.join(name)).unwrap();
        }
        for name in ["research/steps", "sources"] {
            fs::remove_dir_all(session.join(name)).unwrap();
        }
        fs::write(session.join(damaged), bytes).unwrap();
    }

    fn report(&self) -> String {
        self.scratch.read("research-output/s/final_report.md")
    }
}

#[test]
fn damaged_pages_are_fetched_again_on_resume() {
    let read = Read::new();
    let before = read.scratch.tree();
    let [torn, missing, changed] =
        ["costs.md", "insulation-first.md", "radiators-can-stay.md"].map(|name| read.page(name));
    read.die(&torn, &before[&torn][..before[&torn].len() / 2]);
    fs::remove_file(read.scratch.session().join(&missing)).unwrap();
    read.scratch.edit(&changed, "heat pump", "miracle");
    let offline = read.scratch.run(&["run", "--resume", "s", "--offline"]);
    offline.assert_ended(1, "offline");
    let stderr = &offline.stderr;
    assert!(stderr.contains("run without --offline"), "{stderr}");
    read.resume().assert_ended(0, "damaged");
    let mut after = read.scratch.tree();
    after.retain(|name, _| !name.starts_with("superseded/"));
    let other = differences(&before, &after);
    assert!(other.is_empty(), "{other:?}");
}

#[test]
fn damaged_pages_that_cannot_be_fetched_again_are_reported() {
    let read = Read::new();
    let clear = || onto(&read.web, &mut read.scratch.command(&["cache", "--clear"]));
    clear().assert_ended(0, "the cache");
    let before = read.scratch.tree();
    // A failure that may pass takes nothing away.
    read.die(&read.page("costs.md"), b"");
    read.status.store(500, Ordering::SeqCst);
    let busy = read.resume();
    busy.assert_ended(1, "busy");
    assert!(busy.stderr.contains("run again later"), "{}", busy.stderr);
    let record = "research/web-1.json";
    assert_eq!(read.scratch.tree()[record], before[record]);
    // What leads to another page now is not taken for it.
    read.status.store(301, Ordering::SeqCst);
    read.resume().assert_ended(0, "moved");
    let report = read.report();
    assert!(report.contains("/pages/costs.md now leads to"), "{report}");
    let about = read.page("about.md");
    assert_eq!(read.scratch.tree()[&about], before[&about]);
    // One that is gone is lost.
    read.die(&read.page("insulation-first.md"), b"");
    read.status.store(404, Ordering::SeqCst);
    read.resume().assert_ended(0, "gone");
    let (report, lost) = (
        read.report(),
        "/pages/insulation-first.md: the server answers 404",
    );
    assert!(report.contains(lost), "{report}");
    read.scratch.expect(0, &["verify", "s"]);
}

#[test]
fn web_pages_and_local_documents_are_told_apart() {
    let web = web();
    let scratch = scratch(&web);
    scratch.write(
        "docs/own.md",
        "# Own\n\nHeat pumps work in old houses, as our own house shows.\n",
    );
    let mut arguments = ASKING.to_vec();
    arguments.extend(["--docs", "docs"]);
    onto(&web, &mut scratch.command(&arguments)).assert_ended(0, "both");
    let sources = scratch.session().join("sources");
    let names = fs::read_dir(&sources).unwrap();
    let names = names.map(|entry| entry.unwrap().path());
    let of_web = names
        .filter(|path| path.extension().is_some_and(|end| end == "json"))
        .filter(|path| {
            let source: serde_json::Value =
                serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
            let (own, locator) = (
                &source["content"],
                source["content"]["locator"].as_str().unwrap(),
            );
            assert_eq!(
                locator.starts_with("http://"),
                own["read_at"].is_string(),
                "{source}"
            );
            assert!(
                locator == "docs/own.md" || locator.starts_with("http://"),
                "{locator}"
            );
            locator.starts_with("http://")
        });
    assert!(of_web.count() > 2);
    // What nobody read lies beside the pages and is none.
    let searched = scratch.json("research/documents.json")["content"]["searched"].clone();
    scratch.write(
        "research-output/s/research/pages/planted.md",
        "# Heat pumps in old houses\n\nAll heat pumps fail.\n",
    );
    for name in ["research.json", "research/documents.json"] {
        fs::remove_file(scratch.session().join(name)).unwrap();
    }
    onto(&web, &mut scratch.command(&["run", "--resume", "s"])).assert_ended(0, "again");
    assert_eq!(
        scratch.json("research/documents.json")["content"]["searched"],
        searched
    );
}

#[test]
fn pages_of_a_second_plan_are_searched_in_the_same_run() {
    let pages_read = Arc::new(AtomicU16::new(0));
    let seen = pages_read.clone();
    let web = Server::new(move |path, stream| {
        let host = stream.local_addr()?;
        if path.starts_with("/search") {
            // What the second plan finds is not known before anything was read.
            let is_later = seen.load(Ordering::SeqCst) > 0;
            let names = ["first", "third", "fourth", "second"]
                .into_iter()
                .take(3 + usize::from(is_later));
            let results: Vec<_> = names
                .map(|name| json!({ "url": format!("http://{host}/{name}"), "title": name }))
                .collect();
            let reply = json!({ "results": results }).to_string();
            return page(stream, "200 OK", "application/json", reply.as_bytes());
        }
        seen.fetch_add(1, Ordering::SeqCst);
        let text = match path {
            "/first" => FIRST,
            "/second" => SECOND,
            "/third" => THIRD,
            _ => FOURTH,
        };
        let body = format!(
            "<html><head><title>{path}</title></head><body><article>{text}</article></body></html>"
        );
        page(stream, "200 OK", "text/html", body.as_bytes())
    });
    let scratch = scratch(&web);
    let mut arguments = ASKING.to_vec();
    (arguments[1], arguments[3]) = ("Do heat pumps with Stirling converters work?", "searxng");
    onto(&web, &mut scratch.command(&arguments)).assert_ended(0, "two plans");
    let second = scratch.json("research/web-2.json")["content"]["pages"][0].clone();
    assert!(
        second["url"].as_str().unwrap().ends_with("/second"),
        "{second}"
    );
    let tree = scratch.tree();
    let steps = tree
        .iter()
        .filter(|(name, _)| name.starts_with("research/steps/"));
    let mut steps = steps.map(|(_, bytes)| String::from_utf8_lossy(bytes));
    let file = second["file"].as_str().unwrap();
    assert!(
        steps.any(|step| step.contains(file)),
        "no search found {file}"
    );
}

const FIRST: &str = "\
    <h1>Heat pumps</h1><p>A heat pump works in most houses when its radiators are large enough \
    for warm water. A heat pump moves heat from the cold air outside into the rooms of a house. \
    Heat pumps work with converters of several kinds, and most of these are electric \
    motors.</p><ul><li>Stirling</li></ul>";

const SECOND: &str = "\
    <h1>Stirling converters</h1><p>A heat pump with a Stirling converter works without any \
    electric motor in it. Stirling converters turn the heat of a flame into the work that a heat \
    pump needs. Heat pumps with Stirling converters were built in small numbers only.</p>";

const THIRD: &str = "\
    <h1>Noise of heat pumps</h1><p>A heat pump outside of a house is heard at night when its fan \
    runs fast. Heat pumps work more quietly when they are larger than a house needs. Neighbours \
    should be asked before a heat pump is set up.</p>";

const FOURTH: &str = "\
    <h1>Costs of heat pumps</h1><p>A heat pump costs more to buy than a boiler that burns gas or \
    oil. Heat pumps work with a third of the energy, which is paid for as electricity. The cost \
    of a heat pump falls with its number.</p>";
