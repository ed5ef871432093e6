//! Sessions as directories: their names, opening, lookup and listing. Nothing here runs a stage.

mod documents;
mod file;
mod key;
mod layout;
mod lookup;
mod name;
mod names;
mod open;
mod removal;

pub use documents::{documents, documents_elsewhere, holds, inherited, name_documents};
pub use file::{FILE, read};
pub use key::{NewSession, SessionKey, SessionPath, WebScope, check_topic, locate};
pub use layout::{Layout, output_dir_of, path, shard};
pub use lookup::{ids, is_remnant, is_session, possible_ids, remnant, resolve};
pub use name::check_name;
pub use names::SessionNames;
pub use open::{Opened, ReviewTerms, draft, open_for_run, open_or_create};
pub use removal::{followers, leftovers, remove, remove_leftover, rename, size};

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;
    use crate::artifact;
    use crate::artifact::session::{Depth, Mode, Style};
    use crate::pipeline::{Clock, Disk};

    fn new_session(topic: &str) -> NewSession {
        NewSession {
            topic: topic.to_owned(),
            mode: Mode::default(),
            depth: Depth::Auto,
            documents: Vec::new(),
            follows: None,
            inherited: Vec::new(),
            web: WebScope::default(),
            style: Style::default(),
        }
    }

    fn terms() -> ReviewTerms {
        ReviewTerms {
            threshold: 0.6,
            max_rounds: 3,
            clarify: true,
            owner: "local".to_owned(),
            first_run: None,
            messages: Vec::new(),
        }
    }

    fn make(output_dir: &Path, topic: &str, name: Option<&str>) -> PathBuf {
        let (new, clock) = (new_session(topic), Clock::default());
        let session = locate(output_dir, &new, name).unwrap();
        open_or_create(&session.path, &new, &terms(), &Disk::default(), clock).unwrap();
        session.path
    }

    #[test]
    fn equal_keys_are_the_same_session() {
        let folder = tempfile::tempdir().unwrap();
        let pumps = make(folder.path(), "heat pumps", None);
        assert_eq!(make(folder.path(), "heat pumps", None), pumps);
        assert_ne!(make(folder.path(), "bees", None), pumps);
        assert_eq!(ids(folder.path()).unwrap().len(), 2);
    }

    #[test]
    fn hash_collision_in_the_first_digits_gets_a_longer_name() {
        let folder = tempfile::tempdir().unwrap();
        let first = make(folder.path(), "heat pumps", None);
        let mut other = read(&first).unwrap();
        other.topic = "bees".to_owned();
        fs::write(first.join(FILE), artifact::to_bytes(&other).unwrap()).unwrap();
        let second = make(folder.path(), "heat pumps", None);
        assert_ne!(first, second);
        assert_eq!(make(folder.path(), "heat pumps", None), second);
    }

    #[test]
    fn sessions_with_names_of_older_versions_are_found_by_their_key() {
        let folder = tempfile::tempdir().unwrap();
        let new = make(folder.path(), "heat pumps", None);
        let digits = new.to_str().unwrap().rsplit_once('-').unwrap().1;
        for old in [format!("20261121-{digits}"), format!("20261121-{digits}9")] {
            let old = folder.path().join(format!("research-{old}"));
            fs::rename(&new, &old).unwrap();
            assert_eq!(make(folder.path(), "heat pumps", None), old);
            assert_eq!(resolve(folder.path(), digits).unwrap(), old);
            fs::rename(&old, &new).unwrap();
        }
    }

    #[test]
    fn session_names_with_path_traversal_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        for name in [
            "..",
            "../x",
            "/etc",
            "a/b",
            "",
            ".hidden",
            "-f",
            "a\nb",
            "last",
            "ü",
            &"x".repeat(101),
        ] {
            let refused = locate(folder.path(), &new_session("bees"), Some(name));
            assert!(refused.is_err(), "{name:?}");
        }
        assert!(make(folder.path(), "bees", Some("my-bees_1.0")).ends_with("my-bees_1.0"));
        let other = locate(folder.path(), &new_session("wasps"), Some("my-bees_1.0"));
        assert!(other.unwrap_err().to_string().contains("another topic"));
    }

    #[test]
    fn a_session_is_resolved_by_path_name_beginning_digits_and_last() {
        let folder = tempfile::tempdir().unwrap();
        let bees = make(folder.path(), "bees", Some("bees"));
        make(folder.path(), "beetles", Some("beetles"));
        let find = |reference: &str| resolve(folder.path(), reference);
        assert_eq!(find("bees").unwrap(), bees);
        assert_eq!(find(bees.to_str().unwrap()).unwrap(), bees);
        assert!(find("beet").unwrap().ends_with("beetles"));
        assert!(find("bee").unwrap_err().to_string().contains("2 sessions"));
        let short = find("b").unwrap_err().to_string();
        assert!(short.contains("2 sessions"), "{short}");
        fs::remove_dir_all(&bees).unwrap();
        let short = find("bee").unwrap_err().to_string();
        assert!(short.contains("beetles"), "{short}");
        assert!(find("wasps").is_err());
        assert!(find("").is_err());
        assert!(find("last").is_ok());
        assert!(find("..").is_err());
        let pumps = make(folder.path(), "heat pumps", None);
        let name = pumps.file_name().unwrap().to_str().unwrap();
        let (slug, digits) = name.rsplit_once('-').unwrap();
        assert_eq!(slug, "heat-pumps");
        for reference in [name, slug, "heat", digits, &digits[..4]] {
            assert_eq!(find(reference).unwrap(), pumps, "{reference}");
        }
        assert!(find(&digits[..3]).is_err());
        assert!(find(&digits[1..]).is_err());
    }
}
