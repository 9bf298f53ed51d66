//! Files: read and decompressed, memory-mapped, or written atomically.

use crate::Failure;
use flate2::read::MultiGzDecoder;
use memmap2::Mmap;
use std::borrow::Cow;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

/// Reads a file, and decompresses it if its content is gzip, whatever its name.
///
/// # Errors
/// If it cannot be read, or the gzip data is cut short or damaged.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let bytes = fs::read(path).map_err(|error| Failure::file("read", path, &error))?;
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(bytes);
    }
    let mut unpacked = Vec::new();
    match MultiGzDecoder::new(bytes.as_slice()).read_to_end(&mut unpacked) {
        Ok(_) => Ok(unpacked),
        Err(error) => {
            let how = if error.kind() == io::ErrorKind::UnexpectedEof {
                "cut short"
            } else {
                "damaged"
            };
            Err(Failure::new(format!(
                "{}: this gzip file is {how} ({error}): fetch or pack it again",
                path.display()
            )))
        }
    }
}

/// Decompresses a gzip file that is built into the program.
///
/// # Errors
/// If the program is damaged.
pub fn unpacked(bytes: &[u8]) -> Result<Vec<u8>, Failure> {
    let mut unpacked = Vec::new();
    match MultiGzDecoder::new(bytes).read_to_end(&mut unpacked) {
        Ok(_) => Ok(unpacked),
        Err(error) => Err(Failure::new(format!(
            "the built-in tables are damaged ({error}): install titledex again"
        ))),
    }
}

/// Maps a file into memory.
///
/// # Errors
/// If it cannot be opened or mapped, or is not a regular file.
pub fn map(path: &Path) -> Result<Mmap, Failure> {
    let file = File::open(path).map_err(|error| Failure::file("open", path, &error))?;
    let metadata = file
        .metadata()
        .map_err(|error| Failure::file("open", path, &error))?;
    if !metadata.is_file() {
        return Err(Failure::new(format!(
            "{}: this is not a regular file: name an index that `titledex catalogue build` wrote",
            path.display()
        )));
    }
    map_file(&file).map_err(|error| Failure::file("map", path, &error))
}

#[allow(
    unsafe_code,
    reason = "mapping a file is unsafe in every crate that offers it"
)]
fn map_file(file: &File) -> io::Result<Mmap> {
    // SAFETY: the bytes must not change while they are mapped. The mapping is private and
    // read-only, this process never writes an index in place (`write_whole` renames a new file over
    // the old one, which leaves the mapped one as it was), and another process that alters an index
    // in place breaks a rule that the help text of `--catalogue` states.
    unsafe { Mmap::map(file) }
}

/// Writes a file atomically: into a temporary file in the same folder, which is then renamed.
///
/// # Errors
/// If the file cannot be written; what was at `path` before is then unchanged.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let Some(name) = path.file_name() else {
        return Err(Failure::new(format!(
            "cannot write {}: name a file",
            path.display()
        )));
    };
    if path.is_dir() {
        return Err(Failure::new(format!(
            "cannot write {}: it is a folder: name a file in it",
            path.display()
        )));
    }
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return Err(Failure::new(format!(
            "cannot write {}: there is no folder {}: make it first",
            path.display(),
            folder.display()
        )));
    }
    let beside = folder.join(format!(
        ".{}.{}.tmp",
        name.to_string_lossy(),
        std::process::id()
    ));
    let written = write_new(&beside, bytes).and_then(|()| fs::rename(&beside, path));
    written.map_err(|error| {
        let _ = fs::remove_file(&beside);
        Failure::file("write", path, &error)
    })
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// The path as messages show it.
pub fn name(path: &Path) -> Cow<'_, str> {
    path.to_string_lossy()
}

/// Whether both paths name the same existing file.
pub fn same(one: &Path, other: &Path) -> bool {
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{read, same, write_whole};
    use std::fs;
    use std::io::Write;

    #[test]
    fn write_whole_replaces_the_file_and_leaves_no_temporary_file() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("x");
        write_whole(&path, b"one").expect("writable");
        write_whole(&path, b"two").expect("writable");
        assert_eq!(read(&path).expect("readable"), b"two");
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 1);
        assert!(same(&path, &folder.path().join(".").join("x")));
        assert!(write_whole(&folder.path().join("no/such"), b"").is_err());
        assert!(write_whole(folder.path(), b"").is_err());
    }

    #[test]
    fn read_detects_gzip_by_content_and_refuses_a_truncated_file() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("packed.csv");
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        packer.write_all(b"a long enough text").expect("memory");
        let packed = packer.finish().expect("memory");
        fs::write(&path, &packed).expect("writable");
        assert_eq!(read(&path).expect("readable"), b"a long enough text");
        fs::write(&path, &packed[..packed.len() - 9]).expect("writable");
        assert!(read(&path).is_err());
    }
}
