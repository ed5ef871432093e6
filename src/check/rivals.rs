//! Rivals: another document that gives another number for what a supported sentence says, or says
//! that it is no longer so.

use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

use super::amended::{
    amended_below, around, change_of_value, changes_document, decided_value, given_up_date,
    is_of_edition, replaced_below,
};
use super::evidence::{Candidate, candidates_of};
use super::handover::handover;
use super::outcome::{CheckedSentence, Finding, Match};
use super::sources::{Source, Sources};
use super::table::tells_of_past;
use super::taken_back::{
    MAX_BYTES, corrected_by_notice, corrected_elsewhere, corrected_number, ended, revoked_decision,
};
use super::takeover::takeover;
use crate::artifact::verification::Verdict;
use crate::cite::{self, Support};
use crate::text;

/// The number of documents of the folder that are looked at, the nearest to the sentence first.
/// Chosen by hand.
const DOCUMENTS: usize = 8;

/// The number of passages of each: one that has all words of a sentence is among the best. Chosen
/// by hand.
const PASSAGES: usize = 3;

/// The least number of words, beside numbers, that say what a sentence is about. Chosen by hand:
/// "It will be on 20 June" says it of anything.
const WORDS: usize = 2;

/// Units, which say of no number what it is of; a closed list, written by hand.
const UNITS: [&str; 20] = [
    "cent", "cents", "day", "days", "degrees", "euro", "euros", "hour", "hours", "minute",
    "minutes", "month", "months", "percent", "pounds", "second", "seconds", "week", "weeks",
    "years",
];

/// Words between two numbers of one value.
const JOINING: [&str; 3] = ["and", "to", "or"];

/// The words of another document in force that say that a supported sentence is no longer so, or
/// that give another number in the place of its own and with all of its other words; of one that is
/// supported in part, that its number is wrong. `claim` is the
/// sentence without the title of its source.
///
/// A document that also supports it is none, nor an edition of another date, unless the one that
/// supports it is past.
pub(super) fn rival(
    claim: &str,
    sentence: &CheckedSentence,
    sources: &mut Sources<'_>,
) -> Option<Match> {
    let best = sentence.best.as_ref()?;
    if !matches!(sentence.verdict, Finding::Supported | Finding::Partial) {
        return None;
    }
    let nearest = sources.nearest(claim, DOCUMENTS);
    if sentence.verdict == Finding::Partial {
        let mut in_force = nearest.iter().filter(|own| !own.status.is_not_in_force());
        return in_force.find_map(|own| corrected_number(claim, own, usize::MAX));
    }
    let all = sources.all();
    let own = all.iter().find(|source| source.name == best.source)?;
    let amended = amended_below(claim, own, best.start);
    let changed = amended
        .or_else(|| replaced_below(claim, own, best.start))
        .or_else(|| corrected_number(claim, own, best.start));
    if changed.is_some() {
        return changed;
    }
    let others = || {
        let others = nearest.iter();
        others.filter(|other| other.name != own.name && !other.status.is_not_in_force())
    };
    let correction = others().find_map(|other| {
        // What a part says that is changed, the claim may say in other words.
        let of_part = || amendment(&best.text, (own, best.start), other);
        let of_part = || of_part().filter(|own| !says(&own.text, claim));
        superseding(claim, (own, best.start), other).or_else(of_part)
    });
    if correction.is_some() {
        return correction;
    }
    let has_number = cite::with_digits(claim).contains(|c: char| c.is_ascii_digit());
    let words = text::words(claim).map(|word| text::fold(word.text));
    let words = words.filter(|word| !is_of_edition(word) && !text::is_stop_word(word));
    if !has_number || words.count() < WORDS {
        return None;
    }
    others()
        .filter(|other| !are_editions(own, other) || own.is_past() || is_loose(sentence))
        .find_map(|other| {
            let rival = contradiction(claim, own, other)?;
            // What the document that supports the claim has changed says nothing against it.
            let is_changed = superseding(&rival.text, (other, rival.start), own).is_some();
            (!is_changed).then_some(rival)
        })
}

/// The words of another document by which what a claim says is no longer so, if a document says it
/// at a byte.
pub(super) fn superseding(
    claim: &str,
    (own, byte): (&Rc<Source>, usize),
    other: &Rc<Source>,
) -> Option<Match> {
    correction(claim, other)
        .or_else(|| overruling(claim, own, other))
        .or_else(|| amendment(claim, (own, byte), other))
        .or_else(|| change_of_value(claim, own, other))
        .or_else(|| decided_value(claim, (own, byte), other).filter(|_| is_later(own, other)))
        .or_else(|| given_up_date(claim, other).filter(|_| is_later(own, other)))
        .or_else(|| ended(claim, other).filter(|_| is_later(own, other)))
        .or_else(|| corrected_elsewhere(claim, other).filter(|_| !is_later(other, own)))
        .or_else(|| corrected_by_notice(claim, own, other))
        .or_else(|| {
            let revoked = revoked_decision(claim, (own, byte), other);
            revoked.filter(|_| is_later(own, other))
        })
        .or_else(|| renewal(claim, own, other))
        .or_else(|| reversal(claim, own, other))
        .or_else(|| handover(claim, own, other))
        .or_else(|| takeover(claim, other).filter(|_| is_later(own, other)))
}

/// `true` if a document is of a later date than another one, or changes that.
fn is_later(own: &Source, other: &Source) -> bool {
    let dates = own.date.as_ref().zip(other.date.as_ref());
    dates.is_some_and(|(own, other)| other > own) || changes_document(own, other)
}

/// `true` if a text supports a claim.
fn says(text: &str, claim: &str) -> bool {
    cite::support(claim, text).verdict == Verdict::Supported
}

/// The status of a sentence that refers to a document which is not in force: "RabbitMQ, see ADR 7".
pub(super) fn referral(sentence: &str, sources: &[Rc<Source>]) -> Option<String> {
    let replaces = |word: text::Word<'_>| {
        let folded = text::fold(word.text);
        folded.starts_with("replac") || folded.starts_with("supersed")
    };
    if text::words(sentence).any(replaces) {
        return None;
    }
    let mut past = sources.iter().filter(|source| source.is_past());
    let source = past.find(|source| text::refers_to(sentence, &source.title))?;
    let remark = source.status.remark()?;
    Some(format!("refers to {}, {remark}", source.name))
}

/// `true` if the words that support a sentence lack one of it.
fn is_loose(sentence: &CheckedSentence) -> bool {
    !sentence.unsupported.is_empty()
}

/// `true` for two documents whose titles differ in their dates alone: minutes, newsletters. What
/// each says is of its own time.
fn are_editions(one: &Source, other: &Source) -> bool {
    let words = |source: &Source| -> Vec<String> {
        let words = text::words(&source.title).map(|word| text::fold(word.text));
        words.filter(|word| !is_of_edition(word)).collect()
    };
    one.title != other.title && words(one) == words(other)
}

/// Words of what is so.
const PRESENT: [&str; 21] = [
    "is", "are", "can", "may", "will", "takes", "has", "begins", "closes", "cost", "costs", "ends",
    "gets", "leaves", "need", "needs", "opens", "pay", "pays", "runs", "starts",
];

/// `true` if a claim says that something is so, and not that it was.
fn is_present(claim: &str) -> bool {
    let words = text::folded(claim);
    let is_so = words.iter().any(|word| PRESENT.contains(&word.as_str()));
    is_so && !tells_of_past(&words)
}

/// The sentence of a source by which what a claim says of somebody or of a day is no longer so:
/// "Ann resigned as treasurer", "on 17 May, not on 10 May". It names what it replaces, as the claim
/// does, and its passage has another word of the claim. Or it says that this was wrong, or that
/// there is no longer what the claim is on: "The evening ticket is abolished."
fn correction(claim: &str, source: &Rc<Source>) -> Option<Match> {
    let claimed = folded(claim);
    source
        .passages
        .best(claim, PASSAGES)
        .iter()
        .find_map(|passage| {
            let ranges = text::sentences(&source.text, passage.range.clone());
            let others = folded(&source.text[passage.range.clone()]);
            ranges.into_iter().find_map(|range| {
                let sentence = source.text.get(range.clone())?;
                if text::admits_error(sentence) && has_most_of(sentence, &claimed) {
                    return source.matching(&range);
                }
                if is_present(claim) && ends_thing(sentence, claim, &claimed) {
                    return source.matching(&range);
                }
                let is_wrong = is_present(claim) || text::rectifies(sentence);
                let old = text::replaced(sentence).filter(|_| is_wrong)?;
                if text::is_of_some_only(sentence, claim) {
                    return None;
                }
                // "Thursday" is also said by "on Thursdays".
                let is_claimed =
                    |word: &String| claimed.contains(word) || claimed.contains(&format!("{word}s"));
                let is_named = old.iter().all(is_claimed);
                // "From 5 to 15 minutes" is not on a time of 5 minutes of anything else.
                let is_number = |word: &String| word.starts_with(|c: char| c.is_ascii_digit());
                let are_numbers = old.iter().all(is_number);
                let is_subject = |word: &&String| {
                    !old.contains(word)
                        && !text::is_stop_word(word)
                        && (!are_numbers || !UNITS.contains(&word.as_str()))
                        && !word.contains(|c: char| c.is_ascii_digit())
                        && others.contains(*word)
                };
                let is_same = is_named && claimed.iter().any(|word| is_subject(&word));
                is_same.then(|| source.matching(&range)).flatten()
            })
        })
}

/// `true` if a sentence says that there is no longer what a claim is on, and the claim does not.
fn ends_thing(sentence: &str, claim: &str, claimed: &BTreeSet<String>) -> bool {
    let claimed = stems(claimed);
    let is_claimed = |word: &String| claimed.contains(&text::stem(word));
    text::abolished(claim).is_none()
        && text::abolished(sentence).is_some_and(|thing| thing.iter().all(is_claimed))
}

/// The number of characters at the beginning of a document in which its day is.
const HEAD: usize = 400;

/// The sentence of a source that says that it replaces what was said on the day of the document
/// that supports a claim, and has a name of the claim: "This replaces the decision of 17 June".
fn overruling(claim: &str, own: &Source, other: &Rc<Source>) -> Option<Match> {
    let head = [&own.title, text::truncate(&own.text, HEAD)].join(" ");
    let names = text::words(claim).skip(1);
    // "14 March" names a day, and nothing that was decided.
    let is_month = |word: &str| text::MONTHS.contains(&text::fold(word).as_str());
    let names = names.map(|word| word.text);
    let names = names.filter(|word| word.starts_with(char::is_uppercase) && !is_month(word));
    let names: BTreeSet<&str> = names.collect();
    let claimed = folded(claim);
    // What itself says that a decision is revoked is not revoked by the same words.
    if text::replaced_day(claim).is_some() {
        return None;
    }
    let has_name = |words: &str| text::words(words).any(|word| names.contains(word.text));
    let names_other = |sentence: &str| {
        let mut words = text::words(sentence).skip(1);
        words.any(|word| word.text.starts_with(char::is_uppercase) && !is_month(word.text))
    };
    // What "the decision of 11 March is withdrawn" is on may be said around it.
    let is_overruling = |sentence: &str, passage: &str| {
        let is_of_day =
            text::replaced_day(sentence).is_some_and(|day| text::names_day(&head, &day));
        let is_on_claim = has_name(sentence) || has_most_of(sentence, &claimed);
        is_of_day && (is_on_claim || !names_other(sentence) && has_name(passage))
    };
    sentence_near(claim, other, is_overruling)
}

/// The sentence of a source that says that it, or the one before it, changes the part of a document
/// that supports a claim at a byte, and is on the same thing: "The shed may be used on Sundays.
/// This replaces the second sentence of section 4 of the garden rules."
fn amendment(claim: &str, own: (&Source, usize), other: &Rc<Source>) -> Option<Match> {
    let (own, byte) = own;
    let heading = own.passages.at(byte)?.context.last()?;
    let (paragraph, sentence) = place_in_section(&own.text, byte);
    let head = [&own.title, text::truncate(&own.text, HEAD)].join(" ");
    let claimed = folded(claim);
    let is_of_change = changes_document(own, other);
    // What deletes a sentence by its number has no word of it.
    let passages: Vec<Range<usize>> = if is_of_change && other.text.len() <= MAX_BYTES {
        std::iter::once(0..other.text.len()).collect()
    } else {
        let best = other.passages.best(claim, PASSAGES).into_iter();
        best.map(|passage| passage.range.clone()).collect()
    };
    let amending = passages.into_iter().flat_map(|passage| {
        let sentences = text::sentences(&other.text, passage);
        let words = |at: usize| &other.text[sentences[at].clone()];
        let amends = |at: &usize| {
            let part = text::ChangedPart::of_any(words(*at));
            let is_of_own = |part: &text::ChangedPart| !part.document.is_empty() || is_of_change;
            let part = part.filter(is_of_own);
            // "This replaces the rate agreed in January."
            let of_month = || {
                let month = text::replaced_month(words(*at)).filter(|_| is_later(own, other));
                month.is_some_and(|month| text::names_month(&head, month))
            };
            let is_own = |part: &text::ChangedPart| {
                part.is_under(heading, &own.title) && part.has(paragraph, sentence)
            };
            part.is_some_and(|part| is_own(&part)) || of_month()
        };
        let is_on_claim = |at: &usize| shared_words(words(*at), &claimed) >= WORDS;
        let part = |at| text::ChangedPart::of_any(words(at));
        let parts: Vec<bool> = (0..sentences.len()).map(|at| part(at).is_some()).collect();
        let amending = (0..sentences.len()).filter(amends);
        let on_claim = amending.filter_map(|at| {
            let mut near = around(at, &parts, is_of_change);
            let part = part(at).filter(|part| is_of_change && part.is_inner());
            // What is changed by its number needs no word of the claim.
            let is_ended = part.as_ref().is_some_and(|part| part.is_ended);
            if part.is_some() {
                near.start = at;
            }
            if is_ended {
                // The sentence behind it may say it in words.
                near.end = near.end.min(at + 2);
            }
            near.find(is_on_claim).or(is_ended.then_some(at))
        });
        on_claim.map(|at| sentences[at].clone()).collect::<Vec<_>>()
    });
    let mut others = amending.filter(|range| {
        let words = &other.text[range.clone()];
        cite::support(claim, words).verdict != Verdict::Supported
    });
    other.matching(&others.next()?)
}

/// The number of the paragraph at a byte of a text, as it is written or else as it is counted from
/// the heading above it, and that of the sentence in it.
fn place_in_section(text: &str, byte: usize) -> (Option<usize>, usize) {
    let mut start = byte;
    let mut written = None;
    let mut end = text[byte..].find('\n').map_or(text.len(), |at| byte + at);
    while written.is_none() {
        let line = text[..end].rfind('\n').map_or(0, |at| at + 1);
        if text[line..end].trim().is_empty() {
            break;
        }
        start = line;
        written = text::item_number(text[line..end].trim_start_matches([' ', '(']));
        let Some(before) = line.checked_sub(1) else {
            break;
        };
        end = before;
    }
    let blocks = text[..start].trim_end().rsplit("\n\n");
    let counted = blocks.take_while(|own| !own.starts_with('#')).count() + 1;
    let before = text::sentences(text, start..text.len()).into_iter();
    let before = before.filter(|range| range.end <= byte).count();
    (written.or(Some(counted)), before + 1)
}

/// The first sentence of the passages of a source nearest to a claim that is wanted, by itself and
/// by its passage.
fn sentence_near(
    claim: &str,
    source: &Rc<Source>,
    is_wanted: impl Fn(&str, &str) -> bool,
) -> Option<Match> {
    let mut passages = source.passages.best(claim, PASSAGES).into_iter();
    let sentence = passages.find_map(|passage| {
        let words = |range: &Range<usize>| &source.text[range.clone()];
        let mut sentences = text::sentences(&source.text, passage.range.clone()).into_iter();
        sentences.find(|range| is_wanted(words(range), words(&passage.range)))
    })?;
    source.matching(&sentence)
}

/// The sentence of a later edition that says that something is so from now on, and has all words
/// of a claim that says that it is, but for its times; or that changes the forecast of a claim.
fn renewal(claim: &str, own: &Source, other: &Rc<Source>) -> Option<Match> {
    let is_later = own.date.as_ref().zip(other.date.as_ref());
    if is_later.is_none_or(|(own, other)| other <= own) || !are_editions(own, other) {
        return None;
    }
    let (is_present, is_forecast) = (is_present(claim), text::is_forecast(claim));
    let claimed = folded(claim);
    let denies = |sentence: &str, _: &str| {
        let is_same = || cite::support(claim, sentence).verdict == Verdict::Supported;
        let is_from_now = text::is_onward(sentence) || text::decides_from(sentence);
        let is_renewed = is_present && is_from_now && has_all_of(sentence, &claimed);
        let is_revised = is_forecast
            && text::revises_forecast(sentence)
            && shared_words(sentence, &claimed) >= WORDS;
        (is_renewed || is_revised) && !is_same()
    };
    sentence_near(claim, other, denies)
}

/// The sentence of a source that is not older by which something is again as a claim says that it
/// is not: "It has been open again since 30 May" of "The slide has been closed since January".
fn reversal(claim: &str, own: &Source, other: &Rc<Source>) -> Option<Match> {
    let dates = own.date.as_ref().zip(other.date.as_ref());
    let is_older = dates.is_some_and(|(own, other)| other < own);
    let subject = subject(claim).filter(|_| !is_older && is_present(claim))?;
    let named = stems(&folded(subject));
    let passages = other.passages.best(claim, PASSAGES).into_iter();
    let mut reversed = passages.filter_map(|passage| {
        let mut before = "";
        let ranges = text::sentences(&other.text, passage.range.clone());
        ranges.into_iter().find(|range| {
            let sentence = &other.text[range.clone()];
            let is_of_subject = stems(&folded(before)).is_superset(&named);
            before = sentence;
            // "The inspection approved the slide. It has been open again since May."
            let resolved = match sentence.strip_prefix("It ").filter(|_| is_of_subject) {
                Some(rest) => format!("{subject} {rest}"),
                None => sentence.to_owned(),
            };
            let support = || cite::support(without_time(claim), without_time(&resolved));
            folded(sentence).contains("again") && support().verdict == Verdict::Contradicted
        })
    });
    other.matching(&reversed.next()?)
}

/// What a claim is on: the words before its verb, if they name something.
fn subject(claim: &str) -> Option<&str> {
    let mut words = text::words(claim);
    let verb = words.find(|word| PRESENT.contains(&word.text))?;
    let subject = claim[..verb.range.start].trim();
    (!stems(&folded(subject)).is_empty()).then_some(subject)
}

/// A sentence up to the time since which it holds.
fn without_time(sentence: &str) -> &str {
    sentence.split(" since ").next().unwrap_or_default()
}

/// The words of a text, folded.
fn folded(text: &str) -> BTreeSet<String> {
    let words = text::words(text);
    words.map(|word| text::fold(word.text)).collect()
}

/// The stems of folded words that mean something.
fn stems(words: &BTreeSet<String>) -> BTreeSet<String> {
    let words = words.iter().filter(|word| !text::is_stop_word(word));
    words.map(|word| text::stem(word)).collect()
}

/// `true` if a sentence has most of the words of a claim that mean something.
fn has_most_of(sentence: &str, claimed: &BTreeSet<String>) -> bool {
    let (said, claimed) = (stems(&folded(sentence)), stems(claimed));
    2 * claimed.intersection(&said).count() > claimed.len()
}

/// `true` if a sentence has all words of a claim that mean something, beside numbers and times.
fn has_all_of(sentence: &str, claimed: &BTreeSet<String>) -> bool {
    let said = stems(&folded(sentence));
    let is_time = |word: &str| {
        let day = word.trim_end_matches('s');
        text::WEEKDAYS.contains(&day) || text::MONTHS.contains(&word)
    };
    let mut words = claimed.iter().filter(|word| {
        !text::is_stop_word(word) && !word.contains(|c: char| c.is_ascii_digit()) && !is_time(word)
    });
    words.all(|word| said.contains(&text::stem(word)))
}

/// The number of words that a sentence shares with a claim, beside numbers.
fn shared_words(sentence: &str, claimed: &BTreeSet<String>) -> usize {
    let (said, claimed) = (stems(&folded(sentence)), stems(claimed));
    let is_word = |own: &&String| !own.contains(|c: char| c.is_ascii_digit());
    claimed.intersection(&said).filter(is_word).count()
}

/// The sentence of a source that contradicts one that another source supports by a number.
fn contradiction(claim: &str, own: &Source, source: &Rc<Source>) -> Option<Match> {
    let candidates = candidates_of(claim, 0, source, PASSAGES);
    let supports = |support: &Support| support.verdict == Verdict::Supported;
    if candidates.iter().any(|one| supports(&one.support)) {
        return None;
    }
    let contradicting = candidates.iter().filter(|one| {
        one.support.verdict == Verdict::Contradicted
            && one.support.has_other_number
            && lacks_one_number(claim, &one.support)
    });
    // What was proposed is not otherwise, nor is what a heading numbers.
    let is_of_another = |one: &&Candidate| {
        let words = one.sentence().and_then(|range| source.text.get(range));
        let words = words.unwrap_or_default();
        text::is_proposal(words)
            || is_signature(words)
            || text::run_in_heading(words).is_some()
            || names_another(words, claim, &own.text)
    };
    let contradicting = contradicting.filter(|one| !is_of_another(one));
    let best = contradicting.max_by(|a, b| a.support.score.total_cmp(&b.support.score))?;
    source.matching(&best.sentence()?)
}

/// `true` for a line of who signed a document, whose date is that of the document: "Approved by:
/// Ann Lee, on 20 February".
fn is_signature(sentence: &str) -> bool {
    let label = sentence.split_once(": ").map(|(label, _)| label);
    label.is_some_and(|label| label.ends_with(" by") && text::words(label).count() <= SIGNED)
}

/// The maximum number of words of the label of a signature: "Read and approved by".
const SIGNED: usize = 4;

/// `true` if a sentence names somebody or something that neither a claim nor the document that
/// supports it names: "The contract with Hansa ends in 2024" is another contract.
fn names_another(sentence: &str, claim: &str, document: &str) -> bool {
    let is_date = |word: &str| {
        let folded = text::fold(word);
        text::MONTHS.contains(&folded.as_str()) || text::WEEKDAYS.contains(&folded.as_str())
    };
    let mut names = text::words(sentence).skip(1).map(|word| word.text);
    names.any(|word| {
        word.starts_with(char::is_uppercase)
            && !is_date(word)
            && !text::is_stop_word(&text::fold(word))
            && !claim.contains(word)
            && !document.contains(word)
    })
}

/// `true` if a passage has all words of a claim but one number, or the two of "27 and 28 June":
/// what differs in more is said of something else.
fn lacks_one_number(claim: &str, support: &Support) -> bool {
    let missing = &support.unsupported;
    let are_numbers = missing.iter().all(|range| {
        let words = cite::with_digits(claim.get(range.clone()).unwrap_or_default());
        let numbers = words.split_whitespace();
        let numbers = numbers.filter(|word| word.contains(|c: char| c.is_ascii_digit()));
        numbers.count() == 1
    });
    let are_joined = missing.windows(2).all(|pair| {
        let between = claim.get(pair[0].end..pair[1].start);
        between.is_some_and(|between| JOINING.contains(&between.trim()))
    });
    are_numbers && are_joined && (1..=2).contains(&missing.len())
}
