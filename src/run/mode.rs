//! The settings that a mode of research changes.

use crate::artifact::session::Mode;
use crate::config::Settings;

/// The settings under which a mode works: all but deep research have one plan of one step.
pub(super) fn settings_of(settings: &Settings, mode: Mode) -> Settings {
    let mut settings = settings.clone();
    if mode != Mode::DeepResearch {
        settings.depth.quick.min_steps = 1;
        settings.depth.quick.max_steps = 1;
        settings.agents.planner.max_plan_iterations = 1;
    }
    settings
}
