//! The processes of the contract, their clock and their disk.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use super::nats_server::fetched_package;

/// The size of the disk but when it is full.
const DISK_SIZE: &str = "8G";

/// A process, which writes its output to a file.
pub(super) struct Member {
    pub(super) child: Child,
    log: PathBuf,
    /// How often it was started before.
    pub(super) runs: usize,
}

/// A file system of its own for the sessions, which can become full.
pub(super) struct Disk {
    path: PathBuf,
}

/// The library that gives a process a clock of its own.
pub(super) fn clock_library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let mut files = walkdir::WalkDir::new(fetched_package("libfaketime")).into_iter();
        let library = files.find_map(|entry| {
            let path = entry.unwrap().into_path();
            path.ends_with("libfaketime.so.1").then_some(path)
        });
        library.unwrap()
    })
}

impl Disk {
    /// Mounts a file system in memory; `None` where that is not allowed.
    pub(super) fn mount(path: &Path) -> Option<Self> {
        fs::create_dir_all(path).unwrap();
        let mut mount = Command::new("mount");
        let options = format!("size={DISK_SIZE},nr_inodes=0");
        mount.args(["-t", "tmpfs", "-o", &options, "tmpfs"]);
        let mounted = mount.arg(path).stderr(Stdio::null()).status();
        let path = path.to_owned();
        mounted
            .is_ok_and(|status| status.success())
            .then_some(Self { path })
    }

    /// Gives it room again.
    pub(super) fn empty(&self) {
        assert!(self.resize(DISK_SIZE));
    }

    fn resize(&self, size: &str) -> bool {
        let mut mount = Command::new("mount");
        mount.args(["-o", &format!("remount,size={size}")]);
        let resized = mount.arg(&self.path).stderr(Stdio::null()).status();
        resized.unwrap().success()
    }

    /// Leaves next to nothing free. What is written meanwhile may be too much for the new size.
    pub(super) fn fill(&self) {
        let is_full = || {
            let mut df = Command::new("df");
            let used = df.args(["-k", "--output=used"]).arg(&self.path).output();
            let used = String::from_utf8(used.unwrap().stdout).unwrap();
            let kibibytes: u64 = used.lines().last().unwrap().trim().parse().unwrap();
            self.resize(&format!("{}k", kibibytes + 16))
        };
        while !is_full() {}
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.path).status();
    }
}

impl Member {
    /// Starts it, with its output in a file.
    pub(super) fn start(mut command: Command, log: PathBuf, runs: usize) -> Self {
        let file = File::create(&log).unwrap();
        command.stdout(file.try_clone().unwrap()).stderr(file);
        let child = command.spawn().unwrap();
        Self { child, log, runs }
    }

    pub(super) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub(super) fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    pub(super) fn signal(&self, signal: &str) {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args([signal, &pid]).status().unwrap();
        assert!(sent.success());
    }

    pub(super) fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap()
    }
}
