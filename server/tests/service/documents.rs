//! The `curl` lines of the documents, as a reader would run them, and the tests that they name.

use crate::prices::shop;
use crate::support::Service;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The `curl` commands of a document that call a service at its default address.
fn commands(text: &str) -> Vec<String> {
    let blocks = text
        .split("```sh\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next());
    let lines = blocks
        .map(|block| block.replace("\\\n", " "))
        .collect::<Vec<_>>()
        .join("\n");
    lines
        .lines()
        .filter(|line| line.starts_with("curl ") && line.contains("http://127.0.0.1:8080/"))
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_curl_of_the_documents_is_answered() {
    let (service, _database) = Service::start();
    shop::stock(&service);
    let holder = service.account("reader", "business");
    let (readme, page) = (
        include_str!("../../../README.md"),
        include_str!("../../../docs/SERVICE.md"),
    );
    let all: Vec<String> = [readme, page]
        .iter()
        .flat_map(|text| commands(text))
        .collect();
    assert!(all.len() >= 8, "{all:?}");
    for command in all {
        let here = command.replace(
            "http://127.0.0.1:8080",
            &format!("http://{}", service.address),
        );
        let shell = format!("{here} --silent --show-error --write-out '\\n%{{http_code}}'");
        let done = Command::new("sh")
            .args(["-c", &shell])
            .env("KEY", &holder.key)
            .output()
            .expect("there is a shell, and curl");
        let said = String::from_utf8_lossy(&done.stdout);
        assert!(
            done.status.success() && said.trim_end().ends_with("200"),
            "{command}\n{said}\n{}",
            String::from_utf8_lossy(&done.stderr)
        );
    }
}

/// The texts of the Rust files beneath a folder, by the names of the files.
fn sources(folder: &Path, found: &mut BTreeMap<String, Vec<String>>) {
    for entry in fs::read_dir(folder).expect("it is a folder").flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && name != "node_modules" {
            sources(&path, found);
        } else if name.ends_with(".rs") {
            let text = fs::read_to_string(&path).expect("it is text");
            found.entry(name).or_default().push(text);
        }
    }
}

/// What holds each defence is named in `docs/SECURITY.md`, or that nothing does.
#[test]
fn threat_model_names_tests_that_exist() {
    let mut found = BTreeMap::new();
    for part in ["server", "cli", "command"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(part);
        sources(&folder, &mut found);
    }
    let text = include_str!("../../../docs/SECURITY.md");
    let mut tests = 0;
    for row in text.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
        if cells.len() != 3 {
            continue;
        }
        assert!(!cells[2].trim().is_empty(), "nothing holds: {row}");
        for named in cells[2].split('`').skip(1).step_by(2) {
            let (file, test) = named.split_once(": ").unwrap_or((named, ""));
            let name = file.rsplit('/').next().unwrap_or_default();
            if !name.ends_with(".rs") {
                continue;
            }
            let files = found.get(name);
            let files = files.unwrap_or_else(|| panic!("{file} is not there: {row}"));
            let has = |text: &String| text.contains(&format!("fn {test}"));
            assert!(files.iter().any(has), "{file} has no {test}: {row}");
            tests += usize::from(!test.is_empty());
        }
    }
    assert!(tests > 20, "{tests}");
}
