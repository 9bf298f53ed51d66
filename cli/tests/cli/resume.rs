//! `titledex parse --resume`: after kills at random points, the output is byte for byte that of an
//! uninterrupted run, and no second run writes it meanwhile.

use crate::support::{run, small_index, titledex};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// Rows of a test's input.
const ROWS: usize = 4_000;
/// Kills of a run before it may end.
const KILLS: usize = 4;

/// Titles, some of which cannot be read.
fn titles() -> impl Iterator<Item = (usize, String)> {
    let kinds = [
        "Charizard 4/102 Base Set",
        "PSA 9 Pikachu 58/102 holo",
        "リザードン 旧裏",
        "lot of 20 cards",
        "Blastoise",
    ];
    (0..ROWS).map(move |at| {
        (
            at,
            format!(
                "{at} {} {}",
                kinds[at % kinds.len()],
                "near mint ".repeat(at % 7)
            ),
        )
    })
}

/// Numbers that look random and are the same in every run (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit.max(1)
    }
}

/// A run in a folder of its own.
struct Work {
    folder: tempfile::TempDir,
    input: PathBuf,
}

impl Work {
    fn on(name: &str, content: &[u8]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let input = folder.path().join(name);
        fs::write(&input, content).expect("writable");
        Self { folder, input }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn start(&self, output: &Path, args: &[&str]) -> Child {
        let mut command = titledex();
        command
            .args([
                "parse",
                "--catalogue",
                small_index(),
                "--checkpoint-millis",
                "0",
            ])
            .args(args);
        command
            .arg("--input")
            .arg(&self.input)
            .arg("--output")
            .arg(output);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts")
    }

    /// The output of an uninterrupted run.
    fn whole(&self, args: &[&str]) -> Vec<u8> {
        let output = self.path("whole");
        let ended = self
            .start(&output, args)
            .wait_with_output()
            .expect("the process ends");
        assert!(
            matches!(ended.status.code(), Some(0 | 3)),
            "{}",
            String::from_utf8_lossy(&ended.stderr)
        );
        fs::read(output).expect("written")
    }
}

/// The number of answers that the progress file of `output` records.
fn noted(output: &Path) -> Option<u64> {
    let text = fs::read(output.with_extension("progress")).ok()?;
    let record: Value =
        serde_json::from_slice(&text).expect("the file of progress is replaced whole");
    record["standing"]["counts"]["answers"].as_u64()
}

/// The length of what is written of `output`.
fn length(output: &Path) -> u64 {
    fs::metadata(output.with_extension("part")).map_or(0, |metadata| metadata.len())
}

/// Kills a run again and again, and compares what comes of it with an unbroken one.
fn killed_again_and_again(name: &str, content: &[u8], format: &str) {
    let work = Work::on(name, content);
    let whole = work.whole(&["--format", format]);
    for (jobs, seed) in [("1", 0x9e37_79b9_u64), ("2", 0x7f4a_7c15)] {
        let mut random = Random(seed + whole.len() as u64);
        let output = work.path(jobs);
        let args = ["--resume", "--jobs", jobs, "--format", format];
        let mut before = None;
        for kill in 0..=KILLS {
            let mut child = work.start(&output, &args);
            if kill < KILLS {
                // Cuts at random, from somewhat before the end of the file, because the rest of it
                // may be cut off, up to its whole length.
                let length_before = length(&output);
                let from = length_before - random.below(length_before / 4);
                let point = from + random.below((whole.len() as u64).saturating_sub(from) / 2);
                // By length, or only once a note tells of more than the one before, so that runs do
                // go on.
                let by_note = kill % 2 == 1;
                while child.try_wait().expect("a child").is_none() {
                    let reached = if by_note {
                        noted(&output) > before
                    } else {
                        length(&output) >= point
                    };
                    if reached || output.exists() {
                        break;
                    }
                    sleep(Duration::from_micros(200));
                }
                // Fails if it has ended already.
                let _ = child.kill();
            }
            let ended = child.wait_with_output().expect("the process ends");
            let said = String::from_utf8_lossy(&ended.stderr);
            if let Some(answers) = before.filter(|answers| *answers > 0) {
                // One that is killed at once may not have come to saying so.
                let says = said.contains(&format!("after {answers} titles"));
                assert!(
                    says || (kill < KILLS && said.is_empty()),
                    "{name}, {jobs} jobs, kill {kill}: {said}"
                );
            }
            before = noted(&output);
            if kill == KILLS {
                assert!(matches!(ended.status.code(), Some(0 | 3)), "{said}");
            } else if output.exists() {
                // Ended before it could be killed.
                assert!(
                    fs::read(&output).expect("written") == whole,
                    "{name} with {jobs} jobs is there before it is complete"
                );
                break;
            }
        }
        if output.exists() {
            assert!(
                fs::read(&output).expect("written") == whole,
                "{name} with {jobs} jobs is not what an unbroken run writes"
            );
        }
        // A kill between the last record and the renaming leaves the part, which is complete.
        let ended = work
            .start(&output, &args)
            .wait_with_output()
            .expect("the process ends");
        assert!(matches!(ended.status.code(), Some(0 | 3)));
        assert!(fs::read(&output).expect("written") == whole);
        assert!(
            !output.with_extension("part").exists()
                && !output.with_extension("progress.new").exists()
        );
    }
}

#[test]
fn killed_run_over_lines_resumes_to_the_same_output() {
    let mut input = b"\xef\xbb\xbf".to_vec();
    for (at, title) in titles() {
        input.extend_from_slice(title.as_bytes());
        input.extend_from_slice(if at % 50 == 3 { b"\xff\r\n" } else { b"\n" });
    }
    killed_again_and_again("titles.txt", &input, "jsonl");
}

#[test]
fn killed_run_over_csv_resumes_to_the_same_output() {
    let mut input = "id,title,note\r\n".to_owned();
    for (at, title) in titles() {
        let row = match at % 40 {
            7 => format!("{at},{title}\r\n\r\n"),
            _ => format!("{at},\"{title}\n\"\"quoted\"\"\",\"n,{at}\"\r\n"),
        };
        input += &row;
    }
    killed_again_and_again("titles.csv", input.as_bytes(), "csv");
}

fn json_lines() -> String {
    let mut input = String::new();
    for (at, title) in titles() {
        match at % 40 {
            7 => input += "{\"title\":null}\n",
            9 => input += "\n",
            11 => input += "no JSON\n",
            _ => writeln!(input, "{{\"id\":{at},\"title\":\"{title}\"}}").expect("memory"),
        }
    }
    input
}

#[test]
fn killed_run_over_json_lines_resumes_to_the_same_output() {
    killed_again_and_again("titles.jsonl", json_lines().as_bytes(), "json");
}

#[test]
fn killed_run_over_gzip_resumes_to_the_same_output() {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(json_lines().as_bytes()).expect("memory");
    killed_again_and_again(
        "titles.jsonl.gz",
        &packer.finish().expect("memory"),
        "jsonl",
    );
}

#[cfg(feature = "parquet")]
#[test]
fn killed_run_over_parquet_resumes_to_the_same_output() {
    let titles: Vec<_> = titles()
        .map(|(at, title)| (at % 40 != 7).then_some(title))
        .collect();
    let titles: Vec<_> = titles.iter().map(Option::as_deref).collect();
    killed_again_and_again(
        "titles.parquet",
        &crate::parquet::parquet_file(&titles),
        "jsonl",
    );
}

#[test]
fn run_that_cannot_be_resumed_gives_the_remedy() {
    let input: String = titles().fold(String::new(), |input, (_, title)| input + &title + "\n");
    let work = Work::on("titles.txt", input.as_bytes());
    let whole = work.whole(&[]);
    let output = work.path("out");
    let mut child = work.start(&output, &["--jobs", "1"]);
    while noted(&output).is_none_or(|answers| answers == 0)
        && child.try_wait().expect("a child").is_none()
    {
        sleep(Duration::from_micros(100));
    }
    // Stopped once it has noted something, which a fast disk and a slow clock may both prevent:
    // then there is nothing to resume.
    let _ = child.kill();
    child.wait().expect("the process ends");
    let says = |args: &[&str], code: i32, what: &[&str]| {
        let ended = work
            .start(&output, args)
            .wait_with_output()
            .expect("the process ends");
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(ended.status.code(), Some(code), "{said}");
        assert!(what.iter().all(|what| said.contains(what)), "{said}");
    };
    if noted(&output).is_some() {
        says(&[], 1, &["out.progress", "--resume"]);
        says(
            &["--resume", "--format", "csv"],
            1,
            &[
                "`format` has changed from \"jsonl\" to \"csv\"",
                "out.progress",
            ],
        );
        says(
            &["--resume", "--no-fuzzy"],
            1,
            &["`fuzzy` has changed from true to false"],
        );
        says(
            &["--resume", "--min-confidence", "0.00001"],
            1,
            &["`min_confidence` has changed from null to \"0.00001\""],
        );
        says(&["--resume"], 0, &["resuming"]);
    } else {
        // It ended before it was killed, and its output does not say that it is of this run.
        says(&["--resume"], 1, &["out.progress"]);
        fs::remove_file(&output).expect("there");
        says(&["--resume"], 0, &[]);
    }
    assert!(fs::read(&output).expect("written") == whole);
    says(&["--resume"], 0, &["nothing to do"]);
    assert!(fs::read(&output).expect("written") == whole);

    let output = output.to_str().expect("UTF-8");
    let ran = run(&[
        "parse",
        "--catalogue",
        small_index(),
        "--resume",
        "-o",
        output,
    ])
    .ended(2);
    assert!(ran.err.contains("--input"), "{}", ran.err);
    run(&["parse", "--catalogue", small_index(), "--resume"]).ended(2);
}

/// While a run writes, the same command ends with a code of its own and leaves all as it is.
#[test]
fn second_run_of_an_output_is_refused_while_the_first_writes() {
    let input: String = titles().fold(String::new(), |input, (_, title)| input + &title + "\n");
    let work = Work::on("titles.txt", input.repeat(4).as_bytes());
    let whole = work.whole(&[]);
    for args in [&["--resume"][..], &[]] {
        let output = work.path(if args.is_empty() { "plain" } else { "resumed" });
        let mut first = work.start(&output, &[args, &["--jobs", "1"]].concat());
        while noted(&output).is_none_or(|answers| answers == 0) {
            assert!(
                first.try_wait().expect("a child").is_none(),
                "it ends before it records its progress"
            );
            sleep(Duration::from_micros(200));
        }
        let second = work.start(&output, args).wait_with_output();
        let second = second.expect("the process ends");
        let said = String::from_utf8_lossy(&second.stderr);
        if first.try_wait().expect("a child").is_none() {
            assert_eq!(second.status.code(), Some(4), "{said}");
            assert!(said.contains("another run writes"), "{said}");
        } else {
            assert!(matches!(second.status.code(), Some(0 | 4)), "{said}");
        }
        let first = first.wait_with_output().expect("the process ends");
        let said = String::from_utf8_lossy(&first.stderr);
        assert_eq!(first.status.code(), Some(0), "{said}");
        assert!(fs::read(&output).expect("written") == whole);
        assert!(!output.with_extension("progress.lock").exists());
    }
}

/// A run that is held up reads and writes nothing, whatever holds the lock; the file of a killed
/// run holds up nobody.
#[test]
fn output_is_busy_only_while_its_lock_is_held() {
    let work = Work::on("titles.txt", b"Charizard 4/102\n");
    let output = work.path("out");
    let lock = fs::File::create(output.with_extension("progress.lock")).expect("writable");
    let code = |args: &[&str]| {
        let ended = work.start(&output, args).wait_with_output();
        ended.expect("the process ends").status.code()
    };
    lock.lock().expect("nobody holds it");
    assert_eq!((code(&["--resume"]), code(&[])), (Some(4), Some(4)));
    assert!(!output.exists() && noted(&output).is_none());
    drop(lock);
    assert_eq!(code(&["--resume"]), Some(0));
    assert!(output.exists() && !output.with_extension("progress.lock").exists());
}

#[test]
fn only_the_output_of_the_same_run_is_taken_for_complete() {
    let work = Work::on("titles.txt", b"Charizard 4/102\nPikachu 58/102\n");
    let output = work.path("out");
    let ended = |args: &[&str]| {
        let ended = work.start(&output, args).wait_with_output();
        let ended = ended.expect("the process ends");
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        (ended.status.code(), said)
    };
    let refused = |args: &[&str], what: &str| {
        let before = fs::read(&output).expect("there");
        let (code, said) = ended(args);
        assert!(code == Some(1) && said.contains(what), "{code:?} {said}");
        assert!(fs::read(&output).expect("there") == before);
    };
    fs::write(&output, "a letter to somebody\n").expect("writable");
    refused(&["--resume"], "no ");

    fs::remove_file(&output).expect("there");
    assert_eq!(ended(&["--resume"]).0, Some(0));
    let whole = fs::read_to_string(&output).expect("written");
    let (code, said) = ended(&["--resume"]);
    assert!(code == Some(0) && said.contains("nothing to do"), "{said}");
    refused(&["--resume", "--no-fuzzy"], "`fuzzy` has changed");
    refused(&["--resume", "--brief"], "`brief` has changed");
    refused(&["--resume", "--format", "csv"], "`format` has changed");
    fs::write(&output, format!("{whole}{{}}\n")).expect("writable");
    refused(&["--resume"], "records");
    fs::write(&output, whole.replace("Charizard", "Charizarf")).expect("writable");
    refused(&["--resume"], "is not what the run");
    fs::write(&output, &whole).expect("writable");
    assert_eq!(ended(&["--resume"]).0, Some(0));
    fs::write(&work.input, "Blastoise 2/102\n").expect("writable");
    refused(&["--resume"], "the input has changed");

    // Without --resume the output is made anew, and leaves no record.
    assert_eq!(ended(&[]).0, Some(0));
    assert!(
        fs::read_to_string(&output)
            .expect("written")
            .contains("Blastoise")
    );
    assert!(!output.with_extension("progress").exists());
}

/// The names of the files beside an output can be told beforehand, and a link may lie there: what it
/// leads to is not this program's.
#[cfg(unix)]
#[test]
fn links_beside_an_output_are_not_followed() {
    use std::os::unix::fs::symlink;
    let work = Work::on("in.csv", b"title\nCharizard 4/102 Base Set\n");
    let (output, victim) = (work.path("out.jsonl"), work.path("victim"));
    let nowhere = work.path("nowhere");
    let beside = |ending: &str| work.path(&format!("out.jsonl{ending}"));
    let run = || {
        let ended = work.start(&output, &[]).wait_with_output();
        let ended = ended.expect("the process ends");
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        (ended.status.code(), said)
    };
    fs::write(&victim, "precious").expect("writable");
    // what an earlier run may have left is replaced, links too
    symlink(&victim, beside(".progress.new")).expect("writable");
    let (code, said) = run();
    assert_eq!(code, Some(0), "{said}");
    assert!(output.is_file() && !output.is_symlink());
    fs::remove_file(&output).expect("it is there");
    for (ending, target) in [
        (".part", &nowhere),
        (".part", &victim),
        (".progress.lock", &nowhere),
        (".progress.lock", &victim),
    ] {
        symlink(target, beside(ending)).expect("writable");
        let (code, said) = run();
        assert_eq!(code, Some(1), "{ending}: {said}");
        assert!(
            said.contains(ending) && said.contains("remove it"),
            "{said}"
        );
        assert!(!output.exists() && !nowhere.exists(), "{ending}");
        fs::remove_file(beside(ending)).expect("it is as it was");
    }
    assert_eq!(fs::read(&victim).expect("readable"), b"precious");
    assert_eq!(run().0, Some(0));
}
