//! The knowledge graph of a session as a drawing: its entities on an ellipse, in the order of their
//! weight, and its relations between them. The table in the report has the same, and the passages.

use std::f64::consts::TAU;
use std::path::Path;

use serde::Serialize;

use crate::artifact::Analysis;
use crate::run::artifacts::content;
use crate::text::truncate_with_ellipsis;

/// The maximum number of entities that are drawn: labels of more overlap (tried by hand).
const MAX_ENTITIES: usize = 14;

/// The longest label, in characters.
const LABEL: usize = 24;

/// The size of the drawing, and the radii of the ellipse: the rest is for labels.
const SIZE: (f64, f64) = (760.0, 400.0);
const RADII: (f64, f64) = (180.0, 160.0);

/// A drawing.
#[derive(Debug, Serialize)]
pub(super) struct Drawing {
    width: f64,
    height: f64,
    entities: Vec<Point>,
    relations: Vec<Line>,
}

/// An entity.
#[derive(Debug, Serialize)]
struct Point {
    name: String,
    x: f64,
    y: f64,
    /// The place of the label.
    label_x: f64,
    /// The side of the label that is at its place: `start` or `end`.
    side: &'static str,
}

/// A relation.
#[derive(Debug, Serialize)]
struct Line {
    from: (f64, f64),
    to: (f64, f64),
    /// `from relation to`, for whoever points at it or has it read out.
    title: String,
}

/// The drawing of the relations of the session at `path`; `None` without any.
pub(super) fn drawing(path: &Path) -> Option<Drawing> {
    let graph = content::<Analysis>(path, "analysis.json")?.knowledge_graph;
    let is_related = |id: &str| {
        let mut relations = graph.relations.iter();
        relations.any(|relation| relation.from == id || relation.to == id)
    };
    let entities = graph.entities.iter().filter(|own| is_related(&own.id));
    let entities: Vec<_> = entities.take(MAX_ENTITIES).collect();
    let points = (0..).zip(&entities).map(|(index, entity)| {
        let angle = TAU * f64::from(index) / entities.len() as f64;
        let x = (SIZE.0 / 2.0 + RADII.0 * angle.cos()).round();
        let is_right = x >= SIZE.0 / 2.0;
        Point {
            name: truncate_with_ellipsis(&entity.name, LABEL).into_owned(),
            x,
            y: (SIZE.1 / 2.0 + RADII.1 * angle.sin()).round(),
            label_x: if is_right { x + 10.0 } else { x - 10.0 },
            side: if is_right { "start" } else { "end" },
        }
    });
    let points: Vec<Point> = points.collect();
    // Ids may have been edited: only relations between entities that are drawn are.
    let point = |id: &str| {
        let index = entities.iter().position(|entity| entity.id == id)?;
        points.get(index)
    };
    let relations = graph.relations.iter().filter_map(|relation| {
        let (from, to) = (point(&relation.from)?, point(&relation.to)?);
        Some(Line {
            from: (from.x, from.y),
            to: (to.x, to.y),
            title: format!("{} {} {}", from.name, relation.relation, to.name),
        })
    });
    let relations: Vec<Line> = relations.collect();
    (!relations.is_empty()).then_some(Drawing {
        width: SIZE.0,
        height: SIZE.1,
        relations,
        entities: points,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_without_relations_has_no_drawing() {
        let folder = tempfile::tempdir().unwrap();
        assert!(drawing(folder.path()).is_none());
    }
}
