//! One contract for all ways to run many topics: several processes over a list, over shards of it,
//! workers of a queue on one server or on three, and machines that share a queue and an object
//! store. Processes are killed and stopped, servers are killed, networks are cut, the store is slow
//! and refuses, a clock jumps, the disk is full for a while. In the end each session is there once,
//! with the bytes of a single batch, and no answered call was made again but those that were in
//! flight.
//!
//! `RESEARCH_CONTRACT_SESSIONS` has the number of sessions, by default a few.

use std::any::Any;
use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use super::cluster::Cluster;
use super::members::{Disk, Member, clock_library};
use super::proxy::{Direction, Proxy};
use super::{Server, with_costs};
use crate::harness::{Scratch, parsed, skipped, tree};
use crate::models::server::{Act, Server as Models};

/// The processes, and the sessions that each runs at once.
const MEMBERS: usize = 3;
const JOBS: usize = 4;

/// The member that has its own way to the servers, and its own clock.
const REMOTE: usize = MEMBERS - 1;

/// What all topics have in common.
const OPTIONS: [&str; 4] = ["--docs", "docs", "--depth", "quick"];

/// The longest that all sessions may take: something is wrong then.
const PATIENCE: Duration = Duration::from_secs(2 * 3600);

/// By how many milliseconds each reply of a slow store is late.
const STORE_DELAY: u64 = 200;

/// A process is started again so often until nothing fails: more than once is needed only after it
/// was killed and after the disk was full.
const MAX_RUNS: usize = 5;

/// Where topics come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    List,
    Shard,
    Queue,
    Cluster,
    /// A queue, and a store in place of the shared directory.
    #[cfg(feature = "s3")]
    Machines,
}

/// The servers of a queue.
enum Servers {
    None,
    One(Server),
    Three(Cluster),
}

/// An object store, and the directories of the machines that share it.
struct Store {
    url: &'static str,
    /// The keys of its users, who reach it at a port.
    variables: fn(u16) -> Vec<(&'static str, String)>,
    /// The way of all machines to the store, which may be slow.
    door: Proxy,
    /// The way of one of them to the door.
    proxy: Proxy,
    machines: Vec<Scratch>,
    /// Ends when it is dropped.
    _server: Box<dyn Any>,
}

/// How often each call was answered, by the hash of its request.
type Answered = Arc<Mutex<BTreeMap<u64, usize>>>;

/// Processes that share a directory, and the faults that happen to them.
struct Fleet {
    source: Source,
    /// Unmounted before the directory that it lies in is removed.
    disk: Option<Disk>,
    scratch: Scratch,
    models: Models,
    answered: Answered,
    servers: Servers,
    store: Option<Store>,
    to_models: Proxy,
    to_queue: Option<Proxy>,
    members: Vec<Member>,
    /// Calls that faults may have lost on their way.
    in_flight: usize,
}

fn sessions() -> usize {
    let number = std::env::var("RESEARCH_CONTRACT_SESSIONS").ok();
    number.and_then(|number| number.parse().ok()).unwrap_or(45)
}

fn topics() -> String {
    let topic = |number| format!("What does heat pump {number} cost?\n");
    (0..sessions()).map(topic).collect()
}

/// A provider that keeps no request, but counts the answers.
fn counting_models(answered: &Answered) -> Models {
    let answered = answered.clone();
    Models::forgetful(Box::new(move |_, request| {
        let mut hasher = DefaultHasher::new();
        (&request.agent, request.body.to_string()).hash(&mut hasher);
        *answered.lock().unwrap().entry(hasher.finish()).or_default() += 1;
        Act::Answer
    }))
}

impl Fleet {
    fn new(source: Source) -> Self {
        let scratch = with_costs();
        scratch.write("list.txt", topics());
        scratch.write("clock", "+0\n");
        let servers = match source {
            Source::List | Source::Shard => Servers::None,
            Source::Cluster => Servers::Three(Cluster::start()),
            _ => Servers::One(Server::start()),
        };
        let to_queue = match &servers {
            Servers::One(server) => Some(Proxy::to(server.port)),
            _ => None,
        };
        let answered = Answered::default();
        let models = counting_models(&answered);
        Self {
            source,
            disk: Disk::mount(&scratch.path().join("research-output")),
            scratch,
            to_models: Proxy::to(models.port()),
            models,
            answered,
            servers,
            store: None,
            to_queue,
            members: Vec::new(),
            in_flight: 0,
        }
    }

    /// The program with its way to the models, the queue and the store.
    fn program(&self, scratch: &Scratch, arguments: &[&str], is_remote: bool) -> Command {
        let mut command = scratch.command(arguments);
        if let Some(store) = &self.store {
            let way = if is_remote { &store.proxy } else { &store.door };
            command.env("RESEARCH_STORE__URL", store.url);
            command.envs((store.variables)(way.port()));
        }
        let models = if is_remote {
            self.to_models.port()
        } else {
            self.models.port()
        };
        command
            .env_remove("RESEARCH_MODEL")
            .env("OPENAI_BASE_URL", format!("http://127.0.0.1:{models}"))
            .env("RESEARCH_QUEUE__LEASE_SECONDS", "2");
        let queue = match (&self.servers, &self.to_queue) {
            (_, Some(proxy)) if is_remote => format!("nats://127.0.0.1:{}", proxy.port()),
            (Servers::One(server), _) => server.url(),
            (Servers::Three(cluster), _) => cluster.url(),
            (Servers::None, _) => return command,
        };
        command.env("RESEARCH_QUEUE__URL", queue);
        if self.source == Source::Cluster {
            command.env("RESEARCH_QUEUE__REPLICAS", "3");
        }
        command
    }

    fn start(&self, member: usize, runs: usize) -> Member {
        let (shard, jobs) = (format!("{}/{MEMBERS}", member + 1), format!("-j{JOBS}"));
        let own: &[&str] = match self.source {
            Source::List => &["batch", "list.txt", "--keep-going"],
            Source::Shard => &["batch", "list.txt", "--keep-going", "--shard", &shard],
            _ => &["worker", "--until-empty"],
        };
        let machines = self.store.as_ref().map(|store| &store.machines[member]);
        let scratch = machines.unwrap_or(&self.scratch);
        let arguments = [own, &OPTIONS, &[&jobs]].concat();
        let mut command = self.program(scratch, &arguments, member == REMOTE);
        if member == REMOTE {
            command
                .env("LD_PRELOAD", clock_library())
                .env("FAKETIME_TIMESTAMP_FILE", self.scratch.path().join("clock"))
                .env("FAKETIME_NO_CACHE", "1")
                .env("DONT_FAKE_MONOTONIC", "1");
        }
        let log = self.scratch.path().join(format!("{member}-{runs}.log"));
        Member::start(command, log, runs)
    }

    /// Puts the topics into the queue, if there is one, twice.
    fn submit(&self) {
        if matches!(self.servers, Servers::None) {
            return;
        }
        let arguments = [&["submit", "list.txt", "--json"], &OPTIONS[..]].concat();
        let submit = || {
            let mut command = self.program(&self.scratch, &arguments, false);
            command.output().unwrap()
        };
        // A cluster may still be choosing its leader.
        crate::serve::wait_until("the queue takes topics", || submit().status.success());
        let again = parsed(&String::from_utf8(submit().stdout).unwrap());
        assert_eq!(
            again["waiting"].as_u64(),
            Some(sessions() as u64),
            "{again}"
        );
        assert_eq!(again["queued"].as_u64(), Some(0), "{again}");
        // What no worker can run.
        let server = match &self.servers {
            Servers::One(server) => server,
            Servers::Three(cluster) => cluster.first(),
            Servers::None => return,
        };
        server.publish("research.topics.normal.default.broken", b"{\"topic\": ");
    }

    /// Waits until so many percent of the calls are made, or nothing more comes.
    fn wait_for(&mut self, percent: usize, calls: usize) {
        let begun = Instant::now();
        while self.models.calls() * 100 < calls * percent {
            if self.members.iter_mut().all(Member::has_ended) {
                return;
            }
            assert!(begun.elapsed() < PATIENCE, "{percent} %");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Everything that may happen, one after the other, while so many calls are made.
    fn disturb(&mut self, calls: usize) {
        self.wait_for(8, calls);
        self.in_flight += JOBS;
        self.members[0].kill();
        if let Some(store) = &mut self.store {
            // Another machine takes its place, and those that wait for leases lose what is on its
            // way, since no lock is shared.
            store.machines[0] = with_costs();
            self.in_flight += 3 * JOBS;
        }
        self.members[0] = self.start(0, 1);

        self.wait_for(15, calls);
        self.members[1].signal("-STOP");
        self.kill_servers(0);
        self.wait_for(30, calls);
        // Two leases at least, so that its topics were given to others.
        thread::sleep(Duration::from_secs(5));
        self.members[1].signal("-CONT");

        for (percent, direction) in [(40, Direction::ToServer), (48, Direction::FromServer)] {
            self.wait_for(percent, calls);
            self.proxies().for_each(|proxy| proxy.cut(direction));
            self.wait_for(percent + 4, calls);
            self.proxies().for_each(Proxy::heal);
        }
        self.wait_for(56, calls);
        // Not the models: an agent whose calls are lost three times is answered for by its rule.
        let refusing = self.proxies_of_workers();
        refusing.for_each(Proxy::refuse);
        self.wait_for(58, calls);
        self.proxies().for_each(Proxy::heal);
        self.kill_servers(1);

        for (percent, clock) in [(62, "+2d\n"), (66, "-2d\n"), (70, "+0\n")] {
            self.wait_for(percent, calls);
            self.scratch.write("clock", clock);
        }
        self.kill_servers(2);

        self.wait_for(75, calls);
        self.slow_down_store(calls);
        self.fill_disk();
    }

    /// The store is slow for all machines, and then refuses all of them for a while.
    fn slow_down_store(&mut self, calls: usize) {
        let Some(store) = &self.store else { return };
        store.door.delay(STORE_DELAY);
        self.wait_for(76, calls);
        let Some(store) = &self.store else { return };
        store.door.heal();
        store.door.refuse();
        // Shorter than a request is tried again.
        thread::sleep(Duration::from_secs(5));
        store.door.heal();
    }

    fn fill_disk(&mut self) {
        if self.store.is_some() {
            return;
        }
        let Some(disk) = self.disk.take() else {
            return skipped("a full disk: no file system may be mounted");
        };
        self.in_flight += MEMBERS * JOBS;
        disk.fill();
        self.wait_for_log("No space left");
        disk.empty();
        self.disk = Some(disk);
    }

    /// Waits until a member says this, or nobody says anything more.
    fn wait_for_log(&mut self, text: &str) {
        while !self.members.iter().any(|one| one.log().contains(text)) {
            if self.members.iter_mut().all(Member::has_ended) {
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn proxies(&self) -> impl Iterator<Item = &Proxy> {
        self.proxies_of_workers().chain([&self.to_models])
    }

    /// The network to the queue and to the store.
    fn proxies_of_workers(&self) -> impl Iterator<Item = &Proxy> {
        let to_store = self.store.as_ref().map(|store| &store.proxy);
        self.to_queue.iter().chain(to_store)
    }

    /// Kills the server, or one of them, and starts it again.
    fn kill_servers(&mut self, number: usize) {
        match &mut self.servers {
            Servers::None => {}
            Servers::One(server) => {
                server.kill();
                server.start_again();
            }
            Servers::Three(cluster) => cluster.restart(number),
        }
    }

    /// Waits for the ends of all. A batch with failures is run again, as its user would.
    fn finish(&mut self) {
        let begun = Instant::now();
        for number in 0..MEMBERS {
            loop {
                while !self.members[number].has_ended() {
                    assert!(begun.elapsed() < PATIENCE, "member {number} does not end");
                    thread::sleep(Duration::from_millis(20));
                }
                let member = &mut self.members[number];
                let (code, runs) = (member.child.wait().unwrap().code(), member.runs);
                let log = member.log();
                assert!(!log.contains("panicked"), "{log}");
                if code == Some(0) {
                    break;
                }
                assert!(
                    runs < MAX_RUNS,
                    "member {number} ended with {code:?}: {log}"
                );
                self.members[number] = self.start(number, runs + 1);
            }
        }
    }

    /// The topics that are pending, leased and dead.
    fn left(&self) -> [u64; 3] {
        let arguments = ["status", "--queue", "--json"];
        let output = self.program(&self.scratch, &arguments, false).output();
        let status = parsed(&String::from_utf8(output.unwrap().stdout).unwrap());
        let lanes = status["lanes"].as_array().unwrap();
        ["pending", "leased", "dead"]
            .map(|name| lanes.iter().map(|lane| lane[name].as_u64().unwrap()).sum())
    }

    /// The number of calls that were answered more than once, and how often.
    fn repeated(&self) -> usize {
        self.answered
            .lock()
            .unwrap()
            .values()
            .map(|count| count - 1)
            .sum()
    }
}

/// The files of each session with their hashes, but for events, stamps and locks.
type Hashes = BTreeMap<String, BTreeMap<String, u64>>;

fn hashes(output: &Path) -> Hashes {
    let mut hashes = Hashes::new();
    for session in fs::read_dir(output).unwrap() {
        let session = session.unwrap();
        let name = session.file_name().into_string().unwrap();
        if name.starts_with('.') || name == "batch" || !session.path().is_dir() {
            continue;
        }
        let files = tree(&session.path()).into_iter();
        let files = files.filter(|(name, _)| name != "events.jsonl" && !name.starts_with('.'));
        let hashed = files.map(|(name, bytes)| {
            let mut hasher = DefaultHasher::new();
            without_failed_tries(&name, bytes).hash(&mut hasher);
            (name, hasher.finish())
        });
        hashes.insert(name, hashed.collect());
    }
    hashes
}

/// A file, and of a call what does not depend on its network: a try that failed stays on record.
fn without_failed_tries(name: &str, bytes: Vec<u8>) -> Vec<u8> {
    if !name.starts_with("calls/") {
        return bytes;
    }
    let mut call = parsed(&String::from_utf8(bytes).unwrap());
    call["failed_tries"] = serde_json::Value::Null;
    call.to_string().into_bytes()
}

/// One batch of all topics without a fault: the hashes of each session, and the number of calls.
fn reference() -> &'static (Hashes, usize) {
    static REFERENCE: OnceLock<(Hashes, usize)> = OnceLock::new();
    REFERENCE.get_or_init(|| {
        let fleet = Fleet::new(Source::List);
        let batch = [&["batch", "list.txt", "-j8", "--quiet"], &OPTIONS[..]].concat();
        let output = fleet.program(&fleet.scratch, &batch, false).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{output:?}");
        assert_eq!(fleet.repeated(), 0);
        let output = fleet.scratch.path().join("research-output");
        (hashes(&output), fleet.models.calls())
    })
}

fn assert_contract(source: Source) {
    let mut fleet = Fleet::new(source);
    assert_contract_of(&mut fleet);
}

#[expect(clippy::print_stderr, reason = "the counts are what it measures")]
fn assert_contract_of(fleet: &mut Fleet) {
    let (expected, calls) = reference();
    fleet.submit();
    fleet.members = (0..MEMBERS).map(|member| fleet.start(member, 0)).collect();
    fleet.disturb(*calls);
    fleet.finish();
    if !matches!(fleet.servers, Servers::None) {
        // The message that is no topic is the only one that nobody has run.
        assert_eq!(fleet.left(), [0, 0, 1]);
    }
    if fleet.store.is_some() {
        let pull = ["pull", "--all", "--quiet"];
        let pulled = fleet.program(&fleet.scratch, &pull, false).output();
        assert!(pulled.unwrap().status.success());
    }
    let output = fleet.scratch.path().join("research-output");
    let ours = hashes(&output);
    assert_eq!((ours.len(), expected.len()), (sessions(), sessions()));
    let mut without_end = 0;
    for (session, files) in expected {
        let own = &ours[session];
        let mut names = files.keys().chain(own.keys());
        if let Some(name) = names.find(|name| own.get(*name) != files.get(*name)) {
            let text = fs::read_to_string(output.join(session).join(name));
            panic!("{session}/{name} differs: {text:?}");
        }
        let events = fs::read_to_string(output.join(session).join("events.jsonl")).unwrap();
        let published = events.lines().filter(|line| line.contains("\"published\""));
        let published = published.count();
        assert!(published <= 1, "{session}: {events}");
        without_end += 1 - published;
    }
    // A process that is killed between the publication and the line on it leaves none.
    assert!(without_end <= JOBS, "{without_end} sessions");
    let (source, in_flight, repeated) = (fleet.source, fleet.in_flight, fleet.repeated());
    let sessions = ours.len();
    eprintln!(
        "{source:?}: {sessions} sessions, {calls} calls, {repeated} made again of at most \
         {in_flight} in flight"
    );
    assert!(repeated <= in_flight, "{repeated}");
}

#[test]
fn sessions_of_a_list_end_once_whatever_happens() {
    assert_contract(Source::List);
}

#[test]
fn sessions_of_shards_end_once_whatever_happens() {
    assert_contract(Source::Shard);
}

#[test]
fn sessions_of_a_queue_end_once_whatever_happens() {
    assert_contract(Source::Queue);
}

#[test]
fn sessions_of_a_cluster_end_once_whatever_happens() {
    assert_contract(Source::Cluster);
}

#[cfg(feature = "s3")]
#[test]
fn sessions_of_machines_with_a_store_end_once_whatever_happens() {
    let Some(server) = crate::store::S3::start() else {
        return;
    };
    let mut fleet = Fleet::new(Source::Machines);
    let door = Proxy::to(server.port);
    fleet.store = Some(Store {
        url: "s3://bucket/research",
        variables: crate::store::S3::variables,
        proxy: Proxy::to(door.port()),
        door,
        machines: (0..MEMBERS).map(|_| with_costs()).collect(),
        _server: Box::new(server),
    });
    assert_contract_of(&mut fleet);
}
