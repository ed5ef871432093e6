//! A cluster of three servers, of which any one may be lost.

use std::fs;
use std::net::TcpListener;

use tempfile::TempDir;

use super::{Queue, Server, Worker, assert_same, topics, with_costs};

/// Ports that nothing listens on.
fn free_ports<const COUNT: usize>() -> [u16; COUNT] {
    let listeners = [(); COUNT].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    listeners.map(|listener| listener.local_addr().unwrap().port())
}

/// Three servers that hold each message together.
pub(super) struct Cluster {
    servers: Vec<Server>,
    settings: Vec<String>,
}

impl Cluster {
    pub(super) fn start() -> Self {
        let routes: [u16; 3] = free_ports();
        let listed = routes
            .map(|port| format!("nats://127.0.0.1:{port}"))
            .join(", ");
        let settings: Vec<String> = (0..3)
            .map(|number| {
                format!(
                    "server_name: n{number}\njetstream: {{ store_dir: store }}\n\
                     cluster: {{ name: c, listen: \"127.0.0.1:{}\", routes: [{listed}] }}",
                    routes[number]
                )
            })
            .collect();
        // None of them is ready before two are there.
        let servers = std::thread::scope(|scope| {
            let start = |own: &'_ String| Server::on(tempfile::tempdir().unwrap(), -1, own);
            let started: Vec<_> = settings
                .iter()
                .map(|own| scope.spawn(move || start(own)))
                .collect();
            let started = started.into_iter();
            started.map(|server| server.join().unwrap()).collect()
        });
        Self { servers, settings }
    }

    pub(super) fn url(&self) -> String {
        let urls: Vec<String> = self.servers.iter().map(Server::url).collect();
        urls.join(",")
    }

    /// The server that was started first.
    pub(super) fn first(&self) -> &Server {
        &self.servers[0]
    }

    /// Kills a server and starts it again over its files.
    pub(super) fn restart(&mut self, number: usize) {
        let server = &mut self.servers[number];
        server.kill();
        let directory: TempDir =
            std::mem::replace(&mut server.directory, tempfile::tempdir().unwrap());
        let port = i32::from(server.port);
        self.servers[number] = Server::on(directory, port, &self.settings[number]);
    }
}

#[test]
fn cluster_finishes_each_topic_once_whichever_server_dies() {
    let mut cluster = Cluster::start();
    let topics = topics(90);
    let scratch = with_costs();
    scratch.write("list.txt", topics.join("\n"));
    let command = |arguments: &[&str]| {
        let mut command = scratch.command(arguments);
        command.env("RESEARCH_QUEUE__URL", cluster.url());
        command.env("RESEARCH_QUEUE__REPLICAS", "3");
        command.env("RESEARCH_QUEUE__LEASE_SECONDS", "2");
        command
    };
    // The cluster may still be choosing its leader.
    crate::serve::wait_until("the cluster has a leader", || {
        let submit = ["submit", "list.txt", "--docs", "docs", "--json"];
        command(&submit).output().unwrap().status.success()
    });
    let worker = ["worker", "--until-empty", "--docs", "docs", "-j2"];
    let mut workers = [(); 2].map(|()| Worker::start(command(&worker)));
    // Each server in turn: one of them leads.
    for number in 0..3 {
        workers[number % 2].next_report();
        cluster.restart(number);
    }
    for worker in workers {
        worker.finish();
    }
    let queue = Queue {
        scratch,
        server: cluster.servers.remove(0),
    };
    assert_same(&queue, &topics);
    assert!(fs::metadata(queue.server.directory.path().join("store")).is_ok());
}
