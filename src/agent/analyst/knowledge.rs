//! The knowledge graph: entities and the relations between them, each with the passages that show
//! it; by rule, and with what a model adds to it.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::answer::{id, line};
use super::check::AGREEMENT;
use super::mention::{Mention, Vocabulary, expansion, key};
use super::relation::{between, is_assertion};
use crate::artifact::Research;
use crate::artifact::analysis::{Entity, EntityKind, KnowledgeGraph, Relation};
use crate::artifact::source::Passage;
use crate::{cite, text};

/// The maximum number of entities, and of relations: what can be taken in. Chosen by hand.
const ENTITIES: usize = 30;
const RELATIONS: usize = 40;

/// The least number of passages that make an entity without a relation, and a relation of two
/// entities that sentences only name together: once is chance.
const REPEATED: usize = 2;

/// The maximum number of mentions in a sentence whose pairs count: more is a list.
const MENTIONS: usize = 6;

/// The maximum length of a name and of a relation, in characters.
const NAME_CHARACTERS: usize = 60;

/// The relation of an acronym to its words.
const STANDS_FOR: &str = "stands for";

/// One relation, as a model names it.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct RelationAnswer {
    /// An entity.
    from: String,
    /// One to three words, such as "replaces".
    relation: String,
    /// An entity.
    to: String,
    /// By id.
    #[serde(default)]
    passage: String,
}

/// The graph by rule.
pub(super) fn graph(research: &Research) -> KnowledgeGraph {
    graph_with(research, &[], &[], &mut Vec::new())
}

/// The graph by rule, with what a model adds and the passages show.
pub(super) fn graph_with(
    research: &Research,
    entities: &[String],
    relations: &[RelationAnswer],
    left_out: &mut Vec<String>,
) -> KnowledgeGraph {
    let mut builder = Builder::default();
    for name in entities {
        if !builder.add_named(research, name) {
            left_out.push(format!("left out the entity {name:?}: no passage names it"));
        }
    }
    for answer in relations {
        if builder.add_stated(research, answer).is_none() {
            let RelationAnswer {
                from, relation, to, ..
            } = answer;
            left_out.push(format!(
                "left out {from:?} {relation:?} {to:?}: no passage shows it"
            ));
        }
    }
    let vocabulary = Vocabulary::of(research);
    for passage in &research.passages {
        for range in text::sentences(&passage.quote, 0..passage.quote.len()) {
            builder.read(&passage.quote[range], &passage.id, &vocabulary);
        }
    }
    builder.finish(&key(&research.topic))
}

/// An entity while the passages are read.
struct Known {
    name: String,
    kind: EntityKind,
    passages: Vec<String>,
    /// `true` if a model names it or a verb relates it.
    is_certain: bool,
}

/// A relation by the indices of its entities, with its passages.
type Stated = (usize, String, usize, Vec<String>);

#[derive(Default)]
struct Builder {
    known: Vec<Known>,
    /// The index of each entity by its key.
    by_key: BTreeMap<String, usize>,
    /// The relations that verbs state, in the order in which they are found.
    stated: Vec<Stated>,
    /// The passages of each pair that a sentence names together.
    together: BTreeMap<(usize, usize), Vec<String>>,
}

impl Builder {
    /// The index of an entity, which is added if it is new.
    fn entity(&mut self, name: &str, kind: EntityKind, passage: &str) -> usize {
        let next = self.known.len();
        let index = *self.by_key.entry(key(name)).or_insert(next);
        if index == next {
            self.known.push(Known {
                name: name.to_owned(),
                kind,
                passages: Vec::new(),
                is_certain: false,
            });
        }
        add(&mut self.known[index].passages, passage);
        index
    }

    fn state(&mut self, from: usize, relation: &str, to: usize, passage: &str) {
        if from == to {
            return;
        }
        self.known[from].is_certain = true;
        self.known[to].is_certain = true;
        let mut stated = self.stated.iter_mut();
        let same = stated.find(|one| one.0 == from && one.1 == relation && one.2 == to);
        match same {
            Some((.., passages)) => add(passages, passage),
            None => {
                let passages = vec![passage.to_owned()];
                self.stated.push((from, relation.to_owned(), to, passages));
            }
        }
    }

    /// Adds an entity that a model names; `false` if no passage names it.
    fn add_named(&mut self, research: &Research, name: &str) -> bool {
        let name = line(name, NAME_CHARACTERS);
        let mut passages = research.passages.iter();
        let Some(passage) = passages.find(|passage| stands_in(&name, passage)) else {
            return false;
        };
        let index = self.entity(&name, kind_of(&name), &passage.id);
        self.known[index].is_certain = true;
        for passage in passages.filter(|passage| stands_in(&name, passage)) {
            add(&mut self.known[index].passages, &passage.id);
        }
        true
    }

    /// Adds a relation that a model names; `None` if its passage does not name both entities and
    /// does not support it either.
    fn add_stated(&mut self, research: &Research, answer: &RelationAnswer) -> Option<()> {
        let [from, relation, to] =
            [&answer.from, &answer.relation, &answer.to].map(|text| line(text, NAME_CHARACTERS));
        let names_both = |passage: &&Passage| stands_in(&from, passage) && stands_in(&to, passage);
        let named = id('P', &answer.passage).and_then(|id| research.passage(&id));
        let passage = named.or_else(|| research.passages.iter().find(names_both))?;
        if key(&from).is_empty() || key(&to).is_empty() || key(&relation).is_empty() {
            return None;
        }
        let statement = format!("{from} {relation} {to}.");
        let is_shown =
            names_both(&passage) || cite::support(&statement, &passage.quote).score >= AGREEMENT;
        if !is_shown {
            return None;
        }
        let [from, to] = [from, to].map(|name| self.entity(&name, kind_of(&name), &passage.id));
        self.state(from, &relation, to, &passage.id);
        Some(())
    }

    /// Reads a sentence of a passage.
    fn read(&mut self, sentence: &str, passage: &str, vocabulary: &Vocabulary<'_>) {
        let mentions = vocabulary.mentions(sentence);
        let indices: Vec<usize> = mentions
            .iter()
            .map(|mention| self.entity(&mention.name, mention.kind, passage))
            .collect();
        for (mention, index) in mentions.iter().zip(&indices) {
            if let Some(words) = expansion(sentence, mention) {
                let words = self.entity(&words.name, words.kind, passage);
                self.state(*index, STANDS_FOR, words, passage);
            }
        }
        if is_assertion(sentence) {
            for (pair, indices) in mentions.windows(2).zip(indices.windows(2)) {
                self.relate(sentence, pair, indices, passage);
            }
        }
        let common: Vec<usize> = mentions
            .iter()
            .zip(&indices)
            .filter(|(mention, _)| mention.kind != EntityKind::Date)
            .map(|(_, index)| *index)
            .take(MENTIONS)
            .collect();
        for (at, one) in common.iter().enumerate() {
            for other in common[at + 1..].iter().filter(|other| *other != one) {
                let pair = (*one.min(other), *one.max(other));
                add(self.together.entry(pair).or_default(), passage);
            }
        }
    }

    /// Relates two neighbouring mentions by what stands between them.
    fn relate(&mut self, sentence: &str, pair: &[Mention], indices: &[usize], passage: &str) {
        let ([one, other], [from, to]) = (pair, indices) else {
            return;
        };
        let words = sentence
            .get(one.range.end..other.range.start)
            .unwrap_or_default();
        match between(words) {
            Some(pattern) if pattern.is_reversed => {
                self.state(*to, pattern.relation, *from, passage)
            }
            Some(pattern) => self.state(*from, pattern.relation, *to, passage),
            None => {}
        }
    }

    /// The graph of the entities that are certain, named repeatedly or named by the topic.
    fn finish(mut self, topic: &str) -> KnowledgeGraph {
        for (key, index) in &self.by_key {
            self.known[*index].is_certain |= contains(topic, key);
        }
        let order = self.order();
        let id_of = |index: usize| {
            let position = order.iter().position(|other| *other == index)?;
            Some(format!("E{}", position + 1))
        };
        let entities = order.iter().filter_map(|index| {
            let known = &self.known[*index];
            Some(Entity {
                id: id_of(*index)?,
                name: known.name.clone(),
                kind: known.kind,
                passages: known.passages.clone(),
            })
        });
        let together = self.named_together();
        let relations =
            self.stated
                .iter()
                .chain(&together)
                .filter_map(|(from, relation, to, passages)| {
                    Some(Relation {
                        from: id_of(*from)?,
                        relation: relation.clone(),
                        to: id_of(*to)?,
                        passages: passages.clone(),
                    })
                });
        KnowledgeGraph {
            entities: entities.collect(),
            relations: relations.take(RELATIONS).collect(),
            ..KnowledgeGraph::default()
        }
    }

    /// The indices of the entities of the graph, the most often named first.
    fn order(&self) -> Vec<usize> {
        let is_used = |index: &usize| {
            let known = &self.known[*index];
            let is_repeated = known.passages.len() >= REPEATED && known.kind != EntityKind::Date;
            known.is_certain || is_repeated
        };
        let mut order: Vec<usize> = (0..self.known.len()).filter(is_used).collect();
        // Both sorts are stable: of equally many passages the first comes first.
        order.sort_by_key(|index| {
            let known = &self.known[*index];
            (!known.is_certain, Reverse(known.passages.len()))
        });
        order.truncate(ENTITIES);
        order.sort_by_key(|index| Reverse(self.known[*index].passages.len()));
        order
    }

    /// The pairs that several passages name together, without those that a verb relates.
    fn named_together(&self) -> Vec<Stated> {
        let is_stated = |one: usize, other: usize| {
            let pairs = [(one, other), (other, one)];
            let mut stated = self.stated.iter();
            stated.any(|(from, _, to, _)| pairs.contains(&(*from, *to)))
        };
        let mut together: Vec<Stated> = self
            .together
            .iter()
            .filter(|(_, passages)| passages.len() >= REPEATED)
            .filter(|((one, other), _)| !is_stated(*one, *other))
            .map(|((one, other), passages)| {
                let relation = Relation::CO_MENTION.to_owned();
                (*one, relation, *other, passages.clone())
            })
            .collect();
        together.sort_by_key(|(.., passages)| Reverse(passages.len()));
        together
    }
}

/// The kind of an entity by the form of its name.
fn kind_of(name: &str) -> EntityKind {
    let has = |is: fn(char) -> bool| name.contains(is);
    if has(|c| c.is_ascii_digit()) {
        EntityKind::Version
    } else if !has(char::is_uppercase) {
        EntityKind::Concept
    } else if has(char::is_lowercase) {
        EntityKind::Name
    } else {
        EntityKind::Acronym
    }
}

/// Adds an id that is not in a list yet.
fn add(ids: &mut Vec<String>, id: &str) {
    if !ids.iter().any(|other| other == id) {
        ids.push(id.to_owned());
    }
}

/// `true` if a passage has the words of a name next to each other.
fn stands_in(name: &str, passage: &Passage) -> bool {
    contains(&key(&passage.quote), &key(name))
}

/// `true` if a text has the words of a name next to each other; both as their keys.
fn contains(text: &str, name: &str) -> bool {
    !name.is_empty() && format!(" {text} ").contains(&format!(" {name} "))
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;

    fn shown(graph: &KnowledgeGraph) -> Vec<String> {
        let name = |id: &String| {
            let mut entities = graph.entities.iter();
            entities
                .find(|entity| entity.id == *id)
                .unwrap()
                .name
                .clone()
        };
        let relations = graph.relations.iter();
        relations
            .map(|one| format!("{} {} {}", name(&one.from), one.relation, name(&one.to)))
            .collect()
    }

    #[test]
    fn verbs_and_brackets_relate_what_is_named() {
        let research = fixture::research(&[
            "PEP 703 replaces PEP 684. The global interpreter lock (GIL) is old.",
            "PEP 684 was replaced by PEP 703. PEP 703 does not require a JIT.",
            "If CPython needs PEP 703, it is so.",
            "The GIL is a mutex, and CPython uses the GIL. CPython was introduced in 1991.",
            "CPython and PEP 703 are known.",
        ]);
        let graph = graph(&research);
        assert_eq!(
            shown(&graph),
            [
                "PEP 703 replaces PEP 684",
                "GIL stands for global interpreter lock",
                "CPython uses GIL",
                "CPython was introduced in 1991",
                "PEP 703 named with CPython",
            ]
        );
        assert_eq!(graph.relations[0].passages, ["P1", "P2"]);
        let kinds: Vec<EntityKind> = graph.entities.iter().map(|entity| entity.kind).collect();
        assert_eq!(kinds[..2], [EntityKind::Version, EntityKind::Name]);
        assert_eq!(graph.entities[0].id, "E1");
    }

    #[test]
    fn a_models_entities_and_relations_stand_in_their_passages() {
        let research = fixture::research(&[
            "A mutex protects the reference counts of all objects.",
            "Heat is another matter.",
        ]);
        let answer = |from: &str, to: &str, passage: &str| RelationAnswer {
            from: from.to_owned(),
            relation: "protects".to_owned(),
            to: to.to_owned(),
            passage: passage.to_owned(),
        };
        let mut left_out = Vec::new();
        let graph = graph_with(
            &research,
            &["mutex".to_owned(), "semaphore".to_owned(), String::new()],
            &[
                answer("mutex", "reference count", "P1 of S1"),
                answer("mutex", "objects", ""),
                answer("mutex", "reference count", "P2"),
                answer("", "", "P1"),
                answer("mutex", "heat", "P1"),
            ],
            &mut left_out,
        );
        assert_eq!(
            shown(&graph),
            ["mutex protects reference count", "mutex protects objects"]
        );
        assert_eq!(left_out.len(), 5, "{left_out:?}");
        assert!(left_out[0].contains("semaphore"), "{left_out:?}");
    }
}
