//! The correction of sentences that do not hold: another passage that shows the sentence is
//! cited, or it is written again from its passages, or it is removed. Each correction is recorded.

use anyhow::Result;

use super::verification::{Checked, Checker, is_close};
use crate::agent::{self, Reviser, ReviserInput};
use crate::artifact::Research;
use crate::artifact::claims::{Change, Correction};
use crate::artifact::session::Style;
use crate::artifact::source::Passage;
use crate::artifact::verification::Verdict;
use crate::cite;
use crate::model::BudgetExhausted;
use crate::stage::stage_run::StageRun;
use crate::text;

/// The maximum number of passages that a sentence cites.
const CITED: usize = 4;

/// The loss of score from which a passage is needed (chosen by hand: that of a word or two).
const NEEDED: f64 = 0.02;

/// The difference of scores from which another passage shows a sentence better than the cited ones,
/// which share words with it (chosen by hand).
const MISCITED: f64 = 0.1;

/// The cosine from which two sentences say the same (chosen by hand).
const REPEATED: f64 = 0.85;

/// The score from which other words still say what a sentence says (chosen by hand: a name for a
/// pronoun, or a word that connects it, costs less).
const SAME: f64 = 0.7;

/// The corrections of sentences.
#[derive(Default)]
pub(super) struct Corrections {
    pub(super) made: Vec<Correction>,
    /// The sentences that no passage of the session shows and none contradicts, as first written.
    pub(super) unshown: Vec<String>,
}

/// A sentence that holds, with the passages that show it.
pub(super) struct Sentence<'a> {
    pub(super) text: String,
    pub(super) passages: Vec<&'a Passage>,
}

impl Sentence<'_> {
    /// Returns `true` if it says what another sentence says.
    pub(super) fn says(&self, other: &str) -> bool {
        text::cosine(&text::terms(&self.text), &text::terms(other)) >= REPEATED
    }
}

/// The check and correction of sentences.
pub(super) struct Sentences<'a> {
    run: StageRun<'a>,
    style: &'a Style,
    research: &'a Research,
    checker: Checker<'a>,
}

impl<'a> Sentences<'a> {
    pub(super) fn new(
        run: StageRun<'a>,
        style: &'a Style,
        research: &'a Research,
        checker: Checker<'a>,
    ) -> Self {
        Self {
            run,
            style,
            research,
            checker,
        }
    }

    /// Returns a sentence as far as it holds: as it is, corrected, or `None`.
    pub(super) async fn hold(
        &self,
        text: String,
        mut passages: Vec<&'a Passage>,
        corrections: &mut Corrections,
    ) -> Result<Option<Sentence<'a>>> {
        passages.truncate(CITED);
        let mut checked = self.checker.check(&text, &passages).await?;
        let (change, corrected) = if checked.verdict == Verdict::Supported {
            match self.recite(&text, checked.score + MISCITED).await? {
                Some(sentence) => {
                    checked.reason = "another passage shows it better".to_owned();
                    (Change::Recited, Some(sentence))
                }
                None => {
                    let passages = self.needed(&text, passages);
                    return Ok(Some(Sentence { text, passages }));
                }
            }
        } else {
            self.correct(&text, &passages, &checked).await?
        };
        let correction = Correction {
            before: text,
            reason: checked.reason,
            change,
            after: corrected.as_ref().map(|own| own.text.clone()),
        };
        if change != Change::Recited && checked.verdict != Verdict::Contradicted {
            corrections.unshown.push(correction.before.clone());
        }
        corrections.made.push(correction);
        Ok(corrected)
    }

    /// Returns a sentence in the words that make its section one text again, if they hold and still
    /// say the same; else as it is.
    pub(super) async fn reword(
        &self,
        sentence: Sentence<'a>,
        text: String,
        corrections: &mut Corrections,
    ) -> Result<Sentence<'a>> {
        if text == sentence.text || cite::support(&sentence.text, &text).score < SAME {
            return Ok(sentence);
        }
        let checked = self.checker.check(&text, &sentence.passages).await?;
        if checked.verdict != Verdict::Supported {
            return Ok(sentence);
        }
        corrections.made.push(Correction {
            before: sentence.text,
            reason: "sentences around it were removed".to_owned(),
            change: Change::Reworded,
            after: Some(text.clone()),
        });
        let passages = sentence.passages;
        Ok(Sentence { text, passages })
    }

    async fn correct(
        &self,
        text: &str,
        passages: &[&'a Passage],
        checked: &Checked,
    ) -> Result<(Change, Option<Sentence<'a>>)> {
        // What a source contradicts is not said on the strength of another one.
        if checked.verdict != Verdict::Contradicted
            && let Some(sentence) = self.recite(text, checked.score).await?
        {
            return Ok((Change::Recited, Some(sentence)));
        }
        let rejected = Some((text.to_owned(), checked.reason.clone()));
        Ok(match self.rewrite(passages, rejected).await? {
            Some(sentence) => (Change::Rewritten, Some(sentence)),
            None => (Change::Removed, None),
        })
    }

    /// Returns the sentence with the passage of the session that shows it best, if one has more
    /// than this score and hardly a word is not its own: a sentence that was invented is similar to
    /// many passages, and a small model calls it supported by any.
    async fn recite(&self, text: &str, score: f64) -> Result<Option<Sentence<'a>>> {
        if score >= 1.0 {
            return Ok(None);
        }
        let all = self.research.passages.iter();
        let scored = all.filter_map(|passage| {
            let support = self.checker.support(text, &[passage]);
            let is_better = support.score > score;
            let shows = support.verdict == Verdict::Supported && is_close(text, &support);
            (shows && is_better).then_some((support.score, passage))
        });
        // Of equals the first.
        let best = scored.reduce(|best, other| if other.0 > best.0 { other } else { best });
        let Some((_, passage)) = best else {
            return Ok(None);
        };
        let passages = vec![passage];
        let checked = self.checker.check(text, &passages).await?;
        let text = text.to_owned();
        Ok((checked.verdict == Verdict::Supported).then_some(Sentence { text, passages }))
    }

    /// Writes a sentence from passages, in place of one that was rejected for a reason; `None` if
    /// that does not hold either.
    pub(super) async fn rewrite(
        &self,
        passages: &[&'a Passage],
        rejected: Option<(String, String)>,
    ) -> Result<Option<Sentence<'a>>> {
        let material = passages.iter();
        let input = ReviserInput {
            passages: material
                .map(|own| agent::of_passage(self.research, own))
                .collect(),
            rejected,
            language: self.style.language.clone(),
        };
        let written = match self.run.ask::<Reviser>(&input).await {
            Err(error) if error.is::<BudgetExhausted>() => None,
            answered => answered?,
        };
        let Some(text) = written else {
            return Ok(None);
        };
        let checked = self.checker.check(&text, passages).await?;
        let passages = self.needed(&text, passages.to_vec());
        Ok((checked.verdict == Verdict::Supported).then_some(Sentence { text, passages }))
    }

    /// Returns the passages without which a sentence would be shown less well.
    fn needed(&self, text: &str, mut passages: Vec<&'a Passage>) -> Vec<&'a Passage> {
        let mut index = passages.len();
        // The last first: models name the best one first.
        while index > 0 && passages.len() > 1 {
            index -= 1;
            let score = self.checker.support(text, &passages).score;
            let removed = passages.remove(index);
            let without = self.checker.support(text, &passages);
            let is_needed = without.verdict != Verdict::Supported || score - without.score > NEEDED;
            if is_needed {
                passages.insert(index, removed);
            }
        }
        passages
    }
}
