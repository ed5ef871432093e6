//! Processes: resource limits, process groups, the user, the host, signals.

use std::ffi::OsStr;
use std::io::{self, PipeWriter};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, geteuid, kill_process_group as kill_group, waitid,
};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use signal_hook::iterator::Signals;
use tokio::net::unix::pipe;
use tokio::signal::unix::{SignalKind, signal};

/// The supervisor of a child: starts the program with limits for each of its processes (4 GiB of
/// data, files of 256 MiB, no core dump); waits for the end of its own standard input, which comes
/// at the latest when this process ends for any reason; then removes the home directory and kills
/// its process group.
#[cfg(feature = "browser")]
const SUPERVISOR: &str = r#"ulimit -c 0; ulimit -d 4194304; ulimit -f 524288
"$0" "$@" </dev/null & exec >/dev/null 2>&1; read -r _; kill -KILL $!; sleep 1
rm -rf "$HOME"; kill -KILL 0"#;

/// A command that runs `program` under a supervisor, in a process group of its own.
///
/// Contract: the program ends, with all its descendants, when the command's standard input (which
/// has to be piped) is closed, at the latest when this process ends; then the directory in its
/// environment variable `HOME` is removed. Each of its processes is limited in memory and in the
/// size of its files.
#[cfg(feature = "browser")]
pub fn supervised_command(program: &Path) -> tokio::process::Command {
    let mut command = tokio::process::Command::new("sh");
    command
        .args(["-c", SUPERVISOR])
        .arg(program)
        .process_group(0);
    command
}

/// The leader of a program's process group: runs the program (the arguments after the first) with
/// a file (the first argument) as its standard input, limits its files to 256 MiB, and kills the
/// group when its own standard input ends, which is at the latest when this process ends. The words
/// of the program are never parsed.
const GROUP_LEADER: &str = r#"ulimit -c 0; ulimit -f 524288
exec 3<&0
{ read -r _ <&3; kill -KILL 0; } >/dev/null 2>&1 &
"$@" <"$0" 3<&-"#;

/// A command that runs `program` in a process group of its own, with `input` as its standard input.
///
/// Contract: `program` is an absolute path; the arguments that are added to the command are its
/// own, and the exit status is its own. The program ends, with all its descendants, when the
/// command's standard input (which has to be piped) is closed, at the latest when this process
/// ends.
pub fn grouped_command(program: &Path, input: &OsStr) -> Command {
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", GROUP_LEADER])
        .arg(input)
        .arg(program)
        .process_group(0);
    command
}

/// The leader of the process group of a program that is spoken to: as [`GROUP_LEADER`], but the
/// first argument is a file for standard error, standard input is the program's own, and the group
/// is killed when what came as standard error ends.
const SPOKEN_GROUP_LEADER: &str = r#"ulimit -c 0; ulimit -f 524288
exec 3<&2 2>"$0"
{ read -r _ <&3; kill -KILL 0; } >/dev/null 2>&1 &
"$@" 3<&-"#;

/// A command that runs `program` in a process group of its own, to be spoken to over its standard
/// input and output; what it writes on standard error goes into the file `errors`.
///
/// Contract: as that of [`grouped_command`], but the program ends when the returned pipe is closed.
///
/// # Errors
/// When there is no pipe left.
pub fn conversing_command(program: &Path, errors: &OsStr) -> io::Result<(Command, PipeWriter)> {
    let (ending, alive) = io::pipe()?;
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", SPOKEN_GROUP_LEADER])
        .arg(errors)
        .arg(program)
        .stderr(ending)
        .process_group(0);
    Ok((command, alive))
}

/// Takes the standard input and output of a child, which have to be pipes, to be used with tokio.
///
/// Contract: it must be called within a tokio runtime.
///
/// # Errors
/// When they are no pipes, or have been taken before.
pub fn pipes_of(child: &mut Child) -> io::Result<(pipe::Sender, pipe::Receiver)> {
    let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(io::ErrorKind::BrokenPipe.into());
    };
    Ok((
        pipe::Sender::from_owned_fd(input.into())?,
        pipe::Receiver::from_owned_fd(output.into())?,
    ))
}

/// `true` if a child of this process has exited; it stays to be waited for.
pub fn has_exited(child: u32) -> bool {
    let child = i32::try_from(child).ok().and_then(Pid::from_raw);
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    // A child that cannot be asked for is not there any more.
    child.is_none_or(|child| !matches!(waitid(WaitId::Pid(child), options), Ok(None)))
}

/// Kills all processes of the group that the process `leader` leads.
///
/// Contract: the caller has not yet waited for the leader, so no other group can have its number. A
/// group that no longer exists is not an error.
pub fn kill_process_group(leader: u32) {
    let group = i32::try_from(leader).ok().and_then(Pid::from_raw);
    if let Some(group) = group {
        // It fails if the group no longer exists, which is the goal.
        let _ = kill_group(group, Signal::KILL);
    }
}

/// `true` if this process runs as the superuser, who is exempt from file permissions.
pub fn is_root() -> bool {
    geteuid().is_root()
}

/// The name of this machine on its network, for display.
pub fn host_name() -> String {
    rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned()
}

/// Sets `interrupted` at the first SIGINT or SIGTERM; the second one ends the process with
/// `exit_code`. On a thread of its own, `on_signal` is called for both, with `true` for the first.
///
/// Contract: nothing else happens in the signal handler; the program polls the flag and stops at a
/// safe point. A third signal ends the process even while `on_signal` hangs.
///
/// # Errors
/// When no handler can be registered, or no thread started.
pub fn watch_termination_signals(
    interrupted: &Arc<AtomicBool>,
    exit_code: i32,
    on_signal: impl Fn(bool) + Send + 'static,
) -> io::Result<()> {
    let is_ending = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        flag::register_conditional_shutdown(signal, exit_code, Arc::clone(&is_ending))?;
        flag::register(signal, Arc::clone(interrupted))?;
    }
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    let watch = move || {
        let counted = signals
            .forever()
            .filter(|signal| *signal != SIGINT || !IS_CHILD_INTERRUPTED.load(Ordering::SeqCst));
        for (number, _) in counted.enumerate() {
            is_ending.store(number > 0, Ordering::SeqCst);
            on_signal(number == 0);
            if number > 0 {
                std::process::exit(exit_code);
            }
        }
    };
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(watch)?;
    Ok(())
}

/// `true` while SIGINT is meant for a child alone.
static IS_CHILD_INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Calls what starts a child that has the terminal, and waits for it. A terminal sends the SIGINT
/// of Ctrl-C to this process, too, which ignores it meanwhile, as git does with its pager.
///
/// # Errors
/// When no handler can be registered.
pub fn leave_interrupts_to_child<T>(call: impl FnOnce() -> T) -> io::Result<T> {
    // Any handler replaces the default action, which ends the process.
    let handler = flag::register(SIGINT, Arc::new(AtomicBool::new(false)))?;
    IS_CHILD_INTERRUPTED.store(true, Ordering::SeqCst);
    let result = call();
    IS_CHILD_INTERRUPTED.store(false, Ordering::SeqCst);
    signal_hook::low_level::unregister(handler);
    Ok(result)
}

/// Returns what waits for the first SIGINT or SIGTERM from now on.
///
/// Contract: it must be called within a tokio runtime. A signal between the call and the waiting is
/// not lost.
///
/// # Errors
/// When no handler can be registered.
pub fn termination_signal() -> io::Result<impl Future<Output = ()>> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_has_a_name_and_a_group_that_is_gone_is_no_error() {
        assert!(!host_name().is_empty());
        // No process has the largest number that fits.
        kill_process_group(i32::MAX.cast_unsigned());
        kill_process_group(u32::MAX);
    }
}
