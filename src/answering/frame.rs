//! Frame words: words of a question that say what kind of answer is wanted, and that no sentence
//! that answers needs to contain.

/// Words that frame any question, beside stop words.
const FRAME: &[&str] = &[
    "tell", "explain", "describe", "briefly", "brief", "short", "shortly", "detail", "details",
    "please", "list", "name", "named", "names", "call", "called", "overview", "summary", "summarize",
    "summarise", "summarizing", "introduction", "discuss", "discussion", "know", "want", "wondering",
    "question", "answer", "pros", "cons", "pro", "con", "advantages", "disadvantages", "compare",
    "compared", "comparison", "versus", "vs", "difference", "differences", "differ", "kind", "kinds",
    "type", "types", "sort", "sorts", "main", "mean", "meaning", "means", "definition", "define",
    "exist", "exists", "existing", "happen", "happened", "happens", "say", "says", "said", "report",
    "work", "works", "working", "sense", "sensible", "worth", "worthwhile", "good", "idea", "things",
    "thing", "documents", "document", "sources", "according",
];

/// `true` if a folded word only frames a question.
pub(super) fn is_frame_word(folded: &str) -> bool {
    FRAME.contains(&folded)
}
