//! Renders a plan as a list of its steps, for people.

use crate::artifact::Plan;
use crate::artifact::plan::StepStatus;
use crate::text::{self, with_full_stop};

/// A plan as a list of its steps, in Markdown.
pub(super) fn todo(plan: &Plan) -> String {
    let mut text = format!("# {}\n\n", plan.title);
    for step in &plan.steps {
        let (mark, note) = match step.status {
            StepStatus::Completed => ("x", step.observation.as_deref().unwrap_or_default()),
            StepStatus::Failed => ("!", step.observation.as_deref().unwrap_or_default()),
            StepStatus::Skipped => ("-", "Skipped."),
            StepStatus::InProgress => (" ", "In progress."),
            StepStatus::Pending => (" ", ""),
        };
        let title = with_full_stop(&text::one_line(&step.title));
        let line = format!("- [{mark}] {}: {title} {note}", step.id);
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
