//! The tree of a running session: its stage, the steps of its plan, and what it has spent so far;
//! made from events alone, for display only.

use super::tree_lines::fitted;
use super::words::{count, money, truncated};
use crate::pipeline::{Event, numbered_stage, turn};

/// The maximum number of steps that are shown (chosen by hand: a terminal has 24 lines).
const STEPS: usize = 16;

/// The width of a title, in characters.
const TITLE_CHARACTERS: usize = 40;

/// The longest line, in characters; the terminal cuts it to its own width.
const LINE_CHARACTERS: usize = 300;

/// The state of a session, as its events tell it.
#[derive(Debug, Default)]
pub(super) struct StepTree {
    /// The stage and its round.
    stage: String,
    /// The present action of the stage itself.
    action: String,
    steps: Vec<Step>,
    totals: Totals,
}

/// A step of the plan.
#[derive(Debug)]
struct Step {
    id: String,
    title: String,
    mark: Mark,
    /// Its present action, or how it ended.
    action: String,
    searches: usize,
    pages: usize,
    passages: usize,
}

/// The mark of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Pending,
    Running,
    Done,
    Failed,
    Skipped,
}

impl Mark {
    fn symbol(self) -> char {
        match self {
            Self::Pending => '·',
            Self::Running => '▸',
            Self::Done => '✓',
            Self::Failed => '✗',
            Self::Skipped => '-',
        }
    }
}

/// What one session or several have done and spent, by their events.
#[derive(Debug, Default)]
pub(super) struct Totals {
    searches: usize,
    pages: usize,
    calls: usize,
    input_tokens: u64,
    cached_tokens: u64,
    output_tokens: u64,
    /// The cost of searches, and of the calls whose price is known.
    usd: f64,
}

impl StepTree {
    /// Applies an event.
    pub(super) fn apply(&mut self, event: &Event) {
        match event {
            // What an earlier run of the same log did is on disk, and not in progress.
            Event::RunStarted { .. } => *self = Self::default(),
            Event::StageStarted {
                stage,
                round,
                number,
                stages,
                ..
            } => {
                let stage = numbered_stage(stage, *number, *stages);
                self.stage = format!("{stage}, round {round}");
                self.action.clear();
            }
            Event::Planned { steps, .. } => {
                for planned in steps {
                    self.step(&planned.step).title.clone_from(&planned.title);
                }
            }
            Event::Searched { .. } | Event::PageRead { .. } | Event::Called { .. } => {
                self.totals.add(event);
            }
            _ => self.apply_to_step(event),
        }
    }

    /// Applies an event of a step.
    fn apply_to_step(&mut self, event: &Event) {
        match event {
            Event::StepStarted { step, title } => {
                let step = self.step(step);
                step.title.clone_from(title);
                step.set(Mark::Running, "thinking");
            }
            Event::Turn {
                step,
                action,
                subject,
            } => {
                let step = self.step(step);
                step.set(Mark::Running, &turn(action, subject));
                match action.as_str() {
                    "search" => step.searches += 1,
                    "read" => step.pages += subject.len(),
                    _ => {}
                }
            }
            Event::TurnFinished { step, .. } => self.step(step).set(Mark::Running, "thinking"),
            Event::StepFinished {
                step,
                searches,
                pages,
                passages,
                ..
            } => {
                let step = self.step(step);
                step.set(Mark::Done, "");
                (step.searches, step.pages, step.passages) = (*searches, *pages, *passages);
            }
            Event::StepFailed { step, problem } => self.step(step).set(Mark::Failed, problem),
            Event::StepSkipped { step } => self.step(step).set(Mark::Skipped, ""),
            event if event.is_of_stage() => self.action = event.to_string(),
            _ => {}
        }
    }

    /// The step of this name; a new one if no plan has named it.
    fn step(&mut self, id: &str) -> &mut Step {
        let known = self.steps.iter().position(|step| step.id == id);
        let position = known.unwrap_or_else(|| {
            self.steps.push(Step::new(id));
            self.steps.len() - 1
        });
        &mut self.steps[position]
    }

    /// The number of steps that are over, such as `2 of 6 steps done`; empty without a plan, and
    /// once all are.
    fn steps_over(&self) -> String {
        let is_over = |step: &&Step| !matches!(step.mark, Mark::Pending | Mark::Running);
        let over = self.steps.iter().filter(is_over).count();
        if over == self.steps.len() {
            return String::new();
        }
        format!("{over} of {} done", count(self.steps.len(), "step"))
    }

    /// The lines that show it.
    pub(super) fn lines(&self) -> Vec<String> {
        let stage = match self.steps_over() {
            over if over.is_empty() => self.stage.clone(),
            over => format!("{}, {over}", self.stage),
        };
        let stage = [stage.as_str(), self.action.as_str()];
        let stage = stage.into_iter().filter(|part| !part.is_empty());
        let mut lines = vec![stage.collect::<Vec<_>>().join(": ")];
        // Of a long plan the last steps: the first are done.
        let hidden = self.steps.len().saturating_sub(STEPS);
        if hidden > 0 {
            lines.push(format!("  … {} before", count(hidden, "step")));
        }
        lines.extend(self.steps[hidden..].iter().map(Step::line));
        lines.push(self.totals.line());
        lines
            .iter()
            .map(|line| {
                let indent = line.len() - line.trim_start().len();
                format!("{}{}", " ".repeat(indent), truncated(line, LINE_CHARACTERS))
            })
            .collect()
    }
}

impl Step {
    fn new(id: &str) -> Self {
        Self {
            id: id.to_owned(),
            title: id.to_owned(),
            mark: Mark::Pending,
            action: String::new(),
            searches: 0,
            pages: 0,
            passages: 0,
        }
    }

    fn set(&mut self, mark: Mark, action: &str) {
        self.mark = mark;
        action.clone_into(&mut self.action);
    }

    fn line(&self) -> String {
        let title = fitted(&truncated(&self.title, LINE_CHARACTERS), TITLE_CHARACTERS);
        let mut parts = Vec::new();
        if !self.action.is_empty() {
            parts.push(self.action.clone());
        }
        let counts = [
            (self.searches, "search"),
            (self.pages, "page"),
            (self.passages, "passage"),
        ];
        parts.extend(counts.into_iter().filter(|own| own.0 > 0).map(counted));
        format!("  {} {title}  {}", self.mark.symbol(), parts.join(", "))
            .trim_end()
            .to_owned()
    }
}

impl Totals {
    /// Adds a search, a page or a call.
    pub(super) fn add(&mut self, event: &Event) {
        match event {
            Event::Searched { cost_usd, .. } => {
                self.searches += 1;
                self.usd += cost_usd;
            }
            Event::PageRead { .. } => self.pages += 1,
            Event::Called {
                input_tokens,
                cached_tokens,
                output_tokens,
                cost_usd,
                ..
            } => {
                self.calls += 1;
                self.input_tokens += input_tokens;
                self.cached_tokens += cached_tokens;
                self.output_tokens += output_tokens;
                self.usd += cost_usd.unwrap_or(0.0);
            }
            _ => {}
        }
    }

    /// The calls and the cost; empty without any.
    pub(super) fn spent(&self) -> String {
        let calls = (self.calls > 0).then(|| count(self.calls, "call"));
        let cost = (self.usd > 0.0).then(|| money(Some(self.usd)));
        let parts: Vec<String> = calls.into_iter().chain(cost).collect();
        parts.join(", ")
    }

    fn line(&self) -> String {
        let mut parts = vec![
            counted((self.searches, "search")),
            counted((self.pages, "page")),
        ];
        if self.calls > 0 {
            parts.push(count(self.calls, "call"));
            let cached = match self.cached_tokens {
                0 => String::new(),
                cached => format!(" ({cached} cached)"),
            };
            let (input, output) = (self.input_tokens, self.output_tokens);
            parts.push(format!("{input} tokens in{cached}, {output} out"));
        }
        if self.usd > 0.0 {
            parts.push(money(Some(self.usd)));
        }
        format!("  {}", parts.join(", "))
    }
}

/// A count with its noun.
fn counted((number, noun): (usize, &str)) -> String {
    match noun {
        "search" if number != 1 => format!("{number} searches"),
        noun => count(number, noun),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::PlannedStep;
    use crate::pipeline::RunOptions;

    fn named(step: &str, title: &str) -> PlannedStep {
        PlannedStep {
            step: step.to_owned(),
            title: title.to_owned(),
        }
    }

    fn tree(events: &[Event]) -> Vec<String> {
        let mut tree = StepTree::default();
        events.iter().for_each(|event| tree.apply(event));
        tree.lines()
    }

    fn planned() -> Vec<Event> {
        let titles = ["Costs", "Noise", "Grants", "Repairs"];
        let steps = titles.iter().enumerate();
        let steps = steps.map(|(number, title)| named(&number.to_string(), title));
        vec![
            Event::RunStarted {
                pid: 1,
                options: RunOptions::default(),
            },
            Event::StageStarted {
                stage: "research".to_owned(),
                round: 1,
                reason: "new".to_owned(),
                number: 1,
                stages: 4,
            },
            Event::Planned {
                plan: 1,
                steps: steps.collect(),
            },
        ]
    }

    #[test]
    fn each_step_has_its_mark_its_action_and_its_counts() {
        let started = |step: &str, title: &str| Event::StepStarted {
            step: step.to_owned(),
            title: title.to_owned(),
        };
        let events = [
            started("0", "Costs"),
            started("1", "Noise"),
            Event::Turn {
                step: "1".to_owned(),
                action: "search".to_owned(),
                subject: vec!["noise at night".to_owned()],
            },
            Event::StepFinished {
                step: "0".to_owned(),
                searches: 2,
                pages: 1,
                passages: 3,
                reused: false,
            },
            Event::StepFailed {
                step: "2".to_owned(),
                problem: "no service".to_owned(),
            },
            Event::StepSkipped {
                step: "3".to_owned(),
            },
            Event::Called {
                agent: "planner".to_owned(),
                about: String::new(),
                input_tokens: 900,
                cached_tokens: 400,
                output_tokens: 50,
                cost_usd: Some(0.01),
            },
        ];
        assert_eq!(
            tree(&[planned(), events.to_vec()].concat()),
            [
                "stage 1 of 4: research, round 1, 3 of 4 steps done",
                "  ✓ Costs 2 searches, 1 page, 3 passages",
                "  ▸ Noise searching “noise at night”, 1 search",
                "  ✗ Grants no service",
                "  - Repairs",
                "  0 searches, 0 pages, 1 call, 900 tokens in (400 cached), 50 out, $0.0100",
            ]
        );
    }

    #[test]
    fn long_plans_show_their_last_steps_and_a_new_run_begins_anew() {
        let steps = (0..40).map(|number| named(&number.to_string(), "Title"));
        let plan = Event::Planned {
            plan: 1,
            steps: steps.collect(),
        };
        let lines = tree(&[planned(), vec![plan]].concat());
        assert_eq!(lines.len(), STEPS + 3);
        assert_eq!(lines[1], "  … 24 steps before");
        let again = [
            planned(),
            vec![Event::RunStarted {
                pid: 2,
                options: RunOptions::default(),
            }],
        ]
        .concat();
        assert_eq!(tree(&again), ["", "  0 searches, 0 pages"]);
    }

    #[test]
    fn what_a_page_says_is_text() {
        let title = "\u{1b}[31mred\nline".to_owned();
        let events = vec![Event::StepStarted {
            step: "1".to_owned(),
            title,
        }];
        let line = tree(&events)[1].clone();
        assert!(!line.contains('\u{1b}') && !line.contains('\n'), "{line}");
    }
}
