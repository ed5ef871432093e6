//! Sections that answer as a whole, in their order: the section that a question names, "What are
//! the drawbacks of native windows?", and the items that it asks to list, if these are sections
//! below one heading, "Findings", each with a heading of its own; and the reply to a question in a
//! list of questions and answers.

use super::aspect::Aspect;
use super::candidate::Candidate;
use super::context::Context;
use super::quotation::{self, Run};
use super::steps;
use crate::answering::{Question, QuestionTerm, is_of_release};
use crate::artifact::plan::Facet;
use crate::text::{self, Quotability};

/// The least number of sections below a heading.
const LEAST_SECTIONS: usize = 2;

/// The least share of the question that the title and the heading above sections have, and of the
/// subject that the title of a document has whose section answers. Chosen by hand, as that of the
/// steps of a procedure.
const LEAST_SHARE: f64 = 0.6;

/// The aspects whose sections have usual names: "Drawbacks", "Alternatives", "Open questions".
const NAMED: [Facet; 5] = [
    Facet::Costs,
    Facet::Alternatives,
    Facet::Open,
    Facet::Recommendations,
    Facet::Why,
];

/// The first sentence of the reply to a question in a list of questions and answers that asks for
/// the same in fewer words.
pub(super) fn reply(context: &Context<'_>) -> Option<usize> {
    first_below(
        context,
        |heading| context.question.is_asked_in(heading),
        Reach::Reader,
    )
}

/// The beginning of the section whose heading is the name of the things that a question asks for,
/// "Risks", in the document that names most of the rest; none if there is no such section.
pub(super) fn section_of_items(context: &Context<'_>) -> Vec<Run> {
    let candidates = &context.input.candidates;
    let is_of_items = |heading: &str| {
        let name = text::without_number(heading);
        context.question.has_items_below(&name)
    };
    let reaches = [Reach::Heading, Reach::Lead, Reach::Document];
    let mut first = reaches.into_iter();
    let first = first.find_map(|reach| first_below(context, is_of_items, reach));
    first.map_or_else(Vec::new, |first| {
        let own = &candidates[first];
        let section = candidates[first..]
            .iter()
            .take_while(|other| (other.document, &other.headings) == (own.document, &own.headings));
        steps::parts(candidates, first..=first + section.count() - 1)
    })
}

/// What may have the rest of a question beside a heading, its title and the headings above it.
#[derive(Clone, Copy, PartialEq)]
enum Reach {
    /// Nothing else.
    Heading,
    /// The reader: "What happens if I am late?" asks it of any "member".
    Reader,
    /// The first paragraph of the document, which says what that is on.
    Lead,
    /// All headings of the document: what is excepted from one part stands in the next.
    Document,
}

/// The first sentence below some heading that has most of the question together with what is in
/// reach of it; of several headings the one of the most words, of equals the first.
fn first_below(
    context: &Context<'_>,
    is_wanted: impl Fn(&str) -> bool,
    reach: Reach,
) -> Option<usize> {
    let candidates = &context.input.candidates;
    let share = |index: usize| {
        let own = &candidates[index];
        let of_document = candidates
            .iter()
            .filter(|other| other.document == own.document);
        let further = of_document.flat_map(|other| match reach {
            Reach::Lead if other.is_lead => vec![&*other.sentence],
            Reach::Document => other
                .headings
                .last()
                .map(String::as_str)
                .into_iter()
                .collect(),
            Reach::Heading | Reach::Reader | Reach::Lead => Vec::new(),
        });
        let above = own.headings.iter().map(String::as_str);
        let above = above.chain([&*context.document(index).title]);
        let above: Vec<&str> = above.chain(further).collect();
        let names_reader =
            reach == Reach::Reader && own.headings.last().is_some_and(|own| names_reader(own));
        let of_reader = f64::from(u8::from(names_reader)) / context.question.terms.len() as f64;
        context.question.share_met(&above.join("\n")) + of_reader
    };
    let sections = context.sections.iter().filter_map(|&index| {
        let heading = candidates[index].headings.last()?;
        let is_wanted = is_wanted(heading) && share(index) >= LEAST_SHARE;
        is_wanted.then(|| {
            let order = (context.is_in_force(index), text::terms(heading).len());
            (order, index)
        })
    });
    let first = sections.reduce(|best, own| if own.0 > best.0 { own } else { best });
    first.map(|(_, first)| first)
}

/// `true` if a heading asks a question of the reader.
fn names_reader(heading: &str) -> bool {
    let mut words = text::words(heading);
    words.any(|word| matches!(text::fold(word.text).as_str(), "i" | "we" | "you"))
}

/// The beginning of the section that a question names by the usual name of such sections, in the
/// document whose title names most of the rest; none if there is no such section.
pub(super) fn named_section(context: &Context<'_>) -> Vec<Run> {
    let question = &context.question;
    let mut aspects = NAMED.into_iter().filter(|facet| {
        // A museum may be open; open questions are several.
        *facet != Facet::Open || question.asks_for_items() || question.asks_what_is_open()
    });
    let aspect = aspects
        .find_map(|facet| Some(Aspect::of(facet)).filter(|own| own.is_named_in(&question.text)));
    let Some(aspect) = aspect.filter(|_| !question.answer_type.is_factual()) else {
        return Vec::new();
    };
    let (input, candidates) = (context.input, &context.input.candidates);
    let degree = |own: &Candidate| aspect.section_degree(&own.heading_terms);
    // Open points are questions, or labels.
    let may_be_label = question.asks_what_is_open() || question.asks_for_items();
    let is_usual = |index: &usize| {
        let own = &candidates[*index];
        let is_quotable = own.quotability() != Quotability::Unquotable;
        degree(own) == Aspect::USUAL && (is_quotable || may_be_label)
    };
    let share = |index: &usize| {
        let named = input.share_named(&input.documents[candidates[*index].document]);
        named.max(share_of_rest(context, *index))
    };
    let first = (0..candidates.len())
        .filter(is_usual)
        .filter(|index| share(index) >= LEAST_SHARE)
        // The first of equals.
        .reduce(|best, own| {
            if share(&own) > share(&best) {
                own
            } else {
                best
            }
        });
    first.map_or_else(Vec::new, |first| {
        let section = candidates[first..].iter().take_while(|own| {
            own.document == candidates[first].document && degree(own) == Aspect::USUAL
        });
        steps::parts(candidates, first..=first + section.count() - 1)
    })
}

/// The share of the words of a question that the heading above a sentence does not have which the
/// title has; all, if the heading alone has them: "What is still open?"
fn share_of_rest(context: &Context<'_>, index: usize) -> f64 {
    let question = &context.question;
    let in_heading = question.met(context.heading(index).unwrap_or_default());
    let in_title = question.met(&context.document(index).title);
    let terms = question.terms.iter();
    let is_rest = |term: &&QuestionTerm| {
        !in_heading.contains(term) && !matches!(&*term.word, "still" | "yet")
    };
    let rest: Vec<_> = terms.filter(is_rest).collect();
    let met = rest.iter().filter(|term| in_title.contains(term)).count();
    if rest.is_empty() {
        1.0
    } else {
        met as f64 / rest.len() as f64
    }
}

/// `true` if a question asks for the section below some headings by its name, "Root cause" in "What
/// was the root cause of the outage?", with which it has all of the question, or by its release.
pub(super) fn is_asked_for(
    question: &Question,
    headings: &[String],
    has_all: impl Fn() -> bool,
) -> bool {
    let is_of_release = |version: &str| headings.iter().any(|own| is_of_release(own, version));
    if question.release().is_some_and(is_of_release) {
        return true;
    }
    let words = text::folded(&question.text).join(" ");
    headings.last().is_some_and(|heading| {
        let name = text::folded(heading);
        question.has_items_below(&text::without_number(heading))
            || name.len() > 1 && words.contains(&name.join(" ")) && has_all()
    })
}

/// The section of a log of changes on the release that a question asks for; none if there is no
/// such section.
pub(super) fn section_of_release(context: &Context<'_>) -> Vec<Run> {
    let Some(version) = context.question.release() else {
        return Vec::new();
    };
    let candidates = &context.input.candidates;
    let is_of_it = |own: &Candidate| {
        let mut headings = own.headings.iter();
        headings.any(|heading| is_of_release(heading, version))
    };
    let Some(first) = candidates.iter().position(is_of_it) else {
        return Vec::new();
    };
    let section = candidates[first..]
        .iter()
        .take_while(|own| own.document == candidates[first].document && is_of_it(own));
    let last = first + section.count() - 1;
    // "Added", "Fixed": what is below each is quoted by itself.
    let mut parts = Vec::new();
    let mut begin = first;
    for part in candidates[first..=last].chunk_by(|own, next| own.headings == next.headings) {
        parts.extend(steps::parts(candidates, begin..=begin + part.len() - 1));
        begin += part.len();
    }
    parts
}

/// The beginnings of the sections that are the items which a question asks to list; none if no
/// heading with sections below it is on them.
pub(super) fn subsections(context: &Context<'_>) -> Vec<Run> {
    if !context.question.asks_for_items() {
        return Vec::new();
    }
    let candidates = &context.input.candidates;
    let groups = groups(candidates).into_iter().filter_map(|sections| {
        let share = share_of_parent(context, sections[0])?;
        (sections.len() >= LEAST_SECTIONS && share >= LEAST_SHARE).then_some((share, sections))
    });
    // The first of equals.
    let group = groups.reduce(|best, own| if own.0 > best.0 { own } else { best });
    let sections = group.map_or_else(Vec::new, |(_, sections)| sections);
    let begins = |first: &usize| {
        let section = candidates[*first..].iter().take_while(|own| {
            own.document == candidates[*first].document
                && own.headings == candidates[*first].headings
        });
        let mut section = section.map(Candidate::quotability);
        let index = first + section.position(|own| own != Quotability::Unquotable)?;
        Some(quotation::around(candidates, index).unwrap_or(Run::alone(index)))
    };
    sections.iter().filter_map(begins).collect()
}

/// The first sentences of the sections below each heading that has such.
fn groups(candidates: &[Candidate]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (index, own) in candidates.iter().enumerate() {
        // The replies in a list of questions are no items of one thing.
        let section = own.headings.split_last().filter(|(own, above)| {
            let is_question = own.trim_end().ends_with('?');
            !above.is_empty() && !is_question
        });
        let Some((_, above)) = section else {
            continue;
        };
        let group = groups.last_mut().filter(|group| {
            let first = &candidates[group[0]];
            let parent = first.headings.split_last().map(|(_, above)| above);
            first.document == own.document && parent == Some(above)
        });
        match group {
            Some(group) => {
                let last = group.last().map(|last| &candidates[*last].headings);
                if last != Some(&own.headings) {
                    group.push(index);
                }
            }
            None => groups.push(vec![index]),
        }
    }
    groups
}

/// The share of the question that the heading above a section and the title meet; `None` if the
/// heading has no word of it.
fn share_of_parent(context: &Context<'_>, section: usize) -> Option<f64> {
    let own = &context.input.candidates[section];
    let parent = own.headings.iter().rev().nth(1)?;
    let head = [parent.as_str(), &context.document(section).title].join("\n");
    (!context.question.met(parent).is_empty()).then(|| context.question.share_met(&head))
}
