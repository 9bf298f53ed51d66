//! Files that are written: each appears when it is complete, and none takes the place of an input.

use crate::Failure;
use crate::files::name;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Where output goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// Standard output: `-`, or a path that leads there, as `/dev/stdout` does.
    Standard,
    /// A pipe or a device, which takes bytes as they come.
    Special(PathBuf),
    /// A regular file, there or not, at a path without symbolic links.
    File(PathBuf),
}

impl Destination {
    /// Where `path` leads.
    ///
    /// # Errors
    /// If nothing can be written there: a folder, a disk, a file that is read-only, a link that
    /// leads nowhere, or a folder that is missing.
    pub fn of(path: &Path) -> Result<Self, Failure> {
        if path == Path::new("-") {
            return Ok(Self::Standard);
        }
        let refused = |why: &str| Err(Failure::new(format!("cannot write {}: {why}", name(path))));
        let metadata = match fs::metadata(path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                if path.symlink_metadata().is_ok() {
                    return refused("it is a link that leads nowhere: name the file itself");
                }
                if path.file_name().is_none() {
                    return refused("name a file");
                }
                let folder = folder_of(path);
                if !folder.is_dir() {
                    return refused(&format!(
                        "there is no folder {}: make it first",
                        name(folder)
                    ));
                }
                return Ok(Self::File(path.to_owned()));
            }
            Err(error) => return Err(Failure::file("write", path, &error)),
        };
        if metadata.is_dir() {
            return refused("it is a folder: name a file in it");
        }
        if is_disk(&metadata) {
            return refused("it is a disk, and all that is on it would be lost: name a file");
        }
        if standard_output().is_some_and(|out| same_file(&out, &metadata)) {
            return Ok(Self::Standard);
        }
        if !metadata.is_file() {
            return Ok(Self::Special(path.to_owned()));
        }
        if metadata.permissions().readonly() {
            return refused("it is read-only: make it writable, or give another name");
        }
        fs::canonicalize(path)
            .map(Self::File)
            .map_err(|error| Failure::file("write", path, &error))
    }
}

/// Refuses an `output` that is one of the `inputs` under whatever name: a hard or symbolic link,
/// another mount, a descriptor. An input of `-` is standard input.
///
/// Terminals, `/dev/null` and sockets are never refused: they hold nothing that could be lost.
///
/// # Errors
/// If it is one of them.
pub fn refuse_inputs<'p>(
    output: &Path,
    inputs: impl IntoIterator<Item = &'p Path>,
) -> Result<(), Failure> {
    let standard = Path::new("-");
    let of = |path: &Path, standard_stream: fn() -> Option<Metadata>| {
        if path == standard {
            standard_stream()
        } else {
            fs::metadata(path).ok()
        }
    };
    let Some(written) = of(output, standard_output).filter(holds_something) else {
        return Ok(());
    };
    for input in inputs {
        let Some(read) = of(input, standard_input) else {
            continue;
        };
        if same_file(&written, &read) || same_path(output, input) {
            let input = if input == standard {
                "standard input".to_owned()
            } else {
                name(input)
            };
            return Err(Failure::new(format!(
                "{input}: the output would overwrite an input: give -o another name"
            )));
        }
    }
    Ok(())
}

/// Refuses `outputs` of which one is one of the `inputs`, as [`refuse_inputs`] does, or two are one
/// file, there or not yet: the second would take the first's place.
///
/// # Errors
/// If one is an input, or two are the same.
pub fn refuse_outputs<'p>(
    outputs: &[&Path],
    inputs: impl IntoIterator<Item = &'p Path> + Clone,
) -> Result<(), Failure> {
    for (at, output) in outputs.iter().enumerate() {
        refuse_inputs(output, inputs.clone())?;
        if outputs[..at]
            .iter()
            .any(|other| is_one_output(output, other))
        {
            return Err(Failure::new(format!(
                "{}: two outputs would be one file: give each a name of its own",
                name(output)
            )));
        }
    }
    Ok(())
}

/// Whether two outputs are one.
fn is_one_output(one: &Path, other: &Path) -> bool {
    let standard = Path::new("-");
    if one == standard || other == standard {
        return one == other;
    }
    match (fs::metadata(one), fs::metadata(other)) {
        (Ok(one_is), Ok(other_is)) => {
            holds_something(&one_is) && (same_file(&one_is, &other_is) || same_path(one, other))
        }
        (Err(_), Err(_)) => {
            one.file_name() == other.file_name() && same_path(folder_of(one), folder_of(other))
        }
        _ => false,
    }
}

/// Options that make a file which takes the place of `path`: readable by nobody who cannot read what
/// is there.
pub fn options_for(path: &Path) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    if let Ok(before) = fs::metadata(path) {
        use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
        options.mode(before.permissions().mode() & 0o777);
    }
    #[cfg(not(unix))]
    let _ = path;
    options
}

/// Whether writing could destroy something: regular files, and pipes, which would read what they
/// write.
fn holds_something(metadata: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        metadata.is_file() || metadata.file_type().is_fifo()
    }
    #[cfg(not(unix))]
    metadata.is_file()
}

/// Whether both are one file: by device and inode, which neither links nor mounts change.
#[cfg(unix)]
pub fn same_file(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Not determined on this platform; see [`same_path`].
#[cfg(not(unix))]
fn same_file(_: &Metadata, _: &Metadata) -> bool {
    false
}

/// Whether both paths lead to one file by their names alone.
fn same_path(one: &Path, other: &Path) -> bool {
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// Whether it is a block device.
fn is_disk(metadata: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        metadata.file_type().is_block_device()
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        false
    }
}

/// What standard input is, where the platform tells.
pub(crate) fn standard_input() -> Option<Metadata> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        let stream = io::stdin().as_fd().try_clone_to_owned().ok()?;
        File::from(stream).metadata().ok()
    }
    #[cfg(not(unix))]
    None
}

/// What standard output is, where the platform tells.
fn standard_output() -> Option<Metadata> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        let stream = io::stdout().as_fd().try_clone_to_owned().ok()?;
        File::from(stream).metadata().ok()
    }
    #[cfg(not(unix))]
    None
}

fn folder_of(path: &Path) -> &Path {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// A file on its way: written under another name in the same folder, and renamed when it is
/// complete. Dropped before that, it is gone, and what was at its path is as it was.
#[derive(Debug)]
pub struct NewFile {
    file: File,
    temporary: PathBuf,
    path: PathBuf,
    complete: bool,
}

impl NewFile {
    /// A new file for `path`, which is a [`Destination::File`].
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn create(path: &Path) -> Result<Self, Failure> {
        let of = path.file_name().unwrap_or_default().to_string_lossy();
        let temporary = folder_of(path).join(format!(".{of}.{}.tmp", std::process::id()));
        let file = options_for(path)
            .create_new(true)
            .open(&temporary)
            .map_err(|error| Failure::file("write", path, &error))?;
        Ok(Self {
            file,
            temporary,
            path: path.to_owned(),
            complete: false,
        })
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// If that fails. The file is gone then.
    pub fn complete(mut self) -> Result<(), Failure> {
        place(&self.file, &self.temporary, &self.path)?;
        self.complete = true;
        Ok(())
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if !self.complete {
            // It may be gone with its folder.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// Puts the complete `file`, which lies at `temporary`, in the place of what is at `path`, if
/// anything, and gives it the permissions of that.
///
/// # Errors
/// If that fails; `path` is as it was.
pub fn place(file: &File, temporary: &Path, path: &Path) -> Result<(), Failure> {
    let done = || -> io::Result<()> {
        if let Ok(before) = fs::metadata(path) {
            file.set_permissions(before.permissions())?;
        }
        file.sync_all()?;
        fs::rename(temporary, path)
    };
    done().map_err(|error| Failure::file("write", path, &error))?;
    // So that the name survives a loss of power. Some file systems cannot, and the file is there.
    #[cfg(unix)]
    let _ = File::open(folder_of(path)).and_then(|folder| folder.sync_all());
    Ok(())
}

/// Writes `bytes` to where `path` leads; to a file whole, or not at all.
///
/// # Errors
/// If they cannot be written.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    match Destination::of(path)? {
        Destination::Standard => {
            let mut out = io::stdout().lock();
            out.write_all(bytes)?;
            Ok(out.flush()?)
        }
        Destination::Special(path) => OpenOptions::new()
            .write(true)
            .open(&path)
            .and_then(|mut special| special.write_all(bytes))
            .map_err(|error| Failure::file("write", &path, &error)),
        Destination::File(path) => {
            let mut file = NewFile::create(&path)?;
            file.write_all(bytes)
                .map_err(|error| Failure::file("write", &path, &error))?;
            file.complete()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Destination, NewFile, refuse_inputs, refuse_outputs, write_whole};
    use std::fs;
    use std::io::Write;
    use std::path::Path;

    #[test]
    fn write_whole_replaces_the_file_and_leaves_no_temporary_file() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("x");
        write_whole(&path, b"one").expect("writable");
        write_whole(&path, b"two").expect("writable");
        assert_eq!(fs::read(&path).expect("readable"), b"two");
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 1);
        assert!(write_whole(&folder.path().join("no/such"), b"").is_err());
        assert!(write_whole(folder.path(), b"").is_err());
    }

    #[test]
    fn file_that_is_not_completed_leaves_what_was_there() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("x");
        fs::write(&path, b"before").expect("writable");
        let mut file = NewFile::create(&path).expect("writable");
        file.write_all(b"half").expect("writable");
        drop(file);
        assert_eq!(fs::read(&path).expect("readable"), b"before");
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn replaced_file_keeps_its_permissions_and_its_link() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().expect("a temporary folder");
        let [path, link, lost] = ["x", "link", "lost"].map(|name| folder.path().join(name));
        fs::write(&path, b"secret").expect("writable");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("it is ours");
        symlink(&path, &link).expect("writable");
        let mode_of = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
        let on_its_way = NewFile::create(&path).expect("writable");
        assert_eq!(mode_of(&on_its_way.temporary), 0o600);
        drop(on_its_way);
        write_whole(&link, b"new").expect("writable");
        assert_eq!(fs::read(&path).expect("readable"), b"new");
        assert_eq!(mode_of(&path), 0o600);
        assert!(link.symlink_metadata().expect("there").is_symlink());

        symlink(folder.path().join("nowhere"), &lost).expect("writable");
        assert!(Destination::of(&lost).is_err());
        fs::set_permissions(&path, fs::Permissions::from_mode(0o400)).expect("it is ours");
        assert!(Destination::of(&path).is_err());
    }

    #[test]
    fn an_input_is_known_under_other_names() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let [path, hard, other] = ["x", "hard", "other"].map(|name| folder.path().join(name));
        fs::write(&path, b"x").expect("writable");
        fs::write(&other, b"x").expect("writable");
        assert!(refuse_inputs(&folder.path().join("./x"), [path.as_path()]).is_err());
        assert!(refuse_inputs(&other, [path.as_path()]).is_ok());
        assert!(refuse_inputs(&folder.path().join("new"), [path.as_path()]).is_ok());
        #[cfg(unix)]
        {
            fs::hard_link(&path, &hard).expect("writable");
            assert!(refuse_inputs(&hard, [other.as_path(), path.as_path()]).is_err());
            let null = Path::new("/dev/null");
            assert!(refuse_inputs(null, [null]).is_ok());
        }
    }

    #[test]
    fn outputs_that_are_one_file_are_refused() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let at = |name: &str| folder.path().join(name);
        let refuses = |outputs: &[&Path]| refuse_outputs(outputs, []).is_err();
        let same = |one: &str, other: &str| refuses(&[&at("a"), &at(one), &at(other)]);
        assert!(same("new", "./new"));
        assert!(!same("new", "newer"));
        fs::write(at("there"), b"x").expect("writable");
        assert!(same("there", "./there"));
        assert!(!same("there", "new"));
        assert!(refuses(&[Path::new("-"), Path::new("-")]));
        #[cfg(unix)]
        {
            fs::hard_link(at("there"), at("hard")).expect("writable");
            assert!(same("there", "hard"));
            let null = Path::new("/dev/null");
            assert!(!refuses(&[null, null]));
        }
    }
}
