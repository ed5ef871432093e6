//! What a terminal shows: rendered reports, a pager, colors.

use super::{finished, printed_report};
use crate::harness::{Ran, skipped};

#[test]
fn report_on_a_terminal_is_rendered_and_hostile_sequences_stay_inert() {
    let scratch = finished();
    let report = scratch.read("research-output/s/final_report.md");
    let hostile = "\u{1b}]0;title\u{7} &#27;[2J **bold words** and\n\n| one | two |\n\
                   |---|---|\n| 1 | 2 |\n\n[a](javascript:alert) [b](file:///etc/passwd) \
                   [c](../../../../etc/passwd)\n";
    scratch.write(
        "research-output/s/final_report.md",
        format!("{report}\n{hostile}"),
    );
    let show = ["show", "s", "--no-pager"];
    let Some(shown) = scratch.on_terminal(&show, &[], "") else {
        return skipped("there is no `script`");
    };
    assert!(shown.contains("\u{1b}[1mbold words"), "{shown:?}");
    assert!(shown.contains("\u{1b}]8;;file://"), "{shown:?}");
    assert!(!shown.contains("](research-output"), "{shown:?}");
    // No address is broken by a line break.
    for link in shown.split("\u{1b}]8;;").skip(1) {
        let address = link.split('\u{1b}').next().unwrap();
        assert!(!address.contains(char::is_whitespace), "{address:?}");
        let is_own = !address.contains("passwd") && !address.starts_with("javascript");
        assert!(is_own, "{address:?}");
    }
    assert!(
        !shown.contains("\u{1b}]0;") && !shown.contains("\u{1b}[2J"),
        "{shown:?}"
    );
    assert!(shown.contains("one  two"), "{shown:?}");
    let plain = scratch.on_terminal(&[&show[..], &["--color", "never"]].concat(), &[], "");
    let plain = plain.unwrap();
    assert!(
        !plain.contains('\u{1b}') && plain.contains("bold words"),
        "{plain:?}"
    );
    // The message that the report was changed by hand is no part of it.
    for line in plain.lines().filter(|line| !line.starts_with("research: ")) {
        assert!(line.trim_end().chars().count() <= 80, "{line:?}");
    }
    let dumb = scratch.on_terminal(&show, &[("TERM", "dumb")], "").unwrap();
    assert!(dumb.contains("## In brief"), "{dumb:?}");
}

#[test]
fn long_report_goes_through_the_pager_of_a_terminal_only() {
    let scratch = finished();
    let pager = [("PAGER", "sed s/^/paged:/")];
    let Some(shown) = scratch.on_terminal(&["show", "s"], &pager, "") else {
        return skipped("there is no `script`");
    };
    assert!(
        shown.lines().all(|line| line.starts_with("paged:")),
        "{shown:?}"
    );
    let shown = scratch
        .on_terminal(&["show", "s", "--no-pager"], &pager, "")
        .unwrap();
    assert!(!shown.contains("paged:"), "{shown:?}");
    let missing = [("PAGER", "no-such-program-here")];
    let shown = scratch.on_terminal(&["show", "s"], &missing, "").unwrap();
    assert!(shown.contains("In brief"), "{shown:?}");
    assert_eq!(
        scratch.expect(0, &["show", "s"]).stdout,
        printed_report(&scratch)
    );
}

#[test]
fn ctrl_c_in_the_pager_is_left_to_the_pager() {
    let scratch = finished();
    let pager = [("PAGER", "kill -INT $PPID; sed s/^/paged:/")];
    for command in [&["show", "s"][..], &["run", "--resume", "s"]] {
        let Some(shown) = scratch.on_terminal(command, &pager, "") else {
            return skipped("there is no `script`");
        };
        let pages = shown.lines().filter(|line| line.starts_with("paged:"));
        assert!(pages.count() > 24, "{shown:?}");
    }
}

#[test]
fn colors_follow_the_option_then_the_environment() {
    let scratch = finished();
    let colored = |arguments: &[&str], environment: &[(&str, &str)]| {
        let mut command = scratch.command(arguments);
        let ran = Ran::from(command.envs(environment.iter().copied()).output().unwrap());
        (ran.stdout + &ran.stderr).contains('\u{1b}')
    };
    assert!(!colored(&["doctor"], &[]));
    assert!(colored(&["doctor", "--color", "always"], &[]));
    assert!(colored(&["doctor"], &[("CLICOLOR_FORCE", "1")]));
    assert!(!colored(
        &["doctor", "--color=never"],
        &[("CLICOLOR_FORCE", "1")]
    ));
    assert!(colored(&["status", "nope", "--color", "always"], &[]));
    assert!(colored(&["--help", "--color", "always"], &[]));
    assert!(!colored(&["--help"], &[("NO_COLOR", "1")]));
    for command in [
        &["list"][..],
        &["status"],
        &["status", "s"],
        &["verify", "s"],
    ] {
        assert!(!colored(command, &[]), "{command:?}");
        assert!(colored(command, &[("CLICOLOR_FORCE", "1")]), "{command:?}");
        let never = [command, &["--color", "never"]].concat();
        assert!(!colored(&never, &[("CLICOLOR_FORCE", "1")]), "{command:?}");
    }
}
