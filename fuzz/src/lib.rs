//! The parts that fuzz targets share: documents that are read as the program reads them, with the
//! promises of its readers checked.

use std::fs;
use std::io::{self, Cursor, Write as _};
use std::panic;
use std::path::Path;
use std::process;
use std::sync::Once;

use research::read::{Isolation, Kinds, Reader};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A finished session.
pub const SESSION: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../tests/golden/heat-pumps/session"
);

/// The largest text out of a document, in bytes: small, so that inputs that grow end soon.
const MAX_BYTES: u64 = 1 << 20;

/// The longest text that a limit of `MAX_BYTES` allows: as in the pool of readers, since records
/// are written with the names of their fields.
const MAX_TEXT: usize = 4 * MAX_BYTES as usize;

/// Reads a document of the kind of this name.
pub fn read(kind: &str, bytes: &[u8]) {
    let kinds = Kinds::built_in();
    let Some(kind) = kinds.iter().find(|own| own.name == kind) else {
        panic!("{kind} is no kind of document");
    };
    // A panic of a library's parser costs one document, in a child process: no finding. One of our
    // own code is, and so is any in a reader that runs in the program's own process.
    if kind.isolation != Isolation::None {
        tolerate_panics_of_libraries();
    }
    let reader = Reader {
        max_bytes: MAX_BYTES,
        keeps_links: bytes.len() % 2 == 1,
        ..Reader::in_process()
    };
    let Ok(document) = reader.read_bytes(Path::new("document"), kind, bytes, None) else {
        return;
    };
    let control = |c: char| c.is_control() && c != '\n' && c != '\t';
    assert!(!document.text.contains(control), "a control character in {:?}", document.text);
    assert!(document.text.ends_with('\n'), "no line end at the end: {:?}", document.text);
    assert!(document.text.len() <= MAX_TEXT, "{} bytes of text", document.text.len());
    assert!(!document.title.trim().is_empty(), "no title: {:?}", document.text);
}

/// Ends the process at a panic only if it is in our own code. libFuzzer's hook ends it at each.
fn tolerate_panics_of_libraries() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let default = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let file = info.location().map_or("", |location| location.file());
            if !file.contains("/registry/") && !file.contains("/rustc/") {
                default(info);
                process::abort();
            }
        }));
    });
}

/// The bytes as they are if they begin as a zip archive, else an archive of these parts, in which
/// `{}` stands for the bytes: so the fuzzer sees the XML inside and need not find checksums.
pub fn archive(bytes: &[u8], parts: &[(&str, &str)]) -> Vec<u8> {
    if bytes.starts_with(b"PK") {
        return bytes.to_vec();
    }
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        let started = zip.start_file(*name, SimpleFileOptions::default());
        started.expect("a name of our own");
        let (before, after) = text.split_once("{}").unwrap_or((text, ""));
        let inside: &[u8] = if text.contains("{}") { bytes } else { b"" };
        for piece in [before.as_bytes(), inside, after.as_bytes()] {
            zip.write_all(piece).expect("memory takes everything");
        }
    }
    zip.finish().expect("memory takes everything").into_inner()
}

/// One of several, chosen by the first byte, and the other bytes.
pub fn choice<'a, T>(bytes: &'a [u8], of: &'a [T]) -> Option<(&'a T, &'a [u8])> {
    let (first, rest) = bytes.split_first()?;
    Some((&of[usize::from(*first) % of.len()], rest))
}

/// Copies a directory with all that is in it.
///
/// # Errors
/// When a file cannot be read or written.
pub fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
