//! The assembly of the report: the supported claims of a draft, with references and limits.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write as _;

use super::missing::{
    decisive_words, has_word, is_without_disagreement, lacks_counted, lacks_thing, open_questions,
    outcome, says_all_else, subject_of, terms_of_name, word_forms,
};
use crate::answering::{DOUBT_THRESHOLD, Question, QuestionTerm, names_release};
use crate::artifact::claims::{Change, Claim, DraftSection, Series};
use crate::artifact::documents::{
    LARGE_COLLECTION, NearestDocument, TopicTerm, did_you_mean, is_common,
};
use crate::artifact::plan::{Facet, StepStatus};
use crate::artifact::report::{NO_DISAGREEMENT, QUOTED, Reference};
use crate::artifact::verification::Verdict;
use crate::artifact::{Analysis, Claims, Links, Report, Research, Verification};
use crate::text::{self, counted, truncate_with_ellipsis, with_full_stop};

/// The maximum number of failures that the limits name one by one; the rest are counted.
const NAMED_FAILURES: usize = 10;

/// The beginning of a claim that the limits show, in characters.
const SHOWN_CLAIM: usize = 60;

/// The share of a topic, by weight, that may be missing in every claim before the report says that
/// it does not answer the question in full. (Set on twenty questions that a corpus of design
/// documents answers, and ten that it does not.)
const MISSING_SHARE: f64 = 0.2;

/// The least share of the question's terms with which the first claim alone decides whether the
/// topic is answered. Chosen by hand.
const SHARE_OF_FIRST: f64 = 0.5;

/// The same share if a source is named after a part of the topic; set on the same questions.
const MISSING_SHARE_IF_NAMED: f64 = 0.34;

/// The parts from which a report is assembled.
pub(super) struct Assembly<'a> {
    /// The draft.
    pub(super) draft: &'a Claims,
    /// The check of the addresses that it cites.
    pub(super) links: &'a Links,
    /// The verification of its claims.
    pub(super) verification: &'a Verification,
    /// The gate of the analysis.
    pub(super) analysis: &'a Analysis,
    /// The gate of the research.
    pub(super) research: &'a Research,
    /// Its topic as a question.
    pub(super) question: Question,
    /// The texts of the cited sources, by id.
    pub(super) texts: &'a BTreeMap<String, String>,
    /// The language that was asked for; empty: none.
    pub(super) language: &'a str,
    /// The sentences about calls in which a rule answered in place of the model.
    pub(super) fallbacks: Vec<String>,
}

impl Assembly<'_> {
    /// Assembles the report.
    pub(super) fn report(&self) -> Report {
        let supported = self.supported();
        let only_supported = |ids: &[String]| -> Vec<String> {
            let ids = ids.iter().filter(|id| supported.contains(id.as_str()));
            ids.cloned().collect()
        };
        let mut claims = self.draft.claims.clone();
        claims.retain(|claim| supported.contains(claim.id.as_str()));
        let sections = self.draft.sections.iter();
        let sections = sections
            .map(|section| DraftSection {
                heading: section.heading.clone(),
                claims: only_supported(&section.claims),
            })
            .filter(|section| !section.claims.is_empty())
            .collect();
        // A disagreement needs all of its sides.
        let disagreements = self.draft.disagreements.iter();
        let disagreements =
            disagreements.filter(|own| own.claims().all(|claim| supported.contains(claim)));
        let references = self.references(&claims);
        let kind = self.missing_kind(&claims);
        let mut unanswered = kind.map_or_else(|| self.unanswered(&claims), |kind| vec![kind]);
        unanswered.retain(|_| !self.is_without_disagreement());
        let unmentioned = self.unmentioned(&unanswered);
        // Only where no source answers: a model's own words never stand beside quotations.
        let direct_response = &self.research.classification.direct_response;
        let direct_response = direct_response.clone().filter(|_| claims.is_empty());
        Report {
            confidence: self.confidence(),
            nearest: self.nearest(&claims),
            title: self.draft.title.clone(),
            topic: self.analysis.topic.clone(),
            language: self.language_of(&claims).to_owned(),
            outcome: outcome(
                self.research,
                direct_response.is_some(),
                &claims,
                self.draft,
            ),
            direct_response,
            similar: self.similar(&unmentioned, &claims),
            respelled: self.research.respelled.clone(),
            unmentioned,
            unanswered,
            unanswered_questions: self.unanswered_questions(),
            removed: self.removed(),
            depth: self.research.depth,
            searched: Some(self.research.documents.searched),
            executive_summary: only_supported(&self.draft.summary),
            sections,
            disagreements: disagreements.cloned().collect(),
            series: self.series(&supported),
            open_questions: open_questions(self.research, &self.analysis.gaps, &claims),
            conclusion: match &self.draft.conclusion[..] {
                [] => self.conclusion(&claims),
                written => only_supported(written),
            },
            themes: self.themes(),
            verdicts: self.verification.verdicts.clone(),
            verification: self.verification.summary.clone(),
            tables: Vec::new(),
            public_opinion: None,
            limits: self.limits(&references),
            references,
            claims,
            positions: Vec::new(),
        }
    }

    /// The series of values whose claims hold, of two values at least.
    fn series(&self, supported: &BTreeSet<&str>) -> Vec<Series> {
        let mut all = self.draft.series.clone();
        for series in &mut all {
            let values = &mut series.values;
            values.retain(|own| supported.contains(own.claim.as_str()));
        }
        all.retain(|series| series.values.len() > 1);
        all
    }

    /// The nearest documents, for a report without claims.
    fn nearest(&self, claims: &[Claim]) -> Vec<NearestDocument> {
        let is_wanted = claims.is_empty() && !self.is_without_disagreement();
        let nearest = self.research.nearest.iter();
        nearest.filter(|_| is_wanted).cloned().collect()
    }

    /// `true` if it was asked where the documents disagree, all of them were compared, and nothing
    /// is quoted, since they do not.
    fn is_without_disagreement(&self) -> bool {
        is_without_disagreement(self.research, self.draft)
    }

    /// The language of the report: empty without written claims, since quotations stay in the
    /// language of their sources.
    fn language_of(&self, claims: &[Claim]) -> &str {
        let is_written = claims.iter().any(Claim::is_written);
        if is_written { self.language } else { "" }
    }

    /// Returns the ids of the claims that their sources support. All others are left out of the
    /// report.
    fn supported(&self) -> BTreeSet<&str> {
        self.verification
            .verdicts
            .iter()
            .filter(|checked| checked.verdict == Verdict::Supported)
            .map(|checked| checked.claim.as_str())
            .collect()
    }

    /// Returns the ids of the claims that quote a recommendation.
    fn conclusion(&self, claims: &[Claim]) -> Vec<String> {
        let passages: BTreeSet<&str> = self
            .analysis
            .insights
            .iter()
            .filter(|insight| self.analysis.recommendations.contains(&insight.id))
            .map(|insight| insight.passage.as_str())
            .collect();
        claims
            .iter()
            .filter(|claim| {
                let mut citations = claim.citations.iter();
                citations.any(|citation| passages.contains(citation.passage.as_str()))
            })
            .map(|claim| claim.id.clone())
            .collect()
    }

    /// Returns the cited sources, numbered in the order of first citation.
    fn references(&self, claims: &[Claim]) -> Vec<Reference> {
        let mut references: Vec<Reference> = Vec::new();
        for citation in claims.iter().flat_map(|claim| &claim.citations) {
            if references
                .iter()
                .any(|reference| reference.source == citation.source)
            {
                continue;
            }
            let mut scores = self.analysis.credibility.iter();
            let scored = scores.find(|scored| scored.source == citation.source);
            if let Some(source) = self.research.source(&citation.source) {
                references.push(Reference {
                    number: references.len() + 1,
                    source: source.id.clone(),
                    title: source.title.clone(),
                    author: source.author.clone(),
                    date: source.date.clone(),
                    status: source.status.clone(),
                    publication: source.publication.clone(),
                    locator: source.locator.clone(),
                    read_at: source.read_at.clone(),
                    category: scored.and_then(|scored| scored.category),
                    reliability: scored.and_then(|scored| scored.reliability),
                    dead: self.links.dead(&source.id).cloned(),
                });
            }
        }
        references
    }

    /// Returns the phrases of the themes.
    fn themes(&self) -> Vec<String> {
        let themes = self.analysis.themes.iter();
        themes.map(|theme| theme.phrase.clone()).collect()
    }

    /// Returns the probability that the first claim answers the topic, if a rule estimated it.
    fn confidence(&self) -> Option<f64> {
        let mut findings = self.research.findings.iter();
        let confidence = findings.find_map(|finding| finding.confidence)?;
        // A contradiction that is shown is a disagreement, whatever the rules thought of the words.
        let is_shown =
            !self.analysis.contradictions.is_empty() && self.question.asks_for_disagreement();
        Some(if is_shown {
            confidence.max(DOUBT_THRESHOLD)
        } else {
            confidence
        })
    }

    /// Returns the words of the topic that are missing in the claim that covers most of it (with
    /// the titles of its sources); none if the topic is answered: by the confidence in the answer,
    /// or else because their share of the topic's weight is small.
    ///
    /// The weight of a term is its inverse document frequency, so that a missing common word counts
    /// for little.
    fn unanswered(&self, claims: &[Claim]) -> Vec<String> {
        let terms = &self.research.classification.terms;
        let documents = &self.research.documents;
        let question = &self.question;
        let weight = |terms: &[&String]| -> f64 {
            let weights = terms.iter().map(|term| documents.weight(term));
            weights.sum()
        };
        let missing_in = |claim: &Claim| self.missing_in(question, claim, claims);
        let is_named = self
            .references(claims)
            .iter()
            .flat_map(|reference| text::terms(&reference.title))
            .any(|term| terms.contains(&term));
        let tolerated = if is_named {
            MISSING_SHARE_IF_NAMED
        } else {
            MISSING_SHARE
        };
        let all: Vec<&String> = terms.iter().collect();
        let is_tolerable = |missing: &Vec<&String>| match self.confidence() {
            Some(confidence) => confidence >= DOUBT_THRESHOLD,
            None => weight(missing) <= tolerated * weight(&all),
        };
        // What no document mentions cannot have been answered, however sure the rules are.
        let unmentioned = self.absent_terms();
        let essential = question.essential_terms();
        let absent: Vec<String> = essential
            .filter(|term| unmentioned.contains(&term.written))
            .map(|term| text::stem(&term.word))
            .collect();
        let is_essential = |claim: &Claim, missing: &Vec<&String>| {
            missing.iter().any(|term| absent.contains(term))
                && !says_all_else(question, claim, missing)
        };
        let is_about_another = |claim: &Claim, missing: &[&String]| {
            let mut names = self.names_elsewhere(question, claim, &unmentioned);
            names.any(|name| missing.iter().any(|term| text::same_root(term, &name)))
        };
        let lacks_thing = |claim: &Claim, missing: &[&String]| {
            lacks_thing(question, missing) || lacks_counted(question, claim, missing)
        };
        let is_wanting = |claim: &Claim, missing: &Vec<&String>| {
            is_essential(claim, missing)
                || lacks_thing(claim, missing)
                || !is_tolerable(missing)
                || is_about_another(claim, missing)
        };
        // The confidence is that in the first claim; a later one may have a rarer word of the topic
        // by chance.
        let is_met = |own: &&Claim| question.share_met(&own.text) >= SHARE_OF_FIRST;
        let first = claims.first().filter(|_| self.confidence().is_some());
        let first = first.filter(is_met);
        if first.is_some_and(|first| !is_wanting(first, &missing_in(first))) {
            return Vec::new();
        }
        // A single claim is enough to answer a question, so the best one decides: the first of
        // those that lack the fewest words.
        claims
            .iter()
            .map(|claim| (claim, missing_in(claim)))
            .min_by_key(|(_, missing)| missing.len())
            .filter(|(claim, missing)| is_wanting(claim, missing))
            .map(|(_, missing)| missing)
            .unwrap_or_default()
            .into_iter()
            .map(|term| self.as_written(term).to_owned())
            .filter(|word| !question.is_word_for_disagreement(&text::fold(word)))
            .collect()
    }

    /// Returns the word for the kind of what is asked for, "Which ozone limit", if no claim names
    /// it with its headings and titles, and some documents do, but not as many as make it common.
    fn missing_kind(&self, claims: &[Claim]) -> Option<String> {
        let question = &self.question;
        let kind = question.kind_in_question().filter(|_| !claims.is_empty())?;
        let mut terms = self.research.documents.terms.iter();
        let is_rare = terms.any(|own| {
            let with_term = 1..=self.research.documents.searched / 2;
            text::same_root(&own.term, &kind.stem) && with_term.contains(&own.documents)
        });
        let mut claims = claims.iter();
        let is_told = claims.any(|own| question.met(&self.with_titles(own)).contains(&kind));
        (is_rare && !is_told).then(|| kind.written.clone())
    }

    /// Returns the further questions of a compound question that nothing found clearly answers.
    fn unanswered_questions(&self) -> Vec<String> {
        let further = self.research.plan.steps.iter();
        further
            .filter(|step| {
                step.facet == Facet::Question
                    && self.research.is_in_doubt(&step.id, DOUBT_THRESHOLD)
            })
            .map(|step| step.heading().to_owned())
            .collect()
    }

    /// Returns the terms of the topic that a claim has neither itself nor in the titles of its
    /// sources.
    fn missing_in(&self, question: &Question, claim: &Claim, claims: &[Claim]) -> Vec<&String> {
        let mut covered = text::terms(&claim.text);
        for citation in &claim.citations {
            let source = self.research.source(&citation.source);
            covered.extend(source.into_iter().flat_map(terms_of_name));
        }
        // "Loud" is answered by a "sound power level".
        let texts = self.with_titles(claim);
        let met = question.met(&texts);
        covered.extend(met.iter().map(|term| text::stem(&term.word)));
        covered.extend(self.names_beside(question, claim, claims));
        // The unit says it as well: "42 dB".
        if question.is_measured_in(&claim.text) {
            let measures = question.terms.iter().filter(|own| question.is_measure(own));
            covered.extend(measures.map(|own| text::stem(&own.word)));
        }
        // A bound of 1,500 euros tells about any amount of them, and a row of 57 about "above 50".
        let amounts = question.terms_met_by_value(&claim.text);
        covered.extend(amounts.map(|own| text::stem(&own.word)));
        // "How many people" is answered by 260 visitors.
        let counted = Some(question.counted_word()).filter(|word| !word.is_empty());
        let counted = counted.filter(|_| question.is_counted_in(&claim.text));
        covered.extend(counted.map(|word| text::stem(&text::fold(word))));
        // Those of an earlier question that it follows are not asked for again.
        let in_topic = text::terms(&self.research.topic);
        let terms = self.research.classification.terms.iter();
        terms
            .filter(|term| in_topic.contains(term) || !term.chars().all(char::is_alphabetic))
            .filter(|term| !covered.iter().any(|other| text::same_root(term, other)))
            .collect()
    }

    /// Returns the words of a claim with the titles of its sources and the headings right above
    /// them: "the second quarter" may be named by a title alone, "April-June".
    fn with_titles(&self, claim: &Claim) -> String {
        let citations = claim.citations.iter();
        let above = citations.flat_map(|citation| {
            let title = self.research.source(&citation.source);
            let passage = self.research.passage(&citation.passage);
            let headings = passage.map_or(&[][..], |own| &own.headings);
            // "Fixed" is below the number of the release.
            let release = headings.iter().find(|own| names_release(own));
            let above = headings.last().into_iter().chain(release);
            let title = title.map(|source| source.title.as_str());
            title.into_iter().chain(above.map(String::as_str))
        });
        let texts: Vec<&str> = above.chain([claim.text.as_str()]).collect();
        texts.join("\n")
    }

    /// Returns the names of the question, stemmed, of which other documents speak and those of a
    /// claim do not: "How does garbage collection work in Java?" is not answered by a document
    /// that never mentions Java, where another one does. What half of a large collection names is
    /// what all of it is on: Rust, among the proposals for it.
    fn names_elsewhere(
        &self,
        question: &Question,
        claim: &Claim,
        absent: &[String],
    ) -> impl Iterator<Item = String> + use<> {
        let is_cited = |source: &str| claim.citations.iter().any(|own| own.source == source);
        let passages = self.research.passages.iter();
        let mut own: Vec<String> = passages
            .filter(|passage| is_cited(&passage.source))
            .flat_map(|passage| passage.headings.iter().chain([&passage.quote]))
            .flat_map(|text| text::terms(text))
            .collect();
        let sources = claim.citations.iter();
        let sources = sources.filter_map(|citation| self.research.source(&citation.source));
        own.extend(sources.flat_map(terms_of_name));
        let cited = claim.citations.iter();
        let cited = cited.filter_map(|citation| self.texts.get(&citation.source));
        own.extend(cited.flat_map(|text| text::terms(subject_of(text))));
        let names = question.terms.iter().filter(|term| {
            term.is_name
                && term.word.starts_with(char::is_alphabetic)
                && !absent.contains(&term.written)
                && !self.is_common(term)
        });
        let names: Vec<String> = names.map(|term| text::stem(&term.word)).collect();
        let is_own = move |name: &String| own.iter().any(|term| text::same_root(term, name));
        names.into_iter().filter(move |name| !is_own(name))
    }

    /// Returns `true` for a term that half of a large collection has.
    fn is_common(&self, term: &QuestionTerm) -> bool {
        let documents = &self.research.documents;
        let mut terms = documents.terms.iter();
        let own = terms.find(|own| text::same_root(&own.term, &term.stem));
        own.is_some_and(|own| is_common(own.documents, documents.searched))
    }

    /// Returns the names of the question, stemmed, in the claims from the section of this one: "In
    /// August two sheds were broken into. A strimmer was stolen."
    fn names_beside(&self, question: &Question, claim: &Claim, claims: &[Claim]) -> Vec<String> {
        let section = |claim: &Claim| {
            let passage = self.research.passage(&claim.citations.first()?.passage)?;
            Some((&passage.source, &passage.headings))
        };
        let own = section(claim);
        let beside = claims
            .iter()
            .filter(|other| own.is_some() && section(other) == own);
        beside
            .flat_map(|other| question.met(&other.text))
            .filter(|term| term.is_name)
            .map(|term| text::stem(&term.word))
            .collect()
    }

    /// Returns the terms of the topic that no document contains, but a similar word: what a quoted
    /// sentence has in its place is that word.
    fn misspelt(&self) -> impl Iterator<Item = &TopicTerm> {
        let terms = self.research.documents.terms.iter();
        terms.filter(|term| term.documents == 0 && term.similar.is_some())
    }

    /// Returns the words of the documents that some words of the topic may be misspellings of;
    /// without claims, any of its words.
    fn similar(&self, words: &[String], claims: &[Claim]) -> Vec<String> {
        let is_meant = |term: &&TopicTerm| {
            let written = self.as_written(&term.term);
            claims.is_empty() || words.iter().any(|word| word == written)
        };
        let terms = self.misspelt().filter(is_meant);
        terms.filter_map(|term| term.similar.clone()).collect()
    }

    /// Returns those of some words of the topic that no document contains; without any, the names,
    /// the numbers and the verb at the end of the topic that none contains.
    fn unmentioned(&self, words: &[String]) -> Vec<String> {
        let mut absent = self.absent_terms();
        let misspelt = self.misspelt().map(|term| self.as_written(&term.term));
        for word in misspelt.filter(|_| !words.is_empty()) {
            if !absent.iter().any(|other| other == word) {
                absent.push(word.to_owned());
            }
        }
        if words.is_empty() {
            let named = decisive_words(&self.question);
            absent.retain(|word| named.contains(&word.as_str()));
        } else {
            absent.retain(|word| words.contains(word));
        }
        absent
    }

    /// Returns the terms of the topic that no document contains, as the topic writes them.
    fn absent_terms(&self) -> Vec<String> {
        let absent = self.absent().into_iter();
        let question = &self.question;
        absent
            .map(|term| self.as_written(&term.term).to_owned())
            .filter(|word| {
                let folded = text::fold(word);
                !question.is_rule_word(&folded)
                    && !question.is_framing_word(&folded)
                    && !question.is_word_for_disagreement(&folded)
            })
            .collect()
    }

    /// Returns the terms of the topic that no document contains. One that a quoted sentence has in
    /// another word, "fell" for "fall", is there, and an amount that it bounds, or a row is within.
    fn absent(&self) -> Vec<&TopicTerm> {
        let question = &self.question;
        let texts: Vec<String> = self
            .draft
            .claims
            .iter()
            .map(|own| self.with_titles(own))
            .collect();
        let met = texts.iter().flat_map(|text| {
            let amounts = question.terms_met_by_value(text);
            question.met(text).into_iter().chain(amounts)
        });
        let met: BTreeSet<String> = met.map(|term| text::stem(&term.word)).collect();
        let terms = self.research.documents.terms.iter();
        // A sign stands for itself in more ways than are read.
        let is_word = |term: &&TopicTerm| term.term.contains(char::is_alphanumeric);
        let absent = terms.filter(is_word);
        let absent = absent.filter(|term| term.documents == 0 && !met.contains(&term.term));
        // The index may have another stem of it than the topic.
        let language = text::Language::of_question(&self.research.topic);
        let is_quoted = |term: &str| {
            let written = text::fold(self.as_written(term));
            let mut texts = self.texts.values();
            texts.any(|text| has_word(text, &written, language))
        };
        absent.filter(|term| !is_quoted(&term.term)).collect()
    }

    /// Returns a stemmed term as the topic writes it.
    fn as_written<'a>(&'a self, term: &'a str) -> &'a str {
        let mut words = text::words(&self.research.topic);
        let word = words.find(|word| text::stem(&text::fold(word.text)) == term);
        word.map_or(term, |word| word.text)
    }

    /// Returns the limits of this research, in sentences.
    fn limits(&self, references: &[Reference]) -> Vec<String> {
        // Nothing was searched, so there is nothing to count.
        if self.research.plan.steps.is_empty() {
            let limits = self.research.limits.iter().chain(&self.fallbacks);
            return limits.cloned().collect();
        }
        let quoted = references.len();
        let searched = self.research.documents.searched;
        let (were, are) = (
            was_or_were(searched),
            if quoted == 1 { "is" } else { "are" },
        );
        let documents = counted(searched, "document");
        let counts = format!("{documents} {were} searched, {quoted} {are} quoted.");
        // A direct answer is no quotation.
        let is_direct = quoted == 0 && self.research.classification.direct_response.is_some();
        let mut limits = vec![if is_direct {
            counts
        } else {
            format!("{counts} {}", self.wording())
        }];
        self.add_search_limits(quoted, &mut limits);
        self.add_document_limits(&mut limits);
        for link in self.links.checked.iter().filter(|link| link.dead.is_some()) {
            limits.push(format!(
                "{} is no longer at its address; its whole text is kept with this report as {}.",
                link.url, link.source
            ));
        }
        let remarks = references.iter().filter_map(|reference| {
            let remark = reference.status.remark()?;
            Some(format!("“{}” ({remark})", reference.title))
        });
        let remarks: Vec<String> = remarks.collect();
        if !remarks.is_empty() {
            limits.push(format!("Quoted but not in force: {}.", remarks.join(", ")));
        }
        self.add_failures(&mut limits);
        for step in &self.research.plan.steps {
            if step.status == StepStatus::Skipped {
                let title = step.heading();
                // The step of a term is titled by its stem.
                let title = match step.facet {
                    Facet::Term => self.as_written(title),
                    _ => title,
                };
                limits.push(with_full_stop(&format!("Not looked into: {title}")));
            }
        }
        limits.extend(self.research.limits.iter().cloned());
        limits.extend(self.fallbacks.iter().cloned());
        limits
    }

    /// Returns a sentence on the words of the report: those of its sources, or its own.
    fn wording(&self) -> String {
        let written = self.written();
        if written == 0 && self.quotes_rows() {
            return format!("{QUOTED} Rows of tables have the names of their columns.");
        }
        if written == 0 {
            return QUOTED.to_owned();
        }
        let changes = [
            (Change::Recited, "given another passage"),
            (Change::Rewritten, "written again"),
            (Change::Removed, "removed"),
        ];
        let changes = changes.map(|(change, words)| (self.changed(change), words));
        let changes = changes.iter().filter(|(number, _)| *number > 0);
        let changes: Vec<String> = changes
            .map(|(number, words)| format!("{number} {} {words}", was_or_were(*number)))
            .collect();
        let changes = match &changes[..] {
            [] => String::new(),
            [only] => format!(": of its first draft {only}"),
            [others @ .., last] => format!(": of its first draft {} and {last}", others.join(", ")),
        };
        let (sentences, were) = (counted(written, "sentence"), was_or_were(written));
        let reworded = match self.changed(Change::Reworded) {
            0 => String::new(),
            1 => " 1 that holds was worded anew where others had stood.".to_owned(),
            more => format!(" {more} that hold were worded anew where others had stood."),
        };
        format!(
            "{sentences} {were} written by a language model and checked against the passages that \
             they cite{changes}.{reworded}"
        )
    }

    /// Returns the number of sentences in a model's own words.
    fn written(&self) -> usize {
        let claims = self.draft.claims.iter();
        claims.filter(|own| own.is_written()).count()
    }

    /// `true` if a claim is a row of a table.
    fn quotes_rows(&self) -> bool {
        let mut citations = self.draft.claims.iter().flat_map(|own| &own.citations);
        citations.any(|own| !own.columns.is_empty())
    }

    /// Returns the number of corrections of a kind.
    fn changed(&self, change: Change) -> usize {
        let corrections = self.draft.corrections.iter();
        corrections.filter(|own| own.change == change).count()
    }

    /// Returns the share of a model's sentences that were removed.
    fn removed(&self) -> Option<f64> {
        let (written, removed) = (self.written(), self.changed(Change::Removed));
        let share = removed as f64 / (written + removed).max(1) as f64;
        (written + removed > 0).then(|| (share * 1000.0).round() / 1000.0)
    }

    /// Adds the number of claims that did not hold, with the beginnings of the first ones and their
    /// passages.
    fn add_failures(&self, limits: &mut Vec<String>) {
        let failed = self.verification.verdicts.iter();
        let failed = failed.filter(|checked| checked.verdict != Verdict::Supported);
        let ids: BTreeSet<&str> = failed.map(|checked| checked.claim.as_str()).collect();
        let claims = self.draft.claims.iter();
        let failed: Vec<&Claim> = claims.filter(|own| ids.contains(own.id.as_str())).collect();
        if failed.is_empty() {
            return;
        }
        let (claims, were) = (counted(failed.len(), "claim"), was_or_were(failed.len()));
        let their = if failed.len() == 1 { "its" } else { "their" };
        let named = failed.iter().take(NAMED_FAILURES).map(|claim| {
            let words = truncate_with_ellipsis(&claim.text, SHOWN_CLAIM);
            let passages = claim.citations.iter().map(|own| own.passage.as_str());
            let passages: Vec<&str> = passages.filter(|id| !id.is_empty()).collect();
            match passages.join(", ") {
                none if none.is_empty() => format!("“{words}”"),
                passages => format!("“{words}” ({passages})"),
            }
        });
        let mut named = named.collect::<Vec<_>>().join(", ");
        let others = failed.len().saturating_sub(NAMED_FAILURES);
        if others > 0 {
            let _ = write!(named, ", and {others} more");
        }
        limits.push(format!(
            "{claims} of the draft did not hold against {their} sources and {were} left out: \
             {named}."
        ));
    }

    /// Adds the queries if they had no result, and the terms that no document contains. Queries
    /// with other words than the topic's are for the search alone, not for readers.
    fn add_search_limits(&self, quoted: usize, limits: &mut Vec<String>) {
        if quoted == 0 && !self.is_without_disagreement() {
            let topic: HashSet<String> = word_forms(&self.research.topic).collect();
            let queries = self.research.search_queries.iter();
            let queries: Vec<_> = queries
                .filter(|query| word_forms(query).all(|word| topic.contains(&word)))
                .map(|query| format!("“{query}”"))
                .collect();
            if !queries.is_empty() {
                limits.push(format!("Searched for: {}.", queries.join(", ")));
            }
        }
        for (language, documents) in self.unread_languages(quoted) {
            let are = if *documents == 1 { "is" } else { "are" };
            limits.push(format!(
                "{} {are} in {language}, and the words of the topic are not: ask in {language}, \
                 too.",
                counted(*documents, "document")
            ));
        }
        limits.extend(self.limit_of_disagreement(quoted));
        let absent = self.absent_terms().into_iter();
        let absent: Vec<_> = absent.map(|term| format!("“{term}”")).collect();
        if !absent.is_empty() {
            let question = did_you_mean(&self.absent()).map(|question| format!(" {question}"));
            let question = question.unwrap_or_default();
            limits.push(format!(
                "No document mentions: {}.{question}",
                absent.join(", ")
            ));
        }
    }

    /// Returns what is said if a disagreement was asked for and none was found, or if not all
    /// documents of a large collection were compared.
    fn limit_of_disagreement(&self, quoted: usize) -> Option<String> {
        let question = &self.question;
        let searched = self.research.documents.searched;
        if searched >= LARGE_COLLECTION && question.asks_for_all_disagreements() {
            return Some(format!(
                "Only some of the {searched} documents were compared with each other: ask where \
                 they disagree on a subject."
            ));
        }
        let is_doubted = self.confidence().is_some_and(|own| own < DOUBT_THRESHOLD);
        let is_wanting = question.asks_for_disagreement()
            && (quoted == 0 || is_doubted)
            && !self.is_without_disagreement();
        is_wanting.then(|| NO_DISAGREEMENT.to_owned())
    }

    /// Returns the languages in which the topic should be asked, too, and the numbers of their
    /// documents: all of them where most documents are not in that of the topic, or nothing is
    /// quoted, else those near the topic; and no sentence in such a language is quoted.
    fn unread_languages(&self, quoted: usize) -> Vec<(&String, &usize)> {
        let documents = &self.research.documents;
        let others = &documents.other_languages;
        let is_mostly_own = others.values().sum::<usize>() * 2 < documents.searched;
        // Of a collection that is mostly in its language, those that are near the topic count.
        let others = if is_mostly_own && quoted > 0 {
            &documents.near_languages
        } else {
            others
        };
        if others.is_empty() {
            return Vec::new();
        }
        let claims = self.draft.claims.iter();
        let quoted: BTreeSet<&str> = claims
            .map(|claim| text::Language::of_question(&claim.text).name())
            .collect();
        let others = others.iter();
        others
            .filter(|(language, _)| !quoted.contains(language.as_str()))
            .collect()
    }

    /// Adds the documents that could not be read.
    fn add_document_limits(&self, limits: &mut Vec<String>) {
        let failures = &self.research.documents.failures;
        for failure in failures.iter().take(NAMED_FAILURES) {
            limits.push(format!("Not read: {}", failure.problem));
        }
        let others = failures.len().saturating_sub(NAMED_FAILURES);
        if others > 0 {
            let documents = if others == 1 { "document" } else { "documents" };
            limits.push(format!("{others} more {documents} could not be read."));
        }
        let passed_over = &self.research.documents.passed_over;
        if !passed_over.is_empty() {
            limits.push(format!("{passed_over}."));
        }
    }
}

fn was_or_were(count: usize) -> &'static str {
    if count == 1 { "was" } else { "were" }
}
