//! A graph as text for other programs: Mermaid and DOT. Both writers escape every label, since
//! labels may be words of documents.

use std::fmt::Write;

use crate::text::{one_line, without_controls};

/// A directed graph.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diagram {
    /// The boxes.
    pub nodes: Vec<DiagramNode>,
    /// The arrows.
    pub edges: Vec<DiagramEdge>,
}

/// A box.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiagramNode {
    /// The name in the graph: ASCII letters and digits.
    pub id: String,
    /// The lines in the box.
    pub lines: Vec<String>,
}

/// An arrow between two boxes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiagramEdge {
    /// The box that it starts from, by id.
    pub from: String,
    /// The words beside it, "" for none.
    pub label: String,
    /// The box that it points to, by id.
    pub to: String,
}

impl Diagram {
    /// The graph as a Mermaid flowchart, for Markdown.
    pub fn mermaid(&self) -> String {
        let mut text = "flowchart TD\n".to_owned();
        for node in &self.nodes {
            let lines: Vec<String> = node.lines.iter().map(|line| mermaid_label(line)).collect();
            let _ = writeln!(text, "    {}[\"{}\"]", name(&node.id), lines.join("<br>"));
        }
        for DiagramEdge { from, label, to } in &self.edges {
            let label = match label.as_str() {
                "" => String::new(),
                label => format!("|\"{}\"|", mermaid_label(label)),
            };
            let _ = writeln!(text, "    {} -->{label} {}", name(from), name(to));
        }
        text
    }

    /// The graph in the DOT language of Graphviz.
    pub fn dot(&self) -> String {
        let mut text = "digraph research {\n    node [shape=box];\n".to_owned();
        for node in &self.nodes {
            let lines: Vec<String> = node.lines.iter().map(|line| dot_label(line)).collect();
            // `\n` reaches the output as two characters: the line break of the language.
            let _ = writeln!(
                text,
                "    {} [label=\"{}\"];",
                name(&node.id),
                lines.join("\\n")
            );
        }
        for DiagramEdge { from, label, to } in &self.edges {
            let (from, to, label) = (name(from), name(to), dot_label(label));
            let _ = writeln!(text, "    {from} -> {to} [label=\"{label}\"];");
        }
        text.push_str("}\n");
        text
    }
}

/// An id that means nothing in either language.
fn name(id: &str) -> String {
    id.chars().filter(char::is_ascii_alphanumeric).collect()
}

/// A label of Mermaid between quotation marks. What could end it, begin HTML, Markdown or a
/// directive (`%%{`) becomes an entity code: `#34;`.
fn mermaid_label(text: &str) -> String {
    let mut label = String::new();
    for c in without_controls(&one_line(text)).chars() {
        if "\"#<>&;`%{}|\\*".contains(c) {
            let _ = write!(label, "#{};", u32::from(c));
        } else {
            label.push(c);
        }
    }
    label
}

/// A label of DOT between quotation marks, in which a backslash begins an escape sequence.
fn dot_label(text: &str) -> String {
    without_controls(&one_line(text))
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagram(label: &str) -> Diagram {
        let node = |id: &str| DiagramNode {
            id: id.to_owned(),
            lines: vec![label.to_owned(), "kind".to_owned()],
        };
        Diagram {
            nodes: vec![node("E1"), node("E2")],
            edges: vec![DiagramEdge {
                from: "E1".to_owned(),
                label: label.to_owned(),
                to: "E2".to_owned(),
            }],
        }
    }

    #[test]
    fn both_languages_have_nodes_and_edges() {
        let diagram = diagram("PEP 703 (a, b)");
        assert_eq!(
            diagram.mermaid(),
            "flowchart TD\n    E1[\"PEP 703 (a, b)<br>kind\"]\n    \
             E2[\"PEP 703 (a, b)<br>kind\"]\n    E1 -->|\"PEP 703 (a, b)\"| E2\n"
        );
        assert_eq!(
            diagram.dot(),
            "digraph research {\n    node [shape=box];\n    \
             E1 [label=\"PEP 703 (a, b)\\nkind\"];\n    E2 [label=\"PEP 703 (a, b)\\nkind\"];\n    \
             E1 -> E2 [label=\"PEP 703 (a, b)\"];\n}\n"
        );
    }

    #[test]
    fn hostile_labels_stay_labels() {
        for label in [
            "a\"]\n    click E1 \"javascript:alert(1)\"\n    x[\"",
            "%%{init: {\"securityLevel\": \"loose\"}}%%",
            "<img src=x onerror=alert(1)>",
            "`**bold**` & #quot;",
            "x|\"] --> E2",
            "a\\\" URL=\"javascript:alert(1)\\",
            "\u{1b}[2J\u{202e}\r\n}",
        ] {
            let mermaid = diagram(label).mermaid();
            // The quotation marks are those of the writer: two for each node and edge.
            assert_eq!(mermaid.matches('"').count(), 6, "{mermaid}");
            assert_eq!(mermaid.lines().count(), 4, "{mermaid}");
            for forbidden in ["%%", "<img", "`", "{", "\u{1b}", "\u{202e}"] {
                assert!(!mermaid.contains(forbidden), "{mermaid}");
            }
            let dot = diagram(label).dot();
            assert_eq!(dot.lines().count(), 6, "{dot}");
            let unescaped = dot.replace("\\\\", "").replace("\\\"", "");
            assert_eq!(unescaped.matches('"').count(), 6, "{dot}");
            assert!(!dot.contains(['\u{1b}', '\u{202e}']), "{dot}");
        }
    }

    #[test]
    fn hostile_ids_lose_what_means_something() {
        let mut hostile = diagram("x");
        hostile.nodes[0].id = "E1\"]; click".to_owned();
        assert!(hostile.mermaid().contains("    E1click[\"x"));
        assert!(hostile.dot().contains("    E1click [label"));
    }
}
