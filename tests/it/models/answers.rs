//! The answers of a sound model to each agent's prompt: a pure function of it.

use serde_json::{Value, json};

/// The agent whose prompt this is.
pub(crate) fn agent(prompt: &str) -> String {
    let beginnings = [
        ("You classify a research topic", "coordinator"),
        ("You look around", "background"),
        ("You plan research", "planner"),
        ("You carry out one step", "researcher"),
        ("You assess the research", "reflector"),
        ("You read what people write", "social"),
        ("You analyse", "analyst"),
        ("You write a report", "writer"),
        ("You write one section", "writer"),
        ("You write the summary", "writer"),
        ("You check whether", "verifier"),
        ("Rewrite what the passages say", "reviser"),
        ("You review a report", "reviewer"),
    ];
    beginnings
        .iter()
        .find(|(start, _)| prompt.starts_with(start))
        .map_or_else(|| "nobody".to_owned(), |(_, agent)| (*agent).to_owned())
}

/// Its answer as the provider sends it: some agents are asked for plain text.
pub(crate) fn text(agent: &str, prompt: &str) -> String {
    match answer(agent, prompt) {
        Value::String(text) => text,
        answer => answer.to_string(),
    }
}

/// Its answer.
pub(crate) fn answer(agent: &str, prompt: &str) -> Value {
    match agent {
        "coordinator" => classification(prompt),
        "background" => json!({
            "reasoning": "what there is", "queries": [topic(prompt), "insulation grants"],
        }),
        "planner" => plan(prompt),
        "researcher" => research(prompt),
        "reflector" => json!({
            "reasoning": "the plan is on track", "decision": "CONTINUE", "suggested_changes": [],
        }),
        "social" => json!({"reasoning": "nobody agrees", "positions": []}),
        "analyst" => analysis(prompt),
        "writer" => Value::String(report(prompt)),
        "verifier" => verdict(prompt),
        "reviser" => Value::String(sentence(prompt)),
        "reviewer" => {
            let score = json!({"score": 0.9, "reason": "good"});
            json!({
                "summary": score, "structure": score, "comprehensiveness": score,
                "clarity": score, "notes": [],
            })
        }
        _ => json!({}),
    }
}

/// The fenced texts of a prompt: name, rest of the first line, and text.
pub(crate) fn fences(prompt: &str) -> Vec<(String, String, String)> {
    let mut fences = Vec::new();
    for part in prompt.split("<<<").skip(1) {
        let Some((inside, _)) = part.split_once(">>>") else {
            continue;
        };
        let (first, text) = inside.split_once('\n').unwrap_or((inside, ""));
        let (name, rest) = first.split_once(' ').unwrap_or((first, ""));
        let text = text.strip_suffix(name).unwrap_or(text).trim_end();
        fences.push((name.to_owned(), rest.to_owned(), text.to_owned()));
    }
    fences
}

fn topic(prompt: &str) -> String {
    let topic = fences(prompt)
        .into_iter()
        .find(|(name, ..)| name == "topic");
    topic.map(|(_, _, text)| text).unwrap_or_default()
}

fn classification(prompt: &str) -> Value {
    let topic = topic(prompt);
    // A wrong one would be no sound model's: research goes on without it.
    let is_simple = topic.contains("2 + 2");
    let is_wanted = is_simple || prompt.contains("from your own knowledge");
    let follows = prompt.contains("It follows an earlier session");
    let follow_up_type = match topic.split(' ').next() {
        Some("Why") if follows => "clarification",
        Some("How") if follows => "complex_follow_up",
        _ => "new_topic",
    };
    json!({
        "reasoning": "a question with reasons for both", "complexity": "simple",
        "kind": "decision", "sides": [], "follow_up_type": follow_up_type,
        "is_simple_query": is_simple,
        "direct_response": if is_wanted { "It is 4, from memory." } else { "" },
        "is_ambiguous": topic.contains("ambiguous") && !topic.contains('\n'),
        "clarifying_questions": ["Which house?", "Which year?"],
        "recommended_depth": "quick",
    })
}

fn plan(prompt: &str) -> Value {
    let topic = topic(prompt);
    let steps = [
        ("what is said on the topic", "overview", String::new()),
        (
            "costs and drawbacks",
            "costs",
            " cost price drawback".to_owned(),
        ),
        (
            "what is recommended",
            "recommendations",
            " should recommend advice".to_owned(),
        ),
        ("reasons and benefits", "why", " reason benefit".to_owned()),
        ("how it works", "how", " works method".to_owned()),
        ("figures", "figures", " measured percent".to_owned()),
    ];
    let most = prompt.split_once("At most ").map_or("", |(_, rest)| rest);
    let most = most.split(' ').next().and_then(|word| word.parse().ok());
    let steps: Vec<Value> = steps
        .into_iter()
        .take(most.unwrap_or(1))
        .map(|(title, facet, words)| {
            json!({
                "title": title, "description": format!("Find {title} of: {topic}"), "facet": facet,
                "queries": [format!("{topic}{words}")],
            })
        })
        .collect();
    json!({
        "thought": "three aspects", "has_enough_context": false, "independent": true,
        "steps": steps,
    })
}

fn research(prompt: &str) -> Value {
    let passages = fences(prompt)
        .into_iter()
        .filter_map(|(name, _, text)| Some((name.parse::<i64>().ok()?, text)));
    let findings: Vec<Value> = passages
        .take(3)
        .map(|(number, text)| json!({"passages": [number], "statement": text}))
        .collect();
    json!({
        "thought": format!("{} passages answer the step.", findings.len()), "action": "finish",
        "query": "", "service": "", "numbers": [], "findings": findings, "follow_up": [],
    })
}

fn passages(prompt: &str) -> Vec<(String, String)> {
    let passages = fences(prompt).into_iter();
    let is_passage = |name: &str| name.starts_with('P') && name[1..].parse::<u32>().is_ok();
    passages
        .filter(|(name, ..)| is_passage(name))
        .map(|(name, _, text)| (name, text))
        .collect()
}

fn analysis(prompt: &str) -> Value {
    let insights: Vec<Value> = passages(prompt)
        .into_iter()
        .map(|(id, text)| {
            let recommends = text.contains("should");
            let kind = if recommends {
                "recommendation"
            } else {
                "answer"
            };
            json!({
                "reason": "it is on the topic", "text": text, "passages": [id], "kind": kind,
                "confidence": 0.7,
            })
        })
        .collect();
    json!({
        "insights": insights, "contradictions": [], "entities": [], "relations": [], "gaps": [],
        "summary": [], "conclusion": [],
    })
}

/// Every passage as it is, under the heading that it is shown for; the first ones also in brief.
fn report(prompt: &str) -> String {
    let material: Vec<(String, String)> = fences(prompt)
        .into_iter()
        .filter(|(name, ..)| name.parse::<u32>().is_ok())
        .map(|(name, _, text)| (name, text))
        .collect();
    let lines = |material: &[(String, String)]| -> String {
        let lines = material.iter().map(|(id, text)| format!("[{id}] {text}\n"));
        lines.collect()
    };
    let first = &material[..material.len().min(2)];
    let last = &material[material.len().saturating_sub(1)..];
    if prompt.starts_with("You write one section") {
        return lines(&material);
    }
    let frame = format!("# In brief\n{}# Conclusion\n{}", lines(first), lines(last));
    if prompt.starts_with("You write the summary") {
        return frame;
    }
    format!("{frame}# What the documents say\n{}", lines(&material))
}

fn sentence(prompt: &str) -> String {
    let passage = passages(prompt).into_iter().next();
    passage.map(|(_, text)| text).unwrap_or_default()
}

fn verdict(prompt: &str) -> Value {
    let has_sentence = fences(prompt).iter().any(|(name, ..)| name == "1");
    let numbers: &[usize] = if has_sentence { &[1] } else { &[] };
    json!({"shown_by": numbers, "difference": "", "verdict": "supported"})
}
