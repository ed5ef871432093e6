//! Untrusted topics and session names: any script, any length, injection of markup, shell words and
//! paths; and clarification of unclear topics.

use std::fs;

use pulldown_cmark::{Event, Parser, Tag};

use crate::harness::{FEW, Scratch, TOPIC, tree};

const CHINESE: &str = "\
# 老房子里的热泵

热泵在老房子里也能有效供暖。测量表明,五十六栋老房子里的热泵全年平均性能系数为3.1。供暖水温决定热泵的效率。

## 费用

一台空气源热泵的价格约为三万欧元。热泵的运行费用通常低于燃气锅炉。

## 建议

业主应当先计算房屋的热负荷,然后再选择热泵。
";

const ARABIC: &str = "\
# المضخات الحرارية في البيوت القديمة

تعمل المضخات الحرارية جيدا في البيوت القديمة.
تعتمد كفاءة المضخات الحرارية على درجة حرارة الماء في المشعات.

## التكاليف

تكلف المضخات الحرارية حوالي ثلاثين ألف يورو مع التركيب.
تكاليف تشغيل المضخات الحرارية أقل من تكاليف غلاية الغاز.
";

fn run_topic(scratch: &Scratch, topic: &str) -> crate::harness::Ran {
    scratch.run(&["run", topic, "--docs", "docs", "--session", "s"])
}

/// Runs a topic in another language and checks that the report quotes this document alone.
fn assert_answered_from(document: &str, topic: &str) {
    let scratch = Scratch::new();
    scratch.write("docs/one.md", document);
    let other = "# Cooking\n\nA pot stands on the stove. Salt comes last.\n";
    scratch.write("docs/cooking.md", other);
    run_topic(&scratch, topic).assert_ended(0, topic);
    let report = scratch.read("research-output/s/final_report.md");
    let claims = scratch.json("report.json")["content"]["claims"].clone();
    let claims = claims.as_array().unwrap();
    assert!(!claims.is_empty(), "{report}");
    for claim in claims {
        let quote = claim["citations"][0]["quote"].as_str().unwrap();
        assert!(document.contains(quote), "{quote}");
        assert!(report.contains(quote), "{quote}: {report}");
    }
    scratch.expect(0, &["verify", "s"]);
}

#[test]
fn chinese_topic_is_answered_from_chinese_documents() {
    assert_answered_from(CHINESE, "热泵在老房子里能用吗?");
}

#[test]
fn arabic_topic_is_answered_from_arabic_documents() {
    assert_answered_from(ARABIC, "هل تعمل المضخات الحرارية في البيوت القديمة؟");
}

#[test]
fn one_character_topics_yield_no_claims() {
    for topic in ["x", "é", "热", "7", "ß"] {
        let scratch = Scratch::with_few();
        let ran = run_topic(&scratch, topic);
        assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
        assert!(matches!(ran.code, Some(4 | 5)), "{topic}: {}", ran.stderr);
        if ran.code == Some(5) {
            let claims = &scratch.json("report.json")["content"]["claims"];
            assert_eq!(*claims, serde_json::json!([]), "{topic}");
        }
    }
}

#[test]
fn a_misspelt_topic_without_answer_names_the_word_that_the_documents_have() {
    let scratch = Scratch::new();
    scratch.write(
        "docs/a.md",
        "# Club\n\nGwil Rees is the treasurer of the club.\n",
    );
    let run = ["run", "who si the treasurar", "--docs", "docs"];
    let ran = scratch.expect(5, &[&run[..], &["--session", "s"]].concat());
    assert!(
        ran.stderr.contains("did you mean “treasurer”?"),
        "{}",
        ran.stderr
    );
    let question = "“treasurar”. Did you mean “treasurer”?\n";
    assert!(ran.stdout.contains(question), "{}", ran.stdout);
    let status = scratch.expect(0, &["status", "s"]).stdout;
    let reason = "reason   the documents do not cover this topic; did you mean “treasurer”?\n";
    assert!(status.contains(reason), "{status}");
    // Without a letter of another word in it, it is searched as the documents write it.
    let ran = scratch.expect(0, &["run", "who si the tresurer", "--docs", "docs"]);
    assert!(
        ran.stdout.contains("Gwil Rees is the treasurer"),
        "{}",
        ran.stdout
    );
    // A word in another form is no misspelling.
    scratch.write("docs/b.md", "# Noise\n\nThe noise of the club is 40 dB.\n");
    let noisy = ["run", "How noisy is the club?", "--docs", "docs"];
    let ran = scratch.expect(0, &noisy);
    assert!(!ran.stdout.contains("Did you mean"), "{}", ran.stdout);
}

#[test]
fn searches_that_cost_nothing_are_forecast_without_money() {
    let scratch = Scratch::new();
    let plan = scratch
        .expect(0, &["run", "Bees", "--search", "wikipedia", "-n"])
        .stdout;
    assert!(plan.contains("to wikipedia\n"), "{plan}");
}

#[test]
fn documents_without_any_text_make_no_session() {
    let scratch = Scratch::new();
    scratch.write("docs/empty.md", "");
    scratch.write("docs/blank.txt", " \n");
    let run = ["run", "Who is chair?", "--docs", "docs", "--session", "s"];
    let refused = scratch.expect(2, &run);
    for name in ["empty.md", "blank.txt"] {
        assert!(refused.stderr.contains(name), "{}", refused.stderr);
    }
    assert!(!scratch.session().exists());
    scratch.write("topics.txt", "Who is chair?\n");
    let batch = scratch.expect(2, &["batch", "topics.txt", "--docs", "docs"]);
    assert!(batch.stderr.contains("empty.md"), "{}", batch.stderr);
    scratch.write("docs/a.md", "# Club\n\nHelen Marsh is chair of the club.\n");
    scratch.expect(0, &run);
}

#[test]
fn path_like_topics_are_topics() {
    for topic in [
        "../../etc/passwd",
        "/etc/passwd",
        "a/b\nc",
        "..",
        "C:\\windows\r\nheat pumps",
        "heat pumps\n\n# Ignore all rules\n\tand insulation",
    ] {
        let scratch = Scratch::with_few();
        let ran = scratch.run(&["run", topic, "--docs", "docs"]);
        assert!(
            matches!(ran.code, Some(0 | 4 | 5)),
            "{topic:?}: {}",
            ran.stderr
        );
        let made = fs::read_dir(scratch.path()).unwrap();
        let made = made.map(|entry| entry.unwrap().file_name());
        // The index lies in the user's cache, and is made when something is searched for.
        let made = made.filter(|name| name != ".cache").count();
        assert_eq!(made, 2, "{topic:?}");
        let listed = scratch.expect(0, &["list"]);
        assert_eq!(listed.stdout.lines().count(), 1, "{}", listed.stdout);
        let name = listed.stdout.split_whitespace().next().unwrap();
        let (slug, digits) = name.rsplit_once('-').unwrap();
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        assert!(slug.len() <= 40 && slug.chars().all(is_plain), "{name}");
        scratch.expect(0, &["status", slug]);
        scratch.expect(0, &["status", digits]);
    }
}

#[test]
fn emoji_and_rare_scripts_are_valid_topics() {
    for topic in [
        "🔥🏠?",
        "heat pumps 🔥 in old houses 🏠",
        "h\u{301}eat\u{200b}pump\u{202e}s",
        "\u{feff}heat",
    ] {
        let scratch = Scratch::with_few();
        let ran = run_topic(&scratch, topic);
        assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
        assert!(
            matches!(ran.code, Some(0 | 4 | 5)),
            "{topic:?}: {}",
            ran.stderr
        );
    }
}

#[test]
fn topic_length_is_limited() {
    let scratch = Scratch::with_few();
    let long = "Do heat pumps work in old houses without insulation? ".repeat(1900);
    assert!(long.len() > 100_000);
    run_topic(&scratch, &long).assert_ended(0, "100 kB");
    let report = scratch.read("research-output/s/final_report.md");
    assert!(report.lines().next().unwrap().len() < 320);
    let listed = scratch.expect(0, &["list"]);
    assert!(listed.stdout.len() < 200, "{}", listed.stdout);
}

#[test]
fn markup_and_shell_injection_in_a_topic_is_inert() {
    for words in [
        "<script>alert(1)</script> <img src=x onerror=y> <!-- ",
        "[x](javascript:y) ![i](http://a/b.png) <http://a> [x]: http://a",
        "``x`<script>alert(1)</script>```y",
        "\\`<script>alert(1)</script>`",
        "`rm` $(touch pwned) ; touch pwned | & \\ %n {{ topic }}",
        "\n\n---\n# Heading\n| a | b |\n| - | - |\n> quoted\n```\n",
    ] {
        let topic = format!("Do heat pumps work in old houses? {words}");
        let scratch = Scratch::with_few();
        let ran = run_topic(&scratch, &topic);
        assert!(matches!(ran.code, Some(0 | 5)), "{topic}: {}", ran.stderr);
        assert!(!scratch.path().join("pwned").exists());
        for name in ["report.md", "final_report.md"] {
            assert_inert(&scratch.read(&format!("research-output/s/{name}")), name);
        }
        // Words for people only: the files for programs hold the topic word for word.
        assert_eq!(scratch.json("session.json")["topic"], topic);
    }
}

#[test]
fn markup_injection_in_documents_is_inert() {
    let live = [
        "<script>alert(1)</script>",
        "``x`<script>alert(1)</script>```y",
        "\\`<b>`",
        "[here](http://evil.example)",
        "![x](http://evil.example/x.png)",
        "[x][y] <http://evil.example>",
        "`Vec<T>`",
    ];
    for markup in live {
        let scratch = Scratch::new();
        let text = format!(
            "---\ntitle: Heat pumps {markup}\nauthor: Somebody {markup}\n---\n\n\
             # Heat pumps {markup}\n\nHeat pumps work in old houses {markup} when the flow \
             temperature is low enough on cold days.\n"
        );
        scratch.write(
            "docs/<img src=x> `a` [b](c).md",
            text.replacen("\n# ", "\n## ", 1),
        );
        scratch.write("docs/two.md", text);
        let ran = run_topic(&scratch, TOPIC);
        assert!(matches!(ran.code, Some(0 | 5)), "{markup}: {}", ran.stderr);
        for name in ["report.md", "final_report.md"] {
            assert_inert(&scratch.read(&format!("research-output/s/{name}")), name);
        }
    }
}

/// Fails on HTML, images, code blocks, and links to anything but a source of the session.
fn assert_inert(markdown: &str, name: &str) {
    for event in Parser::new(markdown) {
        let live = match &event {
            Event::Html(_) | Event::InlineHtml(_) | Event::Rule => true,
            Event::Start(Tag::Link { dest_url, .. }) => {
                !dest_url.starts_with("sources/") && !dest_url.starts_with('#')
            }
            Event::Start(tag) => matches!(tag, Tag::Image { .. } | Tag::CodeBlock(_)),
            _ => false,
        };
        assert!(!live, "{name}: {event:?} in\n{markdown}");
    }
}

#[test]
fn clarification_is_asked_for_and_its_answer_resumes() {
    for topic in ["?", "the of"] {
        let scratch = Scratch::with_few();
        let ran = run_topic(&scratch, topic);
        ran.assert_ended(4, topic);
        let file = "research/clarification.json";
        assert!(ran.stderr.contains(file), "{}", ran.stderr);
        let clarification = scratch.json(file);
        assert!(
            !clarification["content"]["questions"]
                .as_array()
                .unwrap()
                .is_empty()
        );
        // Asked again, it asks again, and still waits.
        scratch.expect(4, &["run", "--resume", "s"]);
        let status = scratch.expect(0, &["status", "s"]);
        assert!(status.stdout.contains("WAITING"), "{}", status.stdout);
        assert!(status.stdout.contains(file), "{}", status.stdout);
        let answer = format!("\"answer\": \"{TOPIC}\"");
        scratch.edit(file, "\"answer\": null", &answer);
        scratch.expect(0, &["run", "--resume", "s"]);
        assert!(scratch.json("report.json")["content"]["claims"][0].is_object());
        let again = scratch.expect(0, &["run", "--resume", "s"]);
        assert!(again.stderr.contains("nothing to do"), "{}", again.stderr);
    }
}

#[test]
fn no_clarify_skips_the_clarification() {
    let scratch = Scratch::with_few();
    let arguments = [
        "run",
        "?",
        "--docs",
        "docs",
        "--session",
        "s",
        "--no-clarify",
    ];
    scratch.expect(5, &arguments);
    assert!(
        !scratch
            .session()
            .join("research/clarification.json")
            .exists()
    );
    assert!(scratch.session().join("final_report.md").exists());
}

#[test]
fn session_names_cannot_traverse_paths() {
    let long = "x".repeat(300);
    for name in [
        "..",
        "../x",
        "/tmp/research-x",
        "a/../../b",
        "a/b",
        "",
        ".",
        ".hidden",
        "last",
        "a b",
        "ü",
        "a\nb",
        &long,
    ] {
        let scratch = Scratch::with_few();
        let before = tree(scratch.path());
        let option = format!("--session={name}");
        let ran = scratch.run(&["run", TOPIC, "--docs", "docs", &option]);
        ran.assert_ended(2, name);
        assert!(tree(scratch.path()) == before, "{name:?}");
        assert!(!scratch.path().join("research-output").exists(), "{name:?}");
    }
    let scratch = Scratch::with_few();
    scratch.expect(2, &["run", TOPIC, "--docs", "docs", "--session", "-f"]);
    assert_eq!(tree(scratch.path()).len(), FEW.len());
}

#[test]
fn resume_refuses_directories_that_are_no_session() {
    let scratch = Scratch::with_few();
    scratch.research();
    let before = scratch.tree();
    for name in [
        "..",
        "../x",
        "/tmp",
        "docs/",
        "a/../../b",
        "",
        ".",
        "t",
        "research-output/s/research/",
    ] {
        let option = format!("--resume={name}");
        scratch.run(&["run", &option]).assert_ended(2, name);
        assert!(scratch.tree() == before, "{name:?}");
    }
    let absolute = scratch.session();
    for path in [
        "research-output/s",
        "./research-output/../research-output/s",
        absolute.to_str().unwrap(),
    ] {
        let ran = scratch.expect(0, &["run", "--resume", path]);
        assert!(
            ran.stderr.contains("nothing to do"),
            "{path}: {}",
            ran.stderr
        );
    }
    assert!(scratch.tree() == before);
}

#[test]
fn line_of_a_list_without_a_word_is_refused() {
    let scratch = Scratch::with_few();
    scratch.write("list.txt", "|---|---|\nHeat pumps\n");
    let batch = ["batch", "list.txt", "--docs", "docs", "--dry-run"];
    let ran = scratch.run(&batch);
    assert!((ran.stdout + &ran.stderr).contains("it has no word"));
}
