//! The knowledge graph of a session for other programs: as a diagram, and as JSON-LD.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::diagram::{Diagram, DiagramEdge, DiagramNode};
use crate::artifact::Research;
use crate::artifact::analysis::KnowledgeGraph;

/// The graph as a diagram: an entity with its kind, a relation with the number of its passages.
pub fn diagram(graph: &KnowledgeGraph) -> Diagram {
    let name = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    // Ids may have been edited: only relations between entities that are there are drawn.
    let ids: BTreeSet<&str> = graph
        .entities
        .iter()
        .map(|entity| entity.id.as_str())
        .collect();
    let relations = graph.relations.iter();
    Diagram {
        nodes: graph
            .entities
            .iter()
            .map(|entity| DiagramNode {
                id: entity.id.clone(),
                lines: vec![entity.name.clone(), name(&json!(entity.kind))],
            })
            .collect(),
        edges: relations
            .filter(|one| ids.contains(one.from.as_str()) && ids.contains(one.to.as_str()))
            .map(|relation| DiagramEdge {
                from: relation.from.clone(),
                label: match relation.passages.len() {
                    0 | 1 => relation.relation.clone(),
                    more => format!("{} ({more})", relation.relation),
                },
                to: relation.to.clone(),
            })
            .collect(),
    }
}

/// The graph as JSON-LD in the vocabularies of schema.org, RDF and PROV: entities, relations as RDF
/// statements, and the passages and sources that show them.
pub fn json_ld(graph: &KnowledgeGraph, research: &Research) -> Value {
    let references =
        |ids: &[String]| -> Vec<Value> { ids.iter().map(|id| reference(id)).collect() };
    let entities = graph.entities.iter().map(|entity| {
        json!({
            "@id": anchor(&entity.id),
            "@type": "DefinedTerm",
            "name": entity.name,
            "additionalType": entity.kind,
            "prov:wasDerivedFrom": references(&entity.passages),
        })
    });
    let relations = graph.relations.iter().map(|relation| {
        json!({
            "@type": "rdf:Statement",
            "rdf:subject": reference(&relation.from),
            "rdf:predicate": relation.relation,
            "rdf:object": reference(&relation.to),
            "prov:wasDerivedFrom": references(&relation.passages),
        })
    });
    let of_entities = graph.entities.iter().map(|entity| &entity.passages);
    let of_relations = graph.relations.iter().map(|relation| &relation.passages);
    let used: BTreeSet<&str> = of_entities
        .chain(of_relations)
        .flatten()
        .map(String::as_str)
        .collect();
    let passages: Vec<_> = research
        .passages
        .iter()
        .filter(|passage| used.contains(passage.id.as_str()))
        .collect();
    let quotations = passages.iter().map(|passage| {
        json!({
            "@id": anchor(&passage.id),
            "@type": "Quotation",
            "text": passage.quote,
            "isPartOf": reference(&passage.source),
        })
    });
    let is_used = |id: &str| passages.iter().any(|passage| passage.source == id);
    let sources = research.sources.iter().filter(|source| is_used(&source.id));
    let sources = sources.map(|source| {
        json!({
            "@id": anchor(&source.id),
            "@type": "CreativeWork",
            "name": source.title,
            "identifier": source.locator,
        })
    });
    let nodes: Vec<Value> = entities
        .chain(relations)
        .chain(quotations)
        .chain(sources)
        .collect();
    json!({
        "@context": {
            "@vocab": "https://schema.org/",
            "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
            "prov": "http://www.w3.org/ns/prov#",
        },
        "@graph": nodes,
    })
}

fn reference(id: &str) -> Value {
    json!({ "@id": anchor(id) })
}

/// The identifier of a node, relative to the document.
fn anchor(id: &str) -> String {
    // What an edited id may have besides letters and digits would be read as an address.
    let id: String = id.chars().filter(char::is_ascii_alphanumeric).collect();
    format!("#{id}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artifact::analysis::{Entity, EntityKind, Relation};
    use crate::artifact::{self, Artifact};

    fn graph(name: &str) -> KnowledgeGraph {
        let entity = |id: &str| Entity {
            id: id.to_owned(),
            name: name.to_owned(),
            kind: EntityKind::Version,
            passages: vec!["P1".to_owned()],
        };
        let relation = |to: &str| Relation {
            from: "E1".to_owned(),
            relation: "replaces".to_owned(),
            to: to.to_owned(),
            passages: vec!["P1".to_owned(), "P2".to_owned()],
        };
        KnowledgeGraph {
            entities: vec![entity("E1"), entity("E2")],
            relations: vec![relation("E2"), relation("E77")],
            ..KnowledgeGraph::default()
        }
    }

    #[test]
    fn relations_to_what_is_not_there_are_not_drawn() {
        let diagram = diagram(&graph("PEP 703"));
        assert_eq!(diagram.nodes[0].lines, ["PEP 703", "version"]);
        assert_eq!(diagram.edges.len(), 1);
        assert_eq!(diagram.edges[0].label, "replaces (2)");
    }

    #[test]
    fn json_ld_leads_from_relations_to_passages_and_sources() {
        let path = "tests/golden/heat-pumps/session/research.json";
        let path = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
        let research: Artifact<Research> = artifact::parse(&std::fs::read(path).unwrap()).unwrap();
        let hostile = "\"},\n{\"@id\": \"http://evil.example/\", \"</script>";
        let mut graph = graph(hostile);
        graph.entities[0].id = "http://evil.example/".to_owned();
        let document = json_ld(&graph, &research.content);
        let nodes = document["@graph"].as_array().unwrap();
        let of_type = |kind: &str| -> Vec<&Value> {
            nodes.iter().filter(|node| node["@type"] == kind).collect()
        };
        assert_eq!(of_type("DefinedTerm")[0]["name"], hostile);
        assert_eq!(of_type("DefinedTerm")[0]["@id"], "#httpevilexample");
        let statement = of_type("rdf:Statement")[0];
        assert_eq!(statement["rdf:object"]["@id"], "#E2");
        assert_eq!(statement["prov:wasDerivedFrom"][1]["@id"], "#P2");
        let quotation = of_type("Quotation")[1];
        assert_eq!(quotation["@id"], "#P2");
        assert_eq!(quotation["isPartOf"]["@id"], "#S2");
        assert_eq!(of_type("CreativeWork").len(), 2);
        let text = serde_json::to_string(&document).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), document);
    }
}
