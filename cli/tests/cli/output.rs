//! `titledex parse --output`: answers in a file.

use crate::support::{Ran, run, small_index, titledex};
use std::fs;
use std::path::Path;
use std::time::Duration;

#[test]
fn answers_go_to_a_file_that_is_not_an_input() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    fs::write(path("in.txt"), "x\ny\n").expect("writable");
    let whole = run(&[
        "parse",
        "--catalogue",
        small_index(),
        "--input",
        &path("in.txt"),
    ])
    .ended(0)
    .out;
    fs::write(path("out.jsonl"), "old ".repeat(10_000)).expect("writable");
    let ran = run(&[
        "parse",
        "--catalogue",
        small_index(),
        "--input",
        &path("in.txt"),
        "--output",
        &path("out.jsonl"),
    ])
    .ended(0);
    assert_eq!(
        (
            ran.out.as_str(),
            fs::read_to_string(path("out.jsonl")).expect("written")
        ),
        ("", whole.clone())
    );
    run(&[
        "parse",
        "--catalogue",
        small_index(),
        "x",
        "y",
        "-o",
        &path("out2.jsonl"),
    ])
    .ended(0);
    assert_eq!(
        fs::read_to_string(path("out2.jsonl")).expect("written"),
        whole
    );
    let ran = run(&[
        "parse",
        "--catalogue",
        small_index(),
        "--input",
        &path("in.txt"),
        "-o",
        &path("in.txt"),
    ])
    .ended(1);
    assert!(ran.err.contains("overwrite an input"), "{}", ran.err);
    let ran = run(&[
        "parse",
        "--catalogue",
        small_index(),
        "--input",
        &path("in.txt"),
        "-o",
        &path("no/such"),
    ])
    .ended(1);
    assert!(ran.err.contains("no/such"), "{}", ran.err);
    let left: Vec<_> = fs::read_dir(folder.path())
        .expect("readable")
        .map(|entry| entry.expect("readable").file_name())
        .collect();
    assert_eq!(left.len(), 3, "{left:?}");
}

/// The binary in a folder, with its input and output as a shell would redirect them.
#[cfg(unix)]
fn shell(folder: &Path, command: &str) -> Ran {
    let script = command.replace(
        "titledex parse",
        &format!(
            "{} parse --catalogue {}",
            titledex().get_program().display(),
            small_index()
        ),
    );
    let mut sh = std::process::Command::new("sh");
    sh.current_dir(folder).args(["-c", &script]);
    sh.output().expect("a shell").into()
}

#[cfg(unix)]
#[test]
fn no_name_of_the_input_is_an_output() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let titles = "Charizard 4/102\n";
    let input = folder.path().join("a.txt");
    fs::write(&input, titles).expect("writable");
    fs::hard_link(&input, folder.path().join("hard.txt")).expect("writable");
    std::os::unix::fs::symlink(&input, folder.path().join("soft.txt")).expect("writable");
    for suffix in ["part", "progress", "progress.new", "progress.lock"] {
        fs::hard_link(&input, folder.path().join(format!("{suffix}.txt.{suffix}")))
            .expect("writable");
    }
    for command in [
        "titledex parse -i a.txt -o hard.txt",
        "titledex parse -i hard.txt -o a.txt --resume",
        "titledex parse -i a.txt -o soft.txt",
        "titledex parse -i a.txt -o ./a.txt",
        "titledex parse -i a.txt -o part.txt",
        "titledex parse -i a.txt -o progress.txt",
        "titledex parse -i a.txt -o progress.new.txt",
        "titledex parse -i a.txt -o progress.lock.txt",
        "titledex parse -o hard.txt < a.txt",
        "titledex parse -o /dev/stdin < a.txt",
        "titledex parse -i /dev/stdin -o a.txt < a.txt",
        "titledex parse -i a.txt >> a.txt",
        "titledex parse -i a.txt -o - >> hard.txt",
        "titledex parse -i a.txt -o /dev/stdout >> hard.txt",
    ] {
        let ran = shell(folder.path(), command);
        assert_eq!(ran.code, Some(1), "{command}: {}", ran.err);
        assert!(
            ran.err.contains("overwrite an input"),
            "{command}: {}",
            ran.err
        );
        assert_eq!(
            fs::read_to_string(&input).expect("there"),
            titles,
            "{command}"
        );
    }
    // The catalogue is an input as well.
    let index = fs::read(small_index()).expect("there");
    fs::hard_link(small_index(), folder.path().join("index"))
        .or_else(|_| fs::copy(small_index(), folder.path().join("index")).map(drop))
        .expect("writable");
    let same = format!("titledex parse -i a.txt -o {}", small_index());
    assert_eq!(shell(folder.path(), &same).code, Some(1));
    assert!(fs::read(small_index()).expect("there") == index);
}

#[cfg(unix)]
#[test]
fn standard_output_has_three_names() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("a.txt"), "Charizard 4/102\n").expect("writable");
    let plain = shell(folder.path(), "titledex parse -i a.txt").ended(0).out;
    assert!(plain.contains("Charizard"));
    for command in [
        "titledex parse -i a.txt -o -",
        "titledex parse -i a.txt -o - > file && cat file && rm file",
        "titledex parse -i a.txt -o /dev/stdout | cat",
        "titledex parse -i a.txt -o /dev/stdout > file && cat file && rm file",
        "mkfifo pipe && (cat pipe &) && titledex parse -i a.txt -o pipe && rm pipe",
    ] {
        let ran = shell(folder.path(), command).ended(0);
        assert_eq!(ran.out, plain, "{command}");
        assert_eq!(
            fs::read_dir(folder.path()).expect("readable").count(),
            1,
            "{command}"
        );
    }
}

#[test]
fn output_is_complete_or_what_it_was() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = folder.path().join("out.jsonl");
    let path = output.to_str().expect("UTF-8");
    fs::write(&output, "before").expect("writable");
    // From a pipe that is still open.
    let args = ["parse", "--catalogue", small_index(), "-o", path];
    let mut command = titledex();
    let mut child = command
        .args(args)
        .stdin(std::process::Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut pipe = child.stdin.take().expect("standard input is piped");
    std::io::Write::write_all(&mut pipe, b"Charizard 4/102\n").expect("it reads");
    while fs::read_dir(folder.path()).expect("readable").count() == 1 {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(fs::read(&output).expect("there"), b"before");
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    assert_eq!(fs::read(&output).expect("there"), b"before");
    // A run that fails, and one that does not.
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [packed, output] = ["titles.txt.gz", "out.jsonl"].map(|name| folder.path().join(name));
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    std::io::Write::write_all(&mut packer, "Pikachu 58/102\n".repeat(9_000).as_bytes())
        .expect("memory");
    let whole = packer.finish().expect("memory");
    fs::write(&packed, &whole[..whole.len() - 20_000]).expect("writable");
    fs::write(&output, "before").expect("writable");
    let [packed_path, path] = [&packed, &output].map(|path| path.to_str().expect("UTF-8"));
    let args = [
        "parse",
        "--catalogue",
        small_index(),
        "-i",
        packed_path,
        "-o",
        path,
    ];
    run(&args).ended(1);
    assert_eq!(fs::read(&output).expect("there"), b"before");
    fs::remove_file(folder.path().join("out.jsonl.progress")).expect("there");
    // The part of another run is not overwritten.
    let ran = run(&args).ended(1);
    assert!(ran.err.contains("out.jsonl.part exists"), "{}", ran.err);
    fs::remove_file(folder.path().join("out.jsonl.part")).expect("there");
    fs::write(&packed, &whole).expect("writable");
    run(&args).ended(0);
    assert_eq!(
        fs::read_to_string(&output).expect("there").lines().count(),
        9_000
    );
    assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 2);
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_leaves_no_half_of_an_output() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = folder.path().join("out.jsonl");
    fs::write(&output, "before").expect("writable");
    // A limit on the size of files stands in for the end of the disk.
    let command = "trap '' XFSZ; ulimit -f 64; yes 'Charizard 4/102' | head -n 2000 | titledex parse -o out.jsonl";
    let ran = shell(folder.path(), command).ended(1);
    assert!(ran.err.contains("out.jsonl"), "{}", ran.err);
    assert_eq!(fs::read(&output).expect("there"), b"before");
    assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 1);
}

#[cfg(unix)]
#[test]
fn names_in_messages_cannot_act_on_a_terminal() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let name = "a\u{1b}]0;x\u{7}\u{202e}\u{9b}1m\nb";
    let input = folder.path().join(format!("{name}.csv"));
    let path = input.to_str().expect("UTF-8");
    let column = "n\u{1b}[31m\u{202e}ame";
    for content in [
        format!("\"{column}\",\"{column}\"\nx,y\n"),
        "\"".to_owned(),
        String::new(),
    ] {
        fs::write(&input, content).expect("writable");
        for args in [
            &["parse", "-i", path][..],
            &["parse", "-i", path, "--column", column],
            &["parse", "-i", path, "-o", path],
            &["parse", "x", "--catalogue", path],
            &["parse", "-i", &format!("{path}.none")],
            &["catalogue", "build", path, "-o", "/dev/null"],
            &["score", &format!("{path}.none")],
            &["parse", &format!("--{column}")],
        ] {
            let ran = run(args);
            assert_ne!(ran.code, Some(0), "{args:?}");
            let lines = ran.err.trim_end().replace('\n', "");
            assert!(
                !lines.chars().any(|c| c.is_control() || c == '\u{202e}'),
                "{args:?}: {:?}",
                ran.err
            );
            assert!(
                args[1].starts_with("--") || ran.err.lines().count() == 1,
                "{:?}",
                ran.err
            );
        }
    }
    // A file's name becomes a catalogue's, and is shown by `info`.
    let index = folder.path().join(format!("{name}.index"));
    let index = index.to_str().expect("UTF-8");
    run(&[
        "catalogue",
        "build",
        &crate::support::fixture("export.csv"),
        "-o",
        index,
    ])
    .ended(0);
    let ran = run(&["catalogue", "info", "--catalogue", index]).ended(0);
    assert!(
        ran.out.contains("␛]0;x") && !ran.out.contains('\u{1b}'),
        "{:?}",
        ran.out
    );
}
