//! Files that are read: decompressed, or memory-mapped.

use crate::{Failure, shown};
use flate2::read::MultiGzDecoder;
use memmap2::Mmap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// The most that [`read`] takes of a file, in MiB: forty times the largest catalogue known, and
/// less than the memory of most computers.
pub const DEFAULT_MIB: u64 = 1_024;

/// Reads a file of at most [`DEFAULT_MIB`], and decompresses it if its content is gzip, whatever
/// its name.
///
/// # Errors
/// As for [`read_within`].
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    read_within(path, DEFAULT_MIB, "divide it into several files")
}

/// Reads a file of at most `mib` MiB, and decompresses it if its content is gzip, whatever its
/// name. A few megabytes of gzip can hold many gigabytes. `remedy` is the advice about a longer
/// one.
///
/// # Errors
/// If it cannot be read, is longer, or the gzip data is cut short or damaged.
pub fn read_within(path: &Path, mib: u64, remedy: &str) -> Result<Vec<u8>, Failure> {
    let mut file = File::open(path).map_err(|error| Failure::file("read", path, &error))?;
    let most = mib.saturating_mul(1 << 20);
    let mut beginning = Vec::new();
    file.by_ref()
        .take(2)
        .read_to_end(&mut beginning)
        .map_err(|error| Failure::file("read", path, &error))?;
    let packed = beginning == [0x1f, 0x8b];
    let whole = io::Cursor::new(beginning).chain(file);
    let mut bytes = Vec::new();
    let read = if packed {
        let unpacked = MultiGzDecoder::new(BufReader::new(whole));
        unpacked
            .take(most.saturating_add(1))
            .read_to_end(&mut bytes)
    } else {
        whole.take(most.saturating_add(1)).read_to_end(&mut bytes)
    };
    if bytes.len() as u64 > most {
        return Err(Failure::new(format!(
            "{}: it has more than {mib} MiB{}: {remedy}",
            name(path),
            if packed { " when decompressed" } else { "" }
        )));
    }
    match read {
        Ok(_) => Ok(bytes),
        Err(error) if !packed || error.raw_os_error().is_some() => {
            Err(Failure::file("read", path, &error))
        }
        Err(error) => {
            let how = if error.kind() == io::ErrorKind::UnexpectedEof {
                "cut short"
            } else {
                "damaged"
            };
            Err(Failure::new(format!(
                "{}: this gzip file is {how} ({error}): fetch or pack it again",
                name(path)
            )))
        }
    }
}

/// Opens a file to be read from its beginning to its end, decompressed if its content is gzip,
/// whatever its name. Nothing of it is held in memory.
///
/// # Errors
/// If it cannot be opened or read.
pub fn stream(path: &Path) -> Result<Box<dyn BufRead>, Failure> {
    let failed = |error: io::Error| Failure::file("read", path, &error);
    let mut file = BufReader::new(File::open(path).map_err(failed)?);
    let packed = file.fill_buf().map_err(failed)?.starts_with(&[0x1f, 0x8b]);
    Ok(if packed {
        Box::new(BufReader::new(MultiGzDecoder::new(file)))
    } else {
        Box::new(file)
    })
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
            name(path)
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
    // read-only, this process never writes an index in place (`output::place` renames a new file over
    // the old one, which leaves the mapped one as it was), and another process that alters an index
    // in place breaks a rule that the help text of `--catalogue` states.
    unsafe { Mmap::map(file) }
}

/// The path as messages show it, without characters that act on a terminal.
#[must_use]
pub fn name(path: &Path) -> String {
    shown(&path.to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::{DEFAULT_MIB, read, read_within};
    use std::fs;
    use std::io::Write;

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

    #[test]
    fn content_is_bounded_packed_or_not() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let [plain, packed] = ["plain", "packed"].map(|name| folder.path().join(name));
        let zeros = vec![0; (2 << 20) + 1];
        fs::write(&plain, &zeros).expect("writable");
        let file = fs::File::create(&packed).expect("writable");
        let mut packer = flate2::write::GzEncoder::new(file, flate2::Compression::best());
        packer.write_all(&zeros).expect("writable");
        packer.finish().expect("writable");
        for path in [&plain, &packed] {
            assert!(read_within(path, 2, "stop").is_err());
            assert_eq!(read_within(path, 3, "stop").expect("it fits"), zeros);
        }
        assert!(read_within(&plain, DEFAULT_MIB, "stop").is_ok());
    }
}
