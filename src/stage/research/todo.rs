//! Renders a plan as a list of its steps, for people.

use crate::artifact::Plan;
use crate::artifact::plan::StepStatus;
use crate::export::markdown::escape_markdown;
use crate::text::with_full_stop;

/// A plan as a list of its steps, in Markdown. Titles and observations may be a model's, so they
/// are escaped.
pub(super) fn todo(plan: &Plan) -> String {
    let mut text = format!("# {}\n\n", escape_markdown(&plan.title));
    for step in &plan.steps {
        let observation = step.observation.as_deref().unwrap_or_default();
        let (mark, note) = match step.status {
            StepStatus::Completed => ("x", observation),
            StepStatus::Failed => ("!", observation),
            StepStatus::Skipped => ("-", "Skipped."),
            StepStatus::InProgress => (" ", "In progress."),
            StepStatus::Pending => (" ", ""),
        };
        let title = with_full_stop(&escape_markdown(&step.title));
        let line = format!("- [{mark}] {}: {title} {}", step.id, escape_markdown(note));
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn tags_and_escape_sequences_of_a_model_stay_text() {
        let plan: Plan = serde_json::from_value(json!({
            "id": "p", "title": "Plan\n\n<script>", "thought": "", "has_enough_context": false,
            "iteration": 1,
            "steps": [{
                "id": "1-costs", "title": "Costs <img src=x>\u{1b}]52;c;cHduZWQ=\u{7}",
                "description": "", "facet": "figures", "step_type": "RESEARCH",
                "needs_search": true, "queries": [], "priority": 1, "dependencies": [],
                "status": "COMPLETED", "observation": "[see](javascript:alert(1))\n# Heading",
            }],
        }))
        .unwrap();
        let text = todo(&plan);
        assert!(!text.contains(['<', '\u{1b}', '\u{7}']), "{text}");
        assert!(!text.contains("](") && text.lines().count() == 3, "{text}");
    }
}
