//! The operating system: everything specific to Unix, behind a small contract.
//!
//! Linux and macOS are supported. No other module names `std::os::unix`, `rustix` or `signal_hook`
//! (`tests/tidy.rs` checks it), so a port to Windows is a second implementation of the items below
//! and changes nothing else. Each item states what an implementation must guarantee, and names the
//! Windows counterpart.
//!
//! | item | contract, in a line | on Windows |
//! |---|---|---|
//! | [`StatData`] | differs once a file changed | `FILE_ID_INFO`, `FILE_BASIC_INFO` |
//! | [`refuse_links`] | no link is followed, no pipe waited for | refuse reparse points |
//! | [`make_private`], [`create_private_directory`] | new ones are the user's alone | an ACL |
//! | [`copy_access`] | a new file is as private as the old one | copy the ACL |
//! | [`is_same_file`] | a handle and a name mean one file | `FILE_ID_INFO` |
//! | [`flush_directory`] | new names survive a power failure | none: NTFS journals names |
//! | [`read_at`], [`write_all_at`] | the cursor is not used | `seek_read`, `seek_write` |
//! | [`standard_output_file`] | the file that output is redirected to, if that is told | `GetFinalPathNameByHandle` |
//! | [`DirectoryHandle`] | stat data below an open directory | relative `NtCreateFile` |
//! | [`this_program`] | the running program, to be run again | `current_exe` |
//! | [`spawn_with_duplex`], [`standard_duplex`] | a child that has one stream and nothing else | a named pipe |
//! | [`was_aborted`] | a child ended itself | `STATUS_STACK_BUFFER_OVERRUN` |
//! | [`was_out_of_time`] | a child reached its limit of time | the job object's message |
//! | [`limit_this_process`], [`limit_next_work`] | memory and time are bounded | a job object |
//! | [`raise_descriptor_limit`] | as many files as the system lets | none: there is no such limit |
//! | [`confine_this_thread`] | no file, network or process is reached | an AppContainer |
//! | `supervised_command` | descendants end with this process | `KILL_ON_JOB_CLOSE` |
//! | [`grouped_command`] | descendants end on request, or with this process | a job object |
//! | [`conversing_command`] | the same, spoken to over pipes | a job object |
//! | [`pipes_of`] | a child's pipes are read and written without blocking | overlapped named pipes |
//! | [`has_exited`] | a child's end, seen before it is waited for | `WaitForSingleObject` |
//! | [`kill_process_group`] | descendants end on request | `TerminateJobObject` |
//! | [`is_root`] | permissions do not stop this user | an elevated token |
//! | [`host_name`] | the machine's name, for display | `GetComputerNameEx` |
//! | [`leave_interrupts_to_child`] | Ctrl-C reaches a child alone | `SetConsoleCtrlHandler` |
//! | [`QuietControls`] | the terminal echoes no `^C` for a while | none: no console does |
//! | [`termination_signal`] | the first signal wakes a task | `tokio::signal::windows` |
//! | [`watch_termination_signals`] | first signal: a flag; second: exit; a call for both | `SetConsoleCtrlHandler` |

mod confinement;
mod files;
mod process;
mod terminal;

pub use confinement::{
    Confinement, Duplex, confine_this_thread, limit_next_work, limit_this_process,
    raise_descriptor_limit, spawn_with_duplex, standard_duplex, this_program, was_aborted,
    was_out_of_time,
};

pub use files::{
    DirectoryHandle, FileKind, FileTime, StatData, copy_access, create_private_directory,
    flush_directory, is_same_file, make_private, read_at, read_exact_at, refuse_links,
    standard_output_file, write_all_at,
};
pub use terminal::QuietControls;

#[cfg(feature = "browser")]
pub use process::supervised_command;
pub use process::{
    conversing_command, grouped_command, has_exited, host_name, is_root, kill_process_group,
    leave_interrupts_to_child, pipes_of, termination_signal, watch_termination_signals,
};
