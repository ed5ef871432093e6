//! The limits of all workers together: they hold for any number of workers, and when they cannot be
//! asked for, the work goes on within each worker's own, but spends no more money.

use std::fs;
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use research::queue::{Connection, FleetLimits, FleetQuotas, QueueSettings};
use research::quota::Quotas as _;

use super::{Queue, Server, Worker, topics};
use crate::harness::parsed;
use crate::models::ALL_AGENTS;
use crate::models::server::{Act, Server as Models};
use crate::online;
use crate::server;
use crate::web::wait;

/// A price that makes the fake model's tokens cost a dollar a thousand.
const PRICES: &str =
    "[models.\"openai:fake\"]\ninput = 1000.0\noutput = 1000.0\ncontext_tokens = 32768\n";

/// The warning of a worker whose limits are away.
const AWAY: &str = "the limits of all workers cannot be asked for";

/// Deletes the bucket of the limits.
const DELETE_BUCKET: &str = "$JS.API.STREAM.DELETE.KV_RESEARCH_LIMITS";

/// A worker of its own in this process: its connection, and the quotas that it shares.
fn member(server: &Server, limits: &FleetLimits) -> (Connection, FleetQuotas) {
    let mut connection = Connection::open(&QueueSettings {
        url: server.url(),
        credentials: None,
        replicas: 1,
        lease: Duration::from_secs(1),
    })
    .unwrap();
    let quotas = connection.share_quotas(limits, Box::new(|_| ())).unwrap();
    (connection, quotas)
}

/// What each of several members does at the same time.
fn together<T: Send>(
    server: &Server,
    limits: &FleetLimits,
    members: usize,
    act: impl Fn(&FleetQuotas) -> T + Sync,
) -> Vec<T> {
    let act = &act;
    thread::scope(|scope| {
        let run = |_| {
            scope.spawn(move || {
                let (_connection, quotas) = member(server, limits);
                act(&quotas)
            })
        };
        let threads: Vec<_> = (0..members).map(run).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    })
}

/// The number of draws of a cent until one is refused.
fn draws(quotas: &FleetQuotas) -> usize {
    (0..).take_while(|_| quotas.draw(0.01).is_ok()).count()
}

#[test]
fn racing_workers_draw_the_budget_and_no_cent_more() {
    let server = Server::start();
    let limits = FleetLimits {
        usd_per_day: 1.0,
        ..FleetLimits::default()
    };
    let drawn = together(&server, &limits, 6, draws);
    assert_eq!(drawn.iter().sum::<usize>(), 100, "{drawn:?}");
    // What one puts back, another may draw.
    let (_connection, quotas) = member(&server, &limits);
    assert!(quotas.put_back(5.0));
    assert_eq!(draws(&quotas), 0, "it had drawn nothing itself");
    let larger = FleetLimits {
        usd_per_day: 1.5,
        ..limits.clone()
    };
    let (_connection, quotas) = member(&server, &larger);
    quotas.draw(0.45).unwrap();
    assert!(quotas.put_back(0.25));
    assert_eq!(draws(&quotas), 30);
}

#[test]
fn workers_that_come_at_once_to_a_new_server_share_its_streams() {
    let server = Server::start();
    let limits = FleetLimits::default();
    let opened = together(&server, &limits, 16, |quotas| quotas.put_back(0.0));
    assert_eq!(opened, [true; 16]);
}

#[test]
fn money_is_refused_in_time_when_the_bucket_is_away() {
    let mut server = Server::start();
    let limits = FleetLimits {
        requests_per_minute: 1,
        usd_per_day: 1.0,
        ..FleetLimits::default()
    };
    let (_connection, quotas) = member(&server, &limits);
    quotas.draw(0.25).unwrap();
    server.publish(DELETE_BUCKET, b"");
    let error = quotas.draw(0.25).unwrap_err().to_string();
    assert!(error.contains("cannot be asked for"), "{error}");
    assert!(!quotas.put_back(0.25), "it stays with the worker");
    // Rates do not wait: a minute would have to pass between these.
    let begun = Instant::now();
    for _ in 0..3 {
        assert!(!wait(quotas.admit_call("model", 1)));
    }
    server.kill();
    quotas.draw(0.25).unwrap_err();
    assert!(!wait(quotas.admit_call("model", 1)));
    assert!(begun.elapsed() < Duration::from_secs(50));
}

#[test]
fn rates_of_models_and_hosts_hold_for_all_workers_together() {
    let server = Server::start();
    let limits = FleetLimits {
        requests_per_minute: 60,
        tokens_per_minute: 6000,
        gap: Duration::from_millis(200),
        ..FleetLimits::default()
    };
    // One minute's worth at once, and then one a second.
    let begun = Instant::now();
    together(&server, &limits, 3, |quotas| {
        (0..21).for_each(|_| {
            wait(quotas.admit_call("one", 1));
        });
    });
    // The clocks that are read may be behind by the way to the server.
    assert!(begun.elapsed() >= Duration::from_secs(2));
    let begun = Instant::now();
    together(&server, &limits, 2, |quotas| {
        (0..6).for_each(|_| wait(quotas.admit_request("example.org:443")));
    });
    assert!(begun.elapsed() >= Duration::from_millis(10 * 200));
    // An estimate that was too high is taken back, so that the rest of the minute is there.
    let (_connection, quotas) = member(&server, &limits);
    let begun = Instant::now();
    assert!(wait(quotas.admit_call("two", 6000)));
    wait(quotas.correct_tokens("two", 6000, 100));
    assert!(wait(quotas.admit_call("two", 5900)));
    assert!(begun.elapsed() < Duration::from_secs(50));
    assert!(wait(quotas.admit_call("two", 400)));
    assert!(begun.elapsed() >= Duration::from_secs(3));
}

/// A worker whose agents ask a model, under these limits.
fn worker(queue: &Queue, models: &Models, limits: &[(&str, &str)]) -> Worker {
    let arguments = ["worker", "--until-empty", "--docs", "docs", "-j2"];
    let arguments = [&arguments[..], &["--depth", "quick"]].concat();
    let mut command = queue.command(&arguments);
    command
        .env_remove("RESEARCH_MODEL")
        .env("OPENAI_BASE_URL", models.url())
        .envs(ALL_AGENTS)
        .envs(limits.iter().copied());
    Worker::start(command)
}

/// A queue with topics for workers that ask a model at a dollar a thousand tokens.
fn queue_of(count: usize) -> Queue {
    let queue = Queue::new();
    queue.scratch.write("config/prices.toml", PRICES);
    let submitted = queue.submit(&topics(count), &["--depth", "quick"]);
    assert_eq!(submitted, (count as u64, 0));
    queue
}

/// The number of sessions that are published, each once, and what their calls cost in US dollars.
fn published(queue: &Queue) -> (usize, f64) {
    let (mut count, mut usd) = (0, 0.0);
    let output = queue.scratch.path().join("research-output");
    for session in fs::read_dir(output).unwrap() {
        let session = session.unwrap().path();
        if let Ok(events) = fs::read_to_string(session.join("events.jsonl")) {
            let published = events.lines().filter(|line| line.contains("\"published\""));
            let published = published.count();
            assert!(published <= 1, "{events}");
            count += published;
        }
        for call in fs::read_dir(session.join("calls")).into_iter().flatten() {
            let call = parsed(&fs::read_to_string(call.unwrap().path()).unwrap());
            usd += call["reply"]["cost_usd"].as_f64().unwrap_or_default();
        }
    }
    (count, usd)
}

/// Waits for the end of workers, and returns how often each warned that the limits are away.
fn finished(workers: Vec<Worker>) -> Vec<usize> {
    let warned = |worker: Worker| {
        let (_, log) = worker.finish_with_log();
        log.iter().filter(|line| line.contains(AWAY)).count()
    };
    workers.into_iter().map(warned).collect()
}

#[test]
fn workers_send_no_more_requests_than_all_may_together() {
    const PER_MINUTE: usize = 60;
    let (queue, models) = (queue_of(7), Models::sound(Duration::ZERO));
    let limits = [("RESEARCH_QUEUE__REQUESTS_PER_MINUTE", "60")];
    let workers = (0..3).map(|_| worker(&queue, &models, &limits)).collect();
    assert_eq!(finished(workers), [0, 0, 0]);
    assert_eq!(published(&queue).0, 7);
    let mut moments: Vec<Instant> = models.seen().iter().map(|(seen, _)| seen.at).collect();
    moments.sort();
    assert!(moments.len() > PER_MINUTE + 4, "{}", moments.len());
    for (first, begin) in moments.iter().enumerate() {
        for (last, end) in moments.iter().enumerate().skip(first) {
            let allowed = PER_MINUTE as f64 + (*end - *begin).as_secs_f64();
            // One each may have been on its way.
            assert!((last - first + 1) as f64 <= allowed + 3.0, "{first} {last}");
        }
    }
}

#[test]
fn workers_fetch_from_a_host_at_the_pace_of_all_together() {
    const GAP: Duration = Duration::from_millis(150);
    let moments = Arc::new(Mutex::new(Vec::new()));
    let log = moments.clone();
    let web = server::Server::new(move |path, stream| {
        log.lock().unwrap().push(Instant::now());
        online::answer(0, path, stream)
    });
    let queue = Queue::new();
    let search = ["--search", "searxng", "--depth", "quick"];
    queue.scratch.write("list.txt", topics(2).join("\n"));
    let onto = |arguments: &[&str]| {
        let mut command = queue.command(&[arguments, &search].concat());
        command
            .env("SEARXNG_URL", web.url(""))
            .env("RESEARCH_NETWORK__ALLOW", "127.0.0.1")
            .env("RESEARCH_NETWORK__GAP_MILLISECONDS", "0")
            .env("RESEARCH_NETWORK__ARCHIVE", "")
            .env("RESEARCH_NETWORK__CACHE_MEBIBYTES", "0")
            .env("RESEARCH_SEARCH__MAX_PAGES", "40")
            .env("RESEARCH_AGENTS__RESEARCHER__MAX_URLS_TO_CRAWL", "40")
            .env("RESEARCH_QUEUE__GAP_MILLISECONDS", "150");
        command
    };
    assert!(onto(&["submit", "list.txt"]).status().unwrap().success());
    let start = || Worker::start(onto(&["worker", "--until-empty", "-j1"]));
    let workers = vec![start(), start()];
    assert_eq!(finished(workers), [0, 0]);
    assert_eq!(published(&queue).0, 2);
    let moments = moments.lock().unwrap();
    let (first, last) = (moments.iter().min().unwrap(), moments.iter().max().unwrap());
    assert!(moments.len() > 10, "{}", moments.len());
    // One may have been on its way.
    let least = GAP * u32::try_from(moments.len() - 2).unwrap();
    assert!(*last - *first >= least, "{} requests", moments.len());
}

#[test]
fn workers_never_overspend_a_budget_and_leave_the_rest_in_the_queue() {
    const TOPICS: usize = 6;
    const USD: f64 = 30.0;
    let (queue, models) = (queue_of(TOPICS), Models::sound(Duration::ZERO));
    let limits = [("RESEARCH_QUEUE__MAX_COST_USD_PER_DAY", "30")];
    let workers = (0..3).map(|_| worker(&queue, &models, &limits)).collect();
    assert_eq!(finished(workers), [0, 0, 0]);
    let (done, spent) = published(&queue);
    assert!(spent > 0.0 && spent <= USD, "{done} {spent}");
    let [pending, leased, dead] = queue.counts();
    assert_eq!(dead, 0);
    assert_eq!(done as u64 + pending + leased, TOPICS as u64);
    assert!(pending + leased > 0, "{spent}");
    let more = [("RESEARCH_QUEUE__MAX_COST_USD_PER_DAY", "6000")];
    assert_eq!(finished(vec![worker(&queue, &models, &more)]), [0]);
    assert_eq!(published(&queue).0, TOPICS);
    assert_eq!(queue.counts(), [0, 0, 0]);
}

/// Limits that are never reached.
const GENEROUS: [(&str, &str); 3] = [
    ("RESEARCH_QUEUE__REQUESTS_PER_MINUTE", "100000"),
    ("RESEARCH_QUEUE__TOKENS_PER_MINUTE", "1000000000"),
    ("RESEARCH_QUEUE__MAX_COST_USD_PER_DAY", "1000000"),
];

#[test]
fn work_goes_on_by_the_own_limits_when_the_bucket_is_deleted() {
    let (queue, models) = (queue_of(4), Models::sound(Duration::from_millis(20)));
    let rates = &GENEROUS[..2];
    let workers = (0..2).map(|_| worker(&queue, &models, rates)).collect();
    models.wait_for(5);
    queue.server.publish(DELETE_BUCKET, b"");
    let warned = finished(workers);
    assert!(warned.iter().all(|count| *count <= 1), "{warned:?}");
    assert!(warned.contains(&1), "{warned:?}");
    assert_eq!(published(&queue).0, 4);
    assert_eq!(queue.counts(), [0, 0, 0]);
}

#[test]
fn work_goes_on_while_the_server_is_away_and_nothing_is_lost() {
    let mut queue = queue_of(6);
    // Both sessions of both workers wait for the answer to their first call.
    let (signal, is_called) = mpsc::channel();
    let (release, released) = mpsc::channel::<()>();
    let released = Mutex::new(released);
    let plan = move |_, _: &_| {
        let _ = signal.send(());
        let _ = released.lock().unwrap().recv();
        Act::Answer
    };
    let models = Models::start(Duration::ZERO, Box::new(plan));
    let workers = (0..2).map(|_| worker(&queue, &models, &GENEROUS)).collect();
    (0..4).for_each(|_| is_called.recv().unwrap());
    queue.server.kill();
    drop(release);
    // Sessions are written with what was drawn for them.
    models.wait_for(4 + 4);
    queue.server.start_again();
    let warned = finished(workers);
    assert!(warned.iter().all(|count| *count <= 1), "{warned:?}");
    assert!(warned.contains(&1), "{warned:?}");
    assert_eq!(published(&queue).0, 6);
    assert_eq!(queue.counts(), [0, 0, 0]);
}
