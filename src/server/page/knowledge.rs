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

/// The longest radii of the ellipse, and what each entity adds to shorter ones: few entities stand
/// close enough for the screen of a phone.
const RADII: (f64, f64) = (180.0, 160.0);
const RADII_PER_ENTITY: (f64, f64) = (22.0, 30.0);

/// The distance from a point to its label, the width of a letter of 13 pixels, and the height of
/// half a line.
const GAP: f64 = 10.0;
const LETTER: f64 = 7.5;
const HALF_LINE: f64 = 14.0;

/// A drawing.
#[derive(Debug, Serialize)]
pub(super) struct Drawing {
    left: f64,
    top: f64,
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
    let names = entities.iter().map(|entity| entity.name.as_str());
    let points = points(&names.collect::<Vec<_>>());
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
    (!relations.is_empty()).then(|| framed(points, relations))
}

/// Entities with these names, on an ellipse around (0, 0).
fn points(names: &[&str]) -> Vec<Point> {
    let count = names.len() as f64;
    let radii = (
        RADII.0.min(RADII_PER_ENTITY.0 * count),
        RADII.1.min(RADII_PER_ENTITY.1 * count),
    );
    let point = |(index, name): (u32, &&str)| {
        let angle = TAU * f64::from(index) / count;
        let x = (radii.0 * angle.cos()).round();
        let is_right = x >= 0.0;
        Point {
            name: truncate_with_ellipsis(name, LABEL).into_owned(),
            x,
            y: (radii.1 * angle.sin()).round(),
            label_x: if is_right { x + GAP } else { x - GAP },
            side: if is_right { "start" } else { "end" },
        }
    };
    (0..).zip(names).map(point).collect()
}

/// A drawing as large as its entities and their labels.
fn framed(entities: Vec<Point>, relations: Vec<Line>) -> Drawing {
    let (mut left, mut right, mut top, mut bottom) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
    for point in &entities {
        let width = LETTER * point.name.chars().count() as f64;
        let is_right = point.side == "start";
        let end = point.label_x + if is_right { width } else { -width };
        (left, right) = (left.min(end), right.max(end));
        (top, bottom) = (top.min(point.y), bottom.max(point.y));
    }
    Drawing {
        left,
        top: top - HALF_LINE,
        width: right - left,
        height: bottom - top + 2.0 * HALF_LINE,
        entities,
        relations,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_without_relations_has_no_drawing() {
        let folder = tempfile::tempdir().unwrap();
        assert!(drawing(folder.path()).is_none());
    }

    #[test]
    fn a_drawing_is_as_large_as_what_is_in_it() {
        let few = framed(points(&["whole house", "flow temperature"]), Vec::new());
        assert!(few.width < 350.0 && few.height < 30.0, "{few:?}");
        let names = vec!["a name of twenty letters"; MAX_ENTITIES];
        let many = framed(points(&names), Vec::new());
        assert!((700.0..780.0).contains(&many.width), "{many:?}");
        assert!((300.0..360.0).contains(&many.height), "{many:?}");
    }
}
