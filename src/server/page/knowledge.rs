//! The knowledge graph of a session as a drawing: its entities on an ellipse, in the order of their
//! weight, and its relations between them. The table in the report has the same, and the passages.

use std::f64::consts::TAU;
use std::path::Path;

use serde::Serialize;

use crate::artifact::Analysis;
use crate::artifact::analysis::Relation;
use crate::run::artifacts::content;

/// The maximum number of entities that are drawn: labels of more overlap (tried by hand).
const MAX_ENTITIES: usize = 14;

/// The longest line of a label, in characters.
const LABEL: usize = 24;

/// The longest radii of the ellipse, and what each entity adds to shorter ones: few entities stand
/// close enough for the screen of a phone.
const RADII: (f64, f64) = (180.0, 160.0);
const RADII_PER_ENTITY: (f64, f64) = (22.0, 30.0);

/// The distance from a point to its label, the width of a letter of 13 pixels, and half the height
/// of a line.
const GAP: f64 = 10.0;
const LETTER: f64 = 7.5;
const HALF_LINE: f64 = 8.0;

/// The room above and below the labels.
const MARGIN: f64 = 14.0;

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
    x: f64,
    y: f64,
    /// The lines of its name.
    label: Vec<LabelLine>,
    /// The place of the label.
    label_x: f64,
    /// The side of the label that is at its place: `start` or `end`.
    side: &'static str,
}

/// A line of a name.
#[derive(Debug, Serialize)]
struct LabelLine {
    text: String,
    y: f64,
}

/// A relation.
#[derive(Debug, Serialize)]
struct Line {
    from: (f64, f64),
    to: (f64, f64),
    /// `from relation to`, for whoever points at it or has it read out.
    title: String,
}

/// The drawing of the relations that passages of the session at `path` state; `None` without any.
pub(super) fn drawing(path: &Path) -> Option<Drawing> {
    let mut graph = content::<Analysis>(path, "analysis.json")?.knowledge_graph;
    graph.relations.retain(Relation::is_stated);
    let is_related = |id: &str| {
        let mut relations = graph.relations.iter();
        relations.any(|relation| relation.from == id || relation.to == id)
    };
    let entities = graph.entities.iter().filter(|own| is_related(&own.id));
    let entities: Vec<_> = entities.take(MAX_ENTITIES).collect();
    let names = entities.iter().map(|entity| entity.name.as_str());
    let points = points(&names.collect::<Vec<_>>());
    // Ids may have been edited: only relations between entities that are drawn are.
    let drawn = |id: &str| {
        let mut drawn = entities.iter().zip(&points);
        drawn.find(|(entity, _)| entity.id == id)
    };
    let relations = graph.relations.iter().filter_map(|relation| {
        let ((one, from), (other, to)) = (drawn(&relation.from)?, drawn(&relation.to)?);
        Some(Line {
            from: (from.x, from.y),
            to: (to.x, to.y),
            title: format!("{} {} {}", one.name, relation.relation, other.name),
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
        let y = (radii.1 * angle.sin()).round();
        let is_right = x >= 0.0;
        Point {
            x,
            y,
            label: label(name, y),
            label_x: if is_right { x + GAP } else { x - GAP },
            side: if is_right { "start" } else { "end" },
        }
    };
    (0..).zip(names).map(point).collect()
}

/// The lines of a name around this height: a long name goes on below, and none is cut.
fn label(name: &str, y: f64) -> Vec<LabelLine> {
    let mut lines: Vec<String> = Vec::new();
    for word in name.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= LABEL => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    let top = y - HALF_LINE * lines.len().saturating_sub(1) as f64;
    let lines = (0..).zip(lines).map(|(index, text)| LabelLine {
        text,
        y: top + f64::from(index) * 2.0 * HALF_LINE,
    });
    lines.collect()
}

/// A drawing as large as its entities and their labels.
fn framed(entities: Vec<Point>, relations: Vec<Line>) -> Drawing {
    let (mut left, mut right, mut top, mut bottom) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
    for point in &entities {
        for line in &point.label {
            let width = LETTER * line.text.chars().count() as f64;
            let is_right = point.side == "start";
            let end = point.label_x + if is_right { width } else { -width };
            (left, right) = (left.min(end), right.max(end));
            (top, bottom) = (top.min(line.y), bottom.max(line.y));
        }
    }
    Drawing {
        left,
        top: top - MARGIN,
        width: right - left,
        height: bottom - top + 2.0 * MARGIN,
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
    fn a_long_name_goes_on_below_and_is_not_cut() {
        let name = "mean seasonal performance factor of air-source heat pumps";
        let lines = label(name, 10.0);
        let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(texts.join(" "), name);
        assert!(texts.iter().all(|text| text.len() <= LABEL), "{texts:?}");
        let middle = (lines[0].y + lines[lines.len() - 1].y) / 2.0;
        assert!((middle - 10.0).abs() < 1e-9, "{lines:?}");
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
