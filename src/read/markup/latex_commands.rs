//! The commands and environments of LaTeX that are known, and the signs and accents that commands
//! stand for.

use unicode_normalization::UnicodeNormalization as _;

/// The sections, outermost first.
pub(super) const SECTIONS: &[&str] = &[
    "part",
    "chapter",
    "section",
    "subsection",
    "subsubsection",
    "paragraph",
    "subparagraph",
];

/// Commands that cite works by their keys.
pub(super) const CITATIONS: &[&str] = &[
    "autocite",
    "cite",
    "citealp",
    "citealt",
    "citeauthor",
    "citep",
    "citet",
    "citeyear",
    "footcite",
    "parencite",
    "textcite",
];

/// Commands of which arguments are left out, and how many. What follows them is text.
pub(super) const LEFT_OUT: &[(&str, usize)] = &[
    ("addbibresource", 1),
    ("addcontentsline", 3),
    ("addtocounter", 2),
    ("addtolength", 2),
    ("autoref", 1),
    ("bibitem", 1),
    ("bibliography", 1),
    ("bibliographystyle", 1),
    ("cmidrule", 1),
    ("color", 1),
    ("colorbox", 1),
    ("cref", 1),
    ("Cref", 1),
    ("crefrange", 2),
    ("DeclareMathOperator", 2),
    ("documentclass", 1),
    ("eqref", 1),
    ("fontsize", 2),
    ("geometry", 1),
    ("graphicspath", 1),
    ("hspace", 1),
    ("hypersetup", 1),
    ("hypertarget", 1),
    ("include", 1),
    ("includegraphics", 1),
    ("includeonly", 1),
    ("index", 1),
    ("input", 1),
    ("label", 1),
    ("linespread", 1),
    ("lstset", 1),
    ("lstinputlisting", 1),
    ("multicolumn", 2),
    ("multirow", 2),
    ("newcommand", 2),
    ("newcounter", 1),
    ("newenvironment", 3),
    ("newlength", 1),
    ("newtheorem", 2),
    ("nocite", 1),
    ("pageref", 1),
    ("pagestyle", 1),
    ("pagenumbering", 1),
    ("parbox", 1),
    ("phantom", 1),
    ("providecommand", 2),
    ("raisebox", 1),
    ("ref", 1),
    ("renewcommand", 2),
    ("renewenvironment", 3),
    ("RequirePackage", 1),
    ("rowcolor", 1),
    ("cellcolor", 1),
    ("rule", 2),
    ("setcounter", 2),
    ("setlength", 2),
    ("textcolor", 1),
    ("thispagestyle", 1),
    ("tikzset", 1),
    ("theoremstyle", 1),
    ("usepackage", 1),
    ("usetikzlibrary", 1),
    ("vref", 1),
    ("vspace", 1),
    ("nameref", 1),
    ("definecolor", 3),
    ("captionsetup", 1),
    ("titleformat", 1),
    ("usetheme", 1),
    ("tag", 1),
    ("texorpdfstring", 1),
    ("markboth", 2),
    ("markright", 1),
];

/// Commands of which a long argument is left out: the text of a note.
pub(super) const NOTES: &[&str] = &[
    "footnote",
    "footnotetext",
    "thanks",
    "marginpar",
    "todo",
    "sidenote",
];

/// Commands of which the argument is code.
pub(super) const CODE: &[&str] = &["texttt", "code", "lstinline", "mintinline"];

/// Environments of which the contents are code, as they are.
pub(super) const VERBATIM: &[&str] = &[
    "verbatim",
    "verbatim*",
    "Verbatim",
    "lstlisting",
    "minted",
    "alltt",
    "algorithmic",
];

/// Environments of which the contents are a formula apart from the text.
pub(super) const FORMULAS: &[&str] = &[
    "equation",
    "align",
    "gather",
    "multline",
    "eqnarray",
    "displaymath",
    "flalign",
    "alignat",
    "math",
    "dmath",
];

/// Environments that are left out: drawings, comments, files, and lists of works.
pub(super) const DROPPED: &[&str] = &[
    "tikzpicture",
    "picture",
    "pgfpicture",
    "comment",
    "filecontents",
    "filecontents*",
    "thebibliography",
    "CCSXML",
    "axis",
];

/// Environments of which the contents are a table, with the number of their arguments.
pub(super) const TABLES: &[(&str, usize)] = &[
    ("tabular", 1),
    ("tabular*", 2),
    ("tabularx", 2),
    ("tabulary", 2),
    ("longtable", 1),
    ("array", 1),
    ("supertabular", 1),
    ("tblr", 1),
];

/// Other environments with arguments that are no text, with their number.
pub(super) const WITH_ARGUMENTS: &[(&str, usize)] = &[
    ("minipage", 1),
    ("multicols", 1),
    ("wrapfigure", 2),
    ("adjustwidth", 2),
    ("spacing", 1),
    ("column", 1),
    ("adjustbox", 1),
    ("subfigure", 1),
    ("list", 2),
];

/// Commands that stand for signs.
const SIGNS: &[(&str, &str)] = &[
    ("ss", "ß"),
    ("ae", "æ"),
    ("AE", "Æ"),
    ("oe", "œ"),
    ("OE", "Œ"),
    ("o", "ø"),
    ("O", "Ø"),
    ("l", "ł"),
    ("L", "Ł"),
    ("aa", "å"),
    ("AA", "Å"),
    ("i", "ı"),
    ("j", "ȷ"),
    ("dh", "ð"),
    ("th", "þ"),
    ("ldots", "…"),
    ("dots", "…"),
    ("textellipsis", "…"),
    ("LaTeX", "LaTeX"),
    ("TeX", "TeX"),
    ("LaTeXe", "LaTeX2e"),
    ("BibTeX", "BibTeX"),
    ("textbackslash", "\\"),
    ("textasciitilde", "~"),
    ("textasciicircum", "^"),
    ("textbar", "|"),
    ("textless", "<"),
    ("textgreater", ">"),
    ("textquotesingle", "'"),
    ("textquotedbl", "\""),
    ("textquotedblleft", "“"),
    ("textquotedblright", "”"),
    ("textquoteleft", "‘"),
    ("textquoteright", "’"),
    ("textasciigrave", "\\`"),
    ("textunderscore", "_"),
    ("textdollar", "$"),
    ("textbraceleft", "{"),
    ("textbraceright", "}"),
    ("lbrack", "["),
    ("rbrack", "]"),
    ("textasteriskcentered", "*"),
    ("textbullet", "•"),
    ("textendash", "–"),
    ("textemdash", "—"),
    ("textdegree", "°"),
    ("degree", "°"),
    ("textregistered", "®"),
    ("texttrademark", "™"),
    ("copyright", "©"),
    ("textcopyright", "©"),
    ("pounds", "£"),
    ("textsterling", "£"),
    ("euro", "€"),
    ("texteuro", "€"),
    ("S", "§"),
    ("P", "¶"),
    ("dag", "†"),
    ("textrightarrow", "→"),
    ("textleftarrow", "←"),
    ("textmu", "µ"),
    ("guillemotleft", "«"),
    ("guillemotright", "»"),
    ("quad", " "),
    ("qquad", " "),
    ("newline", " "),
    ("linebreak", " "),
    ("space", " "),
    ("hfill", " "),
    ("slash", "/"),
    ("and", ", "),
    ("textsection", "§"),
    ("texttimes", "×"),
    ("textpm", "±"),
];

/// Commands of accents, and the combining characters of Unicode.
const ACCENTS: &[(&str, char)] = &[
    ("`", '\u{300}'),
    ("'", '\u{301}'),
    ("^", '\u{302}'),
    ("~", '\u{303}'),
    ("=", '\u{304}'),
    ("u", '\u{306}'),
    (".", '\u{307}'),
    ("\"", '\u{308}'),
    ("r", '\u{30a}'),
    ("H", '\u{30b}'),
    ("v", '\u{30c}'),
    ("d", '\u{323}'),
    ("c", '\u{327}'),
    ("k", '\u{328}'),
    ("b", '\u{331}'),
];

/// The sign that a command stands for.
pub(super) fn sign(name: &str) -> Option<&'static str> {
    let sign = SIGNS.iter().find(|(own, _)| *own == name);
    sign.map(|(_, sign)| *sign)
}

/// The combining character of the accent that a command sets.
pub(super) fn accent(name: &str) -> Option<char> {
    let accent = ACCENTS.iter().find(|(own, _)| *own == name);
    accent.map(|(_, accent)| *accent)
}

/// A letter with an accent.
pub(super) fn accented(letter: char, accent: char) -> String {
    // An accent replaces the dot of i and j.
    let base = match letter {
        'ı' => 'i',
        'ȷ' => 'j',
        letter => letter,
    };
    [base, accent].into_iter().nfc().collect()
}
