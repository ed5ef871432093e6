//! The confinement of a process that parses what nobody trusts: limits of memory and processor
//! time, no files, no network, no other processes; and the one stream that it talks through.

use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde::{Deserialize, Serialize};
use signal_hook::consts::{SIGABRT, SIGXCPU};

/// A stream of bytes in both directions, with time limits for reading and writing.
pub type Duplex = UnixStream;

/// What the kernel enforces on a confined thread, beside limits of memory and time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    /// It opens no file and no connection (Landlock).
    pub landlock: bool,
    /// It makes none but a few harmless system calls (seccomp).
    pub seccomp: bool,
}

/// This program, to be run again.
///
/// Contract: the file that this process was started from, where the system can tell, even if
/// another has its name by now.
///
/// # Errors
/// When the system cannot tell its path.
pub fn this_program() -> io::Result<PathBuf> {
    let link = Path::new("/proc/self/exe");
    if link.exists() {
        return Ok(link.to_owned());
    }
    std::env::current_exe()
}

/// Starts a command with one end of a stream as its standard input, which it also answers by, and
/// returns the other end.
///
/// Contract: it has no environment, no other stream and no directory of its own; signals from the
/// terminal do not reach it; its standard input ends at the latest when this process ends.
///
/// # Errors
/// When it does not start.
pub fn spawn_with_duplex(mut command: Command) -> io::Result<(Child, Duplex)> {
    let (own, other) = UnixStream::pair()?;
    let child = command
        .env_clear()
        .current_dir("/")
        .process_group(0)
        .stdin(OwnedFd::from(other))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    Ok((child, own))
}

/// The stream of a process that was started by [`spawn_with_duplex`].
///
/// # Errors
/// When standard input is closed.
pub fn standard_duplex() -> io::Result<Duplex> {
    let input = io::stdin().as_fd().try_clone_to_owned()?;
    Ok(UnixStream::from(input))
}

/// `true` if a process ended itself, as one does whose memory limit is reached.
pub fn was_aborted(status: ExitStatus) -> bool {
    status.signal() == Some(SIGABRT)
}

/// `true` if a process was ended by its limit of processor time.
pub fn was_out_of_time(status: ExitStatus) -> bool {
    status.signal() == Some(SIGXCPU)
}

/// Limits the memory of this process for the rest of its life, and leaves no core dump of it.
///
/// Contract: a limit that cannot be set changes nothing.
pub fn limit_this_process(memory_bytes: u64) {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
    for (resource, wanted) in [(Resource::Data, memory_bytes), (Resource::Core, 0)] {
        let maximum = getrlimit(resource).maximum;
        let limit = Some(maximum.map_or(wanted, |maximum| maximum.min(wanted)));
        let _ = setrlimit(
            resource,
            Rlimit {
                current: limit,
                maximum: limit,
            },
        );
    }
}

/// Limits the memory of this process (`RLIMIT_DATA`) and its processor time since its start
/// (`RLIMIT_CPU`) until it is called again.
///
/// Contract: a limit that cannot be set changes nothing. Beyond a limit, allocation fails or the
/// process is killed.
pub fn limit_next_work(memory_bytes: u64, processor_seconds: u64) {
    for (resource, wanted) in [
        (Resource::Data, memory_bytes),
        (Resource::Cpu, processor_seconds),
    ] {
        let maximum = getrlimit(resource).maximum;
        let limit = maximum.map_or(wanted, |maximum| maximum.min(wanted));
        let _ = setrlimit(
            resource,
            Rlimit {
                current: Some(limit),
                maximum,
            },
        );
    }
}

/// Raises the limit on the open files of this process as far as the system lets it; returns the
/// limit then.
///
/// Contract: it is never lowered; a limit that cannot be raised stays.
pub fn raise_descriptor_limit() -> usize {
    let limits = getrlimit(Resource::Nofile);
    let _ = setrlimit(
        Resource::Nofile,
        Rlimit {
            current: limits.maximum,
            ..limits
        },
    );
    let raised = getrlimit(Resource::Nofile).current;
    raised.map_or(usize::MAX, |limit| {
        usize::try_from(limit).unwrap_or(usize::MAX)
    })
}

/// Takes from this thread, and those that it starts, all that parsing needs not: files, network,
/// other processes.
///
/// Contract: what the kernel does not know is not enforced, and told by the result. Open files stay
/// open.
pub fn confine_this_thread() -> Confinement {
    #[cfg(target_os = "linux")]
    let confinement = Confinement {
        // First: the system calls that it needs are not allowed later.
        landlock: linux::deny_files().is_ok_and(|is_enforced| is_enforced),
        seccomp: linux::deny_system_calls().is_ok(),
    };
    #[cfg(not(target_os = "linux"))]
    let confinement = Confinement::default();
    confinement
}

#[cfg(target_os = "linux")]
mod linux {
    use landlock::{
        ABI, Access as _, AccessFs, AccessNet, Ruleset, RulesetAttr as _, RulesetStatus, Scope,
    };
    use rustix::process::getpid;
    use seccompiler::{
        BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
        SeccompRule, apply_filter,
    };

    /// The system calls of a parser: memory, threads that are there, its one stream, its end.
    const ALLOWED: &[i64] = &[
        libc::SYS_brk,
        libc::SYS_clock_gettime,
        libc::SYS_close,
        libc::SYS_exit,
        libc::SYS_exit_group,
        libc::SYS_futex,
        libc::SYS_getpid,
        libc::SYS_getrandom,
        libc::SYS_gettid,
        libc::SYS_madvise,
        libc::SYS_mmap,
        libc::SYS_mprotect,
        libc::SYS_mremap,
        libc::SYS_munmap,
        libc::SYS_read,
        libc::SYS_recvfrom,
        libc::SYS_rt_sigaction,
        libc::SYS_rt_sigprocmask,
        libc::SYS_rt_sigreturn,
        libc::SYS_sched_getaffinity,
        libc::SYS_sched_yield,
        libc::SYS_sendto,
        libc::SYS_sigaltstack,
        libc::SYS_write,
    ];

    /// Refuses every file and connection that is not open; `true` if the kernel does.
    pub(super) fn deny_files() -> Result<bool, landlock::RulesetError> {
        // The newest version that is known here; of an older kernel, as much as it has.
        let version = ABI::V6;
        let status = Ruleset::default()
            .handle_access(AccessFs::from_all(version))?
            .handle_access(AccessNet::from_all(version))?
            .scope(Scope::from_all(version))?
            .create()?
            .restrict_self()?;
        Ok(status.ruleset != RulesetStatus::NotEnforced)
    }

    /// Refuses every system call but those of a parser, with an error.
    pub(super) fn deny_system_calls() -> Result<(), Box<dyn std::error::Error>> {
        let mut rules: Vec<(i64, Vec<SeccompRule>)> =
            ALLOWED.iter().map(|call| (*call, Vec::new())).collect();
        // Its own limits, and a signal to itself: by neither does it reach another process.
        let own = u64::from(getpid().as_raw_pid().cast_unsigned());
        for (call, process) in [(libc::SYS_prlimit64, 0), (libc::SYS_tgkill, own)] {
            let is_own =
                SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, process)?;
            rules.push((call, vec![SeccompRule::new(vec![is_own])?]));
        }
        let filter = SeccompFilter::new(
            rules.into_iter().collect(),
            SeccompAction::Errno(libc::EPERM.cast_unsigned()),
            SeccompAction::Allow,
            std::env::consts::ARCH.try_into()?,
        )?;
        apply_filter(&BpfProgram::try_from(filter)?)?;
        Ok(())
    }
}
