//! The terminal that a program is run from.

use std::os::fd::AsFd;

use rustix::process::getpgrp;
use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcgetpgrp, tcsetattr};

/// A terminal that shows no `^C` where Ctrl-C is pressed, until this is dropped: the two characters
/// would garble what is redrawn there.
#[derive(Debug)]
pub struct QuietControls<T: AsFd>(T);

impl<T: AsFd> QuietControls<T> {
    /// Stops the echo of control characters; `None` if this is no terminal, if it echoes none
    /// anyway, or if the program runs in the background, where it would be stopped for this.
    pub fn new(terminal: T) -> Option<Self> {
        set_echo(&terminal, false).then_some(Self(terminal))
    }
}

impl<T: AsFd> Drop for QuietControls<T> {
    fn drop(&mut self) {
        set_echo(&self.0, true);
    }
}

/// Sets whether a terminal echoes control characters; `false` if nothing was changed.
fn set_echo(terminal: &impl AsFd, is_on: bool) -> bool {
    // What writes the modes of a terminal from the background is stopped by SIGTTOU.
    let is_in_front = tcgetpgrp(terminal).is_ok_and(|group| group == getpgrp());
    if !is_in_front {
        return false;
    }
    let Ok(mut modes) = tcgetattr(terminal) else {
        return false;
    };
    if modes.local_modes.contains(LocalModes::ECHOCTL) == is_on {
        return false;
    }
    modes.local_modes.set(LocalModes::ECHOCTL, is_on);
    tcsetattr(terminal, OptionalActions::Now, &modes).is_ok()
}
