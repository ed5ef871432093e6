//! The ways in which a gate can be damaged.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;

use rustix::fs::{CWD, FileType, Mode, mknodat};

use super::session::Session;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Damage {
    Truncated,
    Empty,
    NotJson,
    NotUtf8,
    WrongStage,
    UnknownVersion,
    UnknownField,
    TrailingBytes,
    Nested,
    TooLarge,
    Directory,
    Link,
    DanglingLink,
    Fifo,
}

pub(crate) const ALL: [Damage; 14] = [
    Damage::Truncated,
    Damage::Empty,
    Damage::NotJson,
    Damage::NotUtf8,
    Damage::WrongStage,
    Damage::UnknownVersion,
    Damage::UnknownField,
    Damage::TrailingBytes,
    Damage::Nested,
    Damage::TooLarge,
    Damage::Directory,
    Damage::Link,
    Damage::DanglingLink,
    Damage::Fifo,
];

impl Damage {
    /// `true` if the error has a line and a column.
    pub(crate) fn has_position(self) -> bool {
        matches!(
            self,
            Self::Truncated
                | Self::Empty
                | Self::NotJson
                | Self::NotUtf8
                | Self::UnknownVersion
                | Self::UnknownField
                | Self::TrailingBytes
                | Self::Nested
        )
    }

    /// A part of the error message.
    pub(crate) fn message(self) -> &'static str {
        match self {
            Self::Truncated | Self::Empty => "EOF while parsing",
            Self::NotJson | Self::NotUtf8 => "expected value",
            Self::WrongStage => "belongs to",
            Self::UnknownVersion => "version 7 of this file is not known",
            Self::UnknownField => "unknown field `surprise`",
            Self::TrailingBytes => "trailing characters",
            Self::Nested => "invalid type",
            Self::TooLarge => "larger than the 64 MiB",
            Self::Directory | Self::Fifo => "not a regular file",
            Self::Link | Self::DanglingLink => "symbolic link",
        }
    }

    /// Damages a gate; a link leads to the intact gate in `outside`.
    pub(crate) fn apply(self, session: &Session, gate: &str, outside: &Path) {
        let path = session.at(gate);
        let text = session.read(gate);
        let stage = session.artifact(gate).provenance.stage;
        match self {
            Self::Truncated => session.write(gate, &text[..text.len() / 2]),
            Self::Empty => session.write(gate, ""),
            Self::NotJson => session.write(gate, "<html>not found</html>"),
            Self::NotUtf8 => fs::write(path, b"\xff\xfe\x00{").unwrap(),
            Self::WrongStage => session.edit(
                gate,
                &format!("\"stage\": \"{stage}\""),
                "\"stage\": \"another\"",
            ),
            Self::UnknownVersion => session.edit(gate, "\"version\": 1", "\"version\": 7"),
            Self::UnknownField => session.edit(gate, "{", "{ \"surprise\": 1,"),
            Self::TrailingBytes => session.write(gate, &format!("{text}{text}")),
            Self::Nested => {
                let nested = format!("\"version\": {}", "[".repeat(100_000));
                session.edit(gate, "\"version\": 1", &nested);
            }
            Self::TooLarge => File::options()
                .write(true)
                .open(path)
                .and_then(|file| file.set_len((64 << 20) + 1))
                .unwrap(),
            Self::Directory => {
                session.remove(gate);
                fs::create_dir(&path).unwrap();
                fs::write(path.join("inside"), "x").unwrap();
            }
            Self::Link => {
                let target = outside.join("target.json");
                fs::rename(&path, &target).unwrap();
                symlink(&target, &path).unwrap();
            }
            Self::DanglingLink => {
                session.remove(gate);
                symlink(outside.join("nothing"), &path).unwrap();
            }
            Self::Fifo => {
                session.remove(gate);
                make_fifo(&path);
            }
        }
    }
}

pub(crate) fn make_fifo(path: &Path) {
    mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
}
