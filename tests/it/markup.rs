//! reStructuredText, AsciiDoc, Org and LaTeX through the program, hostile text in them, and files
//! of kinds that are not read.

use research::read::Reader;

use crate::harness::{Scratch, TOPIC, parsed};

const RST: &str = "PEP: 7\nTitle: Quiet pumps\nAuthor: Ann B\nStatus: Final\n\
    Created: 06-May-2020\n\n\
    Rejected Ideas\n==============\n\nA ``pump`` in the cellar [1]_ was rejected by :pep:`8`.\n\n\
    .. [1] A note.\n";

const ASCIIDOC: &str = "= Quiet pumps\nAnn B\nv1, 2020-05-06\n:status: Final\n\n\
    == Rejected Ideas\n\n\
    A `pump` in the cellarfootnote:[A note.] was rejected by https://e.org[PEP 8].\n";

const ORG: &str = "#+TITLE: Quiet pumps\n#+AUTHOR: Ann B\n#+DATE: 2020-05-06\n#+STATUS: Final\n\n\
    * TODO Rejected Ideas :x:\n\
    A =pump= in the cellar[fn:1] was rejected by [[https://e.org][PEP 8]].\n";

const LATEX: &str = "\\title{Quiet pumps}\\author{Ann B}\\date{May 6, 2020}\n\\begin{document}\n\
    \\section{Rejected Ideas}\n\
    A \\texttt{pump} in the cellar\\footnote{A note.} was rejected by % x\n\
    PEP~8~\\cite{x}.\n\\end{document}\n";

#[test]
fn markup_files_are_read_and_searched() {
    for (file, kind, text) in [
        ("pumps.rst", "rst", RST),
        ("pumps.adoc", "asciidoc", ASCIIDOC),
        ("pumps.org", "org", ORG),
        ("pumps.tex", "latex", LATEX),
    ] {
        let scratch = Scratch::new();
        let path = format!("docs/{file}");
        scratch.write(&path, text);
        let output = parsed(&scratch.expect(0, &["read", &path, "--json"]).stdout);
        let about = ["kind", "title", "author", "date"].map(|key| output[key].as_str());
        let expected = [kind, "Quiet pumps", "Ann B", "2020-05-06"].map(Some);
        assert_eq!(about, expected, "{file}");
        let text = output["text"].as_str().unwrap();
        assert!(text.starts_with("---\n"), "{text}");
        if kind != "latex" {
            assert!(text.to_lowercase().contains("\nstatus: final\n"), "{text}");
        }

        let ran = scratch.expect(0, &["search", "cellar", "--docs", "docs", "--json"]);
        let passage = &parsed(&ran.stdout)["results"][0];
        assert_eq!(
            passage["headings"].as_array().unwrap().last().unwrap(),
            "Rejected Ideas"
        );
        let sentence = passage["text"].as_str().unwrap();
        // The keys of citations stay.
        let cited = if kind == "latex" { " [x]" } else { "" };
        let expected = format!("A `pump` in the cellar was rejected by PEP 8{cited}.");
        assert_eq!(sentence, expected, "{file}");
    }
}

/// Markup that begins something, and text around it: repeated, it ends nowhere.
#[rustfmt::skip]
const UNITS: &[&str] = &[
    "*a ", "`a ", "``a", "_a ", "|a ", "[a", "[[a", "<<a", "((a", "a_ ", ":a:`b", ":a", "__",
    "++a", "{a", "$a", "\\(", "\\a{", "\\footnote{", "\\begin{x}", "\\begin{itemize}\\item[",
    "}", "\\begin{tabular}{l}", "\\begin{verbatim}", "\\label{", "%", "- ", "* ", "> ", "1. ",
    ".. ", "  a\n", "- a\n\n", ".. note:: ", "====\n", "== a\n", "a\n=\n", "+-+\n", "==  ==\n",
    "|===\n|a\n", "#+begin_quote\n", "#+begin_src\n", ":a:\n", "* a\n", "|a|\n", "a::\n",
    "____\n", "--\n", "=a= ", "[fn:a", "<2020-01-01", "footnote:[", "\u{e9}", "=\u{e9}",
];

#[test]
fn hostile_markup_is_read_in_linear_time() {
    let reader = Reader::in_process();
    let scratch = Scratch::new();
    for extension in ["rst", "adoc", "org", "tex"] {
        let path = scratch.path().join(format!("a.{extension}"));
        for unit in UNITS {
            let nested: String = (0..300)
                .map(|depth| " ".repeat(depth) + unit + "\n")
                .collect();
            for text in [unit.repeat(100_000 / unit.len()), nested] {
                std::fs::write(&path, text).unwrap();
                // A text of nothing but markup may be empty.
                let _ = reader.read(&path);
            }
        }
    }
}

#[test]
fn passed_over_files_are_counted_and_named() {
    let scratch = Scratch::with_few();
    for name in [
        "b.bin",
        "a.bin",
        "sub/c.dat",
        ".hidden.bin",
        "built/d.bin",
        "e.log",
    ] {
        scratch.write(&format!("docs/{name}"), "x");
    }
    scratch.write("docs/.gitignore", "built/\n*.log\n");
    let words = "3 files were passed over, as their kind is not read: a.bin, b.bin, sub/c.dat";
    let ran = scratch.expect(0, &["search", "heat", "--docs", "docs", "--json"]);
    assert!(ran.stderr.contains(words), "{}", ran.stderr);
    assert_eq!(parsed(&ran.stdout)["passed_over"]["files"], 3);
    scratch.research();
    let report = scratch.read("research-output/s/final_report.md");
    assert!(report.contains(&format!("- {words}.\n")), "{report}");
}

#[test]
fn folder_without_documents_is_a_usage_error_before_a_session() {
    let scratch = Scratch::new();
    scratch.write("docs/a.bin", "x");
    scratch.write("list", TOPIC);
    std::fs::create_dir(scratch.path().join("none")).unwrap();
    for (docs, words) in [
        (
            "docs",
            "in docs: 1 file was passed over, as its kind is not read: a.bin;",
        ),
        ("none", "in none: it holds no file;"),
        ("docs/a.bin", "cannot tell how to read docs/a.bin: "),
    ] {
        for arguments in [["run", TOPIC], ["search", TOPIC], ["batch", "list"]] {
            let ran = scratch.expect(2, &[&arguments[..], &["--docs", docs]].concat());
            assert!(ran.stderr.contains(words), "{arguments:?}: {}", ran.stderr);
        }
    }
    assert!(!scratch.path().join("research-output").exists());
}

#[test]
fn folder_of_unreadable_documents_is_a_usage_error() {
    let scratch = Scratch::new();
    scratch.write("docs/a.md", "a\0b");
    let arguments = ["run", TOPIC, "--docs", "docs", "--session", "s"];
    for arguments in [&arguments[..], &["search", TOPIC, "--docs", "docs"]] {
        let ran = scratch.expect(2, arguments);
        assert!(
            ran.stderr.contains("a.md is not text but binary data"),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn quantities_in_formulas_of_latex_are_text() {
    let scratch = Scratch::new();
    let text = "\\begin{document}\nCells were charged in a chamber at 25 $^\\circ$C. The can is\n\
        60 $\\mu$m thick. It was heated to $45^\\circ$C, then to $85^{\\circ}\\mathrm{C}$. Each\n\
        rest took \\(5 \\pm 1\\) minutes, and $\\approx 40$ cells dried in H$_2$O.\n\
        Let $x_1$ be $y$.\n\n\
        \\begin{tabular}{ll}\na & $3\\,\\Omega$ \\\\\n\\end{tabular}\n\\end{document}\n";
    scratch.write("docs/cells.tex", text);
    let read = scratch.expect(0, &["read", "docs/cells.tex"]).stdout;
    for words in [
        "chamber at 25 °C.",
        "60 µm thick",
        "to 45 °C, then to 85 °C.",
        "took 5 ± 1 minutes, and ≈ 40 cells dried in H2O.",
        "Let $x_1$ be $y$.",
        "| a | 3 Ω |",
    ] {
        assert!(read.contains(words), "{words}: {read}");
    }
    let report = "- Cells were charged in a chamber at 25 °C ([paper](docs/cells.tex)).\n\
        - Cells were charged in a chamber at 30 °C ([paper](docs/cells.tex)).\n";
    let checked = scratch.checked(report);
    let verdicts: Vec<_> = checked.iter().map(|own| own["verdict"].as_str()).collect();
    assert_eq!(verdicts, [Some("supported"), Some("contradicted")]);
}
