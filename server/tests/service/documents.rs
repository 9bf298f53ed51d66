//! The `curl` lines of the documents, as a reader would run them.

use crate::prices::shop;
use crate::support::Service;
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
